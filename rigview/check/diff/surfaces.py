"""What meshes are drawn and skinned with: materials, their pictures, and the method a file asks for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from rigview.check.labels import part_label
from rigview.core.materials import Image, Material, Texture
from rigview.core.rig import Part, Rig


@dataclass(frozen=True)
class Statement:
    """What is said of a whole mesh, before and after; None where nothing is."""

    name: str
    before: str | None
    after: str | None


def _material(rig: Rig, part: Part) -> Material:
    number = rig.primitive(part).material
    return Material() if number is None else rig.materials[number]


def _method(rig: Rig, part: Part) -> str | None:
    return rig.primitive(part).method


def _material_name(rig: Rig, part: Part) -> str | None:
    return _material(rig, part).name or None


def _colour(rig: Rig, part: Part) -> str:
    return " ".join(f"{share:.3g}" for share in _material(rig, part).base_colour)


def _transparency(rig: Rig, part: Part) -> str:
    material = _material(rig, part)
    if material.alpha_mode == "MASK":
        return f"cut off below {material.alpha_cutoff:.3g}"
    return {"OPAQUE": "opaque", "BLEND": "blended"}[material.alpha_mode]


def _drawn(rig: Rig, part: Part) -> str:
    material = _material(rig, part)
    sides = "on both sides" if material.double_sided else "on one side"
    return f"{sides}, unlit" if material.unlit else sides


# One row per thing that is stated of a whole part; textures are compared by their pictures.
_STATED: tuple[tuple[str, Callable[[Rig, Part], str | None]], ...] = (
    ("name", part_label),
    ("skinning method", _method),
    ("material", _material_name),
    ("base colour", _colour),
    ("transparency", _transparency),
    ("drawn", _drawn),
)


class Surfaces:
    """The materials of two rigs; each pair of pictures is compared once."""

    def __init__(self, a: Rig, b: Rig) -> None:
        self._rigs = (a, b)
        self._same: dict[tuple[int, int], bool] = {}

    def statements(self, before: Part, after: Part) -> tuple[Statement, ...]:
        """Return what is stated of a part of either rig and is not the same."""
        a, b = self._rigs
        told = ((name, tell(a, before), tell(b, after)) for name, tell in _STATED)
        found = tuple(Statement(*row) for row in told if row[1] != row[2])
        return (*found, *self._texture(_material(a, before).texture, _material(b, after).texture))

    def _texture(self, first: Texture | None, second: Texture | None) -> Iterator[Statement]:
        a, b = (
            None if texture is None else _named(rig.images[texture.image], texture.image)
            for rig, texture in zip(self._rigs, (first, second), strict=True)
        )
        if first is None or second is None:
            if first is not second:
                yield Statement("texture", a, b)
        elif not self._is_same_picture(first.image, second.image):
            yield Statement("texture", a, b if a != b else f"another picture of the name {b}")
        elif _lie(first) != _lie(second):
            yield Statement("texture", a, f"{b}, laid otherwise")

    def _is_same_picture(self, a: int, b: int) -> bool:
        if (a, b) not in self._same:
            first, second = self._rigs[0].images[a], self._rigs[1].images[b]
            self._same[a, b] = np.array_equal(_pixels(first), _pixels(second))
        return self._same[a, b]


def _named(image: Image | None, number: int) -> str:
    return f"image {number}" if image is None or not image.name else image.name


def _pixels(image: Image | None) -> np.ndarray:
    return np.zeros(0) if image is None else image.pixels


def _lie(texture: Texture) -> tuple[object, ...]:
    return (texture.uv_set, texture.uv_transform, texture.wrap, texture.nearest)
