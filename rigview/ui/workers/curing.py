"""Trying what may cure a finding: the edit and its measurement in a worker, then a preview."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from rigview.check.applying.curing import try_cure
from rigview.check.rule import Finding
from rigview.check.rules.posed_skin.joint_faults import LIMITS
from rigview.core.deform import Deformer
from rigview.core.measures.change_words import brief_words, change_words
from rigview.core.measures.deformation_change import TriedPose, Verdict
from rigview.core.weights.curing import Cured
from rigview.core.weights.problem import NotMade
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.preparing import warmed
from rigview.ui.workers.previewing import Previewer, Proposal

# How sentences about a cure begin.
_OPENINGS: Mapping[Verdict, str] = {
    "better": "",
    "worse": "Not advised: it makes the shape worse. ",
    "same": "It changes no shape that is measured. ",
}


@dataclass(frozen=True)
class CureOutcome:
    """What a cure was measured to change."""

    verdict: Verdict
    words: str


class Curer(QObject):
    """Tries cures of findings and previews them.

    `tried` carries the finding of which a cure has been measured, `said` a sentence and whether it can
    be undone.
    """

    tried = Signal(object)
    said = Signal(str, bool)

    def __init__(
        self,
        document: Document,
        state: State,
        checker: Checker,
        previewer: Previewer,
        jobs: Jobs,
    ) -> None:
        super().__init__()
        self._document, self._state, self._checker = document, state, checker
        self._previewer, self._jobs = previewer, jobs
        self._outcomes: dict[tuple[str, int], CureOutcome] = {}
        document.changed.connect(self._outcomes.clear)

    def outcome(self, finding: Finding) -> CureOutcome | None:
        """Return what the cure of a finding was measured to change; None until it has been tried."""
        return self._outcomes.get((finding.rule, finding.key))

    def attempt(self, finding: Finding) -> None:
        """Measure the cure of a finding in a worker, then show it."""
        deformer, locked = self._document.deformer, self._state.value.locked
        if deformer is None:
            return
        limit_of = self._limits()

        def work(progress: Progress) -> tuple[Cured, TriedPose | None, Deformer]:
            result = try_cure(deformer.rig, finding, limit_of, locked, progress)
            return result, _seen_in(result), warmed(result.after.rig, progress)

        def done(made: tuple[Cured, TriedPose | None, Deformer]) -> None:
            if self._document.deformer is deformer:
                self._show(finding, *made)

        failed = refused(
            NotMade,
            lambda error: self.said.emit(tr("Not tried: {reason}.", reason=tr(str(error))), False),
        )
        self._jobs.run("trying the cure", work, done, failed)

    def _limits(self) -> dict[str, float]:
        last = self._checker.last
        if last is None:
            return {}
        profile = last.held.standard.profile
        return {measure: profile.limit(limit) for measure, limit in LIMITS.items()}

    def _show(
        self,
        finding: Finding,
        result: Cured,
        pose: TriedPose | None,
        deformer: Deformer,
    ) -> None:
        label = result.after.rig.nodes.label
        words = tr(_OPENINGS[result.verdict]) + change_words(result.change, label, result.focus)
        self._outcomes[finding.rule, finding.key] = CureOutcome(result.verdict, words)
        brief = brief_words(result.change, label, result.focus)
        self._previewer.present(Proposal(deformer, result.name, brief, result.verdict, pose))
        self.said.emit(words, False)
        self.tried.emit(finding)


def _seen_in(result: Cured) -> TriedPose | None:
    """Return the pose in which a cure shows most."""
    first = result.focus or next(iter(result.change.changes), None)
    worst = None if first is None else first.before or first.after
    return None if worst is None else result.change.poses[worst.pose]
