"""Rules about the hierarchy: names in one skeleton and in two, and skins of parts of one."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import ARMATURE, HAND, HEAD, HIPS, run

from rigview.check.applying.repair import repair
from rigview.check.rig_edits.reparent import hang
from rigview.core.nodes import Nodes


def twins():
    """Return a character and its like in one file, each with a skin of its own."""
    rig = rigs.tidy()
    count, nodes = len(rig.nodes), rig.nodes
    children = (*nodes.children, *(tuple(c + count for c in cs) for cs in nodes.children))
    doubled = Nodes(
        nodes.names * 2,
        children,
        *(np.concatenate([a, a]) for a in (nodes.translations, nodes.rotations, nodes.scales)),
    )
    (skin,) = rig.skins
    return replace(
        rig,
        nodes=doubled,
        node_meshes=rig.node_meshes * 2,
        node_skins=(*rig.node_skins, *(None if s is None else 1 for s in rig.node_skins)),
        roots=(*rig.roots, *(r + count for r in rig.roots)),
        skins=(skin, replace(skin, joints=tuple(j + count for j in skin.joints))),
    )


def test_two_characters_of_one_make_may_have_the_same_names():
    (finding,) = run(twins(), select=["HIE-NAMES"]).findings
    assert finding.severity == "info"
    assert finding.message == "12 joints of 12 have the name of a joint of another skeleton"
    assert finding.fix.on_request
    repaired = finding.fix.repair(twins())
    assert run(repaired, select=["HIE-NAMES"]).findings == ()


def test_a_name_twice_in_one_skeleton_is_worse():
    rig = twins()
    names = list(rig.nodes.names)
    names[HAND] = names[HEAD]
    (finding,) = run(rigs.with_nodes(rig, names=tuple(names)), select=["HIE-NAMES"]).findings
    assert finding.severity is None
    assert "2 with the name of another joint" in finding.message
    assert not finding.fix.on_request


def test_a_part_of_the_skeleton_with_a_skin_of_its_own_hangs_on_the_whole():
    rig = rigs.tidy()
    hair = replace(
        rig.skins[0], name="Hair", joints=(HEAD,), inverse_binds=rig.skins[0].inverse_binds[3:4]
    )
    mesh = replace(rig.meshes[0], name="Hair")
    rig = replace(
        rig,
        skins=(*rig.skins, hair),
        meshes=(*rig.meshes, mesh),
        node_meshes=(1, *rig.node_meshes[1:]),
        node_skins=(1, *rig.node_skins[1:]),
    )
    rig = rigs.with_influences(
        rig, joints=0 * rig.meshes[1].primitives[0].influences.joints, mesh=1
    )
    found = run(rig, "thesis", select=["HIE-PARENT"]).findings
    # The armature itself shows the hair, at the top of the scene: only that hangs apart.
    assert [(f.joints, f.object) for f in found] == [((HIPS, ARMATURE), "Hair")]


@pytest.mark.parametrize(("form", "moved"), [("glTF", "roots"), ("FBX 7.4 binary", "mesh")])
def test_an_fbx_skeleton_does_not_go_to_the_top_of_the_scene(form, moved):
    rig = rigs.tidy()
    (skinned,) = rig.skinned_nodes[0]
    rig = hang(rig, skinned, -1)
    rig = replace(rig, origin=replace(rig.origin, format=form))
    made = repair(rig, rules=["HIE-PARENT"]).rig.nodes.parents
    home = -1 if moved == "roots" else ARMATURE
    assert (made[HIPS], made[skinned]) == (home, home)
