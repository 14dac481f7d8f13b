"""What the window has once, whatever is open in it: settings, and what actions ask of the window."""

from PySide6.QtCore import QObject, Signal

from rigview.ui.settings import Settings


class Shell(QObject):
    """What actions ask of the window itself, as signals.

    `palette_asked` carries what its field begins with, `keys_asked` the action whose keys are to be set,
    or nothing; `sheet_asked` wants the sheet of keys, `preferences_asked` the preferences, and
    `panel_asked` the panel of a title.
    """

    palette_asked = Signal(str)
    keys_asked = Signal(str)
    sheet_asked = Signal()
    preferences_asked = Signal()
    panel_asked = Signal(str)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
