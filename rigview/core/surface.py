"""The triangles of a skinned mesh in a pose against those it was bound with.

Measured are per triangle the stretch of its edges, its area, and the angle to its shading normals, and
of the whole the enclosed volume (`volumes`). Two things make that quick:

* What does not change is computed once: corners in the order of their joints, bound lengths, areas
  and angles.
* Where all joints move like rigid bodies, a triangle whose corners hang on one joint alone cannot
  change. What it adds to the volume follows from the sums over all such triangles of the joint.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import by_axis, volumes
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.quantities import run_starts
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
    def _lumps(self) -> volumes.Lumps:
        return volumes.lump(self.mesh, self._corners[:, self._order[1] :], self.rest)

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
        sums = volumes.Sums.none(joints)
        shrink = 1.0 / stance.scales
        rows = np.ascontiguousarray(positions.T)
        normal_rows = None if normals is None else np.ascontiguousarray(normals.T)
        for block, starts in self._blocks:
            if stance.rigid and block.start >= self._order[1]:
                break
            origin, u, v = by_axis.gather(rows, self._corners[:, block])
            u -= origin
            v -= origin
            facing = by_axis.cross(u, v)
            size = shrink[self._skins[block]] if len(shrink) > 1 else shrink[0]
            stretch[block] = self._bound.stretch(block, u, v) * size
            double_area = np.sqrt(by_axis.dot(facing, facing))
            area[block] = self._bound.area_ratio(block, double_area, size * size)
            if normal_rows is not None:
                a, b, c = by_axis.gather(normal_rows, self._shading[:, block])
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
        uu, vv = by_axis.dot(u, u), by_axis.dot(v, v)
        # |v − u|² of nearly equal u and v loses digits to rounding, but is then the shortest edge.
        ww = uu + vv
        ww -= 2.0 * by_axis.dot(u, v)
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
        length = np.sqrt(by_axis.dot(mean, mean))
        length *= double_area
        cosine = by_axis.dot(mean, facing)
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
    origin, u, v = by_axis.gather(points.T, shading)
    u, v = u - origin, v - origin
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    squares = np.stack([by_axis.dot(u, u), by_axis.dot(v, v), by_axis.dot(v - u, v - u)])
    short = squares <= (SHORTEST * size) ** 2
    facing = by_axis.cross(u, v)
    double_area = np.sqrt(by_axis.dot(facing, facing))
    # A sliver as thin as the shortest edge has no area to compare with either.
    none = double_area <= SHORTEST * size * np.sqrt(squares.max(axis=0, initial=0.0))
    a, b, c = by_axis.gather(mesh.bound_normals.T, shading)
    mean = a + b + c
    length = np.sqrt(by_axis.dot(mean, mean)) * double_area
    cosine = np.clip(by_axis.dot(mean, facing) / np.where(length > 0.0, length, 1.0), -1.0, 1.0)
    side = np.where(none | (np.abs(cosine) < FRONT), 0.0, np.sign(cosine))
    return _Bound(
        np.where(short, 0.0, 1.0 / np.where(short, 1.0, squares)),
        np.where(none, 0.0, 1.0 / np.where(none, 1.0, double_area)),
        none.astype(np.float64),
        side,
        # Half a turn, which no error can exceed, where neither side is the front.
        np.where(side == 0.0, np.pi, np.arccos(np.abs(cosine))),
    )
