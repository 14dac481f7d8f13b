"""What fixes of leaves, keys, winding, bind poses and weights say when they refuse, word for word."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARM, HAND

from rigview.check.rig_edits.leaf import folded
from rigview.check.rule import Refused
from rigview.check.rules.bind_pose import _bound_locals
from rigview.check.rules.keys import normalise_keys
from rigview.check.rules.weights import bind_to_neutral
from rigview.check.rules.winding import agree
from rigview.core.clip import Channel, Clip
from rigview.core.mesh import Primitive
from rigview.core.sampler import Sampler

TIDY = rigs.tidy()
NAMES = {node: TIDY.nodes.label(node) for node in (ARM, HAND)}


def keyed(path, values, interpolation="LINEAR"):
    values = np.array(values, dtype=float)
    channel = Channel(HAND, path, Sampler(np.arange(float(len(values))), values, interpolation))
    return replace(TIDY, clips=(Clip("Key", (channel,)),))


def two_skins():
    return replace(TIDY, skins=(*TIDY.skins, replace(TIDY.skins[0], name="Other")))


def showing_its_own():
    meshes = list(TIDY.node_meshes)
    meshes[HAND] = 0
    moving = keyed("translation", [(0, 0, 0), (0, 1, 0)])
    return replace(moving, node_meshes=tuple(meshes))


def shown_twice():
    rig, free = two_skins(), next(i for i, m in enumerate(TIDY.node_meshes) if m is None)
    meshes, skins = list(rig.node_meshes), list(rig.node_skins)
    meshes[free], skins[free] = 0, 1
    return replace(rig, node_meshes=tuple(meshes), node_skins=tuple(skins))


def without_joints():
    none = replace(TIDY.skins[0], joints=(), inverse_binds=np.zeros((0, 4, 4)))
    return replace(TIDY, skins=(none,))


def unsound_binds():
    broken = np.full_like(TIDY.skins[0].inverse_binds, np.nan)
    return TIDY.with_skin(0, replace(TIDY.skins[0], inverse_binds=broken))


def spline_of_two_lengths():
    values = np.zeros((2, 3, 4))
    values[:, 1] = [(0, 0, 0, 1), (0, 0, 0, 2)]
    return keyed("rotation", values, "CUBICSPLINE")


def flat():
    """Return the rig with a square of two triangles whose normals oppose their winding."""
    primitive = Primitive(
        np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]),
        np.array([[0, 1, 2], [0, 2, 3]]),
        np.zeros((0, 2)),
        np.zeros(0),
        normals=np.tile([0.0, 0.0, -1.0], (4, 1)),
    )
    return TIDY.with_primitive(0, 0, primitive)


@pytest.mark.parametrize(
    ("fix", "rig", "reason"),
    [
        (
            lambda rig: folded(rig, 0, ARM),
            TIDY,
            f"{NAMES[ARM]} has children, which the stretch would shear",
        ),
        (
            lambda rig: folded(rig, 0, HAND),
            keyed("scale", [(1, 1, 1), (1, 2, 1)]),
            f"{NAMES[HAND]} changes its scale during a clip",
        ),
        (
            lambda rig: folded(rig, 0, HAND),
            two_skins(),
            f"{NAMES[HAND]} also serves another skin",
        ),
        (
            lambda rig: folded(rig, 0, HAND),
            showing_its_own(),
            f"{NAMES[HAND]} is animated and shows a mesh of its own",
        ),
        (
            lambda rig: folded(rig, 0, HAND),
            TIDY,
            f"{NAMES[HAND]} shares vertices with other joints",
        ),
        (
            lambda rig: normalise_keys(rig, 0, 1e-4),
            spline_of_two_lengths(),
            "quaternions of a cubic spline differ in length: at length 1 it takes another path",
        ),
        (
            lambda rig: agree(rig, 0, 0, 0.1),
            flat(),
            "the shell is flat, so that nothing tells which side is its outside",
        ),
        (
            lambda rig: bind_to_neutral(rig, 0, 0),
            shown_twice(),
            "the mesh is shown with several skins",
        ),
        (
            lambda rig: bind_to_neutral(rig, 0, 0),
            without_joints(),
            "the skin has no joints, so that the mesh follows its node",
        ),
        (
            lambda rig: _bound_locals(rig, 0),
            unsound_binds(),
            "no joint of the skin has a sound bind",
        ),
    ],
)
def test_a_refusal_gives_its_reason(fix, rig, reason):
    with pytest.raises(Refused) as refused:
        fix(rig)
    assert str(refused.value) == reason
