"""Colours, fonts and icons: one token, one meaning, everywhere in the window."""

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from rigview import assets
from rigview.ui.widgets.glyphs import glyph_icon

# Spacing and sizes in logical pixels.
ROW = 22
BUTTON = 26
TITLE = 28
RADIUS = 4.0

TICK, SMALL, BODY, NAME, DISPLAY = 10, 11, 12, 14, 20

_tokens: dict[str, str] = dict(assets.theme("dark"))
# What a widget can have of its own, each in a colour of the theme.
_ROLES = {"text": QPalette.ColorRole.WindowText, "ground": QPalette.ColorRole.Window}


def use(name: str) -> None:
    """Switch to the "dark" or "light" theme, whatever is on the screen with it.

    What is returned below is kept: a repaint asks for the same few things hundreds of times.
    """
    _tokens.clear()
    _tokens.update(assets.theme(name))
    for cached in (icon, pixmap, colour):
        cached.cache_clear()
    application = QApplication.instance()
    if isinstance(application, QApplication):
        application.setPalette(palette())
        application.setStyleSheet(style_sheet())
        for widget in application.allWidgets():
            _dress(widget)


def _dress(widget: QWidget) -> None:
    # Qt gives a widget, when it is first shown under a style sheet, the palette back that it had when the
    # sheet was set: what is given before that is lost.
    widget.ensurePolished()
    for what in _ROLES:
        token = widget.property(f"{what} token")
        if token:
            give(widget, what, token)
    # What keeps colours beside those it is painted with takes them anew.
    dress: Callable[[], None] | None = getattr(widget, "dress", None)
    if dress is not None:
        dress()
    widget.update()


def give(widget: QWidget, what: str, token: str) -> None:
    """Give the "text" or the "ground" of a widget a colour that follows the theme."""
    widget.setProperty(f"{what} token", token)
    own = widget.palette()
    own.setColor(_ROLES[what], colour(token))
    widget.setPalette(own)


def hex_of(token: str) -> str:
    """Return a token's ``#rrggbb``."""
    return _tokens[token]


@cache
def colour(token: str, alpha: float = 1.0) -> QColor:
    """Return a token's colour."""
    result = QColor(_tokens[token])
    result.setAlphaF(alpha)
    return result


@cache
def _family() -> str | None:
    """Inter where it is installed, so that pictures are the same everywhere; else the system's font."""
    return "Inter" if "Inter" in QFontDatabase.families() else None


@cache
def font(
    size: int = BODY, weight: QFont.Weight = QFont.Weight.Normal, *, numbers: bool = False
) -> QFont:
    """Return the interface font; `numbers` gives figures of equal width."""
    family = _family()
    result = QFont(family) if family else QFont(QApplication.font().family())
    result.setPixelSize(size)
    result.setWeight(weight)
    if numbers:
        result.setFeature(QFont.Tag("tnum"), 1)
    return result


MEDIUM, SEMIBOLD = QFont.Weight.Medium, QFont.Weight.DemiBold


@cache
def icon(name: str, token: str = "text2") -> QIcon:
    """Return a static icon of Phosphor ("ph.eye") or Material Design ("mdi6.bone")."""
    full = name if "." in name else f"ph.{name}"
    return glyph_icon(full, hex_of(token), hex_of("off"))


@cache
def pixmap(name: str, token: str = "text2", size: int = 16, ratio: float = 1.0) -> QPixmap:
    """Return an icon as a picture at the screen's own resolution."""
    return icon(name, token).pixmap(QSize(size, size), ratio)


SEVERITY_ICONS = {
    "error": ("x-circle-fill", "error"),
    "warning": ("warning-fill", "warning"),
    "info": ("info-fill", "info"),
    "ok": ("check-circle-fill", "ok"),
}


def palette() -> QPalette:
    """Return Qt's palette in our colours."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    result = QPalette()
    for target, token in (
        (role.Window, "background1"),
        (role.WindowText, "text"),
        (role.Base, "background1"),
        (role.AlternateBase, "background2"),
        (role.Text, "text"),
        (role.Button, "background3"),
        (role.ButtonText, "text"),
        (role.BrightText, "error"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "selection_text"),
        (role.ToolTipBase, "background3"),
        (role.ToolTipText, "text"),
        (role.PlaceholderText, "text3"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.Light, "background4"),
        (role.Midlight, "background4"),
        (role.Mid, "edge"),
        (role.Dark, "line"),
        (role.Shadow, "line"),
    ):
        result.setColor(target, colour(token))
    for target in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(group.Disabled, target, colour("off"))
    # Rows keep their selection colour when the focus is elsewhere: the viewport usually has it.
    result.setColor(group.Inactive, role.Highlight, colour("selection"))
    result.setColor(group.Inactive, role.HighlightedText, colour("selection_text"))
    return result


def field_sheet(padding: int) -> str:
    """Return the style of a field to type into, which a palette cannot say."""
    t = _tokens
    return (
        f"QLineEdit {{ background: {t['field']}; border: 1px solid {t['edge']}; border-radius: 4px; "
        f"padding: 0 {padding}px; }} QLineEdit:focus {{ border-color: {t['accent']}; }}"
    )


def style_sheet() -> str:
    """Return the few rules that a palette cannot say: separators, scroll bars, menus, tool tips."""
    t = _tokens
    return f"""
QMainWindow::separator {{ background: {t["background0"]}; width: 4px; height: 4px; }}
QMainWindow::separator:hover {{ background: {t["accent"]}; }}
QToolTip {{ color: {t["text"]}; background: {t["background3"]}; border: 1px solid {t["edge"]};
  padding: 4px 6px; }}
QMenuBar {{ background: transparent; }}
QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {t["background4"]}; }}
QMenu {{ background: {t["background2"]}; border: 1px solid {t["edge"]}; padding: 4px; }}
QMenu::item {{ padding: 4px 24px 4px 24px; border-radius: 3px; }}
QMenu::item:selected {{ background: {t["selection"]}; color: {t["selection_text"]}; }}
QMenu::item:disabled {{ color: {t["off"]}; }}
QMenu::separator {{ height: 1px; background: {t["edge"]}; margin: 4px 8px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {t["background4"]}; border-radius: 3px;
  min-height: 28px; margin: 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {t["background4"]}; border-radius: 3px;
  min-width: 28px; margin: 2px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
QStatusBar::item {{ border: 0; }}
QTableView QHeaderView::section {{ background: {t["background2"]}; color: {t["text2"]}; border: 0;
  padding: 0 6px; }}
"""
