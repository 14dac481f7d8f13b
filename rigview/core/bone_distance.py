"""How far the skin stands from its bones in a pose, against the distance it was bound at."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.skinned_mesh import SkinnedMesh, Stance

# Vertices looked at together: their arrays stay in a processor's cache.
_BLOCK = 4096
# A vertex on its bone has no rest distance to compare with: it counts as this share of the mean.
SMALLEST_RADIUS = 0.5


@dataclass(frozen=True)
class BoneDistances:
    """The static half: `mesh`'s bound vertices and their distances when they were bound.

    The distance of a vertex is that to the nearest bone of its joints. The vertices are ordered by
    how many joints they have, the most first, and those last that hang rigidly on one.
    """

    mesh: SkinnedMesh

    @cached_property
    def vertices(self) -> IntArray:
        """``(n,)`` the vertices that any joint moves, in the order used here."""
        mesh = self.mesh
        order = np.lexsort((mesh.entries[:, 0], -mesh.counts, mesh.is_rigid))
        return order[mesh.counts[order] > 0]

    @cached_property
    def joints(self) -> IntArray:
        """``(n,)`` the joint that each vertex belongs to."""
        return self.mesh.joints[self.vertices]

    @cached_property
    def _changing(self) -> int:
        """How many of the vertices do not hang rigidly on one joint: the first ones."""
        return int(np.count_nonzero(~self.mesh.is_rigid[self.vertices]))

    @cached_property
    def _entries(self) -> tuple[IntArray, ...]:
        """Per slot the entries of the vertices that have an influence there, a leading run."""
        counts = self.mesh.counts[self.vertices]
        rigid = self.mesh.is_rigid[self.vertices]
        slots = []
        for slot in range(int(counts.max(initial=0))):
            used = len(counts) if slot == 0 else int(np.count_nonzero((counts > slot) & ~rigid))
            slots.append(self.mesh.entries[self.vertices[:used], slot])
        return tuple(slots)

    @cached_property
    def _skins(self) -> IntArray:
        return self.mesh.entry_skins[self.mesh.entries[self.vertices, 0]]

    @cached_property
    def rest(self) -> FloatArray:
        """``(n,)`` distances in mesh space when the vertices were bound."""
        return self._nearest(self.mesh.bound_bones, self.mesh.bound_positions, len(self.vertices))

    @cached_property
    def _per_radius(self) -> FloatArray:
        """``(n,)`` what turns a distance into a share of the rest distance."""
        skins = len(self.mesh.deformer.skins)
        counts = np.bincount(self._skins, minlength=skins)
        mean = np.bincount(self._skins, self.rest, skins) / np.maximum(counts, 1)
        radius = np.maximum(self.rest, SMALLEST_RADIUS * mean[self._skins])
        return 1.0 / np.where(radius > 0.0, radius, 1.0)

    def excess(self, positions: FloatArray, stance: Stance) -> FloatArray:
        """Return ``(n,)`` distances beyond those at rest, as shares of them; negative where nearer.

        Parameters
        ----------
        positions
            ``(V, 3)`` of `mesh`, posed. Where joints move like rigid bodies, vertices of one joint
            keep their distance.
        """
        result = np.zeros(len(self.vertices))
        count = self._changing if stance.rigid else len(result)
        posed = self._nearest(stance.bones, positions, count)
        shrink = 1.0 / stance.scales
        size = shrink[self._skins[:count]] if len(shrink) > 1 else shrink[:1]
        result[:count] = (posed * size - self.rest[:count]) * self._per_radius[:count]
        return result

    def _nearest(self, bones: Segments, positions: FloatArray, count: int) -> FloatArray:
        """Return the distances of the first `count` vertices to the nearest of their bones.

        With o from head to vertex, d the bone's direction, t = o·d and s = t clipped to the bone,
        the squared distance is o·o − s (2 t − s).
        """
        # By axis, since numpy is two to three times as quick on whole rows: head, direction, length.
        table = np.vstack([bones.heads.T, bones.directions.T, bones.lengths])
        by_axis = np.ascontiguousarray(positions.T)
        nearest = np.full(count, np.inf)
        for start in range(0, count, _BLOCK):
            end = min(start + _BLOCK, count)
            points = np.take(by_axis, self.vertices[start:end], axis=1)
            for entries in self._entries:
                used = entries[start:end]
                if not len(used):
                    break
                bone = np.take(table, used, axis=1)
                offset = points[:, : len(used)] - bone[:3]
                along = np.einsum("in,in->n", offset, bone[3:6])
                foot = np.minimum(np.maximum(along, 0.0), bone[6])
                squared = np.einsum("in,in->n", offset, offset) - foot * (2.0 * along - foot)
                here = nearest[start : start + len(used)]
                np.minimum(here, squared, out=here)
        return np.sqrt(np.maximum(nearest, 0.0))
