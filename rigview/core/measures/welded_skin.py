"""The skinned vertices of a rig as they were bound, seams welded: what joint regions are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray, distinct_rows
from rigview.core.bones import Segments, box_diagonal
from rigview.core.characters import characters
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.skinned_mesh import SkinnedMesh
from rigview.core.measures.solid import WELD
from rigview.core.methods.posed import Skinned
from rigview.core.numeric.blending import csr
from rigview.core.skinning import METHODS, Options

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# A joint that moves no vertex by more than this share carries no weight.
CARRIES = 0.02


@dataclass(frozen=True)
class WeldedSkin:
    """All skinned parts in the pose in which they were bound, one vertex where several coincide.

    Numbers of vertices below are those of welded vertices unless said otherwise.
    """

    deformer: Deformer

    @cached_property
    def mesh(self) -> SkinnedMesh:
        """All skinned parts as one list of vertices, not welded."""
        return SkinnedMesh(self.deformer)

    @cached_property
    def reference(self) -> Frame:
        """The pose in which the meshes were bound; the rest pose where no skin states one."""
        return self.deformer.bind or self.deformer.rest

    @cached_property
    def bones(self) -> Segments:
        """The bones in the reference pose, model space, one per joint of the rig."""
        return self.deformer.posed_bones(self.reference)

    @cached_property
    def every_position(self) -> FloatArray:
        """``(V, 3)`` of all vertices, not welded, in the reference pose, model space, metres."""
        rows = [self._bound(part) for part in self.mesh.parts]
        return np.concatenate([np.zeros((0, 3)), *rows])

    def _bound(self, part: int) -> FloatArray:
        points, _ = self.deformer.morphed(part, self.reference.pose)
        matrices = self.reference.palettes[self.mesh.skins[part]].matrices
        # Where one matrix carries the whole mesh, weights whose sum is not 1 shall not move it.
        if np.array_equal(matrices, np.broadcast_to(matrices[:1], matrices.shape)):
            return affine.transform_points(matrices[0], points)
        return self.deformer.skin(part, self.reference, METHODS["lbs"], Options()).positions

    @cached_property
    def _welded(self) -> tuple[IntArray, IntArray]:
        points = self.every_position
        if not len(points):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        cells = np.rint(points / (WELD * box_diagonal(points)))
        return distinct_rows(np.column_stack([self._vertex_characters, cells]))

    @property
    def first(self) -> IntArray:
        """``(W,)`` the first unwelded vertex of each welded one."""
        return self._welded[0]

    @property
    def welded(self) -> IntArray:
        """``(V,)`` the welded vertex of each unwelded one."""
        return self._welded[1]

    @cached_property
    def positions(self) -> FloatArray:
        """``(3, W)`` in the reference pose, model space, metres."""
        return np.ascontiguousarray(self.every_position[self.first].T)

    def posed(self, skinned: Sequence[Skinned]) -> FloatArray:
        """Return ``(3, W)`` positions of the welded vertices among all `skinned` parts of the scene."""
        return self.mesh.positions(skinned).take(self.first, axis=1)

    @cached_property
    def characters(self) -> IntArray:
        """``(J,)`` the number of each joint's character, in the order of `Skeleton.joints`."""
        number = characters(self.deformer.rig)
        return np.array([number[j] for j in self.deformer.skeleton.joints.tolist()], dtype=np.int64)

    @cached_property
    def _vertex_characters(self) -> IntArray:
        return self.characters[self.mesh.joints] if len(self.mesh) else np.zeros(0, dtype=np.int64)

    @cached_property
    def triangles(self) -> IntArray:
        """``(F, 3)`` those of three different vertices."""
        corners = self.welded[self.mesh.triangles]
        a, b, c = corners.T
        return corners[(a != b) & (b != c) & (c != a)]

    @cached_property
    def edges(self) -> IntArray:
        """``(E, 2)`` each once, the lower vertex first."""
        return self._edges[0]

    @cached_property
    def open_edges(self) -> IntArray:
        """Numbers of the edges that are not used by one triangle in each direction: borders of the mesh."""
        return np.flatnonzero(~self._edges[1])

    @cached_property
    def _edges(self) -> tuple[IntArray, BoolArray]:
        t = self.triangles
        pairs = np.concatenate([t[:, (0, 1)], t[:, (1, 2)], t[:, (2, 0)]])
        low, high = pairs.min(axis=1), pairs.max(axis=1)
        key = low * (len(self.first) + 1) + high
        _, at, of, count = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        forth = np.bincount(of, pairs[:, 0] < pairs[:, 1], minlength=len(at))
        return np.column_stack([low[at], high[at]]), (count == 2) & (forth == 1)

    @cached_property
    def weights(self) -> "csr_array":
        """``(W, J)`` the weights of the rig's joints, each row's sum 1 where a vertex has any."""
        entries, weights = self.mesh.entries[self.first], self.mesh.weights[self.first]
        weights = np.maximum(weights, 0.0)
        total = weights.sum(axis=1, keepdims=True)
        weights = weights / np.where(total > 0.0, total, 1.0)
        used = weights > 0.0
        starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
        joints = self.mesh.entry_joints[entries[used]] if used.any() else np.zeros(0, np.int64)
        return csr(weights[used], joints, starts, len(self.deformer.skeleton.joints))

    @cached_property
    def carries(self) -> BoolArray:
        """``(J,)`` which joints move any vertex by more than `CARRIES`."""
        weights = self.weights
        most = np.zeros(weights.shape[1])
        np.maximum.at(most, weights.indices, weights.data)
        return most > CARRIES
