"""What a method costs the shape: volume and bulge of a skinned rig against its rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer, Frame
from rigview.core.skinning import METHODS, Options, Skinned
from rigview.core.solid import closed_surface, signed_volume

# The share of vertices that stand out less than the stated bulge.
BULGE_QUANTILE = 0.99
# A vertex on its bone has no rest distance to compare with: it counts as this share of the mean.
SMALLEST_RADIUS = 0.5
# An enclosed volume below this share of H³ is that of a flat or open sheet.
FLAT = 1e-6


class Shape(NamedTuple):
    """One method in one pose; NaN where it cannot be said (an open sheet, no joints).

    Parameters
    ----------
    volume
        Enclosed volume over that of the rest pose, minus 1.
    bulge
        How far the skin stands from the nearest bone beyond its distance at bind time, as a share
        of that distance: the value that 1 % of the vertices exceed.
    """

    volume: float
    bulge: float


@dataclass(frozen=True)
class Measure:
    """The static half of measuring a rig: its closed surface and its rest distances to the bones."""

    deformer: Deformer

    def shape(self, frame: Frame, skinned: Sequence[Skinned]) -> Shape:
        """Measure one pose skinned by one method; `skinned` holds all parts in scene order."""
        return Shape(self._volume_change(skinned), self._bulge(frame, skinned))

    @cached_property
    def _moved(self) -> tuple[int, ...]:
        """The parts that joints move."""
        rig = self.deformer.rig
        return tuple(i for i, part in enumerate(rig.parts) if self.deformer.is_skinned(part))

    @cached_property
    def _rest(self) -> list[Skinned]:
        return self.deformer.skin_all(self.deformer.rest, METHODS["lbs"], Options())

    @cached_property
    def _surface(self) -> IntArray:
        """``(F, 3)`` triangles over all moved parts, holes closed; see `closed_surface`."""
        rig = self.deformer.rig
        start, triangles = 0, [np.zeros((0, 3), dtype=np.int64)]
        for i in self._moved:
            primitive = rig.primitive(rig.parts[i])
            triangles.append(primitive.triangles + start)
            start += len(primitive.positions)
        return closed_surface(self._positions(self._rest), np.concatenate(triangles))

    def _positions(self, skinned: Sequence[Skinned]) -> FloatArray:
        return np.concatenate([np.zeros((0, 3)), *(skinned[i].positions for i in self._moved)])

    @cached_property
    def _rest_volume(self) -> float:
        return signed_volume(self._positions(self._rest), self._surface)

    def _volume_change(self, skinned: Sequence[Skinned]) -> float:
        if abs(self._rest_volume) <= FLAT * self.deformer.size**3:
            return float("nan")
        return signed_volume(self._positions(skinned), self._surface) / self._rest_volume - 1.0

    @cached_property
    def _rest_distances(self) -> dict[int, FloatArray]:
        """Part → ``(V,)`` distance in mesh space to the nearest bone of each vertex's joints."""
        result = {}
        for i in self._moved:
            part = self.deformer.rig.parts[i]
            if part.skin is not None:
                points = self.deformer.rig.primitive(part).positions
                result[i] = self._nearest(i, points, self.deformer.bind_bones[part.skin].distance)
        return result

    def _nearest(
        self, part: int, points: FloatArray, distance: Callable[[IntArray, FloatArray], FloatArray]
    ) -> FloatArray:
        binding = self.deformer.bindings[part]
        nearest = np.full(len(points), np.inf)
        for slot in range(binding.joints.shape[1]):
            used = np.flatnonzero(binding.weights[:, slot] > 0.0)
            to_bone = distance(binding.joints[used, slot], points[used])
            nearest[used] = np.minimum(nearest[used], to_bone)
        return nearest

    def _bulge(self, frame: Frame, skinned: Sequence[Skinned]) -> float:
        excess = []
        for i, rest in self._rest_distances.items():
            skin = self.deformer.rig.parts[i].skin
            if skin is None:
                continue
            palette = frame.palettes[skin]
            bones = self.deformer.carried_bones(skin, palette)
            posed = self._nearest(i, skinned[i].positions, bones.distance)
            scale = float(np.median(np.abs(np.linalg.det(palette.matrices[:, :3, :3])))) ** (1 / 3)
            bound = np.isfinite(rest)
            if not np.any(bound):
                continue
            wanted = rest[bound] * scale
            radius = np.maximum(wanted, SMALLEST_RADIUS * wanted.mean())
            excess.append((posed[bound] - wanted) / np.where(radius > 0.0, radius, 1.0))
        if not excess:
            return float("nan")
        return float(np.quantile(np.concatenate(excess), BULGE_QUANTILE))
