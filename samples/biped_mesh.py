"""The biped's skin: body, head and hand on grids of their own, sewn together and mirrored."""

import numpy as np
from numpy.typing import NDArray

import quaternions as qt
from biped_shape import ARM, SHOULDER, body
from hand import hand_grid
from limbs import FOREARM, WRIST
from relaxation import settled
from seams import closed, sewn, whole
from surface_nets import Net, net, spaced

Array = NDArray[np.float64]

BODY_CELL, HEAD_CELL, HAND_CELLS = 0.0265, 0.0113, (0.014, 0.0078, 0.0088, 0.0074)
# The head's own grid starts at this height.
COLLAR = 1.530


def centred(stop: float, cell: float) -> Array:
    """Return grid coordinates whose first column of cells has its middle at x = 0."""
    return spaced(-cell / 2.0, stop, cell)


def biped_net() -> tuple[Net, NDArray[np.int64]]:
    """Return the skin and the mirror image of every vertex (`whole`)."""
    turn = qt.multiply(ARM, FOREARM)
    wrist = SHOULDER + qt.rotate(ARM, WRIST)
    along = qt.rotate(turn, (1.0, 0.0, 0.0))
    heights = COLLAR - spaced(0.0, 1.56, BODY_CELL)[::-1]
    rest = _half(net(body, (centred(0.75, BODY_CELL), heights, spaced(-0.2, 0.24, BODY_CELL))))
    # Where the arm is beyond the wrist the hand's own grid takes over.
    beyond = (rest.points - wrist) @ along > -0.004
    arm = rest.points[:, 0] > 0.4
    rest = rest.kept(~np.any((beyond & arm)[rest.triangles], axis=1))
    heights = spaced(COLLAR + 0.2 * BODY_CELL, 1.83, HEAD_CELL)
    head = _half(net(body, (centred(0.12, HEAD_CELL), heights, spaced(-0.14, 0.15, HEAD_CELL))))

    def hand_field(points: Array) -> Array:
        return body(qt.rotate(turn, points) + wrist)

    hand = net(hand_field, hand_grid(*HAND_CELLS))
    hand = Net(qt.rotate(turn, hand.points) + wrist, hand.triangles)
    half = sewn(rest, head, np.array([0.0, COLLAR, 0.0]), 0.12)
    half = sewn(half, hand, wrist, 0.07)
    skin, image = whole(settled(half, body, rounds=6, share=0.4))
    return closed(skin), image


def _half(net_: Net) -> Net:
    """Return a net of a centred grid with its first column exactly on the mirror plane."""
    points = net_.points.copy()
    points[np.abs(points[:, 0]) < 1e-9, 0] = 0.0
    return Net(points, net_.triangles)
