"""What names the curves of the Plots panel, beside its kinds."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from rigview.ui.panels.charts import PlotCurve
from rigview.ui.widgets import theme
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain


class CurveLegend(QWidget):
    """Strokes in the curves' colours with their names, or words; cut short where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self._curves: tuple[tuple[str, str], ...] = ()
        self.words = ""
        self.setFont(font(theme.SMALL, numbers=True))
        self.setFixedHeight(theme.TITLE)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        advance = self.fontMetrics().horizontalAdvance
        names = sum(advance(name) + 22 for name, _ in self._curves)
        return QSize(names + (advance(self.words) + 2 if self.words else 0), theme.TITLE)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme.TITLE)

    def name_curves(self, curves: Sequence[PlotCurve]) -> None:
        """Name curves."""
        self._show(tuple((curve.name, curve.token) for curve in curves), "")

    def say(self, words: str) -> None:
        """Write words."""
        self._show((), words)

    def _show(self, curves: tuple[tuple[str, str], ...], words: str) -> None:
        self._curves, self.words = curves, words
        told = words or ", ".join(name for name, _ in curves)
        self.setToolTip(plain(told))
        self.setAccessibleName(told)
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics, elide = self.fontMetrics(), Qt.TextElideMode.ElideRight
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(colour("text2"))
        if self.words:
            text = metrics.elidedText(self.words, elide, self.width())
            painter.drawText(QRectF(self.rect()), middle | int(Qt.AlignmentFlag.AlignRight), text)
        # What is missing is taken from the longest names.
        room = self.width() - 22 * len(self._curves)
        widths = _fitted([metrics.horizontalAdvance(name) for name, _ in self._curves], room)
        x = 0
        for (name, token), width in zip(self._curves, widths, strict=True):
            painter.fillRect(x, self.height() // 2 - 1, 10, 3, colour(token))
            area = QRectF(x + 14, 0, width + 2, self.height())
            painter.drawText(area, middle, metrics.elidedText(name, elide, width + 1))
            x += width + 22


def _fitted(widths: Sequence[int], room: int) -> list[int]:
    """Return widths that come to no more than there is room for, the longest cut to one length."""
    result, left = list(widths), max(room, 0)
    for place, i in enumerate(sorted(range(len(widths)), key=widths.__getitem__)):
        result[i] = min(widths[i], left // (len(widths) - place))
        left -= result[i]
    return result
