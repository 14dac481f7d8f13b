"""Ghosts and trails in pictures: where they are, that they cost nothing twice, and leave nothing behind."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARM, BODY

from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.motion.trail import Trail, trails
from rigview.core.pose import rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.render import ghosts, overlay_legend, review
from rigview.render.camera import Camera
from rigview.render.framing import still_points, visible_points
from rigview.render.gl import GL
from rigview.render.image import Framebuffer
from rigview.render.look import Look
from rigview.render.overlay import trails as trail_overlay
from rigview.render.passes import Renderer, side_by_side
from rigview.render.review import Review
from rigview.render.scene import Scene
from rigview.render.shader_programs import Programs
from rigview.render.skinning import CONSTANTS

pytestmark = pytest.mark.gl

BARE = Look(bones=False, axes=False, grid=False, marks=False)
TURN = quat.from_axis_angle((0.0, 0.0, 1.0), 1.0)


def bent(rig, node=ARM):
    """Return the rig with a joint turned at rest, which it was not when it was bound."""
    rotations = rig.nodes.rotations.copy()
    rotations[node] = quat.multiply(rotations[node], TURN)
    return rigs.with_nodes(rig, rotations=rotations)


RIG = bent(rigs.tidy())


class Easel:
    """A rig in one context; draws it in any pose by any look."""

    def __init__(self, rig, size=(160, 160)):
        self.deformer, self.size = Deformer(rig), size
        self.renderer, self.scene = Renderer(), Scene(self.deformer)
        self.target = Framebuffer(*size)
        clouds = [visible_points(self.deformer, self.deformer.frame(p)) for p in rigs.poses(rig)]
        self.camera = Camera().framed(np.concatenate(clouds), 1.0)

    def draw(self, look, pose=None, methods=("lbs",)):
        pose = rest_pose(self.deformer.rig) if pose is None else pose
        self.target.bind()
        panes = side_by_side(methods, *self.size)
        self.renderer.draw(self.scene, self.deformer.frame(pose), panes, self.camera, look)
        return self.target.read().astype(int)

    def close(self):
        for owner in (self.target, self.scene, self.renderer):
            owner.close()


@pytest.fixture
def easel(gl):
    """Make easels; they are closed at the end."""
    made = []

    def make(rig=RIG):
        made.append(Easel(rig))
        return made[-1]

    yield make
    for one in made:
        one.close()


def posed(rig=RIG):
    return rigs.poses(rig)[-2]


def differs(first, second):
    return int((np.abs(first - second) > 2).any(axis=-1).sum())


@pytest.mark.parametrize("method", ["lbs", "dqs", "compensated", "capsule"])
def test_the_rest_ghost_is_behind_a_character_at_rest_by_every_method(easel, method):
    easel = easel()
    plain, ghost = BARE, replace(BARE, rest_ghost=True)
    # Rounding may tip the odd pixel on an edge.
    same = differs(easel.draw(plain, methods=(method,)), easel.draw(ghost, methods=(method,)))
    assert same <= 6
    pictures = [easel.draw(look, posed(), (method,)) for look in (plain, ghost)]
    assert differs(*pictures) > 200


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("recipe", [rigs.Recipe(seed=1, morphs=2), rigs.Recipe(seed=2, skins=2)])
def test_ghosts_are_where_the_core_puts_them(gl, method, recipe):
    rig = bent(rigs.make(recipe), 2)
    deformer, options = Deformer(rig), Options()
    programs, scene, target = Programs(CONSTANTS), Scene(deformer), Framebuffer(4, 4)
    target.bind()
    look = replace(BARE, rest_ghost=True, bind_ghost=True, options=options)
    # A face pulled in the present pose is none of a ghost's business.
    pulled = replace(
        rest_pose(rig), morph_weights={n: 3 * w for n, w in rig.node_morph_weights.items()}
    )
    scene.pose(deformer.frame(pulled), options)
    ghosts.prepare(programs, scene, [method], look)
    for name, frame, by in (
        ("rest_ghost", deformer.rest, method),
        ("bind_ghost", deformer.bind, "lbs"),
    ):
        for number, still in enumerate(scene.stills[name, by].parts):
            wanted = deformer.skin(number, frame, METHODS[by], options).positions
            got = read(still._buffer, len(wanted))
            np.testing.assert_allclose(got, wanted, atol=2e-4 * deformer.size)
    for owner in (scene, target, programs):
        owner.close()


def read(buffer, vertices):
    rows = np.zeros((vertices, 6), dtype=np.float32)
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer.id)
    pointer = rows.ctypes.data_as(ctypes.c_void_p)
    GL.glGetBufferSubData(GL.GL_ARRAY_BUFFER, 0, rows.nbytes, pointer)
    return rows[:, :3]


def test_a_ghost_is_skinned_once_and_again_only_by_other_options(easel, monkeypatch):
    easel, posings = easel(), []
    whole = Scene.pose
    monkeypatch.setattr(Scene, "pose", lambda *given: (posings.append(given[1]), whole(*given)))
    look = replace(BARE, rest_ghost=True, bind_ghost=True)
    counts = []
    for shown in (look, look, replace(look, options=Options(strength=0.5)), BARE, look):
        posings.clear()
        easel.draw(shown, posed())
        counts.append(len(posings))
    assert counts == [3, 1, 3, 1, 3]


@pytest.mark.parametrize("name", ["rest_ghost", "bind_ghost"])
def test_a_ghost_leaves_nothing_behind(easel, name):
    easel = easel()
    look = replace(BARE, bones=True)
    before = easel.draw(look, posed())
    shown = easel.draw(replace(look, **{name: True}), posed())
    assert differs(before, shown) > 200
    assert np.array_equal(easel.draw(look, posed()), before)


def test_ghosts_of_hidden_meshes_are_not_drawn(easel):
    easel = easel()
    look = replace(BARE, hidden=frozenset({BODY}))
    assert np.array_equal(easel.draw(replace(look, rest_ghost=True), posed()), easel.draw(look))


def test_a_rig_without_mesh_has_ghosts_of_its_bones(easel):
    tidy = rigs.tidy()
    nothing = (None,) * len(tidy.nodes)
    bare = replace(tidy, node_meshes=nothing, node_skins=nothing, meshes=(), skins=())
    easel = easel(bare)
    look = replace(BARE, bones=True)
    sticks = ghosts.bones(Deformer(bare), replace(look, rest_ghost=True)).lines
    segments = Deformer(bare).rest_bones
    ends = np.hstack([segments.heads, segments.tails])
    np.testing.assert_allclose(np.concatenate(sticks)[:, :6], ends, atol=1e-9)
    pictures = [easel.draw(replace(look, rest_ghost=on), posed(bare)) for on in (False, True)]
    assert differs(*pictures) > 50
    bind = easel.draw(replace(look, bind_ghost=True), posed(bare))
    assert np.array_equal(bind, pictures[0])


def walk():
    """Return the tidy rig on its way, and a look with its trail."""
    rig = rigs.tidy()
    deformer = Deformer(rig)
    look = replace(BARE, trail=True, trails=trails(deformer, 0, 30.0))
    return rig, deformer, look


def test_a_trail_goes_through_the_places_of_its_joint_and_marks_the_present_one(gl):
    rig, deformer, look = walk()
    (trail,) = look.trails
    time = trail.times[len(trail.times) // 2]
    frame = deformer.frame(sample(rig, rig.clips[0], time))
    drawn = trail_overlay(frame, look)
    lines, (dots, now) = np.concatenate(drawn.lines), drawn.dots
    np.testing.assert_array_equal(lines[:, :3], trail.points[:-1])
    np.testing.assert_array_equal(lines[:, 3:6], trail.points[1:])
    np.testing.assert_array_equal(dots[:, :3], trail.points)
    np.testing.assert_allclose(now[:, :3], trail.points[[len(trail.times) // 2]], atol=1e-9)


def test_a_long_trail_has_a_dot_for_every_so_many_frames(gl):
    _, deformer, look = walk()
    points = np.stack([np.arange(1001.0), np.zeros(1001), np.zeros(1001)], axis=1)
    long = replace(look, trails=(Trail(look.trails[0].joint, np.arange(1001.0), points),))
    drawn = trail_overlay(deformer.rest, long)
    assert len(np.concatenate(drawn.lines)) == 1000
    np.testing.assert_array_equal(drawn.dots[0][:, 0], np.arange(0, 1001, 10))


def test_a_trail_shows_in_the_picture_where_it_is_asked_for(easel):
    rig, _, look = walk()
    easel = easel(rig)
    plain = easel.draw(BARE)
    assert differs(easel.draw(look), plain) > 20
    assert np.array_equal(easel.draw(replace(look, trail=False)), plain)


def test_what_is_framed_has_ghosts_and_trails_in_view():
    _, deformer, look = walk()
    assert not len(still_points(deformer, BARE))
    np.testing.assert_array_equal(still_points(deformer, look), look.trails[0].points)
    ghost = still_points(deformer, replace(BARE, rest_ghost=True))
    np.testing.assert_allclose(ghost, deformer.rest_positions, atol=1e-9)


def test_the_key_names_what_is_there_and_what_is_not_is_explained():
    _, deformer, look = walk()
    both = replace(look, rest_ghost=True, bind_ghost=True)
    words = [label.text for label in overlay_legend.labels(deformer, both)]
    assert sorted(words) == ["bind pose", "rest pose", "trail of hips"]
    heights = [label.y for label in overlay_legend.labels(deformer, both, top=30.0)]
    assert min(heights) > 30.0
    assert np.diff(heights).min() > 10.0
    assert not overlay_legend.labels(deformer, BARE)
    assert not any(
        overlay_legend.absence(name, deformer, both)
        for name in ("rest_ghost", "bind_ghost", "trail")
    )
    skin = replace(deformer.rig.skins[0], inverse_binds=None)
    unbound = Deformer(deformer.rig.with_skin(0, skin))
    assert "bound" in overlay_legend.absence("bind_ghost", unbound, both)
    assert "travels" in overlay_legend.absence("trail", deformer, replace(both, trails=()))


def test_what_shows_bones_needs_joints_and_what_shows_surfaces_a_mesh():
    _, deformer, look = walk()
    rig = deformer.rig
    of_bones, of_meshes = ("bones", "sticks", "axes", "names"), ("xray", "wires")
    assert not any(overlay_legend.absence(name, deformer, look) for name in (*of_bones, *of_meshes))
    nowhere = (None,) * len(rig.nodes.names)
    still = Deformer(replace(rig, node_skins=nowhere, skins=(), clips=(), bones=frozenset()))
    assert all("no joints" in overlay_legend.absence(name, still, look) for name in of_bones)
    assert not any(overlay_legend.absence(name, still, look) for name in of_meshes)
    bones = Deformer(replace(rig, node_meshes=nowhere))
    assert all("no mesh" in overlay_legend.absence(name, bones, look) for name in of_meshes)
    assert not any(overlay_legend.absence(name, bones, look) for name in of_bones)


def test_of_a_sheet_the_first_cell_has_the_key(gl):
    rig, deformer, _ = walk()
    look = replace(BARE, rest_ghost=True, marks=True)
    wanted = Review(("lbs",), Camera().framed(deformer.rest_positions, 1.0), look, (804, 400))
    frame = deformer.frame(sample(rig, rig.clips[0], 0.5))
    cells = [(frame, "a"), (frame, "a")]
    drawn = review.sheet(deformer, cells, wanted, lambda *_: None).astype(int)
    first, second = drawn[:, :401], drawn[:, 403:]
    rows, columns = np.nonzero((np.abs(first - second) > 12).any(axis=-1))
    assert len(rows) > 50
    assert rows.max() < 160
    assert columns.max() < 200
    # Where the key is in the first there is nothing in the second.
    bare = replace(wanted, look=replace(look, rest_ghost=False))
    without = review.sheet(deformer, cells[:1] * 2, bare, lambda *_: None)
    at = rows[columns < 90], columns[columns < 90]
    np.testing.assert_array_equal(second[at], without[:, 403:][at])
