"""``rigview deltas``: text, JSON and CSV, jumps marked."""

import csv
import io

import numpy as np
import pytest

from rigview.core.motion.deltas import deltas, frame_times
from rigview.io import load


@pytest.fixture
def arm(samples):
    return samples / "arm.glb"


@pytest.mark.parametrize("source", ["transforms", "positions"])
def test_json_holds_what_the_core_measures(rigview, arm, source):
    got = rigview("deltas", arm, "--json", "--fps", 24, "--from", source).json
    rig = load(arm).rig
    wanted = deltas(rig, rig.clips[0], frame_times(rig.clips[0], 24.0), source)
    assert got["angles_deg"] == pytest.approx(np.degrees(wanted.angles))
    assert got["times_s"] == wanted.times[1:].tolist()
    assert got["joints"] == [rig.nodes.names[j] for j in wanted.joints]
    assert got["jumps"] == []


def test_csv_marks_what_turns_beyond_the_limit(rigview, arm):
    rows = list(csv.DictReader(io.StringIO(rigview("deltas", arm, "--csv", "--limit", 2).out)))
    marked = [row for row in rows if row["jump"] == "1"]
    assert marked
    assert len(marked) < len(rows)
    for row in rows:
        assert (float(row["angle_deg"]) > 2.0) == (row["jump"] == "1")


def test_text_names_joints_and_jumps(rigview, arm):
    got = rigview("deltas", arm, "--limit", 2)
    assert "lowerarm" in got.out
    assert "jump: lowerarm turns" in got.out
    assert "jump:" not in rigview("deltas", arm).out
    assert "no twist" in rigview("deltas", arm, "--from", "positions").out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--fps", "-1"), "--fps must be above 0"),
        (("--limit", "200"), "--limit must be 0 to 180"),
        (("--clip", "none"), "there is no clip to measure"),
    ],
)
def test_what_makes_no_sense_is_refused(rigview, arm, arguments, word):
    got = rigview("deltas", arm, *arguments)
    assert got.status == 2
    assert word in got.err
