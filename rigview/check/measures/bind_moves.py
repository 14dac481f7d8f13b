"""What takes a skin from one pose of its joints to another, and what most of its joints agree on."""

from dataclasses import dataclass

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray

# Two joints are moved alike up to an angle in degrees, and a distance as a share of the size.
TURN, MOVE = 1.0, 0.01
# The largest skeleton of the corpus has fewer joints: of theirs all are tried.
_MOST_TRIED = 512
# Rows of the table of all pairs that are computed at once: of 10,000 joints 15 MB.
_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Moves:
    """Matrices, how they turn, and where they take a point each.

    Parameters
    ----------
    matrices, turns, points, taken
        ``(J, 4, 4)``, ``(J, 4)``, ``(J, 3)`` and ``(J, 3)``.
    """

    matrices: FloatArray
    turns: FloatArray
    points: FloatArray
    taken: FloatArray

    @classmethod
    def of(cls, matrices: FloatArray, points: FloatArray) -> "Moves":
        """Measure ``(J, 4, 4)`` matrices at ``(J, 3)`` points."""
        turns = quat.from_matrix(affine.polar(matrices[:, :3, :3])[0])
        return cls(matrices, turns, points, moved(matrices, points))

    def common(self, size: float) -> int:
        """Return the place of the matrix that most agree with: the rigid offset of the skin as a whole.

        Joints agree as far as the rules' limits are by default, whatever a studio makes of them: what is
        looked for is the middle of the largest heap, and how wide it is taken hardly moves that. Of more
        than `_MOST_TRIED` so many are tried, spread evenly over the list, each against all.
        """
        # |q·p| is the cosine of half the angle between two rotations.
        tried = np.unique(np.linspace(0, len(self.turns) - 1, _MOST_TRIED).astype(np.int64))
        found = np.zeros(len(tried), dtype=np.int64)
        for start in range(0, len(tried), _BLOCK):
            rows = tried[start : start + _BLOCK]
            near = np.abs(self.turns[rows] @ self.turns.T) >= np.cos(0.5 * np.radians(TURN))
            apart = self.matrices[rows, :3, :3] @ self.points.T + self.matrices[rows, :3, 3:]
            apart -= self.taken.T
            near &= np.einsum("aib,aib->ab", apart, apart) <= (MOVE * size) ** 2
            found[start : start + _BLOCK] = np.count_nonzero(near, axis=1)
        return int(tried[np.argmax(found)])

    def apart(self, place: int) -> tuple[FloatArray, FloatArray]:
        """Return ``(J,)`` the angles to one of them, and how far it takes the points elsewhere."""
        taken = moved(self.matrices[place], self.points)
        turns = np.broadcast_to(self.turns[place], self.turns.shape)
        return quat.angle_between(self.turns, turns), np.linalg.norm(self.taken - taken, axis=-1)


def moved(matrices: FloatArray, points: FloatArray) -> FloatArray:
    """Return where ``(…, 4, 4)`` matrices take ``(…, 3)`` points."""
    return np.einsum("...ij,...j->...i", matrices[..., :3, :3], points) + matrices[..., :3, 3]
