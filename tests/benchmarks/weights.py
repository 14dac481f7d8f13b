"""What methods that make weights cost, and how near to the artist's weights they come.

    PYTHONPATH=. python tests/benchmarks/weights.py CORPUS [--methods IDS] [--characters NAMES]

All weights of a character are made anew, with the joints that the artist's vertices follow most and four
influences. The error is the displacement against the artist's weights, rms / 99th percentile in per cent
of the height, over eight poses of a range of motion. Seconds are processor time of one thread, megabytes
what a process of its own holds at most beside the open file. Parameters of the methods were chosen on the
first five characters; the others judge. "tube" has no artist: 25 000 vertices on 80 joints, for the cost.

The exit status is 1 where an error is more than 5 % above the table's.
"""

import argparse
import os
import sys

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rigview.assets import resource
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion
from rigview.core.weights.displacement import displacements, telling_poses
from rigview.core.weights.making import WeightRequest, make_weights
from rigview.core.weights.problem import WeightOptions
from rigview.io import load

_M2M = "Mesh2Motion+mesh2motion-app/static/models-variation"
_KHRONOS = "DRx3D+glTF-Sample-Assets-OLD/Models"
TUNED = {
    "human-female": f"{_M2M}/human-female.glb",
    "human-sintel": f"{_M2M}/human-sintel.glb",
    "Cesium Man": f"{_KHRONOS}/CesiumMan/glTF-Binary/CesiumMan.glb",
    "Knight": "KayKit-Game-Assets+KayKit-Character-Pack-Adventures-1.0/addons/"
    "kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
    "Fox": f"{_KHRONOS}/Fox/glTF-Binary/Fox.glb",
}
JUDGING = {
    "horse": f"{_M2M}/fox-horse.glb",
    "T-rex": f"{_M2M}/kaiju-t-rex.glb",
    "Godette": "V-Sekai+godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "Alpaca": "trebeljahr+quaternius-showcase/public/glb/animals_pack/Alpaca.glb",
}
FILES = TUNED | JUDGING
TUBE = "tube"
# The rows of the table: a method, and how far it diffuses, None for its own default.
ROWS: dict[str, tuple[str, float | None]] = {
    "nearest": ("nearest", None),
    "nearest + diffusion": ("nearest", 0.02),
    "envelope": ("envelope", None),
    "heat": ("heat", None),
    "geodesic-voxel": ("geodesic-voxel", None),
    "bbw": ("bbw", None),
}
# LBS rms in per cent of the height, measured by this script, in the order of `FILES`.
_MEASURED = {
    "nearest": (0.171, 0.399, 0.396, 2.104, 2.247, 0.503, 0.773, 1.206, 1.831),
    "nearest + diffusion": (0.083, 0.321, 0.313, 1.902, 2.163, 0.361, 0.556, 0.986, 1.534),
    "envelope": (0.161, 0.345, 0.365, 1.356, 2.563, 0.594, 0.659, 0.981, 1.611),
    "heat": (0.048, 0.308, 0.282, 0.575, 1.198, 0.177, 0.203, 0.661, 1.632),
    "geodesic-voxel": (0.054, 0.317, 0.269, 1.114, 1.304, 0.193, 0.214, 0.666, 1.574),
    "bbw": (0.117, 0.359, 0.270, 1.285, 1.232, 0.294, 0.418, 0.816, 1.164),
}
TABLE = {row: dict(zip(FILES, values, strict=True)) for row, values in _MEASURED.items()}
WORSE = 1.05


def resident(key: str) -> float:
    """Return a size of this process in megabytes, as Linux states it; 0 elsewhere."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith(key)), 0.0)


def opened(corpus: Path, name: str):
    """Return the rig of a character."""
    if name == TUBE:
        from scan import tube

        return tube(25_000)
    return load(corpus / FILES[name]).rig


def measured(
    corpus: Path, name: str, row: str
) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Return LBS and DQS errors in per cent of the height, seconds and megabytes."""
    rig = opened(corpus, name)
    method, smooth = ROWS[row]
    wish = WeightRequest(method, WeightOptions(smooth=smooth), vertices="all")
    # Modules that are imported late are no cost of the method.
    import scipy.sparse.csgraph
    import scipy.sparse.linalg
    import scipy.spatial  # noqa: F401

    peak = Path("/proc/self/clear_refs")
    if peak.exists():
        peak.write_text("5")
    before, start = resident("VmRSS"), time.process_time()
    made = make_weights(rig, wish)
    seconds = time.process_time() - start
    memory = resident("VmHWM") - before
    motion = range_of_motion(rig, LimitTable.of(resource("joint_limits.json")))
    found = displacements(rig, made.rig, telling_poses(rig, motion), made.replaced)
    return {id_: (100 * d.rms, 100 * d.p99) for id_, d in found.items()}, seconds, memory


def main() -> int:
    """Print one line per character and row."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--methods", default=",".join(ROWS), help="rows of the table")
    parser.add_argument("--characters", default=",".join((*FILES, TUBE)))
    options = parser.parse_args()
    worse = 0
    print(f"{'':13}{'':21}{'LBS rms/p99':>14}{'DQS rms/p99':>14}{'s':>7}{'MB':>6}  table")
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        for name in options.characters.split(","):
            for row in options.methods.split(","):
                errors, seconds, memory = pool.submit(measured, options.corpus, name, row).result()
                told = "".join(f"{f'{rms:.3f}/{p99:.2f}':>14}" for rms, p99 in errors.values())
                if name == TUBE:
                    told = f"{'':28}"
                wanted = TABLE.get(row, {}).get(name)
                off = wanted is not None and errors["lbs"][0] > WORSE * wanted
                worse += off
                said = "" if wanted is None else f"{wanted:.3f}{' WORSE' if off else ''}"
                print(f"{name:13}{row:21}{told}{seconds:7.2f}{memory:6.0f}  {said}", flush=True)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
