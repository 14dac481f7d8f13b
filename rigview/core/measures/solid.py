"""The volume that a mesh encloses, its seams welded and its holes closed."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, distinct_rows
from rigview.core.bones import box_diagonal

# Vertices nearer than this share of the size are one vertex that a texture seam has split.
WELD = 1e-7


def signed_volume(positions: FloatArray, triangles: IntArray) -> float:
    """Return the volume inside a closed surface of ``(F, 3)`` triangles, by the divergence theorem."""
    a, b, c = (positions[triangles[:, i]] for i in range(3))
    return float(np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0)


def closed_surface(positions: FloatArray, triangles: IntArray) -> IntArray:
    """Return ``(F, 3)`` triangles that bound a volume: seams welded, every hole closed by a fan.

    Vertices at the same place (to a ten-millionth of the size) count as one, since texture seams
    split them. The fan of a hole starts at one of the hole's own vertices, so it follows every
    deformation.
    """
    grid = WELD * box_diagonal(positions)
    first, place = distinct_rows(np.rint(positions / grid))
    welded = first[place][triangles] if len(triangles) else triangles
    edges = np.concatenate([welded[:, (0, 1)], welded[:, (1, 2)], welded[:, (2, 0)]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    # An edge inside the surface is used once in each direction; what is left over bounds a hole.
    key = edges[:, 0] * (len(positions) + 1) + edges[:, 1]
    back = edges[:, 1] * (len(positions) + 1) + edges[:, 0]
    # Not `isin`, which holds the interpreter.
    known = np.sort(key)
    at = np.minimum(np.searchsorted(known, back), max(len(known) - 1, 0))
    open_edges = edges[known[at] != back]
    fans = [
        (int(end), int(start), apex)
        for apex, loop in _loops(open_edges)
        for start, end in loop
        if apex not in (start, end)
    ]
    return np.concatenate([welded, np.array(fans, dtype=np.int64).reshape(-1, 3)])


def hole_count(fans: IntArray) -> int:
    """Return how many holes ``(n, 3)`` triangles close that `closed_surface` has added."""
    return len(np.unique(fans[:, 2]))


def _loops(edges: IntArray) -> list[tuple[int, list[tuple[int, int]]]]:
    """Group edges that hang together; each group with its lowest vertex."""
    parent: dict[int, int] = {}

    def find(vertex: int) -> int:
        root = vertex
        while parent.setdefault(root, root) != root:
            root = parent[root]
        while parent[vertex] != root:
            parent[vertex], vertex = root, parent[vertex]
        return root

    pairs = [(int(a), int(b)) for a, b in edges]
    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        parent[high] = low
    groups: dict[int, list[tuple[int, int]]] = {}
    for a, b in pairs:
        groups.setdefault(find(a), []).append((a, b))
    return list(groups.items())
