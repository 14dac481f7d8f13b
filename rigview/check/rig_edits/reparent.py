"""Hanging nodes under other parents, mostly without moving anything at any time."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rigview.check.measures.facts import measured
from rigview.check.rig_edits.reframe import UNIFORM, animated, placed
from rigview.check.rule import Refused
from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence


def hang(rig: Rig, node: int, parent: int) -> Rig:
    """Hang a node under another parent (−1: the top of the scene), its local transform as it is."""
    old = rig.nodes.parents[node]
    if old == parent:
        return rig
    children = [
        tuple(c for c in cs if c != node) if i == old else cs
        for i, cs in enumerate(rig.nodes.children)
    ]
    roots = tuple(r for r in rig.roots if r != node)
    if parent >= 0:
        children[parent] = (*children[parent], node)
    else:
        roots = (*roots, node)
    return replace(rig, nodes=replace(rig.nodes, children=tuple(children)), roots=roots)


def reparent(rig: Rig, node: int, parent: int) -> Rig:
    """Hang a node under another parent (−1: the top of the scene), its place kept at every time.

    ``L' = P_new⁻¹·P_old·L``, and keys likewise.

    Raises
    ------
    Refused
        If the new parent lies below the node, or what lies between the two parents is animated or
        scales unequally.
    """
    return gathered(rig, (node,), parent)


def gathered(rig: Rig, nodes: Sequence[int], parent: int) -> Rig:
    """Hang some nodes under one parent, as `reparent` does one."""
    model = measured(rig).deformer.rest_nodes
    for node in nodes:
        # What is hung elsewhere keeps its place.
        rig = _reparented(rig, node, parent, model)
    return rig


def may_gather(rig: Rig, nodes: Sequence[int], parent: int) -> None:
    """Refuse what `gathered` refuses."""
    chosen, model = set(nodes), measured(rig).deformer.rest_nodes
    if any(above in chosen for node in nodes for above in rig.nodes.ancestors(node)):
        # What is between two parents depends on what was hung elsewhere before.
        gathered(rig, nodes, parent)
    else:
        asked: set[int] = set()
        for node in nodes:
            _check_above(rig, node, parent)
            old = rig.nodes.parents[node]
            if old not in asked:
                asked.add(old)
                _step(rig, old, parent, model)


def _reparented(rig: Rig, node: int, parent: int, model: FloatArray) -> Rig:
    _check_above(rig, node, parent)
    step = _step(rig, rig.nodes.parents[node], parent, model)
    return rig if step is None else hang(placed(rig, node, affine.decompose(step)), node, parent)


def _check_above(rig: Rig, node: int, parent: int) -> None:
    """Refuse a new parent that lies below the node."""
    if parent == node or (parent >= 0 and rig.nodes.is_ancestor(node, parent)):
        raise Refused(
            Sentence(
                "{joint} lies below {other}",
                joint=rig.nodes.label(parent),
                other=rig.nodes.label(node),
            )
        )


def _step(rig: Rig, old: int, parent: int, model: FloatArray) -> FloatArray | None:
    """Return ``new_from_old``, an old parent as the new one sees it; None where they are one."""
    nodes = rig.nodes
    if parent == old:
        return None
    chains = [{p, *nodes.ancestors(p)} if p >= 0 else set() for p in (old, parent)]
    moving = animated(rig, chains[0] ^ chains[1])
    if moving:
        raise Refused(
            Sentence(
                "{joint}, between the two parents, is animated", joint=nodes.label(min(moving))
            )
        )
    model_from_old = model[old] if old >= 0 else np.eye(4)
    model_from_new = model[parent] if parent >= 0 else np.eye(4)
    new_from_old = affine.inverse(model_from_new) @ model_from_old
    low, high = affine.scale_range(new_from_old)
    if high - low > UNIFORM * high or affine.determinant(new_from_old[:3, :3]) <= 0.0:
        raise Refused("the transform between the two parents scales unequally or mirrors")
    return new_from_old
