"""``rigview movie``: what is decoded from a film is what was drawn, at its rate and with its notes."""

import shutil
import sys
from dataclasses import replace

import av
import numpy as np
import pytest

from rigview.app.drawing import motion_of
from rigview.core.deform import Deformer
from rigview.core.review_notes import NoteStroke, ReviewNote, ReviewNotes, Viewpoint
from rigview.io import load
from rigview.io.review_notes import save_notes, sidecar
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.film import Film, drawn, film_of
from rigview.render.look import Look
from rigview.render.review import Review, easel
from rigview.render.video import BY_SUFFIX, encode

pytestmark = pytest.mark.gl
SIZE = (160, 120)


@pytest.fixture
def rig(samples, tmp_path):
    return shutil.copyfile(samples / "arm.glb", tmp_path / "arm.glb")


def decoded(path):
    """Return rate and pictures ``(n, H, W, 3)`` of a film."""
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        pictures = [
            frame.to_ndarray(format="rgb24", src_colorspace="ITU709")
            for frame in film.decode(stream)
        ]
        return float(stream.average_rate), stream.codec_context.name, np.array(pictures)


@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_a_film_has_the_clip_at_its_rate(suffix, codec, rig, rigview, tmp_path):
    out = tmp_path / f"out{suffix}"
    told = rigview("movie", rig, "-o", out, "--size", "160x121", "--fps", 10, "--panes", "lbs,dqs")
    assert (told.status, told.out) == (0, f"{out}\n")
    rate, name, pictures = decoded(out)
    clip = load(rig).rig.clips[0]
    assert (rate, name) == (10.0, codec)
    # One more row, since colour is stored for two by two pixels.
    assert pictures.shape == (int((clip.end - clip.start) * 10 + 1e-6) + 1, 122, 160, 3)
    assert np.abs(pictures[0].astype(int) - pictures[-1]).max() > 30


def test_decoded_pictures_are_those_that_were_drawn(rig, tmp_path):
    loaded = load(rig)
    motion = motion_of(Deformer(loaded.rig, "normalised"), loaded.rig.clips[0], "arm.glb")
    film = replace(film_of(motion, 10.0), times=(0.0, 0.5, 1.0))
    wanted = Review(("lbs", "dqs"), Camera(), Look(bones=False, axes=False), SIZE, caption="-")
    with headless(), easel(motion.deformer) as draw:
        shots = list(drawn(motion, film, wanted, draw, lambda *_: None))
    for suffix in BY_SUFFIX:
        out = tmp_path / f"out{suffix}"
        out.write_bytes(encode(iter(shots), BY_SUFFIX[suffix], 29.97))
        rate, _, pictures = decoded(out)
        assert rate == pytest.approx(30000 / 1001)
        for picture, shot in zip(pictures, shots, strict=True):
            assert np.abs(picture.astype(int) - shot[..., :3]).mean() < 3.0


def test_a_turning_film_comes_round(rig):
    loaded = load(rig)
    motion = motion_of(Deformer(loaded.rig, "normalised"), None, "arm.glb")
    wanted = Review(("lbs",), Camera(), Look(bones=False, axes=False), SIZE)
    film = film_of(motion, 2.0, turns=True)
    assert len(film.times) == 8
    with headless(), easel(motion.deformer) as draw:
        shots = list(drawn(motion, film, wanted, draw, lambda *_: None))
    first, opposite, second = (shots[i].astype(int) for i in (0, 4, 1))
    assert np.abs(first - opposite).mean() > 1.0
    assert np.abs(first - second).mean() > 1.0


def test_a_film_holds_at_each_note_as_its_author_saw_it(rig, rigview, tmp_path):
    loaded = load(rig)
    clip = loaded.rig.clip_names[0]
    view = Viewpoint((0.0, 0.2, 0.0), 2.0, 1.0, 0.3, 160 / 80)
    box = NoteStroke("box", ((0.2, 0.2), (0.8, 0.8)))
    note = ReviewNote("a", "Here", clip=clip, time=0.5, method="lbs", view=view, strokes=(box,))
    save_notes(sidecar(rig), ReviewNotes("arm.glb", (note,)))
    out, plain = tmp_path / "out.mp4", tmp_path / "plain.mp4"
    given = ("--size", "160x120", "--fps", 10, "--panes", "lbs")
    assert rigview("movie", rig, "-o", out, *given, "--hold", 0.5).status == 0
    assert rigview("movie", rig, "-o", plain, *given, "--no-notes").status == 0
    held, without = decoded(out)[2].astype(int), decoded(plain)[2].astype(int)
    assert len(held) == len(without) + 5
    # Frame 5 is shown, then held; what comes after is as without notes.
    for place in (2, 5):
        assert np.abs(held[place] - without[place]).mean() < 2.0
    assert np.abs(held[12] - without[7]).mean() < 2.0
    assert np.abs(held[8] - held[5]).mean() > 4.0
    blue = (held[8][..., 2] - held[8][..., 0] > 60).sum()
    assert blue > 4 * (without[5][..., 2] - without[5][..., 0] > 60).sum()


def test_notes_are_held_at_their_own_frame_of_their_own_clip():
    notes = ReviewNotes("", (ReviewNote("a", "A", clip="Walk", time=0.5), ReviewNote("b", "B")))
    film = Film(10.0, tuple(i / 10 for i in range(11)), notes=notes, hold=1.0)
    shots = film.shots("Walk")
    assert [shot.note.number for shot in shots if shot.note] == [1] * 10
    assert {shot.time for shot in shots if shot.note} == {0.5}
    assert len(film.shots("Run")) == 11


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("-o", "out.gif"), "end the name with .mp4 or .webm"),
        (("-o", "out.mp4", "--time", 1), "a film shows all of a clip"),
        (("-o", "out.mp4", "--fps", 0), "--fps must be above 0"),
        (("-o", "out.mp4", "--hold", -1), "--hold must be 0 to 60"),
        (("-o", "out.mp4", "--transparent"), "films cannot be transparent"),
    ],
)
def test_what_no_film_can_have_is_said(given, words, rig, rigview, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = rigview("movie", rig, *given)
    assert told.status == 2
    assert words in told.err
    assert told.err.count("\n") == 1
    assert not (tmp_path / "out.mp4").exists()


def test_without_pyav_it_is_said_how_to_get_it(rig, rigview, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    told = rigview("movie", rig, "-o", tmp_path / "out.mp4")
    assert told.status == 2
    assert told.err == "rigview: films need PyAV: pip install 'rigview[video]'\n"
