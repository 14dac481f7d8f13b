"""What is said of the shape of a character, whoever else is in its file."""

from pathlib import Path

import pytest
from rigs import beside, under

from rigview.check.run import run
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
OF_SHAPES = ("DEF-VOLUME", "DEF-BULGE", "DEF-STRETCH", "DEF-FLIP", "MSH-BOUNDS")


def faults(rig):
    """Return (rule, clip, time, value, names of joints) of every finding about shapes."""
    names = rig.nodes.names
    return sorted(
        (f.rule, f.clip, f.time, f"{f.value:.6g}", tuple(names[joint] for joint in f.joints))
        for f in run(rig, select=OF_SHAPES).findings
    )


@pytest.fixture
def biped():
    """Return a human figure of many triangles, of which the range of motion says something."""
    return load(SAMPLES / "biped.glb").rig


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
    assert [f.key for f in several.findings] == [0, 1]
    joints = [set(f.joints) for f in several.findings]
    assert joints[0].isdisjoint(joints[1])
    assert all("the character of" in f.message for f in several.findings)
