"""How long opening a glTF takes and how much memory, against a bare json + numpy decode of the same.

    PYTHONPATH=. python tests/benchmarks/gltf_load.py [FILE_OR_FOLDER…] [--rounds N] [--all]

The bare decode is what any consumer has to do and nothing else: it reads the file and its buffers,
parses the JSON with `json.loads` and turns every accessor into the array that a rig holds: 64-bit
numbers, (n, width), strides followed, sparse values put in, normalised integers divided. It checks
nothing and knows no node, no channel and no image. Opening does all of rigview's reading, as
somebody waits for it: curves, morph targets and what only shading reads (normals, tangents, texture
coordinates, colours) are looked through, but they become numbers and channels when they are first
looked at, and images when they are shown. "all" is therefore told as well: opening, and then making
all of these but the images.

Prints a row per file, the most accessors first: the three times (of several rounds the least, taking
turns, in milliseconds of the processor), and opening (the limit is 1.3) and opening with all of it as
multiples of the bare decode; then memory as multiples of the decoded arrays: the peak of the bare
decode, the peak of opening (the limit is 6), that of opening with all of it, and what is kept then, as
Python counts it, and in brackets the peak of opening as the system counts it, in a process of its
own. What is kept besides the arrays are the file's bytes and the objects that name each curve. At
its peak the parsed JSON comes to that, which alone is more than 6 times the arrays where thousands
of accessors have a few numbers each: compare it with the bare decode's. Compressed files are left
out, and so are those below a millisecond without --all.
"""

import argparse
import base64
import gc
import json
import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from rigview.io import Loaded, LoadError, load

REPOSITORY = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus")) / "rigs"
SMALL = REPOSITORY / "samples" / "box.glb"
RATIO, MEMORY = 1.3, 6.0
SHORTEST_MS = 1.0
COMPRESSIONS = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}
TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
DTYPES = {code: np.dtype(name) for code, name in TYPES.items()}


def bare(path: Path) -> list[NDArray[Any]]:
    """Decode all accessors of a file.

    Raises
    ------
    KeyError
        If the file is compressed or not sound.
    """
    data = path.read_bytes()
    binary: bytes | memoryview = b""
    text = data
    if data.startswith(b"glTF"):
        end = 20 + int.from_bytes(data[12:16], "little")
        text, binary = data[20:end], memoryview(data)[end + 8 :]
    document = json.loads(text)
    if COMPRESSIONS.intersection(document.get("extensionsUsed", ())):
        raise KeyError("compressed")
    buffers = [_buffer(path, b.get("uri"), binary) for b in document.get("buffers", ())]
    views = document.get("bufferViews", ())
    accessors = document.get("accessors", ())
    whole = _whole_numbers(document)
    return [_decoded(a, views, buffers, number in whole) for number, a in enumerate(accessors)]


def _buffer(path: Path, uri: str | None, binary: Any) -> Any:
    if uri is None:
        return binary
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return (path.parent / unquote(uri)).read_bytes()


def _whole_numbers(document: Any) -> set[int]:
    """Return the accessors that hold indices or joints."""
    primitives = [p for mesh in document.get("meshes", ()) for p in mesh["primitives"]]
    found = {p["indices"] for p in primitives if "indices" in p}
    return found | {
        number
        for p in primitives
        for name, number in p["attributes"].items()
        if name.startswith("JOINTS_")
    }


def _decoded(accessor: Any, views: Any, buffers: Any, whole: bool) -> NDArray[Any]:
    dtype, width = DTYPES[accessor["componentType"]], WIDTHS[accessor["type"]]
    if "bufferView" in accessor:
        raw = _stored(accessor, views, buffers, dtype, accessor["count"], width)
    else:
        raw = np.zeros((accessor["count"], width), dtype)
    values = raw.astype(np.int64 if whole else np.float64)
    sparse = accessor.get("sparse")
    if sparse is not None:
        count, where, new = sparse["count"], sparse["indices"], sparse["values"]
        rows = _stored(where, views, buffers, DTYPES[where["componentType"]], count, 1)[:, 0]
        values[rows] = _stored(new, views, buffers, dtype, count, width)
    if accessor.get("normalized"):
        np.maximum(values / np.iinfo(dtype).max, -1.0, out=values)
    return values


def _stored(
    holder: Any, views: Any, buffers: Any, dtype: np.dtype[Any], count: int, width: int
) -> NDArray[Any]:
    view = views[holder["bufferView"]]
    offset = view.get("byteOffset", 0) + holder.get("byteOffset", 0)
    size = dtype.itemsize * width
    stride = view.get("byteStride", size)
    buffer = buffers[view["buffer"]]
    if stride == size:
        return np.frombuffer(buffer, dtype, count * width, offset).reshape(count, width)
    return np.ndarray((count, width), dtype, buffer, offset, (stride, dtype.itemsize))


def with_all(path: Path) -> Loaded:
    """Open a file and make all its channels and morph targets, and what only shading reads."""
    loaded = load(path)
    for clip in loaded.rig.clips:
        list(clip.channels)
    for primitive in (p for mesh in loaded.rig.meshes for p in mesh.primitives):
        for name in ("normals", "tangents", "colours"):
            getattr(primitive, name)
        list(primitive.uvs.values())
        if primitive.morphs is not None:
            primitive.morphs.prepare()
    return loaded


def least_ms(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the least time of each function."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, own in zip(works, times, strict=True):
            gc.collect()
            start = time.process_time()
            work()
            own.append(1e3 * (time.process_time() - start))
    return [min(own) for own in times]


def memory(work: Callable[[], object]) -> tuple[int, int]:
    """Return how many bytes are kept of what a function returns, and the peak on the way."""
    gc.collect()
    tracemalloc.start()
    result = work()
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del result
    return kept, peak


def in_system(path: Path) -> int:
    """Return the bytes by which opening a file raised the memory of a new process at most."""
    command = [sys.executable, __file__, "--peak-of", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


def print_peak(path: Path) -> None:
    """Print what `in_system` returns: of this process, once it has opened a small file."""
    load(SMALL)
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak of the imports
    load(path)
    print(_status("VmHWM") - before)


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))


def sizes(paths: list[Path]) -> Iterator[tuple[int, int, Path]]:
    """Yield number of accessors, size of the arrays and path of every file that can be compared."""
    for path in paths:
        try:
            load(path)
            arrays = bare(path)
        except (KeyError, LoadError):
            continue
        if any(array.nbytes for array in arrays):
            yield len(arrays), sum(array.nbytes for array in arrays), path


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, default=[CORPUS])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--peak-of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak_of is not None:
        print_peak(options.peak_of)
        return
    paths = [f for p in options.files for f in (p.rglob("*.gl[bt]*") if p.is_dir() else [p])]
    print(
        "  bare   load    all ms  ratios       bare load  all kept (system)  accessors, MiB, file"
    )
    ratios = []
    for count, size, path in sorted(sizes(paths), reverse=True):
        ways = [partial(way, path) for way in (bare, load, with_all)]
        quick, full, whole = least_ms(options.rounds, *ways)
        if quick < SHORTEST_MS and not options.all:
            continue
        ratios.append((full / quick, whole / quick))
        (_, least), (_, most), (kept, all_of_it) = (memory(way) for way in ways)
        peaks = "".join(f"{peak / size:5.1f}" for peak in (least, most, all_of_it, kept))
        print(
            f"{quick:6.2f}{full:7.2f}{whole:7.2f}  {full / quick:5.2f}{whole / quick:5.2f}    {peaks}"
            f"{in_system(path) / size:9.1f}  {count:9}{size / (1 << 20):6.2f}  {path.name}",
            flush=True,
        )
    for name, column in zip(("opening", "with all"), zip(*ratios, strict=True), strict=False):
        print(f"{name}: median ratio {statistics.median(column):.2f}, worst {max(column):.2f}")


if __name__ == "__main__":
    main()
