"""WGT-SEAM asks whether a hole opens where vertices at one place part."""

from dataclasses import replace

import numpy as np
import pytest
import rigs

from rigview.check.run import run
from rigview.core.mesh import Influences

# A corner at the origin, and three more of a tetrahedron on either side of it.
SOLID = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


@pytest.mark.parametrize(
    ("faces", "torn"),
    [(slice(0, 4), 0), (slice(1, 4), 2), (slice(0, 3), 0), (slice(0, 0), 2)],
    ids=["closed", "open at the corner", "open elsewhere", "no faces"],
)
def test_solids_that_touch_may_part_but_surfaces_may_not(faces, torn):
    rig = rigs.tidy()
    positions = np.concatenate([SOLID, -SOLID])
    joints = np.repeat([[1, 0], [2, 0]], 4, axis=0)
    part = rig.primitive(rig.parts[0])
    triangles = np.concatenate([FACES[faces], FACES[:, ::-1] + 4])
    made = replace(
        part,
        positions=positions,
        normals=None,
        triangles=triangles,
        influences=Influences(joints, np.tile([1.0, 0.0], (8, 1))),
    )
    found = run(rig.with_primitive(0, 0, made), select=["WGT-SEAM"]).findings
    assert [f.vertices.count for f in found] == ([torn] if torn else [])
