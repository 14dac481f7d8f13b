"""How long an FBX file takes to open and how much memory: a table, the largest files first.

    python tests/benchmarks/fbx_load.py [FILE…] [--rounds N] [--most FILES] [--bpy PYTHON] [--ufbx PYTHON]

Compared with Blender's importer in Python (``pip install bpy==4.5.15``) and ufbx in C (``pip install
pyufbx``), of whatever interpreters have them; neither is a dependency. Each reader has a process of
its own: in Blender's, memory costs all others so much time of the system that files with many arrays
take twice as long. The readers take turns on each file, and of several rounds the shortest counts,
in seconds of the processor: other work on the machine only adds.

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
import io
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rigview.io.fbx.tree import Node

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

# The readers to compare with.
OTHERS = ("bpy", "ufbx")
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
    from rigview.io import load

    return lambda: load(path)


def open_with_clips(path: Path) -> Callable[[], object]:
    """Return ours, on clips that wait to be asked for."""
    from rigview.io import load

    clips = load(path).rig.clips
    return lambda: [len(clip.channels) for clip in clips]


READERS = {
    "rigview": open_with_rigview,
    "clips": open_with_clips,
    "bpy": open_with_blender,
    "ufbx": open_with_ufbx,
}


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


def answer(reader: str) -> None:
    """Time a reader on each file named in a line of the input; a line of output for each."""
    for line in sys.stdin:
        took = seconds(READERS[reader], Path(line.removesuffix("\n")))
        # The libraries may print too.
        sys.stdout.write(f"took {took}\n")
        sys.stdout.flush()


class Reader(ExitStack):
    """A reader in a process of its own, which is started again after a crash."""

    def __init__(self, python: str, name: str) -> None:
        super().__init__()
        self._command = [python, __file__, "--answer", name]
        self._process: subprocess.Popen[str] | None = None

    def seconds(self, path: Path) -> float | None:
        """Return how long one opening takes; None where the reader refuses the file or crashes."""
        if self._process is None:
            process = subprocess.Popen(
                self._command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            self._process = self.enter_context(process)
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("took "):
                took = line.split()[1]
                return None if took == "None" else float(took)
        self._process = None
        sys.stderr.write(f"{self._command[-1]} crashed on {path}\n")
        return None


def array_bytes(node: "Node") -> int:
    """Return how many bytes all arrays in a node have; numbers stated one by one count as 64-bit."""
    from rigview.io.fbx.tree import Packed

    numbers = sum(isinstance(value, int | float) for value in node.values)
    stated = 8 * numbers if numbers > FEW else 0
    packed = (value for value in node.values if isinstance(value, Packed))
    stated += sum(array.decode(node).nbytes for array in packed)
    return stated + sum(map(array_bytes, node.children))


def memory(path: Path) -> tuple[float, float]:
    """Return the peak of opening, and what is kept, in bytes."""
    from rigview.io import load

    # What is made once for all files does not count.
    load(path)
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
    for name in OTHERS:
        parser.add_argument(f"--{name}", metavar="PYTHON", help=f"an interpreter that has {name}")
    parser.add_argument("--answer", choices=READERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answer(options.answer)
        return
    files = options.files or sorted(CORPUS.rglob("*.fbx"), key=lambda p: -p.stat().st_size)
    others = {name: getattr(options, name) for name in OTHERS if getattr(options, name)}
    pythons = {"rigview": sys.executable, "clips": sys.executable, **others}
    sys.stdout.write(
        "  KiB     ms   clips"
        + "".join(f"  /{name:>6}" for name in others)
        + "  peak  kept  file\n"
    )
    with ExitStack() as running:
        readers = {n: running.enter_context(Reader(p, n)) for n, p in pythons.items()}
        for path in files[: options.most]:
            sys.stdout.write(row(path, readers, options.rounds))
            sys.stdout.flush()


def row(path: Path, readers: dict[str, Reader], rounds: int) -> str:
    """Return the row of a file."""
    from rigview.io.fbx.reader import document

    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, reader in readers.items():
            took = reader.seconds(path)
            if took is not None:
                best[name] = min(took, best.get(name, took))
    ours = best["rigview"]
    spent = f"{ours * 1e3:6.1f} {best['clips'] * 1e3:7.1f}"
    others = [name for name in OTHERS if name in readers]
    ratios = "".join(f"  {ours / best[n]:7.2f}" if n in best else "  refused" for n in others)
    size = path.stat().st_size
    arrays = max(1, sum(map(array_bytes, document(path).root().children)))
    room = "".join(f" {n / arrays:5.1f}" for n in (*memory(path), size))
    return f"{size // 1024:5} {spent}{ratios} {room}  {path.name}\n"


if __name__ == "__main__":
    main()
