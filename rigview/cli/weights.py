"""``rigview weights``: a copy whose vertices follow joints by a method that makes weights."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from rigview.cli.new_weights import (
    VERTICES,
    add_replacing,
    ask_for_copy,
    conclude,
    meshes_as_json,
    moved_by,
    named,
    say_moved,
)
from rigview.cli.progress import Line
from rigview.cli.source import add_file, opened
from rigview.cli.status import UsageError, say

if TYPE_CHECKING:
    from rigview.core.weights.displacement import Displacement
    from rigview.core.weights.making import Making, MeshReport, WeightRequest

HELP = "make skin weights: for vertices without any, or for all"
EXAMPLE = "rigview weights hero.glb -o hero.weighted.glb --method heat --vertices all"
# Words that name no joint.
_JOINTS = ("deform", "all")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    add_replacing(command, "the copy")
    command.add_argument(
        "--method",
        default="heat",
        metavar="METHOD",
        help="nearest, envelope, heat, geodesic-voxel, or bbw, which needs rigview[bbw] "
        "(default %(default)s)",
    )
    command.add_argument(
        "--joints",
        default="deform",
        metavar="deform|all|NAMES",
        help="which joints may get weight: deform takes those that the mesh follows already, or else "
        "all but helpers; or names, comma-separated (default %(default)s)",
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
        metavar="N",
        help="voxels along the longest side (default: 128 for geodesic-voxel, up to 48 for bbw)",
    )


def run(options: argparse.Namespace) -> int:
    """Make the weights, say per mesh what was set, and write the copy."""
    from rigview.core.weights.making import make_weights
    from rigview.core.weights.problem import NotMade

    ask_for_copy(options)
    wish = _wish(options)
    loaded = opened(options)
    try:
        with Line() as line:
            made = make_weights(loaded.rig, wish, lambda share: line.tell_share("weights", share))
    except NotMade as refusal:
        raise UsageError(f"{options.file}: {refusal}") from None
    moved = moved_by(loaded.rig, made.rig, made.replaced)
    report = {
        "file": str(options.file),
        "method": options.method,
        "meshes": meshes_as_json(made.reports, moved),
    }
    return conclude(options, loaded, made.rig, report, partial(_say, made, moved))


def _wish(options: argparse.Namespace) -> "WeightRequest":
    from rigview.core.weights.making import WeightRequest
    from rigview.core.weights.methods import METHODS
    from rigview.core.weights.problem import WeightOptions

    if options.method not in METHODS:
        raise UsageError(f"no method {options.method}; there are {', '.join(METHODS)}")
    chosen = WeightOptions(
        options.smooth, options.bridge / 100.0, options.laplacian, options.resolution
    )
    fault = chosen.fault()
    if fault is not None:
        raise UsageError(fault)
    joints, vertices = (
        named(given, words)
        for given, words in ((options.joints, _JOINTS), (options.vertices, VERTICES))
    )
    return WeightRequest(options.method, chosen, joints, vertices, options.influences)


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
