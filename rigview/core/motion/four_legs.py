"""Four-legged animals: which limbs stand on the ground, and how each of their joints bends.

Names of animals' joints agree on little ("BackUpperLeg" is a thigh in one rig and a shank in the next),
so limbs are told by their places at rest. A limb begins at a joint with a side in its name below one
without, and does not part into several. It stands where its lowest bone ends near the ground. A body is
an animal's where the spine between the places that its limbs hang on is within `LEVEL` of horizontal;
birds and other animals on two legs are among them.
"""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, unit
from rigview.core.bones import Segments, Skeleton
from rigview.core.names import is_helper, side, without_side, words
from rigview.core.rig import Rig

# Steepest spine of an animal. Those of the corpus's foxes, horse, alpaca, bird and T-rex rest at up to 31°.
LEVEL = np.radians(35.0)
# Height up to which the end of a limb's lowest bone stands on the ground, and below which a joint belongs
# to the paw, as shares of the height of the joint that the limb hangs on. The alpaca's last bone, which has
# no joint at its end, ends at 18 %; paws of these animals begin at 2 % to 11 %, lowest hinges at 13 %.
_ON_THE_GROUND, _PAW = 0.25, 0.12
# Share of a limb's length by which it must reach down: a body that lies does not stand on its legs.
_DOWN = 0.35
# A limb may begin with a girdle, which its name tells, where it has more joints than this, or where the
# next bone is longer by this factor: a horse's scapula is as long as its humerus.
_LIMB, _LONGER = 4, 2.0
# A limb of no more joints is no arm or wing.
_SHORT = 2
_GIRDLE = {"shoulder", "scapula", "clavicle", "collar", "pelvis", "blade"}
# A joint straighter than this does not show which way it bends; one that is bent further sideways than
# forward or back neither.
_STRAIGHT = np.sin(np.radians(8.0))


@dataclass(frozen=True)
class LegJoint:
    """How one joint of a standing limb bends.

    Parameters
    ----------
    row
        Id of its limits in the table: girdle, limb, hinge or paw.
    towards
        Unit vector in model space towards which the bone of a hinge flexes; None for others.
    inner
        Angle in degrees between its bone and the bone above it at rest; 180 is straight.
    """

    row: str
    towards: FloatArray | None = None
    inner: float = 180.0


@dataclass(frozen=True)
class _Limb:
    """A limb along the primary children: positions in the skeleton from the body outwards."""

    joints: tuple[int, ...]
    body: int


def standing_legs(
    rig: Rig, skeleton: Skeleton, bones: Segments, up: FloatArray, forward: FloatArray
) -> dict[int, LegJoint]:
    """Return joint → how it bends, for the limbs that an animal stands on.

    Parameters
    ----------
    bones
        Bones at rest in model space, one per joint of the skeleton.
    up, forward
        Unit vectors of the body in model space.

    Returns
    -------
    Empty where the spine is upright, or where all limbs hang at one place of it.
    """
    limbs = _limbs(rig, skeleton)
    if not limbs:
        return {}
    heights = bones.heads @ up
    heights -= heights.min()
    ends = bones.tails @ up - float((bones.heads @ up).min())
    standing = []
    for limb in limbs:
        body, lowest = heights[limb.body], _lowest(rig, skeleton, limb, ends)
        length = float(bones.lengths[list(limb.joints)].sum())
        if lowest <= _ON_THE_GROUND * body and body - lowest >= _DOWN * length:
            standing.append(limb)
    rear = {limb.body for limb in standing}
    front = rear if len(rear) > 1 else _nearest_body(bones, limbs, rear)
    ways = [bones.heads[b] - bones.heads[a] for a in rear for b in front if a != b]
    if not ways or not _is_level(max(ways, key=lambda way: float(way @ way)), up):
        return {}
    places = [float(bones.heads[body] @ forward) for body in rear | front]
    middle = 0.5 * (min(places) + max(places))
    result: dict[int, LegJoint] = {}
    for limb in standing:
        # The elbow of a forelimb flexes forward, the stifle of a hind limb backward.
        first = forward if bones.heads[limb.body] @ forward > middle else -forward
        result |= _leg_joints(rig, skeleton, bones, limb, heights, first)
    return result


def flexion(
    flex: tuple[float, float], inner: float, reach: tuple[float, float]
) -> tuple[float, float]:
    """Return (least, most) degrees of flexion that keep the inner angle of a hinge within its reach.

    Parameters
    ----------
    flex
        (least, most) whatever the angle at rest.
    inner
        Inner angle at rest, degrees.
    reach
        Smallest and largest inner angle, degrees.
    """
    smallest, largest = reach
    return max(flex[0], min(0.0, inner - largest)), min(flex[1], max(0.0, inner - smallest))


def _limbs(rig: Rig, skeleton: Skeleton) -> list[_Limb]:
    joints = skeleton.joints.tolist()
    sided = [side(rig.body_name(joint)) is not None for joint in joints]
    limbs = []
    for first, parent in enumerate(skeleton.parents.tolist()):
        if not sided[first] or parent < 0 or sided[parent] or _is_control(rig, joints[first]):
            continue
        limb = [first]
        if _parts(rig, joints[first]):
            continue
        while skeleton.primary[limb[-1]] >= 0:
            limb.append(int(skeleton.primary[limb[-1]]))
        if len(limb) > 1:
            limbs.append(_Limb(tuple(limb), parent))
    return limbs


def _is_control(rig: Rig, joint: int) -> bool:
    return is_helper(without_side(rig.body_name(joint)))


def _parts(rig: Rig, joint: int) -> bool:
    """Return whether several chains of two joints or more hang on a joint, as a spider's legs do."""
    children = rig.joint_children
    return sum(bool(children[child]) for child in children[joint]) > 1


def _lowest(rig: Rig, skeleton: Skeleton, limb: _Limb, ends: FloatArray) -> float:
    """Return where the lowest bone of a limb ends, with all that hangs on it."""
    nodes = rig.nodes.with_descendants({int(skeleton.joints[limb.joints[0]])})
    return min(float(ends[skeleton.places[node]]) for node in nodes if node in skeleton.places)


def _nearest_body(bones: Segments, limbs: list[_Limb], rear: set[int]) -> set[int]:
    """Return the joint nearest to those of legs on which other limbs hang: arms or wings, not ears."""
    others = {limb.body for limb in limbs if len(limb.joints) > _SHORT} - rear
    if not rear or not others:
        return set()
    start = bones.heads[list(rear)].mean(axis=0)
    return {min(others, key=lambda body: float(np.linalg.norm(bones.heads[body] - start)))}


def _is_level(way: FloatArray, up: FloatArray) -> bool:
    return abs(float(unit(way) @ up)) <= np.sin(LEVEL)


def _leg_joints(
    rig: Rig,
    skeleton: Skeleton,
    bones: Segments,
    limb: _Limb,
    heights: FloatArray,
    towards: FloatArray,
) -> dict[int, LegJoint]:
    """Return how the joints of one limb bend; straight hinges by turns, the first one `towards`."""
    result: dict[int, LegJoint] = {}
    nodes = [int(skeleton.joints[joint]) for joint in limb.joints]
    own, below = bones.lengths[list(limb.joints[:2])]
    may_be = len(nodes) > _LIMB or below > _LONGER * own
    girdle = may_be and not _GIRDLE.isdisjoint(words(rig.body_name(nodes[0])))
    for number, (node, joint) in enumerate(zip(nodes, limb.joints, strict=True)):
        if heights[joint] < _PAW * heights[limb.body]:
            result[node] = LegJoint("paw")
        elif number <= girdle:
            result[node] = LegJoint("girdle" if number < girdle else "limb")
        else:
            over, bone = bones.directions[limb.joints[number - 1]], bones.directions[joint]
            bend = bone - over * (over @ bone)
            along = float(bend @ towards)
            if np.linalg.norm(bend) > _STRAIGHT and abs(along) > 0.5 * np.linalg.norm(bend):
                towards = towards if along > 0.0 else -towards
            inner = 180.0 - float(np.degrees(np.arccos(np.clip(over @ bone, -1.0, 1.0))))
            result[node] = LegJoint("hinge", towards, inner)
            towards = -towards
    return result
