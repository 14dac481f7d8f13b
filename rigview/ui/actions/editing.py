"""The actions of the menu Edit: undo, search, selection; and what Esc does."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog

from rigview.ui.actions.row import Action, Do, IsOn
from rigview.ui.dialogs.history import HistoryDialog
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench


def undo(bench: Workbench) -> None:
    """Take the last change back."""
    name = bench.document.undo_name
    bench.document.undo()
    if name is not None:
        bench.status.say(tr("Undone: {name}", name=name), undoable=False)


def redo(bench: Workbench) -> None:
    """Make the change again that was taken back last."""
    name = bench.document.redo_name
    bench.document.redo()
    if name is not None:
        bench.status.say(tr("Redone: {name}", name=name), undoable=True)


def _no_undo(bench: Workbench) -> str:
    return "" if bench.document.undo_name else "There is no change to take back."


def _no_redo(bench: Workbench) -> str:
    return "" if bench.document.redo_name else "No change was taken back."


def _named(word: str, words: str, step: str | None) -> str:
    # Menus take a single one for the mark of a key.
    return tr(words, step=step.replace("&", "&&")) if step else tr(word)


def show_history(bench: Workbench) -> QDialog:
    """List all changes, and go to the one that is clicked."""
    dialog = HistoryDialog(bench.host, bench.document)
    dialog.show()
    return dialog


def search_joints(bench: Workbench) -> None:
    """Go to the search field of the joints."""
    bench.tree.search.setFocus()
    bench.tree.search.selectAll()


def select_nothing(bench: Workbench) -> None:
    """Select nothing."""
    bench.plots.choose_bar(None)
    bench.state.update(joint=None, vertex=None, chosen=())


# What Esc leaves, the first that is there.
_WAYS_OUT: tuple[tuple[IsOn, Do], ...] = (
    (lambda bench: bench.previewer.is_active, lambda bench: bench.previewer.leave()),
    (lambda bench: not bench.message.isHidden(), lambda bench: bench.message.hide()),
    (lambda bench: bench.masker.is_active, lambda bench: bench.masker.leave()),
    (lambda bench: bench.weight_painting.is_active, lambda bench: bench.weight_painting.leave()),
    (lambda bench: bench.comparer.is_active, lambda bench: bench.comparer.leave()),
    (lambda bench: bench.retargeter.is_active, lambda bench: bench.retargeter.leave()),
    (
        lambda bench: bench.state.value.note_tool is not None,
        lambda bench: bench.state.update(note_tool=None),
    ),
    (lambda bench: bench.noter.chosen is not None, lambda bench: bench.noter.choose(None)),
    (lambda bench: bench.state.value.rotating, lambda bench: bench.state.update(rotating=False)),
)


def escape(bench: Workbench) -> None:
    """Leave what is in the way: work, preview, message, selection; one at a time."""
    panes = bench.panes
    held = panes.gizmo.cancel() or panes.selecting.cancel() or panes.ink.cancel()
    if held or panes.weights.cancel() or bench.cancel_work():
        bench.canvas.update()
        return
    for is_there, leave in _WAYS_OUT:
        if is_there(bench):
            leave(bench)
            return
    select_nothing(bench)


def _copy_name(bench: Workbench) -> None:
    rig, joints = bench.stage.rig, bench.stage.joints
    if rig is not None and joints:
        QGuiApplication.clipboard().setText("\n".join(map(rig.nodes.label, joints)))


def _no_joint(bench: Workbench) -> str:
    return "" if bench.stage.joint is not None else "No joint is selected."


ROWS: tuple[Action, ...] = (
    Action(
        "undo",
        "Edit",
        "Undo",
        undo,
        ("Ctrl+Z",),
        "arrow-u-up-left",
        why_not=_no_undo,
        text_now=lambda bench: _named("Undo", "Undo {step}", bench.document.undo_name),
        greyed=True,
    ),
    Action(
        "redo",
        "Edit",
        "Redo",
        redo,
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "arrow-u-up-right",
        why_not=_no_redo,
        text_now=lambda bench: _named("Redo", "Redo {step}", bench.document.redo_name),
        greyed=True,
    ),
    Action(
        "preferences",
        "Edit",
        "Preferences…",
        lambda bench: bench.shell.preferences_asked.emit(),
        ("Ctrl+,",),
        "gear",
        always=True,
    ),
    Action("history", "Edit", "History…", show_history, ("Ctrl+H",), "clock-counter-clockwise"),
    Action(
        "search",
        "Edit",
        "Search joints",
        search_joints,
        ("Ctrl+F",),
        "magnifying-glass",
        divider=True,
    ),
    Action(
        "clear_selection", "Edit", "Select nothing", select_nothing, ("Ctrl+D",), "selection-slash"
    ),
    Action(
        "copy_name",
        "Edit",
        "Copy the joint's name",
        _copy_name,
        icon="copy",
        why_not=_no_joint,
        contexts=("joint",),
    ),
)
