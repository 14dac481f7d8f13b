"""What checking a rig costs: the static rules beside loading, those of deformation beside skinning.

    PYTHONPATH=. python tests/benchmarks/check.py FILE_OR_FOLDER… [--rounds N] [--slowest N]

Counted is processor time, of several rounds the least. Every round loads the rig anew, so that nothing
is remembered. What loading puts off until it is asked for (decoding images, making curves, morph targets
and what only shading reads) stands in a column of its own: who asks for it first would pay. The static
rules are all but those of `check.deformation`; their ratio is that to loading and what it has put off.
The kernels alone are the methods that those measure, in the same poses, positions and normals. What
skinning computes once per rig is ready before either is timed; what measuring computes once per rig
counts as the rules'. A skin without clip is given its range of motion for both.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from rigview.assets import resource
from rigview.check.catalogue import RULES
from rigview.check.measures.facts import Facts
from rigview.check.rule import PROFILES, Rule, Subject
from rigview.check.rules import deformation
from rigview.check.rules.posed_skin.skin_reach import POSES, looked_at, telling
from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.motion.joint_limits import LimitTable
from rigview.core.motion.range_of_motion import range_of_motion, with_clip
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.core.skinning import METHODS, Options
from rigview.io import LoadError, load, suffix_filter

DEFORMATION = tuple(rule for rule in RULES if rule.find.__module__ == deformation.__name__)
STATIC = tuple(rule for rule in RULES if rule not in DEFORMATION)
LIMITS = LimitTable.of(resource("joint_limits.json"))

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Costs:
    """Processor time in seconds.

    Parameters
    ----------
    later
        Of what loading has put off.
    kernels, shape
        Of the skinning that the rules of deformation do, and theirs; None where there is no skin.
    """

    load: float
    later: float
    static: float
    kernels: float | None
    shape: float | None


def timed(function: Callable[[], _Result]) -> tuple[float, _Result]:
    """Return the processor time of a call, seconds, and what it returned."""
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def read_rest(rig: Rig) -> None:
    """Read what loading has put off; images are not kept, so that a rule that asks for one pays for it."""
    for image in rig.images:
        if image is not None and not isinstance(image.content, np.ndarray):
            image.content.decode()
    for clip in rig.clips:
        len(clip.channels)
    for primitive in (primitive for mesh in rig.meshes for primitive in mesh.primitives):
        for name in ("normals", "tangents", "colours"):
            getattr(primitive, name)
        list(primitive.uvs.values())
        if primitive.morphs is not None:
            primitive.morphs.prepare()


def static_rules(rig: Rig, rules: Iterable[Rule] = STATIC) -> None:
    """Ask a rig those rules, as ``rigview check`` does."""
    run(rig, select=[rule.id for rule in rules])


def ready(rig: Rig) -> Deformer:
    """Return a deformer that has skinned before."""
    deformer = Deformer(rig)
    skin(deformer, deformer.rest)
    return deformer


def skin(deformer: Deformer, frame: Frame) -> None:
    """Skin a pose by all methods that the rules measure."""
    for method in ("lbs", "dqs"):
        for part in deformer.skin_all(frame, METHODS[method], Options()):
            part.turn_normals()


def kernels(deformer: Deformer) -> None:
    """Skin all poses that the rules measure."""
    rig = deformer.rig
    looked = looked_at(rig, deformer.size, range(len(rig.clips)), list(rig.joints))
    for clip, at in telling(looked, POSES):
        skin(deformer, deformer.frame(sample(rig, rig.clips[clip], at)))


def shape_rules(deformer: Deformer) -> None:
    """Ask a rig the rules of deformation."""
    subject = Subject(Facts(deformer), PROFILES["gltf"])
    for rule in DEFORMATION:
        list(rule.find(subject))


def costs(path: Path, rounds: int) -> Costs:
    """Measure one file."""
    rows = []
    for _ in range(rounds):
        loading, rig = timed(lambda: load(path).rig)
        taken = [loading, timed(partial(read_rest, rig))[0], timed(partial(static_rules, rig))[0]]
        if not rig.nodes.faults and Deformer(rig).skins:
            if not rig.clips:
                rig = with_clip(rig, range_of_motion(rig, LIMITS).clip)
            taken.append(timed(partial(kernels, ready(rig)))[0])
            taken.append(timed(partial(shape_rules, ready(rig)))[0])
        rows.append(taken)
    least = [min(column) for column in zip(*rows, strict=True)]
    return Costs(*least, *(None,) * (5 - len(least)))


def slowest(path: Path, rounds: int, number: int) -> list[tuple[float, str]]:
    """Return the costliest static rules: the time of each alone on a new rig, and its id."""
    rows = []
    for rule in STATIC:
        rigs = [load(path).rig for _ in range(rounds)]
        for rig in rigs:
            read_rest(rig)
        taken = [timed(partial(static_rules, rig, (rule,)))[0] for rig in rigs]
        rows.append((min(taken), rule.id))
    return sorted(rows, reverse=True)[:number]


def row(name: str, of: Costs) -> str:
    """Return one row of the table."""
    ratio = of.static / (of.load + of.later)
    columns = (1e3 * of.load, 1e3 * of.later, 1e3 * of.static)
    text = f"{name:24} {' '.join(f'{value:>9.1f}' for value in columns)} {ratio:>7.2f}"
    if of.kernels is None or of.shape is None:
        return text
    return f"{text} {1e3 * of.kernels:>9.1f} {1e3 * of.shape:>9.1f} {of.shape / of.kernels:>7.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slowest", type=int, default=0, help="list so many static rules, too")
    options = parser.parse_args()
    files = [
        file
        for path in options.paths
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.suffix.lower() in suffix_filter()
    ]
    print("milliseconds")
    print(
        f"{'rig':24} {'load':>9} {'later':>9} {'static':>9} {'ratio':>7} "
        f"{'kernels':>9} {'shape':>9} {'ratio':>7}"
    )
    for file in files:
        try:
            print(row(file.stem[:24], costs(file, options.rounds)), flush=True)
        except LoadError as error:
            print(f"{file.stem[:24]:24} {error.reason}")
            continue
        for taken, rule in slowest(file, options.rounds, options.slowest):
            print(f"    {rule:20} {1e3 * taken:>9.1f}")


if __name__ == "__main__":
    main()
