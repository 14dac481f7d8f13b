"""How bodies stand: which way is up for each, and where it looks."""

import math

import numpy as np

from rigview.core.anatomy import Anatomy, Humanoid
from rigview.core.arrays import FloatArray, cross, unit
from rigview.core.deform import Deformer
from rigview.core.names import body_parts
from rigview.core.rig import Rig

# The extension of VRM 0.x.
VRM_0 = "VRM"
# Legs go on where a human's trunk ends: the cosine of the angle between them is below −0.7 in all files
# known, crouching ones too; of animals, whose joints have the same names, it is above −0.4.
_ON_TWO_LEGS = -0.5
# A body that looks up or down by more than 60° says nothing of where its front is.
_LEVEL = 0.5
# Bodies whose looks differ so that their mean is shorter look to different sides.
_TOGETHER = 0.8
# The part across the body of the way from the ankles to the toes is 0.42 of it or more in all files whose
# feet point anywhere; of feet whose toes hang straight down it is 0.04.
_FEET_TELL = 0.25
# Vertices of such a share of weight are the joint's.
_MOST = 0.5
# Whoever looks less than this aside of an axis stands along it, leaning: the cosine of 37°.
_ALONG = 0.8


def across(anatomy: Anatomy, heads: FloatArray, body: Humanoid) -> FloatArray:
    """Return the unit direction from the right of a body to its left, of nodes at ``(N, 3)``."""
    pairs = np.array([body.arms, body.legs])
    if not arms_lie_as_legs(heads, body):
        # Where names of one pair are exchanged, which HIE-SIDE says, most of the others are not.
        pairs = np.array(anatomy.pairs_of[anatomy.characters[body.arms[0]]])
    rows = heads[pairs[:, 0]] - heads[pairs[:, 1]]
    return unit(rows.sum(axis=0))


def arms_lie_as_legs(heads: FloatArray, body: Humanoid) -> bool:
    """Return whether nodes at ``(N, 3)`` have the arm named left on the side of the leg named left."""
    (left_arm, right_arm), (left_leg, right_leg) = body.arms, body.legs
    arms, legs = heads[left_arm] - heads[right_arm], heads[left_leg] - heads[right_leg]
    return bool(arms @ legs >= 0.0)


def directions(
    anatomy: Anatomy, heads: FloatArray, body: Humanoid
) -> tuple[FloatArray, FloatArray]:
    """Return the unit directions from hips to head, and out of the chest, of nodes at ``(N, 3)``."""
    up = unit(heads[body.head] - heads[body.hips])
    return up, unit(cross(across(anatomy, heads, body), up))


def bodies(anatomy: Anatomy, heads: FloatArray) -> tuple[Humanoid, ...]:
    """Return the joints of humans' bodies: by their names, and by where the trunk and the legs point.

    Parameters
    ----------
    heads
        ``(N, 3)`` where the nodes are at rest.
    """
    named = anatomy.humanoids
    if anatomy.rig.humanoid:
        return named
    return tuple(body for body in named if _is_upright(anatomy.rig, heads, body))


def _is_upright(rig: Rig, heads: FloatArray, body: Humanoid) -> bool:
    arms, legs = heads[list(body.arms)].mean(axis=0), heads[list(body.legs)].mean(axis=0)
    feet = [_furthest_below(rig, heads, leg) for leg in body.legs]
    down = heads[feet].mean(axis=0) - legs
    return float(unit(arms - legs) @ unit(down)) < _ON_TWO_LEGS


def _furthest_below(rig: Rig, heads: FloatArray, joint: int) -> int:
    below = list(rig.nodes.subtree(joint))
    away = heads[below] - heads[joint]
    return below[int(np.argmax(np.linalg.norm(away, axis=1)))]


def front(deformer: Deformer) -> float:
    """Return where the characters look at rest: radians about +Y, 0 for +Z.

    It is a whole number of quarter turns where that is nearly so. Without a body that tells, it is what
    the format says: VRM 0.x
    looks along −Z, all others along +Z.
    """
    rig, heads = deformer.rig, deformer.rest_nodes[:, :3, 3]
    usual = math.pi if VRM_0 in rig.origin.extensions else 0.0
    anatomy = Anatomy(rig)
    looks = [_look(deformer, anatomy, body) for body in bodies(anatomy, heads)]
    level = [unit(np.array([x, 0.0, z])) for x, _, z in looks if math.hypot(x, z) > _LEVEL]
    if not level:
        return usual
    x, _, z = np.mean(level, axis=0)
    if not math.hypot(x, z) > _TOGETHER:
        return usual
    yaw = math.atan2(x, z)
    quarter = round(yaw / (0.5 * math.pi)) * 0.5 * math.pi
    return quarter if math.cos(yaw - quarter) > _ALONG else yaw


def _look(deformer: Deformer, anatomy: Anatomy, body: Humanoid) -> FloatArray:
    """Return the unit direction out of the chest."""
    _, forward = directions(anatomy, deformer.rest_nodes[:, :3, 3], body)
    return -forward if names_sides_wrongly(deformer, anatomy, body) else forward


def names_sides_wrongly(deformer: Deformer, anatomy: Anatomy, body: Humanoid) -> bool:
    """Return whether the left of a body by its names is its right: its feet point to its back then.

    Sides tell where the chest looks; wrong names turn that around, and never the feet.
    """
    up, forward = directions(anatomy, deformer.rest_nodes[:, :3, 3], body)
    return float(_toes(deformer, body, up) @ forward) < -_LEVEL


def _toes(deformer: Deformer, body: Humanoid, up: FloatArray) -> FloatArray:
    """Return the unit direction in which the feet point, across `up`; zero where nothing tells it."""
    rig, heads = deformer.rig, deformer.rest_nodes[:, :3, 3]
    parts = body_parts(rig)
    below = [node for leg in body.legs for node in rig.nodes.subtree(leg)]
    feet = [node for node in below if parts.get(node) == "foot"]
    ways = [np.zeros(3)]
    for foot in feet:
        toes = [node for node in rig.nodes.subtree(foot) if parts.get(node) == "toes"]
        ends = heads[toes[:1]] if toes else _moved_by(deformer, foot)
        ways.extend(ends.mean(axis=0, keepdims=True) - heads[foot] if len(ends) else [])
    way = np.sum(ways, axis=0)
    if not np.all(np.isfinite(way)):
        return np.zeros(3)
    level = way - (way @ up) * up
    tells = float(np.linalg.norm(level)) > _FEET_TELL * float(np.linalg.norm(way))
    return unit(level) if tells else np.zeros(3)


def _moved_by(deformer: Deformer, joint: int) -> FloatArray:
    """Return ``(n, 3)`` the vertices at rest that a joint has half of the weight of, or more."""
    clouds, start = [np.zeros((0, 3))], 0
    for number, part in enumerate(deformer.rig.parts):
        count = len(deformer.rig.primitive(part).positions)
        rows = deformer.rest_positions[start : start + count]
        clouds.append(rows[deformer.joint_weights(number, joint) >= _MOST])
        start += count
    return np.concatenate(clouds)
