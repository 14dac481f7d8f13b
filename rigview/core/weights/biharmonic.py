"""Bounded biharmonic weights (Jacobson et al. 2011) in a voxelised solid, by libigl (``rigview[bbw]``).

They need a volume with points on the bones. libigl's mesher of volumes, TetGen, is copyleft and ends the
process on meshes that cross themselves; so the solid's voxels are cut into six tetrahedra each.
"""

from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import Segments
from rigview.core.methods.centres import Progress
from rigview.core.weights.problem import Made, NotMade, Problem, WeightOptions, normalised
from rigview.core.weights.sources import distances, nearest, shared
from rigview.core.weights.voxels import Solid
from rigview.core.weights.weight_surface import diffused

if TYPE_CHECKING:
    pass

# Voxels along the longest side: the finest of these that has no more corners. Knight, a solid of few
# gaps, has 13 972 at 48 and takes minutes; the other characters of the benchmark have less than 4 500.
RESOLUTIONS, CORNERS = (48, 40, 32, 24, 16), 5000
# Rounds of the solver that keeps weights between 0 and 1.
ROUNDS = 10
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
# A bone is sampled at steps of this many voxels.
_STEP = 0.5


def biharmonic(problem: Problem, options: WeightOptions, progress: Progress) -> Made:
    """Solve for the smoothest weights between 0 and 1 that are 1 on the own bone and 0 on the others.

    Points in a part of the solid that no bone runs through follow the nearest bone.

    Raises
    ------
    NotMade
        If libigl is not installed.
    """
    igl = _libigl()
    surface, bones = problem.surface, problem.bones
    asked = (options.resolution,) if options.resolution else RESOLUTIONS
    grids = (_Grid(Solid(surface, number)) for number in asked)
    grid = next((one for one in grids if len(one.points) <= CORNERS), None)
    grid = grid or _Grid(Solid(surface, asked[-1]))
    points, rows = grid.handles(bones)
    progress(0.1)
    weights = np.zeros((len(grid.points), len(bones.lengths)))
    reached = np.isin(grid.parts, np.unique(grid.parts[points]))
    used = np.flatnonzero(rows.any(axis=0))
    number = np.cumsum(reached) - 1
    cells = number[grid.tetrahedra[reached[grid.tetrahedra].all(axis=1)]]
    corners = np.ascontiguousarray(grid.points[reached], dtype=np.float64)
    for done, j in enumerate(used.tolist()):
        # One bone at a time, so that the work can be stopped.
        found = igl.bbw(
            corners,
            cells,
            number[points],
            np.ascontiguousarray(rows[:, [j]]),
            partition_unity=False,
            max_iter=ROUNDS,
        )
        weights[reached, j] = np.asarray(found).reshape(-1)
        progress(0.1 + 0.85 * (done + 1) / len(used))
    own = normalised(grid.at(surface.points, weights))
    missed = own.sum(axis=1) <= 0.0
    own[missed] = shared(nearest(distances(surface.points[missed], bones), surface.size))
    own = normalised(diffused(surface, own, options.smooth or 0.0))
    progress(1.0)
    return Made.of(own, missed)


def _libigl() -> Any:  # noqa: ANN401 - a module without types
    try:
        import igl
    except ImportError:
        raise NotMade('bbw needs libigl: pip install "rigview[bbw]"') from None
    return igl


class _Grid:
    """The corners of a solid's voxels, in voxels, and the voxels as tetrahedra."""

    def __init__(self, solid: Solid) -> None:
        self.solid = solid
        cells = (solid.voxels[:, None] + _CORNERS).reshape(-1, 3)
        size = solid.shape + 1
        flat = (cells[:, 0] * size[1] + cells[:, 1]) * size[2] + cells[:, 2]
        kept, numbers = np.unique(flat, return_inverse=True)
        # Corner → its number; −1 where no filled voxel has it.
        self._number = np.full(int(size.prod()), -1, dtype=np.int64)
        self._number[kept] = np.arange(len(kept))
        self._size = size
        self.points = np.column_stack(np.unravel_index(kept, size)).astype(np.float64)
        self._voxels = numbers.reshape(-1, 8)

    @cached_property
    def tetrahedra(self) -> IntArray:
        """``(T, 4)`` 24 per voxel: six about each of its four long diagonals, one over the other.

        Six alone have a diagonal that they prefer; all of them together turn and mirror into themselves,
        so that a symmetric character gets symmetric weights.
        """
        result = []
        for start in _CORNERS[:4]:
            for axes in permutations(range(3)):
                at, way = start.copy(), [start]
                for axis in axes:
                    at[axis] = 1 - at[axis]
                    way.append(at.copy())
                edges = np.diff(np.array(way), axis=0)
                inward = np.linalg.det(edges) > 0.0
                numbers = [int(corner @ (4, 2, 1)) for corner in way]
                first, second, *rest = numbers if inward else (numbers[1], numbers[0], *numbers[2:])
                result.append(self._voxels[:, [first, second, *rest]])
        return np.concatenate(result)

    @cached_property
    def parts(self) -> IntArray:
        """``(N,)`` which connected part of the solid each corner is in."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        first = np.repeat(self._voxels[:, :1], 7, axis=1).reshape(-1)
        others = self._voxels[:, 1:].reshape(-1)
        ones = np.ones(len(first))
        graph: coo_array = coo_array((ones, (first, others)), (len(self.points), len(self.points)))
        return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)

    def handles(self, bones: Segments) -> tuple[IntArray, FloatArray]:
        """Return ``(n,)`` the corners nearest to bones, and ``(n, J)`` whose they are.

        A corner belongs to the bone that is nearest to it, to several where they meet.
        """
        solid, found = self.solid, []
        for j in range(len(bones.lengths)):
            steps = max(1, int(np.ceil(bones.lengths[j] / (_STEP * solid.side))))
            share = np.linspace(0.0, bones.lengths[j], min(steps, 8 * solid.resolution) + 1)
            samples = bones.heads[j] + share[:, None] * bones.directions[j]
            cells = np.rint((samples - solid.low) / solid.side).astype(np.int64)
            inside = ((cells >= 0) & (cells < self._size)).all(axis=1)
            x, y, z = cells[inside].T
            corners = self._number[(x * self._size[1] + y) * self._size[2] + z]
            found.append(np.unique(corners[corners >= 0]))
        points = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
        places = solid.low + self.points[points] * solid.side
        on_it = np.column_stack([np.isin(points, own) for own in found])
        far = np.where(on_it, distances(places, bones), np.inf)
        return points, shared(nearest(far, solid.surface.size))

    def at(self, points: FloatArray, values: FloatArray) -> FloatArray:
        """Return ``(P, J)`` values between the corners of the voxel that each point lies in."""
        solid = self.solid
        within = (points - solid.low) / solid.side
        cells = np.clip(np.floor(within).astype(np.int64), 0, solid.shape - 1)
        own = solid.numbers[tuple(cells.T)]
        # A point in no filled voxel, by rounding, takes the nearest one.
        lost = np.flatnonzero(own < 0)
        if len(lost):
            own[lost] = solid.tree.query(points[lost])[1]
        offset = np.clip(within - solid.voxels[own], 0.0, 1.0)
        result = np.zeros((len(points), values.shape[1]))
        for corner, (x, y, z) in enumerate(_CORNERS):
            share = np.ones(len(points))
            for axis, high in enumerate((x, y, z)):
                share *= offset[:, axis] if high else 1.0 - offset[:, axis]
            result += share[:, None] * values[self._voxels[own, corner]]
        return result
