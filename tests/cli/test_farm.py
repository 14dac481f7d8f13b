"""rigview beside other tools: git, parts of a list for several machines, a machine without Qt."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rigview.io import load

REPOSITORY = Path(__file__).parents[2]


def test_every_joint_is_told_with_its_parent_place_and_vertices(rigview, samples):
    rig = load(samples / "arm.glb").rig
    joints = rigview("info", samples / "arm.glb", "--joints", "--json").json["joints"]
    assert [joint["name"] for joint in joints] == [rig.nodes.label(node) for node in rig.joints]
    (part,) = rig.parts
    influences = rig.primitive(part).influences
    for slot, joint in enumerate(joints):
        named = (influences.joints == slot) & (influences.weights > 0)
        assert joint["vertices"] == named.any(axis=1).sum()
    assert joints[0]["name"] in rigview("info", samples / "arm.glb", "--joints").out


def test_the_parts_of_a_list_are_the_list(rigview, samples):
    def files(*more):
        told = rigview(
            "check", samples / "broken", "--select", "WGT-ZERO", "--format", "junit", *more
        )
        return re.findall(r'<testsuite name="([^"]+)"', told.out)

    parts = [files("--shard", f"{k}/3") for k in (1, 2, 3)]
    assert sorted(file for part in parts for file in part) == sorted(files())
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert rigview("check", samples, "--shard", "4/3").status == 2


@pytest.mark.skipif(shutil.which("git") is None, reason="it runs git")
def test_git_shows_what_changed_in_a_rig(tmp_path, samples):
    driver = f"PYTHONPATH={REPOSITORY} {sys.executable} -m rigview"

    def git(*words):
        who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        done = subprocess.run(
            ["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    git("init", "-q")
    page = (REPOSITORY / "resources/ci.md").read_text(encoding="utf-8")
    (tmp_path / ".gitattributes").write_text(re.search(r"echo '(.*)' >> .gitattr", page)[1])
    for key, value in re.findall(r"git config (\S+) '(.*)'", page):
        git("config", key, re.sub("^rigview", lambda _: driver, value))
    for name in ("box", "arm"):
        shutil.copyfile(samples / f"{name}.glb", tmp_path / "hero.glb")
        git("add", ".")
        git("commit", "-qm", name)
    shown = git("diff", "HEAD~1")
    old, new = (load(samples / f"{name}.glb").rig for name in ("box", "arm"))
    for sign, rig in (("-", old), ("+", new)):
        assert re.search(
            rf"^\{sign}  joint {rig.nodes.label(rig.joints[-1])} ", shown, re.MULTILINE
        )
    assert "joint" in git("difftool", "--no-prompt", "--tool=rigview", "HEAD~1")


def test_a_machine_without_qt_needs_what_the_list_names():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = (REPOSITORY / "resources/headless-requirements.txt").read_text(encoding="utf-8")
    listed = {line for line in named.splitlines() if line and not line.startswith("#")}
    window = ("PySide6", "pyqtgraph", "QtAwesome")
    wanted = {one for one in project["dependencies"] if not one.startswith(window)}
    assert listed == wanted
