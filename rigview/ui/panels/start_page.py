"""What is there before anything is open: a place to drop a rig, and samples to begin with."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QMenu, QWidget

from rigview.assets import RESOURCES, SAMPLES
from rigview.io import suffix_filter
from rigview.ui.settings import Settings, told_apart
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import Mark, down, label, row
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr


@dataclass(frozen=True)
class Sample:
    """A sample that is offered: its file or folder below samples/, its picture below resources/."""

    title: str
    words: str
    file: str
    picture: str


SAMPLES_OFFERED = (
    Sample("Biped", "65 joints, two clips", "biped.glb", "biped.png"),
    Sample("Arm with hand", "bend and twist", "arm.glb", "arm.png"),
    Sample("Twisted box", "two joints, 180°", "box.glb", "box.png"),
    Sample("Broken rigs", "one for each rule", "broken", "broken.png"),
)


def broken_samples() -> list[Path]:
    """Return the broken samples, one per rule."""
    folder = SAMPLES / "broken"
    return (
        sorted(p for p in folder.iterdir() if p.suffix in suffix_filter())
        if folder.is_dir()
        else []
    )


class SampleCard(QWidget):
    """A sample to open: picture, name, and what is in it."""

    clicked = Signal()

    def __init__(self, sample: Sample) -> None:
        super().__init__()
        self._sample = sample
        self._picture = QPixmap(str(RESOURCES / "cards" / sample.picture))
        self.setFixedSize(148, 128)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{tr(sample.title)}: {tr(sample.words)}")
        self.setToolTip(tr("Open the sample: {words}", words=tr(sample.words)))

    def sizeHint(self) -> QSize:
        return QSize(148, 128)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, _event: object) -> None:
        self.update()

    def leaveEvent(self, _event: object) -> None:
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        active = self.hasFocus() or self.underMouse()
        painter.setPen(QPen(colour("accent" if active else "edge"), 1))
        painter.setBrush(colour("background1"))
        painter.drawRoundedRect(box, 6, 6)
        area = QRectF(1, 1, 146, 84)
        path = QPainterPath()
        path.addRoundedRect(area, 5, 5)
        painter.save()
        painter.setClipPath(path)
        painter.fillRect(area, _ground(area))
        if not self._picture.isNull():
            painter.drawPixmap(area, self._picture, QRectF(self._picture.rect()))
        painter.restore()
        painter.setFont(font(theme.BODY, theme.SEMIBOLD))
        painter.setPen(colour("text"))
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(10, 89, 130, 18), middle, self._sample.title)
        painter.setFont(font(theme.SMALL))
        painter.setPen(colour("text3"))
        painter.drawText(QRectF(10, 106, 134, 16), middle, self._sample.words)


class StartPage(QWidget):
    """The empty state. `opened` carries a path, `open_asked` wants a file dialog."""

    opened = Signal(object)
    open_asked = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        mark = Mark("download-simple", "text2", 34)
        title = label("Drop a rig here", size=theme.DISPLAY, weight=theme.SEMIBOLD)
        words = label(
            "glTF, FBX, USD, Collada, BVH or VRM. The file is only read; repairs go to a copy.",
            "text2",
        )
        or_ = label("or start with a sample", "text2")
        for item in (title, words, or_):
            item.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open_button = Button("Open…  Ctrl+O", "folder-open", "primary", "Open a rig", 30)
        self.open_button.clicked.connect(self.open_asked)
        self.recent_button = Button(
            "Recent", "clock-counter-clockwise", "plain", "Recent files", 30
        )
        self.recent_button.clicked.connect(self._show_recent)
        self.cards = [
            self._card(sample) for sample in SAMPLES_OFFERED if (SAMPLES / sample.file).exists()
        ]
        buttons = row(None, self.open_button, self.recent_button, None)
        middle = row(None, mark, None), title, words, buttons, 22
        samples = (or_, row(None, *self.cards, None, spacing=12)) if self.cards else ()
        down(self, (None, 2), *middle, *samples, (None, 3), margins=(30, 20, 30, 20), spacing=12)

    def _card(self, sample: Sample) -> SampleCard:
        card = SampleCard(sample)
        target = SAMPLES / sample.file
        if target.is_dir():
            card.clicked.connect(lambda: self._show_broken(card))
        else:
            card.clicked.connect(lambda: self.opened.emit(target))
        return card

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let arrows lead from card to card."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        held = [i for i, card in enumerate(self.cards) if card.hasFocus()]
        if step and held and 0 <= held[0] + step < len(self.cards):
            self.cards[held[0] + step].setFocus()
        else:
            super().keyPressEvent(event)

    def _show_recent(self) -> None:
        recent = self._settings.recent
        self._menu(self.recent_button, told_apart(recent), "No file was opened yet")

    def _show_broken(self, card: SampleCard) -> None:
        self._menu(card, [(p.stem, p) for p in broken_samples()], "There is none")

    def _menu(self, below: QWidget, entries: list[tuple[str, Path]], empty: str) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for name, path in entries:
            action = menu.addAction(name)
            action.setToolTip(plain(str(path)))
            action.triggered.connect(lambda _=False, path=path: self.opened.emit(path))
        if not entries:
            menu.addAction(empty).setEnabled(False)
        menu.popup(below.mapToGlobal(below.rect().bottomLeft()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), _ground(QRectF(self.rect())))


def _ground(area: QRectF) -> QLinearGradient:
    """Return what is behind rigs in the panes, for an area."""
    gradient = QLinearGradient(area.topLeft(), area.bottomLeft())
    gradient.setColorAt(0, colour("viewport_top"))
    gradient.setColorAt(1, colour("viewport_bottom"))
    return gradient
