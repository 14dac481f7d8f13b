"""Saving a repaired copy, and asking before changes are lost."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from rigview.io import SaveError, save
from rigview.ui.checking import Checker
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress
from rigview.ui.save_dialog import SaveDialog


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

    def ask(self, parent: QWidget, then: Callable[[], None] | None = None) -> SaveDialog | None:
        """Open the dialog; `then` is done after the copy is written."""
        path, loaded = self._document.path, self._document.loaded
        if path is None or loaded is None:
            return None
        dialog = SaveDialog(
            parent, path, self._document.changes, self._verdict(), anew=loaded.source is None
        )
        dialog.chosen.connect(lambda target: self.write(target, then))
        dialog.open()
        return dialog

    def _verdict(self) -> str:
        report = self._checker.report
        if report is None or not self._checker.is_current:
            return "The checks are still running."
        counts = report.counts()
        return (
            f"Left in the {self._checker.profile} profile: {counts['error']} errors, "
            f"{counts['warning']} warnings, {counts['info']} for information."
        )

    def write(self, target: Path, then: Callable[[], None] | None = None) -> None:
        """Write the present rig in a worker."""
        loaded, rig = self._document.loaded, self._document.rig
        if loaded is None or rig is None:
            return

        def work(_progress: Progress) -> tuple[str, ...]:
            return save(loaded, rig, target)

        def done(notes: tuple[str, ...]) -> None:
            if self._document.rig is rig:
                self._document.mark_saved()
            self.saved.emit(target)
            self.said.emit(f"Saved {target}", False)
            if notes:
                self.noted.emit(f"{target.name} does not carry everything", "; ".join(notes))
            if then is not None:
                then()

        def failed(error: BaseException) -> None:
            if not isinstance(error, SaveError):
                raise error
            self.failed.emit(f"{target.name} could not be saved", str(error))

        self._jobs.run(f"Saving {target.name}", work, done, failed)

    def before_losing(self, parent: QWidget, then: Callable[[], None]) -> QMessageBox | None:
        """Do something that loses changes: at once if there are none, else after asking."""
        if not self._document.is_changed or self._document.path is None:
            then()
            return None
        box = QMessageBox(parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("rigview")
        box.setText(f"The repairs of {self._document.path.name} are not saved.")
        box.setInformativeText("\n".join(f"•  {c}" for c in self._document.changes))
        keep = box.addButton("Save copy…", QMessageBox.ButtonRole.AcceptRole)
        lose = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)

        def answered(_: int) -> None:
            if box.clickedButton() is lose:
                then()
            elif box.clickedButton() is keep:
                self.ask(parent, then)

        box.finished.connect(answered)
        box.open()
        return box
