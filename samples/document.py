"""Write glTF 2.0 binary files: a small builder of nodes, meshes, skins, clips and materials.

Everything is laid down in the order of the calls, so equal calls give equal bytes. `Document.gltf` is
the plain JSON document; who wants a faulty file changes it before `Document.glb`.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

COMPONENTS = {np.dtype(np.uint8): 5121, np.dtype(np.uint16): 5123}
COMPONENTS |= {np.dtype(np.uint32): 5125, np.dtype(np.float32): 5126}
TYPES = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}
VERTICES, INDICES = 34962, 34963
TRIANGLES = 4
NEAREST, REPEAT = 9728, 10497


@dataclass(frozen=True)
class Primitive:
    """Vertices with one material, in metres.

    Parameters
    ----------
    positions, normals
        ``(V, 3)``.
    triangles
        ``(F, 3)`` vertex numbers, or None: every three vertices make one.
    uvs
        ``(V, 2)`` from 0 to 1; kept as 16-bit shares.
    joints, weights
        ``(V, K)`` places in the skin's list; four of them make one set of attributes.
    morphs
        Per target the offsets of the positions ``(V, 3)``.
    attributes
        Further ones by name, as they are.
    """

    positions: ArrayLike
    triangles: ArrayLike | None = None
    normals: ArrayLike | None = None
    uvs: ArrayLike | None = None
    joints: ArrayLike | None = None
    weights: ArrayLike | None = None
    morphs: Sequence[ArrayLike] = ()
    material: int | None = None
    attributes: dict[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Channel:
    """One animated property.

    Parameters
    ----------
    path
        ``translation``, ``rotation``, ``scale`` or ``weights``.
    times
        ``(K,)`` seconds.
    values
        ``(K, n)``; for CUBICSPLINE ``(K, 3, n)``: tangent in, value, tangent out.
    """

    node: int
    path: str
    times: ArrayLike
    values: ArrayLike
    interpolation: str = "LINEAR"


class Document:
    """A file in the making; every method that adds something returns its number."""

    def __init__(self, generator: str = "rigview samples") -> None:
        asset = {"version": "2.0", "generator": generator}
        self.gltf: dict[str, Any] = {"asset": asset, "scene": 0, "scenes": [{"nodes": []}]}
        self._views: list[bytearray] = []
        self._shared: dict[str, int] = {}
        self._times: dict[bytes, int] = {}

    def add(self, kind: str, value: dict[str, Any]) -> int:
        """Append to one of the document's lists; None and what is empty is left out."""
        listed = self.gltf.setdefault(kind, [])
        listed.append({k: v for k, v in value.items() if v is not None and v not in ((), [], {})})
        return len(listed) - 1

    def view(self, data: bytes, target: int | None = None) -> int:
        """Add a buffer view of its own."""
        self._views.append(bytearray(data))
        return self.add("bufferViews", {"buffer": 0, "target": target})

    def accessor(self, array: NDArray[Any], view: str | int | None, **properties: Any) -> int:  # noqa: ANN401 - JSON
        """Add an array ``(n, …)``.

        Parameters
        ----------
        view
            A buffer view's target, or None for a view without; a name shares one view among arrays.
        """
        data = array.swapaxes(1, 2) if array.shape[1:] == (4, 4) else array
        raw = np.ascontiguousarray(data).tobytes()
        offset = None
        if isinstance(view, str):
            if view not in self._shared:
                self._shared[view] = self.view(b"")
            number = self._shared[view]
            offset = len(self._views[number]) or None
            self._views[number] += raw + bytes(-len(raw) % 4)
        else:
            number = self.view(raw, view)
        kind: dict[str, Any] = {"componentType": COMPONENTS[array.dtype], "count": len(array)}
        kind["type"] = TYPES[array.shape[1:]]
        return self.add(
            "accessors", {"bufferView": number, "byteOffset": offset} | kind | properties
        )

    def node(self, name: str, parent: int | None = None, **properties: Any) -> int:  # noqa: ANN401 - JSON
        """Add a node below a parent or at the top of the scene.

        Parameters
        ----------
        properties
            As glTF calls them: translation, rotation, scale, matrix, mesh, skin …
        """
        values = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in properties.items()}
        number = self.add("nodes", {"name": name} | values)
        if parent is None:
            self.gltf["scenes"][0]["nodes"].append(number)
        else:
            self.gltf["nodes"][parent].setdefault("children", []).append(number)
        return number

    def material(
        self, name: str, colour: Sequence[float], texture: int | None = None, roughness: float = 0.8
    ) -> int:
        """Add an opaque material without metal; `colour` is linear RGBA."""
        surface = {"baseColorFactor": list(colour), "metallicFactor": 0.0}
        surface |= {"roughnessFactor": roughness}
        if texture is not None:
            surface |= {"baseColorTexture": {"index": texture}}
        return self.add("materials", {"name": name, "pbrMetallicRoughness": surface})

    def texture(self, name: str, png: bytes) -> int:
        """Add a texture with an embedded PNG image, sharp when magnified."""
        image = {"name": name, "mimeType": "image/png", "bufferView": self.view(png)}
        filters = {"magFilter": NEAREST, "wrapS": REPEAT, "wrapT": REPEAT}
        sampler = self.add("samplers", filters)
        return self.add("textures", {"source": self.add("images", image), "sampler": sampler})

    def mesh(self, name: str, *primitives: Primitive, weights: Sequence[float] = ()) -> int:
        """Add a mesh; `weights` are the default weights of its morph targets."""
        parts = [self._primitive(primitive) for primitive in primitives]
        return self.add("meshes", {"name": name, "primitives": parts, "weights": list(weights)})

    def _primitive(self, primitive: Primitive) -> dict[str, Any]:
        attributes = {"POSITION": self._points(primitive.positions)}
        if primitive.normals is not None:
            attributes["NORMAL"] = self.accessor(_floats(primitive.normals), VERTICES)
        if primitive.uvs is not None:
            shares = np.rint(np.asarray(primitive.uvs, dtype=np.float64) * 65535.0)
            uvs = shares.astype(np.uint16)
            attributes["TEXCOORD_0"] = self.accessor(uvs, VERTICES, normalized=True)
        if primitive.joints is not None and primitive.weights is not None:
            attributes |= self._influences(np.asarray(primitive.joints), _floats(primitive.weights))
        for name, array in primitive.attributes.items():
            attributes[name] = self.accessor(array, VERTICES)
        result: dict[str, Any] = {"attributes": attributes}
        if primitive.triangles is not None:
            indices = np.asarray(primitive.triangles).reshape(-1)
            kind = np.uint16 if len(np.asarray(primitive.positions)) < 65535 else np.uint32
            result["indices"] = self.accessor(indices.astype(kind), INDICES)
        if primitive.morphs:
            result["targets"] = [{"POSITION": self._points(m)} for m in primitive.morphs]
        if primitive.material is not None:
            result["material"] = primitive.material
        return result

    def _points(self, positions: ArrayLike) -> int:
        points = _floats(positions)
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return self.accessor(points, VERTICES, min=low, max=high)

    def _influences(self, joints: NDArray[Any], weights: NDArray[np.float32]) -> dict[str, int]:
        spare = -joints.shape[1] % 4
        kind = np.uint8 if joints.max(initial=0) < 256 else np.uint16
        joints = np.pad(joints, ((0, 0), (0, spare))).astype(kind)
        weights = np.pad(weights, ((0, 0), (0, spare)))
        result = {}
        for n in range(joints.shape[1] // 4):
            result[f"JOINTS_{n}"] = self.accessor(joints[:, 4 * n : 4 * n + 4], VERTICES)
            result[f"WEIGHTS_{n}"] = self.accessor(weights[:, 4 * n : 4 * n + 4], VERTICES)
        return result

    def skin(
        self,
        name: str,
        joints: Sequence[int],
        inverse_binds: ArrayLike | None,
        skeleton: int | None = None,
    ) -> int:
        """Add a skin; `inverse_binds` is ``(J, 4, 4)`` ``joint_from_mesh``, or None for none."""
        value: dict[str, Any] = {"name": name, "joints": list(joints), "skeleton": skeleton}
        if inverse_binds is not None:
            value["inverseBindMatrices"] = self.accessor(_floats(inverse_binds), "binds")
        return self.add("skins", value)

    def clip(self, name: str, channels: Sequence[Channel]) -> int:
        """Add an animation."""
        samplers: list[dict[str, Any]] = []
        targets = []
        for i, channel in enumerate(channels):
            values = _floats(channel.values)
            if channel.path == "weights":
                values = values.reshape(-1)
            elif channel.interpolation == "CUBICSPLINE":
                values = values.reshape(-1, values.shape[-1])
            output = self.accessor(values, "keys")
            sampler = {"input": self._input(channel.times), "output": output}
            samplers.append(sampler | {"interpolation": channel.interpolation})
            targets.append({"sampler": i, "target": {"node": channel.node, "path": channel.path}})
        return self.add("animations", {"name": name, "samplers": samplers, "channels": targets})

    def _input(self, times: ArrayLike) -> int:
        keys = _floats(times)
        raw = keys.tobytes()
        if raw not in self._times:
            bounds = {"min": [float(keys.min())], "max": [float(keys.max())]}
            self._times[raw] = self.accessor(keys, "times", **bounds)
        return self._times[raw]

    def glb(self) -> bytes:
        """Return the file."""
        binary = bytearray()
        for view, data in zip(self.gltf.get("bufferViews", []), self._views, strict=True):
            view |= {"byteOffset": len(binary), "byteLength": len(data)}
            binary += data + bytes(-len(data) % 4)
        if binary:
            self.gltf["buffers"] = [{"byteLength": len(binary)}]
        text = json.dumps(self.gltf, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if binary:
            chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _floats(values: ArrayLike) -> NDArray[np.float32]:
    # Adding zero turns −0 into 0: equal numbers, equal bytes.
    return np.asarray(values, dtype=np.float64).astype(np.float32) + np.float32(0.0)
