"""A file that takes more memory than it may is told, and stops no other."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from rigview.app import batch
from rigview.app.tasks import Task


def take(task):
    """Take a GiB for one of the files."""
    if task.path.name == "large":
        try:
            np.ones(1 << 27)
        except MemoryError:
            return "refused"
    return "fine"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux holds processes to it")
def test_a_process_takes_no_more_than_it_may(monkeypatch):
    tasks = [Task(Path(name), None, memory=1 << 29) for name in ("large", "small")]
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(batch, "_CHECK", "test_memory:take")
    assert dict(batch.check_all(tasks, 1)) == {0: "refused", 1: "fine"}


def test_a_file_that_takes_too_much_is_told_and_no_mistake(rigview, box, monkeypatch):
    def judge(*_more, **_rest):
        raise MemoryError

    monkeypatch.setattr(batch, "judge", judge)
    done = rigview("check", box, "--select", "WGT-ZERO", "--format", "json")
    (file,) = done.json["files"]
    assert (done.status, file["status"]) == (2, "unchecked")
    assert file["reason"] == f"{box}: it takes more memory than there is"
    assert "mistake" not in file


def test_a_limit_that_holds_no_check_is_refused(rigview, box):
    done = rigview("check", box, "--memory", 4)
    assert (done.status, done.out) == (2, "")
    assert "--memory takes 512" in done.err


def test_within_the_limit_all_is_as_without(rigview, broken, tmp_path):
    shutil.copy(broken("WGT-ZERO"), tmp_path)
    given = ("check", tmp_path, "--select", "WGT-*")
    assert rigview(*given, "--memory", 2048).out == rigview(*given).out
