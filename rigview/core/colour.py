"""Colours as eyes tell them apart: OKLab, the gamut of sRGB, and colour blindness.

Ottosson 2020, "A perceptual color space for image processing": cones from linear sRGB, their cube roots,
and from those lightness, green to red, and blue to yellow. Machado, Oliveira and Fernandes 2009, "A
physiologically-based model for simulation of color vision deficiency", table 1, severity 1: what eyes
without one kind of cone see, in linear sRGB.
"""

import numpy as np

from rigview.core.arrays import FloatArray

_CONES_FROM_RGB = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB_FROM_CONES = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
_DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
# Those who lack the third kind of cone are one in some ten thousand; they are left out.
_EYES = (np.eye(3), np.array(_PROTANOPIA), np.array(_DEUTERANOPIA))


def linear(encoded: FloatArray) -> FloatArray:
    """Return linear light of sRGB as displays take it, 0…1."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def encoded(light: FloatArray) -> FloatArray:
    """Return sRGB as displays take it of linear light, 0…1."""
    bright = 1.055 * np.maximum(light, 0.0031308) ** (1.0 / 2.4) - 0.055
    return np.where(light <= 0.0031308, 12.92 * light, bright)


def lab(light: FloatArray) -> FloatArray:
    """Return OKLab ``(…, 3)`` of linear sRGB; cones see no less than nothing."""
    return np.cbrt(np.maximum(light @ _CONES_FROM_RGB.T, 0.0)) @ _LAB_FROM_CONES.T


def luminance(light: FloatArray) -> FloatArray:
    """Return how bright linear sRGB ``(…, 3)`` is, white being 1."""
    return np.asarray(light @ np.array([0.2126, 0.7152, 0.0722]))


def light_of(lightness: float, chroma: FloatArray, hue: FloatArray) -> FloatArray:
    """Return linear sRGB ``(…, 3)`` of OKLab in polar form, hues in radians; some beyond 0…1."""
    even = np.full_like(hue, lightness)
    found = np.stack([even, chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1)
    cones = (found @ np.linalg.inv(_LAB_FROM_CONES).T) ** 3
    return cones @ np.linalg.inv(_CONES_FROM_RGB).T


def vivid(lightness: float, hue: FloatArray, most: float) -> FloatArray:
    """Return sRGB ``(n, 3)`` of one lightness and ``(n,)`` hues in radians.

    They have as much chroma as sRGB holds, up to `most`.
    """
    steps = np.linspace(0.0, most, 256)
    light = light_of(lightness, steps[:, None], np.broadcast_to(hue, (len(steps), len(hue))))
    inside = np.all((light >= 0.0) & (light <= 1.0), axis=-1)
    # The gamut has no holes along a hue: as many steps as are inside lead to its edge.
    last = np.maximum(inside.sum(axis=0) - 1, 0)
    return encoded(np.clip(light[last, np.arange(len(hue))], 0.0, 1.0))


def apart(colours: FloatArray) -> FloatArray:
    """Return ``(n, n)`` how far sRGB colours ``(n, 3)`` are apart in OKLab.

    Of plain and of colour-blind eyes those count that tell two colours least.
    """
    light = linear(colours)
    seen = [lab(light @ eyes.T) for eyes in _EYES]
    return np.min([np.linalg.norm(c[:, None] - c[None], axis=-1) for c in seen], axis=0)
