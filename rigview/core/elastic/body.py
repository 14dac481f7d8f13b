"""An elastic body on a lattice: what a bent limb of flesh would look like.

A regular lattice of cells, each of five tetrahedra that alternate from cell to cell, has the energy

    Σ volume · (μ ‖F − R‖² + λ/2 (det F − 1)²)

with F the deformation gradient of a tetrahedron and R its rotation; μ and λ are Lamé's. Some nodes are
pinned. The least energy is found by L-BFGS whose first guess of the Hessian is the factorised global
step of projective dynamics, (2μ + λ) Σ volume · ∇N ∇Nᵀ.
"""

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Steps of L-BFGS, and the changes of the gradient they brought.
_Memory = deque[tuple[FloatArray, FloatArray]]

MU, LAMBDA = 1.0, 3.0
# Corners of a cell as (x, y, z) bits, and its five tetrahedra; in odd cells x is mirrored.
_CORNERS = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)])
_TETRAHEDRA = np.array([[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]])
_MIRRORED = np.arange(8) ^ 1
# Two corners exchanged keep the mirrored tetrahedra's volumes positive.
_ODD = _MIRRORED[_TETRAHEDRA][:, [0, 2, 1, 3]]
# Contact pushes with this times μ times the spacing, per way into the plane.
_CONTACT = 20.0
_MEMORY = 12
# Points times triangles whose winding is summed up at once.
_AT_ONCE = 1 << 19
# Rotations are followed for so many rounds at most, until they turn by less than so many radians.
_ROUNDS, _SETTLED = 40, 1e-6


@dataclass(frozen=True, eq=False)
class Plane:
    """What the nodes of one half of a body may not pass, on the inner side of a bend."""

    origin: FloatArray
    normal_at_rest: FloatArray
    normal: FloatArray
    inward: FloatArray


@dataclass(frozen=True, eq=False)
class Lattice:
    """The cells of a body at rest.

    Parameters
    ----------
    points
        ``(N, 3)`` nodes.
    cells
        ``(C, 8)`` their corners.
    places
        ``(X, Y, Z)`` the number of the cell at each place of the grid, −1 for none.
    """

    points: FloatArray
    cells: IntArray
    places: IntArray
    origin: FloatArray
    spacing: float

    @cached_property
    def tetrahedra(self) -> IntArray:
        """``(T, 4)`` nodes of five tetrahedra a cell, their volumes positive."""
        odd = np.argwhere(self.places >= 0).sum(axis=1) % 2 == 1
        order = self.places[self.places >= 0]
        is_odd = np.zeros(len(self.cells), dtype=bool)
        is_odd[order] = odd
        even, odds = self.cells[~is_odd][:, _TETRAHEDRA], self.cells[is_odd][:, _ODD]
        return np.concatenate([even.reshape(-1, 4), odds.reshape(-1, 4)])

    @classmethod
    def of(cls, occupied: BoolArray, origin: FloatArray, spacing: float) -> "Lattice":
        """Build from ``(X, Y, Z)`` whether there is flesh; of separate pieces the largest counts."""
        from scipy import ndimage

        label, count = ndimage.label(occupied)
        if count > 1:
            occupied = label == 1 + np.argmax(np.bincount(label.ravel())[1:])
        where = np.argwhere(occupied)
        places = np.full(occupied.shape, -1)
        places[tuple(where.T)] = np.arange(len(where))
        corners = (where[:, None] + _CORNERS).reshape(-1, 3)
        nodes, cells = np.unique(corners, axis=0, return_inverse=True)
        points = origin + spacing * nodes
        return cls(points, cells.reshape(-1, 8), places, np.asarray(origin), spacing)

    def embed(self, points: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return ``(V, 8)`` nodes and trilinear shares of points; NaN shares outside."""
        seen = (points - self.origin) / self.spacing
        place = np.floor(seen).astype(int)
        within = np.all((place >= 0) & (place < self.places.shape), axis=1)
        cell = np.full(len(points), -1)
        cell[within] = self.places[tuple(place[within].T)]
        share = (seen - place)[:, None]
        shares = np.prod(np.where(_CORNERS == 1, share, 1.0 - share), axis=2)
        shares[cell < 0] = np.nan
        return self.cells[cell], shares


class ElasticBody:
    """A lattice with pinned nodes, in some pose.

    Parameters
    ----------
    pinned
        ``(N,)`` which nodes are held.
    """

    def __init__(
        self, lattice: Lattice, pinned: BoolArray, mu: float = MU, lam: float = LAMBDA
    ) -> None:
        from scipy.sparse.linalg import splu

        self.lattice, self.mu, self.lam = lattice, mu, lam
        self.positions = lattice.points.copy()
        self.free = np.flatnonzero(~pinned)
        self.pinned = np.flatnonzero(pinned)
        corner = lattice.points[lattice.tetrahedra]
        edges = np.moveaxis(corner[:, 1:] - corner[:, :1], 1, 2)
        self.volumes = np.linalg.det(edges) / 6.0
        inner = np.linalg.inv(edges)
        self.gradients = np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)
        self.turns = np.tile((0.0, 0.0, 0.0, 1.0), (len(corner), 1))
        stiff = self._stiffness()
        self.between = stiff[self.free][:, self.pinned]
        self.factors = splu(stiff[self.free][:, self.free].tocsc())

    def _stiffness(self) -> "csr_array":
        from scipy import sparse

        products = np.einsum("tai,tbi->tab", self.gradients, self.gradients)
        products *= ((2.0 * self.mu + self.lam) * self.volumes)[:, None, None]
        rows = np.repeat(self.lattice.tetrahedra, 4, axis=1).ravel()
        columns = np.tile(self.lattice.tetrahedra, (1, 4)).ravel()
        count = len(self.positions)
        return sparse.coo_array((products.ravel(), (rows, columns)), shape=(count, count)).tocsr()

    def energy(
        self, positions: FloatArray, load: FloatArray | None = None, plane: Plane | None = None
    ) -> tuple[float, FloatArray]:
        """Return the energy and its ``(N, 3)`` gradient.

        Parameters
        ----------
        load
            ``(N, 3)`` forces that do not turn with the body.
        """
        corner = positions[self.lattice.tetrahedra]
        deformed = np.einsum("tai,taj->tij", corner, self.gradients)
        rotation = self._rotations(deformed)
        apart = deformed - rotation
        cofactor = np.stack(
            [np.cross(deformed[:, (i + 1) % 3], deformed[:, (i + 2) % 3]) for i in range(3)], axis=1
        )
        grown = np.einsum("tj,tj->t", deformed[:, 0], cofactor[:, 0]) - 1.0
        density = self.mu * np.einsum("tij,tij->t", apart, apart) + 0.5 * self.lam * grown**2
        stress = 2.0 * self.mu * apart + self.lam * grown[:, None, None] * cofactor
        force = np.einsum("t,tij,taj->tai", self.volumes, stress, self.gradients)
        gradient = _summed(self.lattice.tetrahedra.ravel(), force.reshape(-1, 3), len(positions))
        total = float(self.volumes @ density)
        if load is not None:
            total -= float(np.sum(load * positions))
            gradient -= load
        if plane is not None:
            total += self._contact(positions, plane, gradient)
        return total, gradient

    def _rotations(self, deformed: FloatArray) -> FloatArray:
        """Return ``(T, 3, 3)`` rotations nearest to deformation gradients, begun at the last ones."""
        turning = np.arange(len(deformed))
        for _ in range(_ROUNDS):
            product = deformed[turning] @ quat.to_matrix(self.turns[turning]).transpose(0, 2, 1)
            turn = np.stack(
                [
                    product[:, 2, 1] - product[:, 1, 2],
                    product[:, 0, 2] - product[:, 2, 0],
                    product[:, 1, 0] - product[:, 0, 1],
                ],
                axis=1,
            )
            turn /= np.abs(np.trace(product, axis1=1, axis2=2))[:, None] + 1e-9
            angle = np.linalg.norm(turn, axis=1)
            still = angle < _SETTLED
            turning, turn, angle = turning[~still], turn[~still], angle[~still]
            if not len(turning):
                break
            step = quat.from_axis_angle(turn / angle[:, None], np.minimum(angle, 1.0))
            self.turns[turning] = quat.normalise(quat.multiply(step, self.turns[turning]))
        return quat.to_matrix(self.turns)

    def _contact(self, positions: FloatArray, plane: Plane, gradient: FloatArray) -> float:
        """Return the energy of nodes beyond the plane; its gradient is added to what is given."""
        rest = (self.lattice.points - plane.origin) @ plane.normal_at_rest
        arm = positions - plane.origin
        side = np.where(rest < 0.0, -1.0, 1.0)
        depth = np.where(arm @ plane.inward > 0.0, np.maximum(-side * (arm @ plane.normal), 0.0), 0)
        stiff = _CONTACT * self.mu * self.lattice.spacing
        gradient -= stiff * (side * depth)[:, None] * plane.normal
        return 0.5 * stiff * float(depth @ depth)

    def settle(
        self,
        held: FloatArray,
        load: FloatArray | None = None,
        plane: Plane | None = None,
        steps: int = 120,
        tolerance: float = 1e-4,
    ) -> float:
        """Move the pinned nodes to ``(n, 3)`` places and find the least energy; return the last step.

        It stops when no node moves by more than `tolerance` of the spacing in a step.
        """
        moved = held - self.positions[self.pinned]
        self.positions[self.pinned] = held
        self.positions[self.free] -= self.factors.solve(self.between @ moved)
        energy, gradient = self.energy(self.positions, load, plane)
        memory: _Memory = deque(maxlen=_MEMORY)
        size = float("inf")
        for _ in range(steps):
            step = -self._search(gradient[self.free], memory)
            length, (new, energy, ahead) = self._along(step, energy, gradient, load, plane)
            size = length * float(np.abs(step).max(initial=0.0)) / self.lattice.spacing
            change = (ahead - gradient)[self.free]
            if np.sum(change * step) > 0.0:
                memory.append((length * step, change))
            self.positions, gradient = new, ahead
            if size < tolerance:
                break
        return size

    def _search(self, gradient: FloatArray, memory: _Memory) -> FloatArray:
        """Return H·gradient by the two loops of L-BFGS."""
        result, shares = gradient.copy(), []
        for step, change in reversed(memory):
            share = np.sum(step * result) / np.sum(step * change)
            shares.append(share)
            result -= share * change
        result = self.factors.solve(result)
        for (step, change), share in zip(memory, reversed(shares), strict=True):
            result += (share - np.sum(change * result) / np.sum(step * change)) * step
        return result

    def _along(
        self,
        step: FloatArray,
        energy: float,
        gradient: FloatArray,
        load: FloatArray | None,
        plane: Plane | None,
    ) -> tuple[float, tuple[FloatArray, float, FloatArray]]:
        """Halve the step until the energy falls; return its length and what is there."""
        slope, length = float(np.sum(gradient[self.free] * step)), 1.0
        while True:
            new = self.positions.copy()
            new[self.free] += length * step
            there, ahead = self.energy(new, load, plane)
            if there <= energy + 1e-4 * length * slope or length < 1e-6:
                return length, (new, there, ahead)
            length *= 0.5


def _summed(rows: IntArray, values: FloatArray, count: int) -> FloatArray:
    """Return ``(count, 3)`` the sums of the ``(n, 3)`` values of each row."""
    return np.stack([np.bincount(rows, values[:, i], count) for i in range(3)], axis=1)


def winding_numbers(points: FloatArray, triangles: FloatArray) -> FloatArray:
    """Return ``(P,)`` how often ``(F, 3, 3)`` triangles wind around points, by their solid angles."""
    result = np.zeros(len(points))
    # Some points at a time: what is computed of each and every triangle fills the memory else.
    step = max(1, _AT_ONCE // max(len(triangles), 1))
    for start in range(0, len(points), step):
        a, b, c = np.moveaxis(triangles[None] - points[start : start + step, None, None], 2, 0)
        la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
        volume = np.einsum("pfi,pfi->pf", a, np.cross(b, c))
        dots = [np.einsum("pfi,pfi->pf", u, v) for u, v in ((a, b), (b, c), (c, a))]
        other = la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb
        result[start : start + step] = np.arctan2(volume, other).sum(axis=1) / (2.0 * np.pi)
    return result
