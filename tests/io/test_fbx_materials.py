"""What FBX's materials look like, whatever program's they are."""

import pytest
from fbx_documents import document

from rigview.io import load


def material(tmp_path, properties, **pictures):
    """Open a material with pictures connected to some properties; return it, and the pictures."""
    objects = f'Material: 1, "Material::paint", "" {{\nProperties70: {{\n{properties}}}\n}}\n'
    links = ""
    for number, (target, name) in enumerate(pictures.items(), 10):
        objects += f'Texture: {number}, "Texture::t", "" {{\nRelativeFilename: "{name}"\n}}\n'
        links += f'C: "OP",{number},1, "{target}"\n'
    path = tmp_path / "paint.fbx"
    path.write_bytes(document(objects, links))
    rig = load(path).rig
    (found,) = rig.materials
    return found, rig.images


def colour(name, *values):
    return f'P: "{name}", "ColorRGB", "Color", "",{",".join(map(str, values))}\n'


@pytest.mark.parametrize("name", ["Maya|baseColor", "Maya|base_color"])
def test_a_base_colour_is_shown_where_there_is_no_diffuse_one(name, tmp_path):
    base = colour(name, 0.25, 0.5, 0.75)
    found, _ = material(tmp_path, base)
    assert found.base_colour == (0.25, 0.5, 0.75, 1.0)
    found, _ = material(tmp_path, base + colour("DiffuseColor", 1, 0, 0))
    assert found.base_colour == (1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("base", "opacity"),
    [
        ("DiffuseColor", "TransparentColor"),
        ("3dsMax|main|base_color_map", "3dsMax|main|opacity_map"),
    ],
)
def test_a_picture_cuts_where_it_is_the_opacity_too(base, opacity, tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    found, images = material(tmp_path, "", **{base: "pixel.png", opacity: "pixel.png"})
    assert (found.alpha_mode, found.base_colour) == ("MASK", (1.0, 1.0, 1.0, 1.0))
    assert images[found.texture.image].pixels.shape == (1, 1, 4)
    found, images = material(tmp_path, "", **{base: "pixel.png", opacity: "other.png"})
    assert (found.alpha_mode, len(images)) == ("OPAQUE", 1)


def test_maps_of_metal_roughness_normals_and_glow_are_kept(tmp_path, pixel):
    for name in ("metal", "rough", "normal", "glow"):
        (tmp_path / f"{name}.png").write_bytes(pixel)
    pictures = {
        "ReflectionFactor": "metal.png",
        "ShininessExponent": "rough.png",
        "NormalMap": "normal.png",
        "EmissiveColor": "glow.png",
    }
    found, images = material(tmp_path, "", **pictures)
    surface = found.surface
    assert len({texture.image for texture in surface.textures}) == len(images) == 4
    assert (surface.metallic, surface.roughness, surface.emissive) == (1.0, 1.0, (1.0, 1.0, 1.0))
    assert found.texture is None
    (tmp_path / "normal.png").unlink()
    found, images = material(tmp_path, "", **pictures)
    assert (found.surface.normal_map, len(images)) == (None, 3)
    loaded = load(tmp_path / "paint.fbx")
    assert any("a map of a material is left out" in note for note in loaded.notes)
    assert loaded.rig.unread == ()
