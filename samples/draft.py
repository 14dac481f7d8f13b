"""The sound rigs that the broken samples are made from: a tube over a chain of joints, and a figure."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from document import Channel, Document, Primitive
from shapes import cylinder, joined
from weights import SMALLEST, step

Array = NDArray[np.float64]

CLAY = (0.58, 0.54, 0.49, 1.0)
NAMES = ("root", "middle", "upper", "tip")
LENGTH, RADIUS = 4.0, 0.5
# Seconds of the keys, and what each joint bends by at the middle one, degrees about its own X.
TIMES = (0.0, 0.5, 1.0)
BENDS = (5.0, 15.0, 20.0, -10.0)


@dataclass
class Draft:
    """A small rig, still to be spoilt: a mesh over joints.

    Attributes
    ----------
    translations, rotations, scales
        ``(J, 3)``, ``(J, 4)``, ``(J, 3)``: each joint's local transform at rest.
    keys
        ``(n, 3, 4)``: the rotations of the first n joints at the `times`.
    binds
        ``(J, 4, 4)`` inverse bind matrices, or None to state none.
    names, parents
        Of the joints; −1 hangs under the armature, −2 at the top of the scene.
    listed
        The joints in the order of the skin's list.
    armature
        The transform of the node above all; None for no such node.
    apart
        The transform of the mesh's node where that stands at the top of the scene, beside the
        armature; None where it hangs under it.
    mesh
        The transform of the mesh's node under the armature.
    idle
        What slots without weight name.
    more
        Adds channels, meshes and skins: called with the document, the joints' nodes and the mesh.
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
    names: list[str] = field(default_factory=lambda: list(NAMES))
    parents: list[int] = field(default_factory=lambda: [-1, 0, 1, 2])
    listed: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    times: tuple[float, ...] = TIMES
    clip: str = "Bend"
    armature: dict[str, Any] | None = field(default_factory=dict)
    apart: dict[str, Any] | None = None
    mesh: dict[str, Any] = field(default_factory=dict)
    idle: int = 0
    more: Callable[[Document, list[int], Primitive], list[Channel]] = lambda *_: []
    change: Callable[[dict[str, Any], list[int]], None] = lambda _document, _nodes: None


def draft() -> Draft:
    """Return the sound rig: every joint's +Y runs along its bone, and rest is bind."""
    shape = cylinder(RADIUS, LENGTH, 12, 16)
    heights = shape.positions[:, 1]
    above = [np.ones(len(heights)), *(step(heights - y, 0.3) for y in (1.0, 2.0, 3.0))]
    above.append(np.zeros(len(heights)))
    weights = -np.diff(np.stack(above, axis=1), axis=1)
    weights = np.where(weights < SMALLEST, 0.0, weights)
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
    place = np.argsort(rig.listed, kind="stable")
    last = len(rig.names) - 1
    known = rig.joints < len(place)
    used = np.where(known, place[np.minimum(rig.joints, last)], rig.joints)
    primitive = Primitive(
        positions=rig.positions,
        normals=rig.normals,
        triangles=rig.triangles,
        joints=np.where(rig.weights != 0.0, used, rig.idle),
        weights=rig.weights,
        material=material,
    )
    mesh = document.mesh("Tube", primitive)
    above = None if rig.armature is None else document.node("Armature", **rig.armature)
    tube = None if rig.apart is not None else above
    document.node("Tube", tube, mesh=mesh, skin=0, **(rig.mesh if rig.apart is None else rig.apart))
    nodes: list[int] = []
    for i, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        local = {"translation": rig.translations[i], "rotation": rig.rotations[i]}
        if np.any(rig.scales[i] != 1.0):
            local["scale"] = rig.scales[i]
        hung = {-1: above, -2: None}[parent] if parent < 0 else nodes[parent]
        nodes.append(document.node(name, hung, **local))
    binds = None if rig.binds is None else rig.binds[[i for i in rig.listed if i < len(rig.binds)]]
    document.skin("Skin", [nodes[i] for i in rig.listed], binds, skeleton=nodes[0])
    channels = [
        Channel(n, "rotation", rig.times, keys) for n, keys in zip(nodes, rig.keys, strict=False)
    ]
    document.clip(rig.clip, [*channels, *rig.more(document, nodes, primitive)])
    rig.change(document.gltf, nodes)
    return document.glb()


def globals_of(rig: Draft) -> Array:
    """Return ``(J, 4, 4)`` each joint at rest, under an armature without transform."""
    result = np.tile(np.eye(4), (len(rig.names), 1, 1))
    for i, parent in enumerate(rig.parents):
        result[i, :3, :3] = qt.to_matrix(rig.rotations[i]) * rig.scales[i]
        result[i, :3, 3] = rig.translations[i]
        if parent >= 0:
            result[i] = result[parent] @ result[i]
    return result


def turn_frame(rig: Draft, number: int, turn: Array) -> None:
    """Turn one joint's axes, with bind, keys and children to match, so that nothing moves."""
    back = qt.conjugate(turn)
    rig.rotations[number] = qt.multiply(rig.rotations[number], turn)
    rig.keys[number] = qt.multiply(rig.keys[number], turn)
    for child, parent in enumerate(rig.parents):
        if parent == number:
            rig.translations[child] = qt.rotate(back, rig.translations[child])
            rig.rotations[child] = qt.multiply(back, rig.rotations[child])
            rig.keys[child] = qt.multiply(back, rig.keys[child])
    unturn = np.eye(4)
    unturn[:3, :3] = qt.to_matrix(back)
    assert rig.binds is not None
    rig.binds[number] = unturn @ rig.binds[number]


def still(rig: Draft) -> None:
    """Let the clip twist every joint by a degree, which moves hardly anything."""
    rig.keys[:] = rig.rotations[:, None]
    rig.keys[:, 1] = qt.multiply(
        rig.rotations, np.tile(qt.about((0.0, 1.0, 0.0), 1.0), (len(rig.names), 1))
    )


# The figure: joint, parent, where it is, and where its bone points.
_BODY = (
    ("Hips", -1, (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
    ("Head", 0, (0.0, 1.5, 0.0), (0.0, 1.0, 0.0)),
    *(
        row
        for side, x in (("L", 1.0), ("R", -1.0))
        for row in (
            (f"UpperArm.{side}", 0, (0.2 * x, 1.4, 0.0), (x, 0.0, 0.0)),
            (f"LowerArm.{side}", -3, (0.5 * x, 1.4, 0.0), (x, 0.0, 0.0)),
            (f"UpperLeg.{side}", 0, (0.1 * x, 0.9, 0.0), (0.0, -1.0, 0.0)),
            (f"LowerLeg.{side}", -3, (0.1 * x, 0.5, 0.0), (0.0, -1.0, 0.0)),
        )
    ),
)
# Its tubes: two joints, how far the tube reaches before the first one and after the second.
_LIMBS = (
    (0, 1, 0.12, 0.35),
    (2, 3, 0.0, 0.3),
    (4, 5, 0.0, 0.45),
    (6, 7, 0.0, 0.3),
    (8, 9, 0.0, 0.45),
)


def figure() -> Draft:
    """Return a body of ten joints in a T-pose that faces +Z; arms and legs bend a little."""
    names = [row[0] for row in _BODY]
    parents = [i - 1 if row[1] == -3 else row[1] for i, row in enumerate(_BODY)]
    places = np.array([row[2] for row in _BODY])
    frames = np.stack([qt.arc((0.0, 1.0, 0.0), row[3]) for row in _BODY])
    # Legs turn half round about X, so that left mirrors right.
    frames[[4, 5, 8, 9]] = qt.about((1.0, 0.0, 0.0), 180.0)
    rotations, translations = frames.copy(), places.copy()
    for i, parent in enumerate(parents):
        if parent >= 0:
            back = qt.conjugate(frames[parent])
            rotations[i] = qt.multiply(back, frames[i])
            translations[i] = qt.rotate(back, places[i] - places[parent])
    binds = np.tile(np.eye(4), (len(names), 1, 1))
    for i in range(len(names)):
        linear = qt.to_matrix(frames[i])
        binds[i, :3, :3] = linear.T
        binds[i, :3, 3] = -linear.T @ places[i]
    keys = np.stack([rotations, rotations, rotations], axis=1)
    keys[:, 1] = qt.multiply(rotations, np.tile(qt.about((0.0, 0.0, 1.0), 5.0), (10, 1)))
    shapes, joints, weights = [], [], []
    for first, second, before, after in _LIMBS:
        along = places[second] - places[first]
        length = float(np.sqrt(np.sum(along**2)))
        # The trunk has the most vertices, so that the bone of the hips leads to the head.
        around, rows, radius = (16, 30, 0.1) if first == 0 else (8, 10, 0.05)
        tube = cylinder(radius, before + length + after, around, rows)
        shares = step(tube.positions[:, 1] - before - length, 0.05)
        shares = np.where(shares < SMALLEST, 0.0, np.where(shares > 1.0 - SMALLEST, 1.0, shares))
        heavy = shares > 0.5
        joints.append(np.where(heavy[:, None], (second, first), (first, second)))
        weights.append(
            np.where(
                heavy[:, None],
                np.stack([shares, 1.0 - shares], 1),
                np.stack([1.0 - shares, shares], 1),
            )
        )
        turn = frames[first]
        start = places[first] - before * along / length
        shapes.append(
            replace(
                tube,
                positions=qt.rotate(turn, tube.positions) + start,
                normals=qt.rotate(turn, tube.normals),
            )
        )
    shape = joined(shapes)
    pad = ((0, 0), (0, 2))
    shared = np.pad(np.concatenate(weights), pad)
    numbers = np.pad(np.concatenate(joints), pad)
    return Draft(
        translations,
        rotations,
        np.ones((len(names), 3)),
        keys,
        binds,
        shape.positions,
        shape.normals,
        shape.triangles,
        np.where(shared > 0.0, numbers, 0),
        shared,
        names=names,
        parents=parents,
        listed=list(range(len(names))),
    )
