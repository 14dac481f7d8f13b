"""Rigs that a limit finds nothing in by default, and something once it is tightened: one per limit.

They stand beside those of samples/faults.py, for limits that no function there takes a size for.
"""

import numpy as np

import quaternions as qt
from document import Channel
from draft import TIMES, draft, figure, globals_of, still, turn_frame, written
from faults_motion import ani_const, def_intersect, def_stretch, sharply_bent

# Left arm, its hand; right arm, its hand; left leg and right leg.
ARM_L, HAND_L, ARM_R, HAND_R, LEG_L, LEG_R = 2, 3, 6, 7, 5, 9
HEAD = 1


def _turned(axis, degrees):
    return qt.about(axis, degrees)


def armature_turned():
    rig = draft()
    rig.armature = {"rotation": _turned((1.0, 0.0, 0.0), 0.5)}
    return written(rig)


def scaled_a_little():
    rig = draft()
    rig.armature = {"scale": [1.00005] * 3}
    rig.translations /= 1.00005
    rig.binds[:, :3] /= 1.00005
    return written(rig)


def bound_a_little_larger():
    rig = draft()
    rig.positions = rig.positions / 1.00005
    rig.binds[:, :3, :3] *= 1.00005
    return written(rig)


def bound_twice_a_little_apart():
    rig = draft()

    def second(document, nodes, primitive):
        document.node("Sleeve", 0, mesh=document.mesh("Sleeve", primitive), skin=1)
        binds = rig.binds.copy()
        binds[3, 0, 3] += 0.01
        document.skin("Sleeve", nodes, binds, skeleton=nodes[0])
        return []

    rig.more = second
    return written(rig)


def resting_a_little_apart():
    rig = draft()
    rig.translations[1, 0] += 0.01
    return written(rig)


def next_bone_a_little_nearer():
    rig = draft()
    still(rig)
    above = (rig.positions[:, 1] > 2.0) & (rig.positions[:, 1] < 2.5)
    rig.joints[above], rig.weights[above] = (1, 0, 0, 0), (1.0, 0.0, 0.0, 0.0)
    return written(rig)


def folding_a_little():
    return sharply_bent(140.0)


def touching_a_little():
    return def_intersect(degrees=150.0)


def twisted_a_little():
    return def_stretch(degrees=30.0)


def _ending(metres, degrees, name):
    """Return a clip whose last pose is off its first by a length and an angle."""
    rig = draft()
    rig.clip = name
    rig.keys[1, 2] = _turned((1.0, 0.0, 0.0), degrees)
    path = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [metres, 1.0, 0.0]])
    rig.more = lambda _document, nodes, _primitive: [Channel(nodes[2], "translation", TIMES, path)]
    return written(rig)


def ending_a_little_apart():
    return _ending(0.005, 0.0, "Walk")


def ending_far_round():
    return _ending(0.0, 15.0, "Bend")


def ending_far_away():
    return _ending(0.4, 0.0, "Bend")


def crossed_a_little():
    rig = figure()
    rig.translations[[LEG_L, LEG_R], 0] += (-0.104, 0.104)
    rig.binds = np.linalg.inv(globals_of(rig))
    return written(rig)


def mirrored_elsewhere():
    rig = figure()
    turn_frame(rig, ARM_R, _turned((0.0, 1.0, 0.0), 20.0))
    rig.translations[ARM_R] += (0.0, 0.1, 0.0)
    rig.binds = np.linalg.inv(globals_of(rig))
    return written(rig)


def _following(vertices, own, other, weight):
    """Return a figure some of whose vertices follow another joint by a weight."""
    rig = figure()
    chosen = vertices(rig.positions)
    rig.joints[chosen, :2], rig.weights[chosen] = (own, other), (1.0 - weight, weight, 0.0, 0.0)
    still(rig)
    return written(rig)


def hand_with_head():
    return _following(lambda p: p[:, 0] > 0.75, HAND_L, HEAD, 0.1)


def arm_with_arm():
    return _following(lambda p: (p[:, 0] > 0.3) & (p[:, 0] < 0.4), ARM_L, ARM_R, 0.1)


def leg_with_leg():
    return _following(lambda p: (p[:, 1] < 0.3) & (p[:, 0] > 0.0), LEG_L, LEG_R, 0.1)


def _island(vertices, weight):
    """Return a tube a few neighbouring vertices of whose top follow the root."""
    rig = draft()
    row = np.flatnonzero(np.abs(rig.positions[:, 1] - 3.5) < 0.13)[1 : 1 + vertices]
    rig.joints[row, :2], rig.weights[row] = (3, 0), (1.0 - weight, weight, 0.0, 0.0)
    still(rig)
    return written(rig)


def small_light_island():
    return _island(3, 0.1)


def larger_island():
    return _island(6, 0.3)


def _uneven():
    rig = figure()
    hand = np.flatnonzero(rig.positions[:, 0] < -0.75)
    rig.joints[hand, :2], rig.weights[hand, :2] = (HAND_R, ARM_R), (0.8, 0.2)
    return rig, hand


def uneven_and_moved():
    rig, hand = _uneven()
    rig.positions[hand] += (1e-4, 0.0, 0.0)
    return written(rig)


def uneven_with_arms_elsewhere():
    rig, _ = _uneven()
    rig.binds[[ARM_R, HAND_R], 2, 3] += 0.2
    return written(rig)


def nearly_constant():
    return ani_const(degrees=0.01)


WITNESSES = {
    "HIE-GAP.turn": armature_turned,
    "HIE-SIDE": crossed_a_little,
    "ORI-MIRROR.place": mirrored_elsewhere,
    "SCL-INHERIT": scaled_a_little,
    "SCL-SKIN": bound_a_little_larger,
    "BND-CONFLICT.move": bound_twice_a_little_apart,
    "BND-REST.move": resting_a_little_apart,
    "WGT-STRAY.steps": hand_with_head,
    "WGT-STRAY.side-steps": arm_with_arm,
    "WGT-STRAY.distance": leg_with_leg,
    "WGT-STRAY.island": larger_island,
    "WGT-STRAY.island-weight": small_light_island,
    "WGT-SYM.vertex": uneven_and_moved,
    "WGT-SYM.joint": uneven_with_arms_elsewhere,
    "WGT-SYM.joints": uneven_with_arms_elsewhere,
    "WGT-NEAREST": next_bone_a_little_nearer,
    "ANI-LOOP.move": ending_a_little_apart,
    "ANI-LOOP.meant-turn": ending_far_round,
    "ANI-LOOP.meant-move": ending_far_away,
    "ANI-CONST": nearly_constant,
    "DEF-FLIP": folding_a_little,
    "DEF-INTERSECT": touching_a_little,
    "DEF-STRETCH.compression": twisted_a_little,
    "DEF-STRETCH.areas": twisted_a_little,
}
