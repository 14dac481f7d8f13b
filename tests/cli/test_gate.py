"""The documented gate: every command and configuration of ``resources/ci.md`` is one that works."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from rigview.app.facts import REPORTS
from rigview.check import config
from rigview.check.catalogue import BY_ID
from rigview.cli import check, command_parser

PAGE = (Path(__file__).parents[2] / "resources" / "ci.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"rigview check (?:--?\w|rigs)[^'`\n]*", PAGE)))


def test_the_page_documents_every_server():
    for name in ("GitHub Actions", "GitLab", "Jenkins", "pre-commit"):
        assert f"## {name}" in PAGE
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_can_be_parsed(command):
    arguments = shlex.split(command)[1:]
    if "rigs" not in arguments:
        arguments.append("hero.glb")  # pre-commit appends the files
    assert command_parser().parse_args(arguments).run is check.run


def printed_commands():
    """Return the commands on rigs of the page's shell blocks that need no server, in their order."""
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    wanted = [line for line in lines if re.match(r"rigview (check|report|config) ", line)]
    return [line for line in wanted if not re.search("--cluster|--changed-since", line)]


def test_the_printed_commands_work_in_their_order(rigview, broken, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rigs").mkdir()
    (tmp_path / "pages").mkdir()
    for rule in ("WGT-ZERO", "ORI-PRIMARY"):
        shutil.copy(broken(rule), tmp_path / "rigs")
    # The page goes on with the file that an interrupted run has kept.
    rigview("check", "rigs", "--resume", "run.jsonl", "--select", "WGT-*")
    commands = sorted(printed_commands(), key=lambda line: line.startswith("rigview report"))
    assert len(commands) >= 8
    for line in commands:
        if "--format html" in line and "check" in line:
            continue  # tests/app/test_library_page.py draws it
        done = rigview(*shlex.split(line, comments=True)[1:])
        assert done.status in (0, 1), (line, done.err)


def test_the_hook_that_the_page_names_is_in_the_repository_and_can_be_called():
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (name,) = re.findall(r"- id: (\w+)\n +args", PAGE)
    assert re.findall(r"^- id: (\w+)", hooks, re.MULTILINE) == [name]
    (entry,) = re.findall(r"^ +entry: (.+)", hooks, re.MULTILINE)
    (given,) = re.findall(r"args: \[(.+)\]", PAGE)
    words = [*entry.split()[1:], *given.split(", "), "hero.glb"]
    assert command_parser().parse_args(words).run is check.run


def test_the_table_of_forms_is_whole():
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(REPORTS)


def test_the_documented_configuration_can_be_read(tmp_path):
    block = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL).group(1)
    named = re.findall(r"[A-Z]{3}-[A-Z]+", block)
    assert set(named) <= set(BY_ID)
    (tmp_path / "pyproject.toml").write_text(block)
    read = config.read(tmp_path / "pyproject.toml")
    assert read.profile == tomllib.loads(block)["tool"]["rigview"]["profile"]
    assert read.per_file_ignores
