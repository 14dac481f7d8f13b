"""The rule about how a body stands: upright and facing forwards."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured, stated
from rigview.check.rig_edits.reframe import placed
from rigview.check.rule import GLTF, Finding, Refused, Subject, as_angle, offer, rule
from rigview.check.rules.hierarchy import skeleton_roots
from rigview.check.rules.tree import straighten
from rigview.core import affine, quat
from rigview.core.anatomy import Humanoid
from rigview.core.arrays import FloatArray
from rigview.core.bones import bind_pose
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence
from rigview.core.stance import VRM_0, directions

# The angle whose cosine is 0.8: a body that leans more lies, or looks aside.
LEAN = 37.0
UPFWD = Limit(
    "ORI-UPFWD",
    LEAN,
    "°",
    "the angle between hips to head and +Y, and between where the chest looks and +Z",
    was_cosine=True,
)
_UP, _FORWARD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def _stance(rig: Rig, heads: FloatArray, body: Humanoid) -> tuple[FloatArray, FloatArray]:
    """Return the unit directions from hips to head, and out of the chest, of nodes at ``(N, 3)``.

    Where the names of left and right are exchanged, as HIE-SIDE says, the feet tell where the chest looks.
    """
    facts = measured(rig)
    up, forward = directions(facts.anatomy, heads, body)
    return up, -forward if body in facts.wrongly_sided else forward


def _forward(rig: Rig) -> FloatArray:
    """Return where a body is to look: VRM 0.x faces away from where glTF and VRM 1.0 look."""
    return -_FORWARD if VRM_0 in rig.origin.extensions else _FORWARD


def bound_heads(deformer: Deformer, body: Humanoid) -> FloatArray | None:
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


@rule(
    UPFWD,
    title="Body lies or looks away",
    measures="the directions from hips to head and out of the chest against +Y and +Z",
    severity="warning",
    fix="shape",
    needs="bones humanoid",
    raised={"vrm": "error"},
    tree=True,
)
def upright(subject: Subject) -> Iterator[Finding]:
    """Bodies that do not stand up +Y and face +Z."""
    rig, heads = subject.rig, subject.deformer.rest_nodes[:, :3, 3]
    limit, bodies = subject.limit(UPFWD), subject.facts.bodies
    off = {body: _off(rig, heads, body, limit) for body in bodies}
    # Of several in a scene each looks where the scene asks, if any looks as one alone would.
    facing = any("faces" not in angles for angles in off.values())
    for number, (body, angles) in enumerate(off.items()):
        if len(bodies) > 1 and facing:
            angles.pop("faces", None)
        # What rests in the middle of a clip, as exporters leave it, stood upright when it was bound.
        bound = bound_heads(subject.deformer, body) if angles else None
        if not angles or (bound is not None and not _off(rig, bound, body, limit)):
            continue
        worst = max(angles, key=lambda word: angles[word])
        yield Finding(
            number,
            _wrongly(rig, worst, _stance(rig, heads, body), angles[worst]),
            rig.nodes.label(body.hips),
            joints=(body.hips, body.head),
            value=angles[worst],
            limit=limit,
            unit="°",
            explanation="Characters arrive lying down or looking away, and every engine is told to turn "
            "them.",
            fix=offer(
                rig,
                "shape",
                "Turn the scene upright and forwards",
                partial(stand_up, hips=body.hips),
                trial=partial(_standing, hips=body.hips),
            ),
        )


def _off(rig: Rig, heads: FloatArray, body: Humanoid, limit: float) -> dict[str, float]:
    """Return what a body does not do as it should, standing and facing → by how many degrees it is off."""
    up, forward = _stance(rig, heads, body)
    cosines = {"stands": float(up @ _UP), "faces": float(forward @ _forward(rig))}
    angles = {word: as_angle(cosine) for word, cosine in cosines.items()}
    return {word: angle for word, angle in angles.items() if angle > limit}


def _wrongly(rig: Rig, what: str, stance: tuple[FloatArray, FloatArray], angle: float) -> str:
    """Return where a body stands or faces, and where it should."""
    direction = stance[0] if what == "stands" else stance[1]
    axis = int(np.argmax(np.abs(direction)))
    name = ("+" if direction[axis] > 0.0 else "−") + "XYZ"[axis]
    stands = what == "stands"
    wanted, who = ("+Y" if stands else "+Z"), "glTF"
    if not stands and VRM_0 in rig.origin.extensions:
        wanted, who = "−Z", "VRM 0"
    if name == wanted:
        off = (
            "the body stands {angle:.0f}° off {wanted}"
            if stands
            else "the body faces {angle:.0f}° off {wanted}"
        )
        return Sentence(off, angle=angle, wanted=wanted)
    along = "the body stands along {axis}; {who} wants {wanted}"
    towards = "the body faces towards {axis}; {who} wants {wanted}"
    return Sentence(along if stands else towards, axis=name, who=who, wanted=wanted)


def _nearest_turn(facts: Facts, body: Humanoid) -> FloatArray:
    """Return the quarter turns ``(3, 3)`` that bring a body nearest to +Y and to where it is to look."""
    up, forward = _stance(facts.rig, facts.deformer.rest_nodes[:, :3, 3], body)
    turns = affine.quarter_turns()
    # Standing counts before facing.
    score = 2.0 * (turns @ up) @ _UP + (turns @ forward) @ _forward(facts.rig)
    return np.asarray(turns[int(np.argmax(score))], dtype=np.float64)


def stand_up(rig: Rig, hips: int) -> Rig:
    """Turn all tops of the scene by the quarter turns that bring a body nearest to +Y and +Z.

    Where bodies need different turns, the tops above this one alone.

    Parameters
    ----------
    hips
        Those of the body.

    Raises
    ------
    Refused
        If it is nearest already: it leans, or was posed. If a body that needs another turn hangs under
        the same top.
    """
    tops, turn = _standing(rig, hips)
    change = affine.TRS(np.zeros(3), quat.from_matrix(turn), np.ones(3))
    for root in sorted(tops):
        rig = placed(rig, root, change)
    for skin in range(len(rig.skins)):
        for root in skeleton_roots(rig, skin):
            # The turn belongs to the joints; where it cannot go there it stays above them.
            if rig.nodes.with_ancestors({root}) & tops:
                with suppress(Refused):
                    rig = straighten(rig, root)
    return rig


def _standing(rig: Rig, hips: int) -> tuple[set[int], FloatArray]:
    """Return the tops of the scene that `stand_up` turns, none without such a body, and how: ``(3, 3)``."""
    facts = measured(rig)
    nearest = {body.hips: _nearest_turn(facts, body) for body in facts.bodies}
    if hips not in nearest:
        return set(), np.eye(3)
    own = nearest.pop(hips)
    if np.allclose(own, np.eye(3)):
        raise Refused("no quarter turn brings it nearer")
    tops = set(rig.nodes.roots)
    others = {other for other, turn in nearest.items() if not np.allclose(turn, own)}
    if others:
        tops &= rig.nodes.with_ancestors({hips})
        if tops & rig.nodes.with_ancestors(others):
            raise Refused("another body hangs under the same node and needs another turn")
    return tops, own
