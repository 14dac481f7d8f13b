"""Geometries: the primitives of a <mesh>, each corner's indices made one vertex."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.collada.elements import child, children, tag, title
from rigview.io.collada.tree import ColladaDocument, Input
from rigview.io.colours import linear
from rigview.io.reading import LoadError, quoted

_KINDS = (
    "triangles",
    "polylist",
    "polygons",
    "tristrips",
    "trifans",
    "lines",
    "linestrips",
)
# Inputs whose own indices part vertices.
_PARTING = ("VERTEX", "NORMAL", "TEXCOORD", "COLOR")
_MOST_UV_SETS = 8


@dataclass(frozen=True, eq=False)
class UnboundPrimitive:
    """One primitive before it is bound to a skin or a material.

    Parameters
    ----------
    control
        ``(V,)`` the position index that each vertex came from.
    positions
        ``(V, 3)`` in the file's unit and axes.
    uv_sets
        The file's numbers of the texture coordinates.
    """

    symbol: str
    control: IntArray
    positions: FloatArray
    triangles: IntArray
    lines: IntArray
    normals: FloatArray | None
    uvs: dict[int, FloatArray]
    uv_sets: list[int]
    colours: FloatArray | None


def control_points(document: ColladaDocument, geometry: Element) -> FloatArray:
    """Return ``(P, 3)`` all positions of a geometry."""
    mesh = child(geometry, "mesh")
    if mesh is None:
        return np.zeros((0, 3))
    return _wide(document, document.source(document.need(mesh, "vertices"), "POSITION"), 3, 3)


def surfaces(document: ColladaDocument, geometry: Element) -> list[UnboundPrimitive]:
    """Return the primitives of a geometry; none of one that is no mesh."""
    mesh, name = child(geometry, "mesh"), quoted(title(geometry) or "without name")
    if mesh is None:
        document.notes.append(f"the geometry {name} is no mesh and is not shown")
        return []
    for element in mesh:
        if tag(element) not in (*_KINDS, "source", "vertices", "extra"):
            document.notes.append(f"<{tag(element)}> of {name} is not shown")
    return [_surface(document, p) for p in children(mesh, *_KINDS)]


def _wide(document: ColladaDocument, source: Element, least: int, most: int) -> FloatArray:
    """Return the first columns of a source, as many as there are of those wanted."""
    rows = document.rows(source, least)
    if not len(rows):
        return np.zeros((0, least))
    if rows.shape[1] < least:
        raise document.error(
            source, f"wanted {least} numbers for each element, not {rows.shape[1]}"
        )
    return rows[:, :most]


def _surface(document: ColladaDocument, element: Element) -> UnboundPrimitive:
    inputs = document.inputs(element)
    stride = document.stride(element)
    vertex = next((i for i in inputs if i.semantic == "VERTEX"), None)
    if vertex is None or tag(vertex.source) != "vertices":
        raise document.error(element, "there is no input VERTEX")
    # What <vertices> lists is indexed by VERTEX's own index.
    inputs += [
        Input(i.semantic, i.source, vertex.offset, i.set_) for i in document.inputs(vertex.source)
    ]
    corners, triangles, lines = _topology(document, element, stride)
    positions = _wide(document, document.source(vertex.source, "POSITION"), 3, 3)
    used = sorted({i.offset for i in inputs if i.semantic in _PARTING})
    unique, of_corner = np.unique(corners[:, used], axis=0, return_inverse=True)
    of_corner = of_corner.reshape(-1)

    def values(found: Input, least: int, most: int | None = None) -> FloatArray:
        rows = _wide(document, found.source, least, most or least)
        index = unique[:, used.index(found.offset)]
        if len(index) and not 0 <= int(index.min()) <= int(index.max()) < len(rows):
            wrong = int(index.max()) if int(index.max()) >= len(rows) else int(index.min())
            raise document.error(
                element, f"{found.semantic} {wrong} does not exist: there are {len(rows)}"
            )
        return rows[index]

    control = unique[:, used.index(vertex.offset)]
    normals, colours = None, None
    uvs: dict[int, FloatArray] = {}
    uv_sets: list[int] = []
    for found in inputs:
        try:
            if found.semantic == "NORMAL" and normals is None:
                normals = values(found, 3)
            elif found.semantic == "TEXCOORD" and len(uvs) < _MOST_UV_SETS:
                # Collada's v points up, rigview's down.
                uvs[len(uvs)] = values(found, 2) * (1.0, -1.0) + (0.0, 1.0)
                uv_sets.append(found.set_)
            elif found.semantic == "COLOR" and colours is None:
                # Programs state them as they show them, many without alpha.
                rgb = values(found, 3, 4)
                colours = linear(np.concatenate([rgb, np.ones((len(rgb), 1))], axis=1)[:, :4])
        except LoadError as error:
            # Only shading reads them: all else can be shown without.
            document.bear(element, f"the input {found.semantic} is left out: {error.reason}")
    place = Input("POSITION", document.source(vertex.source, "POSITION"), vertex.offset, 0)
    return UnboundPrimitive(
        element.get("material", ""),
        control,
        values(place, 3) if len(unique) else positions[:0],
        of_corner[triangles],
        of_corner[lines],
        normals,
        uvs,
        uv_sets,
        colours,
    )


def _topology(
    document: ColladaDocument, element: Element, stride: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return ``(C, stride)`` indices of all corners, and triangles and lines as corner numbers."""
    kind = tag(element)
    lists = children(element, "p")
    lists += [p for ph in children(element, "ph") for p in children(ph, "p")[:1]]
    if children(element, "ph"):
        document.notes.append("holes in polygons are filled")
    parts = [document.integers(p) for p in lists]
    for p, part in zip(lists, parts, strict=True):
        if len(part) % stride:
            raise document.error(p, f"{len(part)} indices are no multiple of {stride}")
    joined = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    corners = joined.reshape(-1, stride)
    lengths = np.array([len(part) // stride for part in parts], dtype=np.int64)
    if kind == "polylist":
        text = child(element, "vcount")
        lengths = np.zeros(0, dtype=np.int64) if text is None else document.integers(text)
        if len(lengths) and (int(lengths.min()) < 0 or int(lengths.sum()) > len(corners)):
            raise document.error(element, f"vcount asks for more than the {len(corners)} corners")
    none3, none2 = np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)
    if kind == "triangles":
        return corners, np.arange(len(corners) // 3 * 3).reshape(-1, 3), none2
    if kind == "lines":
        return corners, none3, np.arange(len(corners) // 2 * 2).reshape(-1, 2)
    if kind == "linestrips":
        return corners, none3, _pieces(lengths, 2)
    if kind == "tristrips":
        strips = _pieces(lengths, 3)
        # Every second triangle of a strip winds the other way.
        odd = (strips[:, 0] - np.repeat(np.cumsum(lengths) - lengths, lengths.clip(2) - 2)) % 2 == 1
        strips[odd] = strips[odd][:, [0, 2, 1]]
        return corners, strips, none2
    pieces = _pieces(lengths, 3)
    starts = np.repeat(np.cumsum(lengths) - lengths, np.maximum(0, lengths - 2))
    pieces[:, 0] = starts
    return corners, pieces, none2


def _pieces(lengths: IntArray, size: int) -> IntArray:
    """Return ``(n, size)`` runs of following corners within lists of the given lengths."""
    count = np.maximum(0, lengths - size + 1)
    starts = np.repeat(np.cumsum(lengths) - lengths, count)
    within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    return (starts + within)[:, None] + np.arange(size)
