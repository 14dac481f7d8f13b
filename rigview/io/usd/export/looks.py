"""Materials as UsdPreviewSurface."""

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade

from rigview.core.materials import Material, Surface, Texture
from rigview.io.usd.export.names import PrimNames
from rigview.io.usd.export.plan import StagePlan

_TYPES = Sdf.ValueTypeNames
# USD's v points up, rigview's down.
_FLIP = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]])


class Looks:
    """The materials of a plan, each written when a mesh first shows it."""

    def __init__(self, stage: Usd.Stage, path: str, plan: StagePlan) -> None:
        self._stage, self._path, self._plan = stage, path, plan
        self._names = PrimNames()
        self._made: dict[int, UsdShade.Material] = {}

    def bind(self, mesh: UsdGeom.Mesh, number: int) -> None:
        """Show a material on a mesh."""
        if number not in self._made:
            self._made[number] = self._material(number, self._plan.materials[number])
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(self._made[number])

    def _material(self, number: int, planned: Material) -> UsdShade.Material:
        name = self._names.unique(planned.name or f"material_{number}")
        path = f"{self._path}/{name}"
        material = UsdShade.Material.Define(self._stage, path)
        surface = self._shader(f"{path}/Surface", "UsdPreviewSurface")
        material.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
        r, g, b, alpha = (float(v) for v in planned.base_colour)
        self._maps(path, surface, planned.surface)
        colour = surface.CreateInput("diffuseColor", _TYPES.Color3f)
        opacity = surface.CreateInput("opacity", _TYPES.Float)
        shader = None
        if planned.texture is not None and planned.texture.image in self._plan.images:
            shader = self._texture(f"{path}/BaseColour", planned.texture)
            shader.CreateInput("sourceColorSpace", _TYPES.Token).Set("sRGB")
            shader.CreateInput("scale", _TYPES.Float4).Set(Gf.Vec4f(r, g, b, alpha))
            self._connect(colour, shader)
        else:
            colour.Set(Gf.Vec3f(r, g, b))
        if planned.alpha_mode != "OPAQUE":
            if shader is not None:
                shader.CreateOutput("a", _TYPES.Float)
                opacity.ConnectToSource(shader.ConnectableAPI(), "a")
            else:
                opacity.Set(alpha)
        if planned.alpha_mode == "MASK":
            surface.CreateInput("opacityThreshold", _TYPES.Float).Set(planned.alpha_cutoff)
        return material

    def _maps(self, path: str, surface: UsdShade.Shader, planned: Surface) -> None:
        """Write metallic, roughness, occlusion, normals and emission."""
        for name, factor, scalar in (
            ("metallic", planned.metallic, planned.metallic_map),
            ("roughness", planned.roughness, planned.roughness_map),
            ("occlusion", 1.0, planned.occlusion_map),
        ):
            value = surface.CreateInput(name, _TYPES.Float)
            if scalar is None or scalar.texture.image not in self._plan.images:
                value.Set(float(factor))
                continue
            output = "rgba"[scalar.channel]
            shader = self._texture(f"{path}/{name.title()}", scalar.texture)
            shader.CreateInput("sourceColorSpace", _TYPES.Token).Set("raw")
            shader.CreateInput("scale", _TYPES.Float4).Set(Gf.Vec4f(float(factor)))
            shader.CreateOutput(output, _TYPES.Float)
            value.ConnectToSource(shader.ConnectableAPI(), output)
        normal, glow = planned.normal_map, planned.emissive_map
        if normal is not None and normal.image in self._plan.images:
            shader = self._texture(f"{path}/Normal", normal)
            shader.CreateInput("sourceColorSpace", _TYPES.Token).Set("raw")
            shader.CreateInput("scale", _TYPES.Float4).Set(Gf.Vec4f(2.0))
            shader.CreateInput("bias", _TYPES.Float4).Set(Gf.Vec4f(-1.0))
            self._connect(surface.CreateInput("normal", _TYPES.Normal3f), shader)
        emissive = surface.CreateInput("emissiveColor", _TYPES.Color3f)
        if glow is not None and glow.image in self._plan.images:
            shader = self._texture(f"{path}/Emissive", glow)
            shader.CreateInput("sourceColorSpace", _TYPES.Token).Set("sRGB")
            shader.CreateInput("scale", _TYPES.Float4).Set(Gf.Vec4f(*planned.emissive, 1.0))
            self._connect(emissive, shader)
        else:
            emissive.Set(Gf.Vec3f(*planned.emissive))

    def _connect(self, place: UsdShade.Input, shader: UsdShade.Shader) -> None:
        shader.CreateOutput("rgb", _TYPES.Float3)
        place.ConnectToSource(shader.ConnectableAPI(), "rgb")

    def _shader(self, path: str, kind: str) -> UsdShade.Shader:
        shader = UsdShade.Shader.Define(self._stage, path)
        shader.CreateIdAttr(kind)
        return shader

    def _texture(self, path: str, planned: Texture) -> UsdShade.Shader:
        shader = self._shader(path, "UsdUVTexture")
        file = self._plan.images[planned.image]
        shader.CreateInput("file", _TYPES.Asset).Set(Sdf.AssetPath(f"./{file}"))
        for name, wrap in zip(("wrapS", "wrapT"), planned.wrap, strict=True):
            shader.CreateInput(name, _TYPES.Token).Set(wrap)
        reader = self._shader(f"{path}_st", "UsdPrimvarReader_float2")
        primvar = "st" if planned.uv_set == 0 else f"st{planned.uv_set}"
        reader.CreateInput("varname", _TYPES.String).Set(primvar)
        reader.CreateOutput("result", _TYPES.Float2)
        matrix = _FLIP @ np.array(planned.uv_transform, dtype=np.float64) @ _FLIP
        if not np.allclose(matrix, np.eye(3)):
            reader = self._transformed(f"{path}_transform", reader, matrix)
        shader.CreateInput("st", _TYPES.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
        return shader

    def _transformed(
        self, path: str, reader: UsdShade.Shader, matrix: np.ndarray
    ) -> UsdShade.Shader:
        """Return translation · rotation · scale of texture coordinates."""
        shader = self._shader(path, "UsdTransform2d")
        sx, sy = (float(v) for v in np.linalg.norm(matrix[:2, :2], axis=0))
        if np.linalg.det(matrix[:2, :2]) < 0.0:
            sy = -sy
        angle = float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0])))
        shader.CreateInput("rotation", _TYPES.Float).Set(angle)
        shader.CreateInput("scale", _TYPES.Float2).Set(Gf.Vec2f(sx, sy))
        move = Gf.Vec2f(float(matrix[0, 2]), float(matrix[1, 2]))
        shader.CreateInput("translation", _TYPES.Float2).Set(move)
        shader.CreateInput("in", _TYPES.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
        shader.CreateOutput("result", _TYPES.Float2)
        return shader
