"""VRM metadata: bones of a body, title and licence, and what damage there comes to."""

import pytest
from documents import arm

from rigview.io import load
from rigview.io.describe import as_text, describe

NEWER = {
    "VRMC_vrm": {
        "specVersion": "1.0",
        "humanoid": {"humanBones": {"hips": {"node": 0}, "leftLowerLeg": {"node": 1}}},
        "meta": {"name": "Ada", "licenseUrl": "https://vrm.dev/licenses/1.0/"},
    }
}
OLDER = {
    "VRM": {
        "humanoid": {
            "humanBones": [
                {"bone": "hips", "node": 0},
                {"bone": "leftLowerLeg", "node": 1},
                {"bone": "jaw", "node": -1},
            ]
        },
        "meta": {"title": "Ada", "licenseName": "CC0"},
    }
}


def opened(extensions, tmp_path):
    doc = arm()
    doc.json["extensions"], doc.json["extensionsUsed"] = extensions, list(extensions)
    return load(doc.save_glb(tmp_path / "ada.vrm"))


@pytest.mark.parametrize(
    ("extensions", "licence"),
    [(NEWER, "https://vrm.dev/licenses/1.0/"), (OLDER, "CC0"), ({**OLDER, **NEWER}, "https")],
    ids=["1", "0", "both"],
)
def test_the_metadata_are_on_the_rig_and_shown(extensions, licence, tmp_path):
    loaded = opened(extensions, tmp_path)
    rig = loaded.rig
    assert rig.humanoid == {0: "hips", 1: "leftLowerLeg"}
    assert [rig.body_name(node) for node in (0, 1, 2)] == ["hips", "leftLowerLeg", "Foot"]
    assert rig.origin.format == "VRM"
    assert rig.origin.title == "Ada"
    assert rig.origin.licence.startswith(licence)
    assert f"Ada, licence {licence}" in as_text(loaded)
    assert describe(loaded)["humanoid"] == {"hips": "Hip", "leftLowerLeg": "Knee"}


@pytest.mark.parametrize(
    "damage",
    [
        {"VRM": []},
        {"VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 99}]}}},
        {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": 3}}}},
        {"VRMC_vrm": {}},
    ],
    ids=str,
)
def test_damaged_metadata_are_noted_and_left_out(damage, tmp_path):
    loaded = opened(damage, tmp_path)
    assert loaded.rig.humanoid == {}
    assert sum("the VRM metadata are left out" in note for note in loaded.notes) == 1
