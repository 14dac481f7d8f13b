"""What rules about clips share: findings about channels, how far they spread, and changed channels."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rigview.check.labels import clip_label
from rigview.check.measures.curves import curves
from rigview.check.rule import Finding, Refused, Subject
from rigview.core.clip import Channel
from rigview.core.rig import Rig
from rigview.core.sampler import Path
from rigview.core.sentence import Sentence


def clip_finding(rig: Rig, number: int, nodes: list[int], says: str, explanation: str) -> Finding:
    """Return a finding of a clip by its number: what it says of these nodes, the worst first."""
    return Finding(
        number,
        Sentence("{says} in {clip}", says=says, clip=clip_label(rig, number)),
        clip_label(rig, number),
        joints=tuple(nodes),
        clip=rig.clips[number].name,
        explanation=explanation,
    )


def damaged(subject: Subject) -> list[int]:
    """Return the clips with a curve that cannot be played as it is, ascending."""
    found = subject.of_rig(curves).values()
    return sorted({number for of in found for number in of.clips[~of.sound].tolist()})


def spreads(subject: Subject, path: Path) -> list[dict[int, float]]:
    """Return per clip how far apart the keys of each node's property are at most, as it is played."""
    found = subject.of_rig(curves)[path]
    widths = found.spreads.copy()
    for i in np.flatnonzero(found.played & ~found.sound):
        played = found.samplers[i].usable
        if played is not None:
            widths[i] = np.ptp(played.keys, axis=0).max()
    result: list[dict[int, float]] = [{} for _ in subject.rig.clips]
    rows = np.flatnonzero(found.played)
    columns = (of[rows].tolist() for of in (found.clips, found.nodes, widths))
    for clip, node, width in zip(*columns, strict=True):
        result[clip][node] = width
    return result


def about(rig: Rig, number: int, channels: list[Channel], says: str, explanation: str) -> Finding:
    """Return a finding about some channels of a clip, without value and fix."""
    nodes = dict.fromkeys(c.node for c in channels if c.node is not None)
    return clip_finding(rig, number, list(nodes), says, explanation)


def changed(rig: Rig, number: int, change: Callable[[Channel], Channel | None]) -> Rig:
    """Return the rig with the channels of one clip changed, those left out that become None.

    Raises
    ------
    Refused
        If no channel would be left: a clip has at least one.
    """
    clip = rig.clips[number]
    channels = tuple(c for c in map(change, clip.channels) if c is not None)
    if not channels:
        raise Refused("the clip would have no channel left")
    if len(channels) == len(clip.channels) and all(map(_is, channels, clip.channels)):
        return rig
    clips = (*rig.clips[:number], replace(clip, channels=channels), *rig.clips[number + 1 :])
    return replace(rig, clips=clips)


def _is(a: Channel, b: Channel) -> bool:
    return a is b
