"""What findings say and advise is so: each on a case where it could be wrong."""

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
import rigs

from rigview.check.measures.facts import measured
from rigview.check.report import FORMATS, Outcome, RunSettings, state
from rigview.check.rule import PROFILES
from rigview.check.rules.posed_skin.fault_words import says
from rigview.check.rules.stray_weights import joint_steps
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"


def found(path, rule, profile="gltf"):
    (finding,) = run(load(SAMPLES / path).rig, profile, select=[rule]).findings
    return finding


def test_linear_keys_of_opposite_sign_are_not_said_to_turn_the_long_way():
    finding = found("broken/ANI-QFLIP.glb", "ANI-QFLIP")
    assert "opposite sign" in finding.message
    assert "long way" not in finding.message


def test_splines_are_said_to_turn_the_long_way():
    rig = load(SAMPLES / "broken" / "ANI-QFLIP.glb").rig
    (clip,) = rig.clips
    channels = []
    for channel in clip.channels:
        values = channel.sampler.values[:, None].repeat(3, axis=1) * [[[0.0], [1.0], [0.0]]]
        sampler = replace(channel.sampler, values=values, interpolation="CUBICSPLINE")
        channels.append(replace(channel, sampler=sampler))
    spline = replace(rig, clips=(replace(clip, channels=tuple(channels)),))
    (finding,) = run(spline, select=["ANI-QFLIP"]).findings
    assert "the long way round" in finding.message


def method_values(message):
    """Return method → the value that a finding's message states of it."""
    head = message.partition(": ")[0]
    return dict(re.findall(r", (\w+) ([−\d.]+)", head))


def test_a_collapse_is_told_under_every_method_with_the_advice_that_the_numbers_support():
    finding = found("candy.glb", "DEF-COLLAPSE")
    assert finding.joint == "hand_l"
    assert "LBS loses 93 % of the width of hand_l" in finding.message
    assert "twisted by 170°" in finding.message
    values = method_values(finding.message)
    assert set(values) == {"DQS", "Compensated"}
    assert all(float(value) < 0.5 * 100.0 * finding.value for value in values.values())
    assert ": use DQS, though stretch is 3.1× then (limit 2.5×)" in finding.message


def test_no_method_is_advised_where_none_helps():
    finding = found("broken/DEF-VOLUME.glb", "DEF-VOLUME")
    assert "use " not in finding.message
    assert finding.fix.reason == "neither DQS nor Compensated makes it half as bad"


@pytest.mark.parametrize(
    ("rule", "method", "cause"),
    [("DEF-BULGE", "dqs", "on a circle"), ("DEF-COLLAPSE", "lbs", "Blended matrices")],
)
def test_what_a_method_does_is_named_as_the_cause_under_that_method_only(rule, method, cause):
    rig = load(SAMPLES / "broken" / f"{rule}.glb").rig
    easy = {"DEF-BULGE": 0.02, "DEF-COLLAPSE.width": 0.02}
    profile = replace(PROFILES["gltf"], limits=easy)
    for other in ("lbs", "dqs"):
        parts = (replace(part, method=other) for part in rig.meshes[0].primitives)
        mesh = replace(rig.meshes[0], primitives=tuple(parts))
        skinned = replace(rig, meshes=(mesh, *rig.meshes[1:]))
        told = run(skinned, profile, select=[rule]).findings
        assert told or other != method
        for finding in told:
            assert (cause in finding.explanation) == (other == method)


def test_a_volume_below_nothing_is_told_as_turned_inside_out():
    """Flesh that is turned inside out has a volume below 0: "by −120 %" would tell nobody so."""
    assert says("volume", -0.2, "leg", "LBS") == (
        "LBS turns the flesh about leg inside out (volume −120 %)"
    )
    assert says("volume", 0.4, "leg", "LBS") == ("LBS changes the volume about leg by −60 %")


def test_bounds_are_not_said_to_be_those_of_gltf_in_another_format():
    rig = load(SAMPLES / "broken" / "MSH-BOUNDS.glb").rig
    usd = replace(rig, origin=replace(rig.origin, format="USD"))
    (finding,) = run(usd, select=["MSH-BOUNDS"]).findings
    assert "glTF" not in finding.fix.reason


def test_the_compensation_is_spoken_of_only_under_profiles_that_use_it():
    for profile, speaks in (("gltf", False), ("dqs", True)):
        finding = found("broken/WGT-NEAREST.glb", "WGT-NEAREST", profile)
        assert ("compensation" in finding.explanation) == speaks


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("rule", ["WGT-TINY", "WGT-SUM"])
def test_a_fix_that_was_not_measured_is_not_said_to_change_the_shape(form, rule):
    """To prune a channel of one value, say, moves nothing that can be seen."""
    rig = load(SAMPLES / "broken" / f"{rule}.glb").rig
    report = state("a", run(rig, select=[rule]), rig)
    told = FORMATS[form].write(Outcome((report,), RunSettings(notes=True)))
    assert ", may change the shape" in told
    assert ", changes the shape" not in told


def test_names_of_joints_keep_their_letters_in_what_a_fix_does():
    rig = load(SAMPLES / "broken" / "WGT-SUM.glb").rig
    report = state("a", run(rig, select=["WGT-SUM"]), rig)
    (fact,) = report.findings
    fix = msgspec.structs.replace(fact.fix, label="Bind LeftArm anew")
    named = msgspec.structs.replace(report, findings=(msgspec.structs.replace(fact, fix=fix),))
    assert "fix on request: bind LeftArm anew" in FORMATS["text"].write(Outcome((named,)))


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        ((0.5, 0.5), "moves these vertices towards the origin"),
        ((1.5, 1.5), "moves these vertices away from the origin"),
        ((0.5, 1.5), "moves these vertices towards or away from the origin"),
    ],
)
def test_weights_that_add_up_to_more_than_one_push_vertices_away_from_the_origin(factors, said):
    rig = rigs.tidy()
    weights = rig.meshes[0].primitives[0].influences.weights.copy()
    joints = rig.meshes[0].primitives[0].influences.joints.copy()
    joints[:2, :2] = (0, 1)
    # No single weight is above 1, which is for WGT-RANGE to say.
    weights[:2] = [(0.5 * factor, 0.5 * factor, 0.0, 0.0) for factor in factors]
    spoilt = rigs.with_influences(rig, joints=joints, weights=weights)
    (finding,) = run(spoilt, select=["WGT-SUM"]).findings
    assert said in finding.explanation


def test_two_negative_scales_are_told_as_the_half_turn_that_they_are():
    rig = load(SAMPLES / "broken" / "SCL-NEG.glb").rig
    (finding,) = run(rig, select=["SCL-NEG"]).findings
    assert "half turn" in finding.explanation
    assert "mirrored joint" not in finding.explanation.lower()
    tip = finding.joints[0]
    scales = rigs.with_row(rig.nodes.scales, tip, (-1.0, 1.0, 1.0))
    (finding,) = run(rigs.with_nodes(rig, scales=scales), select=["SCL-NEG"]).findings
    assert finding.explanation.startswith("A mirrored joint")


def test_a_node_between_joints_that_only_a_clip_moves_is_not_said_to_have_a_transform():
    rig = load(SAMPLES / "broken" / "HIE-GAP.glb").rig
    (finding,) = run(rig, select=["HIE-GAP"]).findings
    assert finding.message.endswith("stands between joints and has a transform")
    node = finding.joints[0]
    still = rigs.with_row(rig.nodes.translations, node, (0.0, 0.0, 0.0))
    keys = Sampler(np.array([0.0, 1.0]), np.array([(0.0, 0.0, 0.0), (0.0, 0.1, 0.0)]))
    moving = Clip("Slide", (Channel(node, "translation", keys),))
    slid = replace(rigs.with_nodes(rig, translations=still), clips=(moving,))
    (finding,) = run(slid, select=["HIE-GAP"]).findings
    assert finding.message.endswith("stands between joints and moves in a clip")


@pytest.mark.parametrize(
    ("axis", "degrees", "is_upright"),
    [
        ((1.0, 0.0, 0.0), 90.0, True),
        ((0.0, 1.0, 0.0), 180.0, False),
        ((1.0, 0.0, 0.0), 40.0, False),
    ],
)
def test_only_the_turn_between_z_and_y_up_is_told_as_one(axis, degrees, is_upright):
    rig = rigs.tidy()
    above = rig.nodes.parents[rig.skins[0].joints[0]]
    turn = quat.from_axis_angle(axis, np.radians(degrees))
    turned = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, above, turn))
    (finding,) = run(turned, select=["HIE-GAP"]).findings
    assert ("between Z up and Y up" in finding.explanation) is is_upright
    assert "face" not in finding.explanation


def test_stray_weights_are_told_by_the_joint_that_they_belong_to():
    finding = found("broken/WGT-STRAY.glb", "WGT-STRAY")
    assert (
        f"vertices follow {finding.joint} and 1 more joint (weight up to 0.30)" in finding.message
    )
    assert finding.message.endswith("far from the joint that moves them most")


def test_weights_on_an_island_are_not_said_to_lie_far_from_the_joint():
    """Two steps apart in the skeleton is near; what is wrong is that the patch lies by itself."""
    rig = rigs.tidy()
    influences = rig.meshes[0].primitives[0].influences
    names = [rig.nodes.label(joint) for joint in rig.skins[0].joints]
    steps = joint_steps(measured(rig), 0)
    heaviest = influences.joints[np.arange(len(influences.joints)), influences.weights.argmax(1)]
    pairs = [(v, j) for v, main in enumerate(heaviest) for j in np.flatnonzero(steps[main] == 2)]
    told = []
    for vertex, joint in pairs:
        joints, weights = influences.joints.copy(), influences.weights.copy()
        joints[vertex], weights[vertex] = 0, 0.0
        joints[vertex, :2], weights[vertex, :2] = (heaviest[vertex], joint), (0.6, 0.4)
        spoilt = rigs.with_influences(rig, joints=joints, weights=weights)
        findings = run(spoilt, select=["WGT-STRAY"]).findings
        told += [(f.message, names[joint]) for f in findings]
    assert told
    for message, name in told:
        assert message == (
            f"1 vertex follows {name} (weight up to 0.40), apart from the other vertices of the joint"
        )


@pytest.mark.parametrize("metres", [0.0, 1e-8, 0.01])
def test_a_page_does_not_say_that_what_moves_nothing_changes_the_shape(metres):
    rig = load(SAMPLES / "broken" / "WGT-TINY.glb").rig
    report = state("a", run(rig, select=["WGT-TINY"]), rig)
    swap = msgspec.structs.replace
    facts = tuple(
        swap(fact, fix=swap(fact.fix, max_displacement_m=metres)) for fact in report.findings
    )
    page = FORMATS["html"].write(Outcome((swap(report, findings=facts),)))
    assert ("it changes the shape" in page) == (metres > 1e-3)
    assert ("at most 0.000 mm" in page) == (metres < 1e-3)
