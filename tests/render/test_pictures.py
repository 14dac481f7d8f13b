"""Drawn pictures: something is there, panes differ where methods do, and what is clear stays clear."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import rigs
from PIL import Image as Pillow
from tidy import ARM, BODY, HAND, HEAD, HIPS, SPINE

from rigview.assets import rgb, theme
from rigview.core.deform import Deformer
from rigview.core.materials import Image, Material, Texture
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.pose import rest_pose, sample
from rigview.io import load
from rigview.render import gl as opengl
from rigview.render import joint_labels, pane_text, review
from rigview.render.camera import Camera
from rigview.render.framing import joint_points, points_of_interest, visible_points
from rigview.render.image import Framebuffer, clear, straight_alpha
from rigview.render.look import Look
from rigview.render.motion import RigMotion
from rigview.render.pane_text import percent
from rigview.render.passes import Pane, Renderer, side_by_side
from rigview.render.review import Review, render
from rigview.render.scene import Scene

pytestmark = pytest.mark.gl

SAMPLES = Path(__file__).parents[2] / "samples"
BARE = Look(bones=False, axes=False, grid=False, marks=False)


def solid(rig):
    """Return the rig with its cloud of triangles replaced by a box around every joint."""
    model = Deformer(rig).rest.model_from_node[list(rig.skins[0].joints)]
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.25
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    points = np.concatenate([matrix[:3, 3] + corners for matrix in model])
    triangles = np.concatenate([faces + 8 * i for i in range(len(model))])
    joints = np.repeat(np.arange(len(model)), 8)
    numbers = np.stack([joints, np.maximum(joints - 1, 0)], axis=1)
    share = np.where(joints == 0, 1.0, 0.5 + 0.5 * (np.arange(len(joints)) % 2))
    primitive = replace(
        rig.meshes[0].primitives[0],
        positions=points,
        triangles=triangles,
        normals=None,
        influences=rigs.Influences(numbers, np.stack([share, 1 - share], axis=1)),
        morphs=None,
    )
    return rig.with_primitive(0, 0, primitive)


RIG = solid(rigs.tidy())
BENT = rigs.poses(RIG)[-2]


def framed(rig, pose, aspect=1.0):
    deformer = Deformer(rig)
    points = visible_points(deformer, deformer.frame(pose))
    return Camera().framed(points, aspect, deformer.size)


def draw(rig=RIG, look=BARE, methods=("lbs",), pose=None, size=(160, 160), samples=0, camera=None):
    """Return straight RGBA of a rig drawn in panes."""
    pose = rest_pose(rig) if pose is None else pose
    deformer = Deformer(rig)
    renderer, scene, target = Renderer(), Scene(deformer), Framebuffer(*size, samples)
    target.bind()
    panes = side_by_side(methods, *size)
    camera = camera or framed(rig, pose, panes[0].width / panes[0].height)
    renderer.draw(scene, deformer.frame(pose), panes, camera, look)
    pixels = straight_alpha(target.read())
    for owner in (scene, target, renderer):
        owner.close()
    assert opengl.GL.glGetError() == opengl.GL.GL_NO_ERROR
    return pixels.astype(int)


def test_a_mesh_covers_the_middle_of_the_picture(gl):
    pixels = draw(look=replace(BARE, transparent=True))
    inside = pixels[..., 3] == 255
    assert 0.1 < inside.mean() < 0.9
    assert pixels[inside][:, :3].std() > 5.0
    rows, columns = np.nonzero(inside)
    assert rows.min() > 2
    assert rows.max() < 157
    assert columns.min() > 2
    assert columns.max() < 157


def test_a_transparent_background_is_clear_and_the_mesh_is_opaque(gl):
    pixels = draw(look=replace(BARE, transparent=True))
    assert np.all(pixels[[0, 0, -1, -1], [0, -1, 0, -1]] == 0)
    assert set(np.unique(pixels[..., 3])) == {0, 255}


@pytest.mark.parametrize("theme_name", ["dark", "light"])
def test_a_background_runs_from_the_themes_top_to_its_bottom(gl, theme_name):
    pixels = draw(look=replace(BARE, theme=theme_name))
    assert np.all(pixels[..., 3] == 255)
    for row, token in ((0, "viewport_top"), (-1, "viewport_bottom")):
        wanted = np.array(rgb(theme(theme_name)[token])) * 255
        assert np.abs(pixels[row, 0, :3] - wanted).max() <= 2


def test_panes_differ_where_methods_do_and_only_there(gl):
    size = (322, 160)
    same = draw(methods=("lbs", "dqs"), size=size, look=replace(BARE, transparent=True))
    moved = draw(methods=("lbs", "dqs"), size=size, pose=BENT, look=replace(BARE, transparent=True))
    # Rounding may tip the odd pixel on an edge.
    apart = [(np.abs(p[:, :160] - p[:, 162:]) > 2).any(axis=-1).sum() for p in (same, moved)]
    assert apart[0] <= 3
    assert apart[1] > 30


def test_a_pane_is_where_the_core_puts_its_vertices(gl):
    look = replace(BARE, transparent=True)
    camera = framed(RIG, BENT)
    for method in ("lbs", "dqs", "compensated"):
        pixels = draw(methods=(method,), pose=BENT, look=look, camera=camera)
        positions = rigs.positions(RIG, BENT, method)
        triangles = RIG.meshes[0].primitives[0].triangles
        centres = positions[triangles].mean(axis=1)
        seen = camera.project(centres, 160, 160)
        columns, rows = seen[:, 0].astype(int), seen[:, 1].astype(int)
        assert np.all(pixels[rows, columns, 3] == 255)


def test_samples_smooth_edges_and_change_nothing_else(gl):
    look = replace(BARE, transparent=True)
    plain, smooth = draw(look=look), draw(look=look, samples=4)
    partly = (smooth[..., 3] > 0) & (smooth[..., 3] < 255)
    assert partly.any()
    inside = (smooth[..., 3] == 255) & (plain[..., 3] == 255)
    near = np.abs(smooth - plain).max(axis=-1) <= 3
    assert near[inside].mean() > 0.9
    assert np.all(smooth[0] == 0)


def test_edges_have_no_dark_fringe(gl):
    pixels = draw(look=replace(BARE, transparent=True), samples=4)
    partly = (pixels[..., 3] > 40) & (pixels[..., 3] < 255)
    assert pixels[partly][:, :3].min() > 20


def weights_look(joint):
    return replace(BARE, shading="weights", joint=joint, transparent=True)


def test_where_the_joint_has_no_weight_colour_is_the_neutral_grey_shaded(gl):
    pixels = draw(look=weights_look(None))
    seen = pixels[pixels[..., 3] == 255][:, :3]
    grey = np.array(rgb(theme()["zero"])) * 255
    share = seen / grey
    # Shading dims all channels by one factor, never brightens, and hints only.
    assert np.abs(share - share.mean(axis=1, keepdims=True)).max() <= 0.02
    assert share.max() <= 1.01
    assert share.min() >= 0.5


def test_weights_are_shown_where_the_joint_has_some(gl):
    nothing, head = draw(look=weights_look(None)), draw(look=weights_look(HEAD))
    changed = (nothing != head).any(axis=-1)
    assert changed.any()
    binding = Deformer(RIG).joint_weights(0, HEAD)
    points = rigs.positions(RIG, rest_pose(RIG), "lbs")[binding > 0]
    camera = framed(RIG, rest_pose(RIG))
    seen = camera.project(points, 160, 160)
    rows, columns = np.nonzero(changed)
    assert rows.min() >= np.floor(seen[:, 1].min()) - 1
    assert rows.max() <= np.ceil(seen[:, 1].max()) + 1
    assert columns.min() >= np.floor(seen[:, 0].min()) - 1
    assert columns.max() <= np.ceil(seen[:, 0].max()) + 1


def test_full_weight_has_the_colour_at_the_end_of_the_map(gl):
    from rigview.assets import colour_map

    pixels = draw(look=weights_look(HIPS))
    camera = framed(RIG, rest_pose(RIG))
    # The first joint moves its own box alone.
    centre = Deformer(RIG).rest.model_from_node[HIPS][:3, 3]
    x, y, _ = camera.project(centre, 160, 160).astype(int)
    wanted = np.array(rgb(colour_map("viridis")[-1])) * 255
    share = pixels[y, x, :3] / np.maximum(wanted, 1.0)
    assert share.max() <= 1.02
    assert np.abs(share[:2] - share[:2].mean()).max() <= 0.03


def textured(image, material=None, uv=(0.25, 0.75)):
    """Return the rig with one colour texture; every vertex reads the same place of it."""
    old = RIG.meshes[0].primitives[0]
    uvs = {0: np.tile(uv, (len(old.positions), 1))}
    rig = RIG.with_primitive(0, 0, replace(old, uvs=uvs, material=0))
    material = material or Material(texture=Texture(0, nearest=True), unlit=True)
    return replace(rig, materials=(material,), images=(Image("colours", image),))


QUADRANTS = np.array(
    [[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [255, 255, 0, 128]]], dtype=np.uint8
)


@pytest.mark.parametrize(
    ("uv", "colour"), [((0.25, 0.25), 0), ((0.75, 0.25), 1), ((0.25, 0.75), 2), ((1.25, -0.75), 0)]
)
def test_a_texture_is_read_from_its_top_left_and_repeats(gl, uv, colour):
    look = replace(BARE, shading="textured", transparent=True)
    pixels = draw(textured(QUADRANTS, uv=uv), look)
    seen = pixels[pixels[..., 3] == 255][:, :3]
    wanted = QUADRANTS.reshape(4, 4)[colour, :3].astype(int)
    assert np.abs(np.median(seen, axis=0) - wanted).max() <= 2


def test_a_material_may_multiply_discard_or_blend(gl):
    look = replace(BARE, shading="textured", transparent=True)
    texture = Texture(0, nearest=True)
    half = (0.75, 0.75)
    shown = {
        mode: draw(
            textured(QUADRANTS, Material(texture=texture, alpha_mode=mode, unlit=True), half), look
        )
        for mode in ("OPAQUE", "MASK", "BLEND")
    }
    assert shown["OPAQUE"][..., 3].max() == 255
    assert shown["MASK"][..., 3].max() == 255
    cut = Material(texture=texture, alpha_mode="MASK", alpha_cutoff=0.6, unlit=True)
    assert draw(textured(QUADRANTS, cut, half), look)[..., 3].max() == 0
    assert 0 < np.median(shown["BLEND"][..., 3][shown["BLEND"][..., 3] > 0]) < 255
    dark = Material(texture=texture, base_colour=(0.0, 0.0, 0.0, 1.0), unlit=True)
    assert draw(textured(QUADRANTS, dark, half), look)[..., :3].max() == 0


def test_a_material_without_image_is_drawn_in_its_colour(gl):
    look = replace(BARE, shading="textured", transparent=True)
    red = Material(base_colour=(1.0, 0.0, 0.0, 1.0), unlit=True)
    rig = textured(QUADRANTS, red)
    lost = replace(rig, materials=(replace(red, texture=Texture(0)),), images=(None,))
    for shown in (rig, lost):
        pixels = draw(shown, look)
        assert np.array_equal(np.unique(pixels[pixels[..., 3] == 255], axis=0), [[255, 0, 0, 255]])


def test_hidden_nodes_are_not_drawn(gl):
    pixels = draw(look=replace(BARE, hidden=frozenset({BODY}), transparent=True))
    assert pixels[..., 3].max() == 0


@pytest.mark.parametrize(
    "more", [{"bones": True}, {"axes": True}, {"grid": True}, {"marks": True}, {"vertex": (0, 4)}]
)
def test_every_overlay_draws_something(gl, more):
    assert (draw(look=replace(BARE, **more)) != draw()).any()


def test_the_ground_is_darker_below_a_character_and_the_character_as_it_was(gl):
    """The shadow is on the ground alone, and is only darker: what stands before it is not touched."""
    biped = load(SAMPLES / "biped.glb").rig
    pose = rest_pose(biped)
    plain, shaded = (
        draw(biped, replace(BARE, grid=True, shadow=shadow), pose=pose) for shadow in (False, True)
    )
    character = draw(biped, replace(BARE, transparent=True), pose=pose)[..., 3] > 0
    assert np.array_equal(plain[character], shaded[character])
    darker = (shaded[..., :3] < plain[..., :3]).any(axis=-1)
    assert (shaded <= plain).all()
    below = np.flatnonzero(darker.any(axis=1))
    feet = np.flatnonzero(character.any(axis=1))
    assert np.ptp(below) < 0.5 * np.ptp(feet)
    # It is darkest next to the feet.
    rows, columns = np.nonzero(darker)
    darkest = np.argmin((shaded - plain)[rows, columns, :3].sum(axis=-1))
    row, column = rows[darkest], columns[darkest]
    assert character[row - 4 : row + 5, column - 4 : column + 5].any()


def test_from_under_the_ground_no_shadow_is_seen(gl):
    biped = load(SAMPLES / "biped.glb").rig
    below = replace(framed(biped, rest_pose(biped)), pitch=-0.6)
    looks = [replace(BARE, grid=True, shadow=shadow) for shadow in (False, True)]
    plain, shaded = (draw(biped, look, camera=below) for look in looks)
    assert np.array_equal(plain, shaded)


def test_sticks_are_thinner_than_octahedra(gl):
    empty = draw()
    covered = [
        (draw(look=replace(BARE, bones=True, xray=True, sticks=s)) != empty).any(-1).sum()
        for s in (False, True)
    ]
    assert 0 < covered[1] < covered[0]


def test_x_ray_shows_bones_through_the_mesh(gl):
    solid_, through = (draw(look=replace(BARE, bones=True, xray=x)) for x in (False, True))
    assert (solid_ != through).any()


def test_a_rig_without_mesh_shows_its_bones(gl):
    rig = replace(RIG, node_meshes=(None,) * 8, node_skins=(None,) * 8, meshes=())
    pixels = draw(rig, replace(BARE, bones=True, transparent=True))
    assert (pixels[..., 3] > 0).mean() > 0.005


def test_a_rig_of_nothing_is_drawn_without_failing(gl):
    sketch = rigs.Sketch()
    sketch.add("only", -1)
    empty = rigs.Rig(sketch.nodes(), (None,), (None,), (0,))
    assert draw(empty, Look()).shape == (160, 160, 4)


def test_panes_fill_the_picture_without_touching():
    for count in range(1, 5):
        for width in (97, 640, 1001):
            panes = side_by_side(("lbs",) * count, width, 100, gap=3)
            assert panes[0].x == 0
            assert panes[-1].x + panes[-1].width == width
            gaps = [b.x - a.x - a.width for a, b in pairwise(panes)]
            assert gaps == [3] * (count - 1)
            widths = [pane.width for pane in panes]
            assert max(widths) - min(widths) <= 1
            assert all(pane == Pane("lbs", pane.x, 0, pane.width, 100) for pane in panes)


@pytest.mark.parametrize("samples", [0, 4])
def test_a_target_reads_back_what_was_cleared_into_it(gl, samples):
    GL = opengl.GL
    target = Framebuffer(7, 5, samples)
    target.bind()
    GL.glViewport(0, 0, 7, 5)
    GL.glClearColor(1.0, 0.5, 0.0, 0.25)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    # The lower left pixel is another, to tell which way is up.
    GL.glEnable(GL.GL_SCISSOR_TEST)
    GL.glScissor(0, 0, 1, 1)
    GL.glClearColor(0.0, 0.0, 1.0, 1.0)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT)
    GL.glDisable(GL.GL_SCISSOR_TEST)
    pixels = target.read()
    target.close()
    assert pixels.shape == (5, 7, 4)
    assert pixels[-1, 0].tolist() == [0, 0, 255, 255]
    assert np.abs(pixels[0, 0].astype(int) - [255, 128, 0, 64]).max() <= 1


def test_a_target_has_at_most_the_drivers_samples(gl):
    target = Framebuffer(4, 4, 10_000)
    assert 0 < target.samples <= int(opengl.GL.glGetIntegerv(opengl.GL.GL_MAX_SAMPLES))
    target.close()


def test_a_framebuffer_is_cleared_to_an_opaque_colour(gl):
    target = Framebuffer(3, 3)
    clear(target.framebuffer, "#336699")
    assert np.all(target.read() == [0x33, 0x66, 0x99, 255])
    target.close()


def test_visible_points_are_the_skinned_vertices_else_the_bones():
    deformer = Deformer(RIG)
    frame = deformer.frame(BENT)
    assert np.array_equal(visible_points(deformer, frame), rigs.positions(RIG, BENT, "lbs"))
    bones = visible_points(deformer, frame, frozenset({BODY}))
    heads = frame.model_from_node[list(deformer.skeleton.joints)][:, :3, 3]
    assert all(np.any(np.all(np.isclose(bones, head), axis=1)) for head in heads)


def test_a_joints_points_are_around_its_bone_and_what_it_moves_most():
    deformer = Deformer(RIG)
    frame = deformer.frame(BENT)
    points = joint_points(deformer, frame, HEAD)
    moved = rigs.positions(RIG, BENT, "lbs")[deformer.joint_weights(0, HEAD) >= 0.5]
    for inside in (*moved, frame.model_from_node[HEAD][:3, 3]):
        assert np.all(points.min(axis=0) <= inside + 1e-9)
        assert np.all(points.max(axis=0) >= inside - 1e-9)
    assert np.ptp(points, axis=0).max() < 0.8 * deformer.size


@pytest.mark.parametrize("shading", ["clay", "textured", "count", "difference"])
@pytest.mark.parametrize("method", ["lbs", "dqs"])
def test_edges_darken_the_surface_where_triangles_meet(gl, shading, method):
    look, camera = replace(BARE, shading=shading), framed(RIG, BENT)
    shown = {"methods": ("lbs", method), "pose": BENT, "size": (322, 160), "camera": camera}
    plain, edged = (draw(look=replace(look, wires=w), **shown)[:, 162:] for w in (False, True))
    clear_ = draw(RIG.with_primitive(0, 0, nothing()), look, **shown)[:, 162:]
    changed = np.any(plain != edged, axis=-1)
    on_mesh = np.any(plain != clear_, axis=-1)
    assert 0.02 < changed.sum() / on_mesh.sum() < 0.6
    assert (edged[changed].sum(axis=-1) <= plain[changed].sum(axis=-1)).all()
    # A line may reach half a pixel beyond what it bounds.
    around = on_mesh.copy()
    for axis in (0, 1):
        around |= np.roll(around, 1, axis) | np.roll(around, -1, axis)
    assert around[changed].all()


def nothing():
    """Return the mesh with all its triangles in one point, where none can be seen."""
    primitive = RIG.meshes[0].primitives[0]
    return replace(primitive, triangles=np.zeros_like(primitive.triangles))


def test_what_is_seen_through_does_not_depend_on_the_order_of_triangles(gl):
    primitive = RIG.meshes[0].primitives[0]
    turned = RIG.with_primitive(0, 0, replace(primitive, triangles=primitive.triangles[::-1]))
    look = replace(BARE, xray=True)
    assert np.array_equal(draw(RIG, look), draw(turned, look))


def test_a_tiny_joint_that_moves_nothing_is_framed_with_what_is_around_it():
    translations = RIG.nodes.translations.copy()
    translations[HAND] *= 0.001
    deformer = Deformer(replace(RIG, nodes=replace(RIG.nodes, translations=translations)))
    for joint in (ARM, HAND):
        points = joint_points(deformer, deformer.rest, joint)
        assert np.ptp(points, axis=0).min() > 0.1 * deformer.size


def test_vertices_are_framed_with_the_joint_they_are_about_but_not_those_that_are_nowhere():
    primitive = RIG.meshes[0].primitives[0]
    positions = primitive.positions.copy()
    lost, kept = 0, int(np.argmax(positions[:, 1]))
    positions[lost] = np.nan
    deformer = Deformer(RIG.with_primitive(0, 0, replace(primitive, positions=positions)))
    frame = deformer.rest
    points, normal = points_of_interest(deformer, frame, HIPS, ((0, (lost, kept)),))
    assert normal is not None
    assert np.isfinite(normal).all()
    for inside in (positions[kept], frame.model_from_node[HIPS][:3, 3]):
        assert np.all(points.min(axis=0) < inside)
        assert np.all(points.max(axis=0) > inside)
    alone, _ = points_of_interest(deformer, frame, None, ((0, (kept,)),))
    assert np.ptp(alone, axis=0).max() < 0.5 * np.ptp(points, axis=0).max()
    nowhere, _ = points_of_interest(deformer, frame, None, ((0, (lost,)),))
    assert len(nowhere) == 0


def test_labels_are_beside_their_joints_and_the_selected_comes_last():
    deformer = Deformer(RIG)
    camera = framed(RIG, rest_pose(RIG))
    look = replace(BARE, names=True, joint=SPINE, marks=True)
    labels = joint_labels.joint_labels(deformer, deformer.rest, look, camera, (400, 400))
    assert sorted(label.text for label in labels) == sorted(
        RIG.nodes.names[j] for j in RIG.skins[0].joints
    )
    assert labels[-1].text == "spine"
    for label in labels:
        node = RIG.nodes.names.index(label.text)
        x, y, _ = camera.project(deformer.rest.model_from_node[node][:3, 3], 400, 400)
        assert np.hypot(label.x - x, label.y - y) < 20


def test_a_review_has_its_size_panes_numbers_and_caption(gl):
    deformer = Deformer(RIG)
    frame = deformer.frame(BENT)
    camera = framed(RIG, BENT)
    plain = Review(("lbs", "dqs"), camera, BARE, (320, 200), numbers=False, samples=0)
    first = render(deformer, frame, plain)
    assert first.shape == (200, 320, 4)
    named = render(deformer, frame, replace(plain, numbers=True))
    assert named.shape == (200, 320, 4)
    assert (first != named).any()
    captioned = render(deformer, frame, replace(plain, caption="hero.glb    Wave"))
    assert captioned.shape == (200, 320, 4)
    assert np.all(captioned[-1, :, 3] == 255)
    # The words stand in the middle of their strip.
    rows = np.flatnonzero((captioned[-24:] != captioned[-1, -1]).any(axis=(1, 2)))
    assert 0 < rows.min() < rows.max() < 23
    assert abs(rows.mean() - 11.5) < 3.0


def test_a_review_may_be_transparent(gl):
    deformer = Deformer(RIG)
    look = replace(BARE, transparent=True)
    pixels = render(
        deformer,
        deformer.rest,
        Review(("lbs",), framed(RIG, rest_pose(RIG)), look, (120, 90), numbers=False),
    )
    assert pixels[0, 0].tolist() == [0, 0, 0, 0]
    assert pixels[..., 3].max() == 255


@pytest.mark.parametrize(("width", "strip"), [(640, 28), (300, 44)])
def test_the_strip_above_the_panes_takes_nothing_from_what_they_show(gl, width, strip):
    deformer = Deformer(RIG)
    bare = Review(
        ("lbs", "dqs"), framed(RIG, rest_pose(RIG)), BARE, (width, 200), numbers=False, samples=0
    )
    named = replace(bare, size=(width, 200 + strip), numbers=True)
    assert named.aspect == bare.aspect
    pixels = render(deformer, deformer.rest, named)
    np.testing.assert_array_equal(pixels[strip:], render(deformer, deformer.rest, bare))
    middle = width // 2
    for half in (pixels[:strip, : middle - 1], pixels[:strip, middle + 1 :]):
        assert half[..., :3].std() > 4.0


@pytest.mark.parametrize("size", [(16, 16), (40, 400), (960, 50)])
def test_strips_never_take_more_than_half_of_a_picture(gl, size):
    deformer = Deformer(RIG)
    look = replace(BARE, shading="count", transparent=True)
    camera = framed(RIG, rest_pose(RIG), size[0] / size[1])
    pixels = render(deformer, deformer.rest, Review(("lbs",), camera, look, size, caption="rig"))
    assert pixels.shape == (size[1], size[0], 4)
    assert (pixels[..., 3] < 255).any(axis=1).sum() >= size[1] // 2


def test_a_small_picture_of_a_large_one_looks_like_it(gl):
    deformer = Deformer(RIG)
    frame = deformer.frame(BENT)
    full = Review(("lbs", "dqs"), framed(RIG, BENT), BARE, (400, 1600), caption="a.glb", samples=0)
    small = full.zoomed(0.25)
    assert small.size == (100, 400)
    assert small.aspect == pytest.approx(full.aspect, rel=0.02)
    large = render(deformer, frame, full)[::4, ::4, :3].astype(int)
    # Strips and panes are at the same places: where only words and edges differ, most is the same.
    assert np.median(np.abs(render(deformer, frame, small)[..., :3] - large)) <= 2
    strips = np.all(large[:, 1] == large[0, 1], axis=1)
    again = render(deformer, frame, small)[..., :3]
    assert np.sum(np.all(again[:, 1] == again[0, 1], axis=1)) == pytest.approx(strips.sum(), abs=2)


@pytest.mark.parametrize("shading", ["clay", "difference"])
def test_a_picture_drawn_in_parts_is_the_same(gl, shading, monkeypatch):
    deformer = Deformer(RIG)
    frame = deformer.frame(BENT)
    look = Look(shading=shading, bones=True, axes=True, names=True, grid=True, wires=True)
    wanted = Review(("lbs", "dqs"), framed(RIG, BENT), look, (231, 190), caption="a.glb")
    whole = render(deformer, frame, wanted)
    monkeypatch.setattr(review, "_LARGEST_TILE", 64)
    away = np.abs(render(deformer, frame, wanted).astype(int) - whole)
    # Where an edge goes exactly through a sample, either side may win.
    assert np.mean(away.max(axis=-1) > 8) < 0.002


def test_times_of_a_sheet_are_whole_frames_where_there_are_enough():
    clip = rigs.make(rigs.Recipe(clips=1)).clips[0]

    def times(count, rate):
        motion = RigMotion(Deformer(RIG), lambda _: BENT, clip, "a.glb", "a", rate)
        return motion.even_times(count)

    length = clip.end - clip.start
    seen = np.array(times(5, 10.0 / length))
    assert (seen[0], seen[-1]) == (clip.start, pytest.approx(clip.end))
    frames = seen * 10.0 / length
    assert frames[1:-1] == pytest.approx(np.rint(frames[1:-1]))
    assert np.abs(np.diff(frames) - 2.5).max() < 1.0
    assert times(5, 1.0 / length) == pytest.approx(np.linspace(clip.start, clip.end, 5))


def test_small_cells_of_a_sheet_leave_the_axes_of_the_world_out(gl):
    deformer = Deformer(RIG)
    bare = Review(("lbs",), framed(RIG, BENT), BARE, (400, 200), numbers=False, samples=0)
    marked = replace(bare, look=replace(BARE, marks=True))
    frame = deformer.frame(BENT), ""

    def sheet(wanted, columns, height):
        wanted = replace(wanted, size=(400, height))
        return review.sheet(deformer, [frame] * columns, wanted, lambda _text, _share: None)

    assert (sheet(bare, 2, 240) != sheet(marked, 2, 240)).any()
    assert (sheet(bare, 2, 120) == sheet(marked, 2, 120)).all()


def test_a_contact_sheet_has_all_its_poses_in_view():
    deformer = Deformer(RIG)
    frames = [deformer.frame(pose) for pose in rigs.poses(RIG)[-3:]]
    wanted = review.framing_all(deformer, frames, Review(("lbs",), Camera(), BARE, (600, 200)))
    aspect = review.sheet_aspect(wanted, 3)
    for frame in frames:
        x, y, _ = wanted.camera.project(visible_points(deformer, frame), aspect, 1.0).T
        assert np.all((x > 0) & (x < aspect) & (y > 0) & (y < 1))


def test_a_wider_view_keeps_what_was_seen():
    deformer = Deformer(RIG)
    points = visible_points(deformer, deformer.rest)
    camera = Camera().framed(points, 1.0).widened(1.0, 0.5)
    for narrow in (replace(camera, orthographic=True), camera):
        x, y, _ = narrow.project(points, 50.0, 100.0).T
        assert x.min() > 0.0
        assert x.max() < 50.0
        assert y.min() > 0.0
        assert y.max() < 100.0
    assert camera.widened(0.5, 1.0) == camera


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0.0 %"), (-0.0001, "0.0 %"), (0.1234, "+12.3 %"), (-0.5, "−50.0 %"), (1.5, "+150.0 %")],
)
def test_shares_are_told_in_percent(share, words):
    assert percent(share) == words


def test_a_picture_names_the_joint_that_breaks_as_the_window_does(samples, gl):
    deformer = Deformer(load(samples / "candy.glb").rig)
    for time, token in ((0.5, "error"), (0.0, "")):
        frame = deformer.frame(sample(deformer.rig, deformer.rig.clips[0], time))
        wanted = review.Review(("lbs",), Camera(), BARE, (640, 360))
        worst = review.measured(JointMeter(deformer), frame, wanted)["lbs"]
        red = 255.0 * np.array(rgb(theme("dark")["error"]))
        header = review.render(deformer, frame, wanted)[:28, :, :3]
        assert (np.abs(header - red).max(axis=-1) < 24).any() == bool(token)
        assert (deformer.rig.nodes.label(worst.joint) == "hand_l") or not token
        assert (worst.severity >= 1.0) == bool(token)


@pytest.mark.parametrize(("lines", "height", "below"), [(1, 28, 0), (2, 44, 22)])
def test_the_worst_joint_stands_beside_the_method_or_below_it(lines, height, below):
    def strip(width, costs):
        picture = Pillow.new("RGBA", (width, height))
        paper = pane_text.Paper(picture, theme("dark"), 1.0)
        pane_text.write_header(paper, "LBS", costs, (0, 0, width, height), lines)
        return np.asarray(picture).astype(int)

    nothing, elbow = pane_text.Costs(), pane_text.Costs("elbow", "−93 %", "error")
    ink = (strip(300, elbow) != strip(300, nothing)).any(axis=-1)
    rows, columns = np.nonzero(ink)
    assert rows.min() >= below
    # One line has them at its end, two begin where the method does.
    assert columns.max() > 280 if lines == 1 else columns.min() < 20
    # The value is never cut: a name gives way, and without room for the value nothing is said.
    unnamed = elbow._replace(joint="")
    assert np.array_equal(strip(40, elbow), strip(40, nothing))
    if lines == 2:
        assert not np.array_equal(strip(70, elbow), strip(70, nothing))
        assert np.array_equal(strip(62, elbow), strip(62, unnamed))


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (("hero.glb", None, 0.0, 0.0), "hero.glb    rest pose"),
        (("hero.glb", "Walk", 12.0, 0.4), "hero.glb    Walk    frame 12    0.400 s"),
        (("hero.glb", "Walk", 12.34, 0.4113), "hero.glb    Walk    frame 12.3    0.411 s"),
    ],
)
def test_a_caption_says_file_clip_frame_and_time(given, line):
    assert review.caption(*given) == line
