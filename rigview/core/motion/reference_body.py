"""A skeleton in the pose that motions are compared from: where its meshes were bound, else at rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine, quat, stance
from rigview.core.anatomy import Anatomy
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

UP = (0.0, 1.0, 0.0)


@dataclass(frozen=True, eq=False)
class ReferenceBody:
    """A skeleton in its reference pose.

    Parameters
    ----------
    nodes
        ``(N, 4, 4)`` ``model_from_node`` where its meshes were bound, else at rest.
    """

    deformer: Deformer
    nodes: FloatArray

    @classmethod
    def of(cls, deformer: Deformer) -> "ReferenceBody":
        """Take the bind pose of a rig; where no skin states one, its rest pose."""
        bound = deformer.bind
        return cls(deformer, deformer.rest_nodes if bound is None else bound.model_from_node)

    @property
    def rig(self) -> Rig:
        """The rig itself."""
        return self.deformer.rig

    @cached_property
    def turns(self) -> FloatArray:
        """``(N, 4)`` rotation of every node in model space."""
        return rotations(self.nodes)

    @cached_property
    def heads(self) -> FloatArray:
        """``(N, 3)`` where every node is."""
        return self.nodes[:, :3, 3]

    @cached_property
    def facing(self) -> FloatArray:
        """``(4,)`` the turn that a body upright along +Y and looking to +Z makes to stand as this one.

        A body that lies along another axis, as in files whose up axis is not stated, is turned by that
        axis; leaning is no lying.
        """
        anatomy = Anatomy(self.rig)
        if not anatomy.humanoids:
            return quat.from_axis_angle(UP, stance.front(self.deformer))
        up, out = stance.directions(anatomy, self.heads, anatomy.humanoids[0])
        axis = int(np.argmax(np.abs(up)))
        if axis == 1 and up[1] > 0.0:
            return quat.from_axis_angle(UP, stance.front(self.deformer))
        lies = quat.arc(np.array(UP), np.sign(up[axis]) * np.eye(3)[axis])
        x, _, z = quat.rotate(quat.conjugate(lies), out)
        quarter = round(np.arctan2(x, z) / (0.5 * np.pi)) * 0.5 * np.pi
        return quat.multiply(lies, quat.from_axis_angle(UP, quarter))

    def length(self, chain: Sequence[int]) -> float:
        """Return how long the way from joint to joint is."""
        return float(np.linalg.norm(np.diff(self.heads[list(chain)], axis=0), axis=1).sum())


def rotations(matrices: FloatArray) -> FloatArray:
    """Return ``(…, 4)`` the rotations of ``(…, 4, 4)``."""
    return quat.from_matrix(affine.polar(matrices[..., :3, :3])[0])
