"""A glTF written from a rig alone: what saving does for files of other formats.

Everything in a rig has a place in glTF 2.0 except how a file wants to be skinned. Numbers become 32
bits wide; keys and their interpolation are kept as they are.
"""

import io
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from rigview import __version__
from rigview.core.clip import Clip, Sampler
from rigview.core.rig import Image, Influences, Material, Mesh, Primitive, Rig, Texture
from rigview.io.files import write_together
from rigview.io.gltf import container
from rigview.io.gltf.accessors import COMPONENTS, WIDTHS
from rigview.io.gltf.container import GltfSource
from rigview.io.reading import SaveError

_POINTS, _LINES, _TRIANGLES = 0, 1, 4
_VERTICES, _INDICES = 34962, 34963
_CODES = {dtype: code for code, dtype in COMPONENTS.items()}
_TYPES = {width: name for name, width in WIDTHS.items()}
_IDENTITY = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1, 1, 1)}
_WRAPS = {"repeat": 10497, "clamp": 33071, "mirror": 33648}
_NEAREST, _LINEAR = 9728, 9729
# Sums of weights written with six digits are off by this much, and it moves a vertex as little.
_ROUNDING = 1e-5
_MOST_JOINTS = int(np.iinfo(np.uint16).max)


def save(rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as .glb, or as .gltf with its data in a .bin beside it.

    Returns
    -------
    What of the rig the file does not carry; one sentence each.

    Raises
    ------
    SaveError
        If the rig has a number that glTF cannot hold.
    """
    writer = Writer(rig)
    document, binary = writer.document(), bytes(writer.binary)
    if out.suffix.lower() == ".gltf":
        beside = out.with_suffix(".bin")
        files = {beside: binary} if binary else {}
        if binary:
            document["buffers"] = [{"byteLength": len(binary), "uri": beside.name}]
        write_together(files | {out: _text(document).encode()})
    else:
        if binary:
            document["buffers"] = [{"byteLength": len(binary)}]
        empty = GltfSource(out, b"", True, "", {})
        write_together({out: container.glb(_text(document), binary or None, empty)})
    return tuple(dict.fromkeys(writer.notes))


def _text(document: dict[str, Any]) -> str:
    try:
        return json.dumps(document, ensure_ascii=True, allow_nan=False)
    except ValueError:
        raise SaveError("a number is not finite, and JSON has no such number") from None


@dataclass(eq=False)
class Writer:
    """A document under construction.

    Parameters
    ----------
    notes
        What it does not carry.
    """

    rig: Rig
    binary: bytearray = field(default_factory=bytearray)
    notes: list[str] = field(default_factory=list)
    _views: list[dict[str, Any]] = field(default_factory=list)
    _accessors: list[dict[str, Any]] = field(default_factory=list)
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _extensions: set[str] = field(default_factory=set)

    def document(self) -> dict[str, Any]:
        """Return the whole document but its buffer, whose bytes are in `binary`."""
        rig = self.rig
        # A mesh that would have no primitives has no place in glTF: its node shows nothing then.
        meshes = [self._mesh(mesh) for mesh in rig.meshes]
        kept = [i for i, mesh in enumerate(meshes) if mesh["primitives"]]
        numbers = {old: new for new, old in enumerate(kept)}
        animations = [self._animation(clip, numbers) for clip in rig.clips]
        parts: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"rigview {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": list(rig.roots)} if rig.roots else {}],
            "nodes": [self._node(i, numbers) for i in range(len(rig.nodes))],
            "meshes": [meshes[i] for i in kept],
            "skins": [self._skin(i) for i in range(len(rig.skins))],
            "animations": [a for a in animations if a["channels"]],
            **self._materials(),
            "accessors": self._accessors,
            "bufferViews": self._views,
        }
        if self._extensions:
            parts["extensionsUsed"] = sorted(self._extensions)
        return {key: value for key, value in parts.items() if value not in ([], {})}

    def _view(self, data: bytes, target: int | None = None) -> int:
        self.binary.extend(b"\0" * (-len(self.binary) % 4))
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self.binary.extend(data)
        self._views.append(view)
        return len(self._views) - 1

    def _accessor(
        self, values: NDArray[Any], *, bounds: bool = False, target: int | None = None
    ) -> int:
        """Return the accessor of ``(n, width)`` values; equal ones are stored once."""
        if values.dtype.kind == "f":
            with np.errstate(over="ignore"):
                values = values.astype("<f4")
        values = np.ascontiguousarray(values)
        data = values.tobytes()
        key = (data, values.dtype.str, values.shape, bounds, target)
        if key in self._known:
            return self._known[key]
        stride = values.dtype.itemsize * values.shape[1]
        if target == _VERTICES and stride % 4:
            # Vertex attributes start at multiples of four bytes: glTF 2.0, 3.6.2.4.
            raise ValueError(f"a vertex attribute of {stride} bytes")
        accessor: dict[str, Any] = {
            "bufferView": self._view(data, target),
            "componentType": _CODES[values.dtype],
            "count": len(values),
            "type": _TYPES[values.shape[1]],
        }
        if bounds and np.all(np.isfinite(values)):
            accessor["min"], accessor["max"] = (
                values.min(axis=0).tolist(),
                values.max(axis=0).tolist(),
            )
        self._accessors.append(accessor)
        self._known[key] = len(self._accessors) - 1
        return self._known[key]

    def _node(self, number: int, meshes: dict[int, int]) -> dict[str, Any]:
        rig, nodes = self.rig, self.rig.nodes
        node: dict[str, Any] = {}
        if nodes.names[number]:
            node["name"] = nodes.names[number]
        if nodes.sound_children[number]:
            node["children"] = list(nodes.sound_children[number])
        matrix = nodes.matrices.get(number)
        if matrix is not None and number not in self._animated:
            node["matrix"] = [float(v) for v in matrix.T.reshape(16)]
        else:
            if matrix is not None:
                self.notes.append(f"the shear of {nodes.label(number)}, which is animated, is lost")
            self._trs(node, number)
        mesh = rig.node_meshes[number]
        if mesh is not None and mesh in meshes:
            node["mesh"] = meshes[mesh]
            if rig.node_skins[number] is not None:
                node["skin"] = rig.node_skins[number]
            weights = rig.node_morph_weights.get(number)
            if weights is not None and len(weights):
                node["weights"] = [float(v) for v in weights]
        return node

    def _trs(self, node: dict[str, Any], number: int) -> None:
        nodes = self.rig.nodes
        for key, values in (
            ("translation", nodes.translations[number]),
            ("rotation", np.clip(nodes.rotations[number], -1.0, 1.0)),
            ("scale", nodes.scales[number]),
        ):
            if not np.array_equal(values, _IDENTITY[key]):
                node[key] = [float(v) for v in values]

    @cached_property
    def _animated(self) -> set[int | None]:
        return {
            channel.node
            for clip in self.rig.clips
            for channel, _ in clip.active
            if channel.path != "weights"
        }

    def _skin(self, number: int) -> dict[str, Any]:
        skin = self.rig.skins[number]
        stored: dict[str, Any] = {"joints": list(skin.joints)}
        if skin.name:
            stored["name"] = skin.name
        if skin.skeleton is not None:
            stored["skeleton"] = skin.skeleton
        if skin.inverse_binds is not None and len(skin.joints):
            binds = skin.joint_from_mesh.swapaxes(-1, -2).reshape(-1, 16)
            stored["inverseBindMatrices"] = self._accessor(binds)
        return stored

    def _mesh(self, mesh: Mesh) -> dict[str, Any]:
        stored: dict[str, Any] = {
            "primitives": [p for primitive in mesh.primitives for p in self._primitives(primitive)]
        }
        if mesh.name:
            stored["name"] = mesh.name
        if len(mesh.morph_weights):
            stored["weights"] = [float(v) for v in mesh.morph_weights]
        morphs = next((p.morphs for p in mesh.primitives if p.morphs is not None), None)
        if morphs is not None and any(morphs.names):
            stored["extras"] = {"targetNames": list(morphs.names)}
        return stored

    def _primitives(self, primitive: Primitive) -> list[dict[str, Any]]:
        """Return a primitive once for every kind of thing that it draws."""
        if not len(primitive.positions):
            return []
        if primitive.method not in (None, "lbs"):
            self.notes.append("the skinning method that the file asks for is not carried by glTF")
        common: dict[str, Any] = {"attributes": self._attributes(primitive)}
        if primitive.material is not None:
            common["material"] = primitive.material
        if primitive.morphs is not None and len(primitive.morphs.positions):
            common["targets"] = self._targets(primitive)
        result = []
        for mode, numbers in (
            (_TRIANGLES, primitive.triangles),
            (_LINES, primitive.lines),
            (_POINTS, primitive.points),
        ):
            if len(numbers):
                small = len(primitive.positions) < _MOST_JOINTS
                index = numbers.reshape(-1, 1).astype("<u2" if small else "<u4")
                result.append(
                    {**common, "mode": mode, "indices": self._accessor(index, target=_INDICES)}
                )
        # Vertices that nothing uses are points of no size: they are kept, and still draw nothing.
        return result or [{**common, "mode": _POINTS}]

    def _attributes(self, primitive: Primitive) -> dict[str, int]:
        attributes = {
            "POSITION": self._accessor(primitive.positions, bounds=True, target=_VERTICES)
        }
        for name, values in (
            ("NORMAL", None if primitive.normals is None else primitive.shading_normals),
            ("TANGENT", primitive.tangents),
            *((f"TEXCOORD_{i}", uv) for i, (_, uv) in enumerate(sorted(primitive.uvs.items()))),
            ("COLOR_0", primitive.colours),
        ):
            if values is not None:
                attributes[name] = self._accessor(values, target=_VERTICES)
        if primitive.influences is not None:
            for n, (joints, weights) in enumerate(_sets(primitive.influences)):
                attributes[f"JOINTS_{n}"] = self._accessor(joints, target=_VERTICES)
                attributes[f"WEIGHTS_{n}"] = self._accessor(weights, target=_VERTICES)
        return attributes

    def _targets(self, primitive: Primitive) -> list[dict[str, int]]:
        morphs = primitive.morphs
        assert morphs is not None
        targets: list[dict[str, int]] = [{} for _ in morphs.positions]
        for name, values in (
            ("POSITION", morphs.positions),
            ("NORMAL", morphs.normals if primitive.normals is not None else None),
            ("TANGENT", morphs.tangents if primitive.tangents is not None else None),
        ):
            for target, displacement in zip(
                targets, () if values is None else values, strict=False
            ):
                target[name] = self._accessor(
                    displacement, bounds=name == "POSITION", target=_VERTICES
                )
        return targets

    def _animation(self, clip: Clip, meshes: dict[int, int]) -> dict[str, Any]:
        """Return a clip; its times start at 0 where some of its keys lie before that."""
        samplers: list[dict[str, Any]] = []
        channels = []
        early = min(0.0, clip.start)
        if early < 0.0:
            self.notes.append(f"clip {clip.name} starts at {early:g} s and is moved to start at 0")
        for channel, curve in clip.active:
            if channel.path == "weights" and not self._has_targets(channel.node, curve, meshes):
                continue
            times, values = _separate(curve, early)
            if channel.path == "weights":
                values = values.reshape(-1, 1)
            samplers.append(
                {
                    "input": self._accessor(times[:, None], bounds=True),
                    "output": self._accessor(values),
                    "interpolation": curve.interpolation,
                }
            )
            target = {"node": channel.node, "path": channel.path}
            channels.append({"sampler": len(samplers) - 1, "target": target})
        stored: dict[str, Any] = {"samplers": samplers, "channels": channels}
        if clip.name:
            stored["name"] = clip.name
        return stored

    def _has_targets(self, node: int | None, curve: Sampler, meshes: dict[int, int]) -> bool:
        mesh = None if node is None else self.rig.node_meshes[node]
        if mesh is None or mesh not in meshes:
            return False
        return len(self.rig.meshes[mesh].morph_weights) == curve.keys.shape[1]

    def _materials(self) -> dict[str, Any]:
        """Return materials with their textures, samplers and images, those without pixels left out."""
        used = {m.texture.image for m in self.rig.materials if m.texture is not None}
        pictures = [i for i, image in enumerate(self.rig.images) if image is not None and i in used]
        images = [self._image(self.rig.images[i]) for i in pictures]
        textures: list[dict[str, Any]] = []
        samplers: list[dict[str, Any]] = []
        materials = []
        for material in self.rig.materials:
            stored = _material(material)
            texture = material.texture
            if texture is not None and texture.image in pictures:
                sampler = _sampler(texture)
                if sampler not in samplers:
                    samplers.append(sampler)
                entry = {
                    "source": pictures.index(texture.image),
                    "sampler": samplers.index(sampler),
                }
                if entry not in textures:
                    textures.append(entry)
                place: dict[str, Any] = {"index": textures.index(entry)}
                if texture.uv_set:
                    place["texCoord"] = texture.uv_set
                transform = _transform(texture)
                if transform:
                    place["extensions"] = {"KHR_texture_transform": transform}
                    self._extensions.add("KHR_texture_transform")
                stored["pbrMetallicRoughness"]["baseColorTexture"] = place
            if material.unlit:
                stored["extensions"] = {"KHR_materials_unlit": {}}
                self._extensions.add("KHR_materials_unlit")
            materials.append(stored)
        return {
            "materials": materials,
            "textures": textures,
            "samplers": samplers,
            "images": images,
        }

    def _image(self, image: Image | None) -> dict[str, Any]:
        assert image is not None
        stream = io.BytesIO()
        Pillow.fromarray(image.pixels).save(stream, "PNG")
        stored = {"bufferView": self._view(stream.getvalue()), "mimeType": "image/png"}
        return {"name": image.name, **stored} if image.name else stored


def _sets(influences: Influences) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return joints and weights in sets of four; slots without weight name joint 0.

    Sums that only rounding keeps from one are made one, as glTF wants them; others are the rig's.
    """
    pad = ((0, 0), (0, -influences.joints.shape[1] % 4 or (0 if influences.joints.size else 4)))
    weights = np.pad(influences.weights, pad)
    total = weights.sum(axis=1, keepdims=True)
    weights = np.where(np.abs(total - 1.0) <= _ROUNDING, weights / np.maximum(total, 0.5), weights)
    joints = np.where(weights == 0.0, 0, np.pad(influences.joints, pad))
    if joints.size and not 0 <= int(joints.min()) <= int(joints.max()) <= _MOST_JOINTS:
        raise SaveError(f"glTF has no joint number {int(joints.max()):,}: the largest is 65,535")
    code = "u1" if int(joints.max(initial=0)) < 256 else "<u2"
    return [
        (joints[:, n : n + 4].astype(code), weights[:, n : n + 4])
        for n in range(0, joints.shape[1], 4)
    ]


def _separate(curve: Sampler, early: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return times that stay apart as 32-bit numbers, and the ``(n, c)`` values at them.

    Two keys nearer to each other than such numbers are (a jump) get neighbouring ones.
    """
    times = (curve.times - early).astype("<f4")
    for i in range(1, len(times)) if np.any(np.diff(times) <= 0.0) else ():
        if times[i] <= times[i - 1]:
            times[i] = np.nextafter(times[i - 1], np.float32(np.inf))
    return times, curve.values.reshape(-1, curve.values.shape[-1])


def _material(material: Material) -> dict[str, Any]:
    stored: dict[str, Any] = {
        "pbrMetallicRoughness": {
            "baseColorFactor": [min(max(float(v), 0.0), 1.0) for v in material.base_colour],
            "metallicFactor": 0.0,
        }
    }
    if material.name:
        stored["name"] = material.name
    if material.alpha_mode != "OPAQUE":
        stored["alphaMode"] = material.alpha_mode
    if material.alpha_mode == "MASK":
        stored["alphaCutoff"] = material.alpha_cutoff
    if material.double_sided:
        stored["doubleSided"] = True
    return stored


def _sampler(texture: Texture) -> dict[str, Any]:
    filter_ = _NEAREST if texture.nearest else _LINEAR
    s, t = (_WRAPS.get(wrap, 10497) for wrap in texture.wrap)
    return {"magFilter": filter_, "wrapS": s, "wrapT": t}


def _transform(texture: Texture) -> dict[str, Any]:
    """Return offset, rotation and scale of KHR_texture_transform; nothing of the identity."""
    matrix = np.array(texture.uv_transform, dtype=np.float64)
    if np.array_equal(matrix, np.eye(3)):
        return {}
    # The matrix is translation · rotation · scale; a column's length is its scale.
    sx, sy = (float(v) for v in np.linalg.norm(matrix[:2, :2], axis=0))
    angle = float(np.arctan2(-matrix[1, 0], matrix[0, 0]))
    if np.linalg.det(matrix[:2, :2]) < 0.0:
        sy = -sy
    return {"offset": matrix[:2, 2].tolist(), "rotation": angle, "scale": [sx, sy]}
