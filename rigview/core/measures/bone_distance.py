"""How far the skin stands from its bones in a pose, against the distance it was bound at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.measures.quantities import QUANTITIES
from rigview.core.measures.skinned_mesh import PosedSkin, SkinnedMesh, Stance
from rigview.core.measures.streaming_stats import Batch, Places, StreamingStats, run_starts
from rigview.core.numeric import axis_major

# A vertex on its bone has no rest distance to compare with: it counts as this share of the mean.
SMALLEST_RADIUS = 0.5


@dataclass(frozen=True)
class BoneDistances:
    """The static half: `mesh`'s bound vertices and their distances when they were bound.

    The distance of a vertex is that to the nearest bone of its joints. The vertices are ordered by
    how many joints they have, the most first, and those last that hang rigidly on one; then by their
    joints.
    """

    mesh: SkinnedMesh

    @cached_property
    def _vertices(self) -> IntArray:
        """``(n,)`` the vertices that any joint moves, in the order used here."""
        mesh = self.mesh
        order = np.lexsort((*mesh.entries.T[::-1], -mesh.counts, mesh.is_rigid))
        return order[mesh.counts[order] > 0]

    @cached_property
    def places(self) -> Places:
        """The vertices and their joints."""
        changing = int(np.count_nonzero(~self.mesh.is_rigid[self._vertices]))
        return Places(self.mesh.joints[self._vertices], changing)

    @cached_property
    def _slots(self) -> tuple[IntArray, ...]:
        """Per slot the entries of the vertices that have an influence there, a leading run."""
        counts = self.mesh.counts[self._vertices]
        rigid = self.mesh.is_rigid[self._vertices]
        slots = []
        for slot in range(int(counts.max(initial=0))):
            used = len(counts) if slot == 0 else int(np.count_nonzero((counts > slot) & ~rigid))
            slots.append(self.mesh.entries[self._vertices[:used], slot])
        return tuple(slots)

    @cached_property
    def _runs(self) -> tuple[tuple[tuple[IntArray, IntArray], ...], ...]:
        """Per batch and slot the runs of vertices with one entry there: the entries and the lengths."""
        return tuple(
            tuple(_runs_of(entries[batch.rows]) for entries in self._slots)
            for batch in self.places.batches
        )

    @cached_property
    def _skins(self) -> IntArray:
        return self.mesh.entry_skins[self.mesh.entries[self._vertices, 0]]

    @cached_property
    def rest(self) -> FloatArray:
        """``(n,)`` distances in mesh space when the vertices were bound."""
        bound = np.ascontiguousarray(self.mesh.bound_positions.T)
        result = np.zeros(len(self._vertices))
        for batch, (distance,) in self._nearest(self.mesh.bound_bones, [bound], rigid=False):
            result[batch.rows] = distance
        return result

    @cached_property
    def _per_radius(self) -> FloatArray:
        """``(n,)`` what turns a distance into a share of the rest distance."""
        skins = len(self.mesh.deformer.skins)
        counts = np.bincount(self._skins, minlength=skins)
        mean = np.bincount(self._skins, self.rest, skins) / np.maximum(counts, 1)
        radius = np.maximum(self.rest, SMALLEST_RADIUS * mean[self._skins])
        return 1.0 / np.where(radius > 0.0, radius, 1.0)

    def read(
        self, shapes: Sequence[PosedSkin], stance: Stance
    ) -> list[tuple[StreamingStats, StreamingStats]]:
        """Measure one pose by several methods: bulge and collapse of each.

        Where joints move like rigid bodies, vertices of one joint keep their distance.
        """
        result = [
            (
                StreamingStats(QUANTITIES["bulge"], self.places),
                StreamingStats(QUANTITIES["collapse"], self.places),
            )
            for _ in shapes
        ]
        positions = [shape.positions for shape in shapes]
        for batch, nearest in self._nearest(stance.bones, positions, rigid=stance.rigid):
            size = stance.shrink(self._skins[batch.rows])
            share = nearest if size is None else np.multiply(nearest, size, out=nearest)
            share -= self.rest[batch.rows]
            share *= self._per_radius[batch.rows]
            for excess, (bulge, collapse) in zip(share, result, strict=True):
                further = np.maximum(excess, 0.0)
                bulge.enter(batch, further)
                collapse.enter(batch, np.subtract(further, excess, out=excess))
        return result

    def _nearest(
        self, bones: Segments, positions: Sequence[FloatArray], *, rigid: bool
    ) -> Iterator[tuple[Batch, FloatArray]]:
        """Yield ``(M, n)`` distances of a batch to the nearest of their bones.

        What is yielded is written over for the next one.

        Parameters
        ----------
        positions
            ``(3, V)`` each.
        """
        # Head, direction, length.
        table = np.vstack([bones.heads.T, bones.directions.T, bones.lengths])
        methods = len(positions)
        room, points = np.zeros((6 + methods, 0)), np.zeros((methods, 3, 0))
        for batch, slots in zip(self.places.measured(rigid=rigid), self._runs, strict=False):
            if room.shape[1] != len(batch):
                room = np.zeros((6 + methods, len(batch)))
                points = np.zeros((methods, 3, len(batch)))
            nearest = room[6:]
            nearest[:] = np.inf
            for places, taken in zip(positions, points, strict=True):
                axis_major.take(places, self._vertices[batch.rows], taken)
            for entries, lengths in slots:
                bone = np.repeat(table[:, entries], lengths, axis=1)
                used = bone.shape[1]
                for taken, least in zip(points[:, :, :used], nearest, strict=True):
                    squared = _squared(taken, bone, room[:6, :used])
                    np.minimum(least[:used], squared, out=least[:used])
            np.maximum(nearest, 0.0, out=nearest)
            np.sqrt(nearest, out=nearest)
            yield batch, nearest


def _runs_of(values: IntArray) -> tuple[IntArray, IntArray]:
    """Return the values of runs of equal ones, and how long the runs are."""
    starts = run_starts(values)
    return values[starts], np.diff(starts, append=len(values))


def _squared(points: FloatArray, bone: FloatArray, room: FloatArray) -> FloatArray:
    """Return ``(n,)`` the squared distances of points to bones.

    With o from head to vertex, d the bone's direction, t = o·d and s = t clipped to the bone, that is
    o·o − s (2 t − s).

    Parameters
    ----------
    points, bone
        ``(3, n)``; ``(7, n)``: head, direction, length.
    room
        ``(6, n)`` to work in.
    """
    offset = np.subtract(points, bone[:3], out=room[:3])
    along = axis_major.dot(offset, bone[3:6], room[3])
    foot = np.maximum(along, 0.0, out=room[4])
    np.minimum(foot, bone[6], out=foot)
    squared = axis_major.dot(offset, offset, room[5])
    along *= 2.0
    along -= foot
    along *= foot
    squared -= along
    return squared
