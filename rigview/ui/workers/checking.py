"""The checker at work: rules and dry runs in worker threads, fixes as undo steps."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from rigview.app.file_check import Checked, CheckSettings, checked
from rigview.check.applying.dryrun import DryRun
from rigview.check.applying.repair import Repair, repair, try_fix
from rigview.check.catalogue import RULES
from rigview.check.measures.axes import ANGLE
from rigview.check.policy import (
    USUAL,
    Suppression,
    ignored,
    usual_profile,
)
from rigview.check.rule import Finding, Refused, Severity, count
from rigview.check.run import Report
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.core.text import length_words
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Latest, Progress, refused
from rigview.ui.widgets.words import tr
from rigview.ui.workers.preparing import warmed

# A finding about more joints than this badges only the first: it is about the whole skeleton.
_MOST_BADGES = 12
_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}

Measured = DryRun | Refused


class Badge(NamedTuple):
    """How many findings name a joint, and the worst severity among them."""

    findings: int
    severity: Severity


class Checker(QObject):
    """Keeps the report of the document's rig up to date.

    `began` says that the report is about to be replaced, `checked` that report, badges and axes are
    new, `shown` that other findings are to be listed, `counted` that it is known what is ignored,
    `measured` carries the finding whose dry run came in, `said` what came of a fix (a sentence, and
    whether it can be undone), `failed` a title and why the studio's settings cannot be used.
    """

    began = Signal()
    checked = Signal()
    shown = Signal()
    counted = Signal()
    measured = Signal(object)
    said = Signal(str, bool)
    failed = Signal(str, str)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._jobs = document, jobs
        self.wish = CheckSettings()
        self.last: Checked | None = None
        self.is_current = False
        self.shows_excused = False
        self.badges: dict[int, Badge] = {}
        self._dry_runs: dict[tuple[str, int], Measured] = {}
        self._checking = Latest(jobs, "checking", self._take, drops=True)
        # What the present report is followed by: fixes are measured, what is ignored is counted.
        self._following: list[Job] = []
        self.is_counting = False
        self._told, self._is_asked = "", False
        document.opened.connect(self._forget)
        document.changed.connect(self.check)
        document.asked.connect(self.check)

    @property
    def report(self) -> Report | None:
        """What was found and counts, or None while nothing was checked."""
        return self.last.judged.report if self.last is not None else None

    @property
    def rig(self) -> Rig | None:
        """The rig that the report is about, which a later one may have replaced already."""
        return self.last.deformer.rig if self.last is not None else None

    @property
    def excused(self) -> tuple[tuple[Finding, Suppression], ...]:
        """What was found and is let be, and why."""
        return self.last.judged.excused if self.last is not None else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the file's reader ignored or assumed."""
        loaded = self._document.loaded
        return loaded.notes if loaded is not None else ()

    @property
    def deviations(self) -> dict[int, float]:
        """Joint → how far its bone is off the rig's axis, in degrees, where that is too far."""
        return self.last.deviations if self.last is not None else {}

    @property
    def axis_limit(self) -> float:
        """How far a bone may be off the rig's axis, in degrees."""
        last = self.last
        return ANGLE.default if last is None else last.held.standard.profile.limit(ANGLE)

    @property
    def asked(self) -> CheckSettings:
        """What the user wants the rig on show held to."""
        return replace(self.wish, template=self._document.template)

    @property
    def studio_profile(self) -> str | None:
        """The profile that the studio's settings name."""
        return self.last.held.standard.config.profile if self.last is not None else None

    @property
    def _usual(self) -> str:
        """The profile that the rig's own format asks for."""
        rig = self._document.rig
        return USUAL if rig is None else usual_profile(rig)

    @property
    def profile(self) -> str:
        """The profile that the rig is held to."""
        return self.wish.profile or self.studio_profile or self._usual

    def set_profile(self, name: str) -> None:
        """Check for another target; to choose the studio's is to follow it again."""
        chosen = None if name == (self.studio_profile or self._usual) else name
        self._want(replace(self.wish, profile=chosen))

    def set_configured(self, configured: bool) -> None:
        """Let the studio's settings count or not."""
        self._want(replace(self.wish, configured=configured))

    def _want(self, wish: CheckSettings) -> None:
        if wish != self.wish:
            self.wish = wish
            self.check()

    def show_excused(self, shown: bool) -> None:
        """List what is let be among the rest, or not."""
        self.shows_excused = shown
        if shown and self.last is not None and self.is_current:
            self._measure(self.last, (finding for finding, _ in self.excused))
        self.shown.emit()

    def mends(self, finding: Finding) -> bool:
        """Tell whether to fix all is to fix this, too: what the studio ignores or accepts is let be."""
        return self.last is not None and self.last.held.standard.excuse(finding) is None

    def dry_run(self, finding: Finding) -> Measured | None:
        """Return what a finding's fix moves, why it is refused, or None while that is unknown."""
        return self._dry_runs.get((finding.rule, finding.key))

    def _forget(self) -> None:
        """Drop what was found in the file that was open before."""
        self.last, self.badges, self._dry_runs = None, {}, {}
        self._told, self._is_asked, self.is_counting = "", False, False
        self.checked.emit()

    def check_again(self) -> None:
        """Read the studio's settings anew and run all rules; what is wrong with them is told again."""
        self._told, self._is_asked = "", True
        self.check()

    def check(self) -> None:
        """Run all rules on the present rig; the last report stays until the next one is there."""
        for job in self._jobs.running.intersection(self._following):
            job.cancel()
        self._following, self.is_counting = [], False
        deformer, path, wish = self._document.deformer, self._document.path, self.asked
        self.is_current = False
        if deformer is None or path is None:
            return
        self.began.emit()
        self._checking.request(lambda progress: checked(deformer, path, wish, progress))

    def _take(self, result: Checked) -> None:
        if result.deformer is not self._document.deformer or result.wish != self.asked:
            return
        self.last = result
        self._dry_runs, self.is_current = {}, True
        self._count_ignored(result)
        self.badges = badges(result.judged.report)
        self.checked.emit()
        if self._is_asked:
            self._is_asked = False
            found = count(len(result.judged.report.findings), "finding")
            self.said.emit(tr("Checked again: {findings}.", findings=found), False)
        self._measure(result, result.judged.report.ranked())
        if self.shows_excused:
            self._measure(result, (finding for finding, _ in self.excused))
        if result.held.fault and result.held.fault != self._told:
            self._told = result.held.fault
            self.failed.emit("The studio's settings cannot be used", result.held.fault)

    def _count_ignored(self, of: Checked) -> None:
        """Run the rules, too, that are not asked: nobody waits for what they find."""
        standard = of.held.standard
        if all(standard.asks(rule.id) for rule in RULES):
            return

        def work(progress: Progress) -> tuple[Finding, ...]:
            return ignored(of.deformer.rig, standard, progress)

        def done(findings: tuple[Finding, ...]) -> None:
            self.is_counting = False
            if self._is_about_last(of):
                self.last = replace(of, judged=of.judged.with_ignored(findings))
                self.counted.emit()
                if self.shows_excused:
                    self.show_excused(True)

        self.is_counting = True
        self._following.append(self._jobs.run("counting what is ignored", work, done, quiet=True))

    def _is_about_last(self, of: Checked) -> bool:
        return self.last is not None and of.judged.report is self.last.judged.report

    def _measure(self, of: Checked, findings: Iterable[Finding]) -> None:
        """Dry-run every fix, one after the other, telling of each as it is known."""
        unknown = (f for f in findings if (f.rule, f.key) not in self._dry_runs)
        fixable = [f for f in unknown if f.fix.repair is not None]
        if not fixable:
            return
        rehearsals = self._document.rehearsals

        def work(progress: Progress) -> None:
            for finding in fixable:
                outcome: Measured
                try:
                    outcome = try_fix(of.deformer.rig, finding, progress, rehearsals)[1]
                except Refused as refusal:
                    outcome = refusal
                progress.report(lambda f=finding, o=outcome: self._take_dry_run(of, f, o))  # type: ignore[misc]

        self._following.append(self._jobs.run("measuring fixes", work, lambda _: None, quiet=True))

    def _take_dry_run(self, of: Checked, finding: Finding, outcome: Measured) -> None:
        if self._is_about_last(of):
            self._dry_runs[finding.rule, finding.key] = outcome
            self.measured.emit(finding)

    def fix(self, finding: Finding) -> Job | None:
        """Apply one fix as one undo step."""
        deformer, rehearsals = self._document.deformer, self._document.rehearsals
        if deformer is None:
            return None

        def work(progress: Progress) -> tuple[Deformer, DryRun]:
            rig, measured = try_fix(deformer.rig, finding, progress, rehearsals)
            return warmed(rig, progress), measured

        def done(result: tuple[Deformer, DryRun]) -> None:
            if self._document.deformer is not deformer:
                return
            fixed, measured = result
            self._document.replace(fixed, finding.fix.label, fixed=(finding,))
            self.said.emit(f"{tr(finding.fix.label)}. {outcome_words(measured)}", True)

        return self._run(tr("Fixing: {fix}", fix=finding.fix.label), work, done)

    def fix_all_exact(self) -> Job | None:
        """Apply all exact fixes until none is left, as one undo step; what is let be stays."""
        deformer, path, wish = self._document.deformer, self._document.path, self.asked
        if deformer is None or path is None:
            return None
        last, shown = self.last if self.is_current else None, self.shows_excused

        def work(progress: Progress) -> tuple[Deformer, Repair]:
            now = last or checked(deformer, path, wish, progress)
            standard = now.held.standard
            # What a baseline lists is to be mended some time: now, where the user looks at it.
            listed = {
                (f.rule, f.key) for f, why in now.judged.excused if why == "known" and not shown
            }

            def counts(finding: Finding) -> bool:
                known = (finding.rule, finding.key) in listed
                return not known and standard.excuse(finding) is None

            result = repair(deformer.rig, standard.profile, progress=progress, wanted=counts)
            return warmed(result.rig, progress), result

        def done(outcome: tuple[Deformer, Repair]) -> None:
            fixed, result = outcome
            if self._document.deformer is not deformer:
                return
            if not result.applied:
                reason = result.declined[0].reason if result.declined else "nothing needs it"
                self.said.emit(tr("Nothing was fixed: {reason}.", reason=tr(reason)), False)
                return
            number = len(result.applied)
            name = tr("Fix {findings}", findings=count(number, "finding"))
            parts = dict.fromkeys(a.finding.fix.label for a in result.applied)
            findings = tuple(a.finding for a in result.applied)
            self._document.replace(fixed, name, tuple(parts), findings)
            worst = max((a.dry_run for a in result.applied), key=lambda d: d.largest)
            words = tr("Fixed {number}.").format(number=number), outcome_words(worst)
            left = tr("{number} not fixed.").format(number=len(result.declined))
            self.said.emit(" ".join((*words, left) if result.declined else words), True)

        return self._run("fixing all that is exact", work, done)

    def _run(self, name: str, work: Callable[[Progress], object], done: Callable[..., None]) -> Job:
        failed = refused(Refused, self._not_fixed)
        return self._jobs.run(name, work, done, failed)

    def _not_fixed(self, error: Exception) -> None:
        self.said.emit(tr("Not fixed: {reason}.", reason=tr(str(error))), False)


def outcome_words(measured: DryRun) -> str:
    """Return what a fix moved, for people."""
    if measured.exact:
        return tr("Nothing moved in any clip.")
    return tr("Vertices moved by up to {length}.").format(length=length_words(measured.largest))


def badges(report: Report) -> dict[int, Badge]:
    """Return joint → how many findings but notes name it, and the worst severity."""
    result: dict[int, Badge] = {}
    for finding in report.findings:
        if report.is_note(finding):
            continue
        severity = report.severity(finding)
        joints = finding.joints if len(finding.joints) <= _MOST_BADGES else finding.joints[:1]
        for joint in joints:
            old = result.get(joint)
            worst = severity
            if old is not None and _RANK[old.severity] < _RANK[severity]:
                worst = old.severity
            result[joint] = Badge((old.findings if old else 0) + 1, worst)
    return result
