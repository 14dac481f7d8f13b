"""Materials: the diffuse colour or texture of a UsdPreviewSurface."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pxr import Ar, Sdf, Usd, UsdShade

from rigview.core.materials import Image, Material, Texture, Unread
from rigview.io.allowance import Allowance
from rigview.io.images import ANY, Spot, allowance, picture
from rigview.io.reading import LoadError, quoted
from rigview.io.usd.stage import is_inside

_WRAPS = {"repeat": "repeat", "mirror": "mirror", "clamp": "clamp", "black": "clamp"}


@dataclass(eq=False)
class Materials:
    """The materials and images met so far, each once."""

    path: Path
    materials: list[Material] = field(default_factory=list)
    images: list[Image | None] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    _materials: dict[str, int] = field(default_factory=dict)
    _images: dict[str, int] = field(default_factory=dict)
    _allowance: Allowance = field(default_factory=allowance)

    def bound(self, prim: Usd.Prim) -> int | None:
        """Return the number of the material that a prim or subset shows, if any."""
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        if not material:
            return None
        name = str(material.GetPath())
        if name not in self._materials:
            self._materials[name] = len(self.materials)
            self.materials.append(self._material(material))
        return self._materials[name]

    def _material(self, material: UsdShade.Material) -> Material:
        name = material.GetPrim().GetName()
        shader, _, _ = material.ComputeSurfaceSource()
        if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
            return Material(name)
        value = _value(shader, "diffuseColor")
        opacity = _value(shader, "opacity")
        alpha = float(opacity) if isinstance(opacity, float) else 1.0
        colour = (1.0, 1.0, 1.0, alpha)
        texture = None
        if isinstance(value, UsdShade.Shader):
            texture = self._texture(value)
        elif value is not None:
            colour = (float(value[0]), float(value[1]), float(value[2]), alpha)
        mode = "BLEND" if alpha < 1.0 else "OPAQUE"
        return Material(name, colour, texture, "BLEND" if mode == "BLEND" else "OPAQUE")

    def _texture(self, shader: UsdShade.Shader) -> Texture | None:
        if shader.GetIdAttr().Get() != "UsdUVTexture":
            return None
        asset = _value(shader, "file")
        if not isinstance(asset, Sdf.AssetPath):
            return None
        wraps = [_WRAPS.get(str(_value(shader, key)), "repeat") for key in ("wrapS", "wrapT")]
        return Texture(self._image(asset), wrap=(wraps[0], wraps[1]))

    def _image(self, asset: Sdf.AssetPath) -> int:
        if asset.path not in self._images:
            self._images[asset.path] = len(self.images)
            spot = Spot(self.path, f"<{quoted(asset.path)}>")
            try:
                content = picture(spot, self._read(spot, asset), self._allowance, ANY)
                self.images.append(Image(asset.path, content))
            except LoadError as error:
                self.unread.append(Unread(error.where, error.reason))
                self.images.append(None)
        return self._images[asset.path]

    def _read(self, spot: Spot, asset: Sdf.AssetPath) -> bytes:
        if not asset.resolvedPath:
            raise spot.error("the image does not exist")
        if not is_inside(self.path.resolve().parent, asset.resolvedPath):
            raise spot.error("the image is outside the folder of the file")
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset.resolvedPath))
        if opened is None:
            raise spot.error("the image cannot be read")
        return bytes(opened.GetBuffer())


def _value(shader: UsdShade.Shader, name: str) -> Any:  # noqa: ANN401 - any USD value
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
