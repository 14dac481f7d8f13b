"""The lanes below the time ruler; a new lane is a class here and a row in `Timeline`."""

from abc import abstractmethod
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF

from rigview.check.rule import SEVERITIES, Severity
from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.clip import Clip
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_scan import ClipScan
from rigview.core.text import one_line
from rigview.ui.panes.ink import Ink, clip_name
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.worst_scanning import WorstScanner

# Where on the ruler a time is: seconds → pixels.
Place = Callable[[float], float]

LANE = 16
_DIAMOND = 4.5
_MARK = 8.0
# ``(T,)`` times, how far the worst has gone to a limit, and whether it is an error.
WorstOfTime = tuple[FloatArray, FloatArray, BoolArray]
# Limits that the lane of worst poses reaches up to.
_MOST_LIMITS = 3.0


class Lane(QObject):
    """One lane: its name, and what it paints along the clip; `changed` asks for a new picture."""

    changed = Signal()
    name = ""
    # Whether the playhead runs below what it paints.
    over_playhead = False

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to show; else the lane takes no room."""
        return True

    @abstractmethod
    def paint(self, painter: QPainter, box: QRectF, place: Place) -> None:
        """Paint the lane into its box."""


class KeysLane(Lane):
    """The file's keys of the selected joint, of the whole clip without one."""

    name = "Keys"

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state

    def paint(self, painter: QPainter, box: QRectF, place: Place) -> None:
        state = self._state.value
        times = key_times(self._stage.clip, state.joint)
        pixel = 1.0 / max(place(1.0) - place(0.0), 1e-9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("text2"))
        for time in apart(times, pixel):
            _diamond(painter, place(float(time)), box.center().y())
        here = times[np.abs(times - state.time) * state.fps < 0.05]
        if len(here):
            painter.setBrush(colour("text"))
            _diamond(painter, place(float(here[0])), box.center().y())


class FindingsLane(Lane):
    """When findings are, in the colour of their severity."""

    name = "Findings"

    def __init__(self, stage: Stage, checker: Checker) -> None:
        super().__init__()
        self._stage, self._checker = stage, checker
        checker.checked.connect(self.changed)

    @property
    def marks(self) -> list[tuple[float, Severity]]:
        """Times of the present clip that findings name, the worst severity last."""
        report, clip = self._checker.report, self._stage.clip
        if report is None or clip is None:
            return []
        found = [
            (f.time, report.severity(f))
            for f in report.findings
            if f.time is not None and f.is_in(clip) and not report.is_note(f)
        ]
        return sorted(found, key=lambda mark: -SEVERITIES.index(mark[1]))

    def paint(self, painter: QPainter, box: QRectF, place: Place) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        top = box.center().y() - _MARK / 2
        for time, severity in self.marks:
            painter.setBrush(colour(severity))
            painter.drawRoundedRect(QRectF(place(time) - _MARK / 2, top, _MARK, _MARK), 2, 2)


class NotesLane(Lane):
    """The numbers of the notes where they are."""

    name = "Notes"
    over_playhead = True

    def __init__(self, stage: Stage, state: State, ink: Ink) -> None:
        super().__init__()
        self._stage, self._state, self._ink = stage, state, ink

    @property
    def is_wanted(self) -> bool:
        return bool(self._ink.notes.each)

    @property
    def marks(self) -> list[tuple[float, int]]:
        """Times and numbers of the notes on the present clip."""
        name = clip_name(self._stage)
        name = None if name is None else one_line(name)
        return [
            (note.time, number)
            for number, note in enumerate(self._ink.notes.each, 1)
            if note.clip is not None and one_line(note.clip) == name
        ]

    def paint(self, painter: QPainter, box: QRectF, place: Place) -> None:
        painter.setFont(font(theme.TICK, theme.SEMIBOLD, numbers=True))
        for time, number in self.marks:
            x, y = place(time), box.center().y()
            mark = QRectF(x - 7.0, y - 6.0, 14.0, 12.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawRoundedRect(mark, 2, 2)
            painter.setPen(colour("on_accent"))
            painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, str(number))


class WorstLane(Lane):
    """How near the clip comes to a limit under the chosen pane's method: 0 to 3 limits, absolute."""

    name = "Worst"

    def __init__(self, state: State, scanner: WorstScanner) -> None:
        super().__init__()
        self._state, self._scanner = state, scanner
        # What is painted again and again while the clip plays, and what it was found of.
        self._found: tuple[ClipScan, str, WorstOfTime | None] | None = None
        scanner.changed.connect(self.changed)

    def severities(self, clip: Clip | None) -> WorstOfTime | None:
        """Return ``(T,)`` times of a clip, how far the worst has gone to a limit, and which are errors.

        None where the clip is not scanned.
        """
        view, scanned = self._state.value, self._scanner.curves(clip)
        method = view.methods[min(view.pane, len(view.methods) - 1)]
        if scanned is None or method not in scanned.values or not len(scanned.times):
            return None
        if self._found is None or self._found[0] is not scanned or self._found[1] != method:
            self._found = scanned, method, _worst_of_time(scanned, method)
        return self._found[2]

    def paint(self, painter: QPainter, box: QRectF, place: Place) -> None:
        found = self.severities(self._stage_clip())
        limit = box.bottom() - 2 - (box.height() - 4) / _MOST_LIMITS
        painter.setPen(QPen(colour("warning"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(box.left(), limit), QPointF(box.right(), limit))
        if found is None:
            return
        times, severities, errors = found
        heights = (box.height() - 4) * np.clip(severities, 0.0, _MOST_LIMITS) / _MOST_LIMITS
        points = [
            QPointF(place(float(t)), box.bottom() - 2 - h)
            for t, h in zip(times, heights, strict=True)
        ]
        if len(points) == 1:
            points.append(points[0] + QPointF(1.0, 0.0))
        floor = [QPointF(p.x(), box.bottom() - 2) for p in (points[-1], points[0])]
        outline = QPolygonF([*points, *floor])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        above = QRectF(box.left() - 1e4, box.top() - 10, box.width() + 2e4, limit - box.top() + 10)
        below = QRectF(above.left(), limit, above.width(), box.bottom() - limit)
        token = "error" if errors.any() else "warning"
        for part, tint in ((below, "text3"), (above, token)):
            painter.save()
            painter.setClipRect(part, Qt.ClipOperation.IntersectClip)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(tint, 0.30))
            painter.drawPolygon(outline)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(tint), 1.3))
            painter.drawPolyline(QPolygonF(points))
            painter.restore()

    def _stage_clip(self) -> Clip | None:
        return self._scanner.clip_on_show


def _worst_of_time(scanned: ClipScan, method: str) -> WorstOfTime | None:
    """Return what `WorstLane` paints of a clip's scan; None where nothing was measured."""
    values = scanned.values[method]
    rows = np.array([MEASURES[name].severity(of) for name, of in values.items()])
    if not rows.size:
        return None
    worst = np.nan_to_num(rows, nan=0.0).max(axis=(0, 2))
    errors = [
        np.nan_to_num(of, nan=0.0) >= (MEASURES[name].error or np.inf)
        for name, of in values.items()
    ]
    return scanned.times, worst, np.any(np.array(errors), axis=(0, 2))


def key_times(clip: Clip | None, joint: int | None) -> FloatArray:
    """Return ``(n,)`` when the file keys one joint, or anything without joint or keys of its own."""
    if clip is None:
        return np.zeros(0)
    own = [active.curve.stated_times for active in clip.active if active.node == joint]
    return np.unique(np.concatenate(own)) if own else clip.stated_times


def apart(times: FloatArray, least: float) -> FloatArray:
    """Return ``(k,)`` of ascending times the first and each that is so far beyond the one before."""
    kept, at = [], 0
    while at < len(times):
        kept.append(at)
        at = max(at + 1, int(np.searchsorted(times, times[at] + least)))
    return times[kept]


def _diamond(painter: QPainter, x: float, y: float) -> None:
    r = _DIAMOND
    corners = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
