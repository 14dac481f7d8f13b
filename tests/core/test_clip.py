"""Clips against the formulas of glTF 2.0, appendix C, written out for one number at a time."""

import bisect
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.clip import Channel, Clip, Deferred
from rigview.core.pose import sample
from rigview.core.sampler import Sampler, find_usable

seeds = st.integers(0, 2**32 - 1)


def interval(times, t):
    """Return the keys left and right of a time, and the share of the way between them."""
    if t <= times[0] or len(times) == 1:
        return 0, 0, 0.0
    if t >= times[-1]:
        return len(times) - 1, len(times) - 1, 0.0
    right = bisect.bisect_right(times, t)
    left = right - 1
    return left, right, (t - times[left]) / (times[right] - times[left])


def step(times, values, t):
    return values[interval(times, t)[0]]


def linear(times, values, t):
    left, right, u = interval(times, t)
    return [(1 - u) * a + u * b for a, b in zip(values[left], values[right], strict=True)]


def spline(times, values, t):
    left, right, u = interval(times, t)
    td = times[right] - times[left]
    return [
        (2 * u**3 - 3 * u**2 + 1) * start
        + td * (u**3 - 2 * u**2 + u) * out
        + (-2 * u**3 + 3 * u**2) * end
        + td * (u**3 - u**2) * into
        for start, out, end, into in zip(
            values[left][1], values[left][2], values[right][1], values[right][0], strict=True
        )
    ]


def slerp(times, values, t):
    left, right, u = interval(times, t)
    a, b = values[left], values[right]
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    b = [-y for y in b] if dot < 0 else b
    angle = math.acos(min(1.0, abs(dot)))
    if math.sin(angle) < 1e-6:
        return a
    return [
        math.sin((1 - u) * angle) / math.sin(angle) * x + math.sin(u * angle) / math.sin(angle) * y
        for x, y in zip(a, b, strict=True)
    ]


def normalised(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


FORMULAS = {"STEP": step, "LINEAR": linear, "CUBICSPLINE": spline}


def random_curve(seed, interpolation, width):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    times = np.cumsum(rng.uniform(0.01, 1.0, n)) + rng.uniform(-1, 1)
    shape = (n, 3, width) if interpolation == "CUBICSPLINE" else (n, width)
    return times, rng.normal(size=shape)


def moments(times, seed):
    rng = np.random.default_rng(seed)
    inside = rng.uniform(times[0] - 1, times[-1] + 1, 10)
    return np.concatenate([times, inside, [times[0] - 5, times[-1] + 5]])


@pytest.mark.parametrize("interpolation", FORMULAS)
@given(seed=seeds, width=st.integers(1, 5))
def test_a_curve_follows_its_formula(interpolation, seed, width):
    times, values = random_curve(seed, interpolation, width)
    curve = Sampler(times, values, interpolation)
    for t in moments(times, seed):
        wanted = FORMULAS[interpolation](times.tolist(), values.tolist(), float(t))
        assert np.allclose(curve.at(np.asarray(t)), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("interpolation", FORMULAS)
@given(seed=seeds)
def test_a_rotation_follows_its_formula_and_is_unit(interpolation, seed):
    times, values = random_curve(seed, interpolation, 4)
    if interpolation != "CUBICSPLINE":
        values /= np.linalg.norm(values, axis=1, keepdims=True)
    formula = {**FORMULAS, "LINEAR": slerp}[interpolation]
    curve = Sampler(times, values, interpolation)
    for t in moments(times, seed):
        wanted = normalised(formula(times.tolist(), values.tolist(), float(t)))
        got = curve.at(np.asarray(t), rotation=True)
        # A key and its negative are the same rotation.
        assert np.allclose(got * np.sign(np.dot(got, wanted)), wanted, atol=1e-9)
        assert np.linalg.norm(got) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("rotation", [False, True])
@pytest.mark.parametrize("interpolation", FORMULAS)
@given(seed=seeds)
def test_many_times_at_once_are_the_same_as_one_by_one(interpolation, rotation, seed):
    times, values = random_curve(seed, interpolation, 4)
    curve = Sampler(times, values, interpolation)
    grid = moments(times, seed)[:6].reshape(2, 3)
    together = curve.at(grid, rotation=rotation)
    assert together.shape == (2, 3, 4)
    for i, j in np.ndindex(2, 3):
        assert np.array_equal(together[i, j], curve.at(grid[i, j], rotation=rotation))


@given(rig=rigs.rigs(clips=1, joints=6, animated=("translation", "rotation", "scale"), morphs=2))
def test_bundles_are_the_same_as_channel_by_channel(rig):
    clip = rig.clips[0]
    times = np.linspace(-0.5, 2.5, 9)
    pose = sample(rig, clip, times)
    rows = {"translation": pose.translations, "rotation": pose.rotations, "scale": pose.scales}
    assert sum(len(bundle.nodes) for bundle in clip.bundles) == len(clip.active)
    for node, path, _, curve in clip.active:
        alone = curve.at(times, rotation=path == "rotation")
        if path == "weights":
            assert np.array_equal(pose.morph_weights[node], alone)
        else:
            assert np.array_equal(rows[path][:, node], alone)


def test_a_step_holds_its_key_until_the_next_and_takes_the_last():
    curve = Sampler(np.array([0.0, 1.0, 2.0]), np.array([[1.0], [2.0], [3.0]]), "STEP")
    times = np.array([-1.0, 0.0, 0.999999, 1.0, 1.5, 1.999999, 2.0, 3.0])
    assert curve.at(times)[:, 0].tolist() == [1, 1, 1, 2, 2, 2, 3, 3]


def test_a_step_on_a_frame_is_taken_at_the_time_of_the_frame():
    frames = np.arange(48)
    for rate in (24.0, 30.0, 60.0, 24000 / 1001):
        for stored in (np.float32(frames / rate).astype(np.float64), frames / rate):
            curve = Sampler(stored, frames[:, None].astype(np.float64), "STEP")
            assert curve.at(frames / rate)[:, 0].tolist() == frames.tolist()
            assert curve.at((frames + 0.999) / rate)[:, 0].tolist() == frames.tolist()


def test_a_rotation_of_opposite_sign_goes_the_short_way():
    q = np.array([[0.0, 0, 0, 1], [0.0, 0, -math.sin(0.1), -math.cos(0.1)]])
    middle = Sampler(np.array([0.0, 1.0]), q).at(np.array(0.5), rotation=True)
    assert np.allclose(np.abs(middle), [0, 0, math.sin(0.05), math.cos(0.05)])


def damaged(value, key=1):
    values = np.arange(12.0).reshape(4, 3)
    values[key, 1] = value
    return Sampler(np.array([0.0, 1.0, 2.0, 3.0]), values)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_keys_that_are_no_numbers_are_left_out(value):
    without = Sampler(np.array([0.0, 2.0, 3.0]), np.arange(12.0).reshape(4, 3)[[0, 2, 3]])
    times = np.linspace(-1, 4, 21)
    assert np.array_equal(damaged(value).at(times), without.at(times))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_times_that_are_no_numbers_are_left_out(value):
    values = np.arange(12.0).reshape(4, 3)
    curve = Sampler(np.array([0.0, value, 2.0, 3.0]), values)
    assert curve.usable.times.tolist() == [0, 2, 3]
    assert np.array_equal(curve.usable.values, values[[0, 2, 3]])


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_spline_key_with_a_broken_tangent_is_left_out(part):
    values = np.arange(36.0).reshape(4, 3, 3)
    values[2, part, 0] = np.nan
    assert Sampler(np.arange(4.0), values, "CUBICSPLINE").usable.times.tolist() == [0, 1, 3]


@given(seed=seeds, interpolation=st.sampled_from(list(FORMULAS)))
def test_unsorted_keys_are_sorted(seed, interpolation):
    times, values = random_curve(seed, interpolation, 3)
    order = np.random.default_rng(seed).permutation(len(times))
    mixed = Sampler(times[order], values[order], interpolation)
    grid = moments(times, seed)
    assert np.array_equal(mixed.at(grid), Sampler(times, values, interpolation).at(grid))


@pytest.mark.parametrize("interpolation", FORMULAS)
def test_keys_at_one_time_give_finite_values_and_keep_the_ends(interpolation):
    values = np.arange(12.0).reshape(4, 1, 3)
    values = np.repeat(values, 3, axis=1) if interpolation == "CUBICSPLINE" else values[:, 0]
    curve = Sampler(np.array([0.0, 1.0, 1.0, 2.0]), values, interpolation)
    got = curve.at(np.linspace(-1, 3, 41))
    assert np.all(np.isfinite(got))
    assert got[0].tolist() == [0, 1, 2]
    assert got[-1].tolist() == [9, 10, 11]


@pytest.mark.parametrize("times", [[], [np.nan, np.inf]])
def test_a_curve_without_any_key_has_no_value_and_moves_nothing(times):
    empty = Sampler(np.array(times), np.zeros((len(times), 3)))
    assert empty.usable is None
    with pytest.raises(ValueError, match="no usable key"):
        empty.at(np.array(0.0))
    rig = rigs.make(rigs.Recipe())
    clip = Clip("empty", (Channel(1, "translation", empty),))
    assert (clip.start, clip.end, len(clip.key_times), clip.active) == (0.0, 0.0, 0, ())
    assert np.array_equal(sample(rig, clip, 1.0).translations, rig.nodes.translations)


@given(seeds)
def test_curves_judged_together_are_judged_as_alone(seed):
    random = np.random.default_rng(seed)
    shared = np.sort(random.random(4))

    def curve():
        times = [shared, np.sort(random.random(3)), random.random(3), np.zeros(0), np.zeros(2)]
        own = times[random.integers(len(times))]
        values = random.random((len(own), 2))
        if len(own) and random.random() < 0.2:
            values[0, 0] = np.nan
        return Sampler(own, values)

    together = [curve() for _ in range(random.integers(1, 6))]
    alone = [Sampler(s.times, s.values) for s in together]
    find_usable(together)
    for a, b in zip(together, alone, strict=True):
        assert (a.usable is a, a.usable is None) == (b.usable is b, b.usable is None)


def test_a_channel_without_node_moves_nothing():
    rig = rigs.make(rigs.Recipe())
    curve = Sampler(np.array([0.0, 7.0]), np.ones((2, 3)))
    clip = Clip("lost", (Channel(None, "translation", curve),))
    assert clip.active == ()
    assert np.array_equal(sample(rig, clip, 1.0).translations, rig.nodes.translations)


def test_of_two_channels_for_one_property_the_first_counts():
    first = Sampler(np.array([0.0]), np.array([[1.0, 2, 3]]))
    second = Sampler(np.array([0.0]), np.array([[4.0, 5, 6]]))
    clip = Clip("twice", (Channel(1, "translation", first), Channel(1, "translation", second)))
    rig = rigs.make(rigs.Recipe())
    assert sample(rig, clip, 0.0).translations[1].tolist() == [1, 2, 3]
    assert clip.curve(1, "translation") is first


def test_a_clip_spans_its_keys_and_knows_each_of_their_times_once():
    rows = ([0.5, 1.0], [0.25, 1.0, 3.0])
    channels = tuple(
        Channel(i + 1, "translation", Sampler(np.array(row), np.zeros((len(row), 3))))
        for i, row in enumerate(rows)
    )
    clip = Clip("span", channels)
    assert (clip.start, clip.end) == (0.25, 3.0)
    assert clip.key_times.tolist() == [0.25, 0.5, 1.0, 3.0]


def test_an_animated_node_leaves_its_matrix_for_its_parts():
    rig = rigs.make(rigs.Recipe(seed=2))
    matrix = np.diag([2.0, 2.0, 2.0, 1.0])
    stated = rigs.with_nodes(rig, matrices={1: matrix})
    curve = Sampler(np.array([0.0]), np.array([[5.0, 0, 0]]))
    clip = Clip("move", (Channel(1, "translation", curve),))
    assert 1 in sample(stated, None, 0.0).matrices
    moved = sample(stated, clip, 0.0)
    assert 1 not in moved.matrices
    assert moved.local_matrices()[1, :3, 3].tolist() == [5, 0, 0]


@pytest.mark.parametrize(
    ("times", "values", "interpolation"),
    [
        (np.zeros(2), np.zeros((3, 3)), "LINEAR"),
        (np.zeros(2), np.zeros((2, 2, 3)), "CUBICSPLINE"),
        (np.zeros((2, 1)), np.zeros((2, 3)), "STEP"),
    ],
)
def test_a_curve_of_another_shape_is_refused(times, values, interpolation):
    with pytest.raises(ValueError, match="wanted shape"):
        Sampler(times, values, interpolation)


def test_deferred_channels_are_made_once_whoever_asks_first():
    made = []

    def make():
        made.append(threading.get_ident())
        time.sleep(0.01)
        return [Channel(node, "scale", Sampler([0.0, 1.0], np.ones((2, 3)))) for node in range(3)]

    clip = Clip("later", Deferred(make))
    assert not made
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _: len(clip.channels), range(4)))
    assert counts == [3] * 4
    assert len(made) == 1
    assert [channel.node for channel in clip.channels] == [0, 1, 2]
    assert [channel.node for channel in clip.channels[1:]] == [1, 2]
    assert clip.channels[0] is next(iter(clip.channels))
    assert clip.end == 1.0


def test_a_clip_is_read_once_its_channels_are_made_and_prepared_with_its_keys():
    curve = Sampler([0.0, 1.0, 2.0], np.ones((3, 3)), stated=np.array([0.0, 2.0]))
    channels = (Channel(0, "scale", curve),)
    assert Clip("now", channels).is_read
    later = Clip("later", Deferred(lambda: channels))
    assert not later.is_read
    later.prepare()
    assert later.is_read
    assert later.stated_times.tolist() == curve.stated_times.tolist() == [0.0, 2.0]
    assert later.key_times.tolist() == [0.0, 1.0, 2.0]


def test_other_values_are_made_when_they_are_asked_for_and_what_moves_is_known_before():
    curve = Sampler([0.0, 1.0], np.ones((2, 3)))
    clip = Clip("grown", (Channel(0, "scale", curve), Channel(2, "weights", curve)))
    larger = Sampler([0.0, 1.0], np.full((2, 3), 2.0))
    grown = clip.with_values([0], lambda channel: replace(channel, sampler=larger))
    assert grown.properties == ((0, "scale"), (2, "weights"))
    assert grown.moves == {0}
    assert not grown.is_read
    assert grown.curve(0, "scale") is larger
    assert (grown.start, grown.end) == (clip.start, clip.end)


def test_a_clip_of_other_values_says_whose_they_are_and_keeps_the_others():
    curve = Sampler([0.0, 1.0], np.ones((2, 3)))
    bare = Channel(None, "scale", curve)
    channels = (*(Channel(n, p, curve) for n in (3, 1, 3) for p in ("scale", "translation")), bare)
    clip = Clip("grown", channels)
    larger = Sampler([0.0, 1.0], np.full((2, 3), 2.0))
    changed = []

    def change(channel):
        changed.append(channel)
        return replace(channel, sampler=larger)

    grown = clip.with_values([3, 7], change)
    assert clip.places == {3: (0, 1, 4, 5), 1: (2, 3)}
    assert not changed
    assert [grown.of_node(node) for node in (1, 7)] == [clip.of_node(1), ()]
    assert len(changed) == 4
    assert [c is old for c, old in zip(grown.channels, channels, strict=True)] == [
        channel.node != 3 for channel in channels
    ]
    assert grown.changed_since(clip) == {3, 7}
    assert clip.changed_since(clip) == frozenset()
    assert clip.changed_since(grown) is None
    twice = grown.with_values([1], change)
    assert twice.changed_since(clip) is None
    anew = Clip("anew", tuple(twice.channels))
    assert twice.properties == anew.properties
    assert twice.moves == anew.moves
    assert twice.places == anew.places
    np.testing.assert_array_equal(twice.key_times, anew.key_times)
    assert twice.curve(3, "scale") is twice.curve(1, "translation") is larger
    assert twice.curve(7, "scale") is None
