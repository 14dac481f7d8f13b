"""Effects: what the COMMON profile of a material says of its colour, transparency and texture."""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.collada.elements import child, children, tag, words
from rigview.io.collada.tree import ColladaDocument

_SHADERS = ("phong", "lambert", "blinn", "constant")
_WRAPS = {"WRAP": "repeat", "MIRROR": "mirror", "CLAMP": "clamp", "BORDER": "clamp"}
_WHITE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Effect:
    """A surface as a material states it.

    Parameters
    ----------
    alpha
        Opacity; None where that of the texture counts.
    picture
        The id of the image on it, which the file need not have.
    texcoord
        The effect's own word for the texture coordinates.
    emissive_map, normal_map
        The ids of the images of these.
    """

    colour: tuple[float, float, float] = _WHITE
    alpha: float | None = 1.0
    picture: str | None = None
    texcoord: str = ""
    uv_transform: FloatArray = field(default_factory=lambda: np.eye(3))
    wrap: tuple[str, str] = ("repeat", "repeat")
    nearest: bool = False
    double_sided: bool = False
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emissive_map: str | None = None
    normal_map: str | None = None

    @classmethod
    def of(cls, document: ColladaDocument, material: Element) -> "Effect":
        """Read the effect of a <material>; a plain white one where there is none."""
        instance = child(material, "instance_effect")
        url = None if instance is None else instance.get("url")
        profile = child(document.find(url, "effect"), "profile_COMMON")
        if profile is None:
            return cls()
        return _Profile(document, profile, instance).effect()


def is_double_sided(element: Element | None) -> bool:
    """Tell whether the notes of a program on an element say that it is seen from both sides."""
    techniques = children(child(element, "extra"), "technique")
    return any(words(child(technique, "double_sided")) == "1" for technique in techniques)


class _Profile:
    def __init__(
        self, document: ColladaDocument, profile: Element, instance: Element | None
    ) -> None:
        self._document, self._profile = document, profile
        found = [*children(profile, "newparam"), *children(child(profile, "technique"), "newparam")]
        self._params = {p.get("sid", ""): p for p in found}
        self._params |= {p.get("ref", ""): p for p in children(instance, "setparam")}
        self._shader = next(iter(children(child(profile, "technique"), *_SHADERS)), None)

    def effect(self) -> Effect:
        diffuse = child(self._shader, "diffuse")
        if diffuse is None and self._shader is not None and tag(self._shader) == "constant":
            diffuse = child(self._shader, "emission")
        r, g, b, _ = self._colour(diffuse) or (*_WHITE, 1.0)
        texture = child(diffuse, "texture")
        sides = is_double_sided(self._profile)
        glow, glow_map = self._emission()
        if texture is None:
            return Effect(
                (r, g, b),
                self._alpha(),
                double_sided=sides,
                emissive=glow,
                emissive_map=glow_map,
                normal_map=self._normal_map(),
            )
        sampler, picture = self._image(texture)
        cover = child(self._shader, "transparent", "texture")
        covers = cover is not None and self._image(cover)[1] == picture
        return Effect(
            (r, g, b),
            None if covers else self._alpha(),
            picture,
            texture.get("texcoord", ""),
            self._uv_transform(texture),
            (_wrap(sampler, "wrap_s"), _wrap(sampler, "wrap_t")),
            words(child(sampler, "magfilter")).startswith("NEAREST"),
            sides,
            glow,
            glow_map,
            self._normal_map(),
        )

    def _emission(self) -> tuple[tuple[float, float, float], str | None]:
        """Return the colour that a surface shines with, and the id of its image."""
        if self._shader is None or tag(self._shader) == "constant":
            return (0.0, 0.0, 0.0), None
        place = child(self._shader, "emission")
        texture = child(place, "texture")
        if texture is not None:
            return _WHITE, self._image(texture)[1]
        r, g, b, _ = self._colour(place) or (0.0, 0.0, 0.0, 1.0)
        return (r, g, b), None

    def _normal_map(self) -> str | None:
        """Return the id of the image of normals, which programs state beside the profile's shader."""
        for holder in (child(self._profile, "technique"), self._profile):
            for technique in children(child(holder, "extra"), "technique"):
                bump = child(technique, "bump")
                texture = child(bump, "texture")
                kind = "" if bump is None else bump.get("bumptype", "NORMALMAP")
                if texture is not None and kind.upper() == "NORMALMAP":
                    return self._image(texture)[1]
        return None

    def _numbers(self, place: Element | None, *names: str) -> list[float]:
        """Return what an element states under a name, itself or by a parameter."""
        found = next(iter(children(place, *names)), None)
        reference = child(place, "param")
        if found is None and reference is not None:
            found = next(iter(children(self._params.get(reference.get("ref", "")), *names)), None)
        return [] if found is None else self._document.numbers(found).tolist()

    def _colour(self, place: Element | None) -> tuple[float, float, float, float] | None:
        values = self._numbers(place, "color", "float4", "float3")
        if len(values) < 3:
            return None
        return values[0], values[1], values[2], values[3] if len(values) > 3 else 1.0

    def _alpha(self) -> float:
        """Return opacity (Collada 1.4.1, "Determining transparency"); none means nothing to see.

        Exporters disagree on what transparency states.
        """
        place = child(self._shader, "transparent")
        stated = self._numbers(child(self._shader, "transparency"), "float")
        if place is None and not stated:
            return 1.0
        r, g, b, a = self._colour(place) or (*_WHITE, 1.0)
        share = stated[0] if stated else 1.0
        kind = "A_ONE" if place is None else place.get("opaque", "A_ONE")
        seen = share * (a if kind.startswith("A_") else 0.212671 * r + 0.71516 * g + 0.072169 * b)
        alpha = 1.0 - seen if kind.endswith("_ZERO") else seen
        return alpha if 0.0 < alpha < 1.0 else 1.0

    def _image(self, texture: Element) -> tuple[Element | None, str]:
        """Follow a texture through its sampler and surface; return the sampler, and an image's id."""
        sid = texture.get("texture", "")
        sampler = child(self._params.get(sid), "sampler2D")
        if sampler is None:
            return None, sid
        direct = child(sampler, "instance_image")
        if direct is not None:
            return sampler, direct.get("url", "").removeprefix("#")
        surface = child(self._params.get(words(child(sampler, "source"))), "surface")
        return sampler, words(child(surface, "init_from"))

    def _uv_transform(self, texture: Element) -> FloatArray:
        """Return how often and where Maya and 3ds Max repeat a texture, as rigview's v points down."""
        result = np.eye(3)
        technique = child(texture, "extra", "technique")
        for axis, name in enumerate("UV"):
            for column, what in ((axis, "repeat"), (2, "offset")):
                stated = child(technique, f"{what}{name}")
                if words(stated) and stated is not None:
                    result[axis, column] = self._document.numbers(stated)[0]
        result[1, 2] = 1.0 - result[1, 1] - result[1, 2]
        return result


def _wrap(sampler: Element | None, name: str) -> str:
    return _WRAPS.get(words(child(sampler, name)), "repeat")
