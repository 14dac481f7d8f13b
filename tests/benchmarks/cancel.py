"""How long a file goes on being read after the user has cancelled: the limit is 200 ms.

    PYTHONPATH=. python tests/benchmarks/cancel.py [FILE…] [--mib SIZE] [--rounds N]

A reader of any format stops where it next tells of its progress, so the longest silence is what a
cancel takes at worst. Each file is read once to find that silence; then it is read up to there and
cancelled as soon as the silence has begun, and what counts is the time until `load` has ended. Of
several rounds the least counts, in seconds of the processor: other work on the machine only adds.

Without files, large glTFs are made, each with its bytes in another place: one mesh, one clip,
many meshes, or base64 within the JSON.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "io"))
from documents import Document

from rigview.core.rig import Rig
from rigview.io import Cancelled, Listener, load

LIMIT_MS = 200.0
_BYTES_A_VERTEX = 12 + 12 + 8 + 16 + 24  # two corners of six a vertex
_KEYS = 1000


class Watch(Listener):
    """Notes when the reader tells of its progress, and cancels at one of those times."""

    def __init__(self, stop: int = -1) -> None:
        self.texts, self.times, self._stop = ["the beginning"], [time.process_time()], stop

    def stage(self, text: str, fraction: float) -> None:  # noqa: ARG002 - a listener's signature
        """Note the stage, or stop here."""
        self.times.append(time.process_time())
        self.texts.append(text)
        if len(self.times) - 1 == self._stop:
            raise Cancelled

    def skeleton(self, rig: Rig) -> None:  # noqa: ARG002
        """Note it like a stage."""
        self.stage("the skeleton", 0.0)


def longest_silence(path: Path) -> int:
    """Return the number of the sign of progress that ends the longest silence."""
    watch = Watch()
    load(path, watch)
    watch.stage("the end", 1.0)
    return int(np.argmax(np.diff(watch.times))) + 1


def wait_ms(path: Path, stop: int) -> tuple[float, str]:
    """Return how long reading goes on when it is cancelled just after the sign before `stop`.

    Signs come by the clock: where a reading gives fewer, it is cancelled after its last one.
    """
    watch = Watch(stop)
    with contextlib.suppress(Cancelled):
        load(path, watch)
    before = min(stop, len(watch.times)) - 1
    return 1e3 * (time.process_time() - watch.times[before]), watch.texts[before]


def mesh(mib: int, parts: int = 1) -> Document:
    """Return a skinned strip of triangles in so many meshes."""
    n = (mib << 20) // _BYTES_A_VERTEX // parts
    rng = np.random.default_rng(1)
    doc = Document(scenes=[{"nodes": [0, 1]}], skins=[{"joints": [0]}])
    doc.json["nodes"] = [{}, *({"mesh": i, "skin": 0} for i in range(parts))]
    doc.json["scenes"][0]["nodes"] = list(range(1 + parts))
    for _ in range(parts):
        attributes = {
            "POSITION": doc.accessor(rng.random((n, 3))),
            "NORMAL": doc.accessor(rng.random((n, 3))),
            "JOINTS_0": doc.accessor(np.zeros((n, 4)), "u2"),
            "WEIGHTS_0": doc.accessor(np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))),
        }
        corners = np.clip(np.arange(n)[:, None] + np.arange(6), 0, n - 1)
        indices = doc.accessor(corners.reshape(-1, 1), "u4")
        doc.list("meshes").append({"primitives": [{"attributes": attributes, "indices": indices}]})
    return doc


def clip(mib: int) -> Document:
    """Return a skeleton with one clip of many channels."""
    channels = (mib << 20) // (16 * _KEYS)
    doc = Document(nodes=[{} for _ in range(channels)])
    times = doc.accessor(np.arange(_KEYS)[:, None])
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (_KEYS, 1))
    doc.json["animations"] = [
        {
            "samplers": [{"input": times, "output": doc.accessor(turns)} for _ in range(channels)],
            "channels": [
                {"sampler": i, "target": {"node": i, "path": "rotation"}} for i in range(channels)
            ],
        }
    ]
    return doc


# What is large → a function that writes a file of so many MiB.
MADE: dict[str, Callable[[Path, int], Path]] = {
    "one mesh": lambda folder, mib: mesh(mib).save_glb(folder / "mesh.glb"),
    "100 meshes": lambda folder, mib: mesh(mib, 100).save_glb(folder / "meshes.glb"),
    "one clip": lambda folder, mib: clip(mib).save_glb(folder / "clip.glb"),
    "base64": lambda folder, mib: mesh(mib * 3 // 4).save(folder / "embedded.gltf"),
}


def files(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield a name and a file, one after the other."""
    for path in options.files:
        yield path.name, path
    for name, make in {} if options.files else MADE.items():
        path = make(folder, options.mib)
        yield name, path
        path.unlink()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--mib", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(f"{'MiB':>7}{'ms':>8}  over  file, and where the longest silence begins")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files(options, Path(folder)):
            stop = longest_silence(path)
            wait, where = min(wait_ms(path, stop) for _ in range(options.rounds))
            over = "yes" if wait > LIMIT_MS else "no"
            print(
                f"{path.stat().st_size / (1 << 20):7.1f}{wait:8.1f}  {over:>4}  {name}: {where}",
                flush=True,
            )


if __name__ == "__main__":
    main()
