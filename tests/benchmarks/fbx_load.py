"""How long an FBX file takes to open and how much memory: a table, the largest files first.

    python tests/benchmarks/fbx_load.py [FILE…] [--rounds N] [--most FILES]

Compared with whatever is installed of Blender's importer in Python (``pip install bpy==4.2.0``) and
ufbx in C (``pip install pyufbx``); neither is a dependency. The readers take turns on each file, and
of several rounds the shortest counts, in seconds of the processor: other work on the machine only adds.

Blender's importer also samples every clip frame by frame, ufbx only parses. rigview makes a clip when
it is first asked for: the column "clips" is what all clips of the file take besides.

"peak" and "kept" are the memory of opening as Python counts it, the file's own bytes among it, as
multiples of the arrays that the file holds, each in the file's type; "file" is the file's bytes as
such a multiple. Where a file has few and small arrays, it is its bytes and objects that count.
"""

import argparse
import contextlib
import gc
import importlib
import importlib.util
import io
import os
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

from rigview.io import load
from rigview.io.fbx.reader import document
from rigview.io.fbx.tree import Node, Packed

# A property has as many numbers, or fewer.
FEW = 4
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus")) / "rigs"


def open_with_blender(path: Path) -> Callable[[], object]:
    """Return the importer on an empty scene; emptying it is not part of the time."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Blender's own modules can be found once bpy is loaded.
    importlib.import_module("addon_utils").enable("io_scene_fbx")
    return lambda: bpy.ops.import_scene.fbx(filepath=str(path))


def open_with_ufbx(path: Path) -> Callable[[], object]:
    """Return ufbx through its Python package."""
    import ufbx

    return lambda: ufbx.load_file(str(path))


def open_with_rigview(path: Path) -> Callable[[], object]:
    """Return ours."""
    return lambda: load(path)


def open_with_clips(path: Path) -> Callable[[], object]:
    """Return ours, on clips that wait to be asked for."""
    clips = load(path).rig.clips
    return lambda: [len(clip.channels) for clip in clips]


READERS = {"rigview": open_with_rigview, "bpy": open_with_blender, "ufbx": open_with_ufbx}


def seconds(prepare: Callable[[Path], Callable[[], object]], path: Path) -> float | None:
    """Return how long one opening takes; None where the reader refuses the file."""
    with contextlib.redirect_stdout(io.StringIO()):
        work = prepare(path)
        start = time.process_time()
        try:
            work()
        except RuntimeError:
            return None
    return time.process_time() - start


def array_bytes(node: Node) -> int:
    """Return how many bytes all arrays in a node have; numbers stated one by one count as 64-bit."""
    numbers = sum(isinstance(value, int | float) for value in node.values)
    stated = 8 * numbers if numbers > FEW else 0
    packed = (value for value in node.values if isinstance(value, Packed))
    stated += sum(array.decode(node).nbytes for array in packed)
    return stated + sum(map(array_bytes, node.children))


def memory(path: Path) -> tuple[float, float]:
    """Return the peak of opening, and what is kept, in bytes."""
    gc.collect()
    tracemalloc.start()
    loaded = load(path)
    _, peak = tracemalloc.get_traced_memory()
    # Also what Python holds ready for the next small objects.
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del loaded
    return peak, kept


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=12)
    options = parser.parse_args()
    files = options.files or sorted(CORPUS.rglob("*.fbx"), key=lambda p: -p.stat().st_size)
    installed = {n: r for n, r in READERS.items() if n == "rigview" or importlib.util.find_spec(n)}
    others = [name for name in installed if name != "rigview"]
    sys.stdout.write(
        "  KiB     ms   clips"
        + "".join(f"  /{name:>6}" for name in others)
        + "  peak  kept  file\n"
    )
    for path in files[: options.most]:
        best: dict[str, float] = {}
        for _ in range(options.rounds):
            for name, prepare in installed.items():
                took = seconds(prepare, path)
                if took is not None:
                    best[name] = min(took, best.get(name, took))
            took = seconds(open_with_clips, path)
            if took is not None:
                best["clips"] = min(took, best.get("clips", took))
        ours = best["rigview"]
        spent = f"{ours * 1e3:6.1f} {best['clips'] * 1e3:7.1f}"
        ratios = "".join(f"  {ours / best[n]:7.2f}" if n in best else "  refused" for n in others)
        size = path.stat().st_size
        arrays = max(1, sum(map(array_bytes, document(path).root().children)))
        room = "".join(f" {n / arrays:5.1f}" for n in (*memory(path), size))
        sys.stdout.write(f"{size // 1024:5} {spent}{ratios} {room}  {path.name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
