"""Strokes of notes over the panes: those of the frame on show, and the one being drawn."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from rigview.core.review_notes import (
    NoteStroke,
    Point,
    ReviewNote,
    ReviewNotes,
    StrokeKind,
    Viewpoint,
    arrow_head,
    placed,
    rounded,
)
from rigview.render.note_view import notes_at, pane_of, sees_as, viewpoint
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font

# Of lines: their width, and that of the halo by which they are seen on any ground.
_WIDE, _HALO = 3.0, 7.0
_RADIUS = 9.0
# What was drawn for another camera stands back.
_ELSEWHERE = 0.4


@dataclass
class _Drag:
    """A stroke under way in a pane; its points are in the canvas's pixels."""

    kind: StrokeKind
    pane: int
    area: QRectF
    path: list[QPointF]


def clip_name(stage: Stage) -> str | None:
    """Return what notes call the clip on show; None for the rest pose."""
    rig, number = stage.rig, stage.clip_number
    if rig is not None and number is not None and number < len(rig.clips):
        return rig.clip_names[number]
    return None if stage.clip is None else stage.clip.name


class Ink:
    """Draws notes, and makes strokes; the panes hand it mouse and painter."""

    def __init__(self, stage: Stage, state: State) -> None:
        self._stage, self._state = stage, state
        # Those of the open file; who keeps them gives them.
        self.notes = ReviewNotes()
        self._drag: _Drag | None = None

    @property
    def is_on(self) -> bool:
        """Whether a drag draws."""
        return self._state.value.note_tool is not None

    @property
    def is_held(self) -> bool:
        """Whether a stroke is being drawn."""
        return self._drag is not None

    def press(self, place: QPointF, pane: tuple[int, QRectF]) -> bool:
        """Begin a stroke; return whether a tool is chosen."""
        kind = self._state.value.note_tool
        if kind is None or self._stage.rig is None:
            return False
        self._drag = _Drag(kind, *pane, [place])
        return True

    def move(self, place: QPointF) -> None:
        """Draw on; what leaves the pane stays at its edge."""
        drag = self._drag
        if drag is None:
            return
        area = drag.area
        x = min(max(place.x(), area.left()), area.right())
        y = min(max(place.y(), area.top()), area.bottom())
        if drag.kind != "pen":
            del drag.path[1:]
        drag.path.append(QPointF(x, y))

    def cancel(self) -> bool:
        """Forget the stroke under way; return whether there was one."""
        held, self._drag = self._drag is not None, None
        return held

    def release(self) -> tuple[NoteStroke, int] | None:
        """Return the stroke that was drawn, and its pane; None for a click that drew nothing.

        A text comes without words: they are asked for.
        """
        drag, self._drag = self._drag, None
        if drag is None:
            return None
        points = rounded([self._share(place, drag.area) for place in drag.path])
        if drag.kind == "text":
            points = points[:1]
        stroke = NoteStroke(drag.kind, points)
        if drag.kind != "text" and stroke.fault is not None:
            return None
        return stroke, drag.pane

    @staticmethod
    def _share(place: QPointF, area: QRectF) -> Point:
        return (place.x() - area.x()) / area.width(), (place.y() - area.y()) / area.height()

    def view(self, pane: int, area: QRectF) -> Viewpoint:
        """Return from where a pane is seen now."""
        return viewpoint(self._state.value.camera_of(pane), area.width() / area.height())

    def draw(self, painter: QPainter, areas: list[QRectF]) -> None:
        """Draw the notes of the frame on show over their panes."""
        state, methods = self._state.value, self._stage.methods
        for shown in notes_at(self.notes, clip_name(self._stage), state.time, state.fps):
            area = areas[pane_of(shown.note, methods)]
            painter.save()
            painter.setClipRect(area)
            painter.translate(area.topLeft())
            self._draw_note(painter, shown.number, shown.note, (area.width(), area.height()))
            painter.restore()
        drag = self._drag
        if drag is not None and drag.kind != "text":
            _stroke(painter, drag.kind, [(p.x(), p.y()) for p in drag.path])

    def _draw_note(
        self, painter: QPainter, number: int, note: ReviewNote, size: tuple[float, float]
    ) -> None:
        if not note.strokes:
            return
        pane = pane_of(note, self._stage.methods)
        camera, aspect = self._state.value.camera_of(pane), size[0] / size[1]
        here = note.view is None or sees_as(camera, note.view, aspect)
        painter.setOpacity(1.0 if here else _ELSEWHERE)
        for stroke in note.strokes:
            points = [placed(point, note.view, size) for point in stroke.points]
            if stroke.kind == "text":
                _words(painter, stroke.words, points[0])
            else:
                _stroke(painter, stroke.kind, points)
        first = note.strokes[0]
        x, y = placed(first.points[0], note.view, size)
        _number(painter, number, (x - 12.0 if first.kind == "text" else x, y))


def _stroke(painter: QPainter, kind: StrokeKind, points: list[Point]) -> None:
    """Draw a line with its halo."""
    lines = [points]
    (x, y), (right, bottom) = points[0], points[-1]
    if kind == "box":
        lines = [[(x, y), (right, y), (right, bottom), (x, bottom), (x, y)]]
    elif kind == "arrow" and len(points) == 2:
        lines.append(arrow_head(points[0], points[1]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    for token, width in (("background0", _HALO), ("accent", _WIDE)):
        painter.setPen(QPen(colour(token), width, Qt.PenStyle.SolidLine, cap, join))
        for line in lines:
            if len(line) == 1:
                painter.drawPoint(QPointF(*line[0]))
            else:
                painter.drawPolyline(QPolygonF([QPointF(*point) for point in line]))


def _words(painter: QPainter, words: str, at: Point) -> None:
    painter.setFont(font(theme.BODY, theme.SEMIBOLD))
    wide = painter.fontMetrics().horizontalAdvance(words) + 16
    box = QRectF(at[0], at[1] - 12.0, wide, 24.0)
    painter.setPen(QPen(colour("background0"), 2.0))
    painter.setBrush(colour("accent"))
    painter.drawRoundedRect(box, theme.RADIUS, theme.RADIUS)
    painter.setPen(colour("on_accent"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _number(painter: QPainter, number: int, at: Point) -> None:
    painter.setPen(QPen(colour("background0"), 2.0))
    painter.setBrush(colour("accent"))
    painter.drawEllipse(QPointF(*at), _RADIUS, _RADIUS)
    painter.setPen(colour("on_accent"))
    painter.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))
    box = QRectF(at[0] - 14.0, at[1] - 10.0, 28.0, 20.0)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number))
