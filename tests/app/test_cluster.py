"""Checking on a dask cluster of real worker processes."""

import logging
import os
import signal
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from rigview.app.batch import check_all
from rigview.app.cluster import batches, check_on, connected
from rigview.app.tasks import Task
from rigview.app.watching import Watcher
from rigview.check.config import Config
from rigview.check.policy import Policy
from rigview.check.report import Unchecked

SAMPLES = Path(__file__).parents[2] / "samples"


class Killer(Watcher):
    """Kills a worker by its process id once the first answers are there."""

    def __init__(self, client):
        self.client, self.killed = client, 0

    def tell(self, text, *, at_once=False):
        del text, at_once
        if self.killed:
            return
        busy = [worker for worker, keys in self.client.processing().items() if keys]
        self.killed = self.client.run(os.getpid, workers=busy[:1])[busy[0]]
        os.kill(self.killed, signal.SIGKILL)


def plain(answer):
    if isinstance(answer, Unchecked):
        return msgspec.structs.replace(answer, read=())
    return msgspec.structs.replace(answer, read=(), seconds=0.0)


@pytest.mark.thorough
def test_a_worker_that_is_killed_loses_no_file_and_none_is_answered_twice(tmp_path, caplog):
    pytest.importorskip("distributed")
    paths = sorted((SAMPLES / "broken").glob("WGT-*.glb"))
    (tmp_path / "bad.glb").write_bytes(b"no rig\n")
    tasks = [
        Task(path, replace(Policy.of(path, Config(), None), select=("WGT-ZERO", "WGT-SUM")))
        for path in (*paths, tmp_path / "bad.glb")
    ]
    parts = batches(tasks, 8)
    assert sorted(number for part in parts for number in part) == list(range(len(tasks)))
    caplog.set_level(logging.CRITICAL, "distributed")
    with connected("local", 2) as client:
        killer = Killer(client)
        found = [*check_on(client, tasks, killer)]
        assert killer.killed
    assert sorted(number for number, _ in found) == list(range(len(tasks)))
    expected = dict(check_all(tasks, 2))
    assert all(plain(answer) == plain(expected[number]) for number, answer in found)
