"""Rules about channels that a clip could do without: they move nothing, or have one value."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.curves import CONSTANT, JoinedCurves, curves, curves_of, finite_keys
from rigview.check.rig_edits.reframe import carries_mesh
from rigview.check.rule import Finding, Fix, Subject, count, offer, rule
from rigview.check.rules.shared.clip_findings import about, changed
from rigview.check.rules.shared.merge_findings import over_clips
from rigview.core.clip import Channel, Clip
from rigview.core.rig import Rig
from rigview.core.sampler import Path, Sampler
from rigview.core.sentence import Sentence, joined

# Of a value's size: what was sampled from one value differs by what float32 leaves.
EVEN = Limit(
    "ANI-CONST",
    CONSTANT,
    "share",
    "how far the keys of a channel are apart, of their size",
    "least",
)


def _without_effect(rig: Rig, clip: Clip, skinned: Container[int]) -> dict[int, str]:
    """Return position of channel → why it moves nothing.

    Parameters
    ----------
    skinned
        Of `only_skinned`.
    """
    result: dict[int, str] = {}
    seen: set[tuple[int, str]] = set()
    for i, channel in enumerate(clip.channels):
        if not len(channel.sampler.times):
            continue  # animates what rigview does not play: the reader's note says so
        if channel.node is None:
            result[i] = Sentence("without target")
        elif (channel.node, channel.path) in seen:
            result[i] = Sentence("for a property that another moves")
        elif channel.path == "weights":
            if not _has_morphs(rig, channel.node):
                result[i] = Sentence("of morph weights without morph targets")
        elif channel.node in skinned:
            result[i] = Sentence("of skinned meshes, which glTF does not move")
        if channel.node is not None:
            seen.add((channel.node, channel.path))
    return result


def _has_morphs(rig: Rig, node: int) -> bool:
    mesh = rig.node_meshes[node]
    return mesh is not None and any(p.morphs is not None for p in rig.meshes[mesh].primitives)


def only_skinned(rig: Rig) -> set[int]:
    """Return the nodes that show a skinned mesh, and on whose transform nothing hangs."""
    shows = {
        node
        for node, (mesh, skin) in enumerate(zip(rig.node_meshes, rig.node_skins, strict=True))
        if mesh is not None and skin is not None and not rig.nodes.sound_children[node]
    }
    return {node for node in shows.difference(rig.joints) if not carries_mesh(rig, node)}


def _bare(rig: Rig) -> frozenset[int]:
    """Return the nodes that are no joint, show no mesh, and have neither below them.

    What hangs beside or below the joints of a skeleton is of it, as a socket is or a joint that was taken
    out of its skin.
    """
    shows = {node for node, mesh in enumerate(rig.node_meshes) if mesh is not None}
    carrying = rig.nodes.with_ancestors(shows.union(rig.joints, rig.bones))
    tops = {joint for joint in rig.joints if rig.joint_parents[joint] < 0}
    above = {rig.nodes.parents[top] for top in tops}
    for top in above.difference([-1]).union(tops):
        carrying.update(rig.nodes.subtree(top))
    return frozenset(range(len(rig.nodes))) - carrying


def _of_bare_nodes(clip: Clip, idle: Container[int], bare: frozenset[int]) -> list[int]:
    """Return the positions of channels that move nodes on which nothing hangs, none of them idle."""
    return [
        i
        for i, channel in enumerate(clip.channels)
        if channel.node in bare and i not in idle and len(channel.sampler.times)
    ]


@rule(
    "ANI-TARGET",
    title="Channel moves nothing",
    measures="channels without target, with a second one for a property, or with nothing to move",
    severity="warning",
    fix="exact",
    needs="clips",
)
@over_clips
def without_effect(subject: Subject) -> Iterator[Finding]:
    """Channels that move nothing: no target, a second one, or nothing to move.

    Of nodes that are no joints, and on which neither joint nor mesh hangs, they are information: cameras,
    lights and sockets are such nodes.
    """
    rig, skinned, bare = subject.rig, subject.of_rig(only_skinned), subject.of_rig(_bare)
    for number in _odd(subject.of_rig(curves), skinned | bare):
        clip = rig.clips[number]
        idle = _without_effect(rig, clip, skinned)
        lonely = _of_bare_nodes(clip, idle, bare)
        if lonely:
            yield replace(
                about(
                    rig,
                    number,
                    [clip.channels[i] for i in lonely],
                    Sentence(
                        "{channels} of nodes that carry neither joint nor mesh",
                        channels=count(len(lonely), "channel"),
                    ),
                    "Nothing of the character moves by them. A camera, a light or what an engine attaches "
                    "there would.",
                ),
                value=len(lonely),
                limit=0,
                unit="channel",
                severity="info",
                fix=Fix("none", reason="what else hangs on these nodes is not known"),
            )
        if not idle:
            continue
        reasons = list(dict.fromkeys(idle.values()))
        yield replace(
            about(
                rig,
                number,
                [clip.channels[i] for i in idle],
                Sentence(
                    "{channels} {reasons}",
                    channels=count(len(idle), "channel"),
                    reasons=joined(reasons, "{first}; {rest}"),
                ),
                "They cost time and space, and programs that do play them show something else.",
            ),
            value=len(idle),
            limit=0,
            unit="channel",
            fix=offer(
                rig,
                "exact",
                "Delete channels without effect",
                partial(delete_idle, number=number),
            ),
        )


def _odd(of: Mapping[Path, JoinedCurves], nodes: set[int]) -> list[int]:
    """Return the clips with a curve that may move nothing, ascending.

    Parameters
    ----------
    nodes
        Those whose transform moves nothing.
    """
    listed = np.array(sorted(nodes), dtype=np.int64)
    found: set[int] = set()
    for path, every in of.items():
        plain = every.played & ~np.isin(every.nodes, listed)
        found.update(every.clips[~plain | (path == "weights")].tolist())
    return sorted(found)


def delete_idle(rig: Rig, number: int) -> Rig:
    """Delete the channels of a clip that move nothing."""
    clip = rig.clips[number]
    idle = _without_effect(rig, clip, only_skinned(rig))
    places = iter(range(len(clip.channels)))
    return changed(rig, number, lambda c: None if next(places) in idle else c)


def _constants(
    clips: Sequence[Clip], of: Mapping[Path, JoinedCurves], limit: float
) -> list[list[int]]:
    """Return per clip the positions of active channels with several keys and one value.

    Parameters
    ----------
    of
        The clips' curves of each property.
    """
    result: list[list[int]] = [[] for _ in clips]
    for path, found in of.items():
        for number, i in _even(found, path, limit):
            result[number].append(i)
    for positions in result:
        positions.sort()
    return result


def _even(curves: JoinedCurves, path: Path, limit: float) -> Iterator[tuple[int, int]]:
    """Yield clip and position of the active channels with several keys and one value."""
    if path == "weights":  # as many components as a mesh has morph targets
        even = np.array([_is_even(s, limit) for s in curves.samplers], dtype=np.bool_)
    else:
        sizes = np.maximum(np.abs(curves.lowest), np.abs(curves.highest))
        sizes = sizes.max(axis=1, initial=1e-300)
        even = np.maximum(curves.spreads, curves.tangents) < limit * sizes
        for i in np.flatnonzero(even & ~curves.sound):
            even[i] = _is_even(curves.samplers[i], limit)
    rows = np.flatnonzero(even & (curves.sizes > 1) & curves.played)
    yield from zip(curves.clips[rows].tolist(), curves.channels[rows].tolist(), strict=True)


def _is_even(sampler: Sampler, limit: float) -> bool:
    """Tell whether all keys are numbers and one value, and all tangents nothing."""
    if not finite_keys(sampler).all():
        return False
    keys = sampler.keys
    spread = np.ptp(keys, axis=0).max(initial=0.0)
    size = np.abs(keys).max(initial=0.0)
    tangents = 0.0
    if sampler.interpolation == "CUBICSPLINE":
        tangents = float(np.abs(sampler.values[:, (0, 2)]).max(initial=0.0))
    return bool(max(float(spread), tangents) < limit * max(float(size), 1e-300))


def _prunable(clip: Clip, constant: list[int]) -> list[int]:
    """Return the constant channels that can shrink while the clip begins and ends where it did."""
    return (
        constant
        if _span(clip, set(constant)) == (clip.start, clip.end)
        else [i for i in constant if len(clip.channels[i].sampler.times) > 2]
    )


def _span(clip: Clip, without: set[int]) -> tuple[float, float]:
    """Return the first and the last time of a clip without the channels at some positions."""
    if len(clip.active) < len(clip.channels):
        # What is left out may have stood in the way of another.
        rest = replace(clip, channels=[c for i, c in enumerate(clip.channels) if i not in without])
        return rest.start, rest.end
    kept = (own.curve.times for i, own in enumerate(clip.active) if i not in without)
    rows = {id(times): times for times in kept}.values()
    start = min((float(times[0]) for times in rows), default=0.0)
    return start, max((float(times[-1]) for times in rows), default=0.0)


@rule(
    EVEN,
    title="Channel of one value",
    measures="channels with several keys and one value",
    severity="info",
    fix="bounded",
    note=True,
    needs="clips",
)
@over_clips
def constants(subject: Subject) -> Iterator[Finding]:
    """Channels with many keys of one value."""
    rig, limit = subject.rig, subject.limit(EVEN)
    for number, constant in enumerate(_constants(rig.clips, subject.of_rig(curves), limit)):
        if not constant:
            continue
        clip = rig.clips[number]
        idle = _prunable(clip, constant)
        if not idle:
            continue
        chosen = [clip.channels[i] for i in idle]
        keys = sum(len(channel.sampler.times) for channel in chosen)
        yield replace(
            about(
                rig,
                number,
                chosen,
                Sentence(
                    "{channels} of {number} with one value in {keys}",
                    channels=count(len(idle), "channel"),
                    number=len(clip.channels),
                    keys=count(keys, "key"),
                ),
                "Exporters write them for joints that rest. They are read, stored and evaluated all the "
                "same.",
            ),
            value=len(idle),
            limit=0,
            unit="channel",
            fix=Fix(
                "bounded",
                "Prune channels of one value",
                partial(prune_constants, number=number, limit=limit),
            ),
        )


def prune_constants(rig: Rig, number: int, limit: float) -> Rig:
    """Keep one key of constant channels; first and last where the clip would else end elsewhere."""
    clip = rig.clips[number]
    (constant,) = _constants((clip,), curves_of((clip,)), limit)
    alone = _span(clip, set(constant)) != (clip.start, clip.end)
    chosen = {id(clip.channels[i]) for i in _prunable(clip, constant)}

    def change(channel: Channel) -> Channel:
        if id(channel) not in chosen:
            return channel
        sampler = channel.sampler
        rows = [0, -1] if alone else [0]
        pruned = replace(sampler, times=sampler.times[rows], values=sampler.values[rows])
        return replace(channel, sampler=pruned)

    return changed(rig, number, change)
