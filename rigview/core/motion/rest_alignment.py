"""The reference pose of a character with its arms and legs as those of a motion are in its own."""

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.motion.body_pair import BodyPair

# Parts whose bones point in the same direction when two bodies stand in the same pose.
ALIGNED = frozenset({"upper_arm", "lower_arm", "hand", "finger", "thumb", "upper_leg", "lower_leg"})
# … of which these end where nothing tells a direction: they keep the arc of the joint above.
_FOLLOW = frozenset({"hand", "finger", "thumb"})
# So many fingers tell how a hand is rolled.
_PALM = 2

Arcs = dict[int, FloatArray]


def aligned_turns(pair: BodyPair) -> Arcs:
    """Return mapped joint → ``(4,)`` its reference rotation with the arc onto its counterpart's bone."""
    arcs: Arcs = {}
    for joint in pair.order:
        if joint in pair.mapping.matches:
            arcs[joint] = _arc(pair, joint, arcs)
    return {joint: quat.multiply(arc, pair.character.turns[joint]) for joint, arc in arcs.items()}


def _arc(pair: BodyPair, joint: int, arcs: Arcs) -> FloatArray:
    part = pair.mapping.parts.get(joint)
    identity = np.array(quat.IDENTITY)
    if part is not None and part not in ALIGNED:
        return identity
    if part is None and pair.mapping.matches[joint].how == "part":
        return identity
    if part == "hand":
        palm = _palm(pair, joint)
        return _nearest_arc(pair, joint, arcs) if palm is None else palm
    end, bone = pair.ends[joint], pair.bone(joint)
    if end is None or bone is None:
        follows = part in _FOLLOW or part is None
        return _nearest_arc(pair, joint, arcs) if follows else identity
    own = pair.character.heads[end[0]] - pair.character.heads[joint]
    return quat.arc(own, quat.rotate(pair.facing, bone))


def _palm(pair: BodyPair, hand: int) -> FloatArray | None:
    """Return the rotation that best turns the ways to a hand's fingers onto those of its counterpart.

    None for less than two fingers. Rotation of least squares: Kabsch 1976.
    """
    matches = pair.mapping.matches
    fingers: dict[int, int] = {}
    for joint in pair.character.rig.nodes.subtree(hand):
        is_finger = joint in matches and pair.mapping.parts.get(joint) == "finger"
        if is_finger and pair.mapped_above(joint) == hand:
            fingers.setdefault(matches[joint].source, joint)
    if len(fingers) < _PALM:
        return None
    own = pair.character.heads[[*fingers.values()]] - pair.character.heads[hand]
    source = pair.motion.heads[[*fingers]] - pair.motion.heads[matches[hand].source]
    other = quat.rotate(pair.facing, source)
    u, _, vt = np.linalg.svd(unit(other).T @ unit(own))
    u[:, 2] *= np.sign(np.linalg.det(u @ vt))
    return quat.from_matrix(u @ vt)


def _nearest_arc(pair: BodyPair, joint: int, arcs: Arcs) -> FloatArray:
    for above in pair.character.rig.nodes.ancestors(joint):
        if above in arcs:
            return arcs[above]
    return np.array(quat.IDENTITY)
