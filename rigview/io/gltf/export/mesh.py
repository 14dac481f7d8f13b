"""Meshes of a glTF written anew: geometry, influences, morph targets, and how they want to be skinned."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray
from rigview.core.mesh import Influences, Mesh, MorphTargets, Primitive
from rigview.io.gltf.export.buffer import GltfBuffer
from rigview.io.gltf.geometry import COMPENSATION, DQS_WEIGHT, METHOD
from rigview.io.gltf.written import INDICES, VERTICES, as_json, column
from rigview.io.reading import SaveError

_POINTS, _LINES, _TRIANGLES = 0, 1, 4
# glTF wants sums of one. Sums that are off by less are what is left of weights written with few digits;
# what is further off is a fault of the rig (WGT-SUM), and stays.
_NOISE = 1e-3
# Below this a vertex moves no more than by the rounding of its position.
_TOLD = 1e-5
_A_SET = 4
_MOST_JOINTS = int(np.iinfo(np.uint16).max)


def mesh(value: Mesh, buffer: GltfBuffer, notes: list[str]) -> dict[str, Any]:
    """Return a mesh of the document; what glTF has no place for is noted."""
    stored: dict[str, Any] = {
        "primitives": [p for one in value.primitives for p in _primitives(one, buffer, notes)]
    }
    if value.name:
        stored["name"] = value.name
    if len(value.morph_weights):
        stored["weights"] = as_json(value.morph_weights)
    morphs = next((p.morphs for p in value.primitives if p.morphs is not None), None)
    if morphs is not None and any(morphs.names):
        stored["extras"] = {"targetNames": list(morphs.names)}
    return stored


def _primitives(primitive: Primitive, buffer: GltfBuffer, notes: list[str]) -> list[dict[str, Any]]:
    """Return a primitive once for every kind of thing that it draws."""
    if not len(primitive.positions):
        return []
    common: dict[str, Any] = {"attributes": _attributes(primitive, buffer, notes)}
    if primitive.method is not None:
        common["extras"] = {METHOD: primitive.method}
    if primitive.material is not None:
        common["material"] = primitive.material
    if primitive.morphs is not None and primitive.morphs.count:
        common["targets"] = _targets(primitive, primitive.morphs, buffer)
    result = []
    for mode, numbers in (
        (_TRIANGLES, primitive.triangles),
        (_LINES, primitive.lines),
        (_POINTS, primitive.points),
    ):
        if len(numbers):
            small = len(primitive.positions) < _MOST_JOINTS
            index = numbers.reshape(-1, 1).astype("<u2" if small else "<u4")
            indices = buffer.accessor(index, target=INDICES)
            result.append({**common, "mode": mode, "indices": indices})
    # Vertices that nothing uses are points of no size: they are kept, and still draw nothing.
    return result or [{**common, "mode": _POINTS}]


def _attributes(primitive: Primitive, buffer: GltfBuffer, notes: list[str]) -> dict[str, int]:
    attributes = {"POSITION": buffer.accessor(primitive.positions, bounded=True, target=VERTICES)}
    for name, values in (
        ("NORMAL", None if primitive.normals is None else primitive.shading_normals),
        ("TANGENT", primitive.tangents),
        *((f"TEXCOORD_{i}", uv) for i, (_, uv) in enumerate(sorted(primitive.uvs.items()))),
        ("COLOR_0", primitive.colours),
        (DQS_WEIGHT, column(primitive.dqs_weights)),
        (COMPENSATION, column(primitive.compensation)),
    ):
        if values is not None:
            attributes[name] = buffer.accessor(values, target=VERTICES)
    if primitive.influences is not None:
        for n, (joints, weights) in enumerate(_sets(primitive.influences, notes)):
            attributes[f"JOINTS_{n}"] = buffer.accessor(joints, target=VERTICES)
            attributes[f"WEIGHTS_{n}"] = buffer.accessor(weights, target=VERTICES)
    return attributes


def _targets(
    primitive: Primitive, morphs: MorphTargets, buffer: GltfBuffer
) -> list[dict[str, int]]:
    targets: list[dict[str, int]] = [{} for _ in range(morphs.count)]
    for name, values in (
        ("POSITION", morphs.positions),
        ("NORMAL", morphs.normals if primitive.normals is not None else None),
        ("TANGENT", morphs.tangents if primitive.tangents is not None else None),
    ):
        for target, displacement in zip(targets, () if values is None else values, strict=False):
            target[name] = buffer.accessor(
                displacement, bounded=name == "POSITION", target=VERTICES
            )
    return targets


def _sets(influences: Influences, notes: list[str]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return joints and weights in sets of four; slots without weight name joint 0.

    Where there are several sets, the heaviest come first: programs that read one set lose least.
    """
    if influences.joints.shape[1] > _A_SET:
        order = np.argsort(-influences.weights, axis=1, kind="stable")
        influences = Influences(
            np.take_along_axis(influences.joints, order, axis=1),
            np.take_along_axis(influences.weights, order, axis=1),
        )
    pad = (
        (0, 0),
        (0, -influences.joints.shape[1] % _A_SET or (0 if influences.joints.size else _A_SET)),
    )
    weights = _summing_to_one(np.pad(influences.weights, pad), notes)
    joints = np.where(weights == 0.0, 0, np.pad(influences.joints, pad))
    wrong = joints[(joints < 0) | (joints > _MOST_JOINTS)]
    if wrong.size:
        raise SaveError(f"glTF has no joint number {int(wrong[0]):,}: they go from 0 to 65,535")
    code = "u1" if int(joints.max(initial=0)) < 256 else "<u2"
    return [
        (joints[:, n : n + _A_SET].astype(code), weights[:, n : n + _A_SET])
        for n in range(0, joints.shape[1], _A_SET)
    ]


def _summing_to_one(weights: FloatArray, notes: list[str]) -> FloatArray:
    """Return weights ``(V, K)`` whose sums are one where they nearly were."""
    total = weights.sum(axis=1, keepdims=True)
    without = int(np.count_nonzero(~np.any(weights, axis=1)))
    if without:
        which = "1 vertex has" if without == 1 else f"{without:,} vertices have"
        notes.append(
            f"{which} no weights, and each program draws them elsewhere: the fix of WGT-ZERO binds them"
        )
    off = np.abs(total - 1.0)
    noise = off <= _NOISE
    told = int(np.count_nonzero(noise & (off > _TOLD)))
    if told:
        worst = float(off[noise].max())
        notes.append(f"the weights of {told:,} vertices, off by up to {worst:.1g}, now sum to one")
    return np.where(noise, weights / np.where(noise, total, 1.0), weights)
