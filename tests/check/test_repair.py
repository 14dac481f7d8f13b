"""Fix all: a fixed point, each step measured, and what lies about being exact is turned down."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from hypothesis import given, settings
from hypothesis import strategies as st
from tidy import HAND, HEAD, SPINE

from rigview.assets import resource
from rigview.check import run as running
from rigview.check.applying.dryrun import COMPARED_TIMES, EXACT, dry_run
from rigview.check.applying.repair import repair, try_fix
from rigview.check.rule import Finding, Fix, Refused, Rule
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion, with_clip
from rigview.core.sampler import Sampler
from rigview.core.text import length_words


@settings(max_examples=20)
@given(
    rig=rigs.rigs(
        vertices=12,
        joints=st.integers(3, 6),
        influences=3,
        clips=st.integers(0, 1),
        mirrored=st.booleans(),
        stretched=st.booleans(),
        prop=st.booleans(),
    ),
    profile=st.sampled_from(["gltf", "thesis"]),
    lost=st.booleans(),
)
def test_fix_all_exact_reaches_a_fixed_point_and_moves_nothing(rig, profile, lost):
    if lost:
        weights = rig.meshes[0].primitives[0].influences.weights.copy()
        weights[:3] = 0.0
        rig = rigs.with_influences(rig, weights=weights)
    made = repair(rig, profile)
    assert max(rigs.largest_difference(rig, made.rig).values()) <= 1e-9
    for applied in made.applied:
        assert applied.finding.fix.kind == "exact"
        assert applied.dry_run.exact
    declined = {(d.finding.rule, d.finding.key) for d in made.declined}
    left = {
        (f.rule, f.key)
        for f in run(made.rig, profile).findings
        if f.fix.kind == "exact" and not f.fix.on_request
    }
    assert left <= declined
    again = repair(made.rig, profile)
    assert again.applied == ()
    assert rigs.same(again.rig, made.rig)


def test_a_clean_rig_is_returned_as_it_is():
    rig = rigs.tidy()
    made = repair(rig, "thesis")
    assert made.rig is rig
    assert (made.applied, made.declined) == ((), ())


def several_faults():
    """Return a rig with weights off, a joint off its axis, and mesh and skeleton apart."""
    rig = rigs.make(rigs.Recipe(seed=2, joints=5, clips=1, vertices=12))
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[4] *= 0.9
    children = tuple(tuple(c for c in cs if c != 6) for cs in rig.nodes.children)
    rig = replace(rigs.with_nodes(rig, children=children), roots=(0, 6))
    assert rig.nodes.names[6] == "Body 0"
    clips = tuple(replace(c, channels=tuple(ch for ch in c.channels if ch.node)) for c in rig.clips)
    return rigs.with_influences(replace(rig, clips=clips), weights=weights)


def test_without_rules_only_exact_fixes_are_made():
    made = repair(several_faults(), "thesis")
    left = run(made.rig, "thesis").findings
    assert "WGT-SUM" in [f.rule for f in left]
    assert [f.rule for f in left if f.fix.kind == "exact" and not f.fix.on_request] == []
    assert {a.finding.rule for a in made.applied} >= {"HIE-PARENT", "ORI-PRIMARY"}
    assert {a.finding.fix.kind for a in made.applied} == {"exact"}


def test_with_rules_only_theirs_are_made_whatever_their_class():
    made = repair(several_faults(), "thesis", rules=["WGT-SUM"])
    assert [a.finding.rule for a in made.applied] == ["WGT-SUM"]
    assert made.applied[0].dry_run.displacement["lbs"] > 0.0
    assert "WGT-SUM" not in [f.rule for f in run(made.rig, "thesis").findings]
    assert "HIE-PARENT" in [f.rule for f in run(made.rig, "thesis").findings]


def test_findings_can_be_chosen_one_by_one():
    made = repair(several_faults(), "thesis", wanted=lambda f: f.rule == "HIE-PARENT")
    assert [a.finding.rule for a in made.applied] == ["HIE-PARENT"]


def lying(repair_, kind="exact"):
    return Finding(0, "moved", "rig", fix=Fix(kind, "Move it", repair_), rule="ORI-PRIMARY")


def nudged(amount):
    return lambda rig: rigs.under(rig, (amount, 0, 0))


def test_a_fix_that_says_exact_and_moves_something_is_turned_down_with_its_measure():
    rig = rigs.tidy()
    with pytest.raises(Refused, match=r"it would move 250 mm, 7\.\d % of the rig"):
        try_fix(rig, lying(nudged(0.25)))


def test_a_fix_that_says_it_changes_the_shape_is_measured_and_made():
    rig = rigs.tidy()
    fixed, measured = try_fix(rig, lying(nudged(0.25), "shape"))
    assert measured.displacement == pytest.approx(
        dict.fromkeys(("lbs", "dqs", "compensated"), 0.25)
    )
    assert fixed.nodes.names[-1] == "Above"


def test_what_is_below_the_limit_of_exactness_is_exact():
    rig = rigs.tidy()
    size = rigs.Deformer(rig).size
    try_fix(rig, lying(nudged(0.9 * EXACT * size)))
    with pytest.raises(Refused):
        try_fix(rig, lying(nudged(1.1 * EXACT * size)))


def test_a_finding_without_fix_is_refused_with_its_reason():
    finding = Finding(0, "loop", "rig", fix=Fix("none", reason="intent unknown"))
    with pytest.raises(Refused, match="intent unknown"):
        try_fix(rigs.tidy(), finding)


@pytest.mark.parametrize(
    ("metres", "words"),
    [
        (0.0, "0.000 mm"),
        (0.0123456, "12.346 mm"),
        (0.25, "250 mm"),
        (9.87, "9 870 mm"),
        (184.155, "184.2 m"),
        (12345.0, "12 345 m"),
    ],
)
def test_lengths_are_told_in_millimetres_and_from_ten_metres_on_in_metres(metres, words):
    assert length_words(metres) == words


def rule_of(find, fix="exact"):
    return Rule("ORI-PRIMARY", "never settled", "nothing", "info", fix, find)


def test_a_fix_that_never_settles_its_finding_is_given_up(monkeypatch):
    made_up = rule_of(lambda _subject: iter([lying(replace)]))
    monkeypatch.setattr(running, "RULES", (made_up,))
    made = repair(rigs.tidy())
    assert len(made.applied) == 3
    assert [d.reason for d in made.declined] == ["the fix does not settle the finding"]


def test_a_fix_that_is_turned_down_does_not_keep_others_from_being_made(monkeypatch):
    def find(subject):
        yield lying(nudged(1.0))
        if not subject.rig.unread:
            fix = Fix("exact", "Note it", lambda rig: replace(rig, unread=(object(),)))
            yield Finding(1, "unnoted", "rig", fix=fix)

    monkeypatch.setattr(running, "RULES", (rule_of(find),))
    made = repair(rigs.tidy())
    assert [a.finding.key for a in made.applied] == [1]
    assert [d.finding.key for d in made.declined] == [0]


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("stop", ["Motion above the root joint", "comparing vertices"])
def test_whoever_hears_the_progress_can_stop_the_work(stop):
    told = []

    def progress(text, share):
        told.append((text, share))
        if text == stop and share > 0.6:
            raise StoppedError

    with pytest.raises(StoppedError):
        repair(several_faults(), "thesis", progress=progress)
    assert told[-1][0] == stop
    assert all(0.0 <= share <= 1.0 for _, share in told)


def long_clip(node, keys=400):
    """Return a rig with a clip of many keys on one node, or on a prop under the head; and that node."""
    rig = rigs.tidy()
    sketch = rigs.make(rigs.Recipe(prop=True)).meshes[-1]
    nodes = rig.nodes
    new = len(nodes)
    rig = replace(
        rig,
        nodes=type(nodes)(
            (*nodes.names, "Prop"),
            (*((*cs, new) if n == HEAD else cs for n, cs in enumerate(nodes.children)), ()),
            np.concatenate([nodes.translations, [[0.5, 0.5, 0.5]]]),
            np.concatenate([nodes.rotations, [quat.IDENTITY]]),
            np.concatenate([nodes.scales, [[1.0, 1, 1]]]),
        ),
        node_meshes=(*rig.node_meshes, 1),
        node_skins=(*rig.node_skins, None),
        meshes=(*rig.meshes, sketch),
    )
    node = new if node == "prop" else node
    rng = np.random.default_rng(0)
    values = quat.normalise(rng.normal(size=(keys, 4)))
    curve = Channel(node, "rotation", Sampler(np.linspace(0, 20, keys), values))
    return replace(rig, clips=(*rig.clips, Clip("Long", (curve,)))), node


def with_one_key_changed(rig, key):
    clip = rig.clips[-1]
    sampler = clip.channels[0].sampler
    values = sampler.values.copy()
    values[key] = quat.multiply(values[key], quat.from_axis_angle((0, 1.0, 0), 0.5))
    channel = replace(clip.channels[0], sampler=replace(sampler, values=values))
    return replace(rig, clips=(*rig.clips[:-1], replace(clip, channels=(channel,))))


@pytest.mark.parametrize("node", [SPINE, HAND, "prop"])
@pytest.mark.parametrize("key", [3, 217, 399])
def test_a_motion_at_one_key_of_hundreds_is_found_where_it_is(node, key):
    rig, node = long_clip(node)
    measured = dry_run(rig, with_one_key_changed(rig, key))
    assert not measured.exact
    assert measured.clip == "Long"
    assert measured.time == pytest.approx(20 * key / 399, abs=0.05)
    assert measured.poses <= COMPARED_TIMES


def test_a_change_of_weights_is_measured_all_over_a_long_clip():
    rig, _ = long_clip(SPINE)
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[8:10, :2] = (0.25, 0.75)
    # Only late in the clip does the arm stand away from where it rests.
    sampler = rig.clips[-1].channels[0].sampler
    still = np.tile(rig.nodes.rotations[HEAD], (len(sampler.times), 1))
    still[300:] = quat.multiply(still[300:], quat.from_axis_angle((1.0, 0, 0), 1.5))
    curve = Channel(HEAD, "rotation", replace(sampler, values=still))
    rig = replace(rig, clips=(Clip("Late", (curve,)),))
    measured = dry_run(rig, rigs.with_influences(rig, weights=weights))
    assert measured.clip == "Late"
    assert measured.time > 14.0
    assert not measured.exact


@pytest.mark.parametrize("tame", [True, False])
def test_a_change_of_weights_is_measured_in_bent_poses_where_no_clip_has_any(tame):
    rig, _ = long_clip(SPINE)
    nod = Sampler(np.array([0.0, 1.0]), np.tile(rig.nodes.rotations[HEAD], (2, 1)))
    clips = (Clip("Still", (Channel(HEAD, "rotation", nod),)),) if tame else ()
    rig = replace(rig, clips=clips)
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    weights[8:10, :2] = (0.25, 0.75)
    changed = rigs.with_influences(rig, weights=weights)
    measured = dry_run(rig, changed)
    assert measured.clip == "Range of motion"
    assert measured.covered == ("1 clip and a range of motion" if tame else "a range of motion")
    assert measured.poses > 1
    motion = range_of_motion(rig, LimitTable.of(resource("joint_limits.json"))).clip
    asked = dry_run(with_clip(rig, motion), with_clip(changed, motion))
    assert measured.displacement == asked.displacement
    assert measured.largest > 0.01 * measured.size


def test_a_rig_compared_with_itself_moves_nothing():
    rig, _ = long_clip(SPINE)
    measured = dry_run(rig, rig)
    assert measured.largest == 0.0
    assert (measured.clip, measured.time) == (None, None)
    assert measured.size == rigs.Deformer(rig).size
    assert measured.covered == "2 clips"


def test_what_moves_at_rest_is_said_to_be_at_rest():
    rig = replace(rigs.tidy(), clips=())
    measured = dry_run(rig, rigs.under(rig, (0, 1, 0)))
    assert (measured.clip, measured.time, measured.poses) == (None, None, 1)
    assert measured.covered == "the rest pose"
    assert measured.largest == pytest.approx(1.0)


def test_rigs_that_show_other_vertices_cannot_be_compared():
    rig = rigs.tidy()
    with pytest.raises(ValueError, match="do not show the same vertices"):
        dry_run(rig, replace(rig, roots=()))


def test_parts_are_compared_by_node_though_they_are_drawn_in_another_order():
    rig = rigs.make(rigs.Recipe(skins=2, seed=3))
    children = [list(c) for c in rig.nodes.children]
    bodies = [rig.nodes.names.index(f"Body {i}") for i in (0, 1)]
    children[0] = [c for c in children[0] if c not in bodies] + bodies[::-1]
    moved = rigs.with_nodes(rig, children=tuple(map(tuple, children)))
    assert moved.parts != rig.parts
    assert dry_run(rig, moved).largest == 0.0


def test_lost_binds_are_not_hidden_by_identities_unless_asked():
    rig = rigs.tidy()
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=None))
    made = repair(rig)
    assert [done.finding.rule for done in made.applied] == []
    assert [f.rule for f in run(made.rig, select=["BND-MISSING"]).findings] == ["BND-MISSING"]
    asked = repair(rig, rules=["BND-MISSING"])
    assert [done.finding.rule for done in asked.applied] == ["BND-MISSING"]
    assert asked.applied[0].dry_run.exact
