"""FBX: transforms, curves, units and layers against plain evaluations of what FBX states."""

import math

import fbx_documents as fbx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.check.run import run
from rigview.core import euler
from rigview.core.deform import Deformer
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.io.curves import Outside
from rigview.io.fbx.keys import build
from rigview.io.fbx.tangents import CONSTANT, CONSTANT_NEXT, CUBIC, USER, WEIGHTED_RIGHT, Keys

RRSS, RSRS, RRS = range(3)
ORDERS = ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")


def opened(folder, objects, links, settings="", **options):
    path = folder / "file.fbx"
    path.write_bytes(fbx.document(objects, links, settings, **options))
    return load(path)


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = [n for n in range(3) if n != axis]
    result = np.eye(4)
    sign = -1.0 if axis == 1 else 1.0
    result[i, i], result[j, j], result[i, j], result[j, i] = c, c, -sign * s, sign * s
    return result


def moved(by):
    result = np.eye(4)
    result[:3, 3] = by
    return result


def turned(degrees, order="XYZ"):
    result = np.eye(4)
    for letter in order:
        axis = "XYZ".index(letter)
        result = turn(axis, degrees[axis]) @ result
    return result


def scaled(by):
    return np.diag([*by, 1.0])


def local(node):
    """Return the product that FBX prescribes, factor by factor, and its scale taken off."""
    rp, sp = node["RotationPivot"], node["ScalingPivot"]
    s = node["Lcl_Scaling"]
    whole = (
        moved(node["Lcl_Translation"])
        @ moved(node["RotationOffset"])
        @ moved(rp)
        @ turned(node["PreRotation"])
        @ turned(node["Lcl_Rotation"], ORDERS[node["RotationOrder"]])
        @ np.linalg.inv(turned(node["PostRotation"]))
        @ moved(-rp)
        @ moved(node["ScalingOffset"])
        @ moved(sp)
        @ scaled(s)
        @ moved(-sp)
    )
    return whole @ scaled(1.0 / s)


def chain_in_model_space(nodes):
    """Return ``(N, 4, 4)`` of a chain of nodes: frame without handed-down scale, times that scale.

    As in the sample "Transformations" of the FBX SDK, Rrs leaves out the scale of the parent alone.
    """
    result = []
    frame, handed, kept = np.eye(4), np.ones(3), np.ones(3)
    for number, node in enumerate(nodes):
        unscaled, s, mode = local(node), node["Lcl_Scaling"], node["InheritType"]
        if number == 0 or mode == RSRS:
            frame, kept = frame @ scaled(handed) @ unscaled, np.ones(3)
        else:
            placed = unscaled.copy()
            placed[:3, 3] *= handed
            frame, kept = frame @ placed, (handed if mode == RRSS else kept)
        handed = kept * s
        result.append(frame @ scaled(handed))
    return np.array(result)


numbers = st.floats(-3.0, 3.0)
vectors = st.builds(lambda *v: np.round(v, 3), numbers, numbers, numbers)
angles = vectors.map(lambda v: v * 60.0)
factors = st.floats(0.3, 2.0).map(lambda v: round(v, 3))
scales = st.one_of(
    factors.map(lambda k: np.full(3, k)),
    st.builds(lambda *v: np.array(v), factors, factors, factors),
)
chains = st.lists(
    st.fixed_dictionaries(
        {
            "Lcl_Translation": vectors,
            "Lcl_Rotation": angles,
            "Lcl_Scaling": scales,
            "RotationOffset": vectors,
            "RotationPivot": vectors,
            "ScalingOffset": vectors,
            "ScalingPivot": vectors,
            "PreRotation": angles,
            "PostRotation": angles,
            "RotationOrder": st.integers(0, 5),
            "InheritType": st.integers(0, 2),
        }
    ),
    min_size=1,
    max_size=4,
)


@given(nodes=chains)
def test_every_mix_of_pivots_orders_and_inheritance_is_exact(tmp_path_factory, nodes):
    objects = "".join(fbx.model(i + 1, f"n{i}", **node) for i, node in enumerate(nodes))
    links = "".join(f'C: "OO",{i + 1},{i}\n' for i in range(len(nodes)))
    rig = opened(tmp_path_factory.mktemp("chain"), objects, links).rig
    frames = model_from_nodes(rig, rest_pose(rig))
    wanted = chain_in_model_space(nodes)
    for i, expected in enumerate(wanted):
        got = frames[rig.nodes.names.index(f"n{i}")].copy()
        got[:3, 3] *= 100.0
        np.testing.assert_allclose(got, expected, atol=1e-9 * max(1.0, np.abs(wanted).max()))


@pytest.mark.parametrize(
    ("code", "order"), list(enumerate(("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")))
)
def test_angles_in_the_order_of_the_file_are_those_it_states(tmp_path, code, order):
    degrees = (20.0, -35.0, 50.0)
    node = fbx.model(1, "a", Lcl_Rotation=degrees, RotationOrder=code)
    rig = opened(tmp_path, node, 'C: "OO",1,0\n').rig
    assert rig.origin.rotation_order("a") == order
    found = euler.to_angles(rig.nodes.rotations[rig.nodes.names.index("a")], order)
    np.testing.assert_allclose(np.degrees(found), degrees, atol=1e-9)


def test_a_helper_stands_only_where_scale_shears(tmp_path):
    def nodes_under(scale):
        objects = fbx.model(1, "a", Lcl_Scaling=scale) + fbx.model(
            2, "b", Lcl_Rotation=(0, 0, 30), InheritType=RRS
        )
        return opened(tmp_path, objects, 'C: "OO",1,0\nC: "OO",2,1\n').rig.nodes

    assert nodes_under((2, 2, 2)).names == ("a", "b")
    sheared = nodes_under((2, 1, 1))
    assert len(sheared) == 3
    assert sheared.names[0] == "a"
    assert sheared.names[2] == "b"
    assert sheared.is_ancestor(0, 2)


@pytest.mark.parametrize("uniform", [True, False])
def test_animated_scale_is_taken_off_the_children_at_every_time(tmp_path, uniform):
    curves = fbx.curve(11, [0, 1, 2], [1.0, 3.0, 0.5])
    objects, links = fbx.animated(
        10, 1, "Lcl Scaling", {"d|X": 11, **({"d|Y": 11, "d|Z": 11} if uniform else {})}
    )
    # What has no curve of its own has the curve node's value.
    defaults = 'Properties70:  {\nP: "d|Y", "Number", "", "A",1\nP: "d|Z", "Number", "", "A",1\n}\n'
    objects = objects.replace("{\n}", "{\n" + defaults + "}")
    a = {"Lcl_Translation": (0, 0, 0), "Lcl_Rotation": (0, 0, 20)}
    b = {"Lcl_Translation": (1, 2, 3), "Lcl_Rotation": (10, 40, 70), "InheritType": RRS}
    rig = opened(
        tmp_path,
        fbx.STACK + fbx.model(1, "a", **a) + fbx.model(2, "b", **b) + curves + objects,
        fbx.STACK_LINKS + links + 'C: "OO",1,0\nC: "OO",2,1\n',
    ).rig
    for time, s in ((0.0, 1.0), (0.25, 1.5), (1.0, 3.0), (1.7, 1.25), (2.0, 0.5)):
        pose = sample(rig, rig.clips[0], time)
        frame = model_from_nodes(rig, pose)[rig.nodes.names.index("b")]
        scale = np.array([s, s, s]) if uniform else np.array([s, 1.0, 1.0])
        wanted = turned(a["Lcl_Rotation"]) @ moved(scale * b["Lcl_Translation"])
        wanted = wanted @ turned(b["Lcl_Rotation"])
        frame[:3, 3] *= 100.0
        np.testing.assert_allclose(frame, wanted, atol=2e-5)


def bezier(u, w0, w1, y):
    """Evaluate a Bézier curve over its first coordinate, by bisection."""
    low, high = 0.0, 1.0

    def at(s, a, b, c, d):
        r = 1.0 - s
        return r**3 * a + 3 * r * r * s * b + 3 * r * s * s * c + s**3 * d

    for _ in range(80):
        middle = 0.5 * (low + high)
        if at(middle, 0.0, w0, 1.0 - w1, 1.0) < u:
            low = middle
        else:
            high = middle
    return at(low, *y)


@given(
    weights=st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)),
    slopes=st.tuples(numbers, numbers),
    values=st.tuples(numbers, numbers),
    u=st.floats(0.0, 1.0),
)
def test_weighted_tangents_are_bezier_curves(weights, slopes, values, u):
    (w0, w1), (m0, m1), (a, b) = weights, slopes, values
    length = 2.0
    flags = CUBIC | USER | WEIGHTED_RIGHT | (WEIGHTED_RIGHT << 1)
    keys = Keys(
        np.array([1.0, 1.0 + length]),
        np.array([[a, b]]),
        np.array([[flags, flags]]),
        np.array([[[m0, m1, w0, w1], [0.0] * 4]]),
    )
    got = build(keys).at(np.array([0]), np.array([1.0 + u * length]))[0, 0]
    wanted = bezier(u, w0, w1, (a, a + w0 * length * m0, b - w1 * length * m1, b))
    assert got == pytest.approx(wanted, abs=1e-9 * (1 + abs(wanted)) + 1e-7 * abs(b - a))


def group(flags, *outside):
    times, values = np.array([0.0, 1.0, 2.0]), np.array([[0.0, 3.0, 1.0]])
    data = np.zeros((1, 3, 4))
    return build(Keys(times, values, np.array([flags]), data), *outside)


def at(curves, time):
    return float(curves.at(np.array([0]), np.array([float(time)]))[0, 0])


def test_constant_keys_hold_their_own_or_the_next_value():
    own, following = group([CONSTANT] * 3), group([CONSTANT | CONSTANT_NEXT] * 3)
    assert [at(own, t) for t in (0, 0.5, 1, 1.5, 2)] == [0, 0, 3, 3, 1]
    assert [at(following, t) for t in (0, 0.5, 1, 1.5, 2)] == [0, 3, 3, 1, 1]


def test_what_goes_on_outside_the_keys():
    line = [4] * 3
    times = (-3.5, -0.5, 2.5, 4.5)
    for mode, wanted in (
        ("C", [0, 0, 1, 1]),
        ("R", [1.5, 2, 1.5, 1.5]),
        ("M", [1.5, 1.5, 2, 1.5]),
        ("A", [-0.5, 1, 2.5, 3.5]),
        ("K", [-10.5, -1.5, 0, -4]),
    ):
        assert [at(group(line, *[Outside(mode)] * 2), t) for t in times] == wanted


@pytest.mark.parametrize("flags", [4, CUBIC | USER])
def test_a_key_alone_is_held_whatever_slope_it_states(flags):
    keys = Keys(np.zeros(1), np.array([[3.0]]), np.array([[flags]]), np.full((1, 1, 4), 2.0))
    curves = build(keys, Outside("K"), Outside("K"))
    assert [at(curves, t) for t in (-1.0, 0.0, 1.0)] == [3.0] * 3


def test_a_cycle_comes_again_as_often_as_it_says():
    line = [4] * 3
    times = (-9.0, -2.5, -0.5, 2.5, 4.5, 9.0)
    for mode, repeats, wanted in (
        ("R", 0, [0, 0, 0, 1, 1, 1]),
        ("R", 1, [0, 0, 2, 1.5, 1, 1]),
        ("M", 1, [1, 1, 1.5, 2, 0, 0]),
        ("M", 2, [0, 2, 1.5, 2, 1.5, 1]),
        ("A", 1, [-1, -1, 1, 2.5, 2, 2]),
    ):
        assert [at(group(line, *[Outside(mode, repeats)] * 2), t) for t in times] == wanted


@given(st.integers(0, 50), st.integers(1, 50), st.integers(1, 40))
def test_where_cycles_meet_the_one_further_out_has_its_say(first, length, turns):
    times = np.array([first, first + length]) / 10.0
    keys = Keys(times, np.array([[1.0, 2.0]]), np.array([[4, 4]]), np.zeros((1, 2, 4)))
    curves = build(keys, Outside("R"), Outside("R"))
    assert at(curves, (first + length * (turns + 1)) / 10.0) == 1.0
    assert at(curves, (first - length * turns) / 10.0) == 2.0


def test_a_mirrored_cycle_bends_where_its_keys_are(tmp_path):
    extra = "Post-Extrapolation:  {\n Type: M\n}\n"
    curves = fbx.curve(11, [0.0, 0.2, 1.0], [0.0, 5.0, 1.0], extra=extra)
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    span = f'P: "LocalStop", "KTime", "Time", "",{5 * fbx.TICKS}\n'
    stack = fbx.STACK.replace("{\n}", f"{{\nProperties70:  {{\n{span}}}\n}}", 1)
    rig = opened(
        tmp_path, stack + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    (channel,) = rig.clips[0].channels
    np.testing.assert_allclose(
        channel.sampler.times, [0, 0.2, 1, 1.8, 2, 2.2, 3, 3.8, 4, 4.2, 5], atol=1e-9
    )
    assert channel.sampler.interpolation == "LINEAR"


@pytest.mark.parametrize("flags", [4, CONSTANT])
def test_cycles_of_curves_go_on_in_a_clip(flags, tmp_path):
    extra = "Post-Extrapolation:  {\n Type: R\n Repetition: 2\n}\n"
    curves = fbx.curve(11, [0.0, 0.5], [1.0, 4.0], flags, extra=extra)
    curves += fbx.curve(12, [0.0, 5.0], [0.0, 0.0])
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11, "d|Y": 12})
    span = "".join(
        f'P: "{k}", "KTime", "Time", "",{int(v * fbx.TICKS)}\n'
        for k, v in (("LocalStart", 0), ("LocalStop", 5))
    )
    stack = fbx.STACK.replace("{\n}", f"{{\nProperties70:  {{\n{span}}}\n}}", 1)
    rig = opened(
        tmp_path, stack + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    for time in (0.2, 0.4999, 0.5001, 0.9, 0.9999, 1.0001, 1.3, 1.6, 4.0):
        share = time % 0.5 / 0.5 if time < 1.5 else 1.0
        wanted = (1.0 + 3.0 * share) if flags == 4 or share == 1.0 else 1.0
        got = sample(rig, rig.clips[0], time).translations[0, 0] * 100.0
        assert got == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "path", "rest"),
    [
        ("Lcl Translation", "translations", 0.0),
        ("Lcl Rotation", "rotations", 0.0),
        ("Lcl Scaling", "scales", 1.0),
    ],
)
def test_what_moves_only_between_its_keys_is_played(name, path, rest, tmp_path):
    curves = fbx.curve(11, [0.0, 1.0], [rest, rest], CUBIC | USER, (4.0, -4.0, 0.0, 0.0))
    objects, links = fbx.animated(10, 1, name, {"d|X": 11})
    links += 'C: "OO",1,0\n'
    rig = opened(
        tmp_path, fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    (channel,) = rig.clips[0].channels
    assert len(channel.sampler.times) == 2
    wanted = {"translations": 0.01, "rotations": np.sin(np.radians(0.5)), "scales": 2.0}[path]
    got = getattr(sample(rig, rig.clips[0], 0.5), path)[0, 0]
    assert got == pytest.approx(wanted, abs=1e-6)


def test_a_held_key_beside_a_sloping_one_holds_until_the_next(tmp_path):
    # From 0.3 to 1 the last float before the end is at a share that rounds to one.
    curves = fbx.curve(11, [0.0, 0.3, 1.0], [2.0, 0.0, 5.0], CONSTANT)
    curves += fbx.curve(12, [0.0, 1.0], [0.0, 4.0])
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11, "d|Y": 12})
    rig = opened(
        tmp_path, fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    (channel,) = rig.clips[0].channels
    assert channel.sampler.interpolation == "LINEAR"
    assert np.all(np.diff(channel.sampler.times) > 1e-10)
    for time, held in (
        (1e-6, 2.0),
        (0.299, 2.0),
        (0.31, 0.0),
        (0.999, 0.0),
        (0.9999999, 0.0),
        (1.0, 5.0),
    ):
        place = sample(rig, rig.clips[0], time).translations[0]
        np.testing.assert_allclose(place * 100.0, [held, 4.0 * time, 0.0], atol=1e-6)


def test_an_easing_curve_is_not_taken_for_a_line(tmp_path):
    # Flat at both ends: at half the way it is where a line would be.
    curves = fbx.curve(11, [0, 1], [0.0, 90.0], CUBIC | USER)
    objects, links = fbx.animated(10, 1, "Lcl Rotation", {"d|Z": 11})
    rig = opened(
        tmp_path, fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    for u in (0.1, 0.25, 0.4, 0.9):
        frame = model_from_nodes(rig, sample(rig, rig.clips[0], u))[0]
        wanted = turned((0, 0, 90.0 * (3 * u * u - 2 * u**3)))
        np.testing.assert_allclose(frame, wanted, atol=1e-5)


@pytest.mark.parametrize("jump", [CONSTANT, CONSTANT | CONSTANT_NEXT])
def test_a_jump_at_the_start_of_time_is_as_any_other(jump, tmp_path):
    """Beside 0 lie numbers so small that nothing can be divided by them."""
    keys, values = np.array([-1.0, 0.0, 1.0]), [10.0, 50.0, 90.0]
    rigs = []
    for shift in (0.0, 2.0):
        curves = fbx.curve(11, keys + shift, values, [jump, jump, CUBIC | USER])
        curves += fbx.curve(12, keys + shift, values, CUBIC | USER)
        objects, links = fbx.animated(10, 1, "Lcl Rotation", {"d|Z": 11, "d|X": 12})
        parts = fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
        rigs.append(opened(tmp_path, *parts).rig)
    times = np.array([-1.0, -0.5, -1e-6, 0.0, 1e-6, 0.5, 1.0])
    there, later = (
        model_from_nodes(rig, sample(rig, rig.clips[0], times + shift))
        for rig, shift in zip(rigs, (0.0, 2.0), strict=True)
    )
    np.testing.assert_allclose(there, later, atol=1e-6)


def test_a_jump_after_months_is_one(tmp_path):
    # There the two times beside it are further apart than keys of any file.
    start = 2e7
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    times, flags = start + np.arange(3.0), np.array([CONSTANT, CUBIC, CUBIC])
    path = tmp_path / "file.fbx"
    path.write_bytes(
        fbx.document(
            fbx.STACK
            + fbx.model(1, "a")
            + fbx.curve(11, times, [0.0, 300.0, 100.0], flags=flags, data=(5e4, 0.0, 0.0, 0.0))
            + objects,
            fbx.STACK_LINKS + links,
        )
    )
    (channel,) = load(path).rig.clips[0].channels
    assert np.isfinite(channel.sampler.values).all()
    at = channel.sampler.at(start + np.array([0.0, 0.5, 0.9, 1.0, 2.0]))
    np.testing.assert_allclose(at[:, 0], [0.0, 0.0, 0.0, 3.0, 1.0], atol=1e-6)


def test_keys_that_reading_adds_are_not_the_file_s(tmp_path):
    curves = fbx.curve(11, [0, 1, 2], [0.0, 90.0, 20.0], CUBIC | USER)
    curves += fbx.curve(12, [0, 1, 2], [0.0, 50.0, 70.0])
    objects, links = fbx.animated(10, 1, "Lcl Rotation", {"d|Z": 11, "d|X": 12})
    parts = fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    rig = opened(tmp_path, *parts).rig
    assert len(rig.clips[0].key_times) > 3
    np.testing.assert_allclose(rig.clips[0].stated_times, [0, 1, 2])
    assert not run(rig, select=["ANI-GRID"]).findings


def test_a_joint_that_turns_several_times_between_two_keys_does(tmp_path):
    curves = fbx.curve(11, [0, 1], [0.0, 1080.0])
    objects, links = fbx.animated(10, 1, "Lcl Rotation", {"d|Y": 11})
    rig = opened(
        tmp_path, fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    for u in np.linspace(0, 1, 13):
        frame = model_from_nodes(rig, sample(rig, rig.clips[0], u))[0]
        np.testing.assert_allclose(frame, turned((0, 1080.0 * u, 0)), atol=1e-5)


def number(name, value):
    return f'Properties70: {{\nP: "{name}", "Number", "", "A",{value}\n}}\n'


WEIGHT_LINKS = 'C: "OP",30,502,"Weight"\n'


@pytest.mark.parametrize(
    ("stated", "objects", "links"),
    [
        (50, "", ""),
        # A curve node in its place: with a curve, with a value only, and with neither.
        (10, "curve", WEIGHT_LINKS + 'C: "OP",31,30,"d|Weight"\n'),
        (10, number("d|Weight", 50), WEIGHT_LINKS),
        (10, number("d|Weight", 50), 'C: "OO",30,502\n' + WEIGHT_LINKS),
        (50, "", WEIGHT_LINKS),
    ],
)
def test_layers_add_up_with_their_weights(stated, objects, links, tmp_path):
    layer = f'AnimationLayer: 502, "AnimLayer::M", "" {{\n{number("Weight", stated)}}}\n'
    if links:
        curve = fbx.curve(31, [0, 1], [50.0, 50.0]) if objects == "curve" else ""
        node = "" if curve else objects
        layer += f'AnimationCurveNode: 30, "AnimCurveNode::Weight", "" {{\n{node}}}\n' + curve
    below, below_links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11})
    above, above_links = fbx.animated(20, 1, "Lcl Translation", {"d|X": 21})
    rig = opened(
        tmp_path,
        fbx.STACK
        + layer
        + fbx.model(1, "a")
        + fbx.curve(11, [0, 1], [0.0, 100.0])
        + fbx.curve(21, [0, 1], [0.0, 300.0])
        + below
        + above,
        fbx.STACK_LINKS
        + 'C: "OO",502,500\n'
        + below_links
        + above_links.replace(",501", ",502")
        + links,
    ).rig
    frame = model_from_nodes(rig, sample(rig, rig.clips[0], 0.5))[0]
    assert frame[0, 3] == pytest.approx(0.5 + 0.5 * 1.5)


@pytest.mark.parametrize(("stated", "wanted"), [(number("d|X", 7.0), 7.0), ("", 2.0)])
def test_a_curve_node_without_curves_has_the_value_that_it_states(stated, wanted, tmp_path):
    objects, links = fbx.animated(10, 1, "Lcl Translation", {})
    objects = objects.replace("{\n}", "{\n" + stated + "}")
    model = fbx.model(1, "a", Lcl_Translation=(2.0, 0.0, 0.0))
    rig = opened(tmp_path, fbx.STACK + model + objects, fbx.STACK_LINKS + links).rig
    moved = sample(rig, rig.clips[0], 0.0).translations
    assert moved[0, 0] == pytest.approx(wanted / 100.0)


def axis_setting(coord, up, front):
    names = ("CoordAxis", "UpAxis", "FrontAxis")
    lines = []
    for name, (axis, sign) in zip(names, (coord, up, front), strict=True):
        lines.append(f'P: "{name}", "int", "Integer", "",{axis}\n')
        lines.append(f'P: "{name}Sign", "int", "Integer", "",{sign}\n')
    return "".join(lines)


SQUARE = (
    'Geometry: 9, "Geometry::", "Mesh" {\n'
    + fbx.row("Vertices", [[0, 0, 0], [2, 0, 0], [2, 1, 3], [0, 1, 3]])
    + fbx.whole("PolygonVertexIndex", [0, 1, 2, -4])
    + "}\n"
)


@pytest.mark.parametrize(
    ("coord", "up", "front"),
    [
        ((0, 1), (1, 1), (2, 1)),
        ((0, 1), (2, 1), (1, -1)),
        ((1, 1), (2, 1), (0, 1)),
        ((0, 1), (1, 1), (2, -1)),
        ((0, -1), (2, 1), (1, 1)),
    ],
)
def test_any_axes_become_ours_also_left_handed_ones(tmp_path, coord, up, front):
    a = {"Lcl_Translation": (1.0, 2.0, 3.0), "Lcl_Rotation": (20, 30, 40)}
    b = {"Lcl_Translation": (0.5, 0.0, 1.0), "Lcl_Rotation": (-50, 10, 0)}
    loaded = opened(
        tmp_path,
        fbx.model(1, "a", **a) + fbx.model(2, "b", "Mesh", **b) + SQUARE,
        'C: "OO",1,0\nC: "OO",2,1\nC: "OO",9,2\n',
        axis_setting(coord, up, front) + 'P: "UnitScaleFactor", "double", "Number", "",2.54\n',
    )
    rig = loaded.rig
    drawn = Deformer(rig)
    got = drawn.skin_all(drawn.rest, METHODS["lbs"], Options())[0].positions
    in_file = moved(a["Lcl_Translation"]) @ turned(a["Lcl_Rotation"])
    in_file = in_file @ moved(b["Lcl_Translation"]) @ turned(b["Lcl_Rotation"])
    square = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 3], [0, 1, 3]])
    points = square @ in_file[:3, :3].T + in_file[:3, 3]
    wanted = 0.0254 * np.stack([points[:, i] * sign for i, sign in (coord, up, front)], axis=1)
    np.testing.assert_allclose(got, wanted, atol=1e-12)
    assert rig.origin.unit_m == pytest.approx(0.0254)
    # The square is seen from the side that the file's axes say: its normal follows the corners.
    corners = got[rig.primitive(rig.parts[0]).triangles[0]]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    in_file_normal = in_file[:3, :3] @ np.cross([2, 0, 0], [2, 1, 3])
    shown = [in_file_normal[i] * sign for i, sign in (coord, up, front)]
    assert np.dot(normal, shown) > 0.0


def test_what_a_geometric_transform_moves(tmp_path):
    a = {"GeometricTranslation": (0, 0, 5), "GeometricScaling": (2, 2, 2)}
    b = {"Lcl_Translation": (1, 0, 0)}
    rig = opened(
        tmp_path,
        fbx.model(1, "a", "Mesh", **a) + fbx.model(2, "b", **b) + SQUARE,
        'C: "OO",1,0\nC: "OO",2,1\nC: "OO",9,1\n',
    ).rig
    assert rig.meshes[0].primitives[0].positions.max() == pytest.approx(0.11)
    frames = model_from_nodes(rig, rest_pose(rig))
    np.testing.assert_allclose(frames[1][:3, 3], (0.01, 0, 0))


def test_dented_polygons_are_filled_inside(tmp_path):
    # An L: its fan from the first corner would cover what is outside of it.
    corners = [[3, 0, 0], [3, 1, 0], [1, 1, 0], [1, 3, 0], [0, 3, 0], [0, 0, 0]]
    geometry = (
        'Geometry: 9, "Geometry::", "Mesh" {\n'
        + fbx.row("Vertices", corners)
        + fbx.whole("PolygonVertexIndex", [0, 1, 2, 3, 4, -6])
        + "}\n"
    )
    rig = opened(tmp_path, fbx.model(1, "a", "Mesh") + geometry, 'C: "OO",1,0\nC: "OO",9,1\n').rig
    primitive = rig.meshes[0].primitives[0]
    a, b, c = (primitive.positions[primitive.triangles[:, i]] * 100.0 for i in range(3))
    areas = 0.5 * np.cross(b - a, c - a)[:, 2]
    assert np.all(areas > 0.0)
    assert areas.sum() == pytest.approx(5.0)


def skinned_square(weights, **node):
    clusters = "".join(
        f'Deformer: {300 + j}, "SubDeformer::", "Cluster" {{\n'
        + fbx.whole("Indexes", index)
        + fbx.row("Weights", w)
        + fbx.row("Transform", np.eye(4))
        + "}\n"
        for j, (index, w) in enumerate(weights)
    )
    joints = "".join(fbx.model(200 + j, f"j{j}") for j in range(len(weights)))
    links = "".join(
        f'C: "OO",{300 + j},29\nC: "OO",{200 + j},{300 + j}\nC: "OO",{200 + j},0\n'
        for j in range(len(weights))
    )
    return (
        fbx.model(1, "m", "Mesh", **node)
        + SQUARE
        + 'Deformer: 29, "Deformer::", "Skin" {\n}\n'
        + clusters
        + joints,
        'C: "OO",1,0\nC: "OO",9,1\nC: "OO",29,9\n' + links,
    )


@pytest.mark.parametrize(
    ("moved", "weighted", "told"), [(1, 2, True), (200, 2, False), (1, 4, False)]
)
def test_vertices_without_weights_are_told_of_where_their_node_moves(
    moved, weighted, told, tmp_path
):
    objects, links = skinned_square([(range(weighted), [1.0] * weighted)])
    curves, curve_links = fbx.animated(10, moved, "Lcl Translation", {"d|X": 11})
    loaded = opened(
        tmp_path,
        objects + fbx.STACK + curves + fbx.curve(11, [0, 1], [0.0, 1.0]),
        links + fbx.STACK_LINKS + curve_links,
    )
    unseen = [one.reason for one in loaded.rig.unseen]
    assert (
        unseen
        == ["the vertices of m without any weight do not follow its node, which moves"] * told
    )


def placed(translation, turns=0, scale=1.0):
    """A matrix: scaled, turned by quarters about z, moved."""
    matrix = np.eye(4)
    matrix[:2, :2] = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), turns)
    matrix[:3, :3] *= scale
    matrix[:3, 3] = translation
    return matrix


@pytest.mark.parametrize(
    ("way", "note"), [("nothing", True), ("the mesh", True), ("elsewhere", True), (None, False)]
)
@pytest.mark.parametrize(
    "axes", [((0, 1), (1, 1), (2, 1)), ((0, 1), (2, 1), (1, -1)), ((0, 1), (1, 1), (2, -1))]
)
def test_the_places_of_joints_bind_where_those_of_the_mesh_cannot_be(axes, way, note, tmp_path):
    mesh, places = placed((5, 0, 1), 1, 2.0), [placed((1, 2, 3), 1), placed((4, 0, -2), 2, 3.0)]
    objects, links = skinned_square([([0, 1], [1, 1]), ([2, 3], [1, 1])])
    moved = {"Lcl_Translation": (5, 0, 1), "Lcl_Rotation": (0, 0, 90), "Lcl_Scaling": (2, 2, 2)}
    objects = objects.replace(fbx.model(1, "m", "Mesh"), fbx.model(1, "m", "Mesh", **moved))

    def transform(way, link):
        right = np.linalg.inv(link) @ mesh
        wrong = {"nothing": np.eye(4), "the mesh": mesh, "elsewhere": placed(link[:3, 3]) @ right}
        return fbx.row("Transform", wrong.get(way, right).T)

    def skinned(way):
        before, between, after = objects.split(fbx.row("Transform", np.eye(4)))
        first, second = (
            ("" if way is None else transform(way, link)) + fbx.row("TransformLink", link.T)
            for link in places
        )
        text = before + first + between + second + after
        loaded = opened(tmp_path, text, links, axis_setting(*axes))
        drawn = Deformer(loaded.rig)
        return loaded.notes, drawn.skin_all(drawn.rest, METHODS["lbs"], Options())[0].positions

    right_notes, wanted = skinned("right")
    notes, got = skinned(way)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-9)
    assert any("clusters of m disagree on where it was" in n for n in notes) == note
    assert not any("disagree" in n for n in right_notes)


def test_damaged_places_of_joints_change_nothing(tmp_path):
    objects, links = skinned_square([([0, 1], [1, 1]), ([2, 3], [1, 1])])
    plain = fbx.row("Transform", np.eye(4))
    wanted = opened(tmp_path, objects, links)
    for damaged in ("TransformLink: 7\n", fbx.row("TransformLink", [np.nan] * 16)):
        loaded = opened(tmp_path, objects.replace(plain, plain + damaged, 1), links)
        assert loaded.notes == wanted.notes
        np.testing.assert_array_equal(
            loaded.rig.skins[0].inverse_binds, wanted.rig.skins[0].inverse_binds
        )


def test_weights_are_normalised_and_any_number_is_kept(tmp_path):
    loaded = opened(tmp_path, *skinned_square([([0, 1, 2, 3], [0.5] * 4)] * 11))
    influences = loaded.rig.meshes[0].primitives[0].influences
    assert influences.most == 11
    np.testing.assert_allclose(influences.weights.sum(axis=1), 1.0)
    assert any("4 points" in note and "normalised" in note for note in loaded.notes)


def test_points_without_weights_stay_with_the_node(tmp_path):
    rig = opened(tmp_path, *skinned_square([([0, 1], [1.0, 1.0])], Lcl_Translation=(0, 7, 0))).rig
    drawn = Deformer(rig)
    got = drawn.skin_all(drawn.rest, METHODS["lbs"], Options())[0].positions
    np.testing.assert_allclose(got, 0.01 * np.array([[0, 0, 0], [2, 0, 0], [2, 8, 3], [0, 8, 3]]))


def test_shapes_in_their_geometry_move_by_its_properties(tmp_path):
    shape = (
        'Properties70:  {\n P: "up", "Number", "", "A+",50\n}\n'
        f'Shape: "up" {{\n{fbx.whole("Indexes", [2])}{fbx.row("Vertices", [[0, 0, 4]])}}}\n'
    )
    weight, links = fbx.animated(600, 9, "up", {"d|up": 601})
    rig = opened(
        tmp_path,
        fbx.model(1, "a", "Mesh")
        + SQUARE.removesuffix("}\n")
        + shape
        + "}\n"
        + fbx.STACK
        + weight
        + fbx.curve(601, [0.0, 1.0], [100.0, 25.0]),
        'C: "OO",1,0\nC: "OO",9,1\n' + fbx.STACK_LINKS + links,
        version=7100,
    ).rig
    drawn = Deformer(rig)
    heights = [
        drawn.skin_all(drawn.frame(pose), METHODS["lbs"], Options())[0].positions[2, 2]
        for pose in (rest_pose(rig), *(sample(rig, rig.clips[0], t) for t in (0.0, 1.0)))
    ]
    np.testing.assert_allclose(heights, [0.05, 0.07, 0.04])


def test_keys_that_in_betweens_add_are_not_the_file_s(tmp_path):
    shapes = "".join(
        f'Geometry: {number}, "Geometry::{number}", "Shape" {{\n'
        f"{fbx.whole('Indexes', [2])}{fbx.row('Vertices', [[0, 0, height]])}}}\n"
        for number, height in ((30, 4), (31, 0))
    )
    deformers = (
        'Deformer: 20, "Deformer::shapes", "BlendShape" {\n}\n'
        'Deformer: 21, "SubDeformer::up", "BlendShapeChannel" {\n'
        f"{fbx.row('FullWeights', [50, 100])}}}\n"
    )
    weight, links = fbx.animated(600, 21, "DeformPercent", {"d|DeformPercent": 601})
    pairs = ((1, 0), (9, 1), (20, 9), (21, 20), (30, 21), (31, 21))
    rig = opened(
        tmp_path,
        fbx.model(1, "a", "Mesh")
        + SQUARE
        + shapes
        + deformers
        + fbx.STACK
        + weight
        + fbx.curve(601, [0.0, 1.0], [0.0, 100.0]),
        "".join(f'C: "OO",{a},{b}\n' for a, b in pairs) + fbx.STACK_LINKS + links,
    ).rig
    (clip,) = rig.clips
    assert clip.stated_times.tolist() == [0.0, 1.0]
    got = clip.channels[0].sampler.at(np.array([0.25, 0.5, 0.75]))
    np.testing.assert_allclose(got, [[0.5, 0.0], [1.0, 0.0], [0.5, 0.5]], atol=1e-5)


TWINS = (
    ("maya_anim_interpolation_7700", "maya_anim_interpolation_6100"),
    ("maya_auto_clamp_7700", "maya_auto_clamp_7100", "maya_auto_clamp_6100"),
    ("maya_blend_shape_cube_7700", "maya_blend_shape_cube_7100", "maya_blend_shape_cube_6100"),
    ("maya_resampled_7500",),
    ("maya_blend_inbetween_7500",),
)


@pytest.mark.corpus
@pytest.mark.parametrize("scenes", TWINS, ids=lambda scenes: scenes[0])
def test_all_encodings_and_versions_of_a_scene_move_alike(corpus, scenes):
    folder = corpus / "rigs/ufbx+ufbx/data"
    paths = [
        p for s in scenes for e in ("binary", "ascii") if (p := folder / f"{s}_{e}.fbx").exists()
    ]
    rigs = [load(path).rig for path in paths]
    assert len(rigs) > 1
    clips = [rig.clips[0] if rig.clips else None for rig in rigs]
    times = np.linspace(0.0, 2.0, 41)
    poses = [sample(r, c, times) for r, c in zip(rigs, clips, strict=True)]
    first, *others = map(model_from_nodes, rigs, poses)
    size = np.abs(first[..., :3, 3]).max() + 1e-3
    for other in others:
        np.testing.assert_allclose(other, first, atol=2e-5 * size)
    weights, *further = (
        np.concatenate([*p.morph_weights.values(), [[]]], axis=None) for p in poses
    )
    for other in further:
        np.testing.assert_allclose(other, weights, atol=1e-5)


@pytest.mark.corpus
def test_twins_in_other_units_and_axes_agree(corpus):
    folder = corpus / "rigs/mosra+magnum-plugins/src/MagnumPlugins/UfbxImporter/Test"
    positions = []
    for name in ("y-up-cm", "y-up-m", "z-up-cm", "z-up-m"):
        rig = load(folder / f"animation-space-{name}.fbx").rig
        frame = Deformer(rig).frame(sample(rig, rig.clips[0], 0.4))
        drawn = Deformer(rig).skin_all(frame, METHODS["lbs"], Options())
        positions.append(np.concatenate([part.positions for part in drawn]))
    for other in positions[1:]:
        np.testing.assert_allclose(other, positions[0], atol=1e-4 * np.abs(positions[0]).max())


@pytest.mark.corpus
def test_several_takes_are_clips_in_the_file_s_order(corpus):
    folder = corpus / "rigs/ufbx+ufbx/data"
    for name in ("7500_binary", "7500_ascii", "6100_ascii"):
        loaded = load(folder / f"maya_game_sausage_{name}_combined.fbx")
        assert [clip.name for clip in loaded.rig.clips] == ["wiggle", "spin", "deform"]
        assert all(clip.channels for clip in loaded.rig.clips)


def test_the_take_that_was_open_is_noted(tmp_path):
    second = 'AnimationStack: 600, "AnimStack::Run", "" {\n}\n'
    content = fbx.document(fbx.STACK + second + fbx.model(1, "a"), fbx.STACK_LINKS)
    path = tmp_path / "file.fbx"
    path.write_bytes(content + b'Takes:  {\n Current: "Run"\n}\n')
    assert any(note.endswith("is Run") for note in load(path).notes)


def test_what_is_not_evaluated_is_noted(tmp_path):
    objects = (
        'Geometry: 1, "Geometry::", "NurbsSurface" {\n}\n'
        'Geometry: 2, "Geometry::", "NurbsSurface" {\n}\n'
        'Constraint: 3, "Constraint::aim", "Aim" {\n}\n'
        'Deformer: 4, "Deformer::", "VertexCacheDeformer" {\n}\n'
    )
    path = tmp_path / "nurbs.fbx"
    path.write_bytes(fbx.document(objects + fbx.model(5, "a"), 'C: "OO",5,0\nC: "OO",1,5\n'))
    loaded = load(path)
    assert loaded.rig.nodes.names == ("a",)
    assert not loaded.rig.meshes
    assert set(loaded.notes) == {
        "geometry of the kind NurbsSurface is not shown: the file has 2",
        "constraints are not evaluated: the file has 1",
        "vertex caches are not played: the file names 1",
    }
    # The geometry is in the way of no rule about weights: no joint moves it.
    assert [(unseen.what, unseen.reason) for unseen in loaded.rig.unseen] == [
        ("motion", "constraints are not evaluated: the file has 1"),
        ("motion", "vertex caches are not played: the file names 1"),
    ]


def test_skinned_geometry_that_is_not_shown_is_missed(tmp_path):
    objects = (
        'Geometry: 1, "Geometry::", "NurbsSurface" {\n}\n'
        'Deformer: 2, "Deformer::", "Skin" {\n}\n'
        'Constraint: 3, "Constraint::hero", "Character" {\n}\n'
    )
    links = 'C: "OO",5,0\nC: "OO",1,5\nC: "OO",2,1\n'
    path = tmp_path / "nurbs.fbx"
    path.write_bytes(fbx.document(objects + fbx.model(5, "a"), links))
    loaded = load(path)
    # Which joint is which part of a body moves nothing.
    assert not any("constraints" in note for note in loaded.notes)
    assert [(unseen.what, unseen.reason) for unseen in loaded.rig.unseen] == [
        ("influences", "geometry of the kind NurbsSurface is not shown: the file has 1"),
    ]


@pytest.mark.parametrize("beside", ["", "mesh"])
def test_what_no_skin_lists_is_a_joint_by_what_the_file_calls_it(beside, tmp_path):
    models = (
        fbx.model(1, "Producer Front", "Camera")
        + fbx.model(2, "Reference", "Null")
        + fbx.model(3, "hips")
        + fbx.model(4, "offset", "Null")
        + fbx.model(5, "knee")
    )
    links = "".join(f'C: "OO",{a},{b}\n' for a, b in ((1, 0), (2, 0), (3, 2), (4, 3), (5, 4)))
    if beside:
        models += fbx.model(6, "floor", "Mesh") + SQUARE
        links += 'C: "OO",6,0\nC: "OO",9,6\n'
    rig = opened(tmp_path, models, links).rig
    hips, knee = (rig.nodes.names.index(name) for name in ("hips", "knee"))
    assert rig.joints == (hips, knee)
    assert rig.joint_parents == {hips: -1, knee: hips}


@pytest.mark.parametrize("flags", [CONSTANT, CONSTANT | 0x100])
def test_times_beside_a_jump_are_no_keys_of_the_file(flags, tmp_path):
    curves = fbx.curve(11, [0.0, 0.5, 1.0], [1.0, 4.0, 2.0], [flags, flags, 4])
    curves += fbx.curve(12, [0.0, 1.0], [0.0, 4.0])
    objects, links = fbx.animated(10, 1, "Lcl Translation", {"d|X": 11, "d|Y": 12})
    rig = opened(
        tmp_path, fbx.STACK + fbx.model(1, "a") + curves + objects, fbx.STACK_LINKS + links
    ).rig
    assert len(rig.clips[0].key_times) > 3
    assert rig.clips[0].stated_times.tolist() == [0.0, 0.5, 1.0]
