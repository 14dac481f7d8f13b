"""Direct delta mush: each vertex turns as the smoothed neighbourhood around it does.

After Le and Lewis 2019, "Direct delta mush skinning and variants", variant 0. B = (I + λ L)^−p smooths
over the welded mesh, L being the uniform Laplacian with rows that sum to zero. With the rest positions u,
each vertex has one symmetric matrix per joint,

    Ψ_j = Σ_k B_k w_kj [u_k u_kᵀ, u_k; u_kᵀ, 1],     Ω_j = (1 − α) Ψ_j + α w_j [p pᵀ, p; pᵀ, 1],

p being Σ_j Ψ_j's last column, the smoothed vertex. Of a pose's joints M_j, Σ_j M_j Ω_j = [Q, q; pᵀ, 1], and

    v' = q + R (v − p),     R = the rotation of Q − q pᵀ.

What is added here:

- Ω is kept about p instead of the origin, so that what cancels does so once per rig and not in float32:
  shares s_j, first moments d_j, which sum to zero, and second moments C_j. Then with m_j = M_j p and the
  linear parts L_j, Q − q pᵀ = Σ L_j C_j + m_j d_jᵀ.
- A vertex keeps its `MOST` largest joints, so scaled that the shares sum to one; p is theirs.
- Joints that stretch: the blended stretch S is applied to v − p, and Q − q pᵀ is taken times Sᵀ, so that
  one joint's R is its own rotation.
- Where the neighbourhood hardly says how it turns, a line or a point (`POINT`), R goes over to the
  rotation of DQS (`CERTAIN`); such a vertex without neighbours moves as under LBS. So does R where joints
  turn against each other by so much that any rotation is as near.
- Weights are read as shares of their sum, negative ones as 0.

It is here for comparison. Its known faults: a vertex follows joints that it has no weight of, and a
painted weight cannot keep it from that; how far depends on the density of the mesh (steps along edges);
volume is lost at a bend as under LBS, only softer; and it needs 10 numbers per vertex and joint.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray, distinct_rows
from rigview.core.methods.binding import Binding

if TYPE_CHECKING:
    from rigview.core.methods.centres import Progress

# λ and p of the smoothing, and α: how much of the vertex's own weights is mixed in. Chosen on the tuning
# cases of `tests/reference/elastic_cases.py`, where α matters little; the paper's κ is 0.
LAMBDA = 1.0
STEPS = 4
ALPHA = 0.5
# How many joints a vertex keeps, and the share below which a joint has none.
MOST = 8
LEAST = 1e-6
# By how much, as a share of the matrix's size, the largest eigenvalue leads where its rotation counts.
CERTAIN = 0.02
# A neighbourhood narrower than this share of the mesh is a point: how it turns would be rounding.
POINT = 1e-3
# Of the upper triangle of C, row by row.
_ROWS, _COLUMNS = np.triu_indices(3)
# Vertices that are moved at a time.
_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Moments:
    """What each vertex's neighbourhood is to its joints, at rest in mesh space.

    Parameters
    ----------
    joints, shares
        ``(V, N)``; the shares of a vertex sum to one, unused slots have 0.
    centres
        ``(V, 3)`` p.
    first, second
        ``(V, N, 3)`` d and ``(V, N, 6)`` the upper triangle of C, row by row.
    """

    joints: IntArray
    shares: FloatArray
    centres: FloatArray
    first: FloatArray
    second: FloatArray

    def moved(
        self, matrices: FloatArray, stretch: FloatArray | None, turns: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return where the centres go, ``(V, 3)``, and the rotations ``(V, 4)`` about them.

        Parameters
        ----------
        matrices
            ``(J, 3, 4)``.
        stretch
            ``(V, 3, 3)`` blended; None where no joint stretches.
        turns
            ``(V, 4)`` rotations to take where the neighbourhood says none.
        """
        centres, rotations = np.zeros_like(self.centres), np.zeros_like(turns)
        for start in range(0, len(centres), _BLOCK):
            rows = slice(start, start + _BLOCK)
            centres[rows], sums = self._sums(rows, matrices)
            if stretch is not None:
                sums = sums @ np.swapaxes(stretch[rows], 1, 2)
            rotations[rows] = _rotations(sums, turns[rows])
        return centres, rotations

    def _sums(self, rows: slice, matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ``(n, 3)`` q and ``(n, 3, 3)`` Q − q pᵀ."""
        own, first, shares = matrices[self.joints[rows]], self.first[rows], self.shares[rows]
        linear = own[..., :3]
        images = np.einsum("vnij,vj->vni", linear, self.centres[rows]) + own[..., 3]
        centres = np.einsum("vn,vni->vi", shares, images)
        centres += np.einsum("vnij,vnj->vi", linear, first)
        second = np.zeros((*first.shape, 3))
        second[..., _ROWS, _COLUMNS] = second[..., _COLUMNS, _ROWS] = self.second[rows]
        sums = np.einsum("vnij,vnjk->vik", linear, second)
        # The first moments sum to zero: any point may be taken off the images.
        sums += np.einsum("vni,vnj->vij", images - images[:, :1], first)
        return centres, sums


def _rotations(sums: FloatArray, turns: FloatArray) -> FloatArray:
    """Return ``(n, 4)`` the rotations nearest to ``(n, 3, 3)`` matrices, going over to others.

    The nearest rotation is the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix.
    """
    trace = np.einsum("vii->v", sums)
    form = np.zeros((len(sums), 4, 4))
    form[:, :3, :3] = sums + np.swapaxes(sums, 1, 2) - trace[:, None, None] * np.eye(3)
    form[:, 3, :3] = (
        np.swapaxes(sums, 1, 2)[:, (1, 2, 0), (2, 0, 1)] - sums[:, (1, 2, 0), (2, 0, 1)]
    )
    form[:, :3, 3], form[:, 3, 3] = form[:, 3, :3], trace
    values, vectors = np.linalg.eigh(form)
    size = np.linalg.norm(sums, axis=(1, 2))
    gap = values[:, 3] - values[:, 2]
    share = np.clip(gap / np.where(size > 0.0, CERTAIN * size, 1.0), 0.0, 1.0)[:, None]
    nearest = vectors[:, :, 3]
    nearest *= np.where(np.einsum("vi,vi->v", nearest, turns) < 0.0, -1.0, 1.0)[:, None]
    return quat.normalise(turns + share * (nearest - turns))


def moments(
    binding: Binding, points: FloatArray, triangles: IntArray, progress: "Progress | None" = None
) -> Moments:
    """Return the moments of every vertex.

    Parameters
    ----------
    points, triangles
        ``(V, 3)`` and ``(F, 3)`` of the mesh at rest.
    progress
        Hears the share done, 0 to 1; may raise to stop.
    """
    tell = progress or (lambda _share: None)
    first, group = distinct_rows(points)
    middle = points.mean(axis=0) if len(points) else np.zeros(3)
    places = points[first] - middle
    weights = _shares(binding, group, len(first))
    smooth = _smoother(group[triangles], len(first))
    shares = smooth(weights)
    mixed = shares + ALPHA * (weights - shares)
    most = min(MOST, weights.shape[1])
    joints = np.argsort(-mixed, axis=1, kind="stable")[:, :most]
    used = np.take_along_axis(mixed, joints, axis=1) > LEAST
    kept = np.where(used, np.take_along_axis(shares, joints, axis=1), 0.0)
    own = np.where(used, np.take_along_axis(weights, joints, axis=1), 0.0)
    raw = np.zeros((*joints.shape, 9))
    products = places[:, _ROWS] * places[:, _COLUMNS]
    columns = np.concatenate([places, products], axis=1)
    present = np.unique(joints[used])
    for done, joint in enumerate(present):
        tell(done / len(present))
        rows, slots = np.nonzero(used & (joints == joint))
        raw[rows, slots] = smooth(weights[:, joint, None] * columns)[rows]
    tell(1.0)
    narrow = POINT * float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0
    result = _about_centres(joints, kept, own, raw, narrow)
    return _of_vertices(result, group, binding, points, middle)


def _shares(binding: Binding, group: IntArray, count: int) -> FloatArray:
    """Return ``(n, J)`` the mean weights of welded vertices, as shares; 0 throughout without any."""
    result = np.zeros((count, int(binding.joints.max(initial=0)) + 1))
    positive = np.maximum(binding.weights, 0.0)
    sums = positive.sum(axis=1, keepdims=True)
    np.add.at(result, (group[:, None], binding.joints), positive / np.where(sums > 0.0, sums, 1.0))
    totals = result.sum(axis=1, keepdims=True)
    return result / np.where(totals > 0.0, totals, 1.0)


def _smoother(triangles: IntArray, count: int) -> Callable[[FloatArray], FloatArray]:
    """Return what smooths ``(n, c)`` numbers over the edges of triangles: B times them."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    ends = np.concatenate([triangles[:, (0, 1)], triangles[:, (1, 2)], triangles[:, (2, 0)]])
    ends = ends[ends[:, 0] != ends[:, 1]]
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    if not len(ends):
        return lambda numbers: numbers.copy()
    rows, columns = np.concatenate([ends, ends[:, ::-1]]).T
    degrees = np.bincount(rows, minlength=count).astype(np.float64)
    diagonal = np.arange(count)
    values = np.concatenate([1.0 + LAMBDA * (degrees > 0.0), -LAMBDA / degrees[rows]])
    at = np.concatenate([diagonal, rows]), np.concatenate([diagonal, columns])
    matrix = sparse.csc_array((values, at), shape=(count, count))
    solver = splu(matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})

    def smooth(numbers: FloatArray) -> FloatArray:
        for _ in range(STEPS):
            numbers = solver.solve(numbers)
        return numbers

    return smooth


def _about_centres(
    joints: IntArray, kept: FloatArray, own: FloatArray, raw: FloatArray, narrow: float
) -> Moments:
    """Return the moments of the kept joints about their centre, from those about the origin.

    Neighbourhoods of less than a radius, in mesh space, have none.
    """
    totals = kept.sum(axis=1)
    safe = np.where(totals > 0.0, totals, 1.0)
    shares, raw = kept / safe[:, None], raw / safe[:, None, None]
    centres = raw[..., :3].sum(axis=1)
    first = raw[..., :3] - shares[..., None] * centres[:, None]
    middles = centres[:, None, :]
    second = raw[..., 3:] - first[..., _ROWS] * middles[..., _COLUMNS]
    second -= middles[..., _ROWS] * raw[..., _COLUMNS]
    point = second[..., _ROWS == _COLUMNS].sum(axis=(1, 2)) <= narrow**2
    first[point], second[point] = 0.0, 0.0
    owned = own.sum(axis=1, keepdims=True)
    own = np.where(owned > 0.0, own / np.where(owned > 0.0, owned, 1.0), shares)
    return Moments(
        joints,
        shares + ALPHA * (own - shares),
        centres,
        (1.0 - ALPHA) * first,
        (1.0 - ALPHA) * second,
    )


def _of_vertices(
    welded: Moments, group: IntArray, binding: Binding, points: FloatArray, middle: FloatArray
) -> Moments:
    """Return the moments of vertices from those of welded ones; who has none follows its heaviest joint."""
    joints, shares = welded.joints[group], welded.shares[group]
    centres = welded.centres[group] + middle
    none = shares.sum(axis=1) == 0.0
    joints[none, 0], shares[none, 0] = binding.joints[none, 0], 1.0
    centres[none] = points[none]
    return Moments(joints, shares, centres, welded.first[group], welded.second[group])
