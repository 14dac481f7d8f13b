"""Nodes that show one mesh on one skin are measured once, and what one of them shows is all found."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rigs

from rigview.check.measures.instances import repeated_nodes
from rigview.check.run import run
from rigview.core.clip import Channel, Clip
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io import load

BROKEN = Path(__file__).parents[2] / "samples" / "broken"
RULES = ("DEF-VOLUME", "DEF-INTERSECT", "MSH-BOUNDS", "MSH-WINDING", "WGT-SEAM", "WGT-STRAY")
RULES += ("WGT-SUM", "WGT-SYM", "WGT-ZERO")


def sample(rule: str) -> Rig:
    return load(BROKEN / f"{rule}.glb").rig


def instanced(rig: Rig, times: int) -> Rig:
    """Return a rig whose skinned meshes are each shown by several nodes, side by side."""
    names, children = list(rig.nodes.names), list(map(list, rig.nodes.children))
    meshes, skins, roots = list(rig.node_meshes), list(rig.node_skins), list(rig.roots)
    for node in [n for n, skin in enumerate(rig.node_skins) if skin is not None]:
        parent = rig.nodes.parents[node]
        for number in range(times - 1):
            (roots if parent < 0 else children[parent]).append(len(names))
            names.append(f"{rig.nodes.names[node]} {number}")
            children.append([])
            meshes.append(rig.node_meshes[node])
            skins.append(rig.node_skins[node])
    more = len(names) - len(rig.nodes)
    nodes = Nodes(
        tuple(names),
        tuple(map(tuple, children)),
        np.concatenate([rig.nodes.translations, np.zeros((more, 3))]),
        np.concatenate([rig.nodes.rotations, np.tile([0.0, 0.0, 0.0, 1.0], (more, 1))]),
        np.concatenate([rig.nodes.scales, np.ones((more, 3))]),
        rig.nodes.matrices,
    )
    return replace(
        rig,
        nodes=nodes,
        node_meshes=tuple(meshes),
        node_skins=tuple(skins),
        roots=tuple(roots),
    )


def copies(rig: Rig) -> Rig:
    return instanced(rig, 3)


@pytest.mark.parametrize("rule", RULES)
def test_three_nodes_that_show_one_mesh_have_the_findings_of_one(rule):
    def findings(rig):
        return [
            (f.rule, f.message, f.value, f.joints, f.object)
            for f in run(rig).findings
            # Two of the three are not where the mesh was, which is another finding.
            if not f.rule.startswith("HIE-")
        ]

    rig = sample(rule)
    assert findings(copies(rig)) == findings(rig)


def test_more_nodes_that_show_a_mesh_have_no_vertex_skinned_more_often(skinned):
    def work(rig):
        skinned.clear()
        run(rig, select=["DEF-COLLAPSE", "DEF-VOLUME", "MSH-BOUNDS"])
        return sum(skinned)

    # One that no other test has measured.
    rig = replace(sample("DEF-VOLUME"))
    alone = work(rig)
    assert alone > 0
    assert work(copies(rig)) == alone


def test_nodes_of_one_shape_are_repeated_and_those_of_another_are_not():
    rig = copies(rigs.make(rigs.Recipe(morphs=2)))
    shown = [n for n, skin in enumerate(rig.node_skins) if skin is not None]
    first, second, third = shown
    bare = replace(rig, node_morph_weights={})
    assert repeated_nodes(bare) == {second, third}
    other = replace(bare, node_morph_weights={second: np.array([1.0, 0.0])})
    assert repeated_nodes(other) == {third}
    moved = Channel(third, "weights", Sampler(np.array([0.0, 1.0]), np.zeros((2, 2))))
    animated = replace(bare, clips=(Clip("smile", (moved,)),))
    assert repeated_nodes(animated) == {second}
    assert repeated_nodes(replace(bare, hidden=frozenset({first}))) == {third}
    skin = replace(rig.skins[0], joints=rig.skins[0].joints[::-1])
    skins = tuple(1 if n == second else s for n, s in enumerate(bare.node_skins))
    reversed_ = replace(bare, skins=(*bare.skins, skin), node_skins=skins)
    assert repeated_nodes(reversed_) == {third}
    whole = bare.meshes[0].primitives[0]
    assert repeated_nodes(bare.with_primitive(0, 0, replace(whole, influences=None))) == frozenset()
