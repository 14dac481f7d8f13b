"""The rule about the unit of lengths: people of impossible height, and meshes larger than skeletons."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import skin_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.sizes import wearers
from rigview.check.rig_edits.reframe import KeyChange, map_keys
from rigview.check.rule import Finding, Fix, Subject, offer, rule
from rigview.core.anatomy import Humanoid
from rigview.core.arrays import FloatArray, unit
from rigview.core.bones import box_diagonal
from rigview.core.rig import Rig
from rigview.core.sampler import Path
from rigview.core.sentence import Sentence

# People, from a child to a giant; what is outside was stated in other units.
LOWEST = Limit("SCL-UNIT.lowest", 0.3, "m", "the height of a body", "least")
HIGHEST = Limit(LOWEST.key_of("highest"), 10.0, "m", "the height of a body")
USUAL_HEIGHT = 1.7
# Fewer joints span no body: a mesh on the head alone says nothing of sizes.
_MEASURABLE = 4
# Skeleton and mesh of one character are never this different in size.
RATIO = Limit(
    LOWEST.key_of("ratio"), 20.0, "×", "the sizes of skeleton and mesh against each other"
)


# A mesh that is this much lower than its skeleton is a point but for rounding: no factor makes it a body.
_FLAT = 1e-5


@rule(
    LOWEST,
    HIGHEST,
    RATIO,
    title="Other units",
    measures="the height of a body, and the sizes of skeleton and mesh against each other",
    severity="info",
    fix="shape",
    needs="influences",
    tree=True,
    whole=True,
)
def other_units(subject: Subject) -> Iterator[Finding]:
    """People of impossible height, or a mesh of another size than its skeleton."""
    rig = subject.rig
    heights = (subject.limit(LOWEST), subject.limit(HIGHEST))
    found = _heights(subject.facts, heights)
    factors = {_to_metres(height) if height else 1.0 for height in found}
    for number, height in enumerate(found):
        if height is not None:
            yield _unlikely(subject, number, height, factors)
    for skin in subject.deformer.skins:
        ratio = _size_ratio(subject, skin)
        if ratio > subject.limit(RATIO):
            yield Finding(
                1 + skin,
                Sentence("skeleton and mesh differ in size {ratio:.3g} times", ratio=ratio),
                skin_label(rig, skin),
                value=ratio,
                limit=subject.limit(RATIO),
                unit="×",
                explanation="Mesh and skeleton seem to be stated in different units.",
                fix=Fix("none", reason="which of the two has the right size is unknown"),
            )


def _unlikely(subject: Subject, number: int, height: float, factors: set[float]) -> Finding:
    """Return what is said of a body of a height, where all bodies are to be scaled by some factors."""
    rig = subject.rig
    lowest, highest = heights = subject.limit(LOWEST), subject.limit(HIGHEST)
    if height == 0.0:
        fix = Fix("none", reason="all its vertices stand in one place")
    elif len(factors) > 1:
        fix = Fix("none", reason="other characters of the file have another size")
    else:
        label = Sentence("Scale the whole file by {value:g}", value=min(factors))
        fix = offer(rig, "shape", label, partial(in_metres, heights=heights))
    people = _people(subject.facts)
    first = rig.roots[0] if rig.roots and len(people) == 1 else people[number].hips
    return Finding(
        -number,
        Sentence("the character is {height:.3g} m tall", height=height),
        rig.nodes.label(first),
        value=height,
        limit=lowest if height < lowest else highest,
        unit="m",
        explanation="glTF counts in metres; this file seems to count in other units. Physics, shadows "
        "and cameras take it at its word.",
        fix=fix,
    )


def _heights(facts: Facts, usual: tuple[float, float]) -> list[float | None]:
    """Return how tall each body is, None where that is between two heights."""
    return [_height(facts, body, usual) for body in _people(facts)]


def _people(facts: Facts) -> list[Humanoid]:
    """Return one body of each character: copies of a skeleton have one each."""
    first: dict[int, Humanoid] = {}
    for body in facts.bodies:
        first.setdefault(facts.characters[body.hips], body)
    return list(first.values())


def _height(facts: Facts, body: Humanoid, usual: tuple[float, float]) -> float | None:
    """Return how far a body reaches from hips to head and on, where that is not between two heights."""
    deformer, characters = facts.deformer, facts.characters
    # Limbs may have skeletons of their own.
    numbers = {characters[joint] for joint in (body.hips, body.head, *body.arms, *body.legs)}
    own = [i for i, wearer in enumerate(wearers(facts.rig, characters)) if wearer in numbers]
    corners = np.concatenate([np.zeros((0, 3)), *(deformer.rest_corners[i] for i in own)])
    if not len(corners):
        return None
    heads = deformer.rest_nodes[[body.hips, body.head], :3, 3]
    up = unit(heads[1] - heads[0])
    if not up.any():
        return None
    # Some vertices touch the sides of the box around all: their distances bound the height.
    reach = np.abs(up) * np.ptp(corners, axis=0)
    if usual[0] <= 2.0 * reach.max() - reach.sum() and reach.sum() <= usual[1]:
        return None
    counts = [len(facts.rig.primitive(part).positions) for part in facts.rig.parts]
    starts = np.cumsum([0, *counts])
    along = deformer.rest_positions @ up
    height = float(np.ptp(np.concatenate([along[starts[i] : starts[i + 1]] for i in own])))
    if height < _FLAT * float(np.linalg.norm(heads[1] - heads[0])):
        return 0.0
    return None if usual[0] <= height <= usual[1] else height


def _size_ratio(subject: Subject, skin: int) -> float:
    """Return how many times one of skeleton and skinned mesh at rest is larger than the other."""
    rig = subject.rig
    heads = subject.deformer.rest_nodes[list(rig.skins[skin].joints)][:, :3, 3]
    corners = zip(rig.parts, subject.deformer.rest_corners, strict=True)
    boxes = [box for part, box in corners if part.skin == skin and len(box)]
    if not boxes:
        return 1.0
    mesh = box_diagonal(*boxes)
    # Of a large skeleton a small mesh uses few joints: those count.
    moved = np.zeros(len(heads), dtype=np.bool_)
    for part in rig.skinned_parts(skin):
        influences = rig.primitive(part).influences
        if influences is not None:
            moved |= influences.moves(len(heads))
    used = np.flatnonzero(moved)
    if len(used) < _MEASURABLE:
        return 1.0
    near = float(np.linalg.norm(np.ptp(heads[used], axis=0)))
    return max(mesh / near, near / mesh) if near > 0.0 else 1.0


def _to_metres(height: float) -> float:
    """Return the power of ten that brings a height nearest to a person's."""
    return 10.0 ** float(np.rint(np.log10(USUAL_HEIGHT / height)))


def in_metres(rig: Rig, heights: tuple[float, float]) -> Rig:
    """Scale a file whose body has a height outside of some by a power of ten."""
    off = [height for height in _heights(measured(rig), heights) if height]
    return rescale(rig, _to_metres(off[0])) if off else rig


def rescale(rig: Rig, factor: float) -> Rig:
    """Scale every length of a file: vertices, bones, binds and keys."""
    nodes = rig.nodes
    matrices = {n: _moved(m, factor) for n, m in nodes.matrices.items()}
    scaled = replace(
        rig,
        nodes=replace(nodes, translations=factor * nodes.translations, matrices=matrices),
        clips=map_keys(rig.clips, range(len(nodes)), partial(_longer, factor=factor)),
        skins=tuple(
            skin
            if skin.inverse_binds is None
            else replace(skin, inverse_binds=_moved(skin.inverse_binds, factor))
            for skin in rig.skins
        ),
    )
    for number, mesh in enumerate(rig.meshes):
        for i, primitive in enumerate(mesh.primitives):
            morphs = primitive.morphs
            if morphs is not None:
                morphs = replace(morphs, positions=factor * morphs.positions)
            larger = replace(primitive, positions=factor * primitive.positions, morphs=morphs)
            scaled = scaled.with_primitive(number, i, larger)
    return scaled


def _longer(_node: int, path: Path, factor: float) -> KeyChange | None:
    return (lambda v: factor * v) if path == "translation" else None


def _moved(matrices: FloatArray, factor: float) -> FloatArray:
    result = matrices.copy()
    result[..., :3, 3] *= factor
    return result
