"""Exit statuses: 1 says that there are findings and nothing else; nothing ends in a traceback unasked."""

import os
import subprocess
import sys
from pathlib import Path

import planted
import pytest

from rigview.cli import COMMANDS
from rigview.cli import info as info_command

SAMPLES = Path(__file__).parents[2] / "samples"
LONG = "a" * 300
BOX = str(SAMPLES / "box.glb")
BIPED = str(SAMPLES / "biped.glb")
WRITING = {
    "check": [BOX, "-o", "{out}"],
    "fix": [BOX, "-o", "{out}.glb"],
    "diff": [BOX, BOX, "-o", "{out}.png"],
    "shot": [BOX, "-o", "{out}.png"],
    "sheet": [BOX, "-o", "{out}.png"],
    "turntable": [BOX, "-o", "{out}.webp"],
    "bake": [BOX, "-o", "{out}.npz"],
    "rom": [BOX, "-o", "{out}.glb"],
    "retarget": [BIPED, BIPED, "-o", "{out}.glb"],
    "template": [BOX, "-o", "{out}.toml"],
    "conform": [BOX, "--template", "vrm", "-o", "{out}"],
    "weights": [BOX, "-o", "{out}.glb", "--vertices", "all"],
    "transfer": [BOX, BOX, "-o", "{out}.glb"],
    "calibrate": [BOX, "-o", "{out}.glb", "--spacing", "1"],
    "convert": [BOX, "-o", "{out}.glb"],
    "metrics": [BOX, "--panes", "lbs", "-o", "{out}"],
    "blender-addon": ["-o", "{out}.zip"],
}
READING = [
    "info",
    "check",
    "fix",
    "diff",
    "shot",
    "sheet",
    "turntable",
    "bake",
    "metrics",
    "deltas",
]
PRINTING = {
    "info": [BOX],
    "check": [BOX],
    "rules": [],
    "diff": [BOX, BOX],
    "metrics": [BOX, "--csv"],
    "deltas": [BOX, "--csv"],
    "fix": [BOX, "--dry-run"],
    "weights": [BOX, "--dry-run"],
}


def one_sentence(done, status, words):
    assert done.status == status
    assert words in done.err
    assert done.err.startswith("rigview: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize(
    ("name", "words"),
    [(LONG, "file name too long"), ("loop", "too many levels of symbolic links")],
    ids=["long", "loop"],
)
def test_an_output_that_cannot_be_is_one_sentence(rigview, tmp_path, command, name, words):
    for suffix in ("", ".glb", ".png", ".webp", ".npz", ".zip", ".toml"):
        (tmp_path / f"loop{suffix}").symlink_to(f"loop{suffix}")
    given = [word.format(out=tmp_path / name) for word in WRITING[command]]
    one_sentence(rigview(command, *given), 2, words)


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize(
    "name", ["loop.glb", f"{LONG}.glb", "a\0b.glb"], ids=["loop", "long", "nul"]
)
def test_an_input_that_cannot_be_is_one_sentence(rigview, tmp_path, command, name):
    (tmp_path / "loop.glb").symlink_to("loop.glb")
    suffix = {"bake": "npz", "turntable": "webp", "fix": "glb", "convert": "glb"}.get(
        command, "png"
    )
    out = (
        []
        if command in ("info", "check", "metrics", "deltas")
        else ["-o", tmp_path / f"x.{suffix}"]
    )
    second = [BOX] if command == "diff" else []
    one_sentence(rigview(command, tmp_path / name, *second, *out), 2, "")


@pytest.mark.parametrize(
    "name", [LONG, "pipe", "loop", "/dev/zero"], ids=["long", "pipe", "loop", "zero"]
)
@pytest.mark.parametrize("option", ["--baseline", "--config"])
@pytest.mark.parametrize("extra", [[], ["--write-baseline"]], ids=["read", "written"])
def test_settings_that_are_no_files_are_one_sentence(rigview, tmp_path, name, option, extra):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    if option == "--config" and extra:
        extra = [*extra, "--baseline", tmp_path / "known.json"]
    one_sentence(rigview("check", BOX, option, tmp_path / name, *extra), 2, "")
    assert not (tmp_path / "known.json").exists()


def test_no_configuration_has_a_baseline_written_outside(rigview, tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "rigview.toml").write_text('baseline = "../known.json"\n')
    rig = folder / "box.glb"
    rig.write_bytes(Path(BOX).read_bytes())
    one_sentence(
        rigview("check", rig, "--write-baseline"), 2, "in the folder of this configuration"
    )
    assert not (tmp_path / "known.json").exists()


def run(*arguments, **settings):
    return subprocess.run(
        [sys.executable, "-P", "-m", "rigview", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(planted.REPOSITORY)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
        **settings,
    )


@pytest.mark.parametrize("command", PRINTING)
def test_a_result_that_goes_nowhere_is_no_success(command):
    done = run(command, *PRINTING[command], preexec_fn=lambda: os.close(1))
    said = "rigview: there is nothing to write to: the output is closed\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_file_is_written_where_both_outputs_are_closed(tmp_path):
    def close():
        os.close(1)
        os.close(2)

    out = tmp_path / "out.glb"
    done = run("convert", BOX, "-o", out, preexec_fn=close)
    assert (done.returncode, done.stderr) == (0, "")
    assert out.read_bytes()[:4] == b"glTF"


@pytest.mark.skipif(sys.platform == "win32", reason="there a folder in use cannot be removed")
@pytest.mark.parametrize("command", ["info", "check", "fix", "metrics", "diff"])
def test_a_working_directory_that_is_gone_stops_nothing_that_is_named_in_full(tmp_path, command):
    gone = tmp_path / "gone"
    gone.mkdir()
    asked = {
        "fix": ["-o", str(tmp_path / "out.glb"), "--fail-on", "never"],
        "diff": [BOX],
        # It twists by 180 degrees.
        "check": ["--fail-on", "never"],
    }
    more = asked.get(command, [])

    def leave():
        os.chdir(gone)
        gone.rmdir()

    done = run(command, BOX, *more, stdout=subprocess.DEVNULL, preexec_fn=leave)
    assert (done.returncode, done.stderr) == (0, "")
    gone.mkdir()
    done = run(command, "box.glb", *more, stdout=subprocess.DEVNULL, preexec_fn=leave)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def fail(options):
    raise ZeroDivisionError("for the test")


def test_a_mistake_of_ours_is_one_sentence_and_status_3(rigview, monkeypatch):
    monkeypatch.setattr(info_command, "run", fail)
    one_sentence(
        rigview("info", BOX), 3, "ZeroDivisionError: for the test; --traceback shows where"
    )


def test_asked_for_it_shows_where_the_mistake_is(rigview, monkeypatch):
    monkeypatch.setattr(info_command, "run", fail)
    done = rigview("info", BOX, "--traceback")
    assert done.status == 3
    assert f'File "{__file__}"' in done.err


def test_every_command_takes_the_flag_and_the_help_lists_the_statuses(rigview):
    for command in COMMANDS:
        assert "--traceback" in rigview(command, "--help").out
    said = " ".join(rigview("--help").out.split())
    assert "0 fine, 1 findings at or above --fail-on, 2 bad input or usage, 3 a mistake" in said
    assert "130 stopped" in said
