"""``rigview shot``: a picture for review, drawn without a window."""

import dataclasses
import io
import math

import numpy as np
import pytest
import rigs
from PIL import Image

from rigview.io import load, save
from rigview.render.image import png, png_text
from rigview.render.look import OVERLAYS
from rigview.render.session import from_text

pytestmark = pytest.mark.gl
SMALL = ("--size", "192x96")


def picture(path):
    return np.asarray(Image.open(io.BytesIO(path.read_bytes())).convert("RGBA"))


@pytest.fixture
def shot(rigview, tmp_path):
    """Draw a picture and return its file."""

    def run(path, *arguments, name="shot.png"):
        out = tmp_path / name
        done = rigview("shot", path, "-o", out, *SMALL, *arguments)
        assert (done.status, done.out, done.err) == (0, f"{out}\n", "")
        return out

    return run


def test_the_picture_has_the_size_wanted_and_shows_something(shot, box):
    pixels = picture(shot(box, "--panes", "lbs"))
    assert pixels.shape == (96, 192, 4)
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 50


def test_the_panes_are_the_three_methods_unless_named(shot, box):
    session = from_text(png_text(shot(box).read_bytes()))
    assert session.methods == ("lbs", "dqs", "compensated")
    assert (session.clip, session.time) == ("Twist", 0.0)


def test_every_overlay_has_a_flag(shot, samples):
    flags = [f"--{name.replace('_', '-')}" for name in OVERLAYS if name not in ("grid", "shadow")]
    drawn = shot(samples / "biped.glb", "--panes", "lbs", *flags)
    look = from_text(png_text(drawn.read_bytes())).look
    assert all(getattr(look, name) for name in OVERLAYS)


def test_an_overlay_that_shows_nothing_is_told(rigview, box, tmp_path):
    asked = ("--trail", "--rest-ghost", "--bind-ghost")
    done = rigview("shot", box, "-o", tmp_path / "a.png", *SMALL, "--panes", "lbs", *asked)
    assert done.status == 0
    assert done.err == "rigview: no root joint travels here: there is no trail to show\n"


def test_a_session_brings_ghosts_and_trails_back(shot, samples):
    first = shot(samples / "biped.glb", "--panes", "lbs", "--trail", "--rest-ghost", name="a.png")
    again = shot(samples / "biped.glb", "--session", first, name="b.png")
    np.testing.assert_array_equal(picture(first), picture(again))
    bare = shot(samples / "biped.glb", "--panes", "lbs", name="c.png")
    assert (picture(first) != picture(bare)).any()


def test_an_option_of_an_overlay_brings_it(shot, box):
    look = from_text(png_text(shot(box, "--panes", "lbs", "--sticks").read_bytes())).look
    assert look.bones
    assert look.sticks


def test_a_frame_is_counted_at_thirty_a_second_unless_said_otherwise(shot, box):
    at = [
        from_text(png_text(shot(box, "--panes", "lbs", *rest).read_bytes())).time
        for rest in (["--frame", 30], ["--frame", 30, "--fps", 60], ["--time", 1.5])
    ]
    assert at == pytest.approx([1.0, 0.5, 1.5])


def test_a_picture_brings_its_session_back(shot, box):
    first = shot(box, "--panes", "dqs", "--time", 1.2, "--view", "left", name="first.png")
    again = shot(box, "--session", first, name="again.png")
    np.testing.assert_array_equal(picture(first), picture(again))


def test_each_pane_of_a_session_has_its_own_camera_until_another_view_is_asked_for(shot, box):
    first = shot(box, "--panes", "lbs,dqs", "--time", 1.2, "--view", "front", name="first.png")
    session = from_text(png_text(first.read_bytes()))
    aside = session.camera.looking("right")
    apart = first.with_name("apart.png")
    text = dataclasses.replace(session, cameras={1: aside}).text()
    apart.write_bytes(png(picture(first), text))
    again = shot(box, "--session", apart, name="again.png")
    assert from_text(png_text(again.read_bytes())).cameras == {1: aside}
    before, after = np.split(picture(first), 2, axis=1), np.split(picture(again), 2, axis=1)
    np.testing.assert_array_equal(before[0], after[0])
    assert (before[1] != after[1]).any(axis=2).mean() > 0.05
    for other in (("--view", "front"), ("--panes", "lbs")):
        text = png_text(shot(box, "--session", apart, *other, name="other.png").read_bytes())
        assert from_text(text).cameras == {}


def test_what_was_set_about_the_methods_comes_back_unless_it_is_set_anew(shot, box):
    given = ("--panes", "compensated", "--time", 1.2)
    first = shot(box, *given, "--strength", 0.3, "--polynomial", "2,-9,10", name="first.png")
    again = shot(box, "--session", first, name="again.png")
    options = from_text(png_text(again.read_bytes())).look.options
    assert (options.strength, options.polynomial) == (0.3, (2.0, -9.0, 10.0))
    np.testing.assert_array_equal(picture(first), picture(again))
    full = shot(box, "--session", first, "--strength", 1, name="full.png")
    assert from_text(png_text(full.read_bytes())).look.options.strength == 1.0


def test_a_transparent_picture_has_no_background(shot, box):
    alpha = picture(shot(box, "--panes", "lbs", "--transparent"))[:, :, 3]
    assert alpha.min() == 0
    assert alpha.max() == 255


def test_a_rig_without_mesh_shows_its_bones(shot, skeleton):
    pixels = picture(shot(skeleton, "--panes", "lbs"))
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 20


def test_bones_that_are_the_same_by_every_method_are_shown_once(shot, skeleton):
    assert from_text(png_text(shot(skeleton).read_bytes())).methods == ("lbs",)
    several = shot(skeleton, "--panes", "lbs,dqs")
    assert from_text(png_text(several.read_bytes())).methods == ("lbs", "dqs")
    again = shot(skeleton, "--session", several, name="again.png")
    assert from_text(png_text(again.read_bytes())).methods == ("lbs", "dqs")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "shot.jpg"], ".png"),
        (["-o", "shot.png", "--joint", "elbow"], "elbow"),
        (["-o", "shot.png", "--time", "1", "--frame", "2"], "--frame"),
        (["-o", "shot.png", "--panes", "lbs,magic"], "magic"),
        (["-o", "shot.png", "--panes", ","], "at least one"),
        (["-o", "no/such/folder/shot.png"], "no/such/folder"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(rigview, box, tmp_path, arguments, words):
    arguments[1] = tmp_path / arguments[1]
    done = rigview("shot", box, *SMALL, *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_weights_that_do_not_sum_to_one_are_drawn_normalised_and_a_badge_says_so(shot, broken):
    path = broken("WGT-SUM")
    usual = picture(shot(path))
    asked = picture(shot(path, "--weights", "normalised", name="asked.png"))
    literal_png = shot(path, "--weights", "literal", name="literal.png")
    literal = picture(literal_png)
    np.testing.assert_array_equal(usual, asked)
    assert np.any(usual != literal)
    again = shot(path, "--session", literal_png, name="again.png")
    np.testing.assert_array_equal(picture(again), literal)
    assert from_text(png_text(again.read_bytes())).weights == "literal"


def test_the_front_is_where_the_character_looks(shot, samples, tmp_path):
    path = samples / "biped.glb"
    loaded, turned = load(path), tmp_path / "turned.glb"
    save(loaded, rigs.under(loaded.rig, rotation=(0.0, 1.0, 0.0, 0.0)), turned)
    for view in ("front", "left", "three-quarter"):
        cameras = [
            from_text(png_text(shot(of, "--view", view).read_bytes())).camera
            for of in (path, turned)
        ]
        apart = cameras[1].yaw - cameras[0].yaw
        assert math.cos(apart) == pytest.approx(-1.0)
        assert cameras[1].distance == pytest.approx(cameras[0].distance, rel=1e-3)


def test_a_picture_of_a_clip_of_another_file_is_drawn_again_from_its_session(
    shot, samples, tmp_path
):
    other = tmp_path / "other.glb"
    other.write_bytes((samples / "arm.glb").read_bytes())
    # Its clip is called as the file's own is, and so has another name here.
    arguments = ("--clips-from", other, "--time", "1.2")
    first = shot(samples / "arm.glb", *arguments, name="first.png")
    made = from_text(png_text(first.read_bytes())).made
    assert made.file == str(other)
    again = shot(samples / "arm.glb", "--session", first, name="again.png")
    np.testing.assert_array_equal(picture(again), picture(first))
    assert from_text(png_text(again.read_bytes())).made == made


def test_a_session_whose_clip_cannot_be_made_again_is_refused(rigview, shot, samples, tmp_path):
    other = tmp_path / "other.glb"
    other.write_bytes((samples / "arm.glb").read_bytes())
    first = shot(samples / "arm.glb", "--clips-from", other, name="first.png")
    other.unlink()
    out = tmp_path / "again.png"
    done = rigview("shot", samples / "arm.glb", "--session", first, "-o", out)
    assert done.status == 2
    assert "other.glb, which its clip is of, is neither there nor beside it" in done.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--joint", "lowerarn"), "there is no joint lowerarn; did you mean lowerarm?"),
        (("--clip", "Bent"), "there is no clip Bent; did you mean Bend?"),
        (("--panes", "dqz"), "there is no method dqz; did you mean dqs?"),
    ],
)
def test_a_name_that_is_mistyped_is_told_with_the_nearest_one(
    rigview, samples, tmp_path, asked, said
):
    done = rigview("shot", samples / "arm.glb", "-o", tmp_path / "a.png", *asked)
    assert (done.status, done.err) == (2, f"rigview: {said}\n")
