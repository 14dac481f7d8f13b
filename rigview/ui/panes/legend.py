"""The legend below the panes: what the colours of the present shading mean."""

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from rigview.assets import colour_map
from rigview.core import escape
from rigview.core.measures.joint_measures import MEASURES
from rigview.render.scales import SHARE_OF_SWATCHES, Scale, Shown, Swatch, in_a_row, scale_of
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Chooser
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import spoken, tr

# Swatches that a screen reader says, and that the tool tip lists.
_SPOKEN, _LISTED = 8, 32
# Pixels of the ramp at its longest.
_LONGEST = 360.0
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class ShadingLegend(QWidget):
    """The colour map of the present shading, with a marker at the selected vertex, or its colours."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self.setFixedHeight(38)
        self.scale = Scale("")
        # Under heat its name is the chooser of what heat shows.
        self.measure = Chooser([row.title for row in MEASURES.values()], "What heat shows")
        self.measure.setParent(self)
        self.measure.move(44, 6)
        self.measure.activated.connect(self._take_measure)
        stage.rig_changed.connect(self._refresh)
        state.changed.connect(self._follow)
        self._refresh()

    def _take_measure(self, number: int) -> None:
        self._state.update(measure=list(MEASURES)[number])

    def _follow(self, old: ViewState, new: ViewState) -> None:
        read = ("shading", "measure", "joint", "vertex", "methods", "hidden", "weights")
        if new.differs(old, read):
            self._refresh()

    def _refresh(self) -> None:
        deformer, view = self._stage.deformer, self._state.value
        changes = self._stage.guest.heat if self._stage.guest is not None else None
        scale = None
        if deformer is not None:
            scale = scale_of(Shown(deformer, self._stage.look, view.methods, changes))
        self.setVisible(scale is not None)
        self.measure.setVisible(view.shading == "heat")
        self.measure.setCurrentIndex(list(MEASURES).index(view.measure))
        self.measure.resize(self.measure.sizeHint())
        if scale is None:
            return
        self.scale = replace(
            scale,
            title=spoken(scale.title),
            name=spoken(scale.name),
            words=spoken(scale.words),
            ticks=tuple((place, spoken(text)) for place, text in scale.ticks),
        )
        named = ", ".join(f"{s.name} {s.share}" for s in self.scale.swatches[:_SPOKEN])
        words = (self.scale.title, self.scale.name, named, self.scale.words)
        self.setAccessibleName(" ".join(filter(None, words)))
        self.setToolTip(_tip(self.scale))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), colour("background1"))
        painter.setFont(font())
        painter.setPen(colour("text2"))
        if not self.scale.name:
            painter.drawText(QRectF(12, 0, self.width() - 24, 38), _LEFT, self.scale.title)
            return
        if not self.measure.isHidden():
            painter.drawText(QRectF(12, 0, 40, 38), _LEFT, self.scale.title)
            self._paint_values(painter, 236.0)
            return
        start = 12 + painter.fontMetrics().horizontalAdvance(self.scale.title) + 6
        painter.drawText(QRectF(12, 0, start, 38), _LEFT, self.scale.title)
        painter.setFont(font(theme.BODY, theme.SEMIBOLD))
        painter.setPen(colour("text"))
        room = 178.0 - start
        elide = painter.fontMetrics().elidedText
        name = elide(self.scale.name, Qt.TextElideMode.ElideMiddle, int(room))
        painter.drawText(QRectF(start, 0, room + 2, 38), _LEFT, name)
        if self.scale.has_none:
            self._swatch(painter, 184.0)
        self._paint_values(painter, 236.0)

    def _paint_values(self, painter: QPainter, x: float) -> None:
        """Paint what follows the name: the ramp or the swatches, and the words at the right."""
        said = font(theme.SMALL, numbers=True)
        words = QFontMetricsF(said)
        wanted = words.horizontalAdvance(self.scale.words)
        if self.scale.swatches:
            room = max(self.width() - x - wanted - 42.0, SHARE_OF_SWATCHES * (self.width() - x))
            left = self._swatches(painter, x, min(room, self.width() - x - 12.0))
        else:
            width = min(_LONGEST, max(self.width() - x - wanted - 46.0, 160.0))
            self._ramp(painter, x, width)
            left = x + width + 30
        painter.setFont(said)
        painter.setPen(colour("text2"))
        room = self.width() - left - 12.0
        text = words.elidedText(self.scale.words, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(left, 0, room, 38), _RIGHT, text)

    def _swatches(self, painter: QPainter, x: float, room: float) -> float:
        """Paint colours with what has them and how much, and return where words may begin."""
        names, shares = font(theme.SMALL), font(theme.TICK, numbers=True)
        name, share = QFontMetricsF(names), QFontMetricsF(shares)

        def wide(swatch: Swatch) -> float:
            return (
                max(name.horizontalAdvance(swatch.short), share.horizontalAdvance(swatch.share))
                + 28
            )

        row = in_a_row(self.scale.swatches, wide, room, share.horizontalAdvance("+000") + 16)
        end = x
        for start, swatch in row:
            at, end = x + start, x + start + wide(swatch)
            painter.setPen(QPen(colour("edge"), 1))
            painter.setBrush(QColor(swatch.colour))
            painter.drawRoundedRect(QRectF(at, 8, 8, 22), 2, 2)
            for chosen, token, text, top in (
                (names, "text", swatch.short, 5),
                (shares, "text2", swatch.share, 19),
            ):
                painter.setFont(chosen)
                painter.setPen(colour(token))
                painter.drawText(QRectF(at + 13, top, wide(swatch), 14), _LEFT, text)
        more = len(self.scale.swatches) - len(row)
        if more:
            painter.setFont(shares)
            painter.setPen(colour("text2"))
            painter.drawText(QRectF(end, 0, 60, 38), _LEFT, f"+{more}")
            end += share.horizontalAdvance(f"+{more}") + 16
        return end

    def _swatch(self, painter: QPainter, x: float) -> None:
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(colour("zero"))
        painter.drawRoundedRect(QRectF(x, 8, 22, 10), 2, 2)
        painter.setFont(font(theme.TICK, numbers=True))
        painter.setPen(colour("text2"))
        painter.drawText(QRectF(x - 10, 20, 42, 14), Qt.AlignmentFlag.AlignCenter, tr("none"))

    def _ramp(self, painter: QPainter, x: float, width: float) -> None:
        colours = colour_map(self.scale.colour_map)
        gradient = QLinearGradient(x, 0, x + width, 0)
        for i, token in enumerate(colours):
            gradient.setColorAt(i / 255, token)
        painter.setPen(QPen(colour("edge"), 1))
        painter.setBrush(gradient)
        painter.drawRoundedRect(QRectF(x, 8, width, 10), 2, 2)
        painter.setPen(colour("text2"))
        taken: list[tuple[float, float]] = []
        advance = QFontMetricsF(painter.font()).horizontalAdvance
        # The ends say what the ramp spans; what has no room between them is not written.
        for place, text in sorted(self.scale.ticks, key=lambda tick: abs(tick[0] - 0.5) < 0.5):
            at, half = x + width * place, advance(text) / 2 + 3
            painter.fillRect(QRectF(at - 0.5, 18, 1, 3), colour("text3"))
            if all(at + half <= low or high <= at - half for low, high in taken):
                taken.append((at - half, at + half))
                painter.drawText(QRectF(at - 60, 20, 120, 14), Qt.AlignmentFlag.AlignCenter, text)
        if self.scale.marker is not None:
            at = x + width * min(max(self.scale.marker, 0.0), 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("text"))
            painter.drawPolygon(QPolygonF([QPointF(at, 9), QPointF(at - 4, 2), QPointF(at + 4, 2)]))


def _tip(scale: Scale) -> str:
    """Return what the legend has no room for: its words, or one line a colour."""
    listed = scale.swatches[:_LISTED]
    lines = [
        f'<span style="color:{s.colour}">■</span> {escape.rich(s.name)}&nbsp; {escape.rich(s.share)}'
        for s in listed
    ]
    more = len(scale.swatches) - len(listed)
    lines += [tr("and {number} more", number=more)] if more else []
    return "<br>".join(lines) or plain(scale.words)
