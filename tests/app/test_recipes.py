"""The recipes of the manual are run, each on a sample."""

import csv
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "resources" / "manual" / "recipes"
# Recipe → its arguments, and what it prints. {samples} and {out} are folders.
RUN = {
    "list_joints": (["{samples}/chain.glb"], "\n  "),
    "sample_clip": (["{samples}/arm.glb", "Bend", "{joint}"], "0.000 s  x "),
    "skin_by_dqs": (["{samples}/arm.glb", "Bend", "0.5"], " mm apart, at vertex "),
    "worst_frames": (["{samples}/arm.glb"], " × its limit under "),
    "own_rule": (["{samples}/box.glb", "hero_"], "warning: lower: its name does not begin with"),
    "repair_folder": (["{out}/rigs", "{out}/repaired"], "faulty_arm.glb: 3 repaired"),
    "screenshot": (["{samples}/arm.glb", "Bend", "0.5", "{out}/arm.png"], "1200 × 500 pixels"),
    "compare": (["{samples}/arm.glb", "{samples}/faulty_arm.glb"], "3 joints and "),
    "batch_to_csv": (["{out}/rigs", "{out}/findings.csv"], "findings.csv"),
    "weights": (["{samples}/biped.glb", "2"], "vertices follow more than 2 joints"),
}


def test_every_recipe_is_run():
    assert {path.stem for path in RECIPES.glob("*.py")} == {*RUN, "pyblish_validator"}


def test_pyblish_publishes_a_sound_rig_and_refuses_a_broken_one(samples):
    pytest.importorskip("pyblish")

    def published(rig):
        # In a process of its own: pyblish-base has the import system warn of its copy of six.
        command = [sys.executable, RECIPES / "pyblish_validator.py", samples / rig]
        environment = {**os.environ, "PYTHONPATH": str(RECIPES.parents[2])}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return done.stdout

    assert published("arm.glb").endswith("arm.glb: may be published\n")
    assert "broken/WGT-SUM.glb: WGT-SUM: " in published("broken/WGT-SUM.glb").replace(os.sep, "/")


@pytest.mark.gl
@pytest.mark.parametrize("name", RUN)
def test_a_recipe_runs(name, samples, tmp_path, monkeypatch, capsys):
    (tmp_path / "rigs").mkdir()
    for sample in ("box.glb", "faulty_arm.glb"):
        shutil.copy(samples / sample, tmp_path / "rigs")
    arguments, said = RUN[name]
    folders = {"samples": samples, "out": tmp_path, "joint": "lowerarm"}
    given = [argument.format(**folders) for argument in arguments]
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *given])
    runpy.run_path(str(RECIPES / f"{name}.py"), run_name="__main__")
    assert said in capsys.readouterr().out
    if name == "batch_to_csv":
        text = (tmp_path / "findings.csv").read_text(encoding="utf-8")
        rows = list(csv.DictReader(text.splitlines()))
        assert {row["file"] for row in rows} == {"box.glb", "faulty_arm.glb"}
        assert all(row["rule"] and row["message"] for row in rows)
