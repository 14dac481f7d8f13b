"""Measuring poses: everything of the table of quantities for one method in one pose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.bone_distance import BoneDistances
from rigview.core.measures.quantities import QUANTITIES, PoseReading
from rigview.core.measures.skinned_mesh import VANISHED, PosedSkin, SkinnedMesh, Stance
from rigview.core.measures.streaming_stats import Places, StreamingStats
from rigview.core.measures.surface import Faces, TriangleMeter
from rigview.core.methods.posed import Skinned
from rigview.core.numeric import axis_major
from rigview.core.skinning import METHODS, Options

# An enclosed volume below this share of H³ is that of a flat or open sheet.
FLAT = 1e-6


class HeaderFigures(NamedTuple):
    """What a pane's header says of a method in a pose; NaN where it cannot be said (a sheet, no joints).

    Parameters
    ----------
    volume
        Enclosed volume over that of the rest pose, minus 1.
    bulge
        How far the skin stands from the nearest bone beyond its distance at bind time, as a share
        of that distance: the value that 1 % of the vertices exceed, at least 0.
    """

    volume: float
    bulge: float


@dataclass(frozen=True)
class ShapeMeter:
    """The static half of measuring a rig; everything in it is computed once, on first use."""

    deformer: Deformer

    @cached_property
    def mesh(self) -> SkinnedMesh:
        """What is measured: all parts that joints move."""
        return SkinnedMesh(self.deformer)

    @cached_property
    def _rest(self) -> PosedSkin:
        skinned = self.deformer.skin_all(self.deformer.rest, METHODS["lbs"], Options())
        return self.mesh.deformed([skinned], normals=False)[0]

    @cached_property
    def rest_bounds(self) -> FloatArray:
        """``(2, 3)`` the lowest and the highest corner of the mesh in the rest pose; NaN without any."""
        corners = [self.deformer.rest_corners[part] for part in self.mesh.parts]
        points = np.concatenate([np.full((1, 3), np.nan), *corners])
        return np.stack([np.fmin.reduce(points), np.fmax.reduce(points)])

    @cached_property
    def surface(self) -> TriangleMeter:
        """The triangles."""
        return TriangleMeter(self.mesh, self._rest.positions.T)

    @cached_property
    def distances(self) -> BoneDistances:
        """The vertices and their bones."""
        return BoneDistances(self.mesh)

    @cached_property
    def _rest_stance(self) -> Stance:
        return self.mesh.stance(self.deformer.rest)

    @cached_property
    def _stance(self) -> Callable[[Frame], Stance]:
        """What gives a frame's stance, remembering the last: methods are measured by turns."""
        return lru_cache(1)(self._new_stance)

    def _new_stance(self, frame: Frame) -> Stance:
        stance = self.mesh.stance(frame)
        return replace(stance, rigid=stance.rigid and self._rest_stance.rigid)

    @cached_property
    def _rest_faces(self) -> Faces:
        return self.surface.read([self._rest], replace(self._rest_stance, rigid=False))[0]

    @cached_property
    def rest_volume(self) -> float:
        """What the mesh encloses in the rest pose, cubic metres; NaN for a flat or open sheet."""
        if not len(self.mesh):
            return float("nan")
        volume = self.surface.volume(self._rest, self._rest_faces)
        return volume if abs(volume) > FLAT * self.deformer.size**3 else float("nan")

    @cached_property
    def _all(self) -> tuple[IntArray, Places]:
        """The order of all vertices of the mesh by joint, and they in this order."""
        order = np.argsort(self.mesh.joints, kind="stable")
        return order, Places(self.mesh.joints[order], len(order))

    def read(
        self,
        frame: Frame,
        skinned: Sequence[Skinned],
        reference: Sequence[Skinned] | None = None,
        *,
        normals: bool = True,
        faces: bool = True,
    ) -> PoseReading:
        """Measure one method in one pose; see `read_all`."""
        (reading,) = self.read_all(frame, [skinned], reference, normals=normals, faces=faces)
        return reading

    def shape(self, frame: Frame, skinned: Sequence[Skinned]) -> HeaderFigures:
        """Return the two figures of one method in one pose that every pane shows."""
        figures = self.read(frame, skinned, normals=False).figures
        return HeaderFigures(figures["volume"] - 1.0, figures["bulge_99"])

    def read_all(
        self,
        frame: Frame,
        skinned: Sequence[Sequence[Skinned]],
        reference: Sequence[Skinned] | None = None,
        *,
        normals: bool = True,
        faces: bool = True,
    ) -> list[PoseReading]:
        """Measure several methods in one pose.

        Parameters
        ----------
        skinned
            Per method all parts of the scene, as `Deformer.skin_all` returns them.
        reference
            The same by the method to compare with; None leaves the difference out (NaN).
        normals
            Whether to turn normals for what needs them; else it is left out (NaN).
        faces
            Whether to measure triangles, else all but distances is left out (NaN).
        """
        count = len(self.deformer.skeleton.joints)
        readings = [PoseReading.unknown(count) for _ in skinned]
        stance = self._stance(frame)
        smallest = VANISHED * self._rest_stance.scales.max(initial=0.0)
        # A pose that shrinks the character to nothing (to hide it) has no shape to measure.
        if not len(self.mesh) or not np.all(stance.scales > smallest):
            return readings
        shapes = self.mesh.deformed(skinned, normals=normals and faces)
        # Where a method spreads, no vertex keeps its place beside a joint that moves as a rigid body.
        loose = [any(part.spreads for part in parts) for parts in skinned]
        for spreads in sorted(set(loose)):
            own = [i for i, one in enumerate(loose) if one == spreads]
            held = replace(stance, rigid=stance.rigid and not spreads)
            self._read_shapes([shapes[i] for i in own], held, [readings[i] for i in own], faces)
        if reference is not None:
            other = self.mesh.positions(reference)
            for parts, shape, reading in zip(skinned, shapes, readings, strict=True):
                if parts is reference:
                    columns = QUANTITIES["difference"].columns
                    reading.figures.update(dict.fromkeys(columns, 0.0))
                else:
                    self._read_difference(shape.positions, other, reading)
        return readings

    def _read_shapes(
        self, shapes: Sequence[PosedSkin], stance: Stance, into: Sequence[PoseReading], faces: bool
    ) -> None:
        """Measure what methods make of one pose, against its bones and at rest."""
        if faces:
            surfaces = self.surface.read(shapes, stance)
            for shape, of_shape, reading in zip(shapes, surfaces, into, strict=True):
                self._read_faces(shape, of_shape, reading)
        for tallies, reading in zip(self.distances.read(shapes, stance), into, strict=True):
            for tally in tallies:
                _enter(tally, reading)

    def _read_faces(self, shape: PosedSkin, faces: Faces, into: PoseReading) -> None:
        _enter(faces.stretch, into)
        _enter(faces.area, into)
        if shape.normals is not None:
            _enter(faces.error, into)
            into.figures["flipped"] = float(faces.flipped.sum())
            into.joints["flipped"] += faces.flipped
        into.figures["volume"] = self.surface.volume(shape, faces) / self.rest_volume
        change = (faces.sums.around() - self._rest_faces.sums.around()) / self.rest_volume
        into.joints["volume"] += np.nan_to_num(change)

    def _read_difference(
        self, positions: FloatArray, reference: FloatArray, into: PoseReading
    ) -> None:
        """Enter how far ``(3, V)`` vertices are from others."""
        order, places = self._all
        distance = np.zeros(len(order))
        tally = StreamingStats(QUANTITIES["difference"], places)
        for batch in places.batches:
            apart = positions[:, batch.rows] - reference[:, batch.rows]
            axis_major.dot(apart, apart, distance[batch.rows])
        np.sqrt(distance, out=distance)
        distance /= self.deformer.size
        for batch in places.batches:
            tally.enter(batch, distance[order[batch.rows]])
        _enter(tally, into)


def _enter(tally: StreamingStats, into: PoseReading) -> None:
    """Enter what a tally has come to into a reading."""
    quantity = tally.quantity.id
    into.figures.update(tally.figures())
    into.joints[quantity] = tally.by_joint(len(into.joints[quantity]))
