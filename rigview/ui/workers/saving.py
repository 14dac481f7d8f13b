"""Saving a repaired copy, and asking before changes are lost."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rigview.app.partial_repair import CopyTarget, PartialFixes, saved_fixes
from rigview.core.rig import Rig
from rigview.core.text import count, shortened
from rigview.io import Loaded, SaveError, is_amended, save
from rigview.io.inputs import is_same_file, protected, release
from rigview.ui.dialogs.question import Question, bullets
from rigview.ui.dialogs.save_dialog import SaveDialog
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker

_DISCARD, _KEEP = "Discard", "Save copy…"


class Saver(QObject):
    """Writes the document's rig.

    `said` carries what came of it, `failed` a title and a reason, `noted` a title and what the copy
    leaves out, `part_found` a path and the fixes that a copy there could hold where it cannot hold all.
    """

    said = Signal(str, bool)
    failed = Signal(str, str)
    noted = Signal(str, str)
    saved = Signal(object)
    part_found = Signal(object, object)

    def __init__(self, document: Document, checker: Checker, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._checker, self._jobs = document, checker, jobs

    def ask(self, parent: QWidget, then: Callable[[], object] | None = None) -> SaveDialog | None:
        """Open the dialog; `then` is done after the copy is written."""
        path, loaded = self._document.path, self._document.loaded
        if path is None or loaded is None:
            return None
        dialog = SaveDialog(parent, loaded, self._document.changes, self._verdict())
        dialog.chosen.connect(lambda target: self.write(target, then))

        def tell() -> None:
            dialog.verdict.setText(self._verdict())

        # The checks may end while the dialog is open.
        self._checker.checked.connect(tell)
        dialog.finished.connect(lambda _: self._checker.checked.disconnect(tell))
        dialog.open()
        return dialog

    def _verdict(self) -> str:
        report = self._checker.report
        if report is None or not self._checker.is_current:
            return "The checks are still running."
        counts = report.counts()
        left = [
            tr(count(counts["error"], "error")),
            tr(count(counts["warning"], "warning")),
            tr("{number} for information", number=counts["info"]),
            *([tr(count(len(report.notes), "note"))] if report.notes else []),
        ]
        words = "Left in the {profile} profile: {findings}."
        return tr(words, profile=self._checker.profile, findings=", ".join(left))

    def write(self, target: Path, then: Callable[[], object] | None = None) -> None:
        """Write the present rig in a worker."""
        if self._document.rig is not None:
            self._write(target, self._document.rig, then)

    def _write(self, target: Path, rig: Rig, then: Callable[[], object] | None = None) -> None:
        loaded = self._document.loaded
        if loaded is None:
            return

        def work(_progress: Progress) -> tuple[str, ...]:
            with protected(loaded.files):
                if is_same_file(target, loaded.path):
                    # The dialog said so, and the user chose it.
                    release(loaded.files)
                return save(loaded, rig, target)

        def done(notes: tuple[str, ...]) -> None:
            if self._document.rig is rig:
                self._document.mark_saved()
            self.saved.emit(target)
            self.said.emit(tr("Saved {file}").format(file=target), False)
            if notes:
                words = tr("{file} does not carry everything")
                self.noted.emit(words.format(file=shortened(target.name)), "; ".join(notes))
            if then is not None:
                then()

        title = tr("{file} could not be saved").format(file=shortened(target.name))

        def told(error: Exception) -> None:
            self.failed.emit(title, str(error))
            self._offer_part(target, loaded, rig)

        self._jobs.run(tr("Saving {file}", file=target.name), work, done, refused(SaveError, told))

    def _offer_part(self, target: Path, loaded: Loaded, rig: Rig) -> None:
        """Offer to save those fixes that the file's own format can take, where others stand in the way."""
        fixed = self._document.fixed
        rules = {finding.rule for finding in fixed}
        if self._document.rig is not rig or len(rules) < 2 or not is_amended(loaded, target):
            return

        def work(progress: Progress) -> PartialFixes:
            return saved_fixes(CopyTarget(loaded, target), fixed, progress)

        def done(part: PartialFixes) -> None:
            if self._document.rig is rig and part.kept:
                self.part_found.emit(target, part)

        self._jobs.run("Trying what can be saved", work, done)

    def ask_part(self, parent: QWidget, target: Path, part: PartialFixes) -> Question:
        """Say which fixes can be saved and which not, and save the former if that is wanted."""
        kept = tuple(dict.fromkeys(finding.fix.label for finding in part.kept))
        left = tuple(f"{rule}: {reason}" for rule, reason in part.refused.items())
        question = Question(
            parent,
            "Save a part",
            (
                tr("{file} can hold these fixes:", file=target.name),
                *bullets(kept),
                "It cannot hold:",
                *bullets(left),
            ),
            ("Cancel", "Save these alone"),
        )
        question.answered.connect(lambda _words: self._write(target, part.rig))
        question.open()
        return question

    def before_losing(self, parent: QWidget, then: Callable[[], object]) -> Question | None:
        """Do something that loses changes: at once if there are none, else after asking."""
        path = self._document.path
        if not self._document.is_changed or path is None:
            then()
            return None
        question = Question(
            parent,
            "Unsaved changes",
            (
                tr("These changes to {file} are not saved:", file=path.name),
                *bullets(self._document.changes),
            ),
            ("Cancel", _DISCARD, _KEEP),
        )

        def answered(words: str) -> None:
            if words == _DISCARD:
                then()
            else:
                self.ask(parent, then)

        question.answered.connect(answered)
        question.open()
        return question
