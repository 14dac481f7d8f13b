"""Many fixes one after the other: what none of them changes is made once, and is what it would be anew."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.check import run as running
from rigview.check.applying import dryrun, rom_trials
from rigview.check.applying.dryrun import dry_run
from rigview.check.applying.repair import repair, try_fix
from rigview.check.measures.facts import measured
from rigview.check.rule import Finding, Fix, Rule
from rigview.check.run import findings_of, run
from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.motion.range_of_motion import RestSkeleton, range_of_motion, with_clip
from rigview.io import load

TABLE = rom_trials.limits()
HEAD = 4
BROKEN = ["WGT-DUP", "WGT-GHOST", "WGT-SORT"]


def in_pieces(number):
    """Return a rig without clips whose body is in pieces, each of which breaks the rules of `BROKEN`."""
    rig = replace(rigs.tidy(), clips=())
    whole = rig.meshes[0].primitives[0]
    joints, weights = whole.influences.joints.copy(), whole.influences.weights.copy()
    joints[4, 2:], weights[4] = joints[4, :2], (0.5, 0.2, 0.25, 0.05)
    joints[5], weights[5] = (0, 1, 2, 0), (0.3, 0.2, 0.5, 0.0)
    joints[6], weights[6] = (0, 1, 2, 0), (0.7, 0.3, 0.0, 0.0)
    piece = replace(whole, influences=Influences(joints, weights))
    mesh = replace(rig.meshes[0], primitives=(piece,) * number)
    return replace(rig, meshes=(mesh,))


def counted(monkeypatch, module, name):
    """Return what a function of a module was called with, from now on."""
    calls, made = [], getattr(module, name)

    def heard(*given, **named):
        calls.append(given)
        return made(*given, **named)

    monkeypatch.setattr(module, name, heard)
    return calls


@pytest.mark.parametrize("number", [2, 6])
def test_fixes_of_weights_go_through_one_range_of_motion(monkeypatch, number):
    made = counted(monkeypatch, rom_trials, "range_of_motion")
    repaired = repair(in_pieces(number))
    assert sorted(a.finding.rule for a in repaired.applied) == BROKEN
    assert all(a.dry_run.bent for a in repaired.applied)
    assert len(made) == 1


@pytest.mark.parametrize(("shared", "number"), [(True, 1), (False, 3)])
def test_who_tries_several_fixes_hands_on_what_they_are_tried_in(monkeypatch, shared, number):
    rig = in_pieces(3)
    made = counted(monkeypatch, rom_trials, "range_of_motion")
    rehearsals = rom_trials.RomTrials() if shared else None
    found = run(rig, select=BROKEN).findings
    outcomes = [try_fix(rig, finding, rehearsals=rehearsals)[1] for finding in found]
    assert all(outcome.bent for outcome in outcomes)
    assert len(made) == number


def test_clips_are_looked_at_once_for_how_much_they_bend(monkeypatch):
    rig = in_pieces(4)
    still = replace(rigs.tidy().clips[0], channels=())
    bent = counted(monkeypatch, rom_trials, "largest_bend")
    repaired = repair(replace(rig, clips=(still, replace(still, name="Other"))))
    assert len(repaired.applied) == len(BROKEN)
    assert len(bent) == 2


@pytest.mark.parametrize("rules", [(), ("WGT-SUM", "WGT-DUP", "HIE-GAP")])
def test_what_is_known_of_one_rig_does_not_change_what_is_found_of_the_next(monkeypatch, rules):
    rig = replace(in_pieces(3), nodes=rigs.with_nodes(rigs.tidy()).nodes)
    first = repair(rig, "thesis", rules)
    monkeypatch.setattr(Deformer, "of_changed", lambda _self, changed: Deformer(changed))
    again = repair(replace(rig), "thesis", rules)
    assert rigs.same(first.rig, again.rig, tolerance=0.0)
    assert [(a.finding.rule, a.finding.key) for a in first.applied] == [
        (a.finding.rule, a.finding.key) for a in again.applied
    ]
    assert [a.dry_run for a in first.applied] == [a.dry_run for a in again.applied]


def test_joints_that_rest_or_are_called_otherwise_move_otherwise_and_weights_say_nothing():
    rig = replace(rigs.tidy(), clips=())
    skeleton = RestSkeleton.of(rig)
    weights = np.zeros_like(rig.meshes[0].primitives[0].influences.weights)
    assert skeleton.is_like(RestSkeleton.of(rigs.with_influences(rig, weights=weights)))
    rotations = rigs.with_row(rig.nodes.rotations, HEAD, quat.from_axis_angle((1.0, 0.0, 0.0), 0.5))
    for other in (
        rigs.with_nodes(rig, rotations=rotations),
        rigs.with_nodes(rig, names=(*rig.nodes.names[:HEAD], "tail", *rig.nodes.names[HEAD + 1 :])),
        replace(rig, humanoid={HEAD: "head"}),
    ):
        assert not skeleton.is_like(RestSkeleton.of(other))


def test_a_clip_more_leaves_the_nodes_where_none_states_a_matrix():
    rig = rigs.tidy()
    grown = with_clip(rig, range_of_motion(rig, TABLE).clip)
    assert grown.nodes is rig.nodes
    assert len(grown.clips) == len(rig.clips) + 1


def test_boxes_of_parts_that_stay_are_taken_over(monkeypatch):
    rig = in_pieces(5)
    old = Deformer(rig)
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[2] = (0.5, 0.5, 0.0, 0.0)
    changed = rigs.with_influences(rig, weights=weights)
    taken = old.of_changed(changed)
    posed = counted(monkeypatch, Deformer, "_at_rest")
    assert taken.size == Deformer(changed).size
    assert [given[1].primitive for given in posed if given[0] is taken] == [0]


def asked(*finds):
    """Return rules of these functions; the numbers of those that went on after a finding are heard."""
    return tuple(
        Rule(id_, "made up", "nothing", "info", "exact", find)
        for id_, find in zip(("HIE-ROOT", "HIE-GAP"), finds, strict=False)
    )


def test_who_needs_the_first_finding_pays_for_no_other(monkeypatch):
    heard = []

    def found(rule, number):
        def find(_subject):
            for key in range(number):
                heard.append((rule, key))
                yield Finding(key, "made up", "rig", fix=Fix("none"))

        return find

    rules = asked(found("HIE-ROOT", 3), found("HIE-GAP", 2))
    monkeypatch.setattr(running, "RULES", rules)
    rig = rigs.tidy()
    every = findings_of(rig)
    assert next(every).key == 0
    assert heard == [("HIE-ROOT", 0)]
    rest = [(f.rule, f.key) for f in every]
    assert rest == [("HIE-ROOT", 1), ("HIE-ROOT", 2), ("HIE-GAP", 0), ("HIE-GAP", 1)]
    assert [(f.rule, f.key) for f in run(rig).findings] == [("HIE-ROOT", 0), *rest]


@pytest.mark.parametrize("rule", ["HIE-GAP", "WGT-SORT", "SCL-NEG"])
def test_findings_one_by_one_are_those_of_a_run(samples, rule):
    rig = load(samples / "broken" / f"{rule}.glb").rig
    one_by_one = list(findings_of(rig, "thesis"))
    assert [(f.rule, f.key, f.message) for f in one_by_one] == [
        (f.rule, f.key, f.message) for f in run(rig, "thesis").findings
    ]
    with pytest.raises(KeyError):
        next(findings_of(rig, select=["HIE-NONE"]))


@pytest.mark.parametrize(
    "rule",
    ["HIE-GAP", "HIE-NAMES", "HIE-MESH-XFORM", "HIE-LEAF", "ORI-PRIMARY", "SCL-NEG", "SCL-UNIT",
     "SCL-SKIN", "BND-REST", "WGT-SUM"],
)  # fmt: skip
def test_what_a_fix_says_of_the_layout_is_so(samples, rule):
    rig = load(samples / "broken" / f"{rule}.glb").rig
    rigs.layout(rig)
    made = repair(rig, rules=[rule])
    assert made.applied
    assert rigs.layout(made.rig) == rigs.layout(rigs.anew(made.rig))


def test_a_rig_is_tried_alike_when_others_were_measured_meanwhile(samples):
    rig = load(samples / "arm.glb").rig
    rehearsals = rom_trials.RomTrials()
    assert rehearsals.bends(rig)
    turned = rigs.with_influences(rig, weights=0.5 * rig.meshes[0].primitives[0].influences.weights)
    first = dry_run(rig, turned, rehearsals=rehearsals)
    for seed in range(3):
        measured(rigs.make(rigs.Recipe(seed=seed)))
    again = dry_run(rig, turned, rehearsals=rehearsals)
    assert not again.bent
    assert again.displacement == first.displacement


def test_both_sides_of_a_change_of_weights_are_posed_as_one(monkeypatch):
    rig = replace(in_pieces(2), clips=rigs.tidy().clips)
    posed = counted(monkeypatch, dryrun.Frames, "at")
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[2] = (0.5, 0.5, 0.0, 0.0)
    dry_run(rig, rigs.with_influences(rig, weights=weights))
    assert len(posed) == 1
    dry_run(rig, rigs.with_nodes(rig, scales=1.1 * rig.nodes.scales))
    assert len(posed) == 3


def test_facts_are_kept_for_the_last_two_rigs():
    first, second, third = (rigs.tidy() for _ in range(3))
    facts = measured(first)
    assert measured(second, first).deformer.rig is second
    assert measured(first) is facts
    measured(third)
    assert measured(first) is facts
    assert measured(first).deformer.rig is first


def test_a_dry_run_leaves_what_rules_will_ask_of_the_fixed_rig(monkeypatch):
    rig = in_pieces(3)
    changed = repair(rig, rules=["WGT-DUP"]).rig
    derived = counted(monkeypatch, Deformer, "of_changed")
    dry_run(rig, changed)
    derived.clear()
    assert measured(changed).deformer.rig is changed
    assert derived == []
