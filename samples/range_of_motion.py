"""The biped's main joints one after another, the way that they go. Frames count from the clip's start."""

from collections.abc import Mapping

import quaternions as qt
from motion import Array, Motion, turn
from skeleton import Skeleton

FINGERS = ("index", "middle", "ring", "pinky")
Keys = Mapping[int, Array]


def range_of_motion(skeleton: Skeleton) -> Motion:
    """Return the clip: arms, hands, back, neck, legs; it ends at rest as it began."""
    motion = Motion("Range_Of_Motion", skeleton)
    _shoulders(motion)
    _elbows(motion)
    _forearms(motion)
    _hands(motion)
    _back(motion)
    _neck(motion)
    _leg(motion, "l", 212)
    _leg(motion, "r", 254)
    return motion


def _shoulders(motion: Motion) -> None:
    """Raise the arms over the head, bring them to the front and to the back."""
    arm = {
        0: turn(),
        11: turn(side=50),
        21: turn(side=84, twist=-25),
        31: turn(side=35),
        41: turn(bend=78, side=30),
        46: turn(bend=22, side=10),
        51: turn(bend=-34, side=-10),
        60: turn(),
    }
    girdle = {
        0: turn(),
        11: turn(side=8),
        21: turn(side=26),
        31: turn(side=5),
        41: turn(bend=16),
        51: turn(bend=-14),
        60: turn(),
    }
    motion.keys("upperarm_l", arm, both=True)
    motion.keys("clavicle_l", girdle, both=True)
    # The skin next to the shoulder stays behind the arm's twist.
    for joint, twist in (("upperarm_twist_01_l", 19), ("upperarm_twist_02_l", 9)):
        motion.keys(joint, {11: turn(), 21: turn(twist=twist), 31: turn()}, both=True)


def _elbows(motion: Motion) -> None:
    """Bend the elbows as far as they go."""
    bends = {60: 0, 68: 65, 76: 132, 81: 132, 88: 66, 95: 0}
    keys = {frame: turn(bend=bend) for frame, bend in bends.items()}
    motion.keys("lowerarm_l", keys, both=True)


def _forearms(motion: Motion) -> None:
    """Turn the hands over and back; the forearm's skin follows by degrees."""
    shares = {"hand_l": 1.0, "lowerarm_twist_01_l": 0.75, "lowerarm_twist_02_l": 0.38}
    angles = {90: 0, 99: 80, 106: 0, 113: -65, 121: 0}
    for joint, share in shares.items():
        keys = {frame: turn(twist=share * angle) for frame, angle in angles.items()}
        motion.keys(joint, keys, both=True)


def _hands(motion: Motion) -> None:
    """Bend the wrists both ways, and make fists."""
    motion.keys(
        "hand_l", {127: turn(side=55), 133: turn(), 139: turn(side=-60), 146: turn()}, both=True
    )
    closed = {
        f"{f}_{n}": turn(side=-a) for f in FINGERS for n, a in (("01", 72), ("02", 84), ("03", 50))
    }
    closed |= {"thumb_01": turn(bend=-24, side=14), "thumb_02": turn(bend=-6, side=30)}
    closed |= {"thumb_03": turn(side=42)}
    for joint, fist in closed.items():
        motion.keys(f"{joint}_l", {121: turn(), 131: turn(), 139: fist, 147: turn()}, both=True)


def _back(motion: Motion) -> None:
    """Bend the back forwards, backwards and to the side, and twist it."""
    for joint, share in (("spine_01", 1.0), ("spine_02", 1.1), ("spine_03", 0.9)):
        keys = {
            142: turn(),
            152: turn(bend=20 * share),
            162: turn(bend=-11 * share),
            170: turn(side=13 * share),
            178: turn(side=-13 * share),
            186: turn(twist=17 * share),
            196: turn(twist=-17 * share),
            204: turn(),
        }
        motion.keys(joint, keys)


def _neck(motion: Motion) -> None:
    """Turn the head to both sides and nod."""
    for joint, share in (("neck_01", 0.8), ("head", 1.2)):
        keys = {
            196: turn(),
            204: turn(twist=32 * share),
            214: turn(twist=-32 * share),
            222: turn(bend=20 * share),
            230: turn(bend=-18 * share),
            238: turn(),
        }
        motion.keys(joint, keys)


def _leg(motion: Motion, side: str, start: int) -> None:
    """Lift the knee, spread the leg, kick back and roll the foot."""
    lifted, spread, back, end = (start + frame for frame in (12, 22, 32, 40))
    hip = {
        start + 6: turn(bend=42),
        lifted: turn(bend=90),
        spread: turn(bend=20, side=26),
        back: turn(bend=-26),
    }
    knee = {start + 6: turn(bend=-56), lifted: turn(bend=-112), lifted + 5: turn(bend=-56)}
    knee |= {spread: turn(), back: turn(bend=-48)}
    foot = {lifted: turn(bend=-32), spread: turn(bend=18), back: turn(bend=-30)}
    toes = {spread: turn(), back: turn(bend=35)}
    for bone, keys in (("thigh", hip), ("calf", knee), ("foot", foot), ("ball", toes)):
        whole: Keys = {start: turn()} | keys | {end: turn()}
        for frame, value in whole.items():
            motion.key(frame, f"{bone}_{side}", qt.mirrored(value) if side == "r" else value)
