"""Joint measures against tubes whose deformation a formula tells."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jointed_tubes import REACH, X, Z, clip_of, read, rig_of, tube

from rigview.core import affine, quat
from rigview.core.deform import Deformer
from rigview.core.measures.joint_heat import heat
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, scan_joints
from rigview.core.measures.side_view import side_view
from rigview.core.measures.worst_poses import Judgement, worst_poses
from rigview.core.skinning import ASKED, Options

ANGLES = st.floats(20.0, 175.0)


def twist(degrees):
    return quat.from_axis_angle(X, np.radians(degrees))


def bend(degrees):
    return quat.from_axis_angle(Z, np.radians(degrees))


def severities(values):
    return {name: float(MEASURES[name].severity(np.array(v))) for name, v in values.items()}


@given(ANGLES)
def test_a_twist_under_linear_skinning_narrows_the_waist_as_the_formula_says(degrees):
    values, _, _ = read(tube(), twist(degrees))
    assert values["collapse"] == pytest.approx(1.0 - np.cos(np.radians(degrees) / 2.0), abs=0.04)


# Beyond 140° the inner side passes through itself, and slices square to a chord cut it aslant.
@given(st.floats(20.0, 140.0))
def test_a_bend_under_linear_skinning_narrows_the_elbow_as_the_formula_says(degrees):
    values, _, _ = read(tube(sigma=1.0), bend(degrees))
    assert values["collapse"] == pytest.approx(1.0 - np.cos(np.radians(degrees) / 2.0), abs=0.06)


@pytest.mark.parametrize("degrees", [60.0, 120.0, 170.0])
def test_every_slice_of_a_twisted_tube_has_the_radius_of_its_blend(degrees):
    shape = tube()
    _, meter, pose = read(shape, twist(degrees))
    skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
    kept = meter.sections.kept(meter.skin.posed(skinned), np.array([0]), pose.scales)
    blend = np.interp(meter.sections.places, shape.points[::32, 0], shape.weights[::32])
    sine = np.sin(np.radians(degrees) / 2.0)
    assert kept == pytest.approx(np.sqrt(1.0 - 4.0 * blend * (1.0 - blend) * sine**2), abs=0.06)


def test_dual_quaternions_keep_the_section_of_a_twisted_tube():
    values, _, _ = read(tube(), twist(170.0), "dqs")
    assert values["collapse"] < 0.02


@pytest.mark.parametrize(("sigma", "degrees", "bulge"), [(0.63, 90.0, 0.119), (1.0, 90.0, 0.206)])
def test_a_bend_under_dual_quaternions_bulges_as_published(sigma, degrees, bulge):
    """The published figure is the largest excess, the measure's the one that 5 % exceed."""
    values, _, _ = read(tube(sigma), bend(degrees), "dqs")
    assert 0.5 * bulge < values["bulge"] <= bulge + 0.01


@pytest.mark.parametrize("method", ["lbs", "dqs", "compensated", "capsule"])
def test_a_joint_that_is_not_turned_changes_nothing(method):
    values, _, pose = read(tube(), np.array(quat.IDENTITY), method)
    assert not len(pose.moving)
    assert set(severities(values).values()) <= {0.0}


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.01, 0.5, 3.0]))
def test_moving_turning_and_scaling_the_whole_changes_nothing(seed, size):
    rng = np.random.default_rng(seed)
    turn = quat.normalise(rng.normal(size=4))
    whole = affine.compose(rng.normal(size=3), turn, np.full(3, size))
    plain, _, before = read(tube(), quat.multiply(bend(70.0), twist(50.0)))
    moved, _, after = read(tube(), quat.multiply(bend(70.0), twist(50.0)), whole=whole)
    assert moved == pytest.approx(plain, rel=1e-6, abs=1e-6)
    assert after.turns == pytest.approx(before.turns, abs=1e-9)


@given(st.floats(-170.0, 170.0), st.floats(0.0, 170.0))
def test_a_turn_is_parted_into_bend_and_twist(twisted, bent):
    _, _, pose = read(tube(), quat.multiply(bend(bent), twist(twisted)))
    assert np.degrees(pose.turns[0]) == pytest.approx([bent, twisted], abs=0.5)


def test_a_vertex_pulled_far_away_changes_only_the_stretch_and_what_is_within_a_hundredth():
    turn = quat.multiply(bend(40.0), twist(40.0))
    vertex = int(np.argmin(np.linalg.norm(tube().points - (0.1, 1.0, 0.0), axis=1)))
    plain, _, _ = read(tube(), turn)
    pulled, _, _ = read(tube(), turn, pull=(vertex, np.array([0.0, 10.0, 0.0])))
    for name in ("collapse", "bulge", "flips"):
        assert pulled[name] == pytest.approx(plain[name], abs=0.01), name
    assert pulled["volume"] == pytest.approx(plain["volume"], rel=0.03)


@pytest.mark.parametrize("method", ["lbs", "dqs"])
def test_seams_change_nothing(method):
    turn = quat.multiply(bend(80.0), twist(60.0))
    plain, _, _ = read(tube(), turn, method)
    seamed, _, _ = read(tube().seamed(), turn, method)
    assert seamed == pytest.approx(plain, rel=1e-9, abs=1e-9)


def test_an_open_tube_has_no_volume_and_collapses_as_the_closed_one():
    closed, _, _ = read(tube(), twist(150.0))
    open_, _, _ = read(tube().opened(), twist(150.0))
    assert np.isnan(open_["volume"])
    assert np.isfinite(closed["volume"])
    assert open_["collapse"] == pytest.approx(closed["collapse"], abs=0.05)


def test_a_flat_strip_has_no_section_but_is_judged_by_its_stretch():
    shape = tube()
    strip = shape.opened(share=0.85)
    values, meter, _ = read(strip, bend(100.0))
    assert not meter.regions.each[0].goes_round or np.isnan(values["collapse"])
    assert np.isfinite(values["stretch"])


def test_the_volume_of_a_twisted_tube_is_what_its_slices_enclose():
    shape = tube()
    values, meter, _ = read(shape, twist(120.0))
    region = meter.regions.each[0]
    x = np.unique(meter.skin.positions[0, region.vertices])
    blend = np.interp(x, shape.points[::32, 0], shape.weights[::32])
    area = 1.0 - 4.0 * blend * (1.0 - blend) * np.sin(np.radians(60.0)) ** 2
    expected = np.trapezoid(area, x) / (x[-1] - x[0])
    assert values["volume"] == pytest.approx(expected, abs=0.01)


def test_a_scaled_joint_stretches_nothing():
    rig = rig_of(tube())
    deformer = Deformer(rig)
    meter = JointMeter(deformer)
    pose = deformer.rest.pose
    scales = pose.scales.copy()
    scales[0] = 2.5
    frame = deformer.frame(replace(pose, scales=scales))
    reading = meter.read(meter.pose(frame), deformer.skin_all(frame, ASKED["lbs"], Options()))
    assert reading.worst.max() == 0.0


def test_faces_turned_inside_out_are_flipped_and_those_of_a_turned_tube_are_not():
    values, _, _ = read(tube(), bend(150.0), "dqs")
    assert values["flips"] > 0.0
    values, _, _ = read(tube(sigma=1.0), bend(30.0), "dqs")
    assert values["flips"] == 0.0


def test_a_sharp_bend_crosses_itself_and_a_slight_one_does_not():
    for degrees, crosses in ((20.0, False), (150.0, True)):
        _, meter, pose = read(tube(), bend(degrees))
        skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
        (share,) = meter.crossings(skinned, [0])
        assert (share > 0.0) == crosses


@pytest.mark.parametrize("measure", sorted(MEASURES))
def test_heat_is_worst_about_the_joint_and_unchanged_far_from_it(measure):
    shape = tube()
    turn = quat.multiply(bend(120.0), twist(90.0))
    _, meter, pose = read(shape, turn)
    skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
    (values,) = heat(meter, pose, skinned, measure)
    assert values.shape == (len(shape.points),)
    assert np.isnan(values[np.abs(shape.points[:, 0]) > 2.0]).all()
    severity = MEASURES[measure].severity(values)
    worst = shape.points[np.nanargmax(severity), 0]
    assert abs(worst) < 1.6


def test_a_bend_is_seen_along_its_axis_and_a_twist_square_to_the_limb():
    for turn, along in ((bend(100.0), True), (twist(100.0), False)):
        _, meter, pose = read(tube(), turn)
        skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
        view = side_view(meter, pose, 0, meter.skin.posed(skinned))
        assert np.linalg.norm(view.direction) == pytest.approx(1.0)
        if along:
            assert abs(view.direction @ Z) == pytest.approx(1.0, abs=1e-6)
        else:
            assert abs(view.direction @ X) < 0.1
        assert np.linalg.norm(view.centre) < view.radius < REACH


def walled(shape, distance=2.5, half=3.0, about=(0.0, 0.0, 0.0)):
    """Return a tube between two square walls that do not move, each of two triangles."""
    square = half * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) + about
    corners = np.concatenate([square + side * distance * Z for side in (1.0, -1.0)])
    faces = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]) + len(shape.points)
    return replace(
        shape,
        points=np.concatenate([shape.points, corners]),
        triangles=np.concatenate([shape.triangles, faces]),
        weights=np.concatenate([shape.weights, np.zeros(8)]),
    )


def test_a_bend_between_two_walls_is_seen_past_them():
    """Along the axis of the bend the walls hide all of it: the eye leans until it sees the joint."""
    _, meter, pose = read(walled(tube()), bend(100.0))
    skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
    view = side_view(meter, pose, 0, meter.skin.posed(skinned))
    towards = -view.direction
    assert abs(towards[2]) < 0.9
    at_the_wall = towards * 2.5 / abs(towards[2])
    assert np.abs(at_the_wall[:2]).max() > 3.0


def test_what_is_small_and_near_the_eye_hides_a_joint_too():
    """Two plates close before the eye: lines of sight spread, so that they cover all behind them."""
    _, meter, pose = read(tube(), bend(100.0))
    skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
    free = side_view(meter, pose, 0, meter.skin.posed(skinned))
    away, half = 4.0 * free.radius, 0.15 * free.radius
    _, meter, pose = read(walled(tube(), away, half, free.centre), bend(100.0))
    skinned = meter.deformer.skin_all(pose.frame, ASKED["lbs"], Options())
    positions = meter.skin.posed(skinned)
    view = side_view(meter, pose, 0, positions)
    eye = view.centre - 4.5 * view.radius * view.direction
    of = meter.regions.each[0]
    lines = positions[:, of.vertices[of.blended]].T - eye
    plate = free.centre + np.sign(eye[2] - free.centre[2]) * away * Z
    crossed = eye + (plate - eye)[2] / lines[:, 2:] * lines - plate
    hidden = np.abs(crossed[:, :2]).max(axis=1) <= half
    assert np.mean(hidden & (abs(eye[2]) > away)) < 1.0 / 3.0


def test_a_scan_finds_the_frame_the_measure_and_the_better_method():
    shares = 1.0 - np.abs(np.arange(31) - 15) / 15
    turns = quat.from_axis_angle(X, np.radians(170.0) * shares)
    rig = rig_of(tube())
    scan = scan_joints(JointMeter(Deformer(rig)), [clip_of(turns)], JointPlan(("lbs", "dqs")))
    (worst,) = worst_poses(scan, methods=("lbs",), judgement=Judgement())
    assert (worst.joint, worst.parent, worst.measure) == (1, 0, "collapse")
    assert worst.time == pytest.approx(0.5, abs=1e-6)
    assert np.degrees(worst.turn.twist) == pytest.approx(170.0, abs=0.5)
    assert worst.level == "error"
    assert worst.values["lbs"] > 0.85
    assert worst.values["dqs"] < 0.05


def test_progress_is_heard_and_may_cancel():
    rig = rig_of(tube())
    clip = clip_of(np.tile(quat.IDENTITY, (5, 1)))
    heard = []
    scan_joints(JointMeter(Deformer(rig)), [clip], progress=lambda _, share: heard.append(share))
    assert heard == sorted(heard)
    assert heard[-1] == 1.0

    class CancelledError(Exception):
        pass

    def cancel(_text, share):
        if share > 0.0:
            raise CancelledError

    with pytest.raises(CancelledError):
        scan_joints(JointMeter(Deformer(rig)), [clip], progress=cancel)
