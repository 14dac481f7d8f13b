"""``rigview turntable``: a movie or single pictures, all of them or nothing."""

import io
import math

import numpy as np
import pytest
from PIL import Image

from rigview.cli import progress
from rigview.render.image import png_text
from rigview.render.session import from_text

pytestmark = pytest.mark.gl
SMALL = ("--size", "96x64", "--panes", "lbs")


@pytest.fixture
def turned(rigview, tmp_path):
    """Draw a turntable and return its file."""

    def run(path, name, *arguments):
        done = rigview("turntable", path, "-o", tmp_path / name, *SMALL, *arguments)
        assert (done.status, done.out) == (0, f"{tmp_path / name}\n")
        return tmp_path / name

    return run


def opened(path):
    return Image.open(io.BytesIO(path.read_bytes()))


def sessions(folder):
    return [from_text(png_text(path.read_bytes())) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("name", ["a.webp", "a.png", "a.gif"])
def test_a_movie_has_the_pictures_and_the_length_wanted(turned, box, name):
    movie = opened(turned(box, name, "--seconds", 0.5, "--fps", 10))
    assert movie.n_frames == 5
    assert movie.size == (96, 64)
    total = 0
    for i in range(5):
        movie.seek(i)
        movie.load()
        total += movie.info["duration"]
    assert total == pytest.approx(500)


def test_single_pictures_each_bring_their_view_back(turned, rigview, box, tmp_path):
    turned(box, "turn/box.####.png", "--frames", 3, "--time", 1.2)
    names = [path.name for path in sorted((tmp_path / "turn").iterdir())]
    assert names == ["box.0001.png", "box.0002.png", "box.0003.png"]
    saved = sessions(tmp_path / "turn")
    assert [s.time for s in saved] == [1.2] * 3
    steps = [math.remainder(s.camera.yaw - saved[0].camera.yaw, math.tau) for s in saved]
    assert steps == pytest.approx([0.0, math.tau / 3, -math.tau / 3])
    second = tmp_path / "turn" / names[1]
    again = tmp_path / "again.png"
    assert rigview("shot", box, "-o", again, "--session", second, "--size", "96x64").status == 0
    assert np.array_equal(np.asarray(opened(again)), np.asarray(opened(second)))


def test_a_turn_begins_with_the_view_of_a_picture(rigview, turned, box, tmp_path):
    view = tmp_path / "view.png"
    shown = ("--view", "left", "--time", 1.2, "--shade", "count", "--panes", "dqs", "--bones")
    assert rigview("shot", box, "-o", view, "--size", "96x64", *shown).status == 0
    out = tmp_path / "turn" / "#.png"
    done = rigview("turntable", box, "-o", out, "--size", "96x64", "--frames", 2, "--session", view)
    assert done.status == 0
    first = sessions(tmp_path / "turn")[0]
    saved = from_text(png_text(view.read_bytes()))
    assert first.camera.yaw == pytest.approx(saved.camera.yaw)
    assert (first.time, first.methods) == (1.2, ("dqs",))
    assert (first.look.shading, first.look.bones) == ("count", True)


def test_the_pose_is_held_unless_the_clip_shall_play(turned, box, tmp_path):
    turned(box, "held/#.png", "--frames", 4, "--frame", 12)
    assert {s.time for s in sessions(tmp_path / "held")} == {0.4}
    turned(box, "moved/#.png", "--frames", 4, "--play")
    length = sessions(tmp_path / "moved")[2].time * 2.0
    assert [s.time for s in sessions(tmp_path / "moved")] == pytest.approx(
        [0.0, length / 4, length / 2, 3 * length / 4]
    )


def test_a_clip_plays_at_its_own_speed_unless_the_length_is_given(rigview, box, tmp_path):
    out = tmp_path / "a.gif"
    done = rigview("turntable", box, "-o", out, *SMALL, "--play", "--fps", 2)
    assert (done.status, done.err) == (0, "")
    assert opened(out).n_frames == 7
    done = rigview("turntable", box, "-o", out, *SMALL, "--play", "--frames", 2, "--fps", 2)
    assert done.status == 0
    assert "3.50 times its speed" in done.err


def test_a_transparent_turntable_has_no_background(turned, box):
    movie = opened(turned(box, "a.webp", "--frames", 2, "--transparent"))
    movie.seek(1)
    alpha = np.asarray(movie.convert("RGBA"))[..., 3]
    assert (alpha.min(), alpha.max()) == (0, 255)


def test_a_rig_without_mesh_or_clip_is_turned_too(turned, skeleton):
    assert opened(turned(skeleton, "a.png", "--frames", 3)).n_frames == 3


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("a.jpg", [], ".webp"),
        ("a.###.gif", [], ".png"),
        ("no/a.webp", [], "no folder"),
        ("a.gif", ["--fps", 60], "50 pictures"),
        ("a.webp", ["--size", "16384x100"], "16383"),
        ("a.webp", ["--frames", 0], "not 0"),
        ("a.webp", ["--frames", 2001], "2000"),
        ("a.webp", ["--seconds", "nan"], "--seconds"),
        ("a.webp", ["--play", "--clip", "none"], "no clip"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence(
    rigview, box, tmp_path, name, arguments, words
):
    done = rigview("turntable", box, "-o", tmp_path / name, *SMALL, *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.webp", "a.png", "turn/#.png"])
def test_one_that_is_stopped_leaves_nothing(rigview, box, tmp_path, name, monkeypatch):
    def stop(_line, text, _share):
        if text == "picture 3 of 4":
            raise KeyboardInterrupt

    monkeypatch.setattr(progress.Line, "tell_share", stop)
    done = rigview("turntable", box, "-o", tmp_path / name, *SMALL, "--frames", 4)
    assert done.status != 0
    assert done.err == "rigview: stopped; no file is left half-written\n"
    assert not list(tmp_path.iterdir())
