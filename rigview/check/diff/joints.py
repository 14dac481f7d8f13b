"""What became of the joints: their names, their parents, where they rest, and how they are bound."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.check.diff.pairing import Pairing, Pairs
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.weight_changes import DISPLACED

# Files hold float32: less than this is rounding. Radians, and a ratio.
TURNED = np.radians(0.01)
SCALED = 1e-4


@dataclass(frozen=True)
class Shift:
    """How far one frame stands from another: metres, radians, and the ratio of their scales."""

    moved: float = 0.0
    turned: float = 0.0
    scaled: float = 1.0

    def limited(self, size: float) -> "Shift":
        """Return the shift without what is rounding, in a rig of that size."""
        return Shift(
            self.moved if self.moved > DISPLACED * size else 0.0,
            self.turned if self.turned > TURNED else 0.0,
            self.scaled if abs(self.scaled - 1.0) > SCALED else 1.0,
        )

    def where(self, other: "Shift") -> "Shift":
        """Return what of the shift the other one has as well."""
        return Shift(
            self.moved if other.moved else 0.0,
            self.turned if other.turned else 0.0,
            self.scaled if other.scaled != 1.0 else 1.0,
        )


NONE = Shift()


@dataclass(frozen=True)
class JointChange:
    """A joint of both rigs that is not the same.

    Parameters
    ----------
    joint
        Its node in the second rig; `was` is the one in the first.
    renamed
        Whether the names differ.
    parents
        The nodes above it, in the first and in the second rig, where they are not the same one; −1
        is none.
    shift
        In model space at rest. What a parent alone moves, turns or scales does not count.
    """

    was: int
    joint: int
    renamed: bool
    parents: tuple[int, int] | None
    shift: Shift


@dataclass(frozen=True)
class BindChange:
    """A joint that a skin binds otherwise; lengths are in mesh space."""

    skin: int
    joint: int
    shift: Shift


@dataclass(frozen=True)
class SkinChange:
    """A skin with other joints: nodes of the first rig that left, of the second that came.

    Parameters
    ----------
    reordered
        Whether those that stayed are listed in another order.
    """

    skin: int
    removed: tuple[int, ...]
    added: tuple[int, ...]
    reordered: bool


def joint_changes(a: Rig, b: Rig, pairs: Pairs, size: float) -> tuple[JointChange, ...]:
    """Return the joints that changed, in the first rig's order."""
    model = [model_from_nodes(rig, rest_pose(rig)) for rig in (a, b)]
    first, second = ([p[i] for p in pairs.both] for i in (0, 1))
    in_model = _shifts(model[0][first], model[1][second])
    local = _shifts(_local(a, model[0], first), _local(b, model[1], second))
    changes = []
    for i, (was, joint) in enumerate(pairs.both):
        # A parent that moves takes its children along in model space; a parent that is re-oriented
        # leaves them there. Only what is new in both is the joint's own.
        shift = in_model[i].limited(size).where(local[i].limited(size))
        above = (a.nodes.parents[was], b.nodes.parents[joint])
        same = _same_node(a, b, pairs, above)
        renamed = a.nodes.names[was] != b.nodes.names[joint]
        if renamed or not same or shift != NONE:
            changes.append(JointChange(was, joint, renamed, None if same else above, shift))
    return tuple(changes)


def _same_node(a: Rig, b: Rig, pairs: Pairs, nodes: tuple[int, int]) -> bool:
    """Tell whether two nodes are one: joints as they are paired, others by name."""
    if nodes[0] in pairs.second or nodes[1] in pairs.first:
        return pairs.second.get(nodes[0]) == nodes[1]
    names = [rig.nodes.names[n] if n >= 0 else None for rig, n in zip((a, b), nodes, strict=True)]
    return names[0] == names[1]


def bind_changes(a: Rig, b: Rig, pairing: Pairing, size: float) -> tuple[BindChange, ...]:
    """Return the joints that both rigs bind, and bind otherwise."""
    changes = []
    for skin_a, skin_b in pairing.skins.both:
        place = {joint: i for i, joint in enumerate(b.skins[skin_b].joints)}
        both = [
            (i, place[pairing.joints.second[joint]])
            for i, joint in enumerate(a.skins[skin_a].joints)
            if pairing.joints.second.get(joint) in place
        ]
        mesh_from_joint = [
            affine.inverse(rig.skins[skin].joint_from_mesh[[p[side] for p in both]])
            for side, (rig, skin) in enumerate(((a, skin_a), (b, skin_b)))
        ]
        shifts = _shifts(mesh_from_joint[0], mesh_from_joint[1])
        for (_, slot), shift in zip(both, shifts, strict=True):
            if shift.limited(size) != NONE:
                joint = b.skins[skin_b].joints[slot]
                changes.append(BindChange(skin_b, joint, shift.limited(size)))
    return tuple(changes)


def skin_changes(a: Rig, b: Rig, pairing: Pairing) -> tuple[SkinChange, ...]:
    """Return the skins of both rigs that lost or gained joints, or list them in another order."""
    changes = []
    for skin_a, skin_b in pairing.skins.both:
        before, after = a.skins[skin_a].joints, b.skins[skin_b].joints
        stayed = [pairing.joints.second.get(j, -1) for j in before]
        removed = tuple(j for j, now in zip(before, stayed, strict=True) if now not in after)
        added = tuple(j for j in after if j not in stayed)
        reordered = [j for j in stayed if j in after] != [j for j in after if j in stayed]
        if removed or added or reordered:
            changes.append(SkinChange(skin_b, removed, added, reordered))
    return tuple(changes)


def _local(rig: Rig, model: FloatArray, joints: Sequence[int]) -> FloatArray:
    """Return ``(n, 4, 4)`` each joint under the joint above it; a root joint in model space."""
    parents = [rig.joint_parents[joint] for joint in joints]
    above = np.where(
        np.array(parents, dtype=np.int64).reshape(-1, 1, 1) < 0,
        np.eye(4),
        model[parents] if len(model) else np.zeros((0, 4, 4)),
    )
    result: FloatArray = affine.inverse(above) @ model[list(joints)]
    return result


def _shifts(a: FloatArray, b: FloatArray) -> list[Shift]:
    """Return the shifts from ``(n, 4, 4)`` frames to others.

    What is not finite in one only is infinitely far.
    """
    moved = np.linalg.norm(a[:, :3, 3] - b[:, :3, 3], axis=-1)
    equal = np.all((a == b) | (np.isnan(a) & np.isnan(b)), axis=(1, 2))
    sound = np.asarray(np.isfinite(a).all(axis=(1, 2)) & np.isfinite(b).all(axis=(1, 2)))
    moved = np.where(sound, moved, np.where(equal, 0.0, np.inf))
    linear = [np.where(sound[:, None, None], m[:, :3, :3], np.eye(3)) for m in (a, b)]
    turns = [quat.from_matrix(affine.polar(m)[0]) for m in linear]
    turned = quat.angle_between(turns[0], turns[1])
    tiny = np.finfo(np.float64).tiny
    volume = [np.maximum(np.abs(affine.determinant(m)), tiny) for m in linear]
    scaled = np.cbrt(volume[1] / volume[0])
    return [Shift(*map(float, row)) for row in zip(moved, turned, scaled, strict=True)]
