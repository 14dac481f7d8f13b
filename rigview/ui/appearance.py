"""Dark or light: what the user has chosen, or what the desktop says."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from rigview.ui.settings import Settings
from rigview.ui.view_state import State
from rigview.ui.widgets import theme

# What can be chosen → what the menu calls it; the first is what nobody has chosen.
CHOICES = {"dark": "Dark", "light": "Light", "desktop": "As the desktop"}


class Appearance(QObject):
    """Keeps the theme as it was chosen, and follows the desktop while the window is there."""

    def __init__(self, window: QObject, state: State, settings: Settings) -> None:
        super().__init__(window)
        self._state, self._settings = state, settings
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply)
        self._apply()

    @property
    def choice(self) -> str:
        """What was chosen."""
        stored = self._settings.read("theme", "")
        return stored if stored in CHOICES else next(iter(CHOICES))

    def choose(self, choice: str) -> None:
        """Choose one of `CHOICES`, now and for later."""
        self._settings.write("theme", choice)
        self._apply()

    def _apply(self) -> None:
        light = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light
        desktop = "light" if light else "dark"
        name = desktop if self.choice == "desktop" else self.choice
        theme.use(name)
        self._state.update(theme=name)
