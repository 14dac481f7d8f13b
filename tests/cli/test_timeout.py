"""The check of a file ends when its time is up, and says what was not evaluated."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from rigview.app import batch as files
from rigview.app import time_limit
from rigview.app.batch import check_file
from rigview.app.tasks import Task
from rigview.check import run
from rigview.check.catalogue import BY_ID
from rigview.check.policy import NO_CONFIG, Configs, Policy
from rigview.check.report import FORMATS, Outcome
from rigview.check.rules import roll

ASKED = ("MSH-READ", "ORI-ROLL", "WGT-SUM")


def endless(*_, **__):
    while True:
        pass


@pytest.fixture
def task(broken):
    """A file with a weight fault, of which three rules are asked and each has a second."""
    path = broken("WGT-SUM")
    standard = Policy.of(path, Configs(NO_CONFIG).of(path))
    return Task(path, Policy(path, standard.config, standard.profile, ASKED), timeout=3.0)


def test_a_rule_that_never_ends_is_listed_in_every_form_and_the_others_are_evaluated(
    task, monkeypatch
):
    monkeypatch.setattr(roll, "_twists", endless)
    report = check_file(task)
    assert [one.rule for one in report.late] == ["ORI-ROLL"]
    assert [one.reason for one in report.not_evaluated] == ["it takes longer than 1 s"]
    assert [fact.rule for fact in report.findings] == ["WGT-SUM"]
    written = {name: form.write(Outcome((report,))) for name, form in FORMATS.items()}
    for name, text in written.items():
        assert "it takes longer than 1 s" in text, name
    # Build servers and code hosts show what is skipped as well: this is not.
    suite = ET.fromstring(written["junit"]).find("testsuite")
    assert (suite.get("errors"), suite.get("skipped")) == ("1", "0")
    invocation = json.loads(written["sarif"])["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False


def test_what_several_rules_share_is_not_begun_again_when_its_time_was_up(task, monkeypatch):
    begun = []

    def shared(subject):
        begun.append(subject)
        return endless()

    def of(subject):
        yield from subject.kept(shared)

    asked = tuple(replace(BY_ID[name], find=of) for name in ("ORI-ROLL", "SCL-NEG"))
    monkeypatch.setattr(run, "RULES", (*asked, BY_ID["WGT-SUM"]))
    report = check_file(replace(task, standard=replace(task.standard, select=()), timeout=12.0))
    assert [one.rule for one in report.late] == ["ORI-ROLL", "SCL-NEG"]
    assert [fact.rule for fact in report.findings] == ["WGT-SUM"]
    assert len(begun) == 1


def test_a_rule_that_never_ends_makes_the_status_2(rigview, box, monkeypatch):
    monkeypatch.setattr(roll, "_twists", endless)
    told = rigview("check", box, "--timeout", 3, "--select", "ORI-ROLL")
    assert told.status == 2
    assert told.err == f"rigview: {box}: not evaluated within the time (--timeout): ORI-ROLL\n"
    assert "ORI-ROLL (it takes longer than 1 s)" in told.out


def test_reading_counts_and_a_file_that_is_not_read_in_time_stops_no_other(
    rigview, box, no_rig, monkeypatch
):
    read = files.load
    monkeypatch.setattr(files, "load", lambda path, *_: (endless if path == box else read)(path))
    told = rigview("check", box, no_rig, "--timeout", 0.5)
    assert told.status == 2
    assert f"{box}: reading it takes longer than 0.5 s (--timeout)" in told.err
    assert f"{no_rig}: " in told.err


def test_no_baseline_forgets_the_findings_of_rules_that_had_no_time(
    rigview, broken, monkeypatch, tmp_path
):
    known = tmp_path / "known.json"
    given = (broken("ORI-ROLL"), "--select", "ORI-ROLL", "--baseline", known, "--write-baseline")
    assert rigview("check", *given).status == 0
    before = known.read_bytes()
    monkeypatch.setattr(roll, "_twists", endless)
    told = rigview("check", *given, "--timeout", 1)
    assert (told.status, known.read_bytes()) == (2, before)


def test_fixes_that_there_was_no_time_for_are_told(broken, monkeypatch):
    path = broken("WGT-DUP")
    standard = Policy.of(path, Configs(NO_CONFIG).of(path))
    monkeypatch.setattr(files, "try_fix", endless)
    chosen = Policy(path, standard.config, standard.profile, ("WGT-DUP",))
    report = check_file(Task(path, chosen, measured=True, timeout=1.5))
    assert [fact.fix.max_displacement_m for fact in report.findings] == [None]
    assert "what 1 fix would move is not known: it takes longer than 0.5 s" in report.notes


DEAF = """
import signal, sys, time
from rigview.check.rules import roll
from rigview.app import time_limit
from rigview.cli import main

def deaf(*_):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(600)

time_limit.GRACE = 0.5
roll._twists = deaf
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no signal masks")
def test_a_call_that_hears_no_signal_is_ended_with_one_sentence(box):
    given = ("check", str(box), "--timeout", "0.5", "--select", "ORI-ROLL")
    done = subprocess.run(
        [sys.executable, "-c", DEAF, *given], capture_output=True, text=True, check=False
    )
    said = f"rigview: {box}: a call that takes longer than 1 s was ended\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def check_deaf(task):
    """Check a file in a process where a rule hears no signal, and write down that it was tried."""
    with task.path.with_suffix(".tries").open("a") as tries:
        tries.write("x")
    time_limit.GRACE, roll._twists = 0.5, deaf
    return check_file(task)


def deaf(*_):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(600)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no signal masks")
def test_a_file_whose_process_was_ended_for_time_is_tried_once(broken, tmp_path, monkeypatch):
    asked = []
    for rule in ("ORI-ROLL", "WGT-SUM"):
        path = tmp_path / f"{rule}.glb"
        path.write_bytes(broken(rule).read_bytes())
        standard = Policy.of(path, Configs(NO_CONFIG).of(path))
        chosen = Policy(path, standard.config, standard.profile, (rule,))
        asked.append(Task(path, chosen, timeout=1.5))
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.setattr(files, "_CHECK", "test_timeout:check_deaf")
    monkeypatch.setattr(time_limit, "GRACE", 0.5)
    (_, late), (_, sound) = sorted(files.check_all(asked, 2))
    assert late.reason == f"{asked[0].path}: a call that takes longer than 2 s was ended"
    assert [fact.rule for fact in sound.findings] == ["WGT-SUM"]
    tries = [task.path.with_suffix(".tries").read_text() for task in asked]
    assert tries == ["x", "x"]


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_that_is_none_is_refused(rigview, box, seconds):
    assert rigview("check", box, "--timeout", seconds).status == 2
