"""Giving nodes other local frames without moving a single vertex."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from rigview.check.measures.curves import curves
from rigview.check.measures.facts import Facts, measured
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.nodes import Nodes
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Path
from rigview.core.sentence import Sentence

# Scale components nearer to each other than this are one number that float32 has rounded.
UNIFORM = 1e-5


KeyChange = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class FrameTurn:
    """A new frame for a node as seen from its old one: rotation, then uniform scale."""

    rotation: FloatArray
    scale: float = 1.0

    @property
    def matrix(self) -> FloatArray:
        """``(4, 4)`` ``old_from_new``."""
        return affine.compose(np.zeros(3), self.rotation, np.full(3, self.scale))

    @property
    def turns(self) -> bool:
        """Whether the axes change direction."""
        return abs(abs(float(self.rotation[3])) - 1.0) > 1e-15


_SAME = FrameTurn(np.array(quat.IDENTITY))


def rotations(each: Mapping[int, FloatArray]) -> dict[int, FrameTurn]:
    """Return the new frames of nodes that are turned only, by rotations ``(4,)`` ``old_from_new``."""
    return {node: FrameTurn(rotation) for node, rotation in each.items()}


def reframe(rig: Rig, turns: dict[int, FrameTurn]) -> Rig:
    """Give nodes the new frames ``W' = W·A``; everything else keeps its place at every time.

    Nodes that only show skinned meshes get the frame of their parent, so that they hang as they did:
    what joints move does not depend on it (glTF 2.0 §3.7.3.3), and other programs see no new transform.

    1. Each local transform becomes ``L' = A_parent⁻¹·L·A``, so also children of a turned node.
    2. Keys and tangents change likewise: translations by the linear map of the parent, rotations
       by multiplication from both sides, scales by a factor; all three keep interpolation exact.
    3. Each inverse bind matrix becomes ``B' = A⁻¹·B``, so skin matrices ``W'·B'`` are what they were.

    Raises
    ------
    Refused
        If a node to be turned ever has unequal scale: it would shear. If it carries a mesh that
        moves with it. If its inverse bind matrix is missing (`whole_binds`).
    """
    turns = may_reframe(rig, turns)
    nodes = rig.nodes
    translations, rotations = nodes.translations.copy(), nodes.rotations.copy()
    scales, matrices = nodes.scales.copy(), dict(nodes.matrices)
    touched = {c for n in turns for c in nodes.sound_children[n]} | set(turns)
    above = {n: turns.get(nodes.parents[n], _SAME) for n in touched}
    for n in touched:
        up, own = above[n], turns.get(n, _SAME)
        translations[n] = quat.rotate(quat.conjugate(up.rotation), translations[n]) / up.scale
        rotations[n] = _between(up, rotations[n], own)
        scales[n] = scales[n] * (own.scale / up.scale)
        if n in matrices:
            matrices[n] = affine.inverse(up.matrix) @ matrices[n] @ own.matrix

    def key_change(node: int, path: Path) -> KeyChange | None:
        up, own = above[node], turns.get(node, _SAME)
        if path == "translation":
            return lambda v: quat.rotate(quat.conjugate(up.rotation), v) / up.scale
        if path == "rotation":
            return lambda v: _between(up, v, own)
        return (lambda v: v * (own.scale / up.scale)) if path == "scale" else None

    skins = tuple(_reframed_skin(skin, turns) for skin in rig.skins)
    return replace(
        rig,
        nodes=Nodes(nodes.names, nodes.children, translations, rotations, scales, matrices),
        skins=skins,
        clips=map_keys(rig.clips, touched, key_change),
    ).made_of(rig)


def may_reframe(rig: Rig, turns: dict[int, FrameTurn]) -> dict[int, FrameTurn]:
    """Return the turns that `reframe` makes: those asked for, and of what rides along.

    Raises
    ------
    Refused
        Where `reframe` does.
    """
    stretched = measured(rig).once(stretching)
    turns = _riders(rig, turns, stretched) | turns
    for node, turn in turns.items():
        if carries_mesh(rig, node):
            raise Refused(
                Sentence(
                    "{joint} carries a mesh that would turn or scale with it",
                    joint=rig.nodes.label(node),
                )
            )
        if turn.turns and node in stretched:
            raise Refused(
                Sentence(
                    "{joint} has unequal scale, which a turn would shear",
                    joint=rig.nodes.label(node),
                )
            )
    for skin in rig.skins:
        if not turns.keys().isdisjoint(skin.joints):
            whole_binds(skin)
    return turns


def _riders(
    rig: Rig, turns: dict[int, FrameTurn], stretched: Collection[int]
) -> dict[int, FrameTurn]:
    """Return the nodes under turned ones that show skinned meshes and nothing else, as they turn."""
    return {
        child: turn
        for node, turn in turns.items()
        for child in rig.nodes.sound_children[node]
        if rig.node_meshes[child] is not None
        and not rig.nodes.sound_children[child]
        and child not in rig.joints
        and not carries_mesh(rig, child)
        and child not in stretched
    }


def carries_mesh(rig: Rig, node: int) -> bool:
    """Tell whether a node shows anything that no joint moves, and that so moves with the node."""
    mesh, skin = rig.node_meshes[node], rig.node_skins[node]
    if mesh is None:
        return False
    skinned = skin is not None and bool(rig.skins[skin].joints)
    return not skinned or any(p.influences is None for p in rig.meshes[mesh].primitives)


def _between(up: FrameTurn, rotation: FloatArray, own: FrameTurn) -> FloatArray:
    """Return ``A_parent⁻¹ · rotation · A``."""
    return quat.multiply(quat.multiply(quat.conjugate(up.rotation), rotation), own.rotation)


def _reframed_skin(skin: Skin, turns: dict[int, FrameTurn]) -> Skin:
    if not any(joint in turns for joint in skin.joints):
        return skin
    binds = whole_binds(skin)
    for i, joint in enumerate(skin.joints):
        if joint in turns:
            binds[i] = affine.inverse(turns[joint].matrix) @ binds[i]
    return replace(skin, inverse_binds=binds)


def whole_binds(skin: Skin) -> FloatArray:
    """Return a copy ``(J, 4, 4)`` of all inverse bind matrices; identities where the file has none.

    Raises
    ------
    Refused
        If there are fewer than joints: to write the missing ones would hide that they are unknown.
    """
    if skin.inverse_binds is not None and len(skin.inverse_binds) < len(skin.joints):
        raise Refused("the skin has fewer inverse bind matrices than joints")
    return skin.joint_from_mesh.copy()


def map_keys(
    clips: tuple[Clip, ...],
    nodes: Collection[int],
    change: Callable[[int, Path], KeyChange | None],
) -> tuple[Clip, ...]:
    """Apply to the values and tangents of all channels of some nodes the function that `change` gives."""
    return tuple(_mapped(clip, nodes, change) for clip in clips)


def _mapped(
    clip: Clip, nodes: Collection[int], change: Callable[[int, Path], KeyChange | None]
) -> Clip:
    moved = clip.moves.intersection(nodes)
    if not moved or all(
        change(node, path) is None for node, path in clip.properties if node in moved
    ):
        return clip

    def changed(channel: Channel) -> Channel:
        function = None if channel.node is None else change(channel.node, channel.path)
        return channel if function is None else _with_values(channel, function)

    return clip.with_values(nodes, changed)


def _with_values(channel: Channel, function: KeyChange) -> Channel:
    sampler = channel.sampler
    changed = replace(sampler, values=function(sampler.values))
    return replace(channel, sampler=changed)


def keyed_scales(rig: Rig, node: int, *, tangents: bool = False) -> FloatArray:
    """Return ``(n, 3)``: the rest scale of a node, and its keys of all clips, with tangents if asked."""
    curves = (clip.curve(node, "scale") for clip in rig.clips)
    keyed = (c.values if tangents else c.keys for c in curves if c is not None)
    return np.concatenate([rig.nodes.scales[node][None], *(rows.reshape(-1, 3) for rows in keyed)])


def stretching(facts: Facts) -> frozenset[int]:
    """Return the nodes that do not scale all their axes alike, at rest or in a clip; for `Facts.once`."""
    nodes, keyed = facts.rig.nodes, facts.of_rig(curves)["scale"]
    apart, size = _spread(nodes.scales), np.abs(nodes.scales).max(axis=1)
    # Curves that are played as they are and have no tangents are looked at together.
    plain = keyed.sound & keyed.played & ~keyed.bent
    moved = keyed.nodes[plain]
    np.maximum.at(apart, moved, keyed.each(np.maximum, _spread(keyed.keys))[plain])
    np.maximum.at(size, moved, np.abs(keyed.highest).max(axis=1, initial=0.0)[plain])
    np.maximum.at(size, moved, np.abs(keyed.lowest).max(axis=1, initial=0.0)[plain])
    others = {*keyed.nodes[~plain & (keyed.nodes >= 0)].tolist(), *nodes.matrices}
    uneven = set(np.flatnonzero(~(apart <= UNIFORM * size)).tolist()) - others
    return frozenset(uneven.union(n for n in others if not _uniform_at_all_times(facts.rig, n)))


def _spread(scales: FloatArray) -> FloatArray:
    """Return ``(n,)`` how far the components of ``(n, 3)`` scales are apart."""
    columns = np.ascontiguousarray(scales.T)
    return np.asarray(columns.max(axis=0) - columns.min(axis=0), dtype=np.float64)


def _uniform_at_all_times(rig: Rig, node: int) -> bool:
    if node in rig.nodes.matrices:
        low, high = affine.scale_range(rig.nodes.matrices[node])
        return bool(high - low <= UNIFORM * high)
    rows = keyed_scales(rig, node, tangents=True)
    # Tangents may be next to nothing: what is uneven in them counts against the largest scale.
    return bool(np.all(_spread(rows) <= UNIFORM * np.abs(rows).max()))


def animated(rig: Rig, nodes: Iterable[int]) -> set[int]:
    """Return those of some nodes that a clip moves."""
    return {node for node in nodes if any(node in clip.moves for clip in rig.clips)}


def placed(rig: Rig, node: int, new_from_old: affine.TRS) -> Rig:
    """Move, turn and scale a node as its parent sees it, keys too: ``L' = A·L``.

    Parameters
    ----------
    new_from_old
        With one scale for all axes.
    """
    nodes = rig.nodes
    turn, scale = new_from_old.rotation, float(new_from_old.scale.mean())

    def move(points: FloatArray) -> FloatArray:
        return scale * quat.rotate(turn, points)

    translations, rotations = nodes.translations.copy(), nodes.rotations.copy()
    scales, matrices = nodes.scales.copy(), dict(nodes.matrices)
    translations[node] = move(translations[node]) + new_from_old.translation
    rotations[node] = quat.multiply(turn, rotations[node])
    scales[node] = scale * scales[node]
    if node in matrices:
        matrix = affine.compose(new_from_old.translation, turn, np.full(3, scale))
        matrices[node] = matrix @ matrices[node]

    def key_change(_node: int, path: Path) -> KeyChange | None:
        if path == "translation":
            return lambda v: move(v) + _on_values(v, new_from_old.translation)
        if path == "rotation":
            return lambda v: quat.multiply(turn, v)
        return (lambda v: scale * v) if path == "scale" else None

    return replace(
        rig,
        nodes=Nodes(nodes.names, nodes.children, translations, rotations, scales, matrices),
        clips=map_keys(rig.clips, (node,), key_change),
    ).made_of(rig)


def _on_values(values: FloatArray, offset: FloatArray) -> FloatArray:
    """Return an offset for keyed values: for cubic splines, ``(n, 3, c)``, not for the tangents."""
    if values.ndim == 3:
        return np.array([0.0, 1.0, 0.0])[None, :, None] * offset
    return offset


def with_node(rig: Rig, name: str, parent: int, local: FloatArray) -> tuple[Rig, int]:
    """Return the rig with a node more under a parent (−1: at the top of the scene), and its number.

    Parameters
    ----------
    local
        ``(4, 4)`` ``parent_from_node``.
    """
    nodes, new = rig.nodes, len(rig.nodes)
    trs = affine.decompose(local)
    sheared = bool(np.abs(affine.compose(*trs) - local).max() > 1e-9)
    children = [list(c) for c in nodes.children]
    if parent >= 0:
        children[parent].append(new)
    grown = Nodes(
        (*nodes.names, name),
        (*(tuple(c) for c in children), ()),
        np.concatenate([nodes.translations, trs.translation[None]]),
        np.concatenate([nodes.rotations, trs.rotation[None]]),
        np.concatenate([nodes.scales, trs.scale[None]]),
        {**nodes.matrices, new: local} if sheared else nodes.matrices,
    )
    return (
        replace(
            rig,
            nodes=grown,
            node_meshes=(*rig.node_meshes, None),
            node_skins=(*rig.node_skins, None),
            roots=rig.roots if parent >= 0 else (*rig.roots, new),
        ),
        new,
    )
