"""A file of nothing but a skeleton, as motion capture and libraries of clips come, is judged as one."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rigs import with_nodes

from rigview.check.run import run
from rigview.core import quat
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io import load

RULES = ("HIE-NAMES", "HIE-SIDE", "ORI-UPFWD", "ORI-TPOSE")


@pytest.fixture
def bare():
    """Return the joints and clips of a human figure, without mesh and skin."""
    rig = load(Path(__file__).parents[2] / "samples" / "biped.glb").rig
    none = (None,) * len(rig.nodes)
    return replace(rig, meshes=(), skins=(), node_meshes=none, node_skins=none)


def renamed(rig, **names):
    return with_nodes(rig, names=tuple(names.get(name, name) for name in rig.nodes.names))


def found(rig):
    report = run(rig, select=RULES)
    assert report.not_evaluated == ()
    return report.findings


def test_a_sound_skeleton_is_silent(bare):
    assert found(bare) == ()


def test_two_joints_of_one_name_are_told_and_renamed(bare):
    rig = renamed(bare, spine_02="spine_01")
    (finding,) = found(rig)
    assert (finding.rule, finding.value, finding.severity) == ("HIE-NAMES", 2, None)
    assert found(finding.fix.repair(rig)) == ()


def test_exchanged_names_are_told(bare):
    (finding,) = found(renamed(bare, foot_l="foot_r", foot_r="foot_l"))
    assert finding.rule == "HIE-SIDE"


def test_hands_that_only_rest_crossed_are_on_their_own_sides(bare):
    """A clip by itself rests in any of its frames, and an arm hangs on the side that its name states."""
    nodes, model = bare.nodes, model_from_nodes(bare, rest_pose(bare))
    translations = nodes.translations.copy()
    hands = [nodes.names.index(name) for name in ("hand_l", "hand_r")]
    for hand, other in zip(hands, hands[::-1], strict=True):
        across = model[other, :3, 3] - model[hand, :3, 3]
        translations[hand] += np.linalg.solve(model[nodes.parents[hand], :3, :3], across)
    posed = with_nodes(bare, translations=translations)
    assert found(posed) == ()
    (finding,) = found(renamed(posed, foot_l="foot_r", foot_r="foot_l"))
    assert finding.object.startswith("foot")


@pytest.mark.parametrize("parts", [("hand",), ("lowerarm", "hand")])
def test_exchanged_names_are_told_with_those_below(bare, parts):
    mixed = {f"{p}_{a}": f"{p}_{b}" for p in parts for a, b in ("lr", "rl")}
    told = {f.object.rpartition("_")[0] for f in found(renamed(bare, **mixed))}
    assert told == set(parts)


def test_a_skeleton_that_lies_is_told(bare):
    root = bare.nodes.names.index("root")
    rotations = bare.nodes.rotations.copy()
    back = quat.from_axis_angle((1.0, 0.0, 0.0), np.radians(-90.0))
    rotations[root] = quat.multiply(back, rotations[root])
    (finding,) = found(with_nodes(bare, rotations=rotations))
    assert finding.rule == "ORI-UPFWD"


def test_things_that_hang_on_nothing_are_no_skeleton(bare):
    flat = with_nodes(bare, children=((),) * len(bare.nodes))
    flat = replace(flat, roots=tuple(range(len(flat.nodes))), clips=())
    report = run(flat, select=RULES)
    assert report.findings == ()
    assert {reason for _, reason in report.not_evaluated} == {
        "there is no skin, and no joint below another"
    }


def test_two_skins_of_one_tree_are_one_skeleton(bare):
    """Names are looked up along the tree, whichever skin lists a joint."""
    rig = load(Path(__file__).parents[2] / "samples" / "biped.glb").rig
    (skin,) = rig.skins
    joints, binds = skin.joints, skin.joint_from_mesh
    halves = (slice(0, 20), slice(20, None))
    skins = tuple(replace(skin, joints=joints[h], inverse_binds=binds[h]) for h in halves)
    names = list(rig.nodes.names)
    names[joints[30]] = names[joints[5]]
    split = replace(with_nodes(rig, names=tuple(names)), skins=skins)
    (finding,) = run(split, select=["HIE-NAMES"]).findings
    assert "2 with the name of another joint" in finding.message
