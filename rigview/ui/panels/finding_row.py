"""One finding of the Checks dock: value against limit, what its fix moves, and the fix."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from rigview.check.applying.dryrun import DryRun
from rigview.check.catalogue import BY_ID
from rigview.check.rule import Finding, Refused, Severity
from rigview.core.skinning import ASKED, DEFAULT_PANES, METHODS
from rigview.core.text import length_words
from rigview.ui.panels.finding_words import (
    extent_words,
    finding_text,
    measured_words,
    movement_words,
    tip_words,
    vertex_words,
)
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button
from rigview.ui.widgets.layout import Item, column, folded, label, row
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker, Measured
from rigview.ui.workers.cures import Cure, cure_tip, cures_of
from rigview.ui.workers.curing import CureOutcome, Curer

_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_ROW_HEIGHT = 48
# Narrower rows leave out the rule's id; value, limit and fix never shorten.
_ID_WIDTH = 340
_NAMED_JOINTS = 6
# Pixels between two things that are said on one line.
_GAP = 10
# What the studio lets be stands back behind what counts.
_EXCUSED = 0.65


class FindingRow(QWidget):
    """One finding: a row, and below it its details while it is selected.

    `place` tells it from other findings of its rule.
    """

    chosen = Signal(object)
    fix_asked = Signal(object)
    preview_asked = Signal(object)
    joint_asked = Signal(int)
    method_asked = Signal(str)
    cure_asked = Signal(object, object)
    moved = Signal(int)

    def __init__(
        self,
        finding: Finding,
        severity: Severity,
        place: str,
        of: tuple[Checker, Curer],
        *,
        excuse: str = "",
    ) -> None:
        super().__init__()
        self.finding, self.severity = finding, severity
        self.place, self.excuse = place, excuse
        self._checker, self._curer = of
        self._details: QWidget | None = None
        # Measured, what the cure changes, whether the report is current, and whether the row is selected.
        self._known: tuple[Measured | None, CureOutcome | None, bool, bool] | None = None
        self.is_selected = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.button = self._fix_button("plain")
        title, message = tr(BY_ID[finding.rule].title), tr(finding.message)
        where = f" {place}:" if place else ""
        about = f"{tr(severity)}: {title}.{where} {message}"
        self.setAccessibleName(f"{about}. {excuse}" if excuse else about)
        self.setToolTip(folded(f"{place}: {message}" if place else message))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        # Two lines are painted; the button sits over the upper one.
        head = row(None, self.button, margins=(0, 4, 8, 23))
        head.setFixedHeight(_ROW_HEIGHT)
        self._layout.addWidget(head)
        self.refresh()

    def _fix_button(self, kind: str) -> Button:
        """Return the button of the fix: exact ones act, others are previewed first."""
        fix = self.finding.fix
        words = fix.label if kind == "primary" else "Fix"
        if fix.kind in ("bounded", "shape"):
            words = tr("Preview…")
        result = Button(words, "", kind, "", 26 if kind == "primary" else 21)
        # Shown before it has a parent it would be a window of its own for a moment.
        if fix.kind == "none":
            result.hide()
        if fix.kind == "exact":
            result.clicked.connect(lambda: self.fix_asked.emit(self.finding))
        else:
            result.clicked.connect(lambda: self.preview_asked.emit(self.finding))
        return result

    def select(self, *, selected: bool) -> None:
        """Open or close the details."""
        if selected != self.is_selected:
            self.is_selected = selected
            self.refresh()

    @property
    def holds_focus(self) -> bool:
        """Whether the row or a part of it has the focus."""
        return any(part.hasFocus() for part in (self, *self.findChildren(QWidget)))

    def refresh(self) -> None:
        """Show what is known of the fix by now, if that is news."""
        measured = self._checker.dry_run(self.finding)
        known = (
            measured,
            self._curer.outcome(self.finding),
            self._checker.is_current,
            self.is_selected,
        )
        if known == self._known:
            return
        self._known = known
        self.button.setEnabled(self._checker.is_current and not isinstance(measured, Refused))
        self.button.explain(tip_words(self.finding, measured))
        if self._details is not None:
            self._layout.removeWidget(self._details)
            self._details.hide()
            self._details.deleteLater()
            self._details = None
        if self.is_selected:
            self._details = self._detail_panel()
            self._layout.addWidget(self._details)
            # Else a layout leaves it out of its height until the window had its turn.
            self._details.show()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, super().sizeHint().height())

    @property
    def wanted_height(self) -> int:
        """How high it must be to show all, its texts wrapped at its present width."""
        wrapped = self.heightForWidth(self.width())
        return wrapped if wrapped > 0 else self.sizeHint().height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(0, 0, self.width(), _ROW_HEIGHT)
        if self.is_selected:
            painter.fillRect(area, colour("selection"))
        elif self.underMouse():
            painter.fillRect(area, colour("background3"))
        painter.setPen(QPen(colour("edge"), 1))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        painter.setOpacity(_EXCUSED if self.excuse else 1.0)
        if self.hasFocus():
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        icon, token = theme.SEVERITY_ICONS[self.severity]
        picture = theme.pixmap(icon, token, 15, self.devicePixelRatioF())
        painter.drawPixmap(10, 7, picture)
        self._write(painter)

    def _write(self, painter: QPainter) -> None:
        title_token = "selection_text" if self.is_selected else "text"
        quiet = "selection_text2" if self.is_selected else "text2"
        small = font(theme.SMALL, numbers=True)
        movement, token = movement_words(self.finding, self._checker.dry_run(self.finding))
        if not self._checker.is_current:
            movement, token = tr("checking…"), "text3"
        token = quiet if self.is_selected else token
        lower = QRectF(32, 27, self.width() - 40, 16)
        lower.setRight(lower.right() - _written(painter, lower, movement, (small, token), _RIGHT))
        taken = self.button.width() + 16 if self.finding.fix.kind != "none" else 8
        upper = QRectF(32, 6, self.width() - 32 - taken, 18)
        style = font(theme.BODY, theme.MEDIUM), title_token
        upper.setLeft(upper.left() + _written(painter, upper, self._title, style))
        style = small, quiet
        for words in (self.excuse, self._measured):
            lower.setLeft(lower.left() + _written(painter, lower, words, style))
        # The place stands beside the title, or where there is more room for it.
        fits = painter.fontMetrics().horizontalAdvance(self.place) <= upper.width()
        roomy = upper if fits or upper.width() > lower.width() else lower
        # Names of one kind mostly differ in their ends.
        elide = Qt.TextElideMode.ElideLeft
        roomy.setLeft(roomy.left() + _written(painter, roomy, self.place, style, elide=elide))
        for words in self._extras():
            if painter.fontMetrics().horizontalAdvance(words) > lower.width():
                break
            lower.setLeft(lower.left() + _written(painter, lower, words, style))

    @property
    def _title(self) -> str:
        return tr(BY_ID[self.finding.rule].title)

    @property
    def _measured(self) -> str:
        words = measured_words(self.finding)
        return words or ("" if self.place else extent_words(self.finding))

    def _extras(self) -> list[str]:
        """Return what is written where there is room for it."""
        extent = extent_words(self.finding)
        said = {"", self._measured, self.finding.object if self.place else ""}
        words = [] if extent in said else [extent]
        return [*words, self.finding.rule] if self.width() >= _ID_WIDTH else words

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.position().y() <= _ROW_HEIGHT:
            self.setFocus()
            self.chosen.emit(None if self.is_selected else self.finding)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(None if self.is_selected else self.finding)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(-1 if key == Qt.Key.Key_Up else 1)
        else:
            super().keyPressEvent(event)

    def enterEvent(self, _event: object) -> None:
        self.update()

    def leaveEvent(self, _event: object) -> None:
        self.update()

    def _detail_panel(self) -> QWidget:
        finding = self.finding
        items: list[Item] = [
            label(f"{finding.rule}  ·  {tr(finding.message)}", "text3", theme.SMALL, wrap=True),
            label(finding.explanation, "text2", wrap=True),
        ]
        measured = self._checker.dry_run(finding)
        if finding.fix.kind != "none":
            items.append(self._dry_run_table(measured))
        if finding.joints:
            items.append(self._joint_links())
        rig = self._checker.rig
        if finding.vertices is not None and rig is not None:
            items.append(label(vertex_words(finding, rig), "text3", theme.SMALL, wrap=True))
        for cure in cures_of(finding):
            items += self._cure_items(cure)
        if finding.method in ASKED:
            items.append(row(self._method_button(), None))
        if finding.fix.kind == "none":
            words = tr("No automatic fix: {reason}.", reason=tr(finding.fix.reason))
            items.append(label(words, "text2", wrap=True))
        elif isinstance(measured, Refused):
            words = tr("Not fixed: {reason}.", reason=tr(str(measured)))
            items.append(label(words, "warning", wrap=True))
        else:
            button = self._fix_button("primary")
            button.explain(tip_words(finding, measured))
            button.shorten()
            button.setEnabled(self._checker.is_current)
            items.append(row(button, None, self._copy_button()))
            return column(*items, margins=(12, 8, 12, 12), spacing=8)
        items.append(row(None, self._copy_button()))
        return column(*items, margins=(12, 8, 12, 12), spacing=8)

    def _method_button(self) -> Button:
        """Return the button that shows the pose under the method that is advised."""
        method = self.finding.method
        words = tr("Use {method} in this pane", method=ASKED[method].label)
        button = Button(words, "", "plain", "In the pane with the blue edge; the file stays", 26)
        button.clicked.connect(lambda: self.method_asked.emit(method))
        return button

    def _cure_items(self, cure: Cure) -> list[Item]:
        """Return the button of a cure, and what the cure was measured to change."""
        button = Button(cure.label, "", "plain", cure_tip(cure), 24)
        button.setEnabled(self._checker.is_current)
        button.clicked.connect(lambda: self.cure_asked.emit(self.finding, cure))
        outcome = self._curer.outcome(self.finding) if cure.tries else None
        if outcome is None:
            return [row(button, None)]
        token = {"better": "ok", "worse": "warning", "same": "text2"}[outcome.verdict]
        return [row(button, None), label(outcome.words, token, theme.SMALL, wrap=True)]

    def _copy_button(self) -> Button:
        button = Button("", "copy", "ghost", "Copy the finding as text", 24)
        button.clicked.connect(self.copy)
        return button

    def copy(self) -> None:
        """Copy the finding as text."""
        rig = self._checker.rig
        if rig is not None:
            text = finding_text(self.finding, self.severity, rig)
            QGuiApplication.clipboard().setText(text)

    def _dry_run_table(self, measured: Measured | None) -> QWidget:
        grid = QWidget()
        layout = QGridLayout(grid)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(1)
        move = tr("Largest move")
        if isinstance(measured, DryRun):
            move = tr("Largest move in {poses}", poses=measured.covered)
        words = label(move, "text3", theme.SMALL)
        for i, name in enumerate(DEFAULT_PANES):
            head = label(METHODS[name].label, "text3", theme.SMALL)
            text, token = "…", "text3"
            if isinstance(measured, DryRun):
                text = length_words(measured.displacement[name])
                token = "ok" if measured.exact else "warning"
            value = label(text, token, theme.BODY, theme.MEDIUM, numbers=True)
            for line, widget in enumerate((head, value)):
                layout.addWidget(widget, line, i, Qt.AlignmentFlag.AlignLeft)
            layout.setColumnStretch(i, 1)
        return column(words, grid, spacing=2)

    def _joint_links(self) -> QWidget:
        """Return the first joints as links that select them."""
        rig = self._checker.rig
        shown = self.finding.joints[:_NAMED_JOINTS]
        links: list[Item] = []
        for joint in shown:
            name = rig.nodes.label(joint) if rig else ""
            link = Button("", "", "ghost", tr("Select {name}", name=name), 20)
            link.setText(name)
            link.shorten()
            link.clicked.connect(lambda _=False, joint=joint: self.joint_asked.emit(joint))
            links.append(link)
        rest = len(self.finding.joints) - len(shown)
        rows = [row(*links[i : i + 2], None, spacing=2) for i in range(0, len(links), 2)]
        if rest:
            rows.append(label(tr("and {number} more", number=rest), "text3", theme.SMALL))
        return column(*rows, spacing=0)


def _written(
    painter: QPainter,
    area: QRectF,
    text: str,
    style: tuple[QFont, str],
    side: int = _LEFT,
    *,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:
    """Write a text into an area, shortened where it is longer; return the room that it takes."""
    if not text:
        return 0.0
    painter.setFont(style[0])
    painter.setPen(colour(style[1]))
    shown = painter.fontMetrics().elidedText(text, elide, int(area.width()))
    painter.drawText(area, side, shown)
    return painter.fontMetrics().horizontalAdvance(shown) + _GAP
