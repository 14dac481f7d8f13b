"""Rules about where weights are: seams that tear, sides that differ, bones passed over."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.check.bind_reach import far
from rigview.check.facts import Facts, skin_scales, stated
from rigview.check.limits import Limit
from rigview.check.mirror_plane import mirror_plane
from rigview.check.nearest import nearer
from rigview.check.reframe import alone
from rigview.check.rule import (
    Finding,
    Fix,
    Subject,
    count,
    part_key,
    part_label,
    verb,
    vertices_of,
)
from rigview.check.slots import counted, weighted
from rigview.check.surface import mirrored_pairs, welded
from rigview.check.weights import NEUTRAL
from rigview.core import tall
from rigview.core.arrays import BoolArray, FloatArray, IntArray, median, owned
from rigview.core.bones import box_diagonal
from rigview.core.mesh import Influences
from rigview.core.rig import Part, Rig
from rigview.core.solid import WELD

_Scalar = TypeVar("_Scalar", bound=np.generic)

SEAM = Limit("WGT-SEAM", 1e-3, "share", "the difference, over all joints, of vertices at one place")
SYMMETRY = Limit(
    "WGT-SYM.weight", 0.05, "share", "the difference of a joint's weight on both sides"
)
_IMAGE = "the distance, in sizes, between a {0} and the mirror image of its partner"
# Modelling mirrors vertices to the last digits of float32, or not at all.
MIRRORED_VERTEX = Limit(
    "WGT-SYM.vertex", 1e-4, "share", _IMAGE.format("vertex"), "least", lowest=WELD
)
# A body of which fewer joints stand like that is built or posed asymmetrically.
MIRRORED_JOINT = Limit("WGT-SYM.joint", 0.02, "share", _IMAGE.format("joint"), "least")
MIRRORED_SHARE = Limit(
    "WGT-SYM.joints", 0.8, "share", "the part of the pairs of joints that are that near"
)
# A bone may be passed over by this share of the size: between two bones of a joint the nearest one
# is a matter of millimetres.
NEAREST = Limit("WGT-NEAREST", 0.1, "share", "how much nearer another bone is, in sizes")


def row_difference(a: Influences, b: Influences) -> tuple[FloatArray, FloatArray]:
    """Compare weights row by row, whatever the order of slots; no row names a joint twice.

    Returns
    -------
    ``(V,)`` the sum of all differences, and the largest one.
    """
    if a.joints.shape != b.joints.shape:
        return _difference_in_any_order(a, b)
    apart = np.abs(a.weights - b.weights)
    total, most = tall.sum_of(apart), tall.largest_of(apart)
    # Most rows that are compared list the same joints in the same order.
    used, theirs = a.weights != 0.0, b.weights != 0.0
    others = np.flatnonzero(
        tall.any_of(((a.joints != b.joints) & (used | theirs)) | (used != theirs))
    )
    if len(others):
        total[others], most[others] = _difference_in_any_order(a.of(others), b.of(others))
    return total, most


def _difference_in_any_order(a: Influences, b: Influences) -> tuple[FloatArray, FloatArray]:
    total, most = np.zeros(len(a.joints)), np.zeros(len(a.joints))
    other = [(j.copy(), w.copy()) for j, w in zip(b.joints.T, b.weights.T, strict=True)]
    seen = [np.zeros(len(a.joints)) for _ in other]

    def count(difference: FloatArray) -> None:
        np.add(total, difference, out=total)
        np.maximum(most, difference, out=most)

    # Slot by slot, which numpy does ten times as quickly as row by row.
    for joints, weights in zip(a.joints.T.copy(), a.weights.T.copy(), strict=True):
        in_b = np.zeros(len(joints))
        for (others, theirs), in_a in zip(other, seen, strict=True):
            same = joints == others
            in_b += same * theirs
            np.add(in_a, same * weights, out=in_a)
        # A joint of both is compared once, from a's side; a joint of b alone has no weight in a.
        count(np.where(weights != 0.0, np.abs(weights - in_b), 0.0))
    for (_, theirs), in_a in zip(other, seen, strict=True):
        count(np.where(in_a == 0.0, theirs, 0.0))
    return total, most


@dataclass(frozen=True, eq=False)
class _Skinned:
    """All primitives of one skin as one cloud of vertices in mesh space."""

    parts: tuple[Part, ...]
    starts: IntArray
    positions: FloatArray
    influences: Influences
    size: float

    @classmethod
    def of(cls, facts: Facts, skin: int) -> "_Skinned | None":
        rig = facts.rig
        found = [(part, own) for _, part, own in facts.once(weighted) if part.skin == skin]
        if not found:
            return None
        rows = [facts.once(counted, part, own) for part, own in found]
        starts = np.cumsum([0, *(len(row.joints) for row in rows)])
        width = max(row.joints.shape[1] for row in rows)
        joints = np.concatenate([_widened(row.joints, width) for row in rows])
        weights = np.concatenate([_widened(row.weights, width) for row in rows])
        positions = np.concatenate([rig.primitive(part).positions for part, _ in found])
        parts = tuple(part for part, _ in found)
        size = box_diagonal(*(rig.primitive(part).box for part in parts))
        return cls(parts, starts, positions, Influences(owned(joints), owned(weights)), size)

    def per_part(self, chosen: IntArray) -> Iterator[tuple[Part, IntArray, IntArray]]:
        """Yield the parts that hold chosen vertices: numbers in the part, places in `chosen`."""
        for part, start, end in zip(self.parts, self.starts[:-1], self.starts[1:], strict=True):
            here = np.flatnonzero((chosen >= start) & (chosen < end))
            if len(here):
                yield part, chosen[here] - start, here

    def with_rows(self, rig: Rig, vertices: IntArray, dense: FloatArray) -> Rig:
        """Give vertices the weights ``(n, J)``, as many of the largest as the primitive has slots.

        Of equal ones that do not all fit there is none: what is left of a pair would lean to a side.
        """
        for part, local, rows in self.per_part(vertices):
            primitive = rig.primitive(part)
            assert primitive.influences is not None
            joints = primitive.influences.joints.copy()
            weights = primitive.influences.weights.copy()
            width = joints.shape[1]
            top, new = largest(dense[rows], width)
            kept = new.sum(axis=1, keepdims=True)
            new *= dense[rows].sum(axis=1, keepdims=True) / np.where(kept > 0.0, kept, 1.0)
            weights[local], joints[local] = 0.0, 0
            weights[local, : new.shape[1]] = new
            joints[local, : new.shape[1]] = np.where(new > 0.0, top, 0)
            updated = replace(primitive, influences=Influences(joints, weights))
            rig = rig.with_primitive(part.mesh, part.primitive, updated)
        return rig

    def dense(self, vertices: IntArray, joint_count: int) -> FloatArray:
        """Return ``(n, J)`` the weights of some vertices, joint by joint."""
        result = np.zeros((len(vertices), joint_count))
        rows = np.arange(len(vertices))[:, None]
        np.add.at(
            result, (rows, self.influences.joints[vertices]), self.influences.weights[vertices]
        )
        return result


def _widened(values: NDArray[_Scalar], width: int) -> NDArray[_Scalar]:
    """Return ``(V, width)``: the ``(V, K)`` values, and zeros behind them."""
    missing = width - values.shape[1]
    return np.pad(values, ((0, 0), (0, missing))) if missing else values


def seams(subject: Subject) -> Iterator[Finding]:
    """WGT-SEAM: vertices at one place whose weights differ, so that the mesh tears there."""
    rig = subject.rig
    limit = subject.limit(SEAM)
    for skin in range(len(rig.skins)):
        whole = subject.brief.of(_Skinned.of, skin)
        if whole is None:
            continue
        chosen, _, difference = _torn(whole, limit)
        for part, local, here in whole.per_part(chosen):
            order = np.argsort(-difference[here], kind="stable")
            yield Finding(
                "WGT-SEAM",
                part_key(rig, part),
                f"{count(len(local), 'vertex', 'vertices')} {verb(len(local), 'shares', 'share')} "
                f"a place with others of different weights, by up to {difference[here].max():.2g}",
                part_label(rig, part),
                value=float(difference[here].max()),
                limit=limit,
                vertices=vertices_of(part, local[order]),
                explanation="Texture and hard-edge seams split vertices; where the halves follow "
                "different joints, a gap opens.",
                fix=Fix(
                    "bounded",
                    "Average the weights along seams",
                    partial(close, skin=skin, limit=limit),
                ),
            )


def _torn(whole: _Skinned, limit: float) -> tuple[IntArray, IntArray, FloatArray]:
    """Return vertices that share a place with others of different weights, the place, by how much."""
    place = welded(whole.positions, WELD * whole.size)
    split = np.flatnonzero(place != np.arange(len(place)))
    # Vertices without sound weights are the business of other rules.
    bound = tall.any_of(whole.influences.weights != 0.0)
    split = split[bound.take(split) & bound.take(place.take(split))]
    first = place.take(split)
    difference, _ = row_difference(whole.influences.of(split), whole.influences.of(first))
    worst = np.zeros(len(place))
    np.maximum.at(worst, first, difference)
    # All vertices of a torn place are part of it, the one that the others are compared with too.
    torn = worst.take(first) > limit
    members = np.unique(np.concatenate([split[torn], first[torn]]))
    return members, place[members], worst[place[members]]


def close(rig: Rig, skin: int, limit: float) -> Rig:
    """Give vertices that share a place the mean of their weights."""
    whole = _Skinned.of(alone(rig, {}).brief, skin)
    if whole is None:
        return rig
    chosen, place, _ = _torn(whole, limit)
    if not len(chosen):
        return rig
    dense = whole.dense(chosen, len(rig.skins[skin].joints))
    _, group = np.unique(place, return_inverse=True)
    total = np.zeros((int(group.max()) + 1, dense.shape[1]))
    np.add.at(total, group, dense)
    mean = total / np.bincount(group)[:, None]
    # All halves get the same few joints, as many as the narrowest primitive has slots.
    width = min(_width(rig, part) for part, _, _ in whole.per_part(chosen))
    rank = np.argsort(np.argsort(-mean, axis=1, kind="stable"), axis=1, kind="stable")
    kept = np.where(rank < width, mean, 0.0)
    kept *= mean.sum(axis=1, keepdims=True) / np.maximum(kept.sum(axis=1, keepdims=True), 1e-300)
    return whole.with_rows(rig, chosen, kept[group])


def _width(rig: Rig, part: Part) -> int:
    influences = rig.primitive(part).influences
    return 0 if influences is None else influences.joints.shape[1]


def largest(weights: FloatArray, width: int) -> tuple[IntArray, FloatArray]:
    """Return ``(n, W)`` the places and values of the largest of ``(n, J)`` weights that all fit, else 0."""
    order = np.argsort(-weights, axis=1, kind="stable")
    ordered = np.take_along_axis(weights, order, axis=1)
    top, new = order[:, :width], ordered[:, :width]
    if weights.shape[1] > width:
        split = new <= ordered[:, width : width + 1] * (1.0 + 1e-9)
        split &= ~split.all(axis=1, keepdims=True)
        new = np.where(split, 0.0, new)
    return top, new


@dataclass(frozen=True, eq=False)
class _Mirror:
    """The plane between left and right in mesh space, and which vertex mirrors which.

    Parameters
    ----------
    joints
        ``(J,)`` position in the skin of each joint's partner, its own where it has none.
    vertices, images
        ``(n,)`` vertices that have a mirror image, and that image.
    left
        ``(n,)`` whether the vertex is on the left; False on the plane too.
    """

    joints: IntArray
    vertices: IntArray
    images: IntArray
    left: BoolArray


def _mirror(subject: Subject, skin: int, whole: _Skinned) -> _Mirror | None:
    rig = subject.rig
    joints = rig.skins[skin].joints
    # A joint that is listed twice counts where it is listed first (`counted`).
    listed = {joint: joints.index(joint) for joint in joints}
    known = [pair for pair in subject.anatomy.pairs if listed.keys() >= set(pair)]
    if not known:
        return None
    pairs = [(listed[a], listed[b]) for a, b in known]
    heads = rig.skins[skin].mesh_from_joint[:, :3, 3]
    left, right = heads[[a for a, _ in pairs]], heads[[b for _, b in pairs]]
    size = whole.size
    plane = mirror_plane(left, right, subject.anatomy.starts(known), size)
    if plane is None:
        return None
    apart = np.linalg.norm(plane.images(left) - right, axis=1)
    if np.mean(apart < subject.limit(MIRRORED_JOINT) * size) < subject.limit(MIRRORED_SHARE):
        return None
    grid = subject.limit(MIRRORED_VERTEX) * size
    axis, along = plane.axis, whole.positions
    if axis is None:
        axis, along = 0, whole.positions @ plane.frame
    own, image = mirrored_pairs(along, axis, plane.offset, grid)
    partner = np.arange(len(joints))
    for a, b in pairs:
        partner[a], partner[b] = b, a
    sign = np.sign(median((left - right) @ plane.normal))
    beyond = sign * (along[own, axis] - plane.offset)
    return _Mirror(partner, own, image, beyond > grid)


def asymmetric(subject: Subject) -> Iterator[Finding]:
    """WGT-SYM: mirrored vertices with different weights."""
    rig, limit = subject.rig, subject.limit(SYMMETRY)
    for skin in range(len(rig.skins)):
        whole = subject.brief.of(_Skinned.of, skin)
        mirror = None if whole is None else _mirror(subject, skin, whole)
        if whole is None or mirror is None:
            continue
        most = _asymmetry(whole, mirror)
        uneven = np.flatnonzero(most > limit)
        chosen, worst = mirror.vertices[uneven], most[uneven]
        for part, local, here in whole.per_part(chosen):
            order = np.argsort(-worst[here], kind="stable")
            yield Finding(
                "WGT-SYM",
                part_key(rig, part),
                f"{count(len(local), 'vertex', 'vertices')} {verb(len(local), 'has', 'have')} "
                f"other weights than on the other side, by up to {worst[here].max():.2f}",
                part_label(rig, part),
                value=float(worst[here].max()),
                limit=limit,
                vertices=vertices_of(part, local[order]),
                explanation="The two sides of the body bend differently.",
                fix=Fix(
                    "shape",
                    "Mirror the weights from left to right",
                    partial(mirror_weights, skin=skin, limits=subject.profile.limits),
                ),
            )


def _asymmetry(whole: _Skinned, mirror: _Mirror) -> FloatArray:
    own, image = whole.influences, mirror.images
    there, here = own.of(image), own.of(mirror.vertices)
    seen = Influences(owned(mirror.joints.take(there.joints)), there.weights)
    _, most = row_difference(here, seen)
    bound = tall.any_of(here.weights != 0.0) & tall.any_of(seen.weights != 0.0)
    return np.where(bound, most, 0.0)


def mirror_weights(rig: Rig, skin: int, limits: Mapping[str, float]) -> Rig:
    """Give vertices on the right whose weights differ those of their images on the left.

    A vertex in the middle gets the mean of its weights and their mirror image.
    """
    subject = alone(rig, limits)
    whole = subject.brief.of(_Skinned.of, skin)
    mirror = None if whole is None else _mirror(subject, skin, whole)
    if whole is None or mirror is None:
        return rig
    uneven = (_asymmetry(whole, mirror) > subject.limit(SYMMETRY)) & ~mirror.left
    vertices, images = mirror.vertices[uneven], mirror.images[uneven]
    joints = len(rig.skins[skin].joints)
    seen = whole.dense(images, joints)[:, mirror.joints]
    middle = ~np.isin(images, mirror.vertices[mirror.left])
    own = whole.dense(vertices, joints)
    return whole.with_rows(rig, vertices, np.where(middle[:, None], 0.5 * (own + seen), seen))


def passed_over(subject: Subject) -> Iterator[Finding]:
    """WGT-NEAREST: vertices whose heaviest joint is not the one with the nearest bone."""
    rig, limit = subject.rig, subject.limit(NEAREST)
    lost = {finding.key for finding in subject.found(far)}
    for key, part, influences in subject.once(weighted):
        assert part.skin is not None
        joints = rig.skins[part.skin].joints
        if not joints or len(stated(rig, part.skin)) < len(joints) or part.skin in lost:
            continue  # where the bones were is unknown
        good = subject.brief.once(counted, part, influences)
        loose = np.array([rig.nodes.names[joint] != NEUTRAL for joint in joints])
        main = good.heaviest
        bound = np.flatnonzero(tall.any_of(good.weights != 0.0) & loose.take(main))
        bones = subject.deformer.bind_bones[part.skin]
        points = rig.primitive(part).positions
        if len(bound) < len(points):
            points, main = points.take(bound, axis=0), main.take(bound)
        own = bones.distance(main, points)
        size = _size_in_mesh(subject, part.skin)
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
        chosen = bound[away[over[np.argsort(-further[over], kind="stable")]]]
        yield Finding(
            "WGT-NEAREST",
            key,
            f"{count(len(chosen), 'vertex', 'vertices')} {verb(len(chosen), 'has', 'have')} a bone "
            f"nearer than the one that moves them most, by up to {100 * further.max():.2g} % of the size",
            part_label(rig, part),
            value=float(further.max()),
            limit=limit,
            vertices=vertices_of(part, chosen),
            explanation="The compensation measures the bulge from the bone of the heaviest joint, and "
            "takes that for the nearest one. Clothes and faces are often weighted otherwise on purpose.",
            fix=Fix("none", reason="which joint should move these vertices is a matter of design"),
        )


def _size_in_mesh(subject: Subject, skin: int) -> float:
    """Return the rig's size in the units of a skin's meshes."""
    _, scale = subject.facts.of_skin(skin_scales, skin)
    return subject.deformer.size / max(median(scale), 1e-300)
