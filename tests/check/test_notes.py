"""Notes: information that asks for no action is folded, never fails, and stays in JSON."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
import rigs

from rigview.check import config
from rigview.check.applying.dryrun import dry_run
from rigview.check.report import FORMATS, Outcome, RunSettings, state
from rigview.check.rig_edits.reframe import with_node
from rigview.check.rig_edits.reparent import hang
from rigview.check.rule import PROFILES, Subject
from rigview.check.rules.posed_skin.joint_faults import LIMITS, joint_faults
from rigview.check.run import run
from rigview.core import quat
from rigview.core.mesh import Influences
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
LEFT_OUT, FOLDED = ("sarif", "junit"), ("text", "markdown")


def noted(rule="WGT-TINY", profile="gltf"):
    """Return the report of a broken sample whose finding is a note, and its rig."""
    rig = load(BROKEN / f"{rule}.glb").rig
    return run(rig, profile), rig


def outcome(*, notes=False, **more):
    report, rig = noted()
    told = msgspec.structs.replace(state("a.glb", report, rig), **more)
    return Outcome((told,), RunSettings(notes=notes))


def findings(rig, rule, profile="gltf"):
    report = run(rig, profile, select=[rule])
    return [(report.severity(f), report.is_note(f)) for f in report.findings]


@pytest.mark.parametrize("form", LEFT_OUT)
def test_servers_hear_of_notes_only_when_asked(form):
    message = noted()[0].findings[0].message.split(" have ")[0]
    assert message not in FORMATS[form].write(outcome())
    assert message in FORMATS[form].write(outcome(notes=True))


@pytest.mark.parametrize("form", FOLDED)
def test_notes_are_one_line_until_they_are_asked_for(form):
    folded, told = (FORMATS[form].write(outcome(notes=notes)) for notes in (False, True))
    assert "1 note: WGT-TINY 1" in folded.replace("\\", "")
    assert "weights below 1/255" not in folded
    assert "weights below 1/255" in told


def test_a_page_folds_notes_into_an_element_that_opens():
    page = FORMATS["html"].write(outcome())
    _, _, details = page.partition("<details>")
    inside, _, after = details.partition("</details>")
    assert "<summary>1 note: WGT-TINY 1</summary>" in inside
    assert "weights below 1/255" in inside
    assert "weights below 1/255" not in after
    assert "<details open>" in FORMATS["html"].write(outcome(notes=True))


def test_json_holds_notes_under_the_severities_that_it_always_had():
    report = json.loads(FORMATS["json"].write(outcome()))
    (report,) = report["files"]
    (finding,) = report["findings"]
    assert (finding["severity"], finding["note"]) == ("info", True)
    assert report["summary"]["info"] == report["summary"]["notes"] == 1


@pytest.mark.parametrize("notes", [False, True])
def test_notes_never_fail(notes):
    (report,) = outcome(notes=notes, fail_on="info").reports
    assert report.findings
    assert not report.failed


def test_what_a_profile_raises_is_no_note():
    for rule in ("HIE-PARENT", "WGT-SORT", "SCL-SKIN", "SCL-INHERIT"):
        for profile, is_note in (("gltf", True), ("thesis", False)):
            report, _ = noted(rule, profile)
            assert [report.is_note(f) for f in report.findings] == [is_note], rule


def test_a_severity_that_a_studio_states_makes_findings_count():
    stated = replace(PROFILES["gltf"], severities={"WGT-TINY": "info"})
    report, _ = noted(profile=stated)
    assert report.notes == ()
    assert report.counts()["info"] == 1


@pytest.mark.parametrize("rule", ["WGT-TINY", "WGT-ZERO", "HIE-LIMIT"])
def test_a_studio_makes_a_note_of_any_rule_and_back(rule, tmp_path):
    """Stated as a note, a rule never fails and is folded; stated as information, it counts."""
    rig, path = load(BROKEN / f"{rule}.glb").rig, tmp_path / "rigview.toml"
    for stated, is_note in (("note", True), ("info", False)):
        path.write_text(f'[severity]\n{rule} = "{stated}"')
        report = run(rig, config.read(path).applied(PROFILES["gltf"]), select=[rule])
        (finding,) = report.findings
        assert (report.severity(finding), report.is_note(finding)) == ("info", is_note)
        (told,) = Outcome(
            (msgspec.structs.replace(state("a", report, rig), fail_on="info"),)
        ).reports
        assert told.failed is not is_note


@pytest.mark.parametrize(("degrees", "is_note"), [(90.0, True), (180.0, True), (40.0, False)])
def test_an_armature_turned_by_quarter_turns_is_a_note(degrees, is_note):
    rig = rigs.tidy()
    above = rig.nodes.parents[rig.skins[0].joints[0]]
    turn = quat.from_axis_angle((1.0, 0.0, 0.0), degrees * 3.141592653589793 / 180.0)
    turned = rigs.with_nodes(rig, rotations=rigs.with_row(rig.nodes.rotations, above, turn))
    assert findings(turned, "HIE-GAP") == [("info", is_note)]


def test_what_only_the_compensation_minds_is_a_note_elsewhere():
    rig = load(BROKEN / "WGT-NEAREST.glb").rig
    assert findings(rig, "WGT-NEAREST") == [("info", True)]
    assert findings(rig, "WGT-NEAREST", "dqs") == [("info", False)]


def test_another_weighting_of_the_two_sides_is_a_note_in_clothes_alone():
    """The largest mesh of a character is its body, whatever else is uneven."""
    rig = load(BROKEN / "WGT-SYM.glb").rig
    assert findings(rig, "WGT-SYM") == [("info", False)]
    (part,) = rig.parts
    whole = rig.primitive(part)
    body = replace(rig.meshes[part.mesh], primitives=(whole, whole), name="Larger")
    both = replace(rig, meshes=(*rig.meshes, body))
    nodes = replace(
        both.nodes,
        names=(*both.nodes.names, "Larger"),
        children=(*both.nodes.children, ()),
        translations=[*both.nodes.translations, (0.0, 0.0, 0.0)],
        rotations=[*both.nodes.rotations, (0.0, 0.0, 0.0, 1.0)],
        scales=[*both.nodes.scales, (1.0, 1.0, 1.0)],
    )
    both = replace(
        both,
        nodes=nodes,
        roots=(*both.roots, len(nodes.names) - 1),
        node_meshes=(*both.node_meshes, len(both.meshes) - 1),
        node_skins=(*both.node_skins, part.skin),
    )
    assert sorted(findings(both, "WGT-SYM")) == [("info", False), ("info", True)]


def in_pieces(*weights):
    """Return a rig whose body is in pieces, of which some vertices have these weights."""
    rig = rigs.tidy()
    whole = rig.meshes[0].primitives[0]
    pieces = []
    for number, row in enumerate(weights):
        changed = whole.influences.weights.copy()
        changed[: number + 1] = row
        pieces.append(replace(whole, influences=Influences(whole.influences.joints, changed)))
    return replace(rig, meshes=(replace(rig.meshes[0], primitives=tuple(pieces)),))


def test_one_finding_tells_of_all_primitives_and_its_fix_mends_all():
    rig = in_pieces(*[(0.997, 0.003, 0.0, 0.0)] * 3)
    (finding,) = run(rig, select=["WGT-TINY"]).findings
    assert finding.message.endswith("(also in 2 more primitives)")
    assert [place.vertices.count for place in finding.places] == [1, 2, 3]
    assert len({vertices.part for vertices in finding.all_vertices}) == 3
    assert finding.fix.label.endswith("in 3 primitives")
    assert run(finding.fix.repair(rig), select=["WGT-TINY"]).findings == ()


def test_an_error_is_not_gathered_with_a_warning():
    rig = in_pieces((0.5, 0.498, 0.0, 0.0), (0.5, 0.3, 0.0, 0.0), (0.5, 0.2, 0.0, 0.0))
    report = run(rig, select=["WGT-SUM"])
    told = {report.severity(f): f for f in report.findings}
    assert set(told) == {"warning", "error"}
    assert told["warning"].places == ()
    assert [round(place.value, 3) for place in told["error"].places] == [0.2, 0.3]
    # The worst is described.
    assert told["error"].value == pytest.approx(0.3)


def test_json_lists_every_place_of_a_gathered_finding():
    rig = in_pieces(*[(0.997, 0.003, 0.0, 0.0)] * 2)
    report = state("a", run(rig, select=["WGT-TINY"]), rig)
    (finding,) = json.loads(FORMATS["json"].write(Outcome((report,))))["files"][0]["findings"]
    assert [place["vertices"]["count"] for place in finding["places"]] == [1, 2]
    assert finding["object"] in {place["object"] for place in finding["places"]}


def test_gaps_of_one_kind_are_one_line_whose_fix_mends_all():
    """A node between each joint and its parent is one fault of an exporter, not one for each."""
    rig = rigs.tidy()
    way = np.eye(4)
    way[:3, 3] = (0.0, 0.05, 0.0)
    for joint in rig.joints[1:3]:
        parent = rig.nodes.parents[joint]
        rig, new = with_node(rig, f"offset_{joint}", parent, way)
        rig = hang(rig, joint, new)
    (finding,) = run(rig, select=["HIE-GAP"]).findings
    assert finding.message.endswith(
        "stands between joints and has a transform (also in 1 more node)"
    )
    assert finding.fix.label.endswith(" and mend 1 more node")
    assert finding.fix.kind == "exact"
    assert set(finding.objects) == {f"offset_{joint}" for joint in rig.joints[1:3]}
    fixed = finding.fix.repair(rig)
    assert run(fixed, select=["HIE-GAP"]).findings == ()
    assert dry_run(rig, fixed).largest < 1e-9


def test_joints_bound_far_from_their_vertices_are_one_line_for_all_skins():
    rig = load(BROKEN / "BND-FAR.glb").rig
    (one,) = run(rig, select=["BND-FAR"]).findings
    both = rigs.beside(rig, rig)
    (finding,) = run(both, select=["BND-FAR"]).findings
    assert finding.message == f"{one.message} (also in 1 more skin)"
    assert len(finding.joints) == 2 * len(one.joints)


@pytest.mark.parametrize(("name", "is_note"), [("Walk", False), ("Kick", True)])
def test_a_clip_that_is_no_loop_by_its_name_is_a_note_where_it_does_not_close(name, is_note):
    """A kick ends near its first pose, too; whether it repeats is not in the file."""
    rig = load(BROKEN / "ANI-LOOP.glb").rig
    named = replace(rig, clips=tuple(replace(clip, name=name) for clip in rig.clips))
    assert findings(named, "ANI-LOOP") == [("info", is_note)]


def test_a_loop_is_told_beside_notes_about_other_clips():
    rig = load(BROKEN / "ANI-LOOP.glb").rig
    kick = tuple(replace(clip, name="Kick") for clip in rig.clips)
    told = findings(replace(rig, clips=(*kick, *rig.clips)), "ANI-LOOP")
    assert sorted(told) == [("info", False), ("info", True)]


def test_nearest_bones_are_left_out_of_every_skin_whose_joints_are_bound_far():
    """One line for two skins names the faults of both."""
    rig = load(BROKEN / "BND-FAR.glb").rig
    both = rigs.beside(rig, rig)
    assert [f.rule for f in run(both, "dqs", select=["BND-FAR", "WGT-NEAREST"]).findings] == [
        "BND-FAR"
    ]
    without = [rule for rule, _ in run(both, "dqs", select=["WGT-NEAREST"]).not_evaluated]
    assert without == ["WGT-NEAREST"]


def test_joints_that_nothing_helps_share_a_line_and_none_is_lost():
    rig = load(BROKEN.parent / "biped.glb").rig
    limits = {"DEF-STRETCH.edges": 1.4, "DEF-BULGE": 0.1}
    subject = Subject.of(rig, replace(PROFILES["gltf"], limits=limits))
    faults = {"DEF-STRETCH": [], "DEF-BULGE": []}
    for fault in subject.kept(joint_faults):
        rule = LIMITS[fault.worst.measure].rule
        faults.setdefault(rule, []).append(fault.worst.joint)
    for rule, joints in faults.items():
        found = run(rig, subject.profile, select=[rule]).findings
        named = [joint for finding in found for joint in finding.joints]
        assert sorted(named) == sorted(joints)
        assert sum(not f.method and f.fix.repair is None for f in found) <= 1
    (stretched,) = run(rig, subject.profile, select=["DEF-STRETCH"]).findings
    more = len(stretched.joints) - 2
    assert more >= 3
    assert f" alike (6.1×); {more} more joints: " in stretched.message
