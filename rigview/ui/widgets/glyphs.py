"""Icons out of the icon fonts that QtAwesome brings.

QtAwesome itself loads all its twelve fonts, and QtPy with every class of Qt: a quarter of a second of
each start.
"""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

# Prefix of a name → font and table of its characters.
_FONTS = {
    "ph": ("phosphor-1.3.0.ttf", "phosphor-charmap-1.3.0.json"),
    "mdi6": (
        "materialdesignicons6-webfont-6.9.96.ttf",
        "materialdesignicons6-webfont-charmap-6.9.96.json",
    ),
}
# The height of a character as a share of the icon's.
_HEIGHT = 0.875


class Glyphs(QIconEngine):
    """Paints one character of a font, in another colour where it is disabled."""

    def __init__(self, family: str, character: str, colours: tuple[str, str]) -> None:
        super().__init__()
        self._family, self._character, self._colours = family, character, colours

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        font = QFont(self._family)
        font.setPixelSize(max(1, round(_HEIGHT * rect.height())))
        painter.save()
        painter.setFont(font)
        painter.setPen(QColor(self._colours[mode == QIcon.Mode.Disabled]))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._character)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        result = QPixmap(size)
        result.fill(Qt.GlobalColor.transparent)
        painter = QPainter(result)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return result

    def clone(self) -> QIconEngine:
        return Glyphs(self._family, self._character, self._colours)


def glyph_icon(name: str, colour: str, disabled: str) -> QIcon:
    """Return the icon of a name like "ph.eye", in ``#rrggbb`` colours.

    Raises
    ------
    KeyError
        If no font has the name.
    """
    prefix, _, own = name.partition(".")
    family, characters = _font(prefix)
    return QIcon(Glyphs(family, chr(int(characters[own], 16)), (colour, disabled)))


@cache
def _font(prefix: str) -> tuple[str, dict[str, str]]:
    """Load a font; return its family, and name → code of a character."""
    font, characters = (_folder() / name for name in _FONTS[prefix])
    families = QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font)))
    if not families:
        raise FileNotFoundError(f"{font} holds no font")
    return families[0], json.loads(characters.read_text(encoding="utf-8"))


def _folder() -> Path:
    # Found without being imported: only its files are wanted.
    spec = find_spec("qtawesome")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("qtawesome, which holds the icons, is not installed")
    return Path(spec.submodule_search_locations[0]) / "fonts"
