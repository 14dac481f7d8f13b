"""Every rule on its broken sample: exactly its finding, silence within the limit, and a fix that holds.

The samples are made by samples/faults.py; with another number its functions make rigs whose fault is
within the limit.
"""

import re
import sys
from dataclasses import replace
from functools import cache, reduce
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.applying.dryrun import dry_run
from rigview.check.applying.repair import repair
from rigview.check.catalogue import RULES
from rigview.check.rule import Refused
from rigview.check.run import run
from rigview.core.placement import scaled
from rigview.core.sentence import Sentence
from rigview.io import load, save

SAMPLES = Path(__file__).parents[2] / "samples"
sys.path.append(str(SAMPLES))
import faults  # noqa: E402

sys.path.append(str(SAMPLES.parent / "resources" / "translations"))
import build  # noqa: E402

# Rules that measure shapes in many poses. They are asked of every sample once, and then only of their own.
SHAPE = [rule.id for rule in RULES if rule.id.startswith("DEF-")]
FIXED = {rule.id: rule.fix for rule in RULES if rule.fix != "none" and rule.id in faults.FAULTS}
every_rule = pytest.mark.parametrize("rule", faults.FAULTS)
every_fix = pytest.mark.parametrize("rule", FIXED)


@cache
def broken(rule):
    return load(SAMPLES / "broken" / f"{rule}.glb").rig


@cache
def report(rule, profile="gltf"):
    return run(broken(rule), profile, ignore=() if profile == "gltf" else beside(rule))


def beside(rule):
    """Return the rules about shapes, but for a sample of theirs none."""
    return [] if rule in SHAPE else SHAPE


@cache
def the_finding(rule):
    found = report(rule).findings
    assert {f.rule for f in found} == {rule} | also(rule)
    return next(f for f in found if f.rule == rule)


def also(rule):
    """Return the other rules that find something in a rule's sample."""
    return faults.FAULTS[rule].raises


@cache
def fixed(rule):
    return the_finding(rule).fix.repair(broken(rule))


def written(data, folder):
    path = folder / "rig.glb"
    path.write_bytes(data)
    return load(path).rig


def test_every_rule_has_a_sample_and_a_near_miss():
    assert {rule.id for rule in RULES if rule.id in faults.FAULTS} == set(faults.FAULTS)
    assert all(fault.raises <= set(faults.FAULTS) for fault in faults.FAULTS.values())


# The method of the thesis keeps the width of what is twisted.
SOUND_IN_THE_THESIS = {"DEF-COLLAPSE"}


@every_rule
@pytest.mark.parametrize("profile", ["gltf", "thesis"])
def test_a_broken_sample_raises_exactly_its_rule(rule, profile):
    silent = profile == "thesis" and rule in SOUND_IN_THE_THESIS
    assert {f.rule for f in report(rule, profile).findings} == (
        set() if silent else {rule} | also(rule)
    )


@pytest.mark.parametrize("rule", [rule for rule in faults.FAULTS if rule != "BND-COUNT"])
def test_joints_that_are_listed_twice_are_one_more_finding_and_no_other(rule):
    rig = broken(rule)
    doubled = replace(rig, skins=tuple(map(listed_twice, rig.skins)))
    found = {f.rule for f in run(doubled, ignore=beside(rule)).findings}
    assert found == {"HIE-DUPJOINT", rule} | also(rule)


def listed_twice(skin):
    binds = skin.inverse_binds
    return replace(
        skin,
        joints=skin.joints * 2,
        inverse_binds=None if binds is None else np.concatenate([binds, binds]),
    )


@every_rule
def test_a_finding_says_what_where_and_why(rule):
    finding = the_finding(rule)
    assert finding.message
    assert finding.object
    assert finding.explanation
    if finding.joints:
        assert finding.joint == broken(rule).nodes.label(finding.joints[0])
    assert finding.fix.label if finding.fix.kind != "none" else finding.fix.reason


@every_rule
def test_what_is_within_the_limit_is_silent(rule, tmp_path):
    fault = faults.FAULTS[rule]
    data = fault(**fault.within) if fault.within else faults.written(faults.draft())
    rig = written(data, tmp_path)
    told = run(rig, select=[rule])
    assert not told.findings
    assert rule not in dict(told.not_evaluated) or rule.startswith("HIE-SIDE")


@every_fix
def test_a_sample_offers_the_fix_of_its_rule(rule):
    kind = the_finding(rule).fix.kind
    # What ends a bone changes what the compensation sees, and is exact for the rest. The arms of the
    # sample are meshes by themselves, in which nothing blends joints that are turned differently.
    others = {("HIE-LEAF", "bounded"), ("ORI-TPOSE", "exact")}
    assert kind == FIXED[rule] or (rule, kind) in others


# A joint that is taken out of the skin keeps its keys: something else may hang on it.
LEFT_BY = {"HIE-UNUSED": {"ANI-TARGET"}, "HIE-LEAF": {"ANI-TARGET"}}


@every_fix
def test_the_fix_silences_the_rule_and_raises_nothing_new(rule):
    for profile in ("gltf", "thesis"):
        # What could not be looked at for this fault is no news of the fix.
        hidden = dict(report(rule, profile).not_evaluated)
        left_out = [] if profile == "gltf" else beside(rule)
        found = {f.rule for f in run(fixed(rule), profile, ignore=left_out).findings}
        assert found <= set(hidden) | LEFT_BY.get(rule, set()) | also(rule)


@every_fix
def test_the_fix_made_twice_is_the_fix_made_once(rule):
    try:
        again = the_finding(rule).fix.repair(fixed(rule))
    except Refused:
        return
    assert rigs.same(fixed(rule), again)


# Of SCL-UNIT the size is the fault.
@pytest.mark.parametrize("rule", sorted(set(faults.FAULTS) - {"SCL-UNIT"}))
def test_a_fault_is_the_same_in_a_rig_of_any_size(rule):
    found = run(scaled(broken(rule), 100.0), select=[rule]).findings
    for got, known in zip(found, [f for f in report(rule).findings if f.rule == rule], strict=True):
        for name in ("key", "joints", "vertices", "severity", "joint", "object"):
            assert getattr(got, name) == getattr(known, name)
        assert got.fix.kind == known.fix.kind
        if known.value is not None:
            grown = 100.0 if known.unit == "m" else 1.0
            assert got.value == pytest.approx(grown * known.value, rel=1e-6)


@pytest.mark.parametrize("rule", sorted(set(FIXED) - {"SCL-UNIT"}))
def test_a_fix_does_the_same_to_a_rig_of_any_size(rule):
    large = scaled(broken(rule), 100.0)
    (finding,) = run(large, select=[rule]).findings
    assert rigs.same(finding.fix.repair(large), scaled(fixed(rule), 100.0), tolerance=1e-9)


@pytest.mark.parametrize("rule", [rule for rule, fix in FIXED.items() if fix == "exact"])
def test_unasked_a_fix_is_made_where_it_is_exact_and_not_kept_for_those_who_ask(rule):
    fix = the_finding(rule).fix
    made = [done.finding.rule for done in repair(broken(rule)).applied]
    assert made == [rule] * (fix.kind == "exact" and not fix.on_request)


@every_fix
def test_a_fix_leaves_the_original_alone(rule):
    assert rigs.same(broken(rule), load(SAMPLES / "broken" / f"{rule}.glb").rig, 0.0)


@pytest.mark.parametrize("rule", [r for r in FIXED if FIXED[r] == "exact" and r != "HIE-LEAF"])
def test_an_exact_fix_moves_no_vertex_in_any_pose(rule):
    before = broken(rule)
    assert max(rigs.largest_difference(before, fixed(rule)).values()) <= 1e-6
    assert dry_run(before, fixed(rule)).exact


@pytest.mark.parametrize("rule", [r for r in FIXED if FIXED[r] == "bounded"])
def test_a_bounded_fix_moves_little(rule):
    moved = rigs.largest_difference(broken(rule), fixed(rule))
    # A tenth of a weight moves a vertex of the samples' poses by less than a twentieth of the size.
    assert max(moved["lbs"], moved["dqs"]) <= 0.05


@every_fix
def test_a_repaired_sample_is_saved_and_stays_repaired(rule, tmp_path):
    loaded = load(SAMPLES / "broken" / f"{rule}.glb")
    repaired = run(loaded.rig, select=[rule]).findings[0].fix.repair(loaded.rig)
    save(loaded, repaired, tmp_path / "copy.glb")
    again = load(tmp_path / "copy.glb").rig
    assert run(again, select=[rule]).findings == ()
    assert max(rigs.largest_difference(repaired, again).values()) <= 1e-5


# What a reader says of a file comes in English only.
SAID_BY_READERS = {"MSH-READ"}
GERMAN = build.translations("de")
# Names of methods, formats and rules are the same in every language; so is what numbers are made of.
SAME = re.compile(r"LBS|DQS|Compensated|glTF|VRM 0|[A-Z]{3}-[A-Z-]+|[^A-Za-z]|\b[a-zA-Z]{1,2}\b")


def unsaid(text, names):
    """Return what of a text has no German: templates, fixed texts, and words that are no names."""
    if not isinstance(text, Sentence):
        return [] if text in GERMAN or not text else [text]
    lacking = [] if not SAME.sub("", re.sub(r"{[^{}]*}", "", text.template)) else [text.template]
    result = [template for template in lacking if template not in GERMAN]
    for value in text.values.values():
        if isinstance(value, Sentence):
            result += unsaid(value, names)
        elif isinstance(value, str):
            left = reduce(lambda words, name: words.replace(name, ""), names, value)
            result += [left] if SAME.sub("", left) else []
    return result


@every_rule
def test_what_a_rule_says_can_be_said_in_german(rule):
    rig = broken(rule)
    named = (*rig.meshes, *rig.clips, *rig.skins)
    every = {*rig.nodes.names, *(one.name for one in named), "primitive", "node"} - {""}
    names = sorted(every, key=len, reverse=True)
    for finding in report(rule).findings:
        said = [finding.explanation, finding.fix.label, finding.fix.reason]
        said += [] if rule in SAID_BY_READERS else [finding.message]
        said += [advice.words for advice in finding.advice]
        assert not [words for text in said for words in unsaid(text, names)]
    for _, reason in report(rule).not_evaluated:
        assert not unsaid(reason, names)


def test_every_title_of_a_rule_has_its_german():
    assert not [rule.title for rule in RULES if rule.title not in GERMAN]
