"""The weights of all joints by colour: what is mixed, what is drawn of it, and what the legend says."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.assets import hex_of, rgb, theme
from rigview.core import colour
from rigview.core.deform import Deformer
from rigview.core.joint_colours import palette
from rigview.core.mesh import Influences
from rigview.io import load
from rigview.render import overlay, review
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.framing import visible_points
from rigview.render.look import Look
from rigview.render.scales import Shown, in_a_row, scale_of
from rigview.render.tints import bone_colours, joint_colours, mixed

LOOK = Look(shading="joints", bones=False, axes=False, grid=False, marks=False)
SIZE = 96
# Parts of the rig with many influences: the first has no skin.
PROP, SKINNED = 0, 1


@pytest.fixture(scope="module")
def many():
    """A rig whose vertices have up to nine influences, beside a mesh that has no skin."""
    return Deformer(rigs.make(rigs.Recipe(seed=3, joints=12, vertices=60, influences=9, prop=True)))


def with_weights(deformer, number, change):
    """Return the rig with other weights in a part."""
    part = deformer.rig.parts[number]
    primitive = deformer.rig.primitive(part)
    old = primitive.influences
    new = replace(primitive, influences=Influences(old.joints, change(old.weights.copy())))
    return Deformer(deformer.rig.with_primitive(part.mesh, part.primitive, new))


def test_a_vertex_of_one_influence_has_exactly_its_joint_s_colour(samples):
    deformer = with_weights(
        Deformer(load(samples / "arm.glb").rig), 0, lambda weights: 0.7 * weights
    )
    binding = deformer.bindings[0]
    single = np.count_nonzero(binding.weights, axis=1) == 1
    nodes = np.array(deformer.rig.skins[deformer.rig.parts[0].skin].joints)
    places = [deformer.skeleton.places[n] for n in nodes[binding.joints[single, 0]]]
    assert len(set(places)) > 2
    np.testing.assert_array_equal(
        mixed(deformer, 0, LOOK)[single, :3], joint_colours(deformer, LOOK)[places]
    )


def test_every_influence_counts_by_its_share(many):
    rig = many.rig
    part = rig.parts[SKINNED]
    influences = rig.primitive(part).influences
    assert influences.most == 9
    colours = dict(zip(many.skeleton.joints, joint_colours(many, LOOK), strict=True))
    nodes = rig.skins[part.skin].joints
    for vertex, found in enumerate(mixed(many, SKINNED, LOOK)):
        rows = zip(influences.joints[vertex], influences.weights[vertex], strict=True)
        rows = [(colours[nodes[joint]], weight) for joint, weight in rows]
        wanted = sum(c * w for c, w in rows) / sum(w for _, w in rows)
        np.testing.assert_allclose(found, [*wanted, 1.0], atol=1e-12)


def test_weights_below_nothing_do_not_count_and_no_weight_is_no_colour(many):
    counts = np.count_nonzero(many.bindings[SKINNED].weights, axis=1)
    crowded, other = int(np.argmax(counts)), int(np.argmin(counts))

    def change(weights):
        weights[other] = 0.0
        weights[crowded] = -0.5
        weights[crowded, 1] = 0.2
        return weights

    found = mixed(with_weights(many, SKINNED, change), SKINNED, LOOK)
    np.testing.assert_array_equal(found[other], 0.0)
    apart = np.abs(joint_colours(many, LOOK) - found[crowded, :3]).max(axis=1)
    assert apart.min() < 1e-12
    np.testing.assert_array_equal(mixed(many, PROP, LOOK), 0.0)


def test_a_joint_has_the_colour_that_is_lent_to_it(many):
    node = int(many.skeleton.joints[4])
    lent = replace(LOOK, lent=((node, 7),))
    changed = (joint_colours(many, lent) != joint_colours(many, LOOK)).any(axis=1)
    assert np.flatnonzero(changed).tolist() == [4]
    np.testing.assert_array_equal(joint_colours(many, lent)[4], palette()[7])


# --- the picture ---------------------------------------------------------------------------------


def drawn(deformer, look=LOOK):
    camera = replace(Camera().looking("front"), orthographic=True)
    camera = camera.framed(visible_points(deformer, deformer.rest), 1.0)
    size = (SIZE, SIZE)
    wanted = review.Review(("lbs",), camera, look, size, numbers=False, legend=False, samples=0)
    with headless():
        return review.render(deformer, deformer.rest, wanted)[..., :3] / 255.0, camera


def nearest(corners, origin, direction):
    """Return the triangle of ``(T, 3, 3)`` that a ray meets first, and where in it; None beside them."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(direction, second)
    volume = np.einsum("ti,ti->t", first, across)
    volume = np.where(np.abs(volume) < 1e-12, np.inf, volume)
    away = origin - corners[:, 0]
    turned = np.cross(away, first)
    u = np.einsum("ti,ti->t", away, across) / volume
    v = turned @ direction / volume
    far = np.einsum("ti,ti->t", second, turned) / volume
    places = np.stack([1.0 - u - v, u, v], axis=1)
    inside = places.min(axis=1) > -0.02
    if not inside.any():
        return None
    hit = np.flatnonzero(inside)[np.argmin(far[inside])]
    # At an edge a pixel may be another triangle's.
    return (hit, places[hit]) if places[hit].min() > 0.02 else None


@pytest.mark.gl
def test_the_picture_has_the_colours_that_are_mixed(samples):
    deformer = Deformer(load(samples / "arm.glb").rig)
    pixels, camera = drawn(deformer)
    colours = mixed(deformer, 0, LOOK)[:, :3]
    triangles = deformer.rig.primitive(deformer.rig.parts[0]).triangles
    corners = deformer.rest_positions[triangles]
    met = blended = 0
    for y, x in np.argwhere(np.ptp(pixels, axis=-1) > 0.1)[::7]:
        found = nearest(corners, *camera.ray(x + 0.5, y + 0.5, SIZE, SIZE))
        if found is None:
            continue
        hit, where = found
        wanted = where @ colours[triangles[hit]]
        # Shading makes all of a colour darker alike.
        shade = pixels[y, x].max() / wanted.max()
        assert 0.6 < shade < 1.01
        np.testing.assert_allclose(pixels[y, x] / shade, wanted, atol=0.015)
        met += 1
        blended += np.ptp(colours[triangles[hit]], axis=0).max() > 0.02
    assert met > 50
    assert blended > 10


@pytest.mark.gl
@pytest.mark.parametrize("name", ["dark", "light"])
def test_what_no_joint_moves_is_grey(samples, name):
    deformer = Deformer(load(samples / "box.glb").rig)
    deformer = Deformer(replace(deformer.rig, node_skins=(None,) * len(deformer.rig.nodes)))
    pixels, _ = drawn(deformer, replace(LOOK, theme=name))
    middle = pixels[SIZE // 2, SIZE // 2]
    grey = np.array(rgb(theme(name)["zero"]))
    assert np.ptp(middle) < 0.02
    assert (middle <= grey + 0.01).all()
    assert (middle >= 0.6 * grey).all()


@pytest.mark.parametrize("name", ["dark", "light"])
def test_bones_stand_out_from_the_ground_of_either_theme(many, name):
    ground = np.array(rgb(theme(name)["viewport_bottom"]))
    ground = float(colour.luminance(colour.linear(ground))) + 0.05
    bones = colour.luminance(colour.linear(bone_colours(many, replace(LOOK, theme=name)))) + 0.05
    ratio = np.maximum(bones, ground) / np.minimum(bones, ground)
    assert ratio.min() > 2.99
    # Colours that stand out stay, others are as light as they can be.
    own = joint_colours(many, LOOK)
    changed = (np.abs(bone_colours(many, replace(LOOK, theme=name)) - own) > 1e-6).any(axis=1)
    assert changed.any() == (name == "light")
    assert ratio[changed] == pytest.approx(3.0, abs=0.01)
    assert bone_colours(many, replace(LOOK, shading="clay")) is None


def test_bones_and_dots_have_the_colours_of_their_joints(many):
    colours = joint_colours(many, LOOK)
    look = replace(LOOK, bones=True)
    drawn_ = overlay.skeleton(many, many.rest, look)
    np.testing.assert_array_equal(drawn_.dots[0][:, 3:6], colours)
    np.testing.assert_array_equal(
        np.unique(drawn_.lines[0][:, 6:9], axis=0), np.unique(colours, axis=0)
    )
    plain = overlay.skeleton(many, many.rest, replace(look, shading="clay"))
    assert len(np.unique(plain.dots[0][:, 3:6], axis=0)) == 1


# --- the legend ----------------------------------------------------------------------------------


def legend(deformer, **chosen):
    return scale_of(Shown(deformer, replace(LOOK, **chosen), ("lbs",)))


def test_the_legend_names_the_heaviest_joints_first(many):
    scale = legend(many)
    shares = [float(s.share.removesuffix(" %").replace("<1", "0")) for s in scale.swatches]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100.0, abs=len(shares) / 2)
    heaviest = max(many.total_weights, key=many.total_weights.get)
    assert scale.swatches[0].name == many.rig.nodes.label(heaviest)
    place = many.skeleton.places[heaviest]
    assert scale.swatches[0].colour == hex_of(joint_colours(many, LOOK)[place])


def test_the_legend_of_a_vertex_names_its_influences(many):
    influences = many.rig.primitive(many.rig.parts[SKINNED]).influences
    nodes = many.rig.skins[many.rig.parts[SKINNED].skin].joints
    vertex = int(np.argmax(influences.per_vertex))
    scale = legend(many, vertex=(SKINNED, vertex))
    assert [float(s.share) for s in scale.swatches] == pytest.approx(
        sorted(influences.weights[vertex], reverse=True), rel=5e-3
    )
    named = {many.rig.nodes.label(nodes[j]) for j in influences.joints[vertex]}
    assert {s.name for s in scale.swatches} == named
    assert legend(many, vertex=(PROP, 0)).swatches == ()


def test_the_legend_of_a_joint_names_what_it_shares_vertices_with(samples):
    deformer = Deformer(load(samples / "arm.glb").rig)
    joint = deformer.rig.nodes.names.index("lowerarm")
    named = [s.name for s in legend(deformer, joint=joint).swatches]
    assert named[0] == "lowerarm"
    assert (
        {"upperarm", "lowerarm_twist_01"}
        <= set(named)
        < {s.name for s in legend(deformer).swatches}
    )


def test_what_is_hidden_counts_for_nothing(many):
    assert legend(many, hidden=frozenset(part.node for part in many.rig.parts)).swatches == ()


def test_a_row_shows_as_many_colours_as_fit_and_leaves_room_to_say_how_many_more(many):
    swatches = legend(many).swatches
    whole = in_a_row(swatches, lambda _: 50.0, 50.0 * len(swatches), 30.0)
    assert [s for _, s in whole] == list(swatches)
    some = in_a_row(swatches, lambda _: 50.0, 199.0, 30.0)
    assert [x for x, _ in some] == [0.0, 50.0, 100.0]
