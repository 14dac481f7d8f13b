"""The Checks dock: the profile, the studio's settings, all findings, and what was not evaluated."""

from collections import deque
from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from rigview.check.rule import PROFILES, SEVERITIES, Finding, Refused, Severity, count, verb
from rigview.check.run import Report
from rigview.ui.panels.finding_row import FindingRow
from rigview.ui.panels.finding_words import place_words
from rigview.ui.panels.notes_row import NotesRow
from rigview.ui.panels.studio_strip import EXCUSES, StudioStrip
from rigview.ui.stage import Stage
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, Chooser
from rigview.ui.widgets.layout import (
    Elided,
    Item,
    Mark,
    clear,
    column,
    down,
    fill,
    label,
    row,
)
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.curing import Curer

# Rows that are made before the window goes on, more than anyone sees at first; and then from time to time.
_AT_ONCE, _AT_A_TIME = 20, 10
# What the numbers on top count.
_COUNTED: dict[Severity, str] = {
    "error": "Errors",
    "warning": "Warnings",
    "info": "For information",
}


class ChecksPanel(QWidget):
    """Profile, counts, all findings, and what could not be evaluated.

    `finding_chosen` carries a finding or None; `preview_asked` one whose fix changes the shape.
    """

    finding_chosen = Signal(object)
    preview_asked = Signal(object)
    joint_asked = Signal(int)
    method_asked = Signal(str)
    cure_asked = Signal(object, object)
    counted = Signal(int)

    def __init__(self, checker: Checker, curer: Curer, stage: Stage) -> None:
        super().__init__()
        self._checker, self._curer, self._stage = checker, curer, stage
        self._chosen: tuple[str, int] | None = None
        self.rows: list[FindingRow] = []
        self._row_about: dict[tuple[str, int], FindingRow] = {}
        # What is to be listed, and what of it has no row yet.
        self._listed: list[Finding] = []
        # The same, and notes that are folded.
        self._fixable: list[Finding] = []
        self._waiting: deque[tuple[Finding, Severity, str]] = deque()
        self._shows_notes = False
        self.notes = NotesRow()
        self.notes.clicked.connect(self._show_notes)
        self._places: Mapping[tuple[str, int], str] = {}
        self._filling = QTimer(self)
        self._filling.timeout.connect(lambda: self.fill(_AT_A_TIME))
        names = [tr("{profile} profile", profile=name) for name in PROFILES]
        self.profile = Chooser(names, "Profile")
        self.profile.elide = Qt.TextElideMode.ElideRight
        self.profile.activated.connect(lambda i: checker.set_profile(list(PROFILES)[i]))
        self.counts = {
            severity: label("0", severity, weight=theme.MEDIUM, numbers=True)
            for severity in SEVERITIES
        }
        self.fix_all = Button(
            "Fix all exact", "", "primary", "Apply every fix that moves nothing", 24
        )
        self.fix_all.clicked.connect(checker.fix_all_exact)
        self.words = label("Checks run as soon as a rig is open.", "text3", wrap=True)
        self.words.setContentsMargins(12, 10, 12, 10)
        self._list = QVBoxLayout()
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(0)
        self._noted = QVBoxLayout()
        self._noted.setContentsMargins(0, 0, 0, 0)
        self._noted.setSpacing(0)
        self.missing = Elided("text3")
        self.studio = StudioStrip(checker)
        self._build()
        checker.began.connect(self._began)
        checker.checked.connect(self.refill)
        checker.shown.connect(self.refill)
        checker.counted.connect(self._tell_nothing)
        checker.measured.connect(self._show_measured)
        curer.tried.connect(self._show_tried)
        self.refill()

    def _build(self) -> None:
        counts: list[Item] = []
        for severity, number in self.counts.items():
            icon, token = theme.SEVERITY_ICONS[severity]
            mark = Mark(icon, token, 14)
            mark.setToolTip(tr(_COUNTED[severity]))
            counts.append(row(mark, number, spacing=4))
        self._head = row(self.profile, *counts, None, self.fix_all, margins=(8, 5, 8, 5), spacing=5)
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(
            column(self.words, self._list, self.notes, self._noted, None, spacing=0)
        )
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        # Its rows are what Tab stops at.
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._foot = row(self.missing, margins=(10, 0, 10, 0))
        fill(self._foot, "background2")
        self._foot.setFixedHeight(24)
        down(self, self._head, self.studio, self.scroll_area, self._foot)

    def _began(self) -> None:
        """Keep what was found on show, so that nothing flickers, but offer no fix of it."""
        self.fix_all.setEnabled(False)
        self._head.show()
        self.words.setText(tr("Checking…"))
        held = self._held_row()
        if held is not None:
            # Its buttons are about to be disabled, and a disabled button passes the focus on.
            self.rows[held].setFocus()
        for entry in self.rows:
            entry.refresh()

    def refill(self) -> None:
        """List the findings of the present report anew."""
        report = self._checker.report
        self.profile.setCurrentIndex(list(PROFILES).index(self._checker.profile))
        held, is_at_notes = self._held_row(), self.notes.hasFocus()
        clear(self._list)
        clear(self._noted)
        self.notes.hide()
        self.rows, self._row_about, self._listed, self._fixable = [], {}, [], []
        self._waiting.clear()
        if report is None:
            self._shows_notes = False
            self._head.setVisible(self._stage.deformer is not None)
            self.words.setText(tr("Checks run as soon as a rig is open."))
            self.words.show()
            self._foot.hide()
            self.counted.emit(0)
            return
        excused = self._checker.excused if self._checker.shows_excused else ()
        listed = [(finding, "") for finding in report.ranked() if not report.is_note(finding)]
        listed += [(finding, EXCUSES[why]) for finding, why in excused]
        folded = report.notes
        self.notes.tell(folded, opened=self._shows_notes)
        if self._shows_notes:
            listed += [(finding, "") for finding in folded]
        self._waiting.extend((finding, report.severity(finding), why) for finding, why in listed)
        self._listed = [finding for finding, _ in listed]
        self._fixable = [*self._listed, *(() if self._shows_notes else folded)]
        self._places = place_words(self._listed)
        self.fill(max(_AT_ONCE, 0 if held is None else held + 1))
        if self._chosen not in {None, *((f.rule, f.key) for f in self._listed)}:
            self.choose(None)
        self._hold_focus(held, is_at_notes=is_at_notes)
        for severity, number in report.counts().items():
            self.counts[severity].setText(str(number))
            self.counts[severity].setAccessibleName(f"{tr(_COUNTED[severity])}: {number}")
        self._allow_fix_all()
        self._tell_nothing()
        self.words.setVisible(not self._listed and not folded)
        self._show_foot(report)
        self.counted.emit(len(report.findings) - len(folded))

    def _hold_focus(self, held: int | None, *, is_at_notes: bool) -> None:
        """Give the focus to the row in the place of the one that had it: keys go on where they were."""
        if held is not None:
            place = min(held, len(self.rows) - 1)
            (self.rows[place] if self.rows else self._without_rows).setFocus()
        elif is_at_notes:
            self._without_rows.setFocus()

    def _tell_nothing(self) -> None:
        """Say in place of rows that there are none, and what else there may be."""
        hidden = len(self._checker.excused)
        words = tr("Nothing to find fault with")
        if hidden:
            found = count(hidden, "finding")
            words += tr(
                ", but {findings} {verb} hidden", findings=found, verb=verb(hidden, "is", "are")
            )
        if self._checker.is_counting:
            words += tr("; what is ignored is being counted")
        self.words.setText(f"{words}.")

    def _show_notes(self) -> None:
        """List the notes one by one, or fold them again."""
        self._shows_notes = not self._shows_notes
        self.refill()
        self.notes.setFocus()

    def _held_row(self) -> int | None:
        """Return the number of the row that has the focus, itself or in its parts."""
        held = (i for i, entry in enumerate(self.rows) if entry.holds_focus)
        return next(held, None)

    def fill(self, most: int) -> None:
        """Make rows of what waits for one, and go on with the rest once the window had its turn."""
        first = len(self.rows)
        for _ in range(min(most, len(self._waiting))):
            self._add_row(*self._waiting.popleft())
        self._order_focus(first)
        # Else all are painted in the room of those before until the window had its turn.
        for widget in (self.scroll_area.widget(), self.scroll_area.viewport()):
            QApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest)
        if not self._waiting:
            self._filling.stop()
        elif not self._filling.isActive():
            self._filling.start(0)
        if any(entry.is_selected for entry in self.rows[first:]):
            self._reveal()

    def _order_focus(self, first: int) -> None:
        """Let Tab go through the rows from the first new one where they are: new widgets come last."""
        own = [self.fix_all, *self.studio.findChildren(QWidget)]
        before = [w for w in own if w.focusPolicy() & Qt.FocusPolicy.TabFocus][-1]
        if first:
            before = self.rows[first - 1].button
        noted = self._noted.count()
        for place, entry in enumerate(self.rows[first:], first):
            # The row of the notes stands before the first of them.
            opens = noted and place == len(self.rows) - noted
            for stop in (*([self.notes] if opens else ()), entry, entry.button):
                QWidget.setTabOrder(before, stop)
                before = stop
        if not noted:
            QWidget.setTabOrder(before, self.notes)

    @property
    def is_filled(self) -> bool:
        """Whether all that is listed has its row by now."""
        return not self._waiting

    @property
    def entrance(self) -> QWidget:
        """What has the focus first when a key leads here."""
        return self.rows[0] if self.rows else self._without_rows

    @property
    def _without_rows(self) -> QWidget:
        """What has the focus where no finding has a row."""
        report = self._checker.report
        return self.notes if report is not None and report.notes else self.profile

    def _show_foot(self, report: Report) -> None:
        """Say what was not evaluated and what the file's reader left out; nothing where all was."""
        missing, notes = report.not_evaluated, self._checker.notes
        numbers = [tr("{number} not evaluated", number=len(missing))] if missing else []
        numbers += [tr(count(len(notes), "note"))] if notes else []
        reasons = dict.fromkeys(why for _, why in missing)
        self.missing.setText(f"{', '.join(numbers)}   {' · '.join(map(tr, reasons))}")
        lines = [f"{rule}: {tr(why)}" for rule, why in missing]
        lines += [tr("note: {note}", note=note) for note in notes]
        self.missing.setToolTip("\n".join(lines))
        self._foot.setVisible(bool(numbers))

    def _add_row(self, finding: Finding, severity: Severity, excuse: str) -> None:
        """List a finding; with an excuse it is one that the studio lets be."""
        place = self._places.get((finding.rule, finding.key), "")
        entry = FindingRow(finding, severity, place, (self._checker, self._curer), excuse=excuse)
        entry.chosen.connect(self.choose)
        entry.fix_asked.connect(self._checker.fix)
        entry.preview_asked.connect(self.preview_asked)
        entry.joint_asked.connect(self.joint_asked)
        entry.method_asked.connect(self.method_asked)
        entry.cure_asked.connect(self.cure_asked)
        entry.moved.connect(lambda step, entry=entry: self._move(entry, step))
        entry.select(selected=(finding.rule, finding.key) == self._chosen)
        report = self._checker.report
        is_note = report is not None and not excuse and report.is_note(finding)
        (self._noted if is_note else self._list).addWidget(entry)
        entry.show()
        self.rows.append(entry)
        self._row_about[finding.rule, finding.key] = entry

    def _allow_fix_all(self) -> None:
        """Offer to fix all unless nothing is exact, as far as is known."""
        self.fix_all.setEnabled(self._checker.is_current and any(map(self._mends, self._fixable)))

    def _mends(self, finding: Finding) -> bool:
        """Tell whether to fix all would mend a finding, as far as is known."""
        if finding.fix.kind != "exact" or finding.fix.on_request:
            return False
        return self._checker.mends(finding) and not isinstance(
            self._checker.dry_run(finding), Refused
        )

    def _show_measured(self, finding: Finding) -> None:
        """Show what the fix of one finding moves, in its row if that is made by now."""
        entry = self._row_about.get((finding.rule, finding.key))
        if entry is not None:
            entry.refresh()
        self._allow_fix_all()

    def _show_tried(self, finding: Finding) -> None:
        """Show what a cure was measured to change, below its button."""
        entry = self._row_about.get((finding.rule, finding.key))
        if entry is not None:
            entry.refresh()
            QTimer.singleShot(0, self, self._reveal)

    def choose(self, finding: Finding | None) -> None:
        """Select a finding, or none."""
        self._chosen = (finding.rule, finding.key) if finding is not None else None
        for entry in self.rows:
            entry.select(selected=entry.finding is finding)
        self.finding_chosen.emit(finding)
        self._reveal()
        # The panel may grow for it, which happens when the window has its turn.
        QTimer.singleShot(0, self, self._reveal)

    @property
    def wanted_height(self) -> int:
        """How high the panel must be to show the selected finding whole."""
        chosen = next((entry for entry in self.rows if entry.is_selected), None)
        rest = self._head.sizeHint().height() + self._foot.height()
        rest += self.studio.height() if self.studio.isVisible() else 0
        return rest + chosen.wanted_height if chosen is not None else 0

    def _reveal(self) -> None:
        """Scroll to the selected finding: to its end if there is room, at any rate to its title."""
        chosen = next((entry for entry in self.rows if entry.is_selected), None)
        if chosen is None:
            return
        content = self.scroll_area.widget()
        content.layout().activate()  # type: ignore[union-attr] # it has just been filled
        self.scroll_area.ensureVisible(0, chosen.y() + chosen.wanted_height, 0, 0)
        self.scroll_area.ensureVisible(0, chosen.y(), 0, 0)

    def _move(self, entry: FindingRow, step: int) -> None:
        place = self.rows.index(entry) + step
        if 0 <= place < len(self.rows):
            self.rows[place].setFocus()
            self.scroll_area.ensureWidgetVisible(self.rows[place])
