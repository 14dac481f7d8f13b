"""What fixes did to the joints of a rig, carried over to other files of the skeleton."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rigview.check.applying.dryrun import EXACT, dry_run, sample_times
from rigview.check.applying.reframing import Placement, Reframing, resting, skeletal
from rigview.check.rig_edits.leaf import folded
from rigview.check.rig_edits.reframe import (
    carries_mesh,
    map_keys,
    placed,
    reframe,
    with_node,
)
from rigview.check.rig_edits.reparent import reparent
from rigview.check.rule import Refused
from rigview.check.rules.scale import unflip
from rigview.check.rules.units import rescale
from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.bones import box_diagonal
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Rest frames no further apart than this are one: as a share of the skeleton's size, and in radians.
# Exporters that write few digits stay below.
SAME_REST = 1e-3
# Two parents no further apart than this, as a share of the skeleton's size, are the same to a child.
_SAME_PARENT = 1e-9
# Poses compared in one go, to keep memory flat.
_CHUNK = 128


@dataclass(frozen=True, eq=False)
class Propagated:
    """A sibling that followed.

    Parameters
    ----------
    turned, renamed, rehung
        How many of its nodes got a new frame, a new name, a new parent.
    placed
        Whether it was turned or scaled as a whole.
    missing
        Names of joints that only the repaired rig has.
    extra
        Names of joints that only the sibling has: they keep their frames.
    """

    rig: Rig
    turned: int
    renamed: int
    rehung: int
    placed: bool
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def propagate(change: Reframing, sibling: Rig) -> Propagated:
    """Give the joints of another file of the skeleton the new frames, names and parents.

    Nothing of it moves, but for what moves as a whole. Joints are matched by their old names; of
    several of one name, by where they rest.

    Raises
    ------
    Refused
        If the sibling lacks a joint that changed, a joint rests differently there, a name is taken,
        or the change would move anything.
    """
    place, missing = _matched(change, sibling)
    before = change.before
    if not any(n in place for n in before.joints):
        raise Refused("it has no joint of the same name")
    names = {place[n]: name for n, name in change.names.items()}
    still = _placed(sibling, change.placement)
    carried = still
    for node in change.flips:
        carried = _unflipped(carried, place[node])
    for node, factors in change.stretches.items():
        carried = _unstretched(carried, place[node], factors)
    turns = {place[n]: turn for n, turn in change.turns.items()}
    carried = reframe(carried, turns) if turns else carried
    carried, rehung = _rehung(carried, change, place)
    _check_still(still, carried)
    known = set(place.values()) | set(names)
    extra = [n for n in sibling.joints if n not in known]
    return Propagated(
        _renamed(carried, names),
        len({*change.turns, *change.flips, *change.stretches}),
        len(names),
        rehung,
        change.placement.changes,
        tuple(before.nodes.label(n) for n in missing),
        tuple(sibling.nodes.label(n) for n in extra),
    )


def _placed(rig: Rig, placement: Placement) -> Rig:
    if placement.scale != 1.0:
        rig = rescale(rig, placement.scale)
    if placement.rotation is not None:
        turn = affine.TRS(np.zeros(3), placement.rotation, np.ones(3))
        for root in rig.nodes.roots:
            rig = placed(rig, root, turn)
    return rig


def _unflipped(rig: Rig, node: int) -> Rig:
    """Return the rig with a half turn in place of two negative components of a node's scale."""
    return unflip(rig, node) if np.any(rig.nodes.scales[node] < 0.0) else rig


def _unstretched(rig: Rig, node: int, factors: FloatArray) -> Rig:
    """Multiply the scale of a leaf by factors ``(3,)``; meshes that hang on it take the stretch over."""
    label = rig.nodes.label(node)
    skins = [number for number, skin in enumerate(rig.skins) if node in skin.joints]
    if skins:
        return folded(rig, skins[0], node)
    if rig.nodes.sound_children[node] or carries_mesh(rig, node):
        raise Refused(
            Sentence(
                "{joint} has something below it in that file, which the stretch would shear",
                joint=label,
            )
        )
    if node in rig.nodes.matrices:
        raise Refused(Sentence("{joint} states a matrix in that file", joint=label))
    scales = rig.nodes.scales.copy()
    scales[node] *= factors
    return replace(
        rig,
        nodes=replace(rig.nodes, scales=scales),
        clips=map_keys(
            rig.clips,
            (node,),
            lambda _node, path: (lambda v: v * factors) if path == "scale" else None,
        ),
    )


def _rehung(rig: Rig, change: Reframing, place: dict[int, int]) -> tuple[Rig, int]:
    """Hang nodes where they hang in the repaired rig, and count them; new nodes are added for it.

    A node whose new parent the sibling lacks stays, if the old and the new one are the same to it.
    """
    place, count = dict(place), 0
    parents = change.after.nodes.parents
    for node in change.rehung:
        home = parents[node]
        try:
            rig = _with_home(rig, change, home, place)
        except Refused:
            if not _same_to_children(change, change.before.nodes.parents[node], home):
                raise
            continue
        wanted = place.get(home, -1)
        count += rig.nodes.parents[place[node]] != wanted
        rig = reparent(rig, place[node], wanted)
    return rig, count


def _with_home(rig: Rig, change: Reframing, home: int, place: dict[int, int]) -> Rig:
    """Return the rig with a namesake of a node of the repaired rig, and note it in `place`."""
    after = change.after.nodes
    if home < 0 or home in place:
        return rig
    if home < len(change.before.nodes):
        raise Refused(
            Sentence("it has no node {joint}, under which joints hang now", joint=after.label(home))
        )
    rig = _with_home(rig, change, after.parents[home], place)
    if after.names[home] in rig.nodes.names:
        raise Refused(
            Sentence("another node of it is already named {name}", name=after.names[home])
        )
    local = after.local_matrices()[home]
    rig, place[home] = with_node(rig, after.names[home], place.get(after.parents[home], -1), local)
    return rig


def _same_to_children(change: Reframing, *parents: int) -> bool:
    rest = resting(change.after)
    a, b = (rest[parent] if parent >= 0 else np.eye(4) for parent in parents)
    size = max(1.0, box_diagonal(rest[:, :3, 3]))
    return bool(np.abs(a - b).max() <= _SAME_PARENT * size)


def _matched(change: Reframing, sibling: Rig) -> tuple[dict[int, int], list[int]]:
    """Return node → node of the sibling, and the joints that it lacks."""
    before, label = change.before, change.before.nodes.label
    old, rest = resting(before), resting(sibling)
    bones = skeletal(before)
    theirs = set(skeletal(sibling))
    size = box_diagonal(old[bones, :3, 3])
    joints = set(before.joints)
    named: dict[str, list[int]] = {}
    for node, name in enumerate(sibling.nodes.names):
        named.setdefault(name, []).append(node)
    place: dict[int, int] = {}
    missing = []
    for node in dict.fromkeys((*bones, *sorted(change.homes))):
        namesakes = named.get(before.nodes.names[node], [])
        fitting = [n for n in namesakes if _rests_alike(old[node], rest[n], size)]
        fitting = [n for n in fitting if n in theirs] or fitting
        needed = node in change.changed
        if len(fitting) == 1:
            place[node] = fitting[0]
        elif fitting and needed:
            raise Refused(
                Sentence(
                    "{number} of its nodes have the name and place of {joint}",
                    number=len(fitting),
                    joint=label(node),
                )
            )
        elif namesakes and not fitting and (needed or node in joints):
            raise Refused(Sentence("{joint} rests differently in that file", joint=label(node)))
        elif needed:
            raise Refused(Sentence("it has no joint {joint}", joint=label(node)))
        elif node in joints and not fitting:
            missing.append(node)
    met = [place[n] for n in change.changed]
    if len(set(met)) < len(met):
        names = [label(node) for node in change.changed]
        twice = next((name for name in names if names.count(name) > 1), names[0])
        raise Refused(Sentence("it has fewer joints named {name}", name=twice))
    return place, missing


def _rests_alike(a: FloatArray, b: FloatArray, size: float) -> bool:
    linear = np.linalg.norm(a[:3, :3] - b[:3, :3], 2)
    distance = np.linalg.norm(a[:3, 3] - b[:3, 3])
    return bool(linear <= SAME_REST * np.linalg.norm(a[:3, :3], 2) and distance <= SAME_REST * size)


def _renamed(rig: Rig, names: dict[int, str]) -> Rig:
    if not names:
        return rig
    kept = {name for node, name in enumerate(rig.nodes.names) if node not in names}
    taken = sorted(kept & set(names.values()))
    if taken:
        raise Refused(Sentence("another node of it is already named {name}", name=taken[0]))
    renamed = tuple(names.get(node, name) for node, name in enumerate(rig.nodes.names))
    return replace(rig, nodes=replace(rig.nodes, names=renamed))


def _check_still(before: Rig, after: Rig) -> None:
    """Make sure that no node and no vertex moves in any clip, by more than `EXACT` of the size."""
    if after is before:
        return
    size = box_diagonal(resting(before)[:, :3, 3])
    for a, b in _places(before, after):
        if not np.all(np.linalg.norm(a - b, axis=-1) <= EXACT * size):
            raise Refused("its joints would move")
    if before.parts and not dry_run(before, after).exact:
        raise Refused("its vertices would move")


def _places(before: Rig, after: Rig) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield ``(T, N, 3)`` where the nodes of the first rig are in both, clip by clip."""
    for clip, changed in zip(before.clips, after.clips, strict=True):
        times = sample_times(clip)
        for start in range(0, len(times), _CHUNK):
            few = times[start : start + _CHUNK]
            models = (
                model_from_nodes(rig, sample(rig, c, few))
                for rig, c in ((before, clip), (after, changed))
            )
            a, b = (model[:, : len(before.nodes), :3, 3] for model in models)
            yield a, b
