"""Rules about curves: keys that are no numbers, out of order, not unit, long way round, or idle."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, wraps

import numpy as np

from rigview.check.reframe import carries_mesh
from rigview.check.rule import (
    Finding,
    Fix,
    FixClass,
    Refused,
    Severity,
    Subject,
    count,
    offer,
    verb,
)
from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.clip import Channel, Clip, Sampler
from rigview.core.rig import Rig

# Bytes hold a quaternion's components to 1/127, so that lengths are off by up to half a percent of
# that; what is above was never normalised.
LENGTH_LIMIT = 1e-3
# Keys within this of each other (of a length: within this share) are one value that was sampled.
CONSTANT = 1e-6


def clip_label(rig: Rig, number: int) -> str:
    """Return a clip's name, or ``clip 2`` where it has none."""
    return rig.clips[number].name or f"clip {number}"


def finite_keys(sampler: Sampler) -> BoolArray:
    """Return ``(n,)`` which keys are numbers, times and values both."""
    if not len(sampler.times):
        return np.zeros(0, dtype=np.bool_)
    rows = np.isfinite(sampler.values.reshape(len(sampler.times), -1)).all(axis=1)
    return np.asarray(rows & np.isfinite(sampler.times), dtype=np.bool_)


def _about(
    rig: Rig, rule: str, number: int, channels: list[Channel], says: str, explanation: str
) -> Finding:
    """Return a finding about some channels of a clip, without value and fix."""
    nodes = tuple(dict.fromkeys(c.node for c in channels if c.node is not None))
    return Finding(
        rule,
        number,
        f"{says} in {clip_label(rig, number)}",
        clip_label(rig, number),
        joint=rig.nodes.label(nodes[0]) if nodes else None,
        joints=nodes,
        clip=rig.clips[number].name,
        explanation=explanation,
    )


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
                fix=_all_fixes(worst.fix, [f.fix for f in found]),
            )

    return gathered


def _all_fixes(worst: Fix, fixes: list[Fix]) -> Fix:
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


@over_clips
def not_numbers(subject: Subject) -> Iterator[Finding]:
    """ANI-NAN: keys whose time or value is no finite number."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        lost = {
            i: int(np.count_nonzero(~finite_keys(c.sampler))) for i, c in enumerate(clip.channels)
        }
        bad = [clip.channels[i] for i, keys in lost.items() if keys]
        if not bad:
            continue
        total = sum(lost.values())
        yield replace(
            _about(
                rig,
                "ANI-NAN",
                number,
                bad,
                f"{count(total, 'key')} of {count(len(bad), 'channel')} "
                f"{verb(total, 'is', 'are')} no number",
                "rigview plays the other keys. Other programs show nothing at all from there on, or stop.",
            ),
            value=total,
            limit=0,
            unit="key",
            fix=offer(
                rig,
                "shape",
                "Drop keys that are no numbers",
                partial(drop_lost_keys, number=number),
            ),
        )


def drop_lost_keys(rig: Rig, number: int) -> Rig:
    """Drop the keys of a clip that are no numbers, and channels that have no other."""

    def change(channel: Channel) -> Channel | None:
        good = finite_keys(channel.sampler)
        if good.all():
            return channel
        if not good.any():
            return None
        sampler = channel.sampler
        kept = Sampler(sampler.times[good], sampler.values[good], sampler.interpolation)
        return replace(channel, sampler=kept)

    return changed(rig, number, change)


@over_clips
def bad_times(subject: Subject) -> Iterator[Finding]:
    """ANI-TIME: keys that do not follow each other in time, or come before 0."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        bad, lowest, back = [], 0.0, 0
        for channel in clip.channels:
            times = channel.sampler.times[np.isfinite(channel.sampler.times)]
            steps = int(np.count_nonzero(np.diff(times) <= 0.0))
            first = float(times.min(initial=0.0))
            if steps or first < 0.0:
                bad.append(channel)
                back, lowest = back + steps, min(lowest, first)
        if not bad:
            continue
        what = [f"{count(back, 'key')} not after the one before"] if back else []
        what += [f"keys down to {lowest:.3g} s"] if lowest < 0.0 else []
        yield replace(
            _about(
                rig,
                "ANI-TIME",
                number,
                bad,
                f"{' and '.join(what)} in {count(len(bad), 'channel')}",
                "glTF asks for ascending times from 0 on. rigview sorts the keys; other programs skip or "
                "repeat parts of the clip.",
            ),
            value=back or lowest,
            limit=0,
            fix=Fix("none", reason="which order was meant is unknown"),
        )


def _lengths(sampler: Sampler) -> FloatArray:
    """Return ``(n,)`` the lengths of keyed quaternions, 1 for keys that are no numbers."""
    return np.where(finite_keys(sampler), np.linalg.norm(np.nan_to_num(sampler.keys), axis=1), 1.0)


@over_clips
def not_unit(subject: Subject) -> Iterator[Finding]:
    """ANI-QNORM: keyed rotations whose quaternion has not length 1."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        off = {
            i: float(np.abs(_lengths(c.sampler) - 1.0).max(initial=0.0))
            for i, c in enumerate(clip.channels)
            if c.path == "rotation"
        }
        bad = sorted((i for i in off if off[i] > LENGTH_LIMIT), key=lambda i: -off[i])
        if not bad:
            continue
        yield replace(
            _about(
                rig,
                "ANI-QNORM",
                number,
                [clip.channels[i] for i in bad],
                f"{count(len(bad), 'channel')} with quaternions off length 1 by up to {off[bad[0]]:.3g}",
                "Programs that do not normalise scale and shear the joint by the square of the length.",
            ),
            value=off[bad[0]],
            limit=LENGTH_LIMIT,
            fix=offer(rig, "exact", "Normalise the keys", partial(normalise_keys, number=number)),
        )


def normalise_keys(rig: Rig, number: int) -> Rig:
    """Bring the quaternions of a clip to length 1.

    Raises
    ------
    Refused
        If lengths differ within a cubic spline: its path depends on them.
    """

    def change(channel: Channel) -> Channel:
        sampler = channel.sampler
        if channel.path != "rotation":
            return channel
        lengths = _lengths(sampler)
        if float(np.abs(lengths - 1.0).max(initial=0.0)) <= LENGTH_LIMIT:
            return channel
        if sampler.interpolation == "CUBICSPLINE":
            if float(np.ptp(lengths)) > CONSTANT * float(lengths.max()) or lengths.min() <= 0.0:
                raise Refused("the keys of a cubic spline have different lengths, and so its path")
            values = sampler.values / lengths[:, None, None]
        else:
            values = np.where(
                finite_keys(sampler)[:, None],
                quat.normalise(np.nan_to_num(sampler.values)),
                sampler.values,
            )
        return replace(channel, sampler=Sampler(sampler.times, values, sampler.interpolation))

    return changed(rig, number, change)


def _signs(sampler: Sampler) -> FloatArray:
    """Return ``(n,)`` the signs that let every keyed quaternion lie near the one before.

    Keys half a turn apart to within rounding keep their signs: they say which way round is meant.
    """
    keys = quat.normalise(np.nan_to_num(sampler.keys))
    cosine = np.sum(keys[1:] * keys[:-1], axis=1)
    steps = np.where(cosine < -quat.HALF_TURN, -1.0, 1.0)
    return np.concatenate([np.ones(min(1, len(keys))), np.cumprod(steps)])


@over_clips
def long_ways(subject: Subject) -> Iterator[Finding]:
    """ANI-QFLIP: neighbouring keys whose quaternions lie on opposite sides."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        for spline in (True, False):
            flips = {
                i: int(np.count_nonzero(np.diff(_signs(c.sampler))))
                for i, c in enumerate(clip.channels)
                if c.path == "rotation" and (c.sampler.interpolation == "CUBICSPLINE") == spline
            }
            bad = [i for i, n in flips.items() if n]
            if not bad:
                continue
            total = sum(flips.values())
            severity: Severity | None = "warning" if spline else None
            kind: FixClass = "shape" if spline else "exact"
            yield replace(
                _about(
                    rig,
                    "ANI-QFLIP",
                    number,
                    [clip.channels[i] for i in bad],
                    f"{count(total, 'key')} of {count(len(bad), 'channel')} "
                    f"{verb(total, 'turns', 'turn')} the long way round",
                    "A cubic spline follows the numbers, and so swings the joint round almost a whole turn."
                    if spline
                    else "Spherical interpolation takes the short way all the same; engines that blend "
                    "components do not.",
                ),
                value=total,
                limit=0,
                unit="key",
                severity=severity,
                fix=offer(
                    rig,
                    kind,
                    "Turn keys the short way",
                    partial(short_ways, number=number, spline=spline),
                ),
            )


def short_ways(rig: Rig, number: int, *, spline: bool) -> Rig:
    """Negate keyed quaternions, tangents too, so that each lies near the one before."""

    def change(channel: Channel) -> Channel:
        sampler = channel.sampler
        if channel.path != "rotation" or (sampler.interpolation == "CUBICSPLINE") != spline:
            return channel
        signs = _signs(sampler)
        if np.all(signs == 1.0):
            return channel
        values = sampler.values * signs.reshape(-1, *[1] * (sampler.values.ndim - 1))
        return replace(channel, sampler=Sampler(sampler.times, values, sampler.interpolation))

    return changed(rig, number, change)


def _without_effect(rig: Rig, clip: Clip) -> dict[int, str]:
    """Return position of channel → why it moves nothing."""
    result: dict[int, str] = {}
    seen: set[tuple[int, str]] = set()
    for i, channel in enumerate(clip.channels):
        if not len(channel.sampler.times):
            continue  # animates what rigview does not play: the reader's note says so
        if channel.node is None:
            result[i] = "without target"
        elif (channel.node, channel.path) in seen:
            result[i] = "for a property that another moves"
        elif channel.path == "weights":
            if not _has_morphs(rig, channel.node):
                result[i] = "of morph weights without morph targets"
        elif _only_skinned(rig, channel.node):
            result[i] = "of skinned meshes, which glTF does not move"
        if channel.node is not None:
            seen.add((channel.node, channel.path))
    return result


def _has_morphs(rig: Rig, node: int) -> bool:
    mesh = rig.node_meshes[node]
    return mesh is not None and any(p.morphs is not None for p in rig.meshes[mesh].primitives)


def _only_skinned(rig: Rig, node: int) -> bool:
    """Tell whether a node shows a skinned mesh, and nothing hangs on its transform."""
    shows = rig.node_meshes[node] is not None and rig.node_skins[node] is not None
    leaf = not rig.nodes.sound_children[node] and node not in rig.joints
    return shows and leaf and not carries_mesh(rig, node)


@over_clips
def without_effect(subject: Subject) -> Iterator[Finding]:
    """ANI-TARGET: channels that move nothing: no target, a second one, or nothing to move."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        idle = _without_effect(rig, clip)
        if not idle:
            continue
        reasons = list(dict.fromkeys(idle.values()))
        yield replace(
            _about(
                rig,
                "ANI-TARGET",
                number,
                [clip.channels[i] for i in idle],
                f"{count(len(idle), 'channel')} {'; '.join(reasons)}",
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


def delete_idle(rig: Rig, number: int) -> Rig:
    """Delete the channels of a clip that move nothing."""
    clip = rig.clips[number]
    idle = {id(clip.channels[i]) for i in _without_effect(rig, clip)}
    return changed(rig, number, lambda c: None if id(c) in idle else c)


def _constants(clip: Clip) -> list[int]:
    """Return the positions of active channels with several keys and one value."""
    active = {id(channel) for channel, _ in clip.active}
    result = []
    for i, channel in enumerate(clip.channels):
        sampler = channel.sampler
        if len(sampler.times) < 2 or id(channel) not in active or not finite_keys(sampler).all():
            continue
        keys = sampler.keys
        spread = np.ptp(keys, axis=0).max(initial=0.0)
        size = np.abs(keys).max(initial=0.0)
        tangents = 0.0
        if sampler.interpolation == "CUBICSPLINE":
            tangents = float(np.abs(sampler.values[:, (0, 2)]).max(initial=0.0))
        if max(float(spread), tangents) <= CONSTANT * max(float(size), 1e-300):
            result.append(i)
    return result


def _prunable(clip: Clip) -> list[int]:
    """Return the constant channels that can shrink while the clip begins and ends where it did."""
    constant = _constants(clip)
    kept = [c for i, c in enumerate(clip.channels) if i not in set(constant)]
    rest = Clip(clip.name, tuple(kept))
    return (
        constant
        if (rest.start, rest.end) == (clip.start, clip.end)
        else [i for i in constant if len(clip.channels[i].sampler.times) > 2]
    )


@over_clips
def constants(subject: Subject) -> Iterator[Finding]:
    """ANI-CONST: channels with many keys of one value."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        idle = _prunable(clip)
        if not idle:
            continue
        keys = sum(len(clip.channels[i].sampler.times) for i in idle)
        yield replace(
            _about(
                rig,
                "ANI-CONST",
                number,
                [clip.channels[i] for i in idle],
                f"{count(len(idle), 'channel')} of {len(clip.channels)} with one value in "
                f"{count(keys, 'key')}",
                "Exporters write them for joints that rest. They are read, stored and evaluated all the "
                "same.",
            ),
            value=len(idle),
            limit=0,
            unit="channel",
            fix=offer(
                rig,
                "bounded",
                "Prune channels of one value",
                partial(prune_constants, number=number),
            ),
        )


def prune_constants(rig: Rig, number: int) -> Rig:
    """Keep one key of constant channels; first and last where the clip would else end elsewhere."""
    clip = rig.clips[number]
    constant = _constants(clip)
    kept = Clip(clip.name, tuple(c for i, c in enumerate(clip.channels) if i not in set(constant)))
    alone = (kept.start, kept.end) != (clip.start, clip.end)
    chosen = {id(clip.channels[i]) for i in _prunable(clip)}

    def change(channel: Channel) -> Channel:
        if id(channel) not in chosen:
            return channel
        sampler = channel.sampler
        rows = [0, -1] if alone else [0]
        pruned = Sampler(sampler.times[rows], sampler.values[rows], sampler.interpolation)
        return replace(channel, sampler=pruned)

    return changed(rig, number, change)
