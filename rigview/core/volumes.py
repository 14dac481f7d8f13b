"""The volume that triangles enclose, the whole and by joint.

The volume comes from two sums over triangles of centroid c and area vector N (of twice the area):
T = Σ c Nᵀ and S = Σ N.

1. By the divergence theorem the whole encloses trace(T) / 6.
2. The part of x square to a line has the divergence 2 everywhere, and where a limb is cut square to
   its bone, the cut adds nothing to its flow outwards. So what lies under one joint's own triangles
   is, with the bone's head h and direction d, ¼ (trace(T) − h·S − dᵀT d + (h·d)(d·S)).
3. Under x' = X x + t the area vectors turn by the cofactors K of X, so T' = X T Kᵀ + t (K S)ᵀ.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rigview.core import affine, by_axis
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.quantities import run_starts
from rigview.core.skinned_mesh import SkinnedMesh, Stance


@dataclass(frozen=True, eq=False)
class Sums:
    """The two sums of the volume by joint: T ``(J, 3, 3)`` and S ``(J, 3)``."""

    tensors: FloatArray
    vectors: FloatArray

    @classmethod
    def none(cls, joints: int) -> "Sums":
        """Return the sums of no triangles."""
        return cls(np.zeros((joints, 3, 3)), np.zeros((joints, 3)))

    def add(
        self,
        joints: IntArray,
        starts: IntArray,
        places: tuple[FloatArray, FloatArray],
        facing: FloatArray,
    ) -> None:
        """Add triangles that come in runs of one joint each.

        Parameters
        ----------
        joints, starts
            ``(n,)``, and where its runs begin.
        places
            ``(3, n)`` each: one corner, and the sum of the two edges that begin there.
        facing
            ``(3, n)`` area vectors.
        """
        corners, edges = places
        # Per run one product gives all sums: of centroids and of ones, times area vectors.
        factors = np.ones((4, len(joints)))
        np.multiply(edges, 1.0 / 3.0, out=factors[:3])
        factors[:3] += corners
        sums = np.zeros((len(starts), 4, 3))
        for i, (start, end) in enumerate(pairwise([*starts.tolist(), len(joints)])):
            np.matmul(factors[:, start:end], facing[:, start:end].T, out=sums[i])
        np.add.at(self.tensors, joints[starts], sums[:, :3])
        np.add.at(self.vectors, joints[starts], sums[:, 3])

    def volume(self) -> float:
        """Return what all triangles together enclose: step 1 of the module."""
        return float(np.trace(self.tensors.sum(axis=0))) / 6.0

    def around(self, bones: Segments) -> FloatArray:
        """Return ``(J,)`` what lies around each bone: step 2 of the module."""
        heads, directions = bones.heads, bones.directions
        along = np.einsum("ji,jik,jk->j", directions, self.tensors, directions)
        shifted = np.einsum("ji,ji->j", heads, self.vectors)
        both = np.einsum("ji,ji->j", heads, directions)
        both *= np.einsum("ji,ji->j", directions, self.vectors)
        return 0.25 * (np.trace(self.tensors, axis1=1, axis2=2) - shifted - along + both)


@dataclass(frozen=True, eq=False)
class Lumps:
    """Triangles that hang on one joint alone, summed by entry ``(L,)``, in the rest pose.

    Parameters
    ----------
    mesh_from_rest
        ``(L, 4, 4)`` the inverse of what the entries' joints do to the mesh in the rest pose.
    """

    entries: IntArray
    sums: Sums
    mesh_from_rest: FloatArray

    def add(self, mesh: SkinnedMesh, stance: Stance, sums: Sums) -> None:
        """Add the lumps in a pose to sums by joint: step 3 of the module."""
        pose_from_rest = stance.matrices[self.entries] @ self.mesh_from_rest
        linear, offset = pose_from_rest[:, :3, :3], pose_from_rest[:, :3, 3]
        cofactors = affine.cofactor(linear)
        vectors = np.einsum("lik,lk->li", cofactors, self.sums.vectors)
        tensors = linear @ self.sums.tensors @ np.swapaxes(cofactors, -1, -2)
        tensors += offset[:, :, None] * vectors[:, None, :]
        joints = mesh.entry_joints[self.entries]
        np.add.at(sums.vectors, joints, vectors)
        np.add.at(sums.tensors, joints, tensors)


def lump(mesh: SkinnedMesh, corners: IntArray, rest: FloatArray) -> Lumps:
    """Sum triangles at ``(3, n)`` corners, each on one joint alone, of ``(V, 3)`` rest positions."""
    a, b, c = by_axis.gather(rest.T, corners)
    used, place = np.unique(mesh.entries[corners[0], 0], return_inverse=True)
    sums = Sums.none(len(used))
    b, c = b - a, c - a
    sums.add(place, run_starts(place), (a, b + c), by_axis.cross(b, c))
    return Lumps(used, sums, affine.inverse(mesh.stance(mesh.deformer.rest).matrices[used]))
