"""The time ruler: frames, the playhead, scrubbing, and lanes of what happens along the clip."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from rigview.core.clip import Clip
from rigview.ui.panels.lanes import LANE, Lane
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_GUTTER = 92
# How strongly the ruler is tinted where the clip is played, and lanes are veiled where it is not.
_PLAYED, _VEIL = 0.3, 0.55
_RULER = 20
# How far labels of frames are apart at least: pixels.
_LABEL = 48


class Ruler(QWidget):
    """Frames along the width, the playhead, and the lanes below."""

    def __init__(self, stage: Stage, state: State, lanes: Sequence[Lane]) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self.lanes = tuple(lanes)
        # Where a drag began that says what is to be played: seconds.
        self._anchor: float | None = None
        # The first and last frame shown, while it is painted: they are asked for at every line.
        self._painted: tuple[float, float] | None = None
        for lane in self.lanes:
            lane.changed.connect(self.update)
        self.make_room()
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAccessibleName(tr("Time ruler"))
        state.changed.connect(lambda *_: self.update())
        stage.rig_changed.connect(self.update)

    @property
    def _shown(self) -> list[Lane]:
        return [lane for lane in self.lanes if lane.is_wanted]

    def make_room(self) -> None:
        """Be as high as the lanes need that have anything to show."""
        self.setMinimumHeight(_RULER + LANE * len(self._shown) + 4)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, _RULER + LANE * len(self._shown) + 14)

    def _range(self) -> tuple[float, float]:
        """Return the first and last frame shown."""
        if self._painted is not None:
            return self._painted
        clip, fps = self._stage.clip, self._state.value.fps
        if clip is None or clip.end <= clip.start:
            return 0.0, 1.0
        return clip.start * fps, clip.end * fps

    def x_of(self, frame: float) -> float:
        """Return where a frame is."""
        first, last = self._range()
        left, right = _GUTTER + 14.0, self.width() - 14.0
        return left + (right - left) * (frame - first) / (last - first)

    def _frame_at(self, x: float) -> float:
        first, last = self._range()
        left, right = _GUTTER + 14.0, self.width() - 14.0
        return first + (last - first) * (x - left) / max(right - left, 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to scrub; with Shift, to say what is to be played: without a drag, all."""
        clip = self._stage.clip
        if clip is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = self._time_at(event, clip)
            self._state.update(stretch=None)
        else:
            self._state.update(time=self._time_at(event, clip), playing=False)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        clip = self._stage.clip
        if clip is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        time = self._time_at(event, clip)
        if self._anchor is not None:
            self._stage.play_between(*sorted((self._anchor, time)))
        else:
            self._state.update(time=time, playing=False)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._anchor = None

    def _time_at(self, event: QMouseEvent, clip: Clip) -> float:
        """Return the time below the mouse: a whole frame, with Alt any between them."""
        frame = self._frame_at(event.position().x())
        if not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            frame = round(frame)
        return min(max(frame / self._state.value.fps, clip.start), clip.end)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._painted = self._range()
        self._paint()
        self._painted = None

    def _paint(self) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, height = self.width(), self.height()
        painter.fillRect(self.rect(), colour("background1"))
        painter.fillRect(QRectF(_GUTTER, 0, width - _GUTTER, _RULER), colour("background2"))
        below = QRectF(_GUTTER, _RULER, width - _GUTTER, height - _RULER)
        painter.fillRect(below, colour("field"))
        self._paint_lanes(painter, over_playhead=False)
        if self._stage.clip is not None:
            self._stretch(painter)
            self._frames(painter)
            self._playhead(painter)
        self._paint_lanes(painter, over_playhead=True)

    def _stretch(self, painter: QPainter) -> None:
        """Mark what is played, where that is not all of the clip."""
        clip, played = self._stage.clip, self._stage.played
        if clip is None or played is None or played == (clip.start, clip.end):
            return
        left, right = map(self._place, played)
        painter.fillRect(QRectF(left, 0, right - left, _RULER), colour("accent", _PLAYED))
        below = self.height() - _RULER
        for start, end in ((float(_GUTTER), left), (right, float(self.width()))):
            painter.fillRect(
                QRectF(start, _RULER, end - start, below), colour("background1", _VEIL)
            )
        painter.setPen(QPen(colour("accent"), 1))
        for x in (left, right):
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    def _frames(self, painter: QPainter) -> None:
        first, last = self._range()
        pixels = (self.width() - _GUTTER) / max(last - first, 1e-9)
        painter.setFont(font(theme.TICK, numbers=True))
        longest = max(painter.fontMetrics().horizontalAdvance(str(int(f))) for f in (first, last))
        step = label_step(max(_LABEL, longest + 8) / pixels)
        now = self.x_of(self._state.value.time * self._state.value.fps)
        small = 1 if pixels >= 5 else step
        clip = self._stage.clip
        if clip is not None and clip.end <= clip.start:
            last = first
        frames = range(
            math.ceil((first - 1e-6) / small) * small, math.floor(last + 1e-6) + 1, small
        )
        labelled = [frame for frame in frames if frame % step == 0]
        others = [frame for frame in frames if frame % step]
        for token, high, some in (("edge", 3, others), ("text3", 6, labelled)):
            painter.setPen(QPen(colour(token), 1))
            ticks = (self.x_of(frame) for frame in some)
            painter.drawLines([QLineF(x, _RULER - high, x, _RULER) for x in ticks])
        painter.setPen(colour("text2"))
        for frame in labelled:
            x = self.x_of(frame)
            if abs(x - now) > 26:
                area = QRectF(x - _LABEL / 2, 1, _LABEL, 13)
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(frame))

    def _paint_lanes(self, painter: QPainter, *, over_playhead: bool) -> None:
        """Paint lanes one below the other, those over the playhead or the others; the last has the rest."""
        active = self._stage.clip is not None
        shown = self._shown
        for number, lane in enumerate(shown):
            if lane.over_playhead != over_playhead:
                continue
            top = _RULER + 2 + LANE * number
            painter.setFont(font(theme.SMALL))
            painter.setPen(colour("text3" if active else "off"))
            name = QRectF(10, top, _GUTTER - 16, LANE)
            painter.drawText(name, int(Qt.AlignmentFlag.AlignVCenter), tr(lane.name))
            last = number == len(shown) - 1
            high = self.height() - top - 2 if last else LANE
            if active:
                box = QRectF(_GUTTER, top, self.width() - _GUTTER, high)
                lane.paint(painter, box, self._place)

    def _place(self, time: float) -> float:
        return self.x_of(time * self._state.value.fps)

    def _playhead(self, painter: QPainter) -> None:
        state = self._state.value
        frame = state.time * state.fps
        x = self.x_of(frame)
        painter.setPen(QPen(colour("accent"), 1.5))
        painter.drawLine(QPointF(x, 16), QPointF(x, self.height()))
        near = abs(frame - round(frame)) < 0.05
        text = f"{frame:.0f}" if near else f"{frame:.1f}"
        painter.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))
        half = max(16.0, painter.fontMetrics().horizontalAdvance(text) / 2 + 6)
        box = QRectF(min(max(x - half, _GUTTER), self.width() - 2 * half), 1, 2 * half, 16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(colour("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def label_step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 and so on that is not below `least`."""
    power = 10 ** max(math.floor(math.log10(least)), 0)
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)
