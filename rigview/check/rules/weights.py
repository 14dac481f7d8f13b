"""Rules about skin weights."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from rigview.check.labels import part_label
from rigview.check.measures.influences import weighted
from rigview.check.measures.soundness import (
    OUT_OF_RANGE,
    SUM,
    SUM_ERROR,
    SUM_LIMIT,
    ZERO,
    ZERO_LIMIT,
    off_sum,
    out_of_range,
    without_weight,
)
from rigview.check.rig_edits.joint_list import meshes_of_skin
from rigview.check.rig_edits.reframe import animated, whole_binds, with_node
from rigview.check.rule import (
    Finding,
    Fix,
    Refused,
    Severity,
    Subject,
    count,
    offer,
    rule,
    verb,
    vertices_of,
)
from rigview.check.rules.hierarchy import skeleton_roots
from rigview.check.rules.influence_slots import repairing
from rigview.check.rules.shared.merge_findings import over_meshes
from rigview.check.rules.tree import add_root, tops
from rigview.core import affine
from rigview.core.anatomy import NEUTRAL
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence, joined


@rule(
    SUM,
    SUM_ERROR,
    title="Weights do not add up",
    measures="the distance from 1 of each vertex's sum of weights",
    severity="warning",
    fix="shape",
    needs="influences",
)
@over_meshes
def sums(subject: Subject) -> Iterator[Finding]:
    """Weights of a vertex that do not add up to one."""
    rig = subject.rig
    limit, zero = subject.limit(SUM), subject.limit(ZERO)
    for key, part, _, influences in subject.of_rig(weighted):
        vertices = np.flatnonzero(subject.faulty(part)[SUM.rule])
        if not len(vertices):
            continue
        missing = 1.0 - influences.sums[vertices]
        order = np.argsort(-np.abs(missing), kind="stable")
        worst = float(np.abs(missing).max())
        points = rig.primitive(part).positions[vertices]
        moved = float((np.abs(missing) * np.linalg.norm(points, axis=1)).max())
        ways = [Sentence("towards")] if missing.max() > 0.0 else []
        ways += [Sentence("away from")] if missing.min() < 0.0 else []
        severity: Severity = "error" if worst > subject.limit(SUM_ERROR) else "warning"
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} weights off by up to {worst:.3g} (limit {limit:g})",
                vertices=count(len(vertices), "vertex"),
                verb=verb(len(vertices), "has", "have"),
                worst=worst,
                limit=limit,
            ),
            part_label(rig, part),
            value=worst,
            limit=limit,
            severity=severity,
            vertices=vertices_of(part, vertices[order]),
            explanation=Sentence(
                "Linear skinning moves these vertices {ways} the origin by up to {moved:.3g} m "
                "at bind; dual quaternion skinning does not mind. Dividing by the sum moves "
                "them to where the weights mean them to be.",
                ways=joined(ways, "{first} or {rest}"),
                moved=moved,
            ),
            fix=Fix(
                "shape",
                Sentence("Normalise {vertices}", vertices=count(len(vertices), "vertex")),
                repairing(part, partial(normalise, limit=limit, zero=zero)),
            ),
        )


def normalise(influences: Influences, limit: float, zero: float) -> Influences:
    """Divide the weights of every vertex whose sum is off by that sum."""
    off = off_sum(influences, limit, zero)
    divisor = np.where(off, influences.sums, 1.0)
    return replace(influences, weights=influences.weights / divisor[:, None])


@rule(
    OUT_OF_RANGE,
    title="Weight outside 0 to 1",
    measures="weights that are not finite, negative or above one",
    severity="error",
    fix="shape",
    needs="influences",
)
@over_meshes
def ranges(subject: Subject) -> Iterator[Finding]:
    """Weights that are not finite, negative or above one."""
    rig = subject.rig
    for key, part, _, influences in subject.of_rig(weighted):
        vertices = np.flatnonzero(subject.faulty(part)[OUT_OF_RANGE])
        if not len(vertices):
            continue
        weights = influences.weights[vertices]
        finite = weights[np.isfinite(weights)]
        lost = int(np.count_nonzero(~np.isfinite(weights).all(axis=1)))
        outside = finite[(finite < 0.0) | (finite > 1.0 + SUM_LIMIT)]
        worst = float(outside[np.argmax(np.abs(outside - 0.5))]) if len(outside) else float("nan")
        words = []
        if len(outside) and outside.min() < 0.0:
            words.append(Sentence("weights down to {value:.3g}", value=outside.min()))
        if len(outside) and outside.max() > 1.0:
            words.append(Sentence("weights up to {value:.3g}", value=outside.max()))
        if lost:
            words.append(Sentence("weights that are no finite number"))
        yield Finding(
            key,
            Sentence(
                "{vertices} {verb} {weights}",
                vertices=count(len(vertices), "vertex"),
                verb=verb(len(vertices), "has", "have"),
                weights=joined(words, "{first} and {rest}"),
            ),
            part_label(rig, part),
            value=None if np.isnan(worst) else worst,
            limit=0.0 if worst < 0.0 else 1.0,
            vertices=vertices_of(part, vertices),
            explanation="A weight is a share between 0 and 1. Others are clamped by some programs and "
            "tear the mesh in others.",
            fix=Fix(
                "shape",
                Sentence(
                    "Clamp the weights of {vertices}", vertices=count(len(vertices), "vertex")
                ),
                repairing(part, clamp),
            ),
        )


def clamp(influences: Influences) -> Influences:
    """Bring weights that are no shares into 0…1 and divide those vertices by their new sums."""
    wrong = out_of_range(influences)
    clean = np.clip(np.nan_to_num(influences.weights, posinf=1.0, neginf=0.0), 0.0, 1.0)
    total = clean.sum(axis=1, keepdims=True)
    shares = clean / np.where(total > ZERO_LIMIT, total, 1.0)
    joints = np.where(wrong[:, None] & (shares == 0.0), 0, influences.joints)
    return Influences(joints, np.where(wrong[:, None], shares, influences.weights))


@rule(
    ZERO,
    title="Vertices without weights",
    measures="vertices whose weights sum to nothing",
    severity="error",
    fix="exact",
    needs="influences",
)
@over_meshes
def unweighted(subject: Subject) -> Iterator[Finding]:
    """Vertices that no joint moves."""
    rig = subject.rig
    zero = subject.limit(ZERO)
    for key, part, _, influences in subject.of_rig(weighted):
        vertices = np.flatnonzero(subject.faulty(part)[ZERO.rule])
        if not len(vertices):
            continue
        yield Finding(
            key,
            Sentence("{vertices} without any weight", vertices=count(len(vertices), "vertex")),
            part_label(rig, part),
            value=float(np.abs(influences.sums[vertices]).min()),
            limit=zero,
            unit="Σw",
            vertices=vertices_of(part, vertices),
            explanation="No joint moves these vertices. rigview leaves them where they are in mesh "
            "space; other programs pull them to the origin or to the first joint.",
            fix=offer(
                rig,
                "exact",
                Sentence(
                    "Bind {vertices} to a neutral joint", vertices=count(len(vertices), "vertex")
                ),
                partial(bind_to_neutral, mesh=part.mesh, primitive=part.primitive, zero=zero),
            ),
        )


def bind_to_neutral(rig: Rig, mesh: int, primitive: int, zero: float = ZERO_LIMIT) -> Rig:
    """Give vertices without weight to a joint that never moves, so that they stay where they are.

    The joint's skin matrix is the identity. It hangs beside the skeleton's root if what is above
    that stands still, else at the top of the scene; a new root then goes above both.
    """
    skins = {
        skin
        for used, skin in zip(rig.node_meshes, rig.node_skins, strict=True)
        if used == mesh and skin is not None
    }
    if len(skins) != 1:
        raise Refused("the mesh is shown with several skins")
    skin = skins.pop()
    if not rig.skins[skin].joints:
        raise Refused("the skin has no joints, so that the mesh follows its node")
    meshes_of_skin(rig, skin)
    changed, joint = _with_neutral_joint(rig, skin)
    old = changed.meshes[mesh].primitives[primitive]
    if old.influences is None:
        return rig
    lost = without_weight(old.influences, zero)
    position = changed.skins[skin].joints.index(joint)
    # A mesh without any weight may have no place for one.
    more = ((0, 0), (0, 1 if old.influences.joints.shape[1] == 0 else 0))
    joints, weights = np.pad(old.influences.joints, more), np.pad(old.influences.weights, more)
    joints[lost], weights[lost] = 0, 0.0
    joints[lost, 0], weights[lost, 0] = position, 1.0
    bound = changed.with_primitive(
        mesh, primitive, replace(old, influences=Influences(joints, weights))
    )
    return add_root(bound, skin) if len(tops(rig, skin)) == 1 else bound


def _with_neutral_joint(rig: Rig, skin: int) -> tuple[Rig, int]:
    """Return the rig with an identity joint in the skin, and its node; one there already is used."""
    value = rig.skins[skin]
    for position, joint in enumerate(value.joints):
        if rig.nodes.names[joint] == NEUTRAL and _stands_still(rig, skin, position):
            return rig, joint
    parents = {rig.nodes.parents[root] for root in skeleton_roots(rig, skin)}
    parent = parents.pop() if len(parents) == 1 else -1
    model = Deformer(rig).rest_nodes
    local = np.eye(4)
    if parent >= 0:
        chain = {parent, *rig.nodes.ancestors(parent)}
        if animated(rig, chain):
            parent = -1
        else:
            local = affine.inverse(model[parent])
    grown, new = with_node(rig, NEUTRAL, parent, local)
    binds = np.concatenate([whole_binds(value), np.eye(4)[None]])
    skinned = replace(value, joints=(*value.joints, new), inverse_binds=binds)
    return grown.with_skin(skin, skinned), new


def _stands_still(rig: Rig, skin: int, position: int) -> bool:
    joint = rig.skins[skin].joints[position]
    moving = animated(rig, {joint, *rig.nodes.ancestors(joint)})
    model = Deformer(rig).rest_nodes[joint]
    matrix = model @ rig.skins[skin].joint_from_mesh[position]
    return not moving and bool(np.allclose(matrix, np.eye(4), atol=1e-6))
