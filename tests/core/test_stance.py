"""Where the front of a character is, told by its joints or by its format."""

import math
from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core.deform import Deformer
from rigview.core.stance import front
from rigview.io import load


@pytest.fixture(scope="module")
def biped(samples):
    return load(samples / "biped.glb").rig


def spun(rig, degrees):
    half = math.radians(degrees) / 2
    return rigs.under(rig, rotation=(0.0, math.sin(half), 0.0, math.cos(half)))


def faces(rig):
    return math.degrees(front(Deformer(rig))) % 360.0


def renamed(rig, change):
    nodes = replace(rig.nodes, names=tuple(map(change, rig.nodes.names)))
    return replace(rig, nodes=nodes)


def with_extension(rig, name):
    return replace(rig, origin=replace(rig.origin, extensions=(name,)))


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0, 270.0, 45.0])
def test_the_front_is_where_the_character_looks(biped, degrees):
    assert faces(spun(biped, degrees)) == pytest.approx(degrees, abs=1.0)


def test_who_looks_a_little_aside_is_seen_along_the_axis(biped):
    assert faces(spun(biped, 190.0)) == 180.0


def test_names_of_sides_that_are_exchanged_turn_nobody_around(biped):
    other = {"_l": "_r", "_r": "_l"}
    swapped = renamed(biped, lambda name: name[:-2] + other.get(name[-2:], name[-2:]))
    assert swapped.nodes.names != biped.nodes.names
    assert faces(swapped) == 0.0


@pytest.mark.parametrize(("extension", "degrees"), [("VRM", 180.0), ("VRMC_vrm", 0.0), ("", 0.0)])
def test_without_a_body_the_format_tells(samples, extension, degrees):
    arm = load(samples / "arm.glb").rig
    assert faces(with_extension(arm, extension)) == degrees


@pytest.mark.parametrize("extension", ["VRM", "VRMC_vrm"])
def test_a_body_tells_more_than_its_format(biped, extension):
    assert faces(with_extension(biped, extension)) == 0.0
    assert faces(with_extension(spun(biped, 180.0), extension)) == 180.0


def test_feet_that_point_down_do_not_tell_where_the_front_is(biped):
    """Rest poses of motion capture have toes straight below the ankles, to within rounding."""
    names, parents = biped.nodes.names, biped.nodes.parents
    translations = biped.nodes.translations.copy()
    above = Deformer(biped).rest_nodes
    for toes in (names.index("ball_l"), names.index("ball_r")):
        foot = parents[toes]
        back = np.linalg.inv(above[foot][:3, :3])
        translations[toes] = back @ (0.0, -0.1, -0.004)
    hanging = rigs.with_nodes(biped, translations=translations)
    assert faces(hanging) == 0.0
