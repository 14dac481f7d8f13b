"""Shadings that show a colour per vertex, which no colour map has: one table."""

from collections.abc import Callable

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.joint_colours import palette
from rigview.render.look import Look, Shading


def joint_colours(deformer: Deformer, look: Look) -> FloatArray:
    """Return ``(J, 3)`` sRGB of the rig's joints, in the order of its skeleton."""
    numbers = deformer.joint_colours.copy()
    places = deformer.skeleton.places
    for node, number in look.lent:
        numbers[places[node]] = number
    return palette()[numbers]


def bone_colours(deformer: Deformer, look: Look) -> FloatArray | None:
    """Return ``(J, 3)`` the colours that bones have under a shading; None where it says nothing of them."""
    return joint_colours(deformer, look) if look.shading == "joints" else None


def mixed(deformer: Deformer, number: int, look: Look) -> FloatArray:
    """Return ``(V, 4)`` the colours of each vertex's joints, mixed by its weights as displays take them.

    All its joints count, by their share of its weights; weights below 0 do not. Alpha is 0 where no joint
    moves a vertex, and then all is, else 1.
    """
    part, binding = deformer.rig.parts[number], deformer.bindings[number]
    result = np.zeros((len(binding.weights), 4))
    if part.skin is None or not deformer.is_skinned(part):
        return result
    places = deformer.skeleton.places
    joints = [places[node] for node in deformer.rig.skins[part.skin].joints]
    colours = np.pad(joint_colours(deformer, look)[joints], ((0, 0), (0, 1)), constant_values=1.0)
    weights = np.maximum(binding.weights, 0.0)
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    for joint, share in zip(binding.joints.T, shares.T, strict=True):
        result += share[:, None] * colours[joint]
    return result


# A new row is also one of `scales`, of the window's table of actions, and a name in `look`.
TINTS: dict[Shading, Callable[[Deformer, int, Look], FloatArray]] = {"joints": mixed}
