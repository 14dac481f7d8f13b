"""The panel Vertices: the weights of the chosen vertices as a table to type into."""

import numpy as np
from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLabel, QTableView, QWidget

from rigview.core.arrays import IntArray
from rigview.core.text import count, spaced
from rigview.ui.panels.locks import lock
from rigview.ui.panels.vertex_cells import CellPainter, CellView, LockHeader
from rigview.ui.panels.vertex_edits import pasted_into, typed_into, typed_words
from rigview.ui.panels.vertex_filter import VertexFilter
from rigview.ui.panels.vertex_model import VertexModel
from rigview.ui.panels.vertex_text import as_text, pasted, typed
from rigview.ui.stage import Stage
from rigview.ui.view_state import State, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import Elided, column, down, fill, label, row
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workers.weight_editing import WeightEditor, as_chosen

OPEN, FOLDED = 214, theme.TITLE
_WIDTHS = {"vertex": 92, "joint": 101, "sum": 76, "joints": 50}


class VertexTable(QWidget):
    """Reads the weight editor and the chosen vertices; edits go through the editor.

    `folded` says whether only the title is left; `joint_asked` wants all vertices of the selected
    joint, `panes_asked` the keyboard in the panes. `acted` carries the id of an action.
    """

    folded = Signal(bool)
    acted = Signal(str)
    panes_asked = Signal()

    def __init__(self, editor: WeightEditor, stage: Stage, state: State) -> None:
        super().__init__()
        self._editor, self._stage, self._state = editor, stage, state
        self.model = VertexModel(editor, stage)
        self.view = CellView()
        self.view.setModel(self.model)
        self.header = LockHeader(self.model, self._is_locked, lambda: stage.joint)
        self.cells = CellPainter(self.view, self._is_locked, self._refusal)
        self._count = label("", "text3", theme.SMALL, numbers=True)
        self.non_zero = _switch("Non-zero joints", "Only joints that some chosen vertex follows")
        self.only_selected = _switch("Selected joint", "Only the joint that is selected")
        self.non_zero.setChecked(True)
        self.filter = VertexFilter()
        self.fold = Button("", "caret-down", "ghost", "Fold the vertices", 20)
        self.foot = Elided("text2")
        self.empty = _links()
        foot = row((self.foot, 1), margins=(10, 0, 10, 0))
        fill(foot, "background2")
        foot.setFixedHeight(theme.ROW)
        self._body = column((self.view, 1), (self.empty, 1), foot, spacing=0)
        self._build()
        self.header.lock_asked.connect(self._lock)
        self.header.sort_asked.connect(self._sort)
        self.cells.written.connect(self._write)
        self.view.copied.connect(self.copy)
        self.view.pasted.connect(self.paste)
        self.view.selectionModel().selectionChanged.connect(self._selection_is_new)
        self.view.selectionModel().currentRowChanged.connect(self._show_vertex)
        self.non_zero.toggled.connect(self._filter)
        self.only_selected.toggled.connect(self._filter)
        self.filter.changed.connect(self._filter)
        self.filter.taken.connect(self._choose_listed)
        self.fold.clicked.connect(lambda: self.set_folded(folded=not self.is_folded))
        self.empty.linkActivated.connect(self._go)
        editor.known.connect(self.refresh)
        editor.failed.connect(lambda _: self.refresh())
        stage.rig_changed.connect(self.refresh)
        state.changed.connect(self._follow)
        self.hide()

    def _build(self) -> None:
        view = self.view
        view.setHorizontalHeader(self.header)
        view.setItemDelegate(self.cells)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setShowGrid(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(theme.ROW)
        view.verticalHeader().setMinimumSectionSize(theme.ROW)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        trigger = QAbstractItemView.EditTrigger
        view.setEditTriggers(trigger.AnyKeyPressed | trigger.EditKeyPressed | trigger.DoubleClicked)
        view.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        view.setAccessibleName(tr("Weights of the chosen vertices"))
        buttons = [
            self._button("normalise", "Normalise", "Make the weights sum to one"),
            self._button("prune", "Prune", "Drop weights below 0.01"),
            self._button("keep_largest", "Keep 4", "Keep the four largest weights"),
        ]
        copy = Button("", "copy", "ghost", "Copy as text, for a spreadsheet  Ctrl+C", 20)
        paste = Button("", "clipboard-text", "ghost", "Paste from a spreadsheet  Ctrl+V", 20)
        copy.clicked.connect(self.copy)
        paste.clicked.connect(self.paste)
        head = row(
            label("Vertices", weight=theme.SEMIBOLD),
            self._count,
            8,
            self.filter,
            self.non_zero,
            self.only_selected,
            None,
            *buttons,
            copy,
            paste,
            self.fold,
            margins=(10, 0, 6, 0),
        )
        fill(head, "background2")
        head.setFixedHeight(theme.TITLE)
        down(self, head, (self._body, 1))

    def _button(self, action: str, text: str, tip: str) -> Button:
        button = Button(text, "", "ghost", tip, 20)
        button.clicked.connect(lambda: self.acted.emit(action))
        return button

    @property
    def is_folded(self) -> bool:
        """Whether only the title is shown."""
        return self._body.isHidden()

    def set_folded(self, *, folded: bool) -> None:
        """Show only the title, or all."""
        self._body.setVisible(not folded)
        self.setMinimumHeight(FOLDED if folded else OPEN - 64)
        self.setMaximumHeight(FOLDED if folded else 16777215)
        self.fold.set_icon("caret-up" if folded else "caret-down")
        self.folded.emit(folded)

    @property
    def is_away(self) -> bool:
        """Whether nothing of the table can be seen but perhaps its title."""
        return self.isHidden() or self.is_folded

    def set_wanted(self, *, wanted: bool) -> None:
        """Show the table, or take it off the window."""
        self.setVisible(wanted)
        self.set_folded(folded=not wanted)
        if wanted:
            self.refresh()

    def refresh(self) -> None:
        """Show the chosen vertices and their weights as they are now; nothing while it is away."""
        if self.isHidden():
            return
        self.model.refresh()
        self._fit_columns()
        number, whole = self.model.rowCount(), self.model.whole_count
        part = tr("{number} of {all}", number=spaced(number), all=spaced(whole))
        kept = spaced(number) if number == whole else part
        self._count.setText(kept if whole else "")
        self.view.setVisible(number > 0)
        self.empty.setVisible(number == 0)
        self.empty.setText(self._empty_words())
        self._tell()

    def _empty_words(self) -> str:
        if self._editor.reason:
            return f"{capital(tr(self._editor.reason))}."
        if self.model.whole_count:
            return "No chosen vertex has such a weight of the selected joint."
        if self._stage.chosen:
            return "Reading the weights…"
        joint, rig = self._stage.joint, self._stage.rig
        words = tr("<a href='click'>Click a vertex</a>, <a href='drag'>drag a box</a>")
        if joint is not None and rig is not None and joint in rig.joints:
            name = rig.nodes.label(joint).replace("&", "&amp;").replace("<", "&lt;")
            return tr(
                "{words}, or <a href='joint'>choose all of {name}</a>", words=words, name=name
            )
        return tr("{words}, or <a href='tree'>select a joint</a> and choose all of it", words=words)

    def _go(self, link: str) -> None:
        if link == "joint":
            self.acted.emit("choose_joint")
        else:
            self.panes_asked.emit()
            self._editor.said.emit(_HOW[link], False)

    def _fit_columns(self) -> None:
        last = self.model.columnCount() - 1
        for number in range(last + 1):
            kind = "joint" if self.model.node(number) is not None else "vertex"
            if number >= last - 1 and last > 0:
                kind = "joints" if number == last else "sum"
            if self.header.sectionSize(number) != _WIDTHS[kind]:
                self.header.resizeSection(number, _WIDTHS[kind])
            node, only = self.model.node(number), self.only_selected.isChecked()
            hidden = only and node is not None and node != self._stage.joint
            self.view.setColumnHidden(number, hidden)

    def _follow(self, old: ViewState, new: ViewState) -> None:
        several = sum(len(vertices) for _, vertices in new.chosen) > 1
        if several and old.chosen != new.chosen and new.shading == "weights" and self.isHidden():
            # One vertex that was clicked is the inspector's: its table would take room for little.
            self.set_wanted(wanted=True)
        if new.differs(old, ("chosen", "joint", "weights")):
            self.refresh()
        if old.locked != new.locked:
            self.header.viewport().update()
            self.view.viewport().update()

    def _filter(self) -> None:
        self.model.all_joints = not self.non_zero.isChecked()
        self.model.limits = self.filter.limits
        self.model.rebuild()
        if self.header.sorted is not None and self.header.sorted[0] < self.model.columnCount():
            self.model.order_by(self.header.sorted[0], ascending=self.header.sorted[1])
        self.refresh()

    def _choose_listed(self) -> None:
        """Choose only the vertices that the filter leaves."""
        of, rows = self._editor.editable, np.arange(self.model.rowCount())
        if of is not None and len(rows):
            self._state.update(chosen=as_chosen(of, self.model.points(rows)), vertex=None)

    def _sort(self, column: int) -> None:
        ascending = self.header.sorted == (column, False)
        self.header.sorted = (column, ascending)
        self.model.order_by(column, ascending=ascending)
        self._fit_columns()

    # --- locks ----------------------------------------------------------------------------------

    def _is_locked(self, column: int) -> bool:
        return self.model.node(column) in self._state.value.locked

    def _lock(self, column: int, others: bool) -> None:
        node = self.model.node(column)
        if node is not None:
            lock(self._state, self._stage, (node,), others=others)

    def _refusal(self, column: int) -> str:
        """Return why nothing can be typed into a column; empty where it can."""
        node, of, rig = self.model.node(column), self._editor.editable, self._stage.rig
        if node is None or of is None or rig is None:
            return ""
        for character in of.characters:
            if node in character.column_of:
                free = self._editor.freedom(character)
                return free.refusal(character.column_of[node], rig.nodes.label(node)) or ""
        return ""

    # --- what is selected in the table ----------------------------------------------------------

    def _rows_of(self, column: int) -> IntArray:
        """Return the rows whose cell in a column is selected; the current one without any."""
        chosen = self.view.selectionModel().selection().toList()
        rows = [
            np.arange(part.top(), part.bottom() + 1)
            for part in chosen
            if part.left() <= column <= part.right()
        ]
        current = self.view.currentIndex()
        if not rows:
            return np.array([current.row()] if current.isValid() else [], dtype=np.int64)
        return np.unique(np.concatenate(rows))

    def _selected_columns(self) -> list[int]:
        chosen = self.view.selectionModel().selection().toList()
        found = {c for part in chosen for c in range(part.left(), part.right() + 1)}
        return [
            c
            for c in sorted(found)
            if self.model.node(c) is not None and not self.view.isColumnHidden(c)
        ]

    def _selection_is_new(self, _now: QItemSelection, _before: QItemSelection) -> None:
        self._tell()

    def _show_vertex(self, now: QModelIndex, _before: QModelIndex) -> None:
        place = self.model.place(now.row()) if now.isValid() else None
        if place is not None and self.view.hasFocus():
            self._state.update(vertex=place)

    def _tell(self) -> None:
        """Say how many rows are selected, their mean, and what typing does."""
        current = self.view.currentIndex()
        column = current.column() if current.isValid() else -1
        rows = self._rows_of(column) if column >= 0 else np.zeros(0, dtype=np.int64)
        total = self.model.rowCount()
        node, rig = self.model.node(column), self._stage.rig
        if not total or node is None or rig is None or not len(rows):
            self.foot.setText(tr(count(total, "vertex")) if total else "")
            return
        mean, name = float(self.model.weights(rows, column).mean()), rig.nodes.label(node)
        reason = self._refusal(column)
        several = "typing goes to all {number}: 0.42, *0.5, +0.1 or -0.1; the free joints give way"
        one = "type a weight: 0.42, *0.5, +0.1 or -0.1; the free joints give way"
        typing = tr(several if len(rows) > 1 else one, number=spaced(len(rows)))
        parts = (
            tr("{number} of {all} selected", number=spaced(len(rows)), all=spaced(total)),
            tr("mean of {joint} {mean:.4f}", joint=name, mean=mean),
            reason or typing,
        )
        self.foot.setText("   ".join(parts))

    # --- edits ----------------------------------------------------------------------------------

    def _write(self, column: int, text: str) -> None:
        """Do what was typed to all selected cells of a column."""
        what, node, rig = typed(text), self.model.node(column), self._stage.rig
        if node is None or rig is None:
            return
        name, rows = rig.nodes.label(node), self._rows_of(column)
        reason = self._refusal(column)
        if what is None:
            wrong = text.strip() or tr("Nothing")
            reason = tr("{text} is no weight: 0.42, *0.5, +0.1 or -0.1 are", text=wrong)
        if what is None or reason:
            self._editor.said.emit(f"{capital(reason)}.", False)
            return

        self._editor.edit(
            typed_into(node, what),
            lambda many: typed_words(name, what, many),
            self.model.points(rows),
        )

    def copy(self) -> None:
        """Put the selected cells on the clipboard as tab-separated text; all of them without any."""
        columns = self._selected_columns()
        every = [c for c in range(self.model.columnCount()) if self.model.node(c) is not None]
        rows = (
            np.unique(np.concatenate([self._rows_of(c) for c in columns]))
            if columns
            else (np.arange(self.model.rowCount()))
        )
        if not len(rows) or not every:
            return
        columns = columns or every
        names = [str(self.model.headerData(c, Qt.Orientation.Horizontal)) for c in columns]
        labels = [self.model.label(r) for r in rows.tolist()]
        QGuiApplication.clipboard().setText(as_text(labels, names, self.model.table(rows, columns)))
        self._editor.said.emit(
            tr(
                "Copied {rows} × {columns} weights as text.",
                rows=spaced(len(rows)),
                columns=spaced(len(columns)),
            ),
            False,
        )

    def paste(self) -> None:
        """Set weights from the clipboard: rows one below the other, or one for all selected rows."""
        table = pasted(QGuiApplication.clipboard().text())
        if table is None:
            self._editor.said.emit("The clipboard holds no table of weights.", False)
            return
        current, selected = self.view.currentIndex(), self._selected_columns()
        first = selected[0] if selected else max(current.column(), 1)
        rows = self._rows_of(first)
        if not len(rows):
            rows = np.arange(self.model.rowCount())
        if len(rows) == 1 and len(table.values) > 1:
            rows = np.arange(rows[0], min(rows[0] + len(table.values), self.model.rowCount()))
        nodes = self._nodes_named(table.joints, first, table.values.shape[1])
        if nodes is None:
            return
        if len(table.values) not in (1, len(rows)):
            rows = rows[: len(table.values)]
        values = np.broadcast_to(table.values[: len(rows)], (len(rows), len(nodes)))
        self._editor.edit(
            pasted_into(nodes, values, *self.model.row_keys(rows)),
            lambda many: tr(
                "Paste weights of {joints} on {vertices}",
                joints=count(len(nodes), "joint"),
                vertices=many,
            ),
            self.model.points(rows),
        )

    def _nodes_named(
        self, names: tuple[str, ...] | None, first: int, width: int
    ) -> list[int] | None:
        """Return the joints of pasted columns; None, and why, where one is not known."""
        rig = self._stage.rig
        if rig is None:
            return None
        if names is None:
            nodes = [self.model.node(first + i) for i in range(width)]
            if None in nodes:
                self._editor.said.emit(
                    tr(
                        "The table has {width} columns, more than there are joints from here on.",
                        width=width,
                    ),
                    False,
                )
                return None
            return [node for node in nodes if node is not None]
        by_name = {rig.nodes.label(node): node for node in rig.joints}
        unknown = [name for name in names if name not in by_name]
        if unknown:
            self._editor.said.emit(
                tr("No joint is called {names}.", names=", ".join(unknown[:3])), False
            )
            return None
        return [by_name[name] for name in names]


def _switch(text: str, tip: str) -> Button:
    result = Button(text, "", "ghost", tip, 20)
    result.setCheckable(True)
    return result


# What the links of the empty table say.
_HOW = {
    "click": "Click a vertex of the mesh; Shift+click adds one.",
    "drag": "Drag with Shift over the mesh to choose what is in the box, with Ctrl to take it away.",
    "tree": "Select a joint in the tree: then Weights > Choose all of the joint chooses its vertices.",
}


def _links() -> QLabel:
    result = label("", "text3")
    result.setTextFormat(Qt.TextFormat.RichText)
    result.setAlignment(Qt.AlignmentFlag.AlignCenter)
    result.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return result
