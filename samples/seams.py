"""Join nets: a strip between two open rims, a half and its mirror image."""

import numpy as np

from skeleton import MIRROR
from surface_nets import Array, Ints, Net, edges_of


def sewn(first: Net, second: Net, centre: Array, reach: float) -> Net:
    """Return two nets as one, the gap between their open rims closed by a strip of triangles.

    Parameters
    ----------
    centre, reach
        ``(3,)`` and metres: rims within this ball are meant. A rim that ends on the mirror plane is
        sewn from end to end.
    """
    points = np.concatenate([first.points, second.points])
    triangles = np.concatenate([first.triangles, second.triangles + len(first.points)])
    edges = _open_edges(triangles)
    on_plane = np.all(points[edges][:, :, 0] == 0.0, axis=1)
    near = np.all(np.sum((points[edges] - centre) ** 2, axis=2) < reach * reach, axis=1)
    edges = edges[near & ~on_plane]
    own = edges[:, 0] < len(first.points)
    strip = _strip(points, _rim(edges[own]), _rim(edges[~own])[::-1])
    return Net(points, np.concatenate([triangles, strip]))


def whole(half: Net) -> tuple[Net, Ints]:
    """Return a half with its mirror image, sewn along the plane x = 0.

    Returns
    -------
    The net, the half's vertices first, and ``(V,)`` the mirror image of every vertex.
    """
    count = len(half.points)
    side = np.flatnonzero(half.points[:, 0] != 0.0)
    image = np.arange(count)
    image[side] = count + np.arange(len(side))
    points = np.concatenate([half.points, half.points[side] * MIRROR])
    triangles = np.concatenate([half.triangles, image[half.triangles][:, ::-1]])
    return Net(points, triangles), np.concatenate([image, side])


def closed(net_: Net) -> Net:
    """Return a net after a look at its edges.

    Raises
    ------
    ValueError
        If some edge has other than two triangles. Where the surface grazes a plane of the grid a net
        may touch itself, and another offset of the grid helps.
    """
    _, counts = np.unique(np.sort(edges_of(net_.triangles), axis=1), axis=0, return_counts=True)
    if np.any(counts != 2):
        raise ValueError(f"net: wanted 2 triangles at every edge, got {np.unique(counts)}")
    return net_


def _rim(edges: Ints) -> list[int]:
    """Return the vertices of one rim in order; a closed one ends with its first vertex."""
    after = {int(a): int(b) for a, b in edges}
    starts = sorted(set(after) - set(after.values()))
    rim = [starts[0] if starts else min(after)]
    while rim[-1] in after and (len(rim) == 1 or rim[-1] != rim[0]):
        rim.append(after[rim[-1]])
    if len(rim) != len(edges) + 1:
        raise ValueError(f"edges: wanted one rim of {len(edges)}, got one of {len(rim) - 1}")
    return rim


def _strip(points: Array, rim: list[int], other: list[int]) -> Ints:
    """Return triangles between two rims that run the same way; the shorter rung comes next."""
    if rim[0] == rim[-1]:
        nearest = np.argmin(np.sum((points[other[:-1]] - points[rim[0]]) ** 2, axis=1))
        other = [*other[nearest:-1], *other[: nearest + 1]]
    triangles, i, j = [], 0, 0
    while i < len(rim) - 1 or j < len(other) - 1:
        a, b = rim[i], other[j]
        ahead = _distance(points, rim, i + 1, b)
        beside = _distance(points, other, j + 1, a)
        if ahead <= beside:
            triangles.append((rim[i + 1], a, b))
            i += 1
        else:
            triangles.append((b, other[j + 1], a))
            j += 1
    return np.array(triangles)


def _distance(points: Array, rim: list[int], place: int, vertex: int) -> float:
    if place >= len(rim):
        return float("inf")
    return float(np.sum((points[rim[place]] - points[vertex]) ** 2))


def _open_edges(triangles: Ints) -> Ints:
    """Return ``(n, 2)`` the edges that only one triangle has, in its direction."""
    edges = edges_of(triangles)
    key = np.sort(edges, axis=1)
    _, inverse, counts = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    return edges[counts[inverse.reshape(-1)] == 1]
