"""Materials: colour and maps of a UsdPreviewSurface."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pxr import Ar, Sdf, Usd, UsdGeom, UsdShade

from rigview.core.materials import Material, ScalarMap, Surface, Texture
from rigview.io.images import Pictures, Spot
from rigview.io.inputs import note
from rigview.io.reading import quoted
from rigview.io.usd.preview import Preview, TextureShader, preview_of, value_of
from rigview.io.usd.references import file_of, is_inside
from rigview.io.usd.scene import EARLIEST

_WRAPS = {"repeat": "repeat", "mirror": "mirror", "clamp": "clamp", "black": "clamp"}


@dataclass(eq=False)
class UsdMaterials:
    """The materials and images met so far, each once."""

    path: Path
    materials: list[Material] = field(default_factory=list)
    pictures: Pictures = field(default_factory=Pictures)
    _previews: dict[str, Preview] = field(default_factory=dict)
    _materials: dict[tuple[str, int, bool], int] = field(default_factory=dict)

    def bound(self, prim: Usd.Prim, shown: Usd.Prim, uvs: Sequence[str]) -> "PrimMaterial":
        """Return what a prim, or one of its subsets, shows.

        Parameters
        ----------
        prim
            The one that says from how many sides it is seen.
        shown
            It or its subset.
        uvs
            The names of its sets of texture coordinates.
        """
        material = _bound(shown)
        if not material:
            return PrimMaterial()
        path = str(material.GetPath())
        if path not in self._previews:
            self._previews[path] = preview_of(material)
        preview = self._previews[path]
        wanted = None if preview.picture is None else preview.picture.uv_name
        uv_set = uvs.index(wanted) if wanted in uvs else 0
        sides = bool(UsdGeom.Gprim(prim).GetDoubleSidedAttr().Get(EARLIEST))
        key = path, uv_set, sides
        if key not in self._materials:
            self._materials[key] = len(self.materials)
            name = material.GetPrim().GetName()
            self.materials.append(self._material(name, preview, uv_set, sides=sides))
        return PrimMaterial(self._materials[key], preview.shows_colours)

    def _material(self, name: str, preview: Preview, uv_set: int, *, sides: bool) -> Material:
        texture = None
        if preview.picture is not None:
            image = self._image(preview.picture.asset)
            texture = _texture(preview.picture, image, uv_set)
        return Material(
            name,
            (*preview.colour, preview.alpha),
            texture,
            preview.alpha_mode,
            preview.alpha_cutoff,
            sides,
            surface=self._surface(preview, uv_set),
        )

    def _surface(self, preview: Preview, uv_set: int) -> Surface:
        """Return metallic, roughness and the other maps; they lie on the coordinates of the colour."""
        found: dict[str, ScalarMap] = {}
        for name, (picture, channel) in preview.maps.pictures.items():
            asset = picture.asset
            spot = Spot(self.path, f"<{quoted(asset.path)}>")
            number = self.pictures.further(
                asset.path, asset.path, spot, partial(self._read, spot, asset)
            )
            if number is not None:
                found[name] = ScalarMap(_texture(picture, number, uv_set), channel)
        normal, glow = found.get("normal"), found.get("emissiveColor")
        return Surface(
            preview.maps.metallic,
            preview.maps.roughness,
            found.get("metallic"),
            found.get("roughness"),
            None if normal is None else normal.texture,
            1.0,
            found.get("occlusion"),
            1.0,
            preview.maps.emissive,
            None if glow is None else glow.texture,
        )

    def _image(self, asset: Sdf.AssetPath) -> int:
        spot = Spot(self.path, f"<{quoted(asset.path)}>")
        return self.pictures.number(asset.path, asset.path, spot, lambda: self._read(spot, asset))

    def _read(self, spot: Spot, asset: Sdf.AssetPath) -> bytes:
        if not asset.resolvedPath:
            raise spot.error("the image does not exist")
        if not is_inside(self.path.resolve().parent, asset.resolvedPath):
            raise spot.error("the image is outside the folder of the file")
        file = file_of(asset.resolvedPath)
        note(file)
        if not file.is_file():
            raise spot.error("the image is a device or a pipe, not a file")
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset.resolvedPath))
        if opened is None:
            raise spot.error("the image cannot be read")
        return bytes(opened.GetBuffer())


@dataclass(frozen=True)
class PrimMaterial:
    """The number of a material, if any, and whether the colours of the vertices show through."""

    material: int | None = None
    shows_colours: bool = True


def _texture(picture: TextureShader, image: int, uv_set: int) -> Texture:
    u, v = (_WRAPS.get(str(value_of(picture.shader, k)), "repeat") for k in ("wrapS", "wrapT"))
    rows = tuple((float(a), float(b), float(c)) for a, b, c in picture.uv_transform)
    return Texture(image, uv_set, rows, (u, v))


def uv_names(prim: Usd.Prim) -> list[str]:
    """Return the texture coordinates that the materials of a prim and its subsets lie on."""
    subsets = UsdGeom.Subset.GetAllGeomSubsets(UsdGeom.Imageable(prim))
    materials = filter(None, map(_bound, (prim, *(subset.GetPrim() for subset in subsets))))
    pictures = (preview_of(material).picture for material in materials)
    return [p.uv_name for p in pictures if p is not None and p.uv_name is not None]


def _bound(prim: Usd.Prim) -> UsdShade.Material:
    """Return what a viewport shows of a prim: its material for previews, else that for all."""
    purpose = UsdShade.Tokens.preview
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial(purpose)
    return material
