"""Shell steps of the container recipe and the composite action, in a fresh environment without Qt."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    not os.environ.get("RIGVIEW_INDEX"),
    reason="it installs from the package index, for minutes: set RIGVIEW_INDEX=1",
)


def shell(command, environment, folder):
    """Run a step as the servers do: bash that stops at the first error."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with two rigs, and the variables of a shell whose pip is that of a new environment."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    (folder / "rigs").mkdir()
    for rule in ("WGT-ZERO", "HIE-LEAF"):
        shutil.copy(REPOSITORY / "samples" / "broken" / f"{rule}.glb", folder / "rigs")
    kept = {
        key: value
        for key, value in os.environ.items()
        if key in ("HOME", "SSL_CERT_FILE") or key.startswith("PIP_")
    }
    return folder, {**kept, "PATH": f"{folder / 'venv' / 'bin'}:{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def installed(place):
    """The same after the container's RUN lines."""
    folder, environment = place
    recipe = (
        (REPOSITORY / "resources/Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    )
    lines = re.findall(r"^RUN (.*)$", recipe, re.MULTILINE)
    assert lines
    for line in lines:
        done = shell(line.replace("/src", str(REPOSITORY)), environment, folder)
        assert done.returncode == 0, done.stderr
    return folder, environment


def test_the_container_has_no_qt_and_checks(installed):
    folder, environment = installed
    assert shell("python -c 'import PySide6'", environment, folder).returncode == 1
    done = shell("rigview check rigs -j 0 --format json --select WGT-ZERO", environment, folder)
    assert done.returncode in (0, 1), done.stderr
    assert '"rule": "WGT-ZERO"' in done.stdout
    for command in (
        "info rigs/WGT-ZERO.glb",
        "rules",
        "metrics rigs/WGT-ZERO.glb --rom --panes lbs",
    ):
        done = shell(f"rigview {command}", environment, folder)
        assert done.returncode == 0, (command, done.stderr)


def test_every_shell_step_of_the_action_runs(installed):
    folder, environment = installed
    built = shell(f"pip wheel --no-deps -w wheels '{REPOSITORY}'", environment, folder)
    assert built.returncode == 0, built.stderr
    (wheel,) = (folder / "wheels").glob("rigview-*.whl")
    action = yaml.safe_load((REPOSITORY / ".github/action.yml").read_text(encoding="utf-8"))
    inputs = {name: one.get("default", "") for name, one in action["inputs"].items()}
    inputs |= {"paths": "rigs", "package": str(wheel)}
    steps = [step for step in action["runs"]["steps"] if "run" in step]
    assert len(steps) == 2
    for step in steps:
        given = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], value)
            for name, value in step.get("env", {}).items()
        }
        # What the container recipe installed is enough; Qt would take minutes.
        done = shell(step["run"], {**environment, "PIP_NO_DEPS": "1", **given}, folder)
        if step is not steps[-1]:
            assert done.returncode == 0, done.stderr
    assert done.returncode in (0, 1), done.stderr
    assert "file=rigs/WGT-ZERO.glb" in done.stdout
