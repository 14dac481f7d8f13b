"""Whether a window can be had at all, asked before Qt is: Qt aborts the process where it cannot."""

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

from rigview.core.errors import RigviewError

# What Debian and Ubuntu call the packages of the libraries that Qt's wheels leave to the system.
PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-util.so.1": "libxcb-util1",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libX11-xcb.so.1": "libx11-xcb1",
}
_WAYLAND_PLUGIN, X11_PLUGIN = "libqwayland.so", "libqxcb.so"
_HEADLESS = "the commands info, check, fix, shot and bake work without"


class DisplayError(RigviewError, RuntimeError):
    """No window can be opened; the message says what to install or set, in one sentence."""


def require_display() -> None:
    """Check libraries and display, on Linux.

    Raises
    ------
    DisplayError
        If Qt would abort.
    """
    _require_qt()
    if not sys.platform.startswith("linux"):
        return
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    if platform and platform not in ("xcb", "wayland"):
        return
    x11, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not x11 and not wayland:
        raise DisplayError(
            f"there is no display: set DISPLAY or WAYLAND_DISPLAY, or run it under xvfb-run; {_HEADLESS}"
        )
    if platform == "wayland" or (wayland and not platform):
        usable = _load_error(plugins() / _WAYLAND_PLUGIN) == ""
        if usable:
            return
        if not x11:
            raise DisplayError(_missing(_load_error(plugins() / _WAYLAND_PLUGIN)))
    _require_plugin(X11_PLUGIN)
    if x11 and not _answers(x11):
        raise DisplayError(
            f"no X server answers at DISPLAY={x11}: start one or set DISPLAY; {_HEADLESS}"
        )


def _require_qt() -> None:
    try:
        import PySide6.QtOpenGLWidgets
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        raise DisplayError(_missing(str(error))) from None


def _missing(message: str) -> str:
    """Return the sentence for a loader's complaint: "libGL.so.1: cannot open shared object file"."""
    library = message.split(":", maxsplit=1)[0].strip().split()[-1]
    package = PACKAGES.get(library)
    if package is None:
        return f"Qt cannot be loaded: {message}"
    return f"Qt needs the system library {library}: install it (Debian and Ubuntu: {package})"


def plugins() -> Path:
    """Return the folder of Qt's platform plugins."""
    spec = importlib.util.find_spec("PySide6")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    return folder / "Qt" / "plugins" / "platforms"


def _load_error(library: Path) -> str:
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return str(error)
    return ""


def _require_plugin(name: str) -> None:
    plugin = plugins() / name
    error = _load_error(plugin) if plugin.exists() else ""
    if error:
        raise DisplayError(_missing(error))


def _answers(display: str) -> bool:
    """Ask the X server, through the library that Qt's plugin has just loaded."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        raise DisplayError(_missing(str(error))) from None
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return not failed
