"""The biped's walk on the spot: feet that roll on a moving ground, everything else follows them.

Phase 0 is the left heel's strike, phase ½ the right one's. The ground moves back under the figure.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from biped_shape import ANKLE, HIP, KNEE
from biped_skeleton import PELVIS
from fields import curve
from motion import Motion, turn
from skeleton import MIRROR, Skeleton

Array = NDArray[np.float64]

PERIOD, EVERY = 32, 2  # frames of one cycle, and from key to key
STANCE = 0.60  # share of the cycle that a foot is on the ground
STRIDE = 0.62  # metres of ground that pass under a foot meanwhile
HEEL = np.array([0.106, 0.0, -0.060])  # what the foot rolls on at first; later it is the ball
SOLE = np.array([0.113, 0.0, 0.118])
NARROWER = 0.024  # the feet are nearer to the middle than at rest, metres
STRAIGHTEST = 4.0  # degrees that a knee is bent at least
X, Y, Z = np.eye(3)

# Degrees that the toes are up, by phase.
_PITCH = curve(
    (0.0, 0.08, 0.13, 0.36, 0.41, 0.50, 0.60, 0.70, 0.88, 1.0),
    (18, 3, 0, 0, -3, -17, -46, -34, 12, 18),
)


@dataclass(frozen=True)
class Foot:
    """Where a left foot is: the ankle ``(3,)``, degrees that heel and toes are tipped up by."""

    ankle: Array
    pitch: float
    toes: float


def foot(phase: float) -> Foot:
    """Return the left foot at a phase of 0 to 1; the right one is half a cycle later."""
    pitch = float(_PITCH(np.array([phase]))[0])
    if phase < STANCE:
        return Foot(_rolled(phase, pitch), pitch, max(pitch, 0.0))
    share = (phase - STANCE) / (1.0 - STANCE)
    start = _rolled(STANCE, float(_PITCH(np.array([STANCE]))[0]))
    end = _rolled(0.0, float(_PITCH(np.array([0.0]))[0]))
    ease = share * share * (3.0 - 2.0 * share)
    ankle = start + ease * (end - start)
    ankle[1] += 0.035 * np.sin(np.pi * share) ** 2
    return Foot(ankle, pitch, pitch * min(1.0, 2.0 * share))


def _rolled(phase: float, pitch: float) -> Array:
    """Return the ankle over a foot on the ground that has been tipped about its heel or its ball."""
    pivot = HEEL if pitch > 0.0 else SOLE
    ankle = pivot + qt.rotate(qt.about(X, -pitch), ANKLE - pivot)
    return ankle - X * NARROWER + Z * (0.5 - phase / STANCE - 0.02) * STRIDE


@dataclass(frozen=True)
class Hips:
    """Where the pelvis is: its turn ``(4,)`` and its offset ``(3,)`` metres."""

    turn: Array
    offset: Array


def hips(phase: float) -> Hips:
    """Return the pelvis: lowest when both feet are down, over the foot that carries, swinging along."""
    rise, sway = np.cos(4.0 * np.pi * (phase - 0.32)), np.cos(2.0 * np.pi * (phase - 0.30))
    yaw, roll = -6.0 * np.cos(2.0 * np.pi * phase), 3.0 * np.cos(2.0 * np.pi * (phase - 0.22))
    offset = np.array([0.016 * sway, 0.017 * rise - 0.022, 0.006 * np.sin(4.0 * np.pi * phase)])
    return Hips(qt.product(qt.about(Y, yaw), qt.about(Z, roll), qt.about(X, 2.0)), offset)


def walk(skeleton: Skeleton) -> Motion:
    """Return the clip; its last key is its first."""
    motion = Motion("Walk", skeleton)
    frames = list(range(0, PERIOD + 1, EVERY))
    for frame in frames:
        phase = (frame % PERIOD) / PERIOD
        motion.world(frame, "pelvis", hips(phase).turn)
        _leg(motion, frame, phase, right=False)
        _leg(motion, frame, phase, right=True)
        _back(motion, frame, phase)
        _arms(motion, frame, phase)
    every_fourth = frames[::2]
    offsets = [hips((frame % PERIOD) / PERIOD).offset for frame in every_fourth]
    motion.move("pelvis", every_fourth, np.array(offsets), cubic=True)
    return motion


def _leg(motion: Motion, frame: int, phase: float, right: bool) -> None:
    """Bend one leg so that its ankle is where the foot wants it; the right leg is a mirror image."""
    pelvis = hips(phase)
    base, spin = pelvis.offset, pelvis.turn
    if right:
        phase = (phase + 0.5) % 1.0
        base, spin = base * MIRROR, qt.mirrored(spin)
    goal = foot(phase)
    hip = PELVIS + base + qt.rotate(spin, HIP - PELVIS)
    knee = _knee(goal.ankle - hip)
    bend = qt.about(X, knee)
    thigh = qt.arc(KNEE - HIP + qt.rotate(bend, ANKLE - KNEE), goal.ankle - hip)
    calf = qt.multiply(thigh, bend)
    sole, toes = qt.about(X, -goal.pitch), qt.about(X, -goal.toes)
    steps = {
        "thigh": qt.multiply(qt.conjugate(spin), thigh),
        "calf": bend,
        "foot": qt.multiply(qt.conjugate(calf), sole),
        "ball": qt.multiply(qt.conjugate(sole), toes),
    }
    for bone, value in steps.items():
        mirrored = qt.mirrored(value) if right else value
        motion.world(frame, f"{bone}_{'r' if right else 'l'}", mirrored)


def _knee(reach: Array) -> float:
    """Return the degrees of a knee whose leg reaches from hip to ankle over a vector ``(3,)``."""
    wanted = float(np.sqrt(np.sum(reach * reach)))
    low, high = STRAIGHTEST, 150.0
    for _ in range(50):
        middle = (low + high) / 2.0
        leg = KNEE - HIP + qt.rotate(qt.about(X, middle), ANKLE - KNEE)
        low, high = (middle, high) if np.sqrt(np.sum(leg * leg)) > wanted else (low, middle)
    return low


def _back(motion: Motion, frame: int, phase: float) -> None:
    """Turn the shoulders against the hips, and keep the head level and looking ahead."""
    with_step = np.cos(2.0 * np.pi * phase)
    roll = np.cos(2.0 * np.pi * (phase - 0.22))
    nod = np.cos(4.0 * np.pi * (phase - 0.10))
    for joint in ("spine_01", "spine_02", "spine_03"):
        motion.key(frame, joint, turn(1.0 + 0.7 * nod, -1.4 * roll, 4.6 * with_step))
    for joint in ("neck_01", "head"):
        motion.key(frame, joint, turn(-1.5 - 0.8 * nod, 0.6 * roll, -3.6 * with_step))


def _arms(motion: Motion, frame: int, phase: float) -> None:
    """Let the arms hang and swing, each against its leg."""
    for side, lead in (("l", 0.0), ("r", 0.5)):
        swing = -np.cos(2.0 * np.pi * (phase + lead - 0.02))
        elbow = -np.cos(2.0 * np.pi * (phase + lead - 0.09))
        hang = qt.multiply(qt.about(X, 4.0 - 23.0 * swing), qt.about(Z, -46.0))
        keys = {
            "clavicle": turn(bend=4.0 * swing, side=-3.0),
            "lowerarm": turn(bend=17.0 + 11.0 * elbow),
            "hand": turn(bend=-4.0, side=-3.0 + 5.0 * elbow),
        }
        for bone, value in keys.items():
            motion.key(frame, f"{bone}_{side}", qt.mirrored(value) if side == "r" else value)
        if side == "r":
            hang = qt.mirrored(hang)
        motion.world(frame, f"upperarm_{side}", hang)
