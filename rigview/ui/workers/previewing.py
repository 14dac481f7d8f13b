"""A change of the shape, shown before it is kept: a fix, or an edit of weights that was tried."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from rigview.check.applying.dryrun import DryRun
from rigview.check.applying.repair import try_fix
from rigview.check.rule import Finding, Refused
from rigview.core.deform import Deformer
from rigview.core.measures.deformation_change import TriedPose, Verdict
from rigview.core.mesh import Weights
from rigview.core.rig import Rig
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress, refused
from rigview.ui.panes.strips import PreviewStrip
from rigview.ui.stage import Stage
from rigview.ui.view_state import State
from rigview.ui.widgets.words import tr
from rigview.ui.workers.checking import outcome_words
from rigview.ui.workers.preparing import warmed
from rigview.ui.workers.restoring import weights_shown


@dataclass(frozen=True, eq=False)
class Proposal:
    """A changed rig to be looked at.

    Parameters
    ----------
    name
        What an undo step calls the change.
    outcome
        What it changes, in few words.
    verdict
        Whether it was measured to help; a fix does.
    pose
        In which it shows most.
    """

    deformer: Deformer
    name: str
    outcome: str
    verdict: Verdict = "better"
    pose: TriedPose | None = None


class Previewer(QObject):
    """Puts the fixed rig on the stage; the strip above the panes switches, keeps or drops it.

    `said` carries a sentence and whether undo takes it back; `shown` says that the fixed rig is on
    show, in the pose where most moves.
    """

    said = Signal(str, bool)
    shown = Signal()

    def __init__(
        self, document: Document, stage: Stage, state: State, strip: PreviewStrip, jobs: Jobs
    ) -> None:
        super().__init__()
        self._document, self._stage, self._state = document, stage, state
        self._strip, self._jobs = strip, jobs
        self._fixed: Deformer | None = None
        self._name = ""
        # How weights were drawn before.
        self._weights: Weights = state.value.weights
        strip.toggled.connect(self._toggle)
        strip.applied.connect(self._apply)
        strip.left.connect(self.leave)
        document.changed.connect(self.leave)

    @property
    def is_active(self) -> bool:
        """Whether a fix is on trial."""
        return self._fixed is not None

    def show(self, finding: Finding) -> None:
        """Compute a fix and show its result."""
        deformer, rehearsals = self._document.deformer, self._document.rehearsals
        if deformer is None:
            return

        def work(progress: Progress) -> tuple[Deformer, DryRun]:
            rig, measured = try_fix(deformer.rig, finding, progress, rehearsals)
            return warmed(rig, progress), measured

        def done(result: tuple[Deformer, DryRun]) -> None:
            if self._document.deformer is deformer:
                words = outcome_words(result[1])
                self._begin(Proposal(result[0], finding.fix.label, words))
                self._state.update(**weights_shown(finding))
                self._go_where_most_moves(deformer.rig, result[1])
                self.shown.emit()

        failed = refused(
            Refused,
            lambda error: self.said.emit(tr("Not fixed: {reason}.", reason=tr(str(error))), False),
        )
        self._jobs.run("preparing the preview", work, done, failed)

    def present(self, proposal: Proposal) -> None:
        """Show a changed rig in the pose in which the change shows most."""
        self._begin(proposal)
        pose, rig = proposal.pose, self._document.rig
        if pose is not None and rig is not None:
            if pose.clip in rig.clips:
                clip = rig.clips.index(pose.clip)
                self._state.update(clip=clip, time=pose.time, playing=False)
            else:
                self._state.update(playing=False)
                self._stage.rehearse(pose.clip, pose.time)
        self.shown.emit()

    def _begin(self, proposal: Proposal) -> None:
        self._fixed, self._name = proposal.deformer, proposal.name
        self._strip.show_preview(proposal.name, proposal.outcome, proposal.verdict)
        self._weights = self._state.value.weights
        self._stage.show_preview(self._fixed)

    def _go_where_most_moves(self, rig: Rig, measured: DryRun) -> None:
        if measured.exact or measured.time is None:
            return
        names = [clip.name for clip in rig.clips]
        if measured.clip in names:
            clip = names.index(measured.clip)
            self._state.update(clip=clip, time=measured.time, playing=False)
            frame, words = (
                measured.time * self._state.value.fps,
                "Frame {frame:.4g} of {clip}, where most moves.",
            )
            self.said.emit(tr(words, frame=frame, clip=measured.clip), False)
        elif measured.bent:
            self._state.update(playing=False)
            self._stage.rehearse(self._document.rehearsals.of(rig), measured.time)
            self.said.emit("The pose of a range of motion in which most moves.", False)

    def _toggle(self, side: int) -> None:
        self._stage.show_preview(self._fixed if side else None)

    def _apply(self) -> None:
        fixed, name = self._fixed, self._name
        if fixed is not None:
            self.leave()
            self._document.replace(fixed, name)
            self.said.emit(f"{name}.", True)

    def leave(self) -> None:
        """Go back to the document's rig."""
        self._strip.hide()
        if self._fixed is not None:
            self._fixed = None
            self._stage.end_rehearsal()
            self._state.update(weights=self._weights)
            self._stage.show_preview(None)
