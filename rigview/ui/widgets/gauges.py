"""Painted numbers of the Inspector: the scale waterfall, a value against its limit, influences."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from rigview.assets import colour_map
from rigview.check.measures.soundness import SUM_LIMIT
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
# Scales nearer to 1 than this are drawn as 1.
_ONE = 1e-3


class Waterfall(QWidget):
    """The scale of a joint from local over world and inverse bind to skin, on a logarithmic axis."""

    NAMES = ("local", "world", "IBM", "skin")

    def __init__(self) -> None:
        super().__init__()
        self.steps: Sequence[float] = (1.0, 1.0, 1.0, 1.0)
        self.setFixedHeight(76)

    def show_steps(self, steps: Sequence[float]) -> None:
        """Show four scales."""
        self.steps = tuple(steps)
        words = (f"{n} {v:.4g}" for n, v in zip(self.NAMES, steps, strict=True))
        self.setAccessibleName(tr("Scale: {figures}", figures=", ".join(words)))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width, base = self.width() / 4, 34.0
        painter.setPen(QPen(colour("edge"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(0, base), QPointF(self.width(), base))
        previous: QPointF | None = None
        for i, (name, value) in enumerate(zip(self.NAMES, self.steps, strict=True)):
            middle = (i + 0.5) * width
            one = abs(value - 1.0) < _ONE
            decades = 0.0 if one or value <= 0.0 else max(-2.0, min(2.0, math.log10(value)))
            rise = 10.0 * decades
            box = QRectF(middle - 13, min(base, base - rise), 26, abs(rise))
            if abs(rise) < 3.0:
                box = QRectF(middle - 13, base - 1.5, 26, 3)
            level = base - rise
            if previous is not None:
                painter.setPen(QPen(colour("text3"), 1, Qt.PenStyle.DotLine))
                painter.drawLine(previous, QPointF(middle - 13, previous.y()))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("ok_fill" if one else "warning_fill"))
            painter.drawRoundedRect(box, 1.5, 1.5)
            previous = QPointF(middle + 13, level)
            painter.setFont(font(theme.TICK))
            painter.setPen(colour("text3"))
            painter.drawText(QRectF(i * width, 0, width, 12), _CENTRE, name)
            painter.setFont(font(theme.SMALL, numbers=True))
            painter.setPen(colour("text" if one else "warning"))
            painter.drawText(
                QRectF(i * width, self.height() - 17, width, 16), _CENTRE, digits(value)
            )


def digits(value: float) -> str:
    """Return a scale with four figures, as 1.000, 0.010 or 100.0."""
    if value == 0.0:
        return "0"
    if not 1e-3 <= abs(value) < 1e5:
        return f"{value:.1e}"
    decimals = 3 if abs(value) < 10.0 else max(0, 3 - int(math.log10(abs(value))))
    return f"{value:.{decimals}f}"


class Gauge(QWidget):
    """A value on a bar with its limit marked."""

    def __init__(self) -> None:
        super().__init__()
        self._share, self._limit, self._bad = 0.0, 0.5, False
        self.setFixedHeight(10)

    def show_value(self, value: float, limit: float, end: float) -> None:
        """Show a value and its limit on a bar that ends at `end`."""
        self._share, self._limit, self._bad = value / end, limit / end, value > limit
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(QRectF(0, 3, self.width(), 4), 2, 2)
        painter.setBrush(colour("warning_fill" if self._bad else "ok_fill"))
        painter.drawRoundedRect(QRectF(0, 3, max(self.width() * self._share, 2.0), 4), 2, 2)
        at = self.width() * self._limit
        painter.fillRect(QRectF(at - 0.75, 0, 1.5, 10), colour("text2"))


class InfluenceBars(QWidget):
    """The influences of a vertex, the heaviest first, and their sum."""

    ROW = 20

    def __init__(self) -> None:
        super().__init__()
        self.entries: Sequence[tuple[str, float]] = ()
        self._skinned = True
        self._map = [QColor(c) for c in colour_map("viridis")]

    def show_entries(self, entries: Sequence[tuple[str, float]], *, skinned: bool) -> None:
        """Show (joint, weight) pairs; an unskinned vertex says so."""
        self.entries, self._skinned = tuple(entries), skinned
        self.setFixedHeight(self.ROW * max(1, len(self.entries)) + 22)
        words = ", ".join(f"{name} {weight:.4f}" for name, weight in entries)
        self.setAccessibleName(tr("Influences: {words}", words=words or tr("none")))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(theme.BODY, numbers=True))
        width = self.width()
        if not self.entries:
            painter.setPen(colour("text2"))
            words = "no joint moves this vertex" if self._skinned else "the mesh has no skin"
            painter.drawText(QRectF(4, 0, width, self.ROW), _LEFT, words)
        for i, (name, weight) in enumerate(self.entries):
            self._row(painter, i, name, weight)
        y = self.ROW * max(1, len(self.entries)) + 1
        painter.setPen(QPen(colour("edge"), 1))
        painter.drawLine(0, y, width, y)
        if not self._skinned:
            return
        total = sum(weight for _, weight in self.entries)
        painter.setPen(colour("text2"))
        painter.drawText(QRectF(22, y, 100, self.ROW), _LEFT, "Sum")
        painter.setPen(colour("ok" if abs(total - 1.0) <= SUM_LIMIT else "warning"))
        painter.drawText(QRectF(width - 84, y, 80, self.ROW), _RIGHT, f"{total:.4f}")

    def _row(self, painter: QPainter, i: int, name: str, weight: float) -> None:
        width, y = self.width(), i * self.ROW
        if i % 2 == 0:
            painter.fillRect(QRectF(0, y, width, self.ROW), colour("background2"))
        painter.setPen(colour("text3"))
        painter.drawText(QRectF(4, y, 16, self.ROW), _LEFT, str(i + 1))
        painter.setPen(colour("text"))
        area = QRectF(22, y, width - 150, self.ROW)
        metrics = painter.fontMetrics()
        painter.drawText(
            area, _LEFT, metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(area.width()))
        )
        share = min(max(weight, 0.0), 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(QRectF(width - 118, y + 7, 62, 6), 3, 3)
        painter.setBrush(self._map[round(255 * share)])
        painter.drawRoundedRect(QRectF(width - 118, y + 7, 62 * share, 6), 3, 3)
        painter.setPen(colour("text"))
        painter.drawText(QRectF(width - 54, y, 50, self.ROW), _RIGHT, f"{weight:.4f}")
