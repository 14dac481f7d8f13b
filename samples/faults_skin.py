"""Broken samples whose fault is in the bind or the weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from document import Channel, Document, Primitive
from draft import LENGTH, Draft, draft, figure, still, written
from fault import fault


def _binds(rig: Draft) -> NDArray[np.float64]:
    assert rig.binds is not None
    return rig.binds


@fault("BND-AFFINE", within={"off": 0.0})
def bnd_affine(off: float = 1e-6) -> bytes:
    """Return a rig with a last row that is not quite 0 0 0 1."""
    rig = draft()
    _binds(rig)[2, 3, 0] = off
    return written(rig)


@fault("BND-SINGULAR", within={"depth": 0.001})
def bnd_singular(depth: float = 0.0) -> bytes:
    """Return a rig whose last joint's inverse bind matrix flattens the mesh."""
    rig = draft()
    _binds(rig)[3] = np.diag([1.0, 1.0, depth, 1.0]) @ _binds(rig)[3]
    return written(rig)


@fault("BND-MIRROR", within={"sign": 1.0})
def bnd_mirror(sign: float = -1.0) -> bytes:
    """Return a rig whose last joint's inverse bind matrix mirrors the mesh."""
    rig = draft()
    _binds(rig)[3] = np.diag([sign, 1.0, 1.0, 1.0]) @ _binds(rig)[3]
    return written(rig)


@fault("BND-NONRIGID", within={"factor": 1.0005})
def bnd_nonrigid(factor: float = 1.02) -> bytes:
    """Return a rig whose mesh is stated thinner than its bind makes it."""
    rig = draft()
    rig.positions = rig.positions / (factor, 1.0, 1.0)
    _binds(rig)[:] = _binds(rig) @ np.diag([factor, 1.0, 1.0, 1.0])
    return written(rig)


@fault("BND-REST", within={"degrees": 0.5})
def bnd_rest(degrees: float = 20.0) -> bytes:
    """Return a rig that rests bent at its second joint, which has no keys, and was bound straight."""
    rig = draft()
    rig.rotations[1] = qt.about((1.0, 0.0, 0.0), degrees)
    rig.change = _second_joint_unkeyed
    return written(rig)


def _second_joint_unkeyed(document: dict[str, Any], nodes: list[int]) -> None:
    (clip,) = document["animations"]
    clip["channels"] = [c for c in clip["channels"] if c["target"]["node"] != nodes[1]]
    used = sorted({channel["sampler"] for channel in clip["channels"]})
    clip["samplers"] = [clip["samplers"][sampler] for sampler in used]
    for channel in clip["channels"]:
        channel["sampler"] = used.index(channel["sampler"])


@fault("BND-CONFLICT", within={"degrees": 0.5})
def bnd_conflict(degrees: float = 10.0) -> bytes:
    """Return a rig with two meshes, whose skins bind the last joint differently."""
    rig = draft()

    def second(document: Document, nodes: list[int], primitive: Primitive) -> list[Channel]:
        mesh = document.mesh("Sleeve", primitive)
        document.node("Sleeve", 0, mesh=mesh, skin=1)
        binds = _binds(rig).copy()
        turn = np.eye(4)
        turn[:3, :3] = qt.to_matrix(qt.about((0.0, 1.0, 0.0), degrees))
        binds[3] = turn @ binds[3]
        document.skin("Sleeve", nodes, binds, skeleton=nodes[0])
        return []

    rig.more = second
    return written(rig)


@fault("BND-FAR", within={"metres": 5.0})
def bnd_far(metres: float = 30.0) -> bytes:
    """Return a rig whose last joint is far above the mesh."""
    rig = draft()
    still(rig)
    rig.translations[3, 1] = metres - 2.0
    _binds(rig)[3, 1, 3] = -metres
    return written(rig)


def _top(rig: Draft) -> NDArray[np.int64]:
    """Return the vertices of the last rings, seam and cap included."""
    return np.flatnonzero(rig.positions[:, 1] > LENGTH - 0.3)


@fault("WGT-COUNT", within={"influences": 4})
def wgt_count(influences: int = 6) -> bytes:
    """Return a figure whose head follows more joints than four."""
    rig = figure()
    head = np.flatnonzero(rig.positions[:, 1] > 1.75)
    joints = np.zeros((len(rig.joints), 8), dtype=np.int64)
    weights = np.zeros((len(rig.joints), 8))
    joints[:, :4], weights[:, :4] = rig.joints, rig.weights
    # Hips and upper arms have a little of the head: near joints, and so no strays.
    near = [1, 0, 2, 6, 4, 8][:influences]
    joints[head, : len(near)] = near
    weights[head, : len(near)] = [1.0 - 0.04 * (len(near) - 1), *[0.04] * (len(near) - 1)]
    rig.joints, rig.weights = joints, weights
    still(rig)
    return written(rig)


@fault("WGT-TINY", within={"weight": 0.005})
def wgt_tiny(weight: float = 0.002) -> bytes:
    """Return a rig with weights that a byte cannot hold."""
    rig = draft()
    rig.joints[_top(rig), :2], rig.weights[_top(rig), :2] = (3, 2), (1.0 - weight, weight)
    return written(rig)


@fault("WGT-DUP", within={"second": 2})
def wgt_dup(second: int = 3) -> bytes:
    """Return a rig with vertices that name one joint twice."""
    rig = draft()
    rig.joints[_top(rig), :2], rig.weights[_top(rig), :2] = (3, second), (0.75, 0.25)
    return written(rig)


@fault("WGT-GHOST", within={"joint": 0})
def wgt_ghost(joint: int = 2) -> bytes:
    """Return a rig whose idle slots name a joint."""
    rig = draft()
    rig.idle = joint
    return written(rig)


@fault("WGT-SORT", within={"first": 0.75})
def wgt_sort(first: float = 0.25) -> bytes:
    """Return a rig with vertices whose smaller weight comes first."""
    rig = draft()
    rig.joints[_top(rig), :2], rig.weights[_top(rig), :2] = (2, 3), (first, 1.0 - first)
    return written(rig)


@fault("WGT-STRAY", within={"weight": 0.04})
def wgt_stray(weight: float = 0.3) -> bytes:
    """Return a figure each of whose hands follows the foot of the other side."""
    rig = figure()
    for side, joints in ((1.0, (3, 9)), (-1.0, (7, 5))):
        hand = np.flatnonzero(side * rig.positions[:, 0] > 0.75)
        rig.joints[hand, :2], rig.weights[hand, :2] = joints, (1.0 - weight, weight)
    still(rig)
    return written(rig)


@fault("WGT-SEAM", within={"difference": 0.0005})
def wgt_seam(difference: float = 0.2) -> bytes:
    """Return a rig whose texture seam is weighted differently on its two sides."""
    rig = draft()
    around = 13
    row = np.flatnonzero(np.abs(rig.positions[:, 1] - 3.0) < 0.1)[: around : around - 1]
    middle = row[-1:]
    rig.joints[middle, :2] = (2, 3)
    other = rig.weights[row[0]][rig.joints[row[0]] == 2].sum()
    share = min(1.0, float(other) + 0.5 * difference)
    rig.weights[middle] = (share, 1.0 - share, 0.0, 0.0)
    return written(rig)


@fault("WGT-SYM", within={"difference": 0.04})
def wgt_sym(difference: float = 0.2) -> bytes:
    """Return a figure whose right hand follows its arm otherwise than its left."""
    rig = figure()
    hand = np.flatnonzero(rig.positions[:, 0] < -0.75)
    rig.joints[hand, :2], rig.weights[hand, :2] = (7, 6), (1.0 - difference, difference)
    return written(rig)


@fault("WGT-NEAREST", within={"steps": 0})
def wgt_nearest(steps: int = 2) -> bytes:
    """Return a rig whose last vertices follow the second joint, though the fourth is nearer."""
    rig = draft()
    still(rig)
    if steps:
        top = rig.positions[:, 1] > 3.3
        rig.joints[top], rig.weights[top] = (3 - steps, 0, 0, 0), (1.0, 0.0, 0.0, 0.0)
    return written(rig)
