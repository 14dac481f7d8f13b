"""Bring the arms of a rest pose into a T-pose or an A-pose, with the proof of what clips do then."""

from dataclasses import dataclass

from rigview.check.applying.dryrun import DryRun, dry_run
from rigview.check.measures.facts import measured
from rigview.check.rule import Refused
from rigview.check.rules.arms import bound_in, rests_in
from rigview.core.errors import RigviewError
from rigview.core.motion.arm_pose import RestPose
from rigview.core.rig import Rig
from rigview.core.text import count, length_words


class RestPoseError(RigviewError):
    """A rest pose that cannot be made, in one sentence."""


@dataclass(frozen=True, eq=False)
class Resting:
    """A rig whose arms rest in another pose.

    Parameters
    ----------
    keyed
        How many keys clips got, which hold joints that had none where they were.
    movement
        What moved in the clips.
    """

    rig: Rig
    keyed: int
    movement: DryRun


def rested(rig: Rig, pose: RestPose, *, bind_anew: bool = False) -> Resting:
    """Rest the arms of all bodies in a pose; every joint is where it was in every frame of every clip.

    Parameters
    ----------
    bind_anew
        Whether meshes are posed and bound there; else they stay as they were bound, and no vertex moves
        in any clip.

    Raises
    ------
    RestPoseError
        If there is no body whose arms could be turned, or a vertex would move that must not.
    """
    try:
        made = _bound_anew(rig, pose) if bind_anew else rests_in(rig, pose)
    except Refused as refusal:
        raise RestPoseError(f"the arms cannot rest in {named(pose)}: {refusal}") from None
    movement = dry_run(rig, made, rest=False)
    if not bind_anew and not movement.exact:
        raise RestPoseError(
            f"the arms cannot rest in {named(pose)}: {movement_words(rig, movement)}"
        )
    clips = zip(rig.clips, made.clips, strict=True)
    return Resting(made, sum(len(b.channels) - len(a.channels) for a, b in clips), movement)


def named(pose: RestPose) -> str:
    """Return a pose in words."""
    return "a T-pose" if pose == "T" else "an A-pose"


def _bound_anew(rig: Rig, pose: RestPose) -> Rig:
    bodies = measured(rig).bodies
    if not bodies:
        raise Refused("no joints are named like a body with two arms, two legs, hips and a head")
    for body in bodies:
        rig = bound_in(rig, body.hips, pose)
    return rig


def movement_words(rig: Rig, movement: DryRun) -> str:
    """Return how far a vertex moves at most, which one, and in which frame of which clip."""
    if not movement.clips:
        return "there is no clip that could change"
    if movement.exact or movement.vertex is None or movement.time is None:
        return f"nothing moves in {movement.covered}"
    part, vertex = movement.vertex
    clip = movement.clip or "the clip"
    frame = movement.time * (rig.origin.fps or 30.0)
    share = 100.0 * movement.largest / movement.size
    clips = count(movement.clips, "clip")
    return (
        f"moves {length_words(movement.largest)} ({share:.2g} % of the size) in {clips}, "
        f"most at vertex {vertex} of {rig.nodes.label(part.node)}, "
        f"{clip} at {movement.time:.3f} s (frame {frame:.0f})"
    )
