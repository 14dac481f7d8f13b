"""The cross of the model's axes in a pane's corner: where its ends are, and the camera each stands for.

Ends are numbered +X, +Y, +Z, −X, −Y, −Z; places are pixels from the pane's lower left corner.
"""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.render.camera import Camera

NAMES = ("+X", "+Y", "+Z", "−X", "−Y", "−Z")
# So far from the edges that a letter has room beyond the end of its axis.
CENTRE, LENGTH = 32.0, 17.0
# Where a letter stands along its axis.
LETTER = 1.5
# How near the cursor must come to a letter, or to where that of the other direction would be.
REACH = 9.0
# All that the cross and its letters take.
RADIUS = LETTER * LENGTH + REACH
# The cosine of the angle within which a camera looks from an axis already.
_ALONG = 0.9999


def ends(camera: Camera) -> FloatArray:
    """Return ``(6, 2)`` where the letters are, and those of the opposite directions would be."""
    letters = LETTER * LENGTH * camera.axes[:2].T
    return np.concatenate([CENTRE + letters, CENTRE - letters])


def hit(camera: Camera, place: tuple[float, float]) -> int | None:
    """Return the end at a place; of several the one that is nearest to the eye."""
    away = np.linalg.norm(ends(camera) - place, axis=1)
    depth = np.concatenate([camera.axes[2], -camera.axes[2]])
    near = np.flatnonzero(away <= REACH)
    return int(near[np.argmax(depth[near])]) if len(near) else None


def looking_from(camera: Camera, end: int) -> Camera:
    """Return the camera that looks from an end; from the opposite one where it does so already."""
    direction = np.eye(3)[end % 3] * (1.0 if end < 3 else -1.0)
    if camera.axes[2] @ direction > _ALONG:
        direction = -direction
    return camera.from_side(direction)
