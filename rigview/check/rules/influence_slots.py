"""Rules about how influences are written: how many, how small, how often, in which order."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import part_label
from rigview.check.limits import Limit
from rigview.check.measures.influences import (
    EVEN,
    front,
    merge,
    of_same_sums,
    sound,
    twice,
    weighted,
)
from rigview.check.measures.soundness import OUT_OF_RANGE, ZERO
from rigview.check.profiles import COUNT
from rigview.check.rule import Finding, Fix, Subject, count, rule, verb, vertices_of
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import BoolArray, IntArray
from rigview.core.mesh import Influences
from rigview.core.numeric import row_ops
from rigview.core.rig import Part, Rig
from rigview.core.sentence import Sentence

# The smallest weight that a byte holds: what is below is lost by every exporter that writes bytes.
TINY = Limit("WGT-TINY", 1.0 / 255.0, "", "a weight above nothing", "least")


def repairing(part: Part, repair: Callable[[Influences], Influences]) -> Callable[[Rig], Rig]:
    """Return what repairs the influences of one primitive."""

    def repaired(rig: Rig) -> Rig:
        old = rig.primitive(part)
        if old.influences is None:
            return rig
        new = repair(old.influences)
        if new is old.influences:
            return rig
        return rig.with_primitive(part.mesh, part.primitive, replace(old, influences=new))

    return repaired


def repairing_all(skin: int, repair: Callable[[Influences], Influences]) -> Callable[[Rig], Rig]:
    """Return what repairs all primitives of a skin: a mesh is torn where only one side of a seam is."""

    def repaired(rig: Rig) -> Rig:
        for part in rig.skinned_parts(skin):
            rig = repairing(part, repair)(rig)
        return rig

    return repaired


@rule(
    COUNT,
    title="Too many influences",
    measures="the number of influences of each vertex against what the target takes",
    severity="warning",
    fix="bounded",
    needs="influences",
)
@over_meshes
def too_many(subject: Subject) -> Iterator[Finding]:
    """Vertices with more influences than the profile allows."""
    rig, most = subject.rig, int(subject.limit(COUNT))
    for key, part, skin, influences in subject.of_rig(weighted):
        if influences.joints.shape[1] <= most:
            continue
        chosen = np.flatnonzero((influences.per_vertex > most) & sound(influences))
        if not len(chosen):
            continue
        left = np.sort(influences.weights[chosen], axis=1)[:, -most:].sum(axis=1)
        lost = float((influences.sums[chosen] - left).max())
        chosen = chosen[np.argsort(-influences.per_vertex[chosen], kind="stable")]
        heaviest = float(influences.per_vertex[chosen].max())
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} up to {heaviest:.0f} influences (limit {most}); the largest "
                "{most} leave out up to {lost:.2g}",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "has", "have"),
                heaviest=heaviest,
                most=most,
                lost=lost,
            ),
            part_label(rig, part),
            value=heaviest,
            limit=most,
            unit=COUNT.unit,
            vertices=vertices_of(part, chosen),
            explanation=Sentence(
                "{source}. What is above the limit is dropped without notice.",
                source=subject.profile.source(COUNT),
            ),
            fix=Fix(
                "bounded",
                Sentence("Keep the {most} largest weights of every vertex", most=most),
                repairing_all(skin, partial(keep_largest, most=most)),
            ),
        )


def keep_largest(influences: Influences, most: int) -> Influences:
    """Keep the largest weights of every vertex, and scale them to the sum that all had."""
    order = np.argsort(-influences.weights, axis=1, kind="stable")[:, :most]
    weights = np.take_along_axis(influences.weights, order, axis=1)
    joints = np.take_along_axis(influences.joints, order, axis=1)
    above = sound(influences) & (influences.per_vertex > most)
    if not above.any():
        return influences
    width = min(most, influences.joints.shape[1])
    if not np.all(above | (influences.per_vertex <= width)):
        # Vertices without sound weights keep all slots, for the rules about them.
        rank = np.argsort(np.argsort(-influences.weights, axis=1, kind="stable"), axis=1)
        cut = above[:, None] & (rank >= most)
        return of_same_sums(influences, np.where(cut, 0.0, influences.weights))
    # A vertex within the limit keeps its slots where all its used ones stand in front.
    whole = ~above & (influences.weights[:, width:] == 0.0).all(axis=1)
    joints = np.where(whole[:, None], influences.joints[:, :width], joints)
    weights = np.where(whole[:, None], influences.weights[:, :width], weights)
    total, kept = influences.weights.sum(axis=1), weights.sum(axis=1)
    factor = np.where(above, total / np.where(kept > 0.0, kept, 1.0), 1.0)
    return Influences(np.where(weights == 0.0, 0, joints), weights * factor[:, None])


def _tiny(influences: Influences, limit: float) -> tuple[IntArray, IntArray]:
    """Return the slots too small to keep, row by row, and the vertex of each.

    The largest of a vertex always stays.
    """
    weights = influences.weights
    with np.errstate(invalid="ignore"):
        slots = np.flatnonzero((weights > 0.0) & (weights < limit))
    vertices = slots // max(weights.shape[1], 1)
    largest = row_ops.largest_of(weights.take(vertices, axis=0))
    small = sound(influences).take(vertices) & (weights.reshape(-1).take(slots) < largest)
    return slots[small], vertices[small]


@rule(
    TINY,
    title="Weight too small",
    measures="weights above nothing and below 1/255",
    severity="info",
    fix="bounded",
    note=True,
    needs="influences",
    beside=(ZERO.rule,),
)
@over_meshes
def tiny(subject: Subject) -> Iterator[Finding]:
    """Weights below what a byte can hold."""
    rig, limit = subject.rig, subject.limit(TINY)
    below = "1/255" if limit == TINY.default else f"{limit:.2g}"
    for key, part, skin, influences in subject.of_rig(weighted):
        slots, vertices = _tiny(influences, limit)
        lost = subject.faulty(part)[ZERO.rule]
        chosen = np.flatnonzero((np.bincount(vertices, minlength=len(lost)) > 0) & ~lost)
        if not len(chosen):
            continue
        slots = slots[~lost.take(vertices)]
        smallest = float(influences.weights.reshape(-1).take(slots).min())
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} weights below {below}, down to {smallest:.2g}",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "has", "have"),
                below=below,
                smallest=smallest,
            ),
            part_label(rig, part),
            value=smallest,
            limit=limit,
            vertices=vertices_of(part, chosen),
            explanation="They move next to nothing, cost as much as others, and vanish as soon as weights "
            "are written as bytes.",
            fix=Fix(
                "bounded",
                Sentence("Prune all weights below {below}", below=below),
                repairing_all(skin, partial(prune, limit=limit)),
            ),
        )


def prune(influences: Influences, limit: float) -> Influences:
    """Drop weights below a limit; the rest of the vertex keeps its sum."""
    slots, _ = _tiny(influences, limit)
    if not len(slots):
        return influences
    weights = influences.weights.copy()
    weights.reshape(-1)[slots] = 0.0
    return of_same_sums(influences, weights)


@rule(
    "WGT-DUP",
    title="Joint twice on a vertex",
    measures="vertices that give weight to one joint in two slots",
    severity="error",
    fix="exact",
    needs="influences",
)
@over_meshes
def doubles(subject: Subject) -> Iterator[Finding]:
    """A joint twice on one vertex."""
    rig = subject.rig
    for key, part, _, influences in subject.of_rig(weighted):
        chosen = np.flatnonzero(twice(influences))
        if not len(chosen):
            continue
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} a joint twice",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "names", "name"),
            ),
            part_label(rig, part),
            value=float(len(chosen)),
            limit=0,
            unit="vertex",
            vertices=vertices_of(part, chosen),
            explanation="glTF forbids it. Programs that sort or look weights up by joint keep one of the "
            "two.",
            fix=Fix(
                "exact",
                Sentence(
                    "Merge the double influences of {vertices}",
                    vertices=count(len(chosen), "vertex"),
                ),
                repairing(part, merge),
            ),
        )


def _ghosts(influences: Influences) -> BoolArray:
    """Return ``(V, K)`` the slots that name a joint and give it no weight."""
    idle = influences.idle
    return idle & sound(influences)[:, None] if idle.any() else idle


@rule(
    "WGT-GHOST",
    title="Joint without weight",
    measures="slots that name a joint and give it no weight",
    severity="info",
    fix="exact",
    note=True,
    needs="influences",
    beside=(OUT_OF_RANGE,),
)
@over_meshes
def ghosts(subject: Subject) -> Iterator[Finding]:
    """Slots without weight that name a joint all the same."""
    rig = subject.rig
    for key, part, _, influences in subject.of_rig(weighted):
        chosen = np.flatnonzero(row_ops.any_of(_ghosts(influences)))
        if not len(chosen):
            continue
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} joints without giving them weight",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "names", "name"),
            ),
            part_label(rig, part),
            value=float(len(chosen)),
            limit=0,
            unit="vertex",
            vertices=vertices_of(part, chosen),
            explanation="The joints have to be there, and count where a mesh is split by joints.",
            fix=Fix(
                "exact",
                Sentence(
                    "Clear the idle slots of {vertices}", vertices=count(len(chosen), "vertex")
                ),
                repairing(part, clear_ghosts),
            ),
        )


def clear_ghosts(influences: Influences) -> Influences:
    """Let slots without weight name joint 0, as glTF asks."""
    return replace(influences, joints=np.where(_ghosts(influences), 0, influences.joints))


def _unsorted(influences: Influences) -> BoolArray:
    """Return ``(V,)`` which sound vertices list a smaller weight before a larger one."""
    weights = influences.weights
    rising = np.zeros(weights.shape, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        # From each number to the next, row after row: what leads to the next row does not count.
        rising.reshape(-1)[1:] = np.diff(weights.reshape(-1)) > EVEN
    rising[:, :1] = False
    return row_ops.any_of(rising) & sound(influences)


@rule(
    "WGT-SORT",
    title="Weights out of order",
    measures="influences that do not stand in descending order",
    severity="info",
    fix="exact",
    note=True,
    needs="influences",
    raised={"thesis": "error"},
    beside=(OUT_OF_RANGE, doubles.id),
)
@over_meshes
def unsorted(subject: Subject) -> Iterator[Finding]:
    """Influences that do not stand in descending order.

    What names a joint twice is sorted as it is merged (WGT-DUP).
    """
    rig = subject.rig
    for key, part, _, influences in subject.of_rig(weighted):
        chosen = np.flatnonzero(_unsorted(influences) & ~influences.doubled)
        if not len(chosen):
            continue
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} a smaller weight before a larger one",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "lists", "list"),
            ),
            part_label(rig, part),
            value=float(len(chosen)),
            limit=0,
            unit="vertex",
            vertices=vertices_of(part, chosen),
            explanation="The thesis's plugin takes the first influence for the heaviest one; programs that "
            "cut after the fourth influence cut the wrong ones.",
            fix=Fix(
                "exact",
                Sentence(
                    "Sort the influences of {vertices}", vertices=count(len(chosen), "vertex")
                ),
                repairing(part, sort),
            ),
        )


def sort(influences: Influences) -> Influences:
    """Bring the influences of vertices that are out of order into descending order."""
    return front(influences, np.flatnonzero(_unsorted(influences)))
