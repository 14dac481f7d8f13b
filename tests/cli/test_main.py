"""The command line as a whole: what every command does alike."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rigview import __version__
from rigview.cli import COMMANDS

REPOSITORY = Path(__file__).parents[2]


def test_the_version_is_printed_to_the_pipe(rigview):
    done = rigview("--version")
    assert (done.status, done.out, done.err) == (0, f"rigview {__version__}\n", "")


def test_the_help_names_every_command_and_shows_examples(rigview):
    done = rigview("--help")
    assert done.status == 0
    assert "examples:" in done.out
    assert "Exit status" in done.out
    for command in COMMANDS:
        assert re.search(rf"^  {command}\s", done.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_shows_an_example(rigview, command):
    done = rigview(command, "--help")
    assert done.status == 0
    assert "example: rigview" in " ".join(done.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_of_every_command_can_be_parsed(command):
    import shlex

    from rigview.cli import command_parser

    program, *arguments = shlex.split(COMMANDS[command].EXAMPLE)
    assert program == "rigview"
    if arguments[0] not in COMMANDS:
        arguments.insert(0, "open")
    assert command_parser().parse_args(arguments).run is COMMANDS[command].run


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "a.glb", "--format", "poem"],
        ["check", "a.glb", "--fail-on", "sometimes"],
        ["info"],
        ["fix"],
        ["shot", "a.glb"],
        ["shot", "a.glb", "-o", "b.png", "--size", "10"],
        ["bake", "a.glb"],
        ["bake", "a.glb", "-o", "b.npz", "--time", "soon"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_sentence_for_people_and_status_2(rigview, arguments):
    done = rigview(*arguments)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("rigview: ")
    assert done.err.count("\n") == 1
    assert "--help" in done.err


@pytest.mark.parametrize("command", ["info", "check", "fix", "shot", "bake"])
def test_a_file_that_cannot_be_opened_is_one_sentence_and_status_2(
    rigview, no_rig, tmp_path, command
):
    suffix = {"shot": ".png", "bake": ".npz"}.get(command, ".glb")
    out = [] if command in ("info", "check") else ["-o", tmp_path / f"out{suffix}"]
    for path in (no_rig, tmp_path / "missing.glb"):
        done = rigview(command, path, *out)
        assert done.status == 2
        assert done.out == ""
        assert done.err.startswith(f"rigview: {path}: ")
        assert done.err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["no_rig.glb"]


def test_a_reader_that_goes_away_ends_the_command_quietly(box):
    command = f"{sys.executable} -m rigview info {box} --json"
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        ["/bin/sh", "-c", f"({command}; echo $? >&2) | true"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )
    assert done.stderr == "0\n"


def test_the_module_runs_as_the_command_does(box):
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(
        [sys.executable, "-m", "rigview", "check", str(box), "--select", "NO-SUCH"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("rigview: there is no rule NO-SUCH")
