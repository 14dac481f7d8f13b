"""Joint regions measured along clips, in the poses that turn joints most.

Which times of a clip are measured:

1. Looked at are all keys that the file states and 32 even times: joints are posed, no mesh is skinned.
2. Measured are all of them where those of all clips together are no more than `most`. Else each clip's
   share are the times that take every joint within 97 % of its furthest bend and of its furthest twist
   each way, then even ones.
3. Where a region comes to half of a limit, times between the worst one and its measured neighbours are
   added, three times over.

Self-intersection is measured in a few poses of each clip: where the regions that come nearest to a limit
are worst, and where the joints that bend most do (`_FOLDED` regions a clip).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.clip import Clip
from rigview.core.measures.joint_measures import SCANNED
from rigview.core.measures.joint_meter import JointMeter, MethodReading
from rigview.core.measures.mover import angles_of
from rigview.core.measures.scan import scan_times
from rigview.core.pose import sample
from rigview.core.skinning import ASKED, DEFAULT_PANES, Options

# Hears what is under way ("Walk: 12 of 40 poses") and the share done, 0 to 1; may raise to stop.
Progress = Callable[[str, float], None]

# Poses measured of all clips together: a rig of 25,000 vertices takes ten seconds or so for them.
MOST_POSES = 480
# A joint is seen this near to its furthest turn, if that is more than some.
_FURTHEST, _TURNED = 0.97, np.radians(5.0)
# A region that comes to this share of a limit is looked at more closely, so many times.
_CLOSE, _ROUNDS = 0.5, 3
# Below so many vertices one thread alone is the quickest: most operations are so small that threads wait
# for the interpreter more than they gain. Two took 1.1 to 1.4 times as long on 3,000 to 25,000 vertices.
_LARGE = 100_000
INTERSECTION = "intersection"
# A joint bent by more than this may fold skin through itself; regions of a clip that are looked at.
_FOLDS, _FOLDED = np.radians(60.0), 6


@dataclass(frozen=True)
class JointPlan:
    """What is scanned.

    Parameters
    ----------
    methods
        Keys of `skinning.ASKED`.
    most
        Poses measured of all clips together; no clip gets fewer than 8.
    threads
        How many measure at once; None for one, and for a few more than there are processors where a
        mesh is large.
    """

    methods: tuple[str, ...] = DEFAULT_PANES
    options: Options = field(default_factory=Options)
    most: int = MOST_POSES
    threads: int | None = None

    def __post_init__(self) -> None:
        if not self.methods:
            raise ValueError("methods: wanted at least one")


@dataclass(frozen=True, eq=False)
class ClipScan:
    """What was measured in one clip.

    Parameters
    ----------
    clip
        Its number in `JointScan.clips`.
    times
        ``(T,)`` seconds, ascending, that were measured.
    turns
        ``(T, R, 2)`` bend and twist of each region's joint, radians.
    values
        Method → measure → ``(T, R)``; NaN where it was not measured or there is nothing to measure.
    """

    clip: int
    times: FloatArray
    turns: FloatArray
    values: dict[str, dict[str, FloatArray]]

    @cached_property
    def angles(self) -> FloatArray:
        """``(T, R)`` the angles of the joints' whole rotations, radians."""
        return angles_of(self.turns)


@dataclass(frozen=True, eq=False)
class JointScan:
    """What was measured of a rig's joints in some clips.

    Parameters
    ----------
    clips
        Those asked for; `each` has one scan of each that was scanned.
    """

    meter: JointMeter
    plan: JointPlan
    clips: tuple[Clip, ...]
    each: tuple[ClipScan, ...]


def scan_joints(
    meter: JointMeter,
    clips: Sequence[Clip] | None = None,
    plan: JointPlan | None = None,
    *,
    progress: Progress | None = None,
    found: Callable[[JointScan], None] | None = None,
) -> JointScan:
    """Measure the joints of a rig in some clips.

    Parameters
    ----------
    clips
        The rig's own where None.
    progress
        Hears what is under way and the share done; may raise to stop.
    found
        Hears all that has been scanned after every clip, so that a list can fill.
    """
    listed = tuple(meter.deformer.rig.clips if clips is None else clips)
    plan = plan or JointPlan()
    done: list[ClipScan] = []
    for one in scan_clips(meter, listed, plan, progress=progress):
        done.append(one)
        if found is not None:
            found(JointScan(meter, plan, listed, tuple(done)))
    return JointScan(meter, plan, listed, tuple(done))


def _threads(meter: JointMeter, plan: JointPlan) -> int | None:
    """Return how many threads measure; None for a few more than there are processors."""
    if plan.threads is not None:
        return plan.threads
    return None if len(meter.skin.welded) >= _LARGE else 1


def scan_at(
    meter: JointMeter, clips: Sequence[Clip], times: Mapping[int, Sequence[float]], plan: JointPlan
) -> JointScan:
    """Measure chosen poses, and self-intersection in few of them.

    Parameters
    ----------
    times
        Number of a clip in `clips` → seconds, ascending.
    """
    meter.prepare()
    with ThreadPoolExecutor(_threads(meter, plan)) as pool:
        parts = {
            number: _Part(meter, plan, clips[number], np.asarray(chosen, dtype=np.float64), pool)
            for number, chosen in sorted(times.items())
        }
        read = {
            (number, i): row for number, part in parts.items() for i, row in part.measured().items()
        }
        folded = _folded(read) if read and len(meter.regions) else {}
        each = []
        for number, part in parts.items():
            own = {i: row for (of, i), row in read.items() if of == number}
            wanted = {i: regions for (of, i), regions in folded.items() if of == number}
            part.cross(own, wanted)
            each.append(part.put_together(number, own))
    return JointScan(meter, plan, tuple(clips), tuple(each))


def scan_clips(
    meter: JointMeter,
    clips: Sequence[Clip],
    plan: JointPlan,
    *,
    progress: Progress | None = None,
) -> Iterator[ClipScan]:
    """Yield one scan a clip; see `scan_joints`."""
    tell = progress or (lambda _text, _share: None)
    tell("preparing", 0.0)
    meter.prepare()
    for method in plan.methods:
        meter.deformer.prepare(ASKED[method])
    every = [scan_times(clip) for clip in clips]
    total = sum(map(len, every))
    with ThreadPoolExecutor(_threads(meter, plan)) as pool:
        before = 0
        for number, (clip, times) in enumerate(zip(clips, every, strict=True)):
            share = max(8, plan.most * len(times) // max(total, 1))
            part = _Part(meter, plan, clip, times, pool)
            start, length = before / max(total, 1), len(times) / max(total, 1)

            def heard(
                done: float, name: str = clip.name, a: float = start, b: float = length
            ) -> None:
                tell(name, a + b * done)

            yield part.scanned(number, share, heard)
            before += len(times)
    tell("done", 1.0)


def angles_over(meter: JointMeter, clip: Clip, times: FloatArray) -> FloatArray:
    """Return ``(T, R, 3)`` bend, and twist each way, of all regions at all times of a clip, radians."""
    result = np.zeros((len(times), len(meter.regions), 3))
    for first in range(0, len(times), 64):
        some = slice(first, first + 64)
        turns = meter.turns_over(sample(meter.deformer.rig, clip, times[some]))
        result[some, :, 0] = turns[..., 0]
        result[some, :, 1] = np.maximum(turns[..., 1], 0.0)
        result[some, :, 2] = np.maximum(-turns[..., 1], 0.0)
    return result


@dataclass(frozen=True, eq=False)
class _Part:
    """One clip to scan, and who does it."""

    meter: JointMeter
    plan: JointPlan
    clip: Clip
    times: FloatArray
    pool: ThreadPoolExecutor

    def scanned(self, number: int, share: int, heard: Callable[[float], None]) -> ClipScan:
        """Return the scan of the clip, of so many poses at most at first."""
        angles = angles_over(self.meter, self.clip, self.times)
        chosen = telling_times(angles, share)
        readings: dict[int, _Measured] = {}
        self._measure(chosen, readings, lambda done: heard(0.7 * done))
        for _ in range(_ROUNDS):
            self._measure(self._between(readings), readings, lambda _: heard(0.8))
        heard(0.9)
        self.cross(readings, _folded(readings) if len(self.meter.regions) else {})
        return self.put_together(number, readings)

    def measured(self) -> "dict[int, _Measured]":
        """Return what was measured at all the times."""
        readings: dict[int, _Measured] = {}
        self._measure(range(len(self.times)), readings, lambda _: None)
        return readings

    def put_together(self, number: int, readings: "dict[int, _Measured]") -> ClipScan:
        """Return the scan of the clip."""
        order = sorted(readings)
        rows = [readings[i] for i in order]
        values = {
            method: {
                name: np.array([row.readings[method].values[name] for row in rows])
                for name in (*SCANNED, INTERSECTION)
            }
            for method in self.plan.methods
        }
        turns = np.array([row.turns for row in rows])
        return ClipScan(number, self.times[order], turns, values)

    def _measure(
        self,
        numbers: Sequence[int],
        into: dict[int, "_Measured"],
        heard: Callable[[float], None],
    ) -> None:
        """Measure the poses of some times; the first one that cannot be stops all."""
        futures = [self.pool.submit(self._read, i) for i in numbers]
        try:
            for done, (i, future) in enumerate(zip(numbers, futures, strict=True)):
                heard(done / len(numbers))
                into[i] = future.result()
        finally:
            for future in futures:
                future.cancel()

    def _read(self, number: int) -> "_Measured":
        deformer = self.meter.deformer
        frame = deformer.frame(sample(deformer.rig, self.clip, float(self.times[number])))
        pose = self.meter.pose(frame)
        readings = self.meter.read_all(pose, self.plan.methods, self.plan.options)
        return _Measured(pose.turns, readings)

    def cross(self, readings: "dict[int, _Measured]", wanted: Mapping[int, Sequence[int]]) -> None:
        """Measure self-intersection of some regions in some poses; elsewhere it is not known."""
        for row in readings.values():
            for reading in row.readings.values():
                reading.values[INTERSECTION] = np.full(len(self.meter.regions), np.nan)
        jobs = {
            number: self.pool.submit(self._crossings, number, list(regions))
            for number, regions in wanted.items()
        }
        for number, job in jobs.items():
            regions, shares = job.result()
            for method, values in shares.items():
                readings[number].readings[method].values[INTERSECTION][regions] = values

    def _crossings(
        self, number: int, regions: list[int]
    ) -> tuple[list[int], dict[str, FloatArray]]:
        deformer, methods = self.meter.deformer, self.plan.methods
        frame = deformer.frame(sample(deformer.rig, self.clip, float(self.times[number])))
        skinned = deformer.skin_by(frame, (ASKED[name] for name in methods), self.plan.options)
        shares = {
            method: self.meter.crossings(parts, regions)
            for method, parts in zip(methods, skinned, strict=True)
        }
        return regions, shares

    def _between(self, readings: dict[int, "_Measured"]) -> list[int]:
        """Return times half-way from the worst of regions that come near a limit to their neighbours."""
        order = np.array(sorted(readings))
        if len(order) < 2 or not len(self.meter.regions):
            return []
        wanted: set[int] = set()
        for method in self.plan.methods:
            worst = np.array([readings[i].readings[method].worst for i in order.tolist()])
            peaks = np.argmax(worst, axis=0)
            near = worst[peaks, np.arange(worst.shape[1])] >= _CLOSE
            for peak in np.unique(peaks[near]).tolist():
                for other in (peak - 1, peak + 1):
                    if 0 <= other < len(order) and abs(order[peak] - order[other]) > 1:
                        wanted.add(int(order[peak] + order[other]) // 2)
        return sorted(wanted - readings.keys())


@dataclass(frozen=True, eq=False)
class _Measured:
    """One pose."""

    turns: FloatArray
    readings: dict[str, MethodReading]


_Pose = TypeVar("_Pose", int, tuple[int, int])


def _folded(readings: "Mapping[_Pose, _Measured]") -> dict[_Pose, list[int]]:
    """Return pose → the regions of which self-intersection is worth its cost there.

    They are those that come nearest to a limit, where they do, and those whose joints bend most.
    """
    order = sorted(readings)
    worst = np.array(
        [np.max([r.worst for r in readings[i].readings.values()], axis=0) for i in order]
    )
    bends = np.array([readings[i].turns[:, 0] for i in order])
    wanted: dict[_Pose, set[int]] = {}
    for figures, least in ((worst, _CLOSE), (bends, _FOLDS)):
        peaks = figures.argmax(axis=0)
        highest = figures.max(axis=0)
        ranked = np.argsort(-highest, kind="stable")[:_FOLDED]
        for region in ranked[highest[ranked] >= least].tolist():
            wanted.setdefault(order[peaks[region]], set()).add(region)
    return {pose: sorted(regions) for pose, regions in wanted.items()}


def telling_times(angles: FloatArray, most: int) -> list[int]:
    """Return at most so many of ``(T, R, 3)`` poses, those that turn joints furthest first; all if few."""
    count = len(angles)
    if count <= most:
        return list(range(count))
    flat = angles.reshape(count, -1)
    furthest = flat.max(axis=0, initial=0.0)
    flat, furthest = flat[:, furthest >= _TURNED], furthest[furthest >= _TURNED]
    chosen = _covering(flat >= _FURTHEST * furthest, flat.sum(axis=1), most)
    even = np.unique(np.rint(np.linspace(0, count - 1, most)).astype(np.int64)).tolist()
    # Even ones are taken from coarse to fine, so that what is left out is spread, too.
    for step in (8, 4, 2, 1):
        for i in even[::step]:
            if len(chosen) < most and i not in chosen:
                chosen.append(i)
    return sorted(chosen)


def _covering(reached: BoolArray, together: FloatArray, most: int) -> list[int]:
    """Choose poses until each column of ``(T, C)`` is reached in one; the most columns first."""
    chosen: list[int] = []
    left = np.ones(reached.shape[1], dtype=np.bool_)
    tie = together / (2.0 * max(float(together.max(initial=0.0)), 1.0))
    while left.any() and len(chosen) < most:
        best = int(np.argmax(reached[:, left].sum(axis=1) + tie))
        chosen.append(best)
        left &= ~reached[best]
    return chosen
