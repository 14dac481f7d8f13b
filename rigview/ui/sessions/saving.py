"""Telling what is open: a snapshot in the window's thread, its records in a worker."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from rigview.app.sessions import digest
from rigview.core.rig import Rig
from rigview.io import Loaded
from rigview.io.rig_records import record_of
from rigview.io.session_files import SavedRig, SavedSession, SavedStep
from rigview.ui.document import DocumentState, UndoStep
from rigview.ui.sessions.kept import KEPT
from rigview.ui.sessions.views import view_to_json
from rigview.ui.tabs.open_rigs import OpenRig, OpenRigs

# Older states go into the first that is kept: a record of a stroke over 24,000 vertices has .3 MB.
_MOST_STEPS = 50


@dataclass(frozen=True, eq=False)
class SessionSnapshot:
    """What is open at one moment: values, which any thread may read."""

    rigs: tuple[tuple[Loaded, DocumentState, dict[str, Any], dict[str, Any]], ...]
    current: int


def snapshot(rigs: OpenRigs) -> SessionSnapshot:
    """Return what is open now; call it in the window's thread."""
    rigs.keep()
    taken = (
        (rig.held.loaded, _copied(rig), view_to_json(rig.view), _extras(rig))
        for rig in rigs.rigs
        if rig.held.loaded is not None
    )
    return SessionSnapshot(tuple(taken), rigs.current)


def _copied(rig: OpenRig) -> DocumentState:
    held = rig.held
    copy = DocumentState(held.loaded, list(held.steps), held.at, held.saved_at)
    copy.recipes, copy.overrides = dict(held.recipes), held.overrides
    return copy


def _extras(rig: OpenRig) -> dict[str, Any]:
    return {row.name: row.told(rig.held) for row in KEPT}


class SessionMaker:
    """Turns snapshots into sessions; a rig is written once, however often it is told of."""

    def __init__(self) -> None:
        self._names: WeakKeyDictionary[Rig, str] = WeakKeyDictionary()
        self._digests: WeakKeyDictionary[Rig, str] = WeakKeyDictionary()

    def session(self, taken: SessionSnapshot) -> SavedSession:
        """Return a session; the names of records are given here."""
        rigs = tuple(self._rig(*parts) for parts in taken.rigs)
        written = datetime.now().astimezone().isoformat(timespec="seconds")
        return SavedSession(rigs, max(taken.current, 0), written)

    def records(self, taken: SessionSnapshot, left_out: set[str]) -> Iterator[tuple[str, bytes]]:
        """Give the records of a snapshot's rigs that are not there already."""
        for loaded, held, *_ in taken.rigs:
            for step in _steps(held)[1:]:
                name = self._name(loaded, step.deformer.rig)
                if name and name not in left_out:
                    yield name, record_of(step.deformer.rig, loaded.rig)

    def _name(self, loaded: Loaded, rig: Rig) -> str:
        """Return what a rig's record is called; empty for the rig as the file has it."""
        if rig is loaded.rig:
            return ""
        if rig not in self._names:
            self._names[rig] = uuid4().hex
        return self._names[rig]

    def _rig(
        self, loaded: Loaded, held: DocumentState, view: dict[str, Any], extras: dict[str, Any]
    ) -> SavedRig:
        if loaded.rig not in self._digests:
            self._digests[loaded.rig] = digest(loaded.path)
        steps = _steps(held)
        cut = len(held.steps) - len(steps)
        return SavedRig(
            file=str(loaded.path.resolve()),
            sha256=self._digests[loaded.rig],
            overrides=held.overrides,
            steps=tuple(
                SavedStep(s.name, s.parts, self._name(loaded, s.deformer.rig) if i else "")
                for i, s in enumerate(steps)
            ),
            at=max(held.at - cut, 0),
            saved_at=held.saved_at if held.saved_at <= 0 else max(held.saved_at - cut, -1),
            view=view,
            recipes={name: asdict(recipe) for name, recipe in held.recipes.items()},
            extras=extras,
        )


def _steps(held: DocumentState) -> list[UndoStep]:
    """Return the states that are kept: all, or the file and the last of them."""
    cut = len(held.steps) - 1 - _MOST_STEPS
    # What was undone long ago is not worth the present state.
    cut = min(cut, held.at - 1)
    if cut <= 0:
        return held.steps
    gone = held.steps[1 : cut + 2]
    first = gone[-1]
    names = tuple(name for step in gone for name in step.parts or (step.name,))
    return [held.steps[0], UndoStep(first.name, first.deformer, names), *held.steps[cut + 2 :]]
