"""The rule about frames: which rate a clip is keyed at, and keys between its frames."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rigview.check.limits import Limit
from rigview.check.rule import Finding, Fix, Subject, count, rule
from rigview.check.rules.shared.clip_findings import clip_finding
from rigview.check.rules.shared.merge_findings import over_clips
from rigview.core.arrays import FloatArray, median
from rigview.core.clip import Clip
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# The frame rates that editors offer.
RATES = (24.0, 25.0, 30.0, 50.0, 60.0, 48.0, 15.0, 12.0, 10.0, 20.0, 120.0, 23.976, 29.97, 59.94)
DEFAULT_RATE = 30.0
# Any other whole rate between those, for clips of so many keys that none fits by chance.
WHOLE_RATES = range(int(min(RATES)), int(max(RATES)) + 1)
TELLING_KEYS = 8
# Keys further apart than these frames may stand on every second or third one.
_EVERY_FRAME = 23.976
# Of the keys of a clip that keys most frames so few lie between frames by mistake.
LOOSE = 0.1
# Keys of a baked clip are rounded by less; a rate that they lie further off is not theirs.
GRID_LIMIT = 0.1
GRID = Limit("ANI-GRID", GRID_LIMIT, "frames", "how far a key is from a whole frame")


def frame_rate(rig: Rig, clip: Clip) -> float:
    """Return the file's frame rate, else one that a clip's keys lie on: a usual one, their own, a whole.

    A few keys between the frames of a clip that else keys every frame do not make these finer. Where
    there is none, it is the usual one that most of them lie on, and the others least far off.
    """
    if rig.origin.fps:
        return float(rig.origin.fps)
    times = clip.stated_times
    if not len(times):
        return DEFAULT_RATE
    pace = _pace(times)
    if pace is not None:
        return pace
    fitting = next((rate for rate in RATES if _off_grid(times, rate).max() <= GRID_LIMIT), None)
    if fitting is not None:
        return fitting
    own = (len(times) - 1) / float(times[-1] - times[0]) if len(times) > 1 else 0.0
    if own >= min(RATES) and _off_grid(times, own).max() <= GRID_LIMIT:
        return own
    if len(times) >= TELLING_KEYS:
        for whole in WHOLE_RATES:
            if _off_grid(times, whole).max() <= GRID_LIMIT:
                return float(whole)
    off = {rate: _off_grid(times, rate) for rate in RATES}
    return min(RATES, key=lambda r: (np.count_nonzero(off[r] > GRID_LIMIT), off[r].max()))


def _pace(times: FloatArray) -> float | None:
    """Return the rate whose frame is the usual gap between keys, if nearly all of many lie on it."""
    if len(times) < TELLING_KEYS:
        return None
    gap = median(times[1:] - times[:-1])
    rates = [rate for rate in (*RATES, *WHOLE_RATES) if abs(gap * rate - 1.0) <= GRID_LIMIT]
    rates = [rate for rate in rates if rate >= _EVERY_FRAME]
    if not rates:
        return None
    loose, _, best = min(zip(*_loose(times, np.array(rates)), rates, strict=True))
    return float(best) if 0 < loose <= max(1.0, LOOSE * len(times)) else None


def _loose(times: FloatArray, rates: FloatArray) -> tuple[list[int], list[float]]:
    """Return at each rate how many times lie between frames, and how far off one the others are at most."""
    off = _off_grid(times, rates[:, None])
    on = off <= GRID_LIMIT
    return (~on).sum(axis=1).tolist(), np.where(on, off, 0.0).max(axis=1).tolist()


def _off_grid(times: FloatArray, rate: float | FloatArray) -> FloatArray:
    """Return how far times are from whole frames, in frames."""
    frames = times * rate
    return np.abs(frames - np.rint(frames))


@rule(
    GRID,
    title="Keys between frames",
    measures="how far keys are from whole frames",
    severity="info",
    needs="clips",
)
@over_clips
def off_grid(subject: Subject) -> Iterator[Finding]:
    """Keys between frames."""
    rig = subject.rig
    for number, clip in enumerate(rig.clips):
        rate = frame_rate(rig, clip)
        times = clip.stated_times
        off = _off_grid(times, rate)
        loose = int(np.count_nonzero(off > subject.limit(GRID)))
        if not loose:
            continue
        worst = int(np.argmax(off))
        yield replace(
            clip_finding(
                rig,
                number,
                [],
                Sentence(
                    "{times} of {number} up to {off:.2f} frames off a grid of {rate:g} to the "
                    "second",
                    times=count(loose, "key time"),
                    number=len(times),
                    off=off[worst],
                    rate=rate,
                ),
                "Keys between frames are moved or lost by editors that work frame by frame.",
            ),
            time=float(times[worst]),
            value=float(off[worst]),
            limit=subject.limit(GRID),
            unit="frames",
            fix=Fix("none", reason="moving keys would change the motion"),
        )
