"""What USD's surfaces look like: UsdPreviewSurface as its specification states it."""

import numpy as np
import pytest

from rigview.core.materials import Texture
from rigview.io import load

pxr = pytest.importorskip("pxr", reason="needs rigview[usd]")
from pxr import Sdf, Usd, UsdGeom, UsdShade  # noqa: E402

CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]


class Square:
    """A square that shows a UsdPreviewSurface."""

    def __init__(self, path):
        self.stage = Usd.Stage.CreateNew(str(path))
        self.mesh = UsdGeom.Mesh.Define(self.stage, "/mesh")
        self.mesh.GetPointsAttr().Set([(x, y, 0) for x, y in CORNERS])
        self.mesh.GetFaceVertexCountsAttr().Set([4])
        self.mesh.GetFaceVertexIndicesAttr().Set([0, 1, 2, 3])
        self.binding = UsdShade.MaterialBindingAPI.Apply(self.mesh.GetPrim())
        material = UsdShade.Material.Define(self.stage, "/paint")
        self.binding.Bind(material)
        self.surface = self.shader("surface", "UsdPreviewSurface")
        output = self.surface.ConnectableAPI(), "surface"
        material.CreateSurfaceOutput().ConnectToSource(*output)

    def shader(self, name, kind, **inputs):
        found = UsdShade.Shader.Define(self.stage, f"/paint/{name}")
        found.CreateIdAttr(kind)
        for key, (type_, value) in inputs.items():
            made = found.CreateInput(key, getattr(Sdf.ValueTypeNames, type_))
            if isinstance(value, tuple) and isinstance(value[0], UsdShade.Shader):
                made.ConnectToSource(value[0].ConnectableAPI(), value[1])
            else:
                made.Set(value)
        return found

    def uvs(self, name, type_, values):
        primvars = UsdGeom.PrimvarsAPI(self.mesh)
        primvars.CreatePrimvar(name, getattr(Sdf.ValueTypeNames, type_), "vertex").Set(values)

    def shown(self):
        """Return the primitive as it is read, and its material."""
        self.stage.Save()
        rig = load(self.stage.GetRootLayer().realPath).rig
        (primitive,) = rig.meshes[0].primitives
        number = primitive.material
        return primitive, None if number is None else rig.materials[number]


@pytest.fixture
def square(tmp_path):
    return Square(tmp_path / "square.usda")


def test_a_surface_that_states_no_colour_is_grey_and_hides_the_vertices(square):
    square.mesh.CreateDisplayColorAttr([(1, 0, 0)])
    primitive, material = square.shown()
    assert material.name == "paint"
    assert material.base_colour == (0.18, 0.18, 0.18, 1.0)
    assert not material.double_sided
    assert primitive.colours is None


def test_without_a_material_the_prims_own_colour_is_shown(square):
    square.binding.UnbindAllBindings()
    square.mesh.CreateDisplayColorAttr([(1, 0, 0.5)])
    primitive, material = square.shown()
    assert material is None
    assert primitive.colours.tolist() == 4 * [[1.0, 0.0, 0.5, 1.0]]


def test_colours_of_vertices_are_shown_where_the_surface_reads_them(square):
    square.mesh.CreateDisplayColorAttr([(1, 0, 0)])
    reader = square.shader("reader", "UsdPrimvarReader_float3", varname=("String", "displayColor"))
    made = square.surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    made.ConnectToSource(reader.ConnectableAPI(), "result")
    primitive, material = square.shown()
    assert material.base_colour == (1.0, 1.0, 1.0, 1.0)
    assert primitive.colours[0].tolist() == [1.0, 0.0, 0.0, 1.0]


def textured(square, image, reader):
    """Lay a scaled picture on the coordinates of a reader, for colour and opacity."""
    place = square.shader(
        "place",
        "UsdTransform2d",
        **{"in": ("Float2", (reader, "result"))},
        rotation=("Float", 90.0),
        scale=("Float2", (2, 3)),
        translation=("Float2", (0.5, 0.25)),
    )
    picture = square.shader(
        "picture",
        "UsdUVTexture",
        file=("Asset", image),
        st=("Float2", (place, "result")),
        scale=("Float4", (0.5, 0.25, 1, 0.75)),
        wrapS=("Token", "mirror"),
    )
    for name, output, kind in (("diffuseColor", "rgb", "Color3f"), ("opacity", "a", "Float")):
        made = square.surface.CreateInput(name, getattr(Sdf.ValueTypeNames, kind))
        made.ConnectToSource(picture.ConnectableAPI(), output)


def test_a_picture_lies_where_its_shaders_put_it(square, tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    square.uvs("detail", "TexCoord2fArray", 4 * [(9, 9)])
    square.uvs("map1", "Float2Array", CORNERS)
    square.mesh.CreateDoubleSidedAttr(True)
    reader = square.shader("reader", "UsdPrimvarReader_float2", varname=("String", "map1"))
    textured(square, "pixel.png", reader)
    primitive, material = square.shown()
    assert material.base_colour == (0.5, 0.25, 1.0, 0.75)
    assert (material.alpha_mode, material.double_sided) == ("BLEND", True)
    texture = material.texture
    assert (texture.image, texture.wrap) == (0, ("mirror", "repeat"))
    found = np.c_[primitive.uvs[texture.uv_set], np.ones(4)] @ np.array(texture.uv_transform).T
    # Scaled, turned and moved as v points up: (u, v) → (0.5 − 3 v, 0.25 + 2 u).
    wanted = [(0.5 - 3 * v, 1 - (0.25 + 2 * u)) for u, v in CORNERS]
    np.testing.assert_allclose(found[:, :2], wanted, atol=1e-7)


def test_a_threshold_cuts_what_the_picture_makes_transparent(square, tmp_path, pixel):
    (tmp_path / "pixel.png").write_bytes(pixel)
    square.uvs("st", "TexCoord2fArray", CORNERS)
    reader = square.shader("reader", "UsdPrimvarReader_float2", varname=("Token", "st"))
    textured(square, "pixel.png", reader)
    square.surface.CreateInput("opacityThreshold", Sdf.ValueTypeNames.Float).Set(0.25)
    _, material = square.shown()
    assert (material.alpha_mode, material.alpha_cutoff) == ("MASK", 0.25)
    assert isinstance(material.texture, Texture)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("kind", "value"),
    [("Float", 0.5), ("Token", "red"), ("Color3f", (np.nan, 0, 0)), ("Float2", (1, 2))],
)
def test_what_is_no_colour_is_white(square, kind, value):
    name = "diffuseColor"
    square.surface.CreateInput(name, getattr(Sdf.ValueTypeNames, kind)).Set(value)
    square.surface.CreateInput("opacity", Sdf.ValueTypeNames.Float).Set(np.inf)
    _, material = square.shown()
    assert material.base_colour == (1.0, 1.0, 1.0, 1.0)
    assert material.alpha_mode == "OPAQUE"
