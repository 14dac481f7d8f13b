"""Starting the window: what must be set before Qt starts, and what catches what nobody caught."""

import gc
import os
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

# What the window stands on comes before Qt: PySide reads the source of each module that is imported after
# it (for `from __feature__ import …`), some 400 files. Three modules bring nearly all of them; what this
# brings is measured by ``tests/benchmarks/first_picture.py``.
import rigview.app.review_folder
import rigview.app.taking_clips
import rigview.check.applying.curing  # noqa: F401
from rigview.ui.preflight import require_display

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from rigview.io import Overrides
    from rigview.ui.window import Window

# Worker threads give way to the event loop this often; Python's own 5 ms add up to visible stalls.
SWITCH_INTERVAL = 0.0005


def run(file: Path | None, overrides: "Overrides | None" = None) -> int:
    """Open the window and return the exit status.

    Parameters
    ----------
    overrides
        What the user knows better than the file.

    Raises
    ------
    DisplayError
        If no window can be opened.
    """
    require_display()
    from PySide6.QtCore import QTimer
    from shiboken6 import delete

    application = make_application()
    from rigview.ui.settings import Settings
    from rigview.ui.warming import warm_up
    from rigview.ui.widgets.words import LANGUAGE, speak
    from rigview.ui.window import Window
    from rigview.ui.workers.releasing import leave_out_what_stays

    settings = Settings()
    speak(settings.read(LANGUAGE, ""))
    window = Window(settings, opengl=has_opengl())
    window.show()
    leave_out_what_stays()
    sys.excepthook = _Reporter(window)
    QTimer.singleShot(0, window.bench.sessions.look_for_left)
    QTimer.singleShot(0, lambda: warm_up(window.bench))
    if file is not None:
        QTimer.singleShot(0, lambda: _open(window, file, overrides))
    status = application.exec()
    # The window goes while Qt and Python are whole: left to the end of the process, its parts would
    # be torn down in an order that nobody has chosen.
    sys.excepthook = sys.__excepthook__
    gc.unfreeze()
    delete(window)
    return status


def _open(window: "Window", file: Path, overrides: "Overrides | None") -> None:
    if overrides is None:
        window.bench.open_path(file)
    else:
        window.bench.open_again(file, overrides)


def make_application() -> "QApplication":
    """Return the application, made on the first call, in our style."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QIcon, QSurfaceFormat
    from PySide6.QtWidgets import QApplication

    from rigview.assets import RESOURCES
    from rigview.ui.widgets import theme

    existing = QApplication.instance()
    if existing is None:
        surface = QSurfaceFormat()
        surface.setVersion(3, 3)
        surface.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
        surface.setDepthBufferSize(24)
        QSurfaceFormat.setDefaultFormat(surface)
        # Without sharing, a dock that floats would lose everything in the context.
        QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    sys.setswitchinterval(SWITCH_INTERVAL)
    QApplication.setApplicationName("rigview")
    QApplication.setDesktopFileName("rigview")
    QApplication.setWindowIcon(QIcon(str(RESOURCES / "desktop" / "rigview.svg")))
    QApplication.setStyle("Fusion")
    QApplication.setFont(theme.font())
    theme.use("dark")
    return application


def has_opengl() -> bool:
    """Tell whether a widget can have an OpenGL 3.3 context; where not, pictures are drawn instead."""
    from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

    if QGuiApplication.platformName() in ("offscreen", "minimal", "vnc", "linuxfb"):
        return False
    context, surface = QOpenGLContext(), QOffscreenSurface()
    surface.create()
    if not context.create() or not context.makeCurrent(surface):
        return False
    given = context.format()
    context.doneCurrent()
    return (given.majorVersion(), given.minorVersion()) >= (3, 3)


class _Reporter:
    """Shows an error that nobody caught in the window, and on stderr for whoever mends it."""

    def __init__(self, window: object) -> None:
        self._window = window

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        words = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(words)
        if issubclass(kind, KeyboardInterrupt):
            os._exit(130)
        from rigview.ui.window import Window

        if isinstance(self._window, Window):
            self._window.bench.message.show_message(
                "error", "Something went wrong in rigview", f"{kind.__name__}: {error}", words
            )
