"""The painted mask of compensation: values set by brush or by joint, as changed rigs."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.rig import Part, Rig


def mask_of(rig: Rig, part: Part) -> FloatArray:
    """Return ``(V,)`` a part's mask, 1 where nothing is painted."""
    primitive = rig.primitive(part)
    if primitive.compensation is None:
        return np.ones(len(primitive.positions))
    return primitive.compensation


def painted(rig: Rig, vertices: Mapping[int, IntArray], value: float) -> Rig:
    """Set the mask of some vertices (part number → ``(n,)``) to a value 0…1."""
    for number, chosen in vertices.items():
        part = rig.parts[number]
        mask = mask_of(rig, part).copy()
        mask[chosen] = value
        rig = _with_mask(rig, part, mask)
    return rig


def set_by_joint(deformer: Deformer, joint: int, value: float) -> Rig:
    """Bring the mask of what a joint moves to a value, each vertex by its weight for that joint."""
    rig = deformer.rig
    for number, part in enumerate(deformer.rig.parts):
        share = np.clip(deformer.joint_weights(number, joint), 0.0, 1.0)
        if np.any(share):
            mask = mask_of(rig, part)
            rig = _with_mask(rig, part, mask + share * (value - mask))
    return rig


def _with_mask(rig: Rig, part: Part, mask: FloatArray) -> Rig:
    """Return the rig with another mask; one that is 1 everywhere is none."""
    stored = None if np.all(mask == 1.0) else mask
    primitive = replace(rig.primitive(part), compensation=stored)
    return rig.with_primitive(part.mesh, part.primitive, primitive)
