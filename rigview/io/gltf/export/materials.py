"""Materials of a glTF written anew, with their textures, samplers and images."""

import io
from typing import Any

import numpy as np
from PIL import Image as Pillow

from rigview.core.materials import Image, Material, Texture
from rigview.core.rig import Rig
from rigview.io.gltf.export.buffer import Buffer

_WRAPS = {"repeat": 10497, "clamp": 33071, "mirror": 33648}
_NEAREST, _LINEAR = 9728, 9729


def materials(rig: Rig, buffer: Buffer) -> tuple[dict[str, Any], set[str]]:
    """Return the members of the document about materials, and the extensions that they use.

    Images without pixels are left out.
    """
    used = {m.texture.image for m in rig.materials if m.texture is not None}
    found = {
        i: image
        for i, image in enumerate(rig.images)
        if i in used and image is not None and image.unread is None
    }
    pictures = list(found)
    images = [_image(image, buffer) for image in found.values()]
    textures: list[dict[str, Any]] = []
    samplers: list[dict[str, Any]] = []
    extensions: set[str] = set()
    stored_materials = []
    for material in rig.materials:
        stored = _material(material)
        texture = material.texture
        if texture is not None and texture.image in pictures:
            source = pictures.index(texture.image)
            entry = {"source": source, "sampler": _place_of(_sampler(texture), samplers)}
            place: dict[str, Any] = {"index": _place_of(entry, textures)}
            if texture.uv_set:
                place["texCoord"] = texture.uv_set
            transform = _transform(texture)
            if transform:
                place["extensions"] = {"KHR_texture_transform": transform}
                extensions.add("KHR_texture_transform")
            stored["pbrMetallicRoughness"]["baseColorTexture"] = place
        if material.unlit:
            stored["extensions"] = {"KHR_materials_unlit": {}}
            extensions.add("KHR_materials_unlit")
        stored_materials.append(stored)
    return {
        "materials": stored_materials,
        "textures": textures,
        "samplers": samplers,
        "images": images,
    }, extensions


def _place_of(entry: dict[str, Any], entries: list[dict[str, Any]]) -> int:
    """Return where an entry stands in a list, to which it is added if it is not there."""
    if entry not in entries:
        entries.append(entry)
    return entries.index(entry)


def _image(image: Image, buffer: Buffer) -> dict[str, Any]:
    stream = io.BytesIO()
    Pillow.fromarray(image.pixels).save(stream, "PNG")
    stored = {"bufferView": buffer.view(stream.getvalue()), "mimeType": "image/png"}
    return {"name": image.name, **stored} if image.name else stored


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
