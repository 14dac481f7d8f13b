"""What the window has once, whatever is open in it: settings, and what actions ask of the window."""

from PySide6.QtCore import QObject, Signal

from rigview.ui.settings import Settings


class Shell(QObject):
    """What actions ask of the window itself, as signals.

    `palette_asked` carries what its field begins with, `keys_asked` the action whose keys are to be set,
    or nothing; `sheet_asked` wants the sheet of keys, `preferences_asked` the preferences.
    """

    palette_asked = Signal(str)
    keys_asked = Signal(str)
    sheet_asked = Signal()
    preferences_asked = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
