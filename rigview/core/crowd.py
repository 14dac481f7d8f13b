"""Many poses of one part skinned in one go: as many copies of it side by side, each on its own joints.

Small meshes cost what the calls cost and not what their vertices do; a crowd of them is one call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import palette
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.binding import Binding
from rigview.core.deform import Deformer, Frame
from rigview.core.palette import Palette
from rigview.core.skinning import Options, Posed

# Vertices of all copies together: enough to be quick, little enough to keep memory flat.
_AT_ONCE = 32768


@dataclass(frozen=True)
class Crowd:
    """Copies of one part of a rig.

    Parameters
    ----------
    number
        Of the part.
    vertices
        Which of its vertices are taken; None for all.
    """

    deformer: Deformer
    number: int
    vertices: IntArray | None = None

    @property
    def room(self) -> int:
        """How many poses are best taken at once."""
        return max(1, _AT_ONCE // max(1, len(self._binding.joints)))

    def posed(self, frames: Sequence[Frame], options: Options) -> Posed:
        """Return all copies as one mesh, the vertices of the first pose first.

        Methods that read more of a part than LBS, DQS and the thesis's compensation do (`Statics`)
        cannot skin it.
        """
        part = self.deformer.rig.parts[self.number]
        if part.skin is not None and self.deformer.is_skinned(part):
            each = [frame.palettes[part.skin] for frame in frames]
            directions = np.concatenate(
                [self.deformer.bone_directions(part.skin, p, options.axis) for p in each]
            )
            joints = _joined(each)
        else:
            nodes = np.stack([frame.model_from_node[part.node] for frame in frames])
            joints, directions = palette.of_matrices(nodes), np.zeros((len(frames), 3))
        positions, normals = self._shapes(frames)
        amplitude = self.deformer.amplitude(self.number, options)
        binding = self._copies(len(frames), len(joints.matrices) // len(frames))
        return Posed(
            binding,
            joints,
            directions,
            positions,
            normals,
            np.tile(amplitude[self._taken], len(frames)),
        )

    @property
    def _taken(self) -> IntArray | slice:
        return slice(None) if self.vertices is None else self.vertices

    @cached_property
    def _binding(self) -> Binding:
        of, taken = self.deformer.bindings[self.number], self._taken
        return Binding(of.joints[taken], of.weights[taken], of.side[taken], of.radius[taken])

    def _shapes(self, frames: Sequence[Frame]) -> tuple[FloatArray, FloatArray]:
        each = [self.deformer.morphed(self.number, frame.pose) for frame in frames]
        still = all(shape[0] is each[0][0] for shape in each)
        if still and len(frames) in self._still:
            return self._still[len(frames)]
        positions, normals = (
            np.concatenate([array[self._taken] for array in arrays])
            for arrays in zip(*each, strict=True)
        )
        if still:
            positions.flags.writeable = False
            self._still[len(frames)] = positions, normals
        return positions, normals

    def _copies(self, count: int, joint_count: int) -> Binding:
        if count not in self._bindings:
            of = self._binding
            offsets = joint_count * np.repeat(np.arange(count), len(of.joints))
            self._bindings[count] = Binding(
                np.tile(of.joints, (count, 1)) + offsets[:, None],
                np.tile(of.weights, (count, 1)),
                np.tile(of.side, count),
                np.tile(of.radius, count),
            )
        return self._bindings[count]

    @cached_property
    def _still(self) -> dict[int, tuple[FloatArray, FloatArray]]:
        """Number of copies → their positions and normals without morph targets."""
        return {}

    @cached_property
    def _bindings(self) -> dict[int, Binding]:
        """Number of copies → their binding."""
        return {}


def _joined(palettes: Sequence[Palette]) -> Palette:
    return Palette(
        np.concatenate([p.matrices for p in palettes]),
        np.concatenate([p.dual_quaternions for p in palettes]),
        np.concatenate([p.stretches for p in palettes]),
    )
