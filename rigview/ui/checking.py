"""The checker at work: rules and dry runs in worker threads, fixes as undo steps."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Signal

from rigview.check.dryrun import DryRun
from rigview.check.orientation import LIMIT, deviations
from rigview.check.repair import Repair, millimetres, repair, try_fix
from rigview.check.rule import Finding, Refused, Severity
from rigview.check.run import Report, run
from rigview.core.deform import Deformer
from rigview.ui.document import Document
from rigview.ui.jobs import Job, Jobs, Latest, Progress
from rigview.ui.joint_tree import Badge

# A finding about more joints than this badges only the first: it is about the whole skeleton.
_MOST_BADGES = 12
_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}

Measured = DryRun | Refused


class Checker(QObject):
    """Keeps the report of the document's rig up to date.

    `began` says that the report is about to be replaced, `checked` that report, badges and axes are
    new, `measured` that a dry run came in, `said` carries what came of a fix (a sentence, and
    whether it can be undone).
    """

    began = Signal()
    checked = Signal()
    measured = Signal()
    said = Signal(str, bool)

    def __init__(self, document: Document, jobs: Jobs) -> None:
        super().__init__()
        self._document, self._jobs = document, jobs
        self.profile = "gltf"
        self.report: Report | None = None
        self.is_current = False
        self.badges: dict[int, Badge] = {}
        self.deviations: dict[int, float] = {}
        self._dry_runs: dict[tuple[str, int], Measured] = {}
        self._checking = Latest(jobs, "checking", self._take_report)
        self._measuring: Job | None = None
        document.opened.connect(self._forget)
        document.changed.connect(self.check)

    def set_profile(self, name: str) -> None:
        """Check for another target."""
        if name != self.profile:
            self.profile = name
            self.check()

    def dry_run(self, finding: Finding) -> Measured | None:
        """Return what a finding's fix moves, why it is refused, or None while that is unknown."""
        return self._dry_runs.get((finding.rule, finding.key))

    def _forget(self) -> None:
        """Drop what was found in the file that was open before."""
        self.report, self.badges, self.deviations = None, {}, {}
        self._dry_runs = {}
        self.checked.emit()

    def check(self) -> None:
        """Run all rules on the present rig; the last report stays until the next one is there."""
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None
        deformer, profile = self._document.deformer, self.profile
        self.is_current = False
        if deformer is None:
            return
        self.began.emit()

        def work(progress: Progress) -> tuple[Deformer, Report, dict[int, float]]:
            report = run(deformer.rig, profile, progress=progress)
            off = {j: float(np.degrees(a)) for j, a in deviations(deformer).items() if a > LIMIT}
            return deformer, report, off

        self._checking.request(work)

    def _take_report(self, result: tuple[Deformer, Report, dict[int, float]]) -> None:
        deformer, report, off = result
        if deformer is not self._document.deformer or report.profile.name != self.profile:
            return
        self.report, self.deviations = report, off
        self._dry_runs, self.is_current = {}, True
        self.badges = badges(report)
        self.checked.emit()
        self._measure(deformer, report)

    def _measure(self, deformer: Deformer, report: Report) -> None:
        """Dry-run every fix, one after the other, telling of each as it is known."""
        fixable = [f for f in report.ranked() if f.fix.repair is not None]
        if not fixable:
            return

        def work(progress: Progress) -> None:
            for finding in fixable:
                outcome: Measured
                try:
                    outcome = try_fix(deformer.rig, finding, progress)[1]
                except Refused as refusal:
                    outcome = refusal
                progress.report(lambda f=finding, o=outcome: self._take_dry_run(report, f, o))  # type: ignore[misc]

        job = self._jobs.run("measuring fixes", work, lambda _: None)
        self._measuring = job

    def _take_dry_run(self, report: Report, finding: Finding, outcome: Measured) -> None:
        if report is self.report:
            self._dry_runs[finding.rule, finding.key] = outcome
            self.measured.emit()

    # --- fixing ----------------------------------------------------------------------------------

    def fix(self, finding: Finding) -> Job | None:
        """Apply one fix as one undo step."""
        deformer = self._document.deformer
        if deformer is None:
            return None

        def work(progress: Progress) -> tuple[Deformer, DryRun]:
            rig, measured = try_fix(deformer.rig, finding, progress)
            return warmed(Deformer(rig), progress), measured

        def done(result: tuple[Deformer, DryRun]) -> None:
            if self._document.deformer is not deformer:
                return
            fixed, measured = result
            self._document.replace(fixed, finding.fix.label)
            self.said.emit(f"{finding.fix.label}. {outcome_words(measured)}", True)

        return self._run(f"fixing: {finding.fix.label.lower()}", work, done)

    def fix_all_exact(self) -> Job | None:
        """Apply all exact fixes until none is left, as one undo step."""
        deformer, profile = self._document.deformer, self.profile
        if deformer is None:
            return None

        def work(progress: Progress) -> tuple[Deformer, Repair]:
            result = repair(deformer.rig, profile, progress=progress)
            return warmed(Deformer(result.rig), progress), result

        def done(outcome: tuple[Deformer, Repair]) -> None:
            fixed, result = outcome
            if self._document.deformer is not deformer:
                return
            if not result.applied:
                reason = result.declined[0].reason if result.declined else "nothing needs it"
                self.said.emit(f"Nothing was fixed: {reason}.", False)
                return
            number = len(result.applied)
            name = f"Fix {number} {'finding' if number == 1 else 'findings'}"
            self._document.replace(fixed, name)
            worst = max((a.dry_run for a in result.applied), key=lambda d: d.largest)
            left = f" {len(result.declined)} not fixed." if result.declined else ""
            self.said.emit(f"Fixed {number}. {outcome_words(worst)}{left}", True)

        return self._run("fixing all that is exact", work, done)

    def _run(self, name: str, work: Callable[[Progress], object], done: Callable[..., None]) -> Job:
        def failed(error: BaseException) -> None:
            if not isinstance(error, Refused):
                raise error
            self.said.emit(f"Not fixed: {error}.", False)

        return self._jobs.run(name, work, done, failed)


def outcome_words(measured: DryRun) -> str:
    """Return what a fix moved, for people."""
    if measured.exact:
        return "Nothing moved in any clip."
    return f"Vertices moved by up to {millimetres(measured.largest)}."


def warmed(deformer: Deformer, progress: Progress) -> Deformer:
    """Compute what the window needs of a rig at once, here in the worker thread."""
    progress("binding the mesh", 0.85)
    for i in range(len(deformer.bindings)):
        deformer.morphed(i, deformer.rest.pose)
    for image in filter(None, deformer.rig.images):
        progress("decoding images", 0.9)
        image.decode()
    progress("measuring the rest pose", 0.95)
    deformer.posed_bones(deformer.rest)
    return deformer


def badges(report: Report) -> dict[int, Badge]:
    """Return joint → how many findings name it, and the worst severity."""
    result: dict[int, Badge] = {}
    for finding in report.findings:
        severity = report.severity(finding)
        joints = finding.joints if len(finding.joints) <= _MOST_BADGES else finding.joints[:1]
        for joint in joints:
            old = result.get(joint)
            worst = severity
            if old is not None and _RANK[old.severity] < _RANK[severity]:
                worst = old.severity
            result[joint] = Badge((old.findings if old else 0) + 1, worst)
    return result
