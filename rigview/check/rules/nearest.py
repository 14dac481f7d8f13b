"""The rule about bones passed over: vertices to which another bone is nearer than their own."""

from collections.abc import Iterator

import numpy as np

from rigview.check.labels import part_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import size_in_mesh, stated
from rigview.check.measures.influences import counted, weighted
from rigview.check.measures.soundness import SINGLE_VERTICES
from rigview.check.rule import Finding, Fix, Subject, count, rule, verb, vertices_of
from rigview.check.rules.bind_reach import FAR, far_of_each_skin
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.numeric import row_ops
from rigview.core.sentence import Sentence

# A bone may be passed over by this share of the size: between two bones of a joint the nearest one
# is a matter of millimetres.
NEAREST = Limit("WGT-NEAREST", 0.1, "share", "how much nearer another bone is, in sizes")
# The profiles under which the compensation relies on the nearest bone; elsewhere the rule gives a note.
COMPENSATED = ("dqs", "thesis")
# Points that are looked at in one go.
_BLOCK = 1024
# What float32 loses of a distance, as a share of the size.
_ROUNDED = 2e-3
# Shares of the size nearer to each other than this are one.
_ALIKE = 1e-6
# Bones whose ends are nearer than this share of the size are at one place.
_ONE_PLACE = 1e-5


@rule(
    NEAREST,
    title="Nearest bone passed over",
    measures="how much nearer another bone is than that of the heaviest joint",
    severity="info",
    needs="influences",
    tree=True,
    beside=(*SINGLE_VERTICES, FAR.rule),
)
@over_meshes
def passed_over(subject: Subject) -> Iterator[Finding]:
    """Vertices whose heaviest joint is not the one with the nearest bone.

    It is a note but under the profiles dqs and thesis, whose compensation takes the two for the same.
    """
    rig, limit = subject.rig, subject.limit(NEAREST)
    lost = {finding.key for finding in subject.found(far_of_each_skin)}
    for key, part, skin, influences in subject.of_rig(weighted):
        joints = rig.skins[skin].joints
        if not joints or len(stated(rig, skin)) < len(joints) or skin in lost:
            continue  # where the bones were is unknown
        good = subject.brief.of_rig(counted, skin, influences)
        loose = np.array([joint not in subject.anatomy.neutral for joint in joints])
        main = good.heaviest
        bound = np.flatnonzero(row_ops.any_of(good.weights != 0.0) & loose.take(main))
        bones = subject.deformer.bind_bones[skin]
        points = rig.primitive(part).positions
        if len(bound) < len(points):
            points, main = points.take(bound, axis=0), main.take(bound)
        own = bones.distance(main, points)
        size = subject.facts.once(size_in_mesh, skin)
        # Nothing is nearer than 0: what is near its own bone passes none over.
        away = np.flatnonzero(own > limit * size)
        if not len(away):
            continue
        passed, nearest = nearer(bones, points[away], own[away] - limit * size)
        away = away[passed]
        further = (own[away] - nearest) / size
        over = np.flatnonzero(further > limit)
        if not len(over):
            continue
        # The worst first; of those that differ by rounding alone, in order.
        ranks = -np.rint(further[over] / _ALIKE)
        chosen = bound[away[over[np.argsort(ranks, kind="stable")]]]
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} a bone nearer than the one that moves them most, by up to "
                "{share:.2g} % of the size",
                vertices=count(len(chosen), "vertex"),
                verb=verb(len(chosen), "has", "have"),
                share=100 * further.max(),
            ),
            part_label(rig, part),
            value=float(further.max()),
            limit=limit,
            unit="share",
            note=subject.profile.name not in COMPENSATED,
            vertices=vertices_of(part, chosen),
            explanation=Sentence(
                "{why} Clothes and faces are often weighted otherwise on purpose.",
                why=_why(subject.profile.name),
            ),
            fix=Fix("none", reason="which joint should move these vertices is a matter of design"),
        )


def _why(profile: str) -> str:
    """Return what the finding means under a profile."""
    if profile in COMPENSATED:
        return Sentence(
            "The compensation measures the bulge from the bone of the heaviest joint, and takes that for "
            "the nearest one."
        )
    return Sentence(
        "Weights that were painted through to another limb, or found automatically, look like this."
    )


def nearer(bones: Segments, points: FloatArray, reach: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return which of ``(V, 3)`` points may have a bone within ``(V,)`` lengths, and how far it is.

    All bones are asked at once, in float32, about the middle and in sizes, which may be the nearest ones
    of a point, and these how far they are.
    """
    middle = bones.heads.mean(axis=0)
    furthest = max(np.abs(bones.heads - middle).max(), np.abs(points - middle).max(initial=0.0))
    size = float(furthest + bones.lengths.max()) or 1.0
    bones = _once(Segments((bones.heads - middle) / size, bones.directions, bones.lengths / size))
    points = (points - middle) / size
    square = np.full(len(points), np.inf)
    tables = (bones.heads, bones.directions, points)
    heads, directions, places = (np.ascontiguousarray(m.T) for m in tables)
    for bone, point in _candidates(bones, points, reach / size):
        offset = places.take(point, axis=1) - heads.take(bone, axis=1)
        along = directions.take(bone, axis=1)
        x, y, z = offset * along
        foot = np.clip(x + y + z, 0.0, bones.lengths.take(bone))
        x, y, z = np.square(offset - foot * along)
        np.minimum.at(square, point, x + y + z)
    found = np.flatnonzero(np.isfinite(square))
    return found, size * np.sqrt(square[found])


def _once(bones: Segments) -> Segments:
    """Return one bone of those at one place: a rig whose joints all are at the origin has no other."""
    ends = np.concatenate([bones.heads, bones.tails], axis=1)
    _, first = np.unique(np.rint(ends / _ONE_PLACE), axis=0, return_index=True)
    return bones.of(first) if len(first) < len(ends) else bones


def _candidates(
    bones: Segments, points: FloatArray, reach: FloatArray
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield, block by block, pairs of a bone and a point within its reach whose nearest bone it may be.

    All within a few lengths of the origin.
    """
    heads = bones.heads
    # The foot of a point on the line of a bone, and the square of its distance to the head less its own.
    along = np.column_stack([bones.directions, -np.einsum("ij,ij->i", heads, bones.directions)])
    apart = np.column_stack([-2.0 * heads, np.einsum("ij,ij->i", heads, heads)])
    places = np.column_stack([points, np.ones(len(points))])
    along, apart, places = (m.astype(np.float32) for m in (along, apart, places))
    lengths = bones.lengths.astype(np.float32)[:, None]
    own = np.einsum("ij,ij->i", points, points)
    for start in range(0, len(points), _BLOCK):
        here = slice(start, start + _BLOCK)
        foot, square = along @ places[here].T, apart @ places[here].T
        at = np.clip(foot, 0.0, lengths)
        square += at * (at - 2.0 * foot)
        least = square.min(axis=0)
        within = np.sqrt(np.maximum(least + own[here], 0.0)) <= reach[here] + _ROUNDED
        chosen = np.flatnonzero(within)
        if len(chosen):
            maybe = np.flatnonzero(square[:, chosen] <= least[chosen] + _ROUNDED**2)
            bone, point = np.divmod(maybe, len(chosen))
            yield bone, chosen[point] + start
