"""Palettes: the joints of a skin in one pose, in every form that the skinning methods read.

Every function takes one pose or a stack of poses: arrays have leading dimensions ``(…)``.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from rigview.core import affine, dualquat, quat
from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.brief import brief_repr
from rigview.core.pose import Pose
from rigview.core.rig import Rig


@dataclass(frozen=True, eq=False)
class Palette:
    """The joints of one skin in one pose.

    Parameters
    ----------
    matrices
        ``(…, J, 4, 4)`` ``model_from_mesh``.
    dual_quaternions
        ``(…, J, 8)`` rotation and translation of each matrix.
    stretches
        ``(…, J, 3, 3)``: the linear part is ``rotation @ stretch``.
    rounded
        Whether joints that hardly stretch may pass for rigid. What is compared with another palette
        shall not: one that stretches a little more would go another way, and show that as a movement.
    """

    __repr__ = brief_repr

    matrices: FloatArray
    dual_quaternions: FloatArray
    stretches: FloatArray
    rounded: bool = True

    @property
    def rotations(self) -> FloatArray:
        """``(…, J, 4)`` quaternions of the rotation of each matrix, stretch removed."""
        return self.dual_quaternions[..., :4]

    @property
    def rigid(self) -> bool:
        """Whether no joint stretches, so that the plain dual quaternion path is exact."""
        return self.rounded and affine.is_rigid(self.stretches)

    def __getitem__(self, index: int) -> "Palette":
        """Return one pose of a stack."""
        return replace(
            self,
            matrices=self.matrices[index],
            dual_quaternions=self.dual_quaternions[index],
            stretches=self.stretches[index],
        )


def of_matrices(
    matrices: FloatArray,
    mirror_axes: ArrayLike = (1.0, 0.0, 0.0),
    crushed_rotations: FloatArray | None = None,
) -> Palette:
    """Build a palette from ``(…, J, 4, 4)`` skin matrices.

    Parameters
    ----------
    mirror_axes
        ``(…, J, 3)`` in mesh space: where a mirrored matrix's reflection is taken out.
    crushed_rotations
        ``(…, J, 3, 3)`` rotations for matrices that lost a direction and so have none of their own.
    """
    linear = matrices[..., :3, :3]
    rotation, stretch = affine.polar(linear, mirror_axes)
    if crushed_rotations is not None:
        lost = affine.crushed(linear)
        rotation = np.where(lost[..., None, None], crushed_rotations, rotation)
        stretch = np.swapaxes(rotation, -1, -2) @ linear
    dq = dualquat.from_rigid(quat.from_matrix(rotation), matrices[..., :3, 3])
    return Palette(matrices, dq, stretch)


def of_skin(rig: Rig, skin: int, pose: Pose, model_from_node: FloatArray) -> Palette:
    """Return the palette of one skin.

    A mirrored joint's reflection is taken out along the TRS component that is negative, as it lay when
    the mesh was bound. So all that one node mirrors is reflected across one plane of the mesh, and a
    mirrored character moves as the mirror image of the plain one. A crushed joint (zero scale) takes
    the rotation of its chain of joints.
    """
    joints = list(rig.skins[skin].joints)
    matrices = model_from_node[..., joints, :, :] @ rig.skins[skin].joint_from_mesh
    linear = matrices[..., :3, :3]
    mirrored = affine.determinant(linear) < 0.0
    axes: ArrayLike = (1.0, 0.0, 0.0)
    if np.any(mirrored):
        axes = _mirror_axes(rig, skin, pose, mirrored)
    chain = _chain_rotations(rig, skin, pose) if np.any(affine.crushed(linear)) else None
    return of_matrices(matrices, axes, chain)


def _mirror_axes(rig: Rig, skin: int, pose: Pose, mirrored: BoolArray) -> FloatArray:
    """Return ``(…, J, 3)`` mesh-space axes along which mirrored joints are reflected.

    The nearest node of the chain with an odd number of negative scale components reflects along
    its first negative axis, which is a row of its inverse bind matrix. For a node that the skin does not
    bind the first joint below it stands in, and the skin's first joint where no scale is negative: what
    counts is that joints mirrored together have one axis. The first is the one of the lowest node number.
    """
    joints, rows = rig.skins[skin].joints, rig.skins[skin].joint_from_mesh[:, :3, :3]
    chains = [(joint, *rig.nodes.ancestors(joint)) for joint in joints]
    own = {joint: number for number, joint in enumerate(joints)}
    seats: dict[int, int] = {}
    for joint in sorted(own):
        for node in chains[own[joint]]:
            seats.setdefault(node, own.get(node, own[joint]))
    axes = np.broadcast_to(rows[own[min(own)], 0], (*mirrored.shape, 3)).copy()
    for number, chain in enumerate(chains):
        waiting = np.array(mirrored[..., number])
        for node in chain:
            if not waiting.any():
                break
            negative = pose.scales[..., node, :] < 0.0
            here = waiting & (negative.sum(axis=-1) % 2 == 1)
            axis = rows[seats[node]][np.argmax(negative, axis=-1)]
            axes[..., number, :] = np.where(here[..., None], axis, axes[..., number, :])
            waiting &= ~here
    return axes


def _chain_rotations(rig: Rig, skin: int, pose: Pose) -> FloatArray:
    """Return ``(…, J, 3, 3)``: the product of all local rotations above, after the bind's rotation."""
    model = pose.rotations.copy()
    parents = np.array(rig.nodes.parents, dtype=np.int64)
    for level in rig.nodes.levels[1:]:
        model[..., level, :] = quat.multiply(model[..., parents[level], :], model[..., level, :])
    joints = list(rig.skins[skin].joints)
    bind, _ = affine.polar(rig.skins[skin].joint_from_mesh[:, :3, :3])
    return quat.to_matrix(model[..., joints, :]) @ bind
