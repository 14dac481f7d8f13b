"""Trying what may cure a finding beside its fix: an edit of its weights, measured before it is taken."""

from collections.abc import Collection, Mapping
from typing import Literal

from rigview.check.applying.rom_trials import limits
from rigview.check.measures.facts import joint_meter, measured
from rigview.check.rule import Finding
from rigview.check.rules.stray_weights import strays
from rigview.check.rules.symmetry import asymmetric
from rigview.check.rules.weights import unweighted
from rigview.core.measures.deformation_change import (
    Judged,
    Progress,
    Reference,
    TriedPose,
    tried_poses,
)
from rigview.core.measures.joint_measures import SCANNED
from rigview.core.motion.range_of_motion import range_of_motion
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence
from rigview.core.weights.curing import (
    FILLED,
    HAMMERED,
    Candidate,
    Cured,
    Trial,
    cured,
    mirrorings,
    region_points,
    smoothings,
    touched_joints,
)
from rigview.core.weights.editable_rig import EditableRig
from rigview.core.weights.problem import NotMade

CureKind = Literal["fill", "hammer", "mirror", "smooth"]
_OF_RULES: dict[str, CureKind] = {
    unweighted.id: "fill",
    strays.id: "hammer",
    asymmetric.id: "mirror",
}


def cure_of(finding: Finding) -> CureKind | None:
    """Return the kind of edit that may cure a finding; None where there is none.

    Self-intersection is not measured in every pose, so that no gain could be told.
    """
    if finding.rule in _OF_RULES and finding.vertices is not None:
        return _OF_RULES[finding.rule]
    deforms = finding.rule.startswith("DEF-") and finding.measure in SCANNED
    return "smooth" if deforms and finding.joints and finding.time is not None else None


def try_cure(
    rig: Rig,
    finding: Finding,
    limit_of: Mapping[str, float],
    locked: Collection[int],
    progress: Progress,
) -> Cured:
    """Return the best edit that may cure a finding, measured in clips and in a range of motion.

    Parameters
    ----------
    limit_of
        Measure → its limit.
    locked
        Nodes of joints whose weights stay.

    Raises
    ------
    NotMade
        If nothing can be done, or would change.
    """
    kind = cure_of(finding)
    if kind is None:
        raise NotMade(Sentence("no edit of weights cures {rule}", rule=finding.rule))
    facts = measured(rig)
    meter = facts.once(joint_meter, facts.deformer)
    of = EditableRig.of(meter.deformer)
    poses, focus = [], None
    if kind == "smooth":
        points = region_points(meter, of, finding.joints[:1])
        focus, poses = (finding.joints[0], finding.measure), _pose_of(rig, finding)
    else:
        chosen = {rig.parts.index(own.part): own.ids for own in finding.all_vertices}
        points = of.points_of(chosen)
    joints = touched_joints(meter, of, points)
    poses += tried_poses(meter, range_of_motion(rig, limits()), joints)
    judged = Judged(finding.under or "file", limits=limit_of)
    trial = Trial(Reference(meter, poses, judged), focus, locked)
    return cured(of, points, _candidates(rig, finding, kind), trial, progress)


def _pose_of(rig: Rig, finding: Finding) -> list[TriedPose]:
    """Return the pose that a finding is about."""
    clip, time = finding.pose_clip(rig), finding.time
    if clip is None or time is None:
        raise NotMade("the finding is about no pose")
    made = TriedPose.of_clip if finding.motion is None else TriedPose.of_motion
    return [made(rig, clip, time)]


def _candidates(rig: Rig, finding: Finding, kind: CureKind) -> tuple[Candidate, ...]:
    if kind == "smooth":
        return smoothings(rig.nodes.label(finding.joints[0]))
    return {"fill": FILLED, "hammer": HAMMERED, "mirror": mirrorings()}[kind]
