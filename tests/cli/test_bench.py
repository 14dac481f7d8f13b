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


@pytest.mark.parametrize("arguments", [("--copies", 0), ("--rounds", 0), ("--panes", "no")])
def test_what_cannot_be_measured_is_a_wrong_use(rigview, box, arguments):
    outcome = rigview("bench", box, *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
