"""Broken samples whose fault is in the skeleton: hierarchy, names, axes and scale."""

from typing import Any

import numpy as np

import quaternions as qt
from document import Channel, Document, Primitive
from draft import LENGTH, TIMES, Array, Draft, draft, figure, globals_of, still, turn_frame, written
from fault import fault
from shapes import cylinder


@fault("HIE-ROOT", within={"apart": False})
def hie_root(apart: bool = True) -> bytes:
    """Return a rig whose last joint, and its root, hang at the top of the scene."""
    rig = draft()
    rig.parents[3] = -2 if apart else -1
    rig.translations[3] = (0.0, 3.0, 0.0)
    if apart:
        rig.armature, rig.apart, rig.parents[0] = None, {}, -2
    still(rig)
    return written(rig)


@fault("HIE-MESH-XFORM", within={"metres": 1e-06})
def hie_mesh_xform(metres: float = 0.5) -> bytes:
    """Return a rig whose mesh is moved against its skeleton, which glTF ignores."""
    rig = draft()
    rig.mesh = {"translation": [metres, 0.0, 0.0]} if metres else {}
    return written(rig)


@fault("HIE-GAP", within={"metres": 0.0})
def hie_gap(metres: float = 0.5) -> bytes:
    """Return a rig with a node that is no joint, and moves, between its last two joints."""
    rig = draft()
    rig.translations[3, 1] -= metres

    def between(document: dict[str, Any], nodes: list[int]) -> None:
        document["nodes"].append({"name": "offset", "children": [nodes[3]]})
        if metres:
            document["nodes"][-1]["translation"] = [0.0, metres, 0.0]
        document["nodes"][nodes[2]]["children"] = [len(document["nodes"]) - 1]

    rig.change = between
    return written(rig)


@fault("HIE-NAMES", within={"name": "middle_2"})
def hie_names(name: str = "middle") -> bytes:
    """Return a rig two of whose joints have one name."""
    rig = draft()
    rig.names[2] = name
    return written(rig)


@fault("HIE-SIDE", within={"crossed": False})
def hie_side(crossed: bool = True) -> bytes:
    """Return a figure whose lower arms have each other's names."""
    rig = figure()
    if crossed:
        rig.names[3], rig.names[7] = rig.names[7], rig.names[3]
    return written(rig)


@fault("HIE-DUPJOINT", within={"twice": False})
def hie_dupjoint(twice: bool = True) -> bytes:
    """Return a rig whose skin lists its last joint twice."""
    rig = draft()
    if twice:
        rig.listed = [0, 1, 2, 3, 3]
    return written(rig)


def _with_joint(rig: Draft, name: str, parent: int, away: Array) -> None:
    """Add a joint that moves nothing, under another."""
    rig.names.append(name)
    rig.parents.append(parent)
    rig.listed.append(len(rig.listed))
    rig.translations = np.concatenate([rig.translations, away[None]])
    rig.rotations = np.concatenate([rig.rotations, np.array([qt.IDENTITY])])
    rig.scales = np.concatenate([rig.scales, np.ones((1, 3))])
    rig.keys = np.concatenate([rig.keys, np.tile(qt.IDENTITY, (1, len(TIMES), 1))])
    # A key that turns it: it is idle, its channel is not.
    rig.keys[-1, 1] = qt.about((1.0, 0.0, 0.0), 20.0)
    bind = np.eye(4)
    bind[:3, 3] = -globals_of(rig)[-1, :3, 3]
    assert rig.binds is not None
    rig.binds = np.concatenate([rig.binds, bind[None]])


@fault("HIE-UNUSED", within={"joint": False})
def hie_unused(joint: bool = True) -> bytes:
    """Return a rig with a joint beside the chain that moves nothing."""
    rig = draft()
    if joint:
        _with_joint(rig, "spare", 1, np.array([0.0, 1.0, 0.8]))
    return written(rig)


@fault("HIE-LEAF", within={"name": "antenna"})
def hie_leaf(name: str = "tip_end") -> bytes:
    """Return a rig with a joint that only marks where the last bone ends."""
    rig = draft()
    _with_joint(rig, name, 3, np.array([0.0, 1.0, 0.0]))
    return written(rig)


@fault("HIE-LIMIT", within={"joints": 256})
def hie_limit(joints: int = 257) -> bytes:
    """Return a rig with one joint more than a byte can number, each with a ring of vertices."""
    shape = cylinder(0.5, LENGTH, 3, joints - 1)
    height = LENGTH / (joints - 1)
    near = np.rint(shape.positions[:, 1] / height).astype(np.int64)
    binds = np.tile(np.eye(4), (joints, 1, 1))
    binds[:, 1, 3] = -height * np.arange(joints)
    steps = np.tile([0.0, height, 0.0], (joints, 1))
    steps[0] = 0.0
    still = np.tile(qt.IDENTITY, (joints, 1))
    keys = np.array([[qt.IDENTITY, qt.about((1.0, 0.0, 0.0), 10.0), qt.IDENTITY]])
    return written(
        Draft(
            steps,
            still,
            np.ones((joints, 3)),
            keys,
            binds,
            shape.positions,
            shape.normals,
            shape.triangles,
            near[:, None],
            np.ones((len(near), 1)),
            names=[f"joint_{i}" for i in range(joints)],
            parents=list(range(-1, joints - 1)),
            listed=list(range(joints)),
        )
    )


@fault("HIE-ZEROLEN", within={"metres": 0.001})
def hie_zerolen(metres: float = 0.0) -> bytes:
    """Return a rig whose second and third joint are at one place."""
    rig = draft()
    rig.translations[2, 1], rig.translations[3, 1] = metres, 2.0 - metres
    assert rig.binds is not None
    rig.binds[2, 1, 3] = -1.0 - metres
    still(rig)
    return written(rig)


@fault("ORI-ROLL", within={"degrees": 25.0})
def ori_roll(degrees: float = 45.0) -> bytes:
    """Return a rig whose second joint is twisted about its bone."""
    rig = draft()
    turn_frame(rig, 1, qt.about((0.0, 1.0, 0.0), degrees))
    return written(rig)


@fault("ORI-MIRROR", within={"degrees": 4.0})
def ori_mirror(degrees: float = 20.0) -> bytes:
    """Return a figure whose right upper arm is twisted, and its left is not."""
    rig = figure()
    turn_frame(rig, 6, qt.about((0.0, 1.0, 0.0), degrees))
    return written(rig)


def _turned(rig: Draft, joint: int, turn: Array, pivot: Array) -> None:
    """Turn a joint at rest and everything that follows it, the mesh and the bind too."""
    below = {joint}
    for i, parent in enumerate(rig.parents):
        if parent in below:
            below.add(i)
    before = globals_of(rig)
    above = np.eye(4) if rig.parents[joint] < 0 else before[rig.parents[joint]]
    local = qt.from_matrix(above[:3, :3].T @ qt.to_matrix(turn) @ before[joint, :3, :3])
    change = qt.multiply(local, qt.conjugate(rig.rotations[joint]))
    rig.keys[joint] = qt.multiply(np.tile(change, (3, 1)), rig.keys[joint])
    rig.rotations[joint] = local
    away = qt.rotate(turn, before[joint, :3, 3] - pivot) + pivot
    rig.translations[joint] = above[:3, :3].T @ (away - above[:3, 3])
    assert rig.binds is not None
    after = globals_of(rig)
    for i in below:
        rig.binds[i] = np.linalg.inv(after[i])
    moved = np.isin(rig.joints[:, 0], sorted(below))
    rig.positions = np.where(
        moved[:, None], qt.rotate(turn, rig.positions - pivot) + pivot, rig.positions
    )
    rig.normals = np.where(moved[:, None], qt.rotate(turn, rig.normals), rig.normals)


@fault("ORI-UPFWD", within={"degrees": 30.0})
def ori_upfwd(degrees: float = 90.0) -> bytes:
    """Return a figure that lies on its back."""
    rig = figure()
    _turned(rig, 0, qt.about((1.0, 0.0, 0.0), -degrees), np.zeros(3))
    return written(rig)


@fault("ORI-TPOSE", within={"degrees": 30.0})
def ori_tpose(degrees: float = 50.0) -> bytes:
    """Return a figure that rests with its arms down."""
    rig = figure()
    for joint, side in ((2, -1.0), (6, 1.0)):
        pivot = globals_of(rig)[joint, :3, 3]
        _turned(rig, joint, qt.about((0.0, 0.0, 1.0), side * degrees), pivot)
    return written(rig)


@fault("SCL-NONUNI", within={"factor": 1.0})
def scl_nonuni(factor: float = 1.1) -> bytes:
    """Return a rig whose last joint stretches the vertices that follow it, and nothing else."""
    rig = draft()
    top = rig.positions[:, 1] > 3.0 - 1e-6
    rig.joints[top], rig.weights[top] = (3, 0, 0, 0), (1.0, 0.0, 0.0, 0.0)
    shared = ~top & (rig.joints == 3).any(axis=1)
    rig.joints[shared], rig.weights[shared] = (2, 0, 0, 0), (1.0, 0.0, 0.0, 0.0)
    rig.scales[3] = (1.0, factor, 1.0)
    return written(rig)


def _with_scale_keys(values: list[float]) -> bytes:
    rig = draft()

    def keys(_document: Document, nodes: list[int], _primitive: Primitive) -> list[Channel]:
        return [Channel(nodes[3], "scale", TIMES, np.repeat([values], 3, axis=0).T)]

    rig.more = keys
    return written(rig)


@fault("SCL-ZERO", within={"smallest": 0.5})
def scl_zero(smallest: float = 0.0) -> bytes:
    """Return a rig whose last joint vanishes in the middle of the clip."""
    return _with_scale_keys([1.0, smallest, 1.0])


@fault("SCL-ANIM", within={"largest": 1.00005})
def scl_anim(largest: float = 1.1) -> bytes:
    """Return a rig whose last joint grows in the middle of the clip."""
    return _with_scale_keys([1.0, largest, 1.0])


@fault("SCL-UNIT", within={"factor": 1.0})
def scl_unit(factor: float = 100.0) -> bytes:
    """Return a figure in centimetres."""
    rig = figure()
    rig.positions = factor * rig.positions
    rig.translations = factor * rig.translations
    assert rig.binds is not None
    rig.binds[:, :3, 3] *= factor
    return written(rig)
