"""Culling by the box of the bind pose: which clips carry a character out of it.

Engines test a box against the view and leave out what lies outside. Many keep the box of the mesh as it was
bound, for that of every frame costs what skinning does. A clip that carries the character out of it has the
character vanish as soon as the box is out of view, be the character in the middle of the picture.
"""

import math
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion.deltas import frame_times
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import model_from_nodes, sample
from rigview.core.skinning import METHODS, Options

# Poses of a clip that are looked at, evenly spread; what leaves the box stays out of it for longer.
POSES = 61
# Frames a second, of which the poses are some.
_FPS = 30.0


@dataclass(frozen=True)
class Culled:
    """A clip that takes the character wholly out of the box of the bind pose.

    Parameters
    ----------
    clip
        Its number.
    time
        When it is furthest out, seconds.
    apart
        How far its own box is then from that of the bind pose, metres.
    """

    clip: int
    time: float
    apart: float


# What was found of the rigs that are open.
_BIND_BOXES: WeakKeyDictionary[Deformer, FloatArray] = WeakKeyDictionary()
_CULLED: WeakKeyDictionary[Deformer, tuple[Culled, ...]] = WeakKeyDictionary()


def box(deformer: Deformer, frame: Frame) -> FloatArray:
    """Return ``(2, 3)`` the box around all meshes in a pose under LBS, ``(0, 3)`` where there is none."""
    shapes = deformer.skin_all(frame, METHODS["lbs"], Options())
    corners = [
        np.stack([s.positions.min(0), s.positions.max(0)]) for s in shapes if len(s.positions)
    ]
    if not corners:
        return np.zeros((0, 3))
    every = np.concatenate(corners)
    return np.stack([every.min(axis=0), every.max(axis=0)])


def bind_box(deformer: Deformer) -> FloatArray:
    """Return the box around the meshes as they were bound, as they rest where no skin states that."""
    if deformer not in _BIND_BOXES:
        _BIND_BOXES[deformer] = box(deformer, deformer.bind or deformer.rest)
    return _BIND_BOXES[deformer]


def clip_box(deformer: Deformer, clip: Clip) -> FloatArray:
    """Return ``(2, 3)`` the box around all meshes over `POSES` poses of a clip; ``(0, 3)`` without any."""
    times = _times(clip)
    boxes = [box(deformer, deformer.frame(sample(deformer.rig, clip, float(t)))) for t in times]
    every = np.concatenate(boxes)
    return np.stack([every.min(axis=0), every.max(axis=0)]) if len(every) else every


def _times(clip: Clip) -> FloatArray:
    times = frame_times(clip, _FPS)
    return times[:: math.ceil(len(times) / POSES)]


def gap(one: FloatArray, other: FloatArray) -> float:
    """Return how far apart two ``(2, 3)`` boxes are along the axis of the widest gap; 0 where they meet."""
    return max(0.0, float(np.maximum(one[0] - other[1], other[0] - one[1]).max()))


def culled(deformer: Deformer) -> tuple[Culled, ...]:
    """Return the clips of `find_culled`, found once for a rig."""
    if deformer not in _CULLED:
        _CULLED[deformer] = find_culled(deformer)
    return _CULLED[deformer]


def find_culled(deformer: Deformer) -> tuple[Culled, ...]:
    """Return the clips during which the character leaves the box of the bind pose, in their order.

    Joints that carry weight are looked at first; the mesh is skinned where they are outside by more than
    it reaches beyond them in the bind pose.
    """
    around = bind_box(deformer)
    joints = [joint for joint, weight in deformer.total_weights.items() if weight > 0.0]
    if not len(around) or not joints:
        return ()
    bound = (deformer.bind or deformer.rest).model_from_node[joints][:, :3, 3]
    reach = np.maximum(around[1] - bound.max(axis=0), bound.min(axis=0) - around[0]).max()
    excerpt, result = SubRig.of(deformer.rig, set(joints)), []
    for number, clip in enumerate(deformer.rig.clips):
        if not clip.moves:
            continue
        times = _times(clip)
        posed = model_from_nodes(excerpt.rig, sample(excerpt.rig, excerpt.rig.clips[number], times))
        heads = posed[:, excerpt.nodes(joints)][..., :3, 3]
        boxes = np.stack([heads.min(axis=1), heads.max(axis=1)], axis=1)
        gaps = [gap(of, around) for of in boxes]
        furthest = int(np.argmax(gaps))
        if gaps[furthest] > max(float(reach), 0.0):
            time = float(times[furthest])
            now = box(deformer, deformer.frame(sample(deformer.rig, clip, time)))
            if gap(now, around) > 0.0:
                result.append(Culled(number, time, gap(now, around)))
    return tuple(result)
