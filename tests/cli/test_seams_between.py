"""WGT-SEAM across skins and files: what is cut in two closes again only with the same weights."""

import gc
from dataclasses import replace
from functools import partial
from weakref import ref

import numpy as np
import pytest

from rigview.check.rules import seams_between as seams_between_module
from rigview.check.rules.seams_between import RigFile, seams_between
from rigview.core.arrays import owned
from rigview.core.mesh import Influences, Primitive
from rigview.io import load
from rigview.io.gltf.export.document import save

LIMIT = 1e-3


def half(rig, *, above, namespace=""):
    """Return a character cut through its waist: the faces above it, or those below."""
    part = next(part for part in rig.parts if part.skin is not None)
    whole = rig.primitive(part)
    middle = whole.positions[whole.triangles].mean(axis=1)[:, 1]
    waist = 0.55 * whole.positions[:, 1].max()
    faces = whole.triangles[(middle > waist) == above]
    kept, triangles = np.unique(faces, return_inverse=True)
    own = Primitive(
        whole.positions[kept],
        triangles.reshape(-1, 3),
        np.zeros((0, 2), np.int64),
        np.zeros(0, np.int64),
        influences=whole.influences.of(kept),
    )
    names = tuple(f"{namespace}{name}" for name in rig.nodes.names)
    rig = replace(rig, nodes=replace(rig.nodes, names=names), clips=())
    return rig.with_primitive(part.mesh, part.primitive, own)


def shifted(rig, by):
    """Return a rig whose heaviest influence gives some weight to the next one."""
    part = next(part for part in rig.parts if part.skin is not None)
    primitive = rig.primitive(part)
    own = primitive.influences
    weights = own.weights.copy()
    weights[:, 0] -= by
    weights[:, 1] += by
    joints = own.joints.copy()
    # A slot that is free names the first joint of the skin.
    changed = replace(primitive, influences=Influences(owned(joints), owned(weights)))
    return rig.with_primitive(part.mesh, part.primitive, changed)


@pytest.fixture(scope="module")
def biped(samples):
    return load(samples / "biped.glb").rig


def found(*rigs):
    return seams_between(
        [RigFile(f"{number}.glb", lambda rig=rig: rig, at_limit) for number, rig in enumerate(rigs)]
    )


def at_limit(_rig):
    return LIMIT


def test_halves_with_their_own_weights_close(biped):
    upper, lower = half(biped, above=True), half(biped, above=False, namespace="mixamorig:")
    assert found(upper, lower) == [[], []]


def test_halves_with_other_weights_gape_along_the_cut_in_both_files(biped):
    upper, lower = half(biped, above=True), half(biped, above=False, namespace="mixamorig:")
    (first,), (second,) = found(shifted(upper, 0.1), lower)
    assert first.vertices.count == second.vertices.count > 10
    assert first.value == second.value == pytest.approx(0.2)
    assert "of 1.glb" in first.message
    assert "of 0.glb" in second.message
    heights = [
        rig.primitive(finding.vertices.part).positions[list(finding.vertices.ids), 1]
        for rig, finding in ((upper, first), (lower, second))
    ]
    assert np.ptp(np.concatenate(heights)) < 0.05
    assert set(np.round(heights[0], 6)) == set(np.round(heights[1], 6))


def test_joints_of_other_names_are_other_joints(biped):
    upper, lower = half(biped, above=True), half(biped, above=False, namespace="other")
    (first,), (second,) = found(upper, lower)
    assert first.value == second.value == pytest.approx(2.0)


def test_whole_bodies_in_one_place_are_solids_and_have_no_hole(biped):
    whole = replace(biped, clips=())
    assert found(whole, shifted(whole, 0.1)) == [[], []]


def test_vertices_inside_a_body_that_meet_the_border_of_another_gape(biped):
    """A hem stitched to the middle of a body: one side has a border there, the other has none."""
    whole, upper = replace(biped, clips=()), shifted(half(biped, above=True), 0.1)
    (first,), (second,) = found(whole, upper)
    assert first.vertices.count == second.vertices.count > 10
    middle = found(upper, half(biped, above=False))[0][0].vertices.count
    assert second.vertices.count == middle


@pytest.mark.usefixtures("own_rigs")
def test_no_rig_is_held_while_another_is_read(samples, tmp_path):
    held, most = [], []

    def read(path):
        gc.collect()
        most.append(sum(rig() is not None for rig in held))
        rig = load(path).rig
        held.append(ref(rig))
        return rig

    paths = [samples / f"{name}.glb" for name in ("arm", "candy", "arm")]
    seams_between([RigFile(path.name, partial(read, path), at_limit) for path in paths])
    assert len(most) == 2 * len(paths)
    assert max(most) == 0


def test_what_is_kept_of_a_body_without_borders_is_nothing(biped, monkeypatch):
    kept = []
    met = seams_between_module._met

    def counted(*given):
        one = met(*given)
        kept.append(len(one.points))
        return one

    monkeypatch.setattr(seams_between_module, "_met", counted)
    whole = replace(biped, clips=())
    assert found(whole, whole) == [[], []]
    upper = half(biped, above=True)
    found(whole, upper)
    assert kept[:2] == [0, 0]
    assert 0 < kept[2] == kept[3] < 0.1 * len(whole.meshes[0].primitives[0].positions)


def test_the_command_tells_it_of_both_files_and_fails(rigview, biped, tmp_path):
    paths = tmp_path / "upper.glb", tmp_path / "lower.glb"
    for path, rig in zip(
        paths, (shifted(half(biped, above=True), 0.1), half(biped, above=False)), strict=True
    ):
        save(rig, path)
    asked = ("--select", "WGT-SEAM", "--fail-on", "warning", "--format", "json")
    assert rigview("check", *paths, *asked).status == 0
    got = rigview("check", *paths, *asked, "--seams")
    assert got.status == 1
    told = [file["findings"] for file in got.json["files"]]
    assert [[f["rule"] for f in findings] for findings in told] == [["WGT-SEAM"]] * 2
