"""arm.glb: an arm with a hand, raised from the ground, the palm to the viewer, the thumb up."""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from arm_weights import arm_weights
from assemble import Surface, assemble
from fields import gradient, placed
from hand import FINGERS, hand_grid
from limbs import FOREARM, WRIST, arm, arm_joints, placed_joints
from motion import Motion, turn
from relaxation import settled
from seams import closed, sewn
from skeleton import Skeleton
from surface_nets import Net, net, spaced
from weights import Flow

Array = NDArray[np.float64]

ARM_CELL, HAND_CELLS = 0.0125, (0.0095, 0.0058, 0.0062, 0.0052)
# How the thumb's joints close over the fingers.
THUMB = (turn(bend=-24, side=14), turn(bend=-6, side=30), turn(side=42))
# The arm of `bone_frames` bends forwards and looks down; here it bends upwards and looks at the viewer.
TURN = qt.about((1.0, 0.0, 0.0), -90.0)
PLACE = np.array([-0.25, 0.30, 0.0])


def arm_file() -> bytes:
    """Return arm.glb."""
    skeleton = Skeleton(placed_joints(arm_joints(None, ""), TURN, PLACE))
    skin = _net()
    flow = Flow(skeleton.names, len(skin.points), "upperarm")
    arm_weights(flow, skin.points, "")
    points = qt.rotate(TURN, skin.points) + PLACE
    normals = qt.unit(gradient(placed(arm, TURN, PLACE), points))
    surface = Surface(points, normals, skin.triangles, flow.dense)
    return assemble("Arm", skeleton, surface, [_bend(skeleton), _twist(skeleton), _fist(skeleton)])


def _net() -> Net:
    """Return the skin in the arm's space, the hand on a finer grid than the rest."""
    limits = ((-0.08, 0.58), (-0.08, 0.075), (-0.08, 0.13))
    x, y, z = (spaced(low, high, ARM_CELL) for low, high in limits)
    rest = net(arm, (x, y, z))
    along = qt.rotate(FOREARM, (1.0, 0.0, 0.0))
    beyond = (rest.points - WRIST) @ along > -0.002
    rest = rest.kept(~np.any(beyond[rest.triangles], axis=1))
    hand = net(lambda p: arm(qt.rotate(FOREARM, p) + WRIST), hand_grid(*HAND_CELLS))
    hand = Net(qt.rotate(FOREARM, hand.points) + WRIST, hand.triangles)
    return settled(closed(sewn(rest, hand, WRIST, 0.07)), arm, rounds=6, share=0.4)


def _bend(skeleton: Skeleton) -> Motion:
    motion = Motion("Bend", skeleton)
    angles = {0: 0, 15: 45, 30: 90, 45: 120, 55: 120, 75: 60, 95: 0}
    motion.keys("lowerarm", {frame: turn(bend=angle) for frame, angle in angles.items()})
    return motion


def _twist(skeleton: Skeleton) -> Motion:
    """Return the forearm's clip: the hand turns by 150° in all, the skin of the forearm by degrees."""
    motion = Motion("Twist", skeleton)
    angles = {0: 0, 15: 40, 30: 80, 40: 80, 60: 0, 80: -70, 90: -70, 110: 0}
    for joint, share in (("hand", 1.0), ("lowerarm_twist_01", 0.75), ("lowerarm_twist_02", 0.38)):
        motion.keys(joint, {f: turn(twist=share * angle) for f, angle in angles.items()})
    return motion


def _fist(skeleton: Skeleton) -> Motion:
    """Return the hand's clip: the fingers close one after another, then the thumb over them."""
    motion = Motion("Fist", skeleton)
    for i, finger in enumerate(reversed(FINGERS)):
        thumb = finger.name == "thumb"
        fist = THUMB if thumb else [turn(side=-angle) for angle in (68, 86, 52)]
        for number, value in enumerate(fist):
            half = qt.unit(value + qt.IDENTITY)
            frames = {
                3 * i: turn(),
                3 * i + 9: half,
                3 * i + 18: value,
                50: value,
                60: half,
                70: turn(),
            }
            motion.keys(f"{finger.name}_{number + 1:02}", frames)
    return motion
