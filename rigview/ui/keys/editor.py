"""The editor of shortcuts: a preset, and every action with its keys, to be searched and changed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from rigview.core.text import count
from rigview.ui.actions import ACTIONS, BY_ID, MENUS
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.keys.shortcuts import PRESETS, Shortcuts, portable, shown
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.fields import Search
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Elided, across, down, fill, label
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import tr

_ID = Qt.ItemDataRole.UserRole


class KeysEditor(Dialog):
    """Changes count at once and are remembered.

    A key that another action has is given away only when it is set a second time: the foot says whose it
    is.

    Parameters
    ----------
    action
        The action that is chosen at first; empty for none.
    """

    def __init__(self, parent: QWidget, shortcuts: Shortcuts, action: str = "") -> None:
        super().__init__(parent, "Change keys")
        self._shortcuts = shortcuts
        self.resize(620, min(560, parent.height() - 40))
        self.preset = Chooser([title for title, _ in PRESETS.values()], "Keys as in")
        self.preset.setCurrentIndex(list(PRESETS).index(shortcuts.preset))
        self.search = Search("Search actions and keys")
        self.tree = _tree()
        self.field = QKeySequenceEdit()
        self.field.setMaximumSequenceLength(1)
        self.field.setAccessibleName(tr("Press the new key"))
        for field in self.field.findChildren(QLineEdit):
            field.setAccessibleName(tr("Press the new key"))
        self.set_button = Button("Set", "", "primary", "Give the chosen action this key")
        self.clear_button = Button("No key", "", "plain", "Take its keys from the chosen action")
        self.reset_button = Button("Preset's key", "", "plain", "Go back to the preset's keys")
        self.reset_all = Button("All as in the preset", "", "plain", "Forget all keys set here")
        self.said = Elided("text2")
        self._build()
        self._fill()
        self._connect()
        item = self._item(action)
        if item is not None:
            self.tree.setCurrentItem(item)
            self.field.setFocus()
        else:
            self.search.setFocus()

    def _build(self) -> None:
        head, foot, keys = QWidget(), QWidget(), QWidget()
        across(head, label("Keys as in", "text2"), self.preset, (self.search, 1), spacing=8)
        head.layout().setContentsMargins(12, 8, 12, 8)  # type: ignore[union-attr] # just made
        buttons = self.set_button, self.clear_button, self.reset_button
        across(keys, label("New key", "text2"), (self.field, 1), *buttons, spacing=8)
        keys.layout().setContentsMargins(12, 8, 12, 4)  # type: ignore[union-attr] # just made
        across(foot, (self.said, 1), self.reset_all, margins=(12, 6, 12, 8), spacing=8)
        fill(foot, "background2")
        fill(keys, "background2")
        down(self, Title("Change keys"), head, (self.tree, 1), keys, foot)

    def _connect(self) -> None:
        self.preset.activated.connect(lambda number: self._shortcuts.choose(list(PRESETS)[number]))
        self.search.textChanged.connect(lambda _: self._filter())
        self.search.left_downwards.connect(self.tree.setFocus)
        self.tree.currentItemChanged.connect(lambda *_: self._chosen())
        self.tree.itemActivated.connect(lambda *_: self.field.setFocus())
        self.field.keySequenceChanged.connect(lambda _: self._tell())
        self.set_button.clicked.connect(self._set)
        self.clear_button.clicked.connect(lambda: self._give(()))
        self.reset_button.clicked.connect(lambda: self._shortcuts.restore(self.chosen))
        self.reset_all.clicked.connect(self._restore_all)
        self._shortcuts.changed.connect(self._show)
        self._chosen()

    @property
    def chosen(self) -> str:
        """The id of the chosen action; empty where none is."""
        item = self.tree.currentItem()
        return "" if item is None else str(item.data(0, _ID) or "")

    def _item(self, action: str) -> QTreeWidgetItem | None:
        return next((item for item in self._items if item.data(0, _ID) == action), None)

    def _fill(self) -> None:
        self._items: list[QTreeWidgetItem] = []
        for menu in dict.fromkeys((*MENUS, *(row.menu for row in ACTIONS))):
            top = QTreeWidgetItem([tr(menu), ""])
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.tree.addTopLevelItem(top)
            for row in ACTIONS:
                if row.menu == menu:
                    item = QTreeWidgetItem([tr(row.text), ""])
                    item.setData(0, _ID, row.id)
                    if row.icon:
                        item.setIcon(0, theme.icon(row.icon))
                    top.addChild(item)
                    self._items.append(item)
            top.setExpanded(True)
        self._show()

    def _show(self) -> None:
        """Write the keys as they are now; those that several share are red."""
        shared = self._shortcuts.conflicts
        for item in self._items:
            keys = self._shortcuts.keys(item.data(0, _ID))
            item.setText(1, ", ".join(map(shown, keys)))
            clash = any(portable(key) in shared for key in keys)
            is_own = item.data(0, _ID) in self._shortcuts.own
            item.setForeground(1, colour("error" if clash else "accent" if is_own else "text2"))
        self.reset_all.setEnabled(bool(self._shortcuts.own))
        self._chosen()

    def _filter(self) -> None:
        words = self.search.text().lower()
        for item in self._items:
            item.setHidden(words not in f"{item.text(0)} {item.text(1)}".lower())
        for i in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(i)
            if top is not None:
                of = [item for item in self._items if item.parent() is top]
                top.setHidden(all(item.isHidden() for item in of))

    def _chosen(self) -> None:
        action = self.chosen
        self.field.clear()
        self.field.setEnabled(bool(action))
        self.clear_button.setEnabled(bool(action and self._shortcuts.keys(action)))
        self.reset_button.setEnabled(action in self._shortcuts.own)
        self._tell()

    def _key(self) -> str:
        return self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _tell(self) -> None:
        """Say whose the new key is already, or how many keys are shared."""
        key, action = self._key(), self.chosen
        self.set_button.setEnabled(bool(key and action))
        holders = [BY_ID[name].text for name in self._shortcuts.holders(key) if name != action]
        self.set_button.setText(tr("Take it") if key and holders else tr("Set"))
        shared = self._shortcuts.conflicts
        if key and holders:
            self.said.setText(
                tr(
                    "{key} is “{action}”, which would have it no more.",
                    key=shown(key),
                    action=holders[0],
                )
            )
        elif shared:
            first = next(iter(shared))
            self.said.setText(
                tr(
                    "{keys} shared by several actions, the first is {key}.",
                    keys=count(len(shared), "key"),
                    key=shown(first),
                )
            )
        elif not action:
            self.said.setText(tr("Choose an action, then press its new key."))
        else:
            self.said.setText("")

    def _set(self) -> None:
        key, action = self._key(), self.chosen
        if key and action:
            self._give((key,))

    def _restore_all(self) -> None:
        self._shortcuts.restore()

    def _give(self, keys: tuple[str, ...]) -> None:
        if self.chosen:
            self._shortcuts.set_keys(self.chosen, keys)


def _tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setHeaderLabels([tr("Action"), tr("Keys")])
    tree.setAccessibleName(tr("Actions and their keys"))
    tree.setUniformRowHeights(True)
    tree.setFrameShape(QTreeWidget.Shape.NoFrame)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
    tree.header().setStretchLastSection(False)
    return tree
