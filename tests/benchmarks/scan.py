"""What measuring a clip costs beside skinning it: ratio of a scan to its kernels, and how it grows.

    PYTHONPATH=. python tests/benchmarks/scan.py [FILE…] [--methods IDS] [--vertices N]

Without FILE, a tube of N vertices around a bending chain of 80 joints, four influences each, and one
of ten times as many vertices. Counted is processor time of this thread, of several rounds the least.
The kernels alone are every method once per frame, positions and normals, as the scan needs them.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.measures.scan import Comparison, scan, scan_times
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.mesh import Influences, Mesh, Primitive
from rigview.core.nodes import Nodes
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig, Skin
from rigview.core.sampler import Sampler
from rigview.core.skinning import DEFAULT_PANES, METHODS, Options
from rigview.io import load

JOINTS = 80
AROUND = 100


def tube(vertices: int) -> Rig:
    """Return a tube along y around a chain of joints, each vertex on the four nearest."""
    rings = max(2, vertices // AROUND)
    y, phi = np.meshgrid(
        np.linspace(0.0, JOINTS, rings), 2 * np.pi * np.arange(AROUND) / AROUND, indexing="ij"
    )
    points = np.stack([2 * np.cos(phi), y, -2 * np.sin(phi)], axis=-1).reshape(-1, 3)
    corner = np.arange(rings * AROUND).reshape(rings, AROUND)
    low, high = corner[:-1], corner[1:]
    after = [np.roll(c, -1, axis=1) for c in (low, high)]
    triangles = np.concatenate(
        [
            np.stack(corners, axis=-1).reshape(-1, 3)
            for corners in ((low, after[0], high), (after[0], after[1], high))
        ]
    )
    first = np.clip(np.floor(points[:, 1]).astype(int) - 2, 0, JOINTS - 4)
    joints = first[:, None] + np.arange(4)
    weights = np.exp(-((points[:, 1:2] - joints - 0.5) ** 2))
    influences = Influences(joints, weights / weights.sum(axis=1, keepdims=True))
    offsets = np.zeros((JOINTS + 1, 3))
    offsets[1:JOINTS, 1] = 1.0
    nodes = Nodes(
        (*(f"joint{i}" for i in range(JOINTS)), "tube"),
        (*((i + 1,) for i in range(JOINTS - 1)), (), ()),
        offsets,
        np.tile(quat.IDENTITY, (JOINTS + 1, 1)),
        np.ones((JOINTS + 1, 3)),
    )
    primitive = Primitive(points, triangles, np.zeros((0, 2)), np.zeros(0), influences=influences)
    bare = Rig(nodes, (None,) * (JOINTS + 1), (None,) * (JOINTS + 1), (0, JOINTS))
    binds = affine.inverse(model_from_nodes(bare, rest_pose(bare))[:JOINTS])
    turn = quat.from_axis_angle((1.0, 0, 0), np.radians([0.0, 8.0, -5.0]))
    channels = tuple(
        Channel(i, "rotation", Sampler(np.array([0.0, 0.5, 1.0]), turn)) for i in range(JOINTS)
    )
    where = (*(None,) * JOINTS, 0)
    return Rig(
        nodes,
        where,
        where,
        (0, JOINTS),
        (Mesh("tube", (primitive,)),),
        (Skin("tube", tuple(range(JOINTS)), binds),),
        clips=(Clip("bend", channels),),
    )


def least(functions: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Return the least processor time of a call of each, seconds; they take turns."""
    taken: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for function, times in zip(functions, taken, strict=True):
            start = time.thread_time()
            function()
            times.append(time.thread_time() - start)
    return [min(times) for times in taken]


def measure(name: str, rig: Rig, methods: tuple[str, ...], frames: int, rounds: int) -> float:
    """Print one row and return the scan's time per frame."""
    deformer = Deformer(rig)
    meter = ShapeMeter(deformer)
    clip = rig.clips[0] if rig.clips else None
    times: FloatArray = scan_times(clip)
    times = times[np.linspace(0, len(times) - 1, min(frames, len(times))).astype(int)]
    comparison = Comparison(methods)

    def kernels() -> None:
        for t in times:
            frame = deformer.frame(sample(rig, clip, float(t)))
            for method in methods:
                for part in deformer.skin_all(frame, METHODS[method], Options()):
                    part.turn_normals()

    scan(meter, clip, comparison, times=times[:1])  # what is computed once per rig
    both = (kernels, lambda: scan(meter, clip, comparison, times=times))
    alone, whole = (taken / len(times) for taken in least(both, rounds))
    vertices = meter.mesh.starts[-1]
    print(
        f"{name:24} {vertices:>9,} {1e3 * alone:>11.2f} {1e3 * whole:>10.2f} {whole / alone:>7.2f}"
    )
    return whole


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--vertices", type=int, default=100_000)
    parser.add_argument("--frames", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--methods", default=",".join(DEFAULT_PANES))
    options = parser.parse_args()
    methods = tuple(options.methods.split(","))
    print(f"{', '.join(methods)}; milliseconds per frame, all methods")
    print(f"{'rig':24} {'vertices':>9} {'kernels':>11} {'scan':>10} {'ratio':>7}")
    for file in options.files:
        measure(file.stem, load(file).rig, methods, options.frames, options.rounds)
    if not options.files:
        small = measure("tube", tube(options.vertices), methods, options.frames, options.rounds)
        large = measure("tube × 10", tube(10 * options.vertices), methods, 2, options.rounds)
        print(f"ten times the vertices cost {large / small:.1f} times as much")


if __name__ == "__main__":
    main()
