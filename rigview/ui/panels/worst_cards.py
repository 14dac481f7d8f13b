"""Cards of worst poses, side by side: picture, joint, value against its limit, frame and clip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rigview.core.measures.joint_measures import MEASURES, Level
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.measures.worst_poses import WorstPose
from rigview.ui.widgets import theme
from rigview.ui.widgets.names import fitted_name
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr

CARD, GAP, HIGH = 113, 6, 132
_PICTURE = 68
_SIDE = 6.0
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
# Level → token of its fill.
_FILLS: dict[Level, str] = {"error": "error", "warning": "warning_fill", "fine": "text3"}
# What measures are called where the limit stands beside them.
_SHORT = {"flips": "flips", "intersection": "crossing", "normal": "normals"}
# A bar ends at so many limits: the limit is in its middle.
_BAR_END = 2.0


@dataclass(frozen=True)
class WorstCard:
    """What a card shows.

    Parameters
    ----------
    frame
        Number of the frame in its clip.
    clip
        Its name, "tried" added where the file does not have it.
    """

    worst: WorstPose
    joint: str
    frame: float
    clip: str

    def words(self, number: int, count: int) -> str:
        """Return the card as a screen reader says it."""
        row, worst = MEASURES[self.worst.measure], self.worst
        value, limit = said(worst.measure, worst.value), limit_said(worst.measure, worst.limit)
        words = (
            tr("{number} of {all}", number=number + 1, all=count),
            self.joint,
            f"{tr(row.title.lower())} {tr(value)}",
            tr("limit {limit}", limit=limit),
            tr("frame {frame:.0f} of {clip}", frame=self.frame, clip=self.clip),
            tr(worst.level),
        )
        return ", ".join(words)


class WorstCards(QWidget):
    """The cards; one stop for Tab, arrow keys choose.

    `chosen` carries the number of a card, `left_upwards` says that ↑ was pressed, `removed` that
    Delete was.
    """

    chosen = Signal(int)
    left_upwards = Signal()
    gone_back = Signal()
    removed = Signal()

    def __init__(self, picture: Callable[[WorstPose], QImage | None]) -> None:
        super().__init__()
        self._picture = picture
        self.cards: Sequence[WorstCard] = ()
        self.current: int | None = None
        self.ranked = True
        # Where names are cut that are too long for a card.
        self.elide = Qt.TextElideMode.ElideMiddle
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_cards(())

    def show_cards(self, cards: Sequence[WorstCard], *, ranked: bool = True) -> None:
        """Show other cards.

        Parameters
        ----------
        ranked
            Whether their order stands: while a scan goes on they have no numbers.
        """
        self.cards, self.ranked = cards, ranked
        self.setFixedSize(max(len(cards) * (CARD + GAP) - GAP, 1), HIGH)
        self._describe()
        self.update()

    def select(self, number: int | None) -> None:
        """Show another card as chosen without telling anyone."""
        self.current = number
        self._describe()
        self.update()

    def _describe(self) -> None:
        if self.current is not None and self.current < len(self.cards):
            self.setAccessibleName(self.cards[self.current].words(self.current, len(self.cards)))
        else:
            self.setAccessibleName(tr("Worst poses, {number}", number=len(self.cards)))

    def card_rect(self, number: int) -> QRectF:
        """Return where a card is."""
        return QRectF(number * (CARD + GAP), 0.0, CARD, HIGH)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for number in range(len(self.cards)):
            if self.card_rect(number).contains(event.position()):
                self.chosen.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = Qt.Key(event.key()), len(self.cards) - 1
        if last < 0:
            super().keyPressEvent(event)
            return
        now = -1 if self.current is None else self.current
        wanted = {
            Qt.Key.Key_Right: min(now + 1, last),
            Qt.Key.Key_Left: max(now - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
            Qt.Key.Key_Return: max(now, 0),
            Qt.Key.Key_Enter: max(now, 0),
        }.get(key)
        if wanted is not None:
            self.chosen.emit(wanted)
        elif key == Qt.Key.Key_Up:
            self.left_upwards.emit()
        elif key == Qt.Key.Key_Delete:
            self.removed.emit()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace):
            self.gone_back.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, card in enumerate(self.cards):
            if self.card_rect(number).intersects(QRectF(event.rect())):
                self._paint(painter, number, card)
        if self.hasFocus() and self.current is None:
            painter.setPen(QPen(colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            first = self.card_rect(0) if self.cards else QRectF(self.rect())
            painter.drawRoundedRect(first.adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)

    def _paint(self, painter: QPainter, number: int, card: WorstCard) -> None:
        box, worst = self.card_rect(number), card.worst
        is_chosen = number == self.current
        painter.setPen(QPen(colour("accent"), 2) if is_chosen else QPen(colour("edge"), 1))
        painter.setBrush(colour("selection" if is_chosen else "background2"))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), theme.RADIUS, theme.RADIUS)
        if self.hasFocus() and is_chosen:
            painter.setPen(QPen(colour("selection_text"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 2, 2)
        picture = QRectF(box.left() + 2, 2, CARD - 4, _PICTURE)
        drawn = self._picture(worst)
        if drawn is not None:
            painter.drawImage(picture, drawn)
        else:
            painter.fillRect(picture, colour("background3"))
        self._write_on_picture(painter, picture, number, card)
        strong, quiet = ("selection_text", "selection_text2") if is_chosen else ("text", "text2")
        value = said(worst.measure, worst.value)
        painter.setFont(font(theme.SMALL, theme.SEMIBOLD, numbers=True))
        wide = QFontMetricsF(painter.font()).horizontalAdvance(value)
        at = QRectF(box.left() + _SIDE, _PICTURE + 5, CARD - 2 * _SIDE, 16)
        painter.setPen(colour(strong if is_chosen else _token(worst.level)))
        painter.drawText(at, _RIGHT, value)
        metrics = QFontMetricsF(painter.font())
        painter.setPen(colour(strong))
        room = at.width() - wide - 6
        name = fitted_name(card.joint, room, metrics, self.elide)
        painter.drawText(at, _LEFT, name)
        self._paint_bar(painter, box, worst)
        painter.setFont(font(theme.TICK, numbers=True))
        painter.setPen(colour(quiet))
        line = QRectF(box.left() + _SIDE, _PICTURE + 31, CARD - 2 * _SIDE, 14)
        painter.drawText(line, _LEFT, tr(_SHORT.get(worst.measure, worst.measure)))
        limit = limit_said(worst.measure, worst.limit)
        painter.drawText(line, _RIGHT, tr("limit {limit}", limit=limit))
        small = QFontMetricsF(painter.font())
        clip = small.elidedText(card.clip, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line.translated(0, 14), _LEFT, clip)

    def _write_on_picture(
        self, painter: QPainter, picture: QRectF, number: int, card: WorstCard
    ) -> None:
        """Write rank and frame over the picture, on grounds that keep them legible."""
        painter.setFont(font(theme.TICK, theme.SEMIBOLD, numbers=True))
        metrics = QFontMetricsF(painter.font())
        rank = f"{number + 1}" if self.ranked else ""
        wide = 16 + (metrics.horizontalAdvance(rank) + 4 if rank else 0)
        ground = QRectF(picture.left() + 3, picture.top() + 3, wide + 2, 16)
        frame = f"{card.frame:.0f}"
        corner = QRectF(
            picture.right() - metrics.horizontalAdvance(frame) - 11,
            picture.bottom() - 18,
            metrics.horizontalAdvance(frame) + 8,
            15,
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("background0", 0.82))
        painter.drawRoundedRect(ground, theme.RADIUS, theme.RADIUS)
        painter.drawRoundedRect(corner, theme.RADIUS, theme.RADIUS)
        icon, token = theme.SEVERITY_ICONS[_named(card.worst.level)]
        ratio = self.devicePixelRatioF()
        painter.drawPixmap(
            QPointF(ground.left() + 3, ground.top() + 2), theme.pixmap(icon, token, 12, ratio)
        )
        painter.setPen(colour("text"))
        painter.drawText(ground.adjusted(17, 0, 0, 0), _LEFT, rank)
        painter.drawText(corner, Qt.AlignmentFlag.AlignCenter, frame)

    def _paint_bar(self, painter: QPainter, box: QRectF, worst: WorstPose) -> None:
        """Paint the severity, the limit at the middle."""
        bar = QRectF(box.left() + _SIDE, _PICTURE + 24, CARD - 2 * _SIDE, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("field"))
        painter.drawRoundedRect(bar, 2, 2)
        share = min(max(worst.severity, 0.0), _BAR_END) / _BAR_END
        painter.setBrush(colour(_FILLS[worst.level]))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), share * bar.width(), 4), 2, 2)
        painter.setBrush(colour("text"))
        painter.drawRect(QRectF(bar.center().x() - 0.75, bar.top() - 2, 1.5, 8))


def _named(level: Level) -> str:
    return "ok" if level == "fine" else level


def _token(level: Level) -> str:
    return {"error": "error", "warning": "warning", "fine": "text"}[level]
