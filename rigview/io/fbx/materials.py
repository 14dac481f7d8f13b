"""Materials: base colour, transparency and the picture on it, embedded or beside the file."""

import base64
import binascii
import math
from pathlib import Path, PureWindowsPath

from rigview.core.materials import AlphaMode, Material, ScalarMap, Surface, Texture
from rigview.io.fbx.blocks import paced
from rigview.io.fbx.objects import Element, Objects
from rigview.io.fbx.tree import Key, Node
from rigview.io.images import Pictures, read_beside
from rigview.io.reading import LoadError

# The property that a picture of the base colour is connected to, by material system.
_COLOUR_MAPS = (
    "DiffuseColor",
    "Maya|baseColor",
    "Maya|TEX_color_map",
    "3dsMax|Parameters|base_color_map",
    "3dsMax|Parameters|baseColorMap",
    "3dsMax|main|base_color_map",
    "3dsMax|main|baseColorMap",
)
# The property that a picture of the opacity is connected to.
_OPACITY_MAPS = (
    "TransparentColor",
    "TransparencyFactor",
    "Opacity",
    "Maya|opacity",
    "Maya|TEX_opacity_map",
    "3dsMax|Parameters|cutout_map",
    "3dsMax|main|opacity_map",
)
# The base colour of materials that state no diffuse one.
_COLOURS = ("Maya|baseColor", "Maya|base_color", "3dsMax|Parameters|base_color")
# The properties of the other maps. Blender connects roughness and metallic to the two of Phong's model;
# a map of bumps that is no normal map is left out.
_METALLIC_MAPS = (
    "Maya|TEX_metallic_map",
    "Maya|metalness",
    "3dsMax|Parameters|metalness_map",
    "3dsMax|main|metalness_map",
    "ReflectionFactor",
)
_ROUGHNESS_MAPS = (
    "Maya|TEX_roughness_map",
    "Maya|specularRoughness",
    "3dsMax|Parameters|roughness_map",
    "3dsMax|main|roughness_map",
    "ShininessExponent",
)
_NORMAL_MAPS = ("NormalMap", "Maya|TEX_normal_map", "Maya|normalCamera", "3dsMax|main|norm_map")
_OCCLUSION_MAPS = ("Maya|TEX_ao_map", "3dsMax|main|ao_map")
_EMISSIVE_MAPS = (
    "EmissiveColor",
    "Maya|TEX_emissive_map",
    "Maya|emissionColor",
    "3dsMax|Parameters|emission_map",
    "3dsMax|main|emit_color_map",
)
_METALLIC = (
    "Maya|metallic",
    "Maya|metalness",
    "3dsMax|Parameters|metalness",
    "3dsMax|main|metalness",
)
_ROUGHNESS = (
    "Maya|roughness",
    "Maya|specularRoughness",
    "3dsMax|Parameters|roughness",
    "3dsMax|main|roughness",
)
_CLAMP = 1


class FbxMaterials:
    """All materials of a file, with the pictures that they show."""

    def __init__(self, path: Path, objects: Objects) -> None:
        self._path, self._objects = path, objects
        self.pictures = Pictures()
        elements = objects.of_kind("Material")
        self.numbers = {element.key: i for i, element in enumerate(elements)}
        self.materials = tuple(map(self._material, paced(elements, objects.pulse)))

    def of_node(self, key: Key) -> tuple[int, ...]:
        """Return the numbers of a node's materials, in the order that its meshes refer to."""
        return tuple(self.numbers[own] for own in self._objects.source_keys(key, "Material"))

    def _material(self, element: Element) -> Material:
        r, g, b = _colour(element)
        maps: dict[str, Key] = {}
        for kind in ("LayeredTexture", "Texture"):
            maps.update(self._objects.property_sources(element.key, kind))
        shown, cover = (self._picture(maps, names) for names in (_COLOUR_MAPS, _OPACITY_MAPS))
        texture = None
        if shown is not None:
            r = g = b = 1.0
            texture = self._texture(*shown)
        alpha = _alpha(element)
        mode: AlphaMode = "BLEND" if alpha < 1.0 else "OPAQUE"
        # rigview knows no other opacity of a picture than that of the colour's. FBX does not say whether
        # it cuts or blends, and often it belongs to all of a body, most of which is opaque.
        if shown is not None and cover is not None and _file(*shown) == _file(*cover):
            mode = "MASK" if mode == "OPAQUE" else mode
        return Material(
            element.name,
            (r, g, b, alpha),
            texture,
            mode,
            double_sided=True,
            surface=self._surface(element, maps),
        )

    def _surface(self, element: Element, maps: dict[str, Key]) -> Surface:
        """Return metallic, roughness, normals, occlusion and emission, as material systems name them."""
        metallic, roughness, normal, occlusion, emissive = (
            self._further(maps, names)
            for names in (
                _METALLIC_MAPS,
                _ROUGHNESS_MAPS,
                _NORMAL_MAPS,
                _OCCLUSION_MAPS,
                _EMISSIVE_MAPS,
            )
        )
        glow = tuple(
            _share(value * element.number("EmissiveFactor", 1.0))
            for value in element.vector("EmissiveColor", 0.0)
        )
        stated = next((n for n in _METALLIC if element.states(n)), None)
        rough = next((n for n in _ROUGHNESS if element.states(n)), None)
        return Surface(
            1.0 if metallic else 0.0 if stated is None else _share(element.number(stated, 0.0)),
            1.0 if roughness or rough is None else _share(element.number(rough, 1.0)),
            None if metallic is None else ScalarMap(metallic),
            None if roughness is None else ScalarMap(roughness),
            normal,
            1.0,
            None if occlusion is None else ScalarMap(occlusion),
            1.0,
            (1.0, 1.0, 1.0) if emissive is not None else (glow[0], glow[1], glow[2]),
            emissive,
        )

    def _further(self, maps: dict[str, Key], names: tuple[str, ...]) -> Texture | None:
        """Return the map at the first of some properties that has one, where it can be read."""
        found = self._picture(maps, names)
        if found is None:
            return None
        holder, element = found
        number = self.pictures.further(
            holder.key, holder.name, holder.node, lambda: self._content(holder, element)
        )
        return None if number is None else Texture(number, wrap=_wrap(element))

    def _picture(
        self, maps: dict[str, Key], properties: tuple[str, ...]
    ) -> tuple[Element, Element] | None:
        """Return what holds the picture at the first of some properties that has one, and its texture."""
        key = next((maps[name] for name in properties if name in maps), None)
        element = None if key is None else self._objects.element(key)
        if element is not None and element.node.name == "LayeredTexture":
            element = next(iter(self._objects.sources(element.key, "Texture")), None)
        if element is None:
            return None
        videos = self._objects.sources(element.key, "Video")
        return (videos[0] if videos else element), element

    def _texture(self, holder: Element, element: Element) -> Texture:
        number = self.pictures.number(
            holder.key, holder.name, holder.node, lambda: self._content(holder, element)
        )
        return Texture(number, wrap=_wrap(element))

    def _content(self, holder: Element, texture: Element) -> bytes:
        """Return the content of a picture: embedded, else in the file's folder or below it."""
        embedded = _embedded(holder.node)
        if embedded is not None:
            return embedded
        stated = _names(holder, texture)
        if not stated:
            raise holder.node.error("the picture has neither content nor a file name")
        # Where programs unpack embedded pictures to.
        unpacked = f"{self._path.stem}.fbm/{PureWindowsPath(stated[0]).name}"
        for reference in dict.fromkeys((*stated, unpacked)):
            try:
                return read_beside(holder.node, self._path, reference)
            except LoadError:
                continue
        return read_beside(holder.node, self._path, stated[0])


def _wrap(texture: Element) -> tuple[str, str]:
    u, v = (
        "clamp" if texture.integer(f"WrapMode{axis}", 0) == _CLAMP else "repeat" for axis in "UV"
    )
    return u, v


def _names(holder: Element, texture: Element) -> list[str]:
    """Return the file names that a picture states."""
    return [
        place.text()
        for element in (texture, holder)
        for name in ("RelativeFilename", "FileName", "Filename")
        if (place := element.node.child(name)) is not None and place.text()
    ]


def _file(holder: Element, texture: Element) -> Key | str:
    """Return what tells whether two pictures are the same."""
    return next(iter(_names(holder, texture)), holder.key)


def _colour(element: Element) -> tuple[float, float, float]:
    name = "DiffuseColor"
    if element.properties.get(name) is None:
        name = next((own for own in _COLOURS if element.states(own)), name)
    factor = element.number("DiffuseFactor", 1.0) if name == "DiffuseColor" else 1.0
    r, g, b = (_share(value * factor) for value in element.vector(name, 0.8))
    return r, g, b


def _embedded(node: Node) -> bytes | None:
    """Return the embedded file of a video; base64 in ASCII files."""
    place = node.child("Content")
    if place is None or not place.values:
        return None
    if isinstance(place.values[0], bytes):
        return place.values[0] or None
    text = "".join(value for value in place.values if isinstance(value, str))
    try:
        return base64.b64decode(text) or None
    except (binascii.Error, ValueError):
        raise place.error("the embedded picture is no base64") from None


def _alpha(element: Element) -> float:
    """Return opacity. Exporters disagree on what transparency states; none means nothing to see."""
    if element.states("Opacity"):
        alpha = element.number("Opacity", 1.0)
    else:
        colour = sum(element.vector("TransparentColor", 0.0)) / 3.0
        alpha = 1.0 - colour * element.number("TransparencyFactor", 0.0)
    return alpha if 0.0 < alpha < 1.0 else 1.0


def _share(value: float) -> float:
    """Return a number from 0 to 1; what is none counts as 0."""
    return 0.0 if math.isnan(value) else min(max(0.0, value), 1.0)
