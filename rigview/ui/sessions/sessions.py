"""The sessions of a window: saving one, opening one, and offering what a crash has left."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from rigview.core.text import count, shortened, verb
from rigview.io import LoadError, SaveError
from rigview.io.session_files import SavedSession, opened_session, save_session
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.panes.strips import MessageStrip
from rigview.ui.sessions.bringing_back import Back, Bringer
from rigview.ui.sessions.folders import LeftBehind, left_behind, state_folder
from rigview.ui.sessions.journal import Journal
from rigview.ui.sessions.saving import SessionMaker, snapshot
from rigview.ui.settings import Settings
from rigview.ui.tabs.open_rigs import OpenRigs
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr


class Sessions(QObject):
    """What is open as a whole.

    `said` carries a sentence (and that it cannot be undone), `failed` a title and a reason, `refused` a
    file and why it cannot be opened.

    Attributes
    ----------
    path
        The session that was opened or saved last; None for no such.
    left
        What a window left behind that ended without closing, as long as nobody has decided about it.
    """

    said = Signal(str, bool)
    failed = Signal(str, str)
    refused = Signal(object, object)
    named = Signal()

    def __init__(
        self, rigs: OpenRigs, state: State, jobs: Jobs, settings: Settings, message: MessageStrip
    ) -> None:
        super().__init__()
        self._rigs, self._jobs, self._message = rigs, jobs, message
        self.path: Path | None = None
        self.left: LeftBehind | None = None
        self._bringer = Bringer(jobs)
        self._bringer.came.connect(self._take)
        place = state_folder()
        self.place = place
        self.journal = None if place is None else Journal(rigs, state, jobs, settings, place)
        if self.journal is not None:
            self.journal.failed.connect(self.failed)
            self.journal.written.connect(self._settle)
        self._settling: LeftBehind | None = None

    def look_for_left(self) -> None:
        """Offer what a window left behind that ended without closing."""
        if self.place is None:
            return
        self.left, faults = left_behind(self.place)
        if faults:
            self.failed.emit("A session is damaged", " ".join(faults))
        elif self.left is not None:
            self.offer()

    def offer(self) -> None:
        """Say what was left behind, and ask what shall become of it."""
        if self.left is None:
            return
        title, words = offer_words(self.left.session)
        self._message.show_message("info", title, words, action=("Show them", self.bring_left))
        self._message.offer("Discard", self.discard_left)

    def bring_left(self) -> None:
        """Open what was left behind."""
        left, self.left = self.left, None
        if left is not None:
            self._message.hide()
            # It is deleted once this window keeps what came of it.
            self._settling = left
            self._bringer.bring(left.session, left.read, left.folder)

    def discard_left(self) -> None:
        """Delete what was left behind."""
        left, self.left = self.left, None
        self._message.hide()
        if left is not None:
            left.remove()

    def _settle(self) -> None:
        left = self._settling
        if left is not None and self._rigs.rigs:
            self._settling = None
            left.remove()

    def open(self, path: Path) -> None:
        """Open a saved session beside what is open."""
        try:
            session, read = opened_session(path)
        except LoadError as error:
            self.refused.emit(path, error)
            return
        self.path = path
        self._bringer.bring(session, read, path.parent)

    def _take(self, back: Back) -> None:
        self._rigs.add(back.rigs, back.current)
        self.named.emit()
        if back.missing:
            title = "Not all of the session is back"
            self._message.show_message(
                "info", title, " ".join(back.missing), "\n".join(back.missing)
            )
            # What did not come back stays where it is.
            if self._settling is not None:
                self._settling.release()
                self._settling = None
        else:
            self.said.emit(
                tr("{rigs} back as they were left.", rigs=count(len(back.rigs), "rig")), False
            )

    def save(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Write all that is open to a ``.rigview``."""
        taken, teller = snapshot(self._rigs), SessionMaker()

        def work(_progress: Progress) -> None:
            session = teller.session(taken)
            save_session(path, session, teller.records(taken, set()))

        def done(_result: None) -> None:
            self.path = path
            self.named.emit()
            self.said.emit(tr("Saved {file}", file=path), False)
            if then is not None:
                then()

        title = tr("{file} could not be saved", file=shortened(path.name))
        failed = refused(SaveError, lambda error: self.failed.emit(title, str(error)))
        self._jobs.run(tr("Saving {file}", file=path.name), work, done, failed)

    def end(self) -> None:
        """Forget what is kept of this window, and leave what nobody has decided about for later."""
        if self.journal is not None:
            self.journal.end()
        for left in (self.left, self._settling):
            if left is not None:
                left.release()


def offer_words(session: SavedSession) -> tuple[str, str]:
    """Return what is offered of a session that was left behind: a title and a sentence."""
    try:
        when = datetime.fromisoformat(session.written).astimezone()
        now = datetime.now().astimezone()
        same_day = when.date() == now.date()
        dated = "rigview ended unexpectedly on {when:%Y-%m-%d} at {when:%H:%M}"
        title = "rigview ended unexpectedly at {when:%H:%M}" if same_day else dated
        ended = tr(title, when=when)
    except ValueError:
        ended = tr("rigview ended unexpectedly")
    names = [Path(rig.file).name for rig in session.rigs]
    unsaved = [(Path(r.file).name, r.unsaved) for r in session.rigs if r.unsaved]
    words = [
        tr(
            "{rigs} {verb} open: {names}.",
            rigs=count(len(names), "rig"),
            verb=verb(len(names), "was", "were"),
            names=", ".join(names),
        )
    ]
    for name, number in unsaved:
        changes = count(number, "unsaved change")
        words.append(tr("{file} has {changes}.", file=shortened(name), changes=changes))
    return ended, " ".join(words)
