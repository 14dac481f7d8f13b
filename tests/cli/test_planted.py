"""Nothing that lies in the working directory or beside a rig is ever run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import planted
import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
# Every command, on a rig beside which every importable name lies.
COMMANDS = {
    "info": ["info", "{rig}"],
    "check": ["check", "{rig}"],
    "check -j": ["check", "{rigs}", "-j", "2", "--format", "json"],
    "check pictures": ["check", "{rigs}", "-j", "2", "--format", "html", "-o", "{out}.html"],
    "report": ["report", "{report}", "--format", "html", "-o", "{out}.html"],
    "config": ["config", "{rig}"],
    "fix": ["fix", "{rig}", "-o", "{out}.glb"],
    "rules": ["rules"],
    "diff": ["diff", "{rig}", "{rig}"],
    "shot": ["shot", "{rig}", "-o", "{out}.png", "--size", "64x64"],
    "sheet": ["sheet", "{rig}", "-o", "{out}.png", "--size", "64x64"],
    "turntable": ["turntable", "{rig}", "-o", "{out}.webp", "--size", "64x64"],
    "bake": ["bake", "{rig}", "-o", "{out}.npz"],
    "metrics": ["metrics", "{rig}"],
    "deltas": ["deltas", "{rig}"],
    "rom": ["rom", "{rig}", "-o", "{out}.glb"],
    "retarget": ["retarget", "{rig}", "{rigs}/WGT-ZERO.glb", "-o", "{out}.glb"],
    "template": ["template", "{rig}", "-o", "{out}.toml"],
    "conform": ["conform", "{rig}", "--template", "vrm", "--fix", "-o", "{out}.glb"],
    "weights": ["weights", "{rig}", "-o", "{out}.glb", "--vertices", "all"],
    "transfer": ["transfer", "{rigs}/WGT-ZERO.glb", "{rig}", "--dry-run"],
    "calibrate": ["calibrate", "{rig}", "-o", "{out}.glb", "--spacing", "1"],
    "convert": ["convert", "{rig}", "-o", "{out}.glb"],
    "page": ["page", "{rig}", "-o", "{out}.html", "--no-check"],
    "movie": ["movie", "{rig}", "-o", "{out}.mp4", "--size", "64x64", "--clip", "none"],
    "notes": ["notes", "{rig}"],
    "review": ["review", "{rig}", "-o", "{out}", "--no-movie"],
    "blender-addon": ["blender-addon", "-o", "{out}.zip"],
    "library": ["library", "{rigs}", "--db", "{out}.sqlite", "-j", "2"],
    "completion": ["completion", "bash"],
    "bench": ["bench", "{rig}", "--copies", "1", "--rounds", "1"],
}


@pytest.fixture(scope="module")
def traps(tmp_path_factory):
    """The working directory, and the folder of the rigs."""
    return [planted.Planted(tmp_path_factory.mktemp(name)) for name in ("here", "rigs")]


def run(command, here):
    return subprocess.run(
        command,
        cwd=here,
        env=os.environ | {"PYTHONPATH": str(planted.REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.gl
@pytest.mark.thorough
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_runs_what_lies_about(traps, tmp_path, name):
    here, rigs = traps
    for rule in ("WGT-ZERO", "ORI-PRIMARY"):
        shutil.copy(SAMPLES / "broken" / f"{rule}.glb", rigs.folder)
    report = tmp_path / "report.json"
    report.write_text('{"version": 2, "files": []}')
    places = {"rig": rigs.folder / "ORI-PRIMARY.glb", "rigs": rigs.folder, "out": tmp_path / "out"}
    places["report"] = report
    given = [word.format_map(places) for word in COMMANDS[name]]
    done = run([*planted.command(tmp_path / "bin"), *given], here.folder)
    assert here.ran + rigs.ran == []
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_is_held_to_it():
    from rigview.cli import COMMANDS as ALL

    # The window has tests of its own.
    assert {name.split()[0] for name in COMMANDS} == {*ALL} - {"open"}


def test_as_a_module_it_runs_no_package_that_lies_about(tmp_path):
    # What Python itself imports before it comes to ours cannot be kept from it.
    for name in ("numpy", "scipy", "PIL", "msgspec", "argparse", "json", "tomllib", "pickle"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')\n")
    command = [
        sys.executable,
        "-m",
        "rigview",
        "check",
        str(SAMPLES / "box.glb"),
        str(SAMPLES / "candy.glb"),
    ]
    done = run([*command, "-j", "2"], tmp_path)
    assert "planted" not in done.stderr
    assert done.returncode in (0, 1), done.stderr
