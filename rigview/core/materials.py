"""What surfaces look like: materials, their textures, and images, decoded when first looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from rigview.core.arrays import ByteArray, frozen

AlphaMode = Literal["OPAQUE", "MASK", "BLEND"]
# Shown in place of a damaged image: a texture of it changes no colour.
_WHITE = frozen("pixels", np.full((1, 1, 4), 255), (1, 1, 4), np.uint8)


@dataclass(frozen=True)
class Unread:
    """Something the rig opens without: where it stands in the file, and why it could not be read."""

    where: str
    reason: str


@dataclass(frozen=True, eq=False)
class Image:
    """A picture.

    Parameters
    ----------
    content
        ``(H, W, 4)`` sRGB bytes, the top row first; or what decodes them, or tells why it cannot.
    """

    name: str
    content: ByteArray | Callable[[], ByteArray | Unread]

    def decode(self) -> None:
        """Decode it now, where waiting does no harm."""
        self._decoded  # noqa: B018 - computed once

    @cached_property
    def _decoded(self) -> ByteArray | Unread:
        found = self.content() if callable(self.content) else self.content
        if isinstance(found, Unread):
            return found
        return frozen("pixels", found, (None, None, 4), np.uint8)

    @property
    def pixels(self) -> ByteArray:
        """``(H, W, 4)`` sRGB bytes, the top row first; one white pixel of a damaged image."""
        return _WHITE if isinstance(self._decoded, Unread) else self._decoded

    @property
    def unread(self) -> Unread | None:
        """Why the image cannot be decoded, or None where it can."""
        return self._decoded if isinstance(self._decoded, Unread) else None


@dataclass(frozen=True)
class Texture:
    """How an image lies on a surface: image number, UV set, 3×3 UV transform, wrap, filter."""

    image: int
    uv_set: int = 0
    uv_transform: tuple[tuple[float, float, float], ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    wrap: tuple[str, str] = ("repeat", "repeat")
    nearest: bool = False


@dataclass(frozen=True)
class Material:
    """What textured shading shows: base colour (linear RGBA), its texture, transparency, sides."""

    name: str = ""
    base_colour: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    texture: Texture | None = None
    alpha_mode: AlphaMode = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = False
    unlit: bool = False
