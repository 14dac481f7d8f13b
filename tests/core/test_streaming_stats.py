"""Values entered batch by batch come to what they come to at once; measures, to what is written plainly."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigview.core.deform import Deformer
from rigview.core.measures import streaming_stats
from rigview.core.measures.quantities import QUANTITIES
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.measures.streaming_stats import Places, StreamingStats
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load

SPREAD = [q for q in QUANTITIES.values() if q.spread]


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(streaming_stats, "BATCH", 64)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("quantity", SPREAD, ids=lambda q: q.id)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 900),
    left_out=st.integers(0, 900),
    order=st.sampled_from(["mixed", "rising", "falling", "even"]),
)
def test_values_come_to_the_same_batch_by_batch_as_at_once(quantity, seed, count, left_out, order):
    rng = np.random.default_rng(seed)
    values = rng.uniform(0.0, 2.0, count)
    if order != "mixed":
        values = np.sort(values) if order == "rising" else np.sort(values)[::-1]
    if order == "even":
        values = np.round(values)
    joints = np.sort(rng.integers(0, 5, count + left_out))
    got = StreamingStats(quantity, Places(joints, count))
    for batch in got._places.measured(rigid=True):
        got.enter(batch, values[batch.rows].copy())
    every = np.concatenate([values, np.full(left_out, quantity.unchanged)])
    bad = quantity.badness(every)
    ranked = every[np.argsort(bad, kind="stable")]
    mean, most, worst = got.figures().values()
    assert mean == pytest.approx(every.mean(), rel=1e-12)
    assert most == ranked[int(np.ceil(0.99 * (len(every) - 1)))]
    assert worst == ranked[-1]
    for joint, value in enumerate(got.by_joint(6)):
        here = every[joints == joint]
        assert quantity.badness(value) == max([0.0, *quantity.badness(here)])


def test_without_places_there_is_no_figure():
    empty = StreamingStats(QUANTITIES["stretch"], Places(np.zeros(0, dtype=np.int64), 0))
    assert np.all(np.isnan(list(empty.figures().values())))
    assert empty.by_joint(2).tolist() == [1.0, 1.0]


def spread(quantity, values):
    """Return the three figures of values."""
    ranked = values[np.argsort(quantity.badness(values), kind="stable")]
    return [values.mean(), ranked[int(np.ceil(0.99 * (len(values) - 1)))], ranked[-1]]


def angle(a, b):
    cosine = np.einsum("fi,fi->f", a, b)
    return np.arccos(
        np.clip(cosine / (np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)), -1.0, 1.0)
    )


def edges_of(points, faces):
    a, b, c = (points[faces[:, i]] for i in range(3))
    return np.stack([b - a, c - b, a - c], axis=1)


def plain(rig, positions, normals):
    """Measure the triangles of a rig's one mesh by the sentences of the table."""
    primitive = rig.primitive(rig.parts[0])
    faces, bound = primitive.triangles, primitive.positions
    edges, bound_edges = edges_of(positions, faces), edges_of(bound, faces)
    facing, bound_facing = (np.cross(e[:, 0], e[:, 1]) for e in (edges, bound_edges))
    lengths, bound_lengths = (np.linalg.norm(e, axis=2) for e in (edges, bound_edges))
    areas, bound_areas = (np.linalg.norm(f, axis=1) for f in (facing, bound_facing))
    shading = normals[faces].sum(axis=1)
    error = angle(facing, shading) - angle(bound_facing, primitive.shading_normals[faces].sum(1))
    return {
        "stretch": (lengths / bound_lengths).max(axis=1),
        "area": areas / bound_areas,
        "normal": np.maximum(error, 0.0),
    }


def posed_arm(samples):
    rig = load(samples / "arm.glb").rig
    deformer = Deformer(rig)
    clip = rig.clips[0]
    return rig, deformer, deformer.frame(sample(rig, clip, 0.5 * clip.end))


@pytest.mark.usefixtures("small_batches")
def test_triangles_are_measured_as_their_quantities_say(samples):
    rig, deformer, frame = posed_arm(samples)
    names = ("lbs", "dqs", "compensated")
    skinned = list(deformer.skin_by(frame, [METHODS[n] for n in names], Options()))
    for parts, reading in zip(
        skinned, ShapeMeter(deformer).read_all(frame, skinned, skinned[1]), strict=True
    ):
        (part,) = parts
        for name, wanted in plain(rig, part.positions, part.normals).items():
            quantity = QUANTITIES[name]
            got = [reading.figures[column] for column in quantity.columns]
            # float32 files round the joints' sizes, by which ratios are divided.
            assert got == pytest.approx(spread(quantity, wanted), abs=1e-5)
        apart = np.linalg.norm(part.positions - skinned[1][0].positions, axis=1) / deformer.size
        got = [reading.figures[column] for column in QUANTITIES["difference"].columns]
        assert got == pytest.approx(spread(QUANTITIES["difference"], apart), abs=1e-12)


@pytest.mark.usefixtures("small_batches")
def test_vertices_are_measured_from_the_nearest_bone_of_their_joints(samples):
    _, deformer, frame = posed_arm(samples)
    meter = ShapeMeter(deformer)
    binding = deformer.bindings[0]
    bones = meter.mesh.stance(frame).bones
    for method in ("lbs", "dqs"):
        (part,) = deformer.skin_all(frame, METHODS[method], Options())
        reading = meter.read(frame, [part])

        def nearest(of, points):
            each = [of.distance(joints, points) for joints in binding.joints.T]
            return np.where(binding.weights.T > 0.0, each, np.inf).min(axis=0)

        (primitive,) = (deformer.rig.primitive(p) for p in deformer.rig.parts)
        rest = nearest(meter.mesh.bound_bones, primitive.positions)
        excess = (nearest(bones, part.positions) - rest) / np.maximum(rest, 0.5 * rest.mean())
        for name, sign in (("bulge", 1.0), ("collapse", -1.0)):
            got = [reading.figures[column] for column in QUANTITIES[name].columns]
            wanted = spread(QUANTITIES[name], np.maximum(sign * excess, 0.0))
            assert got == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_methods_together_measure_the_same_in_any_size_of_batch(samples, monkeypatch, scale):
    rig, deformer, frame = posed_arm(samples)
    pose = replace(frame.pose, scales=frame.pose.scales * scale)
    frame = deformer.frame(pose)
    skinned = list(deformer.skin_by(frame, METHODS.values(), Options()))
    whole = ShapeMeter(deformer).read_all(frame, skinned, skinned[0])
    monkeypatch.setattr(streaming_stats, "BATCH", 50)
    for long, short in zip(
        whole, ShapeMeter(Deformer(rig)).read_all(frame, skinned, skinned[0]), strict=True
    ):
        assert short.figures == pytest.approx(long.figures, rel=1e-9, abs=1e-9)
        for name, joints in long.joints.items():
            assert short.joints[name] == pytest.approx(joints, abs=1e-12)


def test_skinning_by_several_methods_is_skinning_by_each(samples):
    _, deformer, frame = posed_arm(samples)
    together = deformer.skin_by(frame, METHODS.values(), Options())
    for method, parts in zip(METHODS.values(), together, strict=True):
        (wanted,) = deformer.skin_all(frame, method, Options())
        assert np.array_equal(parts[0].positions, wanted.positions)
        assert np.array_equal(parts[0].normals, wanted.normals)
