"""Weights in the wrong place: of joints far from the vertex, and islands in another joint's region."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rigview.check.labels import part_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts
from rigview.check.measures.influences import Weighted, counted, front, of_same_sums, weighted
from rigview.check.measures.islands import meeting, on_islands, reached, shown
from rigview.check.measures.soundness import SINGLE_VERTICES
from rigview.check.rule import Finding, Fix, Profile, Subject, count, rule, verb, vertices_of
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.mesh import Influences
from rigview.core.names import side
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined

# A weight above this shows; what is below is the end of a smooth ramp.
STRAY = Limit("WGT-STRAY.weight", 0.05, "", "the weight of a joint far from the dominant one")
_STEPS = "steps in the skeleton from the dominant joint to another"
# Joints four steps apart share no muscle: upper arm and chest are two apart, hand and chest four.
STEPS = Limit(STRAY.key_of("steps"), 3, "", _STEPS, whole=True)
# Left and right meet at the hips, two steps apart; three are the far side.
SIDE_STEPS = Limit(STRAY.key_of("side-steps"), 2, "", f"{_STEPS} on the other side", whole=True)
# … and move what is further from their bone than from the dominant one: joints of one chest are four steps
# apart, too, and share it.
DISTANCE = Limit(
    STRAY.key_of("distance"),
    0.1,
    "share",
    "how much further than the dominant bone, in sizes of the mesh",
)
# An island of less weight is the end of a smooth ramp: the clean Khronos CesiumMan has one of 0.16.
ISLAND_WEIGHT = Limit(STRAY.key_of("island-weight"), 0.2, "", "the weight of a joint on an island")
ISLAND = Limit(
    STRAY.key_of("island"),
    5,
    "vertex",
    "vertices of an island in a piece of mesh of twice as many",
    "least",
    whole=True,
)


def joint_steps(facts: Facts, skin: int) -> IntArray:
    """Return ``(J, J)`` how many steps each joint of a skin is from each other one in the skeleton.

    Joints without weights, as of controls between those that deform, make no way longer.
    """
    rig = facts.rig
    parents, rows = rig.joint_parents, {-1: 0}
    result = np.zeros((len(rig.joints) + 1, len(rig.joints) + 1), dtype=np.int64)
    order = (node for level in rig.nodes.levels for node in level.tolist() if node in parents)
    for row, joint in enumerate(order, 1):
        # To those before: a step to the joint above, and on from there.
        before = result[rows[parents[joint]], :row] + (joint in facts.carrying)
        result[row, :row] = result[:row, row] = before
        rows[joint] = row
    chosen = [rows[joint] for joint in rig.skins[skin].joints]
    return result[chosen][:, chosen]


@rule(
    STRAY,
    STEPS,
    SIDE_STEPS,
    DISTANCE,
    ISLAND,
    ISLAND_WEIGHT,
    title="Stray weight",
    measures="weights of joints far from the dominant one, on the other side, or on islands",
    severity="warning",
    fix="shape",
    needs="influences",
    tree=True,
    beside=SINGLE_VERTICES,
)
@over_meshes
def strays(subject: Subject) -> Iterator[Finding]:
    """Weights of joints that have no business there."""
    rig = subject.rig
    for own in subject.of_rig(weighted):
        key, part, skin, influences = own
        far, islands = _stray_slots(subject, own)
        slots = far | islands
        chosen = np.flatnonzero(row_ops.any_of(slots))
        if not len(chosen):
            continue
        worst = np.where(slots[chosen], influences.weights[chosen], 0.0).max(axis=1)
        order = np.argsort(-worst, kind="stable")
        named = _heaviest_first(influences, slots, rig.skins[skin].joints)
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} {joint} (weight up to {weight:.2f}), {where}",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "follows", "follow"),
                joint=_joint_words(rig, named),
                weight=worst.max(),
                where=_where(len(chosen), bool(far.any()), bool(islands.any())),
            ),
            part_label(rig, part),
            joints=tuple(named),
            value=float(worst.max()),
            limit=subject.limit(STRAY),
            vertices=vertices_of(part, chosen[order]),
            explanation="Such weights are left over from automatic weighting or from painting "
            "through the body: these vertices stand out when the joint moves.",
            fix=Fix(
                "shape",
                Sentence(
                    "Remove the stray weights of {vertices}", vertices=count(len(chosen), "vertex")
                ),
                partial(
                    _without_strays,
                    mesh=part.mesh,
                    primitive=part.primitive,
                    profile=subject.profile,
                ),
            ),
        )


def _heaviest_first(influences: Influences, slots: BoolArray, joints: tuple[int, ...]) -> list[int]:
    """Return the nodes that some slots name, each once, that of the largest weight first."""
    order = np.argsort(-influences.weights[slots], kind="stable")
    return list(dict.fromkeys(joints[int(j)] for j in influences.joints[slots][order]))


def _joint_words(rig: Rig, nodes: list[int]) -> str:
    """Return "thigh_l", or "thigh_l and 2 more joints"."""
    first = rig.nodes.label(nodes[0])
    parts = [first, count(len(nodes) - 1, "more joint")] if len(nodes) > 1 else [first]
    return joined(parts, "{first} and {rest}")


def _where(vertices: int, far: bool, islands: bool) -> str:
    """Return where vertices are that follow a joint they should not."""
    most = verb(
        vertices, "far from the joint that moves it most", "far from the joint that moves them most"
    )
    words = [most] if far else []
    words += [Sentence("apart from the other vertices of the joint")] if islands else []
    return joined(words, "{first} or {rest}")


def _stray_slots(subject: Subject, own: Weighted) -> tuple[BoolArray, BoolArray]:
    """Return ``(V, K)`` the slots of joints far from the dominant one, and those on islands of a joint."""
    good = subject.brief.of_rig(counted, own.skin, own.influences)
    result = np.zeros((2, *good.weights.shape), dtype=np.bool_)
    shows, island = subject.limit(STRAY), subject.limit(ISLAND_WEIGHT)
    # Most slots are those of the dominant joints, which are at home.
    away = good.weights > min(shows, island)
    away.reshape(-1)[good.heaviest_slots] = False
    slots = _Slots.at(good, np.flatnonzero(away))
    if not len(slots):
        return result[0], result[1]
    reach = subject.limit(STEPS), subject.limit(SIDE_STEPS)
    near, far = subject.facts.of_skin(_relations, own.skin, *reach)
    main = good.heaviest.take(slots.vertices)
    pair = main * len(far) + slots.joints
    stray = far.reshape(-1).take(pair) & (slots.weights > shows)
    if stray.any():
        stray[stray] = _reaches_far(subject, own, good, slots.of(np.flatnonzero(stray)))
    result[0].reshape(-1)[slots.numbers[stray]] = True
    apart = ~near.reshape(-1).take(pair) & (slots.weights > island) & ~stray
    asked, size = slots.of(np.flatnonzero(apart)), int(subject.limit(ISLAND))
    if len(asked):
        primitive = subject.rig.primitive(own.part)
        islands = on_islands(primitive, good, asked.vertices, asked.joints, shows, size)
        found = asked.of(np.flatnonzero(islands))
        if len(found):
            islands[islands] = ~_goes_on(subject, own, good, found, shows, size)
        result[1].reshape(-1)[asked.numbers[islands]] = True
    return result[0], result[1]


def _goes_on(
    subject: Subject, own: Weighted, good: Influences, found: "_Slots", shows: float, size: int
) -> BoolArray:
    """Return ``(n,)`` which slots on islands lie in a region that goes on in another primitive.

    What meets there has another material, say, and one skin.
    """
    rig, alike = subject.rig, subject.rig.alike
    primitive = rig.primitive(own.part)
    met: dict[int, BoolArray] = {}
    for other in subject.of_rig(weighted):
        if other.key == own.key or alike[other.skin] != alike[own.skin]:
            continue
        theirs = subject.brief.of_rig(counted, other.skin, other.influences)
        here, there = meeting(primitive.positions, rig.primitive(other.part).positions)
        for joint in set(found.joints.tolist()) if len(here) else ():
            holds = shown(theirs, joint, shows)[there]
            met.setdefault(joint, np.zeros(len(primitive.positions), dtype=np.bool_))[
                here[holds]
            ] = True
    result = np.zeros(len(found), dtype=np.bool_)
    for joint, outside in met.items():
        region = reached(primitive, shown(good, joint, shows), outside, size)
        result |= (found.joints == joint) & region[found.vertices]
    return result


def _relations(
    facts: Facts, skin: int, most: float, most_across: float
) -> tuple[BoolArray, BoolArray]:
    """Return ``(J, J)`` which joints of a skin are at most one step apart, and which are far apart.

    Parameters
    ----------
    most, most_across
        How many steps are not far, on one side and from one side to the other.
    """
    rig, steps = facts.rig, joint_steps(facts, skin)
    signs = {"left": 1, "right": -1}
    names = (rig.nodes.names[joint] for joint in rig.skins[skin].joints)
    sides = np.array([signs.get(side(name) or "", 0) for name in names])
    across = sides[:, None] * sides < 0
    # A joint and the next one share vertices as a matter of course.
    return steps < 2, (steps > most) | (across & (steps > most_across))


@dataclass(frozen=True, eq=False)
class _Slots:
    """Some slots of a mesh.

    Parameters
    ----------
    numbers
        ``(n,)`` counted row by row, ascending.
    vertices, joints, weights
        ``(n,)`` what they say.
    """

    numbers: IntArray
    vertices: IntArray
    joints: IntArray
    weights: FloatArray

    @classmethod
    def at(cls, influences: Influences, numbers: IntArray) -> "_Slots":
        """Return the slots of these numbers: their vertices, joints and weights."""
        joints, weights = influences.joints.reshape(-1), influences.weights.reshape(-1)
        vertices = numbers // max(influences.weights.shape[1], 1)
        return cls(numbers, vertices, joints.take(numbers), weights.take(numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def of(self, which: IntArray) -> "_Slots":
        """Return some of the slots."""
        return _Slots(
            self.numbers.take(which),
            self.vertices.take(which),
            self.joints.take(which),
            self.weights.take(which),
        )


def _reaches_far(subject: Subject, own: Weighted, good: Influences, slots: _Slots) -> BoolArray:
    """Return ``(n,)`` which slots belong to a bone further off than the dominant one, at bind."""
    primitive = subject.rig.primitive(own.part)
    bones, away = subject.deformer.bind_bones[own.skin], primitive.positions[slots.vertices]
    further = bones.distance(slots.joints, away)
    further -= bones.distance(good.heaviest[slots.vertices], away)
    size = box_diagonal(primitive.box)
    return further > subject.limit(DISTANCE) * size


def _without_strays(rig: Rig, mesh: int, primitive: int, profile: Profile) -> Rig:
    """Drop stray weights of one primitive and scale the rest of each vertex to its sum."""
    subject = Subject.of(rig, profile)
    place = mesh, primitive
    own = next(o for o in subject.of_rig(weighted) if (o.part.mesh, o.part.primitive) == place)
    # What is left may stray from the new dominant joint or make another island: a few rounds settle it.
    for _ in range(4):
        far, islands = _stray_slots(subject, own)
        slots, influences = far | islands, own.influences
        if not np.any(slots):
            break
        kept = np.where(slots, 0.0, influences.weights)
        left = front(of_same_sums(influences, kept), np.flatnonzero(row_ops.any_of(slots)))
        own = own._replace(influences=left)
    updated = replace(rig.primitive(own.part), influences=own.influences)
    return rig.with_primitive(mesh, primitive, updated)
