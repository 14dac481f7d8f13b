"""The capsule compensation on a body: what branches off a limb is no part of it."""

import numpy as np
import pytest
from rom_measures import Character, motion_of

from rigview.io import load

# Faces that a method may flip beyond dual quaternion skinning in one region and pose.
MORE = 5
ROOTS = ("upperarm", "thigh", "hand")


@pytest.fixture(scope="module")
def biped(samples):
    return Character(load(samples / "biped.glb").rig)


@pytest.fixture(scope="module", params=["the file's", "the made one"])
def measured(biped, request):
    if request.param == "the made one":
        clip, times = motion_of(biped.rig)
    else:
        clip = next(c for c in biped.rig.clips if c.name == "Range_Of_Motion")
        times = np.arange(0.0, clip.end, 0.1)
    return biped.measure(clip, times, ("dqs", "capsule"))


def test_no_joint_of_the_biped_tears_over_its_range_of_motion(biped, measured):
    at_roots = [i for i, name in enumerate(biped.joints) if name.startswith(ROOTS)]
    assert len(at_roots) >= 6
    more = measured["capsule"].flips - measured["dqs"].flips
    worst = {biped.joints[i]: int(more[:, i].max()) for i in range(len(biped.joints))}
    assert {name: n for name, n in worst.items() if n > MORE} == {}


def test_the_biped_loses_no_more_width_than_under_dqs(measured):
    more = measured["capsule"].collapse - measured["dqs"].collapse
    assert more.max() <= 0.1
