"""A check of many files: what is planted is found, and the parent holds one record at a time."""

import json
import sys
import tracemalloc
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from rigview.app import batch
from rigview.app.spilled_records import SpilledRecords
from rigview.check.report import FORMATS, Fact, FileReport, Unchecked
from rigview.check.report.records import FixOffer, ReportedVertices

REPOSITORY = Path(__file__).parents[2]
RULES = "WGT-SUM,WGT-ZERO,BND-SINGULAR"
# Bytes that the parent may take for each file: its path, its task and the place of its record. A record of
# text alone has more than twice as many.
EACH = 6000


@pytest.fixture(scope="module")
def ten_thousand():
    sys.path.insert(0, str(REPOSITORY / "tests/benchmarks"))
    import ten_thousand

    return ten_thousand


@pytest.fixture
def library(ten_thousand, tmp_path):
    """Return a folder of 200 small rigs and what is planted in them."""
    return tmp_path / "rigs", ten_thousand.make(tmp_path / "rigs", 200)


def test_what_is_planted_is_found(rigview, library, ten_thousand, tmp_path):
    folder, planted = library
    out = {form: tmp_path / form for form in FORMATS}
    reports = [word for form in out for word in ("--format", form, "-o", out[form])]
    assert rigview("check", folder, "--select", RULES, *reports).status == 2
    document = json.loads(out["json"].read_text())
    found = Counter(f["rule"] for file in document["files"] for f in file.get("findings", ()))
    found[ten_thousand.NO_RIG] = document["totals"]["unchecked"]
    assert found == planted
    failures = ET.fromstring(out["junit"].read_text()).get("failures")
    assert int(failures) == sum(planted.values()) - planted[ten_thousand.NO_RIG]
    assert len(out["jsonl"].read_text().splitlines()) == 201
    again = rigview("report", out["jsonl"], "--format", "json")
    assert again.json["files"] == document["files"]


def large(task):
    """Answer with a record of 64 KiB."""
    fix = FixOffer("none")
    fact = Fact(
        rule="WGT-SUM",
        title="Sum",
        severity="error",
        message="wrong",
        object=f"mesh of {task.path.name}",
        joint=None,
        clip=None,
        time=None,
        vertices=ReportedVertices(),
        value=1,
        limit=0,
        unit="",
        fix=fix,
        explanation="x" * (1 << 16),
    )
    return FileReport(str(task.path), "gltf", ("WGT-SUM",), (fact,), ())


def test_the_memory_of_the_parent_does_not_grow_with_what_is_found(rigview, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "check_file", lambda task, _watcher: large(task))
    for number in range(200):
        (tmp_path / f"{number}.glb").touch()
    reports = [word for form in FORMATS for word in ("--format", form, "-o", tmp_path / form)]

    def peak(count):
        tracemalloc.start()
        rigview("check", *(tmp_path / f"{number}.glb" for number in range(count)), *reports)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(5)
    assert peak(200) - peak(50) < 150 * EACH


def test_records_are_read_as_they_were_set_last():
    first, second = Unchecked("a\ud800", "no\udcff"), FileReport("b", "gltf", (), (), ())
    with SpilledRecords(2) as records:
        records[1], records[0] = first, first
        records[1] = second
        records.add(first)
        assert [*records] == [first, second, first]
        assert len(records) == 3
        assert second in records
