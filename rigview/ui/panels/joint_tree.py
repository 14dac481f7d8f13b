"""The Joints dock: the hierarchy with search and finding badges, and below it the meshes."""

from collections.abc import Collection, Iterable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from rigview.assets import hex_of
from rigview.core.text import spaced
from rigview.render.tints import own_colours
from rigview.ui.panels.joint_listing import NOTHING, listing
from rigview.ui.panels.joint_row import LOCK, NODE, JointRow, RowItem, RowPainter
from rigview.ui.panels.locks import lock
from rigview.ui.panels.mesh_list import MeshList
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets.controls import toggle
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.layout import label, row, unbroken
from rigview.ui.widgets.names import elision
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Badge

# Rows that are made at a time. Of more joints those next to the roots have rows at first, those below a
# row when it is unfolded, and any other when it is selected or looked for.
MOST_ROWS = 5_000
# Pixels from a row to those below it: less in deep hierarchies, which leave a part of the width for names.
_INDENT, _LEAST_INDENT, _INDENTED = 10, 5, 0.45


class JointTree(QWidget):
    """The hierarchy of joints and of the nodes above them; selection is the view state's.

    `frame_asked` is about the selected joint, and `menu_asked`, which carries where on the screen.
    """

    frame_asked = Signal()
    menu_asked = Signal(object)

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._listing = NOTHING
        self._items: dict[int, QTreeWidgetItem] = {}
        self._badges: Mapping[int, Badge] = {}
        self._deviations: Mapping[int, float] = {}
        self._colours: Mapping[int, str] = {}
        self._involved: frozenset[int] = frozenset()
        self.search = Search("Search joints")
        self.only_findings = toggle("funnel", "Only joints with findings")
        self.tree = _tree()
        self.tree.setItemDelegate(RowPainter(self.tree, self.row))
        self.meshes = MeshList(stage, state)
        self._empty = label("The joint tree appears here.", "text3", wrap=True)
        self.nothing = label("No joint matches.", "text3", wrap=True)
        self.rest = label("", "text3", wrap=True)
        for words in (self._empty, self.nothing, self.rest):
            words.setContentsMargins(12, 4, 12, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(row(self.search, self.only_findings, margins=(8, 0, 8, 0), spacing=4))
        layout.addWidget(self._empty)
        layout.addWidget(self.nothing)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.rest)
        layout.addStretch(0)
        layout.addWidget(self.meshes)
        self.search.textChanged.connect(lambda _: self._filter())
        self.search.left_downwards.connect(self._enter)
        self.only_findings.toggled.connect(lambda _: self._filter())
        self.tree.viewport().installEventFilter(self)
        self.tree.currentItemChanged.connect(self._choose)
        self.tree.itemSelectionChanged.connect(self._choose)
        self.tree.itemExpanded.connect(lambda item: self._make_below(item.data(0, NODE)))
        self.tree.customContextMenuRequested.connect(self._offer)
        stage.rig_changed.connect(self._rebuild)
        state.changed.connect(self._follow)
        self._filter()
        self._rebuild()

    @property
    def nodes(self) -> tuple[int, ...]:
        """The nodes that are listed, whether they have rows yet or not."""
        return self._listing.nodes

    def item(self, node: int) -> QTreeWidgetItem | None:
        """Return a node's item, as far as it has one."""
        return self._items.get(node)

    def row(self, node: int) -> JointRow:
        """Return what a node's row shows.

        Raises
        ------
        KeyError
            If the tree does not list the node.
        """
        if node not in self._listing:
            raise KeyError(node)
        return JointRow(
            self._listing.of.label(node),
            node not in self._listing.joints,
            self._deviations.get(node),
            self._badges.get(node),
            node in self._involved,
            self._colours.get(node, ""),
            self._lock_of(node),
        )

    def _lock_of(self, node: int) -> bool | None:
        """Return whether a joint is locked; None where no lock is shown: they are about weights."""
        view = self._state.value
        if node not in self._listing.joints or not (view.locked or view.shading == "weights"):
            return None
        return node in view.locked

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lock and free joints at the right end of their rows."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            item = self.tree.itemAt(event.position().toPoint())
            node = None if item is None else item.data(0, NODE)
            at_lock = event.position().x() >= self.tree.viewport().width() - LOCK
            if node is not None and at_lock and self._lock_of(node) is not None:
                others = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
                lock(self._state, self._stage, (node,), others=others)
                return True
        return super().eventFilter(watched, event)

    def show_findings(self, badges: Mapping[int, Badge], deviations: Mapping[int, float]) -> None:
        """Show badges and, in degrees, bones that are off their axis."""
        told = {*self._badges, *self._deviations, *badges, *deviations}
        self._badges, self._deviations = badges, deviations
        for node in told & self._items.keys():
            self._items[node].emitDataChanged()
        if self.only_findings.isChecked():
            self._filter()
        self.tree.viewport().update()

    def _words(self, node: int) -> str:
        """Return what a row shows in words; nothing for a row that is about to go."""
        return self.row(node).words if node in self._listing else ""

    def _rebuild(self) -> None:
        """Fill the tree with the rig on show; what was folded stays so by name."""
        rig = self._stage.rig
        old, new = self._listing, listing(rig)
        if not new.shows_same(old):
            parts = [n for n, item in self._items.items() if item.childCount()]
            folded = {old.of.label(n) for n in parts if not self._items[n].isExpanded()}
            self._listing, self._badges, self._deviations = new, {}, {}
            self._items = {}
            self._filter(folded)
        self._empty.setVisible(rig is None)
        for widget in (self.search, self.only_findings):
            widget.setEnabled(rig is not None)
        self._colour()
        self._show_selection()

    def _colour(self) -> None:
        """Show the colours of joints where the shading does."""
        deformer, look = self._stage.deformer, self._stage.look
        own = None if deformer is None else own_colours(deformer, look)
        self._colours = {}
        if deformer is not None and own is not None:
            joints = deformer.skeleton.joints.tolist()
            self._colours = dict(zip(joints, map(hex_of, own), strict=True))
        self.tree.viewport().update()

    @property
    def _is_searching(self) -> bool:
        return bool(self.search.text()) or self.only_findings.isChecked()

    def _filter(self, folded: Collection[str] = ()) -> None:
        """Hide what neither matches nor lies above a match; of many joints only what is left has rows.

        Parameters
        ----------
        folded
            Names of what is folded where rows are made.
        """
        listed = self._listing
        wanted: Collection[int] = listed.nodes
        if self._is_searching:
            among = self._badges if self.only_findings.isChecked() else None
            wanted = listed.of.with_ancestors(listed.found(self.search.text(), among))
        if len(listed.nodes) > MOST_ROWS and self._is_searching:
            self._fill([n for n in listed.nodes if n in wanted][:MOST_ROWS], folded)
        elif len(listed.nodes) > MOST_ROWS or not self._items:
            self._fill(listed.first(MOST_ROWS), folded)
        if len(listed.nodes) <= MOST_ROWS:
            for node, item in self._items.items():
                item.setHidden(self._is_searching and node not in wanted)
        self.tree.setVisible(bool(wanted))
        self.nothing.setVisible(bool(listed.nodes) and not wanted)
        self._tell_rest(len(wanted))

    def _fill(self, nodes: Iterable[int], folded: Collection[str]) -> None:
        """Make rows of these nodes and no others; each follows what it hangs below."""
        self.tree.blockSignals(True)
        self.tree.clear()
        self._items = {}
        tops = [item for node in nodes if (item := self._made(node)).parent() is None]
        self.tree.addTopLevelItems(tops)
        self.tree.setTextElideMode(elision(self._listing.names[:MOST_ROWS]))
        for node, item in self._items.items():
            if not item.childCount():
                self._offer_below(node)
            elif not folded or self._listing.of.label(node) not in folded:
                item.setExpanded(True)
        self.tree.blockSignals(False)
        self._indent()
        self._show_selection()

    def _indent(self) -> None:
        room = _INDENTED * self.width() / max(1, self._listing.depth)
        self.tree.setIndentation(min(_INDENT, max(_LEAST_INDENT, int(room))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._indent()

    def _made(self, node: int, place: int | None = None) -> QTreeWidgetItem:
        """Return a new item, below its parent's if that is made: at a place or as the last."""
        item = self._items[node] = RowItem(node, self._listing.of.label(node), self._words)
        parent = self._items.get(self._listing.of.parents[node])
        if parent is not None:
            parent.insertChild(parent.childCount() if place is None else place, item)
        return item

    def _tell_rest(self, wanted: int) -> None:
        """Say how many of the joints that are wanted have no row."""
        words = (
            tr("{listed} of {all} rows are listed; a longer search finds the others.")
            if self._is_searching
            else tr("{listed} of {all} rows are listed; search finds the others.")
        )
        listed, every = spaced(len(self._items)), spaced(wanted)
        self.rest.setText(unbroken(words.format(listed=listed, all=every)))
        self.rest.setVisible(len(self._items) < wanted)

    def _offer_below(self, node: int) -> None:
        """Let a row be unfolded though what is below it has no rows yet."""
        if not self._is_searching and self._listing.below(node):
            policy = QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator
            self._items[node].setChildIndicatorPolicy(policy)

    def _make_below(self, node: int) -> None:
        """Make rows of what is below a node, unless there are some."""
        if self._is_searching or self._items[node].childCount():
            return
        for child in self._listing.below(node)[:MOST_ROWS]:
            self._made(child)
            self._offer_below(child)
        self._tell_rest(len(self._listing.nodes))

    def _reach(self, node: int) -> None:
        """Make the row of a node that is listed, and of all above it."""
        for upper in (*list(self._listing.of.ancestors(node))[::-1], node):
            if upper not in self._items:
                beside = self._listing.beside(upper)
                place = sum(other in self._items for other in beside[: beside.index(upper)])
                item = self._made(upper, place)
                if item.parent() is None:
                    self.tree.insertTopLevelItem(place, item)
                self._offer_below(upper)
            if upper != node:
                self._make_below(upper)
        self._tell_rest(len(self._listing.nodes))

    def _enter(self) -> None:
        """Go from the search field to the selected joint, or to the first match."""
        self.tree.setFocus()
        found = self._listing.found(self.search.text())
        shown = [n for n in found if n in self._items and not self._items[n].isHidden()]
        if shown and self._state.value.joint not in shown:
            self.tree.setCurrentItem(self._items[shown[0]])

    def _choose(self) -> None:
        """Select the joints whose rows are; first the one that the keys are at, or that was first."""
        rows = [item.data(0, NODE) for item in self.tree.selectedItems()]
        if not rows:
            return
        current = self.tree.currentItem()
        at = None if current is None else current.data(0, NODE)
        first = at if at in rows else self._state.value.joint
        rows.sort(key=lambda node: node != first)
        self._state.update(joints=tuple(rows), vertex=None)

    def _offer(self, position: QPoint) -> None:
        """Offer what can be done with the joint under the cursor."""
        item = self.tree.itemAt(position)
        if item is None:
            return
        if not item.isSelected():
            self.tree.setCurrentItem(item)
        self._choose()
        self.menu_asked.emit(self.tree.viewport().mapToGlobal(position))

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.joints != new.joints:
            self._show_selection()
        if old.involved != new.involved:
            self._involved = frozenset(new.involved)
            self.tree.viewport().update()
        if old.shading != new.shading:
            self._colour()
        if old.locked != new.locked:
            for node in (old.locked ^ new.locked) & self._items.keys():
                self._items[node].emitDataChanged()
            self.tree.viewport().update()

    def _show_selection(self) -> None:
        joint, item = self._state.value.joint, None
        if joint is not None and joint in self._listing:
            if joint not in self._items and not self._is_searching:
                self._reach(joint)
            item = self._items.get(joint)
        wanted = [row for node in self._state.value.joints if (row := self._items.get(node))]
        if item is self.tree.currentItem() and set(map(id, wanted)) == set(
            map(id, self.tree.selectedItems())
        ):
            return
        self.tree.blockSignals(True)
        if item is not self.tree.currentItem() or item is None:
            self.tree.setCurrentItem(item)  # type: ignore[arg-type] # None clears it
        self.tree.clearSelection()
        for row in wanted:
            row.setSelected(True)
        if item is not None:
            self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.EnsureVisible)
        self.tree.blockSignals(False)
        self.tree.viewport().update()


def _tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setUniformRowHeights(True)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    tree.setAccessibleName(tr("Joints"))
    header = tree.header()
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(20)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return tree
