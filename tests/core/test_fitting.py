"""Whether clips of another rig suit: axes that are turned count, other rest poses do not."""

import math

import numpy as np
import pytest
from rigs import tidy, under, with_nodes

from rigview.core import quat
from rigview.core.motion.clips_by_name import borrow_clips

X, Y, Z = np.eye(3)


def about(axis, degrees):
    return quat.from_axis_angle(axis, math.radians(degrees))


def turned(rig, name, axis, degrees, *, children_stay):
    """Return the rig with a joint turned at rest, what hangs on it turned along or not."""
    nodes, turn = rig.nodes, about(axis, degrees)
    joint = nodes.names.index(name)
    rotations, translations = nodes.rotations.copy(), nodes.translations.copy()
    rotations[joint] = quat.multiply(rotations[joint], turn)
    if children_stay:
        back = quat.conjugate(turn)
        for child in nodes.children[joint]:
            rotations[child] = quat.multiply(back, rotations[child])
            translations[child] = quat.rotate(back, translations[child])
    return with_nodes(rig, rotations=rotations, translations=translations)


def told(rig, other):
    borrowed = borrow_clips(rig, other)
    return {rig.nodes.label(m.joint): m.degrees for m in borrowed.misfits}


def test_a_rig_suits_its_own_clips():
    assert told(tidy(), tidy()) == {}


@pytest.mark.parametrize("axis", [X, Y, Z])
@pytest.mark.parametrize("degrees", [25.0, 40.0, 170.0])
def test_axes_that_are_turned_within_the_joint_are_told_from_thirty_degrees(axis, degrees):
    other = turned(tidy(), "spine", axis, degrees, children_stay=True)
    found = told(tidy(), other)
    if degrees > 30.0:
        assert found["spine"] == pytest.approx(degrees)
    else:
        assert found == {}


@pytest.mark.parametrize("degrees", [-60.0, 45.0])
def test_another_pose_of_the_same_axes_suits(degrees):
    other = turned(tidy(), "spine", Z, degrees, children_stay=False)
    assert told(tidy(), other) == {}


def test_a_skeleton_that_lies_where_the_other_stands_is_told():
    lying = under(tidy(), rotation=about(X, -90.0))
    assert told(tidy(), tidy()) == {}
    assert told(lying, tidy())["spine"] > 60.0


def test_the_worst_joint_is_named_in_the_sentence():
    other = turned(tidy(), "spine", Y, 120.0, children_stay=True)
    words = borrow_clips(tidy(), other).complaint
    assert "120° away from where it belongs" in words
    assert borrow_clips(tidy(), tidy()).complaint == ""
