"""How long opening a glTF takes and how much memory, against a bare json + numpy decode of the same.

    python tests/benchmarks/gltf_load.py FILE_OR_FOLDER ...

The bare decode parses the JSON and turns every accessor that the reader decodes into the array that
the rig holds: 64-bit numbers, weights divided, and nothing else. Prints a row per file: the median
of both times, their ratio (the limit is 1.3), and the reader's peak of memory as a multiple of the
decoded arrays (the limit is 6). Compressed files, and those below a millisecond, are left out.
"""

import gc
import json
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np

from rigview.io import load
from rigview.io.gltf import container
from rigview.io.gltf.accessors import COMPONENTS, WIDTHS, Accessors

ROUNDS = 9
RATIO, MEMORY = 1.3, 6.0
SHORTEST = 1e-3


def decoded_accessors(path):
    """Return which accessors the reader decodes, and whether as real numbers."""
    seen = []
    floats, integers = Accessors.floats, Accessors.integers

    def record(method, real):
        def wrapped(self, place, *rest):
            seen.append((place.value, real))
            return method(self, place, *rest)

        return wrapped

    Accessors.floats, Accessors.integers = record(floats, True), record(integers, False)
    try:
        load(path)
    finally:
        Accessors.floats, Accessors.integers = floats, integers
    return list(dict.fromkeys(seen))


def bare(path, wanted):
    """Decode the accessors with json and numpy alone."""
    source = container.read(path) if path.suffix == ".gltf" else None
    if source is None:
        data = path.read_bytes()
        size = int.from_bytes(data[12:16], "little")
        document = json.loads(data[20 : 20 + size])
        buffers = [memoryview(data)[20 + size + 8 :]]
    else:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
        buffers = [source.buffer(place, i) for i, place in enumerate(source.root.array("buffers"))]
    arrays = []
    for number, real in wanted:
        accessor = document["accessors"][number]
        dtype, width = COMPONENTS[accessor["componentType"]], WIDTHS[accessor["type"]]
        view = document["bufferViews"][accessor["bufferView"]]
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride") or dtype.itemsize * width
        raw = np.ndarray(
            (accessor["count"], width),
            dtype,
            buffers[view.get("buffer", 0)],
            offset,
            (stride, dtype.itemsize),
        )
        values = raw.astype(np.float64 if real else np.int64)
        if real and accessor.get("normalized"):
            values /= np.iinfo(dtype).max
        arrays.append(values)
    return arrays


def median(work):
    times = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak(path):
    tracemalloc.start()
    load(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def measured(path):
    """Return both times, and peak over size; None of a file that is not compared."""
    wanted = decoded_accessors(path)
    try:
        arrays = bare(path, wanted)
    except KeyError:  # sparse or compressed accessors
        return None
    size = sum(array.nbytes for array in arrays)
    quick = median(lambda: bare(path, wanted))
    if quick < SHORTEST or not size:
        return None
    return quick, median(lambda: load(path)), peak(path) / size


def main(arguments):
    paths = [Path(a) for a in arguments]
    files = [f for p in paths for f in (sorted(p.rglob("*.gl[bt]*")) if p.is_dir() else [p])]
    print(f"{'bare ms':>9}{'load ms':>9}{'ratio':>7}{'memory':>8}  file")
    ratios = []
    for path in files:
        result = measured(path)
        if result is not None:
            quick, full, memory = result
            ratios.append(full / quick)
            print(
                f"{1e3 * quick:9.2f}{1e3 * full:9.2f}{full / quick:7.2f}{memory:8.1f}  {path.name}"
            )
    if ratios:
        print(f"median ratio {statistics.median(ratios):.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
