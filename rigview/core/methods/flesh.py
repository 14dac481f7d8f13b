"""Flesh: our own mix of three methods by how far a joint is bent, chosen on the elastic reference.

Of the methods here the capsule is nearest to the elastic reference (`tests/reference`) on bends to 60°,
swing-twist skinning from 90° to 120°, and dual quaternions beyond. So a vertex goes where the capsule wants
it on small bends, fades to swing-twist from 60° to 90° of swing, and to DQS from 120° to 150°:

    v' = dqs + (1 − far) (capsule − dqs) + (far − folded) (swing-twist − dqs)

`far` and `folded` are means over the pairs of the vertex's joints of which one is above the other, by the
product of their weights, of smooth steps of the cosine of half the swing: no root and no arc cosine is
needed, and they do not jump.

The angles were chosen on the tuning cases of `tests/reference/elastic_cases.py` only; any between 45° and
60°, and between 85° and 100°, give the same to a hundredth.
"""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.methods.capsule_shares import smooth

# Degrees of swing between which the capsule fades to swing-twist, and that to dual quaternions; and the
# cosines of their halves.
FAR_DEGREES, FOLDED_DEGREES = (60.0, 90.0), (120.0, 150.0)
FAR, FOLDED = (
    (float(np.cos(np.radians(low / 2.0))), float(np.cos(np.radians(high / 2.0))))
    for low, high in (FAR_DEGREES, FOLDED_DEGREES)
)


def bent(half_swing: FloatArray) -> FloatArray:
    """Return ``(P, 2)`` how far bent and how folded pairs of joints are.

    Parameters
    ----------
    half_swing
        ``(P,)`` the cosine of half the swing of each.
    """
    steps = [smooth((low - half_swing) / (low - high)) for low, high in (FAR, FOLDED)]
    return np.stack(steps, axis=1)
