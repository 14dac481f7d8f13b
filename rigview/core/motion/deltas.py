"""Local delta rotations: how far each joint turns against its parent from one time to the next.

Two sources give them. *Transforms*: with q the rotation of a joint in its parent joint's frame, the
delta is q(end)·q(start)⁻¹. *Positions*, for data that have no rotations: with the link l of a joint
from its parent's position to its own, in the order of the hierarchy,

    d = arc(l(start), W_parent⁻¹ l(end)),  W = W_parent d,

where W of a root is the rotation that fits all joints of its tree best (Kabsch 1976). So a rigid turn
of everything is the root's alone. Positions do not show twist about a link, a bend shows at the link
that moves (at the joint below the one that turns), and the best fit gives a root some share of what a
large part of its tree does.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig

Source = Literal["transforms", "positions"]

# A joint that turns further in one frame jumps: no limb turns by a right angle within a frame.
JUMP = np.radians(90.0)
# Points whose second principal extent is below this share of the first lie on a line: nothing shows
# a turn about it.
COLLINEAR = 1e-6


@dataclass(frozen=True)
class Jump:
    """A joint (its node) that turns too far within one step, which ends at `time`; radians."""

    joint: int
    time: float
    angle: float


@dataclass(frozen=True, eq=False)
class Deltas:
    """The deltas of a clip.

    Parameters
    ----------
    times
        ``(T,)`` seconds; step i leads from time i to time i + 1.
    joints
        ``(J,)`` node numbers.
    rotations
        ``(T − 1, J, 4)`` in the frame of the parent joint (transforms) or of the model (positions).
    """

    times: FloatArray
    joints: tuple[int, ...]
    rotations: FloatArray
    source: Source

    @cached_property
    def angles(self) -> FloatArray:
        """``(T − 1, J)`` radians, 0 to π."""
        sine = np.linalg.norm(self.rotations[..., :3], axis=-1)
        return 2.0 * np.arctan2(sine, np.abs(self.rotations[..., 3]))

    def jumps(self, limit: float = JUMP) -> tuple[Jump, ...]:
        """Return the steps in which a joint turns by more than a limit, in the order of time."""
        return tuple(
            Jump(self.joints[j], float(self.times[i + 1]), float(self.angles[i, j]))
            for i, j in np.argwhere(self.angles > limit)
        )


def frame_times(clip: Clip | None, fps: float) -> FloatArray:
    """Return the seconds ``(T,)`` of a clip's frames, from its start; the last may be before its end."""
    if clip is None:
        return np.zeros(1)
    # Ends that a float32 file has rounded to just before a frame still have that frame.
    count = int(np.floor((clip.end - clip.start) * fps + 1e-3)) + 1
    return np.minimum(clip.start + np.arange(count) / fps, clip.end)


def deltas(rig: Rig, clip: Clip | None, times: FloatArray, source: Source = "transforms") -> Deltas:
    """Return the local delta rotations of a rig's joints between ``(T,)`` times."""
    joints = list(rig.joints)
    if not joints:
        return Deltas(times, (), np.zeros((max(len(times) - 1, 0), 0, 4)), source)
    place = {joint: i for i, joint in enumerate(joints)}
    parents = np.array([place.get(rig.joint_parents[j], -1) for j in joints], dtype=np.int64)
    model = model_from_nodes(rig, sample(rig, clip, times))[:, joints]
    if source == "positions":
        points = model[..., :3, 3]
        rotations = of_positions(points[:-1], points[1:], parents)
    else:
        rotation, _ = affine.polar(model[..., :3, :3])
        rotations = of_rotations(quat.from_matrix(rotation), parents)
    return Deltas(times, tuple(joints), rotations, source)


def of_joint(rig: Rig, clip: Clip, joint: int, times: FloatArray) -> FloatArray:
    """Return ``(T − 1, 4)`` the deltas of one joint, at the cost of it and what is above it.

    Of a node that is no joint they are those in the scene.
    """
    parent = rig.joint_parents.get(joint, -1)
    chain = SubRig.of(replace(rig, clips=(clip,)), [joint])
    chosen = chain.nodes([joint] if parent < 0 else [parent, joint])
    posed = sample(chain.rig, chain.rig.clips[0], times)
    rotation, _ = affine.polar(model_from_nodes(chain.rig, posed)[:, chosen, :3, :3])
    parents = np.arange(len(chosen)) - 1
    return of_rotations(quat.from_matrix(rotation), parents)[:, -1]


def of_rotations(model_rotations: FloatArray, parents: IntArray) -> FloatArray:
    """Return ``(T − 1, J, 4)`` deltas of ``(T, J, 4)`` rotations in model space."""
    above = np.where((parents >= 0)[:, None], model_rotations[:, parents], quat.IDENTITY)
    local = quat.multiply(quat.conjugate(above), model_rotations)
    return _short(quat.multiply(local[1:], quat.conjugate(local[:-1])))


def of_positions(
    start: FloatArray,
    end: FloatArray,
    parents: IntArray,
    root_rotations: FloatArray | None = None,
) -> FloatArray:
    """Return ``(…, J, 4)`` deltas of joints that go from `start` to `end`, ``(…, J, 3)``.

    Parameters
    ----------
    parents
        ``(J,)`` positions of the parents, −1 for a root.
    root_rotations
        ``(…, 4)`` how all roots turned; else each by the best fit of its tree.
    """
    order, roots = _trees(parents)
    rotations = np.zeros((*start.shape[:-1], 4))
    world = np.zeros_like(rotations)
    for joint in order:
        parent = int(parents[joint])
        if parent < 0:
            tree = np.flatnonzero(roots == joint)
            turn = root_rotations
            if turn is None:
                turn = best_fit(start[..., tree, :], end[..., tree, :])
            rotations[..., joint, :] = world[..., joint, :] = turn
            continue
        link = start[..., joint, :] - start[..., parent, :]
        moved = end[..., joint, :] - end[..., parent, :]
        above = world[..., parent, :]
        turn = quat.arc(link, quat.rotate(quat.conjugate(above), moved))
        rotations[..., joint, :] = turn
        world[..., joint, :] = quat.multiply(above, turn)
    return _short(rotations)


def best_fit(start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the rotation ``(…, 4)`` that brings ``(…, n, 3)`` points nearest to others.

    Kabsch 1976, "A solution for the best rotation to relate two sets of vectors", both sets about
    their centroids. Of points on a line it is the shortest rotation, of a single point none.
    """
    a = start - start.mean(axis=-2, keepdims=True)
    b = end - end.mean(axis=-2, keepdims=True)
    u, values, vt = np.linalg.svd(np.swapaxes(a, -1, -2) @ b)
    v = np.swapaxes(vt, -1, -2)
    sign = np.linalg.det(v @ np.swapaxes(u, -1, -2))
    v[..., :, 2] *= np.where(sign < 0.0, -1.0, 1.0)[..., None]
    fit = quat.from_matrix(v @ np.swapaxes(u, -1, -2))
    line = values[..., 1] <= COLLINEAR**2 * values[..., 0]
    along = quat.arc(u[..., :, 0], v[..., :, 0])
    result = np.where(line[..., None], along, fit)
    return np.where((values[..., 0] > 0.0)[..., None], result, quat.IDENTITY)


def _trees(parents: IntArray) -> tuple[list[int], IntArray]:
    """Return the joints with every parent before its children, and each joint's root."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(map(int, parents)):
        children.setdefault(parent, []).append(joint)
    order = list(children.get(-1, []))
    roots = np.arange(len(parents))
    for joint in order:
        for child in children.get(joint, []):
            roots[child] = roots[joint]
            order.append(child)
    return order, roots


def _short(rotations: FloatArray) -> FloatArray:
    """Return the quaternions of the same rotations that have w ≥ 0."""
    return np.where(rotations[..., 3:] < 0.0, -rotations, rotations)
