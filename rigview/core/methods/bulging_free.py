"""Bulging-free skinning: no vertex further from its bone than it was at rest.

After Kim and Han 2014, "Bulging-free dual quaternion skinning": the result of dual quaternion skinning
is pulled along the shortest line to the segment of the heaviest joint's bone. The outer side of a bend
is as round as can be; where the heaviest joint changes, the surface jumps by .04 to .1 of its radius.
"""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.methods.binding import Binding
from rigview.core.methods.bone_frames import PosedBoneFrames, SkinnedByDualQuaternions

# A vertex nearer to its bone than this, in metres, has no direction to be pulled in.
ON_BONE = 1e-12


def displacement(
    turned: SkinnedByDualQuaternions, limbs: PosedBoneFrames, binding: Binding
) -> FloatArray:
    """Return ``(V, 3)``: how far each vertex is moved at full strength; 0 for those of one joint."""
    result = np.zeros_like(turned.positions)
    shared = np.flatnonzero(np.count_nonzero(binding.weights, axis=1) > 1)
    joints = binding.joints[shared, 0]
    arms, heads = turned.seen_from(limbs, shared, joints)
    lengths = limbs.lengths[joints]
    rest = np.linalg.norm(_from_segment(arms, limbs.axes[joints], lengths), axis=-1)
    offsets = turned.positions[shared] - heads
    away = _from_segment(offsets, limbs.directions[joints], lengths)
    distance = np.linalg.norm(away, axis=-1)
    off = distance > ON_BONE
    factor = np.where(off, rest / np.where(off, distance, 1.0) - 1.0, 0.0)
    result[shared] = np.minimum(factor, 0.0)[:, None] * away
    return result


def _from_segment(offsets: FloatArray, directions: FloatArray, lengths: FloatArray) -> FloatArray:
    """Return ``(n, 3)`` the shortest vectors from segments to points seen from their heads."""
    along = np.clip(np.einsum("ni,ni->n", offsets, directions), 0.0, lengths)
    return offsets - along[:, None] * directions
