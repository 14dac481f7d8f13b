"""Long work side by side: opening a file does not wait for the work on the last one."""

import gc
import threading
import time
import weakref

import pytest
from hands import idle, until

from rigview.app import file_check
from rigview.ui.jobs import Job

pytestmark = pytest.mark.window


def test_a_file_opens_while_other_work_takes_long(hands, samples):
    hands.show(samples / "box.glb")
    release = threading.Event()
    held = [
        hands.bench.jobs.run(f"long work {i}", lambda _progress: release.wait(60), lambda _: None)
        for i in range(4)
    ]
    try:
        hands.bench.open_path(samples / "chain.glb")
        until(lambda: hands.document.path == samples / "chain.glb")
        assert set(held) <= hands.bench.jobs.running
    finally:
        release.set()
    until(lambda: not set(held) & hands.bench.jobs.running)


def test_a_rig_is_checked_while_the_rules_still_look_at_the_one_before(hands, samples, monkeypatch):
    begun, goes_on = threading.Event(), threading.Event()
    real = file_check.judge

    def slow(rig, *arguments):
        if len(rig.joints) == 2:
            begun.set()
            assert goes_on.wait(60)
        return real(rig, *arguments)

    hands.show(samples / "chain.glb")
    monkeypatch.setattr(file_check, "judge", slow)
    hands.bench.open_path(samples / "box.glb")
    until(begun.is_set)
    before = {job for job in hands.bench.jobs.running if job.name == "checking"}
    try:
        hands.bench.open_path(samples / "arm.glb")
        until(lambda: hands.document.path.name == "arm.glb" and hands.bench.checker.is_current)
        (left,) = before & hands.bench.jobs.running
        assert left.is_cancelled
    finally:
        goes_on.set()
    hands.rest()
    assert hands.bench.checker.last.deformer is hands.document.deformer


@pytest.mark.parametrize("fails", [False, True])
def test_work_whose_outcome_is_told_is_not_under_way_any_more(hands, fails, monkeypatch):
    report = Job.report

    def slowly(job, message):
        report(job, message)
        time.sleep(0.1)

    def work(_progress):
        if fails:
            raise ValueError("as it was meant to")

    # Escape cancels work before it closes the message that tells how that work failed.
    monkeypatch.setattr(Job, "report", slowly)
    told = []
    job = hands.bench.jobs.run("short work", work, told.append, told.append)
    until(lambda: told)
    assert job not in hands.bench.jobs.running


@pytest.mark.thorough
def test_files_that_others_took_the_place_of_are_let_go_of(hands, samples):
    opened = []
    for name in ("arm", "box", "chain", "biped", "box", "chain"):
        hands.open(samples / f"{name}.glb")
        hands.wait_for_dry_runs()
        opened.append(weakref.ref(hands.rig))
    gc.collect()
    # Rules keep what they know of the last two rigs.
    assert [rig() is None for rig in opened] == [True] * 4 + [False] * 2


def test_work_that_has_ended_cannot_be_given_up(hands):
    told = []
    job = hands.bench.jobs.run("short work", lambda _: 1, told.append)
    job.cancelled.connect(lambda: told.append("cancelled"))
    until(lambda: job not in hands.bench.jobs.running)
    idle()
    job.cancel()
    assert told == [1]
    assert not job.is_cancelled


def test_what_work_knows_and_makes_ends_in_the_window_s_thread(hands):
    ended = []

    class Known:
        def __del__(self):
            ended.append(threading.current_thread())

    def begin(fails):
        known = Known()

        def work(_progress):
            if fails:
                raise ValueError(known)
            return known, Known()

        hands.bench.jobs.run("work", work, lambda _: None, lambda _: None, quiet=True)

    for _ in range(100):
        begin(True)
        begin(False)
    until(lambda: len(ended) == 300)
    assert set(ended) == {threading.main_thread()}


def test_a_job_is_deleted_once_no_thread_works_on_it(hands):
    deleted = []
    for _ in range(100):
        job = hands.bench.jobs.run("work", lambda _: None, lambda _: None, quiet=True)
        job.destroyed.connect(lambda: deleted.append(threading.current_thread()))
        del job
    until(lambda: len(deleted) == 100)
    assert set(deleted) == {threading.main_thread()}
