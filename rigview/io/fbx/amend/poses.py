"""Bind poses: where joints were when meshes were bound, stated once more beside the clusters."""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.objects import Objects, matrices
from rigview.io.fbx.tree import Key
from rigview.io.reading import LoadError

# Of the largest number of a matrix: programs round one of the two places.
_SAME = 1e-5


def move_in_poses(
    objects: Objects, joint: Key, old: FloatArray, new: FloatArray, amendments: Amendments
) -> None:
    """Give a joint another place in every bind pose that had it at the old one.

    Parameters
    ----------
    old, new
        ``(4, 4)`` in the file's space of the world.
    """
    for pose in objects.of_kind("Pose"):
        for node in pose.node.all("PoseNode"):
            named, place = node.child("Node"), node.child("Matrix")
            if named is None or place is None or named.value(0) != joint:
                continue
            try:
                (stated,) = matrices([place])
            except LoadError:
                continue  # what no program can read holds no place of the joint
            if np.abs(stated - old).max() <= _SAME * max(1.0, float(np.abs(old).max())):
                amendments.set_array(place, np.ascontiguousarray(new.T.reshape(16)))
