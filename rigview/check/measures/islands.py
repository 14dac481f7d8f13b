"""Islands of weight: regions of a joint that are a few vertices large and apart from its others."""

from dataclasses import dataclass

import numpy as np

from rigview.check.measures.surface import around, edges_of, region_sizes, welded
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.measures.solid import WELD
from rigview.core.mesh import Influences, Primitive
from rigview.core.numeric import row_ops

# The corners of a triangle at which its edges begin and end, both ways round.
_EDGES = np.array([[0, 1, 2, 1, 2, 0], [1, 2, 0, 0, 1, 2]])

# Places of a mesh, and for each the column of a joint that it is asked about.
_Asked = tuple[IntArray, IntArray]


def on_islands(
    primitive: Primitive,
    influences: Influences,
    vertices: IntArray,
    joints: IntArray,
    shows: float,
    size: int,
) -> BoolArray:
    """Return ``(n,)`` which vertices lie in a region of a joint with fewer vertices than a size.

    A joint's largest region is no island, and neither is one on a piece of mesh that small.

    Parameters
    ----------
    influences
        Of the primitive: no vertex names a joint twice.
    vertices, joints
        ``(n,)`` which vertices are asked about which joints.
    shows
        The weights above it make the regions.
    """
    named = np.flatnonzero(np.bincount(joints))
    columns = np.searchsorted(named, joints)
    corners = np.ascontiguousarray(primitive.triangles.T)
    result = np.zeros(len(vertices), dtype=np.bool_)
    doubtful = np.arange(len(vertices))
    # What lies around settles most, and what lies around that most of the others.
    for steps in (1, 2):
        near, patch = _around(corners, len(primitive.positions), vertices.take(doubtful), steps)
        if 2 * patch.shape[1] < corners.shape[1]:
            welds = _Welds.of(primitive, influences, named, shows, near, patch)
            asked = welds.place.take(vertices.take(doubtful)), columns.take(doubtful)
            doubtful = doubtful[_few_around(welds, asked, size)]
            if not len(doubtful):
                return result
    every = np.arange(len(primitive.positions))
    welds = _Welds.of(primitive, influences, named, shows, every, corners)
    asked = welds.place.take(vertices.take(doubtful)), columns.take(doubtful)
    doubtful = doubtful[_few_around(welds, asked, size)]
    asked = welds.place.take(vertices.take(doubtful)), columns.take(doubtful)
    shown = welds.held[asked]
    doubtful, asked = doubtful[shown], (asked[0][shown], asked[1][shown])
    if not len(doubtful):
        return result
    lonely, column = np.unique(asked[1], return_inverse=True)
    heaviest = [_heaviest_vertex(influences, joint, shows) for joint in named[lonely].tolist()]
    apart = _lie_apart(welds.only(lonely), (asked[0], column), welds.place[heaviest], size)
    if np.any(apart):
        large = _on_large_pieces(welds.corners, len(welds.held), asked[0][apart], 2 * size)
        apart[apart] = large
    result[doubtful] = apart
    return result


def _around(
    corners: IntArray, number: int, vertices: IntArray, steps: int
) -> tuple[IntArray, IntArray]:
    """Return which of so many vertices some reach in so many steps, ascending, and the triangles there."""
    near = np.zeros(number, dtype=np.bool_)
    near[vertices] = True
    patch = around(corners, near, steps)
    near[patch] = True
    return np.flatnonzero(near), patch


def shown(influences: Influences, joint: int, shows: float) -> BoolArray:
    """Return ``(V,)`` which vertices a joint shows on."""
    return row_ops.any_of((influences.joints == joint) & (influences.weights > shows))


def meeting(points: FloatArray, others: FloatArray) -> tuple[IntArray, IntArray]:
    """Return which of ``(n, 3)`` points have one of ``(m, 3)`` others at their place, and which that is.

    All at a place are named by the first of them among the points.
    """
    grid = WELD * box_diagonal(points)
    first = welded(np.concatenate([points, others]), grid)[len(points) :]
    there = np.flatnonzero(first < len(points))
    return first[there], there


def reached(primitive: Primitive, held: BoolArray, start: BoolArray, steps: int) -> BoolArray:
    """Return ``(V,)`` which vertices of a region can be reached in so few steps from some of them.

    Parameters
    ----------
    held, start
        ``(V,)`` the vertices of the region, and where to start; of vertices at one place the first
        one may stand for all.
    """
    place = welded(primitive.positions, WELD * box_diagonal(primitive.box))
    corners = np.ascontiguousarray(place[primitive.triangles].T)
    here = np.zeros(len(held), dtype=np.bool_)
    here[place[held]] = True
    found = np.zeros(len(held), dtype=np.bool_)
    found[place[start]] = True
    found &= here
    for _ in range(steps):
        patch = around(corners, found, 1)
        found[patch] = True
        found &= here
    result: BoolArray = found[place] & held
    return result


@dataclass(frozen=True, eq=False)
class _Welds:
    """Some vertices of a mesh, where those at one place are one, and the joints that show there.

    Parameters
    ----------
    place
        ``(V,)`` the place of each vertex of the mesh; any for the others.
    corners
        ``(3, F)`` places, of the triangles between these vertices.
    held
        ``(n, J)`` which of some joints show at each place.
    """

    place: IntArray
    corners: IntArray
    held: BoolArray

    @classmethod
    def of(
        cls,
        primitive: Primitive,
        influences: Influences,
        joints: IntArray,
        shows: float,
        vertices: IntArray,
        corners: IntArray,
    ) -> "_Welds":
        """Weld some vertices ``(n,)``, ascending, and triangles ``(3, F)`` between them."""
        grid = WELD * box_diagonal(primitive.box)
        first = welded(primitive.positions.take(vertices, axis=0), grid)
        place = np.zeros(len(primitive.positions), dtype=np.int64)
        place[vertices] = first
        # All joints beyond those asked about share the last entry.
        column = np.full(joints[-1] + 2, -1)
        column[joints] = np.arange(len(joints))
        columns = column.take(influences.joints.take(vertices, axis=0), mode="clip")
        shown = (influences.weights.take(vertices, axis=0) > shows) & (columns >= 0)
        slots = np.flatnonzero(shown)
        at = first.take(slots // columns.shape[1]) * len(joints) + columns.reshape(-1).take(slots)
        held = np.zeros((len(vertices), len(joints)), dtype=np.bool_)
        held.reshape(-1)[at] = True
        return cls(place, place.take(corners), held)

    def only(self, columns: IntArray) -> "_Welds":
        """Return the same with some of the joints."""
        return _Welds(self.place, self.corners, self.held[:, columns])


def _heaviest_vertex(influences: Influences, joint: int, shows: float) -> int:
    """Return the vertex on which a joint weighs most; the first of all for one that shows on none."""
    weights = np.where(influences.joints == joint, influences.weights, 0.0)
    number = int(np.argmax(weights))
    return number // weights.shape[1] if weights.reshape(-1)[number] > shows else 0


def _few_around(welds: _Welds, asked: _Asked, size: int) -> IntArray:
    """Return which of some places may stand in a region of fewer than `size`, ascending.

    Who makes `size` with its neighbours, or hangs together with one that does, stands on no island,
    however far that reaches.
    """
    places, columns = asked
    row, other = _company(welds, asked)
    few = np.bincount(row, minlength=len(places)) < size - 1
    open_ = np.flatnonzero(few.take(row))
    row, other = row.take(open_), other.take(open_)
    if len(row):
        beyond, _ = _company(welds, (other, columns.take(row)))
        few[row[np.bincount(beyond, minlength=len(other)) >= size - 1]] = False
    return np.flatnonzero(few)


def _company(welds: _Welds, asked: _Asked) -> tuple[IntArray, IntArray]:
    """Return the neighbours that places have in the regions of joints: for each whose it is, and where."""
    (places, columns), held = asked, welds.held
    among = np.zeros(len(held), dtype=np.bool_)
    among[places] = True
    corners = around(welds.corners, among, 1)
    source, other = (corners[order, :].reshape(-1) for order in _EDGES)
    here = np.flatnonzero(among.take(source) & (source != other))
    bits = len(held).bit_length()
    code = np.sort((source.take(here) << bits) + other.take(here))
    code = code.take(np.flatnonzero(np.concatenate([[True], code[1:] != code[:-1]])[: len(code)]))
    source, other = code >> bits, code & ((1 << bits) - 1)
    # The neighbours of each place stand side by side.
    many = np.bincount(source, minlength=len(held))
    end, number = np.cumsum(many).take(places), many.take(places)
    row = np.repeat(np.arange(len(places)), number)
    neighbours = other.take(np.arange(len(row)) + (end - np.cumsum(number)).take(row))
    asked_of = neighbours * held.shape[1] + columns.take(row)
    holds = np.flatnonzero(held.reshape(-1).take(asked_of))
    return row.take(holds), neighbours.take(holds)


def _lie_apart(welds: _Welds, asked: _Asked, seeds: IntArray, size: int) -> BoolArray:
    """Return ``(n,)`` which places lie in a region of fewer than `size` that is not their joint's largest.

    Parameters
    ----------
    seeds
        ``(J,)`` where the largest region of each joint is likely to be: where it weighs most.
    """
    (places, columns), held, corners = asked, welds.held, welds.corners
    near = np.zeros(len(held), dtype=np.bool_)
    near[places] = near[seeds] = True
    # What can be reached in so few steps tells, unless no region there is large.
    patch = around(corners, near, size - 1)
    near[patch] = True
    here, local = np.flatnonzero(near), np.zeros(len(held), dtype=np.int64)
    local[here] = np.arange(len(here))
    sizes = _sizes(held[here], local.take(patch))
    own, largest = sizes[local[places], columns], sizes.max(axis=0)
    for column in np.flatnonzero(largest < size):
        whole = _sizes(held[:, column : column + 1], corners)[:, 0]
        largest[column] = whole.max()
        own = np.where(columns == column, whole[places], own)
    apart: BoolArray = own < np.minimum(largest, size)[columns]
    return apart


def _sizes(held: BoolArray, corners: IntArray) -> IntArray:
    """Return ``(V, J)`` how many places of each joint hang together with each; 1 where not held.

    Parameters
    ----------
    held
        ``(V, J)``.
    corners
        ``(3, F)``.
    """
    joints = held.shape[1]
    a, b = edges_of(corners)
    edge, joint = np.nonzero(held[a] & held[b])
    within = np.stack([a.take(edge), b.take(edge)]) * joints + joint
    return region_sizes(held.size, within).reshape(held.shape)


def _on_large_pieces(corners: IntArray, number: int, places: IntArray, size: int) -> BoolArray:
    """Return ``(n,)`` which of some places lie on pieces of mesh of that size at least."""
    near = np.zeros(number, dtype=np.bool_)
    near[places] = True
    # Two steps reach enough places of most meshes, and so many enough of all.
    large = np.zeros(len(places), dtype=np.bool_)
    for steps in (2, size - 1):
        if not large.all():
            sizes = region_sizes(number, edges_of(around(corners, near, steps)))
            large = sizes[places] >= size
    return large
