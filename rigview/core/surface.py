"""The triangles of a skinned mesh in a pose against those it was bound with.

Measured are per triangle the stretch of its edges, its area, and the angle to its shading normals, and
of the whole the enclosed volume. Two things make that quick:

* What does not change is computed once: corners in the order of their joints, bound lengths, areas
  and angles.
* Where all joints move like rigid bodies, a triangle whose corners hang on one joint alone cannot
  change. What it adds to the volume follows from the sums over all such triangles of the joint.

The volume comes from two sums over triangles of centroid c and area vector N (of twice the area):
T = Σ c Nᵀ and S = Σ N.

1. By the divergence theorem the whole encloses trace(T) / 6.
2. The part of x square to a line has the divergence 2 everywhere, and where a limb is cut square to
   its bone, the cut adds nothing to its flow outwards. So what lies under one joint's own triangles
   is, with the bone's head h and direction d, ¼ (trace(T) − h·S − dᵀT d + (h·d)(d·S)).
3. Under x' = X x + t the area vectors turn by the cofactors K of X, so T' = X T Kᵀ + t (K S)ᵀ.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.skinned_mesh import SkinnedMesh, Stance
from rigview.core.solid import closed_surface, hole_count, signed_volume

# Triangles looked at together: their arrays stay in a processor's cache, which is worth a factor 5.
_BLOCK = 4096
# Edges shorter than this share of the bound size are rounding of float32 files: they have no ratio.
SHORTEST = 1e-5
# Triangles nearer to square to their shading normals than this cosine have no front.
FRONT = 0.1
# A triangle that has lost all but this share of its area has no direction.
VANISHED_AREA = 1e-6


@dataclass(frozen=True, eq=False)
class Faces:
    """The triangles in one pose, in `Surface`'s own order: ``(F,)`` each.

    Parameters
    ----------
    stretch, area
        The most stretched edge and the area, over the bound ones.
    error
        Angle to the mean of the shading normals beyond the bound one, radians, at least 0.
    flipped
        1 where the triangle came to face against its shading normals.
    volume
        Of the closed surface, cubic metres.
    joint_volumes
        ``(J,)`` between each joint's own triangles and the line of its bone.
    """

    stretch: FloatArray
    area: FloatArray
    error: FloatArray
    flipped: FloatArray
    volume: float
    joint_volumes: FloatArray


@dataclass(frozen=True)
class Surface:
    """The static half: `mesh`'s triangles ordered by whether they can change, then by joint."""

    mesh: SkinnedMesh
    rest: FloatArray

    @cached_property
    def _closed(self) -> IntArray:
        """``(F + fans, 3)`` welded triangles, then those that close holes."""
        return closed_surface(self.rest, self.mesh.triangles)

    @cached_property
    def holes(self) -> int:
        """How many borders of the mesh were closed for the sake of the volume."""
        return hole_count(self._closed[len(self.mesh.triangles) :])

    @cached_property
    def _order(self) -> tuple[IntArray, int]:
        """Triangle numbers in the order used here, and how many of them can change."""
        welded = self._closed[: len(self.mesh.triangles)]
        mesh = self.mesh
        entry = mesh.entries[:, 0]
        first = entry[welded[:, 0]]
        alone = mesh.is_rigid[welded].all(axis=1)
        alone &= (entry[welded[:, 1]] == first) & (entry[welded[:, 2]] == first)
        order = np.lexsort((first, self._owners(welded), alone))
        return order, int(np.count_nonzero(~alone))

    def _owners(self, corners: IntArray) -> IntArray:
        """Return ``(F,)`` the joint that most corners belong to, else the first corner's."""
        a, b, c = (self.mesh.joints[corners[:, i]] for i in range(3))
        return np.where(b == c, b, a)

    @cached_property
    def _corners(self) -> IntArray:
        """``(3, F)`` welded vertices, ordered."""
        order, _ = self._order
        return np.ascontiguousarray(self._closed[order].T)

    @cached_property
    def _shading(self) -> IntArray:
        """``(3, F)`` the unwelded vertices whose normals shade the triangles, ordered."""
        order, _ = self._order
        return np.ascontiguousarray(self.mesh.triangles[order].T)

    @cached_property
    def joints(self) -> IntArray:
        """``(F,)`` the joint that each triangle belongs to."""
        return self._owners(self._corners.T)

    @cached_property
    def runs(self) -> tuple[IntArray, IntArray]:
        """Where the joint changes, and the joints of these runs."""
        _, changing = self._order
        starts = run_starts(self.joints)
        if 0 < changing < len(self.joints):
            starts = np.union1d(starts, changing)
        return starts, self.joints[starts]

    @cached_property
    def _skins(self) -> IntArray:
        """``(F,)`` position of the skin among the used skins, by the first corner."""
        return self.mesh.entry_skins[self.mesh.entries[self._shading[0], 0]]

    @cached_property
    def _bound(self) -> "_Bound":
        return _bound(self.mesh, self._shading)

    @cached_property
    def _lumps(self) -> "_Lumps":
        return _lumps(self.mesh, self._corners[:, self._order[1] :], self.rest)

    @cached_property
    def _blocks(self) -> tuple[tuple[slice, IntArray], ...]:
        """The triangles in blocks, with where their joints change.

        None straddles the border of those that can change.
        """
        _, changing = self._order
        blocks = [
            slice(start, min(start + _BLOCK, end))
            for first, end in ((0, changing), (changing, len(self.joints)))
            for start in range(first, end, _BLOCK)
        ]
        return tuple((block, run_starts(self.joints[block])) for block in blocks)

    def read(
        self,
        positions: FloatArray,
        normals: FloatArray | None,
        stance: Stance,
    ) -> Faces:
        """Measure one pose.

        Parameters
        ----------
        positions, normals
            ``(V, 3)`` of `mesh`; without normals no triangle flips.
        """
        count = len(self.joints)
        stretch, area = np.ones(count), np.ones(count)
        error, flipped = np.zeros(count), np.zeros(count)
        joints = len(self.mesh.joint_entries)
        sums = _Sums.none(joints)
        shrink = 1.0 / stance.scales
        by_axis = np.ascontiguousarray(positions.T)
        normals_by_axis = None if normals is None else np.ascontiguousarray(normals.T)
        for block, starts in self._blocks:
            if stance.rigid and block.start >= self._order[1]:
                break
            origin, u, v = _gather(by_axis, self._corners[:, block])
            u -= origin
            v -= origin
            facing = _cross(u, v)
            size = shrink[self._skins[block]] if len(shrink) > 1 else shrink[0]
            stretch[block] = self._bound.stretch(block, u, v) * size
            double_area = np.sqrt(_dot(facing, facing))
            area[block] = self._bound.area_ratio(block, double_area, size * size)
            if normals_by_axis is not None:
                a, b, c = _gather(normals_by_axis, self._shading[:, block])
                error[block], flipped[block] = self._bound.turned(
                    block, a + b + c, facing, double_area, area[block]
                )
            sums.add(self.joints[block], starts, (origin, u + v), facing)
        if stance.rigid and len(self._lumps.entries):
            self._lumps.add(self.mesh, stance, sums)
        fans = self._closed[len(self.mesh.triangles) :]
        volume = sums.volume() + signed_volume(positions, fans)
        return Faces(
            stretch,
            area,
            error,
            flipped,
            volume,
            sums.around(stance.bones.of(self.mesh.joint_entries)),
        )


@dataclass(frozen=True, eq=False)
class _Bound:
    """What the triangles were when they were bound, ``(F,)`` each.

    Parameters
    ----------
    inverse_squares
        ``(3, F)`` 1 over the squared length of the edges u, v and v − u; 0 for too short ones.
    inverse_area, no_area
        1 over twice the area, or 0 and then `no_area` is 1.
    side
        +1 where the triangle faced its shading normals, −1 where it faced against them, 0 where
        neither can be said.
    angle
        Between the triangle and its shading normals, radians; π without side.
    """

    inverse_squares: FloatArray
    inverse_area: FloatArray
    no_area: FloatArray
    side: FloatArray
    angle: FloatArray

    def stretch(self, block: slice, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the largest ratio of an edge's length to its bound one."""
        inverse = self.inverse_squares[:, block]
        uu, vv = _dot(u, u), _dot(v, v)
        # |v − u|² of nearly equal u and v loses digits to rounding, but is then the shortest edge.
        ww = uu + vv
        ww -= 2.0 * _dot(u, v)
        ww *= inverse[2]
        uu *= inverse[0]
        vv *= inverse[1]
        longest = np.maximum(np.maximum(uu, vv, out=uu), ww, out=uu)
        return np.sqrt(longest, out=longest)

    def area_ratio(
        self, block: slice, double_area: FloatArray, shrink: FloatArray | float
    ) -> FloatArray:
        """Return the area over the bound one; 1 for what had none."""
        return double_area * (self.inverse_area[block] * shrink) + self.no_area[block]

    def turned(
        self,
        block: slice,
        mean: FloatArray,
        facing: FloatArray,
        double_area: FloatArray,
        area: FloatArray,
    ) -> tuple[FloatArray, BoolArray]:
        """Return how far triangles turned from their shading normals, and which ones flipped."""
        length = np.sqrt(_dot(mean, mean))
        length *= double_area
        cosine = _dot(mean, facing)
        cosine *= self.side[block]
        # Neither a triangle without area nor opposed normals have a direction: a right angle.
        cosine /= np.maximum(length, np.finfo(np.float64).tiny)
        gone = area <= VANISHED_AREA
        if gone.any():
            cosine[gone] = np.abs(np.cos(self.angle[block][gone]))
        error = np.arccos(np.clip(cosine, -1.0, 1.0))
        error -= self.angle[block]
        return np.maximum(error, 0.0, out=error), cosine < 0.0


def _bound(mesh: SkinnedMesh, shading: IntArray) -> _Bound:
    points = mesh.bound_positions
    origin, u, v = _gather(points.T, shading)
    u, v = u - origin, v - origin
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    squares = np.stack([_dot(u, u), _dot(v, v), _dot(v - u, v - u)])
    short = squares <= (SHORTEST * size) ** 2
    facing = _cross(u, v)
    double_area = np.sqrt(_dot(facing, facing))
    # A sliver as thin as the shortest edge has no area to compare with either.
    none = double_area <= SHORTEST * size * np.sqrt(squares.max(axis=0, initial=0.0))
    a, b, c = _gather(mesh.bound_normals.T, shading)
    mean = a + b + c
    length = np.sqrt(_dot(mean, mean)) * double_area
    cosine = np.clip(_dot(mean, facing) / np.where(length > 0.0, length, 1.0), -1.0, 1.0)
    side = np.where(none | (np.abs(cosine) < FRONT), 0.0, np.sign(cosine))
    return _Bound(
        np.where(short, 0.0, 1.0 / np.where(short, 1.0, squares)),
        np.where(none, 0.0, 1.0 / np.where(none, 1.0, double_area)),
        none.astype(np.float64),
        side,
        # Half a turn, which no error can exceed, where neither side is the front.
        np.where(side == 0.0, np.pi, np.arccos(np.abs(cosine))),
    )


@dataclass(frozen=True, eq=False)
class _Sums:
    """The two sums of the volume by joint: T ``(J, 3, 3)`` and S ``(J, 3)``."""

    tensors: FloatArray
    vectors: FloatArray

    @classmethod
    def none(cls, joints: int) -> "_Sums":
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
        """Return what all triangles together enclose: step 1 above."""
        return float(np.trace(self.tensors.sum(axis=0))) / 6.0

    def around(self, bones: Segments) -> FloatArray:
        """Return ``(J,)`` what lies around each bone: step 2 above."""
        heads, directions = bones.heads, bones.directions
        along = np.einsum("ji,jik,jk->j", directions, self.tensors, directions)
        shifted = np.einsum("ji,ji->j", heads, self.vectors)
        both = np.einsum("ji,ji->j", heads, directions)
        both *= np.einsum("ji,ji->j", directions, self.vectors)
        return 0.25 * (np.trace(self.tensors, axis1=1, axis2=2) - shifted - along + both)


@dataclass(frozen=True, eq=False)
class _Lumps:
    """Triangles that hang on one joint alone, summed by entry ``(L,)``, in the rest pose.

    Parameters
    ----------
    mesh_from_rest
        ``(L, 4, 4)`` the inverse of what the entries' joints do to the mesh in the rest pose.
    """

    entries: IntArray
    sums: _Sums
    mesh_from_rest: FloatArray

    def add(self, mesh: SkinnedMesh, stance: Stance, sums: _Sums) -> None:
        """Add the lumps in a pose to sums by joint: step 3 above."""
        pose_from_rest = stance.matrices[self.entries] @ self.mesh_from_rest
        linear, offset = pose_from_rest[:, :3, :3], pose_from_rest[:, :3, 3]
        cofactors = affine.cofactor(linear)
        vectors = np.einsum("lik,lk->li", cofactors, self.sums.vectors)
        tensors = linear @ self.sums.tensors @ np.swapaxes(cofactors, -1, -2)
        tensors += offset[:, :, None] * vectors[:, None, :]
        joints = mesh.entry_joints[self.entries]
        np.add.at(sums.vectors, joints, vectors)
        np.add.at(sums.tensors, joints, tensors)


def _lumps(mesh: SkinnedMesh, corners: IntArray, rest: FloatArray) -> _Lumps:
    a, b, c = _gather(rest.T, corners)
    used, place = np.unique(mesh.entries[corners[0], 0], return_inverse=True)
    sums = _Sums.none(len(used))
    b, c = b - a, c - a
    sums.add(place, run_starts(place), (a, b + c), _cross(b, c))
    return _Lumps(used, sums, affine.inverse(mesh.stance(mesh.deformer.rest).matrices[used]))


def run_starts(values: IntArray) -> IntArray:
    """Return where runs of equal values begin."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    changes: BoolArray = values[1:] != values[:-1]
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


# Vectors below come by axis, ``(3, n)``: numpy is two to three times as quick on whole rows.


def _gather(points: FloatArray, corners: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the points of each corner, ``(3, n)`` each, of ``(3, V)`` points at ``(3, n)`` corners."""
    taken = np.take(points, corners, axis=1)
    return taken[:, 0], taken[:, 1], taken[:, 2]


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.einsum("in,in->n", a, b)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    result = np.zeros_like(a)
    for axis in range(3):
        after, last = (axis + 1) % 3, (axis + 2) % 3
        np.multiply(a[after], b[last], out=result[axis])
        result[axis] -= a[last] * b[after]
    return result
