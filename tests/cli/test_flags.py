"""Flags are the same in every command: what they are called, and that files are opened by them."""

import argparse

import pytest

from rigview.cli import COMMANDS
from rigview.io import load

OVERRIDES = {"--unit", "--up", "--fps"}
# Commands that open no rig, and why.
OPEN_NO_RIG = {
    "report": "reads reports",
    "config": "tells settings of a file that need not be there",
    "rules": "tells rules",
    "notes": "reads the notes beside a file",
    "blender-addon": "writes an add-on",
    "completion": "prints a script",
}
# Each name goes with another one.
PAIRS = {
    "-o": "--output",
    "-j": "--jobs",
    "--json": "--format",
    "--panes": "--method",
    "--time": "--frame",
}


def flags_of(command):
    parser = argparse.ArgumentParser()
    COMMANDS[command].add(parser)
    return {flag for action in parser._actions for flag in action.option_strings}


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - set(OPEN_NO_RIG)))
def test_every_command_that_opens_a_rig_takes_what_is_known_better(command):
    assert flags_of(command) >= OVERRIDES


@pytest.mark.parametrize("command", sorted(OPEN_NO_RIG))
def test_no_other_command_takes_it(command):
    assert not flags_of(command) & OVERRIDES


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_short_and_long_flags_go_together(command):
    flags = flags_of(command)
    assert {long for short, long in PAIRS.items() if short in flags} <= flags


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_has_json_is_asked_for_it_by_format(command):
    parser = argparse.ArgumentParser()
    COMMANDS[command].add(parser)
    forms = [a for a in parser._actions if "--format" in a.option_strings]
    assert all("json" in action.choices for action in forms)


# What each command tells of a rig is otherwise where it is of another size: it was opened as the user says.
READERS = {
    "info": ("--bounds", "--json"),
    "check": ("--select", "SCL-UNIT", "--format", "json"),
    "fix": ("--dry-run", "--rules", "SCL-UNIT", "--json"),
    "metrics": ("--panes", "lbs", "--time", "0", "--json"),
}


@pytest.mark.parametrize("command", READERS)
def test_a_file_is_read_in_the_unit_that_is_given(command, rigview, broken):
    words = (command, broken("SCL-UNIT"), *READERS[command])
    plain, smaller = rigview(*words), rigview(*words, "--unit", "cm")
    assert plain.json != smaller.json


def test_what_conform_is_told_of_a_file_holds_for_what_it_runs(rigview, box):
    told = rigview("conform", box, "--template", "vrm", "--unit", "miles")
    assert told.status == 2
    assert "miles is no unit" in told.err


def test_copies_are_written_of_what_the_user_says(rigview, samples, tmp_path):
    for command, arguments in {
        "rom": (samples / "arm.glb",),
        "retarget": (samples / "arm.glb", samples / "arm.glb"),
        "convert": (samples / "arm.glb",),
    }.items():
        plain, larger = tmp_path / f"{command}1.glb", tmp_path / f"{command}2.glb"
        assert rigview(command, *arguments, "-o", plain).status == 0
        assert rigview(command, *arguments, "-o", larger, "--unit", "3").status == 0
        small, large = (load(path).rig.nodes.translations for path in (plain, larger))
        assert abs(large).max() == pytest.approx(3.0 * abs(small).max())


def test_the_motion_is_read_by_flags_of_its_own(rigview, samples, tmp_path):
    arm, out = samples / "arm.glb", tmp_path / "out.glb"
    done = rigview("retarget", arm, arm, "-o", out, "--motion-unit", "miles")
    assert done.status == 2
    assert "miles is no unit" in done.err


def test_the_source_of_weights_is_read_by_flags_of_its_own(rigview, samples):
    words = (
        "transfer",
        samples / "biped.glb",
        samples / "arm.glb",
        "--vertices",
        "all",
        "--dry-run",
    )
    told = rigview(*words, "--source-unit", "miles")
    assert told.status == 2
    assert "miles is no unit" in told.err


def test_results_are_kept_by_what_the_user_says(rigview, broken, tmp_path):
    path, cache = broken("SCL-UNIT"), tmp_path / "kept"
    words = ("check", path, "--select", "SCL-UNIT", "--format", "json", "--cache", cache)
    as_stated, again = rigview(*words), rigview(*words)
    found = as_stated.json["files"][0]["findings"][0]["value"]
    other = rigview(*words, "--unit", "7").json["files"][0]["findings"]
    assert again.json == as_stated.json
    assert not other or other[0]["value"] != found


def test_a_resumed_run_checks_again_what_was_read_otherwise(rigview, box, tmp_path):
    lines = tmp_path / "kept.jsonl"
    words = ("check", box, "--select", "WGT-*", "--resume", lines)
    rigview(*words)
    assert "has 1 of 1 files" in rigview(*words).err
    assert "has 1 of 1 files" not in rigview(*words, "--fps", "12").err


@pytest.mark.parametrize("command", ["bench", "template", "open"])
def test_flags_about_a_file_need_one(rigview, command):
    told = rigview(command, "--unit", "cm")
    assert told.status == 2
    assert "are about a file: name one" in told.err


def test_a_session_states_how_its_rigs_are_read(rigview, tmp_path):
    told = rigview("open", tmp_path / "shot.rigview", "--up", "z")
    assert told.status == 2
    assert "a session states how its rigs are read" in told.err
