"""Export of a screenshot: one pane or all, at any size, with the view stored in the PNG."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from rigview.core.arrays import ByteArray
from rigview.render.look import Look
from rigview.render.review import Review
from rigview.render.scales import has_scale
from rigview.ui import theme
from rigview.ui.boxes import column, fill, label, row
from rigview.ui.controls import Button, Chooser, Segments, Tick
from rigview.ui.fields import Number
from rigview.ui.headings import Title
from rigview.ui.jobs import Jobs, Latest
from rigview.ui.save_dialog import PathField
from rigview.ui.theme import colour

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
BACKGROUNDS = ("Viewport", "Transparent")
_SMALLEST, _LARGEST = 16, 16384
_PREVIEW = 546
# How long nothing must change before the preview is drawn anew.
_PAUSE_MS = 60


# Makes the whole of a picture whose panes have been drawn, in any thread.
Drawing = Callable[[], ByteArray]
# The name of the work on previews and copies.
_DRAWING = "drawing a picture"


@dataclass(frozen=True)
class Export:
    """What the user chose: the picture, where it goes, and whether it can be restored from there."""

    review: Review
    path: Path
    with_session: bool


@dataclass(frozen=True)
class Proposal:
    """What the window shows, for the dialog to start from.

    Parameters
    ----------
    pane
        The chosen one.
    aspect
        Width over height of a pane: what it shows shall be in the picture.
    path
        Where the picture may go.
    """

    review: Review
    pane: int
    aspect: float
    path: Path


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


class ExportDialog(QDialog):
    """Shows the picture as it will be. `chosen` carries an `Export`, `copied` says that one was."""

    chosen = Signal(object)
    copied = Signal()

    def __init__(
        self,
        parent: QWidget,
        proposal: Proposal,
        draw: Callable[[Review], Drawing],
        jobs: Jobs,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export screenshot")
        base = proposal.review
        self._proposal, self._base, self._draw, self._jobs = proposal, base, draw, jobs
        self._previewing = Latest(jobs, _DRAWING, self._show)
        self.panes = Segments(("One pane", "All panes"), 1, "Which panes")
        self.size_chooser = Chooser([f"{w} × {h}" for w, h in SIZES] + ["Custom"], "Size")
        self.size_chooser.setCurrentIndex(1)
        self.width_field = self._side("Width", SIZES[1][0])
        self.height_field = self._side("Height", SIZES[1][1])
        self.background = Chooser(BACKGROUNDS, "Background")
        self.numbers = Tick("Method names and numbers", checked=True)
        self.legend = Tick("Legend of the colours", checked=True)
        self.caption = Tick("File, clip and frame", checked=True)
        self.bones = Tick("Bones", checked=base.look.bones)
        self.axes = Tick("Joint axes", checked=base.look.axes)
        self.session = Tick("Store this view in the PNG", checked=True)
        self.path = PathField(proposal.path)
        self._preview, self._facts = _Preview(), label("", "text3", theme.SMALL, numbers=True)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._redraw)
        self._lay_out()
        # Return saves: only a button that is in the dialog already can be its default.
        self.save.setDefault(True)
        self.path.setFocus()
        self._connect()
        # The dialog is there before its picture is.
        self._timer.start(0)

    def _side(self, name: str, value: int) -> Number:
        field = Number(" px", 0, name=name, step=4.0)
        field.setRange(_SMALLEST, _LARGEST)
        field.setValue(value)
        field.setFixedWidth(76)
        return field

    def _lay_out(self) -> None:
        def line(name: str, *widgets: QWidget) -> QWidget:
            words = label(name, "text2")
            words.setFixedWidth(76)
            return row(words, *widgets, None, spacing=8)

        hint = label(
            "Opening the PNG restores file, time and camera.", "text3", theme.SMALL, wrap=True
        )
        hint.setContentsMargins(84, 0, 0, 0)
        settings = column(
            line("Picture", self.panes),
            line("Size", self.size_chooser),
            line("", self.width_field, label("×", "text3"), self.height_field),
            line("Background", self.background),
            line("Show", self.numbers),
            *([line("", self.legend)] if has_scale(self._base.look) else []),
            line("", self.caption),
            line("", self.bones),
            line("", self.axes),
            line("Session", self.session),
            hint,
            None,
            spacing=10,
        )
        settings.setFixedWidth(280)
        left = column(self._preview, self._facts, spacing=8)
        body = row(left, settings, margins=(14, 14, 14, 12), spacing=16)
        self.copy = Button("Copy", "copy", tip="Copy the picture", height=28)
        cancel = Button("Cancel", height=28)
        self.save = Button("Save PNG", "", "primary", height=28)
        cancel.clicked.connect(self.reject)
        foot = QWidget()
        fill(foot, "background2")
        layout = QHBoxLayout(foot)
        layout.setContentsMargins(14, 10, 14, 12)
        layout.setSpacing(8)
        layout.addWidget(self.path, 1)
        for button in (self.copy, cancel, self.save):
            layout.addWidget(button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        for widget in (Title("Export screenshot"), body, foot):
            outer.addWidget(widget)

    def _connect(self) -> None:
        self.panes.chosen.connect(self._change)
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

    def _change(self) -> None:
        size = (int(self.width_field.value()), int(self.height_field.value()))
        self.size_chooser.setCurrentIndex(SIZES.index(size) if size in SIZES else len(SIZES))
        self._timer.start(_PAUSE_MS)

    @property
    def review(self) -> Review:
        """The picture as it is set up now."""
        methods = self._base.methods
        if self.panes.current == 0:
            methods = (methods[min(self._proposal.pane, len(methods) - 1)],)
        transparent = self.background.currentIndex() == 1
        look: Look = replace(
            self._base.look,
            bones=self.bones.isChecked(),
            axes=self.axes.isChecked(),
            transparent=transparent,
            grid=self._base.look.grid and not transparent,
        )
        wanted = replace(
            self._base,
            methods=methods,
            look=look,
            size=(int(self.width_field.value()), int(self.height_field.value())),
            numbers=self.numbers.isChecked(),
            legend=self.legend.isChecked(),
            caption=self._base.caption if self.caption.isChecked() else "",
        )
        camera = wanted.camera.widened(self._proposal.aspect, wanted.aspect)
        return replace(wanted, camera=camera)

    def _redraw(self) -> None:
        review = self.review
        width, height = review.size
        ratio = self.devicePixelRatioF()
        scale = min(1.0, ratio * _PREVIEW / width, ratio * 374 / height)
        small = (max(16, round(width * scale)), max(16, round(height * scale)))
        drawing = self._draw(replace(review, size=small))
        self._previewing.request(lambda _: drawing())
        self._facts.setText(f"{width} × {height}   {review.samples}× antialiasing")

    def _show(self, pixels: ByteArray) -> None:
        self._preview.picture = to_qimage(pixels)
        self._preview.update()

    def _copy(self) -> None:
        drawing = self._draw(self.review)

        def done(pixels: ByteArray) -> None:
            QGuiApplication.clipboard().setImage(to_qimage(pixels))
            self.copied.emit()

        self._jobs.run(_DRAWING, lambda _: drawing(), done, quiet=True)

    def _save(self) -> None:
        path = Path(self.path.text()).expanduser()
        if path.suffix.lower() != ".png":
            path = path.with_name(f"{path.name}.png")
        self.chosen.emit(Export(self.review, path, self.session.isChecked()))
        self.accept()
