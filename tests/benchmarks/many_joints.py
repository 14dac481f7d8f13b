"""A figure of very many joints: the biped of the samples with hair, a face and a skirt of joints.

    python tests/benchmarks/many_joints.py JOINTS OUT.glb

The joints of the biped stay; the others hang in chains from head and hips, follow them, and share the
weights of the vertices that are next to them.
"""

import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))
from rigview.core import affine
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io import load

BIPED = REPOSITORY / "samples" / "biped.glb"
# Joints of a chain, and the share of a vertex's weight that goes to a joint next to it.
CHAIN, SHARE = 8, 0.25
# Metres: how far apart the joints of a chain are, and how near a vertex must be to follow one.
STEP, NEAR = 0.035, 0.08


def many_joints(joints: int, out: Path) -> Path:
    """Write a binary glTF of the biped with so many joints."""
    gltf, data = _read(BIPED)
    skin = gltf["skins"][0]
    binds = [*_array(gltf, data, skin["inverseBindMatrices"]).reshape(-1, 4, 4)]
    places = _hang(gltf, joints)
    for place in places:
        bind = np.eye(4)
        bind[3, :3] = -place
        binds.append(bind)
    data = _append(gltf, data, skin, "inverseBindMatrices", np.array(binds))
    data = _share_weights(gltf, data, places)
    _write(out, gltf, data)
    return out


def _hang(gltf: dict[str, Any], joints: int) -> list[NDArray[np.float64]]:
    """Add nodes and joints in chains until there are so many; return where the new ones are."""
    rig = load(BIPED).rig
    model = model_from_nodes(rig, rest_pose(rig))
    skin, places, strand = gltf["skins"][0], list[NDArray[np.float64]](), 0
    while len(skin["joints"]) < joints:
        above = "head" if strand % 3 else "pelvis"
        parent, turn = rig.joint(above), 2.399963 * strand
        out_of = np.array([np.cos(turn), 0.0, np.sin(turn)])
        start = model[parent, :3, 3] + 0.12 * out_of + (0.0, 0.05 * np.sin(strand), 0.0)
        frame = model[parent]
        for link in range(min(CHAIN, joints - len(skin["joints"]))):
            own = np.eye(4)
            own[:3, 3] = start + link * (0.15 * STEP * out_of - (0.0, STEP, 0.0))
            local = affine.inverse(frame[None])[0] @ own
            node, frame = len(gltf["nodes"]), own
            name = f"{'hair' if above == 'head' else 'skirt'}_{strand}_{link}"
            gltf["nodes"].append({"name": name, "matrix": local.T.ravel().tolist()})
            gltf["nodes"][parent].setdefault("children", []).append(node)
            skin["joints"].append(node)
            places.append(own[:3, 3])
            parent = node
        strand += 1
    return places


def _share_weights(gltf: dict[str, Any], data: bytes, places: list[NDArray[np.float64]]) -> bytes:
    """Let the vertices next to the new joints follow them, too."""
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    points = _array(gltf, data, attributes["POSITION"])
    influences = _array(gltf, data, attributes["JOINTS_0"]).astype(np.uint16)
    weights = _array(gltf, data, attributes["WEIGHTS_0"]).astype(np.float64)
    weights /= weights.sum(axis=1, keepdims=True)
    first = len(gltf["skins"][0]["joints"]) - len(places)
    for number, place in enumerate(places):
        gaps = np.linalg.norm(points - place, axis=1)
        near = np.argsort(gaps)[:6]
        near = near[(gaps[near] < NEAR) & (weights[near, 3] == 0.0)]
        weights[near] *= 1.0 - SHARE
        influences[near, 3], weights[near, 3] = first + number, SHARE
    data = _append(gltf, data, attributes, "JOINTS_0", influences)
    return _append(gltf, data, attributes, "WEIGHTS_0", weights)


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    raw = path.read_bytes()
    size = struct.unpack_from("<I", raw, 12)[0]
    return json.loads(raw[20 : 20 + size]), raw[28 + size :]


def _array(gltf: dict[str, Any], data: bytes, number: int) -> NDArray[Any]:
    accessor = gltf["accessors"][number]
    view = gltf["bufferViews"][accessor["bufferView"]]
    kind = {5121: "u1", 5123: "<u2", 5126: "<f4"}[accessor["componentType"]]
    width = {"VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", width * np.dtype(kind).itemsize)
    rows = np.lib.stride_tricks.as_strided(
        np.frombuffer(data, kind, offset=start),
        (accessor["count"], width),
        (stride, np.dtype(kind).itemsize),
    )
    return rows.copy()


def _append(
    gltf: dict[str, Any], data: bytes, of: dict[str, Any], name: str, rows: NDArray[Any]
) -> bytes:
    """Add rows to the data and let a property name them: whole numbers, or numbers in 32 bits."""
    is_whole = rows.dtype == np.uint16
    raw = np.ascontiguousarray(rows, dtype="<u2" if is_whole else "<f4").tobytes()
    data += bytes(-len(data) % 4)
    view = {"buffer": 0, "byteOffset": len(data), "byteLength": len(raw)}
    gltf["bufferViews"].append(view)
    accessor = {
        "bufferView": len(gltf["bufferViews"]) - 1,
        "componentType": 5123 if is_whole else 5126,
        "count": len(rows),
        "type": "MAT4" if rows.ndim == 3 else "VEC4",
    }
    gltf["accessors"].append(accessor)
    of[name] = len(gltf["accessors"]) - 1
    return data + raw


def _write(path: Path, gltf: dict[str, Any], data: bytes) -> None:
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    gltf["buffers"][0]["byteLength"] = len(data)
    head = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A)
    path.write_bytes(head + text + struct.pack("<II", len(data), 0x004E4942) + data)


if __name__ == "__main__":
    print(many_joints(int(sys.argv[1]), Path(sys.argv[2])))
