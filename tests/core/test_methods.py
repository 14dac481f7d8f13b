"""The rows of the table of methods, their options, and the method that a file asks for."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.methods import bulge
from rigview.core.methods.bulge import POLYNOMIALS
from rigview.core.pose import rest_pose
from rigview.core.skinning import DEFAULT_PANES, FILE, METHODS, Options, fault

ANIMATED = rigs.rigs(
    clips=1, animated=("translation", "rotation", "scale"), stretched=st.booleans(), skins=1
)


def skin(rig, method, options=None, pose=None):
    deformer = Deformer(rig)
    frame = deformer.frame(rigs.poses(rig)[-1] if pose is None else pose)
    row = FILE if method == "file" else METHODS[method]
    return deformer.skin(0, frame, row, options or Options())


def with_file(rig, **stated):
    return rig.with_primitive(0, 0, replace(rig.meshes[0].primitives[0], **stated))


def alike(one, other):
    return np.array_equal(one.positions, other.positions) and np.array_equal(
        one.normals, other.normals
    )


def test_every_row_says_what_it_is():
    fields = set(Options.__dataclass_fields__)
    labels = [method.label for method in METHODS.values()]
    assert len(set(labels)) == len(labels)
    assert max(map(len, labels)) <= 12
    for name, method in METHODS.items():
        assert method.id == name
        assert method.source
        assert set(method.options) <= fields
    assert set(DEFAULT_PANES) <= set(METHODS)


OTHER = {
    "strength": 0.3,
    "axis": "+x",
    "scale": "origin",
    "polynomial": "c1",
    "angle": "slide",
    "blend": 0.2,
}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_minds_the_options_that_its_row_names_and_no_other(method):
    animated = ("translation", "rotation", "scale")
    rig = rigs.make(rigs.Recipe(seed=2, joints=6, shape="chain", clips=1, animated=animated))
    assert set(OTHER) == set(Options.__dataclass_fields__)
    plain = skin(rig, method)
    for name, value in OTHER.items():
        changed = skin(rig, method, replace(Options(), **{name: value}))
        moved = np.abs(changed.positions - plain.positions).max()
        assert (moved > 1e-6) == (name in METHODS[method].options), name


@given(rig=ANIMATED)
def test_a_blend_of_nothing_is_lbs_and_of_all_is_dqs(rig):
    for blend, method in ((0.0, "lbs"), (1.0, "dqs")):
        got, wanted = skin(rig, "blended", Options(blend=blend)), skin(rig, method)
        assert np.abs(got.positions - wanted.positions).max() <= 1e-12 * Deformer(rig).size
        assert np.abs(got.normals - wanted.normals).max() <= 1e-12


@given(rig=ANIMATED, seed=st.integers(0, 2**32 - 1))
def test_a_file_states_the_blend_of_each_vertex_unless_the_user_does(rig, seed):
    weights = np.random.default_rng(seed).uniform(0.0, 1.0, 24)
    weights[:2] = 0.0, 1.0
    stated = with_file(rig, dqs_weights=weights)
    linear, dual = skin(rig, "lbs").positions, skin(rig, "dqs").positions
    size = Deformer(rig).size
    wanted = linear + weights[:, None] * (dual - linear)
    assert np.abs(skin(stated, "blended").positions - wanted).max() <= 1e-12 * size
    even = skin(rig, "blended").positions
    assert np.abs(even - 0.5 * (linear + dual)).max() <= 1e-12 * size
    assert alike(skin(stated, "blended", Options(blend=0.5)), skin(rig, "blended"))


def test_a_blend_weight_that_is_no_number_is_lbs():
    rig = rigs.make(rigs.Recipe(seed=1, clips=1))
    stated = with_file(rig, dqs_weights=np.array([np.nan, np.inf] * 12))
    assert np.array_equal(skin(stated, "blended").positions, skin(rig, "lbs").positions)


@pytest.mark.parametrize("method", [None, "lbs", "dqs", "blended"])
def test_the_files_own_method_is_lbs_where_it_says_nothing(method):
    rig = rigs.make(rigs.Recipe(seed=3, clips=1, prop=True))
    weights = np.linspace(0.0, 1.0, 24)
    stated = with_file(rig, method=method, dqs_weights=weights)
    assert alike(skin(stated, "file"), skin(stated, method or "lbs", Options(scale="origin")))


@pytest.mark.parametrize("method", ["dqs", "blended"])
def test_the_files_own_method_stretches_at_the_origin_as_maya_and_openusd_do(method):
    """Maya's mesh of scaling joints is met to 1.6e-7 of its size at the origin, else to 6.4e-2."""
    animated = ("translation", "rotation", "scale")
    rig = rigs.make(rigs.Recipe(seed=2, joints=6, shape="chain", clips=1, animated=animated))
    stated = with_file(rig, method=method, dqs_weights=np.linspace(0.0, 1.0, 24))
    wanted = skin(stated, method, Options(scale="origin"))
    assert not alike(wanted, skin(stated, method, Options(scale="vertex")))
    for scale in ("vertex", "origin"):
        assert alike(skin(stated, "file", Options(scale=scale)), wanted)


def test_parts_of_a_file_have_methods_of_their_own():
    rig = with_file(rigs.make(rigs.Recipe(seed=4, clips=1, skins=2)), method="dqs")
    deformer = Deformer(rig)
    assert [deformer.method_of(i, "file").id for i in range(2)] == ["dqs", "lbs"]
    assert [deformer.method_of(i, "capsule").id for i in range(2)] == ["capsule", "capsule"]


@pytest.mark.parametrize("method", METHODS)
def test_a_part_without_skin_moves_with_its_node_under_every_method(method):
    rig = rigs.make(rigs.Recipe(seed=5, clips=1, prop=True))
    deformer = Deformer(rig)
    frame = deformer.frame(rigs.poses(rig)[-1])
    number = next(i for i, part in enumerate(rig.parts) if part.skin is None)
    part = rig.parts[number]
    matrix = frame.model_from_node[part.node]
    wanted = rig.primitive(part).positions @ matrix[:3, :3].T + matrix[:3, 3]
    got = deformer.skin(number, frame, METHODS[method], Options()).positions
    assert np.abs(got - wanted).max() <= 1e-12


@given(rig=ANIMATED, name=st.sampled_from(sorted(POLYNOMIALS)))
def test_a_polynomial_may_be_named_or_written_out(rig, name):
    for method in ("compensated", "basic"):
        named = skin(rig, method, Options(polynomial=name))
        assert alike(named, skin(rig, method, Options(polynomial=POLYNOMIALS[name])))


@pytest.mark.parametrize(
    ("angle", "at_30", "at_90", "at_150"),
    [
        ("code", 0.3692, 1.0, 1.0),
        ("slide", 0.3649, 0.9970, 1.0),
        ("sine", 0.5, 1.0, 0.5),
        ("linear", 1.0 / 3.0, 1.0, 1.0),
    ],
)
def test_the_compensation_grows_with_the_bend_as_its_factor_says(angle, at_30, at_90, at_150):
    none, axis = np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0]])
    bones = np.array([[1.0, 0.0, 0.0]])
    for degrees, wanted in ((30, at_30), (90, at_90), (150, at_150)):
        turn = quat.from_axis_angle(axis, np.array([np.radians(degrees)]))
        for sign in (1.0, -1.0):
            got = bulge.bend(none, sign * turn, bones, quat.rotate(turn, bones), angle)
            assert np.linalg.norm(got) == pytest.approx(wanted, abs=1e-4)


COMPENSATING = [name for name, method in METHODS.items() if "strength" in method.options]


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("method", COMPENSATING)
@given(rig=ANIMATED, seed=st.integers(0, 2**32 - 1))
def test_a_painted_mask_multiplies_the_compensation(method, rig, seed):
    mask = np.random.default_rng(seed).uniform(-0.5, 1.5, 24)
    mask[:3] = 0.0, 1.0, np.nan
    plain, full = skin(rig, "dqs").positions, skin(rig, method).positions
    share = np.clip(np.nan_to_num(mask), 0.0, 1.0)[:, None]
    got = skin(with_file(rig, compensation=mask), method).positions
    assert np.abs(got - plain - share * (full - plain)).max() <= 1e-12 * Deformer(rig).size


@pytest.mark.parametrize("method", COMPENSATING)
def test_what_the_mask_leaves_out_keeps_the_normals_of_dqs(method):
    rig = rigs.make(rigs.Recipe(seed=9, clips=1))
    got = skin(with_file(rig, compensation=np.zeros(24)), method)
    wanted = skin(rig, "dqs")
    assert np.array_equal(got.positions, wanted.positions)
    assert np.abs(got.normals - wanted.normals).max() <= 1e-15


def test_the_basic_form_moves_the_rest_pose_already():
    # The thesis's own: no factor of it depends on the angle.
    rig = rigs.make(rigs.Recipe(seed=6, joints=5, shape="chain"))
    pose = rest_pose(rig)
    moved = skin(rig, "basic", pose=pose).positions - skin(rig, "dqs", pose=pose).positions
    assert np.linalg.norm(moved, axis=1).max() > 0.01


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"strength": 1.5}, "the strength must be 0 to 1"),
        ({"strength": float("nan")}, "the strength must be 0 to 1"),
        ({"blend": 2.0}, "the blend must be 0 to 1"),
        ({"strength": "much"}, "the strength must be 0 to 1"),
        ({"axis": "up"}, "there is no axis up"),
        ({"scale": "none"}, "there is no scale convention none"),
        ({"angle": "text"}, "there is no angle factor text"),
        ({"polynomial": "p9"}, "there is no polynomial p9: choose p1, p0, p2, c1 or three numbers"),
        ({"polynomial": (1.0, 2.0)}, "there is no polynomial (1.0, 2.0)"),
        ({"polynomial": (1.0, 2.0, float("inf"))}, "there is no polynomial (1.0, 2.0, inf)"),
    ],
)
def test_options_that_cannot_be_used_are_named(changes, words):
    assert fault(replace(Options(), **changes)).startswith(words)


def test_the_options_that_nobody_touched_can_be_used():
    assert fault(Options()) is None
    assert fault(Options(polynomial=(2.0, -9.0, 10.0), blend=0.0, strength=0)) is None
