"""``rigview report --format html``: pictures of rigs that are still what was checked, else the reason."""

import json
import shutil

import pytest

from rigview.cli import main

SELECT = ("--select", "WGT-ZERO")


@pytest.fixture
def checked(samples, tmp_path):
    """A rig with a finding, and the report of its check."""
    rig = tmp_path / "rig.glb"
    shutil.copy(samples / "broken" / "WGT-ZERO.glb", rig)
    report = tmp_path / "run.json"

    def check(*more):
        words = ["check", str(rig), *SELECT, "--format", "json", "-o", str(report), *more]
        assert main([*words, "--fail-on", "never"]) == 0
        return rig, report

    return check


def page(report):
    out = report.with_suffix(".html")
    assert main(["report", str(report), "--format", "html", "-o", str(out)]) == 0
    return out.read_text(encoding="utf-8")


@pytest.mark.gl
def test_a_rig_that_is_what_was_checked_is_drawn(checked):
    _, report = checked()
    text = page(report)
    assert "data:image/png;base64," in text
    assert "Without pictures" not in text


def test_a_rig_that_is_gone_is_named_with_the_reason(checked):
    rig, report = checked()
    rig.unlink()
    text = page(report)
    assert "data:image/png" not in text
    assert f"Without pictures and curves: {rig} is not there." in text


def test_a_rig_that_has_changed_is_not_drawn(checked, samples):
    rig, report = checked()
    shutil.copy(samples / "broken" / "WGT-SUM.glb", rig)
    text = page(report)
    assert "data:image/png" not in text
    assert "is not what was checked" in text


def test_a_rig_that_was_read_otherwise_is_not_drawn(checked):
    _, report = checked("--up", "z")
    assert "was read by --unit, --up or --fps" in page(report)


def test_an_older_report_says_that_it_does_not_tell(checked):
    _, report = checked()
    document = json.loads(report.read_text())
    del document["files"][0]["content"]
    report.write_text(json.dumps(document))
    assert "the report does not say what content was checked" in page(report)
