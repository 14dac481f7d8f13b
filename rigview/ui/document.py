"""The one mutable object: the open rig and its undo stack."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.check.applying.rom_trials import RomTrials
from rigview.check.rule import Finding
from rigview.core.deform import Deformer
from rigview.core.review_notes import ReviewNotes
from rigview.core.rig import Rig
from rigview.core.templates.template import Template
from rigview.io import Loaded
from rigview.io.overrides import Overrides
from rigview.render.session import Recipe
from rigview.ui.widgets.words import tr

# Steps before the present one whose rigs stay ready for skinning. Of a character with 24,000 vertices a
# stroke keeps 1.1 MB as a rig and 7.6 MB ready for skinning; undo to further steps computes it again.
READY = 8


@dataclass(frozen=True)
class UndoStep:
    """A state of rig and notes, and the name of the change that led to it.

    Parameters
    ----------
    parts
        What the change consists of, where there are several.
    notes
        None until the file with the notes has been read.
    is_note
        Whether notes were changed, and not the rig.
    fixed
        The findings whose fixes the change consists of, where it is nothing else.
    """

    name: str
    deformer: Deformer
    parts: tuple[str, ...] = ()
    notes: ReviewNotes | None = None
    is_note: bool = False
    fixed: tuple[Finding, ...] = ()


@dataclass(eq=False)
class DocumentState:
    """All that a document has, while another rig is shown in its place.

    Parameters
    ----------
    loaded
        None where nothing is open.
    rehearsals
        What fixes of its rigs are tried in.
    recipes
        Name of a clip that the file does not have → how it was made.
    overrides
        By what the file was read instead of what it states.
    stamp
        When the file was written, and how long it was, as far as the window has taken note of it.
    saved_notes
        The notes as they were last read from disk or written there.
    template
        The skeleton that the rig is to conform to; None keeps the studio's.
    """

    loaded: Loaded | None = None
    steps: list[UndoStep] = field(default_factory=list)
    at: int = 0
    saved_at: int = 0
    rehearsals: RomTrials = field(default_factory=RomTrials)
    recipes: dict[str, Recipe] = field(default_factory=dict)
    overrides: Overrides | None = None
    stamp: tuple[int, int] | None = None
    saved_notes: ReviewNotes = field(default_factory=ReviewNotes)
    template: Template | None = None

    @property
    def is_changed(self) -> bool:
        """Whether the present rig has never been saved as it is."""
        if self.saved_at < 0:
            return bool(self.steps)
        first, last = sorted((self.at, self.saved_at))
        return any(not step.is_note for step in self.steps[first + 1 : last + 1])

    @property
    def notes(self) -> ReviewNotes | None:
        """The present notes on the file; None while they are not read."""
        return self.steps[self.at].notes if self.steps else None

    @property
    def has_unsaved_notes(self) -> bool:
        """Whether the present notes are not those on disk."""
        return self.notes is not None and self.notes != self.saved_notes


class Document(QObject):
    """The rig that the user edits.

    `opened` says that another file is there, `changed` that the rig is another, `saved` that the
    present rig is on disk, `noted` that there are other notes or that they are on disk, `asked` that
    the rig is to conform to another template; they carry nothing. Undo swaps two pointers, since rigs
    and notes are values.
    """

    opened = Signal()
    changed = Signal()
    saved = Signal()
    noted = Signal()
    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._held = DocumentState()

    @property
    def held(self) -> DocumentState:
        """All that the document has; `show` takes it back."""
        return self._held

    @property
    def rehearsals(self) -> RomTrials:
        """What fixes of its rigs are tried in, one after the other."""
        return self._held.rehearsals

    @property
    def recipes(self) -> dict[str, Recipe]:
        """What a clip is called that the file does not have → how it was made."""
        return self._held.recipes

    @property
    def loaded(self) -> Loaded | None:
        """The file as it was read, or None while nothing is open."""
        return self._held.loaded

    @property
    def path(self) -> Path | None:
        """The open file."""
        return self._held.loaded.path if self._held.loaded is not None else None

    @property
    def deformer(self) -> Deformer | None:
        """The present rig, ready for skinning."""
        return self._held.steps[self._held.at].deformer if self._held.steps else None

    @property
    def rig(self) -> Rig | None:
        """The present rig."""
        return self.deformer.rig if self.deformer is not None else None

    def open(self, loaded: Loaded, deformer: Deformer, overrides: Overrides | None = None) -> None:
        """Take over a file that was read; what was open is gone."""
        self.show(DocumentState(loaded, [UndoStep("Open", deformer)], overrides=overrides))

    def show(self, held: DocumentState) -> None:
        """Take over what was held; an empty one closes what is open."""
        self._held = held
        self.opened.emit()
        self.changed.emit()

    @property
    def template(self) -> Template | None:
        """The skeleton that the rig is to conform to; None keeps the studio's."""
        return self._held.template

    def conform_to(self, template: Template | None) -> None:
        """Have the rig conform to another template: that changes nothing of it."""
        if template != self._held.template:
            self._held.template = template
            self.asked.emit()

    def recipe_of(self, clip: int | None) -> Recipe | None:
        """Return how a clip of the present rig was made; None for one that the file has."""
        rig, loaded = self.rig, self._held.loaded
        if rig is None or loaded is None or clip is None or clip < len(loaded.rig.clips):
            return None
        return self.recipes.get(rig.clip_names[clip])

    def replace(
        self,
        deformer: Deformer,
        name: str,
        parts: tuple[str, ...] = (),
        fixed: tuple[Finding, ...] = (),
    ) -> None:
        """Make a changed rig the present one: one undo step with a name for people.

        Parameters
        ----------
        parts
            The names of the changes that the step consists of, where there are several.
        fixed
            The findings whose fixes it consists of, where it is nothing else.
        """
        del self._held.steps[self._held.at + 1 :]
        if self._held.saved_at > self._held.at:
            self._held.saved_at = -1
        step = UndoStep(tr(name), deformer, tuple(map(tr, parts)), self.notes, fixed=fixed)
        self._held.steps.append(step)
        self._held.at += 1
        self._forget_computed()
        self.changed.emit()

    @property
    def notes(self) -> ReviewNotes | None:
        """The present notes on the file; None while they are not read."""
        return self._held.notes

    @property
    def saved_notes(self) -> ReviewNotes:
        """The notes as they were last read from disk or written there."""
        return self._held.saved_notes

    @property
    def has_unsaved_notes(self) -> bool:
        """Whether the present notes are not those on disk."""
        return self._held.has_unsaved_notes

    def take_notes(self, notes: ReviewNotes) -> None:
        """Take over notes that were read: no step of undo."""
        self._held.steps = [replace(step, notes=notes) for step in self._held.steps]
        self.mark_notes_saved(notes)

    def note(self, notes: ReviewNotes, name: str) -> None:
        """Make changed notes the present ones: one undo step with a name for people."""
        held = self._held
        if held.saved_at > held.at:
            # The state on disk stays reachable where only notes were changed since.
            only_notes = all(s.is_note for s in held.steps[held.at + 1 : held.saved_at + 1])
            held.saved_at = held.at if only_notes else -1
        del held.steps[held.at + 1 :]
        held.steps.append(
            UndoStep(tr(name), held.steps[held.at].deformer, notes=notes, is_note=True)
        )
        held.at += 1
        self.noted.emit()

    def mark_notes_saved(self, notes: ReviewNotes) -> None:
        """Remember that these notes are on disk."""
        self._held.saved_notes = notes
        self.noted.emit()

    def _go(self, number: int) -> None:
        """Make a step the present one, and tell what is another one now."""
        before, after = self._held.steps[self._held.at], self._held.steps[number]
        self._held.at = number
        if after.deformer.rig is not before.deformer.rig:
            self.changed.emit()
        if after.notes != before.notes:
            self.noted.emit()

    def _forget_computed(self) -> None:
        """Keep only the rigs of steps that are far from the present one."""
        far = self._held.at - READY - 1
        if far >= 0:
            step = self._held.steps[far]
            kept = Deformer(step.deformer.rig, step.deformer.weights)
            self._held.steps[far] = replace(step, deformer=kept)

    def undo(self) -> None:
        """Take the last change back."""
        if self.undo_name is not None:
            self._go(self._held.at - 1)

    def redo(self) -> None:
        """Make the change again that was taken back."""
        if self.redo_name is not None:
            self._go(self._held.at + 1)

    def go_to(self, number: int) -> None:
        """Undo or redo up to a step; 0 is the file as it was opened."""
        wanted = min(max(number, 0), len(self._held.steps) - 1)
        if self._held.steps and wanted != self._held.at:
            self._go(wanted)

    @property
    def step_names(self) -> tuple[str, ...]:
        """The names of all steps, those that were undone too; the first is the file itself."""
        return tuple(step.name for step in self._held.steps)

    @property
    def at(self) -> int:
        """The number of the present step."""
        return self._held.at

    @property
    def saved_rig(self) -> Rig | None:
        """The rig as it is on disk; None where that state is gone."""
        known = 0 <= self._held.saved_at < len(self._held.steps)
        return self._held.steps[self._held.saved_at].deformer.rig if known else None

    @property
    def undo_name(self) -> str | None:
        """The change that undo would take back."""
        return self._held.steps[self._held.at].name if self._held.at > 0 else None

    @property
    def redo_name(self) -> str | None:
        """The change that redo would make."""
        return (
            self._held.steps[self._held.at + 1].name
            if self._held.at + 1 < len(self._held.steps)
            else None
        )

    @property
    def changes(self) -> tuple[str, ...]:
        """The names of the changes between the file and the present rig, oldest first."""
        steps = self._held.steps[1 : self._held.at + 1]
        changed = (step for step in steps if not step.is_note)
        return tuple(name for step in changed for name in step.parts or (step.name,))

    @property
    def fixed(self) -> tuple[Finding, ...]:
        """The findings that were fixed since the file was opened; none where anything else was changed."""
        steps = [step for step in self._held.steps[1 : self._held.at + 1] if not step.is_note]
        if not all(step.fixed for step in steps):
            return ()
        return tuple(finding for step in steps for finding in step.fixed)

    @property
    def is_changed(self) -> bool:
        """Whether the present rig has never been saved as it is."""
        return self._held.is_changed

    def mark_saved(self) -> None:
        """Remember that the present rig is on disk."""
        self._held.saved_at = self._held.at
        self.saved.emit()
