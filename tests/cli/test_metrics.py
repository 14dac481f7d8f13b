"""``rigview metrics``: text, JSON and CSV of a scan, and what it refuses."""

import csv
import io

import numpy as np
import pytest

from rigview.core.deform import Deformer
from rigview.core.measures.quantities import COLUMNS, QUANTITIES
from rigview.core.measures.scan import Comparison, scan
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.skinning import METHODS
from rigview.io import load


@pytest.fixture
def arm(samples):
    return samples / "arm.glb"


def test_the_table_names_methods_quantities_and_joints(rigview, arm):
    got = rigview("metrics", arm, "--panes", "lbs,compensated")
    assert got.status == 0
    assert "clip Bend, " in got.out
    for word in ("LBS", "Compensated", "upperarm", *(q.label for q in QUANTITIES.values())):
        assert word in got.out
    assert "\nDQS" not in got.out


def test_json_holds_what_the_core_measures(rigview, arm):
    got = rigview("metrics", arm, "--panes", "dqs", "--against", "lbs", "--json").json["files"][0]
    rig = load(arm).rig
    wanted = scan(ShapeMeter(Deformer(rig)), rig.clips[0], Comparison(("dqs",), "lbs"))
    assert got["times_s"] == wanted.times.tolist()
    assert got["against"] == "lbs"
    assert set(got["methods"]) == {"dqs"}
    for column in COLUMNS:
        assert (
            got["methods"]["dqs"]["curves"][column] == wanted.curves["dqs"].figures[column].tolist()
        )
    worst = got["methods"]["dqs"]["worst"]["bulge"]
    place = wanted.worst("dqs", QUANTITIES["bulge"])
    assert (worst["time_s"], worst["value"]) == (place.time, place.value)
    assert worst["joints"][0]["joint"] == rig.nodes.names[place.joints[0][0]]
    joints = got["methods"]["dqs"]["joints"]
    assert max(j["bulge"] for j in joints.values()) == worst["value"]


def test_csv_has_a_row_for_every_time_and_method(rigview, arm):
    got = rigview("metrics", arm, "--panes", "all", "--csv", "--fps", 10)
    rows = list(csv.DictReader(io.StringIO(got.out)))
    times = sorted({float(row["time_s"]) for row in rows})
    assert len(rows) == len(times) * len(METHODS)
    clip = load(arm).rig.clips[0]
    steps = np.arange(clip.start, clip.end, 0.1)
    for wanted in (*clip.key_times, *steps):
        assert np.min(np.abs(np.array(times) - wanted)) < 1e-5
    assert all(float(row["difference_worst"]) == 0.0 for row in rows if row["method"] == "lbs")


def test_one_time_and_the_rest_pose_are_single_rows(rigview, arm):
    one = rigview("metrics", arm, "--time", 0.25, "--json").json["files"][0]
    assert one["times_s"] == [0.25]
    rest = rigview("metrics", arm, "--clip", "none", "--json").json["files"][0]
    assert rest["times_s"] == [0.0]
    assert rest["clip"] is None
    assert rest["methods"]["lbs"]["curves"]["volume"] == pytest.approx([1.0])


def test_a_tame_clip_says_so_to_people_and_not_to_pipes(rigview, samples):
    tame = rigview("metrics", samples / "biped.glb", "--clip", "Walk", "--panes", "lbs", "--csv")
    wild = rigview("metrics", samples / "arm.glb", "--panes", "lbs", "--csv")
    assert "the clip turns no joint by more than 53°" in tame.err
    assert wild.err == ""
    assert "--rom" not in tame.out


def test_an_open_mesh_says_that_its_borders_were_closed(rigview, samples):
    got = rigview("metrics", samples / "cylinder_wide.glb", "--time", 0)
    closed = rigview("metrics", samples / "cylinder_wide.glb", "--time", 0, "--json").json["files"][
        0
    ]
    assert ("closed for it" in got.out) == (closed["closed_borders"] > 0)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--panes", "lbs,nonsense"), "there is no method nonsense"),
        (("--against", "nonsense"), "there is no method nonsense"),
        (("--panes", ","), "at least one method"),
        (("--fps", "0"), "--fps must be above 0"),
        (("--clip", "nonsense"), "there is no clip nonsense"),
        (("--json", "--csv"), "not allowed with"),
    ],
)
def test_what_makes_no_sense_is_refused(rigview, arm, arguments, word):
    got = rigview("metrics", arm, *arguments)
    assert got.status == 2
    assert word in got.err
    assert got.out == ""


@pytest.mark.corpus
def test_a_file_without_skinned_mesh_is_refused(rigview, corpus):
    box = (
        corpus / "rigs/DRx3D+glTF-Sample-Assets-OLD/Models/BoxAnimated/glTF-Binary/BoxAnimated.glb"
    )
    got = rigview("metrics", box)
    assert got.status == 2
    assert "no mesh is skinned" in got.err


def test_the_worst_pose_of_a_joint_is_told_in_all_forms_with_the_values_of_all_methods(
    rigview, samples
):
    candy = samples / "candy.glb"
    panes = ("--panes", "lbs,dqs")
    worst = rigview("metrics", candy, *panes, "--json").json["files"][0]["worst_poses"][0]
    assert (worst["joint"], worst["measure"], worst["method"]) == ("hand_l", "collapse", "lbs")
    assert worst["time_s"] == pytest.approx(0.5)
    assert worst["values"]["lbs"] > 0.9 > 2.0 * worst["values"]["dqs"]
    assert abs(worst["twist_deg"]) == pytest.approx(170.0, abs=1.0)
    (row,) = csv.DictReader(io.StringIO(rigview("metrics", candy, *panes, "--csv", "joints").out))
    assert row["joint"] == "hand_l"
    assert float(row["dqs"]) == worst["values"]["dqs"]
    text = rigview("metrics", candy, *panes).out
    line = next(line for line in text.splitlines() if line.startswith("  hand_l  "))
    assert "Collapse" in line
    assert "−93 %" in line


def test_a_clip_without_a_fault_tells_the_joint_that_comes_nearest_to_one(rigview, samples):
    assert (
        "no joint beyond a limit" in rigview("metrics", samples / "chain.glb", "--panes", "lbs").out
    )
