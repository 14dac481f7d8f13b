"""Edits of weights beside findings: what they promise is what the checks measure afterwards."""

import numpy as np
import pytest

from rigview.check.applying.curing import cure_of, try_cure
from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.measures.change_words import brief_words, change_words
from rigview.core.weights.editable_rig import EditableRig
from rigview.core.weights.problem import NotMade
from rigview.io import load


def finding_of(rig, rule):
    return next(f for f in run(rig, select=[rule]).findings if f.rule == rule)


def tried(rig, rule, locked=()):
    return try_cure(rig, finding_of(rig, rule), {}, locked, lambda _words, _share: None)


def said(rig, cure):
    return change_words(cure.change, rig.nodes.label, cure.focus)


@pytest.mark.parametrize("rule", ["DEF-STRETCH", "DEF-FLIP", "WGT-STRAY", "WGT-ZERO", "WGT-SYM"])
def test_an_advised_cure_silences_the_finding(samples, rule):
    rig = load(samples / "broken" / f"{rule}.glb").rig
    cure = tried(rig, rule)
    assert cure.verdict == "better"
    assert run(cure.after.rig, select=[rule]).findings == ()


@pytest.mark.parametrize("rule", ["DEF-STRETCH", "DEF-BULGE", "DEF-COLLAPSE"])
def test_the_values_told_are_those_that_the_checks_find(samples, rule):
    rig = load(samples / "broken" / f"{rule}.glb").rig
    finding, cure = finding_of(rig, rule), tried(rig, rule)
    assert cure.focus.before.value == pytest.approx(finding.value, rel=1e-6)
    after = [f for f in run(cure.after.rig, select=[rule]).findings if f.clip == finding.clip]
    worst = max((f.value for f in after), default=0.0)
    assert cure.focus.after.value >= worst - 1e-6 or worst == 0.0


def test_smoothing_a_twisted_wrist_is_not_advised_and_says_why(samples):
    rig = load(samples / "candy.glb").rig
    cure = tried(rig, "DEF-COLLAPSE")
    assert cure.verdict == "worse"
    assert "collapse 93 %, as before" in said(rig, cure)
    assert "Worse: hand_l local volume" in said(rig, cure)
    assert "but hand_l local volume" in brief_words(cure.change, rig.nodes.label, cure.focus)


def ragged(rig, side):
    """Return a character whose two sides are alike but for one knee, whose weights are ragged."""
    of = tried(rig, "WGT-SYM").after.characters[0]
    leg = [of.column_of[rig.nodes.names.index(f"{part}Leg.{side}")] for part in ("Upper", "Lower")]
    rows = of.rows(np.arange(of.count))
    knee = np.flatnonzero((rows[:, leg] > 0.02).all(axis=1))
    total = rows[knee][:, leg].sum(axis=1)
    share = np.random.default_rng(0).random(len(knee))
    rows[np.ix_(knee, leg)] = (total * [share, 1.0 - share]).T
    return of.with_rows(knee, rows[knee])


@pytest.mark.parametrize(("side", "way"), [("L", "right to left"), ("R", "left to right")])
def test_weights_are_mirrored_from_the_side_that_deforms_better(samples, side, way):
    rig = ragged(load(samples / "broken" / "WGT-SYM.glb").rig, side)
    cure = tried(rig, "WGT-SYM")
    assert cure.name.startswith(f"Mirror {way} on ")
    assert cure.verdict == "better"


def test_a_cure_keeps_the_weights_of_locked_joints(samples):
    rig = load(samples / "broken" / "WGT-STRAY.glb").rig
    free = tried(rig, "WGT-STRAY").after.characters[0]
    before = EditableRig.of(Deformer(rig)).characters[0]
    every = np.arange(before.count)
    moved = np.abs(free.rows(every) - before.rows(every)).max(axis=0)
    column = int(moved.argmax())
    locked = frozenset({before.nodes[column]})
    kept = tried(rig, "WGT-STRAY", locked).after.characters[0]
    np.testing.assert_array_equal(kept.column(column), before.column(column))
    with pytest.raises(NotMade):
        tried(rig, "WGT-STRAY", frozenset(rig.joints))


def test_what_is_not_measured_in_every_pose_is_not_offered(samples):
    rig = load(samples / "broken" / "DEF-INTERSECT.glb").rig
    assert cure_of(finding_of(rig, "DEF-INTERSECT")) is None


def test_a_cure_that_changes_no_measured_shape_says_how_far_it_moves(samples):
    rig = load(samples / "biped.glb").rig
    of = EditableRig.of(Deformer(rig)).characters[0]
    # Three vertices of one foot follow the calf a little: nothing stretches for it.
    calf, foot = (of.column_of[rig.nodes.names.index(f"{name}_l")] for name in ("calf", "foot"))
    some = np.flatnonzero(of.column(foot) == 1.0)[:3]
    rows = of.rows(some)
    rows[:, foot], rows[:, calf] = 0.93, 0.07
    uneven = of.with_rows(some, rows)
    cure = tried(uneven, "WGT-SYM")
    assert cure.verdict == "same"
    assert "vertices move by up to" in said(uneven, cure)
    brief = brief_words(cure.change, uneven.nodes.label, cure.focus)
    assert brief.startswith("no shape changes, moves ≤ ")
