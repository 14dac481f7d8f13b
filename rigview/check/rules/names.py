"""Rules about names: whether joints can be told apart, and whether sides are what they say."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured, stated
from rigview.check.profiles import NAMES
from rigview.check.rule import Finding, Fix, Severity, Subject, count, offer, rule, verb
from rigview.check.rules.bind_reach import far
from rigview.core.anatomy import Anatomy, Humanoid
from rigview.core.arrays import FloatArray
from rigview.core.mirror_plane import mirror_plane
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined
from rigview.core.stance import VRM_0, arms_lie_as_legs

# A joint nearer to the middle is on no side.
MIDDLE = Limit("HIE-SIDE", 0.01, "share", "how far from the middle a joint is, in sizes")
# Of fewer pairs most is none or one.
_MAJORITY = 3
# The cosine from which on left and right lie along X.
_ALONG_X = 0.7
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NAMELESS = Sentence("without a name")
_ANOTHERS = Sentence("with the name of another joint")
_ELSEWHERE = Sentence("with the name of a joint of another skeleton")
_STRANGERS = Sentence("in another namespace than the rest")
# What is nearer to a mirror image than this, in sizes, is what it is the image of.
_AT_ONE_PLACE = 0.02


def _faults(rig: Rig, illegal: str) -> dict[str, list[int]]:
    """Return what is wrong with names of joints → the joints concerned."""
    names = rig.nodes.names
    joints = rig.joints
    named = [joint for joint in joints if names[joint]]
    skeleton = Anatomy(rig).characters
    near = Counter((skeleton[joint], names[joint]) for joint in named)
    everywhere = Counter(names[joint] for joint in named)
    shows = {node for node, mesh in enumerate(rig.node_meshes) if mesh is not None}
    shown = {names[node] for node in shows.difference(joints)}
    spaces = {names[j].rpartition(":")[0] for j in named}
    found = {
        _NAMELESS: [j for j in joints if not names[j]],
        _ANOTHERS: [j for j in named if near[skeleton[j], names[j]] > 1],
        _ELSEWHERE: [j for j in named if near[skeleton[j], names[j]] == 1 < everywhere[names[j]]],
        Sentence("with characters that cannot stand in a name"): [
            j for j in named if not _is_legal(names[j], illegal)
        ],
        Sentence("with the name of a mesh"): [j for j in named if names[j] in shown],
        _STRANGERS: _strangers(rig, named) if len(spaces) > 1 else [],
    }
    return {what: joints_ for what, joints_ in found.items() if joints_}


def _is_legal(name: str, illegal: str) -> bool:
    return not (_CONTROL.search(name) or name != name.strip() or set(name) & set(illegal))


def _strangers(rig: Rig, named: list[int]) -> list[int]:
    spaces = [rig.nodes.names[j].rpartition(":")[0] for j in named]
    usual = max(dict.fromkeys(spaces), key=spaces.count)
    return [j for j, space in zip(named, spaces, strict=True) if space != usual]


@rule(
    NAMES,
    title="Badly named joints",
    measures="names of joints that are missing, double, illegal, a mesh's, or in another namespace",
    severity="warning",
    fix="exact",
    needs="bones",
)
def bad_names(subject: Subject) -> Iterator[Finding]:
    """Joints that other programs cannot tell apart, find or write by their names."""
    rig, illegal = subject.rig, subject.profile.illegal
    faults = _faults(rig, illegal)
    if not faults:
        return
    joints = list(dict.fromkeys(j for found in faults.values() for j in found))
    each = [Sentence("{number} {what}", number=len(f), what=what) for what, f in faults.items()]
    # glTF finds joints by number: there, names that are missing are a matter for people. Two characters
    # of one make in one file have the same names as a matter of course.
    severity: Severity | None = None
    by_number = subject.profile.name in ("gltf", "dqs", "thesis")
    if faults.keys() <= ({_NAMELESS, _ELSEWHERE} if by_number else {_ELSEWHERE}):
        severity = "info"
    says = Sentence(
        "{verb} badly named: {what}",
        verb=verb(len(joints), "is", "are"),
        what=joined(each, "{first}, {rest}"),
    )
    if faults.keys() == {_ELSEWHERE}:
        says = Sentence(
            "{verb} the name of a joint of another skeleton", verb=verb(len(joints), "has", "have")
        )
    yield Finding(
        0,
        Sentence(
            "{joints} of {number} {says}",
            joints=count(len(joints), "joint"),
            number=len(rig.joints),
            says=says,
        ),
        rig.nodes.label(joints[0]),
        joints=tuple(joints),
        value=len(joints),
        limit=0,
        unit="joint",
        severity=severity,
        explanation="Clips are retargeted, and skins exchanged, by the names of joints. Programs that "
        "find a name twice or not at all take the wrong joint or rename it.",
        fix=offer(
            rig,
            "exact",
            Sentence("Rename {joints}", joints=count(_renamed(rig, illegal), "joint")),
            partial(rename, illegal=illegal),
            on_request=faults.keys() == {_ELSEWHERE},
        ),
    )


def rename(rig: Rig, illegal: str = "") -> Rig:
    """Give badly named joints names that are unique, legal and in the skeleton's namespace."""
    names = list(rig.nodes.names)
    faults = _faults(rig, illegal)
    joints = {joint for found in faults.values() for joint in found}
    spaces = [rig.nodes.names[j].rpartition(":")[0] for j in rig.joints if rig.nodes.names[j]]
    usual = max(dict.fromkeys(spaces), key=spaces.count, default="")
    strangers = set(faults.get(_STRANGERS, []))
    taken = {name for node, name in enumerate(names) if node not in joints}
    for joint in sorted(joints):
        bare = names[joint].rpartition(":")[2] if joint in strangers else names[joint]
        legal = _CONTROL.sub("", bare).strip()
        for character in illegal:
            legal = legal.replace(character, "_")
        legal = legal or f"joint_{joint}"
        space = usual.replace(":", "_") if ":" in illegal else usual
        if joint in strangers and space:
            legal = f"{space}{'_' if ':' in illegal else ':'}{legal}"
        name, number = legal, 1
        while name in taken:
            number += 1
            name = f"{legal}_{number}"
        names[joint] = name
        taken.add(name)
    return _named(rig, names)


def _renamed(rig: Rig, illegal: str) -> int:
    """Return how many joints get another name: of some of one name the first keeps it."""
    names = zip(rig.nodes.names, rename(rig, illegal).nodes.names, strict=True)
    return sum(old != new for old, new in names)


def _named(rig: Rig, names: list[str]) -> Rig:
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names))).made_of(rig)


@rule(
    MIDDLE,
    title="Left and right do not match",
    measures="the side that names of joints state against where the joints are",
    severity="warning",
    fix="exact",
    needs="bones pairs",
    tree=True,
)
def sides(subject: Subject) -> Iterator[Finding]:
    """Joints whose left and right are exchanged, or that have no partner."""
    rig, crossed = subject.rig, subject.facts.once(_crossed, subject.limit(MIDDLE))
    # A joint that lies far off what it moves lies on whatever side.
    away = {j for finding in subject.found(far) for j in finding.joints} if crossed else set()
    for (left, right), gap in crossed.items():
        if not away.isdisjoint((left, right)):
            continue
        yield Finding(
            left,
            Sentence(
                "{joint} and {other} are on each other's side",
                joint=rig.nodes.label(left),
                other=rig.nodes.label(right),
            ),
            rig.nodes.label(left),
            joints=(left, right),
            value=gap,
            limit=0.0,
            unit="m",
            explanation="Mirroring, retargeting and inverse kinematics go by the side that a name states.",
            fix=Fix(
                "exact",
                "Exchange the two names",
                partial(exchange_names, left=left, right=right, middle=subject.limit(MIDDLE)),
                on_request=True,
            ),
        )
    yield from _exchanged_throughout(subject, crossed)
    middle, facts = subject.limit(MIDDLE), subject.facts
    lone = [
        joint
        for joint in subject.anatomy.unpaired
        if _from_the_middle(facts, joint) > middle * facts.sizes[joint]
    ]
    if lone:
        lone = _without_namesakes(facts, lone)
    if lone and len(subject.anatomy.pairs) > len(lone):
        yield Finding(
            -1,
            Sentence(
                "{joints} {verb} no partner on the other side, the first is {joint}",
                joints=count(len(lone), "joint"),
                verb=verb(len(lone), "has", "have"),
                joint=rig.nodes.label(lone[0]),
            ),
            rig.nodes.label(lone[0]),
            joints=tuple(lone),
            value=len(lone),
            limit=0,
            unit="joint",
            # A sword hangs in one hand only: nothing says that a partner was meant.
            severity="info",
            explanation="Poses cannot be mirrored there. Props and asymmetric costumes are often meant "
            "like that.",
            fix=Fix("none", reason="whether a partner was meant is for the rigger to say"),
        )


def _exchanged_throughout(
    subject: Subject, crossed: Collection[tuple[int, int]]
) -> Iterator[Finding]:
    """Yield a finding for each body whose left is its right by all names.

    Parameters
    ----------
    crossed
        The pairs that lie the other way round than most of their character.
    """
    rig, facts = subject.rig, subject.facts
    heads = subject.deformer.rest_nodes[:, :3, 3]
    for number, body in enumerate(body for body in facts.bodies if body in facts.wrongly_sided):
        pairs = _pairs_beside(facts, body)
        # The feet tell of the legs only: a trunk may be mirrored, or rest turned round.
        if not arms_lie_as_legs(heads, body) or not set(pairs).isdisjoint(crossed):
            continue
        yield Finding(
            -2 - number,
            Sentence(
                "left and right are exchanged in the names of {pairs} of joints, as the feet show",
                pairs=count(len(pairs), "pair"),
            ),
            rig.nodes.label(body.hips),
            joints=tuple(joint for pair in pairs for joint in pair),
            value=len(pairs),
            limit=0,
            unit="pair",
            # The names agree with one another: mirroring works, retargeting exchanges the sides.
            severity="info",
            explanation="Judged by the names, the feet would point backwards: the names give the sides as "
            "somebody in front of the character sees them. Retargeting by names exchanges left and right.",
            fix=Fix(
                "exact",
                Sentence("Exchange the names of {pairs}", pairs=count(len(pairs), "pair")),
                partial(exchange_all_names, hips=body.hips),
                on_request=True,
            ),
        )


def _pairs_beside(facts: Facts, body: Humanoid) -> tuple[tuple[int, int], ...]:
    """Return the pairs of the character that a body is of."""
    return facts.anatomy.pairs_of[facts.anatomy.characters[body.arms[0]]]


def exchange_all_names(rig: Rig, hips: int) -> Rig:
    """Exchange the names of left and right of a body, once: where its feet point forwards it stays."""
    facts = measured(rig)
    for body in facts.wrongly_sided:
        if body.hips == hips:
            names = list(rig.nodes.names)
            for left, right in _pairs_beside(facts, body):
                names[left], names[right] = names[right], names[left]
            return _named(rig, names)
    return rig


def _without_namesakes(facts: Facts, lone: list[int]) -> list[int]:
    """Leave out joints in whose mirror image stands one whose own name is missing or another's.

    HIE-NAMES names that one, and what is the matter with the pair.
    """
    rig, heads = facts.rig, facts.deformer.rest_nodes[:, :3, 3]
    found = _faults(rig, "")
    nameless = {j for what in (_NAMELESS, _ANOTHERS) for j in found.get(what, ())}
    characters, planes = facts.anatomy.characters, facts.mirror_planes

    def is_answered(joint: int) -> bool:
        others = [j for j in nameless - {joint} if characters[j] == characters[joint]]
        images = planes[characters[joint]].images(heads[joint])
        away = np.linalg.norm(heads[others] - images, axis=1)
        return bool((away < _AT_ONE_PLACE * facts.sizes[joint]).any())

    return [joint for joint in lone if not nameless or not is_answered(joint)]


def _from_the_middle(facts: Facts, joint: int) -> float:
    """Return how far a joint is from where its character's left and right meet; 0 where none do."""
    plane = facts.mirror_planes.get(facts.anatomy.characters[joint])
    head = facts.deformer.rest_nodes[joint, :3, 3]
    return 0.0 if plane is None else abs(float(plane.beyond(head)))


def _crossed(facts: Facts, middle: float) -> dict[tuple[int, int], float]:
    """Return the pairs that lie the other way round than most, and how far: below 0, in metres.

    Which way is which, the majority of a character's pairs says. Where a skin says that they were bound
    like the others, or no skin binds them and they hang on their own sides, they only rest crossed, in a
    pose.

    Parameters
    ----------
    middle
        How far from the middle a joint is on a side, in sizes.
    """
    heads = facts.deformer.rest_nodes[:, :3, 3]
    known: dict[tuple[int, int], float] = {}
    for character, plane in facts.mirror_planes.items():
        pairs = facts.anatomy.pairs_of[character]
        left, right = (heads[[pair[i] for pair in pairs]] for i in (0, 1))
        gaps = dict(zip(pairs, ((left - right) @ plane.normal).tolist(), strict=True))
        near = middle * facts.size_over(pairs)
        clear = {pair: gap for pair, gap in gaps.items() if abs(gap) > near}
        usual = _usual(facts, clear, plane.normal)
        known |= {pair: usual * gap for pair, gap in clear.items()}
    crossed = {pair: gap for pair, gap in known.items() if gap < 0.0}
    alike = set(_bound_alike(facts, middle)) if crossed else set()
    crossed = {pair: gap for pair, gap in crossed.items() if pair not in alike}
    posed = _posed(facts, crossed)
    return {pair: gap for pair, gap in crossed.items() if pair not in posed}


def _posed(facts: Facts, crossed: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the crossed pairs that no skin binds, and that hang, left on left, on what is not crossed."""
    rig, depths = facts.rig, facts.rig.nodes.depths
    bound = {j for i, skin in enumerate(rig.skins) for j in skin.joints[: len(stated(rig, i))]}
    above, pairs = rig.joint_parents, set(facts.anatomy.pairs)
    posed: set[tuple[int, int]] = set()
    for left, right in sorted(crossed, key=lambda pair: int(depths[pair[0]])):
        parents = above[left], above[right]
        hangs = parents in pairs and (parents not in crossed or parents in posed)
        if hangs and bound.isdisjoint((left, right)):
            posed.add((left, right))
    return posed


def _usual(facts: Facts, gaps: Mapping[tuple[int, int], float], normal: FloatArray) -> float:
    """Return the sign of the gap between left and right of most limbs, where they begin; 0 without any.

    A hand has more joints than both legs: where all of an arm is exchanged, the arm is. Of as many each
    way a character that faces as it should tells, and of one that does not most pairs.
    """
    anatomy, depths = facts.anatomy, facts.rig.nodes.depths
    begins: dict[tuple[int, int], float] = {}
    for pair in sorted(gaps, key=lambda pair: int(depths[pair[0]])):
        begins.setdefault(anatomy.limb_of[pair], float(np.sign(gaps[pair])))
    votes = sum(begins.values())
    if votes == 0.0 and begins and abs(normal[0]) > _ALONG_X:
        # What faces +Z has its left at +X; VRM 0.x faces away from where glTF and VRM 1.0 look.
        votes = float(normal[0]) * (-1.0 if VRM_0 in facts.rig.origin.extensions else 1.0)
    return float(np.sign(votes or sum(np.sign(list(gaps.values())))))


def _bound_alike(facts: Facts, middle: float) -> Iterator[tuple[int, int]]:
    """Yield the pairs of which some skin says that left and right were bound as those of most limbs are."""
    rig = facts.rig
    for skin, size in facts.deformer.bind_sizes.items():
        place = {j: i for i, j in enumerate(rig.skins[skin].joints[: len(stated(rig, skin))])}
        pairs = [pair for pair in facts.anatomy.pairs if place.keys() >= set(pair)]
        if len(pairs) < _MAJORITY:
            continue
        heads = rig.skins[skin].mesh_from_joint[:, :3, 3]
        left, right = (heads[[place[pair[i]] for pair in pairs]] for i in (0, 1))
        plane = mirror_plane(left, right, facts.anatomy.starts(pairs), size)
        if plane is None:
            continue
        gaps = dict(zip(pairs, ((left - right) @ plane.normal).tolist(), strict=True))
        clear = {pair: gap for pair, gap in gaps.items() if abs(gap) > middle * size}
        usual = _usual(facts, clear, plane.normal)
        yield from (pair for pair, gap in clear.items() if usual * gap > 0.0)


def exchange_names(rig: Rig, left: int, right: int, middle: float) -> Rig:
    """Exchange the names of two joints, once: where they already lie right, nothing changes."""
    if (left, right) not in measured(rig).once(_crossed, middle):
        return rig
    names = list(rig.nodes.names)
    names[left], names[right] = names[right], names[left]
    return _named(rig, names)
