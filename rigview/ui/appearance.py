"""Dark or light: what the user has chosen, or what the desktop says."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from rigview.ui.settings import Settings
from rigview.ui.view_state import State
from rigview.ui.widgets import theme

# What can be chosen → what the menu calls it; the first is what nobody has chosen.
CHOICES = {"dark": "Dark", "light": "Light", "desktop": "As the desktop"}


def chosen(settings: Settings) -> str:
    """Return what was chosen of `CHOICES`; the first for anything else."""
    stored = settings.read("theme", "")
    return stored if stored in CHOICES else next(iter(CHOICES))


def wanted(settings: Settings) -> str:
    """Return the name of the theme that the choice means on this desktop."""
    choice = chosen(settings)
    if choice != "desktop":
        return choice
    is_light = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light
    return "light" if is_light else "dark"


class Appearance(QObject):
    """Keeps the theme as it was chosen, and follows the desktop while the window is there."""

    def __init__(self, window: QObject, state: State, settings: Settings) -> None:
        super().__init__(window)
        self._state, self._settings = state, settings
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        # The window has set the theme before it made its widgets.
        state.update(theme=wanted(settings))

    @property
    def choice(self) -> str:
        """What was chosen."""
        return chosen(self._settings)

    def choose(self, choice: str) -> None:
        """Choose one of `CHOICES`, now and for later."""
        self._settings.write("theme", choice)
        self._apply()

    def _apply(self) -> None:
        theme.use(wanted(self._settings))
        self._state.update(theme=wanted(self._settings))
