"""Anti-aliasing where a processor draws: only a picture that stays is worth its time."""

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QWidget

from rigview.ui.panes.painter import Painter
from rigview.ui.view_state import State

# A picture that has not changed for so long is drawn again, smoothly.
_STILL_MS = 250


class Stillness(QObject):
    """Has a picture that stays drawn once more, anti-aliased, where moving ones are not."""

    def __init__(
        self, canvas: QWidget, drawn: SignalInstance, painter: Painter, state: State
    ) -> None:
        super().__init__(canvas)
        self._canvas, self._painter, self._state = canvas, painter, state
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_STILL_MS)
        self._timer.timeout.connect(self._smooth)
        drawn.connect(self._wait)

    def set_interval(self, milliseconds: int) -> None:
        """Set how long a picture stays before it is drawn smoothly."""
        self._timer.setInterval(milliseconds)

    def _wait(self) -> None:
        if self._painter.is_smooth or self._state.value.playing:
            self._timer.stop()
        else:
            self._timer.start()

    def _smooth(self) -> None:
        if self._canvas.isVisible() and not self._state.value.playing:
            self._painter.smooth = True
            self._canvas.update()
