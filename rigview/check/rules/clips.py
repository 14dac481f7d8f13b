"""What rules about clips share: findings about channels, one for all clips, and changed channels."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps

import numpy as np

from rigview.check.labels import clip_label
from rigview.check.measures.curves import curves
from rigview.check.rule import Finding, Fix, FixClass, Refused, Subject, count
from rigview.core.clip import Channel, Clip, Path
from rigview.core.rig import Rig


def clip_finding(
    rig: Rig, rule: str, number: int, nodes: list[int], says: str, explanation: str
) -> Finding:
    """Return a finding of a clip by its number: what it says of these nodes, the worst first."""
    return Finding(
        rule,
        number,
        f"{says} in {clip_label(rig, number)}",
        clip_label(rig, number),
        joints=tuple(nodes),
        clip=rig.clips[number].name,
        explanation=explanation,
    )


def damaged(subject: Subject) -> list[int]:
    """Return the clips with a curve that cannot be played as it is, ascending."""
    found = subject.once(curves).values()
    return sorted({number for of in found for number in of.clips[~of.sound].tolist()})


def spreads(subject: Subject, path: Path) -> list[dict[int, float]]:
    """Return per clip how far apart the keys of each node's property are at most, as it is played."""
    found = subject.once(curves)[path]
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


def about(
    rig: Rig, rule: str, number: int, channels: list[Channel], says: str, explanation: str
) -> Finding:
    """Return a finding about some channels of a clip, without value and fix."""
    nodes = dict.fromkeys(c.node for c in channels if c.node is not None)
    return clip_finding(rig, rule, number, list(nodes), says, explanation)


def over_clips(
    find: Callable[[Subject], Iterator[Finding]],
) -> Callable[[Subject], Iterator[Finding]]:
    """Let a rule that looks at each clip say one thing about all: the worst, and how many more."""

    @wraps(find)
    def gathered(subject: Subject) -> Iterator[Finding]:
        kinds: dict[FixClass, list[Finding]] = {}
        for finding in find(subject):
            kinds.setdefault(finding.fix.kind, []).append(finding)
        for key, found in enumerate(kinds.values()):
            worst = max(found, key=lambda f: abs(f.value or 0.0))
            more = len({f.clip for f in found}) - 1
            joints = (*worst.joints, *(j for f in found for j in f.joints))
            yield replace(
                worst,
                key=key,
                message=worst.message + (f", and {count(more, 'more clip')}" if more > 0 else ""),
                joints=tuple(dict.fromkeys(joints)),
                fix=all_fixes(worst.fix, [f.fix for f in found]),
            )

    return gathered


def all_fixes(worst: Fix, fixes: list[Fix]) -> Fix:
    """Return one fix for several: what it says is what the one of the worst says."""
    repairs = [fix.repair for fix in fixes if fix.repair is not None]
    if not repairs:
        return worst

    def repair(rig: Rig) -> Rig:
        for one in repairs:
            rig = one(rig)
        return rig

    return replace(worst, repair=repair)


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
    clips = (*rig.clips[:number], Clip(clip.name, channels), *rig.clips[number + 1 :])
    return replace(rig, clips=clips)


def _is(a: Channel, b: Channel) -> bool:
    return a is b
