"""The arms of a body in a T-pose or an A-pose: where they should point, and what turns them there.

In a T-pose the whole arm lies along the line from right to left, level with the ground (VRMC_vrm 1.0,
tpose.md, definitions 1.4 and 1.6). In an A-pose the upper arm hangs from there by 45°, and what is below
it rests as it did. Every turn is the shortest one: how an arm is twisted about its bone stays.
"""

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from rigview.core import quat
from rigview.core.anatomy import Anatomy, Humanoid
from rigview.core.arrays import FloatArray, unit
from rigview.core.deform import Deformer
from rigview.core.names import body_parts
from rigview.core.rig import Rig
from rigview.core.stance import across

RestPose = Literal["T", "A"]
# By how many degrees arms hang in an A-pose: of those in use, from 30° to 60°, the middle.
HANG = 45.0
# Radians that are no turn: rounding of 32-bit transforms.
_NONE = 1e-6


def aims(
    rig: Rig, heads: FloatArray, body: Humanoid, pose: RestPose
) -> tuple[FloatArray, FloatArray]:
    """Return the unit directions ``(3,)``, in model space, that the arms of a body should have.

    Parameters
    ----------
    heads
        ``(N, 3)`` where the nodes are.
    """
    up = unit(heads[body.head] - heads[body.hips])
    axis = int(np.argmax(np.abs(up)))
    normal = np.sign(up[axis]) * np.eye(3)[axis]
    line = across(Anatomy(rig), heads, body)
    out = unit(line - (line @ normal) * normal)
    # Where the names of left and right are exchanged the arms stay on their own sides.
    apart = heads[body.arms[0]] - heads[body.arms[1]]
    side = 1.0 if apart @ out >= 0.0 else -1.0
    angle = 0.0 if pose == "T" else math.radians(HANG)
    down = -math.sin(angle) * normal
    return down + side * math.cos(angle) * out, down - side * math.cos(angle) * out


def turns(deformer: Deformer, body: Humanoid, pose: RestPose) -> dict[int, FloatArray]:
    """Return what brings the arms of a body into a pose: joint → ``(4,)`` its turn.

    A joint is turned about its own place in model space, after what is above it was turned.
    """
    heads = deformer.rest_nodes[:, :3, 3]
    result: dict[int, FloatArray] = {}
    for arm, aim in zip(body.arms, aims(deformer.rig, heads, body, pose), strict=True):
        turned = np.array(quat.IDENTITY)
        for joint, end in _bones(deformer, arm, whole=pose == "T"):
            turn = quat.arc(quat.rotate(turned, end - heads[joint]), aim)
            if float(quat.angle_between(np.array(quat.IDENTITY), turn)) > _NONE:
                turned = quat.multiply(turn, turned)
                result[joint] = turn
    return result


def _bones(deformer: Deformer, arm: int, *, whole: bool) -> Iterator[tuple[int, FloatArray]]:
    """Yield the joints of an arm, each with the place ``(3,)`` where its bone ends."""
    rig, heads = deformer.rig, deformer.rest_nodes[:, :3, 3]
    end = bone_end(deformer, arm)
    if end is None:
        return
    yield arm, heads[end]
    if not whole:
        return
    parts = body_parts(rig)
    below = sorted(rig.nodes.subtree(arm), key=lambda node: int(rig.nodes.depths[node]))
    elbow = next((node for node in below if parts.get(node) == "lower_arm"), None)
    hand = next((node for node in below if parts.get(node) == "hand"), None)
    if elbow is None or hand is None or not rig.nodes.is_ancestor(elbow, hand):
        return
    yield elbow, heads[hand]
    # The first joint of each finger.
    fingers = [n for n in below if parts.get(n) == "finger" and rig.joint_parents.get(n) == hand]
    if fingers:
        yield hand, heads[fingers].mean(axis=0)


def bone_end(deformer: Deformer, joint: int) -> int | None:
    """Return the joint where the bone of a joint ends; None where none is."""
    skeleton = deformer.skeleton
    end = int(skeleton.primary[skeleton.places[joint]])
    return int(skeleton.joints[end]) if end >= 0 else None
