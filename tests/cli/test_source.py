"""What may be said of the file that a command opens: unit, axis, rate, and clips of another one."""

import numpy as np
import pytest

from rigview.io import load

BVH = """HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 0 100
}
}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0 0 0 0
0 0 9 0 0 0
"""


@pytest.fixture
def motion(tmp_path):
    path = tmp_path / "motion.bvh"
    path.write_text(BVH, encoding="utf-8")
    return path


def test_unit_axis_and_rate_are_overridden_and_shown(rigview, motion):
    facts = rigview("info", motion, "--unit", "in", "--up", "z", "--fps", 12, "--json").json
    assert (facts["unit_m"], facts["up"], facts["fps"]) == (0.0254, "Z", 12.0)
    assert sum("is set to" in note for note in facts["notes"]) == 3
    assert any("Z is set to be up" in note for note in facts["notes"])


def test_a_converted_rig_is_as_the_user_says(rigview, motion, tmp_path):
    done = rigview("convert", motion, "-o", tmp_path / "out.glb", "--unit", "0.5", "--up", "Z")
    assert done.status == 0
    rig = load(tmp_path / "out.glb").rig
    np.testing.assert_allclose(rig.nodes.translations[1], [0, 0, 50])
    np.testing.assert_allclose(rig.nodes.rotations[0], [-np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


@pytest.mark.parametrize("unit", ["miles", "0", "-1", "nan", "inf"])
def test_a_unit_that_is_none_is_refused(rigview, motion, unit):
    done = rigview("info", motion, f"--unit={unit}")
    assert done.status == 2
    assert f"{unit} is no unit" in done.err


def test_clips_of_another_file_are_played(rigview, samples, tmp_path):
    arm = samples / "arm.glb"
    plain, borrowed = tmp_path / "plain.npz", tmp_path / "borrowed.npz"
    clip = load(arm).rig.clips[-1].name
    common = ("--clip", clip, "--time", 0.5)
    assert rigview("bake", arm, "-o", plain, *common).status == 0
    assert rigview("bake", arm, "-o", borrowed, *common, "--clips-from", arm).status == 0
    np.testing.assert_array_equal(np.load(plain)["positions"], np.load(borrowed)["positions"])


def test_a_file_whose_clips_move_nothing_here_is_refused(rigview, box, motion, tmp_path):
    done = rigview("bake", box, "-o", tmp_path / "x.npz", "--clips-from", motion)
    assert done.status == 2
    assert "no clip of it moves a joint" in done.err
    assert not (tmp_path / "x.npz").exists()


def test_clips_that_do_not_suit_the_rig_are_refused_unless_wanted(rigview, samples, tmp_path):
    out = tmp_path / "pose.npz"
    arguments = ("bake", samples / "arm.glb", "--clips-from", samples / "faulty_arm.glb", "-o", out)
    refused = rigview(*arguments)
    assert refused.status == 2
    assert "lowerarm 34° away" in refused.err
    assert not out.exists()
    assert rigview(*arguments, "--play-anyway").status == 0
    assert out.exists()
