"""The actions of the menu File: opening, comparing, saving, exporting."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PySide6.QtWidgets import QDialog, QFileDialog

from rigview.app.review_folder import refusal
from rigview.core.text import shortened
from rigview.io import suffix_filter
from rigview.io.session_files import SUFFIX
from rigview.render import video
from rigview.ui.actions.row import Action
from rigview.ui.dialogs.text_dialog import TextDialog
from rigview.ui.dialogs.units_dialog import UnitsDialog
from rigview.ui.widgets.words import capital, file_kinds, tr
from rigview.ui.workbench import Workbench

# Further kinds of file that can be opened: name → endings.
_PICTURES = {"Pictures with a view": "*.png"}
_SESSIONS = {"Sessions": f"*{SUFFIX}"}


def ask_for_rig(
    bench: Workbench, title: str, also: Mapping[str, str] = MappingProxyType({})
) -> Path | None:
    """Ask for a rig, beside the one that is open or was last; `also` are further kinds of file."""
    recent = next(iter(bench.settings.recent), Path.cwd() / "x")
    here = bench.document.path or recent
    patterns = " ".join(f"*{suffix}" for suffix in suffix_filter())
    kinds = file_kinds({"Rigs": patterns, **also, "All files": "*"})
    name, _ = QFileDialog.getOpenFileName(bench.host, tr(title), str(here.parent), kinds)
    return Path(name) if name else None


def open_file(bench: Workbench) -> None:
    """Ask for a file and open it."""
    path = ask_for_rig(bench, "Open a rig", {**_SESSIONS, **_PICTURES})
    if path is not None:
        bench.open_path(path)


def open_in_tab(bench: Workbench) -> None:
    """Ask for a file and open it in a tab of its own."""
    path = ask_for_rig(bench, "Open a rig in a new tab", _PICTURES)
    if path is not None:
        bench.open_beside([path])


def save_session(bench: Workbench) -> None:
    """Ask for a name, and save all that is open under it."""
    sessions = bench.sessions
    first = bench.rigs.path(bench.rigs.current) or Path.cwd() / "rigs"
    proposed = sessions.path or first.with_suffix(SUFFIX)
    name, _ = QFileDialog.getSaveFileName(
        bench.host, tr("Save the session"), str(proposed), file_kinds(_SESSIONS)
    )
    if name:
        sessions.save(Path(name) if name.lower().endswith(SUFFIX) else Path(f"{name}{SUFFIX}"))


def _nothing_left(bench: Workbench) -> str:
    return "" if bench.sessions.left is not None else "No window was left without closing it."


def _no_other_rig(bench: Workbench) -> str:
    return "" if len(bench.rigs.rigs) > 1 else "No other rig is open."


def read_again(bench: Workbench) -> None:
    """Read the file again, keeping the view."""
    path = bench.document.path
    if path is not None:
        bench.message.hide()
        bench.saver.before_losing(bench.host, lambda: bench.reload(path))


def ask_units(bench: Workbench) -> QDialog | None:
    """Ask for unit, up axis and frame rate, and read the file again by them."""
    path, rig = bench.document.path, bench.document.rig
    if path is None or rig is None:
        return None
    dialog = UnitsDialog(bench.host, path, rig.origin)
    dialog.chosen.connect(lambda overrides: bench.open_again(path, overrides))
    dialog.open()
    return dialog


def compare(bench: Workbench) -> None:
    """Ask for another file and show it beside this one."""
    path = ask_for_rig(bench, "Compare with")
    if path is not None:
        bench.retargeter.leave()
        bench.comparer.open(path)


def show_differences(bench: Workbench) -> QDialog:
    """Show in full what changed between the two files."""
    dialog = TextDialog(bench.host, "Differences", bench.comparer.text)
    dialog.open()
    return dialog


def export_page(bench: Workbench) -> None:
    """Export a page for review."""
    exporter, checker = bench.exporter, bench.checker
    if bench.document.path is None:
        return
    proposed = str(exporter.proposed("review", ".html"))
    title = tr("Export review page")
    name, _ = QFileDialog.getSaveFileName(bench.host, title, proposed, "HTML (*.html)")
    if name:
        current = checker.rig is bench.document.rig
        exporter.write_page(Path(name), checker.report if current else None)


def export_review(bench: Workbench) -> None:
    """Export a folder for review."""
    if bench.document.path is None:
        return
    proposed = str(bench.exporter.proposed("review", ""))
    name, _ = QFileDialog.getSaveFileName(
        bench.host,
        tr("Export review folder"),
        proposed,
        options=QFileDialog.Option.ShowDirsOnly,
    )
    if not name:
        return
    folder = Path(name)
    reason = refusal(folder)
    if reason:
        title = tr("{file} could not be written", file=shortened(folder.name))
        words = tr("{reason}: choose a new name.", reason=capital(tr(reason)))
        bench.message.show_message("error", title, words)
        return
    bench.exporter.write_review(folder, bench.checker.wish)


def export_film(bench: Workbench, *, turns: bool = False) -> None:
    """Export the clip on show as a film."""
    try:
        video.require()
    except video.VideoError as error:
        bench.status.say(f"{capital(tr(str(error)))}.", undoable=False)
        return
    proposed = str(bench.exporter.proposed("turning" if turns else "movie", ".mp4"))
    kinds = ";;".join(f"{one.name} (*{one.suffix})" for one in video.VIDEOS)
    name, _ = QFileDialog.getSaveFileName(bench.host, tr("Export movie"), proposed, kinds)
    if not name:
        return
    path = Path(name)
    if path.suffix.lower() not in video.BY_SUFFIX:
        path = path.with_name(f"{path.name}{video.VIDEOS[0].suffix}")
    bench.exporter.write_film(path, turns=turns)


ROWS: tuple[Action, ...] = (
    Action("open_file", "File", "Open…", open_file, ("Ctrl+O",), "folder-open", always=True),
    Action(
        "open_in_tab",
        "File",
        "Open in new tab…",
        open_in_tab,
        ("Ctrl+T",),
        "plus",
        always=True,
    ),
    Action("reload", "File", "Reload", read_again, ("Ctrl+R",), "arrow-clockwise"),
    Action("units", "File", "Unit and axes…", ask_units, icon="ruler"),
    Action("compare", "File", "Compare with…", compare, ("Ctrl+Shift+O",), "columns"),
    Action(
        "save_copy",
        "File",
        "Save repaired copy…",
        lambda bench: bench.saver.ask(bench.host),
        ("Ctrl+S", "Ctrl+Shift+S"),
        "floppy-disk",
        divider=True,
    ),
    Action("save_session", "File", "Save session…", save_session, icon="stack"),
    Action(
        "bring_back",
        "File",
        "Bring back what was open",
        lambda bench: bench.sessions.offer(),
        icon="clock-counter-clockwise",
        why_not=_nothing_left,
        always=True,
        greyed=True,
    ),
    Action(
        "screenshot",
        "File",
        "Export picture or turntable…",
        lambda bench: bench.exporter.ask(bench.host),
        ("F12",),
        "camera",
        contexts=("pane",),
    ),
    Action("movie", "File", "Export movie…", export_film, icon="film-strip"),
    Action(
        "turning_movie",
        "File",
        "Export turning movie…",
        lambda bench: export_film(bench, turns=True),
        icon="film-strip",
    ),
    Action("review_page", "File", "Export review page…", export_page, icon="share-network"),
    Action("review_folder", "File", "Export review folder…", export_review, icon="folder-simple"),
    Action(
        "next_tab",
        "File",
        "Next rig",
        lambda bench: bench.rigs.step(1),
        ("Ctrl+Tab", "Ctrl+PgDown"),
        "caret-right",
        why_not=_no_other_rig,
        divider=True,
    ),
    Action(
        "previous_tab",
        "File",
        "Previous rig",
        lambda bench: bench.rigs.step(-1),
        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
        "caret-left",
        why_not=_no_other_rig,
    ),
    Action(
        "close_rig",
        "File",
        "Close rig",
        lambda bench: bench.close_rig(bench.rigs.current),
        ("Ctrl+W",),
        "x",
    ),
    Action(
        "close",
        "File",
        "Quit",
        lambda bench: bench.host.close(),
        ("Ctrl+Q",),
        "sign-out",
        always=True,
        divider=True,
    ),
)
