"""The Qt actions of the table: their keys, what they do in the current workbench, and what is greyed."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from rigview.ui.actions import ACTIONS, BY_ID, Action, Context
from rigview.ui.keys.shortcuts import Shortcuts
from rigview.ui.widgets import theme
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench


class Commands(QObject):
    """The window's actions by id; those for anywhere are to be added to the window.

    `done` carries the id of every action that was done.
    """

    done = Signal(str)

    def __init__(self, bench: Workbench, shortcuts: Shortcuts) -> None:
        super().__init__()
        self._bench, self.shortcuts = bench, shortcuts
        self.actions: dict[str, QAction] = {}
        for row in ACTIONS:
            action = QAction(tr(row.text), self)
            action.setCheckable(row.is_on is not None)
            action.triggered.connect(partial(self._trigger, row))
            if row.where == "time":
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            self.actions[row.id] = action
        self.anywhere = [self.actions[row.id] for row in ACTIONS if row.where == "anywhere"]
        self._set_keys()
        shortcuts.changed.connect(self._set_keys)
        self.serve(bench)

    def serve(self, bench: Workbench) -> None:
        """Let the keys of time work in a workbench, and follow its changes."""
        in_time = [self.actions[row.id] for row in ACTIONS if row.where == "time"]
        for widget in (bench.canvas, bench.timeline.ruler):
            widget.addActions(in_time)
        bench.plots.graph_made.connect(lambda graph: graph.addActions(in_time))
        bench.state.changed.connect(partial(self._refresh_if_current, bench))
        for signal in (bench.checker.began, bench.document.noted, bench.noter.chosen_changed):
            signal.connect(partial(self._refresh_if_current, bench))

    def follow(self, bench: Workbench) -> None:
        """Do everything in another workbench from now on."""
        self._bench = bench
        self.refresh()

    @property
    def bench(self) -> Workbench:
        """The workbench that actions are done in."""
        return self._bench

    def _refresh_if_current(self, bench: Workbench, *_: object) -> None:
        if bench is self._bench:
            self.refresh()

    def _set_keys(self) -> None:
        for name, action in self.actions.items():
            action.setShortcuts([QKeySequence(key) for key in self.shortcuts.keys(name)])

    def _trigger(self, row: Action, _checked: bool = False) -> None:
        self.do(row.id)

    def do(self, name: str) -> None:
        """Do an action, or say why there is nothing to do."""
        row, bench = BY_ID[name], self._bench
        why = row.reason(bench)
        if why:
            bench.status.say(tr(why), undoable=False)
            # Qt has switched what can be switched before anybody asked.
            self.refresh()
            return
        row.do(bench)
        self.done.emit(name)

    def refresh(self) -> None:
        """Enable what can be done now, tick what is on, and name what undo and redo would do."""
        bench = self._bench
        opened = bench.document.rig is not None
        for row in ACTIONS:
            action = self.actions[row.id]
            action.setEnabled((opened or row.always) and not (row.greyed and row.why_not(bench)))
            if row.is_on is not None:
                action.setChecked(row.is_on(bench))
            if row.text_now is not None:
                action.setText(tr(row.text_now(bench)))

    def offer(self, context: Context, head: str, at: QPoint, more: Iterable[QAction] = ()) -> QMenu:
        """Open the context menu of something.

        Parameters
        ----------
        head
            What it is about.
        at
            Where, on the screen.
        more
            What only this thing can have done to it.
        """
        host: QWidget = self._bench.host
        menu = QMenu(host)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        menu.setAccessibleName(head)
        menu.addAction(head).setEnabled(False)
        menu.addSeparator()
        above = ""
        for row in ACTIONS:
            if context not in row.contexts:
                continue
            if above and row.menu != above:
                menu.addSeparator()
            above = row.menu
            menu.addAction(self._entry(row, menu))
        if more := list(more):
            menu.addSeparator()
            menu.addActions(more)
        menu.popup(at)
        return menu

    def _entry(self, row: Action, menu: QMenu) -> QAction:
        """Return the entry of a row in a context menu: greyed with a tool tip where it cannot be done."""
        action = self.actions[row.id]
        entry = QAction(action.text(), menu)
        if row.icon:
            entry.setIcon(theme.icon(row.icon))
        entry.setCheckable(action.isCheckable())
        entry.setChecked(action.isChecked())
        keys = self.shortcuts.keys(row.id)
        if keys:
            entry.setShortcut(QKeySequence(keys[0]))
        why = row.reason(self._bench)
        entry.setEnabled(not why)
        entry.setToolTip(tr(why or row.text))
        entry.triggered.connect(partial(self._trigger, row))
        return entry
