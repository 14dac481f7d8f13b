"""Make faulty_arm.glb: ``python samples/faulty_arm.py``. The arm as exporters like to leave one.

Its joints are stated in hundredths, two of them point off their bones, and one vertex group was lost. It
is the arm all the same: nothing but the lost vertices moves otherwise. The faults are the checker's own
exact fixes, run backwards.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from rigview.check.rig_edits.reframe import FrameTurn, reframe
from rigview.core import quat
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.io import load, save

SAMPLES = Path(__file__).parent
SCALE = 0.01
# Degrees by which two joints are turned off their bones, about their own Z.
OFF = {"lowerarm": 34.0, "hand": 21.0}
LOST_VERTICES = 12


def faulty(rig: Rig) -> Rig:
    """Return the rig with three faults."""
    turns = {joint: FrameTurn(np.array(quat.IDENTITY), SCALE) for joint in rig.joints}
    for name, degrees in OFF.items():
        turn = quat.from_axis_angle((0.0, 0.0, 1.0), np.radians(degrees))
        turns[rig.nodes.names.index(name)] = FrameTurn(turn, SCALE)
    return without_weights(reframe(rig, turns))


def without_weights(rig: Rig) -> Rig:
    """Take the weights of a few vertices on the stump away."""
    primitive = rig.meshes[0].primitives[0]
    influences = primitive.influences
    if influences is None:
        raise ValueError("the arm has no weights")
    lost = np.argsort(primitive.positions[:, 0], kind="stable")[:LOST_VERTICES]
    weights, joints = influences.weights.copy(), influences.joints.copy()
    weights[lost], joints[lost] = 0.0, 0
    return rig.with_primitive(0, 0, replace(primitive, influences=Influences(joints, weights)))


def main() -> None:
    """Write the sample."""
    loaded = load(SAMPLES / "arm.glb")
    save(loaded, faulty(loaded.rig), SAMPLES / "faulty_arm.glb")
    print("faulty_arm.glb")


if __name__ == "__main__":
    main()
