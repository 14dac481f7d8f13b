"""The volume that triangles enclose, the whole and by joint.

The volume comes from two sums over triangles of centroid c and area vector N (of twice the area):
T = Σ c Nᵀ and S = Σ N.

1. By the divergence theorem the whole encloses trace(T) / 6.
2. The part of x square to a line has the divergence 2 everywhere, and where a limb is cut square to
   its bone, the cut adds nothing to its flow outwards. So what lies under one joint's own triangles
   is, with the bone's head h and direction d, ¼ (trace(T) − h·S − dᵀT d + (h·d)(d·S)).
3. So of T only two numbers are asked for: trace(T) = Σ c·N = Σ a·N for any corner a, since N is square
   to c − a, and dᵀT d = Σ (d·c)(d·N).
4. Under x' = X x + t the area vectors turn by the cofactors K of X, so T' = X T Kᵀ + t (K S)ᵀ.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.measures.skinned_mesh import SkinnedMesh, Stance
from rigview.core.measures.streaming_stats import Batch, run_starts
from rigview.core.numeric import axis_major

# What the centroid is of a corner and the two edges that begin there.
_CENTROID = np.array([1.0, 1.0 / 3.0, 1.0 / 3.0])


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of the volume by joint, as they are added up.

    Parameters
    ----------
    bones
        One per joint.
    vectors
        ``(J, 4)``: S, and the trace of T.
    along
        ``(J,)``: dᵀT d.
    """

    bones: Segments
    vectors: FloatArray
    along: FloatArray

    @classmethod
    def none(cls, bones: Segments) -> "Sums":
        """Return the sums of no triangles."""
        return cls(bones, np.zeros((len(bones.heads), 4)), np.zeros(len(bones.heads)))

    def add(self, batch: Batch, corners: FloatArray, facing: FloatArray) -> None:
        """Add a batch of triangles.

        Parameters
        ----------
        corners
            ``(3, 3, n)``, by axis: one corner, and the edges that begin there.
        facing
            ``(4, n)``: area vectors, and room for one row more.
        """
        owners = batch.joints[batch.starts]
        axis_major.dot(corners[:, 0], facing[:3], facing[3])
        np.add.at(self.vectors, owners, np.add.reduceat(facing, batch.starts, axis=1).T)
        rows = corners.reshape(9, -1)
        directions = self.bones.directions[owners]
        centroids = (directions[:, :, None] * _CENTROID).reshape(-1, 9)
        moments = np.zeros((len(owners), 9))
        for i, (start, end) in enumerate(pairwise([*batch.starts.tolist(), len(batch)])):
            flow = directions[i] @ facing[:3, start:end]
            np.matmul(rows[:, start:end], flow, out=moments[i])
        np.add.at(self.along, owners, np.einsum("ri,ri->r", centroids, moments))

    def volume(self) -> float:
        """Return what all triangles together enclose: step 1 of the module."""
        return float(self.vectors[:, 3].sum()) / 6.0

    def around(self) -> FloatArray:
        """Return ``(J,)`` what lies around each bone: step 2 of the module."""
        heads, directions = self.bones.heads, self.bones.directions
        shifted = np.einsum("ji,ji->j", heads, self.vectors[:, :3])
        both = np.einsum("ji,ji->j", heads, directions)
        both *= np.einsum("ji,ji->j", directions, self.vectors[:, :3])
        return 0.25 * (self.vectors[:, 3] - shifted - self.along + both)


@dataclass(frozen=True, eq=False)
class Lumps:
    """Triangles that hang on one joint alone, summed by entry ``(L,)``, in the rest pose.

    Parameters
    ----------
    tensors, vectors
        ``(L, 3, 3)`` T and ``(L, 3)`` S.
    mesh_from_rest
        ``(L, 4, 4)`` the inverse of what the entries' joints do to the mesh in the rest pose.
    """

    entries: IntArray
    tensors: FloatArray
    vectors: FloatArray
    mesh_from_rest: FloatArray

    def add(self, mesh: SkinnedMesh, stance: Stance, sums: Sums) -> None:
        """Add the lumps in a pose to sums by joint: steps 3 and 4 of the module."""
        pose_from_rest = stance.matrices[self.entries] @ self.mesh_from_rest
        linear, offset = pose_from_rest[:, :3, :3], pose_from_rest[:, :3, 3]
        cofactors = affine.cofactor(linear)
        vectors = np.einsum("lik,lk->li", cofactors, self.vectors)
        tensors = linear @ self.tensors @ np.swapaxes(cofactors, -1, -2)
        tensors += offset[:, :, None] * vectors[:, None, :]
        joints = mesh.entry_joints[self.entries]
        traces = np.trace(tensors, axis1=1, axis2=2)
        np.add.at(sums.vectors, joints, np.column_stack([vectors, traces]))
        directions = sums.bones.directions[joints]
        np.add.at(sums.along, joints, np.einsum("li,lik,lk->l", directions, tensors, directions))


def lump(mesh: SkinnedMesh, corners: IntArray, rest: FloatArray) -> Lumps:
    """Sum triangles at ``(3, n)`` corners, each on one joint alone, of ``(3, V)`` rest positions."""
    a, b, c = axis_major.gather(rest, corners)
    entries = mesh.entries[corners[0], 0]
    starts = run_starts(entries)
    used = entries[starts]
    facing = axis_major.cross(b - a, c - a)
    products = np.einsum("in,jn->ijn", (a + b + c) / 3.0, facing)
    return Lumps(
        used,
        np.moveaxis(np.add.reduceat(products, starts, axis=2), 2, 0),
        np.add.reduceat(facing, starts, axis=1).T,
        affine.inverse(mesh.stance(mesh.deformer.rest).matrices[used]),
    )
