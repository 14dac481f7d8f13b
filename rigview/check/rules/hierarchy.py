"""Rules about the tree: what hangs where, and in what order."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from rigview.check.labels import part_keys, part_label, skin_label
from rigview.check.measures.soundness import BEYOND_LIST
from rigview.check.rig_edits.joint_list import (
    parent_positions,
    parents_first,
    relisted,
)
from rigview.check.rig_edits.reparent import gathered, may_gather
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb, vertices_of
from rigview.check.rules.shared.merge_findings import over_each_skin, over_meshes
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined


def skeleton_roots(rig: Rig, skin: int) -> list[int]:
    """Return the topmost joints at or above a skin's joints, in the skin's order.

    Joints of other skins count: a mesh of hair that only the head moves hangs on the whole skeleton.
    """
    return list(dict.fromkeys(rig.joint_tops[joint] for joint in rig.skins[skin].joints))


def above_skeleton(rig: Rig, skin: int) -> list[int]:
    """Return the nodes above all of a skin's topmost joints, the nearest first.

    What is above some of them only is a part of the skeleton that the skin does not list, as bones
    without weights in Collada are.
    """
    paths = [list(rig.nodes.ancestors(root)) for root in skeleton_roots(rig, skin)]
    return [node for node in paths[0] if all(node in path for path in paths)] if paths else []


@rule(
    "HIE-CYCLE",
    title="Loop in the hierarchy",
    measures="nodes with two parents, or below themselves",
    severity="error",
)
def loops(subject: Subject) -> Iterator[Finding]:
    """A node listed as the child of two parents, or below itself."""
    rig = subject.rig
    for parent, child in rig.nodes.faults:
        below = child == parent or rig.nodes.is_ancestor(child, parent)
        yield Finding(
            child,
            Sentence(
                "{joint} hangs below itself: {parent} lists it as a child"
                if below
                else "{joint} has a second parent: {parent} lists it as a child",
                joint=rig.nodes.label(child),
                parent=rig.nodes.label(parent),
            ),
            rig.nodes.label(child),
            joints=(child,),
            explanation="A skeleton must be a tree. rigview ignores this link; other programs may "
            "refuse the file or hang.",
            fix=Fix("none", reason="which of the parents was meant cannot be known"),
        )


@rule(
    BEYOND_LIST,
    title="Joint number does not exist",
    measures="influences whose joint number reaches the skin's count of joints",
    severity="error",
    needs="influences",
)
@over_meshes
def missing_joints(subject: Subject) -> Iterator[Finding]:
    """Influences that name joints beyond the skin's list."""
    rig = subject.rig
    for part in rig.parts:
        influences = rig.primitive(part).influences
        if influences is None or part.skin is None:
            continue
        joints = len(rig.skins[part.skin].joints)
        vertices = np.flatnonzero(subject.faulty(part)[BEYOND_LIST])
        if len(vertices):
            used = influences.weights[vertices] != 0.0
            worst = int(influences.joints[vertices][used].max())
            yield Finding(
                part_keys(rig)[part],
                Sentence(
                    "{vertices} {verb} joint numbers up to {worst}; the skin has {joints}",
                    vertices=count(len(vertices), "vertex"),
                    verb=verb(len(vertices), "names", "name"),
                    worst=worst,
                    joints=joints,
                ),
                part_label(rig, part),
                value=worst,
                limit=joints - 1,
                vertices=vertices_of(part, vertices),
                explanation="The weights of joints that do not exist are left out here; a graphics "
                "card reads whatever lies behind the palette.",
                fix=Fix("none", reason="the joints that were meant are unknown"),
            )


@rule(
    "HIE-PARENT",
    title="Mesh and skeleton apart",
    measures="whether the skinned mesh and the skeleton's root hang under one parent",
    severity="info",
    fix="exact",
    note=True,
    needs="skins",
    raised={"thesis": "error"},
    tree=True,
)
@over_each_skin
def shared_parent(subject: Subject) -> Iterator[Finding]:
    """The skinned mesh and the skeleton's root hang under different parents.

    In USD a skeleton is a prim, and no joint hangs anywhere but in it: there is nothing to be mended.
    """
    rig = subject.rig
    if rig.origin.format == "USD":
        return
    for skin in range(len(rig.skins)):
        roots, meshes = subject.of_rig(skeleton_roots, skin), rig.skinned_nodes[skin]
        parents = {rig.nodes.parents[root] for root in roots}
        apart = [m for m in meshes if parents != {rig.nodes.parents[m]}]
        if not roots or not apart:
            continue
        where = joined(sorted(place_label(rig, p) for p in parents), "{first} and {rest}")
        yield Finding(
            skin,
            Sentence(
                "{joint} hangs {where}, {other} {there}",
                joint=rig.nodes.label(roots[0]),
                where=where,
                other=rig.nodes.label(apart[0]),
                there=place_label(rig, rig.nodes.parents[apart[0]]),
            ),
            skin_label(rig, skin),
            joints=(*roots, *apart),
            value=len(apart),
            limit=0,
            unit="mesh",
            explanation="glTF ignores where a skinned mesh hangs. Programs that do not, and the "
            "thesis's plugin, want mesh and skeleton side by side under one parent.",
            fix=offer(
                rig,
                "exact",
                "Hang mesh and skeleton under one parent",
                partial(share_parent, skin=skin),
                trial=partial(_apart, skin=skin),
            ),
        )


def place_label(rig: Rig, parent: int) -> str:
    """Return where a parent (−1: none) lets something hang, in words."""
    if parent < 0:
        return Sentence("at the top of the scene")
    return Sentence("under {joint}", joint=rig.nodes.label(parent))


def share_parent(rig: Rig, skin: int) -> Rig:
    """Bring roots and skinned meshes of a skin under one parent, nothing moved.

    The roots go to the meshes' parent where that is one and exact; else the meshes go to the
    roots' parent, since glTF ignores their own place. In FBX no roots go to the top of the scene: Blender's
    importer makes bones of what hangs there, and bones rest without the scale of the node that was above.
    """
    return gathered(rig, *_apart(rig, skin))


def _apart(rig: Rig, skin: int) -> tuple[Sequence[int], int]:
    """Return the nodes that `share_parent` hangs elsewhere, and where."""
    roots, meshes = skeleton_roots(rig, skin), rig.skinned_nodes[skin]
    homes = {rig.nodes.parents[m] for m in meshes}
    skeleton = {node for root in roots for node in rig.nodes.subtree(root)}
    shared = _users_of(rig, skeleton) - set(meshes)
    to_top = homes == {-1} and rig.origin.format.startswith("FBX")
    if len(homes) == 1 and not shared and not to_top:
        try:
            home = homes.pop()
            may_gather(rig, roots, home)
        except Refused:
            pass
        else:
            return roots, home
    targets = {rig.nodes.parents[root] for root in roots}
    if len(targets) > 1:
        raise Refused("the skeleton has several roots under different parents")
    target = targets.pop()
    may_gather(rig, meshes, target)
    return meshes, target


def _users_of(rig: Rig, joints: set[int]) -> set[int]:
    """Return the nodes whose mesh hangs on any of some joints."""
    return {
        node
        for number, skin in enumerate(rig.skins)
        if not joints.isdisjoint(skin.joints)
        for node in rig.skinned_nodes[number]
    }


@rule(
    "HIE-ORDER",
    title="Joint listed before its parent",
    measures="joints whose place in the skin's list comes before their parent's",
    severity="warning",
    fix="exact",
    needs="skins",
    raised={"thesis": "error"},
    tree=True,
)
@over_each_skin
def joint_order(subject: Subject) -> Iterator[Finding]:
    """A joint stands in the skin's list before its parent.

    In glTF the list is the file's, and programs go by it. The other formats find joints by name or
    connection, and who reads them makes a list anew: in their files it is a note.
    """
    rig = subject.rig
    for skin in range(len(rig.skins)):
        late = _before_parent(rig, skin)
        if not late:
            continue
        first = late[0]
        yield Finding(
            skin,
            Sentence(
                "{joints} of {number} {verb} before the parent, the first is {joint}",
                joints=count(len(late), "joint"),
                number=len(rig.skins[skin].joints),
                verb=verb(len(late), "stands", "stand"),
                joint=rig.nodes.label(first),
            ),
            skin_label(rig, skin),
            joints=tuple(late),
            value=len(late),
            limit=0,
            unit="joint",
            severity=subject.unless_gltf,
            note=subject.is_note_elsewhere,
            explanation="Programs that compose joints in one pass over the list, parents first, "
            "use last frame's parent here.",
            fix=offer(
                rig,
                "exact",
                "List parents before their children",
                partial(parents_first, skin=skin),
                trial=partial(parents_first, skin=skin, reorder=relisted),
            ),
        )


def _before_parent(rig: Rig, skin: int) -> list[int]:
    parents = parent_positions(rig, skin)
    return [rig.skins[skin].joints[i] for i, parent in enumerate(parents) if parent > i]
