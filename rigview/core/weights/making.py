"""Making the weights of a rig: which meshes, vertices and joints, and what was done where."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from rigview.core import affine, names
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import Segments, box_diagonal
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.methods.centres import Progress
from rigview.core.rig import Rig
from rigview.core.weights import prune
from rigview.core.weights.methods import METHODS
from rigview.core.weights.problem import Made, NotMade, Problem, WeightOptions
from rigview.core.weights.voxels import Solid
from rigview.core.weights.weight_surface import WeightSurface, weld

# Vertices whose weights sum to no more have none.
NO_WEIGHT = 1e-6
# A character that lies flat is no less high than this share of its diagonal: lengths are in H.
LEAST_HEIGHT = 0.25
# How finely a root's bone is looked for in the solid.
ROOT_RESOLUTION, ROOT_SAMPLES = 64, 16


@dataclass(frozen=True)
class WeightRequest:
    """What weights are asked for.

    Parameters
    ----------
    method
        An id of `METHODS`.
    joints
        "deform" for those that the mesh follows, "all", or names of joints.
    vertices
        "unweighted" for those without weight, "all", or names of meshes.
    most
        How many influences a vertex gets.
    """

    method: str = "heat"
    options: WeightOptions = field(default_factory=WeightOptions)
    joints: str | tuple[str, ...] = "deform"
    vertices: str | tuple[str, ...] = "unweighted"
    most: int = prune.MOST


@dataclass(frozen=True)
class MeshReport:
    """What was done to one mesh; numbers are of vertices that were set.

    Parameters
    ----------
    vertices
        How many were set.
    replaced
        How many of them had weights before.
    joints
        How many joints they follow.
    largest
        The most influences that one has.
    unseen, bridged, fallback
        As in `Made`.
    """

    mesh: int
    name: str
    vertices: int
    replaced: int
    joints: int
    largest: int
    unseen: int
    bridged: int
    fallback: int


@dataclass(frozen=True, eq=False)
class Making:
    """A rig with new weights.

    Parameters
    ----------
    replaced
        Mesh and primitive → ``(V,)`` which vertices had weights that are now others'.
    """

    rig: Rig
    reports: tuple[MeshReport, ...]
    replaced: dict[tuple[int, int], BoolArray]


@dataclass(frozen=True, eq=False)
class CharacterMesh:
    """The primitives that skins with the same joints and binds move: one mesh for all methods.

    Parameters
    ----------
    skin
        The first of the skins.
    members
        Mesh and number of each primitive.
    """

    skin: int
    members: tuple[tuple[int, int], ...]


def make_weights(rig: Rig, wish: WeightRequest, progress: Progress = lambda _share: None) -> Making:
    """Return the rig with the weights that are asked for; all other vertices' stay bit for bit.

    Raises
    ------
    NotMade
        If there is no mesh or joint to do it with, a name is unknown, or the method refuses.
    """
    _check(wish)
    full = with_slots(rig)
    groups = characters(full)
    chosen = chosen_vertices(full, groups, wish.vertices)
    asked = [group for group in groups if any(chosen[member].any() for member in group.members)]
    deformer = Deformer(full)
    result, reports, replaced = rig, [], {}
    for number, group in enumerate(asked):

        def tell(share: float, before: int = number) -> None:
            progress((before + share) / len(asked))

        surface, starts = surface_of(full, deformer, group)
        joints = joints_of(full, deformer, group, surface, wish.joints)
        problem = Problem(surface, deformer.bind_bones[group.skin].of(joints))
        made = METHODS[wish.method].make(problem, wish.options, tell)
        columns, weights = prune.pruned(made.weights, wish.most)
        rows = _Rows(joints[columns], weights, made, surface.point_of)
        for member, start in zip(group.members, starts, strict=True):
            picked = chosen[member]
            if not picked.any():
                continue
            points = surface.point_of[start : start + len(picked)]
            had = weighted(full, group.skin, member)
            replaced[member] = picked & had
            of = points[picked]
            result = with_rows(result, full, member, picked, (rows.joints[of], weights[of]))
            reports.append((member[0], picked, had, points, rows))
    return Making(result, tuple(_reports(rig, reports)), replaced)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Joints of the skin and weights ``(P, N)`` of all points, and how they were made."""

    joints: IntArray
    weights: FloatArray
    made: Made
    point_of: IntArray


def _check(wish: WeightRequest) -> None:
    fault = wish.options.fault()
    if fault is not None:
        raise NotMade(fault)
    if wish.method not in METHODS:
        raise NotMade(f"no method {wish.method}; there are {', '.join(METHODS)}")
    if wish.most < 1:
        raise NotMade(f"{wish.most} influences are none: wanted 1 or more")


def with_slots(rig: Rig) -> Rig:
    """Return the rig with empty influences on every primitive that hangs on a skin and states none."""
    for part in rig.parts:
        primitive = rig.primitive(part)
        if part.skin is None or primitive.influences is not None:
            continue
        shape = (len(primitive.positions), prune.MOST)
        none = Influences(np.zeros(shape, dtype=np.int64), np.zeros(shape))
        rig = rig.with_primitive(part.mesh, part.primitive, replace(primitive, influences=none))
    return rig


def characters(rig: Rig) -> list[CharacterMesh]:
    """Return the skinned primitives by the joints and binds of their skins.

    Raises
    ------
    NotMade
        If none is skinned, or one hangs on skins that differ.
    """
    members: dict[int, dict[tuple[int, int], None]] = {}
    owners: dict[tuple[int, int], int] = {}
    for part in rig.parts:
        if part.skin is None or not rig.skins[part.skin].joints:
            continue
        member, skin = (part.mesh, part.primitive), rig.alike[part.skin]
        if owners.setdefault(member, skin) != skin:
            name = mesh_label(rig, part.mesh)
            raise NotMade(f"{name} hangs on two skins of different joints or binds")
        if len(rig.primitive(part).positions):
            members.setdefault(skin, {})[member] = None
    if not members:
        raise NotMade("no mesh hangs on a skin with joints")
    return [CharacterMesh(skin, tuple(found)) for skin, found in members.items()]


def mesh_label(rig: Rig, mesh: int) -> str:
    """Return what a mesh is called: its own name, else that of the first node that shows it."""
    node = next((i for i, shown in enumerate(rig.node_meshes) if shown == mesh), None)
    return rig.meshes[mesh].name or (f"mesh {mesh}" if node is None else rig.nodes.label(node))


def weighted(rig: Rig, skin: int, member: tuple[int, int]) -> BoolArray:
    """Return ``(V,)`` which vertices of a primitive have weight."""
    influences = rig.meshes[member[0]].primitives[member[1]].influences
    if influences is None:
        raise ValueError("influences: wanted a primitive with slots")
    return np.asarray(influences.sums_in(len(rig.skins[skin].joints)) > NO_WEIGHT)


def chosen_vertices(
    rig: Rig, groups: list[CharacterMesh], wanted: str | tuple[str, ...]
) -> dict[tuple[int, int], BoolArray]:
    """Return mesh and primitive → ``(V,)`` which vertices get new weights."""
    if not isinstance(wanted, str):
        known = {mesh_label(rig, mesh) for group in groups for mesh, _ in group.members}
        known |= {rig.nodes.names[node] for skin in rig.skinned_nodes for node in skin}
        _refuse_unknown("mesh", wanted, known)
    result = {}
    for group in groups:
        for member in group.members:
            had = weighted(rig, group.skin, member)
            if wanted == "unweighted":
                result[member] = ~had
            elif wanted == "all":
                result[member] = np.ones_like(had)
            else:
                named = not _names(rig, member[0]).isdisjoint(wanted)
                result[member] = np.full_like(had, named)
    return result


def _names(rig: Rig, mesh: int) -> set[str]:
    """Return all that a mesh can be asked for by."""
    shown = (i for i, number in enumerate(rig.node_meshes) if number == mesh)
    return {mesh_label(rig, mesh), *(rig.nodes.names[node] for node in shown)}


def _refuse_unknown(noun: str, wanted: tuple[str, ...], known: set[str]) -> None:
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise NotMade(f"no {noun} is called {', '.join(unknown)}")


def joints_of(
    rig: Rig,
    deformer: Deformer,
    group: CharacterMesh,
    surface: WeightSurface,
    wanted: str | tuple[str, ...],
) -> IntArray:
    """Return the joints, by position in the skin, that vertices may follow.

    "deform" are those that are the heaviest of some vertex; where no vertex has weight, all but
    helpers by name and roots whose bones lie mostly outside the solid, if any is left.
    """
    skin = rig.skins[group.skin]
    everything = np.arange(len(skin.joints))
    if wanted == "all":
        return everything
    labels = [rig.nodes.label(joint) for joint in skin.joints]
    if not isinstance(wanted, str):
        _refuse_unknown("joint", wanted, set(labels))
        return np.array([i for i, label in enumerate(labels) if label in wanted], dtype=np.int64)
    heaviest = np.zeros(len(labels), dtype=np.bool_)
    for member in group.members:
        influences = rig.meshes[member[0]].primitives[member[1]].influences
        had = weighted(rig, group.skin, member)
        if influences is not None and had.any():
            named = influences.heaviest[had]
            heaviest[named[(named >= 0) & (named < len(labels))]] = True
    if heaviest.any():
        return np.flatnonzero(heaviest)
    given = [names.words(rig.body_name(joint)) for joint in skin.joints]
    plain = np.array([not names.is_helper(words) for words in given])
    plain &= ~_roots_outside(rig, group, surface, deformer.bind_bones[group.skin])
    return np.flatnonzero(plain) if plain.any() else everything


def _roots_outside(
    rig: Rig, group: CharacterMesh, surface: WeightSurface, bones: Segments
) -> BoolArray:
    """Return ``(J,)`` which joints hang on no other of the skin, and have most of their bone outside."""
    joints = rig.skins[group.skin].joints
    result = np.zeros(len(joints), dtype=np.bool_)
    solid = Solid(surface, ROOT_RESOLUTION)
    for place, joint in enumerate(joints):
        if not any(above in joints for above in rig.nodes.ancestors(joint)):
            share = np.linspace(0.0, bones.lengths[place], ROOT_SAMPLES)
            samples = bones.heads[place] + share[:, None] * bones.directions[place]
            result[place] = solid.inside(samples).mean() < 0.5
    return result


@dataclass(frozen=True, eq=False)
class MergedPrimitives:
    """The primitives of a character as one mesh, in mesh space at bind time.

    Parameters
    ----------
    positions, triangles
        ``(V, 3)`` and ``(F, 3)``.
    size
        H in the unit of the positions.
    starts
        Where each primitive's vertices begin.
    """

    positions: FloatArray
    triangles: IntArray
    size: float
    starts: list[int]


def geometry_of(rig: Rig, deformer: Deformer, group: CharacterMesh) -> MergedPrimitives:
    """Return the mesh of a character.

    Raises
    ------
    NotMade
        If a vertex or a joint is nowhere.
    """
    primitives = [rig.meshes[mesh].primitives[number] for mesh, number in group.members]
    starts = np.cumsum([0, *(len(p.positions) for p in primitives)]).tolist()
    positions = np.concatenate([p.positions for p in primitives])
    if not np.isfinite(positions).all():
        raise NotMade("a vertex of the mesh has no finite position")
    bones = deformer.bind_bones[group.skin]
    if not (np.isfinite(bones.heads).all() and np.isfinite(bones.lengths).all()):
        raise NotMade("a joint has no finite bind matrix")
    triangles = np.concatenate([p.triangles + s for p, s in zip(primitives, starts, strict=False)])
    matrix = deformer.rest_matrices[group.skin][0]
    return MergedPrimitives(positions, triangles, height(positions, matrix), starts[:-1])


def surface_of(
    rig: Rig, deformer: Deformer, group: CharacterMesh
) -> tuple[WeightSurface, list[int]]:
    """Return the welded mesh of a character, and where each primitive's vertices begin (`geometry_of`)."""
    mesh = geometry_of(rig, deformer, group)
    return weld(mesh.positions, mesh.triangles, mesh.size), mesh.starts


def height(positions: FloatArray, model_from_mesh: FloatArray) -> float:
    """Return H in the unit of the mesh: how high the bound mesh stands at rest.

    It is measured along the model's +Y, so that it does not depend on how the mesh space is turned.
    """
    scale = float(np.cbrt(abs(affine.determinant(model_from_mesh[:3, :3]))))
    diagonal = box_diagonal(positions)
    if not (np.isfinite(scale) and scale > 0.0):
        return diagonal
    y = positions @ model_from_mesh[1, :3]
    return max(float(np.ptp(y)) / scale, LEAST_HEIGHT * diagonal)


def with_rows(
    result: Rig,
    full: Rig,
    member: tuple[int, int],
    picked: BoolArray,
    rows: tuple[IntArray, FloatArray],
) -> Rig:
    """Return the rig with the influences of the picked vertices exchanged.

    Parameters
    ----------
    full
        The rig before, with slots on every primitive.
    rows
        ``(n, N)`` joints of the skin and weights of the picked vertices, the used slots first.
    """
    mesh, number = member
    primitive = full.meshes[mesh].primitives[number]
    old = primitive.influences
    if old is None:
        raise ValueError("influences: wanted a primitive with slots")
    new_joints, new_weights = rows
    width, used = max(old.joints.shape[1], new_joints.shape[1]), new_joints.shape[1]
    joints = np.pad(old.joints, ((0, 0), (0, width - old.joints.shape[1])))
    weights = np.pad(old.weights, ((0, 0), (0, width - old.weights.shape[1])))
    joints[picked], weights[picked] = 0, 0.0
    joints[picked, :used] = np.where(new_weights > 0.0, new_joints, 0)
    weights[picked, :used] = new_weights
    return result.with_primitive(
        mesh, number, replace(primitive, influences=Influences(joints, weights))
    )


_Set = tuple[int, BoolArray, BoolArray, IntArray, _Rows]


def _reports(rig: Rig, done: list[_Set]) -> Iterator[MeshReport]:
    """Yield one report per mesh, of all its primitives."""
    for mesh in dict.fromkeys(number for number, *_ in done):
        totals = np.zeros(5, dtype=np.int64)
        joints: set[int] = set()
        largest = 0
        for _, picked, had, points, rows in (entry for entry in done if entry[0] == mesh):
            of = points[picked]
            used = rows.weights[of] > 0.0
            joints.update(rows.joints[of][used].tolist())
            largest = max(largest, int(used.sum(axis=1).max()))
            made = rows.made
            flags = (made.unseen[of], made.bridged[of], made.fallback[of])
            totals += [len(of), int((picked & had).sum()), *(int(flag.sum()) for flag in flags)]
        set_, replaced, unseen, bridged, fallback = totals.tolist()
        name = mesh_label(rig, mesh)
        yield MeshReport(
            mesh, name, set_, replaced, len(joints), largest, unseen, bridged, fallback
        )
