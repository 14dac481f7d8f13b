"""How far the joints of the rig on show usually turn, by the parts of a body that their names tell."""

from functools import lru_cache

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.motion.joint_axes import JointAxes, joint_axes
from rigview.core.motion.joint_limits import LimitTable


@lru_cache(maxsize=2)
def _every(deformer: Deformer) -> dict[int, JointAxes]:
    table = LimitTable.of(resource("joint_limits.json"))
    axes = joint_axes(deformer.rig, deformer.rest_nodes, table)
    return {joint: own for joint, own in axes.items() if own.limits.id != "other"}


def usual_axes(deformer: Deformer, joint: int) -> JointAxes | None:
    """Return axes and limits of a body's joint; None where its name tells no part of a body."""
    return _every(deformer).get(joint)
