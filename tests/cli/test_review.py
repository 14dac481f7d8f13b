"""``rigview review``: the whole folder or nothing, and what could not be made is said."""

import shutil
import sys
from html.parser import HTMLParser

import pytest
from PIL import Image

from rigview.app.review_folder import NAMES
from rigview.core.review_notes import ReviewNote, ReviewNotes
from rigview.io import SaveError, load
from rigview.io.folders import save_folder
from rigview.io.review_notes import read_notes, save_notes, sidecar
from tests.chromium import Browser, chromium

pytestmark = pytest.mark.gl
HOSTILE = "</p><script>globalThis.hacked = 1</script>"


@pytest.fixture
def rig(box, tmp_path):
    return shutil.copyfile(box, tmp_path / "box.glb")


class Links(HTMLParser):
    """What a page links and shows, and its words."""

    def __init__(self, text):
        super().__init__()
        self.named, self.tags, self.words = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.named |= {value for name, value in attributes if name in ("href", "src")}

    def handle_data(self, data):
        self.words += data


def names(folder):
    return {path.name for path in folder.iterdir()}


def is_alone(folder):
    """Return whether nothing hidden was left beside a folder."""
    return not [path for path in folder.parent.iterdir() if path.name.startswith(".")]


def test_a_review_has_all_parts_and_an_index_that_leads_to_them(rig, rigview, tmp_path):
    loaded = load(rig)
    clip = loaded.rig.clip_names[0]
    notes = ReviewNotes("box.glb", (ReviewNote("a", f"Here\n{HOSTILE}", clip=clip, time=0.5),))
    save_notes(sidecar(rig), notes)
    out = tmp_path / "out"
    told = rigview("review", rig, "-o", out, "--fps", 2, "--panes", "lbs,dqs")
    assert told.status == 0, told.err
    page = Links((out / "index.html").read_text())
    assert names(out) == {line.rpartition("/")[2] for line in told.out.splitlines()}
    assert page.named == names(out) - {"index.html"}
    assert NAMES - names(out) <= {"worst_poses.png"}
    assert ("worst_poses.png" in names(out)) != ("No worst poses" in page.words)
    assert ("worst_poses.png" in names(out)) != ("no worst poses" in told.err)
    assert is_alone(out)
    # Every part is what it is called.
    assert read_notes(out / "notes.json") == read_notes(out / "notes.txt") == notes
    with Image.open(out / "sheet.png") as sheet:
        assert sheet.size == (1920, 1080)
    assert (out / "movie.mp4").read_bytes()[4:8] == b"ftyp"
    assert "box.glb" in (out / "report.html").read_text()
    assert str(tmp_path) not in (out / "report.html").read_text()
    assert '"file":"box.glb"' in (out / "review.html").read_text()
    # Words of reviewers stay words.
    assert "script" not in page.tags
    assert HOSTILE in page.words
    look_at(out)


def look_at(out):
    """See the index in a browser: its pictures and its movie are loaded, and a phone is wide enough."""
    if chromium() is None:
        return
    with Browser() as browser:
        browser.open(out / "index.html")
        loaded = "[...document.images].every((one) => one.complete && one.naturalWidth > 100)"
        browser.until(loaded)
        browser.until("document.querySelector('video').readyState >= 1")
        assert browser.run("document.querySelector('video').videoWidth") == 1280
        browser.resize(390, 844, touch=True)
        assert browser.run("document.documentElement.scrollWidth") == 390
        assert browser.messages == []


def test_what_cannot_be_made_is_said(rig, rigview, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    out = tmp_path / "out"
    told = rigview("review", rig, "-o", out, "--fps", 2, "--panes", "lbs")
    assert told.status == 0
    sentence = "movie: films need PyAV: pip install 'rigview[video]'"
    assert f"no {sentence}\n" in told.err
    assert f"No {sentence}." in Links((out / "index.html").read_text()).words
    assert "movie.mp4" not in names(out)


def test_a_skeleton_without_clips_is_reviewed_without_movie(skeleton, rigview, tmp_path):
    out = tmp_path / "out"
    told = rigview("review", skeleton, "-o", out)
    assert told.status == 0, told.err
    assert {"index.html", "review.html", "report.html", "sheet.png"} == names(out)
    assert told.err.splitlines() == [
        "rigview: no worst poses: no clip deforms a skinned joint",
        "rigview: no movie: the file has no clip",
    ]
    # It was not wanted, so nothing is said of it.
    told = rigview("review", skeleton, "-o", out, "--overwrite", "--no-movie")
    assert (told.status, "movie" in told.err) == (0, False)


def test_a_folder_that_holds_something_is_kept(skeleton, rigview, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    assert rigview("review", skeleton, "-o", out, "--no-movie").status == 0
    before = (out / "index.html").read_bytes()
    told = rigview("review", skeleton, "-o", out)
    assert told.status == 2
    assert told.err == (f"rigview: {out}: there is a review already; --overwrite replaces it\n")
    # What a former review had goes with it, and nobody else's file does.
    (out / "movie.mp4").write_bytes(b"old")
    assert rigview("review", skeleton, "-o", out, "--no-movie", "--overwrite").status == 0
    assert not (out / "movie.mp4").exists()
    (out / "answer.json").write_bytes(b"{}")
    told = rigview("review", skeleton, "-o", out, "--no-movie", "--overwrite")
    assert told.status == 2
    assert "answer.json is not of a review" in told.err
    assert (out / "index.html").read_bytes() == before
    for place in (skeleton, tmp_path, tmp_path / "no" / "out"):
        assert rigview("review", skeleton, "-o", place, "--overwrite").status == 2
    assert skeleton.read_text().startswith("{")


def test_a_file_that_cannot_be_read_leaves_nothing(no_rig, rigview, tmp_path):
    assert rigview("review", no_rig, "-o", tmp_path / "out").status == 2
    assert names(tmp_path) == {no_rig.name}


@pytest.mark.parametrize("is_there", [False, True])
def test_a_folder_is_written_whole_or_not_at_all(is_there, tmp_path):
    folder = tmp_path / "out"
    if is_there:
        folder.mkdir()
        (folder / "old").write_bytes(b"old")

    def broken():
        yield "first", b"1"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_folder(folder, broken(), {"old"})
    assert names(tmp_path) == ({"out"} if is_there else set())
    assert not is_there or names(folder) == {"old"}
    save_folder(folder, [("first", b"1"), ("second", b"2")], {"old"})
    assert names(folder) == {"first", "second"}
    assert names(tmp_path) == {"out"}
    assert folder.stat().st_mode & 0o700 == 0o700


def test_where_no_folder_can_be_is_said(tmp_path):
    with pytest.raises(SaveError, match="out"):
        save_folder(tmp_path / "no" / "out", [("first", b"1")])
