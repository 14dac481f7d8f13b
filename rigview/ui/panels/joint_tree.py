"""The Joints dock: the hierarchy with search and finding badges, and below it the meshes."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from rigview.assets import hex_of
from rigview.core.rig import Rig
from rigview.render.tints import own_colours
from rigview.ui.panels.mesh_list import MeshList
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.boxes import label, row
from rigview.ui.widgets.controls import toggle
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.theme import colour, font
from rigview.ui.workers.checking import Badge

_Index = QModelIndex | QPersistentModelIndex
# Names that begin or end with so many characters alike have a namespace or the name of their rig there.
_ALIKE = 5
# How strongly rows are tinted that the selected finding is about.
_INVOLVED = 0.22
_NODE = Qt.ItemDataRole.UserRole
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class Row(NamedTuple):
    """What a row of the tree shows.

    Parameters
    ----------
    off
        How far the bone is off its axis, in degrees; None within the limit.
    dim
        Whether the node is no joint.
    involved
        Whether the selected finding is about it.
    colour
        The joint's own as ``#rrggbb``, while the shading shows it.
    """

    name: str
    dim: bool
    off: float | None = None
    badge: Badge | None = None
    involved: bool = False
    colour: str = ""

    @property
    def words(self) -> str:
        """The row as a screen reader says it."""
        words = [self.name]
        if self.off is not None:
            words.append(f"{self.off:.0f}° off its axis")
        if self.badge is not None:
            number = self.badge.findings
            words.append(f"{number} finding{'s' if number > 1 else ''}, {self.badge.severity}")
        return ", ".join(words)


def elision(names: Collection[str]) -> Qt.TextElideMode:
    """Return where to cut long names: at the end where most are alike, so that their own part stays."""
    ends = {
        Qt.TextElideMode.ElideLeft: [name[:_ALIKE] for name in names],
        Qt.TextElideMode.ElideRight: [name[-_ALIKE:] for name in names],
    }
    for mode, parts in ends.items():
        most = max(Counter(parts).values(), default=0)
        if 2 * most > max(len(names), 2):
            return mode
    return Qt.TextElideMode.ElideMiddle


class _Rows(QStyledItemDelegate):
    """Paints a row: the name, and at the right how far the bone is off its axis and the badge."""

    def __init__(self, parent: QObject, rows: Mapping[int, Row]) -> None:
        super().__init__(parent)
        self._rows = rows

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        return QSize(20, theme.ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        row = self._rows.get(index.data(_NODE))
        if row is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect)
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(area, colour("selection"))
        elif row.involved:
            painter.fillRect(area, colour("warning", _INVOLVED))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, colour("background3"))
        if state & QStyle.StateFlag.State_HasFocus:
            # Chosen rows look the same wherever the keys go: the ring says that they go here.
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        left = area.right() - 6.0
        if row.badge is not None:
            left = self._badge(painter, area, left, row.badge, selected=selected)
        if row.off is not None:
            left = self._deviation(painter, area, left, row.off, selected=selected)
        painter.setFont(font(theme.BODY, theme.MEDIUM if selected else QFont.Weight.Normal))
        dim = "text3" if row.dim else "text"
        painter.setPen(colour("selection_text" if selected else dim))
        start = area.left() + 2.0
        if row.colour:
            painter.fillRect(QRectF(start, area.center().y() - 5.0, 10.0, 10.0), QColor(row.colour))
            start += 16.0
        inner = QRectF(start, area.top(), left - start - 4.0, area.height())
        text = painter.fontMetrics().elidedText(row.name, option.textElideMode, int(inner.width()))
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _badge(
        self, painter: QPainter, area: QRectF, right: float, badge: Badge, *, selected: bool
    ) -> float:
        """Paint a badge and return where it begins."""
        icon, token = theme.SEVERITY_ICONS[badge.severity]
        token = "selection_text" if selected else token
        painter.setFont(font(theme.SMALL, theme.MEDIUM, numbers=True))
        painter.setPen(colour(token))
        text = str(badge.findings)
        painter.drawText(QRectF(right - 24.0, area.top(), 24.0, area.height()), _RIGHT, text)
        left = right - max(10, painter.fontMetrics().horizontalAdvance(text)) - 18.0
        ratio = painter.device().devicePixelRatioF()
        picture = theme.pixmap(icon, token, 13, ratio)
        painter.drawPixmap(QPointF(left, area.center().y() - 6.5), picture)
        return left

    def _deviation(
        self, painter: QPainter, area: QRectF, right: float, degrees: float, *, selected: bool
    ) -> float:
        """Paint the deviation in a column of its own and return where it begins."""
        right = min(right, area.right() - 34.0) - 6.0
        painter.setFont(font(theme.SMALL, numbers=True))
        painter.setPen(colour("selection_text2" if selected else "warning"))
        box = QRectF(right - 34.0, area.top(), 34.0, area.height())
        painter.drawText(box, _RIGHT, f"{degrees:.0f}°")
        return right - painter.fontMetrics().horizontalAdvance(f"{degrees:.0f}°")


class JointTree(QWidget):
    """The hierarchy of joints and of the nodes above them; selection is the view state's.

    `frame_asked` and `isolate_asked` are about the selected joint.
    """

    frame_asked = Signal()
    isolate_asked = Signal()

    def __init__(self, stage: Stage, state: State) -> None:
        super().__init__()
        self._stage, self._state = stage, state
        self._items: dict[int, QTreeWidgetItem] = {}
        self._rows: dict[int, Row] = {}
        self._parents: tuple[int, ...] = ()
        self.search = Search("Search joints")
        self.only_findings = toggle("funnel", "Only joints with findings")
        self.tree = _tree(self._rows)
        self.meshes = MeshList(stage, state)
        self._empty = label("The joint tree appears here.", "text3", wrap=True)
        self._nothing = label("No joint matches.", "text3", wrap=True)
        for words in (self._empty, self._nothing):
            words.setContentsMargins(12, 4, 12, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(row(self.search, self.only_findings, margins=(8, 0, 8, 0), spacing=4))
        layout.addWidget(self._empty)
        layout.addWidget(self._nothing)
        layout.addWidget(self.tree, 1)
        layout.addStretch(0)
        layout.addWidget(self.meshes)
        self.search.textChanged.connect(self._filter)
        self.search.left_downwards.connect(self._enter)
        self.only_findings.toggled.connect(self._filter)
        self.tree.currentItemChanged.connect(self._choose)
        self.tree.customContextMenuRequested.connect(self._offer)
        stage.rig_changed.connect(self._rebuild)
        state.changed.connect(self._follow)
        self._rebuild()

    def item(self, node: int) -> QTreeWidgetItem | None:
        """Return a node's item."""
        return self._items.get(node)

    def row(self, node: int) -> Row:
        """Return what a node's row shows.

        Raises
        ------
        KeyError
            If the tree does not list the node.
        """
        return self._rows[node]

    def show_findings(self, badges: Mapping[int, Badge], deviations: Mapping[int, float]) -> None:
        """Show badges and, in degrees, bones that are off their axis."""
        for node, item in self._items.items():
            old = self._rows[node]
            new = old._replace(badge=badges.get(node), off=deviations.get(node))
            if new != old:
                self._rows[node] = new
                item.setData(0, Qt.ItemDataRole.AccessibleTextRole, new.words)
                item.setToolTip(0, new.words)
        if self.only_findings.isChecked():
            self._filter()
        self.tree.viewport().update()

    def _rebuild(self) -> None:
        """Fill the tree with the rig on show; what was folded stays so by name."""
        rig = self._stage.rig
        listed = _listed(rig) if rig is not None else []
        joints = set(rig.joints) if rig is not None else set()
        rows = {n: Row(rig.nodes.label(n), n not in joints) for n in listed} if rig else {}
        parents = tuple(map(int, rig.nodes.parents)) if rig is not None else ()
        if self._is_new(rows, parents):
            self._fill(rows, parents)
        self._empty.setVisible(rig is None)
        for widget in (self.search, self.only_findings):
            widget.setEnabled(rig is not None)
        self._colour()
        self._filter()
        self._show_selection()

    def _colour(self) -> None:
        """Show the colours of joints where the shading does."""
        deformer, look = self._stage.deformer, self._stage.look
        own = None if deformer is None else own_colours(deformer, look)
        colours = {}
        if deformer is not None and own is not None:
            colours = dict(zip(deformer.skeleton.joints.tolist(), map(hex_of, own), strict=True))
        for node, shown in self._rows.items():
            self._rows[node] = shown._replace(colour=colours.get(node, ""))
        self.tree.viewport().update()

    def _is_new(self, rows: Mapping[int, Row], parents: tuple[int, ...]) -> bool:
        """Tell whether other nodes are to be listed; most changes of a rig leave them alone."""
        if parents != self._parents or list(rows) != list(self._rows):
            return True
        return any(self._rows[n][:2] != row[:2] for n, row in rows.items())

    def _fill(self, rows: Mapping[int, Row], parents: tuple[int, ...]) -> None:
        folded = {
            self._rows[node].name
            for node, item in self._items.items()
            if item.childCount() and not item.isExpanded()
        }
        self.tree.blockSignals(True)
        self.tree.clear()
        self._items, self._parents = {}, parents
        self._rows.clear()
        self._rows.update(rows)
        self._point_out(self._state.value.involved, involved=True)
        for node, shown in rows.items():
            item = QTreeWidgetItem([shown.name])
            item.setData(0, _NODE, node)
            item.setToolTip(0, shown.name)
            self._items[node] = item
            parent = self._items.get(parents[node])
            if parent is not None:
                parent.addChild(item)
            else:
                self.tree.addTopLevelItem(item)
        self.tree.setTextElideMode(elision([shown.name for shown in rows.values()]))
        self.tree.expandAll()
        for node, item in self._items.items():
            if rows[node].name in folded:
                item.setExpanded(False)
        self.tree.blockSignals(False)

    def _filter(self) -> None:
        """Hide what neither matches nor lies above a match."""
        text = self.search.text().casefold()
        wanted: set[int] = set()
        for node, shown in self._rows.items():
            named = text in shown.name.casefold()
            if named and (not self.only_findings.isChecked() or shown.badge is not None):
                above = node
                while above in self._items and above not in wanted:
                    wanted.add(above)
                    above = self._parents[above]
        for node, item in self._items.items():
            item.setHidden(node not in wanted)
        self.tree.setVisible(bool(wanted))
        self._nothing.setVisible(bool(self._items) and not wanted)

    def _enter(self) -> None:
        """Go from the search field to the selected joint, or to the first match."""
        self.tree.setFocus()
        text = self.search.text().casefold()
        matches = [n for n, shown in self._rows.items() if text in shown.name.casefold()]
        shown = [n for n in matches if not self._items[n].isHidden()]
        if shown and self._state.value.joint not in shown:
            self.tree.setCurrentItem(self._items[shown[0]])

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        if item is not None:
            self._state.update(joint=item.data(0, _NODE), vertex=None)

    def _offer(self, position: QPoint) -> None:
        """Offer what can be done with the joint under the cursor."""
        item = self.tree.itemAt(position)
        if item is None:
            return
        self._choose(item)
        name = self._rows[item.data(0, _NODE)].name
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Frame", self.frame_asked.emit)
        menu.addAction("Show only what it moves", self.isolate_asked.emit)
        menu.addSeparator()
        menu.addAction("Copy name", lambda: QGuiApplication.clipboard().setText(name))
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _follow(self, old: ViewState, new: ViewState) -> None:
        if old.joint != new.joint:
            self._show_selection()
        if old.involved != new.involved:
            self._point_out(old.involved, involved=False)
            self._point_out(new.involved, involved=True)
            self.tree.viewport().update()
        if old.shading != new.shading:
            self._colour()

    def _point_out(self, nodes: Iterable[int], *, involved: bool) -> None:
        for node in nodes:
            if node in self._rows:
                self._rows[node] = self._rows[node]._replace(involved=involved)

    def _show_selection(self) -> None:
        joint = self._state.value.joint
        item = self._items.get(joint) if joint is not None else None
        if item is self.tree.currentItem():
            return
        self.tree.blockSignals(True)
        self.tree.setCurrentItem(item)  # type: ignore[arg-type] # None clears it
        if item is None:
            self.tree.clearSelection()
        else:
            self.tree.scrollToItem(item, QAbstractItemView.ScrollHint.EnsureVisible)
        self.tree.blockSignals(False)
        self.tree.viewport().update()


def _listed(rig: Rig) -> list[int]:
    """Return the nodes of the tree: joints and all above them, every node of a rig without joints."""
    ordered = [n for r in rig.nodes.roots for n in rig.nodes.subtree(r)]
    if not rig.joints:
        return ordered
    wanted = {a for joint in rig.joints for a in (joint, *rig.nodes.ancestors(joint))}
    return [n for n in ordered if n in wanted]


def _tree(rows: Mapping[int, Row]) -> QTreeWidget:
    tree = QTreeWidget()
    tree.setHeaderHidden(True)
    tree.setFrameShape(QFrame.Shape.NoFrame)
    tree.setIndentation(10)
    tree.setItemDelegate(_Rows(tree, rows))
    tree.setUniformRowHeights(True)
    tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    tree.setAccessibleName("Joints")
    header = tree.header()
    header.setStretchLastSection(False)
    header.setMinimumSectionSize(20)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return tree
