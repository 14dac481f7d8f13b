"""The broken samples: one small rig per rule, sound but for the one fault that the rule is about."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from document import Channel, Document, Primitive
from shapes import cylinder
from weights import step

Array = NDArray[np.float64]

CLAY = (0.58, 0.54, 0.49, 1.0)
NAMES = ("root", "middle", "upper", "tip")
LENGTH, RADIUS = 4.0, 0.5
# Seconds of the keys, and what each joint bends by at the middle one, degrees about its own X.
TIMES = (0.0, 0.5, 1.0)
BENDS = (10.0, 40.0, 50.0, -30.0)


@dataclass
class Draft:
    """A tube over a chain of four joints, still to be spoilt.

    Attributes
    ----------
    translations, rotations, scales
        ``(4, 3)``, ``(4, 4)``, ``(4, 3)``: each joint's local transform at rest.
    keys
        ``(4, 3, 4)``: each joint's rotation at the `TIMES`.
    binds
        ``(4, 4, 4)`` inverse bind matrices, or None to state none.
    listed
        The joints in the order of the skin's list.
    armature
        The transform of the node above all.
    apart
        The transform of the mesh's node where that stands at the top of the scene, beside the
        armature; None where it hangs under it.
    change
        Last changes to the document before it is written.
    """

    translations: Array
    rotations: Array
    scales: Array
    keys: Array
    binds: Array | None
    positions: Array
    normals: Array
    triangles: NDArray[np.int64]
    joints: NDArray[np.int64]
    weights: Array
    listed: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    armature: dict[str, Any] = field(default_factory=dict)
    apart: dict[str, Any] | None = None
    change: Callable[[dict[str, Any], list[int]], None] = lambda _document, _nodes: None


def draft() -> Draft:
    """Return the sound rig: every joint's +Y runs along its bone, and rest is bind."""
    shape = cylinder(RADIUS, LENGTH, 12, 16)
    heights = shape.positions[:, 1]
    above = [np.ones(len(heights)), *(step(heights - y, 0.3) for y in (1.0, 2.0, 3.0))]
    above.append(np.zeros(len(heights)))
    weights = -np.diff(np.stack(above, axis=1), axis=1)
    weights = np.where(weights < 1e-3, 0.0, weights)
    weights /= weights.sum(axis=1, keepdims=True)
    order = np.argsort(-weights, axis=1, kind="stable")
    ranked = np.take_along_axis(weights, order, axis=1)
    binds = np.tile(np.eye(4), (4, 1, 1))
    binds[:, 1, 3] = -np.arange(4.0)
    translations = np.array([[0.0, 0.0, 0.0], *([[0.0, 1.0, 0.0]] * 3)])
    still = np.tile(qt.IDENTITY, (4, 1))
    keys = np.stack([still, np.stack([qt.about((1.0, 0.0, 0.0), b) for b in BENDS]), still], axis=1)
    return Draft(
        translations,
        still.copy(),
        np.ones((4, 3)),
        keys,
        binds,
        shape.positions,
        shape.normals,
        shape.triangles,
        np.where(ranked > 0.0, order, 0),
        ranked,
    )


def written(rig: Draft) -> bytes:
    """Return the file."""
    document = Document("rigview broken samples")
    material = document.material("Clay", CLAY)
    place = np.argsort(rig.listed)
    used = np.where(rig.joints < len(place), place[np.minimum(rig.joints, 3)], rig.joints)
    primitive = Primitive(
        positions=rig.positions,
        normals=rig.normals,
        triangles=rig.triangles,
        joints=np.where(rig.weights != 0.0, used, 0),
        weights=rig.weights,
        material=material,
    )
    mesh = document.mesh("Tube", primitive)
    armature = document.node("Armature", **rig.armature)
    tube = None if rig.apart is not None else armature
    document.node("Tube", tube, mesh=mesh, skin=0, **(rig.apart or {}))
    nodes: list[int] = []
    for i, name in enumerate(NAMES):
        local = {"translation": rig.translations[i], "rotation": rig.rotations[i]}
        if np.any(rig.scales[i] != 1.0):
            local["scale"] = rig.scales[i]
        nodes.append(document.node(name, nodes[-1] if nodes else armature, **local))
    binds = None if rig.binds is None else rig.binds[[i for i in rig.listed if i < len(rig.binds)]]
    document.skin("Skin", [nodes[i] for i in rig.listed], binds, skeleton=nodes[0])
    channels = [Channel(n, "rotation", TIMES, rig.keys[i]) for i, n in enumerate(nodes)]
    document.clip("Bend", channels)
    rig.change(document.gltf, nodes)
    return document.glb()


def msh_read() -> bytes:
    """Return a rig whose texture is not there."""
    rig = draft()

    def lose(document: dict[str, Any], _nodes: list[int]) -> None:
        document["images"] = [{"name": "Skin", "uri": "missing.png"}]
        document["textures"] = [{"source": 0}]
        surface = document["materials"][0]["pbrMetallicRoughness"]
        surface["baseColorTexture"] = {"index": 0}

    rig.change = lose
    return written(rig)


def hie_cycle() -> bytes:
    """Return a rig whose upper joint has two parents."""
    rig = draft()

    def adopt(document: dict[str, Any], nodes: list[int]) -> None:
        document["nodes"][nodes[0]]["children"].append(nodes[2])

    rig.change = adopt
    return written(rig)


def hie_oob() -> bytes:
    """Return a rig whose last ring of vertices names a joint that the skin does not have."""
    rig = draft()
    top = rig.positions[:, 1] > LENGTH - 1e-6
    rig.joints[top, 0] = 9
    return written(rig)


def hie_parent() -> bytes:
    """Return a rig whose skeleton hangs under a turned and moved node, and whose mesh does not."""
    rig = draft()
    rig.armature = {"translation": [0.0, 0.5, 0.0], "rotation": qt.about((0.0, 1.0, 0.0), 30.0)}
    rig.apart = {}
    return written(rig)


def hie_order() -> bytes:
    """Return a rig that lists the second joint before the first."""
    rig = draft()
    rig.listed = [1, 0, 2, 3]
    return written(rig)


def ori_primary() -> bytes:
    """Return a rig whose second joint's frame is turned 34° off its bone, bind and keys to match."""
    rig = draft()
    turn = qt.about((0.0, 0.0, 1.0), 34.0)
    back = qt.conjugate(turn)
    rig.rotations[1] = qt.multiply(rig.rotations[1], turn)
    rig.keys[1] = qt.multiply(rig.keys[1], turn)
    rig.translations[2] = qt.rotate(back, rig.translations[2])
    rig.rotations[2] = qt.multiply(back, rig.rotations[2])
    rig.keys[2] = qt.multiply(back, rig.keys[2])
    unturn = np.eye(4)
    unturn[:3, :3] = qt.to_matrix(back)
    assert rig.binds is not None
    rig.binds[1] = unturn @ rig.binds[1]
    return written(rig)


def scl_inherit() -> bytes:
    """Return a rig in centimetres under an armature of 0.01, cancelled in the bind."""
    rig = draft()
    rig.armature = {"scale": [0.01, 0.01, 0.01]}
    rig.translations *= 100.0
    assert rig.binds is not None
    rig.binds[:, :3] *= 100.0
    return written(rig)


def scl_skin() -> bytes:
    """Return a rig whose mesh was attached at 1.04 times the skeleton's size."""
    rig = draft()
    rig.positions = rig.positions / 1.04
    assert rig.binds is not None
    rig.binds[:, :3, :3] *= 1.04
    return written(rig)


def scl_neg() -> bytes:
    """Return a rig whose tip is mirrored on two axes, which is a half turn in disguise."""
    rig = draft()
    rig.scales[3] = (-1.0, -1.0, 1.0)
    assert rig.binds is not None
    rig.binds[3] = np.diag([-1.0, -1.0, 1.0, 1.0]) @ rig.binds[3]
    return written(rig)


def bnd_missing() -> bytes:
    """Return a rig without inverse bind matrices: its mesh is stated in the root's own space."""
    rig = draft()
    rig.binds = None
    return written(rig)


def bnd_count() -> bytes:
    """Return a rig with three inverse bind matrices for four joints."""
    rig = draft()
    assert rig.binds is not None
    rig.binds = rig.binds[:3]
    return written(rig)


def _top_ring(rig: Draft) -> NDArray[np.int64]:
    """Return a few vertices near the top."""
    return np.flatnonzero(rig.positions[:, 1] > LENGTH - 1e-6)[:5]


def wgt_sum() -> bytes:
    """Return a rig with five vertices whose weights add up to 0.88."""
    rig = draft()
    rig.weights[_top_ring(rig)] *= 0.88
    return written(rig)


def wgt_zero() -> bytes:
    """Return a rig with five vertices that no joint moves."""
    rig = draft()
    rig.weights[_top_ring(rig)] = 0.0
    return written(rig)


def wgt_range() -> bytes:
    """Return a rig with five vertices of weights 1.25 and −0.25."""
    rig = draft()
    top = _top_ring(rig)
    rig.joints[top, :2] = (3, 2)
    rig.weights[top] = (1.25, -0.25, 0.0, 0.0)
    return written(rig)


FAULTS: dict[str, Callable[[], bytes]] = {
    "MSH-READ": msh_read,
    "HIE-CYCLE": hie_cycle,
    "HIE-OOB": hie_oob,
    "HIE-PARENT": hie_parent,
    "HIE-ORDER": hie_order,
    "ORI-PRIMARY": ori_primary,
    "SCL-INHERIT": scl_inherit,
    "SCL-SKIN": scl_skin,
    "SCL-NEG": scl_neg,
    "BND-MISSING": bnd_missing,
    "BND-COUNT": bnd_count,
    "WGT-SUM": wgt_sum,
    "WGT-ZERO": wgt_zero,
    "WGT-RANGE": wgt_range,
}
