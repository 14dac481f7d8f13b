"""Limits: what a rule's row declares decides what it finds, tighter or looser than its default."""

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rigview.check import config
from rigview.check.catalogue import BY_ID, LIMITS, RULES
from rigview.check.config import Config, ConfigError
from rigview.check.limits import Limit
from rigview.check.rule import PROFILES, Rule
from rigview.check.run import run
from rigview.check.studio_config import accepts
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
sys.path.append(str(SAMPLES))
from witnesses import WITNESSES  # noqa: E402

import faults  # noqa: E402

GLTF = PROFILES["gltf"]
WITHIN = {rule: fault.within for rule, fault in faults.FAULTS.items() if fault.within}
KNOWN = {key: limit for key, limit in LIMITS.items() if limit.rule in faults.FAULTS}
DECIDING = {key: limit for key, limit in KNOWN.items() if limit.tells is None}
# Key, profile, and with what severity what does not lie beyond is told.
TELLING = [
    ("ORI-PRIMARY.agreed", "dqs", "info"),
    ("BND-REST.warning", "gltf", "info"),
    ("WGT-SUM.error", "gltf", "warning"),
    ("ANI-LEN.warning", "gltf", "info"),
    ("DEF-COLLAPSE.error", "gltf", "warning"),
]
# Sound rigs that have a little of what the rule looks for, where those within the limit have none.
A_LITTLE = {
    "SCL-NONUNI": {"factor": 1.00005},
    "ANI-GRID": {"time": 0.502},
    "HIE-GAP": {"metres": 1e-6},
}
# What is found has to be beyond all limits of these, not beyond one of them.
TOGETHER = ("WGT-STRAY.", "WGT-SYM.", "ORI-MIRROR.", "ANI-LOOP.meant")
# Without them the sample is found all the same: a walk by its name, an island by its size, and so on.
ANOTHER_WAY = {
    "ANI-LOOP.meant-turn",
    "ANI-LOOP.meant-move",
    "WGT-STRAY.island",
    "WGT-STRAY.island-weight",
    "WGT-STRAY.steps",
    "WGT-STRAY.side-steps",
    "WGT-STRAY.distance",
    "WGT-SYM.vertex",
}
# Tighter than these they would ask for what no mesh of so few vertices has.
TIGHTEST = {"WGT-STRAY.island": 8, "WGT-SYM.vertex": 1e-3}


@cache
def broken(rule):
    # The sample's matrix has no volume, which no limit lets pass: this one has hardly any.
    if rule == "BND-SINGULAR":
        return made(faults.FAULTS[rule](depth=1e-7))
    return load(SAMPLES / "broken" / f"{rule}.glb").rig


def made(data):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rig.glb"
        path.write_bytes(data)
        return load(path).rig


@cache
def sound(key):
    """Return a rig that a limit finds nothing in by default, and something at its tightest."""
    if key in WITNESSES:
        return made(WITNESSES[key]())
    rule = KNOWN[key].rule
    little = (WITHIN | A_LITTLE).get(rule)
    data = faults.written(faults.draft()) if little is None else faults.FAULTS[rule](**little)
    return made(data)


def found(rig, rule, limits):
    return run(rig, replace(GLTF, limits=limits), select=[rule]).findings


@cache
def found_by_default(rule):
    return found(broken(rule), rule, {})


def tightest(limit):
    return TIGHTEST.get(
        limit.key, limit.lowest if limit.sense == "most" else min(1e9, limit.highest)
    )


def loosest(limit):
    if limit.sense == "least":
        return limit.lowest
    return 10**9 if limit.whole else 1e300


def others_aside(limit):
    """Return what the other limits of a rule are for one to decide alone."""
    if limit.key.startswith(TOGETHER):
        return {}
    return {o.key: loosest(o) for o in BY_ID[limit.rule].limits if o is not limit}


def test_every_limit_says_what_it_is():
    assert KNOWN.keys() == LIMITS.keys()
    assert len(DECIDING) > 55
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
    with pytest.raises(ValueError, match="WGT-TINY"):
        Rule("STU-X", "", "", "info", "none", BY_ID["WGT-TINY"].find, limits=(LIMITS["WGT-TINY"],))


@pytest.mark.parametrize("rule", sorted({limit.rule for limit in DECIDING.values()}))
def test_the_loosest_limits_of_a_rule_silence_its_sample(rule):
    assert found_by_default(rule)
    assert found(broken(rule), rule, {o.key: loosest(o) for o in BY_ID[rule].limits}) == ()


@pytest.mark.parametrize("key", sorted(DECIDING))
def test_a_tightened_limit_finds_what_it_lets_pass_by_default_and_loosened(key):
    limit = DECIDING[key]
    others = others_aside(limit)
    for value in (loosest(limit), limit.default):
        assert found(sound(key), limit.rule, {**others, key: value}) == ()
    assert found(sound(key), limit.rule, {**others, key: tightest(limit)})


def concerned(findings):
    """Return the joints and vertices that findings name, and the objects of those that name none."""
    vertices = {(f.object, v) for f in findings if f.vertices for v in f.vertices.ids}
    objects = {f.object for f in findings if not f.joints and not f.vertices}
    return vertices | objects | {j for f in findings for j in f.joints}


@pytest.mark.parametrize("key", sorted(DECIDING))
def test_a_limit_finds_no_more_loosened_and_no_less_tightened(key):
    limit = DECIDING[key]
    rig = broken(limit.rule)
    loose, default, tight = (
        concerned(found(rig, limit.rule, {key: value}))
        for value in (loosest(limit), limit.default, tightest(limit))
    )
    assert loose <= default <= tight
    assert default
    if key.startswith(TOGETHER) and key not in ANOTHER_WAY:
        assert not loose


@pytest.mark.parametrize(("key", "profile", "rule_says"), TELLING)
def test_what_lies_beyond_a_telling_limit_is_told_more_severely(key, profile, rule_says):
    limit = KNOWN[key]
    assert limit.tells != rule_says
    for value, severity in ((tightest(limit), limit.tells), (loosest(limit), rule_says)):
        held = replace(PROFILES[profile], limits={key: value})
        report = run(broken(limit.rule), held, select=[limit.rule])
        assert {report.severity(finding) for finding in report.findings} == {severity}


def test_every_limit_that_tells_is_known_to():
    assert {key for key, limit in KNOWN.items() if limit.tells} == {key for key, _, _ in TELLING}


# What a finding states is there in the limit's own unit.
STATED = [
    limit for limit in DECIDING.values() if found_by_default(limit.rule)[0].limit == limit.default
]


@pytest.mark.parametrize("limit", STATED, ids=lambda limit: limit.key)
def test_a_limit_just_beyond_what_was_measured_accepts_it_and_one_just_before_does_not(limit):
    rig, rule = broken(limit.rule), BY_ID[limit.rule]
    others = others_aside(limit)
    values = [f.value for f in found(rig, rule.id, others)]
    worst = max(values) if limit.sense == "most" else min(values)
    step = 1 if limit.whole else 1e-3 * abs(worst)
    beyond, before = (step, -step) if limit.sense == "most" else (-step, step)
    assert found(rig, rule.id, others | {limit.key: max(worst + beyond, 0)}) == ()
    for finding in found(rig, rule.id, others | {limit.key: worst + before}):
        assert finding.limit == worst + before


@pytest.mark.parametrize("limit", STATED, ids=lambda limit: limit.key)
def test_a_fix_goes_by_the_limit_that_it_was_found_by(limit):
    # Twist joints halve a fault, whatever its limit.
    if BY_ID[limit.rule].fix == "none" or limit.whole or limit.rule.startswith("DEF-"):
        return
    others = others_aside(limit)
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
        ("SCL-UNIT = 1", "SCL-UNIT", "SCL-UNIT.lowest, SCL-UNIT.highest and SCL-UNIT.ratio"),
        ("SCL-UNIT.high = 1", "SCL-UNIT.high", "SCL-UNIT has SCL-UNIT.lowest"),
        ("WGT-COUNT.most = 1", "WGT-COUNT.most", "WGT-COUNT has WGT-COUNT"),
        ("WGT-COUNT = 4.5", "WGT-COUNT", "a whole number of 1 or more is wanted"),
        ("WGT-COUNT = 0", "WGT-COUNT", "a whole number of 1 or more is wanted"),
        ("WGT-TINY = true", "WGT-TINY", "a number of 0 or more is wanted"),
        ("WGT-TINY = '1e-3'", "WGT-TINY", "a number of 0 or more is wanted"),
        ("WGT-TINY = nan", "WGT-TINY", "a number of 0 or more is wanted"),
        ("WGT-TINY = inf", "WGT-TINY", "a number of 0 or more is wanted"),
        ("DEF-STRETCH.areas = 0.05", "DEF-STRETCH.areas", "how far faces may grow is wanted"),
        ("DEF-VOLUME = 1.2", "DEF-VOLUME", "a number of 0 or more and 0.99 or less is wanted"),
        ("WGT-TINY = -1", "WGT-TINY", "a number of 0 or more is wanted"),
        ("WGT-TINY = [1]", "WGT-TINY", "a number of 0 or more is wanted"),
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


# Limits of one rule that another minds.


def test_a_scale_in_the_skin_that_one_rule_lets_pass_is_no_excuse_for_the_other():
    rig = broken("SCL-INHERIT")
    off = rig.skins[0].inverse_binds.copy()
    off[:, :3, :3] *= 1.001
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=off))

    def found_of(limits):
        held = replace(GLTF, limits=limits)
        return {f.rule for f in run(rig, held, select=["SCL-INHERIT", "SCL-SKIN"]).findings}

    assert found_of({}) == {"SCL-SKIN"}
    assert found_of({"SCL-SKIN": 0.01}) == {"SCL-INHERIT"}


def test_what_is_scaled_to_nothing_by_a_studios_limit_is_not_unequal_too():
    rig = broken("SCL-NONUNI")
    scales = rig.nodes.scales.copy()
    scales[rig.joints[-1]] = (1.0, 1e-3, 1.0)
    rig = replace(rig, nodes=replace(rig.nodes, scales=scales))

    def found_of(limits):
        held = replace(GLTF, limits=limits)
        return {f.rule for f in run(rig, held, select=["SCL-NONUNI", "SCL-ZERO"]).findings}

    assert found_of({}) == {"SCL-NONUNI"}
    assert found_of({"SCL-ZERO": 0.01}) == {"SCL-ZERO"}


# Settings that are shares of something measured; findings print the limit that comes of it.
RELATIVE = {"HIE-SIDE": "m", "HIE-ZEROLEN": "m", "SCL-INHERIT": "×", "SCL-SKIN": "×"}
# A setting that says when a channel counts as constant; findings count channels.
COUNTING = {"ANI-CONST": "channel"}


@pytest.mark.parametrize("rule", sorted({limit.rule for limit in KNOWN.values()}))
def test_settings_are_in_the_unit_that_the_finding_prints(rule):
    rig = load(SAMPLES / "broken" / f"{rule}.glb").rig
    found = run(rig, "gltf", [rule]).findings
    assert found
    for finding in found:
        units = {limit.unit for limit in BY_ID[rule].limits if GLTF.limit(limit) == finding.limit}
        assert finding.unit in units or finding.unit == (RELATIVE | COUNTING).get(rule)


@pytest.mark.parametrize("rule", ["WGT-STRAY", "WGT-SUM", "BND-NONRIGID"])
def test_what_is_accepted_is_in_the_unit_that_the_finding_prints(rule):
    (finding,) = run(load(SAMPLES / "broken" / f"{rule}.glb").rig, "gltf", [rule]).findings
    assert accepts({rule: finding.value}, finding)
    assert not accepts({rule: 0.9 * finding.value}, finding)


@pytest.mark.parametrize("default", ["4", None, True, float("nan"), -1.0])
def test_a_limit_whose_default_no_configuration_could_set_is_refused_when_it_is_made(default):
    with pytest.raises(ValueError, match=r"limit STU-LONG: a number of 0 or more is wanted, got "):
        Limit("STU-LONG", default, "m", "the length of a bone")
