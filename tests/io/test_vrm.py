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
    assert sum("that part of the VRM metadata is left out" in n for n in loaded.notes) == 1


def test_what_is_damaged_in_the_metadata_spoils_nothing_else(tmp_path):
    bones = {"hips": {"node": 0}, "jaw": {"node": 99}, "leftLowerLeg": {"node": 1}}
    newer = {"humanoid": {"humanBones": bones}, "meta": {"name": "Ada", "licenseUrl": None}}
    listed = [{"bone": name, **bone} for name, bone in bones.items()]
    older = {"humanoid": {"humanBones": listed}, "meta": {"title": "Ada", "licenseName": 7}}
    for extensions, wrong in (
        ({"VRMC_vrm": newer}, ["/extensions/VRMC_vrm/humanoid/humanBones/jaw/node: node 99 does"]),
        (
            {"VRM": older},
            [
                "/extensions/VRM/humanoid/humanBones/1/node: node 99 does not exist: there are 4",
                "/extensions/VRM/meta/licenseName: wanted a string, found a number",
            ],
        ),
    ):
        loaded = opened(extensions, tmp_path)
        assert loaded.rig.humanoid == {0: "hips", 1: "leftLowerLeg"}
        assert (loaded.rig.origin.title, loaded.rig.origin.licence) == ("Ada", "")
        told = [note for note in loaded.notes if "metadata is left out" in note]
        assert len(told) == len(wrong)
        assert all(map(str.startswith, told, wrong))
