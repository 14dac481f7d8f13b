"""Where a fix would not be exact it is refused, and says why."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARM, ARMATURE, BODY, CHEST, HAND, HEAD, HIPS, SPINE

from rigview.check.rig_edits.joint_list import reorder_joints
from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.check.rig_edits.reparent import hang, reparent
from rigview.check.rule import Refused
from rigview.check.rules.hierarchy import share_parent
from rigview.check.rules.scale import bake_scale, fold, unflip
from rigview.check.rules.tree import drop_transform
from rigview.check.rules.weights import bind_to_neutral
from rigview.check.run import run
from rigview.core import quat
from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler

TURN = FrameTurn(quat.from_axis_angle((1.0, 2.0, 3.0), 0.7))


def scaled(node, scale, rig=None):
    rig = rig or rigs.tidy()
    return rigs.with_nodes(rig, scales=rigs.with_row(rig.nodes.scales, node, scale))


def keyed(node, path, values, interpolation="LINEAR"):
    values = np.array(values, dtype=float)
    channel = Channel(node, path, Sampler(np.arange(float(len(values))), values, interpolation))
    rig = rigs.tidy()
    return replace(rig, clips=(*rig.clips, Clip("Key", (channel,))))


def shown_on(node, *, skinned=False):
    """Return the clean rig with its mesh shown once more, on a node."""
    rig = rigs.tidy()
    meshes, skins = list(rig.node_meshes), list(rig.node_skins)
    meshes[node], skins[node] = 0, 0 if skinned else None
    return replace(rig, node_meshes=tuple(meshes), node_skins=tuple(skins))


@pytest.mark.parametrize(
    ("rig", "reason"),
    [
        (scaled(ARM, (1, 1, 1.01)), "arm has unequal scale"),
        (scaled(ARM, (0.01, 0.01, 0.010001)), "arm has unequal scale"),
        (scaled(ARM, (-1, 1, 1)), "arm has unequal scale"),
        (keyed(ARM, "scale", [(1, 1, 1), (1, 2, 1)]), "arm has unequal scale"),
        (
            keyed(ARM, "scale", np.ones((2, 3, 3)) + np.eye(3)[0], "CUBICSPLINE"),
            "arm has unequal scale",
        ),
        (rigs.with_nodes(rigs.tidy(), matrices={ARM: np.diag([1.0, 2, 1, 1])}), "unequal scale"),
        (shown_on(ARM), "arm carries a mesh"),
    ],
)
def test_a_joint_that_would_shear_or_carry_something_along_is_not_turned(rig, reason):
    with pytest.raises(Refused, match=reason):
        reframe(rig, {ARM: TURN})


def test_a_child_of_unequal_scale_does_not_keep_its_parent_from_turning():
    rig = scaled(HAND, (1, 2, 0.5))
    turned = reframe(rig, {ARM: TURN})
    assert max(rigs.largest_difference(rig, turned).values()) <= 1e-12


def test_a_skinned_mesh_on_a_joint_does_not_keep_it_from_turning():
    rig = shown_on(ARM, skinned=True)
    turned = reframe(rig, {ARM: TURN})
    assert max(rigs.largest_difference(rig, turned).values()) <= 1e-12


def test_a_scale_that_is_even_to_rounding_is_no_obstacle():
    rig = scaled(ARM, (100.0, 100.0001, 99.9999))
    assert reframe(rig, {ARM: TURN}) is not rig


@pytest.mark.parametrize("scale", [(1, 1, 2), (-1, 1, 1), (0, 1, 1)])
@pytest.mark.parametrize("node", [ARMATURE, CHEST])
def test_unequal_or_mirroring_scale_is_not_baked(scale, node):
    with pytest.raises(Refused, match="scales unequally or mirrors"):
        bake_scale(scaled(node, scale), 0)


def test_a_bind_that_scales_by_different_factors_is_not_folded():
    rig = rigs.tidy()
    binds = rig.skins[0].inverse_binds.copy()
    binds[3, :3, :3] *= 2.0
    with pytest.raises(Refused, match="by different factors"):
        fold(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)), 0)


def test_a_bind_that_scales_unequally_is_not_folded():
    rig = rigs.tidy()
    binds = rig.skins[0].inverse_binds @ np.diag([2.0, 1.0, 1.0, 1.0])
    with pytest.raises(Refused, match="scales unequally or mirrors"):
        fold(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)), 0)


def test_a_bind_that_is_not_affine_is_not_folded():
    rig = rigs.tidy()
    binds = rig.skins[0].inverse_binds @ np.diag([2.0, 2.0, 2.0, 1.0])
    binds[0, 3, 0] = 1e-6
    with pytest.raises(Refused, match="not affine"):
        fold(rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds)), 0)


SHARED = shown_on(HEAD)


@pytest.mark.parametrize(
    "fix",
    [
        lambda rig: reorder_joints(rig, 0, [1, 0, 2, 3, 4, 5]),
        lambda rig: fold(rig, 0),
    ],
)
def test_a_mesh_that_is_also_shown_without_the_skin_is_not_rewritten_for_it(fix):
    with pytest.raises(Refused, match="also used without this skin"):
        fix(SHARED)


def test_a_mesh_on_two_skins_gets_no_neutral_joint():
    rig = rigs.tidy()
    skins = (*rig.skins, replace(rig.skins[0], name="Other"))
    rig = replace(rig, skins=skins)
    rig = replace(rig, node_meshes=(0, *rig.node_meshes[1:]), node_skins=(1, *rig.node_skins[1:]))
    with pytest.raises(Refused, match="several skins"):
        bind_to_neutral(rig, 0, 0)


@pytest.mark.parametrize(
    "fix",
    [
        lambda rig: reframe(rig, {ARM: TURN}),
        lambda rig: reorder_joints(rig, 0, [1, 0, 2, 3, 4, 5]),
        lambda rig: fold(rig, 0),
        lambda rig: bind_to_neutral(rig, 0, 0),
    ],
)
def test_missing_inverse_binds_are_not_made_up(fix):
    rig = rigs.tidy()
    few = rig.with_skin(0, replace(rig.skins[0], inverse_binds=rig.skins[0].inverse_binds[:5]))
    # The joint without a matrix would scale the mesh otherwise; here it does not.
    with pytest.raises(Refused, match="fewer inverse bind matrices than joints"):
        fix(few)


def test_a_turn_of_joints_that_a_short_skin_does_not_bind_is_taken():
    rig = rigs.tidy()
    few = replace(rig.skins[0], joints=(HIPS, SPINE), inverse_binds=rig.skins[0].inverse_binds[:1])
    rig = replace(rig, skins=(*rig.skins, few))
    assert reframe(rig, {HAND: TURN}).skins[1] is few


@pytest.mark.parametrize(
    ("rig", "reason"),
    [
        (keyed(ARMATURE, "rotation", [(0, 0, 0, 1), (0, 1, 0, 0)]), "Armature.*is animated"),
        (keyed(ARMATURE, "scale", [(1, 1, 1)]), "Armature.*is animated"),
        (scaled(ARMATURE, (1, 2, 1)), "scales unequally or mirrors"),
        (scaled(ARMATURE, (1, 1, -1)), "scales unequally or mirrors"),
        (scaled(ARMATURE, (0, 0, 0)), "scales unequally or mirrors"),
    ],
)
def test_a_node_is_not_hung_elsewhere_past_an_animated_or_sheared_parent(rig, reason):
    with pytest.raises(Refused, match=reason):
        reparent(rig, HIPS, -1)


def test_a_node_is_not_hung_below_itself():
    for below in (SPINE, HAND, HIPS):
        with pytest.raises(Refused, match="lies below hips"):
            reparent(rigs.tidy(), HIPS, below)


def test_morph_keys_above_do_not_count_as_motion():
    rig = keyed(ARMATURE, "weights", [(0.0,), (1.0,)])
    assert reparent(rig, HIPS, -1).nodes.parents[HIPS] == -1


@pytest.mark.parametrize(
    ("rig", "reason"),
    [
        (scaled(HAND, (-1, 1, 1)), "one axis or on three mirrors"),
        (scaled(HAND, (-1, -1, -1)), "one axis or on three mirrors"),
        (scaled(HAND, (1, 1, 1)), "no negative scale of its own"),
        (keyed(HAND, "scale", [(1, 1, 1), (-1, -1, 1)]), "changes during a clip"),
        (
            rigs.with_nodes(scaled(HAND, (-1, -1, 1)), matrices={HAND: np.diag([-1.0, -1, 1, 1])}),
            "states a matrix, without a scale of its own",
        ),
    ],
)
def test_what_is_no_half_turn_is_not_turned(rig, reason):
    with pytest.raises(Refused, match=reason):
        unflip(rig, HAND)


def test_a_refused_fix_is_offered_as_none_with_its_reason():
    rig = scaled(CHEST, (1, 1.5, 1))
    binds = rigs.affine.inverse(rigs.Deformer(rig).rest.model_from_node[[1, 2, 3, 4, 5, 6]])
    rig = rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))
    turned = rigs.with_nodes(
        rig,
        rotations=rigs.with_row(
            rig.nodes.rotations, CHEST, quat.multiply(rig.nodes.rotations[CHEST], TURN.rotation)
        ),
    )
    for finding in run(turned, select=["ORI-PRIMARY", "SCL-INHERIT"]).findings:
        assert finding.fix.kind == "none"
        assert "unequal" in finding.fix.reason


def hung_on(parent, node):
    """Return the clean rig with a node hung under another."""
    children = [tuple(c for c in cs if c != node) for cs in rigs.tidy().nodes.children]
    children[parent] += (node,)
    return rigs.with_nodes(rigs.tidy(), children=tuple(children))


@pytest.mark.parametrize(
    ("rig", "reason"),
    [
        (replace(rigs.tidy(), node_skins=(None,) * 8), "shows something that no joint moves"),
        (hung_on(BODY, HIPS), "has children that would move"),
        (keyed(BODY, "translation", np.eye(3)), "is animated"),
    ],
)
def test_a_mesh_that_takes_something_along_or_moves_keeps_its_transform(rig, reason):
    with pytest.raises(Refused, match=f"Body.*{reason}"):
        drop_transform(rig, BODY)


def test_a_mesh_loses_the_matrix_it_states_and_nothing_else_does():
    stated = dict.fromkeys((ARMATURE, BODY), np.diag([2.0, 2.0, 2.0, 1.0]))
    dropped = drop_transform(rigs.with_nodes(rigs.tidy(), matrices=stated), BODY).nodes
    assert dropped.matrices.keys() == {ARMATURE}


def homes(rig):
    return rig.nodes.parents[HIPS], rig.nodes.parents[BODY]


TURNING_ARMATURE = keyed(ARMATURE, "rotation", [(0, 0, 0, 1), (0, 1, 0, 0)])


def test_a_skeleton_comes_to_its_mesh_but_where_another_skin_hangs_on_it():
    apart = hang(rigs.tidy(), BODY, -1)
    assert homes(share_parent(apart, 0)) == (-1, -1)
    (skin,) = apart.skins
    skins, meshes = [*apart.node_skins], [*apart.node_meshes]
    skins[ARMATURE], meshes[ARMATURE] = 1, 0
    two = replace(apart, skins=(skin, skin), node_skins=tuple(skins), node_meshes=tuple(meshes))
    assert homes(share_parent(two, 0)) == (ARMATURE, ARMATURE)


def test_mesh_and_skeleton_on_both_sides_of_an_animated_node_are_not_said_to_come_together():
    apart = hang(TURNING_ARMATURE, BODY, -1)
    (finding,) = run(apart, "thesis", select=["HIE-PARENT"]).findings
    assert (finding.fix.kind, finding.fix.reason) == (
        "none",
        "Armature, between the two parents, is animated",
    )


def test_roots_under_several_parents_that_cannot_come_to_the_mesh_stay():
    with pytest.raises(Refused, match="several roots under different parents"):
        share_parent(hang(TURNING_ARMATURE, SPINE, -1), 0)
