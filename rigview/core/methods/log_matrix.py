"""Log-matrix blending: the matrices' logarithms are blended and the exponential of the sum applied.

Alexa 2002, "Linear combination of transformations", has it for any matrices, Magnenat-Thalmann et al. 2004
for skins: ``v' = exp(Σ w_j log M_j) v``. It is here for comparison.

As published it minds where the character stands: logarithms are those of the turn from the mesh to the
model, so a character that turns on the spot changes its skin, and joints just before and just behind half a
turn are blended the long way round. Here they are relative to the vertex's heaviest joint h, which
neither does:

    v' = M_h exp(Σ w_k log(M_h⁻¹ M_k)) v

Of two joints it follows the same screw as published, and goes through the same places from both ends.
Joints are taken as rigid motions at the vertex, stretches as DQS takes them (`dqs`), for a matrix that
mirrors has no real logarithm.

Its known faults: it bulges as DQS does; a vertex of three joints or more jumps where the heaviest
changes; and each influence takes a logarithm.
"""

import numpy as np

from rigview.core import dualquat, quat
from rigview.core.arrays import FloatArray
from rigview.core.methods.binding import Binding


def moved(
    binding: Binding, rotations: FloatArray, matrices: FloatArray, points: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return ``(V, 3)`` positions and ``(V, 4)`` the rotations that lead there.

    Seen from the vertex, joint k turns by R_k and moves to the image M_k v, which is linear in v; and so is
    the moment of the logarithm of what k does beyond h. Its four columns are blended before v comes in.

    Parameters
    ----------
    rotations
        ``(J, 4)``.
    matrices
        ``(J, 3, 4)``: where they carry `points`, the joints' images are.
    points
        ``(V, 3)``.
    """
    heaviest, joint = binding.blending.pairs
    back = quat.conjugate(rotations[heaviest])
    turned = quat.multiply(back, rotations[joint])
    turned = np.where(turned[:, 3:] < -dualquat.HALF_TURN, -turned, turned)
    columns = np.swapaxes(matrices[joint] - matrices[heaviest], 1, 2)
    motions = dualquat.from_rigid(
        np.broadcast_to(turned[:, None], (*columns.shape[:2], 4)),
        quat.rotate(back[:, None], columns),
    )
    logs = dualquat.log(motions)
    table = np.concatenate([logs[:, 0, :3], logs[:, :, 3:].reshape(-1, 12)], axis=1)
    sums = binding.blending.of_pairs(table)
    moments = sums[:, 3:].reshape(-1, 4, 3)
    moment = np.einsum("vci,vc->vi", moments[:, :3], points) + moments[:, 3]
    motion = dualquat.exp(np.concatenate([sums[:, :3], moment], axis=1))
    first = binding.joints[:, 0]
    own = matrices[first]
    image = np.einsum("vij,vj->vi", own[:, :, :3], points) + own[:, :, 3]
    pivot = rotations[first]
    positions = image + quat.rotate(pivot, dualquat.translation(motion))
    return positions, quat.multiply(pivot, motion[:, :4])
