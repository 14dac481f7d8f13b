"""The plane between the left and the right of a character, as pairs of its joints tell it."""

from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, median, unit

# Joints of a pair that are further off each other's mirror image, in sizes, tell nothing of the plane.
_TELLING = 0.02
# Exporters that write few digits, and hands that place joints, stay below this, in sizes.
_NEARLY = 2e-3
# So many pairs tell a plane that stands along no axis: one pair has one wherever it is.
_FEWEST = 3
# Of so many proposals each is tried; of more, as many of them.
_MOST = 64


@dataclass(frozen=True, eq=False)
class MirrorPlane:
    """Where left mirrors right: the points with ``normal · p = offset``, the normal ``(3,)`` a unit."""

    normal: FloatArray
    offset: float

    def beyond(self, points: FloatArray) -> FloatArray:
        """Return ``(…,)`` how far ``(…, 3)`` points are on the side that the normal points to."""
        return np.asarray(points @ self.normal - self.offset, dtype=np.float64)

    def images(self, points: FloatArray) -> FloatArray:
        """Return the mirror images of ``(…, 3)`` points."""
        return points - 2.0 * self.beyond(points)[..., None] * self.normal

    @property
    def axis(self) -> int | None:
        """The axis that the normal is; None for none."""
        whole = np.flatnonzero(self.normal == 1.0)
        return int(whole[0]) if len(whole) else None

    @property
    def frame(self) -> FloatArray:
        """``(3, 3)`` axes as columns, of which the first is the normal."""
        return quat.to_matrix(quat.arc(np.array([1.0, 0.0, 0.0]), self.normal))

    @property
    def reflection(self) -> FloatArray:
        """``(3, 3)`` what mirrors directions."""
        return np.eye(3) - 2.0 * np.outer(self.normal, self.normal)


def mirror_plane(
    left: FloatArray, right: FloatArray, starts: BoolArray, size: float
) -> MirrorPlane | None:
    """Return the plane that mirrors ``(P, 3)`` joints best; None where no pair is apart.

    Limbs may be posed, where they begin is built into the body: these pairs propose, all judge. A
    character faces along an axis as a rule, so that the axis that most of them follow tells the plane;
    one that is turned further has another, in which much more mirrors. Names that are exchanged do not
    matter.

    Parameters
    ----------
    starts
        ``(P,)`` the pairs that limbs begin with.
    size
        Of the character.
    """
    across = left - right
    apart = np.einsum("pi,pi->p", across, across) > (_NEARLY * size) ** 2
    proposing = np.flatnonzero(apart & starts if (apart & starts).any() else apart)
    if not len(proposing):
        return None
    asked = proposing[:: -(-len(proposing) // _MOST)]
    normals = unit(across[asked])
    votes = np.bincount(np.argmax(np.abs(normals), axis=1), minlength=3)
    usual = _standing(np.eye(3)[int(np.argmax(votes))], left, right)
    off = _off(usual, left, right, size)
    if off <= _NEARLY * size * len(across):
        return usual
    turned = _turned(normals, left, right, size)
    return usual if turned is None or 2.0 * _off(turned, left, right, size) >= off else turned


def _standing(normal: FloatArray, left: FloatArray, right: FloatArray) -> MirrorPlane:
    return MirrorPlane(normal, median(0.5 * (left + right) @ normal))


def _distances(plane: MirrorPlane, left: FloatArray, right: FloatArray) -> FloatArray:
    apart = plane.images(left) - right
    return np.sqrt(np.einsum("pi,pi->p", apart, apart))


def _off(plane: MirrorPlane, left: FloatArray, right: FloatArray, size: float) -> float:
    """Return how far joints are off their partners' images, where what is posed counts alike."""
    return float(np.minimum(_distances(plane, left, right), _TELLING * size).sum())


def _turned(
    normals: FloatArray, left: FloatArray, right: FloatArray, size: float
) -> MirrorPlane | None:
    """Return the plane of one of ``(n, 3)`` normals that mirrors best, fitted; None where few pairs do."""
    planes = (_standing(normal, left, right) for normal in normals)
    best = min(planes, key=lambda plane: _off(plane, left, right, size))
    agree = _distances(best, left, right) < _TELLING * size
    if np.count_nonzero(agree) < _FEWEST:
        return None
    across = (left - right)[agree]
    across *= np.sign(across @ best.normal)[:, None]
    return _standing(unit(across.sum(axis=0)), left[agree], right[agree])
