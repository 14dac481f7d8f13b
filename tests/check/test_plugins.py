"""Rules of other packages: found by entry point, used like our own, and never a crash."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import rigs

from rigview.check import plugins
from rigview.check.applying.repair import try_fix
from rigview.check.catalogue import RULES
from rigview.check.measures.facts import Facts
from rigview.check.plugins import guarded, third_party
from rigview.check.rule import PROFILES, Finding, Fix, Refused, Rule, Subject, Vertices
from rigview.core.deform import Deformer
from rigview.core.rig import Part

REPOSITORY = Path(__file__).parents[2]
SUBJECT = Subject(Facts(Deformer(rigs.tidy())), PROFILES["gltf"])


def rule_of(find, name="STU-TEST"):
    return Rule(name, "A test", "nothing", "warning", "none", find)


def found(rule):
    return list(rule(SUBJECT))


def good(subject):
    """STU-TEST: one finding."""
    yield Finding(0, "something", "Body")


def fails_late(subject):
    yield Finding(0, "something", "Body")
    raise KeyError("no such\nthing")


def misnamed(subject):
    yield Finding(0, "something", "Body", rule="WGT-SUM")


def no_finding(subject):
    yield "something"


def wordless(subject):
    yield Finding(0, None, "Body")


def lost_joint(subject):
    yield Finding(0, "something", "Body", joints=(99,))


def lost_part(subject):
    vertices = Vertices(Part(99, 0, 0, None), 1, (0,))
    yield Finding(0, "something", "Body", vertices=vertices)


def misgraded(subject):
    yield Finding(0, "something", "Body", severity="warnings")


def no_generator(subject):
    return 5


OFFERED = {
    "one": rule_of(good),
    "several": [rule_of(good, "STU-A"), rule_of(good, "STU-B")],
    "number": 5,
    "strings": ["STU-A"],
    "taken": rule_of(good, RULES[0].id),
}


@pytest.fixture
def installed(monkeypatch):
    """Pretend that packages offer entry points; values are names of this module."""

    def install(**entries):
        def find(group):
            assert group == "rigview.rules"
            return [EntryPoint(name, value, group) for name, value in entries.items()]

        monkeypatch.setattr(plugins, "entry_points", find)
        monkeypatch.setattr(EntryPoint, "load", load)
        return {rule.id: rule for rule in third_party({rule.id for rule in RULES})}

    def load(entry):
        if entry.value not in OFFERED:
            raise ModuleNotFoundError(f"No module named {entry.value!r}")
        return OFFERED[entry.value]

    return install


def test_an_entry_point_is_a_rule_or_several(installed):
    rules = installed(a="one", b="several")
    assert list(rules) == ["STU-TEST", "STU-A", "STU-B"]
    assert [f.message for f in found(rules["STU-TEST"])] == ["something"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("missing", "ModuleNotFoundError"),
        ("number", "TypeError"),
        ("strings", "a str in place of a rule"),
        ("taken", f"{RULES[0].id} is in use"),
    ],
)
def test_an_entry_point_that_cannot_be_used_is_a_finding_about_it(installed, value, words):
    rules = installed(sound="one", studio=value)
    assert list(rules) == ["STU-TEST", "studio"] or list(rules) == ["sound", "studio"]
    finding = found(rules["studio"])[0]
    assert (finding.rule, finding.severity, finding.object) == ("studio", "error", "rule studio")
    assert words in finding.message
    assert "\n" not in finding.message


def test_the_same_rule_twice_is_the_second_ones_fault(installed):
    rules = installed(a="one", b="one")
    assert list(rules) == ["STU-TEST", "b"]
    assert "STU-TEST is in use" in found(rules["b"])[0].message


@pytest.mark.parametrize(
    ("find", "words", "before"),
    [
        (fails_late, "KeyError: 'no such", 1),
        (misnamed, "bears the id WGT-SUM", 0),
        (no_finding, "a str in place of a Finding", 0),
        (wordless, "are texts", 0),
        (misgraded, "the severity warnings", 0),
        (lost_joint, "(99,)", 0),
        (lost_part, "a part that the rig does not show", 0),
        (no_generator, "'int' object is not iterable", 0),
    ],
)
def test_a_rule_that_fails_on_a_rig_is_a_finding_about_it(find, words, before):
    *sound, mistake = found(guarded(rule_of(find)))
    assert len(sound) == before
    assert (mistake.rule, mistake.severity) == ("STU-TEST", "error")
    assert words in mistake.message
    assert f"{Path(__file__).name}:" in mistake.message or find is not fails_late


def test_a_fix_that_fails_is_refused():
    def broken(rig):
        raise ZeroDivisionError

    def refusing(rig):
        raise Refused("not this one")

    def find(subject):
        for repair in (broken, refusing, lambda rig: rig):
            yield Finding(0, "", "", fix=Fix("exact", "Do", repair))

    rig = rigs.tidy()
    first, second, third = found(guarded(rule_of(find)))
    with pytest.raises(Refused, match="the fix fails on this rig: ZeroDivisionError"):
        try_fix(rig, first)
    with pytest.raises(Refused, match=r"^not this one$"):
        try_fix(rig, second)
    assert try_fix(rig, third)[0] is rig


def example():
    """The worked example of CONTRIBUTING.md: file name → content."""
    import re

    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(
        r"```(?:python|toml)\n# (studio_rules\.py|pyproject\.toml)\n(.*?)```", text, re.DOTALL
    )
    return dict(blocks)


def test_the_worked_example_of_contributing_works_when_installed(tmp_path):
    import tomllib

    files = example()
    assert set(files) == {"studio_rules.py", "pyproject.toml"}
    (tmp_path / "studio_rules.py").write_text(files["studio_rules.py"])
    entries = tomllib.loads(files["pyproject.toml"])["project"]["entry-points"]["rigview.rules"]
    # What installing the package leaves behind.
    facts = tmp_path / "studio_rules-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: studio-rules\nVersion: 1\n")
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (facts / "entry_points.txt").write_text(f"[rigview.rules]\n{lines}")
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(REPOSITORY)!r}]\n"
        "from rigview.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    sample = REPOSITORY / "samples" / "box.glb"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", str(sample), "--select", "STU-PREFIX"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "STU-PREFIX" in done.stdout
