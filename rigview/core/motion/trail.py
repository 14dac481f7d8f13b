"""The way that characters take in a clip: where the topmost joint that travels is at every frame."""

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.motion.deltas import frame_times
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import model_from_nodes, sample

# What comes less far than this share of the rig's size does not travel.
TRAVEL = 1e-3
# Trees of joints that carry less than this share of what the largest does are no characters: targets of
# inverse kinematics, props.
CHARACTER = 0.25
# Longer clips are sampled at every second, third … frame.
MOST_FRAMES = 6000


@dataclass(frozen=True, eq=False)
class Trail:
    """The way of one joint.

    Parameters
    ----------
    times
        ``(T,)`` seconds: the clip's frames.
    points
        ``(T, 3)`` where the joint is then, model space.
    """

    joint: int
    times: FloatArray
    points: FloatArray


def trails(deformer: Deformer, clip: int, fps: float) -> tuple[Trail, ...]:
    """Return the way of every character in a clip of the rig; none of those that stay where they are.

    Of a character that is the topmost joint that changes its place as the joint above sees it, looked for
    along the primary children: a root that stands still while the hips walk is passed over.
    """
    rig, moves = deformer.rig, deformer.rig.clips[clip]
    chains = [_chain(deformer, top) for top in _tops(deformer)]
    if not chains or not moves.moves:
        return ()
    excerpt = SubRig.of(rig, {joint for chain in chains for joint in chain})
    times = frame_times(moves, fps)
    times = times[:: math.ceil(len(times) / MOST_FRAMES)]
    posed = model_from_nodes(excerpt.rig, sample(excerpt.rig, excerpt.rig.clips[clip], times))
    least = TRAVEL * deformer.size
    result = []
    for chain in chains:
        frames = posed[:, excerpt.nodes(chain)]
        travels = np.linalg.norm(np.ptp(_seen_from_above(frames), axis=0), axis=-1) > least
        if travels.any():
            place = int(np.argmax(travels))
            result.append(Trail(chain[place], times, frames[:, place, :3, 3]))
    return tuple(result)


def _tops(deformer: Deformer) -> list[int]:
    """Return the topmost joint of each character, by what all below it weighs together."""
    weights, rig = deformer.total_weights, deformer.rig
    weighted = any(weight > 0.0 for weight in weights.values())
    trees: dict[int, float] = defaultdict(float)
    for joint, top in rig.joint_tops.items():
        trees[top] += weights[joint] if weighted else 1.0
    most = max(trees.values(), default=0.0)
    return [top for top, weight in trees.items() if weight >= CHARACTER * most]


def _chain(deformer: Deformer, top: int) -> list[int]:
    """Return a joint, its primary child, that one's, and so on."""
    skeleton = deformer.skeleton
    place, chain = skeleton.places[top], []
    while place >= 0:
        chain.append(int(skeleton.joints[place]))
        place = int(skeleton.primary[place])
    return chain


def _seen_from_above(frames: FloatArray) -> FloatArray:
    """Return ``(T, n, 3)`` where joints of a chain ``(T, n, 4, 4)`` are for the one above them.

    The first is seen from the model. Only how the joint above has turned counts, not how it is scaled.
    """
    heads = frames[..., :3, 3]
    along = heads[:, 1:] - heads[:, :-1]
    turned = np.einsum("tnji,tnj->tni", frames[:, :-1, :3, :3], along)
    square = np.einsum("tnji,tnji->tn", frames[:, :-1, :3, :3], frames[:, :-1, :3, :3]) / 3.0
    turned /= np.sqrt(np.where(square > 0.0, square, 1.0))[..., None]
    return np.concatenate([heads[:, :1], turned], axis=1)
