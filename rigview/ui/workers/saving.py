"""Saving a repaired copy, and asking before changes are lost."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rigview.core.text import count, shortened
from rigview.io import SaveError, save
from rigview.io.inputs import is_same_file, protected, release
from rigview.ui.dialogs.question import Question, bullets
from rigview.ui.dialogs.save_dialog import SaveDialog
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.workers.checking import Checker

_DISCARD, _KEEP = "Discard", "Save copy…"


class Saver(QObject):
    """Writes the document's rig.

    `said` carries what came of it, `failed` a title and a reason, `noted` a title and what the copy
    leaves out.
    """

    said = Signal(str, bool)
    failed = Signal(str, str)
    noted = Signal(str, str)
    saved = Signal(object)

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
        errors, warnings = (count(counts[severity], severity) for severity in ("error", "warning"))
        notes = f", {count(len(report.notes), 'note')}" if report.notes else ""
        return (
            f"Left in the {self._checker.profile} profile: {errors}, {warnings}, "
            f"{counts['info']} for information{notes}."
        )

    def write(self, target: Path, then: Callable[[], object] | None = None) -> None:
        """Write the present rig in a worker."""
        loaded, rig = self._document.loaded, self._document.rig
        if loaded is None or rig is None:
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
            self.said.emit(f"Saved {target}", False)
            if notes:
                self.noted.emit(
                    f"{shortened(target.name)} does not carry everything", "; ".join(notes)
                )
            if then is not None:
                then()

        title = f"{shortened(target.name)} could not be saved"
        failed = refused(SaveError, lambda error: self.failed.emit(title, str(error)))
        self._jobs.run(f"Saving {target.name}", work, done, failed)

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
                f"These changes to {path.name} are not saved:",
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
