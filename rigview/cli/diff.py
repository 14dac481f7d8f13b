"""``rigview diff``: what changed between two rigs."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, output, pictures
from rigview.cli.source import add_overrides, read
from rigview.cli.status import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from rigview.check.diff import Difference

HELP = "say what changed between two rigs, and draw where"
EXAMPLE = "rigview diff hero.v1.glb hero.v2.glb -o heat.png --heat deformation"

# What the colours of the picture show, by the renderer's names.
_HEATS = {"weights": "reweighted", "deformation": "displaced"}
_SIZE = (1280, 720)
_PICTURE_FLAGS = ("heat", "clip", "time", "frame", "method", "size", "view")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("a", type=Path, metavar="A", help="the first file")
    command.add_argument(
        "b", type=Path, metavar="B", help="the second; 1 is returned if it differs"
    )
    add_overrides(command, "both files")
    output.add_form(command)
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        help="instead of stdout; to OUT.png a heatmap is drawn beside what is said there",
    )
    picture = command.add_argument_group("the picture")
    picture.add_argument(
        "--heat",
        choices=tuple(_HEATS),
        help="how much of each vertex's weight changed (default where any did), "
        "or how far it stands from where it stood",
    )
    picture.add_argument(
        "--clip", metavar="NAME|INDEX", help="of B; default: where the shapes differ most"
    )
    choices.add_time(picture)
    picture.add_argument("--method", metavar="METHOD", help="that skins both (default lbs)")
    pictures.add_frame(picture, "1280x720")


def run(options: argparse.Namespace) -> int:
    """Compare joints, binds, weights, clips and the skinned shape; 0 means no difference."""
    from rigview.check.diff import compare
    from rigview.check.diff.words import as_dict, as_text
    from rigview.core import escape

    draws = options.out is not None and options.out.suffix.lower() == ".png"
    if not draws and any(getattr(options, flag) is not None for flag in _PICTURE_FLAGS):
        raise UsageError(f"--{', --'.join(_PICTURE_FLAGS)} go with -o OUT.png")
    difference = compare(read(options, options.a).rig, read(options, options.b).rig)
    names = (str(options.a), str(options.b))
    if draws:
        _draw(options, difference)
    if options.format == "json":
        text = (
            escape.json(json.dumps(as_dict(difference, *names), indent=1, allow_nan=False)) + "\n"
        )
    else:
        text = as_text(difference, *names)
    output.deliver(text, None if draws else options.out)
    return OK if difference.same else FINDINGS


def _draw(options: argparse.Namespace, difference: "Difference") -> None:
    """Write the picture: the first rig in clay beside the second in colours."""
    from rigview.app.diff_picture import PictureOfChanges, picture, worst_moment
    from rigview.io.files import save_bytes
    from rigview.render import image

    changes = difference.heat
    if not changes.comparable:
        reason = (
            "their meshes have other numbers of vertices"
            if changes.parts
            else "they have no mesh in common"
        )
        raise UsageError(f"{options.a} and {options.b} cannot be compared in a picture: {reason}")
    method = choices.methods(options.method or "lbs")[0]
    heat = options.heat or ("weights" if changes.most_reweighted else "deformation")
    moment = (
        worst_moment(difference)
        if options.clip is None and options.time is None and options.frame is None
        else None
    )
    if moment is None:
        clip = choices.clip(difference.b, options.clip)
        moment = clip, choices.seconds(options, difference.b, clip)
    wanted = PictureOfChanges(
        (options.a.name, options.b.name),
        *moment,
        method,
        _HEATS[heat],  # type: ignore[arg-type]
        options.size or _SIZE,
        options.view or "three-quarter",
    )
    save_bytes(options.out, image.png(picture(difference, wanted), {"Software": "rigview"}))
