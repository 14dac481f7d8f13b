"""The camera as a value: orbit, pan, zoom and framing are functions from camera to camera."""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from rigview.core.arrays import FloatArray

View = Literal["front", "back", "left", "right", "top", "three-quarter"]
VIEWS: tuple[View, ...] = get_args(View)

# Yaw and pitch in degrees for a character that faces +Z: the front is seen from there, and its left is
# +X.
_ANGLES: dict[View, tuple[float, float]] = {
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "left": (90.0, 0.0),
    "right": (-90.0, 0.0),
    "top": (0.0, 90.0),
    "three-quarter": (35.0, 12.0),
}
_POLE = math.radians(89.9)
# A surface is seen whose normal has this cosine to the line of sight; and no view is steeper.
_SEEN, _STEEP = 0.35, math.radians(60.0)
# Room around what is framed, as a share of the pane.
_MARGIN = 1.12


@dataclass(frozen=True)
class Camera:
    """A camera that looks at a point from a distance.

    Parameters
    ----------
    target
        Where it looks, model space, metres.
    yaw, pitch
        Radians about +Y (0 looks along −Z) and above the horizon.
    fov
        Vertical angle of view in radians.
    reach
        Radius around `target` that must not be clipped, metres.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 4.0
    yaw: float = math.radians(35.0)
    pitch: float = math.radians(12.0)
    fov: float = math.radians(30.0)
    orthographic: bool = False
    reach: float = 4.0

    @property
    def axes(self) -> FloatArray:
        """``(3, 3)`` rows: right, up and backwards (towards the eye), in model space."""
        cy, sy = math.cos(self.yaw), math.sin(self.yaw)
        cp, sp = math.cos(self.pitch), math.sin(self.pitch)
        right = (cy, 0.0, -sy)
        back = (sy * cp, sp, cy * cp)
        up = (-sy * sp, cp, -cy * sp)
        return np.array([right, up, back])

    @property
    def eye(self) -> FloatArray:
        """``(3,)`` where the camera is."""
        return np.array(self.target) + self.distance * self.axes[2]

    @property
    def view(self) -> FloatArray:
        """``(4, 4)`` ``view_from_model``; the camera looks along −Z."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes
        matrix[:3, 3] = -self.axes @ self.eye
        return matrix

    def projection(self, aspect: float) -> FloatArray:
        """Return ``(4, 4)`` ``clip_from_view`` for a pane of width / height `aspect`."""
        near, far = self._depths()
        matrix = np.zeros((4, 4))
        if self.orthographic:
            half = self.distance * math.tan(0.5 * self.fov)
            matrix[0, 0], matrix[1, 1] = 1.0 / (half * aspect), 1.0 / half
            matrix[2, 2], matrix[2, 3] = -2.0 / (far - near), -(far + near) / (far - near)
            matrix[3, 3] = 1.0
            return matrix
        focal = 1.0 / math.tan(0.5 * self.fov)
        matrix[0, 0], matrix[1, 1] = focal / aspect, focal
        matrix[2, 2] = (far + near) / (near - far)
        matrix[2, 3] = 2.0 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix

    def _depths(self) -> tuple[float, float]:
        far = self.distance + 4.0 * self.reach
        if self.orthographic:
            return self.distance - 4.0 * self.reach, far
        # The ratio is what a 24-bit depth buffer can tell a thousandth of the rig apart over.
        return max(self.distance - 4.0 * self.reach, 1e-3 * far), far

    def clip_from_model(self, aspect: float) -> FloatArray:
        """Return ``(4, 4)`` projection times view."""
        return self.projection(aspect) @ self.view

    def facing(self, normal: FloatArray) -> "Camera":
        """Turn to where a surface of a normal in model space is seen, unless it is seen already."""
        x, y, z = normal
        if float(self.axes[2] @ normal) >= _SEEN * math.hypot(x, y, z):
            return self
        pitch = math.atan2(y, math.hypot(x, z))
        return replace(self, yaw=math.atan2(x, z), pitch=min(max(pitch, -_STEEP), _STEEP))

    def project(self, points: FloatArray, width: float, height: float) -> FloatArray:
        """Return ``(…, 3)``: x and y in pixels from the top left, and depth −1…1; NaN behind the eye."""
        matrix = self.clip_from_model(width / height)
        clip = points @ matrix[:, :3].T + matrix[:, 3]
        w = clip[..., 3:]
        ndc = np.where(w > 0.0, clip[..., :3] / np.where(w > 0.0, w, 1.0), np.nan)
        x = (0.5 + 0.5 * ndc[..., 0]) * width
        y = (0.5 - 0.5 * ndc[..., 1]) * height
        return np.stack([x, y, ndc[..., 2]], axis=-1)

    def pixels_per_metre(self, points: FloatArray, height: float) -> FloatArray:
        """Return how long a metre at ``(n, 3)`` points is in a pane of a height in pixels, ``(n,)``.

        That is across the line of sight; NaN behind the eye.
        """
        half = math.tan(0.5 * self.fov)
        deep = (self.eye - points) @ self.axes[2]
        if self.orthographic:
            deep = np.full(len(points), self.distance)
        return np.where(deep > 0.0, 0.5 * height / half / np.where(deep > 0.0, deep, 1.0), np.nan)

    def ray(self, x: float, y: float, width: float, height: float) -> tuple[FloatArray, FloatArray]:
        """Return origin and unit direction of the ray through a pixel, in model space."""
        half = math.tan(0.5 * self.fov)
        right = (2.0 * x / width - 1.0) * half * width / height
        up = (1.0 - 2.0 * y / height) * half
        axes = self.axes
        if self.orthographic:
            origin = self.eye + self.distance * (right * axes[0] + up * axes[1])
            return origin, -axes[2]
        direction = right * axes[0] + up * axes[1] - axes[2]
        return self.eye, direction / np.linalg.norm(direction)

    def orbited(self, turn: float, tilt: float) -> "Camera":
        """Turn about the target by radians of yaw and pitch; the poles stop the tilt."""
        pitch = min(max(self.pitch + tilt, -_POLE), _POLE)
        return replace(self, yaw=math.remainder(self.yaw + turn, math.tau), pitch=pitch)

    def turned(self, angle: float, centre: tuple[float, float]) -> "Camera":
        """Go round an upright axis by radians, the target with it.

        Parameters
        ----------
        centre
            The axis's x and z.
        """
        x, z = self.target[0] - centre[0], self.target[2] - centre[1]
        cosine, sine = math.cos(angle), math.sin(angle)
        target = (
            centre[0] + cosine * x + sine * z,
            self.target[1],
            centre[1] - sine * x + cosine * z,
        )
        return replace(self, target=target, yaw=math.remainder(self.yaw + angle, math.tau))

    def panned(self, dx: float, dy: float, height: float) -> "Camera":
        """Move with a drag of pixels in a pane `height` pixels high: the target follows the cursor."""
        metres = 2.0 * self.distance * math.tan(0.5 * self.fov) / height
        moved = np.array(self.target) + metres * (-dx * self.axes[0] + dy * self.axes[1])
        return replace(self, target=_point(moved))

    def zoomed(self, factor: float, x: float, y: float, width: float, height: float) -> "Camera":
        """Come nearer (`factor` below 1) to what lies under a pixel, which stays there."""
        smallest, largest = 1e-4 * self.reach, 1e3 * self.reach
        distance = min(max(self.distance * factor, smallest), largest)
        shrink = 1.0 - distance / self.distance
        half = self.distance * math.tan(0.5 * self.fov)
        right = (2.0 * x / width - 1.0) * half * width / height
        up = (1.0 - 2.0 * y / height) * half
        moved = np.array(self.target) + shrink * (right * self.axes[0] + up * self.axes[1])
        return replace(self, distance=distance, target=_point(moved))

    def looking(self, view: View, front: float = 0.0) -> "Camera":
        """Look from a named side, at the same point and distance.

        Parameters
        ----------
        front
            Where the character looks (`stance.front`): radians about +Y, 0 for +Z.
        """
        yaw, pitch = _ANGLES[view]
        turned = math.remainder(math.radians(yaw) + front, math.tau)
        return replace(self, yaw=turned, pitch=min(math.radians(pitch), _POLE))

    def from_side(self, direction: FloatArray) -> "Camera":
        """Look from a direction ``(3,)`` of model space, at the same point and distance."""
        x, y, z = map(float, direction)
        across = math.hypot(x, z)
        pitch = min(max(math.atan2(y, across), -_POLE), _POLE)
        return replace(self, yaw=math.atan2(x, z) if across else 0.0, pitch=pitch)

    def widened(self, seen: float, aspect: float) -> "Camera":
        """Step back until a pane of width / height `aspect` shows all that one of `seen` does."""
        return replace(self, distance=self.distance * max(1.0, seen / aspect))

    def as_wide(self, seen: float, aspect: float) -> "Camera":
        """Show as much across in a pane of width / height `aspect` as in one of `seen`.

        Panes wider than high are judged by their height, so that going there and back changes nothing.
        """
        return replace(self, distance=self.distance * min(seen, 1.0) / min(aspect, 1.0))

    def framed(self, points: FloatArray, aspect: float, reach: float | None = None) -> "Camera":
        """Keep the direction and move so that all ``(n, 3)`` points fit the pane.

        Parameters
        ----------
        reach
            Radius of everything there is to see; the points' own radius by default.
        """
        finite = points[np.all(np.isfinite(points), axis=-1)]
        if not len(finite):
            return self
        seen = finite @ self.axes.T
        tangent = math.tan(0.5 * self.fov) / _MARGIN
        limits = np.array([tangent * aspect, tangent])
        low, high = seen.min(axis=0), seen.max(axis=0)
        size = float(np.linalg.norm(high - low))
        if size == 0.0:
            size = 2.0 * (reach or 1.0) / 20.0
        # 1. A point (x, z) is in the picture if |x − X| ≤ t·(Z − z), the eye being at (X, Z).
        # 2. For all of them that is X + t·Z ≥ a = max(x + t·z) and t·Z − X ≥ b = max(t·z − x).
        # 3. Nearest is X = (a − b)/2, Z = (a + b)/2t. Across and up ask for a Z each: take the larger.
        # 4. Without perspective t·z falls away, and Z is the distance.
        deep = 0.0 if self.orthographic else 1.0
        a = (seen[:, :2] + deep * limits * seen[:, 2:]).max(axis=0)
        b = (deep * limits * seen[:, 2:] - seen[:, :2]).max(axis=0)
        middle = 0.5 * float(low[2] + high[2])
        needed = float(((a + b) / (2.0 * limits)).max()) - deep * middle
        # The eye stays off the nearest point, also where all of them lie in a line towards it.
        distance = max(needed, 0.5 * _MARGIN * size)
        centre = np.array([*(0.5 * (a - b)), middle])
        radius = max(reach or 0.0, 0.5 * size)
        return replace(self, target=_point(centre @ self.axes), distance=distance, reach=radius)


def _point(values: FloatArray) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
