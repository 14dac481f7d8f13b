"""Whether the clips of one rig suit another: how far its joints would be turned from where they belong."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.names import body_parts
from rigview.core.pose import Pose, model_from_nodes, rest_pose
from rigview.core.rig import Rig

# A joint that a clip turns further aside than this carries its part of the body visibly wrong.
MOST_DEGREES = 30.0
# Which parts of a body are told by name to be major.
_MAJOR = frozenset({"hips", "spine", "upper_arm", "lower_arm", "upper_leg", "lower_leg"})
# Without names of a body: joints with at least this share of all weight.
_MUCH = 0.05


@dataclass(frozen=True)
class Misfit:
    """A joint that another rig's clips would turn aside, and by how many degrees."""

    joint: int
    degrees: float


def misfits(
    target: Deformer, source: Deformer, pairs: Mapping[int, int], turned: Collection[int]
) -> tuple[Misfit, ...]:
    """Return the major joints that clips of another rig turn wrongly by more than 30°, the worst first.

    1. The target is put into the rest pose of the source, as a clip would put it: local rotations are
       taken over.
    2. Each bone should now lie as it does in the source, by the shortest turn from where it lay at rest.
    3. Off is the angle between the turn that the joint made and that one.

    Rigs that rest in different poses with the same axes along their bones suit one another so.

    Parameters
    ----------
    pairs
        Node of the source → node of the target of the same name.
    turned
        The nodes of the source that its clips turn.
    """
    other = {own: node for node, own in pairs.items()}
    moved = {pairs[node] for node in turned if node in pairs}
    posed = model_from_nodes(target.rig, _as_in(source.rig, target.rig, moved, other))
    found = []
    for joint in sorted(_major(target) & moved):
        child = _end(target, joint)
        if child is None or child not in other:
            continue
        start = target.rest_nodes[[joint, child], :3, 3]
        end = source.rest_nodes[[other[joint], other[child]], :3, 3]
        wanted = quat.arc(start[1] - start[0], end[1] - end[0])
        made = _turn(target.rest_nodes[joint], posed[joint])
        off = float(np.degrees(quat.angle_between(made, wanted)))
        if off > MOST_DEGREES:
            found.append(Misfit(joint, off))
    return tuple(sorted(found, key=lambda misfit: -misfit.degrees))


def _as_in(source: Rig, target: Rig, moved: Collection[int], other: Mapping[int, int]) -> Pose:
    """Return the rest pose of the target with some nodes turned as those of the source are at rest.

    Parameters
    ----------
    moved
        Nodes of the target.
    other
        Node of the target → that of the source.
    """
    rest, local = rest_pose(target), rest_pose(source).local_matrices()
    rotations = rest.rotations.copy()
    for node in moved:
        frame, _ = affine.polar(local[other[node], :3, :3][None])
        rotations[node] = quat.from_matrix(frame)[0]
    matrices = {node: matrix for node, matrix in rest.matrices.items() if node not in moved}
    return replace(rest, rotations=rotations, matrices=matrices)


def _major(of: Deformer) -> set[int]:
    """Return the joints that carry large parts of a body: by their names, else by their weights."""
    named = {joint for joint, part in body_parts(of.rig).items() if part in _MAJOR}
    if named:
        return named
    whole = sum(of.total_weights.values())
    return {joint for joint, share in of.total_weights.items() if share >= _MUCH * whole > 0.0}


def _end(of: Deformer, joint: int) -> int | None:
    """Return the joint at the end of a joint's bone."""
    skeleton = of.skeleton
    child = int(skeleton.primary[skeleton.places[joint]])
    return None if child < 0 else int(skeleton.joints[child])


def _turn(before: FloatArray, after: FloatArray) -> FloatArray:
    """Return the rotation ``(4,)`` between the axes of two frames ``(4, 4)``."""
    frames, _ = affine.polar(np.stack([before[:3, :3], after[:3, :3]]))
    return quat.from_matrix(frames[1] @ frames[0].T)
