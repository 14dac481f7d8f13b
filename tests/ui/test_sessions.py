"""Sessions: what is open survives the death of the process, and a saved session opens as it was."""

import json
import os
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hands import Hands, idle, opened_window, until

from rigview.core.deform import Deformer
from rigview.io.session_files import INDEX
from rigview.ui.sessions.folders import left_behind
from rigview.ui.settings import Settings

HERE = Path(__file__).parent


class Killed:
    """A window in a process of its own, which ends when it is told to."""

    def __init__(self, state, files):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "killed_window.py"), *map(str, files)],
            env={**os.environ, "RIGVIEW_STATE": str(state), "PYTHONPATH": str(HERE.parents[1])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def line(self):
        words = self.process.stdout.readline().split()
        assert words, self.process.stderr.read()
        return words

    def kill_after(self, seconds):
        """Return the last number of changes that it called kept before it was killed."""
        time.sleep(seconds)
        self.process.kill()
        rest, _ = self.process.communicate()
        return [int(line.split()[1]) for line in rest.splitlines() if line.startswith("kept")]


@pytest.mark.thorough
@pytest.mark.window
def test_what_is_open_survives_kill_9_at_any_moment(samples, tmp_path):
    """Three windows, each killed at a random moment; the next one has all that was called kept."""
    files = [samples / "chain.glb", samples / "arm.glb"]
    chance = random.Random(9)
    kept = 0
    for _ in range(3):
        window = Killed(tmp_path, files)
        word, number, name, moment = window.line()
        assert word == "back"
        assert name == "arm.glb"
        # It may have come further than it could tell.
        assert int(number) in (kept, kept + 1)
        assert float(moment) in (pytest.approx(0.001 * int(number)), pytest.approx(0.001 * kept))
        if not kept:
            window.line()
        told = [int(number) + (not kept), *window.kill_after(chance.uniform(0.0, 1.0))]
        kept = told[-1]
    assert kept > 0
    left, faults = left_behind(tmp_path)
    assert not faults
    assert [Path(rig.file).name for rig in left.session.rigs] == ["chain.glb", "arm.glb"]
    left.release()
    # One folder a window that nobody has decided about, and not one more.
    assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture(scope="module")
def keeping(qapp, tmp_path_factory):
    """Hands at a window that keeps a journal."""
    settings = Settings()
    settings.write("autosave", 0.01)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RIGVIEW_STATE", str(tmp_path_factory.mktemp("state")))
        with opened_window(settings) as window:
            yield Hands(window)


@pytest.fixture
def kept(keeping, samples):
    """Hands at a window that keeps a journal, with the arm and the box open."""
    hands = keeping
    hands.bench.open_beside([samples / "arm.glb", samples / "box.glb"])
    until(lambda: len(hands.bench.rigs.rigs) == 2 and not hands.bench.opener.is_busy)
    hands.rest()
    yield hands
    hands.bench.message.hide()
    while hands.bench.rigs.rigs:
        hands.bench.rigs.drop(0)


def change(hands):
    rig = hands.rig
    hands.document.replace(Deformer(rig.with_skin(0, rig.skins[0])), "Skin again")


def test_a_saved_session_opens_with_rigs_views_and_changes(kept, tmp_path):
    change(kept)
    kept.bench.state.update(shading="weights", joint=kept.rig.joints[1], time=0.25)
    seen = kept.state
    target = tmp_path / "two.rigview"
    kept.bench.sessions.save(target)
    until(target.exists)
    kept.rest()
    assert kept.window.tabs.session.text() == "two.rigview"
    while kept.bench.rigs.rigs:
        kept.bench.rigs.drop(0)
    kept.bench.open_path(target)
    until(lambda: len(kept.bench.rigs.rigs) == 2)
    kept.rest()
    assert kept.document.path.name == "box.glb"
    assert kept.document.changes == ("Skin again",)
    assert kept.document.is_changed
    assert kept.state == seen
    kept.document.undo()
    assert not kept.document.is_changed


def test_a_window_that_is_closed_leaves_nothing(samples, tmp_path, monkeypatch, qapp):
    monkeypatch.setenv("RIGVIEW_STATE", str(tmp_path))
    settings = Settings()
    settings.write("autosave", 0.01)
    with opened_window(settings) as window:
        Hands(window).open(samples / "box.glb")
        until(lambda: list(tmp_path.glob(f"*/{INDEX}")))
        # Another window does not take it for left behind.
        assert left_behind(tmp_path) == (None, ())
    assert not list(tmp_path.iterdir())


def abandon(state, rigs, records=()):
    """Write what a window that was killed left behind."""
    folder = state / "0f"
    folder.mkdir(parents=True)
    (folder / INDEX).write_text(rigs if isinstance(rigs, str) else json.dumps(rigs))
    for name, data in records:
        (folder / f"{name}.record").write_bytes(data)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "",
        "{",
        "[]",
        '{"rigs": 3}',
        '{"rigs": [{"file": "a.glb", "at": 7}], "version": 1}',
        '{"rigs": [], "version": 99}',
    ],
)
def test_a_damaged_journal_is_put_aside_and_told_of_in_one_sentence(tmp_path, words):
    abandon(tmp_path, words)
    left, faults = left_behind(tmp_path)
    assert left is None
    (fault,) = faults
    assert "\n" not in fault
    assert "put aside in" in fault
    assert (tmp_path / "damaged" / "0f" / INDEX).read_text() == words
    assert left_behind(tmp_path) == (None, ())


def test_what_does_not_come_back_is_named(kept, samples, tmp_path):
    step = {"name": "Cut", "record": "abc"}
    rigs = [
        {"file": str(tmp_path / "gone.glb")},
        {
            "file": str(samples / "chain.glb"),
            "sha256": "other",
            "steps": [{"name": "Open"}, step],
            "at": 1,
        },
    ]
    abandon(tmp_path / "left", {"rigs": rigs, "current": 1})
    kept.bench.sessions.place = tmp_path / "left"
    kept.bench.sessions.look_for_left()
    assert "2 rigs were open: gone.glb, chain.glb" in kept.bench.message.reason.text()
    kept.bench.message.action.click()
    until(lambda: len(kept.bench.rigs.rigs) == 3)
    assert kept.document.path.name == "chain.glb"
    words = kept.bench.message.reason.text()
    assert "gone.glb is not there: its file is gone." in words
    assert "The changes of chain.glb are not there: the file is another one since." in words


def test_to_discard_what_was_left_deletes_it(kept, samples, tmp_path):
    folder = abandon(tmp_path / "left", {"rigs": [{"file": str(samples / "chain.glb")}]})
    kept.bench.sessions.place = tmp_path / "left"
    kept.bench.sessions.look_for_left()
    assert kept.bench.message.other.isVisible()
    kept.bench.message.other.click()
    idle()
    assert not folder.exists()
    assert kept.bench.message.isHidden()


def test_a_session_replaces_no_rig(kept, samples, tmp_path):
    rig = tmp_path / "hero.rigview"
    rig.write_bytes((samples / "box.glb").read_bytes())
    before = rig.read_bytes()
    kept.bench.sessions.save(rig)
    until(kept.bench.message.isVisible)
    assert "no session of rigview" in kept.bench.message.reason.text()
    assert rig.read_bytes() == before


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("data", [b"", b"no archive", None])
def test_what_is_no_session_is_refused_in_one_sentence(kept, tmp_path, data):
    path = tmp_path / "bad.rigview"
    if data is None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("other.txt", "nothing")
    else:
        path.write_bytes(data)
    kept.bench.open_path(path)
    assert kept.bench.message.title.text() == "bad.rigview could not be opened; box.glb stays open"


def test_a_hostile_view_shows_what_can_be_shown(kept, samples, tmp_path):
    view = {
        "clip": 99,
        "methods": ["lbs", "nonsense"],
        "camera": {"distance": -1.0},
        "trial": [[5000, [0, 0, 1]]],
        "morphs": [[[9, 9], 1.0]],
        "hidden": [1234],
        "shading": "weights",
        "theme": "light",
        "unheard of": {},
    }
    from rigview.app.sessions import digest

    file = samples / "chain.glb"
    session = {"rigs": [{"file": str(file), "sha256": digest(file), "view": view}]}
    path = tmp_path / "hostile.rigview"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(INDEX, json.dumps(session))
    kept.bench.open_path(path)
    until(lambda: kept.document.path.name == "chain.glb")
    kept.rest()
    state = kept.state
    assert state.shading == "weights"
    assert state.theme == "dark"
    assert not state.trial
    assert state.camera.distance > 0.0
    assert np.isfinite(kept.picture()).all()
