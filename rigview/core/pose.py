"""From a time to a pose: sampled local transforms, and the nodes in model space.

Every function takes one pose or a stack of poses: arrays have leading dimensions ``(…)``.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.clip import Clip
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig

# The largest 32-bit float: everything that shows or plays a rig computes with those.
LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class Pose:
    """Local transforms of all nodes, and the morph weights that differ from the mesh's default.

    Parameters
    ----------
    translations, rotations, scales
        ``(…, N, 3)``, ``(…, N, 4)``, ``(…, N, 3)``.
    matrices
        Node → ``(4, 4)`` that stands instead of its TRS.
    morph_weights
        Node → ``(…, T)``.
    """

    __repr__ = brief_repr

    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    matrices: dict[int, FloatArray] = field(default_factory=dict)
    morph_weights: dict[int, FloatArray] = field(default_factory=dict)

    def turned(self, turns: dict[int, FloatArray]) -> "Pose":
        """Return the pose with nodes rotated further: node → quaternion, xyzw, in its own frame."""
        if not turns:
            return self
        rotations, matrices = self.rotations.copy(), dict(self.matrices)
        for node, turn in turns.items():
            rotations[..., node, :] = quat.multiply(rotations[..., node, :], turn)
            if node in matrices:
                rotated = matrices[node].copy()
                rotated[:3, :3] = rotated[:3, :3] @ quat.to_matrix(turn)
                matrices[node] = rotated
        return replace(self, rotations=rotations, matrices=matrices)

    def __getitem__(self, index: int) -> "Pose":
        """Return one pose of a stack."""
        return Pose(
            self.translations[index],
            self.rotations[index],
            self.scales[index],
            self.matrices,
            {node: weights[index] for node, weights in self.morph_weights.items()},
        )

    def local_matrices(self) -> FloatArray:
        """Return ``(…, N, 4, 4)`` ``parent_from_node``."""
        result = affine.compose(self.translations, self.rotations, self.scales)
        for node, matrix in self.matrices.items():
            result[..., node, :, :] = matrix
        return result


def rest_pose(rig: Rig) -> Pose:
    """Return the file's local transforms without any animation."""
    nodes = rig.nodes
    return Pose(
        nodes.translations,
        nodes.rotations,
        nodes.scales,
        dict(nodes.matrices),
        dict(rig.node_morph_weights),
    )


def sample(rig: Rig, clip: Clip | None, times: float | FloatArray) -> Pose:
    """Return the pose of a clip at one time or at ``(…)`` times in seconds, clamped to its keys.

    Without clip this is the rest pose, once per time.
    """
    t = np.asarray(times, dtype=np.float64)
    nodes = rig.nodes
    values = {
        "translation": np.broadcast_to(nodes.translations, (*t.shape, len(nodes), 3)).copy(),
        "rotation": np.broadcast_to(nodes.rotations, (*t.shape, len(nodes), 4)).copy(),
        "scale": np.broadcast_to(nodes.scales, (*t.shape, len(nodes), 3)).copy(),
    }
    matrices = dict(nodes.matrices)
    morph_weights: dict[int, FloatArray] = {
        node: np.broadcast_to(w, (*t.shape, len(w))) for node, w in rig.node_morph_weights.items()
    }
    for bundle in clip.bundles if clip is not None else ():
        sampled = bundle.at(t)
        if bundle.path == "weights":
            for i, node in enumerate(bundle.nodes):
                morph_weights[node] = sampled[..., i, :]
            continue
        values[bundle.path][..., bundle.nodes, :] = sampled
        for node in bundle.nodes:
            matrices.pop(node, None)
    return Pose(values["translation"], values["rotation"], values["scale"], matrices, morph_weights)


def model_from_nodes(rig: Rig, pose: Pose) -> FloatArray:
    """Return ``(…, N, 4, 4)`` ``model_from_node``: each local transform under its parent's."""
    return under_parents(rig.nodes, pose.local_matrices())


def under_parents(nodes: Nodes, local: FloatArray) -> FloatArray:
    """Turn ``(…, N, 4, 4)`` ``parent_from_node`` into ``model_from_node``, and return it.

    Scales along a chain can multiply beyond every number. Components are held within `LARGEST`, so that
    all that is measured of the nodes stays finite.
    """
    parents = np.array(nodes.parents, dtype=np.int64)
    for level in nodes.levels[1:]:
        product = local[..., parents[level], :, :] @ local[..., level, :, :]
        if np.abs(product).max(initial=0.0) > LARGEST:
            np.clip(product, -LARGEST, LARGEST, out=product)
        local[..., level, :, :] = product
    return local
