"""Corrective shapes: a morph target that comes in as a joint bends."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.pose import Pose
from rigview.core.rig import Rig


@dataclass(frozen=True)
class Corrective:
    """A morph target driven by a bend.

    Parameters
    ----------
    joint
        Whose bend drives it.
    node, target
        The node that shows the mesh, and the number of the target.
    curve
        (bend in radians, weight) by rising bend; straight lines between, level beyond the ends.
    """

    joint: int
    node: int
    target: int
    curve: tuple[tuple[float, float], ...]

    def fits(self, rig: Rig) -> bool:
        """Tell whether a rig has this joint and this target."""
        if self.joint not in rig.joints or self.node >= len(rig.node_meshes):
            return False
        mesh = rig.node_meshes[self.node]
        return mesh is not None and self.target < len(rig.meshes[mesh].morph_weights)

    def weight(self, bend: float) -> float:
        """Return the target's weight at a bend."""
        bends, weights = zip(*self.curve, strict=True)
        return float(np.interp(bend, bends, weights))


def bend_of(deformer: Deformer, pose: Pose, joint: int) -> float:
    """Return by how much a joint's bone is turned away from where it rests in its parent, radians.

    Twist about the bone is no bend.
    """
    along = _along(deformer, joint)
    rest, now = deformer.rig.nodes.rotations[joint], pose.rotations[joint]
    cosine = float(quat.rotate(rest, along) @ quat.rotate(now, along))
    return math.acos(min(max(cosine, -1.0), 1.0))


def _along(deformer: Deformer, joint: int) -> FloatArray:
    """Return ``(3,)`` the unit direction of a joint's bone in its own frame."""
    direction = deformer.rest_bones.directions[deformer.skeleton.places[joint]]
    turned = deformer.rest.model_from_node[joint][:3, :3]
    local = np.linalg.lstsq(turned, direction, rcond=None)[0]
    return local / max(float(np.linalg.norm(local)), np.finfo(np.float64).tiny)


def driven(deformer: Deformer, pose: Pose, correctives: Iterable[Corrective]) -> Pose:
    """Return the pose with the targets at the weights that the bends ask for."""
    asked = {
        (one.node, one.target): one.weight(bend_of(deformer, pose, one.joint))
        for one in correctives
    }
    return with_morphs(deformer.rig, pose, asked)


def with_morphs(rig: Rig, pose: Pose, asked: Mapping[tuple[int, int], float]) -> Pose:
    """Return the pose with some morph targets at other weights.

    Parameters
    ----------
    asked
        (node, target) → weight; what the rig does not have is left out.
    """
    weights = dict(pose.morph_weights)
    for (node, target), weight in asked.items():
        own = morph_weights(rig, pose, node) if node not in weights else weights[node]
        if target < len(own):
            weights[node] = np.array(own, dtype=np.float64)
            weights[node][target] = weight
    return replace(pose, morph_weights=weights)


def morph_weights(rig: Rig, pose: Pose, node: int) -> FloatArray:
    """Return ``(T,)`` the weights of the morph targets that a node shows in a pose."""
    mesh = rig.node_meshes[node] if node < len(rig.node_meshes) else None
    default = rig.meshes[mesh].morph_weights if mesh is not None else np.zeros(0)
    return pose.morph_weights.get(node, default)
