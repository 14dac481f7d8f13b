"""Writing a rig of any format as a glTF of its own: it re-opens equal in every pose."""

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs
from documents import arm, contents, faults
from hypothesis import given
from hypothesis import strategies as st
from values import assert_same_rig

from rigview.core import affine
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.materials import Image, Material, Texture
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.core.skinning import METHODS, Options
from rigview.io import Loaded, Overrides, SaveError, load, save
from rigview.io.curves import before_jump

TOLERANCE = 1e-5
# Weights of four digits have sums off by this, and are divided by them.
DIVIDED = 2e-4
RIGS = (
    "assimp+assimp/test/models/Collada/library_animation_clips.dae",
    "assimp+assimp/test/models/Collada/box_nested_animation.dae",
    "guillaumeblanc+ozz-animation/media/collada/pab/skeleton.dae",
    "guillaumeblanc+ozz-animation/media/collada/pab/walk.dae",
    "KhronosGroup+COLLADA-CTS/StandardDataSets/collada/library_controllers/controller/morph/"
    "morph_on_skin/morph_on_skin.dae",
    "VictorS-67+pybvh/bvh_data/bvh_test3.bvh",
)
USD = "PixarAnimationStudios+OpenUSD/pxr/usd/usdSkel/testenv/testUsdSkelBakeSkinning/"


def poses(rig, clip, times, method="lbs"):
    deformer = Deformer(rig)
    for time in times:
        frame = deformer.frame(sample(rig, clip, time))
        parts = deformer.skin_all(frame, METHODS[method], Options())
        yield [p.positions for p in parts if len(p.positions)], frame.model_from_node[:, :3, 3]


def assert_moves_alike(a, b, tolerance=TOLERANCE):
    size = Deformer(a).size
    clips = [(None, None), *zip([c for c in a.clips if c.active], b.clips, strict=True)]
    for was, now in clips:
        times = (
            [0.0] if was is None else [was.start + s * (was.end - was.start) for s in (0, 0.3, 1)]
        )
        for old, new in zip(poses(a, was, times), poses(b, now, times), strict=True):
            assert [len(p) for p in old[0]] == [len(p) for p in new[0]]
            for x, y in zip((*old[0], old[1]), (*new[0], new[1]), strict=True):
                np.testing.assert_allclose(x, y, atol=tolerance * size)


@pytest.mark.corpus
@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("name", RIGS)
def test_a_rig_of_another_format_moves_alike_as_gltf(name, suffix, corpus, tmp_path):
    loaded = load(corpus / "rigs" / name)
    out = tmp_path / f"out{suffix}"
    notes = save(loaded, loaded.rig, out)
    again = load(out).rig
    divided = any("sum to one" in note for note in notes)
    assert divided == (name == RIGS[0])
    assert_moves_alike(loaded.rig, again, DIVIDED if divided else TOLERANCE)
    assert again.nodes.names == loaded.rig.nodes.names
    assert [again.skins[i].joints for i in range(len(again.skins))] == [
        skin.joints for skin in loaded.rig.skins
    ]
    assert not list(faults(out))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["dqs", "blendshapes"])
def test_a_usd_moves_alike_as_gltf(name, corpus, tmp_path):
    pytest.importorskip("pxr", reason="needs rigview[usd]")
    loaded = load(corpus / "rigs" / USD / f"{name}.usda")
    assert not save(loaded, loaded.rig, tmp_path / "out.glb")
    again = load(tmp_path / "out.glb").rig
    assert_moves_alike(loaded.rig, again)
    assert wishes(again) == wishes(loaded.rig)
    assert {method for method, _ in wishes(again)} == {"dqs" if name == "dqs" else None}


def wishes(rig):
    """Return how each primitive wants to be skinned: the method, and its share of DQS per vertex."""
    return [
        (p.method, None if p.dqs_weights is None else p.dqs_weights.astype(np.float32).tobytes())
        for mesh in rig.meshes
        for p in mesh.primitives
    ]


@pytest.mark.corpus
def test_a_blend_of_methods_that_an_fbx_states_is_carried(corpus, tmp_path):
    loaded = load(corpus / "rigs/ufbx+ufbx/data/maya_dq_weights_7500_binary.fbx")
    assert not save(loaded, loaded.rig, tmp_path / "out.glb")
    again = load(tmp_path / "out.glb")
    assert not again.notes
    assert wishes(again.rig) == wishes(loaded.rig)
    assert {p.method for p in again.rig.meshes[0].primitives} == {"blended"}
    old, new = (
        next(poses(rig, rig.clips[0], [0.4], "blended"))[0] for rig in (loaded.rig, again.rig)
    )
    for x, y in zip(old, new, strict=True):
        np.testing.assert_allclose(x, y, atol=TOLERANCE * Deformer(loaded.rig).size)


def test_a_method_that_rigview_does_not_know_is_left_alone_and_said(tmp_path):
    doc = arm()
    primitives = doc.json["meshes"][0]["primitives"]
    primitives[0]["extras"], primitives[1]["extras"] = {"skinningMethod": "delta"}, ["dqs"]
    path = doc.save(tmp_path / "arm.gltf")
    loaded = load(path)
    assert [p.method for p in loaded.rig.meshes[0].primitives] == [None, None]
    assert [n for n in loaded.notes if "skinningMethod" in n] == [
        "/meshes/0/primitives/0/extras/skinningMethod is none of lbs, dqs, blended"
    ]


def test_a_painted_mask_and_every_method_are_written_anew(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    share = np.linspace(0, 1, 8).astype(np.float32)
    for number, method in enumerate(("lbs", "blended")):
        primitive = replace(
            rig.meshes[0].primitives[number], method=method, compensation=share[::-1]
        )
        weights = share if method == "blended" else None
        rig = rig.with_primitive(0, number, replace(primitive, dqs_weights=weights))
    fresh(rig, tmp_path / "out.gltf")
    again = load(tmp_path / "out.gltf").rig
    assert wishes(again) == wishes(rig)
    for primitive in again.meshes[0].primitives:
        np.testing.assert_array_equal(primitive.compensation, share[::-1])


@pytest.mark.parametrize(("off", "left"), [(0.0, 0.0), (4e-6, 0.0), (9e-4, 0.0), (0.02, 0.02)])
def test_sums_of_weights_that_noise_keeps_from_one_are_made_one(off, left, tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    primitive = rig.meshes[0].primitives[0]
    weights = np.tile([0.5, 0.25 + off, 0.25, 0.0], (8, 1))
    influences = replace(primitive.influences, weights=weights)
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    notes = fresh(rig, tmp_path / "out.glb")
    stored = load(tmp_path / "out.glb").rig.meshes[0].primitives[0].influences.weights
    np.testing.assert_allclose(stored.sum(axis=1), 1.0 + left, atol=1e-7)
    wanted = ["the weights of 8 vertices, off by up to 0.0009, now sum to one"]
    assert list(notes) == (wanted if off == 9e-4 else [])


def fresh(rig, out):
    """Save a rig as if it came from another format."""
    return save(Loaded(Path("other.fbx"), rig, None), rig, out)


def test_everything_of_a_gltf_survives_being_written_anew(tmp_path, textured):
    rig = load(textured).rig
    fresh(rig, tmp_path / "anew.glb")
    again = load(tmp_path / "anew.glb").rig
    shown = replace(rig, images=again.images)
    assert_same_rig(shown, again)
    used = rig.materials[0].texture.image
    np.testing.assert_array_equal(
        again.images[again.materials[0].texture.image].pixels, rig.images[used].pixels
    )
    assert not list(faults(tmp_path / "anew.glb"))


def test_textures_keep_their_placement(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    c, s = np.cos(0.3), np.sin(0.3)
    matrix = np.array([[2 * c, 3 * s, 0.5], [-2 * s, 3 * c, 0.25], [0, 0, 1.0]])
    texture = Texture(0, 1, tuple(map(tuple, matrix.tolist())), ("mirror", "clamp"), nearest=True)
    material = Material("Skin", (0.1, 0.2, 0.3, 0.4), texture, "MASK", 0.25, True, True)
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    rig = replace(rig, materials=(material,), images=(Image("skin", pixels),))
    fresh(rig, tmp_path / "out.gltf")
    again = load(tmp_path / "out.gltf").rig
    assert replace(again.materials[0], texture=None) == replace(material, texture=None)
    placed = again.materials[0].texture
    assert (placed.uv_set, placed.wrap, placed.nearest) == (1, ("mirror", "clamp"), True)
    np.testing.assert_allclose(placed.uv_transform, matrix, atol=1e-12)
    np.testing.assert_array_equal(again.images[0].pixels, pixels)


def test_more_than_four_influences_and_joints_without_weight_are_written(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    primitive = rig.meshes[0].primitives[0]
    joints = np.tile([0, 1, 2, 0, 1, 70], (8, 1))
    weights = np.tile([0.2, 0.2, 0.2, 0.2, 0.2000004, 0.0], (8, 1))
    influences = replace(primitive.influences, joints=joints, weights=weights)
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    fresh(rig, tmp_path / "out.glb")
    again = load(tmp_path / "out.glb").rig.meshes[0].primitives[0].influences
    assert again.joints.shape == (8, 8)
    assert again.joints[0, 5] == 0
    np.testing.assert_allclose(again.weights.sum(axis=1), 1.0, atol=1e-7)
    np.testing.assert_allclose(again.weights[:, :6], weights, atol=1e-6)


def test_the_heaviest_influences_come_first_where_there_are_several_sets(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    primitive = rig.meshes[0].primitives[0]
    joints = np.tile([0, 1, 2, 0, 1], (8, 1))
    weights = np.tile([0.0625, 0.125, 0.125, 0.1875, 0.5], (8, 1))
    weights[0] = 0.0
    influences = replace(primitive.influences, joints=joints, weights=weights)
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    notes = fresh(rig, tmp_path / "out.glb")
    again = load(tmp_path / "out.glb").rig.meshes[0].primitives[0].influences
    np.testing.assert_array_equal(again.weights[1, :5], [0.5, 0.1875, 0.125, 0.125, 0.0625])
    np.testing.assert_array_equal(again.joints[1, :5], [1, 0, 1, 2, 0])
    assert [note for note in notes if note.startswith("1 vertex has no weights")]


def test_a_clip_that_moves_nothing_is_left_out_and_told_of(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    notes = fresh(replace(rig, clips=(Clip("Rest", ()),)), tmp_path / "out.glb")
    assert notes == ("clip Rest moves nothing and is left out",)
    assert load(tmp_path / "out.glb").rig.clips == ()


def test_a_clip_that_starts_before_zero_is_moved_and_told_of(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    times = np.array([-1.0, 0.0, 1e-12, 2.0])
    values = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0.0]])
    clip = Clip("Early", (Channel(0, "translation", Sampler(times, values)),))
    notes = fresh(replace(rig, clips=(clip,)), tmp_path / "out.glb")
    assert notes == ("clip Early starts at -1 s and is moved to start at 0",)
    stored = load(tmp_path / "out.glb").rig.clips[0].channels[0].sampler
    # Two keys that would be one in 32 bits, a jump, stay two.
    np.testing.assert_allclose(stored.times, [0.0, 1.0, 1.0, 3.0], atol=1e-6)
    assert np.all(np.diff(stored.times) > 0)
    np.testing.assert_allclose(stored.values[:, 0], [0, 1, 2, 3])


@given(
    st.lists(st.integers(1, 3000), min_size=1, max_size=6, unique=True),
    st.sampled_from([24.0, 25.0, 29.97, 30.0, 60.0]),
    st.sampled_from(["before", "after", "both"]),
)
def test_a_frame_on_a_jump_shows_the_same_side_of_it_in_the_copy(frames, fps, where):
    keys = np.concatenate([[0.0], np.sort(frames) / fps, [200.0]])
    before, after = before_jump(keys[1:-1]), 2.0 * keys[1:-1] - before_jump(keys[1:-1])
    beside = {"before": [before], "after": [after], "both": [before, after]}[where]
    times = np.sort(np.concatenate([keys, *beside]))
    curve = Sampler(times, np.arange(3.0 * len(times)).reshape(-1, 3), stated=keys)
    clip = Clip("Held", (Channel(0, "translation", curve),))
    rig = replace(rigs.tidy(), clips=(clip,))
    with tempfile.TemporaryDirectory() as folder:
        fresh(rig, Path(folder) / "out.glb")
        copy = load(Path(folder) / "out.glb").rig
        stored = copy.clips[0].channels[0].sampler.times
    assert (np.diff(stored) > 0.0).all()
    # The time beside a key may be two 32-bit numbers away.
    np.testing.assert_allclose(stored, times, rtol=2.0**-22)
    # Between the keys of a spike are no 32-bit times but those of its keys.
    shown = keys if where != "both" else stored[np.isin(times, keys)]
    got, wanted = (
        sample(r, r.clips[0], at).translations[:, 0] for r, at in ((copy, shown), (rig, keys))
    )
    np.testing.assert_allclose(got, wanted, atol=1e-3)


def test_keys_later_than_gltf_can_state_are_left_out_and_told_of(tmp_path):
    rig = rigs.tidy()
    times = np.array([0.0, 1.0, 1e300])
    lost = Channel(rig.joints[0], "translation", Sampler(times, np.eye(3)))
    late = Channel(rig.joints[1], "translation", Sampler(times[2:], np.eye(3)[2:]))
    notes = fresh(replace(rig, clips=(Clip("Late", (lost, late)),)), tmp_path / "late.glb")
    assert [note for note in notes if "clip Late has keys after 3.40282e+38 s" in note]
    (clip,) = load(tmp_path / "late.glb").rig.clips
    (channel,) = clip.channels
    assert channel.sampler.times.tolist() == [0.0, 1.0]
    assert channel.sampler.values.tolist() == np.eye(3)[:2].tolist()


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_a_node_that_shears_is_written_as_two_that_do_not(mirror, tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    slanted = np.array([[mirror, 0.5, 0, 2], [0, 2, 0.25, 0], [0.5, 0, 3, 1], [0, 0, 0, 1.0]])
    nodes = replace(rig.nodes, matrices={1: slanted})
    rig = replace(rig, nodes=nodes, clips=())
    out = tmp_path / "slanted.glb"
    assert fresh(rig, out) == ()
    assert not list(faults(out))
    assert not any("matrix" in node for node in contents(out)[0]["nodes"])
    again = load(out).rig
    assert again.nodes.names[:-1] == nodes.names
    assert again.skins[0].joints == rig.skins[0].joints
    was, now = (Deformer(r).rest.model_from_node for r in (rig, again))
    np.testing.assert_allclose(now[:-1], was, atol=1e-6)


def test_a_joint_that_a_skin_lists_twice_is_written_as_two_nodes(tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    (skin,) = rig.skins
    other = skin.joint_from_mesh[1] @ affine.compose(
        np.array([0.0, 0.3, 0]), np.array([0.6, 0, 0, 0.8]), np.ones(3)
    )
    binds = np.concatenate([skin.joint_from_mesh, [other]])
    skin = replace(skin, joints=(*skin.joints, skin.joints[1]), inverse_binds=binds)
    primitive = rig.meshes[0].primitives[0]
    slots = primitive.influences.joints.copy()
    slots[::2] = np.where(slots[::2] == 1, len(binds) - 1, slots[::2])
    influences = replace(primitive.influences, joints=slots)
    rig = replace(rig, skins=(skin,))
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    out = tmp_path / "out.glb"
    assert fresh(rig, out) == ()
    again = load(out).rig
    assert len(set(again.skins[0].joints)) == len(skin.joints)
    for was, now in zip([None, *rig.clips], [None, *again.clips], strict=True):
        for old, new in zip(
            poses(rig, was, (0.0, 0.7)), poses(again, now, (0.0, 0.7)), strict=True
        ):
            np.testing.assert_allclose(new[0], old[0], atol=1e-6)


@pytest.mark.parametrize(("off", "number"), [(70_000, "70,00"), (-1, "-1")])
def test_a_joint_number_that_gltf_cannot_hold_is_refused(off, number, tmp_path):
    rig = load(arm().save_glb(tmp_path / "arm.glb")).rig
    primitive = rig.meshes[0].primitives[0]
    influences = replace(primitive.influences, joints=primitive.influences.joints + off)
    rig = rig.with_primitive(0, 0, replace(primitive, influences=influences))
    with pytest.raises(SaveError, match=rf"out\.glb: glTF has no joint number {number}"):
        fresh(rig, tmp_path / "out.glb")
    assert not (tmp_path / "out.glb").exists()


def test_an_overridden_gltf_is_written_anew(tmp_path):
    path = arm().save_glb(tmp_path / "arm.glb")
    loaded = load(path, overrides=Overrides(unit_m=0.5))
    assert loaded.source is None
    save(loaded, loaded.rig, str(tmp_path / "out.glb"))
    again, plain = load(tmp_path / "out.glb").rig, load(str(path)).rig
    np.testing.assert_allclose(again.nodes.translations, plain.nodes.translations * 0.5)
    only_rate = load(path, overrides=Overrides(fps=12.0))
    save(only_rate, only_rate.rig, tmp_path / "same.glb")
    assert (tmp_path / "same.glb").read_bytes() == path.read_bytes()


def test_the_command_converts_and_refuses_other_names(tmp_path):
    source = tmp_path / "arm.gltf"
    arm().save(source)
    command = [sys.executable, "-m", "rigview", "convert", str(source), "-o"]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [*command, str(tmp_path / "out.glb")], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'out.glb'}\n")
    assert contents(tmp_path / "out.glb")[0]["meshes"]
    done = subprocess.run(
        [*command, str(tmp_path / "out.fbx")], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "end the name with .glb or .gltf" in done.stderr
