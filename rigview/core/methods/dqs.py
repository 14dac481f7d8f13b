"""Dual quaternion skinning (DQS), upon which most other methods build.

It is the linear blend of Kavan et al. 2008, extended to joints that scale: the matrix of each joint is
split into rotation R and stretch P, and either every influence's rigid motion at the vertex is blended
(`vertex`), or the stretches are blended first (`origin`, as Maya and OpenUSD do it).
"""

import numpy as np

from rigview.core import dualquat, quat
from rigview.core.arrays import FloatArray
from rigview.core.dualquat import Room
from rigview.core.methods import turned_normals
from rigview.core.methods.bone_frames import SkinnedByDualQuaternions
from rigview.core.methods.posed import Posed, ScaleConvention, Skinned, leave_unbound
from rigview.core.numeric.hemisphere import Arcs


def skin_dual(posed: Posed, scale: ScaleConvention) -> tuple[Skinned, FloatArray | None]:
    """Return DQS's result, and the blended stretches ``(V, 3, 3)``; None where no joint stretches.

    Several methods build upon it: it is computed once per mesh and pose.
    """
    return posed.once(_blend_dual, scale)


def turned_by(
    posed: Posed, scale: ScaleConvention, skinned: Skinned, stretch: FloatArray | None
) -> SkinnedByDualQuaternions:
    """Return DQS's result as the methods that reshape limbs read it."""
    return SkinnedByDualQuaternions(
        posed.positions,
        skinned.positions,
        blended_rotations(posed),
        posed.palette,
        stretch,
        at_origin=scale == "origin",
    )


def blended_rotations(posed: Posed) -> FloatArray:
    """Return ``(V, 4)`` the rotations that DQS turns vertices by."""
    blending, rotations = posed.binding.blending, posed.palette.rotations
    return quat.normalise(blending.of_joints(rotations, blending.short_arcs(rotations)))


def _blend_dual(posed: Posed, scale: ScaleConvention) -> tuple[Skinned, FloatArray | None]:
    # What turns normals holds no `posed`, which holds what it is part of: such rings stay for long.
    palette, blending, normals = posed.palette, posed.binding.blending, posed.normals
    arcs = blending.short_arcs(palette.rotations)

    def turn(normals: FloatArray) -> FloatArray:
        return quat.rotate(quat.normalise(blending.of_joints(palette.rotations, arcs)), normals)

    if palette.rigid:
        positions = blending.moved(palette.dual_quaternions, posed.positions, arcs)
        return leave_unbound(posed, positions, lambda: turn(normals)), None
    stretch = _blend_linear(posed, palette.stretches)
    if scale == "origin":
        rest = np.einsum("vij,vj->vi", stretch, posed.positions)
        positions = blending.moved(palette.dual_quaternions, rest, arcs)
    else:
        positions = _moved_about_vertex(posed, arcs)
    return leave_unbound(
        posed, positions, lambda: turn(turned_normals.by_matrices(stretch, normals))
    ), stretch


def _moved_about_vertex(posed: Posed, arcs: Arcs) -> FloatArray:
    """Return ``(V, 3)``: blended are the rigid motions that carry the vertex p to its images M p.

    Each has the joint's rotation R, so its translation is M p − R p. Seen from p instead of from the
    mesh's origin it is M p itself. Blending does not mind where points are counted from (that is a
    product from the right, which is linear), and where mesh and model differ in size by a hundred,
    the difference would cost two digits.

    The dual part ½·(M p)·R is linear in p, so its four columns are blended and p comes after.
    """
    palette = posed.palette
    columns = np.swapaxes(palette.matrices[:, :3], 1, 2)
    motions = dualquat.from_rigid(palette.rotations[:, None].repeat(4, axis=1), columns)
    pairs = dualquat.as_pairs(motions)
    table = np.concatenate([pairs[:, 0, :4], pairs[..., 4:].reshape(-1, 16)], axis=1)
    result = np.zeros_like(posed.positions)
    for rows, sums in posed.binding.blending.in_blocks(table, arcs):
        numbers = np.ascontiguousarray(sums.view(np.complex128).T)
        rotation, per_axis, dual = numbers[:2], numbers[2:8].reshape(3, 2, -1), numbers[8:]
        # Both halves of a complex number are multiplied with the same coordinate.
        for part, xyz in zip(per_axis, np.repeat(posed.positions[rows].T, 2, axis=1), strict=True):
            halves = part.view(np.float64)
            halves *= xyz
            dual += part
        room = Room(rotation, dual, per_axis[0], np.zeros((2, len(sums))))
        dualquat.divide(room, result[rows])
    return result


def _blend_linear(posed: Posed, linear: FloatArray) -> FloatArray:
    """Return ``(V, 3, 3)``: the weighted sums of the joints' ``(J, 3, 3)``."""
    return posed.binding.blending.of_joints(linear.reshape(-1, 9)).reshape(-1, 3, 3)
