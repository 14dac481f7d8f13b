"""Commands that take many files: folders, patterns, several at once, one document for programs."""

import csv
import io
import json
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from rigview.cli import COMMANDS, command_parser
from rigview.io import load


@pytest.fixture
def library(tmp_path, samples):
    """Two rigs, one of them in a folder below, and a file that is none."""
    folder = tmp_path / "rigs"
    (folder / "props").mkdir(parents=True)
    shutil.copyfile(samples / "box.glb", folder / "box.glb")
    shutil.copyfile(samples / "broken/ORI-PRIMARY.glb", folder / "props" / "arm.glb")
    (folder / "bad.glb").write_bytes(b"no rig\n")
    return folder


def test_a_folder_is_repaired_as_it_is_and_a_bad_file_stops_no_other(rigview, library, tmp_path):
    out = tmp_path / "out"
    told = [
        rigview("fix", library, "-o", out, "--json", "-j", jobs).json["files"] for jobs in (1, 2)
    ]
    assert told[0] == told[1]
    bad, box, arm = told[0]
    assert (bad["status"], box["status"], arm["status"]) == (
        2,
        1,
        0,
    )  # the box collapses at a joint
    assert "bad.glb" in bad["error"]
    assert [one["rule"] for one in arm["fixed"]] == ["ORI-PRIMARY"]
    assert arm["out"] == str(out / "props" / "arm.glb")
    assert (out / "box.glb").read_bytes() == (library / "box.glb").read_bytes()
    assert not (out / "bad.glb").exists()
    done = rigview("fix", library, "-o", out)
    assert done.status == 2
    assert done.err.count("\n") == 1
    one = rigview("fix", library / "box.glb", "--dry-run", "--json").json
    assert set(one) == {"version", "files"}


def test_patterns_become_pictures_and_copies_of_their_own_names(rigview, library, tmp_path):
    pattern, out = library / "**" / "[!b]*.glb", tmp_path / "out"
    assert rigview("convert", library / "box.glb", library / "props", "-o", out).status == 0
    assert {p.name for p in out.rglob("*.glb")} == {"arm.glb", "box.glb"}
    assert rigview("convert", pattern, "-o", out).status == 2  # brackets are letters of names
    rows = rigview("metrics", library / "box.glb", library / "pro*", "--csv", "--panes", "lbs").out
    files = {row["file"] for row in csv.DictReader(io.StringIO(rows))}
    assert files == {str(library / "box.glb"), str(library / "props" / "arm.glb")}


def test_what_is_left_decides_the_status_of_fix(rigview, broken):
    assert rigview("fix", broken("WGT-SUM"), "--dry-run").status == 1
    assert rigview("fix", broken("WGT-SUM"), "--dry-run", "--fail-on", "never").status == 0
    assert rigview("fix", broken("ORI-PRIMARY"), "--dry-run").status == 0


def test_a_rig_goes_through_standard_streams(box, tmp_path, monkeypatch, capfdbinary):
    from rigview.cli import main

    with box.open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        assert main(["convert", "-", "-o", "-"]) == 0
    copy = tmp_path / "copy.glb"
    copy.write_bytes(capfdbinary.readouterr().out)
    assert load(copy).rig.clip_names == load(box).rig.clip_names


@pytest.mark.parametrize("content", ["sound", "no rig"])
def test_what_comes_from_stdin_is_called_so(content, broken, tmp_path, monkeypatch, capfd):
    from rigview.cli import main

    bad = tmp_path / "bad.glb"
    bad.write_bytes(b"no rig\n")
    with (broken("WGT-SUM") if content == "sound" else bad).open() as source:
        monkeypatch.setattr(sys, "stdin", source)
        status = main(["check", "-", "--format", "json"])
    told = capfd.readouterr()
    (file,) = json.loads(told.out)["files"]
    assert status == (1 if content == "sound" else 2)
    assert file["file"] == "stdin"
    assert file.get("reason", "stdin: ").startswith("stdin: ")
    assert "tmp" not in told.out + told.err


def test_flags_that_mean_one_thing_have_the_same_forms_everywhere():
    parsers = command_parser()._subparsers._group_actions[0].choices
    pairs = {"-o": "--output", "-j": "--jobs", "-q": "--quiet"}
    for name in COMMANDS:
        flags = set(parsers[name]._option_string_actions)
        assert {"--quiet", "--color"} <= flags, name
        for short, long in pairs.items():
            assert (short in flags) == (long in flags), (name, short)
        assert ("--frame" in flags) or ("--time" not in flags), name


def test_a_word_that_was_meant_for_a_command_is_asked_back(rigview):
    done = rigview("chek", "a.glb")
    assert (done.status, done.err) == (
        2,
        "rigview: there is no command chek; did you mean check?\n",
    )


def test_colours_and_quiet_are_asked_for(rigview, tmp_path, samples):
    missing = tmp_path / "none.glb"
    assert "\033[" in rigview("info", missing, "--color", "always").err
    assert "\033[" not in rigview("info", missing).err
    loud = rigview("metrics", samples / "biped.glb", "--clip", "Walk", "--panes", "lbs")
    calm = rigview("metrics", samples / "biped.glb", "--clip", "Walk", "--panes", "lbs", "--quiet")
    assert (loud.out, calm.err) == (calm.out, "")
    assert loud.err


def test_the_severities_of_findings_are_coloured_on_request_and_nothing_else(rigview, broken):
    words = ("check", broken("WGT-SUM"), "--color")
    plain, coloured = (rigview(*words, choice).out for choice in ("never", "always"))
    assert "\033" not in plain
    assert rigview("check", broken("WGT-SUM"), "--format", "json", "--color", "always").json
    assert "\033[1;31m  error    \033[0m" in coloured
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == plain


def test_a_file_has_no_colours(rigview, broken, tmp_path):
    out = tmp_path / "found.txt"
    rigview("check", broken("WGT-SUM"), "--color", "always", "-o", out)
    assert "WGT-SUM" in out.read_text(encoding="utf-8")
    assert "\033" not in out.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("bash") is None, reason="it runs bash")
def test_bash_completes_commands_flags_and_their_words(rigview, tmp_path):
    script = tmp_path / "rigview.bash"
    script.write_text(rigview("completion", "bash").out)

    def completed(*words):
        asked = f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}"
        call = f"source {script}; {asked}; _shtab_rigview; printf '%s\\n' ${{COMPREPLY[@]}}"
        done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert "check" in completed("rigview", "ch")
    assert "--fail-on" in completed("rigview", "fix", "--fa")
    assert completed("rigview", "check", "--format", "sa") == ["sarif"]
    for shell in ("zsh", "tcsh"):
        assert "convert" in rigview("completion", shell).out
