"""Whether bones stay where they are when skins list more or fewer joints."""

import numpy as np

from rigview.core import bones
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

# Directions and lengths nearer to each other than this, the latter as a share of the longest bone, are
# those of one bone that was computed twice.
_SAME = 1e-6


def same_bones(before: Deformer, rig: Rig) -> bool:
    """Tell whether all joints that carry weight keep their bones where skins list other joints besides.

    Parameters
    ----------
    rig
        With the longer or shorter lists; what its influences say is not looked at.
    """
    total = {joint: before.total_weights.get(joint, 0.0) for joint in rig.joints}
    whole = rig.joints == before.rig.joints
    skeleton = before.skeleton if whole else bones.skeleton(rig, before.rest_nodes, total)
    for skin, size in before.bind_sizes.items():
        if whole and rig.skins[skin] is before.rig.skins[skin]:
            continue
        old = before.bind_bones[skin]
        new = bones.BoundJoints.of(rig, skin, skeleton, before.rest_nodes).segments(size)
        place = {joint: i for i, joint in enumerate(before.rig.skins[skin].joints)}
        joints = enumerate(rig.skins[skin].joints)
        pairs = [(place[joint], i) for i, joint in joints if joint in place and total[joint] > 0.0]
        a, b = ([pair[i] for pair in pairs] for i in (0, 1))
        apart = np.abs(old.directions[a] - new.directions[b]).max(initial=0.0)
        longer = np.abs(old.lengths[a] - new.lengths[b]).max(initial=0.0)
        if apart > _SAME or longer > _SAME * float(old.lengths.max(initial=0.0)):
            return False
    return True
