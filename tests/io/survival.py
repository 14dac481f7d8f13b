"""Opening a file as people do, and telling how that ended; as a program, with damaged copies.

    python -W error tests/io/survival.py FOLDER RIG [COMPANION ...]

damages copies of a rig in FOLDER in every way of `damaged`, opens each, and prints what came of it
as JSON. It dies with a traceback at the first that ends otherwise than it should.
"""

import collections
import faulthandler
import json
import resource
import signal
import sys
import time
from pathlib import Path

import numpy as np

from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose, sample
from rigview.core.skinning import METHODS, Options
from rigview.io import LoadError, load
from rigview.io.describe import as_text, describe

SECONDS = 5.0
BYTES = 1 << 30
TRUNCATIONS, FLIPS = 20, 60
# Bytes from which on a rig takes so long that a third as many damaged copies are opened.
LARGE = 200_000
SEED = 20201


def opened(path):
    """Open a rig, pose it, skin it and describe it; return what was loaded."""
    loaded = load(path)
    rig = loaded.rig
    deformer = Deformer(rig)
    poses = [rest_pose(rig)]
    if rig.clips:
        clip = rig.clips[0]
        poses += [sample(rig, clip, time) for time in (clip.start, 0.5 * (clip.start + clip.end))]
    for pose, method in zip(poses, METHODS.values(), strict=False):
        deformer.skin_all(deformer.frame(pose), method, Options())
    as_text(loaded)
    json.dumps(describe(loaded))
    return loaded


def use(path):
    """Open a rig as above and check it; return what was loaded."""
    loaded = opened(path)
    run(loaded.rig)
    return loaded


def refusal(path, use=use):
    """Return why a file is refused, and None where it opens."""
    try:
        use(path)
    except LoadError as error:
        assert_readable(error, path)
        return error
    return None


def assert_readable(error, path):
    """One line of moderate length that names the file, the place and the reason."""
    text = str(error)
    assert text.startswith(f"{path}: "), text
    assert text.isprintable(), text
    assert len(text) - len(str(path)) < 240, text
    assert error.reason, text
    # What was found may end in a stop of its own.
    assert not error.reason.endswith(".") or "found" in error.reason, text
    assert " " in error.reason, text
    assert not any(word in text for word in ("Error", "object at", "<class", "None")), text


def tries(size):
    """Return how many copies of files of a size together are cut, and how many get flipped bits."""
    share = 3 if size > LARGE else 1
    return TRUNCATIONS // share, FLIPS // share


def damaged(files):
    """Yield (what was done, number of the file, its new content).

    Truncations are spread evenly over all files put end to end; every second case of flipped bits
    falls into the JSON, where most of the structure is.
    """
    sizes = [len(content) for content in files]
    truncations, flips = tries(sum(sizes))
    for i in range(truncations):
        number, at = _place(sizes, i * sum(sizes) // truncations)
        yield f"file {number} cut at byte {at}", number, files[number][:at]
    rng = np.random.default_rng(SEED)
    for i in range(flips):
        reach = _json_end(files[0]) if i % 2 else sum(sizes)
        number, _ = _place(sizes, int(rng.integers(reach)))
        low, high = sum(sizes[:number]), min(reach, sum(sizes[: number + 1]))
        count = int(rng.choice([1, 1, 1, 2, 4, 16]))
        at = rng.integers(low, high, size=count) - low
        bits = rng.integers(8, size=count)
        content = np.frombuffer(files[number], np.uint8).copy()
        content[at] ^= (1 << bits).astype(np.uint8)
        places = ", ".join(f"{b}.{bit}" for b, bit in zip(at, bits, strict=True))
        yield f"file {number} with bits flipped at {places}", number, content.tobytes()


def _place(sizes, at):
    number = 0
    while at >= sizes[number]:
        at -= sizes[number]
        number += 1
    return number, at


def _json_end(content):
    is_glb = content.startswith(b"glTF")
    return 20 + int.from_bytes(content[12:16], "little") if is_glb else len(content)


def peak_memory():
    """Return the most bytes this program has had in memory; not what the one that began it had."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def main():
    # Address space bounds what is asked for, also where it is never touched.
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    faulthandler.register(signal.SIGPROF, chain=True)
    folder, rig, *companions = map(Path, sys.argv[1:])
    names = [path.name for path in (rig, *companions)]
    files = [path.read_bytes() for path in (rig, *companions)]
    counts, slowest, reasons = collections.Counter(), 0.0, set()
    for done, number, content in damaged(files):
        for name, original in zip(names, files, strict=True):
            (folder / name).write_bytes(original)
        (folder / names[number]).write_bytes(content)
        (folder / "case.txt").write_text(done)
        # Seconds of the processor, so that a busy machine changes nothing.
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        start = time.process_time()
        error = refusal(folder / names[0])
        slowest = max(slowest, time.process_time() - start)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        counts["opens" if error is None else "refused"] += 1
        reasons |= {error.reason} if error is not None else set()
    peak = peak_memory()
    memory = sorted(reason for reason in reasons if "memory" in reason)
    tried = sum(tries(sum(map(len, files))))
    result = {**counts, "tried": tried, "slowest": slowest, "peak": peak, "out_of_memory": memory}
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
