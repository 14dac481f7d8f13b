"""What lies over the meshes, as geometry."""

import numpy as np
import pytest

from rigview.assets import rgb, theme
from rigview.render.overlay import grid


def rows_of(lines):
    """Return lines as a set, whichever end comes first."""
    return {
        (*sorted((tuple(row[:3]), tuple(row[3:6]))), *row[6:])
        for row in np.round(lines, 9).tolist()
    }


@pytest.mark.parametrize("size", [0.0, 0.03, 0.99, 1.0, 1.8, 5.0, 9.99, 180.0])
@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_grid_lies_square_on_the_ground_under_the_whole_rig(size, name):
    lines = np.concatenate(grid(size, name).lines)
    reach = np.abs(lines[:, :3]).max()
    if size:
        assert size <= reach <= 5 * size
    lines[:, :6] /= reach
    starts, ends = lines[:, :3], lines[:, 3:6]
    assert not lines[:, (1, 4)].any()
    for mirror in ((-1, 1, 1), (1, 1, -1)):
        mirrored = np.hstack([starts * mirror, ends * mirror, lines[:, 6:]])
        assert rows_of(mirrored) == rows_of(lines)
    # Every line goes from edge to edge, and there are as many as there seem to be.
    assert np.linalg.norm(ends - starts, axis=1) == pytest.approx(2.0)
    assert len(rows_of(lines)) == len(lines)
    for axis, along in (("x", 0), ("z", 2)):
        (line,) = np.flatnonzero((lines[:, 6:9] == rgb(theme(name)[axis])).all(axis=1))
        assert starts[line].tolist() == [-v for v in ends[line]]
        assert abs(starts[line][along]) == 1.0
