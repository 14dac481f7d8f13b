"""Bones: the segment from a joint to its primary child, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig

Axis = Literal["auto", "+x", "-x", "+y", "-y", "+z", "-z"]
AXES: tuple[Axis, ...] = get_args(Axis)

# A leaf continues the bone above at half its length; a root without children is H/20 long
# (DESIGN, "bone").
LEAF_LENGTH = 0.5
LONE_ROOT_LENGTH = 1.0 / 20.0
# A bone shorter than this share of the rig's size has no direction of its own.
ZERO_LENGTH = 1e-4
# Values nearer to each other than this share are one value that float32 files have rounded.
EVEN = 1e-5


def axis_vector(axis: Axis) -> FloatArray:
    """Return the unit vector ``(3,)`` of a signed axis name; "auto" has the default, +Y."""
    if axis == "auto":
        return np.array([0.0, 1.0, 0.0])
    sign = -1.0 if axis[0] == "-" else 1.0
    return sign * np.eye(3)["xyz".index(axis[1])]


def joint_weights(rig: Rig) -> dict[int, float]:
    """Return joint → the sum of its weights over all vertices of all skins it serves."""
    totals = np.zeros(len(rig.nodes))
    for part in rig.parts:
        influences = rig.primitive(part).influences
        if part.skin is not None and influences is not None:
            joints = rig.skins[part.skin].nodes
            np.add.at(totals, joints, influences.totals(len(joints)))
    return dict(zip(rig.joints, totals[list(rig.joints)].tolist(), strict=True))


def box_diagonal(*points: FloatArray) -> float:
    """Return the diagonal of the box around all of some ``(n, 3)`` points; 1 where it is nothing."""
    some = points[0] if len(points) == 1 else np.concatenate([np.zeros((0, 3)), *points])
    if not len(some):
        return 1.0
    low, high = row_ops.box(some)
    diagonal = float(np.linalg.norm(high - low))
    return diagonal if np.isfinite(diagonal) and diagonal > 0.0 else 1.0


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The joints of a rig as a forest, with each joint's primary child.

    Parameters
    ----------
    joints
        ``(J,)`` node numbers, ascending.
    parents, primary
        ``(J,)`` position in `joints` of the parent joint and of the primary child; −1 for none.
    """

    joints: IntArray
    parents: IntArray
    primary: IntArray

    @cached_property
    def places(self) -> dict[int, int]:
        """Joint → its position."""
        return {joint: place for place, joint in enumerate(self.joints.tolist())}

    @cached_property
    def _spans(self) -> IntArray:
        """``(2, J)`` when a walk through the forest enters each joint, and leaves what is below it."""
        spans = np.zeros((2, len(self.joints)), dtype=np.int64)
        below: list[list[int]] = [[] for _ in self.joints]
        for place, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                below[parent].append(place)
        step = 0
        waiting = [(place, False) for place in np.flatnonzero(self.parents < 0).tolist()]
        while waiting:
            place, is_left = waiting.pop()
            if is_left:
                spans[1, place] = step
                continue
            spans[0, place] = step
            step += 1
            waiting.append((place, True))
            waiting += [(child, False) for child in below[place]]
        return spans

    def below(self, place: int) -> BoolArray:
        """Return ``(J,)`` which joints are the one at a position, or below it."""
        entered, left = self._spans
        return (entered >= entered[place]) & (entered < left[place])

    def is_like(self, other: "Skeleton") -> bool:
        """Tell whether the same joints hang alike, and their bones end alike."""
        return all(
            np.array_equal(a, b)
            for a, b in (
                (self.joints, other.joints),
                (self.parents, other.parents),
                (self.primary, other.primary),
            )
        )

    def around(self, joints: Sequence[int]) -> "Skeleton":
        """Return the part of the skeleton that says where the bones of some joints lie, joints ascending.

        These are the joints themselves, all above them, and where the bones of those end.
        """
        inside = np.zeros(len(self.joints), dtype=np.bool_)
        reached = np.array([self.places[joint] for joint in joints], dtype=np.int64)
        while len(reached):
            inside[reached] = True
            above = self.parents[reached]
            reached = above[(above >= 0) & ~inside[above]]
        inside[self.primary[inside & (self.primary >= 0)]] = True
        if inside.all():
            return self
        chosen = np.flatnonzero(inside)
        place = np.full(len(self.joints) + 1, -1)
        place[chosen] = np.arange(len(chosen))
        # A joint where a bone ends hangs on the one where it begins.
        return Skeleton(
            self.joints[chosen], place[self.parents[chosen]], place[self.primary[chosen]]
        )


def skeleton(rig: Rig, rest: FloatArray, weights: Mapping[int, float]) -> Skeleton:
    """Find the primary child of every joint.

    It is the child whose subtree carries most weight, then the one with the longer bone in the
    rest pose, then the first in file order. Weights and lengths that differ by rounding only, as
    those of a left and a right leg do, are even.

    Parameters
    ----------
    rest
        ``(N, 4, 4)`` ``model_from_node`` in the rest pose.
    weights
        Of `joint_weights`.
    """
    joints, depths = rig.joints, rig.nodes.depths.tolist()
    position = {joint: i for i, joint in enumerate(joints)}
    subtree = dict(weights)
    for joint in sorted(joints, key=lambda j: -depths[j]):
        parent = rig.joint_parents[joint]
        if parent >= 0:
            subtree[parent] += subtree[joint]
    primary = np.full(len(joints), -1, dtype=np.int64)
    for joint, below in rig.joint_children.items():
        children = below
        if len(children) > 1:
            children = _largest(children, [subtree[c] for c in children])
        if len(children) > 1:
            along = rest[list(children), :3, 3] - rest[joint, :3, 3]
            children = _largest(children, np.linalg.norm(along, axis=-1))
        if children:
            primary[position[joint]] = position[children[0]]
    parents = np.array([position.get(rig.joint_parents[j], -1) for j in joints], dtype=np.int64)
    return Skeleton(np.array(joints, dtype=np.int64), parents, primary)


def _largest(joints: Sequence[int], values: ArrayLike) -> tuple[int, ...]:
    """Return the joints of the largest value, in their order, all that are even with it."""
    given = np.asarray(values, dtype=np.float64)
    most = float(given.max())
    even = given >= most - EVEN * abs(most)
    return tuple(joint for joint, chosen in zip(joints, even, strict=True) if chosen)


@dataclass(frozen=True, eq=False)
class Segments:
    """Heads, unit directions and lengths of bones: ``(J, 3)``, ``(J, 3)``, ``(J,)``."""

    heads: FloatArray
    directions: FloatArray
    lengths: FloatArray

    @classmethod
    def between(cls, heads: FloatArray, tails: FloatArray, fallback: FloatArray) -> "Segments":
        """Build from ``(J, 3)`` ends; a bone of no length has its `fallback` direction."""
        along = tails - heads
        return cls(heads, unit(along, fallback), np.linalg.norm(along, axis=-1))

    @property
    def tails(self) -> FloatArray:
        """``(J, 3)`` where the bones end."""
        return self.heads + self.directions * self.lengths[:, None]

    def of(self, numbers: IntArray) -> "Segments":
        """Return the bones of these numbers."""
        return Segments(self.heads[numbers], self.directions[numbers], self.lengths[numbers])

    def distance(self, number: IntArray, points: FloatArray) -> FloatArray:
        """Return ``(V,)``: from each of ``(V, 3)`` points to the bone of that number."""
        # Axis by axis, which numpy does many times as quickly as row by row.
        heads, directions = (
            [np.ascontiguousarray(axis).take(number) for axis in of.T]
            for of in (self.heads, self.directions)
        )
        offsets = [np.subtract(p, head, out=head) for p, head in zip(points.T, heads, strict=True)]
        along, square = np.zeros(len(points)), np.zeros(len(points))
        for offset, direction in zip(offsets, directions, strict=True):
            along += offset * direction
        foot = np.maximum(np.minimum(along, self.lengths.take(number), out=along), 0.0, out=along)
        for offset, direction in zip(offsets, directions, strict=True):
            away = np.subtract(offset, np.multiply(foot, direction, out=direction), out=offset)
            square += np.square(away, out=away)
        return np.sqrt(square, out=square)


def segments(skeleton_: Skeleton, heads: FloatArray, frames: FloatArray, size: float) -> Segments:
    """Lay the bones of a skeleton between joints at ``(J, 3)`` heads.

    Parameters
    ----------
    frames
        ``(J, 3, 3)`` the joints' axes in the space of `heads`, for a root without children.
    size
        The rig's size H in that space.
    """
    primary, parents = skeleton_.primary, skeleton_.parents
    bones = np.where((primary >= 0)[:, None], heads[primary] - heads, 0.0)
    lengths = np.linalg.norm(bones, axis=1)
    known = lengths > ZERO_LENGTH * size
    directions = bones / np.where(known, lengths, 1.0)[:, None]
    lone = np.flatnonzero(~known & (parents < 0))
    lengths[lone] = np.where(primary[lone] < 0, LONE_ROOT_LENGTH * size, lengths[lone])
    directions[lone] = unit(frames[lone] @ axis_vector("auto"))
    known[lone] = True
    # A leaf is half as long as the last bone above that has a length.
    reaching = np.where(lengths > ZERO_LENGTH * size, lengths, LONE_ROOT_LENGTH * size)
    while not known.all():
        # The others go on as the joint above does, once that is known.
        now = np.flatnonzero(~known & known[parents])
        above = parents[now]
        reaching[now] = reaching[above]
        lengths[now] = np.where(primary[now] < 0, LEAF_LENGTH * reaching[above], lengths[now])
        directions[now] = directions[above]
        known[now] = True
    return Segments(heads, directions, lengths)


@dataclass(frozen=True, eq=False)
class BoundJoints:
    """The joints of a skin where they were when its mesh was attached, in mesh space.

    Parameters
    ----------
    skeleton
        These joints, and those of the rig that say where their bones end.
    places
        ``(J,)`` where the skeleton has each joint of the skin, in the skin's order.
    frames
        ``(n, 4, 4)`` ``mesh_from_joint`` of the skeleton.
    """

    skeleton: Skeleton
    places: IntArray
    frames: FloatArray

    @classmethod
    def of(cls, rig: Rig, skin: int, skeleton_: Skeleton, rest: FloatArray) -> "BoundJoints":
        """Find where the joints of a skin were.

        Joints of the rig that the skin does not bind are placed by the skin's nearest joint above them
        (their rest transform relative to it), so that bones end where the whole skeleton says.

        Parameters
        ----------
        rest
            ``(N, 4, 4)`` ``model_from_node`` in the rest pose.
        """
        joints = rig.skins[skin].joints
        own = skeleton_.around(joints)
        places = np.array([own.places[joint] for joint in joints], dtype=np.int64)
        return cls(own, places, bind_pose(rig, skin, rest, own.joints.tolist()))

    def segments(self, size: float) -> Segments:
        """Return one bone per joint of the skin, in the skin's order.

        Parameters
        ----------
        size
            The size of the skin's mesh.
        """
        heads, axes = self.frames[:, :3, 3], self.frames[:, :3, :3]
        return segments(self.skeleton, heads, axes, size).of(self.places)


def bind_pose(rig: Rig, skin: int, model: FloatArray, nodes: Sequence[int]) -> FloatArray:
    """Return ``(n, 4, 4)`` ``mesh_from_node`` of some nodes at bind time.

    For a joint of the skin this is its inverse bind matrix inverted; any other node keeps its rest
    transform relative to the nearest such joint above it, else to the skin's first joint.

    Parameters
    ----------
    model
        ``(N, 4, 4)`` ``model_from_node`` in the rest pose.
    """
    joints, bound = rig.skins[skin].joints, rig.skins[skin].mesh_from_joint
    if not joints:
        return model[nodes]
    place = {joint: i for i, joint in enumerate(joints)}
    anchors = [
        node
        if node in place
        else next((a for a in rig.nodes.ancestors(node) if a in place), joints[0])
        for node in nodes
    ]
    mesh_from_node = bound[[place[anchor] for anchor in anchors]]
    free = [i for i, node in enumerate(nodes) if anchors[i] != node]
    if free:
        above, below = [anchors[i] for i in free], [nodes[i] for i in free]
        mesh_from_node[free] = mesh_from_node[free] @ affine.inverse(model[above]) @ model[below]
    return mesh_from_node


def in_joints(rest: Segments, rest_frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what no pose changes of bones: from head to tail, and the direction, in joint space.

    Parameters
    ----------
    rest
        The bones in the rest pose, one per joint.
    rest_frames
        ``(J, 4, 4)`` ``model_from_joint`` in the rest pose.

    Returns
    -------
    ``(J, 3)`` in the unit of the joint's space, and ``(J, 3)``.
    """
    joint_from_model = affine.inverse(rest_frames)[:, :3, :3]
    along = np.einsum("jab,jb->ja", joint_from_model, rest.tails - rest.heads)
    return along, np.einsum("jab,jb->ja", joint_from_model, rest.directions)


def posed_segments(
    skeleton_: Skeleton, within: tuple[FloatArray, FloatArray], frames: FloatArray
) -> Segments:
    """Return the bones in a pose: to the posed primary child, else carried along by the joint.

    Parameters
    ----------
    within
        The bones as `in_joints` gives them.
    frames
        ``(J, 4, 4)`` ``model_from_joint`` in the pose.
    """
    along, directions = (np.einsum("jab,jb->ja", frames[:, :3, :3], own) for own in within)
    heads = frames[:, :3, 3]
    tails = heads + along
    parents = np.flatnonzero(skeleton_.primary >= 0)
    tails[parents] = heads[skeleton_.primary[parents]]
    return Segments.between(heads, tails, unit(directions))
