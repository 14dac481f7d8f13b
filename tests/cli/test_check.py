"""``rigview check``: findings to the pipe, trouble to people, and a status that a gate can use."""

import json
import shutil
from pathlib import Path

import pytest

from rigview.check.run import run
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
REPORTS = sorted(BROKEN.glob("*.report.json"))
FINDING = {
    "rule", "severity", "message", "object", "joint", "clip", "time", "vertices", "value", "limit",
    "unit", "fix",
}  # fmt: skip


def test_every_broken_sample_has_its_report():
    samples = {path.stem for path in BROKEN.glob("*.gl*")}
    assert samples
    assert {path.name.removesuffix(".report.json") for path in REPORTS} == samples


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name.split(".")[0])
def test_a_broken_sample_gives_exactly_its_report(rigview, path):
    wanted = json.loads(path.read_text(encoding="utf-8"))
    sample = path.with_name(wanted["file"])
    found = rigview("check", sample, "--format", "json").json
    found["file"] = Path(found["file"]).name
    for finding in found["findings"]:
        moved = finding["fix"].pop("max_displacement_m")
        assert (moved is None) == (finding["fix"]["class"] == "none")
        if finding["fix"]["class"] == "exact":
            assert moved < 1e-4
    for finding, one in zip(found["findings"], wanted["findings"], strict=True):
        for number in ("value", "limit"):
            if finding[number] is not None:
                finding[number] = pytest.approx(finding[number], rel=1e-9)
        assert one == finding
    assert {key: found[key] for key in wanted} == wanted


def test_json_has_the_shape_of_the_design(rigview, broken):
    path = broken("WGT-SUM")
    done = rigview("check", path, "--format", "json")
    assert (done.status, done.err) == (1, "")
    report = done.json
    assert {"version", "file", "profile", "findings", "not_evaluated", "summary"} <= set(report)
    assert (report["file"], report["profile"]) == (str(path), "gltf")
    finding = report["findings"][0]
    assert set(finding) >= FINDING
    assert finding["vertices"]["count"] == len(finding["vertices"]["ids"]) == 5
    assert set(finding["fix"]) == {"class", "max_displacement_m"}
    assert report["summary"] == {"error": 1, "warning": 0, "info": 0}


def test_several_files_are_a_list_of_reports(rigview, box, broken):
    done = rigview("check", box, broken("HIE-ORDER"), "--format", "json")
    assert set(done.json) == {"reports"}
    assert [r["file"] for r in done.json["reports"]] == [str(box), str(broken("HIE-ORDER"))]


def test_a_folder_means_every_rig_in_it_in_order_of_name(rigview, box, tmp_path):
    for name in ("b.glb", "a.glb", "deep/c.GLB", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(box, tmp_path / name)
    reports = rigview("check", tmp_path, "--format", "json").json["reports"]
    names = [Path(r["file"]).relative_to(tmp_path).as_posix() for r in reports]
    assert names == ["a.glb", "b.glb", "deep/c.GLB"]


def test_a_folder_without_rigs_is_bad_usage(rigview, tmp_path):
    done = rigview("check", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "holds no" in done.err


def test_text_has_a_line_per_finding_and_a_count(rigview, broken):
    path = broken("WGT-ZERO")
    done = rigview("check", path)
    finding = run(load(path).rig).findings[0]
    lines = done.out.splitlines()
    assert lines[0] == f"{path}  (gltf profile)"
    assert "WGT-ZERO" in lines[1]
    assert finding.message in lines[1]
    assert "1 error, 0 warnings, 0 for information" in lines[2]


@pytest.mark.parametrize(
    ("rule", "limits"),
    [
        ("WGT-ZERO", {"error": 1, "warning": 1, "info": 1, "never": 0}),
        ("HIE-ORDER", {"error": 0, "warning": 1, "info": 1, "never": 0}),
        ("ORI-PRIMARY", {"error": 0, "warning": 0, "info": 1, "never": 0}),
    ],
)
def test_the_status_follows_the_worst_finding(rigview, broken, rule, limits):
    for limit, status in limits.items():
        assert rigview("check", broken(rule), "--fail-on", limit).status == status
    assert rigview("check", broken(rule)).status == limits["error"]


def test_a_profile_raises_severities(rigview, broken):
    assert rigview("check", broken("ORI-PRIMARY"), "--profile", "thesis").status == 1


def test_rules_are_selected_and_ignored_in_any_case(rigview, broken):
    path = broken("WGT-ZERO")
    assert rigview("check", path, "--ignore", "wgt-zero").status == 0
    assert rigview("check", path, "--select", "wgt-sum,WGT-RANGE").status == 0
    assert rigview("check", path, "--select", " wgt-zero ").status == 1


def test_a_bad_file_stops_nothing_and_beats_findings(rigview, broken, no_rig):
    done = rigview("check", no_rig, broken("WGT-ZERO"), "--format", "json")
    assert done.status == 2
    reports = [done.json] if "file" in done.json else done.json["reports"]
    assert [r["file"] for r in reports] == [str(broken("WGT-ZERO"))]
    assert done.err.startswith(f"rigview: {no_rig}: ")
    assert rigview("check", broken("WGT-ZERO"), no_rig).status == 2


def test_a_report_goes_into_the_file_named(rigview, broken, tmp_path):
    out = tmp_path / "report.json"
    piped = rigview("check", broken("WGT-ZERO"), "--format", "json")
    done = rigview("check", broken("WGT-ZERO"), "--format", "json", "-o", out)
    assert (done.status, done.out, done.err) == (1, "", "")
    assert out.read_text(encoding="utf-8") == piped.out
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


def test_a_report_that_cannot_be_written_is_said(rigview, box, tmp_path):
    out = tmp_path / "missing" / "report.json"
    done = rigview("check", box, "-o", out)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"rigview: {out}: no such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--profile", "gtlf"], "gltf"),
        (["--select", "WGT-SOME"], "WGT-SUM"),
        (["--ignore", "X"], "there is no rule X"),
    ],
)
def test_names_that_do_not_exist_are_answered_with_those_that_do(rigview, box, arguments, words):
    done = rigview("check", box, *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err
