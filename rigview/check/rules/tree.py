"""Rules about what hangs between the top of the scene, the skeleton and the mesh."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import measured
from rigview.check.rig_edits.listing import listing
from rigview.check.rig_edits.reframe import (
    FrameTurn,
    animated,
    carries_mesh,
    may_reframe,
    reframe,
    with_node,
)
from rigview.check.rig_edits.reparent import gathered, hang, may_gather
from rigview.check.rule import Finding, Fix, Refused, Subject, count, offer, rule, verb
from rigview.check.rules.channels import only_skinned
from rigview.check.rules.hierarchy import skeleton_roots
from rigview.check.rules.shared.merge_findings import over_meshes, over_nodes
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.nodes import ADDED, Nodes
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined

# Transforms nearer to the identity than this are rounding.
_IDENTITY = 1e-5
_MEANING = "how far a transform is from none, lengths in sizes"
MESH_TRANSFORM = Limit("HIE-MESH-XFORM", _IDENTITY, "", _MEANING)
GAP = Limit("HIE-GAP.transform", _IDENTITY, "", _MEANING)
# An armature turned less than this is one that an exporter has rounded.
TURNED = Limit(GAP.key_of("turn"), 1.0, "°", "how far a node above a skeleton is turned")


@rule(
    "HIE-ROOT",
    title="Several roots",
    measures="joints of one skin that hang under no common node",
    severity="error",
    fix="exact",
    needs="skins",
    tree=True,
)
def scattered(subject: Subject) -> Iterator[Finding]:
    """Joints of one skin that hang under no common node."""
    rig = subject.rig
    for skin in range(len(rig.skins)):
        found = tops(rig, skin)
        if len(found) < 2:
            continue
        yield Finding(
            skin,
            Sentence(
                "{joints} hang at the top of the scene, with no node above them all: {names}",
                joints=count(len(found), "joint"),
                names=", ".join(rig.nodes.label(t) for t in found[:4]),
            ),
            skin_label(rig, skin),
            joints=tuple(found),
            value=len(found),
            limit=1,
            unit="root",
            explanation="glTF asks for one node above all joints of a skin. Engines move a character by "
            "that node, and import one skeleton per root.",
            fix=offer(rig, "exact", "Put a root above all joints", partial(add_root, skin=skin)),
        )


def tops(rig: Rig, skin: int) -> list[int]:
    """Return the nodes at the top of the scene that hold a skin's joints, themselves included."""
    return list(dict.fromkeys(rig.nodes.tops[joint] for joint in rig.skins[skin].joints))


def add_root(rig: Rig, skin: int) -> Rig:
    """Hang the trees of a skin's joints, and its meshes from the top, under a new identity node."""
    hung = tops(rig, skin)
    if len(hung) < 2:
        return rig
    hung += [m for m in rig.skinned_nodes[skin] if rig.nodes.parents[m] < 0 and m not in hung]
    name, number = "root", 1
    while name in rig.nodes.names:
        number += 1
        name = f"root_{number}"
    grown, new = with_node(rig, name, -1, np.eye(4))
    for node in hung:
        grown = hang(grown, node, new)
    return grown


def shared_above(rig: Rig, skin: int, mesh_node: int) -> int:
    """Return the lowest node above a skinned mesh and its skeleton alike, −1 for the scene."""
    roots = measured(rig).of_rig(skeleton_roots, skin)
    chains = [{root, *rig.nodes.ancestors(root)} for root in roots]
    for node in (mesh_node, *rig.nodes.ancestors(mesh_node)):
        if all(node in chain for chain in chains):
            return node
    return -1


def _off_none(linear: FloatArray, way: FloatArray, size: float) -> float:
    """Return how far a transform is from none.

    Parameters
    ----------
    linear
        ``(3, 3)`` how it turns and scales.
    way
        ``(3,)`` where it moves to in model space, whatever units the nodes count in, of which `size` is 1.
    """
    turned = float(np.abs(linear - np.eye(3)).max())
    return max(turned, float(np.linalg.norm(way)) / size)


@rule(
    MESH_TRANSFORM,
    title="Mesh has a transform of its own",
    measures="the transform between a skinned mesh and the parent that it shares with its skeleton",
    severity="warning",
    fix="exact",
    needs="skins",
    tree=True,
)
@over_meshes
def mesh_transforms(subject: Subject) -> Iterator[Finding]:
    """A transform between a skinned mesh and the parent it shares with its skeleton.

    Programs disagree about it in glTF only. The other formats state where a mesh stood when it was
    bound, and all programs take it from there: in their files it is a note, what will be said of a
    glTF made of them.
    """
    rig = subject.rig
    model = subject.deformer.rest_nodes
    for skin in range(len(rig.skins)):
        if not rig.skins[skin].joints:
            continue
        hung = {node: shared_above(rig, skin, node) for node in rig.skinned_nodes[skin]}
        hung = {node: shared for node, shared in hung.items() if shared != node}
        own, over = list(hung), np.array(list(hung.values()), dtype=np.int64)
        above = np.where(over[:, None, None] >= 0, model[over], np.eye(4))
        linear = (affine.inverse(above) @ model[own])[:, :3, :3]
        ways = model[own, :3, 3] - above[:, :3, 3]
        for i, (node, shared) in enumerate(hung.items()):
            off = _off_none(linear[i], ways[i], subject.facts.size_of(skin))
            chain = [node, *rig.nodes.ancestors(node)]
            chain = chain[: chain.index(shared)] if shared >= 0 else chain
            # That a clip moves a skinned mesh itself is for ANI-TARGET to say.
            moving = animated(rig, [n for n in chain if n not in subject.of_rig(only_skinned)])
            if off <= subject.limit(MESH_TRANSFORM) and not moving:
                continue
            animates = "{joint} is animated against the parent it shares with its skeleton"
            stands = (
                "{joint} is moved, turned or scaled against the parent it shares with its skeleton"
            )
            yield Finding(
                node,
                Sentence(animates if moving else stands, joint=rig.nodes.label(node)),
                rig.nodes.label(node),
                joints=(node,),
                value=off,
                limit=subject.limit(MESH_TRANSFORM),
                severity=subject.unless_gltf,
                note=subject.is_note_elsewhere,
                explanation="glTF ignores where a skinned mesh hangs, and rigview does; programs that "
                "do not show the mesh elsewhere than its skeleton.",
                fix=offer(
                    rig,
                    "exact",
                    "Drop the mesh's own transform",
                    partial(drop_transform, node=node),
                ),
            )


def drop_transform(rig: Rig, node: int) -> Rig:
    """Hang a skinned mesh without any transform under the parent it shares with its skeleton.

    Raises
    ------
    Refused
        If the node shows something that no joint moves, has children, or is animated.
    """
    skin = rig.node_skins[node]
    if skin is None or carries_mesh(rig, node):
        raise Refused(
            Sentence("{joint} shows something that no joint moves", joint=rig.nodes.label(node))
        )
    if rig.nodes.sound_children[node]:
        raise Refused(
            Sentence("{joint} has children that would move with it", joint=rig.nodes.label(node))
        )
    if animated(rig, [node]):
        raise Refused(Sentence("{joint} is animated", joint=rig.nodes.label(node)))
    shared = shared_above(rig, skin, node)
    hung = hang(rig, node, shared)
    nodes = hung.nodes
    matrices = {n: m for n, m in nodes.matrices.items() if n != node}
    translations, rotations = nodes.translations.copy(), nodes.rotations.copy()
    scales = nodes.scales.copy()
    translations[node], rotations[node], scales[node] = 0.0, quat.IDENTITY, 1.0
    still = Nodes(nodes.names, nodes.children, translations, rotations, scales, matrices)
    return replace(hung, nodes=still).made_of(hung)


@rule(
    GAP,
    TURNED,
    title="Node between joints",
    measures="transforms of nodes that are no joints, between joints or turned above them",
    severity="warning",
    fix="exact",
    needs="skins",
    tree=True,
)
def gaps(subject: Subject) -> Iterator[Finding]:
    """Nodes with a transform that are no joints, between joints, or turned above them.

    A node above the skeleton that is turned by quarter turns, as from Z up to Y up, is a note.
    """
    off = _transforms_between(subject)
    bones = {node: far for node, far in off.items() if node in subject.rig.bones}
    yield from _stray_nodes(subject)
    if bones:
        yield _unlisted(subject, bones)
    yield from _turned_armatures(subject)


def _transforms_between(subject: Subject) -> dict[int, float]:
    """Return how far from none the transform of each node between joints is, where it is or moves."""
    rig = subject.rig
    between = _between(rig)
    local = rig.nodes.local_matrices() if between else np.zeros(0)
    heads = subject.deformer.rest_nodes[:, :3, 3]
    found: dict[int, float] = {}
    for node in between:
        way = heads[node] - heads[rig.nodes.parents[node]]
        off = _off_none(local[node, :3, :3], way, float(subject.facts.sizes[node]))
        if off > subject.limit(GAP) or animated(rig, [node]):
            found[node] = off
    return found


@over_nodes
def _stray_nodes(subject: Subject) -> Iterator[Finding]:
    """Yield a finding for each node between joints that the file calls no bone."""
    rig = subject.rig
    for node, off in _transforms_between(subject).items():
        if node in rig.bones:
            continue
        below = _below(rig, node)
        turned = "{joint}, which is no joint, stands between joints and has a transform"
        moves = "{joint}, which is no joint, stands between joints and moves in a clip"
        yield Finding(
            node,
            Sentence(turned if off > subject.limit(GAP) else moves, joint=rig.nodes.label(node)),
            rig.nodes.label(node),
            joints=(node, *below),
            value=off,
            limit=subject.limit(GAP),
            # What a reader adds is no fault of the file; a glTF made of it has such a node, though.
            severity=subject.unless_gltf if rig.nodes.names[node].endswith(ADDED) else None,
            note=rig.nodes.names[node].endswith(ADDED),
            explanation="Programs that read joints only leave its transform out, and everything below "
            "it moves.",
            fix=_bridge(subject, node, below),
        )


def _bridge(subject: Subject, node: int, below: list[int]) -> Fix:
    """Return the fix of a node between joints: past it, else, where that moves something, over it."""
    rig, name = subject.rig, subject.rig.nodes.label(node)
    past = Sentence("Hang {joints} past {node}", joints=count(len(below), "joint"), node=name)
    trial = partial(_may_fold, node=node)
    folded = offer(rig, "exact", past, partial(fold, node=node), trial=trial)
    if folded.kind != "none":
        return folded
    made = listing(subject.deformer, (node,), Sentence("List {node} among the joints", node=name))
    return folded if made.kind == "none" else made


def _unlisted(subject: Subject, bones: dict[int, float]) -> Finding:
    """Return what is to be said of bones between joints that no skin lists."""
    rig, first = subject.rig, max(bones, key=lambda node: bones[node])
    number = len(bones)
    stand = verb(number, "stands between joints and is", "stand between joints and are")
    return Finding(
        first,
        Sentence(
            "{bones} {verb} in no skin, the first is {joint}",
            bones=count(number, "bone"),
            verb=stand,
            joint=rig.nodes.label(first),
        ),
        rig.nodes.label(first),
        joints=tuple(sorted(bones, key=lambda node: -bones[node])),
        value=bones[first],
        limit=subject.limit(GAP),
        # The file calls them bones all the same; in a glTF only the list of a skin does.
        severity=subject.unless_gltf,
        note=subject.is_note_elsewhere,
        explanation="The file calls them bones, but no vertex follows them. In a glTF made of it they are "
        "plain nodes, and programs that read joints only leave them out.",
        fix=listing(
            subject.deformer,
            tuple(bones),
            Sentence("List {bones} in the skin", bones=count(number, "bone")),
        ),
    )


def _between(rig: Rig) -> list[int]:
    """Return the nodes that are no joints, but have joints above and below."""
    parents = rig.nodes.parents
    found: set[int] = set()
    for joint, above in rig.joint_parents.items():
        node = parents[joint]
        while above >= 0 and node != above:
            found.add(node)
            node = parents[node]
    return sorted(found)


def _leading_to_joints(rig: Rig) -> set[int]:
    """Return the joints and all nodes above them."""
    return rig.nodes.with_ancestors(rig.joints)


def fold(rig: Rig, node: int) -> Rig:
    """Hang the joints below a node under the node's parent, the node's transform taken over."""
    return gathered(rig, _below(rig, node), rig.nodes.parents[node])


def _may_fold(rig: Rig, node: int) -> None:
    may_gather(rig, _below(rig, node), rig.nodes.parents[node])


def _below(rig: Rig, node: int) -> list[int]:
    """Return the nodes right below a node that are joints or lead to some."""
    leading = measured(rig).of_rig(_leading_to_joints)
    return [child for child in rig.nodes.sound_children[node] if child in leading]


@over_nodes
def _turned_armatures(subject: Subject) -> Iterator[Finding]:
    """Say which nodes above the skeletons are turned; scale is the business of the rules about it."""
    rig = subject.rig
    roots = [
        root for skin in range(len(rig.skins)) for root in subject.of_rig(skeleton_roots, skin)
    ]
    above = sorted({node for root in roots for node in rig.nodes.ancestors(root)})
    rotations, _ = affine.polar(rig.nodes.local_matrices()[above, :3, :3])
    turns = quat.angle_between(np.array(quat.IDENTITY), quat.from_matrix(rotations))
    angles = dict(zip(above, turns.tolist(), strict=True))
    seen: set[int] = set()
    for skin in range(len(rig.skins)):
        for root in subject.of_rig(skeleton_roots, skin):
            turned = [
                (angles[node], node)
                for node in rig.nodes.ancestors(root)
                if np.degrees(angles[node]) > subject.limit(TURNED)
            ]
            worst = max(turned, default=None)
            if worst is None or worst[1] in seen:
                continue
            seen.add(worst[1])
            yield Finding(
                worst[1],
                Sentence(
                    "{joint}, above the skeleton, is turned by {angle:.0f}°",
                    joint=rig.nodes.label(worst[1]),
                    angle=np.degrees(worst[0]),
                ),
                rig.nodes.label(worst[1]),
                joint=rig.nodes.label(worst[1]),
                joints=tuple(n for _, n in turned),
                value=float(np.degrees(worst[0])),
                limit=subject.limit(TURNED),
                unit="°",
                severity="info",
                note=_lies_along_axes(rig, worst[1], np.radians(subject.limit(TURNED))),
                explanation=joined(_turn_words(rig, worst[1]), "{first} {rest}"),
                fix=offer(
                    rig,
                    "exact",
                    "Turn the joints instead of the armature",
                    partial(straighten, root=root),
                    trial=partial(_may_straighten, root=root),
                ),
            )


def _lies_along_axes(rig: Rig, node: int, limit: float) -> bool:
    """Return whether a node is turned by quarter turns, as from Z up to Y up, to within an angle."""
    turned, _ = affine.polar(rig.nodes.local_matrices()[[node], :3, :3])
    steps = quat.from_matrix(np.swapaxes(affine.quarter_turns(), 1, 2) @ turned)
    return bool(quat.angle_between(np.array(quat.IDENTITY), steps).min() <= limit)


def _turn_words(rig: Rig, node: int) -> list[str]:
    """Return what comes of a node's turn, after what it is where it leads from Z up to Y up, or back."""
    turned, _ = affine.polar(rig.nodes.local_matrices()[[node], :3, :3])
    lies = abs(float(turned[0, 1, 2])) > np.cos(np.radians(TURNED.default))
    what = [Sentence("This is the turn between Z up and Y up.")] if lies else []
    lost = Sentence(
        "Programs that read joints only, or reset the armature, show the character without this turn."
    )
    return [*what, lost]


def _may_straighten(rig: Rig, root: int) -> None:
    may_reframe(rig, _straightening(rig, root))


def straighten(rig: Rig, root: int) -> Rig:
    """Take the turns of all nodes above a root joint over into what hangs under them.

    Raises
    ------
    Refused
        If one of them scales unequally or mirrors, shows a mesh of its own, or is animated.
    """
    return reframe(rig, _straightening(rig, root))


def _straightening(rig: Rig, root: int) -> dict[int, FrameTurn]:
    above = list(rig.nodes.ancestors(root))
    moving = animated(rig, above)
    if moving:
        raise Refused(Sentence("{joint} is animated", joint=rig.nodes.label(min(moving))))
    facts = measured(rig)
    model, (low, high) = facts.deformer.rest_nodes, facts.scales
    for node in above:
        stretched = high[node] - low[node] > _IDENTITY * high[node]
        if stretched or affine.determinant(model[node][:3, :3]) <= 0.0:
            raise Refused(
                Sentence("{joint} scales unequally or mirrors", joint=rig.nodes.label(node))
            )
    back = quat.conjugate(facts.turns[above])
    return {node: FrameTurn(turn) for node, turn in zip(above, back, strict=True)}
