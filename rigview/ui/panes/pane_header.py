"""The headers above the panes, each with its method and the joint that breaks most under it."""

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from rigview.core import escape
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said
from rigview.core.measures.shape_metrics import HeaderFigures
from rigview.core.measures.worst_poses import WorstRegion, worst_words
from rigview.core.sentence import Sentence
from rigview.core.skinning import ASKED, FILE
from rigview.render.pane_text import percent
from rigview.ui.joint_readings import JointReadings
from rigview.ui.panes.viewport import GAP
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.layout import across, fill
from rigview.ui.widgets.names import fitted_name
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import spoken, tr

# A name that is shortened to fewer letters is left out.
_FEWEST = 9


def shape_words(shape: HeaderFigures) -> list[tuple[str, str]]:
    """Return (name, value) of what is known of the shape of the whole body."""
    named = (("volume", shape.volume), ("bulge", shape.bulge))
    return [(name, percent(value)) for name, value in named if math.isfinite(value)]


def name_within(joint: str, room: float, metrics: QFontMetricsF) -> str:
    """Return a joint's name as it fits into some pixels: whole, without its namespace, or not at all.

    A name of many letters may lose some in its middle; of a short one too little would be left.
    """
    shown = fitted_name(joint, room, metrics)
    return shown if joint.endswith(shown) or len(shown) >= _FEWEST else ""


class WorstChip(QWidget):
    """The worst region of the pose on show: ``hand_l −91 %``; a click asks to go there.

    Where it is too narrow for sign and name, the sign of the severity goes, or a name that does not fit.
    """

    clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._worst: WorstRegion | None = None
        self._joint = self._said = ""
        self.setFixedHeight(22)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))

    @property
    def text(self) -> str:
        """What it says."""
        return f"{self._joint} {self._said}".strip()

    @property
    def is_over(self) -> bool:
        """Whether the region is over a limit."""
        return self._worst is not None and self._worst.level != "fine"

    def show_worst(self, worst: WorstRegion | None, joint: str, tip: str) -> None:
        """Show a region by its joint's name; None where nothing is measured."""
        self._worst = worst
        self._joint, words = worst_words(worst, joint)
        self._said = spoken(words)
        if worst is not None and self._joint:
            row, limit = MEASURES[worst.measure], limit_said(worst.measure, worst.limit)
            region = tr(
                "{joint}: {measure} {value}, limit {limit}",
                joint=self._joint,
                measure=Sentence(row.title.lower()),
                value=self._said,
                limit=limit,
            )
            tip = f"{region}\n{tip}"
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
        self.setToolTip(plain(tip))
        self.setAccessibleName(self.text)
        self.setVisible(bool(self.text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = QFontMetricsF(self.font()).horizontalAdvance(self.text)
        return QSize(round(wide) + (34 if self.is_over else 18), 22)

    def minimumSizeHint(self) -> QSize:
        wide = QFontMetricsF(self.font()).horizontalAdvance(self._said)
        # With room for the sign, that not only the colour tells how bad it is.
        return QSize(round(wide) + (34 if self.is_over else 8), 22)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._joint and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        else:
            super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, metrics = 6.0, QFontMetricsF(self.font())
        level = self._worst.level if self._worst is not None else "fine"
        if level != "fine":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("background3"))
            painter.drawRoundedRect(QRectF(self.rect()), theme.RADIUS, theme.RADIUS)
        room = self.width() - left - metrics.horizontalAdvance(self._said) - 8.0
        sign = 16.0 if level != "fine" else 0.0
        name = name_within(self._joint, room - sign, metrics) or name_within(
            self._joint, room, metrics
        )
        if level != "fine" and metrics.horizontalAdvance(name) <= room - sign:
            icon, token = theme.SEVERITY_ICONS[level]
            ratio = self.devicePixelRatioF()
            painter.drawPixmap(QPointF(6, 5), theme.pixmap(icon, token, 12, ratio))
            left, room = left + sign, room - sign
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setPen(colour("text" if level != "fine" else "text2"))
        painter.drawText(QRectF(left, 0, max(room, 0.0) + 4, 22), middle, name)
        quiet = "text2" if self._joint else "text3"
        painter.setPen(colour({"error": "error", "warning": "warning", "fine": quiet}[level]))
        place = QRectF(0, 0, self.width() - 4.0, 22)
        painter.drawText(
            place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), self._said
        )


class PaneHeader(QWidget):
    """The name of a pane is the chooser of its method; beside it the joint that breaks most under it.

    `worst_asked` carries the region to go to.
    """

    worst_asked = Signal(object)

    def __init__(self, number: int, stage: Stage, state: State, readings: JointReadings) -> None:
        super().__init__()
        self._number, self._stage, self._state = number, stage, state
        self._readings = readings
        fill(self, "background2")
        self.setFixedHeight(30)
        self.method = Chooser([m.label for m in ASKED.values()], "Skinning method", flat=True)
        self.method.activated.connect(self._choose)
        self.unlinked = Button(
            "", "link-break", "ghost", "This pane has its own camera: link it with the others", 22
        )
        self.unlinked.clicked.connect(self._link)
        self._words = QLabel()
        self._words.setFont(theme.font(theme.SMALL, numbers=True))
        self.worst = WorstChip()
        self.worst.clicked.connect(self._ask)
        across(
            self,
            self.method,
            self.unlinked,
            None,
            self._words,
            self.worst,
            margins=(6, 2, 6, 0),
            spacing=6,
        )
        stage.measured.connect(self._show)
        readings.read.connect(self._show)
        stage.prepared.connect(self._show)
        stage.rig_changed.connect(self._show)
        state.changed.connect(self._follow)
        self._show()

    def _link(self) -> None:
        self._state.link(self._number, linked=True)

    def _choose(self, row: int) -> None:
        self._state.show_method(list(ASKED)[row], self._number)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.differs(new, ("methods", "pane", "apart", "theme", "shading", "file_look")):
            self._show()

    def _show(self) -> None:
        methods = self._state.value.methods
        if self._number >= len(methods):
            return
        method = methods[self._number]
        self.method.setCurrentIndex(list(ASKED).index(method))
        self.unlinked.setVisible(self._number in self._state.value.apart)
        self._words.setText(self._said(method))
        self._words.setVisible(bool(self._words.text()))
        self._show_worst(method)
        self.update()

    @property
    def words(self) -> str:
        """What the pane shows where that is not plain."""
        return self._words.text()

    def _said(self, method: str) -> str:
        """Return what the pane shows where that is not plain: a second file, a method that is not ready."""
        quiet, deformer = theme.hex_of("text3"), self._stage.deformer
        words = ""
        if method == FILE.id and deformer is not None:
            words = ", ".join(m.label for m in deformer.files_methods())
        if self._stage.has_file_look(self._number):
            words = ", ".join(word for word in (words, tr("textured")) if word)
        if self._stage.rig is not None and self._stage.methods[self._number] != method:
            words = tr("being computed, shown linearly")
        if self._stage.guest is not None:
            words = tr("this file") if self._number % 2 == 0 else self._stage.guest.name
        return f'<span style="color:{quiet}">{escape.rich(words)}</span>' if words else ""

    def _show_worst(self, method: str) -> None:
        reading, rig = self._readings.reading, self._stage.rig
        shape = self._stage.shapes.get(method)
        whole = shape_words(shape) if shape is not None else []
        figures = ", ".join(f"{tr(name)} {tr(value)}" for name, value in whole)
        tip = tr("Whole body: {figures}", figures=figures)
        worst = None
        if reading is not None and self._stage.guest is None:
            worst = reading.worst.get(method)
        joint = rig.nodes.label(worst.joint) if rig is not None and worst is not None else ""
        self.worst.show_worst(worst, joint, tip if whole else "")

    def _ask(self) -> None:
        self._state.update(pane=self._number)
        reading = self._readings.reading
        worst = reading.worst.get(self._state.value.methods[self._number]) if reading else None
        if worst is not None:
            self.worst_asked.emit(worst)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self._state.update(pane=self._number)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._state.value.pane == self._number:
            painter = QPainter(self)
            painter.fillRect(0, 0, self.width(), 2, colour("accent"))


class Headers(QWidget):
    """One header per pane, as wide as the pane below it; `worst_asked` carries a region to go to."""

    worst_asked = Signal(object)

    def __init__(self, stage: Stage, state: State, readings: JointReadings) -> None:
        super().__init__()
        self._stage, self._state, self._readings = stage, state, readings
        fill(self, "background0")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GAP)
        self.headers: list[PaneHeader] = []
        state.changed.connect(self._follow)
        self._rebuild()

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if len(old.methods) != len(new.methods):
            self._rebuild()

    def _rebuild(self) -> None:
        while len(self.headers) > len(self._state.value.methods):
            header = self.headers.pop()
            self._layout.removeWidget(header)
            header.hide()
            header.deleteLater()
        while len(self.headers) < len(self._state.value.methods):
            header = PaneHeader(len(self.headers), self._stage, self._state, self._readings)
            header.worst_asked.connect(self.worst_asked)
            self._layout.addWidget(header, 1)
            self.headers.append(header)
