"""Materials of a glTF written anew, with their textures, samplers and images."""

import io
from collections.abc import Hashable
from typing import Any

import numpy as np
from PIL import Image as Pillow

from rigview.core.arrays import ByteArray
from rigview.core.materials import Image, Material, ScalarMap, Surface, Texture
from rigview.core.rig import Rig
from rigview.io.gltf.export.buffer import GltfBuffer

_WRAPS = {"repeat": 10497, "clamp": 33071, "mirror": 33648}
_NEAREST, _LINEAR = 9728, 9729


def materials(rig: Rig, buffer: GltfBuffer) -> tuple[dict[str, Any], set[str]]:
    """Return the members of the document about materials, and the extensions that they use.

    Images without pixels are left out.
    """
    writer = _Writer(rig, buffer)
    stored = [writer.material(material) for material in rig.materials]
    members = {
        "materials": stored,
        "textures": writer.textures,
        "samplers": writer.samplers,
        "images": writer.images,
    }
    return members, writer.extensions


class _Writer:
    """Materials under construction, with what they refer to."""

    def __init__(self, rig: Rig, buffer: GltfBuffer) -> None:
        self._rig, self._buffer = rig, buffer
        self.images: list[dict[str, Any]] = []
        self.textures: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.extensions: set[str] = set()
        self._numbers: dict[Hashable, int] = {}

    def material(self, material: Material) -> dict[str, Any]:
        """Return a material of the document."""
        stored, surface = _material(material), material.surface
        self._put(stored["pbrMetallicRoughness"], "baseColorTexture", material.texture)
        self._put_metal(stored["pbrMetallicRoughness"], surface)
        self._put(stored, "normalTexture", surface.normal_map, scale=surface.normal_scale)
        occlusion = surface.occlusion_map
        if occlusion is not None and self._is_there(occlusion.texture):
            number = self._channels((occlusion, None, None))
            strength = surface.occlusion_strength
            self._put(stored, "occlusionTexture", occlusion.texture, number, strength=strength)
        self._put(stored, "emissiveTexture", surface.emissive_map)
        if any(surface.emissive):
            stored["emissiveFactor"] = [min(max(float(v), 0.0), 1.0) for v in surface.emissive]
        if material.unlit:
            stored["extensions"] = {"KHR_materials_unlit": {}}
            self.extensions.add("KHR_materials_unlit")
        return stored

    def _put_metal(self, stored: dict[str, Any], surface: Surface) -> None:
        """State metallic and roughness, of which glTF has one image: blue and green."""
        metal, rough = surface.metallic_map, surface.roughness_map
        maps = [m for m in (metal, rough) if m is not None and self._is_there(m.texture)]
        stored["metallicFactor"] = float(surface.metallic)
        if surface.roughness != 1.0:
            stored["roughnessFactor"] = float(surface.roughness)
        if not maps:
            return
        both = None, rough if rough in maps else None, metal if metal in maps else None
        self._put(stored, "metallicRoughnessTexture", maps[0].texture, self._channels(both))

    def _is_there(self, texture: Texture) -> bool:
        images = self._rig.images
        image = images[texture.image] if texture.image < len(images) else None
        if image is not None:
            image.decode()
        return image is not None and image.unread is None

    def _put(
        self,
        holder: dict[str, Any],
        key: str,
        texture: Texture | None,
        image: int | None = None,
        **settings: float,
    ) -> None:
        """Let a material refer to a texture, of another image if one is given."""
        if texture is None or not self._is_there(texture):
            return
        source = self._image(texture.image) if image is None else image
        entry = {"source": source, "sampler": _place_of(_sampler(texture), self.samplers)}
        place: dict[str, Any] = {"index": _place_of(entry, self.textures)}
        if texture.uv_set:
            place["texCoord"] = texture.uv_set
        transform = _transform(texture)
        if transform:
            place["extensions"] = {"KHR_texture_transform": transform}
            self.extensions.add("KHR_texture_transform")
        holder[key] = place | {name: value for name, value in settings.items() if value != 1.0}

    def _image(self, number: int) -> int:
        image = self._rig.images[number]
        if number not in self._numbers and image is not None:
            self._numbers[number] = len(self.images)
            self.images.append(_image(image, self._buffer))
        return self._numbers[number]

    def _channels(self, maps: tuple[ScalarMap | None, ScalarMap | None, ScalarMap | None]) -> int:
        """Return the image whose red, green and blue are some channels of images; white without one."""
        stated = [(m.texture.image, m.channel, i) for i, m in enumerate(maps) if m is not None]
        if len({image for image, _, _ in stated}) == 1 and all(c == i for _, c, i in stated):
            return self._image(stated[0][0])
        key = tuple(stated)
        if key not in self._numbers:
            pixels = [(self._pixels(image)[..., c], i) for image, c, i in stated]
            height, width = (max(p.shape[axis] for p, _ in pixels) for axis in (0, 1))
            whole = np.full((height, width, 4), 255, dtype=np.uint8)
            for values, i in pixels:
                rows = np.arange(height) * values.shape[0] // height
                columns = np.arange(width) * values.shape[1] // width
                whole[..., i] = values[rows[:, None], columns]
            names = (self._rig.images[image] for image, _, _ in stated)
            name = " and ".join(image.name for image in names if image is not None)
            self._numbers[key] = len(self.images)
            self.images.append(_image(Image(name, whole), self._buffer))
        return self._numbers[key]

    def _pixels(self, number: int) -> ByteArray:
        image = self._rig.images[number]
        if image is None:
            raise ValueError(f"images: wanted one at {number}, got None")
        return image.pixels


def _place_of(entry: dict[str, Any], entries: list[dict[str, Any]]) -> int:
    """Return where an entry stands in a list, to which it is added if it is not there."""
    if entry not in entries:
        entries.append(entry)
    return entries.index(entry)


def _image(image: Image, buffer: GltfBuffer) -> dict[str, Any]:
    stream = io.BytesIO()
    Pillow.fromarray(image.pixels).save(stream, "PNG")
    stored = {"bufferView": buffer.view(stream.getvalue()), "mimeType": "image/png"}
    return {"name": image.name, **stored} if image.name else stored


def _material(material: Material) -> dict[str, Any]:
    stored: dict[str, Any] = {
        "pbrMetallicRoughness": {
            "baseColorFactor": [min(max(float(v), 0.0), 1.0) for v in material.base_colour]
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
