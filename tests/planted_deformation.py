"""Rigs with one known fault of deformation: a joint twisted or bent too far, or a patch on a far joint.

Every clip goes from rest to the pose and back in 31 frames at 30 frames a second; the worst is frame 15.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from rigview.assets import resource
from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Influences
from rigview.core.motion.joint_axes import joint_axes
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.names import body_parts, side
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io import load

Role = Literal["wrist", "elbow", "shoulder", "ankle", "knee"]
# Role → the part of a body whose joint it is, and whether it is twisted.
ROLES: dict[Role, tuple[str, bool]] = {
    "wrist": ("hand", True),
    "elbow": ("lower_arm", False),
    "shoulder": ("upper_arm", False),
    "ankle": ("foot", True),
    "knee": ("lower_leg", False),
}
# What breaks a role under linear skinning, and what no sound rig minds, degrees.
BROKEN: dict[Role, float] = {
    "wrist": 170.0,
    "elbow": 140.0,
    "shoulder": 120.0,
    "ankle": 170.0,
    "knee": 140.0,
}
TAME = 35.0
FRAMES, FPS = 31, 30.0
WORST_TIME = 15 / FPS
# Rigs of the corpus, and the roles that they cannot show: they have no such joint, or the skin there is in
# pieces that no edge joins, or follows one joint alone, under a cuff or in a boot. Fox stands on four legs.
# human-sintel is no sound rig: 14 vertices of an ankle follow the root, too, so that a knee bent by 35°
# stretches edges there to 3.0 times their length.
CHARACTERS: dict[str, tuple[Role, ...]] = {
    "human-female.glb": (),
    "mannequiny.glb": (),
    "arnaud.fbx": (),
    "CesiumMan.glb": (),
    "Formal.glb": (),
    "player.glb": ("wrist", "ankle"),
    "Godette_vrm_v4.vrm": ("wrist", "shoulder"),
    "Fox.glb": (),
}
CASES = [(n, role) for n, without in CHARACTERS.items() for role in ROLES if role not in without]
# Those in which a patch can be given to a far joint.
PATCHED = ("mannequiny.glb", "arnaud.fbx", "CesiumMan.glb", "Formal.glb", "Fox.glb")


@lru_cache(1)
def character(path: Path) -> Rig:
    """Return the rig of a file; the last one is kept."""
    return load(path).rig


def found(corpus: Path, name: str) -> Rig:
    """Return a rig of the corpus."""
    return character(next(path for path in sorted(corpus.rglob(name))))


@dataclass(frozen=True)
class Planted:
    """A rig with one clip, and the joint that is to blame."""

    rig: Rig
    joint: int


def joint_of(rig: Rig, role: Role, which: str = "left") -> int:
    """Return the joint of a role on one side."""
    part, _ = ROLES[role]
    found = [
        joint
        for joint, name in body_parts(rig).items()
        if name == part and side(rig.body_name(joint)) == which
    ]
    if not found:
        raise ValueError(f"{role}: this rig has no such joint on the {which}")
    return found[0]


def plant(rig: Rig, role: Role, degrees: float | None = None, which: str = "left") -> Planted:
    """Return the rig with one clip in which a joint is twisted about its limb or bent as it bends.

    Parameters
    ----------
    degrees
        How far; as far as breaks it where None.
    """
    joint = joint_of(rig, role, which)
    angle = BROKEN[role] if degrees is None else degrees
    axis = limb_axis(rig, joint) if ROLES[role][1] else bend_axis(rig, joint)
    return Planted(replace(rig, clips=(turning(rig, joint, axis, angle),)).made_of(rig), joint)


def plant_patch(rig: Rig, degrees: float = 60.0, which: str = "left") -> Planted:
    """Return the rig with a patch of the head on the lower arm, which the upper arm lifts."""
    joint = joint_of(rig, "shoulder", which)
    follower = joint_of(rig, "elbow", which)
    head = next(j for j, part in body_parts(rig).items() if part == "head")
    patched = _with_patch(rig, head, follower)
    clip = turning(rig, joint, bend_axis(rig, joint), degrees)
    return Planted(replace(patched, clips=(clip,)).made_of(rig), joint)


def plant_near_patch(rig: Rig, which: str = "left") -> Planted:
    """Return the rig without clips, with a patch of the lower arm that follows the hand by half.

    The hand is too near for its weight to be stray.
    """
    joint, arm = joint_of(rig, "wrist", which), joint_of(rig, "elbow", which)
    for part in rig.parts:
        primitive = rig.primitive(part)
        influences = primitive.influences
        joints = () if part.skin is None else rig.skins[part.skin].joints
        if influences is None or joint not in joints or arm not in joints:
            continue
        shares = np.where(influences.joints == joints.index(arm), influences.weights, 0.0)
        chosen = np.flatnonzero(shares.sum(axis=1) > 0.6)
        points = primitive.positions[chosen]
        from_middle = np.linalg.norm(points - points[len(chosen) // 2], axis=1)
        near = chosen[np.argsort(from_middle)[: max(len(chosen) // 8, 6)]]
        changed = _half_on(influences, near, joints.index(joint))
        patched = rig.with_primitive(
            part.mesh, part.primitive, replace(primitive, influences=changed)
        )
        return Planted(replace(patched, clips=()).made_of(rig), joint)
    raise ValueError("no part follows the arm")


def _half_on(influences: Influences, vertices: IntArray, slot: int) -> Influences:
    """Return influences of which some vertices give half of their weight to one joint of the skin."""
    count = len(influences.weights)
    joints, weights = np.zeros((count, 1), dtype=np.int64), np.zeros((count, 1))
    joints[vertices], weights[vertices] = slot, 0.5
    return Influences(
        np.concatenate([influences.joints, joints], axis=1),
        np.concatenate([influences.weights * (1.0 - weights), weights], axis=1),
    )


def _with_patch(rig: Rig, head: int, follower: int) -> Rig:
    """Give half of the weight of some vertices that follow one joint only to another joint."""
    for part in rig.parts:
        influences = rig.primitive(part).influences
        if part.skin is None or influences is None:
            continue
        joints = list(rig.skins[part.skin].joints)
        if head not in joints or follower not in joints:
            continue
        weights = np.where(influences.joints == joints.index(head), influences.weights, 0.0)
        alone = np.flatnonzero(weights.sum(axis=1) > 0.99)
        if len(alone) < 40:
            continue
        points = rig.primitive(part).positions
        seed = points[alone[np.argmax(points[alone, 1])]]
        near = alone[np.argsort(np.linalg.norm(points[alone] - seed, axis=1))[: len(alone) // 8]]
        changed = _half_on(influences, near, joints.index(follower))
        primitive = replace(rig.primitive(part), influences=changed)
        return rig.with_primitive(part.mesh, part.primitive, primitive)
    raise ValueError("no part follows the head")


def limb_axis(rig: Rig, joint: int) -> FloatArray:
    """Return the unit direction of the limb that leads to a joint, in the joint's own frame at rest."""
    rest = model_from_nodes(rig, rest_pose(rig))
    above = rig.joint_parents[joint]
    along = rest[joint, :3, 3] - rest[above, :3, 3]
    local = np.linalg.inv(rest[joint, :3, :3]) @ along
    return local / np.linalg.norm(local)


def bend_axis(rig: Rig, joint: int) -> FloatArray:
    """Return the axis about which a joint flexes, in its own frame at rest."""
    axes = joint_axes(
        rig, model_from_nodes(rig, rest_pose(rig)), LimitTable.of(resource("joint_limits.json"))
    )
    return axes[joint].flex


def turning(rig: Rig, joint: int, axis: FloatArray, degrees: float) -> Clip:
    """Return a clip that turns a joint about an axis of its own frame and back, with a key per frame."""
    times = np.arange(FRAMES) / FPS
    share = 1.0 - np.abs(times - WORST_TIME) / WORST_TIME
    turns = quat.from_axis_angle(axis, np.radians(degrees) * share)
    values = quat.normalise(quat.multiply(rig.nodes.rotations[joint], turns))
    return Clip("planted", (Channel(joint, "rotation", Sampler(times, values)),))
