"""What a camera shall frame."""

import math
from dataclasses import replace

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.measures.side_view import SideView
from rigview.core.motion.culling import bind_box
from rigview.core.skinning import METHODS, Options
from rigview.render import ghosts
from rigview.render.camera import Camera
from rigview.render.look import Chosen, Look

# So many points describe the outline of any character well enough to frame it.
_MOST_POINTS = 20_000
# A joint is framed with so much of what is around it.
_SURROUNDINGS = 1.7
# A joint is framed with at least so much of the size H on every side.
_LEAST = 0.06
# Vertices are framed with so much of the size H on every side.
_AROUND = 0.1
# Of a box about the origin.
CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def visible_points(
    deformer: Deformer,
    frame: Frame,
    hidden: frozenset[int] | None = None,
    *,
    scenery: bool = False,
) -> FloatArray:
    """Return ``(n, 3)`` what there is to see in a pose: vertices, without mesh the bones.

    Parameters
    ----------
    hidden
        Nodes whose meshes are not drawn; None for those that the file hides.
    scenery
        Whether meshes count that stand around a skinned character: that no joint of it carries and no
        morph targets shape.
    """
    hidden = deformer.rig.hidden if hidden is None else hidden
    numbers = [i for i, part in enumerate(deformer.rig.parts) if part.node not in hidden]
    if not scenery:
        numbers = _of_characters(deformer, numbers)
    clouds = [deformer.skin(i, frame, METHODS["lbs"], Options()).positions for i in numbers]
    points = np.concatenate([np.zeros((0, 3)), *clouds])
    if not len(points):
        bones = deformer.posed_bones(frame)
        points = np.concatenate([bones.heads, bones.tails])
    if not len(points):
        points = frame.model_from_node[:, :3, 3]
    return points[:: max(1, len(points) // _MOST_POINTS)]


def _of_characters(deformer: Deformer, numbers: list[int]) -> list[int]:
    """Return which of some parts joints move or carry or morph targets shape; all where none is skinned."""
    parts = deformer.rig.parts
    if not any(deformer.is_skinned(parts[i]) for i in numbers):
        return numbers
    carried = deformer.rig.nodes.with_descendants(deformer.rig.joints)
    return [
        i
        for i in numbers
        if deformer.is_skinned(parts[i])
        or parts[i].node in carried
        or deformer.rig.primitive(parts[i]).morphs is not None
    ]


def reach(
    deformer: Deformer, frame: Frame, points: FloatArray, hidden: frozenset[int] | None = None
) -> float | None:
    """Return how far all there is to see reaches from the middle of what is framed; None where not beyond.

    Parameters
    ----------
    points
        ``(n, 3)`` of `visible_points`, without scenery.
    """
    every, points = visible_points(deformer, frame, hidden, scenery=True), _sound(points)
    if len(every) == len(points) or not len(points):
        return None
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return float(np.linalg.norm(_sound(every) - middle, axis=1).max(initial=0.0)) or None


def still_points(deformer: Deformer, look: Look) -> FloatArray:
    """Return ``(n, 3)`` what there is to see in any pose of the ghosts, trails and boxes of a look."""
    poses = [frame for _, frame in ghosts.shown(deformer, look)]
    clouds = [visible_points(deformer, frame, look.hidden) for frame in poses]
    ways = [trail.points for trail in look.trails if look.trail]
    boxes = [bind_box(deformer)] if look.bounds else []
    return np.concatenate([np.zeros((0, 3)), *clouds, *ways, *boxes])


def points_of_interest(
    deformer: Deformer,
    frame: Frame,
    joint: int | None,
    chosen: Chosen,
) -> tuple[FloatArray, FloatArray | None]:
    """Return what shows vertices and the joint that they are about, either or both.

    Parameters
    ----------
    joint
        A node of the rig; one that is no joint of it shows nothing.
    chosen
        Vertices: part and numbers.

    Returns
    -------
    points : (n, 3)
        None of them where there is nothing to show.
    normal : (3,)
        Mean normal of the vertices, if there are any.
    """
    if joint is not None and joint not in deformer.rig.joints:
        joint = None
    if chosen:
        skinned = [(deformer.skin(part, frame, METHODS["lbs"], Options()), n) for part, n in chosen]
        clouds = [s.positions[list(numbers)] for s, numbers in skinned]
        normals = np.concatenate([s.normals[list(numbers)] for s, numbers in skinned])
        if joint is not None:
            clouds.append(frame.model_from_node[[joint], :3, 3])
        normals = _sound(normals)
        normal = normals.mean(axis=0) if len(normals) else None
        return _with_surroundings(_sound(np.concatenate(clouds)), deformer.size), normal
    if joint is not None:
        return joint_points(deformer, frame, joint), None
    return np.zeros((0, 3)), None


def joint_points(deformer: Deformer, frame: Frame, joint: int) -> FloatArray:
    """Return ``(n, 3)`` what a joint moves: the vertices it weighs half or more, and its bone."""
    bones = deformer.posed_bones(frame)
    number = deformer.skeleton.places[joint]
    clouds = [bones.heads[number][None], bones.tails[number][None]]
    for i in range(len(deformer.rig.parts)):
        chosen = deformer.joint_weights(i, joint) >= 0.5
        if np.any(chosen):
            clouds.append(deformer.skin(i, frame, METHODS["lbs"], Options()).positions[chosen])
    points = _sound(np.concatenate(clouds))
    if not len(points):
        return points
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    # A small joint that moves nothing is lost without what is around it.
    least = middle + _LEAST * deformer.size * CORNERS
    return np.concatenate([middle + _SURROUNDINGS * (points - middle), least])


def _sound(rows: FloatArray) -> FloatArray:
    return rows[np.all(np.isfinite(rows), axis=1)]


def _with_surroundings(points: FloatArray, size: float) -> FloatArray:
    if not len(points):
        return points
    low, high = points.min(axis=0), points.max(axis=0)
    half = 0.5 * (high - low) + _AROUND * size
    middle = 0.5 * (low + high)
    return middle + half * CORNERS


def watching(view: SideView, camera: Camera, aspect: float) -> Camera:
    """Return a camera that looks at a joint from the side that shows it.

    Parameters
    ----------
    camera
        What it keeps: the angle of view, and how far anything is seen.
    aspect
        Width over height of the pane.
    """
    x, y, z = (-view.direction).tolist()
    tangent = math.tan(0.5 * camera.fov) * min(1.0, aspect)
    target = (float(view.centre[0]), float(view.centre[1]), float(view.centre[2]))
    return replace(
        camera,
        target=target,
        yaw=math.atan2(x, z),
        pitch=math.asin(min(max(y, -1.0), 1.0)),
        distance=view.radius / tangent,
    )
