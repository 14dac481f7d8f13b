"""Shadings that show a colour per vertex, which no colour map has: one table."""

from collections.abc import Callable

import numpy as np

from rigview.assets import rgb, theme
from rigview.core.arrays import FloatArray
from rigview.core.colour import encoded, linear, luminance
from rigview.core.deform import Deformer
from rigview.core.joint_colours import palette
from rigview.render.look import Look, Shading

# Strokes stand out from their ground by this ratio of luminances, both with what a display reflects
# (WCAG 2, 1.4.11).
_CONTRAST, _GLARE = 3.0, 0.05


def joint_colours(deformer: Deformer, look: Look) -> FloatArray:
    """Return ``(J, 3)`` sRGB of the rig's joints, in the order of its skeleton."""
    numbers = deformer.joint_colours.copy()
    places = deformer.skeleton.places
    for node, number in look.lent:
        numbers[places[node]] = number
    return palette()[numbers]


def own_colours(deformer: Deformer, look: Look) -> FloatArray | None:
    """Return ``(J, 3)`` the colours that joints have under a shading; None where it gives them none."""
    return joint_colours(deformer, look) if look.shading == "joints" else None


def bone_colours(deformer: Deformer, look: Look) -> FloatArray | None:
    """Return `own_colours` as bones are drawn in them: dark enough to be seen on a light ground."""
    colours = own_colours(deformer, look)
    if colours is None:
        return None
    ground = luminance(linear(np.array(rgb(theme(look.theme)["viewport_bottom"]))))
    light = linear(colours)
    most = (ground + _GLARE) / _CONTRAST - _GLARE
    if most <= 0.0:
        return colours
    return encoded(light * np.minimum(1.0, most / luminance(light))[:, None])


def mixed(deformer: Deformer, number: int, look: Look) -> FloatArray:
    """Return ``(V, 4)`` the colours of each vertex's joints, mixed by its weights as displays take them.

    All its joints count, by their share of its weights; weights below 0 do not. Alpha is 0 where no joint
    moves a vertex, and then all is, else 1.
    """
    skin, binding = deformer.skin_of(deformer.rig.parts[number]), deformer.bindings[number]
    result = np.zeros((len(binding.weights), 4))
    if skin is None:
        return result
    places = deformer.skeleton.places
    joints = [places[node] for node in deformer.rig.skins[skin].joints]
    colours = np.pad(joint_colours(deformer, look)[joints], ((0, 0), (0, 1)), constant_values=1.0)
    weights = np.maximum(binding.weights, 0.0)
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    for joint, share in zip(binding.joints.T, shares.T, strict=True):
        result += share[:, None] * colours[joint]
    return result


# A new row is also one of `scales`, of the window's table of actions, and a name in `look`.
TINTS: dict[Shading, Callable[[Deformer, int, Look], FloatArray]] = {"joints": mixed}
