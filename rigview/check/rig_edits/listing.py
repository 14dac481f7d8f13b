"""Nodes between joints made joints: listed in the skin, without any weight."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.measures.facts import measured
from rigview.check.measures.same_bones import same_bones
from rigview.check.rig_edits.joint_list import parents_first, relisted, reorder_joints
from rigview.check.rig_edits.reframe import whole_binds
from rigview.check.rule import Fix, FixClass, Refused
from rigview.core import affine
from rigview.core.deform import Deformer
from rigview.core.rig import Rig


def listed(
    rig: Rig,
    nodes: Collection[int],
    reorder: Callable[[Rig, int, list[int]], Rig] = reorder_joints,
) -> Rig:
    """List nodes in every skin that has joints above and below them, bound where they rest.

    Parameters
    ----------
    reorder
        As of `parents_first`.

    Raises
    ------
    Refused
        If a skin has fewer inverse bind matrices than joints.
    """
    model = measured(rig).deformer.rest_nodes
    for number, skin in enumerate(rig.skins):
        place = {joint: i for i, joint in enumerate(skin.joints)}
        above = {
            node: next((a for a in rig.nodes.ancestors(node) if a in place), None) for node in nodes
        }
        over = rig.nodes.with_ancestors(rig.nodes.parents[joint] for joint in skin.joints)
        new = {n: a for n, a in above.items() if a is not None and n in over and n not in place}
        if not new:
            continue
        binds = whole_binds(skin)
        rows = [
            affine.inverse(model[node]) @ model[upper] @ binds[place[upper]]
            for node, upper in new.items()
        ]
        grown = replace(
            skin,
            joints=(*skin.joints, *new),
            inverse_binds=np.concatenate([binds, np.array(rows)]),
        )
        rig = rig.with_skin(number, grown)
        # Parents that stood behind their children before are the business of HIE-ORDER.
        rig = parents_first(rig, number, reorder)
    return rig


def listing(deformer: Deformer, nodes: Collection[int], label: str) -> Fix:
    """Return the fix that lists nodes; only methods that look at bones may see anything of it."""
    try:
        longer = listed(deformer.rig, nodes, relisted)
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    kind: FixClass = "exact" if same_bones(deformer, longer) else "bounded"
    return Fix(kind, label, partial(listed, nodes=nodes))
