"""Three rings about a joint that turn it: one about its bone (twist), two across it (bend)."""

from dataclasses import dataclass

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion.bone_turns import bone_turn, square_axis
from rigview.render.camera import Camera

TWIST = 0
WORDS = ("twist", "bend", "bend")
# Radius: this share of the bone, but no smaller or larger on the screen, in pixels of the design.
_OF_THE_BONE, _SMALLEST, _LARGEST = 0.42, 48.0, 160.0
# A ring is hit within so many pixels.
HIT = 6.0
# Points of a ring; the last is the first again.
POINTS = 97
# A ring seen under a smaller sine than this is too flat to follow a ray onto its plane.
_FLAT = 0.2


@dataclass(frozen=True, eq=False)
class Rings:
    """Where the rings of a joint are.

    Parameters
    ----------
    centre
        ``(3,)`` head of the joint, model space.
    axes
        ``(3, 3)`` unit axes as rows, model space: along the bone, then two across it.
    radius
        Metres.
    colours
        For each ring the axis of the joint, 0 to 2, that is nearest to its axis.
    """

    centre: FloatArray
    axes: FloatArray
    radius: float
    colours: tuple[int, int, int]

    def points(self, ring: int) -> FloatArray:
        """Return ``(POINTS, 3)`` points of a ring, by its angle from 0 to 2π."""
        angles = np.linspace(0.0, 2.0 * np.pi, POINTS)
        first, second = self.spokes(ring)
        return self.centre + self.radius * (
            np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second
        )

    def spokes(self, ring: int) -> tuple[FloatArray, FloatArray]:
        """Return the unit vectors from the centre at angles 0 and 90° of a ring."""
        first = self.axes[(ring + 1) % 3]
        return first, np.cross(self.axes[ring], first)

    def faces(self, ring: int, camera: Camera) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return ``(POINTS,)`` which points of a ring are on the camera's side of the joint."""
        towards = camera.axes[2] if camera.orthographic else unit(camera.eye - self.centre)
        return np.asarray((self.points(ring) - self.centre) @ towards >= -1e-9 * self.radius)


def rings_of(
    deformer: Deformer, frame: Frame, joint: int, camera: Camera, height: float
) -> Rings | None:
    """Return the rings of a joint as they are seen in a pane; None where it cannot turn.

    Parameters
    ----------
    joint
        A joint of the rig, by its node.
    height
        Of the pane, in pixels of the design.
    """
    model = frame.model_from_node[joint]
    rotation, stretch = affine.polar(model[:3, :3])
    if not np.all(np.isfinite(model)) or abs(float(affine.determinant(stretch))) < 1e-12:
        return None
    bones = deformer.posed_bones(frame)
    place = deformer.skeleton.places[joint]
    bone = bones.directions[place]
    scale = float(camera.pixels_per_metre(model[None, :3, 3], height)[0])
    if not np.isfinite(scale) or scale <= 0.0:
        return None
    pixels = min(max(_OF_THE_BONE * float(bones.lengths[place]) * scale, _SMALLEST), _LARGEST)
    # The axis of the joint that is most across the bone keeps its place in every pose.
    own = rotation.T
    across = own[int(np.argmin(np.abs(own @ bone)))]
    first = unit(across - bone * (bone @ across))
    axes = np.stack([bone, first, np.cross(bone, first)])
    return Rings(model[:3, 3].copy(), axes, pixels / scale, _colours(axes, own))


def _colours(axes: FloatArray, own: FloatArray) -> tuple[int, int, int]:
    """Return the joint's axis that is nearest to each ring's, each once."""
    left = np.abs(axes @ own.T)
    result = [0, 0, 0]
    for _ in range(3):
        ring, axis = np.unravel_index(int(np.argmax(left)), (3, 3))
        result[int(ring)] = int(axis)
        left[ring, :], left[:, axis] = -1.0, -1.0
    return result[0], result[1], result[2]


def hit(
    rings: Rings, camera: Camera, place: tuple[float, float], size: tuple[float, float]
) -> int | None:
    """Return the ring under the cursor: of those within `HIT`, one whose near side is there goes before.

    Parameters
    ----------
    place, size
        Pixels from the top left of the pane, and its width and height.
    """
    best: tuple[float, int] | None = None
    for ring in range(3):
        seen = camera.project(rings.points(ring), *size)[:, :2]
        near = rings.faces(ring, camera)
        apart = _from_segments(np.array(place), seen)
        apart = np.where(near[1:] | near[:-1], apart, apart + HIT)
        closest = float(np.nanmin(apart, initial=np.inf))
        if closest <= 2.0 * HIT and (best is None or closest < best[0]):
            best = closest, ring
    return best[1] if best is not None and best[0] <= 2.0 * HIT else None


def _from_segments(place: FloatArray, points: FloatArray) -> FloatArray:
    """Return ``(n − 1,)`` how far a place is from the segments between points; NaN behind the eye."""
    start, along = points[:-1], np.diff(points, axis=0)
    square = np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    share = np.clip(np.einsum("ij,ij->i", place - start, along) / square, 0.0, 1.0)
    return np.linalg.norm(place - start - share[:, None] * along, axis=1)


def angle_at(
    rings: Rings, ring: int, camera: Camera, place: tuple[float, float], size: tuple[float, float]
) -> float:
    """Return the angle of a ring in radians that is under, or nearest to, the cursor.

    A ring that is seen nearly from its edge is followed along the screen.
    """
    origin, direction = camera.ray(*place, *size)
    axis = rings.axes[ring]
    slope = float(direction @ axis)
    if abs(slope) > _FLAT:
        at = origin + direction * (float((rings.centre - origin) @ axis) / slope)
        first, second = rings.spokes(ring)
        spoke = at - rings.centre
        return float(np.arctan2(spoke @ second, spoke @ first))
    seen = camera.project(rings.points(ring), *size)[:, :2]
    near = rings.faces(ring, camera)
    apart = np.where(near, np.linalg.norm(seen - np.array(place), axis=1), np.inf)
    return float(np.argmin(apart)) * 2.0 * np.pi / (POINTS - 1)


def turned(trial: FloatArray, axis_in_joint: FloatArray, angle: float) -> FloatArray:
    """Return trial degrees about a joint's x, y and z after a further turn about an axis.

    Parameters
    ----------
    trial
        ``(3,)`` degrees.
    axis_in_joint
        ``(3,)`` unit axis in the frame of the joint so turned.
    angle
        Radians.
    """
    before = quat.from_euler(np.radians(trial))
    after = quat.multiply(before, quat.from_axis_angle(axis_in_joint, angle))
    return np.degrees(quat.to_euler(after))


def bend_and_twist(deformer: Deformer, frame: Frame, joint: int) -> tuple[float, float]:
    """Return by how much a joint is bent and twisted against rest in its parent, in degrees.

    The rotation is split into swing · twist, the twist about the bone of the joint.
    """
    hinge = square_axis(deformer, joint)
    turn = bone_turn(deformer, frame.pose, joint, hinge)
    return abs(turn.bend), turn.twist
