"""How far joints are turned against the joints above them, relative to the pose they were bound in.

M is the motion of a joint from the reference pose to the posed one, ``model_from_reference``, and R its
rotation (`affine.polar`). Joint j turns against p by ``q = R_p⁻¹ R_j``, in the space of the reference pose;
joints between the two count with them. q is split into swing · twist about the limb (`JointRegion.limb`);
the angle of the swing is the bend. A pose tells turns up to half a revolution only.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.deform import Deformer
from rigview.core.frame import Frame

# Of a motion that keeps less than this share of a joint's size nothing is left to be seen.
VANISHED = 1e-3


class JointTurn(NamedTuple):
    """A joint's rotation against its parent, radians.

    Parameters
    ----------
    bend
        Of the limb, 0 to π.
    twist
        About the limb, −π to π.
    """

    bend: float
    twist: float

    @property
    def angle(self) -> float:
        """The angle of the whole rotation, 0 to π: the cosines of the halves multiply."""
        return float(angles_of(np.array(self)))


def angles_of(turns: FloatArray) -> FloatArray:
    """Return ``(…)`` the angles of the whole rotations of ``(…, 2)`` bends and twists."""
    cosine = np.cos(0.5 * turns[..., 0]) * np.cos(0.5 * turns[..., 1])
    return np.asarray(2.0 * np.arccos(np.clip(np.abs(cosine), 0.0, 1.0)))


@dataclass(frozen=True, eq=False)
class JointMotion:
    """How all joints have moved from the reference pose to a pose, whatever the method.

    Parameters
    ----------
    matrices
        ``(J, 4, 4)`` ``model_from_reference`` of every joint.
    rotations, scales
        ``(J, 4)`` and ``(J,)``: the rotation of each, and the cube root of how volumes change.
    bones
        The posed bones, one per joint.
    """

    matrices: FloatArray
    rotations: FloatArray
    scales: FloatArray
    bones: Segments

    def swings(self, joints: IntArray, parents: IntArray, axes: FloatArray) -> FloatArray:
        """Return ``(R, 4)`` the swings of joints against parents, reference space; see `turns`."""
        turn = quat.multiply(quat.conjugate(self.rotations[parents]), self.rotations[joints])
        return quat.swing_twist(turn, axes)[0]

    def turns(self, joints: IntArray, parents: IntArray, axes: FloatArray) -> FloatArray:
        """Return ``(R, 2)`` bend and twist of joints against parents (`JointTurn`), radians.

        Parameters
        ----------
        joints, parents
            ``(R,)`` places in `Skeleton.joints`.
        axes
            ``(R, 3)`` unit directions of the limbs in the reference pose (`Regions.axes`).
        """
        return _turns(self.rotations, joints, parents, axes)

    def shifts(self, joints: IntArray, parents: IntArray, heads: FloatArray) -> FloatArray:
        """Return ``(R,)`` how far joints have moved off their places under their parents.

        Lengths are those of the reference pose.

        Parameters
        ----------
        heads
            ``(J, 3)`` the joints in the reference pose.
        """
        places = np.einsum("rab,rb->ra", self.matrices[parents, :3, :3], heads[joints])
        places += self.matrices[parents, :3, 3]
        apart = np.linalg.norm(self.bones.heads[joints] - places, axis=1)
        scales = self.scales[parents]
        return np.where(scales > 0.0, apart / np.where(scales > 0.0, scales, 1.0), np.inf)


@dataclass(frozen=True)
class Movers:
    """The static half: `reference` is the pose that turns are counted from."""

    deformer: Deformer
    reference: Frame

    @cached_property
    def _reference_from_model(self) -> FloatArray:
        return affine.inverse(self.reference.model_from_node[self.deformer.skeleton.joints])

    def motion(self, frame: Frame) -> JointMotion:
        """Return how all joints have moved."""
        posed = frame.model_from_node[self.deformer.skeleton.joints]
        matrices = posed @ self._reference_from_model
        rotation, _ = affine.polar(matrices[:, :3, :3])
        scales = np.cbrt(np.abs(affine.determinant(matrices[:, :3, :3])))
        bones = self.deformer.posed_bones(frame)
        return JointMotion(matrices, quat.from_matrix(rotation), scales, bones)

    def turns(
        self, model: FloatArray, joints: IntArray, parents: IntArray, axes: FloatArray
    ) -> FloatArray:
        """Return ``(T, R, 2)`` bend and twist of joints against parents in many poses.

        Parameters
        ----------
        model
            ``(T, N, 4, 4)`` ``model_from_node``.
        joints, parents, axes
            Of `JointMotion.turns`.
        """
        posed = model[:, self.deformer.skeleton.joints, :3, :3]
        rotation, _ = affine.polar(posed @ self._reference_from_model[:, :3, :3])
        return _turns(quat.from_matrix(rotation), joints, parents, axes)


def _turns(
    rotations: FloatArray, joints: IntArray, parents: IntArray, axes: FloatArray
) -> FloatArray:
    """Return ``(…, R, 2)`` bend and twist, of ``(…, J, 4)`` rotations."""
    turn = quat.multiply(quat.conjugate(rotations[..., parents, :]), rotations[..., joints, :])
    swing, twist = quat.swing_twist(turn, axes)
    bend = 2.0 * np.arctan2(np.linalg.norm(swing[..., :3], axis=-1), np.abs(swing[..., 3]))
    along = np.einsum("...ri,ri->...r", twist[..., :3], axes)
    about = 2.0 * np.arctan2(along, twist[..., 3])
    return np.stack([bend, np.remainder(about + np.pi, 2.0 * np.pi) - np.pi], axis=-1)
