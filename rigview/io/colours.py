"""Colours of vertices that a file states as a screen shows them."""

import numpy as np

from rigview.core.arrays import FloatArray


def linear(colours: FloatArray) -> FloatArray:
    """Return ``(V, 4)`` linear colours of ``(V, 4)`` sRGB ones (IEC 61966-2-1); alpha is linear.

    What is brighter than white stays as it is.
    """
    rgb = colours[:, :3]
    bent = ((np.clip(rgb, 0.0, 1.0) + 0.055) / 1.055) ** 2.4
    result = np.where(rgb <= 0.04045, rgb / 12.92, np.where(rgb <= 1.0, bent, rgb))
    return np.concatenate([result, colours[:, 3:]], axis=1)
