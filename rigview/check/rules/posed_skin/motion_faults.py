"""The joints that deform badly in the range of motion, of characters that no clip of the file bends."""

from collections.abc import Collection, Iterator

from rigview.assets import resource
from rigview.check.rule import Subject
from rigview.check.rules.posed_skin.exclusions import Exclusions
from rigview.check.rules.posed_skin.joint_faults import (
    LIMITS,
    POSES,
    JointFault,
    joint_faults,
    limits,
    method_of,
)
from rigview.check.rules.posed_skin.skin_reach import looked_at, telling
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, scan_at
from rigview.core.measures.worst_poses import Judgement, worst_poses
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import RangeOfMotion, with_clip
from rigview.core.motion.rom_fallback import motion_of_tame, tame_characters

# A joint is told of from this severity on. At the ends of the range, which no clip of the file reaches,
# sound rigs go beyond their limits under linear skinning: an elbow bent by 140° loses 1 − cos(70°) = .66 of
# its width, 1.9 times the limit, and those of human-female and arnaud do. Of the 103 files of
# tests/corpus_findings.py 50 have a skin and no clip that bends it: 19 of these have joints beyond a limit,
# under up to five rules; 7 have joints beyond twice the limit, under two rules at most.
BEYOND = 2.0


def motion_where_tame(subject: Subject) -> RangeOfMotion | None:
    """Return the range of motion of the characters that the judged clips leave tame; for `Subject.kept`."""
    clips = [subject.rig.clips[number] for number in subject.kept(Exclusions).clips]
    return motion_of_tame(subject.rig, clips, LimitTable.of(resource("joint_limits.json")))


def motion_faults(subject: Subject) -> tuple[JointFault, ...]:
    """Return one fault per joint far beyond a limit in the range of motion; for `Subject.kept`.

    The worst comes first. Left out are joints that are beyond a limit in a clip of the file, and those that
    the motion does not turn: a second root stands still while the joints around it move.
    """
    motion = subject.kept(motion_where_tame)
    if motion is None:
        return ()
    clips = [subject.rig.clips[number] for number in subject.kept(Exclusions).clips]
    tame = tame_characters(subject.rig, clips)
    named = {fault.worst.joint for fault in subject.kept(joint_faults)}
    found = [
        fault
        for character in subject.kept(Exclusions).characters
        if character in tame
        for fault in _of_character(subject, character, motion, named)
    ]
    return tuple(sorted(found, key=lambda fault: -fault.worst.severity))


def _of_character(
    subject: Subject, character: int, motion: RangeOfMotion, named: Collection[int]
) -> Iterator[JointFault]:
    deformer = subject.kept(Exclusions).deformer(None, character)
    meter = JointMeter(deformer.of_changed(with_clip(deformer.rig, motion.clip)))
    rig, number, known = meter.deformer.rig, len(subject.rig.clips), limits(subject)
    of = subject.facts.anatomy.characters
    own = [joint for joint in rig.joints if of.get(joint, -1) == character]
    turned = {channel.node for channel in motion.clip.channels}
    times = [step.time for step in motion.steps if not set(own).isdisjoint(step.joints)]
    if len(times) > POSES:
        size = float(subject.facts.sizes[character]) if character >= 0 else deformer.size
        looked = looked_at(rig, size, [number], own)
        times = [time for _, time in telling(looked, POSES)]
    plan = JointPlan((method_of(subject, character),), most=POSES)
    scan = scan_at(meter, rig.clips, {number: times}, plan)
    for worst in worst_poses(scan, Judgement(tuple(LIMITS), known, least=BEYOND)):
        if worst.joint in turned and worst.joint not in named:
            yield JointFault(worst, meter, 0, known)
