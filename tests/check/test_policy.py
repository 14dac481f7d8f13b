"""What a file is held to: settings found above it, and what they let be."""

from dataclasses import replace
from pathlib import Path

import pytest
import rigs

from rigview.check.baseline import Baseline
from rigview.check.config import Config, ConfigError
from rigview.check.policy import NO_CONFIG, Configs, Policy, held, ignored, judge
from rigview.check.report import state
from rigview.check.run import run
from rigview.io import load

FAULTY = Path(__file__).parents[2] / "samples" / "faulty_arm.glb"
SOME = """
profile = "dqs"
ignore = ["ORI-PRIMARY"]
[limits]
WGT-COUNT = 1
[accept]
SCL-INHERIT = 0
"""


@pytest.fixture(scope="module")
def rig():
    return load(FAULTY).rig


@pytest.fixture
def file(tmp_path):
    """A file's name in a folder below settings; the file itself need not be there."""
    (tmp_path / "rigs").mkdir()
    (tmp_path / "rigview.toml").write_text(SOME)
    return tmp_path / "rigs" / "arm.glb"


def told(findings):
    return [(f.rule, f.key, f.value) for f in findings]


def test_the_settings_above_a_file_count_and_else_those_above_here(file, tmp_path, monkeypatch):
    assert Configs().of(file).file == tmp_path / "rigview.toml"
    elsewhere = Path("/nowhere/arm.glb")
    monkeypatch.chdir("/")
    assert Configs().of(elsewhere).file is None
    monkeypatch.chdir(file.parent)
    assert Configs().of(elsewhere).file == tmp_path / "rigview.toml"
    assert Configs(NO_CONFIG).of(file).file is None
    (file.parent / "other.toml").write_text('profile = "vrm"')
    assert Configs(file.parent / "other.toml").of(file).profile == "vrm"


def test_a_profile_that_is_named_goes_before_the_studios(file):
    config = Configs().of(file)
    for named, name in ((None, "dqs"), ("unreal", "unreal")):
        standard = Policy.of(file, config, named)
        assert standard.profile.name == name
        assert standard.profile.limits["WGT-COUNT"] == 1


def test_judging_excuses_what_does_not_count_and_leaves_the_rest(file, rig):
    standard = held(file).standard
    judged = judge(rig, standard)
    report = judged.report
    assert {why for _, why in judged.excused} == {"accepted"}
    judged = judged.with_ignored(ignored(rig, standard))
    assert judged.report == report
    every = run(rig, standard.profile).findings
    excused = [f for f, _ in judged.excused]
    assert sorted(told((*excused, *report.findings))) == sorted(told(every))
    assert {(f.rule, why) for f, why in judged.excused} == {
        ("ORI-PRIMARY", "ignored"),
        ("SCL-INHERIT", "accepted"),
    }


def test_what_other_rules_name_is_left_out_whether_they_are_asked_or_not():
    rig = load(FAULTY.with_name("broken") / "BND-CONFLICT.glb").rig
    alone = run(rig, select=["BND-REST"])
    both = run(rig, select=["BND-REST", "BND-CONFLICT"])
    assert "BND-CONFLICT" in {f.rule for f in both.findings}
    assert alone.not_evaluated == both.not_evaluated
    assert dict(alone.not_evaluated) == {"BND-REST": "1 joint that BND-CONFLICT names is left out"}


def test_where_all_rules_are_asked_none_is_ignored(file, rig):
    assert ignored(rig, Policy.of(file, Configs(NO_CONFIG).of(file))) == ()


def test_what_a_baseline_lists_is_known_once(file, rig):
    standard = Policy.of(file, Configs(NO_CONFIG).of(file))
    stated = state(str(file), judge(rig, standard).report, rig)
    known = Baseline(file.parent, {}).updated([stated])
    judged = judge(rig, standard, known)
    assert judged.report.findings == ()
    assert {why for _, why in judged.excused} == {"known"}
    assert len(judged.excused) == len(stated.findings)
    fewer = {name: entries[1:] for name, entries in known.files.items()}
    assert len(judge(rig, standard, Baseline(file.parent, fewer)).report.findings) == 1


@pytest.mark.parametrize("text", ["[[", "profil = 1", "[limits]\nnoses = 3"])
def test_settings_that_cannot_be_used_are_left_out_and_told(file, text):
    place = file.parent.parent / "rigview.toml"
    place.write_text(text)
    with pytest.raises(ConfigError) as caught:
        Configs().of(file)
    known = held(file)
    assert known.fault == str(caught.value)
    assert known.standard == Policy.of(file, Configs(NO_CONFIG).of(file))
    assert held(file, configured=False).fault == ""


def test_a_baseline_that_is_not_there_leaves_the_other_settings(file):
    place = file.parent.parent / "rigview.toml"
    place.write_text('baseline = "gone.json"\nprofile = "vrm"')
    known = held(file)
    assert "gone.json: there is no such baseline" in known.fault
    assert (known.baseline, known.standard.profile.name) == (None, "vrm")


def test_where_nobody_names_a_profile_it_follows_the_file(file):
    rig = rigs.make(rigs.Recipe(seed=1))
    vrm = replace(rig, origin=replace(rig.origin, format="VRM"))
    for of, name in ((rig, "gltf"), (vrm, "vrm")):
        assert judge(of, Policy.of(file, Config())).report.profile.name == name
        assert Policy.of(file, Config()).for_rig(of).profile.name == name
        for standard in (
            Policy.of(file, Config(), "unity"),
            Policy.of(file, Config(profile="unity")),
        ):
            assert judge(of, standard).report.profile.name == "unity"
