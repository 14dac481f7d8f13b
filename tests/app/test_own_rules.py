"""Rules without a package: functions that are passed, and the Python files of a folder."""

import pytest

import rigview
from rigview.check.own_rules import RulesError, rules_in
from rigview.cli import main

SOUND = '''
"""The studio's rules."""

from rigview import Finding


def helper(name):
    """Tell whether a name is the studio's."""
    return name.startswith("hero_")


def prefix(subject):
    """STU-PREFIX: Joint without the studio's prefix."""
    for joint in subject.rig.joints:
        name = subject.rig.nodes.label(joint)
        if not helper(name):
            yield Finding(joint, "its name lacks hero_", name, joints=(joint,))
'''


@pytest.fixture
def studio(tmp_path):
    folder = tmp_path / "studio"
    folder.mkdir()
    (folder / "names.py").write_text(SOUND)
    (folder / "_draft.py").write_text("1 / 0\n")
    return folder


def fails(subject):
    """STU-FAILS: Rule that fails."""
    raise ZeroDivisionError("oops")


def unnamed(subject):
    """Return nothing of use."""
    return iter(())


def test_a_function_that_states_no_id_is_told_how(samples):
    with pytest.raises(ValueError, match="STU-PREFIX: "):
        rigview.check(rigview.load(samples / "box.glb"), rules=unnamed)


def test_an_error_in_a_function_is_a_finding_about_it(samples):
    report = rigview.check(rigview.load(samples / "box.glb"), rules=["WGT-SUM", fails])
    (finding,) = report.findings
    assert (finding.rule, report.severity(finding)) == ("STU-FAILS", "error")
    assert "ZeroDivisionError: oops" in finding.message


def test_all_rules_and_one_of_ones_own_are_asked_together(samples):
    rig = rigview.load(samples / "box.glb")
    alone, every = rigview.check(rig), rigview.check(rig, rules=["all", fails])
    assert every.asked == (*alone.asked, "STU-FAILS")
    assert {f.rule for f in every.findings} - {f.rule for f in alone.findings} == {"STU-FAILS"}


def test_an_id_of_the_table_is_not_taken_by_another_rule(samples):
    rule = rigview.Rule("WGT-SUM", "Mine", "mine", "error", "none", fails)
    with pytest.raises(ValueError, match="WGT-SUM is in use"):
        rigview.check(rigview.load(samples / "box.glb"), rules=rule)


def test_the_rules_of_a_folder_are_its_functions_that_state_an_id(studio):
    (rule,) = rules_in(studio)
    assert (rule.id, rule.title) == ("STU-PREFIX", "Joint without the studio's prefix")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_command_asks_the_rules_of_a_folder(studio, samples, capsys, jobs):
    files = [str(samples / name) for name in ("box.glb", "arm.glb")]
    asked = ["--rules-from", str(studio), "--select", "stu-prefix", "--config", "none"]
    assert main(["check", *files, *asked, "-j", jobs, "--fail-on", "warning"]) == 1
    assert capsys.readouterr().out.count("STU-PREFIX") == 2 + 22
    # The rule is there for that command alone.
    assert main(["check", files[0], "--select", "STU-PREFIX", "--config", "none"]) == 2
    assert "there is no rule STU-PREFIX" in capsys.readouterr().err


def test_the_command_explains_the_rules_of_a_folder(studio, capsys):
    assert main(["rules", "stu-prefix", "--rules-from", str(studio)]) == 0
    assert "STU-PREFIX: Joint without the studio's prefix" in capsys.readouterr().out


def test_a_configuration_sets_the_severity_of_a_rule_of_a_folder(studio, samples, tmp_path, capsys):
    config = tmp_path / "rigview.toml"
    config.write_text('[severity]\nSTU-PREFIX = "error"\n')
    asked = ["--rules-from", str(studio), "--select", "STU-PREFIX", "--config", str(config)]
    assert main(["check", str(samples / "box.glb"), *asked]) == 1
    assert "2 errors" in capsys.readouterr().out


def test_no_configuration_names_a_folder_of_rules(studio, samples, tmp_path, capsys):
    config = tmp_path / "rigview.toml"
    config.write_text(f'rules-from = "{studio}"\n')
    assert main(["check", str(samples / "box.glb"), "--config", str(config)]) == 2
    assert "there is no key rules-from" in capsys.readouterr().err


def test_rules_beside_a_rig_are_not_run(studio, samples, capsys):
    rig = studio / "box.glb"
    rig.write_bytes((samples / "box.glb").read_bytes())
    assert main(["check", str(rig), "--config", "none", "--format", "json"]) in (0, 1)
    assert "STU-PREFIX" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no Python file there has a rule"),
        ("import nothing_of_this_name", "cannot be loaded: ModuleNotFoundError"),
        ("1 +", "cannot be loaded: SyntaxError"),
        (SOUND + SOUND.replace("def prefix", "def other"), "STU-PREFIX is in use"),
        (SOUND.replace("STU-PREFIX", "WGT-SUM"), "WGT-SUM is in use"),
    ],
)
def test_a_folder_that_cannot_be_used_is_told(tmp_path, samples, capsys, text, words):
    (tmp_path / "own.py").write_text(text)
    assert main(["check", str(samples / "box.glb"), "--rules-from", str(tmp_path)]) == 2
    assert words in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(RulesError, match="no such folder"):
        rules_in(tmp_path / "nowhere")
