"""About rigview: versions, the driver, and all of it as text for whoever helps."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from rigview import __version__
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Item, column, down, fill, label, row
from rigview.ui.widgets.words import tr

# What rigview works with, and what it can read more with, by the names of their packages.
_PACKAGES = (
    "PySide6-Essentials",
    "numpy",
    "scipy",
    "PyOpenGL",
    "pyqtgraph",
    "Pillow",
    "usd-core",
    "DracoPy",
    "libigl",
    "av",
)


def diagnostics(driver: str) -> str:
    """Return what a report of a mistake needs: versions, system, screens; no names and no files.

    Parameters
    ----------
    driver
        What draws the panes.
    """
    lines = [
        f"rigview {__version__}",
        f"Python {platform.python_version()} ({sys.platform}, {platform.machine()})",
        f"System: {platform.platform()}",
        f"Qt {qVersion()}, {QGuiApplication.platformName()}",
        f"OpenGL: {driver or 'nothing is drawn yet'}",
    ]
    for screen in QGuiApplication.screens():
        size, ratio = screen.size(), screen.devicePixelRatio()
        lines.append(f"Screen: {size.width()} × {size.height()}, scale {ratio:g}")
    for package in _PACKAGES:
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package}: not installed")
    return "\n".join(lines)


class AboutDialog(Dialog):
    """Versions and licence; a button copies the diagnostics."""

    def __init__(self, parent: QWidget, driver: str) -> None:
        super().__init__(parent, "About rigview")
        self.text = diagnostics(driver)
        self.copy = Button("Copy diagnostics", "copy", "plain", "Copy versions and system", 28)
        self.copy.clicked.connect(self._copy)
        close = Button("Close", "", "primary", "Close", 28)
        close.clicked.connect(self.accept)
        lines: list[Item] = [
            label(f"rigview {__version__}", "text", theme.DISPLAY, theme.SEMIBOLD),
            label("See, check and repair skinned rigs. MIT licence.", "text2"),
            6,
        ]
        lines += [label(line, "text2", theme.SMALL) for line in self.text.split("\n")[1:]]
        foot = row(None, self.copy, close, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        down(
            self,
            Title("About rigview"),
            (column(*lines, margins=(16, 14, 16, 14), spacing=4), 1),
            foot,
        )
        self.setMinimumWidth(420)
        close.setDefault(True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self.copy.setText(tr("Copied"))
