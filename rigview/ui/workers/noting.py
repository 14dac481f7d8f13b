"""The notes on the open file: read beside it, written, drawn, taken in from reviewers, and saved."""

import contextlib
import getpass
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QWidget

from rigview.core.review_notes import (
    NotedVertex,
    NoteStroke,
    ReviewNote,
    ReviewNotes,
    merged,
)
from rigview.core.text import count, one_line, shortened
from rigview.io import LoadError, SaveError
from rigview.io.review_notes import notes_beside, read_notes, save_notes, sidecar
from rigview.render.note_view import camera_of, pane_of, sees_as
from rigview.ui.dialogs.question import Question
from rigview.ui.document import Document
from rigview.ui.panes.ink import clip_name
from rigview.ui.panes.ink_words import InkWords
from rigview.ui.panes.viewport import Panes
from rigview.ui.settings import Settings
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr

_DISCARD, _SAVE = "Discard", "Save notes"


class Noter(QObject):
    """Changes the document's notes; each change is a step of undo.

    `said` and `failed` are as those of `Saver`; `chosen_changed` says that another note is chosen, or
    none.
    """

    said = Signal(str, bool)
    failed = Signal(str, str)
    chosen_changed = Signal()

    def __init__(
        self, document: Document, stage: Stage, state: State, panes: Panes, settings: Settings
    ) -> None:
        super().__init__()
        self._document, self._stage, self._state = document, stage, state
        self._panes, self._settings = panes, settings
        self._chosen: str | None = None
        # The file that is open, and its notes where they are not on disk: they outlive reading it again.
        self._unsaved: tuple[Path, ReviewNotes] | None = None
        document.opened.connect(self._opened)
        document.noted.connect(self._noted)
        panes.inked.connect(self._inked)

    @property
    def notes(self) -> ReviewNotes:
        """The notes on the open file."""
        return self._document.notes or ReviewNotes()

    @property
    def chosen(self) -> ReviewNote | None:
        """The chosen note."""
        return next((note for note in self.notes.each if note.id == self._chosen), None)

    @property
    def author(self) -> str:
        """Who writes notes in this window: as the preferences say, else the account's name."""
        account = ""
        with contextlib.suppress(OSError, KeyError, ImportError):
            account = getpass.getuser()
        return self._settings.read("note_author", "") or account

    def set_author(self, name: str) -> None:
        """Remember who writes notes; nobody for the account's name."""
        self._settings.write("note_author", name)

    def _opened(self) -> None:
        path, self._chosen = self._document.path, None
        kept, self._unsaved = self._unsaved, None
        if path is not None and self._document.notes is None:
            notes = ReviewNotes(path.name)
            try:
                notes = notes_beside(path)
            except LoadError as error:
                self.failed.emit("The notes cannot be read", f"{error}.")
            self._document.take_notes(notes)
            if kept is not None and kept[0] == path:
                self._document.note(kept[1], "Notes")
        self._noted()
        self.chosen_changed.emit()

    def _noted(self) -> None:
        self._panes.ink.notes = self.notes
        path = self._document.path
        unsaved = path is not None and self._document.has_unsaved_notes
        self._unsaved = (path, self.notes) if unsaved and path is not None else None
        self._panes.canvas.update()
        if self._chosen is not None and self.chosen is None:
            self.choose(None)

    def choose(self, note: ReviewNote | None) -> None:
        """Choose a note, which does not go there."""
        wanted = None if note is None else note.id
        if wanted != self._chosen:
            self._chosen = wanted
            self.chosen_changed.emit()

    def go_to(self, note: ReviewNote) -> None:
        """Show what a note is about: clip, time, pane, camera, joint, vertex, as far as they are there."""
        rig, state = self._stage.rig, self._state.value
        if rig is None:
            return
        self.choose(note)
        names = [one_line(name) for name in rig.clip_names]
        change: dict[str, object] = {"playing": False}
        if note.clip is None:
            change["clip"] = None
        elif one_line(note.clip) in names:
            number = names.index(one_line(note.clip))
            clip = rig.clips[number]
            change |= {"clip": number, "time": min(max(note.time, clip.start), clip.end)}
        else:
            self.said.emit(
                tr("The file has no clip {clip}.", clip=shortened(one_line(note.clip))), False
            )
        joints = {one_line(rig.nodes.label(joint)): joint for joint in rig.joints}
        if note.joint is not None and one_line(note.joint) in joints:
            change |= {"joint": joints[one_line(note.joint)], "vertex": None}
        if note.vertex is not None:
            change |= self._vertex(note.vertex)
        if note.method in state.methods:
            change["pane"] = pane_of(note, state.methods)
        if note.view is not None:
            change["camera"] = camera_of(note.view, state.camera, self._panes.aspect)
        self._state.update(**change)

    def _vertex(self, vertex: NotedVertex) -> dict[str, object]:
        rig = self._stage.rig
        if rig is None:
            return {}
        for number, part in enumerate(rig.parts):
            points = len(rig.primitive(part).positions)
            if one_line(rig.nodes.label(part.node)) == vertex.mesh and vertex.number < points:
                return {"vertex": (number, vertex.number)}
        return {}

    def add(
        self, words: str, strokes: tuple[NoteStroke, ...] = (), pane: int | None = None
    ) -> None:
        """Add a note on what is on show, and choose it; one without words and strokes is none."""
        if self._stage.rig is None or not (words.strip() or strokes):
            return
        note = replace(self._here(pane), words=words.strip(), strokes=strokes)
        self._change(note, tr("Add note {number}", number=len(self.notes.each) + 1))

    def _here(self, pane: int | None) -> ReviewNote:
        """Return an empty note on what is on show."""
        state, rig = self._state.value, self._stage.rig
        number = state.pane if pane is None else pane
        areas = self._panes.logical_panes()
        joint, vertex = self._stage.joint, state.vertex
        name = clip_name(self._stage)
        noted = None
        if rig is not None and vertex is not None:
            mesh = one_line(rig.nodes.label(rig.parts[vertex[0]].node))
            noted = NotedVertex(mesh, vertex[1])
        return ReviewNote(
            secrets.token_hex(12),
            "",
            author=self.author,
            clip=name,
            time=0.0 if name is None else round(state.time, 6),
            frame=None if name is None else round(state.time * state.fps, 2),
            method=self._stage.methods[min(number, len(self._stage.methods) - 1)],
            joint=None if rig is None or joint is None else rig.nodes.label(joint),
            vertex=noted,
            view=self._panes.ink.view(number, areas[min(number, len(areas) - 1)]),
        )

    def write(self, note: ReviewNote, words: str) -> None:
        """Give a note other words."""
        if words.strip() != note.words:
            number = self.notes.number(note.id)
            self._change(
                replace(note, words=words.strip()), tr("Change note {number}", number=number)
            )

    def delete(self, note: ReviewNote) -> None:
        """Delete a note."""
        number = self.notes.number(note.id)
        self._document.note(
            self.notes.without(note.id, _now()), tr("Delete note {number}", number=number)
        )
        self.said.emit(tr("Deleted note {number}.", number=number), True)

    def _change(self, note: ReviewNote, name: str) -> None:
        self._document.note(self.notes.with_note(replace(note, changed=_now())), name)
        self.choose(note)
        self.chosen_changed.emit()

    def _inked(self, stroke: NoteStroke, pane: int) -> None:
        """Take a stroke over; a text asks for its words where it stands."""
        if stroke.kind != "text":
            self._draw(stroke, pane)
            return
        area = self._panes.logical_panes()[pane]
        x, y = stroke.points[0]
        at = QPointF(area.x() + x * area.width(), area.y() + y * area.height()).toPoint()
        field = InkWords(self._panes.canvas, at, area.toRect())
        field.written.connect(
            lambda words: self._draw(replace(stroke, words=one_line(words)), pane)
        )
        field.show()

    def _draw(self, stroke: NoteStroke, pane: int) -> None:
        """Add a stroke to the chosen note where it is about what is on show, else to a new one."""
        chosen = self.chosen
        if chosen is not None and self._is_here(chosen, pane):
            number = self.notes.number(chosen.id)
            strokes = (*chosen.strokes, stroke)
            self._change(
                replace(chosen, strokes=strokes), tr("Draw on note {number}", number=number)
            )
        else:
            self.add("", (stroke,), pane)

    def _is_here(self, note: ReviewNote, pane: int) -> bool:
        here = self._here(pane)
        same_time = (
            note.clip == here.clip and abs(note.time - here.time) * self._state.value.fps < 0.5
        )
        camera = self._state.value.camera_of(pane)
        seen = note.view is not None and sees_as(camera, note.view, self._panes.aspect)
        return same_time and seen and note.method == here.method

    def take_in(self, path: Path) -> None:
        """Merge the notes of a reviewer."""
        try:
            taken = merged(self.notes, read_notes(path))
        except LoadError as error:
            self.failed.emit("The notes cannot be read", f"{error}.")
            return
        if taken.notes == self.notes:
            said = tr(
                "{file} has no note that is not here already, or was deleted here.",
                file=shortened(path.name),
            )
            self.said.emit(said, False)
            return
        self._document.note(taken.notes, tr("Take in notes of {file}", file=shortened(path.name)))
        kept = "{notes} added, {changed} changed."
        words = "{notes} added, {changed} changed, {deleted} deleted." if taken.deleted else kept
        counts = {"changed": taken.changed, "deleted": taken.deleted}
        self.said.emit(tr(words, notes=count(taken.added, "note"), **counts), True)

    def takes(self, paths: Sequence[Path]) -> bool:
        """Take in what was dropped where it is notes on the open file; return whether it was."""
        is_notes = bool(paths) and paths[0].suffix.lower() == ".json"
        if is_notes and self._document.path is not None:
            self.take_in(paths[0])
            return True
        return False

    def save(self) -> bool:
        """Write the notes beside the rig; return whether they are there."""
        path = self._document.path
        if path is None:
            return False
        try:
            self._join(notes_beside(path))
        except LoadError as error:
            # What is there may be mended by hand: it is not written over.
            reason = tr("The file that is there cannot be read, and is kept: {error}.", error=error)
            self.failed.emit("The notes could not be saved", reason)
            return False
        notes = self.notes
        try:
            save_notes(sidecar(path), replace(notes, file=path.name))
        except SaveError as error:
            self.failed.emit("The notes could not be saved", str(error))
            return False
        self._document.mark_notes_saved(notes)
        self.said.emit(tr("Saved {file}", file=sidecar(path)), False)
        return True

    def _join(self, on_disk: ReviewNotes) -> None:
        """Take in what was written beside the rig since it was opened."""
        saved = self._document.saved_notes
        others = tuple(note for note in on_disk.each if note not in saved.each)
        gone = tuple(note for note in on_disk.deleted if note not in saved.deleted)
        taken = merged(self.notes, replace(on_disk, each=others, deleted=gone))
        if taken.notes != self.notes:
            self._document.note(taken.notes, "Take in notes written elsewhere")

    def before_losing(self, parent: QWidget, then: Callable[[], object]) -> Question | None:
        """Do something that loses notes: at once if all are saved, else after asking."""
        path = self._document.path
        if path is None or not self._document.has_unsaved_notes:
            then()
            return None
        lines = (tr("The notes on {file} have changed and are not saved.", file=path.name),)
        question = Question(parent, "Unsaved notes", lines, ("Cancel", _DISCARD, _SAVE))

        def answered(words: str) -> None:
            if words == _DISCARD:
                self._unsaved = None
                then()
            elif self.save():
                then()

        question.answered.connect(answered)
        question.open()
        return question


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
