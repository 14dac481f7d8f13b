"""Saving a repaired copy: what changed, and where the copy goes."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from rigview.core.text import system_reason
from rigview.io import (
    Loaded,
    formats,
    is_amended,
    is_layer_over,
    proposed,
    unstated_in,
    written_suffixes,
)
from rigview.io.inputs import is_same_file
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.dialogs.question import bullets
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import Item, column, down, fill, label, row, unbroken
from rigview.ui.widgets.words import capital, file_kinds, tr


class PathField(QLineEdit):
    """A path to type, with the face of our fields."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.setFixedHeight(28)
        self.setFont(theme.font())
        self.setAccessibleName(tr("File name"))
        self.setStyleSheet(theme.field_sheet(8))


class SaveDialog(Dialog):
    """Lists the changes and asks for a name. `chosen` carries the path.

    Parameters
    ----------
    loaded
        The file as it was opened: a copy in its own format is that file, amended.
    """

    chosen = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        loaded: Loaded,
        changes: tuple[str, ...],
        verdict: str,
    ) -> None:
        super().__init__(parent, "Save repaired copy")
        self._loaded, self._source, self._has_changes = loaded, loaded.path, bool(changes)
        self._suffixes = written_suffixes(loaded)
        self.path = PathField(proposed(self._source, self._suffixes))
        self.warning = label("", "warning", wrap=True)
        self.warning.hide()
        browse = Button("Browse…", "folder-open", tip="Choose a folder and a name", height=28)
        browse.clicked.connect(self._browse)
        cancel = Button("Cancel", height=28)
        cancel.clicked.connect(self.reject)
        self.save = Button("Save copy", "", "primary", height=28)
        self.save.clicked.connect(self._accept)
        self.path.textChanged.connect(self._look)
        self.manner = label("", "text2", wrap=True)
        lines: list[Item] = [self.manner]
        if changes:
            stays = tr("{file} stays as it is. The copy differs in:")
            words = stays.format(file=self._source.name)
            listed = [label(change, wrap=True) for change in bullets(changes)]
            lines = [label(words, "text2", wrap=True), *listed, self.manner]
        self.verdict = label(verdict, "text2")
        lines += [4, self.verdict, 8, self.path, self.warning]
        foot = row(None, browse, cancel, self.save, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        body = column(*lines, margins=(16, 14, 16, 14), spacing=6)
        down(self, Title("Save repaired copy"), (body, 1), foot)
        self.setMinimumWidth(560)
        # Return saves: only a button that is in the dialog already can be its default.
        self.save.setDefault(True)
        self.path.setFocus()
        self._look()

    def _target(self) -> Path:
        return Path(self.path.text()).expanduser()

    def _look(self) -> None:
        """Say what stands in the way, or what would be replaced."""
        try:
            words, usable = self._verdict()
        except OSError as error:
            words, usable = f"{capital(system_reason(error))}.", False
        self.manner.setText(unbroken(self._how()))
        self.warning.setText(unbroken(words))
        self.warning.setVisible(bool(words))
        self.save.setEnabled(usable)
        replaces = is_same_file(self._target(), self._source)
        self.save.setText(tr("Replace the file you opened") if replaces else tr("Save copy"))

    def _how(self) -> str:
        """Return how the copy is made of the file, for the name that is typed."""
        amended = is_amended(self._loaded, self._target())
        if not self._has_changes:
            words = (
                tr("Nothing was changed: the copy is {file}, byte for byte.")
                if amended
                else tr("Nothing was changed: the copy is {file} as a new {kind} file.")
            )
            return words.format(file=self._source.name, kind=self._kind())
        if is_layer_over(self._loaded, self._target()):
            words = tr(
                "The copy is a layer over {file} that holds the changes alone: keep both together."
            )
            return words.format(file=self._source.name)
        if amended:
            unstated = unstated_in(self._target())
            words = tr("The copy is the file itself, amended: what no fix changes stays as it is.")
            more = tr("{unstated}: that stays, too.").format(unstated=unstated)
            return f"{words} {more}" if unstated else words
        words = tr("The copy is written anew as {kind}: what rigview does not read is not in it.")
        return words.format(kind=self._kind())

    def _kind(self) -> str:
        """Return the format of the name that is typed; glTF of one that has none."""
        suffix = self._target().suffix.lower()
        return next((row.name for row in formats() if suffix in row.suffixes), "glTF")

    def _verdict(self) -> tuple[str, bool]:
        """Return what is to be said of the name that is typed, and whether it can be taken."""
        target = self._target()
        words = ""
        usable = True
        if target.suffix.lower() not in self._suffixes:
            ends = tr(" or ").join(self._suffixes)
            words, usable = tr("The name must end in {ends}.").format(ends=ends), False
        elif not target.parent.is_dir():
            words, usable = tr("There is no folder {folder}.").format(folder=target.parent), False
        elif is_same_file(target, self._source):
            words = tr("This replaces {file}, the file you opened.").format(file=target.name)
        elif target.exists():
            words = tr("This replaces {file}.").format(file=target.name)
        return words, usable

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self,
            "Save repaired copy",
            self.path.text(),
            file_kinds({"Rigs": " ".join(f"*{suffix}" for suffix in self._suffixes)}),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            self.path.setText(name)

    def _accept(self) -> None:
        self.chosen.emit(self._target())
        self.accept()
