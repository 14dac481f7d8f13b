"""Materials and images: what textured shading needs, and what could not be read of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast, get_args

from rigview.core.arrays import ByteArray
from rigview.core.materials import (
    AlphaMode,
    Image,
    Material,
    ScalarMap,
    Surface,
    Texture,
    Unread,
)
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.edits import DocumentEdits
from rigview.io.images import allowance, picture
from rigview.io.memory_budget import MemoryBudget
from rigview.io.reading import LoadError, quoted

_WRAPS = {33071: "clamp", 33648: "mirror", 10497: "repeat"}
_UNDECODED = "the texture names no image that rigview can decode"
_NEAREST = {9728, 9984, 9986}
_Value = TypeVar("_Value")


class _Lists(NamedTuple):
    """What textures refer to."""

    textures: list[Cursor]
    images: list[Cursor]
    samplers: list[Cursor]


def read_materials(
    root: Cursor, amendments: DocumentEdits, unread: list[Unread], notes: list[str]
) -> tuple[Material, ...]:
    """Read base colour, transparency, sidedness and surface of every material.

    What is not as it should be is listed in `unread` and left out; the rig opens without it. What textured
    shading does not show is only noted.
    """
    lists = _Lists(*(root.array(key) for key in ("textures", "images", "samplers")))

    def shown(place: Cursor | None, read: Callable[[Cursor], _Value], default: _Value) -> _Value:
        if place is None:
            return default
        try:
            return read(place)
        except LoadError as error:
            unread.append(Unread(error.where, error.reason, "material"))
            amendments.leave_out(place)
            return default

    def material(place: Cursor) -> Material:
        factor, found = _base(place)
        return Material(
            place.text("name"),
            shown(factor, _colour, (1.0, 1.0, 1.0, 1.0)),
            shown(found, lambda p: _texture(p, lists, unread), None),
            shown(place.get("alphaMode"), _alpha_mode, "OPAQUE"),
            shown(place.get("alphaCutoff"), Cursor.number, 0.5),
            shown(place.get("doubleSided"), Cursor.boolean, default=False),
            place.extension("KHR_materials_unlit") is not None,
            _surface(place, lists, notes),
        )

    return tuple(material(place) for place in root.array("materials"))


def _surface(place: Cursor, lists: _Lists, notes: list[str]) -> Surface:
    """Read metallic, roughness, normals, occlusion and emission; what is damaged is left out."""

    def read(holder: Cursor | None, key: str, value: Callable[[Cursor], _Value]) -> _Value | None:
        try:
            found = None if holder is None else holder.get(key)
            return None if found is None else value(found)
        except LoadError as error:
            notes.append(f"a map of a material is left out: {error.where}: {error.reason}")
            return None

    def texture(holder: Cursor | None, key: str) -> Texture | None:
        lost: list[Unread] = []
        found = read(holder, key, lambda cursor: _texture(cursor, lists, lost))
        notes.extend(f"a map of a material is left out: {u.where}: {u.reason}" for u in lost)
        return found

    def number(holder: Cursor | None, key: str) -> float:
        found = read(holder, key, Cursor.number)
        return 1.0 if found is None else found

    pbr = read(place, "pbrMetallicRoughness", lambda cursor: cursor)
    metal, occlusion = (
        texture(pbr, "metallicRoughnessTexture"),
        texture(place, "occlusionTexture"),
    )
    normal = read(place, "normalTexture", lambda cursor: cursor)
    shade = read(place, "occlusionTexture", lambda cursor: cursor)
    r, g, b = read(place, "emissiveFactor", lambda cursor: cursor.numbers(3)) or (0.0, 0.0, 0.0)
    return Surface(
        number(pbr, "metallicFactor"),
        number(pbr, "roughnessFactor"),
        None if metal is None else ScalarMap(metal, 2),
        None if metal is None else ScalarMap(metal, 1),
        texture(place, "normalTexture"),
        number(normal, "scale"),
        None if occlusion is None else ScalarMap(occlusion, 0),
        number(shade, "strength"),
        (r, g, b),
        texture(place, "emissiveTexture"),
    )


def _colour(place: Cursor) -> tuple[float, float, float, float]:
    r, g, b, a = place.numbers(4)
    return r, g, b, a


def _alpha_mode(place: Cursor) -> AlphaMode:
    word = place.string()
    if word not in get_args(AlphaMode):
        raise place.error(f"{quoted(word)} is no alpha mode of glTF")
    return cast("AlphaMode", word)


def _base(place: Cursor) -> tuple[Cursor | None, Cursor | None]:
    """Return factor and texture of the base colour, or of the diffuse one where it has no other."""
    pbr = place.get("pbrMetallicRoughness")
    if pbr is not None:
        return pbr.get("baseColorFactor"), pbr.get("baseColorTexture")
    old = place.extension("KHR_materials_pbrSpecularGlossiness")
    return (None, None) if old is None else (old.get("diffuseFactor"), old.get("diffuseTexture"))


def _texture(place: Cursor, lists: _Lists, unread: list[Unread]) -> Texture | None:
    textures, images, samplers = lists
    texture = textures[place.need("index").index(len(textures), "texture")]
    source = texture.get("source")
    webp = texture.extension("EXT_texture_webp")
    if source is None and webp is not None:
        source = webp.get("source")
    if source is None:
        unread.append(Unread(texture.pointer, _UNDECODED, "material"))
        return None
    uv_set = place.natural("texCoord")
    uv_transform = Texture.uv_transform
    transform = place.extension("KHR_texture_transform")
    if transform is not None:
        uv_transform = _uv_transform(transform)
        replaced = transform.get("texCoord")
        uv_set = uv_set if replaced is None else replaced.integer(low=0)
    wrap, nearest = ("repeat", "repeat"), False
    sampler = texture.get("sampler")
    if sampler is not None:
        settings = samplers[sampler.index(len(samplers), "sampler")]
        s, t, magnify = settings.get("wrapS"), settings.get("wrapT"), settings.get("magFilter")
        wrap = (_wrap(s), _wrap(t))
        nearest = magnify is not None and magnify.integer() in _NEAREST
    return Texture(source.index(len(images), "image"), uv_set, uv_transform, wrap, nearest)


def _wrap(place: Cursor | None) -> str:
    return "repeat" if place is None else _WRAPS.get(place.integer(), "repeat")


def _uv_transform(place: Cursor) -> tuple[tuple[float, float, float], ...]:
    """Return translation · rotation · scale of KHR_texture_transform as a 3×3 matrix."""
    offset, scale, rotation = place.get("offset"), place.get("scale"), place.get("rotation")
    dx, dy = (0.0, 0.0) if offset is None else offset.numbers(2)
    sx, sy = (1.0, 1.0) if scale is None else scale.numbers(2)
    angle = 0.0 if rotation is None else rotation.number()
    c, s = math.cos(angle), math.sin(angle)
    return (c * sx, s * sy, dx), (-s * sx, c * sy, dy), (0.0, 0.0, 1.0)


def read_images(
    root: Cursor,
    accessors: Accessors,
    shown: set[int],
    converted: set[int],
    unread: list[Unread],
    tell: Callable[[], object] | None = None,
) -> tuple[Image | None, ...]:
    """Find the images that are shown, and see whether the others are there.

    Those that are only converted are read when they are asked for. What is not there, or too large, is
    listed in `unread` and None; the rig opens without it.
    """
    images: list[Image | None] = []
    within = allowance()
    for number, place in enumerate(root.array("images")):
        try:
            found = _image(place, accessors, within if number in shown else None, tell)
            if found is None and number in converted:
                found = Image(_name(place), _Unshown(place, accessors))
            images.append(found)
        except LoadError as error:
            unread.append(Unread(error.where, error.reason, "material"))
            images.append(None)
    return tuple(images)


def _name(place: Cursor) -> str:
    try:
        return place.text("name")
    except LoadError:
        return ""


@dataclass(frozen=True, eq=False)
class _Unshown:
    """An image that nothing shows, read when it is converted."""

    place: Cursor
    accessors: Accessors

    def decode(self) -> ByteArray | Unread:
        """Read and decode it."""
        try:
            found = _image(self.place, self.accessors, allowance(), None)
        except LoadError as error:
            return Unread(error.where, error.reason, "material")
        if found is None:
            return Unread(self.place.pointer, "it is empty", "material")
        return found.unread or found.pixels

    def is_whole(self) -> bool:
        """Let nobody wait for it who does not convert it."""
        return True


def _image(
    place: Cursor,
    accessors: Accessors,
    within: MemoryBudget | None,
    tell: Callable[[], object] | None,
) -> Image | None:
    """Find an image within bounds, or without any only see that it is there."""
    uri, view = place.get("uri"), place.get("bufferView")
    if uri is not None:
        # One byte tells that an image which is not shown is there.
        most = 1 if within is None else None
        data: bytes | memoryview = accessors.source.read_uri(uri, most, tell)
    elif view is not None:
        data = accessors.view(view)
    else:
        raise place.error("the image has neither a uri nor a bufferView")
    if within is None:
        return None
    return Image(place.text("name"), picture(place, data, within))
