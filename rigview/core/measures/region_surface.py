"""The skin of joint regions against the bind pose: stretched edges, areas, volume and flipped faces.

All lengths are taken in the size that the joints of a region have in the pose, so that a character that is
scaled as a whole, or a joint that is scaled on purpose, stretches nothing.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.measures import grouped
from rigview.core.measures.joint_regions import JointRegion, RegionRows, Regions
from rigview.core.numeric import axis_major

# Edges shorter than this share of ρ, and faces smaller than its square, are rounding of float32 files.
_SHORTEST = 1e-4
# One value in a hundred may be worse: a seam's sliver or a single vertex of a large region.
MOST = 0.99
# Below this cosine against the mean of its neighbours a face is looked at closely.
_SUSPECT = 0.3
# A neighbourhood crushed to a line, by the ratio of its singular values, has no rotation.
_LINE = 1e-3


@dataclass(frozen=True, eq=False)
class SurfaceValues:
    """Per region ``(n,)``; NaN where it has no edges, no faces or no closed volume.

    Parameters
    ----------
    stretch, compression
        The ratio that 1 % of all length exceeds, and 1 over the one that 1 % falls short of.
    area
        The ratio that 1 % of all area exceeds.
    volume
        Enclosed volume over that at bind.
    flips
        Share of the region's area at bind that has come to face inwards.
    """

    stretch: FloatArray
    compression: FloatArray
    area: FloatArray
    volume: FloatArray
    flips: FloatArray


@dataclass(frozen=True)
class RegionSurface:
    """The static half."""

    regions: Regions

    @cached_property
    def _positions(self) -> FloatArray:
        return self.regions.skin.positions

    @cached_property
    def _edges(self) -> tuple[IntArray, FloatArray]:
        """``(2, n)`` ends of all regions' edges, and 1 over their lengths; 0 for too short ones."""
        rows = self.regions.edges
        ends = np.ascontiguousarray(rows.values.T)
        apart = self._positions[:, ends[0]] - self._positions[:, ends[1]]
        length = np.sqrt(axis_major.dot(apart, apart))
        short = length <= _SHORTEST * np.repeat(self.regions.sizes, rows.counts)
        return ends, np.where(short, 0.0, 1.0 / np.where(short, 1.0, length))

    @cached_property
    def _lengths(self) -> FloatArray:
        """``(n,)`` lengths of all regions' edges; 0 for too short ones."""
        _, inverse = self._edges
        return np.where(inverse > 0.0, 1.0 / np.where(inverse > 0.0, inverse, 1.0), 0.0)

    @cached_property
    def _corners(self) -> IntArray:
        """``(3, n)`` corners of all regions' faces."""
        return np.ascontiguousarray(self.regions.faces.values.T)

    @cached_property
    def areas(self) -> FloatArray:
        """``(n,)`` twice the areas of all regions' faces in the reference pose; 0 for slivers."""
        normals = _area_vectors(self._positions, self._corners)
        areas = np.sqrt(axis_major.dot(normals, normals))
        size = np.repeat(self.regions.sizes, self.regions.faces.counts)
        return np.where(areas <= (_SHORTEST * size) ** 2, 0.0, areas)

    @cached_property
    def volumes(self) -> "RegionVolumes":
        """The enclosed volumes."""
        return RegionVolumes(self.regions)

    def edge_ratios(
        self, positions: FloatArray, regions: IntArray, scales: FloatArray
    ) -> tuple[IntArray, FloatArray, IntArray]:
        """Return ``(2, e)`` the edges of some regions, their length ratios, and where regions start."""
        rows, starts = self.regions.edges.chosen(regions)
        ends, inverse = self._edges
        picked = ends[:, rows]
        square = np.zeros(len(rows))
        for axis in positions:
            apart = axis[picked[0]]
            apart -= axis[picked[1]]
            square += np.square(apart, out=apart)
        ratio = np.sqrt(square, out=square)
        ratio *= inverse[rows]
        ratio /= np.repeat(scales, np.diff(starts))
        # Edges without length keep it.
        ratio[inverse[rows] == 0.0] = 1.0
        return picked, ratio, starts

    def read(self, positions: FloatArray, regions: IntArray, scales: FloatArray) -> SurfaceValues:
        """Measure some regions in a pose of ``(3, W)`` welded positions.

        Parameters
        ----------
        regions, scales
            ``(n,)`` which regions, and the common scale of each.
        """
        _, ratio, edge_starts = self.edge_ratios(positions, regions, scales)
        lengths = self._lengths[self.regions.edges.chosen(regions)[0]]
        shares = (MOST, 1.0 - MOST)
        stretch, shortest = grouped.weighted_quantiles(ratio, lengths, edge_starts, shares)
        compression = 1.0 / np.maximum(shortest, np.finfo(np.float64).tiny)
        rows, starts = self.regions.faces.chosen(regions)
        normals = _area_vectors(positions, self._corners[:, rows])
        bound = self.areas[rows]
        growth = _growth(normals, bound, np.repeat(scales, np.diff(starts)))
        flipped = self._flipped(positions, normals, rows)
        total = grouped.sums(bound, starts)
        share = grouped.sums(np.where(flipped, bound, 0.0), starts)
        return SurfaceValues(
            stretch,
            compression,
            grouped.weighted_quantiles(growth, bound, starts, (MOST,))[0],
            self.volumes.read(positions, regions, scales, normals),
            np.where(total > 0.0, share / np.where(total > 0.0, total, 1.0), np.nan),
        )

    def area_ratios(
        self, positions: FloatArray, regions: IntArray, scales: FloatArray
    ) -> tuple[IntArray, FloatArray]:
        """Return the faces of some regions as rows of `Regions.faces`, and the ratios of their areas."""
        rows, starts = self.regions.faces.chosen(regions)
        normals = _area_vectors(positions, self._corners[:, rows])
        return rows, _growth(normals, self.areas[rows], np.repeat(scales, np.diff(starts)))

    def flipped(self, positions: FloatArray, regions: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the faces of some regions as rows of `Regions.faces`, and which of them have flipped."""
        rows, _ = self.regions.faces.chosen(regions)
        return rows, self._flipped(
            positions, _area_vectors(positions, self._corners[:, rows]), rows
        )

    def _flipped(self, positions: FloatArray, normals: FloatArray, rows: IntArray) -> BoolArray:
        """Return which faces oppose their own rest normal as their neighbourhood has turned it.

        1. Suspect are faces that stand square or opposed to the mean normal of the faces about their
           corners and did not in the reference pose.
        2. Of those the rotation of the neighbourhood, all edges from the three corners, is the polar
           rotation of Σ (posed edge)(reference edge)ᵀ. No joint is asked for, so no method can differ in
           the answer by what it does with joints.
        3. A face has flipped where its normal opposes its reference normal turned by that.
        """
        result = np.zeros(len(rows), dtype=np.bool_)
        corners = self._corners[:, rows]
        bound = self.areas[rows] > 0.0
        cosine = _against_neighbours(normals, corners, positions.shape[1])
        before = self._reference_cosines[rows]
        suspects = np.flatnonzero(bound & (cosine < _SUSPECT) & (cosine < before - _SUSPECT))
        if not len(suspects):
            return result
        faces = corners[:, suspects]
        turns, sound = self._neighbourhood_turns(positions, faces)
        rest = _area_vectors(self._positions, faces)
        carried = np.einsum("fij,jf->if", turns, rest)
        opposed = axis_major.dot(carried, normals[:, suspects]) < 0.0
        result[suspects] = opposed & sound
        return result

    @cached_property
    def _reference_cosines(self) -> FloatArray:
        """``(n,)`` cosines of all regions' faces against their neighbours in the reference pose."""
        normals = _area_vectors(self._positions, self._corners)
        return _against_neighbours(normals, self._corners, self._positions.shape[1])

    @cached_property
    def _neighbours(self) -> RegionRows:
        """Per welded vertex its neighbours."""
        edges = self.regions.skin.edges
        both = np.concatenate([edges, edges[:, ::-1]])
        order = np.argsort(both[:, 0], kind="stable")
        counts = np.bincount(both[:, 0], minlength=self._positions.shape[1])
        return RegionRows(both[order, 1], np.concatenate([[0], np.cumsum(counts)]))

    def _neighbourhood_turns(
        self, positions: FloatArray, faces: IntArray
    ) -> tuple[FloatArray, BoolArray]:
        """Return ``(n, 3, 3)`` rotations of the neighbourhoods of ``(3, n)`` faces, and which exist."""
        rows, starts = self._neighbours.chosen(faces.T.reshape(-1))
        hub = np.repeat(faces.T.reshape(-1), np.diff(starts))
        other = self._neighbours.values[rows]
        posed = positions[:, other] - positions[:, hub]
        bound = self._positions[:, other] - self._positions[:, hub]
        products = np.einsum("in,jn->nij", posed, bound)
        sums = grouped.sums(products, starts[::3])
        u, values, vt = np.linalg.svd(sums)
        u[:, :, 2] *= affine.determinant(u @ vt)[:, None]
        return u @ vt, values[:, 1] > _LINE * values[:, 0]


@dataclass(frozen=True)
class RegionVolumes:
    """Regions closed by fans at their borders: which can be, and what they enclose.

    A region has a volume where its border consists of one or two loops, none of which is a border of the
    mesh, and where it encloses ρ³ at least. Each loop is closed by a fan from its mean. Of a region of n
    faces one vertex moves the volume by a share of about 1/n times its way over ρ.
    """

    regions: Regions

    @cached_property
    def _fans(self) -> tuple[RegionRows, IntArray, BoolArray]:
        """Border edges per region, ``(n, 2)``, with the number of the loop of each, and which close."""
        edges, loops, closed, count = [], [], [], 0
        holes = _keys(self.regions.skin.edges[self.regions.skin.open_edges])
        holes.sort()
        for region in self.regions.each:
            border, label = _borders(region)
            number = int(label.max(initial=-1)) + 1
            own = _keys(np.sort(border, axis=1))
            place = np.minimum(np.searchsorted(holes, own), max(len(holes) - 1, 0))
            open_ = len(holes) > 0 and bool(np.any(holes[place] == own))
            closed.append(region.goes_round and 1 <= number <= 2 and not open_)
            edges.append(border if closed[-1] else border[:0])
            loops.append((label if closed[-1] else label[:0]) + count)
            count += number if closed[-1] else 0
        joined = np.concatenate([np.zeros(0, dtype=np.int64), *loops])
        return RegionRows.of(edges, 2), joined, np.array(closed, dtype=np.bool_)

    @cached_property
    def _origins(self) -> FloatArray:
        """``(3, R)`` a vertex of each region, from which volumes are counted."""
        starts = self.regions.vertices.starts[:-1]
        return np.asarray(self.regions.vertices.values[starts])

    @cached_property
    def bound(self) -> FloatArray:
        """``(R,)`` cubic metres in the reference pose; NaN where it is not closed."""
        every = np.arange(len(self.regions))
        positions = self.regions.skin.positions
        corners = self.regions.faces.values.T
        normals = _area_vectors(positions, corners)
        volumes = self._enclosed(positions, every, normals)
        # A piece of limb as long as it is thick encloses six; what is less is all border.
        least = self.regions.sizes**3
        return np.where(self._fans[2] & (np.abs(volumes) > least), volumes, np.nan)

    def read(
        self, positions: FloatArray, regions: IntArray, scales: FloatArray, normals: FloatArray
    ) -> FloatArray:
        """Return ``(n,)`` the volumes of some regions over those at bind; NaN where they are open.

        Parameters
        ----------
        normals
            ``(3, f)`` area vectors of these regions' faces.
        """
        bound = self.bound[regions]
        return self._enclosed(positions, regions, normals) / (bound * scales**3)

    def _enclosed(
        self, positions: FloatArray, regions: IntArray, normals: FloatArray
    ) -> FloatArray:
        rows, starts = self.regions.faces.chosen(regions)
        origin = positions[:, self._origins[regions]]
        first = positions[:, self.regions.faces.values[rows, 0]]
        first -= np.repeat(origin, np.diff(starts), axis=1)
        total = grouped.sums(axis_major.dot(first, normals), starts)
        borders, loops, _ = self._fans
        rows, starts = borders.chosen(regions)
        if not len(rows):
            return total / 6.0
        a, b = borders.values[rows].T
        _, loop = np.unique(loops[rows], return_inverse=True)
        counts = np.bincount(loop)
        means = np.stack([np.bincount(loop, axis[a]) / counts for axis in positions])
        shift = np.repeat(origin, np.diff(starts), axis=1)
        u, v, w = positions[:, b] - shift, positions[:, a] - shift, means[:, loop] - shift
        total += grouped.sums(axis_major.dot(u, axis_major.cross(v, w)), starts)
        return total / 6.0


def _keys(edges: IntArray) -> IntArray:
    return edges[:, 0] * (1 << 32) + edges[:, 1]


def _borders(region: JointRegion) -> tuple[IntArray, IntArray]:
    """Return the edges that only one face of a region uses, as that winds them, and each one's loop."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    t = region.faces
    pairs = np.concatenate([t[:, (0, 1)], t[:, (1, 2)], t[:, (2, 0)]])
    _, of, counts = np.unique(
        _keys(np.sort(pairs, axis=1)), return_inverse=True, return_counts=True
    )
    border = pairs[counts[of] == 1]
    vertices, places = np.unique(border, return_inverse=True)
    a, b = places.reshape(border.shape).T
    n = len(vertices)
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(n, n)).tocsr()
    _, labels = connected_components(graph, directed=False)
    return border, np.asarray(labels, dtype=np.int64)[a] if len(a) else np.zeros(0, dtype=np.int64)


def _area_vectors(positions: FloatArray, corners: IntArray) -> FloatArray:
    """Return ``(3, n)`` normals of ``(3, n)`` faces, as long as twice their areas."""
    a, b, c = axis_major.gather(positions, corners)
    return axis_major.cross(b - a, c - a)


def _growth(normals: FloatArray, bound: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return ``(n,)`` areas over those at bind, 1 for slivers, all in the size of the bound shape."""
    doubled = np.sqrt(axis_major.dot(normals, normals))
    real = bound > 0.0
    return np.where(real, doubled, 1.0) / np.where(real, bound * sizes**2, 1.0)


def _against_neighbours(normals: FloatArray, corners: IntArray, count: int) -> FloatArray:
    """Return ``(n,)`` cosines of faces against the summed normals of the faces about their corners."""
    around = np.zeros((3, corners.shape[1]))
    for axis in range(3):
        each = np.tile(normals[axis], 3)
        at_vertices = np.bincount(corners.reshape(-1), each, minlength=count)
        around[axis] = at_vertices[corners].sum(axis=0)
    # Each length by itself: the product of their squares may be beyond all numbers.
    length = np.sqrt(axis_major.dot(around, around)) * np.sqrt(axis_major.dot(normals, normals))
    tiny = np.finfo(np.float64).tiny
    cosine: FloatArray = axis_major.dot(around, normals) / np.maximum(length, tiny)
    # A crushed face has no direction of its own.
    return np.where(length > tiny, cosine, 1.0)
