"""Cross-sections of joint regions, measured by chords: what a pose leaves of their width.

1. A region is cut into slices square to its axis in the reference pose, about ¼ ρ thick. A slice keeps its
   vertices in every pose. One more is the line where the branch weight is one half, through the edges
   that it crosses: a coarse limb has no vertices where it loses most.
2. Chords lead across a slice, from vertices at up to 24 even angles to the ones opposite.
3. Were a slice deformed by a linear map L, a chord d would become L d, and |L d|² = dᵀ G d with G = LᵀL:
   each chord gives one equation for the three numbers of G. The widths of the slice change by the square
   roots of G's eigenvalues, wherever the slice went and however it turned.
4. G is the solution of least absolute error (four rounds of reweighted least squares), so that a chord or
   two with a vertex torn away change next to nothing.
5. No map shrinks a slice by more than its shortest chord: where the slice did not deform as one, the
   chord that a tenth falls short of is taken instead.
6. Collapse is 1 − the smaller width of the slice that lost most, in the size of the joints.

Under LBS a twist by τ shrinks the slice of blend w to √(1 − 4w(1−w) sin²(τ/2)) of its radius, all around,
and a bend by the same angle narrows it by as much in the plane of the bend: 1 − cos(τ/2) at w = ½ is the
collapse of both. (The area, √(A/A₀), tells the twist alike but a bend by 120° as .29 instead of .5.)
Chords need no centre and no posed axis. Seams do not matter (vertices are welded); open shells count where
their slices surround the axis well enough to tell G (`_WELL`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.measures import grouped
from rigview.core.measures.joint_regions import JointRegion, RegionRows, Regions, across_axis

# Thickness of slices as a share of ρ, and the most slices of a region.
_THICKNESS, _MOST_SLICES = 0.25, 16
# Vertices and chords of a slice.
_FEWEST_VERTICES, _CHORDS = 6, 24
# Of the equations for G the smallest singular value over the root of their number: evenly spread chords
# have .5, those within 60° of one direction less than .1.
_WELL = 0.12
# Chords shorter than this share of the slice's median chord say little.
_SHORT = 0.3
# A vertex further from opposite than this gives no chord, radians.
_ASIDE = np.radians(50.0)
_ROUNDS = 4
# Every tenth chord may be shorter than the one that bounds the loss.
_LEAST = 10
# An error of a squared ratio that counts as none.
_EXACT = 1e-3


@dataclass(frozen=True, eq=False)
class _Slice:
    """Chords ``(c, 2)`` of one slice, their squared lengths, and ``(c, 3)`` the equations for G."""

    chords: IntArray
    squares: FloatArray
    equations: FloatArray
    place: float


@dataclass(frozen=True)
class CrossSections:
    """The static half: the slices of all regions that have any."""

    regions: Regions

    @cached_property
    def _halves(self) -> tuple[RegionRows, FloatArray]:
        """Per region the edges ``(n, 2)`` that the half line crosses, and how far along each, ``(n,)``."""
        found = [_half_line(region) for region in self.regions.each]
        shares = np.concatenate([np.zeros(0), *(share for _, share in found)])
        return RegionRows.of([edges for edges, _ in found], 2), shares

    def _with_halves(self, positions: FloatArray) -> FloatArray:
        """Return ``(3, W + n)``: vertices, and the points of all regions' half lines."""
        edges, shares = self._halves
        start, end = positions[:, edges.values[:, 0]], positions[:, edges.values[:, 1]]
        end -= start
        end *= shares
        end += start
        return np.concatenate([positions, end], axis=1)

    @cached_property
    def _each(self) -> tuple[tuple[_Slice, ...], ...]:
        count = self.regions.skin.positions.shape[1]
        points = self._with_halves(self.regions.skin.positions)
        starts = count + self._halves[0].starts
        return tuple(
            _slices(region, points, np.arange(starts[number], starts[number + 1]))
            for number, region in enumerate(self.regions.each)
        )

    @cached_property
    def slices(self) -> RegionRows:
        """Per region the numbers of its slices."""
        starts = np.cumsum([0, *map(len, self._each)])
        return RegionRows(np.arange(starts[-1]), starts)

    @cached_property
    def places(self) -> FloatArray:
        """``(S,)`` where slices cut the axes, metres from the joint along it."""
        return np.array([one.place for own in self._each for one in own], dtype=np.float64)

    @cached_property
    def _chords(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """``(2, S, C)`` vertices, ``(S, C)`` 1 over squared lengths, 0 where unused, ``(S, C, 3)``."""
        every = [one for own in self._each for one in own]
        ends = np.zeros((2, len(every), _CHORDS), dtype=np.int64)
        inverse = np.zeros((len(every), _CHORDS))
        equations = np.zeros((len(every), _CHORDS, 3))
        for number, one in enumerate(every):
            count = len(one.chords)
            ends[:, number, :count] = one.chords.T
            inverse[number, :count] = 1.0 / one.squares
            equations[number, :count] = one.equations
        return ends, inverse, equations

    def kept(self, positions: FloatArray, regions: IntArray, scales: FloatArray) -> FloatArray:
        """Return ``(s,)`` what is left of the width of some regions' slices where they lost most.

        Parameters
        ----------
        positions
            ``(3, W)`` posed welded vertices.
        regions, scales
            ``(n,)`` which regions, and the common scale of each.
        """
        rows, starts = self.slices.chosen(regions)
        ends, inverse, equations = self._chords
        if not len(rows):
            return np.zeros(0)
        inverse = inverse[rows]
        squares = np.zeros_like(inverse)
        for axis in self._with_halves(positions):
            apart = axis[ends[0, rows]]
            apart -= axis[ends[1, rows]]
            squares += np.square(apart, out=apart)
        squares *= inverse
        size = np.repeat(scales, np.diff(starts))
        squares /= (size * size)[:, None]
        g = _least_absolute(equations[rows], squares, inverse > 0.0)
        half, off = 0.5 * (g[:, 0] + g[:, 2]), 0.5 * (g[:, 0] - g[:, 2])
        smaller = np.maximum(half - np.hypot(off, g[:, 1]), 0.0)
        used = inverse > 0.0
        chords = np.sort(np.where(used, squares, np.inf), axis=1)
        least = chords[np.arange(len(chords)), used.sum(axis=1) // _LEAST]
        return np.asarray(np.sqrt(np.maximum(smaller, least)))

    def collapse(self, positions: FloatArray, regions: IntArray, scales: FloatArray) -> FloatArray:
        """Return ``(n,)`` the collapse of some regions, 0 to 1; NaN without slices; see `kept`."""
        kept = self.kept(positions, regions, scales)
        _, starts = self.slices.chosen(regions)
        return np.clip(1.0 - grouped.lowest(kept, starts), 0.0, 1.0)


def _least_absolute(equations: FloatArray, values: FloatArray, used: BoolArray) -> FloatArray:
    """Return ``(S, 3)`` the solutions of least absolute error of ``(S, C, 3)`` equations."""
    weights = used.astype(np.float64)
    solution = np.zeros((len(values), 3))
    for _ in range(_ROUNDS):
        weighted = equations * weights[:, :, None]
        normal = np.einsum("sci,scj->sij", weighted, equations)
        solution = np.linalg.solve(normal, np.einsum("sci,sc->si", weighted, values)[..., None])[
            ..., 0
        ]
        error = np.abs(np.einsum("sci,si->sc", equations, solution) - values)
        weights = used / np.maximum(error, _EXACT)
    return solution


def _half_line(region: JointRegion) -> tuple[IntArray, FloatArray]:
    """Return the edges of a region that cross its half line, ``(n, 2)``, and where along each."""
    ends = region.branch[np.searchsorted(region.vertices, region.edges)]
    crossed = (ends.min(axis=1, initial=1.0) < 0.5) & (ends.max(axis=1, initial=0.0) > 0.5)
    before, after = ends[crossed].T
    return region.edges[crossed], (0.5 - before) / (after - before)


def _slices(region: JointRegion, points: FloatArray, half: IntArray) -> tuple[_Slice, ...]:
    """Cut one region; slices are ordered along its axis.

    Parameters
    ----------
    points
        ``(3, n)`` reference positions of vertices and of points of half lines.
    half
        Which points are the region's own half line.
    """
    if not region.goes_round:
        return ()
    vertices = region.vertices[region.blended]
    along = points[:, vertices].T @ region.axis
    order = np.argsort(along, kind="stable")
    low, high = np.quantile(along, (0.01, 0.99))
    thickness = max(_THICKNESS * region.size, (high - low) / _MOST_SLICES)
    runs = [vertices[order[first:last]] for first, last in _runs(along[order], thickness)]
    across = across_axis(region.axis)
    result = []
    for chosen in [*runs, half]:
        offsets = points[:, chosen].T - region.origin
        found = _chords(offsets @ across.T, offsets @ region.axis) if len(chosen) > 3 else None
        if found is not None:
            pairs, squares, equations = found
            place = float((offsets @ region.axis).mean())
            result.append(_Slice(chosen[pairs], squares, equations, place))
    return tuple(sorted(result, key=lambda one: one.place))


def _runs(ascending: FloatArray, thickness: float) -> list[tuple[int, int]]:
    """Split ascending places into runs of some thickness, of more where those have too few vertices."""
    result, first, count = [], 0, len(ascending)
    while count - first >= _FEWEST_VERTICES:
        # Vertices at one place, as the rings of a cylinder have them, stay together.
        end = ascending[first] + thickness
        last = int(np.searchsorted(ascending, end, side="right"))
        if last - first < _FEWEST_VERTICES:
            end = ascending[first + _FEWEST_VERTICES - 1] + 1e-3 * thickness
            last = int(np.searchsorted(ascending, end, side="right"))
        result.append((first, last))
        first = last
    return result


def _chords(plane: FloatArray, along: FloatArray) -> tuple[IntArray, FloatArray, FloatArray] | None:
    """Return chords of a slice, their squared lengths and equations; None where too few.

    Parameters
    ----------
    plane, along
        ``(n, 2)`` places of its vertices across the axis, and ``(n,)`` along it.
    """
    centre = 0.5 * (plane.min(axis=0) + plane.max(axis=0))
    x, y = (plane - centre).T
    angles = np.arctan2(y, x)
    order = np.argsort(angles, kind="stable")
    count = min(_CHORDS, len(order))
    starts = order[np.arange(count) * len(order) // count]
    wanted = angles[starts] + np.pi
    aside = np.abs(np.angle(np.exp(1j * (angles[None, :] - wanted[:, None]))))
    ends = np.argmin(aside, axis=1)
    pairs = np.column_stack([starts, ends])[aside[np.arange(count), ends] < _ASIDE]
    if len(pairs) < 3:
        return None
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    across = plane[pairs[:, 0]] - plane[pairs[:, 1]]
    squares = np.einsum("ci,ci->c", across, across)
    long = squares > _SHORT**2 * np.median(squares)
    pairs, across = pairs[long], across[long]
    squares = squares[long] + (along[pairs[:, 0]] - along[pairs[:, 1]]) ** 2
    a, b = unit(across).T
    equations = np.column_stack([a * a, 2.0 * a * b, b * b])
    if len(pairs) < 3 or np.linalg.svd(equations, compute_uv=False)[2] < _WELL * np.sqrt(
        len(pairs)
    ):
        return None
    return pairs, squares, equations
