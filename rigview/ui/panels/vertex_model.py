"""What the table of vertices shows: chosen points by joints, read from the rig as rows come into view."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.weights.editable_rig import EditableRig, Points
from rigview.ui.panels.vertex_filter import WeightLimits
from rigview.ui.stage import Stage
from rigview.ui.workers.weight_editing import WeightEditor

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
# Columns that are no joints: the vertex first, its sum and number of joints last.
VERTEX, AFTER = 0, 2
# What a cell holds for who paints it: the weight, and for a sum whether it is one.
WEIGHT, FINE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
# Sums that are off by more are told: files round them.
_OFF = 1e-3
_HEADER_TIP = "Click to sort; the lock keeps the joint's weights, Alt+click locks all others"
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class VertexModel(QAbstractTableModel):
    """Chosen points × joints.

    Columns stay where they are while the same points are chosen, so that nothing moves under the hand.
    """

    def __init__(self, editor: WeightEditor, stage: Stage) -> None:
        super().__init__()
        self._editor, self._stage = editor, stage
        self._of: EditableRig | None = None
        self._character = self._point = np.zeros(0, dtype=np.int64)
        # Character and point of all that are chosen, of which the limits may leave fewer.
        self._whole = self._character, self._point
        self._values = np.zeros((0, 0))
        self.nodes: list[int] = []
        self.all_joints = False
        self.limits: WeightLimits | None = None

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._point)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or not self.nodes else 1 + len(self.nodes) + AFTER

    def node(self, column: int) -> int | None:
        """Return the joint of a column; None for the others."""
        return self.nodes[column - 1] if 1 <= column <= len(self.nodes) else None

    def points(self, rows: IntArray) -> Points:
        """Return the points of rows, per character."""
        if self._of is None:
            return ()
        return tuple(
            np.unique(self._point[rows][self._character[rows] == number])
            for number in range(len(self._of.characters))
        )

    def place(self, row: int) -> tuple[int, int] | None:
        """Return part and number of a row's vertex."""
        if self._of is None or not 0 <= row < len(self._point):
            return None
        return self._of.characters[self._character[row]].vertex(int(self._point[row]))

    def row_keys(self, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Return character and point of rows, in their order."""
        return self._character[rows], self._point[rows]

    def weights(self, rows: IntArray, column: int) -> FloatArray:
        """Return ``(n,)`` the weights of rows in a joint's column."""
        return self._values[rows, column - 1]

    def table(self, rows: IntArray, columns: list[int]) -> FloatArray:
        """Return ``(n, m)`` the weights of rows in joints' columns."""
        return self._values[rows[:, None], np.array(columns, dtype=np.int64) - 1]

    def label(self, row: int) -> str:
        """Return a row's vertex, and how many copies of it there are."""
        place = self.place(row)
        if place is None or self._of is None:
            return ""
        copies = int(self._of.characters[self._character[row]].copies[self._point[row]])
        return f"{place[1]} ×{copies}" if copies > 1 else str(place[1])

    def refresh(self) -> None:
        """Read the chosen points and their weights anew."""
        of, points = self._editor.editable, self._editor.points
        if of is None:
            self._clear()
            return
        character = np.repeat(np.arange(len(points)), [len(some) for some in points])
        point = np.concatenate([np.zeros(0, dtype=np.int64), *points])
        same = self._shows(of, character, point)
        if not same:
            self.beginResetModel()
            self._of, self._whole = of, (character, point)
            self._character, self._point = character, point
            self.nodes = self._columns()
            self._keep()
            self._read()
            self.endResetModel()
            return
        self._of = of
        more = [node for node in self._columns() if node not in self.nodes]
        if more:
            first = 1 + len(self.nodes)
            self.beginInsertColumns(QModelIndex(), first, first + len(more) - 1)
            self.nodes += more
            self._read()
            self.endInsertColumns()
        self._read()
        self.dataChanged.emit(
            self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1)
        )

    def _shows(self, of: EditableRig, character: IntArray, point: IntArray) -> bool:
        """Return whether these points are shown already, and the selected joint has a column."""
        whole_character, whole_point = self._whole
        if self._of is None or not self.nodes or len(point) != len(whole_point):
            return False
        joints = [[c.nodes for c in rig.characters] for rig in (of, self._of)]
        alike = np.array_equal(point, whole_point) and np.array_equal(character, whole_character)
        joint = self._stage.joint
        seen = joint is None or joint in self.nodes or joint not in self._known(of)
        return joints[0] == joints[1] and alike and seen

    @property
    def whole_count(self) -> int:
        """The number of chosen points, listed or not."""
        return len(self._whole[1])

    def rebuild(self) -> None:
        """Choose the rows that are listed, and order the columns, anew."""
        self.beginResetModel()
        self._character, self._point = self._whole
        self.nodes = self._columns() if self._of is not None and len(self._point) else []
        self._keep()
        self._read()
        self.endResetModel()

    def _keep(self) -> None:
        """Leave the rows whose weight of the first joint, the selected one, is within the limits."""
        if self.limits is None or self._of is None or not self.nodes:
            return
        kept = np.zeros(len(self._point), dtype=np.bool_)
        for number, of in enumerate(self._of.characters):
            here = np.flatnonzero(self._character == number)
            position = of.column_of.get(self.nodes[0])
            if len(here) and position is not None:
                kept[here] = self.limits.keep(of.column(position)[self._point[here]])
        self._character, self._point = self._character[kept], self._point[kept]

    def _clear(self) -> None:
        if len(self._point) or self._of is not None:
            self.beginResetModel()
            self._of, self.nodes = None, []
            self._character = self._point = np.zeros(0, dtype=np.int64)
            self._whole = self._character, self._point
            self._values = np.zeros((0, 0))
            self.endResetModel()

    def _known(self, of: EditableRig) -> set[int]:
        """Return the joints of the characters that have chosen points."""
        return {n for i in np.unique(self._character) for n in of.characters[i].nodes}

    def _columns(self) -> list[int]:
        """Return the joints to show: the selected one first, then by their weight in all."""
        if self._of is None:
            return []
        given: dict[int, float] = {}
        for number, of in enumerate(self._of.characters):
            points = self._point[self._character == number]
            if not len(points):
                continue
            total = of.rows(points).sum(axis=0)
            for node, position in of.column_of.items():
                given[node] = given.get(node, 0.0) + float(total[position])
        joint = self._stage.joint
        shown = [n for n, weight in given.items() if weight > 0.0 or self.all_joints or n == joint]
        return sorted(shown, key=lambda n: (n != joint, -given[n], n))

    def _read(self) -> None:
        """Read the weights of all rows."""
        self._values = np.zeros((len(self._point), len(self.nodes)))
        self._sums = np.zeros(len(self._point))
        self._counts = np.zeros(len(self._point), dtype=np.int64)
        if self._of is None:
            return
        for number, of in enumerate(self._of.characters):
            here = np.flatnonzero(self._character == number)
            if not len(here):
                continue
            rows = of.rows(self._point[here])
            for i, node in enumerate(self.nodes):
                if node in of.column_of:
                    self._values[here, i] = rows[:, of.column_of[node]]
            self._sums[here] = rows.sum(axis=1)
            self._counts[here] = np.count_nonzero(rows, axis=1)

    def order_by(self, column: int, *, ascending: bool) -> None:
        """Sort the rows by a column."""
        if self._of is None:
            return
        keys = {VERTEX: self._point, self.columnCount() - 2: self._sums}
        keys[self.columnCount() - 1] = self._counts
        key = keys[column] if column in keys else self._values[:, column - 1]
        order = np.argsort(key if ascending else -key, kind="stable")
        self.beginResetModel()
        self._character, self._point = self._character[order], self._point[order]
        self._read()
        self.endResetModel()

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.node(index.column()) is not None:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - whatever the role holds
        node, rig = self.node(section), self._stage.rig
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return _HEADER_TIP if node is not None else "Click to sort"
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        if node is not None and rig is not None:
            return rig.nodes.label(node)
        return {VERTEX: "Vertex", len(self.nodes) + 1: "Sum"}.get(section, "Joints")

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        row, column = index.row(), index.column()
        if not index.isValid() or row >= len(self._point):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column != VERTEX else None
        joint = self.node(column) is not None
        if role == WEIGHT:
            return float(self._values[row, column - 1]) if joint else None
        if role == FINE:
            return abs(self._sums[row] - 1.0) <= _OFF if column == len(self.nodes) + 1 else True
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row, column, shown=role == Qt.ItemDataRole.DisplayRole)
        return None

    def _text(self, row: int, column: int, *, shown: bool) -> str:
        if self.node(column) is not None:
            value = self._values[row, column - 1]
            return "·" if shown and value == 0.0 else f"{value:.4f}"
        if column == VERTEX:
            return self.label(row)
        return f"{self._sums[row]:.4f}" if column == len(self.nodes) + 1 else str(self._counts[row])
