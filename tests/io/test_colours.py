"""Colours of vertices are linear, whatever the file states."""

import fbx_documents as fbx
import numpy as np
import pytest
from test_collada_materials import square

from rigview.io import load
from rigview.io.colours import linear

# The curve of IEC 61966-2-1, by hand: a straight foot, and middle grey.
SHOWN = [[0.0, 0.04, 0.5, 0.5], [1.0, 2.0, 0.735357, 1.0], [0.0, 0.0, 0.0, 0.0]]
LINEAR = [[0.0, 0.04 / 12.92, 0.214041, 0.5], [1.0, 2.0, 0.5, 1.0], [0.0, 0.0, 0.0, 0.0]]


def test_colours_follow_the_curve_of_srgb():
    np.testing.assert_allclose(linear(np.array(SHOWN)), LINEAR, atol=1e-6)


@pytest.fixture
def collada(tmp_path):
    numbers = " ".join(str(v) for row in SHOWN for v in row)
    colours = (
        f'<source id="c"><float_array id="c-a" count="12">{numbers}</float_array><technique_common>'
        '<accessor source="#c-a" count="3" stride="4"/></technique_common></source>'
    )
    square(tmp_path, "<diffuse/>")
    path = tmp_path / "square.dae"
    text = path.read_text().replace("<vertices ", f"{colours}<vertices ")
    text = text.replace("<p>", '<input semantic="COLOR" source="#c" offset="0"/><p>')
    path.write_text(text)
    return path


@pytest.fixture
def document(tmp_path):
    objects = fbx.model(1, "mesh", "Mesh") + 'Geometry: 2, "Geometry::", "Mesh" {\n'
    objects += fbx.row("Vertices", [0, 0, 0, 1, 0, 0, 0, 1, 0])
    objects += fbx.whole("PolygonVertexIndex", [0, 1, -3])
    objects += 'LayerElementColor: 0 {\nMappingInformationType: "ByPolygonVertex"\n'
    objects += (
        'ReferenceInformationType: "Direct"\n' + fbx.row("Colors", np.ravel(SHOWN)) + "}\n}\n"
    )
    path = tmp_path / "mesh.fbx"
    path.write_bytes(fbx.document(objects, 'C: "OO",1,0\nC: "OO",2,1\n'))
    return path


@pytest.mark.parametrize("form", ["collada", "document"])
def test_what_a_program_shows_becomes_linear(form, request):
    (primitive,) = load(request.getfixturevalue(form)).rig.meshes[0].primitives
    order = np.argsort(primitive.positions @ [1, 2, 0])
    np.testing.assert_allclose(primitive.colours[order], LINEAR, atol=1e-6)
