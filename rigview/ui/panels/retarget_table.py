"""The table of the map of joints: rows to click, and a list to choose counterparts from."""

from functools import partial

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from rigview.ui.panels.retarget_model import KEY, NONE, SOURCE, RetargetModel
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import RETURN
from rigview.ui.widgets.layout import FocusRing
from rigview.ui.widgets.theme import font
from rigview.ui.widgets.words import tr

_Index = QModelIndex | QPersistentModelIndex
# Pixels left and right of a text, beside those that Qt leaves itself.
_MARGIN = 3
_WIDTHS = {2: 106, 3: 62, 4: 66}


class _Cell(QStyledItemDelegate):
    """A cell whose text stands where that of its header does."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        option.rect.adjust(_MARGIN, 0, -_MARGIN, 0)


class CounterpartEditor(_Cell):
    """A list of the motion's joints that completes what is typed, with none at its top."""

    def __init__(self, parent: QWidget, model: RetargetModel) -> None:
        super().__init__(parent)
        self._model = model
        # What is typed into now: both the list and its field tell of Return.
        self._open: QWidget | None = None

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index
    ) -> QWidget:
        """Return the list."""
        chooser = QComboBox(parent)
        chooser.setEditable(True)
        chooser.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        chooser.setFont(font(theme.SMALL))
        chooser.setFrame(False)
        chooser.setAccessibleName(tr("Joint of the motion"))
        chooser.addItem(tr(NONE), None)
        motion = self._model.motion
        if motion is not None:
            joints = set(motion.joints)
            for node in motion.nodes.depth_first:
                if node in joints:
                    chooser.addItem(motion.nodes.label(node), node)
        completer = QCompleter(chooser.model(), chooser)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        chooser.setCompleter(completer)
        chooser.activated.connect(lambda _: self._finish_soon(chooser))
        self._open = chooser
        return chooser

    def _finish_soon(self, chooser: QComboBox) -> None:
        """Hand over what was chosen, once the key that chose it has been dealt with."""
        QTimer.singleShot(0, partial(self._finish, chooser))

    def _finish(self, chooser: QComboBox) -> None:
        if self._open is chooser:
            self.commitData.emit(chooser)
            self.closeEditor.emit(chooser)

    def destroyEditor(self, editor: QWidget, index: _Index) -> None:
        self._open = None
        super().destroyEditor(editor, index)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Take Return for the list: the table would open it again."""
        pressed = event.type() == QEvent.Type.KeyPress and _is_return(event)
        if pressed and isinstance(editor, QComboBox):
            self._finish_soon(editor)
            return True
        return super().eventFilter(editor, event)

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        """Show what turns the joint now."""
        if isinstance(editor, QComboBox):
            name = str(index.data(Qt.ItemDataRole.EditRole))
            editor.setCurrentIndex(max(editor.findText(name), 0))
            edit = editor.lineEdit()
            if edit is not None:
                edit.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        """Hand over what was chosen or typed; what only was looked at is left alone."""
        if not isinstance(editor, QComboBox):
            return
        text = editor.currentText().strip()
        if text == (str(index.data(Qt.ItemDataRole.EditRole)) or tr(NONE)):
            return
        node = editor.itemData(editor.currentIndex())
        if isinstance(node, int) and editor.itemText(editor.currentIndex()) == text:
            model.setData(index, node)
        else:
            model.setData(index, text)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: _Index
    ) -> None:
        """Let the list cover its cell."""
        editor.setGeometry(option.rect)


def _is_return(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() in RETURN


class RetargetTable(QTableView):
    """The map of joints; `chosen` carries the joints of the rows that are selected."""

    chosen = Signal(object)

    def __init__(self, model: RetargetModel) -> None:
        super().__init__()
        self._model = model
        self._is_told = False
        self.rows = QSortFilterProxyModel(self)
        self.rows.setSourceModel(model)
        self.rows.setSortRole(KEY)
        self.setModel(self.rows)
        self.setItemDelegate(_Cell(self))
        self.setItemDelegateForColumn(SOURCE, CounterpartEditor(self, model))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setFont(font(theme.SMALL, numbers=True))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Which joint turns which"))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.ROW)
        self.verticalHeader().setMinimumSectionSize(theme.ROW)
        self._dress_header()
        self._ring = FocusRing(self)
        self.selectionModel().selectionChanged.connect(self._selection_is_new)

    def _dress_header(self) -> None:
        header = self.horizontalHeader()
        header.setFont(font(theme.SMALL))
        header.setHighlightSections(False)
        header.setSectionsMovable(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self._unsort()
        self._model.modelReset.connect(self._unsort)
        self.setSortingEnabled(True)
        header.sortIndicatorChanged.connect(lambda *_: self.scrollToTop())

    def _unsort(self) -> None:
        """Show the rows of a motion as the model has them, until a heading is clicked."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _selection_is_new(self, _now: QItemSelection, _before: QItemSelection) -> None:
        if not self._is_told:
            self.chosen.emit(self.selected)

    @property
    def selected(self) -> tuple[int, ...]:
        """The joints of the selected rows."""
        rows = self.selectionModel().selectedRows()
        return tuple(self._model.joints[self.rows.mapToSource(row).row()] for row in rows)

    def row_of(self, joint: int) -> QModelIndex:
        """Return where a joint's counterpart stands; nowhere for one that has no row."""
        if joint not in self._model.joints:
            return QModelIndex()
        own = self._model.index(self._model.joints.index(joint), SOURCE)
        return self.rows.mapFromSource(own)

    def show_selected(self, joint: int | None) -> None:
        """Select the row of a joint without telling anyone."""
        if self.selected == (() if joint is None else (joint,)):
            return
        self._is_told = True
        try:
            index = QModelIndex() if joint is None else self.row_of(joint)
            flag = QItemSelectionModel.SelectionFlag
            if index.isValid():
                self.setCurrentIndex(index)
                self.scrollTo(index)
            else:
                self.selectionModel().select(QItemSelection(), flag.Clear)
        finally:
            self._is_told = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a counterpart by Return."""
        current = self.currentIndex()
        if event.key() in RETURN and current.isValid():
            self.edit(self.rows.index(current.row(), SOURCE))
        else:
            super().keyPressEvent(event)
