"""The headers above the panes, each with its method and what the method costs the shape."""

from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from rigview.core import escape
from rigview.core.skinning import ASKED, FILE
from rigview.render.writing import shape_words
from rigview.ui.panes.picture_words import NARROW
from rigview.ui.panes.viewport import GAP
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.boxes import across, fill
from rigview.ui.widgets.controls import Chooser
from rigview.ui.widgets.theme import colour


class PaneHeader(QWidget):
    """The name of a pane is the chooser of its method; beside it what the method costs the shape."""

    def __init__(self, number: int, stage: Stage, state: State) -> None:
        super().__init__()
        self._number, self._stage, self._state = number, stage, state
        fill(self, "background2")
        self.setFixedHeight(30)
        self.method = Chooser([m.label for m in ASKED.values()], "Skinning method", flat=True)
        self.method.activated.connect(self._choose)
        self._numbers = QLabel()
        self._numbers.setFont(theme.font(theme.SMALL, numbers=True))
        across(self, self.method, None, self._numbers, margins=(6, 2, 8, 0), spacing=8)
        stage.measured.connect(self._show)
        stage.prepared.connect(self._show)
        stage.rig_changed.connect(self._show)
        state.changed.connect(self._follow)
        self._show()

    def _choose(self, row: int) -> None:
        methods = list(self._state.value.methods)
        methods[self._number] = list(ASKED)[row]
        self._state.update(methods=tuple(methods), pane=self._number)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if (old.methods, old.pane, old.theme) != (new.methods, new.pane, new.theme):
            self._show()

    def _show(self) -> None:
        methods = self._state.value.methods
        if self._number >= len(methods):
            return
        method = methods[self._number]
        self.method.setCurrentIndex(list(ASKED).index(method))
        shape = self._stage.shapes.get(method)
        words = shape_words(shape) if shape is not None else []
        deformer = self._stage.deformer
        if method == FILE.id and deformer is not None:
            asked = deformer.files_methods()
            words.insert(0, ("", ", ".join(m.label for m in asked)))
        if self._stage.rig is not None and self._stage.methods[self._number] != method:
            words = [("being computed, shown linearly", "")]
        if self._stage.guest is not None:
            own = self._number % 2 == 0
            words = [("", "this file" if own else self._stage.guest.name)]
        quiet, strong = theme.hex_of("text3"), theme.hex_of("text")
        self._numbers.setText(
            "&nbsp;&nbsp; ".join(
                f'<span style="color:{quiet}">{escape.rich(name)}</span> '
                f'<span style="color:{strong};font-weight:600">{escape.rich(value)}</span>'
                for name, value in words
            )
        )
        self._fit()
        self.update()

    def _fit(self) -> None:
        """In a narrow pane the numbers stand in the picture; the name of a second file stays here."""
        self._numbers.setVisible(self.width() >= NARROW or self._stage.guest is not None)

    def resizeEvent(self, _event: object) -> None:
        self._fit()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self._state.update(pane=self._number)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._state.value.pane == self._number:
            painter = QPainter(self)
            painter.fillRect(0, 0, self.width(), 2, colour("accent"))


class Headers(QWidget):
    """One header per pane, as wide as the pane below it."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
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
            header = PaneHeader(len(self.headers), self._stage, self._state)
            self._layout.addWidget(header, 1)
            self.headers.append(header)
