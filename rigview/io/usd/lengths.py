"""Joints whose quaternions are not of length one.

OpenUSD makes a matrix of a quaternion as it stands, such as one that was typed with four digits: what is
across its axis is scaled. Between two keys the length changes with the angle, so such motions are fitted.
"""

from collections.abc import Sequence

import numpy as np
from pxr import UsdSkel

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.sampler import Interpolation, Path, Sampler
from rigview.io import sampling
from rigview.io.usd.stage import floats

# Of the square of a length. Exporters round quaternions to six digits, and few digits more make 32 bits.
_OFF_ONE = 4e-6
# What is longer was never meant as a rotation, and is turned into one.
_MOST = 1e6


def off_one(parts: Sequence[FloatArray]) -> BoolArray:
    """Return ``(J,)`` which joints have quaternions of other lengths than one.

    Parameters
    ----------
    parts
        ``(n, J, 3)`` translations, ``(n, J, 4)`` rotations and ``(n, J, 3)`` scales.
    """
    sound = np.all([np.isfinite(part).all(axis=(0, 2)) for part in parts], axis=0)
    squares = np.where(sound, np.sum(np.nan_to_num(parts[1]) ** 2, axis=-1), 1.0)
    result: BoolArray = np.any(np.abs(squares - 1.0) > _OFF_ONE, axis=0)
    result &= np.all(squares <= _MOST, axis=0)
    return result


class Lengthened:
    """The motion of such joints.

    Parameters
    ----------
    joints
        Their numbers in the animation.
    keys
        ``(n,)`` seconds.
    rate
        Time codes a second.
    """

    def __init__(
        self, anim: UsdSkel.AnimQuery, joints: Sequence[int], keys: FloatArray, rate: float
    ) -> None:
        self._anim, self._joints, self._keys, self._rate = anim, joints, keys, rate
        # Seconds → parts: both are asked for at the same times.
        self._known: dict[bytes, affine.TRS] = {}

    @property
    def slant(self) -> float:
        """How far its keys are at most from what rotation and scale make, as a share of their size."""
        parts = self._parts(self._keys)
        return float(affine.residue(self._local(self._keys), parts).max(initial=0.0))

    def curves(self, path: Path, interpolation: Interpolation) -> list[Sampler]:
        """Return what becomes of the rotation or scale of each."""

        def motion(times: FloatArray) -> FloatArray:
            values: FloatArray = getattr(self._parts(times), path)
            return values.swapaxes(0, 1)

        if interpolation == "STEP":
            return sampling.stepped(motion, self._keys)
        return sampling.fit(motion, self._keys, rotation=path == "rotation")

    def _parts(self, times: FloatArray) -> affine.TRS:
        key = times.tobytes()
        if key not in self._known:
            self._known[key] = affine.decompose(self._local(times))
        return self._known[key]

    def _local(self, times: FloatArray) -> FloatArray:
        """Return ``(n, j, 4, 4)`` local matrices."""
        found = (self._anim.ComputeJointLocalTransforms(code) for code in times * self._rate)
        rows = [floats(all_).reshape(-1, 4, 4)[[*self._joints]] for all_ in found]
        return np.array(rows).swapaxes(-1, -2)
