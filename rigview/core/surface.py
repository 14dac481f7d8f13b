"""The triangles of a skinned mesh in a pose against those it was bound with.

Measured are per triangle the stretch of its edges, its area, and the angle to its shading normals, and
of the whole the enclosed volume. Two things make that quick:

* What does not change is computed once: corners in the order of their joints, bound lengths, areas
  and angles.
* Where all joints move like rigid bodies, a triangle whose corners hang on one joint alone cannot
  change. Its part of the volume follows from sums over all such triangles of the joint: with
  x' = R x + t, the sum of a'·N' over triangles of corner a and area vector N is
  Σ a·N + t·(R Σ N) (for a common scale s, times s³ and s²).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray, cross
from rigview.core.deform import Frame
from rigview.core.skinned_mesh import SkinnedMesh
from rigview.core.solid import closed_surface, hole_count

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
        ``(J,)`` of the cones from the middles of the bones over each joint's own triangles.
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
    def _blocks(self) -> tuple[slice, ...]:
        """The triangles in blocks; none straddles the border of those that can change."""
        _, changing = self._order
        return tuple(
            slice(start, min(start + _BLOCK, end))
            for first, end in ((0, changing), (changing, len(self.joints)))
            for start in range(first, end, _BLOCK)
        )

    def read(
        self,
        frame: Frame,
        positions: FloatArray,
        normals: FloatArray | None,
        apexes: FloatArray,
        *,
        rigid: bool,
    ) -> Faces:
        """Measure one pose.

        Parameters
        ----------
        positions, normals
            ``(V, 3)`` of `mesh`; without normals no triangle flips.
        apexes
            ``(J, 3)`` from where each joint's own volume is counted.
        rigid
            Whether joints move like rigid bodies and nothing is morphed in this pose, and were so
            in the rest pose.
        """
        count = len(self.joints)
        stretch, area = np.ones(count), np.ones(count)
        error, flipped = np.zeros(count), np.zeros(count)
        moment, area_vector = np.zeros(len(apexes)), np.zeros((len(apexes), 3))
        shrink = 1.0 / self.mesh.scales(frame)
        for block in self._blocks:
            if rigid and block.start >= self._order[1]:
                break
            corners = _gather(positions, self._corners[:, block])
            origin = corners[0].copy()
            u, v = corners[1], corners[2]
            u -= origin
            v -= origin
            facing = cross(u, v)
            size = shrink[self._skins[block]] if len(shrink) > 1 else shrink[0]
            stretch[block] = self._bound.stretch(block, u, v) * size
            double_area = np.sqrt(_dot(facing, facing))
            area[block] = self._bound.area_ratio(block, double_area, size * size)
            if normals is not None:
                mean = _gather(normals, self._shading[:, block]).sum(axis=0)
                error[block], flipped[block] = self._bound.turned(
                    block, mean, facing, double_area, area[block]
                )
            starts = run_starts(self.joints[block])
            owners = self.joints[block][starts]
            moment[owners] += np.add.reduceat(_dot(origin, facing), starts)
            area_vector[owners] += np.add.reduceat(facing, starts, axis=0)
        if rigid and len(self._lumps.entries):
            self._lumps.add(self.mesh, frame, moment, area_vector)
        joint_volumes = (moment - _dot(apexes, area_vector)) / 6.0
        fans = self._closed[len(self.mesh.triangles) :]
        a, b, c = (positions[fans[:, i]] for i in range(3))
        volume = (moment.sum() + float(np.sum(_dot(a, cross(b, c))))) / 6.0
        return Faces(stretch, area, error, flipped, float(volume), joint_volumes)


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
        Between the triangle and its shading normals, radians.
    """

    inverse_squares: FloatArray
    inverse_area: FloatArray
    no_area: FloatArray
    side: FloatArray
    angle: FloatArray

    def stretch(self, block: slice, u: FloatArray, v: FloatArray) -> FloatArray:
        """Return the largest ratio of an edge's length to its bound one."""
        inverse = self.inverse_squares[:, block]
        uu, vv, uv = _dot(u, u), _dot(v, v), _dot(u, v)
        # |v − u|² of nearly equal u and v loses digits to rounding, but is then the shortest edge.
        ww = np.maximum(uu + vv - 2.0 * uv, 0.0) * inverse[2]
        longest = np.maximum(np.maximum(uu * inverse[0], vv * inverse[1]), ww)
        return np.sqrt(longest)

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
    ) -> tuple[FloatArray, FloatArray]:
        """Return how far triangles turned from their shading normals, and which ones flipped."""
        length = np.sqrt(_dot(mean, mean)) * double_area
        side = self.side[block] * (area > VANISHED_AREA)
        cosine = _dot(mean, facing) * side / np.where(length > 0.0, length, 1.0)
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        error = np.where(side != 0.0, np.maximum(angle - self.angle[block], 0.0), 0.0)
        return error, np.where(cosine < 0.0, 1.0, 0.0)


def _bound(mesh: SkinnedMesh, shading: IntArray) -> _Bound:
    points = mesh.bound_positions
    corners = points[shading]
    u, v = corners[1] - corners[0], corners[2] - corners[0]
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    squares = np.stack([_dot(u, u), _dot(v, v), _dot(v - u, v - u)])
    short = squares <= (SHORTEST * size) ** 2
    facing = cross(u, v)
    double_area = np.sqrt(_dot(facing, facing))
    # A sliver as thin as the shortest edge has no area to compare with either.
    none = double_area <= SHORTEST * size * np.sqrt(squares.max(axis=0, initial=0.0))
    mean = mesh.bound_normals[shading].sum(axis=0)
    length = np.sqrt(_dot(mean, mean)) * double_area
    cosine = np.clip(_dot(mean, facing) / np.where(length > 0.0, length, 1.0), -1.0, 1.0)
    side = np.where(none | (np.abs(cosine) < FRONT), 0.0, np.sign(cosine))
    return _Bound(
        np.where(short, 0.0, 1.0 / np.where(short, 1.0, squares)),
        np.where(none, 0.0, 1.0 / np.where(none, 1.0, double_area)),
        none.astype(np.float64),
        side,
        np.arccos(np.abs(cosine)),
    )


@dataclass(frozen=True, eq=False)
class _Lumps:
    """Triangles that hang on one joint alone, summed by entry, in the rest pose.

    Parameters
    ----------
    entries
        ``(L,)``.
    moments, area_vectors
        ``(L,)`` and ``(L, 3)``: the sums of a·N and of N, N being twice the area vector.
    """

    entries: IntArray
    moments: FloatArray
    area_vectors: FloatArray

    def add(
        self, mesh: SkinnedMesh, frame: Frame, moment: FloatArray, area_vector: FloatArray
    ) -> None:
        """Add the lumps in a pose to the sums by joint: ``(J,)`` and ``(J, 3)``."""
        posed, rest = (
            np.concatenate([p.matrices for p in mesh.palettes(f)])
            for f in (frame, mesh.deformer.rest)
        )
        pose_from_rest = posed[self.entries] @ affine.inverse(rest[self.entries])
        turned = np.einsum(
            "lij,lj->li", affine.cofactor(pose_from_rest[:, :3, :3]), self.area_vectors
        )
        determinant = np.linalg.det(pose_from_rest[:, :3, :3])
        joints = mesh.entry_joints[self.entries]
        np.add.at(
            moment, joints, determinant * self.moments + _dot(pose_from_rest[:, :3, 3], turned)
        )
        np.add.at(area_vector, joints, turned)


def _lumps(mesh: SkinnedMesh, corners: IntArray, rest: FloatArray) -> _Lumps:
    a, b, c = rest[corners]
    facing = cross(b - a, c - a)
    entries = mesh.entries[corners[0], 0]
    used, place = np.unique(entries, return_inverse=True)
    moments, area_vectors = np.zeros(len(used)), np.zeros((len(used), 3))
    np.add.at(moments, place, _dot(a, facing))
    np.add.at(area_vectors, place, facing)
    return _Lumps(used, moments, area_vectors)


def run_starts(values: IntArray) -> IntArray:
    """Return where runs of equal values begin."""
    if not len(values):
        return np.zeros(0, dtype=np.int64)
    changes: BoolArray = values[1:] != values[:-1]
    return np.concatenate([[0], np.flatnonzero(changes) + 1])


def _gather(points: FloatArray, corners: IntArray) -> FloatArray:
    """Return ``(3, n, 3)`` the points at ``(3, n)`` corners."""
    return np.take(points, corners, axis=0)


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.einsum("ni,ni->n", a, b)
