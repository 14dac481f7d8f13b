"""Nodes between joints made joints: listed in the skin, without any weight."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from rigview.check.hierarchy import parents_first
from rigview.check.reframe import whole_binds
from rigview.check.rule import Fix, Refused
from rigview.core import affine
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

# Directions and lengths of bones nearer than this are one.
_SAME_BONE = 1e-9


def listed(rig: Rig, nodes: Collection[int]) -> Rig:
    """List nodes in every skin that has joints above and below them, bound where they rest.

    Raises
    ------
    Refused
        If a skin has fewer inverse bind matrices than joints.
    """
    model = Deformer(rig).rest_nodes
    for number, skin in enumerate(rig.skins):
        place = {joint: i for i, joint in enumerate(skin.joints)}
        above = {
            node: next((a for a in rig.nodes.ancestors(node) if a in place), None) for node in nodes
        }
        over = {a for joint in skin.joints for a in rig.nodes.ancestors(joint)}
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
        rig = parents_first(rig, number)
    return rig


def listing(deformer: Deformer, nodes: Collection[int], label: str) -> Fix:
    """Return the fix that lists nodes; only methods that look at bones may see anything of it."""

    def repair(rig: Rig) -> Rig:
        return listed(rig, nodes)

    try:
        after = Deformer(repair(deformer.rig))
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    return Fix("exact" if _same_bones(deformer, after) else "bounded", label, repair)


def _same_bones(before: Deformer, after: Deformer) -> bool:
    for skin in before.skins:
        place = {joint: i for i, joint in enumerate(after.rig.skins[skin].joints)}
        rows = [place[joint] for joint in before.rig.skins[skin].joints]
        old, new = before.bind_bones[skin], after.bind_bones[skin]
        carries = [before.total_weights[j] > 0.0 for j in before.rig.skins[skin].joints]
        apart = np.abs(old.directions - new.directions[rows])[carries].max(initial=0.0)
        longer = np.abs(old.lengths - new.lengths[rows])[carries].max(initial=0.0)
        if apart > _SAME_BONE or longer > _SAME_BONE * float(old.lengths.max(initial=0.0)):
            return False
    return True
