"""The rigs that are open: one is in the document, the others are held until they are shown again."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from rigview.check.measures.facts import forget_all_but
from rigview.io.inputs import is_same_file
from rigview.ui.document import Document, DocumentState
from rigview.ui.view_state import State, ViewState
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.opening import Opener

# What is the window's and not a rig's.
_OF_THE_WINDOW = {"theme", "playing", "brush", "weight_brush", "note_tool"}


@dataclass(eq=False)
class OpenRig:
    """An open rig: what the document had, and how it was looked at.

    Parameters
    ----------
    severity
        Of its worst finding, as far as it was checked: "ok" without any; empty where it was not.
    """

    held: DocumentState
    view: ViewState
    severity: str = ""


class OpenRigs(QObject):
    """All open rigs in the order of their tabs; every one keeps its view and its undo steps.

    `changed` says that other rigs are open, that another is shown or what a tab tells is new; `leaving`
    that another rig is about to be shown, so that what is tried or looked at is to be left; `arrived` that
    another one is there. They carry nothing.
    """

    changed = Signal()
    leaving = Signal()
    arrived = Signal()

    def __init__(self, document: Document, state: State, checker: Checker, opener: Opener) -> None:
        super().__init__()
        self._document, self._state = document, state
        self._checker, self._opener = checker, opener
        self.rigs: list[OpenRig] = []
        self.current = -1
        # Files that are opened one after the other.
        self._waiting: deque[Path] = deque()
        opener.arriving.connect(self._make_place)
        opener.opened.connect(self._opened)
        opener.refused.connect(self._refused)
        document.changed.connect(self.changed)
        document.saved.connect(self.changed)
        document.noted.connect(self.changed)
        document.asked.connect(self.changed)
        checker.checked.connect(self._judge)

    def _make_place(self) -> None:
        """Give what is about to be opened a tab of its own, where there is none it belongs into."""
        if self.current < 0 or self._opener.is_beside:
            self.keep()
            if self.current >= 0:
                self.leaving.emit()
            self.rigs.append(OpenRig(DocumentState(), self._state.value))
            self.current = len(self.rigs) - 1
        self.rigs[self.current].severity = ""

    def _opened(self, _result: object) -> None:
        self.keep()
        self.changed.emit()
        self._open_next()

    def _refused(self, _path: Path, _error: object) -> None:
        self._open_next()

    def open_all(self, paths: Iterable[Path]) -> None:
        """Open files in tabs of their own, one after the other; one that is open is shown."""
        self._waiting.extend(paths)
        if not self._opener.is_busy:
            self._open_next()

    def _open_next(self) -> None:
        while self._waiting:
            path = self._waiting.popleft()
            number = self.number_of(path)
            if number is None:
                self._opener.open(path, beside=self.current >= 0)
                return
            self.show(number)

    def number_of(self, path: Path) -> int | None:
        """Return the number of the tab in which a file is open."""
        for number in range(len(self.rigs)):
            own = self.path(number)
            if own is not None and (own == path or is_same_file(own, path)):
                return number
        return None

    def path(self, number: int) -> Path | None:
        """Return the file of an open rig."""
        loaded = self._held(number).loaded
        return loaded.path if loaded is not None else None

    def _held(self, number: int) -> DocumentState:
        return self._document.held if number == self.current else self.rigs[number].held

    def keep(self) -> OpenRig | None:
        """Take note of what the document has and how it is looked at now; None while nothing is open."""
        if self.current < 0:
            return None
        rig = self.rigs[self.current]
        rig.held, rig.view = self._document.held, self._state.value
        return rig

    def show(self, number: int) -> None:
        """Show another open rig as it was left."""
        if number == self.current or not 0 <= number < len(self.rigs):
            return
        self.leaving.emit()
        self._opener.step_back()
        self.keep()
        self._take(number)

    def _take(self, number: int) -> None:
        self.current = number
        rig = self.rigs[number]
        view = rig.view
        self._document.show(rig.held)
        self._state.update(**_of_the_rig(view))
        self.arrived.emit()
        self.changed.emit()

    def step(self, offset: int) -> None:
        """Show the next open rig, or the one before; behind the last comes the first."""
        if self.rigs:
            self.show((self.current + offset) % len(self.rigs))

    def move(self, number: int, to: int) -> None:
        """Give a tab another place."""
        current = self.rigs[self.current] if self.current >= 0 else None
        self.rigs.insert(to, self.rigs.pop(number))
        if current is not None:
            self.current = self.rigs.index(current)
        self.changed.emit()

    def drop(self, number: int) -> None:
        """Close a rig whatever is unsaved in it; its neighbour is shown, or nothing."""
        if number != self.current:
            del self.rigs[number]
            self.current -= number < self.current
            forget_all_but(self._document.rig)
            self.changed.emit()
            return
        self.leaving.emit()
        self._opener.step_back()
        del self.rigs[number]
        self.current = -1
        # What is under way for the rig may keep it until it ends; what ended shall not.
        forget_all_but(None)
        if self.rigs:
            self._take(min(number, len(self.rigs) - 1))
            return
        self._document.show(DocumentState())
        self._state.update(**_of_the_rig(ViewState(methods=self._state.value.methods)))
        self.changed.emit()

    def add(self, rigs: Iterable[OpenRig], current: int) -> None:
        """Open rigs that were put together elsewhere, beside those that are open, and show one of them."""
        rigs = list(rigs)
        if not rigs:
            return
        self.leaving.emit()
        self._opener.step_back()
        self.keep()
        start = len(self.rigs)
        self.rigs += rigs
        self._take(start + min(max(current, 0), len(rigs) - 1))

    def is_changed(self, number: int) -> bool:
        """Tell whether a rig has changes that are not saved."""
        held = self._held(number)
        return held.is_changed or held.has_unsaved_notes

    @property
    def unsaved(self) -> list[int]:
        """The tabs whose rigs have changes that are not saved."""
        return [number for number in range(len(self.rigs)) if self.is_changed(number)]

    def close(self, number: int, before_losing: Callable[[Callable[[], None]], object]) -> None:
        """Close a rig, after asking where that would lose changes: what is asked about is shown."""
        if not 0 <= number < len(self.rigs):
            return
        if not self.is_changed(number):
            self.drop(number)
            return
        self.show(number)
        rig = self.rigs[number]
        before_losing(lambda: self.drop(self.rigs.index(rig)) if rig in self.rigs else None)

    def _judge(self) -> None:
        """Take note of the worst finding of the rig on show."""
        if self.current < 0 or not self._checker.is_current or self._checker.report is None:
            return
        counts = self._checker.report.counts()
        worst = "error" if counts["error"] else "warning" if counts["warning"] else "ok"
        rig = self.rigs[self.current]
        if rig.severity != worst:
            rig.severity = worst
            self.changed.emit()


def _of_the_rig(view: ViewState) -> dict[str, Any]:
    """Return what of a view belongs to a rig; nothing plays and nothing is painted at first."""
    kept = {f.name: getattr(view, f.name) for f in fields(view) if f.name not in _OF_THE_WINDOW}
    return kept | {"playing": False, "brush": None, "weight_brush": None}
