"""Transferring weights between rigs: which joints stand for which, and what was set where."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rigview.core import affine, names
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.methods.centres import Progress
from rigview.core.rig import Rig
from rigview.core.weights import prune
from rigview.core.weights.bare_target import is_bare, with_joints_of
from rigview.core.weights.making import (
    CharacterMesh,
    characters,
    chosen_vertices,
    height,
    mesh_label,
    weighted,
    with_rows,
    with_slots,
)
from rigview.core.weights.problem import NotMade
from rigview.core.weights.transfer import Transferred, Trust, transferred
from rigview.core.weights.weight_surface import WeightSurface, weld


@dataclass(frozen=True)
class JointPair:
    """A joint of the source that has weight, and the joint of the target that takes it.

    Parameters
    ----------
    target
        None where neither the joint nor one above it has a namesake.
    """

    source: str
    target: str | None
    by: Literal["name", "ancestor", "none"]


@dataclass(frozen=True)
class TransferReport:
    """What was done to one mesh; numbers are of vertices that were set (`Transferred`)."""

    mesh: int
    name: str
    vertices: int
    known: int
    filled: int
    alone: int


@dataclass(frozen=True, eq=False)
class Transfer:
    """The target with new weights, and which vertices had others before.

    Parameters
    ----------
    replaced
        Mesh and primitive → ``(V,)``.
    added
        How many joints of the source a target without skin was given.
    """

    rig: Rig
    reports: tuple[TransferReport, ...]
    pairs: tuple[JointPair, ...]
    replaced: dict[tuple[int, int], BoolArray]
    added: int = 0


@dataclass(frozen=True, eq=False)
class _Source:
    """All weighted vertices of the source in model space, as they were bound.

    Parameters
    ----------
    rows
        ``(V, n)`` weights of the joints `nodes`.
    """

    positions: FloatArray
    triangles: IntArray
    rows: FloatArray
    nodes: IntArray


def transfer_weights(
    source: Rig,
    target: Rig,
    trust: Trust,
    vertices: str | tuple[str, ...] = "unweighted",
    most: int = prune.MOST,
    progress: Progress = lambda _share: None,
) -> Transfer:
    """Return the target with weights from the source; all other vertices' stay bit for bit.

    Where both are one rig, what is set is no source. A target without skin gets the source's joints.

    Raises
    ------
    NotMade
        If no joint of the target has a namesake, or the meshes lie too far from each other.
    """
    fault = trust.fault() or (
        None if most >= 1 else f"{most} influences are none: wanted 1 or more"
    )
    if fault is not None:
        raise NotMade(fault)
    bare = is_bare(target)
    target = with_joints_of(source, target) if bare else target
    full = with_slots(target)
    groups = characters(full)
    chosen = chosen_vertices(full, groups, vertices)
    given = _source_of(source, chosen if source is target else {})
    deformer = Deformer(full)
    result = target
    pairs: dict[str, JointPair] = {}
    replaced: dict[tuple[int, int], BoolArray] = {}
    done: list[tuple[int, IntArray, Transferred]] = []
    asked = [group for group in groups if any(chosen[member].any() for member in group.members)]
    for number, group in enumerate(asked):
        matching, found = _matching(source, given.nodes, full, group.skin)
        pairs.update((pair.source, pair) for pair in found)
        surface, starts = _bound_surface(full, deformer, group)
        made = transferred(*_mapped(given, matching, surface.size), surface, trust)
        columns, weights = prune.pruned(made.weights, most)
        progress((number + 1) / len(asked))
        for member, start in zip(group.members, starts, strict=True):
            picked = chosen[member]
            if not picked.any():
                continue
            of = surface.point_of[start : start + len(picked)][picked]
            replaced[member] = picked & weighted(full, group.skin, member)
            result = with_rows(result, full, member, picked, (columns[of], weights[of]))
            done.append((member[0], of, made))
    added = len(target.joints) if bare else 0
    return Transfer(result, tuple(_reports(target, done)), tuple(pairs.values()), replaced, added)


def _source_of(rig: Rig, left_out: dict[tuple[int, int], BoolArray]) -> _Source:
    """Return the vertices that have weight; of meshes that are set, only those that are not."""
    groups, deformer = characters(with_slots(rig)), Deformer(with_slots(rig))
    rig = deformer.rig
    nodes = np.array(rig.joints, dtype=np.int64)
    place = {int(node): i for i, node in enumerate(nodes)}
    positions, triangles, rows = [np.zeros((0, 3))], [np.zeros((0, 3), np.int64)], []
    start = 0
    for group in groups:
        columns = np.array([place[joint] for joint in rig.skins[group.skin].joints])
        model_from_mesh = _bound_matrix(deformer, group.skin)
        for member in group.members:
            primitive = rig.meshes[member[0]].primitives[member[1]]
            influences = primitive.influences
            had = weighted(rig, group.skin, member)
            had &= ~left_out.get(member, np.zeros_like(had))
            had &= np.isfinite(primitive.positions).all(axis=1)
            if influences is None or not had.any():
                continue
            row = np.zeros((int(had.sum()), len(nodes)))
            sound = (influences.joints[had] >= 0) & (influences.joints[had] < len(columns))
            weights = np.where(sound, np.maximum(influences.weights[had], 0.0), 0.0)
            joints = columns[np.where(sound, influences.joints[had], 0)]
            np.add.at(row, (np.arange(len(row))[:, None], joints), weights)
            number = np.cumsum(had) - 1 + start
            kept = primitive.triangles[had[primitive.triangles].all(axis=1)]
            positions.append(affine.transform_points(model_from_mesh, primitive.positions[had]))
            triangles.append(number[kept])
            rows.append(row)
            start += len(row)
    if not rows:
        raise NotMade("the source has no vertex with weights")
    return _Source(
        np.concatenate(positions), np.concatenate(triangles), np.concatenate(rows), nodes
    )


def _bound_matrix(deformer: Deformer, skin: int) -> FloatArray:
    """Return ``(4, 4)`` ``model_from_mesh`` as bound: that of the skin's first joint."""
    frame = deformer.bind or deformer.rest
    return frame.palettes[skin].matrices[0]


def _bound_surface(
    rig: Rig, deformer: Deformer, group: CharacterMesh
) -> tuple[WeightSurface, list[int]]:
    """Return the welded mesh of a character in model space, and where each primitive begins."""
    matrix = _bound_matrix(deformer, group.skin)
    primitives = [rig.meshes[mesh].primitives[number] for mesh, number in group.members]
    starts = np.cumsum([0, *(len(p.positions) for p in primitives)]).tolist()
    positions = affine.transform_points(matrix, np.concatenate([p.positions for p in primitives]))
    if not np.isfinite(positions).all():
        raise NotMade("a vertex of the target has no finite position")
    triangles = np.concatenate([p.triangles + s for p, s in zip(primitives, starts, strict=False)])
    return weld(positions, triangles, height(positions, np.eye(4))), starts[:-1]


def _mapped(given: _Source, matching: IntArray, size: float) -> tuple[WeightSurface, FloatArray]:
    """Return the source's surface and the rows of its points on the joints of a skin of the target.

    Parameters
    ----------
    matching
        ``(n,)`` the position in the skin of what takes each joint's weight; −1 for nothing.
    """
    rows = np.zeros((len(given.rows), int(matching.max()) + 1))
    for column, joint in enumerate(matching.tolist()):
        if joint >= 0:
            rows[:, joint] += given.rows[:, column]
    sums = rows.sum(axis=1)
    kept = given.triangles[(sums > 0.0)[given.triangles].all(axis=1)]
    surface = weld(given.positions, kept, size)
    rows /= np.where(sums > 0.0, sums, 1.0)[:, None]
    mean = np.zeros((len(surface.points), rows.shape[1]))
    np.add.at(mean, surface.point_of, rows)
    return surface, mean / np.bincount(surface.point_of, minlength=len(mean))[:, None]


def _matching(
    source: Rig, nodes: IntArray, target: Rig, skin: int
) -> tuple[IntArray, list[JointPair]]:
    """Find the joint of a skin that takes the weight of each source joint.

    It is the one of the same name, without namespace and case, else of the same words; else that of
    the nearest joint above that has one.
    """
    joints = target.skins[skin].joints
    exact: dict[str, int] = {}
    worded: dict[tuple[str, ...], int] = {}
    for place, joint in enumerate(joints):
        exact.setdefault(_plain(target.nodes.names[joint]), place)
        worded.setdefault(names.words(target.nodes.names[joint]), place)
    named: dict[int, int | None] = {}
    for node in nodes.tolist():
        name = source.nodes.names[node]
        found = exact.get(_plain(name), worded.get(names.words(name)))
        named[node] = found if name else None
    if all(place is None for place in named.values()):
        raise NotMade("no joint of the target has the name of a joint of the source")
    used = Deformer(source).total_weights
    matching = np.full(len(nodes), -1, dtype=np.int64)
    pairs = []
    for i, node in enumerate(nodes.tolist()):
        above = (named.get(other) for other in (node, *source.nodes.ancestors(node)))
        taker = next((found for found in above if found is not None), None)
        matching[i] = -1 if taker is None else taker
        if used.get(node, 0.0) > 0.0:
            by: Literal["name", "ancestor", "none"]
            by = "name" if named[node] is not None else "none" if taker is None else "ancestor"
            label = None if taker is None else target.nodes.label(joints[taker])
            pairs.append(JointPair(source.nodes.label(node), label, by))
    return matching, pairs


def _plain(name: str) -> str:
    """Return a name without namespace and case."""
    return name.rsplit(":", 1)[-1].casefold()


def _reports(rig: Rig, done: list[tuple[int, IntArray, Transferred]]) -> Iterator[TransferReport]:
    """Yield one report per mesh, of all its primitives."""
    for mesh in dict.fromkeys(number for number, *_ in done):
        vertices = known = alone = 0
        for _, of, made in (entry for entry in done if entry[0] == mesh):
            vertices += len(of)
            known += int(made.known[of].sum())
            alone += int(made.alone[of].sum())
        filled = vertices - known - alone
        yield TransferReport(mesh, mesh_label(rig, mesh), vertices, known, filled, alone)
