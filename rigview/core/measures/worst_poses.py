"""The poses in which joints deform worst, ranked, each with the joint that causes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.brief import brief_repr
from rigview.core.frame import Frame
from rigview.core.measures.joint_measures import MEASURES, OF_ANY_SHAPE, Level
from rigview.core.measures.joint_meter import JointMeter, JointPose, MethodReading
from rigview.core.measures.joint_scan import ClipScan, JointScan
from rigview.core.measures.measure_words import said
from rigview.core.measures.mover import JointTurn
from rigview.core.sentence import Sentence
from rigview.core.skinning import ASKED, Options

# Two poses of one joint whose angles differ by less are one.
APART = np.radians(15.0)
# A joint turned by less than this takes 13 % of a limb's width at most, 1 − cos(30°).
PINCHES = np.radians(60.0)
# The joint that has turned furthest causes it, if its own region is at least this nearly as bad.
_NEARLY = 0.5

# A region of this severity is named in headers: half-way to a limit.
_NAMED = 0.5


@dataclass(frozen=True)
class WorstPose:
    """One joint at its worst.

    Parameters
    ----------
    joint, parent
        Node numbers: the joint whose rotation against its parent causes it.
    character
        The number of its character (`core.characters`).
    clip, time
        Number of the clip in `JointScan.clips`, and seconds.
    method, measure
        Keys of `skinning.ASKED` and of `joint_measures.MEASURES`.
    value, limit
        Of the measure, in its unit.
    severity
        Multiples of the limit (`Measure.severity`): 1 is a warning.
    turn
        Bend and twist of the joint against its parent, against the bind pose, radians.
    values
        Method → the measure's value in this pose.
    region
        Number of the region (`Regions.each`).
    """

    __repr__ = brief_repr

    joint: int
    parent: int
    character: int
    clip: int
    time: float
    method: str
    measure: str
    value: float
    limit: float
    severity: float
    turn: JointTurn
    values: Mapping[str, float]
    region: int

    @property
    def level(self) -> Level:
        """How bad it is: "error" where the shape is lost, "warning" from the limit on, else "fine"."""
        return MEASURES[self.measure].level(self.value, self.limit)


@dataclass(frozen=True)
class WorstRegion:
    """The worst region of one pose under one method; see `WorstPose`."""

    joint: int
    parent: int
    character: int
    measure: str
    value: float
    limit: float
    severity: float
    turn: JointTurn
    region: int

    @property
    def level(self) -> Level:
        """See `WorstPose.level`."""
        return MEASURES[self.measure].level(self.value, self.limit)


def worst_words(worst: WorstRegion | None, joint: str) -> tuple[str, str]:
    """Return what a header says of the worst region of a pose: its joint's name, and the value.

    Half-way to a limit a region is named; below that nothing is wrong, and where nothing is measured
    nothing is said.
    """
    if worst is None:
        return "", ""
    if worst.severity < _NAMED:
        return "", Sentence("all within limits")
    return joint, said(worst.measure, worst.value)


@dataclass(frozen=True)
class Judgement:
    """What is looked for.

    Parameters
    ----------
    measures
        Those that count, keys of `MEASURES`.
    limits
        Measure → another limit than the table's, as a studio sets it.
    least
        The lowest severity that is listed.
    every
        Whether further poses of one joint in one clip are listed, where its angle differs by 15°.
    """

    measures: tuple[str, ...] = tuple(MEASURES)
    limits: Mapping[str, float] | None = None
    least: float = 1.0
    every: bool = False

    def limit(self, measure: str) -> float:
        """Return the limit of a measure."""
        return (self.limits or {}).get(measure, MEASURES[measure].limit)

    def severities(self, values: Mapping[str, FloatArray]) -> tuple[FloatArray, list[str]]:
        """Return ``(M, …)`` severities, −∞ where there is no value, and the measures."""
        names = [name for name in self.measures if name in values]
        rows = [MEASURES[name].severity(values[name], self.limit(name)) for name in names]
        stacked = np.array(rows) if rows else np.zeros((0, *_shape(values)))
        return np.where(np.isnan(stacked), -np.inf, stacked), names


def _shape(values: Mapping[str, FloatArray]) -> tuple[int, ...]:
    return next((array.shape for array in values.values()), (0,))


def worst_poses(
    scan: JointScan,
    judgement: Judgement | None = None,
    methods: Sequence[str] | None = None,
) -> tuple[WorstPose, ...]:
    """Return the worst poses of a scan, also of one that is not finished, the most severe first.

    There is one per joint, clip and method at most, unless `judgement.every`.

    Parameters
    ----------
    methods
        Those to list; all that were scanned where None.
    """
    judged = judgement or Judgement()
    regions = scan.meter.regions
    result: list[WorstPose] = []
    if len(regions):
        overlap = scan.meter.regions.overlaps
        for one in scan.each:
            for method in methods or scan.plan.methods:
                result += _of_clip(scan, one, method, judged, overlap)
    return by_severity(result)


def by_severity(poses: Iterable[WorstPose]) -> tuple[WorstPose, ...]:
    """Return poses in the order in which they are listed, the most severe first."""
    return tuple(sorted(poses, key=lambda worst: (-worst.severity, worst.clip, worst.time)))


def _of_clip(
    scan: JointScan, one: ClipScan, method: str, judged: Judgement, overlap: BoolArray
) -> list[WorstPose]:
    severities, names = judged.severities(one.values[method])
    if not severities.size:
        return []
    regions = scan.meter.regions
    blamed = _blamed(severities, names, one.angles, overlap)
    worst = np.where(blamed, severities, -np.inf).max(axis=0)
    result = []
    for joint in np.unique(regions.joints).tolist():
        own = np.flatnonzero(regions.joints == joint)
        of_joint = worst[:, own].max(axis=1)
        for t in _peaks(of_joint, one.angles[:, own[0]], judged.least, every=judged.every):
            region = int(own[np.argmax(worst[t, own])])
            measure = int(
                np.argmax(np.where(blamed[:, t, region], severities[:, t, region], -np.inf))
            )
            name = names[measure]
            of = regions.each[region]
            bend, twist = one.turns[t, region].tolist()
            result.append(
                WorstPose(
                    of.joint,
                    of.parent,
                    of.character,
                    one.clip,
                    float(one.times[t]),
                    method,
                    name,
                    float(one.values[method][name][t, region]),
                    judged.limit(name),
                    float(worst[t, region]),
                    JointTurn(bend, twist),
                    {m: float(one.values[m][name][t, region]) for m in scan.plan.methods},
                    region,
                )
            )
    return result


def _blamed(
    severities: FloatArray, names: Sequence[str], angles: FloatArray, overlap: BoolArray
) -> BoolArray:
    """Return ``(M, T, R)`` which regions are their own joint's doing.

    A region is another joint's doing where the two overlap, that joint has turned further, and its own
    region is nearly as bad. A joint turned by less than 15° takes 1 % of a limb's width: whatever is
    wrong with the shape there it has not done, but it may stretch a patch that is far away. One turned by
    less than 60° lets no limb collapse.

    Parameters
    ----------
    severities, angles
        ``(M, T, R)``; ``(T, R)`` of the joints' turns.
    """
    result = np.ones(severities.shape, dtype=np.bool_)
    shapes = [name not in OF_ANY_SHAPE for name in names]
    result[shapes] = angles >= APART
    result[[name == "collapse" for name in names]] = angles >= PINCHES
    with np.errstate(invalid="ignore"):
        for region in range(angles.shape[1]):
            others = np.flatnonzero(overlap[region])
            others = others[others != region]
            if not len(others):
                continue
            further = angles[:, others] > angles[:, region : region + 1]
            bad = severities[:, :, others] >= _NEARLY * severities[:, :, region : region + 1]
            result[:, :, region] &= ~(further & bad).any(axis=2)
    return result


def _peaks(values: FloatArray, angles: FloatArray, least: float, *, every: bool) -> list[int]:
    """Return where ``(T,)`` severities are highest: once, or at all maxima whose angles are apart."""
    order = np.argsort(-values, kind="stable")
    chosen: list[int] = []
    for t in order.tolist():
        if values[t] < least or (chosen and not every):
            break
        before = values[t - 1] if t else -np.inf
        after = values[t + 1] if t + 1 < len(values) else -np.inf
        if values[t] < before or values[t] < after:
            continue
        if all(abs(angles[t] - angles[other]) >= APART for other in chosen):
            chosen.append(t)
    return chosen


def worst_region(
    meter: JointMeter,
    pose: JointPose,
    reading: MethodReading,
    judgement: Judgement | None = None,
    region: int | None = None,
) -> WorstRegion | None:
    """Return the worst region of a pose that was read; None without regions or values.

    Parameters
    ----------
    judgement
        Its `least` is not asked for: where nothing is wrong, the severity is below 1.
    region
        Ask this region only.
    """
    judged = judgement or Judgement()
    severities, names = judged.severities(reading.values)
    if not severities.size:
        return None
    angles = pose.angles[None, :]
    blamed = _blamed(severities[:, None], names, angles, meter.regions.overlaps)[:, 0]
    judged_values = np.where(blamed, severities, -np.inf)
    if region is not None:
        judged_values = np.full_like(severities, -np.inf)
        judged_values[:, region] = severities[:, region]
    measure, number = np.unravel_index(int(np.argmax(judged_values)), severities.shape)
    name, found = names[int(measure)], int(number)
    if not np.isfinite(severities[measure, found]):
        return None
    of = meter.regions.each[found]
    return WorstRegion(
        of.joint,
        of.parent,
        of.character,
        name,
        float(reading.values[name][found]),
        judged.limit(name),
        float(severities[measure, found]),
        pose.turn(found),
        found,
    )


def worst_regions(
    meter: JointMeter, frame: Frame, methods: Iterable[str], options: Options
) -> dict[str, WorstRegion | None]:
    """Return the worst region of a pose under each of several methods, keys of `skinning.ASKED`."""
    pose = meter.pose(frame)
    found: dict[str, WorstRegion | None] = {}
    for method in dict.fromkeys(methods):
        skinned = meter.deformer.skin_all(frame, ASKED[method], options)
        found[method] = worst_region(meter, pose, meter.read(pose, skinned))
    return found


def worst_over_clip(
    scan: JointScan, one: ClipScan, method: str, judgement: Judgement | None = None
) -> list[tuple[int, str, float, float]]:
    """Return region, measure, value and severity of the worst region at each measured time of a clip.

    The severity is 0 where nothing is measured.
    """
    judged = judgement or Judgement()
    severities, names = judged.severities(one.values[method])
    if not severities.size:
        return [(-1, "", 0.0, 0.0)] * len(one.times)
    blamed = _blamed(severities, names, one.angles, scan.meter.regions.overlaps)
    judged_values = np.where(blamed, severities, -np.inf)
    result = []
    for t in range(len(one.times)):
        at = judged_values[:, t]
        measure, region = np.unravel_index(int(np.argmax(at)), at.shape)
        if not np.isfinite(at[measure, region]):
            result.append((-1, "", 0.0, 0.0))
            continue
        name = names[int(measure)]
        value = float(one.values[method][name][t, region])
        result.append((int(region), name, value, float(at[measure, region])))
    return result
