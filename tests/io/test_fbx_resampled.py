"""Motion that amended FBX files hold with keys of their own, channels that go, and half turns in scales."""

from dataclasses import replace

import fbx_arm
import numpy as np
import pytest

from rigview.check.applying.repair import repair
from rigview.core import quat
from rigview.core.clip import Channel
from rigview.core.pose import model_from_nodes, sample
from rigview.core.sampler import Sampler
from rigview.io import SaveError, load, save
from rigview.io.fbx.amend.key_rows import fitted


@pytest.fixture(params=[fbx_arm.text, fbx_arm.binary])
def arm(request, tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(request.param())
    return load(path)


def with_channel(rig, name, path, sampler):
    clip, node = rig.clips[0], rig.nodes.names.index(name)
    others = tuple(c for c in clip.channels if (c.node, c.path) != (node, path))
    channels = (*others, Channel(node, path, sampler))
    return replace(rig, clips=(replace(clip, channels=channels),))


def sampler(rig, name, path):
    return rig.clips[0].curve(rig.nodes.names.index(name), path)


def wild(count=5):
    times = np.linspace(0.0, 1.0, count)
    axes = [[1.0, 2.0, np.sin(9.0 * time)] for time in times]
    turns = [quat.from_axis_angle(axis, 4.0 * time) for axis, time in zip(axes, times, strict=True)]
    return Sampler(times, np.stack(turns))


def furthest(a, b):
    """Return how far nodes of two rigs are from each other at most, at many times of the clip."""
    times = np.linspace(0.0, 1.0, 211)
    frames = (model_from_nodes(rig, sample(rig, rig.clips[0], times)) for rig in (a, b))
    first, second = frames
    return np.abs(first - second).max()


def test_a_turn_about_changing_axes_gets_as_many_keys_as_hold_it_and_that_is_said(arm, tmp_path):
    wanted, out = with_channel(arm.rig, "tip", "rotation", wild()), tmp_path / "out.fbx"
    (note,) = save(arm, wanted, out)
    assert note.startswith("in the clip Take the motion of tip is written with new keys, ")
    assert " for 0, at most " in note
    copy = load(out).rig
    assert furthest(wanted, copy) < 1e-5
    keys = len(sampler(copy, "tip", "rotation").stated_times)
    assert f"keys, {keys:,} for 0" in note
    again = tmp_path / "again.fbx"
    loaded = load(out)
    assert save(loaded, loaded.rig, again) == ()
    assert again.read_bytes() == out.read_bytes()


def test_other_values_of_straight_keys_keep_their_number(arm, tmp_path):
    old = sampler(arm.rig, "shoulder", "translation")
    moved = replace(old, values=old.values + np.array([[0.0], [0.1], [0.05]]))
    wanted = with_channel(arm.rig, "shoulder", "translation", moved)
    (note,) = save(arm, wanted, tmp_path / "out.fbx")
    assert "written with new keys, 3 for 3, " in note
    assert furthest(wanted, load(tmp_path / "out.fbx").rig) < 1e-7


def test_steps_stay_steps(arm, tmp_path):
    times = np.array([0.0, 0.25, 0.75])
    values = np.array([[0.1, 0.0, 0.0], [0.2, 0.1, 0.0], [0.0, 0.0, 0.1]])
    wanted = with_channel(arm.rig, "hand", "translation", Sampler(times, values, "STEP"))
    save(arm, wanted, tmp_path / "out.fbx")
    found = sampler(load(tmp_path / "out.fbx").rig, "hand", "translation")
    assert found.interpolation == "STEP"
    assert np.allclose(found.times, times)


def test_channels_that_move_nothing_are_disconnected(arm, tmp_path):
    idle = Sampler(np.array([0.0, 1.0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    moved, out = tmp_path / "moved.fbx", tmp_path / "out.fbx"
    save(arm, with_channel(arm.rig, "sleeve", "translation", idle), moved)
    loaded = load(moved)
    made = repair(loaded.rig, rules=["ANI-TARGET"])
    assert made.applied
    assert save(loaded, made.rig, out) == ()
    copy = load(out).rig
    assert not repair(copy, rules=["ANI-TARGET"]).applied
    paths = [{(c.node, c.path) for c in rig.clips[0].channels} for rig in (copy, arm.rig)]
    assert paths[0] == paths[1]


def test_two_negative_factors_become_a_half_turn(tmp_path):
    head, mark, tail = fbx_arm.text().partition(b'P: "PreRotation"')
    second = tail.find(b'P: "PreRotation"')
    row = b'P: "Lcl Scaling", "Lcl Scaling", "", "A",-1,-1,1\n'
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    path.write_bytes(head + mark + tail[:second] + row + tail[second:])
    loaded = load(path)
    elbow = loaded.rig.nodes.names.index("elbow")
    assert np.array_equal(loaded.rig.nodes.scales[elbow], [-1.0, -1.0, 1.0])
    made = repair(loaded.rig, rules=["SCL-NEG"])
    assert made.applied
    assert save(loaded, made.rig, out) == ()
    copy = load(out).rig
    assert np.array_equal(copy.nodes.scales[elbow], np.ones(3))
    assert furthest(loaded.rig, copy) < 1e-6
    assert len(sampler(copy, "elbow", "rotation").stated_times) == 3


def test_a_curve_that_no_keys_hold_is_refused():
    with pytest.raises(SaveError, match=r"more than .* keys to stay within 1e-09"):
        fitted(
            lambda times: np.sin(1e5 * times)[:, None],
            lambda times, values: np.abs(np.sin(1e5 * times)[:, None] - values).max(axis=1),
            np.array([0.0, 1.0]),
            1e-9,
        )


def test_cubics_are_halved_only_where_the_curve_bends_otherwise():
    def hook(times):
        return np.where(times < 0.5, times**3, 0.125 + np.sin(6.0 * (times - 0.5)))[:, None]

    def off(times, values):
        return np.abs(hook(times) - values).max(axis=1)

    keys = fitted(hook, off, np.array([0.0, 0.5, 1.0]), 1e-5)
    assert keys.off <= 1e-5
    assert np.allclose(keys.values, hook(keys.times), atol=1e-7)
    assert 4 <= len(keys.times) <= 20
    assert not np.any((keys.times > 0.0) & (keys.times < 0.5))


def test_lines_stay_lines():
    def line(times):
        return np.stack([2.0 * times, 1.0 - times], axis=1)

    keys = fitted(line, lambda t, v: np.abs(line(t) - v).max(axis=1), np.array([0.0, 1.0]), 1e-6)
    assert keys.slopes is None
    assert np.array_equal(keys.times, [0.0, 1.0])
