"""``--rest-pose``: the arms of a rest pose turned, with what that changes said."""

import numpy as np
import pytest

from rigview.check.applying.dryrun import dry_run
from rigview.io import load


@pytest.mark.parametrize("command", ["fix", "convert"])
def test_the_rest_pose_turns_and_no_clip_changes(rigview, samples, command, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview(command, samples / "biped.glb", "--rest-pose", "A", "-o", out)
    assert done.status == 0
    assert "the arms rest in an A-pose; " in done.err
    assert "nothing moves in " in done.err
    before, after = load(samples / "biped.glb").rig, load(out).rig
    assert not np.array_equal(before.nodes.rotations, after.nodes.rotations)
    assert dry_run(before, after, rest=False).exact


def test_a_new_bind_is_said_to_move_vertices(rigview, samples, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview("fix", samples / "biped.glb", "--rest-pose", "A", "--bind-anew", "-o", out)
    assert done.status == 0
    assert "most at vertex " in done.err
    assert "BND-REST" not in done.out


def test_a_fix_that_changes_the_rest_pose_says_what_clips_do(rigview, broken, tmp_path):
    done = rigview("fix", broken("ORI-TPOSE"), "--rules", "ORI-TPOSE", "-o", tmp_path / "out.glb")
    assert "Pose the mesh in a T-pose and bind it anew; nothing moves in" in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bind-anew"], "--bind-anew binds the mesh in the pose that --rest-pose T or A names"),
        (["--rest-pose", "A", "--skip-refused"], "--rest-pose is none: run fix twice"),
        (["--rest-pose", "T"], "the arms cannot rest in a T-pose: "),
    ],
)
def test_what_cannot_be_done_is_one_sentence(rigview, samples, arguments, words, tmp_path):
    out = tmp_path / "out.glb"
    done = rigview("fix", samples / "arm.glb", *arguments, "-o", out)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert len(done.err.splitlines()) == 1
    assert not out.exists()


def test_a_studio_that_asks_for_a_pose_is_told_where_it_is_not_so(rigview, broken, tmp_path):
    settings = tmp_path / "rigview.toml"
    settings.write_text('rest-pose = "T"\n')
    rule = "--select", "ORI-TPOSE", "--config", settings
    done = rigview("check", broken("ORI-TPOSE"), *rule, "--fail-on", "warning")
    assert done.status == 1
    assert "off a T-pose at rest" in done.out
    settings.write_text('rest-pose = "A"\n')
    assert "at rest" not in rigview("check", broken("ORI-TPOSE"), *rule).out
    settings.write_text('rest-pose = "I"\n')
    assert "rest-pose: there is no pose" in rigview("check", broken("ORI-TPOSE"), *rule).err
