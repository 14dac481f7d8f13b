"""The methods against the elastic reference of one joint of a character (`rigview.core.elastic`)."""

from dataclasses import dataclass

import numpy as np
from planted_deformation import bend_axis, joint_of, limb_axis

from rigview.core.deform import Deformer
from rigview.core.elastic import limb
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.skinning import METHODS


@dataclass(frozen=True, eq=False)
class Reading:
    """One method at one angle.

    Parameters
    ----------
    error
        Root mean square of (method − reference) along the reference's normal over blended vertices, in ρ.
    flips
        Flipped faces of the region; None where they were not counted.
    along
        ``(n,)`` (method − reference) along the normal, in ρ; 0 for vertices that are not blended.
    """

    error: float
    flips: int | None
    along: np.ndarray


class Limb(limb.Limb):
    """A joint of a rig by its role, with its flesh.

    Parameters
    ----------
    degrees_of_twist
        How far it twists as well at the largest angle.
    """

    def __init__(self, rig, role, degrees_of_twist=0, spacing=limb.SPACING):
        meter, joint = JointMeter(Deformer(rig)), joint_of(rig, role)
        self.degrees_of_twist = degrees_of_twist
        self.number = limb.region_of(meter, joint)
        super().__init__(meter, self.number, bend_axis(rig, joint), limb_axis(rig, joint), spacing)

    def read(self, angles, methods, driven=None):
        """Yield (angle, method → `PoseReading`).

        Parameters
        ----------
        driven
            What `drive` gave of these angles before.
        """
        region, surface = self.region, self.meter.surface
        for degrees, reference in driven or self.drive(angles, self.degrees_of_twist):
            normals, seen = self.normals(reference)
            seen &= region.blended
            pose = self.pose_at(degrees, self.degrees_of_twist * degrees / max(angles))
            readings = {}
            for method in methods:
                positions = self.skinned(pose, METHODS[method])
                apart = (positions[region.vertices] - reference)[seen]
                along = np.zeros(len(seen))
                along[seen] = np.einsum("vi,vi->v", apart, normals[seen]) / region.size
                error = float(np.sqrt(np.mean(along[seen] ** 2)))
                _, flipped = surface.flipped(positions.T, np.array([self.number]))
                readings[method] = Reading(error, int(flipped.sum()), along)
            yield degrees, readings
