"""The actions of the menu Review: notes and what is drawn for them."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from rigview.core.review_notes import StrokeKind
from rigview.io.review_notes import as_mail
from rigview.ui.actions.row import Action, Do, IsOn
from rigview.ui.panels.review_notes import TOOLS
from rigview.ui.widgets.words import file_kinds, tr
from rigview.ui.workbench import Workbench


def add_note(bench: Workbench) -> None:
    """Show the notes and begin one on what is on show."""
    bench.shell.panel_asked.emit("Notes")
    bench.notes_panel.start_writing()


def import_notes(bench: Workbench) -> None:
    """Ask for the notes of a reviewer and merge them."""
    path = bench.document.path
    if path is None:
        return
    kinds = file_kinds({"Notes": "*.json *.txt *.eml", "All files": "*"})
    name, _ = QFileDialog.getOpenFileName(bench.host, tr("Import notes"), str(path.parent), kinds)
    if name:
        bench.noter.take_in(Path(name))
        bench.shell.panel_asked.emit("Notes")


def _copy(bench: Workbench) -> None:
    QGuiApplication.clipboard().setText(as_mail(bench.noter.notes))
    bench.status.say("The notes are on the clipboard, as text for an e-mail.", undoable=False)


def _step(direction: int) -> Do:
    def go(bench: Workbench) -> None:
        each, chosen = bench.noter.notes.each, bench.noter.chosen
        at = -1 if chosen is None else each.index(chosen)
        start = at if chosen is not None or direction > 0 else 0
        bench.noter.go_to(each[(start + direction) % len(each)])

    return go


def _delete(bench: Workbench) -> None:
    if bench.noter.chosen is not None:
        bench.noter.delete(bench.noter.chosen)


def _no_notes(bench: Workbench) -> str:
    return "" if bench.noter.notes.each else "There are no notes on this file."


def _none_chosen(bench: Workbench) -> str:
    return "" if bench.noter.chosen is not None else "No note is chosen."


def _all_saved(bench: Workbench) -> str:
    return "" if bench.document.has_unsaved_notes else "All notes are saved."


def _switch(kind: StrokeKind) -> Do:
    def switch(bench: Workbench) -> None:
        now = bench.state.value.note_tool
        bench.state.update(note_tool=None if now == kind else kind)

    return switch


def _is_on(kind: StrokeKind) -> IsOn:
    return lambda bench: bench.state.value.note_tool == kind


def _tool(kind: StrokeKind, *, divider: bool) -> Action:
    icon, words = TOOLS[kind]
    return Action(
        f"draw_{kind}",
        "Review",
        f"Draw: {words.lower()}",
        _switch(kind),
        icon=icon,
        is_on=_is_on(kind),
        kind="switch",
        divider=divider,
    )


ROWS: tuple[Action, ...] = (
    Action(
        "add_note",
        "Review",
        "Add note",
        add_note,
        ("Shift+A",),
        "note-pencil",
        contexts=("joint", "vertex", "pane"),
    ),
    Action("next_note", "Review", "Next note", _step(1), icon="arrow-right", why_not=_no_notes),
    Action("last_note", "Review", "Previous note", _step(-1), icon="arrow-left", why_not=_no_notes),
    Action("delete_note", "Review", "Delete note", _delete, icon="trash", why_not=_none_chosen),
    *(_tool(kind, divider=kind == "arrow") for kind in TOOLS),
    Action(
        "import_notes",
        "Review",
        "Import notes…",
        import_notes,
        icon="download-simple",
        divider=True,
    ),
    Action(
        "save_notes",
        "Review",
        "Save notes",
        lambda bench: bench.noter.save(),
        icon="floppy-disk",
        why_not=_all_saved,
    ),
    Action(
        "copy_notes",
        "Review",
        "Copy notes as text for an e-mail",
        _copy,
        icon="copy",
        why_not=_no_notes,
    ),
)
