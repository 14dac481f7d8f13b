"""``rigview bench``: times and ratios, as a table and as JSON."""

import pytest

from rigview.core.skinning import METHODS

pytestmark = pytest.mark.gl


def test_json_names_every_method_with_its_ratio_to_lbs(rigview, box):
    report = rigview("bench", box, "--copies", 3, "--rounds", 1, "--json").json
    assert [row["method"] for row in report["methods"]] == list(METHODS)
    assert report["methods"][0]["frame"]["ratio"] == 1.0
    assert all(row["vertices"]["ms"] > 0.0 for row in report["methods"])
    assert (report["copies"], report["joints"], report["triangles"]) == (3, 2, 1344)


def test_a_table_is_for_people(rigview, box):
    outcome = rigview("bench", box, "--rounds", 1, "--panes", "dqs")
    assert outcome.status == 0
    assert [line.split()[0] for line in outcome.out.splitlines()[-2:]] == ["LBS", "DQS"]


def test_formats_are_compared_with_their_memory_and_error(rigview, box):
    formats = ("--joint-bits", 8, "--weight-bits", "8,32", "--dual-route", "matrix")
    report = rigview(
        "bench", box, "--rounds", 4, "--budget", 1e-6, "--panes", "dqs", *formats, "--json"
    ).json
    rows = [
        (r["method"], r["joint_bits"], r["weight_bits"], r["dual_route"]) for r in report["methods"]
    ]
    assert rows == [
        ("lbs", 16, 32, "direct"),
        ("lbs", 8, 8, "direct"),
        ("lbs", 8, 32, "direct"),
        ("dqs", 16, 32, "direct"),
        ("dqs", 8, 8, "matrix"),
        ("dqs", 8, 32, "matrix"),
    ]
    plain, small, _ = (r["influence_bytes"] for r in report["methods"][:3])
    assert small < plain
    assert report["methods"][0]["weight_error"] < report["methods"][1]["weight_error"]
    assert report["methods"][0]["displacement"] == 0.0
    assert (report["rounds"], report["rounds_asked"]) == (1, 4)


def test_the_table_says_which_format_a_row_is_of_and_why_rounds_are_few(rigview, box):
    bits = ("--weight-bits", 8)
    table = rigview("bench", box, "--rounds", 2, "--budget", 1e-6, "--panes", "lbs", *bits).out
    assert "one round, not 2" in table
    assert "16, 8 bits" in table


@pytest.mark.parametrize(
    "arguments",
    [
        ("--copies", 0),
        ("--rounds", 0),
        ("--panes", "no"),
        ("--budget", 0),
        ("--joint-bits", 12),
        ("--weight-bits", ","),
        ("--dual-route", "scenic"),
    ],
)
def test_what_cannot_be_measured_is_a_wrong_use(rigview, box, arguments):
    outcome = rigview("bench", box, *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
