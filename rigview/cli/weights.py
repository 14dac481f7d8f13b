"""``rigview weights``: a copy whose vertices follow joints by a method that makes weights."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rigview.cli.progress import Line
from rigview.cli.replaced import VERTICES, moved_by, named, say_moved
from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.weights.displacement import Displacement
    from rigview.core.weights.making import Making, MeshReport, Wish

HELP = "make skin weights: for vertices without any, or for all"
EXAMPLE = "rigview weights hero.glb -o hero.weighted.glb --method heat --vertices all"
# Words that name no joint.
_JOINTS = ("deform", "all")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument("-o", dest="out", type=Path, metavar="OUT", help="the copy")
    command.add_argument(
        "--method",
        default="heat",
        metavar="METHOD",
        help="nearest, envelope, heat or geodesic-voxel (default %(default)s)",
    )
    command.add_argument(
        "--joints",
        default="deform",
        metavar="deform|all|NAMES",
        help="which joints may get weight: deform takes those that the mesh follows already, or else "
        "all but helpers; or names, comma-separated (default %(default)s)",
    )
    command.add_argument(
        "--vertices",
        default="unweighted",
        metavar="unweighted|all|MESHES",
        help="which vertices are set: those without weight, all, or those of the named meshes, "
        "comma-separated (default %(default)s)",
    )
    command.add_argument(
        "--influences",
        type=int,
        default=4,
        metavar="N",
        help="the most joints that a vertex follows (default %(default)s)",
    )
    command.add_argument(
        "--smooth",
        type=float,
        metavar="K",
        help="diffuse the weights over this share of the height (default: the method's own; 0.02 "
        "suits nearest)",
    )
    command.add_argument(
        "--bridge",
        type=float,
        default=0.5,
        metavar="%",
        help="heat: let heat pass between shells nearer than this share of the height, in per cent; "
        "0 for machines, whose parts must not blend (default %(default)s)",
    )
    command.add_argument(
        "--laplacian",
        choices=("cotangent", "tufted"),
        default="cotangent",
        help="heat: tufted is better on coarse meshes and needs rigview[tufted] (default %(default)s)",
    )
    command.add_argument(
        "--resolution",
        type=int,
        default=128,
        metavar="N",
        help="geodesic-voxel: voxels along the longest side (default %(default)s)",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="only say what would be set, and how far it moves"
    )
    command.add_argument("--json", action="store_true", help="print the report as JSON")


def run(options: argparse.Namespace) -> int:
    """Make the weights, say per mesh what was set, and write the copy."""
    from rigview.core.weights.making import make_weights
    from rigview.core.weights.problem import NotMade
    from rigview.io import save, writer

    if options.out is None and not options.dry_run:
        raise UsageError("name the copy with -o, or ask for --dry-run")
    wish = _wish(options)
    if options.out is not None and not options.dry_run:
        writer(options.out)
    loaded = opened(options)
    try:
        with Line() as line:
            made = make_weights(loaded.rig, wish, lambda share: line.tell_share("weights", share))
    except NotMade as refusal:
        raise UsageError(f"{options.file}: {refusal}") from None
    moved = moved_by(loaded.rig, made.rig, made.replaced)
    notes: Sequence[str] = ()
    saved = options.out is not None and not options.dry_run
    if saved:
        notes = save(loaded, made.rig, options.out)
    if options.json:
        out = str(options.out) if saved else None
        print(json.dumps(_as_json(options, made, moved, out), indent=2))
    else:
        _say(made, moved, "would set" if options.dry_run else "set")
        if saved:
            say(f"wrote {options.out}")
    for note in notes:
        tell(note)
    return OK


def _wish(options: argparse.Namespace) -> "Wish":
    from rigview.core.weights.making import Wish
    from rigview.core.weights.methods import METHODS
    from rigview.core.weights.problem import Options

    if options.method not in METHODS:
        raise UsageError(f"no method {options.method}; there are {', '.join(METHODS)}")
    chosen = Options(options.smooth, options.bridge / 100.0, options.laplacian, options.resolution)
    fault = chosen.fault()
    if fault is not None:
        raise UsageError(fault)
    if options.influences < 1:
        raise UsageError(f"--influences {options.influences}: wanted 1 or more")
    joints, vertices = (
        named(given, words)
        for given, words in ((options.joints, _JOINTS), (options.vertices, VERTICES))
    )
    return Wish(options.method, chosen, joints, vertices, options.influences)


def _say(made: "Making", moved: "dict[int, dict[str, Displacement]]", verb: str) -> None:
    if not made.reports:
        say("every vertex has weights: nothing to set; --vertices all replaces them")
    for report in made.reports:
        say(_sentence(report, verb))
        say_moved(report.name, moved.get(report.mesh, {}))


def _sentence(report: "MeshReport", verb: str) -> str:
    from rigview.core.text import count

    words = [
        f"{report.name}: {verb} {count(report.vertices, 'vertex')}",
        count(report.joints, "joint"),
        f"at most {count(report.largest, 'influence')}",
    ]
    for number, what in (
        (report.unseen, "see no bone"),
        (report.bridged, "bridged to another shell"),
        (report.fallback, "by the nearest bone instead"),
    ):
        if number:
            words.append(f"{number} {what}")
    return ", ".join(words)


def _as_json(
    options: argparse.Namespace,
    made: "Making",
    moved: "dict[int, dict[str, Displacement]]",
    out: str | None,
) -> dict[str, Any]:
    """Return the report as values for JSON; displacements are shares of the height."""
    from dataclasses import asdict

    meshes = []
    for report in made.reports:
        moves = {id_: asdict(of) for id_, of in moved.get(report.mesh, {}).items()}
        meshes.append(asdict(report) | {"displacement": moves or None})
    return {
        "file": str(options.file),
        "method": options.method,
        "dry_run": options.dry_run,
        "out": out,
        "meshes": meshes,
    }
