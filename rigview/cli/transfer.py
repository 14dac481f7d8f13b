"""``rigview transfer``: a copy whose vertices take their weights from another mesh."""

import argparse
from dataclasses import asdict
from functools import partial
from pathlib import Path
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
from rigview.cli.source import add_overrides, has_overrides, read
from rigview.cli.status import UsageError, say

if TYPE_CHECKING:
    from rigview.core.weights.displacement import Displacement
    from rigview.core.weights.transferring import Transfer

HELP = "take weights from another mesh: body to clothes, old topology to new"
EXAMPLE = "rigview transfer body.glb coat.glb -o coat.weighted.glb --vertices all"
# Joints of a list that are named.
_MOST_NAMED = 8
_SOURCE = "source-"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument(
        "source_file", type=Path, metavar="SOURCE", help="the mesh with the weights"
    )
    command.add_argument(
        "target_file",
        type=Path,
        metavar="TARGET",
        help="the mesh that gets them; may be SOURCE, with --vertices",
    )
    add_overrides(command, "TARGET")
    add_overrides(command, "SOURCE", prefix=_SOURCE)
    add_replacing(command, "the copy of TARGET")
    command.add_argument(
        "--distance",
        type=float,
        default=5.0,
        metavar="%",
        help="believe source points no farther than this share of the height, in per cent "
        "(default %(default)s)",
    )
    command.add_argument(
        "--angle",
        type=float,
        default=60.0,
        metavar="DEG",
        help="… and whose normals turn from the target's by no more (default %(default)s)",
    )
    command.add_argument(
        "--flips", action="store_true", help="believe normals that point the other way as well"
    )
    command.add_argument(
        "--stiffness",
        type=float,
        default=0.0,
        metavar="L",
        help="fill in with flatter borders over this share of the height (default %(default)s)",
    )
    command.add_argument(
        "--smooth",
        type=int,
        default=4,
        metavar="N",
        help="steps of smoothing where weights were filled in (default %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Transfer the weights, say per mesh what was known and what was filled, and write the copy."""
    from rigview.core.weights.problem import NotMade
    from rigview.core.weights.transfer import Trust
    from rigview.core.weights.transferring import transfer_weights
    from rigview.io.inputs import is_same_file

    ask_for_copy(options)
    trust = Trust(
        options.distance / 100.0, options.angle, options.flips, options.stiffness, options.smooth
    )
    target = read(options, options.target_file)
    same = is_same_file(options.source_file, options.target_file)
    is_target = same and not has_overrides(options, _SOURCE)
    source = target if is_target else read(options, options.source_file, _SOURCE)
    vertices = named(options.vertices, VERTICES)
    try:
        with Line() as line:
            made = transfer_weights(
                source.rig,
                target.rig,
                trust,
                vertices,
                options.influences,
                lambda share: line.tell_share("weights", share),
            )
    except NotMade as refusal:
        raise UsageError(f"{options.source_file} onto {options.target_file}: {refusal}") from None
    moved = moved_by(target.rig, made.rig, made.replaced)
    report = {
        "source": str(options.source_file),
        "target": str(options.target_file),
        "meshes": meshes_as_json(made.reports, moved),
        "joints": [asdict(pair) for pair in made.pairs],
        "added_joints": made.added,
    }
    return conclude(options, target, made.rig, report, partial(_say, made, moved))


def _say(made: "Transfer", moved: "dict[int, dict[str, Displacement]]", verb: str) -> None:
    from rigview.core.text import count, some_of

    if not made.reports:
        say("every vertex has weights: nothing to set; --vertices all replaces them")
        return
    for report in made.reports:
        shares = ", ".join(
            f"{100.0 * number / report.vertices:.3g} % {what}"
            for number, what in (
                (report.known, "known"),
                (report.filled, "filled in"),
                (report.alone, "by the closest point alone"),
            )
            if number
        )
        say(f"{report.name}: {verb} {count(report.vertices, 'vertex')}: {shares}")
        say_moved(report.name, moved.get(report.mesh, {}))
    if made.added:
        say(f"the target had no skin: it gets {count(made.added, 'joint')} of the source")
    by = {kind: [p for p in made.pairs if p.by == kind] for kind in ("name", "ancestor", "none")}
    say(f"{count(len(by['name']), 'joint')} by name")
    if by["ancestor"]:
        told = [f"{pair.source} to {pair.target}" for pair in by["ancestor"]]
        say(f"{count(len(told), 'joint')} to one above: {some_of(told, _MOST_NAMED)}")
    if by["none"]:
        told = [pair.source for pair in by["none"]]
        say(f"{count(len(told), 'joint')} without any: {some_of(told, _MOST_NAMED)}")
