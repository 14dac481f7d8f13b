"""Several reports of one run, lines as results come, runs that go on, and reports made of reports."""

import json
import shutil
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from rigview.app import batch
from rigview.assets import resource

FEW = ("--select", "WGT-ZERO,WGT-SUM,HIE-ORDER")


@pytest.fixture
def folder(tmp_path, broken):
    """Three rigs: an error, a warning, and one that cannot be read."""
    rigs = tmp_path / "rigs"
    rigs.mkdir()
    for rule in ("WGT-ZERO", "HIE-ORDER"):
        shutil.copy(broken(rule), rigs)
    (rigs / "no_rig.glb").write_bytes(b"no rig")
    return rigs


def records(path):
    """Return the records of JSON lines, each held to the schema."""
    first, *others = map(json.loads, path.read_text().splitlines())
    totals = dict.fromkeys(("files", "failed", "unchecked", "error", "warning", "info"), 0)
    document = {**first, "files": others, "totals": totals}
    jsonschema.validate(document, resource("report-2.schema.json"))
    return others


def test_forms_and_files_are_pairs_in_their_order(rigview, folder, tmp_path):
    sarif, junit = tmp_path / "a.sarif", tmp_path / "b.xml"
    pairs = ("--format", "sarif", "-o", sarif, "--format", "junit", "-o", junit)
    done = rigview("check", *FEW, folder, *pairs, "--format", "markdown")
    assert (done.status, done.out.splitlines()[0]) == (2, "# Rig check")
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {"WGT-ZERO", "HIE-ORDER"}
    assert len(ET.fromstring(junit.read_text())) == 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--format", "json", "--format", "sarif"), "make no pairs"),
        (("-o", "a", "-o", "b"), "make no pairs"),
        (("--format", "json", "-o", "a", "--format", "text", "-o", "a"), "two reports would go"),
        (("--format", "jsonl", "--seams"), "--seams compares all files"),
        (("--resume", "a", "--format", "json", "-o", "a"), "--resume keeps the results there"),
    ],
)
def test_pairs_that_make_no_sense_are_refused(rigview, folder, given, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = rigview("check", *FEW, folder, *given)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_lines_are_written_as_results_come(rigview, folder, tmp_path, monkeypatch):
    lines = tmp_path / "run.jsonl"
    seen = []
    check = batch.check_file

    def checked(task, watcher=None):
        seen.append(len(records(lines)))
        return check(task, watcher)

    monkeypatch.setattr(batch, "check_file", checked)
    rigview("check", *FEW, folder, "--format", "jsonl", "-o", lines)
    assert seen == [0, 1, 2]
    assert [record["status"] for record in records(lines)] == ["checked", "checked", "unchecked"]


def test_an_interrupted_run_goes_on_where_it_was(rigview, folder, tmp_path, monkeypatch):
    kept = tmp_path / "run.jsonl"
    whole = rigview("check", *FEW, folder, "--format", "junit", "--resume", kept)
    content = kept.read_bytes()
    asked = []
    check = batch.check_file
    monkeypatch.setattr(
        batch, "check_file", lambda task, w=None: (asked.append(task.path.name), check(task, w))[1]
    )

    def again(*more):
        asked.clear()
        done = rigview("check", *FEW, folder, "--format", "junit", "--resume", kept, *more)
        return done, asked

    # The line of the second file was being written.
    lines = content.splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:2]) + lines[2][:50])
    done, checked = again()
    assert checked == ["WGT-ZERO.glb", "no_rig.glb"]
    assert [case.attrib for case in ET.fromstring(done.out)[0][1:]] == [
        case.attrib for case in ET.fromstring(whole.out)[0][1:]
    ]
    assert len(records(kept)) == 3
    # What could not be read is tried again, and so is what has changed or is held to something else.
    assert again()[1] == ["no_rig.glb"]
    shutil.copy(folder / "HIE-ORDER.glb", folder / "WGT-ZERO.glb")
    assert again()[1] == ["WGT-ZERO.glb", "no_rig.glb"]
    assert len(again("--profile", "thesis")[1]) == 3


def test_what_a_baseline_lists_is_taken_out_of_lines_and_of_runs_that_go_on(
    rigview, folder, tmp_path
):
    (folder / "no_rig.glb").unlink()
    known, kept, lines = (tmp_path / name for name in ("known.json", "run.jsonl", "out.jsonl"))
    rigview("check", *FEW, folder, "--baseline", known, "--write-baseline")
    given = ("check", *FEW, folder, "--resume", kept, "--format", "jsonl", "-o", lines)
    assert rigview(*given, "--baseline", known).status == 0
    assert [record["findings"] for record in records(lines)] == [[], []]
    assert rigview(*given).status == 1
    assert all(len(record["findings"]) == 1 for record in records(lines))


def test_parts_of_a_farm_make_the_report_of_the_whole(rigview, folder, tmp_path):
    whole = rigview("check", *FEW, folder, "--format", "json").json
    parts = []
    for number, form in ((1, "json"), (2, "jsonl")):
        parts.append(tmp_path / f"part{number}.{form}")
        shard = ("--shard", f"{number}/2", "--format", form, "-o", parts[-1])
        rigview("check", *FEW, folder, *shard)
    merged = rigview("report", *parts, "--format", "json")
    assert merged.status == 2
    assert merged.json["settings"] == whole["settings"]
    assert merged.json["totals"] == whole["totals"]

    def timeless(document):
        return sorted(
            ({k: v for k, v in file.items() if k != "seconds"} for file in document["files"]),
            key=lambda file: file["file"],
        )

    assert timeless(merged.json) == timeless(whole)


def test_a_report_is_filtered_by_rule_severity_and_status(rigview, folder, tmp_path):
    source = tmp_path / "all.json"
    rigview("check", *FEW, folder, "--format", "json", "-o", source)

    def told(*given):
        done = rigview("report", source, "--format", "json", *given)
        found = {f["rule"] for file in done.json["files"] for f in file.get("findings", ())}
        return done.status, len(done.json["files"]), found

    assert told() == (2, 3, {"WGT-ZERO", "HIE-ORDER"})
    assert told("--only", "failed") == (1, 1, {"WGT-ZERO"})
    assert told("--only", "passed") == (0, 1, {"HIE-ORDER"})
    assert told("--only", "passed", "--severity", "error") == (0, 1, set())
    assert told("--only", "unchecked") == (2, 1, set())
    assert told("--select", "hie-order") == (2, 3, {"HIE-ORDER"})


def test_every_form_can_be_made_of_a_report(rigview, folder, tmp_path):
    source = tmp_path / "all.json"
    rigview("check", folder, "--format", "json", "-o", source)
    for form in ("text", "sarif", "junit", "markdown", "html", "github", "gitlab", "jsonl"):
        assert "WGT-ZERO" in rigview("report", source, "--format", form).out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff", "it is no UTF-8"),
        (b"", "no report of rigview in JSON"),
        (b"{}", "no report of rigview in JSON"),
        (b'{"version": 1, "files": []}', "no report of rigview in JSON"),
        (b'{"version": 2, "files": [{}]}', "files[0]"),
        (b'{"version": 2, "files": 5}', "no report of rigview in JSON"),
        (b'{"version": 2}\n{"status": "checked"}\n', "line 2"),
        (b'{"version": 2}\n{"status"\n{}\n', "line 2: this is no JSON"),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(rigview, tmp_path, content, words):
    path = tmp_path / "in.json"
    path.write_bytes(content)
    done = rigview("report", path)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"rigview: {path}: ")
    assert words in done.err


def test_excluded_files_are_not_checked_and_counted(rigview, folder):
    given = ("check", *FEW, folder, "--format", "json")
    done = rigview(*given, "--exclude", "*/no_*", "--exclude", f"{folder}/nothing")
    assert len(done.json["files"]) == 3  # patterns of the command line are relative to here
    (folder / "rigview.toml").write_text('exclude = ["no_*"]')
    done = rigview(*given)
    assert (done.status, len(done.json["files"])) == (1, 2)
    assert done.err == "rigview: 1 of 3 files are excluded\n"


def test_patterns_of_the_command_line_are_relative_to_here(rigview, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    done = rigview("check", *FEW, "rigs", "--exclude", "rigs/no_*", "--format", "json")
    assert [file["status"] for file in done.json["files"]] == ["checked", "checked"]


def test_files_that_may_be_unreadable_are_told_and_do_not_fail(rigview, folder):
    (folder / "WGT-ZERO.glb").unlink()
    given = ("check", *FEW, folder, "--format")
    assert rigview(*given, "json").status == 2
    (folder / "rigview.toml").write_text('allow-unreadable = ["no_*"]')
    done = rigview(*given, "json")
    assert (done.status, done.json["files"][1]["allowed"]) == (0, True)
    assert str(folder / "no_rig.glb") in done.err
    suite = ET.fromstring(rigview(*given, "junit").out)[1]
    assert (suite.get("errors"), suite.get("skipped")) == ("0", "1")
    invocation = json.loads(rigview(*given, "sarif").out)["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is True


def test_a_family_of_rules_is_selected(rigview, broken):
    given = ("check", broken("WGT-ZERO"), "--format", "json")
    asked = rigview(*given, "--select", "wgt-*").json["files"][0]["asked"]
    assert len(asked) > 3
    assert all(rule.startswith("WGT-") for rule in asked)
    assert rigview(*given, "--select", "XYZ-*").status == 2


def test_rules_in_sarif_lead_to_a_page_of_the_studio(rigview, broken, tmp_path):
    page, stated = "https://docs.studio/rules.html", tmp_path / "a.json"
    done = rigview(
        "check", broken("WGT-SUM"), "--rules-url", page, "--format", "json", "-o", stated
    )
    assert done.status == 1
    run = json.loads(rigview("report", stated, "--format", "sarif").out)["runs"][0]
    assert all(r["helpUri"].startswith(f"{page}#") for r in run["tool"]["driver"]["rules"])
    for wrong in ("docs/rules.html", "javascript:alert(1)", f"{page}#top"):
        done = rigview("report", stated, "--format", "sarif", "--rules-url", wrong)
        assert done.status == 2
        assert "--rules-url" in done.err
