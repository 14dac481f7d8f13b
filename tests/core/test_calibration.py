"""The strength of a compensation fitted to elastic flesh, on a tube of one bending joint."""

from dataclasses import replace

import jointed_tubes
import numpy as np
import pytest

from rigview.assets import resource
from rigview.core.deform import Deformer
from rigview.core.elastic.calibration import HELD, calibrate
from rigview.core.elastic.limb import Limb, region_of
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.motion.joint_axes import joint_axes
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.skinning import METHODS

TABLE = LimitTable.of(resource("joint_limits.json"))
# Coarse: its numbers are not those of flesh, what is asked here is so of any.
SPACING = 0.5


@pytest.fixture(scope="module")
def tube():
    """A tube whose mask is painted to a half where x > 3."""
    rig = jointed_tubes.rig_of(jointed_tubes.tube(around=12, rings=33))
    primitive = rig.meshes[0].primitives[0]
    mask = np.where(primitive.positions[:, 0] > 3.0, 0.5, 1.0)
    return rig.with_primitive(0, 0, replace(primitive, compensation=mask))


@pytest.fixture(scope="module")
def calibrated(tube):
    return calibrate(tube, TABLE, METHODS["compensated"], spacing=SPACING)


def mask_of(rig):
    return rig.meshes[0].primitives[0].compensation


def test_the_fitted_mask_is_nearer_to_flesh_than_none_and_all_at_a_bend_it_was_not_fitted_to(
    calibrated,
):
    (of,) = calibrated.fitted
    assert of.joint == "joint"
    assert of.vertices > 50
    assert of.calibrated < of.dqs
    assert of.calibrated <= of.full


def test_what_is_told_is_what_the_written_mask_does(calibrated):
    rig = calibrated.rig
    meter, joint = JointMeter(Deformer(rig)), jointed_tubes.JOINT
    number = region_of(meter, joint)
    axes = joint_axes(rig, Deformer(rig).rest_nodes, TABLE)[joint]
    limb = Limb(meter, number, axes.flex, axes.twist, SPACING)
    ((_, places),) = limb.drive([HELD])
    normals, seen = limb.normals(places)
    seen &= limb.region.blended
    rows = limb.region.vertices
    apart = limb.skinned(limb.pose_at(HELD), METHODS["compensated"])[rows] - places
    along = np.einsum("vi,vi->v", apart[seen], normals[seen]) / limb.region.size
    # Here it goes there without the bends before it: the body settles a little elsewhere.
    assert np.sqrt(np.mean(along**2)) == pytest.approx(calibrated.fitted[0].calibrated, rel=0.01)


def test_strengths_are_shares_and_what_is_not_fitted_keeps_its_mask(tube, calibrated):
    before, after = mask_of(tube), mask_of(calibrated.rig)
    assert 0.0 <= after.min() < after.max() <= 1.0
    assert np.count_nonzero(after != before) <= calibrated.fitted[0].vertices
    weights = jointed_tubes.tube(around=12, rings=33).weights
    alone = (weights < 0.02) | (weights > 0.98)
    assert np.array_equal(after[alone], before[alone])


def test_a_mask_that_was_there_does_not_change_what_is_fitted(tube, calibrated):
    primitive = tube.meshes[0].primitives[0]
    other = tube.with_primitive(0, 0, replace(primitive, compensation=0.0 * mask_of(tube)))
    again = calibrate(other, TABLE, METHODS["compensated"], spacing=SPACING)
    assert again.fitted == calibrated.fitted


def test_a_joint_without_flesh_is_left_out_and_told(tube):
    made = calibrate(tube, TABLE, METHODS["capsule"], [jointed_tubes.ROOT, 2], spacing=SPACING)
    assert made.fitted == ()
    assert set(made.left_out) == {"root", "end"}
    assert np.array_equal(mask_of(made.rig), mask_of(tube))


def test_it_can_be_stopped(tube):
    heard = []

    def listen(share):
        heard.append(share)
        if share > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calibrate(tube, TABLE, METHODS["compensated"], None, listen, SPACING)
    assert len(heard) == 1
