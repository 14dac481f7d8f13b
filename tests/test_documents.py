"""README, CONTRIBUTING and the help name what there is: every command, method and profile, and files."""

import re
from importlib.util import find_spec
from pathlib import Path

from rigview.app import facts
from rigview.check.report import FORMATS
from rigview.check.rule import PROFILES, SEVERITIES
from rigview.cli import COMMANDS, choices, command_parser
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said
from rigview.core.skinning import METHODS
from rigview.render.camera import VIEWS
from rigview.render.look import OVERLAYS, SHADINGS

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = README, CONTRIBUTING, (REPOSITORY / "resources" / "ci.md").read_text(encoding="utf-8")


def said(command):
    """Return the help of a command without white space: lines break anywhere."""
    (commands,) = (a for a in command_parser()._actions if isinstance(a.choices, dict))
    return "".join(commands.choices[command].format_help().split())


def test_readme_has_a_line_for_every_command():
    lines = re.findall(r"^rigview (\S+) .*  ", README, re.MULTILINE)
    assert lines == ["[FILE]", *(name for name in COMMANDS if name != "open")]


def test_readme_has_a_line_for_every_method():
    assert set(re.findall(r"^\| [\w-]+ \| `(\w[\w-]*)` \|", README, re.MULTILINE)) == set(METHODS)


def test_readme_has_the_table_that_the_elastic_reference_wrote():
    table = (REPOSITORY / "tests/data/elastic_judging.md").read_text(encoding="utf-8")
    assert table in README
    labels = re.findall(r"^\| (\w[\w-]*) \|", table, re.MULTILINE)
    assert labels == [method.label for method in METHODS.values()]
    assert "| Compensated, calibrated |" in table


def test_the_help_names_every_method():
    assert ", ".join(METHODS) == choices.METHOD_HELP
    for command in ("bake", "shot", "sheet", "metrics", "bench"):
        assert "".join(choices.METHOD_HELP.split()) in said(command)


def test_the_help_offers_every_measure():
    assert tuple(MEASURES) == facts.MEASURES


def test_the_words_that_commands_offer_are_those_of_the_tables():
    assert tuple(METHODS) == facts.METHODS
    assert tuple(PROFILES) == facts.PROFILES
    assert tuple(FORMATS) == facts.REPORTS
    assert facts.SEVERITIES == SEVERITIES
    assert facts.VIEWS == VIEWS
    assert tuple(facts.SHADINGS) == SHADINGS
    assert tuple(facts.OVERLAYS) == OVERLAYS


def test_readme_states_the_limits_of_measures():
    titles = {measure.title.lower(): measure for measure in MEASURES.values()}
    rows = re.findall(r"^\| ([a-z -]+) \| [^|]+ \| ([^|]+) \|$", README, re.MULTILINE)
    stated = {titles[title].id: limit for title, limit in rows if title in titles}
    assert len(stated) >= 6
    for name, words in stated.items():
        assert words.startswith(limit_said(name, MEASURES[name].limit)), (name, words)


def test_readme_and_the_help_name_every_profile():
    assert f"--profile {'|'.join(PROFILES)}" in README
    *first, last = PROFILES
    names = f"{', '.join(first)} or {last}".replace("gltf,", "gltf (default),")
    for command in ("check", "fix", "rules"):
        assert "".join(names.split()) in said(command)


def test_the_help_offers_every_view():
    for command in ("shot", "sheet", "diff"):
        assert f"--view{{{','.join(VIEWS)}}}" in said(command)


def test_the_pages_name_files_that_are_there():
    named = {
        name
        for page in PAGES
        for name in re.findall(r"`((?:rigview|tests|samples|shaders|resources)/[\w./*-]+)`", page)
    }
    within = re.findall(r"`((?:core|check|io|render|app|ui|cli)/[\w./]+)`", CONTRIBUTING)
    named |= {f"rigview/{name}" for name in within}
    assert len(named) > 40
    for name in named:
        assert list(REPOSITORY.glob(name)), name


def test_shaders_name_modules_that_are_there():
    texts = {path: path.read_text() for path in (REPOSITORY / "shaders").rglob("*.*")}
    named = {(path, name) for path in texts for name in re.findall(r"rigview[.\w]+\w", texts[path])}
    assert named
    missing = [(path, name) for path, name in named if find_spec(name) is None]
    assert not missing
