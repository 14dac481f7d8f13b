"""Which meshes are shown: a heading that unfolds a tick per mesh."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from rigview.core.rig import Rig
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Tick
from rigview.ui.widgets.layout import clear, down, fill, label, row
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr

# Higher it does not unfold, since the joints above it are what the panel is for.
_MOST = 8 * (theme.ROW + 2)


class MeshList(QWidget):
    """Which meshes are shown: a heading that unfolds a tick per mesh."""

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        fill(self, "background2")
        self._count = label("", "text3", theme.SMALL, numbers=True)
        self.unfold = Button("", "caret-right", "ghost", "Show the meshes", 20)
        self.unfold.clicked.connect(self._flip)
        self._ticks: dict[int, Tick] = {}
        content = QWidget()
        fill(content, "background2")
        self._rows = QVBoxLayout(content)
        self._rows.setContentsMargins(12, 2, 8, 6)
        self._rows.setSpacing(2)
        self._body = QScrollArea()
        self._body.setWidget(content)
        self._body.setWidgetResizable(True)
        self._body.setFrameShape(QFrame.Shape.NoFrame)
        # Its ticks are what Tab stops at.
        self._body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body.hide()
        head = row(
            label("Meshes", weight=theme.SEMIBOLD),
            self._count,
            None,
            self.unfold,
            margins=(10, 3, 6, 3),
        )
        down(self, head, self._body)
        stage.rig_changed.connect(self._rebuild)
        state.changed.connect(self._follow)
        self._rebuild()

    def tick(self, node: int) -> Tick:
        """Return the tick of a node's mesh."""
        return self._ticks[node]

    def _flip(self) -> None:
        shown = self._body.isHidden()
        self._body.setVisible(shown)
        self.unfold.set_icon("caret-down" if shown else "caret-right")

    def _rebuild(self) -> None:
        rig = self._stage.rig
        nodes = list(dict.fromkeys(part.node for part in rig.parts)) if rig is not None else []
        if rig is None or nodes != list(self._ticks):
            clear(self._rows)
            self._ticks = {}
            for node in nodes:
                tick = Tick("", checked=True)
                tick.setText(_mesh_name(rig, node) if rig is not None else "")
                tick.toggled.connect(lambda shown, node=node: self._set(node, shown=shown))
                tick.setToolTip(plain(tick.text()))
                # A long name is shortened.
                tick.setMinimumWidth(60)
                self._rows.addWidget(tick)
                self._ticks[node] = tick
            self._body.setFixedHeight(min(self._rows.sizeHint().height(), _MOST))
        self._count.setText(str(len(nodes)) if nodes else "")
        self.setVisible(bool(nodes))
        self._show()

    def _set(self, node: int, *, shown: bool) -> None:
        hidden = self._state.value.hidden
        self._state.update(hidden=hidden - {node} if shown else hidden | {node})

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.hidden != new.hidden:
            self._show()

    def _show(self) -> None:
        for node, tick in self._ticks.items():
            blocked = tick.blockSignals(True)
            tick.setChecked(node not in self._state.value.hidden)
            tick.blockSignals(blocked)


def _mesh_name(rig: Rig, node: int) -> str:
    mesh = rig.node_meshes[node]
    name = rig.meshes[mesh].name if mesh is not None else ""
    return rig.nodes.names[node] or name or tr("mesh {number}", number=mesh)
