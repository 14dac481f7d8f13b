"""Rules about keys: those that are no numbers, out of order, not unit, or the long way round."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.curves import CONSTANT, curves, finite_keys, held_keys
from rigview.check.rule import (
    Finding,
    Fix,
    FixClass,
    Refused,
    Severity,
    Subject,
    count,
    offer,
    rule,
    verb,
)
from rigview.check.rules.shared.clip_findings import about, changed, damaged
from rigview.check.rules.shared.merge_findings import over_clips
from rigview.core import quat
from rigview.core.arrays import FloatArray, finite
from rigview.core.clip import Channel, Clip
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.core.sentence import Sentence, joined

# A quaternion in bytes is off by half a step, of 127 to one, in each of its four numbers.
_OF_BYTES = 1.0 / 127.0
LENGTH = Limit("ANI-QNORM", 1e-3, "", "how far the length of a keyed quaternion is from 1")


def _lost_keys(clip: Clip) -> dict[int, int]:
    """Return place of channel → how many of its keys are no numbers, of those that have any."""
    lost = {
        i: int(np.count_nonzero(~finite_keys(c.sampler)))
        for i, c in enumerate(clip.channels)
        if c.sampler.usable is not c.sampler
    }
    return {i: keys for i, keys in lost.items() if keys}


def with_lost_keys(subject: Subject) -> frozenset[int]:
    """Return the clips that ANI-NAN names."""
    return frozenset(i for i in damaged(subject) if _lost_keys(subject.rig.clips[i]))


@rule(
    "ANI-NAN",
    title="Key is no number",
    measures="keys whose time or value is not finite",
    severity="error",
    fix="shape",
    needs="clips",
)
@over_clips
def not_numbers(subject: Subject) -> Iterator[Finding]:
    """Keys whose time or value is no finite number."""
    rig = subject.rig
    for number in damaged(subject):
        clip = rig.clips[number]
        lost = _lost_keys(clip)
        bad = [clip.channels[i] for i in lost]
        if not bad:
            continue
        total = sum(lost.values())
        gone = [c.sampler.times[~finite_keys(c.sampler)] for c in bad]
        times = np.concatenate(gone)
        yield replace(
            about(
                rig,
                number,
                bad,
                Sentence(
                    "{keys} of {channels} {verb} no number",
                    keys=count(total, "key"),
                    channels=count(len(bad), "channel"),
                    verb=verb(total, "is", "are"),
                ),
                "rigview plays the other keys. Other programs show nothing at all from there on, or stop.",
            ),
            time=_first(times),
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


def _first(times: FloatArray) -> float | None:
    """Return the first of some times; None where none is a number."""
    known = times[np.isfinite(times)]
    return float(known.min()) if len(known) else None


def drop_lost_keys(rig: Rig, number: int) -> Rig:
    """Drop the keys of a clip that are no numbers, and channels that have no other."""

    def change(channel: Channel) -> Channel | None:
        good = finite_keys(channel.sampler)
        if good.all():
            return channel
        if not good.any():
            return None
        sampler = channel.sampler
        kept = replace(sampler, times=sampler.times[good], values=sampler.values[good])
        return replace(channel, sampler=kept)

    return changed(rig, number, change)


def _wrong_times(channel: Channel) -> tuple[FloatArray, FloatArray]:
    """Return the times of keys that do not come after the one before, and those below 0."""
    if channel.sampler.usable is channel.sampler and channel.sampler.times[0] >= 0.0:
        return np.zeros(0), np.zeros(0)
    times = channel.sampler.times[np.isfinite(channel.sampler.times)]
    return times[1:][np.diff(times) <= 0.0], times[times < 0.0]


def _may_be_out_of_order(subject: Subject) -> list[int]:
    """Return the clips with a curve that cannot be played as it is, or begins before 0, ascending."""
    early = {
        number
        for of in subject.of_rig(curves).values()
        for number, curve in zip(of.clips.tolist(), of.samplers, strict=True)
        if curve.times[0] < 0.0
    }
    return sorted(early.union(damaged(subject)))


def out_of_order(subject: Subject) -> frozenset[int]:
    """Return the clips that ANI-TIME names."""
    return frozenset(
        i
        for i in _may_be_out_of_order(subject)
        for channel in subject.rig.clips[i].channels
        if any(map(len, _wrong_times(channel)))
    )


@rule(
    "ANI-TIME",
    title="Keys out of order",
    measures="times of keys that do not ascend, or lie before 0",
    severity="error",
    needs="clips",
)
@over_clips
def bad_times(subject: Subject) -> Iterator[Finding]:
    """Keys that do not follow each other in time, or come before 0."""
    rig = subject.rig
    for number in _may_be_out_of_order(subject):
        clip = rig.clips[number]
        bad, lowest, back, wrong = [], 0.0, 0, [np.zeros(0)]
        for channel in clip.channels:
            behind, early = _wrong_times(channel)
            if len(behind) or len(early):
                bad.append(channel)
                wrong += [behind, early]
                back, lowest = back + len(behind), min(lowest, float(early.min(initial=0.0)))
        if not bad:
            continue
        what = (
            [Sentence("{keys} not after the one before", keys=count(back, "key"))] if back else []
        )
        what += [Sentence("keys down to {lowest:.3g} s", lowest=lowest)] if lowest < 0.0 else []
        yield replace(
            about(
                rig,
                number,
                bad,
                Sentence(
                    "{keys} in {channels}",
                    keys=joined(what, "{first} and {rest}"),
                    channels=count(len(bad), "channel"),
                ),
                "glTF asks for ascending times from 0 on. rigview sorts the keys; other programs skip or "
                "repeat parts of the clip.",
            ),
            time=_first(np.concatenate(wrong)),
            value=back or lowest,
            limit=0,
            fix=Fix("none", reason="which order was meant is unknown"),
        )


def _lengths(sampler: Sampler) -> FloatArray:
    """Return ``(n,)`` the lengths of keyed quaternions, 1 for keys that are no numbers."""
    return np.where(finite_keys(sampler), np.linalg.norm(finite(sampler.keys), axis=1), 1.0)


def _furthest(sampler: Sampler) -> float:
    """Return the time of the key whose quaternion is furthest off length 1."""
    return float(sampler.times[int(np.argmax(np.abs(_lengths(sampler) - 1.0)))])


@rule(
    LENGTH,
    title="Quaternion not of length 1",
    measures="the distance from 1 of the lengths of keyed quaternions",
    severity="error",
    fix="exact",
    needs="clips",
    plot="rotation",
)
@over_clips
def not_unit(subject: Subject) -> Iterator[Finding]:
    """Keyed rotations whose quaternion has not length 1."""
    rig, turns, limit = subject.rig, subject.of_rig(curves)["rotation"], subject.limit(LENGTH)
    worst = turns.each(
        np.maximum, np.abs(np.sqrt(np.einsum("ij,ij->i", turns.keys, turns.keys)) - 1.0)
    )
    for i in np.flatnonzero(~turns.sound):
        worst[i] = np.abs(_lengths(turns.samplers[i]) - 1.0).max()
    for i in np.flatnonzero((worst > limit) & (worst <= _OF_BYTES)):
        if _in_bytes(turns.samplers[i]):
            worst[i] = 0.0
    for number, clip in enumerate(rig.clips):
        rows = np.flatnonzero((turns.clips == number) & (worst > limit))
        off = {int(turns.channels[row]): float(worst[row]) for row in rows}
        bad = sorted(off, key=lambda i: -off[i])
        if not bad:
            continue
        yield replace(
            about(
                rig,
                number,
                [clip.channels[i] for i in bad],
                Sentence(
                    "{channels} with quaternions off length 1 by up to {off:.3g}",
                    channels=count(len(bad), "channel"),
                    off=off[bad[0]],
                ),
                "Programs that do not normalise scale and shear the joint by the square of the length.",
            ),
            time=_furthest(clip.channels[bad[0]].sampler),
            value=off[bad[0]],
            limit=limit,
            fix=offer(
                rig,
                "exact",
                "Normalise the keys",
                partial(normalise_keys, number=number, limit=limit),
            ),
        )


def _in_bytes(sampler: Sampler) -> bool:
    """Tell whether all keys are 127ths, as normalised bytes hold them: no writer could do better."""
    steps = 127.0 * finite(sampler.keys)
    return bool(np.abs(steps - np.round(steps)).max(initial=0.0) < 1e-4)


def normalise_keys(rig: Rig, number: int, limit: float) -> Rig:
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
        if float(np.abs(lengths - 1.0).max(initial=0.0)) <= limit:
            return channel
        if sampler.interpolation == "CUBICSPLINE":
            if float(np.ptp(lengths)) > CONSTANT * float(lengths.max()) or lengths.min() <= 0.0:
                raise Refused(
                    "quaternions of a cubic spline differ in length: at length 1 it takes another path"
                )
            values = sampler.values / lengths[:, None, None]
        else:
            values = np.where(
                finite_keys(sampler)[:, None],
                quat.normalise(finite(sampler.values)),
                sampler.values,
            )
        return replace(channel, sampler=replace(sampler, values=values))

    return changed(rig, number, change)


def _signs(sampler: Sampler) -> FloatArray:
    """Return ``(n,)`` the signs that let every keyed quaternion lie near the one before.

    Keys half a turn apart to within rounding keep their signs: they say which way round is meant.
    """
    keys = quat.normalise(held_keys(sampler))
    cosine = np.sum(keys[1:] * keys[:-1], axis=1)
    steps = np.where(cosine < -quat.HALF_TURN, -1.0, 1.0)
    return np.concatenate([np.ones(min(1, len(keys))), np.cumprod(steps)])


@rule(
    "ANI-QFLIP",
    title="Quaternion changes its sign",
    measures="neighbouring keys whose quaternions lie on opposite sides",
    severity="info",
    fix="exact",
    needs="clips",
    plot="rotation",
)
@over_clips
def long_ways(subject: Subject) -> Iterator[Finding]:
    """Neighbouring keys whose quaternions lie on opposite sides."""
    rig, turns = subject.rig, subject.of_rig(curves)["rotation"]
    flips = turns.cosines < -quat.HALF_TURN
    number_of = turns.each(np.add, np.where(flips, 1.0, 0.0))
    flipping = np.flatnonzero(number_of)
    if not len(flipping):
        return
    # The first key of each curve that lies on the other side than the one before.
    first = turns.each(np.fmin, np.where(np.roll(flips, 1), turns.times, np.nan))
    for number, clip in enumerate(rig.clips):
        here = flipping[turns.clips[flipping] == number]
        for spline in (True, False):
            rows = here[turns.bent[here] == spline]
            if not len(rows):
                continue
            bad, total = turns.channels[rows].tolist(), int(number_of[rows].sum())
            severity: Severity | None = "warning" if spline else None
            kind: FixClass = "shape" if spline else "exact"
            yield replace(
                about(
                    rig,
                    number,
                    [clip.channels[i] for i in bad],
                    Sentence(
                        "{keys} of {channels} {verb} the long way round"
                        if spline
                        else "{keys} of {channels} {verb} the opposite sign of the key before",
                        keys=count(total, "key"),
                        channels=count(len(bad), "channel"),
                        verb=verb(total, "turns", "turn") if spline else verb(total, "has", "have"),
                    ),
                    "A cubic spline follows the numbers, and so swings the joint round almost a whole turn."
                    if spline
                    else "It is the same rotation. Spherical interpolation, which glTF asks for, takes the "
                    "short way all the same; players that blend the numbers whatever the sign do not.",
                ),
                time=_first(first[rows]),
                value=total,
                limit=0,
                unit="key",
                severity=severity,
                note=not spline,
                fix=Fix(
                    kind,
                    "Turn keys the short way" if spline else "Give keys the sign of the key before",
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
        return replace(channel, sampler=replace(sampler, values=values))

    return changed(rig, number, change)
