"""The joints that deform beyond a limit over all clips: each in its worst pose, under every method.

All clips are measured under the method that the profile or the file uses; other methods and twist joints
only in the poses that are worst, to know what would help there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.facts import joint_meter
from rigview.check.rig_edits.twist_joints import add_twist_joints, plan, twist_joints_of
from rigview.check.rule import Refused, Subject
from rigview.check.rules.posed_skin.exclusions import Exclusions
from rigview.check.rules.posed_skin.skin_reach import looked, telling
from rigview.core.clip import Clip
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import (
    INTERSECTION,
    JointPlan,
    JointScan,
    scan_at,
    scan_joints,
)
from rigview.core.measures.worst_poses import Judgement, WorstPose, worst_poses
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED, Options

# Poses measured of all clips of a character together, before those near the worst ones are added.
POSES = 48
# Clips of so many keys together are measured closely; of longer ones so many poses.
CLOSELY, TELLING = 128, 24
# Compared in the worst poses: what engines and packages offer.
COMPARED = ("lbs", "dqs", "compensated")
# Profiles → the method that they are about.
_OF_PROFILES = {"dqs": "dqs", "thesis": "compensated"}
# What is advised leaves at most this share of the severity.
HELPS = 0.5
# Methods are as good where their severities differ by no more than this factor.
_AS_GOOD = 1.1
TWIST_JOINTS = 2


def limit_of(key: str, measure: str, meaning: str) -> Limit:
    """Return a rule's limit of a measure, with the default of the table of measures."""
    row = MEASURES[measure]
    # At the value of an undeformed region there is no measuring how far one has gone to the limit.
    near = row.unchanged + (0.01 if measure != "volume" else -0.01)
    return Limit(
        key,
        row.limit,
        row.unit,
        meaning,
        "least" if measure == "volume" else "most",
        lowest=0.0 if measure == "volume" else near,
        highest=near if measure == "volume" else np.inf,
    )


COLLAPSE = limit_of(
    "DEF-COLLAPSE.width", "collapse", "the loss of width of the cross-section that loses most"
)
COLLAPSE_ERROR = replace(
    COLLAPSE,
    key=COLLAPSE.key_of("error"),
    default=MEASURES["collapse"].error or 1.0,
    meaning="the loss of width by which the shape is lost",
    tells="error",
)
BULGE = limit_of("DEF-BULGE", "bulge", "how far the outer side stands out, in radii of the limb")
VOLUME = limit_of("DEF-VOLUME", "volume", "the volume about the joint against that at bind")
STRETCH = limit_of("DEF-STRETCH.edges", "stretch", "the length of edges against that at bind")
COMPRESSION = limit_of(
    STRETCH.key_of("compression"),
    "compression",
    "the length of edges at bind against that in the pose",
)
AREA = replace(
    limit_of(STRETCH.key_of("areas"), "area", "the area of faces against that at bind"),
    was="how far faces may grow is wanted, no longer what they must keep",
)
FLIPS = limit_of("DEF-FLIP", "flips", "faces turned inside out, of the area about the joint")
INTERSECT = limit_of(
    "DEF-INTERSECT", INTERSECTION, "faces that cross others, of those about the joint"
)
LIMITS: dict[str, Limit] = {
    "collapse": COLLAPSE,
    "bulge": BULGE,
    "volume": VOLUME,
    "stretch": STRETCH,
    "compression": COMPRESSION,
    "area": AREA,
    "flips": FLIPS,
    INTERSECTION: INTERSECT,
}


@dataclass(frozen=True)
class Remedy:
    """What was tried in the pose of a fault.

    Parameters
    ----------
    value
        What the measure of the fault is then.
    severity
        Of that measure.
    crossed, crossed_value
        The measure that is worst of those beyond their limit now, and not before; empty if none is.
    overall
        The highest severity of all measures.
    """

    value: float
    severity: float
    crossed: str
    crossed_value: float
    overall: float


@dataclass(frozen=True, eq=False)
class JointFault:
    """One joint in the pose in which it is worst.

    Parameters
    ----------
    worst
        The pose; its `clip` is a number of `JointFault.rig`'s clips.
    meter
        What it was measured with: of its character, without what other rules name.
    more
        In how many more clips the joint is beyond a limit.
    limits
        Measure → its limit for this studio.
    """

    worst: WorstPose
    meter: JointMeter
    more: int
    limits: Mapping[str, float] = field(repr=False)

    @property
    def rig(self) -> Rig:
        """What was measured."""
        return self.meter.deformer.rig

    @property
    def clip(self) -> Clip:
        """The clip that the pose is of."""
        return self.rig.clips[self.worst.clip]

    @property
    def twists(self) -> bool:
        """Whether the joint is twisted more than bent."""
        return abs(self.worst.turn.twist) > self.worst.turn.bend

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """Method → measure → value of the region in this pose, of the fault's own and of `COMPARED`."""
        worst, meter = self.worst, self.meter
        methods = tuple(dict.fromkeys((worst.method, *COMPARED)))
        deformer = meter.deformer
        frame = deformer.frame(sample(self.rig, self.clip, worst.time))
        pose, options = meter.pose(frame), Options()
        result = {}
        skinned = deformer.skin_by(frame, (ASKED[name] for name in methods), options)
        for method, parts in zip(methods, skinned, strict=True):
            read = meter.read(pose, parts).values
            result[method] = {name: float(of[worst.region]) for name, of in read.items()}
            if MEASURES[worst.measure].id == INTERSECTION:
                (crossing,) = meter.crossings(parts, [worst.region])
                result[method][INTERSECTION] = float(crossing)
        return result

    def severities(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return measure → severity; 0 where there is no value."""
        known = {name: value for name, value in values.items() if name in self.limits}
        return {
            name: float(np.nan_to_num(MEASURES[name].severity(np.array(value), self.limits[name])))
            for name, value in known.items()
        }

    @property
    def beside(self) -> list[str]:
        """The other measures beyond their limits in this pose, the worst first."""
        found = self.severities(self.values[self.worst.method])
        others = [name for name in found if name != self.worst.measure and found[name] >= 1.0]
        return sorted(others, key=lambda name: -found[name])

    def remedy(self, values: Mapping[str, float]) -> Remedy:
        """Return what it means that the region has other values."""
        before = self.severities(self.values[self.worst.method])
        after = self.severities(values)
        crossed = [
            name for name, severity in after.items() if severity >= 1.0 > before.get(name, 0.0)
        ]
        name = max(crossed, key=lambda one: after[one], default="")
        return Remedy(
            values[self.worst.measure],
            after[self.worst.measure],
            name,
            values[name] if name else np.nan,
            max(after.values()),
        )

    def helps(self, remedy: Remedy) -> bool:
        """Return whether a remedy halves the fault and leaves nothing that is as bad."""
        severity = self.worst.severity
        return remedy.severity <= HELPS * severity and remedy.overall < severity

    @property
    def methods_that_help(self) -> list[tuple[str, Remedy]]:
        """Other methods that help as much as the best does, in the order of `COMPARED`."""
        tried = [
            (name, self.remedy(values))
            for name, values in self.values.items()
            if name != self.worst.method
        ]
        helping = [(name, remedy) for name, remedy in tried if self.helps(remedy)]
        best = min((remedy.overall for _, remedy in helping), default=0.0)
        return [one for one in helping if one[1].overall <= _AS_GOOD * best]


def joint_faults(subject: Subject) -> tuple[JointFault, ...]:
    """Return one fault per joint that deforms beyond a limit, the worst first; for `Subject.kept`."""
    found = [
        fault
        for character in subject.kept(Exclusions).characters
        for fault in _of_character(subject, character)
    ]
    return tuple(sorted(found, key=lambda fault: -fault.worst.severity))


def method_of(subject: Subject, character: int) -> str:
    """Return the method that a character is judged under: the profile's, the file's, else LBS.

    It is "file" where the file skins parts of it in several ways.
    """
    rig, of = subject.rig, subject.facts.anatomy.characters
    asked = {
        rig.primitive(part).method or "lbs"
        for part in rig.parts
        if part.skin is not None
        and character in (of.get(joint, -1) for joint in rig.skins[part.skin].joints[:1])
    }
    own = asked.pop() if len(asked) == 1 else "file" if asked else "lbs"
    return _OF_PROFILES.get(subject.profile.name, own)


def limits(subject: Subject) -> dict[str, float]:
    """Return measure → limit."""
    return {measure: subject.limit(limit) for measure, limit in LIMITS.items()}


def _of_character(subject: Subject, character: int) -> Iterator[JointFault]:
    shapes = subject.kept(Exclusions)
    known, method = limits(subject), method_of(subject, character)
    judgement = Judgement(tuple(LIMITS), known)
    clips: dict[JointMeter, list[int]] = {}
    for number in _moving(subject, character):
        meter = subject.facts.once(joint_meter, shapes.deformer(number, character))
        clips.setdefault(meter, []).append(number)
    each: dict[int, list[tuple[WorstPose, JointMeter]]] = {}
    for meter, numbers in clips.items():
        scan = _scanned(subject, character, meter, numbers, method)
        for worst in worst_poses(scan, judgement):
            numbered = replace(worst, clip=numbers[worst.clip])
            each.setdefault(worst.joint, []).append((numbered, meter))
    for found in each.values():
        worst, meter = max(found, key=lambda one: one[0].severity)
        yield JointFault(worst, meter, len({one.clip for one, _ in found}) - 1, known)


def _scanned(
    subject: Subject, character: int, meter: JointMeter, numbers: Sequence[int], method: str
) -> JointScan:
    """Measure some clips: closely where they are short, else in the poses that turn joints furthest."""
    clips = tuple(subject.rig.clips[number] for number in numbers)
    if sum(len(clip.stated_times) for clip in clips) <= CLOSELY:
        return meter.once(_scan, method, clips)
    times: dict[int, list[float]] = {}
    for number, time in telling(subject.kept(looked)[character], TELLING):
        if number in numbers:
            times.setdefault(numbers.index(number), []).append(time)
    told = tuple((number, tuple(chosen)) for number, chosen in times.items())
    return meter.once(_scan, method, clips, told)


def _scan(
    meter: JointMeter,
    method: str,
    clips: tuple[Clip, ...],
    times: tuple[tuple[int, tuple[float, ...]], ...] | None = None,
) -> JointScan:
    """Measure clips, or poses of theirs; for `JointMeter.once`: a rig is also checked for other targets."""
    plan = JointPlan((method,), most=POSES)
    return (
        scan_joints(meter, clips, plan)
        if times is None
        else scan_at(meter, clips, dict(times), plan)
    )


def _moving(subject: Subject, character: int) -> list[int]:
    """Return the clips that are judged and move joints of a character."""
    rig, of = subject.rig, subject.facts.anatomy.characters
    own = [joint for joint in rig.joints if of.get(joint, -1) == character]
    nodes = set(own).union(*(rig.nodes.ancestors(joint) for joint in own))
    return [
        number
        for number in subject.kept(Exclusions).clips
        if any(channel.node in nodes for channel in rig.clips[number].active)
    ]


@dataclass(frozen=True)
class TwistFix:
    """Twist joints for a fault, measured.

    Parameters
    ----------
    joints
        Whose twist is shared out: the joint, and its partner on the other side.
    limbs
        The joints at the heads of the bones that they lie along.
    added
        How many joints are new.
    """

    joints: tuple[int, ...]
    limbs: tuple[int, ...]
    added: int
    remedy: Remedy


def with_twist_joints(rig: Rig, joints: Sequence[int]) -> Rig:
    """Return the rig with twist joints for several joints."""
    for joint in joints:
        rig = add_twist_joints(rig, joint, TWIST_JOINTS)
    return rig


def twist_fixes(subject: Subject, faults: Sequence[JointFault]) -> dict[int, TwistFix | str]:
    """Return joint → the twist joints that help it, or why none do.

    Those that are measured with one meter are tried together: they lie along different limbs.
    """
    result: dict[int, TwistFix | str] = {}
    groups: dict[int, list[JointFault]] = {}
    for fault in faults:
        groups.setdefault(id(fault.meter), []).append(fault)
    for group in groups.values():
        # Only the clips at stake get twists: the others are many.
        clips = sorted({fault.worst.clip for fault in group})
        rig = replace(group[0].rig, clips=tuple(group[0].rig.clips[clip] for clip in clips))
        tried: list[JointFault] = []
        for fault in group:
            try:
                rig = with_twist_joints(rig, [fault.worst.joint])
                tried.append(fault)
            except Refused as refusal:
                result[fault.worst.joint] = str(refusal)
        meter = JointMeter(group[0].meter.deformer.of_changed(rig)) if tried else group[0].meter
        for fault in tried:
            try:
                remedy = fault.remedy(
                    _with_twist_joints(fault, meter, clips.index(fault.worst.clip))
                )
                helps = fault.helps(remedy)
                why = "twist joints do not make it half as bad"
                result[fault.worst.joint] = _twist_fix(subject, fault, remedy) if helps else why
            except Refused as refusal:
                # The bone that is long enough while it is bound may have no length at rest.
                result[fault.worst.joint] = str(refusal)
    return result


def _twist_fix(subject: Subject, fault: JointFault, remedy: Remedy) -> TwistFix:
    """Return the fix of a joint, and of its partner where that can have twist joints, too."""
    rig, joint = replace(subject.rig, clips=()), fault.worst.joint
    joints: tuple[int, ...] = (joint,)
    changed = with_twist_joints(rig, joints)
    partner = subject.anatomy.partner.get(joint)
    if partner is not None:
        try:
            joints, changed = (joint, partner), with_twist_joints(changed, (partner,))
        except Refused:
            joints = (joint,)
    limbs = tuple(plan(rig, one).limb for one in joints)
    return TwistFix(joints, limbs, len(changed.nodes) - len(rig.nodes), remedy)


def _with_twist_joints(fault: JointFault, meter: JointMeter, clip: int) -> dict[str, float]:
    """Return measure → the worst value of the regions along the limb, in the pose of the fault.

    Parameters
    ----------
    clip
        The number of its clip in the rig with twist joints.
    """
    rig, worst, joint = meter.deformer.rig, fault.worst, fault.worst.joint
    frame = meter.deformer.frame(sample(rig, rig.clips[clip], worst.time))
    pose = meter.pose(frame)
    (skinned,) = meter.deformer.skin_by(frame, (ASKED[worst.method],), Options())
    read = meter.read(pose, skinned).values
    among = {joint, *twist_joints_of(rig, plan(rig, joint))}
    regions = [
        i for i, of in enumerate(meter.regions.each) if of.joint in among or of.parent in among
    ]
    crossing = meter.crossings(skinned, regions) if worst.measure == INTERSECTION else None
    found = {name: of[regions] for name, of in read.items()}
    if crossing is not None:
        found[INTERSECTION] = crossing
    result = {}
    for name, of in found.items():
        severities = np.nan_to_num(MEASURES[name].severity(of), nan=-1.0)
        result[name] = float(of[np.argmax(severities)]) if len(of) else np.nan
    return result
