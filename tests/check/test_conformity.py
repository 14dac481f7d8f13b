"""A skeleton held to a template: each difference is one finding, and what is mended stays where it was."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import rigs
from hypothesis import HealthCheck, given, settings

from rigview.check.applying.dryrun import dry_run
from rigview.check.catalogue import RULES
from rigview.check.profiles import PROFILES
from rigview.check.rig_edits.joint_list import reorder_joints
from rigview.check.rig_edits.reframe import reframe, rotations
from rigview.check.rig_edits.rename import renamed
from rigview.check.rig_edits.reparent import reparent
from rigview.check.rule import Refused
from rigview.check.run import run
from rigview.check.template_files import shipped
from rigview.core import quat
from rigview.core.deform import Deformer
from rigview.core.motion.body_bones import BONES, bones_of
from rigview.core.placement import scaled
from rigview.core.templates.fitting import Fit
from rigview.core.templates.making import TemplateError, template_of
from rigview.core.templates.template import Budget, Template, TemplateJoint
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
FAMILY = [rule.id for rule in RULES if rule.id.startswith("TPL-")]


@cache
def biped():
    return load(SAMPLES / "biped.glb").rig


@cache
def own():
    return template_of(Deformer(biped()), "hero")


def held_to(template):
    return replace(PROFILES["gltf"], template=template)


def findings(rig, template=None, rule=None):
    asked = FAMILY if rule is None else [rule]
    return run(rig, held_to(template or own()), asked).findings


def rules(rig, template=None):
    return sorted({finding.rule for finding in findings(rig, template)})


def mended(rig, finding):
    fixed = finding.fix.repair(rig)
    assert dry_run(rig, fixed).exact
    return fixed


def without(template, *names):
    """Return a template without some joints; what hung on one hangs on the joint above it."""
    kept = []
    for joint in template.joints:
        above = [joint.parent, *(a.parent for a in template.above(joint))]
        parent = next((name for name in above if name not in names), "")
        kept += [replace(joint, parent=parent)] if joint.name not in names else []
    return replace(template, joints=tuple(kept))


def asking(template, name, **changes):
    joints = (replace(j, **changes) if j.name == name else j for j in template.joints)
    return replace(template, joints=tuple(joints))


def turned(rig, **degrees):
    turns = {
        rig.joint(name): quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(angle))
        for name, angle in degrees.items()
    }
    return reframe(rig, rotations(turns))


def named(rig, **names):
    return renamed(rig, {rig.joint(old): new for old, new in names.items()})


def test_a_rig_conforms_to_its_own_template():
    assert findings(biped()) == ()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rigs.rigs())
def test_any_rig_with_names_conforms_to_its_own_template(rig):
    rig = renamed(rig, {joint: f"joint {joint}" for joint in rig.joints})
    try:
        template = template_of(Deformer(rig), "any")
    except TemplateError:
        assert not rig.joints
        return
    assert {finding.rule for finding in findings(rig, template)} == set()


def test_a_rig_of_another_size_conforms():
    assert findings(scaled(biped(), 37.0)) == ()


def test_without_a_template_its_rules_are_not_asked():
    report = run(biped(), ignore=[rule.id for rule in RULES if rule.id.startswith("DEF-")])
    assert not set(FAMILY) & set(report.asked)
    told = dict(run(biped(), select=["TPL-NAME"]).not_evaluated)
    assert told == {"TPL-NAME": "no template is named"}


def test_a_required_joint_that_is_missing_is_told():
    template = replace(own(), joints=(*own().joints, TemplateJoint("tail", "pelvis")))
    (finding,) = findings(biped(), template)
    assert finding.rule == "TPL-MISSING"
    assert (
        finding.message == f"1 of {len(template.joints)} joints that hero requires is missing: tail"
    )
    assert finding.fix.kind == "none"
    assert findings(biped(), asking(template, "tail", required=False)) == ()


def test_a_joint_under_another_name_is_found_by_its_part_and_renamed():
    rig = named(biped(), lowerarm_l="elbow.L")
    (finding,) = findings(rig)
    assert finding.rule == "TPL-NAME"
    assert finding.message == "1 joint has another name in hero: elbow.L (lowerarm_l)"
    assert "part of the body" in finding.explanation
    assert rigs.same(mended(rig, finding), biped(), 0.0)


def test_a_joint_under_a_name_that_says_nothing_is_found_by_its_place():
    rig = named(biped(), lowerarm_l="zzz")
    (finding,) = findings(rig)
    assert "place" in finding.explanation
    assert rigs.same(mended(rig, finding), biped(), 0.0)


def test_a_namespace_is_another_name():
    rig = renamed(biped(), {j: f"hero:{biped().nodes.names[j]}" for j in biped().joints})
    (finding,) = findings(rig)
    assert finding.rule == "TPL-NAME"
    assert finding.value == len(biped().joints)
    assert rigs.same(mended(rig, finding), biped(), 0.0)


def test_where_names_do_not_count_none_is_told():
    rig = named(biped(), lowerarm_l="elbow.L")
    assert findings(rig, replace(own(), named=False)) == ()


def test_a_name_that_a_mesh_has_is_refused():
    rig = named(biped(), lowerarm_l="elbow.L")
    mesh = next(n for n, mesh in enumerate(rig.node_meshes) if mesh is not None)
    rig = renamed(rig, {mesh: "lowerarm_l"})
    (finding,) = findings(rig)
    assert finding.fix.kind == "none"
    assert finding.fix.reason == ("elbow.L would be lowerarm_l, as another node, lowerarm_l, is")


def test_names_that_two_joints_exchange_are_no_collision():
    a, b = biped().joints[:2]
    names = biped().nodes.names
    swapped = renamed(biped(), {a: names[b], b: names[a]})
    assert (swapped.nodes.names[a], swapped.nodes.names[b]) == (names[b], names[a])
    with pytest.raises(Refused, match="would be"):
        renamed(biped(), {a: "one", b: "one"})


def test_a_joint_below_another_parent_is_hung_back():
    rig = biped()
    hand, chest = rig.joint("hand_l"), rig.joint("pelvis")
    still = replace(rig, clips=())
    moved = reparent(still, hand, chest)
    (finding,) = findings(moved, rule="TPL-PARENT")
    assert finding.message == "hand_l hangs below pelvis; hero has it below lowerarm_l"
    assert findings(mended(moved, finding), rule="TPL-PARENT") == ()


def test_a_joint_that_cannot_be_hung_without_moving_is_refused():
    rig = biped()
    moved = reparent(replace(rig, clips=()), rig.joint("hand_l"), rig.joint("pelvis"))
    (finding,) = findings(replace(moved, clips=rig.clips), rule="TPL-PARENT")
    assert finding.fix.kind == "none"
    assert "is animated" in finding.fix.reason


def test_a_joint_whose_parent_is_missing_hangs_on_the_next_one():
    template = asking(own(), "hand_l", parent="Palm")
    palm = TemplateJoint("Palm", "lowerarm_l", required=False)
    assert findings(biped(), replace(template, joints=(*template.joints, palm))) == ()


def test_axes_that_lie_otherwise_are_turned_back():
    rig = turned(biped(), lowerarm_l=90.0, spine_01=40.0)
    (finding,) = findings(rig)
    assert finding.rule == "TPL-ORIENT"
    assert finding.value == pytest.approx(90.0, abs=0.1)
    assert finding.message.startswith(
        f"axes of 2 joints of {len(biped().joints)} are turned by up to"
    )
    assert [rig.nodes.names[j] for j in finding.joints] == ["lowerarm_l", "spine_01"]
    assert findings(mended(rig, finding)) == ()


def test_axes_within_the_tolerance_are_silent():
    assert findings(turned(biped(), lowerarm_l=4.0)) == ()
    assert findings(turned(biped(), lowerarm_l=90.0), replace(own(), degrees=None)) == ()


def test_arms_that_hang_lower_have_the_same_axes():
    """A pose is no convention of axes: the template's are turned with the bone."""
    rig = biped()
    arm = rig.joint("upperarm_l")
    rotations_ = rig.nodes.rotations.copy()
    rotations_[arm] = quat.multiply(
        rotations_[arm], quat.from_axis_angle([0.0, 0.0, 1.0], np.radians(40.0))
    )
    posed = replace(rig, nodes=replace(rig.nodes, rotations=rotations_), skins=(), clips=())
    posed = replace(posed, node_skins=(None,) * len(rig.nodes), bones=frozenset(rig.joints))
    assert rules(posed, replace(own(), distance=None, ordered=False)) == []
    assert rules(posed, replace(own(), ordered=False)) == ["TPL-PLACE"]


def test_a_joint_away_from_its_place_is_told_in_heights():
    joint = own().by_name["hand_l"]
    x, y, z = joint.place
    (finding,) = findings(
        biped(), asking(own(), "hand_l", place=(x + 0.08, y, z)), rule="TPL-PLACE"
    )
    assert finding.rule == "TPL-PLACE"
    assert finding.value == pytest.approx(8.0, abs=0.2)
    assert (finding.limit, finding.unit) == (5.0, "%")
    loose = asking(own(), "hand_l", place=(x + 0.08, y, z), distance=0.1)
    assert findings(biped(), loose, rule="TPL-PLACE") == ()


def test_joints_that_the_template_lacks_are_told_unless_it_allows_them():
    ends = [
        joint.name
        for joint in own().joints
        if joint.name.startswith("index_0") and joint.name.endswith("_l")
    ]
    fewer = without(own(), *ends[1:])
    (finding,) = findings(biped(), fewer)
    assert finding.rule == "TPL-EXTRA"
    assert finding.value == len(ends) - 1
    assert findings(biped(), replace(fewer, extras=("index_0?_l",))) == ()


def test_another_order_is_mended_where_it_counts():
    rig = biped()
    count = len(rig.skins[0].joints)
    other = reorder_joints(rig, 0, [0, 2, 1, *range(3, count)])
    (finding,) = findings(other)
    assert finding.rule == "TPL-ORDER"
    assert finding.value == 2
    assert mended(other, finding).skins[0].joints == rig.skins[0].joints
    assert findings(other, replace(own(), ordered=False)) == ()
    fbx = replace(other, origin=replace(other.origin, format="FBX 7.5"))
    assert findings(fbx) == ()


@pytest.mark.parametrize("part", ["joints", "influences", "vertices", "morphs"])
def test_a_budget_is_held_to(part):
    now = getattr(Fit.of(Deformer(biped()), own()).template.budget, part)
    tight = replace(own(), budget=Budget(**{part: 0}))
    told = [f for f in findings(biped(), tight) if f.rule == "TPL-BUDGET"]
    if part == "morphs":
        assert now is None
        assert told == []
    else:
        (finding,) = told
        assert finding.message.endswith("; hero allows 0")
        assert findings(biped(), replace(own(), budget=Budget(**{part: int(finding.value)}))) == ()


@pytest.mark.parametrize("template", shipped(), ids=lambda template: template.name)
def test_a_shipped_template_matches_the_bones_of_a_body(template):
    fit = Fit.of(Deformer(biped()), template)
    bones = bones_of(biped())
    names = biped().nodes.names
    told = {
        joint: bone
        for joint, bone in bones.items()
        if bone in template.by_bone and names[joint] not in template.by_name
    }
    assert len(told) > 20 or template.name.startswith("unreal")
    assert {joint: fit.joints[joint].bone for joint in told} == told
    assert template.source
    assert template.date
    assert template.unverified
    assert {joint.bone for joint in template.joints} <= {*BONES, ""}


def test_templates_name_every_bone_once_and_agree_on_what_hangs_where():
    """Where two templates have a bone and the one above it, the one is above the other in both."""
    for first in shipped():
        for second in shipped():
            for bone in first.by_bone.keys() & second.by_bone.keys():
                one = [a.bone for a in first.above(first.by_bone[bone]) if a.bone in second.by_bone]
                two = [
                    a.bone for a in second.above(second.by_bone[bone]) if a.bone in first.by_bone
                ]
                assert one == two


def test_a_template_needs_joints_with_names_of_their_own():
    rig = biped()
    twice = replace(rig, nodes=replace(rig.nodes, names=("same",) * len(rig.nodes)))
    for broken, words in (
        (twice, "several joints are called same; HIE-NAMES"),
        (replace(twice, nodes=replace(rig.nodes, names=("",) * len(rig.nodes))), "without a name"),
        (replace(rig, skins=(), node_skins=(None,) * len(rig.nodes)), "there is no joint"),
    ):
        with pytest.raises(TemplateError, match=words):
            template_of(Deformer(broken), "hero")


def test_a_template_of_one_joint_is_enough():
    template = Template("one", (TemplateJoint("pelvis"),), extras=("*",))
    assert findings(biped(), template) == ()
