"""A run: which rules are asked, which cannot be, one finding a fault, and the reports of it."""

import ast
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs
from tidy import ARMATURE, BODY, HAND, HIPS, weights_with

from rigview.check.applying.dryrun import DryRun
from rigview.check.catalogue import BY_ID, RULES
from rigview.check.report import FORMATS, Outcome, RunSettings, as_dict, state
from rigview.check.rule import MOST_IDS, PROFILES, SEVERITIES
from rigview.check.run import run as run_all
from rigview.core.rig import Rig, Unsupported
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
# The tidy rig is a cloud of triangles: its set-up is sound, but no skinning keeps such a shape.
SHAPE = [rule.id for rule in RULES if rule.id.startswith("DEF-")] + ["MSH-BOUNDS"]


def run(rig, profile="gltf", **chosen):
    return run_all(rig, profile, **chosen | {"ignore": [*chosen.get("ignore", ()), *SHAPE]})


# Rules that need no template.
BARE = [rule for rule in RULES if "template" not in rule.needs]


def found(rig, profile="gltf", **chosen):
    return [f.rule for f in run(rig, profile, **chosen).findings]


def test_there_are_these_profiles():
    assert list(PROFILES) == ["gltf", "dqs", "thesis", "unity", "unreal", "godot", "vrm"]


def test_every_row_says_what_it_measures():
    for rule in RULES:
        assert rule.title
        assert rule.measures
        assert rule.find.__doc__[0].isupper()


def test_the_id_of_a_rule_stands_once_in_the_code():
    ids = {rule.id for rule in RULES}
    stated = [
        node.value.partition(".")[0]
        for path in (SAMPLES.parent / "rigview").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert {id_: n for id_, n in Counter(stated).items() if id_ in ids and n != 1} == {}
    assert ids <= set(stated)


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"needs": "skin clips"}, "needs: skin; there are skins, bones"),
        ({"severity": "warnings"}, "severity: warnings; there are error, warning, info"),
        ({"raised": {"dqs": "bad"}}, "severity: bad"),
        ({"fix": "exat"}, "fix: exat; there are exact"),
    ],
)
def test_a_rule_can_state_only_what_there_is(stated, words):
    with pytest.raises(ValueError, match=words):
        replace(RULES[0], **stated)


@pytest.mark.parametrize(
    "broken", [{"profile": "gtlf"}, {"select": ["WGT-SOME"]}, {"ignore": ["X"]}]
)
def test_a_profile_or_rule_that_does_not_exist_is_an_error(broken):
    with pytest.raises(KeyError):
        run(rigs.tidy(), **broken)


def test_rules_can_be_selected_and_ignored():
    rig = weights_with((3, (0.5, 0.3, 0, 0)), (4, 0.0))
    assert found(rig) == ["WGT-SUM", "WGT-ZERO"]
    assert found(rig, select=["WGT-ZERO"]) == ["WGT-ZERO"]
    assert found(rig, ignore=["WGT-ZERO"]) == ["WGT-SUM"]
    assert found(rig, select=["WGT-ZERO", "WGT-SUM"], ignore=["WGT-SUM"]) == ["WGT-ZERO"]


def test_the_progress_names_every_rule_and_can_stop_the_run():
    told = []
    run_all(rigs.tidy(), progress=lambda text, share: told.append((text, share)))
    assert [text for text, _ in told] == [rule.title for rule in BARE]
    assert [share for _, share in told] == sorted(share for _, share in told)

    def stop(text, share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        run(rigs.tidy(), progress=stop)


def test_findings_are_ranked_by_severity_then_by_the_table():
    rig = weights_with((4, 0.0))
    children = tuple(tuple(c for c in cs if c != BODY) for cs in rig.nodes.children)
    rig = replace(rigs.with_nodes(rig, children=children), roots=(ARMATURE, BODY))
    report = run(rig)
    assert [f.rule for f in report.findings] == ["HIE-PARENT", "WGT-ZERO"]
    assert [f.rule for f in report.ranked()] == ["WGT-ZERO", "HIE-PARENT"]
    assert report.counts() == {"error": 1, "warning": 0, "info": 0}
    assert [f.rule for f in report.notes] == ["HIE-PARENT"]


# Nothing to look at is said, with its reason.


def test_a_rig_without_skin_is_not_called_healthy():
    rig = rigs.make(rigs.Recipe(prop=True))
    bare = replace(rig, skins=(), node_skins=(None,) * len(rig.nodes))
    reasons = dict(run(bare).not_evaluated)
    for rule in BARE:
        wanted = {
            "skins": "there is no skin",
            "bones": "there is no skin, and no joint below another",
            "influences": "there is no skinned mesh",
        }
        missing = [wanted[need] for need in rule.needs.split() if need in wanted]
        if missing and rule.id not in SHAPE:
            assert reasons[rule.id] in missing or "clips" in rule.needs


def test_a_skin_without_skinned_mesh_is_not_called_healthy():
    rig = rigs.make(rigs.Recipe())
    alone = replace(rig, node_meshes=(None,) * len(rig.nodes), node_skins=(None,) * len(rig.nodes))
    reasons = dict(run(alone).not_evaluated)
    for rule in RULES:
        if rule.needs == "influences":
            assert reasons[rule.id] == "there is no skinned mesh"


def test_a_loop_is_named_and_stops_the_rules_that_need_a_tree():
    rig = rigs.tidy()
    children = [list(c) for c in rig.nodes.children]
    children[HAND].append(HIPS)
    looped = rigs.with_nodes(rig, children=tuple(map(tuple, children)))
    report = run(looped)
    assert [f.rule for f in report.findings] == ["HIE-CYCLE"]
    loops = {rule for rule, why in report.not_evaluated if why == "the hierarchy has loops"}
    assert loops == {rule.id for rule in BARE if rule.tree and rule.id not in SHAPE}
    assert {"HIE-PARENT", "ORI-PRIMARY", "SCL-INHERIT"} <= dict(report.not_evaluated).keys()


def test_an_empty_rig_can_be_checked():
    sketch = rigs.Sketch()
    sketch.add("only", -1)
    report = run(Rig(sketch.nodes(), (None,), (None,), (0,)))
    assert report.findings == ()
    asked = [rule for rule in BARE if rule.id not in SHAPE]
    assert len(report.not_evaluated) == sum(bool(rule.needs) for rule in asked)


# One fault, one finding.


def test_a_vertex_without_weights_does_not_also_add_up_wrong():
    assert found(weights_with((4, 0.0))) == ["WGT-ZERO"]


def test_a_vertex_with_impossible_weights_does_not_also_add_up_wrong():
    assert found(weights_with((4, (1.5, -0.2, 0, 0)))) == ["WGT-RANGE"]
    assert found(weights_with((4, (np.nan, 0, 0, 0)))) == ["WGT-RANGE"]
    assert found(weights_with((4, (-1.0, 1.0, 0, 0)))) == ["WGT-RANGE"]


def test_three_faults_on_three_vertices_are_three_findings():
    rig = weights_with((3, 0.0), (5, (0.5, 0.3, 0, 0)), (7, (2.0, 0, 0, 0)))
    report = run(rig)
    vertices = {f.rule: f.vertices.ids for f in report.findings}
    assert vertices == {"WGT-ZERO": (3,), "WGT-SUM": (5,), "WGT-RANGE": (7,)}


def test_a_mirrored_joint_is_not_also_a_scaled_skin():
    rig = rigs.tidy()
    flipped = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, HIPS, (-2, 2, 2)))
    assert found(flipped) == ["SCL-NEG"]


def test_a_joint_bound_at_another_scale_is_not_also_an_inherited_one():
    rig = rigs.tidy()
    larger = rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, ARMATURE, 2.0))
    assert found(larger) == ["SCL-SKIN"]


@pytest.mark.parametrize("off", [0.0, 9e-4, -9e-4])
def test_sums_within_the_limit_are_silent(off):
    assert found(weights_with((3, (0.5 + off, 0.5, 0, 0)))) == []


@pytest.mark.parametrize(
    ("off", "severity"), [(2e-3, "warning"), (9e-3, "warning"), (2e-2, "error")]
)
def test_a_sum_far_off_is_an_error_and_a_near_one_a_warning(off, severity):
    report = run(weights_with((3, (0.5, 0.5 - off, 0, 0))))
    assert [report.severity(f) for f in report.findings] == [severity]


def test_the_worst_vertices_come_first_and_all_are_counted():
    rig = rigs.make(rigs.Recipe(vertices=300, influences=2))
    old = rig.meshes[0].primitives[0].influences
    share = np.linspace(0.5, 0.9, 300)[:, None]
    light = rigs.with_influences(rig, weights=share * old.weights)
    finding = run(light, select=["WGT-SUM"]).findings[0]
    assert finding.vertices.count == 300
    assert finding.vertices.ids == tuple(range(300))
    assert finding.value == pytest.approx(0.5)
    told = next(f for f in as_dict(entry(light))["findings"] if f["rule"] == "WGT-SUM")
    assert told["vertices"] == {"count": 300, "ids": list(range(MOST_IDS))}


# Reports.


def entry(rig, profile="gltf", measured=None):
    return state("hero.glb", run(rig, profile), rig, measured)


def test_a_json_report_has_the_form_of_the_design():
    dry = DryRun(
        {"lbs": 0.1, "dqs": 0.2, "compensated": 0.15}, 3.0, "Wave", 0.5, 64, clips=1, bent=False
    )
    rig = weights_with((3, 0.0), (5, (0.5, 0.3, 0, 0)))
    report = as_dict(entry(rig, "dqs", lambda f: dry if f.rule == "WGT-SUM" else None))
    assert {"status", "file", "profile", "findings", "not_evaluated", "summary"} <= set(report)
    assert (report["file"], report["profile"]) == ("hero.glb", "dqs")
    assert report["summary"] == {"error": 2, "warning": 0, "info": 0}
    keys = {
        "rule", "title", "severity", "message", "object", "joint", "clip", "time", "vertices", "value",
        "limit", "unit", "fix",
    }  # fmt: skip
    for finding in report["findings"]:
        assert keys <= set(finding)
        assert finding["severity"] in SEVERITIES
    zero = next(f for f in report["findings"] if f["rule"] == "WGT-ZERO")
    total = next(f for f in report["findings"] if f["rule"] == "WGT-SUM")
    assert zero["vertices"] == {"count": 1, "ids": [3]}
    assert zero["fix"]["class"] == "exact"
    assert "max_displacement_m" not in zero["fix"]
    assert (total["fix"]["class"], total["fix"]["max_displacement_m"]) == ("shape", 0.2)


def test_all_joints_of_a_finding_are_counted_and_named_the_worst_first():
    rig = rigs.tidy()
    doubled = replace(rig.nodes, scales=np.full((len(rig.nodes), 3), 2.0))
    loose = replace(rig, nodes=doubled)
    finding = next(f for f in run(loose).findings if len(f.joints) > 1)
    (told,) = (f for f in as_dict(entry(loose))["findings"] if f["message"] == finding.message)
    names = [rig.nodes.label(joint) for joint in finding.joints]
    assert told["joints"] == {"count": len(names), "names": names}
    assert told["joint"] == names[0]


def test_a_report_has_one_shape_whatever_the_number_of_files():
    one = entry(rigs.tidy())
    for number in range(3):
        document = json.loads(FORMATS["json"].write(Outcome((one,) * number)))
        assert set(document) == {"version", "tool", "settings", "files", "totals"}
        assert document["files"] == [as_dict(one)] * number
        assert document["totals"]["files"] == number


def test_every_json_report_is_strict_json():
    # A measured value may be NaN inside; JSON knows none.
    rig = weights_with((3, (np.nan, 0.5, 0, 0)), (5, (np.inf, 0.3, 0, 0)))
    text = FORMATS["json"].write(Outcome((entry(rig),)))

    def refuse(constant):
        raise ValueError(constant)

    json.loads(text, parse_constant=refuse)


def test_a_text_report_names_file_profile_findings_counts_and_what_was_not_looked_at():
    rig = weights_with((3, 0.0))
    text = FORMATS["text"].write(Outcome((entry(rig),)))
    assert text.splitlines()[0] == "hero.glb  (gltf profile)"
    assert "WGT-ZERO" in text
    assert "1 error, 0 warnings, 0 for information" in text
    bare = replace(rig, skins=(), node_skins=(None,) * len(rig.nodes))
    assert "not evaluated: HIE-OOB" in FORMATS["text"].write(
        Outcome((entry(bare),), RunSettings(verbose=True))
    )
    assert "not evaluated, -v says why" in FORMATS["text"].write(Outcome((entry(bare),)))


def test_a_finding_has_its_rules_title():
    fact = entry(weights_with((3, 0.0))).findings[0]
    assert fact.title == BY_ID["WGT-ZERO"].title


# What a reader left out.


def without(rig, what):
    return replace(rig, unseen=(Unsupported(what, f"part of the {what} is left out"),))


def sample(rule):
    return load(SAMPLES / "broken" / f"{rule}.glb").rig


@pytest.mark.parametrize(
    ("rule", "what"), [("DEF-STRETCH", "motion"), ("ANI-LOOP", "motion"), ("WGT-SUM", "influences")]
)
def test_to_find_nothing_in_a_part_says_nothing_but_to_find_something_does(rule, what):
    part = without(sample("ANI-QNORM"), what)
    reason = (rule, f"part of the {what} is left out")
    assert run_all(part, select=[rule]).not_evaluated == (reason,)
    assert run_all(sample("ANI-QNORM"), select=[rule]).not_evaluated == ()
    found = run_all(without(sample(rule), what), select=[rule])
    assert [f.rule for f in found.findings] == [rule]
    assert found.not_evaluated == ()


def test_what_the_part_that_is_left_out_could_belie_is_not_said():
    rig = sample("HIE-UNUSED")
    assert run_all(rig, select=["HIE-UNUSED"]).findings
    part = run_all(without(rig, "influences"), select=["HIE-UNUSED"])
    assert part.findings == ()
    assert part.not_evaluated == (("HIE-UNUSED", "part of the influences is left out"),)


def test_rules_that_look_at_something_else_are_evaluated():
    part = without(without(sample("ANI-QNORM"), "motion"), "motion")
    report = run_all(part, select=["ANI-QNORM", "ANI-QFLIP", "ORI-PRIMARY", "WGT-SUM"])
    assert report.not_evaluated == ()
    assert [f.rule for f in report.findings] == ["ANI-QNORM"]
