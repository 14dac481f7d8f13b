"""What a UsdPreviewSurface looks like, read from its shaders (UsdPreviewSurface specification 2.6)."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pxr import Sdf, UsdShade

from rigview.core.arrays import FloatArray
from rigview.core.materials import AlphaMode

# Of a surface that states none.
_GREY = (0.18, 0.18, 0.18)
_WHITE = (1.0, 1.0, 1.0)
# USD's v points up, rigview's down.
_FLIP = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class TextureShader:
    """A UsdUVTexture.

    Parameters
    ----------
    shader
        Whose wraps are not read yet.
    factor
        What its red, green, blue and alpha are multiplied with.
    uv_name
        The primvar that it lies on, if it says so.
    uv_transform
        ``(3, 3)`` of rigview's coordinates.
    """

    shader: UsdShade.Shader
    asset: Sdf.AssetPath
    factor: tuple[float, float, float, float]
    uv_name: str | None
    uv_transform: FloatArray


@dataclass(frozen=True, eq=False)
class Maps:
    """What else a surface states: numbers, and pictures with the channel that counts.

    Parameters
    ----------
    pictures
        The input → its picture and channel, 0 (red) to 3 (alpha).
    """

    metallic: float = 0.0
    roughness: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pictures: dict[str, tuple[TextureShader, int]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Preview:
    """A surface: linear colour and opacity, or the picture that states them.

    Parameters
    ----------
    shows_colours
        Whether the colours of the vertices are part of it.
    """

    colour: tuple[float, float, float] = _WHITE
    alpha: float = 1.0
    picture: TextureShader | None = None
    alpha_mode: AlphaMode = "OPAQUE"
    alpha_cutoff: float = 0.5
    shows_colours: bool = True
    maps: Maps = field(default_factory=Maps)


def preview_of(material: UsdShade.Material) -> Preview:
    """Read the surface of a material; one of another kind shows nothing but the vertices' colours."""
    surface, _, _ = material.ComputeSurfaceSource()
    if not surface or surface.GetIdAttr().Get() != "UsdPreviewSurface":
        return Preview()
    diffuse, opacity = value_of(surface, "diffuseColor"), value_of(surface, "opacity")
    picture = _picture(diffuse)
    colour = picture.factor[:3] if picture is not None else _rgb(diffuse)
    alpha, blends = 1.0, False
    if isinstance(opacity, UsdShade.Shader):
        cover = _picture(opacity)
        # A material of rigview has no other picture of opacity than that of its colour.
        if cover is not None and picture is not None and cover.asset == picture.asset:
            alpha, blends = cover.factor[3], True
    elif isinstance(opacity, float) and math.isfinite(opacity):
        alpha, blends = opacity, opacity < 1.0
    threshold = value_of(surface, "opacityThreshold")
    cutoff = threshold if isinstance(threshold, float) else 0.0
    mode: AlphaMode = "OPAQUE"
    if blends:
        mode = "MASK" if cutoff > 0.0 else "BLEND"
    return Preview(
        colour,
        alpha,
        picture,
        mode,
        cutoff if mode == "MASK" else 0.5,
        _is_primvar(diffuse),
        _maps(surface),
    )


def _maps(surface: UsdShade.Shader) -> Maps:
    """Read everything but colour and opacity; a surface of the specular workflow has no metal."""
    pictures: dict[str, tuple[TextureShader, int]] = {}
    numbers = {"metallic": 0.0, "roughness": 0.5}
    specular = value_of(surface, "useSpecularWorkflow") == 1
    for name in ("metallic", "roughness", "normal", "occlusion", "emissiveColor"):
        if specular and name == "metallic":
            continue
        value = value_of(surface, name)
        picture = _picture(value)
        if picture is not None:
            pictures[name] = picture, _channel(surface, name)
            if name in numbers:
                numbers[name] = picture.factor[pictures[name][1]]
        elif name in numbers and isinstance(value, float) and math.isfinite(value):
            numbers[name] = min(max(value, 0.0), 1.0)
    glow = pictures.get("emissiveColor")
    stated = value_of(surface, "emissiveColor")
    r, g, b = (0.0, 0.0, 0.0)
    if glow is not None:
        r, g, b = glow[0].factor[:3]
    elif stated is not None and not isinstance(stated, UsdShade.Shader):
        r, g, b = _vector(stated, (0.0, 0.0, 0.0))
    return Maps(numbers["metallic"], numbers["roughness"], (r, g, b), pictures)


def _channel(surface: UsdShade.Shader, name: str) -> int:
    """Return which channel of a picture an input takes."""
    for source in surface.GetInput(name).GetValueProducingAttributes():
        output = str(source.GetName()).rpartition(":")[2]
        return max(0, "rgba".find(output)) if len(output) == 1 else 0
    return 0


def value_of(shader: UsdShade.Shader, name: str) -> Any:  # noqa: ANN401 - any USD value
    """Return the value of an input, or the shader that feeds it; None without any."""
    found = shader.GetInput(name)
    if not found:
        return None
    for source in found.GetValueProducingAttributes():
        holder = UsdShade.Shader(source.GetPrim())
        if UsdShade.Utils.GetType(source.GetName()) == UsdShade.AttributeType.Output and holder:
            return holder
        return source.Get()
    return None


def _is(value: object, kind: str) -> bool:
    return isinstance(value, UsdShade.Shader) and str(value.GetIdAttr().Get()).startswith(kind)


def _is_primvar(value: object) -> bool:
    return _is(value, "UsdPrimvarReader")


def _rgb(diffuse: Any) -> tuple[float, float, float]:  # noqa: ANN401 - any USD value
    """Return the colour that an input states; white of what is another shader's."""
    if diffuse is None:
        return _GREY
    if isinstance(diffuse, UsdShade.Shader):
        return _WHITE
    r, g, b = _vector(diffuse, _WHITE)
    return r, g, b


def _vector(value: Any, default: tuple[float, ...]) -> tuple[float, ...]:  # noqa: ANN401 - any USD value
    """Return as many numbers as the default has; it, of what is no such vector."""
    if getattr(value, "dimension", 0) < len(default):
        return default
    found = tuple(float(value[i]) for i in range(len(default)))
    return found if all(map(math.isfinite, found)) else default


def _picture(value: object) -> TextureShader | None:
    if not isinstance(value, UsdShade.Shader) or not _is(value, "UsdUVTexture"):
        return None
    asset = value_of(value, "file")
    if not isinstance(asset, Sdf.AssetPath):
        return None
    r, g, b, a = _vector(value_of(value, "scale"), (*_WHITE, 1.0))
    reader, transform = value_of(value, "st"), np.eye(3)
    if _is(reader, "UsdTransform2d"):
        transform = _FLIP @ _transform(reader) @ _FLIP
        reader = value_of(reader, "in")
    name = value_of(reader, "varname") if _is_primvar(reader) else None
    return TextureShader(value, asset, (r, g, b, a), None if name is None else str(name), transform)


def _transform(shader: UsdShade.Shader) -> FloatArray:
    """Return translation · rotation · scale of a UsdTransform2d."""
    turn = value_of(shader, "rotation")
    angle = math.radians(turn) if isinstance(turn, float) and math.isfinite(turn) else 0.0
    sx, sy = _vector(value_of(shader, "scale"), (1.0, 1.0))
    dx, dy = _vector(value_of(shader, "translation"), (0.0, 0.0))
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c * sx, -s * sy, dx], [s * sx, c * sy, dy], [0.0, 0.0, 1.0]])
