"""Textured shading against the model of glTF 2.0, appendix B, written in numpy: colours of pixels."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.core.materials import Image, Material, ScalarMap, Surface, Texture
from rigview.core.mesh import Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig
from rigview.render.camera import Camera
from rigview.render.image import Framebuffer
from rigview.render.look import Look
from rigview.render.passes import Renderer, side_by_side
from rigview.render.scene import Scene
from rigview.render.surfaces import LEAST_ROUGHNESS, uv_sets

pytestmark = pytest.mark.gl

BARE = Look(shading="textured", bones=False, axes=False, grid=False, marks=False)
SIZE = 33
# The lights of shaders/lib/surface.glsl.
LIGHTS = (
    ((-0.55, 0.70, 0.50), (0.84, 0.81, 0.76)),
    ((0.75, -0.05, 0.55), (0.15, 0.17, 0.21)),
    ((0.45, 0.40, -0.80), (0.42, 0.45, 0.50)),
)
SKY, GROUND = np.array([0.21, 0.22, 0.24]), np.array([0.10, 0.095, 0.09])
CORNERS = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], dtype=float)
# As glTF has it: v grows down the picture.
UPRIGHT = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], dtype=float)
MIRRORED = np.array([[1, 1], [0, 1], [0, 0], [1, 0]], dtype=float)
TURNED = np.array([[0, 0], [0, 1], [1, 1], [1, 0]], dtype=float)


def unit(vector):
    return np.asarray(vector, dtype=float) / np.linalg.norm(vector)


def linear(encoded):
    encoded = np.asarray(encoded, dtype=float)
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def encoded(colour):
    colour = np.clip(colour, 0.0, 1.0)
    return 255.0 * np.where(
        colour < 0.0031308, 12.92 * colour, 1.055 * colour ** (1.0 / 2.4) - 0.055
    )


def expected(normal, eye, surface, base, occlusion=1.0):
    """Return the sRGB bytes of a surface: diffuse and specular as the appendix writes them."""
    metallic, alpha = surface.metallic, max(surface.roughness, LEAST_ROUGHNESS) ** 2
    base = np.asarray(base)[:3]
    diffuse = base * (1.0 - metallic)
    f0 = 0.04 * (1.0 - metallic) + base * metallic
    total = np.zeros(3)
    seen = abs(normal @ eye)

    def smith(cosine):
        return 2.0 * cosine / (cosine + np.sqrt(alpha**2 + (1.0 - alpha**2) * cosine**2))

    for place, light in LIGHTS:
        at = unit(place)
        cosine = normal @ at
        if cosine <= 0.0:
            continue
        half_way = unit(at + eye)
        fresnel = f0 + (1.0 - f0) * (1.0 - half_way @ eye) ** 5
        d = alpha**2 / (np.pi * ((normal @ half_way) ** 2 * (alpha**2 - 1.0) + 1.0) ** 2)
        specular = d * smith(cosine) * smith(seen) / (4.0 * cosine * seen)
        brdf = (1.0 - fresnel) * diffuse / np.pi + fresnel * specular
        total += brdf * np.pi * np.array(light) * cosine

    def around(direction):
        return GROUND + (SKY - GROUND) * (0.5 + 0.5 * direction[1])

    r = np.sqrt(alpha) * np.array([-1.0, -0.0275, -0.572, 0.022]) + [1.0, 0.0425, 1.04, -0.04]
    share = min(r[0] ** 2, 2.0 ** (-9.28 * max(normal @ eye, 0.0))) * r[0] + r[1]
    scale, bias = -1.04 * share + r[2], 1.04 * share + r[3]
    mirrored = 2.0 * (normal @ eye) * normal - eye
    sky = around(normal) * (1.0 - f0) * diffuse + 2.0 * around(mirrored) * (f0 * scale + bias)
    return encoded(total + occlusion * sky + np.array(surface.emissive))


def pixels_of(colour):
    return np.array([[colour]], dtype=np.uint8)


def sheet(material, images=(), normal=(0.0, 0.0, 1.0), uvs=None):
    """Return a rig of one square that faces +Z, its shading normals turned by choice."""
    primitive = Primitive(
        positions=CORNERS,
        triangles=np.array([[0, 1, 2], [0, 2, 3]]),
        lines=np.zeros((0, 2), dtype=np.int64),
        points=np.zeros(0, dtype=np.int64),
        normals=np.tile(unit(normal), (4, 1)),
        uvs=uvs or {0: UPRIGHT},
        material=0,
    )
    return Rig(
        nodes=Nodes(
            ("sheet",), ((),), np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]]), np.ones((1, 3))
        ),
        node_meshes=(0,),
        node_skins=(None,),
        roots=(0,),
        meshes=(Mesh("sheet", (primitive,)),),
        materials=(material,),
        images=tuple(Image(f"image {i}", pixels_of(image)) for i, image in enumerate(images)),
    )


def centre(rig, yaw=0.0, orthographic=True):
    """Return the middle pixel of a picture of the sheet, from the front if not turned."""
    camera = Camera(yaw=yaw, pitch=0.0, distance=4.0, orthographic=orthographic)
    deformer = Deformer(rig)
    scene, renderer, target = Scene(deformer), Renderer(), Framebuffer(SIZE, SIZE)
    target.bind()
    renderer.draw(scene, deformer.rest, side_by_side(["lbs"], SIZE, SIZE), camera, BARE)
    pixel = target.read()[SIZE // 2, SIZE // 2]
    for made in (scene, renderer, target):
        made.close()
    return pixel[:3].astype(float)


FRONT = np.array([0.0, 0.0, 1.0])
NORMALS = [FRONT, unit([-0.5, 0.6, 0.6]), unit([0.6, -0.2, 0.7]), unit([0.3, 0.9, 0.3])]


@pytest.mark.parametrize("normal", NORMALS, ids=str)
@pytest.mark.parametrize("metallic", [0.0, 0.4, 1.0])
def test_a_pixel_has_the_colour_of_the_model(gl, normal, metallic):
    base = (0.7, 0.3, 0.1, 1.0)
    for roughness in (0.0, 0.3, 0.6, 1.0):
        surface = Surface(metallic, roughness, emissive=(0.0, 0.05, 0.02))
        for orthographic in (True, False):
            seen = centre(
                sheet(Material(base_colour=base, surface=surface), normal=normal), 0.0, orthographic
            )
            wanted = expected(normal, FRONT, surface, base)
            assert np.abs(seen - wanted).max() <= 1.5, (roughness, seen, wanted)


def test_maps_multiply_what_the_material_states_by_their_channel(gl):
    packed = (200, 90, 160, 255)
    images = ((255, 128, 64, 255), packed, (128, 255, 0, 255))
    surface = Surface(
        metallic=0.8,
        roughness=0.9,
        metallic_map=ScalarMap(Texture(1), 2),
        roughness_map=ScalarMap(Texture(1), 1),
        occlusion_map=ScalarMap(Texture(1), 0),
        occlusion_strength=0.7,
        emissive=(0.2, 0.1, 0.3),
        emissive_map=Texture(2),
    )
    material = Material(base_colour=(0.5, 1.0, 1.0, 1.0), texture=Texture(0), surface=surface)
    base = np.array([0.5, 1.0, 1.0]) * linear(np.array(images[0][:3]) / 255.0)
    plain = Surface(
        0.8 * 160 / 255, 0.9 * 90 / 255,
        emissive=tuple(np.array(surface.emissive) * linear(np.array(images[2][:3]) / 255.0)),
    )  # fmt: skip
    for normal in NORMALS:
        wanted = expected(normal, FRONT, plain, base, 1.0 + 0.7 * (200 / 255 - 1.0))
        assert np.abs(centre(sheet(material, images, normal)) - wanted).max() <= 1.5


@pytest.mark.parametrize(
    ("uvs", "right", "up"),
    [
        (UPRIGHT, (1, 0, 0), (0, 1, 0)),
        (MIRRORED, (-1, 0, 0), (0, 1, 0)),
        (TURNED, (0, 1, 0), (-1, 0, 0)),
    ],
    ids=["upright", "mirrored", "turned"],
)
@pytest.mark.parametrize("yaw", [0.0, np.pi], ids=["front", "back"])
def test_a_normal_map_tilts_along_its_picture(gl, uvs, right, up, yaw):
    image = (200, 160, 215, 255)
    surface = Surface(0.2, 0.5, normal_map=Texture(0), normal_scale=0.8)
    material = Material(base_colour=(0.6, 0.6, 0.6, 1.0), double_sided=True, surface=surface)
    slope = 2.0 * np.array(image[:3]) / 255.0 - 1.0
    normal = unit(
        0.8 * slope[0] * np.array(right) + 0.8 * slope[1] * np.array(up) + slope[2] * FRONT
    )
    if yaw:
        # Turned over, and then seen from behind: x and z change sign.
        normal = -normal * [-1.0, 1.0, -1.0]
    wanted = expected(normal, FRONT, surface, material.base_colour)
    seen = centre(sheet(material, (image,), uvs={0: uvs}), yaw)
    assert np.abs(seen - wanted).max() <= 1.5
    flat = expected(FRONT, FRONT, surface, material.base_colour)
    assert np.abs(flat - wanted).max() > 5.0


def test_every_map_is_read_by_its_own_texture_coordinates(gl):
    stripes = np.array([[[255, 0, 0, 255], [0, 255, 0, 255]]], dtype=np.uint8)
    left, right = (np.tile([u, 0.5], (4, 1)) for u in (0.25, 0.75))
    near = Texture(0, nearest=True)
    for emissive_set, glow in ((0, (1, 0, 0)), (1, (0, 1, 0)), (2, (0, 1, 0))):
        surface = Surface(emissive=(1.0, 1.0, 1.0), emissive_map=replace(near, uv_set=emissive_set))
        material = Material(base_colour=(0.0, 0.0, 0.0, 1.0), texture=near, surface=surface)
        rig = sheet(material, ((0, 0, 0, 255),), uvs={0: left, 1: right, 2: right})
        rig = replace(rig, images=(Image("stripes", stripes),))
        wanted = expected(FRONT, FRONT, Surface(emissive=glow), (0.0, 0.0, 0.0))
        assert np.abs(centre(rig) - wanted).max() <= 1.5


def test_a_single_side_is_not_seen_from_behind(gl):
    material = Material(base_colour=(1.0, 0.0, 0.0, 1.0), unlit=True)
    assert centre(sheet(material)).tolist() == [255, 0, 0]
    assert centre(sheet(material), np.pi)[0] < 100
    assert centre(sheet(replace(material, double_sided=True)), np.pi).tolist() == [255, 0, 0]


def test_three_sets_of_texture_coordinates_are_read_the_colours_first():
    surface = Surface(normal_map=Texture(0, 3), emissive_map=Texture(0, 1))
    assert uv_sets(Material(texture=Texture(0, 2), surface=surface)) == (2, 1, 3)
    assert uv_sets(Material()) == (0,)
    assert uv_sets(Material(surface=surface)) == (0, 1, 3)


def picture(rig, look, methods=("lbs", "dqs")):
    """Return the panes of a picture of a rig."""
    deformer = Deformer(rig)
    camera = Camera(yaw=0.0, pitch=0.0, distance=4.0)
    width = (SIZE + 2) * len(methods) - 2
    scene, renderer, target = Scene(deformer), Renderer(), Framebuffer(width, SIZE)
    target.bind()
    renderer.draw(scene, deformer.rest, side_by_side(methods, width, SIZE), camera, look)
    pixels = target.read()[..., :3].astype(int)
    for made in (scene, renderer, target):
        made.close()
    return [pixels[:, i * (SIZE + 2) : i * (SIZE + 2) + SIZE] for i in range(len(methods))]


def test_the_first_pane_alone_has_the_files_textures_beside_clay(gl):
    red = Material(texture=Texture(0), unlit=True)
    rig = sheet(red, ((255, 0, 0, 255),))
    first, second = picture(rig, replace(BARE, shading="clay", file_look=True))
    clay, _ = picture(rig, replace(BARE, shading="clay"))
    assert first[SIZE // 2, SIZE // 2].tolist() == [255, 0, 0]
    assert np.array_equal(second, clay)
    # Any other shading is that of all panes, and a file without textures has no look of its own.
    other = replace(BARE, shading="count")
    assert np.array_equal(
        picture(rig, replace(other, file_look=True)), picture(rig, replace(other))
    )
    plain = sheet(replace(red, texture=None))
    look = replace(BARE, shading="clay")
    assert np.array_equal(picture(plain, replace(look, file_look=True)), picture(plain, look))


def test_dense_edges_are_fainter_but_never_gone(gl):
    def darkened(divisions):
        steps = np.linspace(-1.0, 1.0, divisions + 1)
        x, y = np.meshgrid(steps, steps)
        corners = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
        at = (np.arange(divisions)[:, None] * (divisions + 1) + np.arange(divisions)).ravel()
        near, far = at + 1, at + divisions + 1
        triangles = np.concatenate(
            [np.stack([at, near, far + 1], axis=1), np.stack([at, far + 1, far], axis=1)]
        )
        rig = sheet(Material())
        old = rig.meshes[0].primitives[0]
        normals = np.tile(FRONT, (len(corners), 1))
        fine = replace(old, positions=corners, triangles=triangles, normals=normals, uvs={})
        rig = rig.with_primitive(0, 0, fine)
        look = replace(BARE, shading="clay")
        plain, edged = (picture(rig, replace(look, wires=w), ("lbs",))[0] for w in (False, True))
        return (plain - edged).sum(axis=-1).max()

    coarse, fine, finest = (darkened(divisions) for divisions in (2, 20, 60))
    # Several may cross a pixel; together they still leave more of it to be seen than one that stands alone.
    assert min(fine, finest) > 0
    assert max(fine, finest) < coarse


def test_clay_shows_volume_by_a_key_a_fill_and_a_rim(gl):
    def brightness(*normal):
        shown = picture(sheet(Material(), normal=normal), replace(BARE, shading="clay"), ("lbs",))[
            0
        ]
        return int(shown[SIZE // 2, SIZE // 2].sum())

    key, front = brightness(-0.55, 0.70, 0.50), brightness(0.0, 0.0, 1.0)
    filled, dark = brightness(0.75, -0.05, 0.55), brightness(0.2, -0.9, 0.4)
    assert key > front > filled > dark
    # At the edge the light from behind is brighter than the side that it bounds.
    rim = brightness(0.93, 0.35, 0.10)
    assert rim > filled
    # Where a normal points away from the eye there is no edge.
    assert brightness(0.60, 0.35, -0.72) < front
