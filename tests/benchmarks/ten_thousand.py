"""Make a library of many small rigs with planted defects, and say how many there are of each.

    python tests/benchmarks/ten_thousand.py FOLDER [COUNT]
    /usr/bin/time -v rigview check FOLDER --format json -o found.json

Each rig is the tube of the broken samples, coarser, without a clip and of its own length: no two files
are the same. Of every 50, three have a defect and one is no rig.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

SAMPLES = Path(__file__).parents[2] / "samples"
sys.path.insert(0, str(SAMPLES))

from draft import LENGTH, RADIUS, Draft, draft, written
from shapes import cylinder

# A folder holds as many.
_IN_A_FOLDER = 500
_SIDES, _RINGS = 5, 6
NO_RIG = "no rig"


def _halved(rig: Draft) -> None:
    rig.weights[3, 0] = 0.5


def _unweighted(rig: Draft) -> None:
    rig.weights[4] = 0.0


def _singular(rig: Draft) -> None:
    assert rig.binds is not None
    rig.binds[3] = np.diag([1.0, 1.0, 0.0, 1.0]) @ rig.binds[3]


# The place among 50 → the rule that finds something there, and what is done to the rig.
DEFECTS: dict[int, tuple[str, Callable[[Draft], None]]] = {
    7: ("WGT-SUM", _halved),
    19: ("WGT-ZERO", _unweighted),
    31: ("BND-SINGULAR", _singular),
}
_PERIOD, _UNREADABLE = 50, 43


def rig_of(number: int) -> bytes:
    """Return the file of a number."""
    place = number % _PERIOD
    if place == _UNREADABLE:
        return b"solid of another kind\n"
    rig = draft()
    shape = cylinder(RADIUS, LENGTH, _SIDES, _RINGS)
    joints = np.minimum(shape.positions[:, 1].astype(int), 3)
    stretch = 1.0 + 1e-5 * number
    rig.positions, rig.normals = shape.positions * (1.0, stretch, 1.0), shape.normals
    rig.triangles = shape.triangles
    rig.translations = rig.translations * stretch
    assert rig.binds is not None
    rig.binds[:, :3, 3] *= stretch
    rig.joints = np.zeros((len(joints), 4), np.int64)
    rig.joints[:, 0] = joints
    rig.weights = np.zeros((len(joints), 4))
    rig.weights[:, 0] = 1.0
    rig.change = lambda document, _: document.pop("animations")
    if place in DEFECTS:
        DEFECTS[place][1](rig)
    return written(rig)


def make(folder: Path, count: int) -> dict[str, int]:
    """Write the library, and return what is planted in it."""
    for number in range(count):
        place = folder / f"{number // _IN_A_FOLDER:02}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:05}.glb").write_bytes(rig_of(number))
    return planted(count)


def planted(count: int) -> dict[str, int]:
    """Return how many of so many files have each defect, and how many are no rig."""
    places = [number % _PERIOD for number in range(count)]
    named = {place: rule for place, (rule, _) in DEFECTS.items()} | {_UNREADABLE: NO_RIG}
    return {rule: places.count(place) for place, rule in named.items()}


if __name__ == "__main__":
    print(json.dumps(make(Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 10_000)))
