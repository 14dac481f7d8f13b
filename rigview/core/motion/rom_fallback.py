"""Characters that no clip of their file bends much, and the range of motion that stands in for clips."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.characters import characters
from rigview.core.clip import Clip
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import RangeOfMotion, range_of_motion
from rigview.core.pose import sample
from rigview.core.rig import Rig

# A clip that turns no joint by more is tame: the knee of a walk turns this far, a squat twice.
TAME = np.radians(60.0)


# A character of more joints is not tried: each joint has poses of its own, so that time and memory grow
# with the square. The largest skinned character of the corpus has 297.
MOST_JOINTS = 512
# Nor are characters of a rig of more skinned parts, each of which is skinned in every pose.
MOST_PARTS = 128


def largest_turns(rig: Rig, clip: Clip) -> FloatArray:
    """Return ``(J,)`` the largest angle by which a clip's keys turn each joint from rest, radians.

    It is 0 for roots: they turn the whole character, and bend nothing.
    """
    joints = list(rig.joints)
    if not joints or not len(clip.key_times):
        return np.zeros(len(joints))
    turned = sample(rig, clip, clip.key_times).rotations[:, joints]
    angles = quat.angle_between(turned, rig.nodes.rotations[joints]).max(axis=0)
    return np.where([rig.joint_parents[joint] < 0 for joint in joints], 0.0, angles)


def largest_bend(rig: Rig, clip: Clip) -> float:
    """Return the largest angle in radians by which a clip's keys turn a joint, not a root, from rest.

    A clip below `TAME` shows little of what a rig does.
    """
    return float(largest_turns(rig, clip).max(initial=0.0))


def tame_characters(rig: Rig, clips: Sequence[Clip]) -> frozenset[int]:
    """Return the characters with a skin (`characters`) of which no clip turns a joint by `TAME`.

    Left out are characters of more than `MOST_JOINTS` joints, and all of a rig of more than `MOST_PARTS`
    skinned parts.
    """
    if sum(part.skin is not None for part in rig.parts) > MOST_PARTS:
        return frozenset()
    of = characters(rig)
    sizes = Counter(of.values())
    left = {of[joint] for skin in rig.skins for joint in skin.joints if joint in of}
    left = {character for character in left if sizes[character] <= MOST_JOINTS}
    numbers = np.array([of[joint] for joint in rig.joints], dtype=np.int64)
    for clip in clips:
        if not left:
            break
        left -= set(numbers[largest_turns(rig, clip) >= TAME].tolist())
    return frozenset(left)


def motion_of_tame(rig: Rig, clips: Sequence[Clip], table: LimitTable) -> RangeOfMotion | None:
    """Return the range of motion of the characters that no given clip bends much; None without any.

    It is what joints are judged in where the clips of a file do not bend them.
    """
    tame = tame_characters(rig, clips)
    if not tame:
        return None
    of = characters(rig)
    own = {joint for joint, character in of.items() if character in tame}
    motion = range_of_motion(rig, table)
    steps = tuple(step for step in motion.steps if own.intersection(step.joints))
    times = {step.time for step in steps}
    clip = replace(
        motion.clip,
        channels=tuple(channel for channel in motion.clip.channels if channel.node in own),
        markers=tuple(marker for marker in motion.clip.markers if marker.time in times),
    )
    return RangeOfMotion(clip, steps) if clip.channels else None
