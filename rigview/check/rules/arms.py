"""The rule about the pose that the arms rest in, and its fix: the mesh posed and bound anew."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.bind_moves import MOVE, TURN
from rigview.check.measures.facts import Facts, measured
from rigview.check.profiles import ARMS_OUT
from rigview.check.rig_edits.rest_pose import NewBind, rest_turned, skins_moved
from rigview.check.rule import Finding, Fix, Refused, Subject, as_angle, offer, rule
from rigview.check.rule import turned_and_moved as turned
from rigview.check.rules.bind_pose import against_rest, off_rest
from rigview.check.rules.stance import LEAN, bound_heads
from rigview.core.anatomy import Humanoid
from rigview.core.arrays import FloatArray, unit
from rigview.core.deform import Deformer
from rigview.core.motion import arm_pose
from rigview.core.motion.arm_pose import RestPose
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence
from rigview.core.stance import across

TPOSE = Limit(
    ARMS_OUT,
    LEAN,
    "°",
    "the angle between an upper arm and the line from left to right",
    was_cosine=True,
)
# Arms of an A-pose hang by about 45°, and by 60° where fingers meet the thigh; straight down is 90°.
A_POSE = 65.0
# … so that one that hangs by 25° to 65° is an A-pose, where the limit for a T-pose is no tighter.
_A_SPREAD = A_POSE - arm_pose.HANG


@rule(
    TPOSE,
    title="Arms rest in another pose",
    measures="the angle of the upper arms at rest against the line from left to right, or against an "
    "A-pose where that is asked for",
    severity="info",
    fix="shape",
    needs="bones humanoid",
    raised={"vrm": "warning"},
    tree=True,
)
def arms_out(subject: Subject) -> Iterator[Finding]:
    """Bodies whose upper arms do not rest in the pose that is asked for.

    Asked for is what ``rest-pose`` of the settings says, and of VRM a T-pose. Where nothing is said, it
    is a T-pose for information, and an A-pose, whose arms hang by up to 65°, is a note. In an A-pose that
    is asked for they hang by 25° to 65°. What rests at a
    frame of a clip, in a format that keeps the bind beside the rest, is judged by how it was bound.
    """
    asked = subject.profile.rest_pose
    pose = asked or "T"
    limit = _limit(subject)
    for number, body in enumerate(subject.facts.bodies):
        deformer = subject.deformer
        found = _off(deformer, body, deformer.rest_nodes[:, :3, 3], pose)
        if not found or found[0][0] <= limit:
            continue
        # What rests in the middle of a clip, as exporters leave it, was in the pose when it was bound.
        bound = bound_heads(deformer, body)
        if bound is None or _off(deformer, body, bound, pose)[0][0] > limit:
            finding = _finding(subject, number, body, found)
            yield replace(finding, severity="warning", note=False) if asked else finding


def _limit(subject: Subject) -> float:
    limit = subject.limit(TPOSE)
    return min(limit, _A_SPREAD) if subject.profile.rest_pose == "A" else limit


def _off(
    deformer: Deformer, body: Humanoid, heads: FloatArray, pose: RestPose
) -> list[tuple[float, int]]:
    """Return the angle of each upper arm against the pose and the arm, the worst first.

    A body that faces elsewhere, which ORI-UPFWD says, has its arms out to its own sides.

    Parameters
    ----------
    heads
        ``(N, 3)`` where the nodes are.
    """
    line, result = across(measured(deformer.rig).anatomy, heads, body), []
    aims = arm_pose.aims(deformer.rig, heads, body, pose)
    for arm, aim in zip(body.arms, aims, strict=True):
        end = arm_pose.bone_end(deformer, arm)
        bone = unit(heads[end] - heads[arm]) if end is not None else np.zeros(3)
        if np.any(bone):
            cosine = float(abs(bone @ line)) if pose == "T" else float(bone @ aim)
            result.append((as_angle(cosine), arm))
    return sorted(result, key=lambda found: -found[0])


def _finding(
    subject: Subject, number: int, body: Humanoid, found: list[tuple[float, int]]
) -> Finding:
    rig, (worst, arm), pose = subject.rig, found[0], subject.profile.rest_pose or "T"
    name = Sentence("a {pose}-pose" if pose == "T" else "an {pose}-pose", pose=pose)
    return Finding(
        number,
        Sentence(
            "{joint} is {angle:.0f}° off {pose} at rest",
            joint=rig.nodes.label(arm),
            angle=worst,
            pose=name,
        ),
        rig.nodes.label(arm),
        joints=tuple(arm for _, arm in found),
        value=worst,
        limit=_limit(subject),
        unit="°",
        note=pose == "T" and worst <= A_POSE,
        explanation="Retargeting between skeletons that rest differently needs the difference known. VRM "
        "asks for a T-pose. Posed and bound anew, joints stay where they are in every frame of every "
        "clip; vertices that blend joints which are turned differently move.",
        fix=_fix(rig, body, pose, name),
    )


def _fix(rig: Rig, body: Humanoid, pose: RestPose, name: str) -> Fix:
    """Return the fix: exact where every vertex follows joints that are turned alike."""
    label = Sentence("Pose the mesh in {pose} and bind it anew", pose=name)
    repair = partial(bound_in, hips=body.hips, pose=pose)
    try:
        is_exact = _new_bind(rig, body.hips, pose).is_exact(measured(rig).deformer.size)
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    if is_exact and rig.clips:
        return Fix("exact", label, repair, on_request=True, reposes=True)
    return replace(offer(rig, "shape", label, repair), reposes=True)


def bound_in(rig: Rig, hips: int, pose: RestPose) -> Rig:
    """Rest the arms of a body in a pose, its meshes posed with them and bound there.

    Every joint is where it was in every frame of every clip. So is every vertex whose joints are all
    turned alike; the others are blended in another pose than before.

    Parameters
    ----------
    hips
        Those of the body.

    Raises
    ------
    Refused
        If there is no such body, or its arms rest elsewhere than where they were bound.
    """
    return _new_bind(rig, hips, pose).made()


def _new_bind(rig: Rig, hips: int, pose: RestPose) -> NewBind:
    facts = measured(rig)
    body = next((body for body in facts.bodies if body.hips == hips), None)
    if body is None:
        raise Refused("there is no such body any more")
    turns = arm_pose.turns(facts.deformer, body, pose)
    if not turns:
        raise Refused(Sentence("the arms rest in the {pose}-pose already", pose=pose))
    skins = skins_moved(rig, turns.keys())
    laid = {skin: _laid(facts, skin, turns) for skin in skins}
    return NewBind(rig, rest_turned(rig, turns), laid)


def _laid(facts: Facts, skin: int, turns: Mapping[int, FloatArray]) -> FloatArray:
    """Return ``(4, 4)`` where the mesh of a skin is as it was bound, which has to be where it rests.

    Raises
    ------
    Refused
        If joints that are turned, or hang under such, rest elsewhere.
    """
    places, moves, most = facts.of_skin(against_rest, skin)
    if not len(places):
        raise Refused("no joint of the skin has a sound bind")
    below = facts.rig.nodes.with_descendants(turns)
    own = [i for i, place in enumerate(places) if facts.rig.skins[skin].joints[place] in below]
    turn, move = (values[own] for values in moves.apart(most))
    if np.any(turn > np.radians(TURN)) or np.any(move > MOVE * facts.size_of(skin)):
        away = turned(float(turn.max()), float(move.max()))
        raise Refused(
            Sentence(
                "the arms rest {away} away from the bind pose: fix {rule} first",
                away=away,
                rule=off_rest.id,
            )
        )
    return moves.matrices[most]


def rests_in(rig: Rig, pose: RestPose) -> Rig:
    """Rest the arms of all bodies in a pose: the nodes turn, meshes stay bound as they were.

    Clips get keys where a turned joint had none: every frame of every clip stays exactly where it was.

    Raises
    ------
    Refused
        If there is no body, its arms rest so already, or unequal scale would shear them.
    """
    facts = measured(rig)
    if not facts.bodies:
        raise Refused("no joints are named like a body with two arms, two legs, hips and a head")
    turns: dict[int, FloatArray] = {}
    for body in facts.bodies:
        turns |= arm_pose.turns(facts.deformer, body, pose)
    if not turns:
        raise Refused(Sentence("the arms rest in the {pose}-pose already", pose=pose))
    return rest_turned(rig, turns)
