"""All parts that joints move as one list of vertices and triangles: the static half of measuring."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray, median
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods.posed import Skinned

# Weights whose sum differs from 1 by less leave a vertex of one influence rigid: float32's rounding.
WHOLE = 1e-6
# A palette whose stretches differ from one common scale by less than this share moves its joints
# like rigid bodies.
SIMILAR = 1e-4
# A scale that differs from 1 by less is one that rounding has left.
UNSCALED = 1e-12
# A scale below this share of the bind shape's has made the shape vanish: it cannot be measured.
VANISHED = 1e-6


@dataclass(frozen=True)
class SkinnedMesh:
    """The vertices of all moved parts, in scene order; the numbers below run over all of them."""

    deformer: Deformer

    @cached_property
    def skins(self) -> dict[int, int]:
        """Moved part → the skin whose joints move it."""
        skins = map(self.deformer.skin_of, self.deformer.rig.parts)
        return {part: skin for part, skin in enumerate(skins) if skin is not None}

    @cached_property
    def parts(self) -> tuple[int, ...]:
        """The parts that joints move."""
        return tuple(self.skins)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Per moved part the number of its first vertex, and the number of all vertices last."""
        lengths = [len(self.deformer.bindings[i].joints) for i in self.parts]
        return tuple(int(n) for n in np.cumsum([0, *lengths]))

    def __len__(self) -> int:
        return self.starts[-1]

    def _joined(self, arrays: Sequence[FloatArray]) -> FloatArray:
        return np.concatenate([np.zeros((0, 3)), *arrays])

    def _by_axis(self, arrays: Sequence[FloatArray]) -> FloatArray:
        """Return ``(3, V)`` of the moved parts' ``(v, 3)``."""
        result = np.zeros((3, len(self)))
        for array, start in zip(arrays, self.starts[:-1], strict=True):
            result[:, start : start + len(array)] = array.T
        return result

    def positions(self, skinned: Sequence[Skinned]) -> FloatArray:
        """Return ``(3, V)`` of the moved parts among all `skinned` parts of the scene."""
        return self._by_axis([skinned[i].positions for i in self.parts])

    def deformed(self, skinned: Sequence[Sequence[Skinned]], *, normals: bool) -> list["PosedSkin"]:
        """Return the moved parts by several methods.

        Parameters
        ----------
        skinned
            Per method all parts of the scene.
        normals
            Whether to turn normals.
        """
        shared: dict[tuple[int, ...], FloatArray] = {}
        result = []
        for parts in skinned:
            turned = None
            if normals:
                arrays = [parts[i].normals for i in self.parts]
                same = tuple(map(id, arrays))
                if same not in shared:
                    shared[same] = self._by_axis(arrays)
                turned = shared[same]
            result.append(PosedSkin(self.positions(parts), turned))
        return result

    @cached_property
    def bound_positions(self) -> FloatArray:
        """``(V, 3)`` as bound: each in its own mesh's space."""
        rig = self.deformer.rig
        return self._joined([rig.primitive(rig.parts[i]).positions for i in self.parts])

    @cached_property
    def bound_normals(self) -> FloatArray:
        """``(V, 3)`` shading normals as bound."""
        rig = self.deformer.rig
        return self._joined([rig.primitive(rig.parts[i]).shading_normals for i in self.parts])

    @cached_property
    def triangles(self) -> IntArray:
        """``(F, 3)``."""
        rig = self.deformer.rig
        rows = [
            rig.primitive(rig.parts[i]).triangles + start
            for i, start in zip(self.parts, self.starts[:-1], strict=True)
        ]
        return np.concatenate([np.zeros((0, 3), dtype=np.int64), *rows])

    @cached_property
    def entry_starts(self) -> dict[int, int]:
        """Skin → where its joints begin among the joints of all used skins, its *entries*."""
        sizes = [len(self.deformer.rig.skins[skin].joints) for skin in self.deformer.skins]
        starts = np.cumsum([0, *sizes])
        return {s: int(n) for s, n in zip(self.deformer.skins, starts[:-1], strict=True)}

    @cached_property
    def entry_skins(self) -> IntArray:
        """``(E,)`` position of each entry's skin among the used skins."""
        skins = self.deformer.skins
        sizes = [len(self.deformer.rig.skins[skin].joints) for skin in skins]
        return np.repeat(np.arange(len(skins)), sizes)

    @cached_property
    def entry_joints(self) -> IntArray:
        """``(E,)`` position of each entry's joint in `Skeleton.joints`."""
        rig = self.deformer.rig
        nodes = [n for skin in self.deformer.skins for n in rig.skins[skin].joints]
        return np.searchsorted(self.deformer.skeleton.joints, np.array(nodes, dtype=np.int64))

    @cached_property
    def entries(self) -> IntArray:
        """``(V, K)`` the entries of each vertex's influences, the heaviest first."""
        return self._influences[0]

    @property
    def weights(self) -> FloatArray:
        """``(V, K)`` the weights of each vertex's influences, the heaviest first; 0 in unused slots."""
        return self._influences[1]

    @cached_property
    def counts(self) -> IntArray:
        """``(V,)`` how many influences of positive weight a vertex has: its first slots."""
        return np.count_nonzero(self._influences[1] > 0.0, axis=1)

    @cached_property
    def is_rigid(self) -> BoolArray:
        """``(V,)`` whether one joint moves the vertex with its whole weight."""
        weights = self._influences[1]
        others = np.any(weights[:, 1:] != 0.0, axis=1)
        return (np.abs(weights[:, 0] - 1.0) <= WHOLE) & ~others

    @cached_property
    def _influences(self) -> tuple[IntArray, FloatArray]:
        bindings = [self.deformer.bindings[i] for i in self.parts]
        most = max((b.joints.shape[1] for b in bindings), default=1)
        entries = np.zeros((len(self), most), dtype=np.int64)
        weights = np.zeros((len(self), most))
        for part, binding, start in zip(self.parts, bindings, self.starts[:-1], strict=True):
            rows = slice(start, start + len(binding.joints))
            slots = slice(binding.joints.shape[1])
            entries[rows, slots] = binding.joints + self.entry_starts[self.skins[part]]
            weights[rows, slots] = binding.weights
        return entries, weights

    @cached_property
    def _followed(self) -> tuple[IntArray, ...]:
        """Per used skin the places of the joints that vertices follow: those others have no shape."""
        entries, weights = self._influences
        total = np.bincount(
            entries.ravel(), weights.ravel() != 0.0, minlength=len(self.entry_skins)
        )
        return tuple(
            np.flatnonzero(total[self.entry_skins == i] > 0.0)
            for i in range(len(self.deformer.skins))
        )

    @cached_property
    def joints(self) -> IntArray:
        """``(V,)`` the joint that each vertex belongs to: its heaviest, in `Skeleton.joints`."""
        return self.entry_joints[self.entries[:, 0]]

    @cached_property
    def bound_bones(self) -> Segments:
        """The bones of all entries when they were bound, each in its own mesh's space."""
        bones = [self.deformer.bind_bones[skin] for skin in self.deformer.skins]
        return Segments(
            np.concatenate([np.zeros((0, 3)), *(b.heads for b in bones)]),
            np.concatenate([np.zeros((0, 3)), *(b.directions for b in bones)]),
            np.concatenate([np.zeros(0), *(b.lengths for b in bones)]),
        )

    @cached_property
    def _next_entries(self) -> IntArray:
        """``(E,)`` the entry where each bone ends: its primary child in the same skin, else −1."""
        primary = self.deformer.skeleton.primary
        place = {
            pair: entry
            for entry, pair in enumerate(
                zip(self.entry_skins.tolist(), self.entry_joints.tolist(), strict=True)
            )
        }
        return np.array(
            [
                place.get((skin, int(primary[joint])), -1)
                for skin, joint in zip(self.entry_skins, self.entry_joints, strict=True)
            ],
            dtype=np.int64,
        )

    @cached_property
    def joint_entries(self) -> IntArray:
        """``(J,)`` the first entry of each joint of the rig; 0 for one that no used skin binds."""
        result = np.zeros(len(self.deformer.skeleton.joints), dtype=np.int64)
        result[self.entry_joints[::-1]] = np.arange(len(self.entry_joints))[::-1]
        return result

    def stance(self, frame: Frame) -> "Stance":
        """Return what all methods share in a pose."""
        palettes = [frame.palettes[skin] for skin in self.deformer.skins]
        matrices = np.concatenate([np.zeros((0, 4, 4)), *(p.matrices for p in palettes)])
        moving = list(zip(palettes, self._followed, strict=True))
        sizes = (np.abs(affine.determinant(p.matrices[at, :3, :3])) for p, at in moving)
        scales = np.array([median(size) ** (1 / 3) if len(size) else 1.0 for size in sizes])
        similar = all(
            np.abs(p.stretches[at] - scale * np.eye(3)).max(initial=0.0) <= SIMILAR * scale
            for (p, at), scale in zip(moving, scales, strict=True)
        )
        rigid = similar and not self._is_morphed(frame)
        return Stance(matrices, scales, self._posed_bones(matrices), rigid)

    def _posed_bones(self, matrices: FloatArray) -> Segments:
        """Return the bound bones of all entries carried along by ``(E, 4, 4)`` matrices.

        A bone ends at its primary child where the skin binds that too, else it moves rigidly.
        """
        bound = self.bound_bones
        linear, offset = matrices[:, :3, :3], matrices[:, :3, 3]
        heads = np.einsum("eab,eb->ea", linear, bound.heads) + offset
        tails = np.einsum("eab,eb->ea", linear, bound.tails) + offset
        linked = np.flatnonzero(self._next_entries >= 0)
        tails[linked] = heads[self._next_entries[linked]]
        return Segments.between(heads, tails, np.einsum("eab,eb->ea", linear, bound.directions))

    def _is_morphed(self, frame: Frame) -> bool:
        """Tell whether any moved part has morph targets with a weight in this pose."""
        rig = self.deformer.rig
        for i in self.parts:
            part = rig.parts[i]
            weights = frame.pose.morph_weights.get(part.node, rig.meshes[part.mesh].morph_weights)
            if rig.primitive(part).morphs is not None and np.any(weights):
                return True
        return False


@dataclass(frozen=True, eq=False)
class PosedSkin:
    """The skinned mesh in a pose by one method, by axis.

    Parameters
    ----------
    positions, normals
        ``(3, V)``. Methods that turn normals alike have one array of them; None was not asked for.
    """

    positions: FloatArray
    normals: FloatArray | None


@dataclass(frozen=True, eq=False)
class Stance:
    """A pose as measuring sees it, whatever the method.

    Parameters
    ----------
    matrices
        ``(E, 4, 4)`` of all entries.
    scales
        Per used skin how large the pose makes the bound shape: the median of the joints that it follows.
    bones
        One per entry.
    rigid
        Whether all joints move like rigid bodies, but for the skin's scale, and nothing is morphed.
    """

    matrices: FloatArray
    scales: FloatArray
    bones: Segments
    rigid: bool

    def shrink(self, skins: IntArray) -> FloatArray | None:
        """Return ``(n,)`` what brings lengths of ``(n,)`` skins back to the bound size; None for 1."""
        if np.all(np.abs(self.scales - 1.0) <= UNSCALED):
            return None
        shrink: FloatArray = (1.0 / self.scales)[skins]
        return shrink
