"""What a camera frames: characters and what they carry, not the scenery around them."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.core.deform import Deformer
from rigview.core.mesh import MorphTargets
from rigview.render.framing import reach, visible_points

WITH_PROP = rigs.Recipe(seed=3, prop=True)


def put_down(rig):
    """Return the rig with its prop beside the character, ten metres away, where a joint carried it."""
    prop, nodes = rig.nodes.names.index("Prop"), rig.nodes
    children = tuple(tuple(c for c in below if c != prop) for below in nodes.children)
    translations = nodes.translations.copy()
    translations[prop] = (10.0, 0.0, 0.0)
    nodes = replace(nodes, children=children, translations=translations)
    return replace(rig, nodes=nodes, roots=(*rig.roots, prop))


def test_what_stands_around_a_character_is_not_framed():
    without = Deformer(rigs.make(replace(WITH_PROP, prop=False)))
    deformer = Deformer(put_down(rigs.make(WITH_PROP)))
    points = visible_points(deformer, deformer.rest)
    assert len(points) == len(visible_points(without, without.rest))
    every = visible_points(deformer, deformer.rest, scenery=True)
    assert len(every) > len(points)
    assert reach(without, without.rest, visible_points(without, without.rest)) is None
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    far = np.linalg.norm(every - middle, axis=1).max()
    assert reach(deformer, deformer.rest, points) == pytest.approx(far)


def test_what_a_joint_carries_is_framed():
    deformer = Deformer(rigs.make(WITH_PROP))
    points = visible_points(deformer, deformer.rest)
    assert len(points) == len(visible_points(deformer, deformer.rest, scenery=True))
    assert reach(deformer, deformer.rest, points) is None


def test_a_body_of_morph_targets_alone_is_framed():
    rig = put_down(rigs.make(WITH_PROP))
    mesh = rig.node_meshes[rig.nodes.names.index("Prop")]
    prop = rig.meshes[mesh].primitives[0]
    morphs = MorphTargets(np.ones((1, len(prop.positions), 3)))
    deformer = Deformer(rig.with_primitive(mesh, 0, replace(prop, morphs=morphs)))
    points = visible_points(deformer, deformer.rest)
    assert len(points) == len(visible_points(deformer, deformer.rest, scenery=True))


def test_without_a_skinned_mesh_all_is_framed():
    rig = put_down(rigs.make(WITH_PROP))
    prop = rig.nodes.names.index("Prop")
    alone = replace(
        rig, node_meshes=tuple(m if n == prop else None for n, m in enumerate(rig.node_meshes))
    )
    deformer = Deformer(alone)
    assert len(visible_points(deformer, deformer.rest)) > 0
