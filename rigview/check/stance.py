"""Rules about how a body stands: upright, facing forwards, with its arms out."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from rigview.check.anatomy import Humanoid
from rigview.check.facts import measured, stated
from rigview.check.hierarchy import skeleton_roots
from rigview.check.limits import Limit
from rigview.check.reframe import placed
from rigview.check.rule import GLTF, Finding, Fix, Refused, Subject, offer
from rigview.check.tree import straighten
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.bones import bind_pose
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

# About 37° of lean: what leans more lies, or looks aside.
UPRIGHT = 0.8
UPFWD = Limit(
    "ORI-UPFWD",
    UPRIGHT,
    "cosine",
    "the cosine of the angle between hips to head and +Y, and between where the chest looks and +Z",
    "least",
)
TPOSE = Limit(
    "ORI-TPOSE",
    UPRIGHT,
    "cosine",
    "the cosine of the angle between an upper arm and the line from left to right",
    "least",
)
_UP, _FORWARD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def _across(rig: Rig, heads: FloatArray, body: Humanoid) -> FloatArray:
    """Return the unit direction from the right of a body to its left, of nodes at ``(N, 3)``."""
    pairs = np.array([body.arms, body.legs])
    across = heads[pairs[:, 0]] - heads[pairs[:, 1]]
    if float(across[0] @ across[1]) < 0.0:
        # Where names of one pair are exchanged, which HIE-SIDE says, most of the others are not.
        pairs = np.array(measured(rig).anatomy.pairs)
        across = heads[pairs[:, 0]] - heads[pairs[:, 1]]
    return unit(across.sum(axis=0))


def _stance(rig: Rig, heads: FloatArray, body: Humanoid) -> tuple[FloatArray, FloatArray]:
    """Return the unit directions from hips to head, and out of the chest, of nodes at ``(N, 3)``."""
    up = unit(heads[body.head] - heads[body.hips])
    forward = unit(np.cross(_across(rig, heads, body), up))
    # VRM 0.x faces away from where glTF and VRM 1.0 look.
    if "VRM" in rig.origin.extensions:
        forward = -forward
    return up, forward


def _bound(deformer: Deformer, body: Humanoid) -> FloatArray | None:
    """Return ``(N, 3)`` where the nodes of a body were when its mesh was attached; None where none says.

    In glTF a mesh has no place but where its joints take it, so that nothing says how it stood. The
    other formats state its own place, too, from which no clip moves it as a rule.
    """
    rig = deformer.rig
    if rig.origin.format in GLTF:
        return None
    telling = {body.hips, body.head, *body.arms, *body.legs}
    for part in rig.parts:
        if part.skin in deformer.skins and part.skin is not None:
            binds = stated(rig, part.skin)
            if telling <= set(rig.skins[part.skin].joints[: len(binds)]):
                every = range(len(rig.nodes))
                heads = bind_pose(rig, part.skin, deformer.rest_nodes, every)[:, :3, 3]
                return affine.transform_points(deformer.rest_nodes[part.node], heads)
    return None


def upright(subject: Subject) -> Iterator[Finding]:
    """ORI-UPFWD: a body that does not stand up +Y and face +Z."""
    rig, body = subject.rig, subject.facts.body
    if body is None:
        return
    up, forward = _stance(rig, subject.deformer.rest_nodes[:, :3, 3], body)
    dots = {"stands": float(up @ _UP), "faces": float(forward @ _FORWARD)}
    if min(dots.values()) >= subject.limit(UPFWD):
        return
    # What rests in the middle of a clip, as exporters leave it, stood upright when it was bound.
    bound = _bound(subject.deformer, body)
    if bound is not None:
        then = _stance(rig, bound, body)
        if min(float(then[0] @ _UP), float(then[1] @ _FORWARD)) >= subject.limit(UPFWD):
            return
    worst = min(dots, key=lambda word: dots[word])
    direction = up if worst == "stands" else forward
    axis = int(np.argmax(np.abs(direction)))
    name = ("+" if direction[axis] > 0.0 else "−") + "XYZ"[axis]
    where, wanted = ("along", "+Y") if worst == "stands" else ("towards", "+Z")
    says = f"{where} {name}; glTF wants {wanted}"
    if name == wanted:
        says = f"{np.degrees(np.arccos(dots[worst])):.0f}° off {wanted}"
    yield Finding(
        "ORI-UPFWD",
        0,
        f"the body {worst} {says}",
        rig.nodes.label(body.hips),
        joint=rig.nodes.label(body.hips),
        joints=(body.hips, body.head),
        value=dots[worst],
        limit=subject.limit(UPFWD),
        explanation="Characters arrive lying down or looking away, and every engine is told to turn them.",
        fix=offer(rig, "shape", "Turn the scene upright and forwards", stand_up),
    )


def stand_up(rig: Rig) -> Rig:
    """Turn all tops of the scene by the quarter turns that bring the body nearest to +Y and +Z.

    Raises
    ------
    Refused
        If it is nearest already: it leans, or was posed.
    """
    facts = measured(rig)
    body = facts.body
    if body is None:
        return rig
    up, forward = _stance(rig, facts.deformer.rest_nodes[:, :3, 3], body)
    turns = affine.quarter_turns()
    # Standing counts before facing.
    score = 2.0 * (turns @ up) @ _UP + (turns @ forward) @ _FORWARD
    nearest = turns[int(np.argmax(score))]
    if np.allclose(nearest, np.eye(3)):
        raise Refused("no quarter turn brings it nearer")
    turn = quat.from_matrix(nearest)
    change = affine.TRS(np.zeros(3), turn, np.ones(3))
    for root in (n for n, parent in enumerate(rig.nodes.parents) if parent < 0):
        rig = placed(rig, root, change)
    for skin in range(len(rig.skins)):
        for root in skeleton_roots(rig, skin):
            # The turn belongs to the joints; where it cannot go there it stays above them.
            with suppress(Refused):
                rig = straighten(rig, root)
    return rig


def arms_out(subject: Subject) -> Iterator[Finding]:
    """ORI-TPOSE: a body whose upper arms do not point sideways at rest."""
    rig, body = subject.rig, subject.facts.body
    if body is None:
        return
    heads, skeleton = subject.deformer.rest_nodes[:, :3, 3], subject.deformer.skeleton
    # A body that faces elsewhere, which ORI-UPFWD says, has its arms out to its own sides.
    across = _across(rig, heads, body)
    found = []
    for arm in body.arms:
        end = int(skeleton.primary[skeleton.places[arm]])
        bone = unit(heads[skeleton.joints[end]] - heads[arm])
        if end >= 0 and np.any(bone):
            found.append((float(abs(bone @ across)), arm))
    if not found or min(found)[0] >= subject.limit(TPOSE):
        return
    lowest, arm = min(found)
    yield Finding(
        "ORI-TPOSE",
        0,
        f"{rig.nodes.label(arm)} is {np.degrees(np.arccos(np.clip(lowest, 0.0, 1.0))):.0f}° off a T-pose "
        "at rest",
        rig.nodes.label(arm),
        joint=rig.nodes.label(arm),
        joints=tuple(a for _, a in sorted(found)),
        value=lowest,
        limit=subject.limit(TPOSE),
        explanation="Retargeting between skeletons that rest differently needs the difference known. VRM "
        "asks for a T-pose.",
        fix=Fix(
            "none", reason="the rest pose is a choice; another one asks for new clips or a new bind"
        ),
    )
