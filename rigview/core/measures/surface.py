"""The triangles of a skinned mesh in a pose against those it was bound with.

Measured are per triangle the stretch of its edges, its area, and the angle to its shading normals, and
of the whole the enclosed volume (`volumes`). Three things make that quick:

* What does not change is computed once: corners in the order of their joints, bound lengths, areas
  and angles (`bind_shape`).
* Where all joints move like rigid bodies, a triangle whose corners hang on one joint alone cannot
  change. What it adds to the volume follows from the sums over all such triangles of the joint.
* All methods are measured together, block by block, in arrays that are written again and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.measures import volumes
from rigview.core.measures.bind_shape import BoundTriangles, bound_triangles
from rigview.core.measures.quantities import QUANTITIES
from rigview.core.measures.skinned_mesh import PosedSkin, SkinnedMesh, Stance
from rigview.core.measures.solid import closed_surface, hole_count, signed_volume
from rigview.core.measures.streaming_stats import Batch, Places, StreamingStats
from rigview.core.numeric import axis_major

# A triangle that has lost all but this share of its area has no direction.
VANISHED_AREA = 1e-6


@dataclass(frozen=True, eq=False)
class Faces:
    """The triangles in one pose by one method.

    Parameters
    ----------
    stretch, area
        The most stretched edge and the area, over the bound ones.
    error
        Angle to the mean of the shading normals beyond the bound one, radians, at least 0.
    flipped
        ``(J,)`` how many triangles of each joint came to face against their shading normals.
    sums
        Of the volume by joint, without what closes holes.
    """

    stretch: StreamingStats
    area: StreamingStats
    error: StreamingStats
    flipped: IntArray
    sums: volumes.Sums

    @classmethod
    def unchanged(cls, places: Places, bones: Segments) -> "Faces":
        """Return triangles as they were bound, without volume; `bones` are the joints'."""
        return cls(
            StreamingStats(QUANTITIES["stretch"], places),
            StreamingStats(QUANTITIES["area"], places),
            StreamingStats(QUANTITIES["normal"], places),
            np.zeros(len(bones.heads), dtype=np.int64),
            volumes.Sums.none(bones),
        )


@dataclass(frozen=True, eq=False)
class _Room:
    """Where a block of n triangles is worked on.

    Parameters
    ----------
    corners
        ``(3, 3, n)`` by axis and corner.
    facing
        ``(4, n)`` area vectors, and a row more.
    squares, mean
        ``(3, n)`` squared lengths of edges, and sums of shading normals.
    side
        ``(n,)`` `BoundTriangles.side` over the length of the mean, times −½.
    row
        ``(n,)``.
    """

    corners: FloatArray
    facing: FloatArray
    squares: FloatArray
    mean: FloatArray
    side: FloatArray
    row: FloatArray

    @classmethod
    def of(cls, count: int) -> "_Room":
        """Return room for a number of triangles."""
        rows = np.zeros((21, count))
        corners = rows[:9].reshape(3, 3, count)
        return cls(corners, rows[9:13], rows[13:16], rows[16:19], rows[19], rows[20])


@dataclass(frozen=True, eq=False)
class _Block:
    """A batch of triangles.

    Parameters
    ----------
    corners, shading
        ``(3, n)`` welded vertices, and the ones whose normals shade.
    skins
        ``(n,)`` position of the skin among the used skins, by the first corner.
    """

    batch: Batch
    corners: IntArray
    shading: IntArray
    skins: IntArray
    bound: BoundTriangles

    def shade(self, normals: FloatArray, room: _Room) -> None:
        """Sum up the shading normals of ``(3, V)``."""
        first, *others = self.shading
        mean = axis_major.take(normals, first, room.mean)
        for corner in others:
            mean += axis_major.take(normals, corner, room.facing[:3])
        length = axis_major.dot(mean, mean, room.row)
        np.sqrt(length, out=length)
        # Opposed normals have no direction: their cosine is 0.
        np.maximum(length, np.finfo(np.float64).tiny, out=length)
        length *= -2.0
        np.divide(self.bound.side, length, out=room.side)

    def read(self, shape: PosedSkin, size: FloatArray | None, room: _Room, into: Faces) -> None:
        """Measure the triangles and enter them.

        Parameters
        ----------
        size
            ``(n,)`` what lengths are multiplied with; None for 1.
        """
        origin, u, v = room.corners[:, 0], room.corners[:, 1], room.corners[:, 2]
        first, *others = self.corners
        axis_major.take(shape.positions, first, origin)
        for corner, edge in zip(others, (u, v), strict=True):
            axis_major.take(shape.positions, corner, edge)
            np.subtract(edge, origin, out=edge)
        stretch = self._stretch(u, v, room)
        if size is not None:
            stretch *= size
        into.stretch.enter(self.batch, stretch)
        facing = axis_major.cross(u, v, room.facing[:3], room.row)
        double_area = axis_major.dot(facing, facing, room.row)
        np.sqrt(double_area, out=double_area)
        area = np.multiply(double_area, self.bound.inverse_area, out=room.squares[0])
        if size is not None:
            area *= size * size
        area[self.bound.flat] = 1.0
        into.area.enter(self.batch, area)
        if shape.normals is not None:
            self._turn(double_area, area, room, into)
        into.sums.add(self.batch, room.corners, room.facing)

    def _stretch(self, u: FloatArray, v: FloatArray, room: _Room) -> FloatArray:
        """Return the largest ratios of an edge's length to its bound one."""
        uu, vv, ww = squares = room.squares
        axis_major.dot(u, u, uu)
        axis_major.dot(v, v, vv)
        # |v − u|² of nearly equal u and v loses digits to rounding, but is then the shortest edge.
        axis_major.dot(u, v, ww)
        ww *= -2.0
        ww += uu
        ww += vv
        squares *= self.bound.inverse_squares
        np.maximum(uu, vv, out=uu)
        np.maximum(uu, ww, out=uu)
        return np.sqrt(uu, out=uu)

    def _turn(self, double_area: FloatArray, area: FloatArray, room: _Room, into: Faces) -> None:
        """Enter how far triangles turned from their shading normals, and which ones flipped."""
        half = self.bound.half_angle
        error = axis_major.dot(room.mean, room.facing[:3], room.squares[1])
        # Half the cosine, negative.
        error *= room.side
        # What has no area has no direction.
        double_area[self.bound.flat] = 1.0
        gone = np.flatnonzero(area <= VANISHED_AREA) if area.min() <= VANISHED_AREA else None
        if gone is not None:
            double_area[gone] = 1.0
        error /= double_area
        if gone is not None:
            error[gone] = -0.5 * np.abs(np.cos(2.0 * half[gone]))
        if error.max() > 0.0:
            np.add.at(into.flipped, self.batch.joints[error > 0.0], 1)
            np.minimum(error, 0.5, out=error)
        # The angle by the sine of its half: near 0 two to three times as quick as by the cosine.
        error += 0.5
        np.maximum(error, 0.0, out=error)
        np.sqrt(error, out=error)
        np.arcsin(error, out=error)
        error -= half
        np.maximum(error, 0.0, out=error)
        error *= 2.0
        into.error.enter(self.batch, error)


@dataclass(frozen=True)
class TriangleMeter:
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
    def places(self) -> Places:
        """The triangles and their joints."""
        return Places(self._owners(self._corners.T), self._order[1])

    @cached_property
    def _lumps(self) -> volumes.Lumps:
        return volumes.lump(self.mesh, self._corners[:, self._order[1] :], self.rest.T)

    @cached_property
    def _blocks(self) -> tuple[_Block, ...]:
        every = bound_triangles(self.mesh, self._shading)
        skins = self.mesh.entry_skins[self.mesh.entries[self._shading[0], 0]]
        result = []
        for batch in self.places.batches:
            corners = np.ascontiguousarray(self._corners[:, batch.rows])
            shading = np.ascontiguousarray(self._shading[:, batch.rows])
            # Where nothing is welded, one array is less to keep in the cache.
            shading = corners if np.array_equal(corners, shading) else shading
            result.append(_Block(batch, corners, shading, skins[batch.rows], every[batch.rows]))
        return tuple(result)

    def read(self, shapes: Sequence[PosedSkin], stance: Stance) -> list[Faces]:
        """Measure one pose by several methods; without normals no triangle turns or flips."""
        bones = stance.bones.of(self.mesh.joint_entries)
        result = [Faces.unchanged(self.places, bones) for _ in shapes]
        # Methods that turn normals alike follow each other.
        order = sorted(range(len(shapes)), key=lambda i: id(shapes[i].normals))
        room = _Room.of(0)
        for block in self._blocks[: len(self.places.measured(rigid=stance.rigid))]:
            if len(room.row) != len(block.batch):
                room = _Room.of(len(block.batch))
            size = stance.shrink(block.skins)
            shaded = None
            for i in order:
                normals = shapes[i].normals
                if normals is not None and normals is not shaded:
                    block.shade(normals, room)
                    shaded = normals
                block.read(shapes[i], size, room, result[i])
        if stance.rigid and len(self._lumps.entries):
            for faces in result:
                self._lumps.add(self.mesh, stance, faces.sums)
        return result

    def volume(self, shape: PosedSkin, faces: Faces) -> float:
        """Return what the closed surface encloses, cubic metres."""
        fans = self._closed[len(self.mesh.triangles) :]
        return faces.sums.volume() + signed_volume(shape.positions.T, fans)
