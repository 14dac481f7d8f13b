"""Painting the mask of compensation: each stroke of the brush is one undo step."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from rigview.assets import resource
from rigview.check.rule import count
from rigview.core.arrays import IntArray
from rigview.core.deform import Deformer
from rigview.core.elastic.calibration import FITTING, HELD, Calibrated, calibrate
from rigview.core.elastic.limb import SPACING
from rigview.core.mask import painted, set_by_joint
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS
from rigview.render.look import Shading
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs, Progress
from rigview.ui.panes.strips import BrushStrip
from rigview.ui.panes.viewport import Panes
from rigview.ui.stage import Stage
from rigview.ui.view_state import MaskBrush, State
from rigview.ui.widgets.words import tr
from rigview.ui.workers.preparing import warmed


class Masker(QObject):
    """Turns the brush on and off, and its strokes into changes of the document."""

    said = Signal(str, bool)

    def __init__(
        self,
        document: Document,
        stage: Stage,
        state: State,
        panes: Panes,
        strip: BrushStrip,
        jobs: Jobs,
    ) -> None:
        super().__init__()
        self._document, self._stage, self._state = document, stage, state
        self._strip, self._jobs = strip, jobs
        self._before: Shading = "clay"
        panes.stroked.connect(self._paint)
        strip.changed.connect(self._change)
        strip.joint_asked.connect(self._paint_joint)
        strip.left.connect(self.leave)
        document.opened.connect(self.leave)

    @property
    def is_active(self) -> bool:
        """Whether a drag paints."""
        return self._state.value.brush is not None

    def start(self) -> None:
        """Let a drag paint, and show the mask."""
        if self._document.rig is not None and not self.is_active:
            self._before = self._state.value.shading
            self._state.update(brush=self._strip.brush, shading="mask", playing=False)
            self._strip.show()

    def leave(self) -> None:
        """Let a drag orbit again."""
        self._strip.hide()
        if self.is_active:
            self._state.update(brush=None, shading=self._before)

    def _change(self, brush: MaskBrush) -> None:
        if self.is_active:
            self._state.update(brush=brush)

    def _paint(self, touched: dict[int, IntArray]) -> None:
        brush, number = self._state.value.brush, sum(map(len, touched.values()))
        if brush is not None and number:
            self._apply(
                lambda deformer: painted(deformer.rig, touched, brush.value),
                tr(
                    "Set the mask of {vertices} to {value:g}",
                    vertices=count(number, "vertex"),
                    value=brush.value,
                ),
            )

    def _paint_joint(self) -> None:
        brush, rig, joint = self._state.value.brush, self._document.rig, self._stage.joint
        if brush is None or rig is None:
            return
        if joint is None:
            self.said.emit("Select the joint whose vertices are to be set.", False)
            return
        self._apply(
            lambda deformer: set_by_joint(deformer, joint, brush.value),
            tr(
                "Set the mask of {joint} to {value:g}",
                joint=rig.nodes.label(joint),
                value=brush.value,
            ),
        )

    def calibrate(self, spacing: float = SPACING) -> None:
        """Fit the mask to elastic flesh for the first pane whose method it multiplies, in the background.

        Parameters
        ----------
        spacing
            Of the lattices that stand for flesh, in radii of the limbs.
        """
        deformer = self._document.deformer
        if deformer is None:
            return
        method = next(
            (METHODS[m] for m in self._state.value.methods if m in FITTING), METHODS["compensated"]
        )

        def work(progress: Progress) -> tuple[Calibrated, Deformer]:
            table = LimitTable.of(resource("joint_limits.json"))
            told = partial(progress, "bending joints as flesh")
            made = calibrate(deformer.rig, table, method, None, told, spacing)
            return made, warmed(made.rig, progress)

        def done(result: tuple[Calibrated, Deformer]) -> None:
            made, changed = result
            if self._document.deformer is not deformer:
                return
            if not made.fitted:
                reasons = "; ".join(f"{joint}: {tr(why)}" for joint, why in made.left_out.items())
                self.said.emit(
                    tr(
                        "No joint could be fitted ({reasons}).", reasons=reasons or tr("none bends")
                    ),
                    False,
                )
                return
            name = tr(
                "Fit the mask of {method} to flesh at {joints}",
                method=method.label,
                joints=count(len(made.fitted), "joint"),
            )
            self._document.replace(changed, name)
            self.said.emit(f"{name}: {_gain(made)}.", True)

        self._jobs.run("Fitting the mask to flesh", work, done)

    def _apply(self, change: Callable[[Deformer], Rig], name: str) -> None:
        deformer = self._document.deformer
        if deformer is None:
            return

        def work(progress: Progress) -> Deformer:
            return warmed(change(deformer), progress)

        def done(changed: Deformer) -> None:
            self._state.update(marked=())
            if self._document.deformer is deformer:
                self._document.replace(changed, name)
                self.said.emit(f"{name}.", True)

        self._jobs.run("painting the mask", work, done)


def _gain(made: Calibrated) -> str:
    """Say how far off the skin is on the mean of the joints, at a bend that was not fitted."""
    sums = [sum(getattr(of, name) for of in made.fitted) for name in ("dqs", "full", "calibrated")]
    dqs, full, fitted = (total / len(made.fitted) for total in sums)
    return tr(
        "{fitted:.3f} of the radius off at {held}°, {full:.3f} at full strength, DQS {dqs:.3f}",
        fitted=fitted,
        held=HELD,
        full=full,
        dqs=dqs,
    )
