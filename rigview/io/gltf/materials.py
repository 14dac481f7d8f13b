"""Materials and images: what textured shading needs, and what could not be read of it."""

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.materials import AlphaMode, Image, Material, Texture, Unread
from rigview.io.allowance import Allowance
from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.images import allowance, picture
from rigview.io.reading import LoadError, quoted

_WRAPS = {33071: "clamp", 33648: "mirror", 10497: "repeat"}
_NEAREST = {9728, 9984, 9986}
_ALPHA_MODES = ("OPAQUE", "MASK", "BLEND")


class _Lists(NamedTuple):
    """What textures refer to."""

    textures: list[Cursor]
    images: list[Cursor]
    samplers: list[Cursor]


def read_materials(root: Cursor, unread: list[Unread]) -> tuple[Material, ...]:
    """Read base colour, transparency and sidedness of every material."""
    lists = _Lists(*(root.array(key) for key in ("textures", "images", "samplers")))
    return tuple(_material(place, lists, unread) for place in root.array("materials"))


def _material(place: Cursor, lists: _Lists, unread: list[Unread]) -> Material:
    name = place.get("name")
    factor, found = _base(place)
    colour, texture = (1.0, 1.0, 1.0, 1.0), None
    if factor is not None:
        r, g, b, a = factor.numbers(4)
        colour = (r, g, b, a)
    if found is not None:
        texture = _texture(found, lists, unread)
    mode, cutoff, sides = place.get("alphaMode"), place.get("alphaCutoff"), place.get("doubleSided")
    word = "OPAQUE" if mode is None else mode.string()
    if mode is not None and word not in _ALPHA_MODES:
        raise mode.error(f"{quoted(word)} is no alpha mode of glTF")
    extensions = place.get("extensions")
    return Material(
        "" if name is None else name.string(),
        colour,
        texture,
        cast("AlphaMode", word),
        0.5 if cutoff is None else cutoff.number(),
        sides is not None and sides.boolean(),
        extensions is not None and extensions.get("KHR_materials_unlit") is not None,
    )


def _base(place: Cursor) -> tuple[Cursor | None, Cursor | None]:
    """Return factor and texture of the base colour, or of the diffuse one where it has no other."""
    pbr = place.get("pbrMetallicRoughness")
    if pbr is not None:
        return pbr.get("baseColorFactor"), pbr.get("baseColorTexture")
    extensions = place.get("extensions")
    old = None if extensions is None else extensions.get("KHR_materials_pbrSpecularGlossiness")
    return (None, None) if old is None else (old.get("diffuseFactor"), old.get("diffuseTexture"))


def _texture(place: Cursor, lists: _Lists, unread: list[Unread]) -> Texture | None:
    textures, images, samplers = lists
    texture = textures[place.need("index").index(len(textures), "texture")]
    source = texture.get("source")
    extensions = texture.get("extensions")
    webp = None if extensions is None else extensions.get("EXT_texture_webp")
    if source is None and webp is not None:
        source = webp.get("source")
    if source is None:
        unread.append(Unread(texture.pointer, "the texture names no image that rigview can decode"))
        return None
    uv = place.get("texCoord")
    uv_set = 0 if uv is None else uv.integer(low=0)
    matrix = np.eye(3)
    extensions = place.get("extensions")
    transform = None if extensions is None else extensions.get("KHR_texture_transform")
    if transform is not None:
        matrix = _uv_transform(transform)
        replaced = transform.get("texCoord")
        uv_set = uv_set if replaced is None else replaced.integer(low=0)
    wrap, nearest = ("repeat", "repeat"), False
    sampler = texture.get("sampler")
    if sampler is not None:
        settings = samplers[sampler.index(len(samplers), "sampler")]
        s, t, magnify = settings.get("wrapS"), settings.get("wrapT"), settings.get("magFilter")
        wrap = (_wrap(s), _wrap(t))
        nearest = magnify is not None and magnify.integer() in _NEAREST
    rows = tuple((float(r[0]), float(r[1]), float(r[2])) for r in matrix)
    return Texture(source.index(len(images), "image"), uv_set, rows, wrap, nearest)


def _wrap(place: Cursor | None) -> str:
    return "repeat" if place is None else _WRAPS.get(place.integer(), "repeat")


def _uv_transform(place: Cursor) -> FloatArray:
    """Return translation · rotation · scale of KHR_texture_transform as a 3×3 matrix."""
    offset, scale, rotation = place.get("offset"), place.get("scale"), place.get("rotation")
    dx, dy = (0.0, 0.0) if offset is None else offset.numbers(2)
    sx, sy = (1.0, 1.0) if scale is None else scale.numbers(2)
    angle = 0.0 if rotation is None else rotation.number()
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c * sx, s * sy, dx], [-s * sx, c * sy, dy], [0.0, 0.0, 1.0]])


def read_images(
    root: Cursor,
    accessors: Accessors,
    shown: set[int],
    unread: list[Unread],
    tell: Callable[[], object] | None = None,
) -> tuple[Image | None, ...]:
    """Find the images that are shown, and see whether the others are there.

    What is not there, or too large, is listed in `unread` and None; the rig opens without it.
    """
    images: list[Image | None] = []
    within = allowance()
    for number, place in enumerate(root.array("images")):
        try:
            images.append(_image(place, accessors, within if number in shown else None, tell))
        except LoadError as error:
            unread.append(Unread(error.where, error.reason))
            images.append(None)
    return tuple(images)


def _image(
    place: Cursor,
    accessors: Accessors,
    within: Allowance | None,
    tell: Callable[[], object] | None,
) -> Image | None:
    """Find an image within bounds, or without any only see that it is there."""
    uri, view, name = place.get("uri"), place.get("bufferView"), place.get("name")
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
    return Image("" if name is None else name.string(), picture(place, data, within))
