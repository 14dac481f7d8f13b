"""Maps of joints as files: read as written, and refused in one sentence that names the place."""

from dataclasses import replace
from pathlib import Path

import pytest

from rigview.core.motion.joint_mapping import JointMapping, Match, propose
from rigview.io import load
from rigview.io.joint_map import MapError, read_joint_map, write_joint_map

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def biped():
    return load(SAMPLES / "biped.glb").rig


def test_a_map_is_read_as_it_was_written(biped, tmp_path):
    names = tuple(f'DEF:"{name}"\\é\x7f' for name in biped.nodes.names)
    other = replace(biped, nodes=replace(biped.nodes, names=names))
    proposed = propose(biped, biped)
    chest, spine = biped.joint("spine_03"), biped.joint("spine_02")
    matches = {**proposed.matches, chest: Match(spine, chest, 1.0 / 3.0)}
    del matches[biped.joint("head")]
    path = tmp_path / "map.toml"
    write_joint_map(path, JointMapping(matches), other, biped)
    assert '# "head" =' in path.read_text(encoding="utf-8")
    back = read_joint_map(path, other, biped)
    assert set(back.matches) == set(matches)
    for joint, match in back.matches.items():
        assert match == replace(matches[joint], how="map")


def test_names_are_found_without_their_namespace(biped, tmp_path):
    names = tuple(f"mixamorig:{name.upper()}" for name in biped.nodes.names)
    other = replace(biped, nodes=replace(biped.nodes, names=names))
    path = tmp_path / "map.toml"
    path.write_text('[joints]\npelvis = "Pelvis"\n')
    back = read_joint_map(path, other, biped)
    pelvis = biped.joint("pelvis")
    assert back.matches == {pelvis: Match(pelvis, how="map")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[joints", "this is no TOML"),
        ("a = 1", "joints: wanted a table of joints"),
        ("[joints]", "joints: wanted a table of joints"),
        ("joints = 4", "joints: wanted a table of joints"),
        ('[joints]\nwing = "pelvis"', 'joints."wing": '),
        ('[joints]\npelvis = "wing"', 'joints."pelvis": '),
        ("[joints]\npelvis = 3", "wanted the name of a joint"),
        ('[joints]\npelvis = {from = "pelvis", to = "head", share = 2.0}', "from 0 to 1"),
        ('[joints]\npelvis = {from = "pelvis", to = "head", share = nan}', "from 0 to 1"),
        ('[joints]\npelvis = {from = "pelvis", to = "head", share = true}', "from 0 to 1"),
        ('[joints]\npelvis = {from = 1, to = "head", share = 0.5}', "names of joints"),
        ("a = " + "[" * 20_000, "this is no TOML"),
    ],
)
def test_what_is_no_map_is_refused_in_a_sentence(biped, tmp_path, text, told):
    path = tmp_path / "map.toml"
    path.write_text(text)
    with pytest.raises(MapError) as caught:
        read_joint_map(path, biped, biped)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert told in said
    assert "\n" not in said


def test_a_map_that_is_no_file_of_text_is_refused(biped, tmp_path):
    with pytest.raises(MapError, match="no such file"):
        read_joint_map(tmp_path / "none.toml", biped, biped)
    with pytest.raises(MapError, match="folder"):
        read_joint_map(tmp_path, biped, biped)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MapError, match="this is no TOML"):
        read_joint_map(tmp_path / "bytes.toml", biped, biped)
