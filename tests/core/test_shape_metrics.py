"""The quantities of a pose: shapes whose figures are known, and what must not change them."""

from dataclasses import replace
from math import erf

import numpy as np
import pytest
import rigs
from hypothesis import given
from hypothesis import strategies as st

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.measures.quantities import COLUMNS, QUANTITIES, ranked
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.pose import rest_pose, sample
from rigview.core.rig import Rig, Skin
from rigview.core.skinning import METHODS, Options
from rigview.io import load

CUBE = np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
CUBE_FACES = np.array(
    [
        t
        for a, b, c, d in (
            (0, 1, 3, 2),
            (4, 6, 7, 5),
            (0, 4, 5, 1),
            (2, 3, 7, 6),
            (0, 2, 6, 4),
            (1, 5, 7, 3),
        )
        for t in ((a, b, c), (a, c, d))
    ]
)


def tube_points(rings=97, around=48, half=4.0):
    """Return an open tube of radius 1 along x, its triangles facing outwards."""
    x, phi = np.meshgrid(
        np.linspace(-half, half, rings), 2 * np.pi * np.arange(around) / around, indexing="ij"
    )
    points = np.stack([x, np.cos(phi), np.sin(phi)], axis=-1).reshape(-1, 3)
    corner = np.arange(rings * around).reshape(rings, around)
    low, high = corner[:-1], corner[1:]
    low_next, high_next = (np.roll(c, -1, axis=1) for c in (low, high))
    corners = [(low, low_next, high), (low_next, high_next, high)]
    faces = np.concatenate([np.stack(c, axis=-1).reshape(-1, 3) for c in corners])
    return points, faces


def rig_of(points, faces, joints, weights, heads):
    """Return a rig whose joints are a chain with heads at the given places, mesh space = model space."""
    sketch = rigs.Sketch()
    parent = -1
    for number, head in enumerate(np.asarray(heads, dtype=float)):
        before = np.zeros(3) if number == 0 else heads[number - 1]
        parent = sketch.add(f"joint{number}", parent, head - before)
    body = sketch.add("Body", -1)
    binds = np.tile(np.eye(4), (len(heads), 1, 1))
    binds[:, :3, 3] = -np.asarray(heads)
    primitive = Primitive(
        points,
        faces,
        np.zeros((0, 2)),
        np.zeros(0),
        influences=Influences(np.asarray(joints), np.asarray(weights)),
    )
    where = (*(None,) * body, 0)
    return Rig(
        sketch.nodes(),
        where,
        where,
        sketch.roots,
        (Mesh("Body", (primitive,)),),
        (Skin("Skin", tuple(range(body)), binds),),
    )


def cube_rig():
    """Return a cube on one joint in its middle."""
    return rig_of(CUBE, CUBE_FACES, np.zeros((8, 1)), np.ones((8, 1)), [(0, 0, 0)])


def tube_rig(sigma=0.63):
    """Return a tube on two joints whose weights are a step blurred by a Gaussian."""
    points, faces = tube_points()
    second = np.array([0.5 * (1 + erf(x / (sigma * np.sqrt(2)))) for x in points[:, 0]])
    weights = np.stack([1 - second, second], axis=1)
    heads = [(-4.0, 0, 0), (0, 0, 0), (4.0, 0, 0)]
    return rig_of(points, faces, np.tile([0, 1], (len(points), 1)), weights, heads)


def turned(rig, joint, axis, degrees):
    turn = quat.from_axis_angle(axis, np.radians(degrees))
    return rest_pose(rig).turned({joint: turn})


def scaled(rig, joint, scale):
    pose = rest_pose(rig)
    return replace(pose, scales=rigs.with_row(pose.scales, joint, scale))


def read(rig, pose, method="dqs", reference=None, options=None):
    deformer = Deformer(rig)
    frame = deformer.frame(pose)
    settings = options or Options()
    skinned = deformer.skin_all(frame, METHODS[method], settings)
    other = None
    if reference is not None:
        other = deformer.skin_all(frame, METHODS[reference], settings)
    return ShapeMeter(deformer).read(frame, skinned, other)


def unchanged(reading, tolerance):
    """Tell whether nothing but the volume and the difference has changed."""
    for quantity in QUANTITIES.values():
        if quantity.id in ("volume", "difference"):
            continue
        for column in quantity.columns:
            value = reading.figures[column]
            if not abs(value - quantity.unchanged) <= tolerance:
                return False
    return True


@given(rig=rigs.rigs(bind="rest", skins=1, joint_scale=False, bind_scale=1.0))
def test_nothing_has_changed_in_the_pose_a_rig_was_bound_in(rig):
    # Listing 1 of the thesis (`basic`) deforms even this pose; that is its fault, not the meter's.
    for method in ("lbs", "dqs", "compensated"):
        assert unchanged(read(rig, rest_pose(rig), method), 1e-6)


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1.0, 0.01, 30.0]))
def test_a_rigid_motion_and_an_even_scale_deform_nothing(seed, size):
    rng = np.random.default_rng(seed)
    rig = rigs.under(cube_rig(), rng.normal(size=3), quat.normalise(rng.normal(size=4)), size)
    pose = turned(rig, 0, rng.normal(size=3), 360 * rng.random())
    for method in ("lbs", "dqs"):
        reading = read(rig, pose, method)
        assert unchanged(reading, 1e-6)
        assert reading.figures["volume"] == pytest.approx(1.0)


def test_a_cube_grown_twofold_has_eight_times_the_volume_and_no_stretch():
    rig = cube_rig()
    reading = read(rig, scaled(rig, 0, (2, 2, 2)))
    assert reading.figures["volume"] == pytest.approx(8.0)
    assert unchanged(reading, 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_cube_drawn_out_to_twice_its_height_stretches_and_keeps_its_sides(method):
    rig = cube_rig()
    reading = read(rig, scaled(rig, 0, (1, 2, 1)), method)
    # Ratios are to the size that the pose gives to the whole: the cube root of its volume.
    size = 2 ** (1 / 3)
    assert reading.figures["volume"] == pytest.approx(2.0)
    assert reading.figures["stretch_worst"] == pytest.approx(2.0 / size)
    assert reading.figures["area_worst"] == pytest.approx(1.0 / size**2)
    assert reading.figures["flipped"] == 0


def test_a_mirrored_joint_turns_its_triangles_inside_out():
    rig = cube_rig()
    reading = read(rig, scaled(rig, 0, (-1, 1, 1)), "lbs")
    assert reading.figures["flipped"] == len(CUBE_FACES)
    assert reading.joints["flipped"].tolist() == [len(CUBE_FACES)]
    assert reading.figures["volume"] == pytest.approx(-1.0)


def test_a_triangle_whose_tip_crosses_its_base_is_flipped_and_has_the_area_it_has():
    points = np.array([[-1.0, 0, 0], [1, 0, 0], [0, 2, 0]])
    rig = rig_of(points, [(0, 1, 2)], [[0], [0], [1]], np.ones((3, 1)), [(0, -1, 0), (0, 2, 0)])
    pose = rest_pose(rig)
    down = replace(pose, translations=rigs.with_row(pose.translations, 1, (0, 2.5, 0)))
    over = replace(pose, translations=rigs.with_row(pose.translations, 1, (0, 0.0, 0)))
    shrunk, flipped = read(rig, down, "lbs"), read(rig, over, "lbs")
    assert shrunk.figures["flipped"] == 0
    assert shrunk.figures["area_worst"] == pytest.approx(1.5 / 2)
    assert flipped.figures["flipped"] == 1
    assert flipped.figures["area_worst"] == pytest.approx(1.0 / 2)
    assert flipped.figures["normal_worst"] == pytest.approx(np.pi)
    assert flipped.figures["stretch_worst"] == pytest.approx(1.0)
    # Two corners of three hang on joint 0.
    assert flipped.joints["flipped"].tolist() == [1, 0]
    assert np.isnan(flipped.figures["volume"])


# MATH, section 3: outer bulge of a tube of radius 1 whose weights are blurred by .63.
@pytest.mark.parametrize(
    ("degrees", "method", "bulge"),
    [
        (30, "dqs", 0.050),
        (60, "dqs", 0.089),
        (90, "dqs", 0.119),
        (60, "compensated", 0.036),
        (90, "compensated", 0.022),
    ],
)
def test_a_bent_tube_bulges_as_published(degrees, method, bulge):
    rig = tube_rig()
    reading = read(rig, turned(rig, 1, (0, 0, 1), degrees), method)
    assert reading.figures["bulge_worst"] == pytest.approx(bulge, abs=0.003)
    assert reading.joints["bulge"].max() == reading.figures["bulge_worst"]


def test_a_twisted_tube_narrows_by_the_cosine_of_half_the_angle_under_lbs():
    rig = tube_rig()
    reading = read(rig, turned(rig, 1, (1, 0, 0), 90), "lbs", "dqs")
    lost = 1 - np.cos(np.pi / 4)
    assert reading.figures["collapse_worst"] == pytest.approx(lost, abs=1e-3)
    assert reading.figures["difference_worst"] == pytest.approx(lost / Deformer(rig).size, rel=0.05)
    assert reading.figures["bulge_worst"] == pytest.approx(0.0, abs=1e-9)
    assert reading.figures["volume"] < 0.95


def test_a_bent_tube_loses_volume_where_it_bends():
    """Four joints, the third turned: what the others carry has not changed."""
    points, faces = tube_points()
    share = np.clip(0.5 + points[:, :1] - [[-2.0, 0.0, 2.0]], 0, 1)
    weights = -np.diff(np.hstack([np.ones((len(points), 1)), share, np.zeros((len(points), 1))]))
    rig = rig_of(
        points,
        faces,
        np.tile([0, 1, 2, 3], (len(points), 1)),
        weights,
        [(-4.0, 0, 0), (-2.0, 0, 0), (0, 0, 0), (2.0, 0, 0)],
    )
    reading = read(rig, turned(rig, 2, (0, 0, 1), 100), "lbs")
    for name in ("collapse", "stretch", "area", "normal", "volume"):
        blamed = ranked(QUANTITIES[name], reading.joints[name])
        assert set(blamed[:2]) == {1, 2}, name
    assert reading.joints["stretch"][[0, 3]] == pytest.approx(1.0)
    # What lies around the single bones adds up to what the whole encloses.
    changes = reading.joints["volume"] - 1
    assert changes.sum() == pytest.approx(reading.figures["volume"] - 1, rel=0.1)
    assert reading.joints["collapse"][[0, 3]] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("clip", ["Walk", "Range_Of_Motion"])
def test_what_a_rigid_joint_carries_need_not_be_looked_at(samples, clip):
    """The shortcut for rigid joints changes no figure."""
    rig = load(samples / "biped.glb").rig
    deformer = Deformer(rig)
    meter = ShapeMeter(deformer)
    chosen = next(c for c in rig.clips if c.name == clip)
    frame = deformer.frame(sample(rig, chosen, 0.4 * chosen.end))
    assert meter.mesh.stance(frame).rigid
    whole = ShapeMeter(deformer)
    whole.__dict__["_rest_stance"] = replace(meter.mesh.stance(deformer.rest), rigid=False)
    for method in METHODS:
        skinned = deformer.skin_all(frame, METHODS[method], Options())
        short, long = meter.read(frame, skinned), whole.read(frame, skinned)
        for column in COLUMNS:
            tolerance = 2e-3 if column.startswith("normal") else 1e-5
            assert short.figures[column] == pytest.approx(
                long.figures[column], abs=tolerance, nan_ok=True
            )
        for name in QUANTITIES:
            assert short.joints[name] == pytest.approx(long.joints[name], abs=1e-2), name


def test_the_panes_header_is_volume_and_bulge_of_the_same_reading(samples):
    rig = load(samples / "arm.glb").rig
    deformer = Deformer(rig)
    frame = deformer.frame(sample(rig, rig.clips[0], 0.5 * rig.clips[0].end))
    for method in METHODS:
        skinned = deformer.skin_all(frame, METHODS[method], Options())
        shape = ShapeMeter(deformer).shape(frame, skinned)
        figures = ShapeMeter(deformer).read(frame, skinned).figures
        assert shape.volume == figures["volume"] - 1
        assert shape.bulge == figures["bulge_99"]


def test_without_normals_only_what_needs_them_is_left_out():
    rig = tube_rig()
    deformer = Deformer(rig)
    frame = deformer.frame(turned(rig, 1, (0, 0, 1), 60))
    skinned = deformer.skin_all(frame, METHODS["dqs"], Options())
    with_, without = (
        ShapeMeter(deformer).read(frame, skinned, normals=n).figures for n in (True, False)
    )
    for column in COLUMNS:
        if column == "flipped" or column.startswith(("normal", "difference")):
            assert np.isnan(without[column])
        else:
            assert without[column] == with_[column]


def test_an_open_mesh_says_how_many_borders_were_closed():
    assert ShapeMeter(Deformer(tube_rig())).surface.holes == 2
    assert ShapeMeter(Deformer(cube_rig())).surface.holes == 0


def test_what_has_shrunk_to_nothing_cannot_be_measured():
    rig = cube_rig()
    reading = read(rig, scaled(rig, 0, (0, 0, 0)), "lbs", "dqs")
    assert all(np.isnan(v) for v in reading.figures.values())
    for quantity in QUANTITIES.values():
        assert np.all(reading.joints[quantity.id] == quantity.unchanged)


def test_a_rig_without_skinned_mesh_has_no_figures():
    rig = rigs.make(rigs.Recipe(prop=True))
    unbound = replace(rig, node_skins=(None,) * len(rig.nodes), skins=())
    figures = read(unbound, rest_pose(unbound)).figures
    assert all(np.isnan(v) for v in figures.values())


def test_vertices_without_triangles_have_distances_only():
    rig = rig_of(CUBE, np.zeros((0, 3)), np.zeros((8, 1)), np.ones((8, 1)), [(0, 0, 0)])
    figures = read(rig, rest_pose(rig), "lbs", "dqs").figures
    assert figures["bulge_worst"] == figures["difference_worst"] == 0.0
    assert np.isnan(figures["stretch_worst"])


def test_a_degenerate_triangle_has_no_ratios():
    faces = np.concatenate([CUBE_FACES, [(0, 0, 1), (2, 2, 2)]])
    rig = rig_of(CUBE, faces, np.zeros((8, 1)), np.ones((8, 1)), [(0, 0, 0)])
    reading = read(rig, scaled(rig, 0, (1, 2, 1)), "lbs")
    assert reading.figures["area_worst"] == pytest.approx(0.5 ** (2 / 3))
    assert np.isfinite(reading.figures["stretch_mean"])
    assert reading.figures["flipped"] == 0


def test_without_faces_distances_alone_are_measured():
    rig = tube_rig()
    deformer = Deformer(rig)
    frame = deformer.frame(turned(rig, 1, (0, 0, 1), 60))
    skinned, other = (
        deformer.skin_all(frame, METHODS[m], Options()) for m in ("compensated", "lbs")
    )
    whole = ShapeMeter(deformer).read(frame, skinned, other)
    distances = ShapeMeter(deformer).read(frame, skinned, other, faces=False)
    kept = [c for q in ("bulge", "collapse", "difference") for c in QUANTITIES[q].columns]
    assert all(distances.figures[c] == whole.figures[c] != 0.0 for c in kept)
    assert all(np.isnan(distances.figures[c]) for c in COLUMNS if c not in kept)
    assert np.array_equal(distances.joints["bulge"], whole.joints["bulge"])
