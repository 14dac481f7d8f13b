"""The dialog of exports: a picture, a contact sheet or a turntable; one pane or all, at any size."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from rigview.app.movie_files import (
    FORMS,
    PICTURE,
    Form,
    form_of,
    is_numbered,
    numbered,
    refusal,
    renamed,
)
from rigview.core.arrays import ByteArray
from rigview.core.clip import Clip
from rigview.core.text import system_reason
from rigview.render.look import Look
from rigview.render.review import Review, sheet_aspect
from rigview.render.scales import has_scale
from rigview.ui.dialogs.dialog import Dialog
from rigview.ui.dialogs.export_kinds import (
    Fields,
    Kind,
    Sheet,
    SheetFields,
    TurnFields,
    line,
    number,
)
from rigview.ui.dialogs.save_dialog import PathField
from rigview.ui.jobs import Jobs, Latest, Progress
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser, SegmentedControl, Tick
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import column, down, fill, label, row, tint
from rigview.ui.widgets.theme import colour
from rigview.ui.widgets.words import capital, tr

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
_KINDS = ("Picture", "Contact sheet", "Turntable")
# What says so in the names of files.
_WORDS = ("", "sheet", "turn")
BACKGROUNDS = ("Viewport", "Transparent")
_SMALLEST, _LARGEST = 16, 16384
_PREVIEW = 546
# How long nothing must change before the preview is drawn anew.
_PAUSE_MS = 60
# The name of the work on previews and copies.
_DRAWING = "drawing a picture"

# Makes the whole of a picture in any thread, whatever is told of how far it is.
Drawing = Callable[[Progress], ByteArray]


class Artist(Protocol):
    """Who draws what the dialog shows, and knows what it may be called."""

    def preview(self, wanted: Review, kind: Kind, /) -> Drawing:
        """Return what draws a small picture."""

    def drawing(self, wanted: Review, kind: Kind, /) -> Drawing:
        """Return what draws a picture of any size."""

    def proposed(self, word: str = "", ending: str = PICTURE.ending, /) -> Path:
        """Return a name that says what is shown, one that is free.

        Parameters
        ----------
        word
            What is made of it; empty for a picture of the present frame.
        """


@dataclass(frozen=True)
class Export:
    """What the user chose: the picture, where it goes, and whether it can be restored from there."""

    review: Review
    kind: Kind
    path: Path
    with_session: bool


@dataclass(frozen=True)
class ExportDefaults:
    """What the window shows, for the dialog to start from.

    Parameters
    ----------
    pane
        The chosen one.
    aspect
        Width over height of a pane: what it shows shall be in the picture.
    clip
        The one on show.
    rate
        Its frames a second.
    """

    review: Review
    pane: int
    aspect: float
    clip: Clip | None
    rate: float


def to_qimage(pixels: ByteArray) -> QImage:
    """Return ``(H, W, 4)`` pixels as a Qt image of its own memory."""
    height, width = pixels.shape[:2]
    data = np.ascontiguousarray(pixels)
    return QImage(data.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()


class _Preview(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.picture = QImage()
        self.setMinimumSize(_PREVIEW, 374)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour("background0"))
        if self.picture.isNull():
            return
        size = self.picture.size().scaled(
            self.width() - 16, self.height() - 16, Qt.AspectRatioMode.KeepAspectRatio
        )
        left, top = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(left, top, size.width(), size.height()), self.picture)


class ExportDialog(Dialog):
    """Shows the picture as it will be. `chosen` carries an `Export`, `copied` says that one was."""

    chosen = Signal(object)
    copied = Signal()

    def __init__(
        self,
        parent: QWidget,
        proposal: ExportDefaults,
        artist: Artist,
        jobs: Jobs,
    ) -> None:
        super().__init__(parent, "Export")
        base = proposal.review
        self._proposal, self._base, self._artist, self._jobs = proposal, base, artist, jobs
        self._previewing = Latest(jobs, _DRAWING, self._show)
        self.kind = SegmentedControl(_KINDS, 0, "What to export")
        self.sheet = SheetFields(proposal.clip)
        self.turn = TurnFields(proposal.clip, proposal.rate)
        self._fields = (Fields(), self.sheet, self.turn)
        self.panes = SegmentedControl(("One pane", "All panes"), 1, "Which panes")
        self.size_chooser = Chooser([f"{w} × {h}" for w, h in SIZES] + ["Custom"], "Size")
        self.size_chooser.setCurrentIndex(1)
        sides = _SMALLEST, _LARGEST
        self.width_field = number(" px", "Width", SIZES[1][0], sides, 4.0)
        self.height_field = number(" px", "Height", SIZES[1][1], sides, 4.0)
        self.background = Chooser(BACKGROUNDS, "Background")
        self.numbers = Tick("Method names and numbers", checked=True)
        self.legend = Tick("Legend of the colours", checked=True)
        self.caption = Tick("File, clip and frame", checked=True)
        self.bones = Tick("Bones", checked=base.look.bones)
        self.axes = Tick("Joint axes", checked=base.look.axes)
        self.session = Tick("Store this view in the PNG", checked=True)
        self._proposed = artist.proposed()
        self.path = PathField(self._proposed)
        self.preview, self.facts = _Preview(), label("", "text3", theme.SMALL, numbers=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._redraw)
        self.finished.connect(self._timer.stop)
        self.finished.connect(self._previewing.end)
        self._lay_out()
        # Return saves: only a button that is in the dialog already can be its default.
        self.save.setDefault(True)
        self.path.setFocus()
        self._connect()
        self._look()
        # The dialog is there before its picture is.
        self._timer.start(0)

    def _lay_out(self) -> None:
        self._hint = label("", "text3", theme.SMALL, wrap=True)
        self._hint.setContentsMargins(84, 0, 0, 0)
        self._legend_line = line("", self.legend)
        self._legend_line.setVisible(has_scale(self._base.look))
        settings = column(
            line("Panes", self.panes),
            *self._fields,
            line("Size", self.size_chooser),
            line("", self.width_field, label("×", "text3"), self.height_field),
            line("Background", self.background),
            line("Show", self.numbers),
            self._legend_line,
            line("", self.caption),
            line("", self.bones),
            line("", self.axes),
            line("Session", self.session),
            self._hint,
            None,
            spacing=10,
        )
        settings.setFixedWidth(280)
        for fields in self._fields:
            fields.hide()
        left = column(row(self.kind, None), self.preview, self.facts, spacing=8)
        body = row(left, settings, margins=(14, 14, 14, 12), spacing=16)
        self.copy = Button("Copy", "copy", tip="Copy the picture", height=28)
        cancel = Button("Cancel", height=28)
        self.save = Button(tr("Save {form}", form=PICTURE.name), "", "primary", height=28)
        cancel.clicked.connect(self.reject)
        buttons = self.copy, cancel, self.save
        foot = row((self.path, 1), *buttons, margins=(14, 10, 14, 12), spacing=8)
        fill(foot, "background2")
        down(self, Title("Export"), body, foot)

    def _connect(self) -> None:
        self.kind.chosen.connect(self._choose_kind)
        self.panes.chosen.connect(self._change)
        self.sheet.changed.connect(self._change)
        self.turn.changed.connect(self._change)
        self.turn.form.activated.connect(self._name_by_form)
        self.path.textEdited.connect(self._follow_name)
        self.path.textChanged.connect(self._look)
        self.size_chooser.activated.connect(self._choose_size)
        for field in (self.width_field, self.height_field):
            field.valueChanged.connect(self._change)
        self.background.activated.connect(self._change)
        for tick in (self.numbers, self.legend, self.caption, self.bones, self.axes):
            tick.toggled.connect(self._change)
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._save)

    def _choose_size(self, number: int) -> None:
        if number < len(SIZES):
            self.width_field.show_value(SIZES[number][0])
            self.height_field.show_value(SIZES[number][1])
        self._change()

    def _choose_kind(self, chosen: int) -> None:
        for i, fields in enumerate(self._fields):
            # A picture has none of its own, and would only be a gap.
            fields.setVisible(i == chosen and i > 0)
        if self.path.text() == str(self._proposed):
            self._proposed = self._artist.proposed(_WORDS[chosen], self._form.ending)
            self.path.setText(str(self._proposed))
        self._name_by_form()
        self._change()

    def _name_by_form(self) -> None:
        """Let the name end in what is written."""
        path = renamed(Path(self.path.text()), self._form.ending)
        self.path.setText(str(path))

    def _follow_name(self, text: str) -> None:
        """Write what the name ends in."""
        form = form_of(Path(text))
        if form is not None and self._is_turn:
            self.turn.form.setCurrentIndex(FORMS.index(form))

    @property
    def _is_turn(self) -> bool:
        return self._fields[self.kind.current] is self.turn

    @property
    def _form(self) -> Form:
        return self.turn.chosen_form if self._is_turn else PICTURE

    @property
    def target(self) -> Path:
        """Where the export goes: the name that is typed, with an ending of its kind."""
        path = Path(self.path.text()).expanduser()
        fits = form_of(path) is not None if self._is_turn else path.suffix.lower() == ".png"
        return path if fits or not path.name else path.with_name(path.name + self._form.ending)

    def _change(self) -> None:
        size = (int(self.width_field.value()), int(self.height_field.value()))
        self.size_chooser.setCurrentIndex(SIZES.index(size) if size in SIZES else len(SIZES))
        self._look()
        self._timer.start(_PAUSE_MS)

    def _look(self) -> None:
        """Say what will be made, or what stands in the way of it or would be lost by it."""
        review, form, target = self.review, self._form, self.target
        width, height = review.size
        fields = self._fields[self.kind.current]
        facts = (
            f"{width} × {height}",
            *fields.facts,
            tr("{samples}× antialiasing", samples=review.samples),
        )
        wrong = self._fault(target, review.size)
        words, token = "   ".join(facts), "text3"
        if wrong is not None:
            words, token = wrong, "error"
        elif numbered(target, 1).exists():
            words = tr("This replaces {file}.", file=numbered(target, 1).name)
            token = "warning"
        self.facts.setText(words)
        tint(self.facts, token)
        self.save.setEnabled(wrong is None)
        self.save.setText(tr("Save {form}", form=form.name))
        self.save.updateGeometry()
        self.copy.setEnabled(not self._is_turn)
        self.session.setEnabled(form.carries)
        hint = tr("Opening the PNG restores file, time and camera.")
        lost = tr("A {form} cannot carry the view.", form=form.name)
        self._hint.setText(hint if form.carries else lost)

    def _fault(self, target: Path, size: tuple[int, int]) -> str | None:
        """Return why nothing can be written there, in one sentence; None where it can."""
        try:
            if not target.name or target.is_dir():
                return tr("{folder} is a folder: add a name.", folder=target)
            if not target.parent.is_dir() and not is_numbered(target):
                return tr("There is no folder {folder}.", folder=target.parent)
        except OSError as error:
            return f"{capital(system_reason(error))}."
        return refusal(target, size, self.turn.value.rate) if self._is_turn else None

    @property
    def review(self) -> Review:
        """The picture as it is set up now."""
        methods, has_first, cameras = self._base.methods, True, self._base.cameras
        if self.panes.current == 0:
            # The camera of the picture is that of the current pane.
            cameras = {}
            has_first = self._proposal.pane == 0
            methods = (methods[min(self._proposal.pane, len(methods) - 1)],)
        transparent = self.background.currentIndex() == 1
        look: Look = replace(
            self._base.look,
            bones=self.bones.isChecked(),
            axes=self.axes.isChecked(),
            transparent=transparent,
            # Another pane than the first is drawn as it is on show.
            file_look=self._base.look.file_look and has_first,
            grid=self._base.look.grid and not transparent,
        )
        wanted = replace(
            self._base,
            methods=methods,
            cameras=cameras,
            look=look,
            size=(int(self.width_field.value()), int(self.height_field.value())),
            numbers=self.numbers.isChecked(),
            legend=self.legend.isChecked(),
            caption=self._base.caption if self.caption.isChecked() else "",
        )
        kind = self._fields[self.kind.current].value
        aspect = sheet_aspect(wanted, kind.columns) if isinstance(kind, Sheet) else wanted.aspect
        return wanted.seen_by(lambda camera: camera.widened(self._proposal.aspect, aspect))

    @property
    def export(self) -> Export:
        """What would be exported now."""
        kind = self._fields[self.kind.current].value
        carries = self.session.isChecked() and self._form.carries
        return Export(self.review, kind, self.target, carries)

    def _redraw(self) -> None:
        review = self.review
        width, height = review.size
        ratio = self.devicePixelRatioF()
        zoom = min(1.0, ratio * _PREVIEW / width, ratio * 374 / height)
        self._previewing.request(self._artist.preview(review.zoomed(zoom), self.export.kind))

    def _show(self, pixels: ByteArray) -> None:
        self.preview.picture = to_qimage(pixels)
        self.preview.update()

    def _copy(self) -> None:
        drawing = self._artist.drawing(self.review, self.export.kind)

        def done(pixels: ByteArray) -> None:
            QGuiApplication.clipboard().setImage(to_qimage(pixels))
            # The dialog may be closed by now; what was asked for is copied all the same.
            if isValid(self):
                self.copied.emit()

        self._jobs.run(_DRAWING, drawing, done, quiet=True)

    def _save(self) -> None:
        self.chosen.emit(self.export)
        self.accept()
