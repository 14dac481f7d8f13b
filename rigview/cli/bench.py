"""``rigview bench``: what each skinning method costs on this machine's OpenGL."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli import choices, output, vertex_stages
from rigview.cli.progress import Line
from rigview.cli.source import add_overrides, expect_file, opened
from rigview.cli.status import OK, UsageError
from rigview.core import escape

if TYPE_CHECKING:
    from rigview.core.deform import Deformer
    from rigview.core.frame import Frame
    from rigview.render.bench import Bench, Cost, Timing

HELP = "time the skinning methods on this machine's OpenGL"
EXAMPLE = "rigview bench hero.glb --copies 100 --json"

# A third of a 1920 × 720 window: one of the default three panes.
_SIZE = (640, 720)
# Seconds that somebody waits; the thesis's scene takes 20 a round on two processor cores.
_BUDGET = 180.0
# Copies whose poses tell how far packed influences move the skin.
_POSES = 4


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="default: the thesis's scene, 100 characters of 80 joints and 126,000 triangles",
    )
    command.add_argument("--copies", type=int, metavar="N", help="each in a pose of its own")
    command.add_argument(
        "--panes",
        "--method",
        dest="methods",
        default="all",
        metavar="METHODS",
        help=f'of {choices.METHOD_HELP}; comma-separated; LBS is always measured (default "all")',
    )
    command.add_argument("--rounds", type=int, default=5, metavar="N", help="(default 5)")
    command.add_argument(
        "--budget",
        type=float,
        default=_BUDGET,
        metavar="S",
        help="no round is begun that would end after so many seconds, but the first "
        f"(default {_BUDGET:g})",
    )
    vertex_stages.add(command, several=True)
    output.add_form(command)
    add_overrides(command)


def run(options: argparse.Namespace) -> int:
    """Draw a crowd by every method, without a window, and print times and ratios to LBS."""
    from rigview.core.skinning import ASKED, METHODS
    from rigview.render.bench import Bench, displacements
    from rigview.render.context import headless
    from rigview.render.gl import describe

    methods = tuple(METHODS) if options.methods == "all" else choices.methods(options.methods)
    if options.rounds < 1 or (options.copies is not None and options.copies < 1):
        raise UsageError("--rounds and --copies must be at least 1")
    if not options.budget > 0.0:
        raise UsageError("--budget must be above 0")
    expect_file(options)
    stages = vertex_stages.several(options)
    deformer, frames = _crowd(options)
    if not deformer.skins:
        raise UsageError(f"{options.file}: no mesh is skinned, so there is nothing to measure")
    with headless(), Line() as line:
        for method in methods:
            deformer.prepare(
                ASKED[method], lambda share: line.tell_share("what no pose changes", share)
            )
        bench = Bench(deformer, frames, _SIZE, stages=stages)
        try:
            timings = bench.measure(methods, options.rounds, line.tell_share, options.budget)
            report = _report(deformer, bench, timings)
        finally:
            bench.close()
        line.clear()
        off = displacements(deformer, frames[:: -(-len(frames) // _POSES)], timings)
        machine = describe()
    for row, displacement in zip(report["methods"], off, strict=True):
        row["displacement"] = displacement
    report |= {
        "file": None if options.file is None else str(options.file),
        "machine": machine,
        "copies": len(frames),
        "size": list(_SIZE),
        "rounds": len(timings[0].frame.wall),
        "rounds_asked": options.rounds,
    }
    print(
        escape.json(json.dumps(report, indent=2)) if options.format == "json" else _as_text(report)
    )
    return OK


def _crowd(options: argparse.Namespace) -> "tuple[Deformer, list[Frame]]":
    """Return the rig and one frame a copy: spread over the first clip that moves anything, or made up."""
    import numpy as np

    from rigview.core import thesis_scene
    from rigview.core.deform import Deformer
    from rigview.core.pose import sample

    copies: int | None = options.copies
    if options.file is None:
        deformer = Deformer(thesis_scene.character())
        poses = range(copies or thesis_scene.COPIES)
        return deformer, [deformer.frame(thesis_scene.pose(deformer.rig, i)) for i in poses]
    deformer = Deformer(opened(options).rig)
    clip = choices.clip(deformer.rig, None)
    start, end = (clip.start, clip.end) if clip is not None else (0.0, 0.0)
    times = np.linspace(start, end, (copies or 1) + 1)[:-1]
    stack = deformer.frame(sample(deformer.rig, clip, times))
    return deformer, [stack[i] for i in range(len(times))]


def _report(deformer: "Deformer", bench: "Bench", timings: "list[Timing]") -> dict[str, Any]:
    from rigview import __version__
    from rigview.core.skinning import ASKED

    rig = deformer.rig
    shapes = [rig.primitive(part) for part in rig.parts]
    first = timings[0]
    return {
        "version": __version__,
        "joints": sum(len(rig.skins[skin].joints) for skin in deformer.skins),
        "vertices": sum(len(shape.positions) for shape in shapes),
        "triangles": sum(len(shape.triangles) for shape in shapes),
        "methods": [
            {
                "method": timing.method,
                "label": ASKED[timing.method].label,
                "joint_bits": timing.stage.joints,
                "weight_bits": timing.stage.weights,
                "dual_route": timing.stage.dual_route,
                "influence_bytes": bench.influence_bytes(timing.stage),
                "weight_error": bench.weight_error(timing.stage),
                "vertices": _cost(timing.vertices, first.vertices),
                "frame": _cost(timing.frame, first.frame),
            }
            for timing in timings
        ],
    }


def _cost(cost: "Cost", baseline: "Cost") -> dict[str, float | None]:
    card = None
    if cost.best_card is not None and baseline.best_card:
        card = cost.best_card / baseline.best_card
    return {
        "ms": cost.best,
        "ratio": cost.best / baseline.best,
        "gpu_ms": cost.best_card,
        "gpu_ratio": card,
    }


def _as_text(report: dict[str, Any]) -> str:
    done, asked = report["rounds"], report["rounds_asked"]
    rounds = "one round" if done == 1 else f"best of {done} rounds"
    if done < asked:
        rounds += f", not {asked}: the next would have gone over --budget"
    lines = [
        report["machine"],
        "{copies} × {vertices:,} vertices, {triangles:,} triangles, {joints} joints".format(
            **report
        ),
        rounds,
        "",
        f"{'':16}{'vertices only':>22}{'whole frame':>22}{'timer':>12}",
    ]
    several = len({_format(row) for row in report["methods"]}) > 1
    if several:
        lines[-1] += f"   {'joints, weights':18}{'memory':>10}{'weights off':>13}{'moved':>11}"
    for row in report["methods"]:
        cells = "".join(
            f"{row[kind]['ms']:>13.2f} ms{row[kind]['ratio']:>5.2f}×"
            for kind in ("vertices", "frame")
        )
        card = row["frame"]["gpu_ms"]
        timer = "" if card is None else f"{card:>9.2f} ms"
        extra = _stage_cells(row) if several else ""
        lines.append(f"{row['label']:16}{cells}{timer:>12}{extra}".rstrip())
    if several:
        lines += ["", "moved: the furthest vertex from the first format's, in % of the size"]
    return "\n".join(lines)


def _format(row: dict[str, Any]) -> str:
    route = ", matrix" if row["dual_route"] == "matrix" else ""
    return f"{row['joint_bits']}, {row['weight_bits']} bits{route}"


def _stage_cells(row: dict[str, Any]) -> str:
    memory = row["influence_bytes"] / 1024.0
    off, moved = row["weight_error"], 100.0 * row["displacement"]
    return f"   {_format(row):18}{memory:>6,.0f} KiB{_small(off):>13}{_small(moved):>9} %"


def _small(number: float) -> str:
    return f"{number:.1e}" if number else "0"
