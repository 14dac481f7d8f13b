"""How long a step of a stroke of the weight brush takes: 100,000 vertices, 64 joints, one thread.

    PYTHONPATH=tests python tests/benchmarks/strokes.py

It prints the median and the longest step in milliseconds of processor time, by how much of the mesh the
brush reaches: the skin under the mouse, the points in reach, new weights, and what the card gets.

On a shared machine of two cores the median was, for 1, 5 and 25 % of the vertices, 2.3, 6.7 and 27 ms to
add, and 2.8, 9.6 and 66 ms to smooth: 16 ms are kept up to a twentieth of the mesh.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigview.core.mesh import Influences
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints
from rigview.core.weights.making import CharacterMesh
from rigview.core.weights.skin_points import SkinPoints, slots
from rigview.core.weights.strokes import PosedSurface, WeightStroke, falloff
from rigview.core.weights.weight_surface import WeightSurface, joined
from rigview.render.camera import Camera
from rigview.render.surface_picker import SurfacePicker

AROUND, ALONG, JOINTS, SLOTS = 250, 400, 64, 4
STEPS = 40


def tube() -> WeightSurface:
    """Return a tube of 100,000 points, 4 units long, 0.5 in radius."""
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    x = np.linspace(-2.0, 2.0, ALONG)
    points = np.stack(
        [
            np.repeat(x, AROUND),
            np.tile(0.5 * np.cos(turn), ALONG),
            np.tile(0.5 * np.sin(turn), ALONG),
        ],
        axis=1,
    )
    corner = np.arange(AROUND * ALONG).reshape(ALONG, AROUND)
    a, b = corner[:-1], np.roll(corner[:-1], -1, axis=1)
    c, d = corner[1:], np.roll(corner[1:], -1, axis=1)
    triangles = np.concatenate(
        [np.stack(f, axis=-1).reshape(-1, 3) for f in ((a, c, b), (b, c, d))]
    )
    return joined(points, np.arange(len(points)), triangles, 4.0)


def character(surface: WeightSurface) -> SkinPoints:
    """Return the tube on a chain of 64 joints, four influences a point."""
    along = (surface.points[:, :1] + 2.0) / 4.0 * (JOINTS - 1)
    apart = np.abs(along - np.arange(JOINTS))
    weights = np.maximum(2.0 - apart, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    joints, values = slots(weights)
    influences = Influences(joints[:, :SLOTS], values[:, :SLOTS])
    nothing = CharacterMesh(0, ())
    return SkinPoints(
        None, nothing, surface, (), tuple(range(JOINTS)), influences.joints, influences.weights
    )


def measure(of: SkinPoints, share: float, brush: BrushPoints) -> dict[str, list[float]]:
    """Return milliseconds of each part of every step."""
    surface = PosedSurface(of, of.surface.points)
    surface.prepare()
    camera = Camera().framed(of.surface.points, 1.6, None)
    size = (1000.0, 625.0)
    picker = SurfacePicker.of([(0, surface.positions, of.surface.oriented)], camera, size)
    free = Freedom(np.arange(-1, JOINTS - 1), np.arange(JOINTS) % 5 == 1)
    stroke = WeightStroke(of, brush, free)
    radius = radius_of(surface, picker, share)
    taken: dict[str, list[float]] = {name: [] for name in ("pick", "reach", "weights", "show")}
    for step in range(STEPS):
        times = [process_time()]
        hit = picker.pick(420.0 + 4.0 * step, 312.0)
        times.append(process_time())
        points, far = surface.reach(hit.place, hit.corners, radius)
        times.append(process_time())
        touched = stroke.dab(points, falloff("smooth", far, radius))
        times.append(process_time())
        stroke.heaviest(touched, 4), stroke.weight_of(touched, 30)
        times.append(process_time())
        for name, took in zip(taken, np.diff(times), strict=True):
            taken[name].append(1000.0 * took)
    return taken


def radius_of(surface: PosedSurface, picker: SurfacePicker, share: float) -> float:
    """Return the radius that reaches a share of all points."""
    hit = picker.pick(500.0, 312.0)
    low, high = 0.0, 4.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        points, _ = surface.reach(hit.place, hit.corners, middle)
        low, high = (middle, high) if len(points) < share * surface.of.count else (low, middle)
    return high


def main() -> None:
    """Print a table."""
    of = character(tube())
    print(f"{of.count} vertices, {JOINTS} joints; milliseconds a step: median (longest)")
    for brush in (BrushPoints("add", 30, 0.1, 0.5), BrushPoints("smooth", 30, 0.0, 0.5)):
        for share in (0.01, 0.05, 0.25):
            taken = measure(of, share, brush)
            whole = np.sum(list(taken.values()), axis=0)
            parts = ", ".join(f"{name} {np.median(v):.2f}" for name, v in taken.items())
            print(
                f"{brush.tool:>7} {share:5.0%}: {np.median(whole):6.2f} ({whole.max():6.2f})   {parts}"
            )


if __name__ == "__main__":
    main()
