"""The rule about the two sides of a body: mirrored vertices with different weights."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from rigview.check.labels import part_label
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts
from rigview.check.measures.soundness import SINGLE_VERTICES
from rigview.check.measures.surface import mirrored_pairs
from rigview.check.measures.whole_skin import WholeSkin, row_difference
from rigview.check.rule import Finding, Fix, Profile, Subject, count, rule, verb, vertices_of
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.core.arrays import BoolArray, FloatArray, IntArray, median, owned
from rigview.core.measures.solid import WELD
from rigview.core.mesh import Influences
from rigview.core.mirror_plane import mirror_plane
from rigview.core.numeric import row_ops
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

SYMMETRY = Limit("WGT-SYM.weight", 0.05, "", "the difference of a joint's weight on both sides")
_IMAGE = "the distance, in sizes, between a {0} and the mirror image of its partner"
# Modelling mirrors vertices to the last digits of float32, or not at all.
MIRRORED_VERTEX = Limit(
    SYMMETRY.key_of("vertex"), 1e-4, "share", _IMAGE.format("vertex"), "least", lowest=WELD
)
# A body of which fewer joints stand like that is built or posed asymmetrically.
MIRRORED_JOINT = Limit(SYMMETRY.key_of("joint"), 0.02, "share", _IMAGE.format("joint"), "least")
MIRRORED_SHARE = Limit(
    SYMMETRY.key_of("joints"), 0.8, "share", "the part of the pairs of joints that are that near"
)


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


def _mirror(subject: Subject, skin: int, whole: WholeSkin) -> _Mirror | None:
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
    aside = np.abs(plane.beyond(heads)) > subject.limit(MIRRORED_JOINT) * size
    lone = (partner == np.arange(len(joints))) & aside
    lone |= np.array([joint in subject.anatomy.neutral for joint in joints])
    if lone.any():
        answered = ~_following(whole, lone)
        both = answered[own] & answered[image]
        own, image = own[both], image[both]
    sign = np.sign(median((left - right) @ plane.normal))
    beyond = sign * (along[own, axis] - plane.offset)
    return _Mirror(partner, own, image, beyond > grid)


def _following(whole: WholeSkin, joints: BoolArray) -> BoolArray:
    """Return ``(V,)`` which vertices follow some of the ``(J,)`` joints."""
    influences = whole.influences
    named = joints.take(influences.joints, mode="clip")
    return row_ops.any_of(named & (influences.weights != 0.0))


@rule(
    SYMMETRY,
    MIRRORED_VERTEX,
    MIRRORED_JOINT,
    MIRRORED_SHARE,
    title="Sides weighted differently",
    measures="the difference of weights of mirrored vertices",
    severity="info",
    fix="shape",
    needs="influences pairs",
    tree=True,
    beside=SINGLE_VERTICES,
)
@over_meshes
def asymmetric(subject: Subject) -> Iterator[Finding]:
    """Mirrored vertices with different weights.

    In another mesh than the largest of the character, such as clothes, it is a note.

    What follows a joint aside whose partner is not known, or one that only holds it in place, has no
    weights that the other side could have.
    """
    rig, limit = subject.rig, subject.limit(SYMMETRY)
    bodies = subject.facts.once(_bodies)
    for skin in range(len(rig.skins)):
        whole = subject.brief.once(WholeSkin.of, skin)
        mirror = None if whole is None else _mirror(subject, skin, whole)
        if whole is None or mirror is None:
            continue
        most = _asymmetry(whole, mirror)
        uneven = np.flatnonzero(most > limit)
        chosen, worst = mirror.vertices[uneven], most[uneven]
        for own, local, here in whole.per_member(chosen):
            order = np.argsort(-worst[here], kind="stable")
            yield Finding(
                own.key,
                Sentence(
                    "{vertices} {verb} other weights than on the other side, by up to {weight:.2f}",
                    vertices=count(len(local), "vertex"),
                    verb=verb(len(local), "has", "have"),
                    weight=worst[here].max(),
                ),
                part_label(rig, own.part),
                value=float(worst[here].max()),
                limit=limit,
                vertices=vertices_of(own.part, local[order]),
                note=own.part.mesh not in bodies,
                explanation="The two sides of the body bend differently.",
                fix=Fix(
                    "shape",
                    "Mirror the weights from left to right",
                    partial(mirror_weights, skin=skin, profile=subject.profile),
                ),
            )


def _bodies(facts: Facts) -> frozenset[int]:
    """Return the mesh of each character that has most vertices: the others are its clothes and things."""
    rig, of = facts.rig, facts.anatomy.characters
    sizes: dict[int, dict[int, int]] = {}
    for part in rig.parts:
        if part.skin is not None and rig.skins[part.skin].joints:
            character = of.get(rig.skins[part.skin].joints[0], -1)
            meshes = sizes.setdefault(character, {})
            meshes[part.mesh] = meshes.get(part.mesh, 0) + len(rig.primitive(part).positions)
    return frozenset(max(meshes, key=lambda mesh: meshes[mesh]) for meshes in sizes.values())


def _asymmetry(whole: WholeSkin, mirror: _Mirror) -> FloatArray:
    own, image = whole.influences, mirror.images
    there, here = own.of(image), own.of(mirror.vertices)
    seen = Influences(owned(mirror.joints.take(there.joints)), there.weights)
    _, most = row_difference(here, seen)
    bound = row_ops.any_of(here.weights != 0.0) & row_ops.any_of(seen.weights != 0.0)
    return np.where(bound, most, 0.0)


def mirror_weights(rig: Rig, skin: int, profile: Profile) -> Rig:
    """Give vertices on the right whose weights differ those of their images on the left.

    A vertex in the middle gets the mean of its weights and their mirror image.
    """
    subject = Subject.of(rig, profile)
    whole = subject.brief.once(WholeSkin.of, skin)
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
