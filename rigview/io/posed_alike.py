"""Where the methods of skinning place the vertices of two rigs that are to be one.

Linear blending is compared at nine times of every clip: with the weights it shows whether every skin matrix
is right. The other methods read the same matrices and weights, and beside them values that no pose changes:
bones, shares, the sides of joints. They are compared in a few poses of all clips together. Left out are

* the centres of rotation and delta mush: their values per vertex take seconds to find for a real character,
  and follow from rest positions, faces and weights, which are equal by then;
* for all methods but linear blending, the vertices whose second heaviest weight equals the heaviest or
  the third: methods take the two heaviest joints, and which of equal ones that is depends on orders that
  formats do not keep;
* for these, the vertices that follow joints whose turns are nearly opposite, where rounding decides which
  way between them is the short one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.methods.posed import Skinned
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Method, Options

# Places in a pose, as a share of the rig's size: angles keyed in 32 bits add up along a chain of joints.
POSED = 1e-5
# Times of a clip at which linear blending is compared, and poses of all clips at which the others are.
_MOST_KEYS, _MOST_TIMES, _MOST_POSES = 1024, 9, 3
# Weights that differ by less are equal: twice what stated ones may be off by.
_TIE = 2e-6
# Turns whose quaternions have a smaller product are nearly opposite.
_ACROSS = 1e-3
# The methods that are compared, linear blending first.
METHODS_COMPARED = tuple(
    method for method in METHODS.values() if not method.reads_centres and not method.spreads
)


def posed_difference(wanted: Deformer, found: Deformer, to: IntArray, size: float) -> str | None:
    """Return in words the first vertex that is elsewhere in a pose of any clip; None where none is.

    Parameters
    ----------
    wanted, found
        Of rigs whose clips come in the same order.
    to
        ``(N,)`` the found node of each wanted one.
    size
        Metres that count as the rig's size.
    """
    poses = _poses(wanted, found)
    with_all = set(np.linspace(0, len(poses) - 1, _MOST_POSES).astype(int).tolist())
    comparison = _Posed(wanted, found, to, size)
    for number, (was, now, time) in enumerate(poses):
        frames = (
            wanted.frame(sample(wanted.rig, was, time)),
            found.frame(sample(found.rig, now, time)),
        )
        methods = METHODS_COMPARED if number in with_all else METHODS_COMPARED[:1]
        words = comparison.difference(frames, methods)
        if words:
            return words if was is None else f"in the clip {was.name} {words}"
    return None


def compared_times(was: Clip | None, now: Clip | None, most: int) -> FloatArray:
    """Return the times at which two clips are compared: all keys of both, or some, and half way between.

    Parameters
    ----------
    most
        How many keys are taken.
    """
    if was is None or now is None:
        return np.zeros(1)
    keys = np.unique(np.concatenate([was.key_times, now.key_times, np.zeros(1)]))
    if len(keys) > most:
        keys = keys[np.linspace(0, len(keys) - 1, most).astype(np.int64)]
    return np.sort(np.concatenate([keys, 0.5 * (keys[1:] + keys[:-1])]))


def _poses(wanted: Deformer, found: Deformer) -> list[tuple[Clip | None, Clip | None, float]]:
    """Return both clips and a time of every pose that is compared: at rest, then of clip after clip."""
    clips = zip(wanted.rig.clips, found.rig.clips, strict=True)
    poses: list[tuple[Clip | None, Clip | None, float]] = []
    for was, now in ((None, None), *clips):
        times = compared_times(was, now, _MOST_KEYS)
        chosen = np.unique(np.linspace(0, len(times) - 1, _MOST_TIMES).astype(np.int64))
        poses += [(was, now, float(time)) for time in times[chosen]]
    return poses


@dataclass(frozen=True)
class _Posed:
    """Two rigs whose vertices are compared, part by part."""

    wanted: Deformer
    found: Deformer
    to: IntArray
    size: float

    def difference(self, frames: tuple[Frame, Frame], methods: Sequence[Method]) -> str | None:
        """Return in words the first part that a method places elsewhere."""
        rows = (
            deformer.skin_by(frame, methods, Options())
            for deformer, frame in zip((self.wanted, self.found), frames, strict=True)
        )
        for method, *skinned in zip(methods, *rows, strict=True):
            words = self._part_off(method, frames[0], skinned[0], skinned[1])
            if words:
                return words
        return None

    def _part_off(
        self, method: Method, frame: Frame, wanted: list[Skinned], found: list[Skinned]
    ) -> str | None:
        rig = self.wanted.rig
        places = {(p.node, p.primitive): number for number, p in enumerate(self.found.rig.parts)}
        for number, part in enumerate(rig.parts):
            other = places.get((int(self.to[part.node]), part.primitive))
            if other is None:
                return f"{rig.nodes.label(part.node)} is not shown"
            off = np.abs(wanted[number].positions - found[other].positions).max(axis=1, initial=0.0)
            if method.id != "lbs":
                off = off[self._certain(number, frame)]
            furthest = off.max(initial=0.0) / self.size
            if not furthest <= POSED and np.isfinite(wanted[number].positions).all():
                by = "" if method.id == "lbs" else f" by the method {method.label}"
                limit = f"{furthest:.2g} (limit {POSED:g})"
                return f"the skin of {rig.nodes.label(part.node)} is off{by} by {limit}"
        return None

    def _certain(self, number: int, frame: Frame) -> BoolArray:
        """Return ``(V,)`` which vertices of a part every method can place in one way only."""
        binding, part = self.wanted.bindings[number], self.wanted.rig.parts[number]
        heaviest = np.zeros((len(binding.weights), 3))
        heaviest[:, : binding.weights.shape[1]] = binding.weights[:, :3]
        first, second, third = heaviest.T
        certain = (first - second > _TIE) & ((second - third > _TIE) | (second <= _TIE))
        turns = self.wanted.part_palette(frame, part).rotations[binding.joints]
        across = np.abs(np.einsum("vi,vki->vk", turns[:, 0], turns))
        result: BoolArray = certain & np.all((across > _ACROSS) | (binding.weights == 0.0), axis=1)
        return result
