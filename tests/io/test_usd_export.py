"""USD files written anew: every pose is that of the rig, and OpenUSD's validators say nothing."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow
from rigs import Recipe, make

from rigview.cli import main
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.materials import Image, Material, ScalarMap, Surface, Texture
from rigview.core.mesh import MorphTargets
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.core.skinning import METHODS, Options
from rigview.io import load, save

pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Usd, UsdSkel
from usd_validators import errors

# Files hold 32-bit floats, scales that are keyed have 16 bits and are 1 here.
TOLERANCE = 1e-5


def corners(deformer, clip, time):
    """Return where the corners of all triangles are, in the rig's order of parts."""
    frame = deformer.frame(sample(deformer.rig, clip, time))
    return np.concatenate(
        [
            deformer.skin(i, frame, METHODS["lbs"], Options()).positions[
                deformer.rig.primitive(part).triangles
            ]
            for i, part in enumerate(deformer.rig.parts)
        ]
    )


def check_alike(a, b):
    """Expect the same shape at rest and in every clip, at keys and between."""
    deformers = Deformer(a), Deformer(b)
    assert len(a.clips) == len(b.clips)
    for was, now in ((None, None), *zip(a.clips, b.clips, strict=True)):
        times = [0.0] if was is None else np.linspace(was.start, was.end, 7)
        for time in times:
            x, y = corners(deformers[0], was, time), corners(deformers[1], now, time)
            assert x.shape == y.shape
            np.testing.assert_allclose(x, y, atol=TOLERANCE * deformers[0].size)


def faults(path):
    return [error.GetMessage() for error in errors(path)]


def dressed(rig):
    """Return the rig with shapes, their curve, a bent curve, and a textured material."""
    mesh = rig.meshes[0]
    old = mesh.primitives[0]
    offsets = np.zeros((1, len(old.positions), 3))
    offsets[0, ::2, 1] = 0.1
    uvs = {0: old.positions[:, :2]}
    primitive = replace(old, morphs=MorphTargets(offsets, names=("smile",)), material=0, uvs=uvs)
    mesh = replace(mesh, primitives=(primitive,), morph_weights=np.zeros(1))
    node = next(n for n, m in enumerate(rig.node_meshes) if m == 0)
    clip = rig.clips[0]
    weights = Sampler(np.array([0.0, 0.5, 1.0]), np.array([[0.0], [1.0], [0.25]]))
    bent = np.zeros((2, 3, 3))
    bent[:, 1] = rig.nodes.translations[rig.joints[-1]]
    bent[1, 1] += [0.0, 0.2, 0.0]
    bent[0, 2] = [0.5, 0.0, 0.0]
    spline = Sampler(np.array([0.0, 1.0]), bent, "CUBICSPLINE")
    kept = tuple(c for c in clip.channels if (c.node, c.path) != (rig.joints[-1], "translation"))
    more = Channel(node, "weights", weights), Channel(rig.joints[-1], "translation", spline)
    pixels = np.full((2, 2, 4), [200, 100, 50, 255], dtype=np.uint8)
    return replace(
        rig,
        meshes=(mesh, *rig.meshes[1:]),
        clips=(Clip("Run", (*kept, *more)), *rig.clips[1:]),
        materials=(Material("skin", (0.5, 1.0, 1.0, 1.0), Texture(0), double_sided=True),),
        images=(Image("skin.png", pixels),),
    )


@pytest.mark.parametrize("suffix", [".usda", ".usdz"])
def test_every_pose_of_a_rig_is_in_its_file(suffix, tmp_path):
    rig = dressed(make(Recipe(3, joints=6, clips=2, mesh_transform=True)))
    out = tmp_path / f"hero{suffix}"
    source = tmp_path / "hero.glb"
    made = make(Recipe(3, joints=6, clips=2, mesh_transform=True))
    save(load_of(made, source), rig, out)
    assert faults(out) == []
    again = load(out).rig
    check_alike(rig, again)
    assert again.clips[0].name == "Run"
    assert {*again.meshes[0].primitives[0].morphs.names} == {"smile"}
    (material,) = again.materials
    assert material.double_sided
    np.testing.assert_allclose(material.base_colour, (0.5, 1.0, 1.0, 1.0), atol=1e-6)
    assert tuple(again.images[0].pixels[0, 0]) == (200, 100, 50, 255)


def _is_straight(channel):
    return channel.sampler.interpolation == "LINEAR"


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
@pytest.mark.parametrize("clips", [0, 2])
def test_weights_of_shapes_at_rest_are_defaults_and_come_back(clips, suffix, tmp_path):
    rig = make(Recipe(5, joints=4, clips=clips, morphs=3))
    # Other curves bend, and come as lines.
    straight = [[c for c in clip.channels if _is_straight(c)] for clip in rig.clips]
    made = zip(rig.clips, straight, strict=True)
    rig = replace(rig, clips=tuple(replace(clip, channels=tuple(c)) for clip, c in made))
    assert all("weights" in {c.path for c in channels} for channels in straight)
    (weights,) = rig.node_morph_weights.values()
    assert np.abs(weights).min() > 0.01
    out = tmp_path / f"hero{suffix}"
    said = save(load_of(rig, tmp_path / "hero.glb"), rig, out)
    assert not any("rest" in note for note in said)
    assert faults(out) == []
    check_alike(rig, load(out).rig)
    stage = Usd.Stage.Open(str(out))
    for prim in filter(lambda p: p.IsA(UsdSkel.Animation), stage.Traverse()):
        query = UsdSkel.Cache().GetAnimQuery(UsdSkel.Animation(prim))
        stated = query.ComputeBlendShapeWeights(Usd.TimeCode.Default())
        assert len(query.GetBlendShapeOrder()) == len(weights)
        np.testing.assert_allclose(stated, weights, atol=1e-6)
        assert bool(query.GetBlendShapeWeightTimeSamples()) == bool(clips)


def test_values_per_vertex_that_usd_has_no_place_for_are_named(tmp_path):
    rig = make(Recipe(3, joints=3))
    old = rig.meshes[0].primitives[0]
    values = np.linspace(0.0, 1.0, len(old.positions))
    painted = rig.with_primitive(0, 0, replace(old, compensation=values, dqs_weights=values))
    said = [
        save(load_of(one, tmp_path / "hero.glb"), one, tmp_path / "hero.usda")
        for one in (rig, painted)
    ]
    new = [note for note in said[1] if note not in said[0]]
    assert [note.partition(" of ")[0] for note in new] == [
        "USD has no place for the mask",
        "USD has no place for the shares",
    ]


def load_of(rig, path):
    """Return an open file that is not of USD."""
    from rigview.io.reading import Loaded

    return Loaded(path, rig, None)


def plain(value):
    return np.full((2, 2, 4), value, dtype=np.uint8)


def shining():
    """Return a rig whose material has all maps, metal and roughness of two images."""
    rig = make(Recipe(3, joints=3))
    mesh = rig.meshes[0]
    old = mesh.primitives[0]
    primitive = replace(old, material=0, uvs={0: old.positions[:, :2]})
    surface = Surface(
        1.0,
        0.5,
        ScalarMap(Texture(0), 0),
        ScalarMap(Texture(1), 1),
        Texture(2),
        occlusion_map=ScalarMap(Texture(1), 0),
        emissive=(1.0, 0.5, 0.25),
        emissive_map=Texture(3),
    )
    images = (
        Image("metal.png", plain([10, 20, 30, 255])),
        Image("rough.png", plain([40, 50, 60, 255])),
        Image("normal.png", plain([128, 128, 255, 255])),
        Image("glow.png", plain([1, 2, 3, 255])),
    )
    return replace(
        rig,
        meshes=(replace(mesh, primitives=(primitive,)), *rig.meshes[1:]),
        materials=(Material("skin", surface=surface),),
        images=images,
    )


def test_maps_of_materials_come_through_usd_into_gltf_and_back(tmp_path):
    rig = shining()
    usd, glb = tmp_path / "hero.usda", tmp_path / "hero.glb"
    save(load_of(rig, glb), rig, usd)
    assert faults(usd) == []
    loaded = load(usd)
    found = loaded.rig.materials[0].surface
    names = {key: loaded.rig.images[t.image].name for key, t in textures_of(found).items()}
    assert [*map(str.lower, map(stem, names.values()))] == [
        "metal",
        "rough",
        "normal",
        "rough",
        "glow",
    ]
    assert found.metallic_map.channel == 0
    assert found.roughness_map.channel == 1
    assert found.roughness == pytest.approx(0.5)
    assert found.emissive == pytest.approx((1.0, 0.5, 0.25))
    save(loaded, loaded.rig, glb)
    (stored,) = document_of(glb)[0]["materials"]
    pbr = stored["pbrMetallicRoughness"]
    assert pbr["roughnessFactor"] == pytest.approx(0.5)
    assert pbr["metallicFactor"] == 1.0
    assert stored["emissiveFactor"] == pytest.approx([1.0, 0.5, 0.25])

    assert pixel(glb, pbr["metallicRoughnessTexture"]) == (255, 50, 10)
    assert pixel(glb, stored["occlusionTexture"])[0] == 40
    assert pixel(glb, stored["normalTexture"]) == (128, 128, 255)
    assert pixel(glb, stored["emissiveTexture"]) == (1, 2, 3)
    package = tmp_path / "again.usdz"
    save(replace(load(glb), source=None), load(glb).rig, package)
    assert faults(package) == []
    again = load(package).rig
    back = again.materials[0].surface
    assert back.metallic_map.channel == 2
    assert tuple(again.images[back.metallic_map.texture.image].pixels[0, 0]) == (255, 50, 10, 255)
    assert tuple(again.images[back.normal_map.image].pixels[0, 0]) == (128, 128, 255, 255)


def document_of(glb):
    """Return the document of a GLB, and its binary chunk."""
    data = glb.read_bytes()
    (length,) = np.frombuffer(data[12:16], "<u4")
    return json.loads(data[20 : 20 + int(length)]), data[28 + int(length) :]


def pixel(glb, place):
    """Return the first pixel of a texture of a GLB."""
    document, binary = document_of(glb)
    image = document["images"][document["textures"][place["index"]]["source"]]
    view = document["bufferViews"][image["bufferView"]]
    content = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    return Pillow.open(io.BytesIO(content)).convert("RGB").getpixel((0, 0))


def stem(name):
    return Path(name).stem


def textures_of(surface):
    return {
        "metallic": surface.metallic_map.texture,
        "roughness": surface.roughness_map.texture,
        "normal": surface.normal_map,
        "occlusion": surface.occlusion_map.texture,
        "emissive": surface.emissive_map,
    }


@pytest.mark.corpus
def test_a_real_character_is_converted_with_the_clips_of_others(corpus, tmp_path, capsys):
    models = corpus / "rigs/DRx3D+glTF-Sample-Assets-OLD/Models"
    fox, out = models / "Fox/glTF-Binary/Fox.glb", tmp_path / "fox.usdc"
    assert main(["convert", str(fox), "-o", str(out), "--clips", "Run,Walk"]) == 0
    assert faults(out) == []
    rig, again = load(fox).rig, load(out).rig
    named = dict(zip(rig.clip_names, rig.clips, strict=True))
    check_alike(replace(rig, clips=(named["Run"], named["Walk"])), again)
    both = tmp_path / "both.glb"
    first = tmp_path / "Walking.glb"
    assert main(["convert", str(fox), "-o", str(first), "--clips", "Walk"]) == 0
    argv = ["convert", str(first), "-o", str(both), "--clips-from", str(first), str(out)]
    assert main(argv) == 0
    assert load(both).rig.clip_names == ("Walk", "Walking", "Run", "fox Walk")
    capsys.readouterr()
    assert main(["convert", str(fox), "-o", str(both), "--clips", "Jump"]) == 2
    assert "there is no clip Jump; choose Survey, Walk, Run" in capsys.readouterr().err
