"""The whole job as a rigger does it, with keys and mouse alone; and that long work runs in workers."""

import threading

import numpy as np
import pytest
from hands import (
    Hands,
    click,
    drag,
    opened_window,
    press_key,
    until,
    when_asked_for_a_file,
    write_text,
)
from PIL import Image
from PySide6.QtCore import QPointF

from rigview.app import file_check
from rigview.check.run import run
from rigview.io import load
from rigview.ui.workers import checking, memory, opening, render_job, saving


def open_it(hands, rig):
    when_asked_for_a_file(rig)
    hands.key("Ctrl+O")
    until(lambda: hands.document.rig is not None)
    hands.rest()


def play_and_scrub(hands):
    hands.key("Space")
    until(lambda: hands.state.time > 0.1)
    hands.key("Space")
    ruler = hands.bench.timeline.ruler
    drag(ruler, QPointF(ruler.x_of(2), 10), QPointF(ruler.x_of(15), 10))
    assert hands.state.time == pytest.approx(0.5)


def see_the_weights(hands):
    hands.click_joint("middle")
    hands.key("W")
    middle = hands.picture(0)
    hands.click_joint("tip")
    assert (hands.picture(0) != middle).any()


def fix_undo_and_redo(hands):
    original = hands.rig
    click(hands.finding("SCL-INHERIT").button)
    hands.rest()
    repaired = hands.rig
    hands.key("Ctrl+Z")
    assert hands.rig is original
    hands.key("Ctrl+Shift+Z")
    assert hands.rig is repaired is not original
    hands.rest()


def save_it(hands, copy):
    hands.key("Ctrl+S")
    hands.key("Return")
    hands.rest()
    assert run(load(copy).rig, "thesis").findings == ()


def export_it(hands, target):
    hands.key("F12")
    write_text(hands.dialog.path, str(target))
    hands.key("Return")
    hands.rest()
    picture = np.asarray(Image.open(target))
    assert picture.shape[:2] == (1080, 1920)
    assert picture[..., :3].std() > 5.0


def drop_a_bad_file(hands, bad):
    bad.write_bytes(hands.document.path.read_bytes()[:300])
    open_before = hands.rig
    assert hands.drop(bad)
    until(hands.bench.message.isVisible)
    assert hands.rig is open_before
    press_key("Escape", hands.canvas)
    assert not hands.bench.message.isVisible()


def test_the_whole_job_is_done_with_keys_and_mouse(qapp, samples, tmp_path):
    rig = tmp_path / "hero.glb"
    rig.write_bytes((samples / "broken" / "SCL-INHERIT.glb").read_bytes())
    with opened_window() as window:
        hands = Hands(window)
        open_it(hands, rig)
        play_and_scrub(hands)
        see_the_weights(hands)
        fix_undo_and_redo(hands)
        save_it(hands, tmp_path / "hero.repaired.glb")
        export_it(hands, tmp_path / "hero.png")
        drop_a_bad_file(hands, tmp_path / "bad.glb")


@pytest.fixture
def threads(monkeypatch):
    """Function → the threads that called it; for each that takes long on large rigs."""
    seen = {}

    def watch(module, name):
        function = getattr(module, name)

        def watched(*arguments, **options):
            seen.setdefault(name, set()).add(threading.current_thread())
            return function(*arguments, **options)

        monkeypatch.setattr(module, name, watched)

    watch(opening, "load")
    watch(opening, "warmed")
    watch(file_check, "judge")
    watch(checking, "try_fix")
    watch(checking, "repair")
    watch(saving, "save")
    watch(render_job, "save_bytes")
    watch(render_job.image, "png")
    return seen


def test_what_takes_long_is_never_done_by_the_thread_that_serves_the_window(
    broken, threads, tmp_path
):
    hands = broken("ORI-PRIMARY")
    hands.wait_for_dry_runs()
    click(hands.bench.checks.fix_all)
    hands.rest()
    hands.bench.saver.write(tmp_path / "copy.glb")
    hands.rest()
    hands.key("F12")
    write_text(hands.dialog.path, str(tmp_path / "picture.png"))
    hands.key("Return")
    hands.rest()
    assert set(threads) == {
        "load", "warmed", "judge", "try_fix", "repair", "save", "save_bytes", "png",
    }  # fmt: skip
    assert not any(threading.main_thread() in used for used in threads.values())


def test_the_panes_numbers_are_measured_in_a_worker(arm, monkeypatch):
    used = set()
    deformer = type(arm.bench.stage.deformer)
    original = deformer.skin_by

    def watched(self, *arguments):
        used.add(threading.current_thread())
        return original(self, *arguments)

    monkeypatch.setattr(deformer, "skin_by", watched)
    arm.bench.state.update(time=0.7)
    until(lambda: used)
    arm.rest()
    assert threading.main_thread() not in used


def test_after_a_window_has_closed_no_work_is_begun(qapp, samples):
    with opened_window() as window:
        hands = Hands(window)
        hands.open(samples / "box.glb")
    began = []
    job = hands.bench.jobs.run("late", began.append, began.append)
    assert job.is_cancelled
    assert began == []
    assert hands.bench.jobs.running == frozenset()


def test_memory_is_given_back_once_a_file_is_opened_and_no_thread_waits_for_it(
    arm, samples, monkeypatch
):
    used = []
    monkeypatch.setattr(opening, "give_back", lambda: used.append(threading.current_thread()))
    arm.open(samples / "box.glb")
    until(lambda: used)
    assert threading.main_thread() not in used
    # Where the C library has no such function nothing is wrong.
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: object())
    memory.give_back()
