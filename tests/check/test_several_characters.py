"""What is said of the shape of a character, whoever else is in its file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigs import beside, under

from rigview.check.measures.facts import measured
from rigview.check.measures.soundness import without_vertices
from rigview.check.run import run
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
REST, UNIT = ["BND-REST"], ["SCL-UNIT"]
OF_SHAPES = ("DEF-VOLUME", "DEF-BULGE", "DEF-STRETCH", "DEF-FLIP", "MSH-BOUNDS")


# What these name is larger than a share of the size of the character.
OF_SIZES = (
    "ANI-ROOT",
    "BND-FAR",
    "HIE-GAP",
    "HIE-MESH-XFORM",
    "HIE-SIDE",
    "SCL-UNIT",
    "WGT-NEAREST",
)


def faults(rig, rules=OF_SHAPES):
    """Return (rule, clip, time, value, names of joints) of every finding about shapes."""
    names = rig.nodes.names
    return sorted(
        (f.rule, f.clip, f.time, f"{f.value:.6g}", tuple(names[joint] for joint in f.joints))
        for f in run(rig, select=rules).findings
    )


def far_from(rig, first):
    """Return a rig and a box of another character 400 m away, the one or the other first."""
    other = under(load(SAMPLES / "box.glb").rig, translation=(400.0, 0.0, 0.0))
    return beside(rig, other) if first else beside(other, rig)


@pytest.fixture
def biped():
    """Return a human figure of many triangles, of which the range of motion says something."""
    return load(SAMPLES / "biped.glb").rig


@pytest.mark.thorough(keep=2)
@pytest.mark.parametrize("rule", OF_SHAPES)
@pytest.mark.parametrize("first", [True, False])
def test_a_character_is_judged_alike_alone_and_beside_another(rule, first, biped):
    alone = load(SAMPLES / "broken" / f"{rule}.glb").rig
    other = under(biped, translation=(40.0, 0.0, 0.0))
    together = beside(alone, other) if first else beside(other, alone)
    wanted = faults(alone)
    assert rule in {row[0] for row in wanted}
    assert faults(together) == sorted(wanted + faults(other))


def test_each_of_several_characters_has_its_own_finding():
    one = load(SAMPLES / "broken" / "DEF-FLIP.glb").rig
    several = run(beside(one, under(one, translation=(5.0, 0.0, 0.0))), select=("DEF-FLIP",))
    first, second = several.findings
    assert first.key != second.key
    assert set(first.joints).isdisjoint(second.joints)


@pytest.mark.parametrize("rule", OF_SIZES)
@pytest.mark.parametrize("first", [True, False])
def test_a_share_of_the_size_is_one_of_the_size_of_the_character(rule, first):
    alone = load(SAMPLES / "broken" / f"{rule}.glb").rig
    wanted = faults(alone, (rule,))
    assert wanted
    assert faults(far_from(alone, first), (rule,)) == wanted


def shifted(rig, metres):
    """Return a rig of which the last joint of the first skin rests aside of where it was bound."""
    translations = rig.nodes.translations.copy()
    translations[rig.skins[0].joints[-1], 0] += metres
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


@pytest.mark.parametrize("share", [0.008, 0.012])
def test_a_small_shift_shows_however_far_the_next_character_is(share):
    rig = load(SAMPLES / "arm.glb").rig
    size = measured(rig).deformer.size
    found = [f.value for f in run(far_from(shifted(rig, share * size), True), select=REST).findings]
    assert found == ([] if share < 0.01 else [pytest.approx(share, rel=1e-3)])


def test_a_short_bone_is_none_without_length_however_far_the_next_character_is():
    rig = load(SAMPLES / "arm.glb").rig
    translations = rig.nodes.translations.copy()
    translations[rig.skins[0].joints[-1]] *= 0.005
    short = replace(rig, nodes=replace(rig.nodes, translations=translations))
    assert run(short, select=["HIE-ZEROLEN"]).findings == ()
    assert run(far_from(short, True), select=["HIE-ZEROLEN"]).findings == ()


def test_of_people_of_different_sizes_each_is_named_and_none_is_scaled(biped):
    giant = load(SAMPLES / "broken" / "SCL-UNIT.glb").rig
    (finding,) = run(
        beside(under(biped, translation=(0.0, 50.0, 0.0)), giant), select=UNIT
    ).findings
    assert finding.value == pytest.approx(180.0, rel=0.01)
    assert finding.object == "Hips"
    assert finding.fix.kind == "none"
    assert run(giant, select=UNIT).findings[0].fix.kind == "shape"


def test_people_on_different_floors_have_their_own_heights(biped):
    assert (
        run(beside(biped, under(biped, translation=(0.0, 50.0, 0.0))), select=UNIT).findings == ()
    )


def test_a_shoe_with_a_skeleton_of_its_own_belongs_to_the_character_who_wears_it(biped):
    (skin,), influences = biped.skins, biped.meshes[0].primitives[0].influences
    foot = [i for i, j in enumerate(skin.joints) if biped.nodes.names[j] in ("foot_r", "ball_r")]
    others = ~np.isin(influences.heaviest, foot)
    shoe = without_vertices(biped, {(0, 0): others})
    assert measured(shoe).deformer.size < 0.5
    both = beside(biped, shoe)
    sizes = {round(float(measured(both).size_of(number)), 6) for number in (0, 1)}
    assert sizes == {round(measured(biped).deformer.size, 6)}
    assert run(both, select=["SCL-UNIT", "BND-FAR"]).findings == ()
