"""What the actions of the menu Weights do: which vertices are chosen, locks, and edits of all of them."""

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import QObject

from rigview.core.arrays import IntArray
from rigview.core.text import count
from rigview.core.weights import choosing, filling, flooding, prune
from rigview.core.weights.editable_rig import EditableRig, Points
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited
from rigview.core.weights.mirroring import Way, mirror_of
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints
from rigview.ui.panels.locks import lock
from rigview.ui.workbench import Workbench
from rigview.ui.workers.weight_editing import Edit, as_chosen


class WeightCommands(QObject):
    """The commands about weights."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._bench = bench

    def vertex_table(self) -> None:
        """Show the table of vertices, or take it away."""
        table = self._bench.vertex_table
        table.set_wanted(wanted=table.is_away)

    def choose_joint(self) -> None:
        """Choose all vertices that the selected joint moves."""
        joint, rig = self._bench.stage.joint, self._bench.stage.rig
        if joint is not None and rig is not None:
            self._bench.weight_editor.choose(
                lambda of: tuple(choosing.of_joint(c, joint) for c in of.characters),
                f"No vertex follows {rig.nodes.label(joint)}.",
            )

    def choose_by_weight(self) -> None:
        """Choose all of the joint, and ask in the table for the weight from which vertices stay chosen."""
        self.choose_joint()
        self._bench.vertex_table.set_wanted(wanted=True)
        self._bench.vertex_table.filter.ask()

    def lasso(self) -> None:
        """Let a drag that chooses draw a lasso, or a box again."""
        state = self._bench.state
        state.update(lasso=not state.value.lasso)
        words = "Drag a lasso" if state.value.lasso else "Drag a box"
        self._bench.status.say(
            f"{words} with Shift to choose vertices, with Ctrl to take them out.", undoable=False
        )

    def choose_shells(self) -> None:
        """Choose all that hangs together with the chosen vertices."""
        self._rechoose(choosing.of_shells)

    def choose_more(self) -> None:
        """Choose the ring around the chosen vertices too."""
        self._rechoose(choosing.grown)

    def choose_less(self) -> None:
        """Choose the vertices at the border no more."""
        self._rechoose(choosing.shrunk)

    def _rechoose(self, change: Callable[[SkinPoints, IntArray], IntArray]) -> None:
        chosen = dict(self._bench.stage.chosen)

        def wanted(of: EditableRig) -> Points:
            each = zip(of.characters, of.points_of(chosen), strict=True)
            return tuple(change(c, p) if len(p) else p for c, p in each)

        self._bench.weight_editor.choose(wanted)

    def lock_joint(self) -> None:
        """Lock the selected joint, or free it."""
        joint = self._bench.stage.joint
        if joint is not None:
            lock(self._bench.state, self._bench.stage, joint)

    def lock_others(self) -> None:
        """Lock all joints but the selected one; free all where it is so already."""
        joint = self._bench.stage.joint
        if joint is not None:
            lock(self._bench.state, self._bench.stage, joint, others=True)

    def unlock_all(self) -> None:
        """Free all joints."""
        self._bench.state.update(locked=frozenset())

    def paint(self) -> None:
        """Let a drag paint what the view shows, weights or the mask; or orbit again."""
        bench = self._bench
        painting = bench.weight_painting
        if painting.is_active:
            painting.leave()
        elif bench.masker.is_active:
            bench.masker.leave()
        elif bench.state.value.shading in ("weights", "joints"):
            painting.start()
        else:
            bench.masker.start()

    def flood(self) -> None:
        """Do to all chosen vertices what the brush does."""
        self._bench.weight_painting.flood()

    def smooth_weights(self) -> None:
        """Bring the chosen vertices nearer to their neighbours."""
        brush = BrushPoints("smooth")
        self._edit(lambda of, points, free: flooding.flood(of, points, brush, free), "Smooth {}")

    def fill_weights(self) -> None:
        """Give the chosen vertices the weights of the bones that are nearest through the body."""
        self._edit(filling.fill, "Fill {} by geodesic voxels")

    def hammer(self) -> None:
        """Give the chosen vertices the mean of the ring around them."""
        self._edit(flooding.hammer, "Hammer {}")

    def normalise(self) -> None:
        """Make the weights of the chosen vertices sum to one."""
        self._edit(flooding.normalise, "Normalise {}")

    def prune(self) -> None:
        """Drop small weights of the chosen vertices."""
        least = prune.LEAST
        self._edit(
            lambda of, points, free: flooding.prune_below(of, points, least, free),
            f"Prune weights below {least:g} of {{}}",
        )

    def keep_largest(self) -> None:
        """Keep the four largest weights of the chosen vertices."""
        most = prune.MOST
        self._edit(
            lambda of, points, free: flooding.keep_largest(of, points, most, free),
            f"Keep the {most} largest weights of {{}}",
        )

    def _edit(self, edit: Edit, words: str) -> None:
        self._bench.weight_editor.edit(edit, words.format)

    def mirror_left(self) -> None:
        """Give the right side the weights of the left: the chosen vertices, or all of that side."""
        self._mirror("left to right")

    def mirror_right(self) -> None:
        """Give the left side the weights of the right."""
        self._mirror("right to left")

    def _mirror(self, way: Way) -> None:
        chosen = self._bench.stage.chosen
        alone: dict[int, IntArray] = {}
        reasons: list[str] = []

        def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
            try:
                by = mirror_of(of)
            except NotMade as reason:
                # Beside a body there may be a thing that has no sides.
                reasons.append(f"{reason}.")
                return Edited(of, points[:0])
            # Those chosen on the side that gives stand for their images.
            images = by.image[points]
            wanted = np.union1d(points, images[images >= 0]) if chosen else None
            edited, result = flooding.mirror(of, by, way, free, wanted)
            alone[of.number] = result.unpaired
            return edited

        def then(after: EditableRig) -> str:
            points = tuple(alone.get(of.number, none) for of, none in _each(after))
            number = sum(map(len, points))
            self._bench.state.update(marked=as_chosen(after, points))
            if not alone and reasons:
                return f"{reasons[0][0].upper()}{reasons[0][1:]}"
            if not number:
                return ""
            return f"{count(number, 'vertex')} without a pair, marked, kept their weights."

        self._bench.weight_editor.edit(
            edit, lambda many: f"Mirror {way} on {many}", everything=not chosen, then=then
        )


def _each(of: EditableRig) -> Iterable[tuple[SkinPoints, IntArray]]:
    return zip(of.characters, of.nothing, strict=True)
