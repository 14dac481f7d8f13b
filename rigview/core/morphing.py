"""Morph targets in a pose: the positions and normals of a part before it is skinned."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.pose import Pose
from rigview.core.rig import Part, Rig

# No targets, and no weights of any.
_NO_MORPHS = np.zeros(0, dtype=np.int64), np.zeros(0)


def positions(rig: Rig, part: Part, pose: Pose) -> FloatArray:
    """Return a part's positions ``(V, 3)`` in mesh space, morph targets added."""
    primitive = rig.primitive(part)
    used, share = _shown(rig, part, pose)
    if primitive.morphs is None or not len(used):
        return primitive.positions
    return primitive.positions + np.tensordot(share, primitive.morphs.positions[used], axes=1)


def normals(rig: Rig, part: Part, pose: Pose) -> FloatArray:
    """Return a part's unit normals ``(V, 3)`` in mesh space, morph targets added."""
    primitive = rig.primitive(part)
    used, share = _shown(rig, part, pose)
    targets, own = primitive.morphs, primitive.shading_normals
    if targets is None or targets.normals is None or not len(used):
        return own
    return unit(own + np.tensordot(share, targets.normals[used], axes=1), own)


def _shown(rig: Rig, part: Part, pose: Pose) -> tuple[IntArray, FloatArray]:
    """Return which morph targets of a part show in a pose ``(m,)``, and the weight of each ``(m,)``."""
    targets = rig.primitive(part).morphs
    if targets is None:
        return _NO_MORPHS
    weights = pose.morph_weights.get(part.node, rig.meshes[part.mesh].morph_weights)
    count = min(len(weights), targets.count)
    used = np.flatnonzero(~((weights[:count] == 0.0) | np.isnan(weights[:count])))
    return used, weights[used]
