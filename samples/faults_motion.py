"""Broken samples whose fault is in the clip, or in what the clip does to the shape."""

from collections.abc import Callable
from typing import Any

import numpy as np

import quaternions as qt
from document import Channel, Document, Primitive
from draft import LENGTH, TIMES, Draft, draft, still, written
from fault import fault
from shapes import cylinder
from weights import step


@fault("ANI-NAN", within={"value": 0.1})
def ani_nan(value: float = float("nan")) -> bytes:
    """Return a rig with a key that is no number."""
    rig = draft()
    rig.keys[1, 0, 0] = value
    return written(rig)


@fault("ANI-TIME", within={"last": 0.6})
def ani_time(last: float = 0.5) -> bytes:
    """Return a rig whose last two keys are at one time."""
    rig = draft()
    rig.times = (0.0, 0.5, last)
    return written(rig)


@fault("ANI-QNORM", within={"length": 1.0005})
def ani_qnorm(length: float = 1.01) -> bytes:
    """Return a rig with keyed quaternions that are too long."""
    rig = draft()
    rig.keys[1] *= length
    return written(rig)


@fault("ANI-QFLIP", within={"sign": 1.0})
def ani_qflip(sign: float = -1.0) -> bytes:
    """Return a rig with a keyed quaternion on the other side of its neighbours."""
    rig = draft()
    rig.keys[1, 1] *= sign
    return written(rig)


def _with(rig: Draft, path: str, node: Callable[[list[int]], int], values: np.ndarray) -> bytes:
    def more(_document: Document, nodes: list[int], _primitive: Primitive) -> list[Channel]:
        return [Channel(node(nodes), path, TIMES, values)]

    rig.more = more
    return written(rig)


@fault("ANI-TARGET", within={"joint": 2})
def ani_target(joint: int = 1) -> bytes:
    """Return a rig with two curves for the rotation of one joint."""
    rig = draft()
    if joint != 1:
        return written(rig)
    return _with(rig, "rotation", lambda nodes: nodes[joint], rig.keys[2])


@fault("ANI-ROOT", within={"metres": 0.01})
def ani_root(metres: float = 0.4) -> bytes:
    """Return a rig that travels by its armature."""
    path = np.array([[0.0, 0.0, 0.0], [metres, 0.0, 0.0], [0.5 * metres, 0.0, 0.0]])
    return _with(draft(), "translation", lambda nodes: nodes[0] - 2, path)


@fault("ANI-JUMP", within={"degrees": 85.0})
def ani_jump(degrees: float = 100.0) -> bytes:
    """Return a rig that spins about its own axis within a frame."""
    rig = draft()
    rig.times = (0.0, 1.0 / 30.0, 1.0)
    rig.keys[:] = rig.rotations[:, None]
    rig.keys[1:, 1] = qt.about((1.0, 0.0, 0.0), 5.0)
    rig.keys[0, 1] = qt.about((0.0, 1.0, 0.0), degrees)
    return written(rig)


@fault("ANI-LOOP", within={"degrees": 0.9})
def ani_loop(degrees: float = 5.0) -> bytes:
    """Return a walk that does not end where it begins."""
    rig = draft()
    rig.clip = "Walk"
    rig.keys[1, 2] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


@fault("ANI-GRID", within={"time": 0.5})
def ani_grid(time: float = 0.5127) -> bytes:
    """Return a rig with a key between the frames of every usual rate."""
    rig = draft()
    rig.times = (0.0, time, 1.0)
    return written(rig)


@fault("ANI-CONST", within={"degrees": 5.0})
def ani_const(degrees: float = 0.0) -> bytes:
    """Return a rig with a curve of three keys that are one."""
    rig = draft()
    rig.keys[3, 1] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


@fault("ANI-LEN", within={"metres": 1.005})
def ani_len(metres: float = 1.8) -> bytes:
    """Return a rig whose second bone grows in the middle of the clip."""
    path = np.array([[0.0, 1.0, 0.0], [0.0, metres, 0.0], [0.0, 1.0, 0.0]])
    rig = draft()
    still(rig)
    return _with(rig, "translation", lambda nodes: nodes[2], path)


@fault("MSH-BOUNDS", within={"degrees": 10.0})
def msh_bounds(degrees: float = 50.0) -> bytes:
    """Return a rig that bends out of its bounds at rest."""
    rig = draft()
    rig.keys[:3, 1] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


def _pair(rig: Draft, shares: np.ndarray) -> None:
    """Leave root and a tip in the middle of the tube, with shares ``(V,)`` of the tip."""
    keep = [0, 3]
    rig.names, rig.parents, rig.listed = [rig.names[i] for i in keep], [-1, 0], [0, 1]
    rig.translations, rig.rotations = np.array([[0.0, 0, 0], [0.0, 2, 0]]), rig.rotations[keep]
    rig.scales = rig.scales[keep]
    assert rig.binds is not None
    rig.binds = rig.binds[keep]
    rig.binds[1, 1, 3] = -2.0
    shares = np.where(shares < 0.01, 0.0, np.where(shares > 0.99, 1.0, shares))
    upper = shares > 0.5
    weights = np.zeros((len(shares), 4))
    weights[:, 0], weights[:, 1] = (
        np.maximum(shares, 1.0 - shares),
        np.minimum(shares, 1.0 - shares),
    )
    joints = np.where(upper[:, None], (1, 0, 0, 0), (0, 1, 0, 0))
    rig.weights, rig.joints = weights, np.where(weights > 0.0, joints, 0)
    rig.keys = np.tile(qt.IDENTITY, (2, 3, 1))
    # The root turns a little about the tube, so that its channel has more than one value.
    rig.keys[0, 1] = qt.about((0.0, 1.0, 0.0), 5.0)


def _as_thick_as(rig: Draft, radius: float, sides: int, rings: int) -> None:
    """Exchange the tube for another."""
    shape = cylinder(radius, LENGTH, sides, rings)
    rig.positions, rig.normals, rig.triangles = shape.positions, shape.normals, shape.triangles


@fault("DEF-COLLAPSE", within={"degrees": 90.0})
def def_collapse(degrees: float = 140.0) -> bytes:
    """Return a tube that is twisted by its end."""
    rig = draft()
    _pair(rig, step(rig.positions[:, 1] - 2.0, 0.5))
    rig.keys[1, 1] = qt.about((0.0, 1.0, 0.0), degrees)
    return written(rig)


@fault("DEF-BULGE", within={"degrees": 40.0})
def def_bulge(degrees: float = 100.0) -> bytes:
    """Return a tube that asks for dual quaternions and bends where its weights are half for long."""
    rig = draft()
    rig.change = _skinned_by_dual_quaternions
    # The rings at 0.5 m from the joint are within a radius of it.
    _as_thick_as(rig, 0.51, 24, 16)
    along = rig.positions[:, 1] - 2.0
    _pair(rig, 0.5 * (step(along - 0.7, 0.3) + step(along + 0.7, 0.3)))
    rig.keys[1, 1] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


def _skinned_by_dual_quaternions(document: dict[str, Any], _nodes: list[int]) -> None:
    document["meshes"][0]["primitives"][0]["extras"] = {"skinningMethod": "dqs"}


@fault("DEF-VOLUME", within={"metres": 0.5})
def def_volume(metres: float = 1.2) -> bytes:
    """Return a tube whose end slides into it, bent a little."""
    rig = draft()
    _pair(rig, step(rig.positions[:, 1] - 2.0, 0.5))
    rig.keys[1, 1] = qt.about((1.0, 0.0, 0.0), 20.0)
    return _sliding(rig, metres)


def _sliding(rig: Draft, metres: float) -> bytes:
    """Return a tube whose end slides towards the root and back."""
    path = np.array([[0.0, 2.0, 0.0], [0.0, 2.0 - metres, 0.0], [0.0, 2.0, 0.0]])
    return _with(rig, "translation", lambda nodes: nodes[1], path)


def _between_rings(rig: Draft, lower: float) -> np.ndarray:
    """Return ``(V,)`` shares of the tip that grow over two rings, from `lower` to 1 less that."""
    heights = rig.positions[:, 1]
    return np.select([heights < 1.9, heights < 2.1, heights < 2.3], [0.0, lower, 1.0 - lower], 1.0)


@fault("DEF-STRETCH", within={"degrees": 25.0})
def def_stretch(degrees: float = 58.0) -> bytes:
    """Return a thick tube that is twisted nearly all between two rings."""
    rig = draft()
    _as_thick_as(rig, 1.0, 12, 16)
    _pair(rig, _between_rings(rig, 0.1))
    rig.keys[1, 1] = qt.about((0.0, 1.0, 0.0), degrees)
    return written(rig)


@fault("DEF-FLIP", within={"metres": 0.2})
def def_flip(metres: float = 0.6) -> bytes:
    """Return a tube whose end slides past the ring before it, and turns what is between inside out."""
    rig = draft()
    _pair(rig, _between_rings(rig, 0.1))
    rig.keys[1, 1] = qt.about((1.0, 0.0, 0.0), 5.0)
    return _sliding(rig, metres)


def sharply_bent(degrees: float) -> bytes:
    """Return a tube that bends between two rings: a little of its skin folds over."""
    rig = draft()
    _pair(rig, step(rig.positions[:, 1] - 2.0, 0.05))
    rig.keys[1, 1] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


@fault("DEF-INTERSECT", within={"degrees": 90.0})
def def_intersect(degrees: float = 176.0) -> bytes:
    """Return a thick tube that asks for dual quaternions and folds through itself."""
    rig = draft()
    rig.change = _skinned_by_dual_quaternions
    _as_thick_as(rig, 1.1, 8, 6)
    _pair(rig, step(rig.positions[:, 1] - 2.0, 1.4))
    rig.keys[1, 1] = qt.about((1.0, 0.0, 0.0), degrees)
    return written(rig)


@fault("MSH-WINDING", within={"share": 0.4})
def msh_winding(share: float = 1.0) -> bytes:
    """Return a tube of which a share of the faces is wound against its normals."""
    rig = draft()
    number = round(share * len(rig.triangles))
    rig.triangles = rig.triangles.copy()
    rig.triangles[:number] = rig.triangles[:number, ::-1]
    return written(rig)
