"""What surfaces look like: materials, their textures, and images, decoded when first looked at."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from rigview.core import memo
from rigview.core.arrays import ByteArray, frozen
from rigview.core.brief import brief_repr

AlphaMode = Literal["OPAQUE", "MASK", "BLEND"]
# Shown in place of a damaged image: a texture of it changes no colour.
_WHITE = frozen("pixels", np.full((1, 1, 4), 255), (1, 1, 4), np.uint8)


@dataclass(frozen=True)
class Unread:
    """Something the rig opens without: where it stands in the file, and why it could not be read.

    Parameters
    ----------
    what
        A part of a "material", without which the shape is whole, or "data" that the shape may need.
    """

    where: str
    reason: str
    what: Literal["material", "data"] = "data"


class Encoded(Protocol):
    """An image as a file holds it."""

    def decode(self) -> ByteArray | Unread:
        """Return ``(H, W, 4)`` sRGB bytes, the top row first, or why there are none."""

    def is_whole(self) -> bool:
        """Tell whether it is certain, at less cost, that it can be decoded."""


@dataclass(frozen=True, eq=False)
class Image:
    """A picture.

    Parameters
    ----------
    content
        ``(H, W, 4)`` sRGB bytes, the top row first; or what decodes them.
    """

    __repr__ = brief_repr

    name: str
    content: ByteArray | Encoded

    def decode(self) -> None:
        """Decode it now, where waiting does no harm."""
        self._decoded  # noqa: B018 - computed once

    @cached_property
    def _decoded(self) -> ByteArray | Unread:
        found = self.content if isinstance(self.content, np.ndarray) else self.content.decode()
        if isinstance(found, Unread):
            return found
        return frozen("pixels", found, (None, None, 4), np.uint8)

    @property
    def pixels(self) -> ByteArray:
        """``(H, W, 4)`` sRGB bytes, the top row first; one white pixel of a damaged image."""
        return _WHITE if isinstance(self._decoded, Unread) else self._decoded

    @property
    def unread(self) -> Unread | None:
        """Why the image cannot be decoded, or None where it can; it is decoded only in doubt."""
        if not memo.knows(self, "_decoded") and self._is_whole:
            return None
        return self._decoded if isinstance(self._decoded, Unread) else None

    @cached_property
    def _is_whole(self) -> bool:
        return isinstance(self.content, np.ndarray) or self.content.is_whole()


@dataclass(frozen=True)
class Texture:
    """How an image lies on a surface: image number, UV set, 3×3 UV transform, wrap, filter."""

    __repr__ = brief_repr

    image: int
    uv_set: int = 0
    uv_transform: tuple[tuple[float, float, float], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    wrap: tuple[str, str] = ("repeat", "repeat")
    nearest: bool = False


@dataclass(frozen=True)
class ScalarMap:
    """One channel of an image, 0 (red) to 3 (alpha), which states a number per point."""

    texture: Texture
    channel: int = 0


@dataclass(frozen=True)
class Surface:
    """How a surface reflects and shines: metallic and roughness, normals, occlusion, emission.

    Parameters
    ----------
    metallic, roughness
        0 to 1; they multiply their maps.
    normal_map
        Normals in tangent space, green pointing up, whose slope `normal_scale` multiplies.
    emissive
        Linear RGB, which multiplies its map.
    """

    metallic: float = 0.0
    roughness: float = 1.0
    metallic_map: ScalarMap | None = None
    roughness_map: ScalarMap | None = None
    normal_map: Texture | None = None
    normal_scale: float = 1.0
    occlusion_map: ScalarMap | None = None
    occlusion_strength: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emissive_map: Texture | None = None

    @property
    def textures(self) -> tuple[Texture, ...]:
        """All textures of its maps."""
        scalars = self.metallic_map, self.roughness_map, self.occlusion_map
        found = [scalar.texture for scalar in scalars if scalar is not None]
        return (*found, *(t for t in (self.normal_map, self.emissive_map) if t is not None))


@dataclass(frozen=True)
class Material:
    """What a mesh looks like: base colour (linear RGBA), its texture, transparency, sides, surface."""

    __repr__ = brief_repr

    name: str = ""
    base_colour: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    texture: Texture | None = None
    alpha_mode: AlphaMode = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    unlit: bool = False
    surface: Surface = Surface()

    @property
    def textures(self) -> tuple[Texture, ...]:
        """All its textures."""
        own = () if self.texture is None else (self.texture,)
        return (*own, *self.surface.textures)
