"""How far the joints of the rig on show usually turn, by the parts of a body that their names tell."""

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.motion.joint_axes import JointAxes, joint_axes
from rigview.core.motion.joint_limits import LimitTable


def are_known(deformer: Deformer) -> bool:
    """Return whether `usual_axes` answers at once: for a new rig it takes 20 ms or so."""
    return deformer.has_computed(_ranges)


def find_ranges(deformer: Deformer) -> None:
    """Find the ranges of all joints now, in a worker, so that `usual_axes` answers at once."""
    deformer.once(_ranges)


def _ranges(deformer: Deformer) -> dict[int, JointAxes]:
    table = LimitTable.of(resource("joint_limits.json"))
    axes = joint_axes(deformer.rig, deformer.rest_nodes, table)
    return {joint: own for joint, own in axes.items() if own.limits.id != "other"}


def usual_axes(deformer: Deformer, joint: int) -> JointAxes | None:
    """Return axes and limits of a body's joint; None where its name tells no part of a body."""
    return deformer.once(_ranges).get(joint)
