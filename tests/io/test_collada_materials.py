"""What Collada's effects look like: the COMMON profile as its specification states it."""

import numpy as np
import pytest

from rigview.io import load

UVS = [0.25, 0.5, 1, 0, 0, 1]


def square(tmp_path, shader, *, more="", extra="", bind="", sets=(0,)):
    """Open a triangle with a few sets of texture coordinates; return primitive and material."""
    sources = "".join(
        f'<source id="{name}"><float_array id="{name}-a" count="{len(values)}">'
        f"{' '.join(map(str, values))}</float_array><technique_common><accessor "
        f'source="#{name}-a" count="3" stride="{len(values) // 3}"/></technique_common></source>'
        for name, values in {
            "p": [0, 0, 0, 1, 0, 0, 0, 1, 0],
            **{f"uv{n}": [value + n for value in UVS] for n in sets},
        }.items()
    )
    inputs = "".join(
        f'<input semantic="TEXCOORD" source="#uv{n}" offset="0" set="{n}"/>' for n in sets
    )
    path = tmp_path / "square.dae"
    path.write_text(
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
        '<library_images><image id="picture"><init_from>pixel.png</init_from></image>'
        f'</library_images><library_effects><effect id="e"><profile_COMMON>{more}'
        f'<technique sid="t"><lambert>{shader}</lambert></technique>{extra}</profile_COMMON>'
        '</effect></library_effects><library_materials><material id="m" name="paint">'
        '<instance_effect url="#e"/></material></library_materials><library_geometries>'
        f'<geometry id="g"><mesh>{sources}<vertices id="v"><input semantic="POSITION" '
        f'source="#p"/></vertices><triangles count="1" material="s"><input semantic="VERTEX" '
        f'source="#v" offset="0"/>{inputs}<p>0 1 2</p></triangles></mesh></geometry>'
        '</library_geometries><library_visual_scenes><visual_scene id="scene"><node id="n">'
        '<instance_geometry url="#g"><bind_material><technique_common><instance_material '
        f'symbol="s" target="#m">{bind}</instance_material></technique_common></bind_material>'
        "</instance_geometry></node></visual_scene></library_visual_scenes>"
        '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>',
        encoding="utf-8",
    )
    rig = load(path).rig
    (primitive,) = rig.meshes[0].primitives
    return primitive, rig.materials[primitive.material]


@pytest.mark.parametrize(
    ("opaque", "colour", "transparency", "alpha"),
    [
        ("", "1 1 1 0.5", 0.5, 0.25),
        ('opaque="A_ONE"', "0 0 0 1", 1, 1.0),
        ('opaque="A_ZERO"', "0 0 0 0.25", 1, 0.75),
        ('opaque="RGB_ZERO"', "0.5 0.5 0.5 1", 0.5, 0.75),
        ('opaque="RGB_ONE"', "0.5 0.5 0.5 1", 0.5, 0.25),
        ('opaque="RGB_ZERO"', "1 1 1 1", 1, 1.0),  # none means nothing to see
    ],
)
def test_transparency_is_of_four_kinds(tmp_path, opaque, colour, transparency, alpha):
    shader = (
        f"<diffuse><color>0.1 0.2 0.3 1</color></diffuse><transparent {opaque}>"
        f"<color>{colour}</color></transparent><transparency><float>{transparency}</float>"
        "</transparency>"
    )
    _, material = square(tmp_path, shader)
    assert material.base_colour == pytest.approx((0.1, 0.2, 0.3, alpha), abs=1e-6)
    assert material.alpha_mode == ("OPAQUE" if alpha == 1.0 else "BLEND")


def test_a_colour_may_be_a_parameter(tmp_path):
    _, material = square(
        tmp_path,
        '<diffuse><param ref="tint"/></diffuse>',
        more='<newparam sid="tint"><float3>0.1 0.2 0.3</float3></newparam>',
        extra="<extra><technique profile='MAX3D'><double_sided>1</double_sided></technique></extra>",
    )
    assert material.base_colour == (0.1, 0.2, 0.3, 1.0)
    assert material.double_sided


SAMPLER = (
    '<newparam sid="surface"><surface type="2D"><init_from>picture</init_from></surface></newparam>'
    '<newparam sid="sampler"><sampler2D><source>surface</source><wrap_s>MIRROR</wrap_s>'
    "<wrap_t>CLAMP</wrap_t><magfilter>NEAREST</magfilter></sampler2D></newparam>"
)


def test_a_texture_lies_on_the_set_and_in_the_place_that_it_states(tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    place = (
        "<extra><technique profile='MAYA'><repeatU>2</repeatU><repeatV>3</repeatV>"
        "<offsetU>0.5</offsetU><offsetV>0.25</offsetV></technique></extra>"
    )
    primitive, material = square(
        tmp_path,
        f'<diffuse><texture texture="sampler" texcoord="CHANNEL">{place}</texture></diffuse>'
        '<transparent opaque="A_ONE"><texture texture="sampler" texcoord="CHANNEL"/></transparent>',
        more=SAMPLER,
        bind='<bind_vertex_input semantic="CHANNEL" input_semantic="TEXCOORD" input_set="2"/>',
        sets=(1, 2),
    )
    texture = material.texture
    assert (texture.image, texture.wrap, texture.nearest) == (0, ("mirror", "clamp"), True)
    assert material.alpha_mode == "BLEND"
    found = np.c_[primitive.uvs[texture.uv_set], np.ones(3)] @ np.array(texture.uv_transform).T
    u, v = np.reshape(UVS, (3, 2)).T + 2
    np.testing.assert_allclose(found[:, :2], np.c_[2 * u + 0.5, 1 - (3 * v + 0.25)])


def test_a_set_that_is_not_bound_is_the_first(tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    shader = '<diffuse><texture texture="picture" texcoord="CHANNEL"/></diffuse>'
    primitive, material = square(tmp_path, shader, sets=(1,))
    assert material.texture.uv_set in primitive.uvs
    assert material.alpha_mode == "OPAQUE"


def test_normals_and_emission_are_kept(tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    bump = (
        '<extra><technique profile="FCOLLADA"><bump{}><texture texture="picture" texcoord="c"/>'
        "</bump></technique></extra>"
    )
    shader = "<emission><color>0.5 0.25 0 1</color></emission>"
    _, found = square(tmp_path, shader, extra=bump.format(""))
    assert found.surface.emissive == (0.5, 0.25, 0.0)
    assert found.surface.normal_map is not None
    _, found = square(tmp_path, shader, extra=bump.format(' bumptype="HEIGHTFIELD"'))
    assert found.surface.normal_map is None
