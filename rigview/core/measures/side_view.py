"""From where a joint's deformation is seen best: a direction to look in, a centre and a radius."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.measures.joint_meter import JointMeter, JointPose

# A bend below this share of the twist is shown as a twist.
_BENDS = 0.35
# Share of a region's vertices at either end that do not count for its extent.
_TORN = 0.05
# How much more than the region is shown, as a multiple of its radius.
_AROUND = 1.3
# Directions tried about the limb for a twist.
_TRIED = 16
# Beyond this share that is hidden other ways are tried; shares that differ by less than `_ALIKE` are alike.
_HIDDEN, _ALIKE = 1.0 / 3.0, 0.1
_TILTS = (np.radians(30.0), np.radians(60.0))
# Points of a region that are asked for, and how much of ρ a face must be nearer to hide one.
_LOOKED_AT, _NEARER = 40, 0.5
# How far away the eye is, in radii of what is seen: between wide panes and narrow ones.
_EYE = 4.5


class SideView(NamedTuple):
    """A view in model space.

    Parameters
    ----------
    direction
        ``(3,)`` unit, from the eye to the centre.
    centre
        ``(3,)`` what to look at, metres.
    radius
        Of the ball about it that is to be seen, metres.
    """

    direction: FloatArray
    centre: FloatArray
    radius: float


def side_view(
    meter: JointMeter, pose: JointPose, region: int, positions: FloatArray | None = None
) -> SideView:
    """Return the view that shows a region in a pose, the eye outside of the body.

    A bend is seen along the axis of its swing, a twist square to the bone. Of the two ways along an axis,
    and of the ways about a bone, that one is taken from which least of the region is hidden by other faces,
    then the one with least skin before it. Where more than a third is hidden from all of them, ways that
    lean by 30° and 60° are tried too.

    Parameters
    ----------
    positions
        ``(3, W)`` posed welded vertices (`WeldedSkin.posed`); else the bones stand for the body.
    """
    regions = meter.regions
    of = regions.each[region]
    joint, parent = int(regions.joints[region]), int(regions.parents[region])
    bones = pose.motion.bones
    body = bones.heads.T if positions is None else positions
    points = bones.heads[[joint]].T if positions is None else positions[:, of.vertices]
    # A vertex that is torn off shall not make the joint small in the picture.
    low, high = np.quantile(points, (_TORN, 1.0 - _TORN), axis=1)
    centre = 0.5 * (low + high)
    size = float(np.linalg.norm(high - low)) / 2.0
    radius = _AROUND * max(size, of.size * float(pose.scales[region]))
    bend, twist = pose.turns[region].tolist()
    swing = pose.motion.swings(
        regions.joints[[region]], regions.parents[[region]], regions.axes[[region]]
    )
    axis = quat.rotate(pose.motion.rotations[parent], quat.rotation_vector(swing)[0])
    bone = quat.rotate(pose.motion.rotations[parent], of.limb)
    is_bend = bend >= _BENDS * abs(twist) and np.linalg.norm(axis) > 0.0
    tried = np.stack([unit(axis), -unit(axis)]) if is_bend else _about(bone)
    hidden = np.zeros(len(tried))
    if positions is not None:
        others = _Others.of(meter, region, positions, _EYE * radius)
        hidden = others.hidden(tried, centre)
        straight = tried
        for angle in _TILTS:
            if hidden.min() <= _HIDDEN:
                break
            tilted = _tilted(straight, angle)
            hidden = np.concatenate([hidden, others.hidden(tilted, centre)])
            tried = np.concatenate([tried, tilted])
    covered = np.array([_covered(body, centre, radius, eye) for eye in tried])
    outward = tried @ unit(centre - body.mean(axis=1))
    best = int(np.lexsort((-outward, covered, np.round(hidden / _ALIKE)))[0])
    return SideView(-tried[best], centre, radius)


@dataclass(frozen=True, eq=False)
class _Others:
    """What of a region is looked at, and the faces that may hide it.

    Parameters
    ----------
    points
        ``(3, n)`` of the region.
    positions, triangles
        ``(3, W)`` posed welded vertices, and ``(3, T)`` corners of faces that are not the region's own.
    nearer
        A face this much nearer to the eye hides a point, metres.
    distance
        From the eye to what it looks at, metres.
    """

    points: FloatArray
    positions: FloatArray
    triangles: IntArray
    nearer: float
    distance: float

    @classmethod
    def of(
        cls, meter: JointMeter, region: int, positions: FloatArray, distance: float
    ) -> "_Others":
        of = meter.regions.each[region]
        inside = np.zeros(positions.shape[1], dtype=np.bool_)
        inside[of.vertices] = True
        triangles = meter.skin.triangles
        others = triangles[~inside[triangles].all(axis=1)]
        seen = of.vertices[of.blended] if of.blended.any() else of.vertices
        some = seen[np.linspace(0, len(seen) - 1, min(len(seen), _LOOKED_AT)).astype(np.int64)]
        corners = np.ascontiguousarray(others.T)
        return cls(positions[:, some], positions, corners, _NEARER * of.size, distance)

    def hidden(self, ways: FloatArray, centre: FloatArray) -> FloatArray:
        """Return ``(n,)`` the share of points hidden from an eye each of ``(n, 3)`` ways off."""
        return np.array([self._hidden(way, centre) for way in ways])

    def _hidden(self, way: FloatArray, centre: FloatArray) -> float:
        across = unit(np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))]))
        basis = np.stack([across, np.cross(way, across), -way])
        eye = (centre + self.distance * way)[:, None]
        points, body = basis @ (self.points - eye), basis @ (self.positions - eye)
        # What an eye sees lies before it, and 1 / depth is linear over a face in its picture.
        points = _seen(points[:, points[2] > 0.0])
        depth = body[2, self.triangles].min(axis=0)
        some = self.triangles[:, (depth > 0.0) & (depth < 1.0 / points[2].min(initial=np.inf))]
        body = _seen(np.where(body[2] > 0.0, body, 1.0))
        for axis in range(2):
            a, b, c = body[axis, some]
            near = np.maximum(np.maximum(a, b), c) >= points[axis].min(initial=np.inf)
            near &= np.minimum(np.minimum(a, b), c) <= points[axis].max(initial=-np.inf)
            some = some[:, near]
        a, b, c = (body[:, corner] for corner in some)
        first, second = b - a, c - a
        area = first[0] * second[1] - first[1] * second[0]
        whole = np.abs(area) > 0.0
        a, first, second, area = a[:, whole], first[:, whole], second[:, whole], area[whole]
        offset = points[:, :, None] - a[:, None, :]
        s = (offset[0] * second[1] - offset[1] * second[0]) / area
        t = (first[0] * offset[1] - first[1] * offset[0]) / area
        inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
        inverse = a[2] + s * first[2] + t * second[2]
        before = inside & (inverse * (1.0 / points[2][:, None] - self.nearer) > 1.0)
        return float(before.any(axis=1).mean()) if before.shape[0] else 1.0


def _seen(points: FloatArray) -> FloatArray:
    """Return ``(3, n)`` places in the picture of an eye at the origin, and 1 / depth below."""
    return np.stack([points[0] / points[2], points[1] / points[2], 1.0 / points[2]])


def _tilted(directions: FloatArray, angle: float) -> FloatArray:
    """Return directions that lean away from some by an angle, eight ways about each."""
    some = directions[:: max(1, len(directions) // 4)]
    return np.stack(
        [
            np.cos(angle) * direction + np.sin(angle) * aside
            for direction in some
            for aside in _about(direction)[::2]
        ]
    )


def _about(bone: FloatArray) -> FloatArray:
    """Return ``(16, 3)`` directions square to a bone."""
    across = unit(np.cross(bone, np.eye(3)[int(np.argmin(np.abs(bone)))]))
    other = np.cross(bone, across)
    angles = 2.0 * np.pi * np.arange(_TRIED) / _TRIED
    return np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other


def _covered(body: FloatArray, centre: FloatArray, radius: float, eye: FloatArray) -> int:
    """Return how many of ``(3, n)`` points lie between an eye far away and a ball."""
    offset = body - centre[:, None]
    depth = eye @ offset
    beside = np.einsum("in,in->n", offset, offset) - depth**2
    return int(np.count_nonzero((depth > radius) & (beside < radius**2)))
