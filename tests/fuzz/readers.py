"""Coverage-guided fuzzing of the readers: what is neither opened nor refused clearly is kept.

    pip install atheris
    PYTHONPATH=. python tests/fuzz/readers.py FORMAT CORPUS [SEEDS…] [libFuzzer's options]

FORMAT is gltf, fbx, collada or bvh. CORPUS is a folder that inputs of new coverage are kept in, SEEDS
are folders or files to begin with, `samples` for one; `-max_total_time=600` ends it after ten minutes.
Each input is opened, posed, skinned and described. What fails is any exception but LoadError, a
message that nobody can read, more than five seconds, or more than 1 GiB. The input is left as
`crash-…`, `timeout-…` or `oom-…`; what was found becomes a test in tests/io.

glTF is JSON first: there half of the mutations change a value or a key of it, since bytes that are
changed at random are mostly no JSON any more. USD is not here: its reader is OpenUSD's own C++, which
rigview runs in a process of limited time and memory.
"""

import copy
import importlib
import json
import pkgutil
import random
import struct
import sys
import tempfile
import warnings
from pathlib import Path

import atheris

sys.path.append(str(Path(__file__).parents[1] / "io"))
with atheris.instrument_imports(include=["rigview.io"]):
    import rigview.io

    # Some modules are loaded for the first file that wants them, which would be too late here.
    for module in pkgutil.walk_packages(rigview.io.__path__, "rigview.io."):
        importlib.import_module(module.name)

from survival import opened, refusal

SUFFIXES = {"gltf": ".glb", "fbx": ".fbx", "collada": ".dae", "bvh": ".bvh"}
ODD = (
    None,
    True,
    -1,
    0,
    1,
    3,
    255,
    2**31,
    2**63,
    1e308,
    -0.5,
    "",
    "SCALAR",
    "MAT4",
    [],
    {},
    [0],
    [[]],
)
GLB = struct.Struct("<4sII")
CHUNK = struct.Struct("<II")
JSON = 0x4E4F534A
SECONDS, MEGABYTES = 5, 1024


def with_json_changed(content: bytes, limit: int, seed: int) -> bytes:
    """Change some values of a GLB's JSON, or its bytes where there is no JSON to be found."""
    dice = random.Random(seed)
    document, rest = parts(content)
    if dice.random() < 0.5 or not isinstance(document, dict):
        return atheris.Mutate(content, limit)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        change(document, dice)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    whole = GLB.size + CHUNK.size + len(text) + len(rest)
    changed = GLB.pack(b"glTF", 2, whole) + CHUNK.pack(len(text), JSON) + text + rest
    return changed if len(changed) <= limit else atheris.Mutate(content, limit)


def parts(content: bytes) -> tuple[object, bytes]:
    """Return the JSON of a GLB and what follows; None where there is none."""
    first = GLB.size + CHUNK.size
    try:
        size, _ = CHUNK.unpack_from(content, GLB.size)
        return json.loads(content[first : first + size]), content[first + size :]
    except (ValueError, struct.error, RecursionError):
        return None, b""


def change(document: object, dice: random.Random) -> None:
    """Replace, remove or double a value anywhere inside."""
    places = [(document, key) for key in keys(document)]
    inner = [document]
    while inner:
        holder = inner.pop()
        for key in keys(holder):
            value = holder[key]
            if isinstance(value, dict | list):
                inner.append(value)
                places += [(value, inside) for inside in keys(value)]
    if not places:
        return
    holder, key = dice.choice(places)
    way = dice.randrange(6)
    value = holder[key]
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.append(copy.deepcopy(value))
    elif way == 2 and isinstance(value, int) and not isinstance(value, bool):
        holder[key] = value + dice.choice((-1, 1, 4, 2**16))
    elif way == 3:
        other, where = dice.choice(places)
        if where in keys(other):
            holder[key] = copy.deepcopy(other[where])
    else:
        holder[key] = copy.deepcopy(dice.choice(ODD))


def keys(holder: object) -> list:
    """Return what a JSON object or array can be asked for."""
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def seeded(places: list[str], suffix: str, folder: Path) -> Path:
    """Copy the files of a format from folders into one; large ones teach a fuzzer little."""
    for place in map(Path, places):
        for number, path in enumerate(sorted(place.rglob("*")) if place.is_dir() else [place]):
            if path.suffix.lower() == suffix and path.stat().st_size < 1 << 16:
                (folder / f"{number}{suffix}").write_bytes(path.read_bytes())
    return folder


def main() -> None:
    """Run the fuzzer until it is stopped or has found something."""
    name, *others = sys.argv[1:]
    options = [word for word in others if word.startswith("-")]
    corpus, *seeds = [word for word in others if not word.startswith("-")]
    Path(corpus).mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / f"fuzzed{SUFFIXES[name]}"
        begin = Path(scratch) / "seeds"
        begin.mkdir()
        seeded(seeds, SUFFIXES[name], begin)
        words = [sys.argv[0], corpus, str(begin), f"-timeout={SECONDS}"]
        words += [f"-rss_limit_mb={MEGABYTES}", "-max_len=65536", *options]

        def once(content: bytes) -> None:
            path.write_bytes(content)
            refusal(path, opened)

        mutator = {"custom_mutator": with_json_changed} if name == "gltf" else {}
        atheris.Setup(words, once, **mutator)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
