"""Measuring poses: everything of the table of quantities for one method in one pose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bone_distance import BoneDistances
from rigview.core.deform import Deformer, Frame
from rigview.core.quantities import (
    COLUMNS,
    QUANTITIES,
    Quantity,
    Reading,
    per_joint,
    run_starts,
    spread,
)
from rigview.core.skinned_mesh import VANISHED, SkinnedMesh, Stance
from rigview.core.skinning import METHODS, Options, Skinned
from rigview.core.surface import Faces, Surface

# An enclosed volume below this share of H³ is that of a flat or open sheet.
FLAT = 1e-6


@dataclass(frozen=True)
class Meter:
    """The static half of measuring a rig; everything in it is computed once, on first use."""

    deformer: Deformer

    @cached_property
    def mesh(self) -> SkinnedMesh:
        """What is measured: all parts that joints move."""
        return SkinnedMesh(self.deformer)

    @cached_property
    def _rest(self) -> FloatArray:
        skinned = self.deformer.skin_all(self.deformer.rest, METHODS["lbs"], Options())
        return self.mesh.positions(skinned)

    @cached_property
    def surface(self) -> Surface:
        """The triangles."""
        return Surface(self.mesh, self._rest)

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
        return self.surface.read(self._rest, None, replace(self._rest_stance, rigid=False))

    @property
    def rest_volume(self) -> float:
        """What the mesh encloses in the rest pose, cubic metres; NaN for a flat or open sheet."""
        if not len(self.mesh):
            return float("nan")
        volume = self._rest_faces.volume
        return volume if abs(volume) > FLAT * self.deformer.size**3 else float("nan")

    @cached_property
    def _vertex_order(self) -> tuple[IntArray, IntArray, IntArray]:
        """The order of `distances` by joint, where its runs start and whose they are."""
        return _by_joint(self.distances.joints)

    @cached_property
    def _all_order(self) -> tuple[IntArray, IntArray, IntArray]:
        """The same of all vertices of the mesh."""
        return _by_joint(self.mesh.joints)

    def read(
        self,
        frame: Frame,
        skinned: Sequence[Skinned],
        reference: Sequence[Skinned] | None = None,
        *,
        normals: bool = True,
    ) -> Reading:
        """Measure one method in one pose.

        Parameters
        ----------
        skinned
            All parts of the scene, as `Deformer.skin_all` returns them.
        reference
            The same by the method to compare with; None leaves the difference out (NaN).
        normals
            Whether to turn normals for what needs them; else it is left out (NaN).
        """
        count = len(self.deformer.skeleton.joints)
        figures = dict.fromkeys(COLUMNS, float("nan"))
        joints = {q.id: np.full(count, q.unchanged) for q in QUANTITIES.values()}
        stance = self._stance(frame)
        smallest = VANISHED * self._rest_stance.scales.max(initial=0.0)
        # A pose that shrinks the character to nothing (to hide it) has no shape to measure.
        if len(self.mesh) and np.all(stance.scales > smallest):
            positions = self.mesh.positions(skinned)
            turned = self.mesh.normals(skinned) if normals else None
            self._read_faces(self.surface.read(positions, turned, stance), figures, joints, turned)
            self._read_distances(self.distances.excess(positions, stance), figures, joints)
            if reference is not None:
                self._read_difference(skinned, reference, figures, joints)
        return Reading(figures, joints)

    def _read_faces(
        self,
        faces: Faces,
        figures: dict[str, float],
        joints: dict[str, FloatArray],
        normals: FloatArray | None,
    ) -> None:
        values = {"stretch": faces.stretch, "area": faces.area}
        if normals is not None:
            values |= {"normal": faces.error, "flipped": faces.flipped}
        for name, of_faces in values.items():
            _fill(QUANTITIES[name], of_faces, self.surface.runs, figures, joints)
        figures["volume"] = faces.volume / self.rest_volume
        change = (faces.joint_volumes - self._rest_faces.joint_volumes) / self.rest_volume
        joints["volume"] = 1.0 + np.nan_to_num(change)

    def _read_distances(
        self, excess: FloatArray, figures: dict[str, float], joints: dict[str, FloatArray]
    ) -> None:
        order, starts, owners = self._vertex_order
        ordered = excess[order]
        for name, values in (
            ("bulge", np.maximum(ordered, 0.0)),
            ("collapse", np.maximum(-ordered, 0.0)),
        ):
            _fill(QUANTITIES[name], values, (starts, owners), figures, joints)

    def _read_difference(
        self,
        skinned: Sequence[Skinned],
        reference: Sequence[Skinned],
        figures: dict[str, float],
        joints: dict[str, FloatArray],
    ) -> None:
        if skinned is reference:
            figures.update(dict.fromkeys(QUANTITIES["difference"].columns, 0.0))
            return
        apart = self.mesh.positions(skinned) - self.mesh.positions(reference)
        distance = np.sqrt(np.einsum("vi,vi->v", apart, apart)) / self.deformer.size
        order, starts, owners = self._all_order
        _fill(QUANTITIES["difference"], distance[order], (starts, owners), figures, joints)


def _fill(
    quantity: Quantity,
    values: FloatArray,
    runs: tuple[IntArray, IntArray],
    figures: dict[str, float],
    joints: dict[str, FloatArray],
) -> None:
    """Enter a quantity's values, which come in runs of one joint each, into a reading."""
    if quantity.spread:
        figures.update(spread(quantity, values))
    else:
        figures[quantity.id] = float(values.sum())
    joints[quantity.id] = per_joint(quantity, values, *runs, len(joints[quantity.id]))


def _by_joint(joints: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return what orders places by joint, where each joint's run starts, and whose it is."""
    order = np.argsort(joints, kind="stable")
    starts = run_starts(joints[order])
    return order, starts, joints[order][starts]
