"""All JSON that commands print has a schema, and is as that says."""

import argparse
import copy
import shutil

import jsonschema
import pytest

from rigview.assets import resource
from rigview.cli import COMMANDS

SCHEMA = resource("commands-1.schema.json")
# What is described elsewhere: reports, differences and notes.
ELSEWHERE = {"check", "report", "conform", "diff", "notes"}


def validator(command):
    own = {"$ref": f"#/$defs/{command}", "$defs": SCHEMA["$defs"]}
    return jsonschema.Draft202012Validator(own)


def prints_json(command):
    parser = argparse.ArgumentParser()
    COMMANDS[command].add(parser)
    return any("--json" in action.option_strings for action in parser._actions)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_command_that_prints_json_has_a_schema():
    assert set(SCHEMA["$defs"]) == {c for c in COMMANDS if prints_json(c)} - ELSEWHERE


@pytest.fixture
def rigs(tmp_path, broken):
    """A rig with a fault, one without, and a file that is none."""
    folder = tmp_path / "rigs"
    folder.mkdir()
    for rule in ("HIE-ORDER", "WGT-SUM"):
        shutil.copy(broken(rule), folder)
    (folder / "bad.glb").write_bytes(b"no rig\n")
    return folder


@pytest.fixture
def printed(rigview, rigs, samples, tmp_path, broken):
    """Run a command that is known here by its name, and return its documents."""
    box, tube = samples / "box.glb", broken("WGT-SUM")
    out, base = tmp_path / "out.glb", tmp_path / "lib.sqlite"
    calls = {
        "info": [(tube, "--bounds", "--joints"), (box,)],
        "config": [(box, "--profile", "unity")],
        "fix": [(rigs, "--dry-run", "--rules", "HIE-*"), (broken("HIE-ORDER"), "-o", out)],
        "convert": [(rigs, "-o", tmp_path / "copies")],
        "metrics": [(rigs, "--panes", "lbs,dqs", "--time", 0)],
        "library": [(rigs, "--db", base), ("query", "trend", "--db", base)],
        "deltas": [(samples / "arm.glb", "--clip", "Bend", "--limit", 0.5)],
        "retarget": [(samples / "arm.glb", samples / "arm.glb")],
        "weights": [(box, "--vertices", "all", "--dry-run")],
        "transfer": [(broken("WGT-TINY"), tube, "--vertices", "all", "--dry-run")],
        "shot": [(rigs, "-o", tmp_path / "shots", "--size", "32x32")],
        "bench": [(box, "--rounds", 1, "--panes", "lbs")],
        "calibrate": [(tube,)],
    }
    return lambda command: [rigview(command, *words, "--json").json for words in calls[command]]


# What draws, and what takes long.
MARKS = {"shot": pytest.mark.gl, "bench": pytest.mark.gl, "calibrate": pytest.mark.thorough}


@pytest.mark.parametrize(
    "command",
    [pytest.param(name, marks=MARKS.get(name, ())) for name in SCHEMA["$defs"]],
)
def test_what_a_command_prints_is_as_its_schema_says(command, printed):
    for document in printed(command):
        validator(command).validate(document)
        # Keys are all described: one more is none of the schema.
        other = copy.deepcopy(document) | {"of no schema": 1}
        assert not validator(command).is_valid(other)
