"""The versions that are installed: one of each, which the project allows."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

REPOSITORY = Path(__file__).parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = sorted({*PROJECT["dependencies"], *(one for extra in EXTRAS.values() for one in extra)})
LINES = (REPOSITORY / ".ci" / "constraints.txt").read_text().splitlines()
LOCKED = [Requirement(line) for line in LINES if line and not line.startswith("#")]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def applies(requirement, python):
    environment = {
        **default_environment(),
        "python_version": python,
        "python_full_version": f"{python}.0",
    }
    return requirement.marker is None or requirement.marker.evaluate(environment)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("wanted", WANTED)
def test_every_dependency_is_locked_to_one_version_that_the_project_allows(wanted, python):
    requirement = Requirement(wanted)
    if not applies(requirement, python):
        return
    name = requirement.name.lower()
    pins = [pin for pin in LOCKED if pin.name == name and applies(pin, python)]
    assert len(pins) == 1
    (version,) = pins[0].specifier
    assert version.operator == "=="
    assert version.version in requirement.specifier


@pytest.mark.parametrize("wanted", WANTED)
def test_every_dependency_has_a_floor(wanted):
    assert any(limit.operator == ">=" for limit in Requirement(wanted).specifier)


def test_what_is_installed_is_installed_anew_when_the_project_or_the_lock_changes(tmp_path):
    (tmp_path / ".ci").mkdir()
    for name in (".ci/setup.sh", ".ci/constraints.txt", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, tmp_path / name)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/calls\n')
    python.chmod(0o755)
    script = (
        "source .ci/setup.sh\ninstall_python dev && install_python dev\n"
        "echo >>.ci/constraints.txt\ninstall_python dev && install_python dev\n"
        "echo >>pyproject.toml\ninstall_python dev && install_python dev\n"
    )
    subprocess.run(["bash", "-c", script], cwd=tmp_path, check=True, capture_output=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 3
    assert all(f"-c {tmp_path}/.ci/constraints.txt" in call for call in calls)
