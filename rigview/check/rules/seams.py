"""The rule about seams: vertices at one place that follow different joints."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from rigview.check.labels import part_label
from rigview.check.limits import Limit
from rigview.check.measures.soundness import SINGLE_VERTICES
from rigview.check.measures.surface import around, edges_of, welded
from rigview.check.measures.whole_skin import WholeSkin, row_difference
from rigview.check.rule import Finding, Fix, Subject, count, rule, verb, vertices_of
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.measures.solid import WELD
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

SEAM = Limit("WGT-SEAM", 1e-3, "", "the difference, over all joints, of vertices at one place")


@rule(
    SEAM,
    title="Seam tears",
    measures="the difference of weights of vertices at one place",
    severity="warning",
    fix="bounded",
    needs="influences",
    beside=SINGLE_VERTICES,
)
@over_meshes
def seams(subject: Subject) -> Iterator[Finding]:
    """Vertices at one place whose weights differ, so that the mesh tears there.

    Solids that only touch there, as the parts of a machine do, have no hole once they part.
    """
    rig = subject.rig
    limit = subject.limit(SEAM)
    for skin in range(len(rig.skins)):
        whole = subject.brief.once(WholeSkin.of, skin)
        if whole is None:
            continue
        chosen, _, difference = _torn(rig, whole, limit)
        for own, local, here in whole.per_member(chosen):
            order = np.argsort(-difference[here], kind="stable")
            yield Finding(
                own.key,
                Sentence(
                    "{vertices} {verb} a place with others of different weights, by up to "
                    "{weight:.2g}",
                    vertices=count(len(local), "vertex"),
                    verb=verb(len(local), "shares", "share"),
                    weight=difference[here].max(),
                ),
                part_label(rig, own.part),
                value=float(difference[here].max()),
                limit=limit,
                vertices=vertices_of(own.part, local[order]),
                explanation="Texture and hard-edge seams split vertices; where the halves follow "
                "different joints, a gap opens.",
                fix=Fix(
                    "bounded",
                    "Average the weights along seams",
                    partial(close, skin=skin, limit=limit),
                ),
            )


def _torn(rig: Rig, whole: WholeSkin, limit: float) -> tuple[IntArray, IntArray, FloatArray]:
    """Return vertices that share a place with others of different weights, the place, by how much."""
    place = welded(whole.positions, WELD * whole.size)
    split = np.flatnonzero(place != np.arange(len(place)))
    # Vertices without sound weights are the business of other rules.
    bound = row_ops.any_of(whole.influences.weights != 0.0)
    split = split[bound.take(split) & bound.take(place.take(split))]
    first = place.take(split)
    difference, _ = row_difference(whole.influences.of(split), whole.influences.of(first))
    worst = np.zeros(len(place))
    np.maximum.at(worst, first, difference)
    # All vertices of a torn place are part of it, the one that the others are compared with too.
    halves = np.zeros(len(place), dtype=np.bool_)
    halves[split] = halves[first] = True
    members = np.flatnonzero(halves & (worst.take(place) > limit))
    if len(members):
        gaping = _opening(rig, whole, place, members, limit)
        members = members[gaping[place[members]]]
    return members, place[members], worst[place[members]]


def _opening(
    rig: Rig, whole: WholeSkin, place: IntArray, torn: IntArray, limit: float
) -> BoolArray:
    """Return ``(V,)`` of places where vertices tear: whether the surface of any half has its edge there.

    Parameters
    ----------
    place
        ``(V,)`` of every vertex the first one at its place.
    torn
        Vertices that share a place with others of different weights.
    limit
        Those whose weights differ by less are of one half.
    """
    own = whole.influences.of(torn)
    weights = np.rint(own.weights / limit) if limit > 0.0 else own.weights
    # Whatever the order of slots.
    joints = np.where(weights != 0.0, own.joints, -1)
    order = np.argsort(joints, axis=1)
    rows = [np.take_along_axis(table, order, axis=1) for table in (joints, weights)]
    _, like = np.unique(np.concatenate(rows, axis=1), axis=0, return_inverse=True)
    half = place * (len(torn) + 1)
    half[torn] += 1 + like.reshape(-1)
    near = np.zeros(len(place), dtype=np.bool_)
    near[torn] = True
    corners = [
        around(rig.primitive(own.part).triangles.T + start, near, 1)
        for own, start in zip(whole.members, whole.starts[:-1], strict=True)
    ]
    edges = edges_of(half[np.concatenate(corners, axis=1)])
    edges.sort(axis=0)
    single, times = np.unique(edges, axis=1, return_counts=True)
    found = np.zeros(len(place), dtype=np.bool_)
    # What no triangle shows has no surface to be closed.
    loose = np.isin(half[torn], edges, invert=True)
    found[place[torn[loose | np.isin(half[torn], single[:, times == 1])]]] = True
    return found


def close(rig: Rig, skin: int, limit: float) -> Rig:
    """Give vertices that share a place the mean of their weights."""
    whole = WholeSkin.of(Subject.of(rig).brief, skin)
    if whole is None:
        return rig
    chosen, place, _ = _torn(rig, whole, limit)
    if not len(chosen):
        return rig
    dense = whole.dense(chosen, len(rig.skins[skin].joints))
    _, group = np.unique(place, return_inverse=True)
    total = np.zeros((int(group.max()) + 1, dense.shape[1]))
    np.add.at(total, group, dense)
    mean = total / np.bincount(group)[:, None]
    # All halves get the same few joints, as many as the narrowest primitive has slots.
    width = min(own.influences.joints.shape[1] for own, _, _ in whole.per_member(chosen))
    rank = np.argsort(np.argsort(-mean, axis=1, kind="stable"), axis=1, kind="stable")
    kept = np.where(rank < width, mean, 0.0)
    kept *= mean.sum(axis=1, keepdims=True) / np.maximum(kept.sum(axis=1, keepdims=True), 1e-300)
    return whole.with_rows(rig, chosen, kept[group])
