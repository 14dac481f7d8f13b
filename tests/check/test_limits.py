"""Limits: what a rule's row declares decides what it finds, tighter or looser than its default."""

import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from near_misses import NEAR

from rigview.check import config
from rigview.check.catalogue import BY_ID, LIMITS, RULES
from rigview.check.config import Config, ConfigError
from rigview.check.limits import Limit
from rigview.check.rule import PROFILES, Rule
from rigview.check.run import run
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
sys.path.append(str(SAMPLES))
import faults  # noqa: E402

GLTF = PROFILES["gltf"]
KNOWN = {key: limit for key, limit in LIMITS.items() if limit.rule in faults.FAULTS}
# Sound rigs that have a little of what the rule looks for, where those within the limit have none.
A_LITTLE = {
    "HIE-GAP": {"metres": 1e-6},
    "SCL-NONUNI": {"factor": 1.00005},
    "ANI-GRID": {"time": 0.502},
}
# No sample has a little of these.
NONE_OR_MUCH = {
    "HIE-GAP.turn", "SCL-INHERIT", "SCL-SKIN", "BND-CONFLICT.move", "BND-REST.move", "WGT-NEAREST",
    "ANI-LOOP.move", "DEF-FLIP",
}  # fmt: skip
# No limit lets a matrix of no volume pass.
ALWAYS = {"BND-SINGULAR"}


@lru_cache
def broken(rule):
    return load(SAMPLES / "broken" / f"{rule}.glb").rig


@lru_cache
def sound(rule, folder):
    path = folder / f"{rule}.glb"
    little = (NEAR | A_LITTLE).get(rule)
    data = faults.written(faults.draft()) if little is None else faults.FAULTS[rule](**little)
    path.write_bytes(data)
    return load(path).rig


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sound")


def found(rig, rule, limits):
    return run(rig, replace(GLTF, limits=limits), select=[rule]).findings


@lru_cache
def found_by_default(rule):
    return found(broken(rule), rule, {})


def tightest(limit):
    return limit.lowest if limit.sense == "most" else 1e9


def loosest(limit):
    return 10**9 if limit.whole else 1e300 if limit.sense == "most" else limit.lowest


def test_every_limit_says_what_it_is():
    assert len(KNOWN) > 40
    for key, limit in LIMITS.items():
        assert key == limit.key
        assert limit in BY_ID[limit.rule].limits
        assert limit.meaning
        assert limit.fault(limit.default) == ""
        # One of several has a name, so that TOML can state one beside the other.
        assert ("." in key) == (len(BY_ID[limit.rule].limits) > 1)


def test_profiles_set_limits_that_there_are():
    for profile in PROFILES.values():
        for key, value in profile.limits.items():
            assert LIMITS[key].fault(value) == ""


def test_a_row_declares_limits_of_its_own_rule_only():
    with pytest.raises(ValueError, match="WGT-SUM"):
        Rule("STU-X", "", "", "info", "none", BY_ID["WGT-SUM"].find, limits=(LIMITS["WGT-SUM"],))


@pytest.mark.parametrize("rule", sorted({limit.rule for limit in KNOWN.values()} - ALWAYS))
def test_the_loosest_limits_of_a_rule_silence_its_sample(rule):
    assert found_by_default(rule)
    assert found(broken(rule), rule, {o.key: loosest(o) for o in BY_ID[rule].limits}) == ()


@pytest.mark.parametrize("key", sorted(KNOWN.keys() - NONE_OR_MUCH))
def test_the_tightest_limit_lets_a_rule_find_something_in_a_sound_rig(key, folder):
    limit = KNOWN[key]
    rig = sound(limit.rule, folder)
    others = {o.key: loosest(o) for o in BY_ID[limit.rule].limits if o is not limit}
    assert found(rig, limit.rule, others | {limit.key: loosest(limit)}) == ()
    assert found(rig, limit.rule, others | {limit.key: tightest(limit)})


# What a finding states is there in the limit's own unit.
STATED = [
    limit
    for limit in KNOWN.values()
    if limit.rule not in ALWAYS and found_by_default(limit.rule)[0].limit == limit.default
]


@pytest.mark.parametrize("limit", STATED, ids=lambda limit: limit.key)
def test_a_limit_just_beyond_what_was_measured_accepts_it_and_one_just_before_does_not(limit):
    rig, rule = broken(limit.rule), BY_ID[limit.rule]
    others = {other.key: loosest(other) for other in rule.limits if other is not limit}
    values = [f.value for f in found(rig, rule.id, others)]
    worst = max(values) if limit.sense == "most" else min(values)
    step = 1 if limit.whole else 1e-3 * abs(worst)
    beyond, before = (step, -step) if limit.sense == "most" else (-step, step)
    assert found(rig, rule.id, others | {limit.key: max(worst + beyond, 0)}) == ()
    for finding in found(rig, rule.id, others | {limit.key: worst + before}):
        assert finding.limit == worst + before


@pytest.mark.parametrize("limit", STATED, ids=lambda limit: limit.key)
def test_a_fix_goes_by_the_limit_that_it_was_found_by(limit):
    if BY_ID[limit.rule].fix == "none" or limit.whole:
        return
    others = {o.key: loosest(o) for o in BY_ID[limit.rule].limits if o is not limit}
    values = [f.value for f in found(broken(limit.rule), limit.rule, others)]
    # Half as strict, or half as lenient, as what was measured, whichever still finds it.
    limits = others | {limit.key: min(values) * (0.5 if limit.sense == "most" else 2.0)}
    for finding in found(broken(limit.rule), limit.rule, limits):
        if finding.fix.repair is not None:
            assert found(finding.fix.repair(broken(limit.rule)), limit.rule, limits) == ()


# What a configuration says of them.


def read(folder, text):
    path = folder / "rigview.toml"
    path.write_text(text)
    return config.read(path)


def test_a_configuration_goes_before_the_profile_and_the_profile_before_the_default(tmp_path):
    text = (
        "[limits]\nWGT-COUNT = 2\nSCL-UNIT.highest = 30\nORI-PRIMARY = {angle = 20, slight = 4.5}"
    )
    chosen = read(tmp_path, text).limits
    assert chosen == {
        "WGT-COUNT": 2,
        "SCL-UNIT.highest": 30,
        "ORI-PRIMARY.angle": 20,
        "ORI-PRIMARY.slight": 4.5,
    }
    unreal = Config(limits=chosen).applied(PROFILES["unreal"])
    assert unreal.limits == PROFILES["unreal"].limits | chosen
    assert unreal.name == "unreal"
    rig = broken("WGT-COUNT")
    assert [f.limit for f in run(rig, "gltf", ["WGT-COUNT"]).findings] == [4]
    assert run(rig, "unreal", ["WGT-COUNT"]).findings == ()
    assert [f.limit for f in run(rig, unreal, ["WGT-COUNT"]).findings] == [2]


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        ("noses = 1", "noses", "there is no limit noses"),
        ("WGT-COUTN = 1", "WGT-COUTN", "did you mean WGT-COUNT?"),
        ("WGT-SORT = 1", "WGT-SORT", "WGT-SORT has no limit"),
        ("SCL-UNIT = 1", "SCL-UNIT", "SCL-UNIT.lowest and SCL-UNIT.highest and SCL-UNIT.ratio"),
        ("SCL-UNIT.high = 1", "SCL-UNIT.high", "SCL-UNIT has SCL-UNIT.lowest"),
        ("WGT-COUNT.most = 1", "WGT-COUNT.most", "WGT-COUNT has WGT-COUNT"),
        ("WGT-COUNT = 4.5", "WGT-COUNT", "a whole number of 1 or more is wanted"),
        ("WGT-COUNT = 0", "WGT-COUNT", "a whole number of 1 or more is wanted"),
        ("WGT-SUM = true", "WGT-SUM", "a number of 0 or more is wanted"),
        ("WGT-SUM = '1e-3'", "WGT-SUM", "a number of 0 or more is wanted"),
        ("WGT-SUM = nan", "WGT-SUM", "a number of 0 or more is wanted"),
        ("WGT-SUM = inf", "WGT-SUM", "a number of 0 or more is wanted"),
        ("WGT-SUM = -1", "WGT-SUM", "a number of 0 or more is wanted"),
        ("WGT-SUM = [1]", "WGT-SUM", "a number of 0 or more is wanted"),
    ],
)
def test_what_no_limit_can_be_is_said_in_one_sentence(tmp_path, text, key, words):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, f"[limits]\n{text}")
    assert str(caught.value).startswith(f"{tmp_path / 'rigview.toml'}: limits.{key}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rules_of_other_packages_may_have_limits():
    limit = Limit("STU-X", 3, "joint", "joints with a prefix", whole=True)
    rule = Rule("STU-X", "", "", "info", "none", BY_ID["WGT-SUM"].find, limits=(limit,))
    assert rule.limits == (limit,)
    assert "STU-X" not in {known.id for known in RULES}
