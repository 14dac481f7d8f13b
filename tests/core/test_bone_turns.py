"""Bend and twist of a joint: what is asked for is what is read."""

import numpy as np
import pytest

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.motion.bone_turns import BoneTurn, bone_turn, square_axis, trial_for
from rigview.core.motion.held_pose import held_pose
from rigview.core.pose import sample
from rigview.io import load


def test_bend_and_twist_asked_for_are_those_that_are_read_in_any_pose_of_a_clip(samples):
    rig = load(samples / "arm.glb").rig
    deformer, clip = Deformer(rig), rig.clips[0]
    joint = rig.nodes.names.index("lowerarm")
    hinge = square_axis(deformer, joint)
    for time in np.linspace(clip.start, clip.end, 4):
        pose = sample(rig, clip, float(time))
        for bend, twist in ((0.0, 40.0), (60.0, -90.0), (-120.0, 10.0), (30.0, 170.0)):
            asked = BoneTurn(bend, twist, hinge)
            angles = trial_for(deformer, pose, (0.0, 0.0, 0.0), joint, asked)
            tried = pose.turned({joint: quat.from_euler(np.radians(np.array(angles)))})
            read = bone_turn(deformer, tried, joint, hinge)
            assert (read.bend, read.twist) == pytest.approx((bend, twist), abs=1e-6)
            held = sample(rig, held_pose(rig, tried, float(time), "held"), 99.0)
            np.testing.assert_allclose(held.rotations, tried.rotations)
            np.testing.assert_allclose(held.translations, tried.translations)
