"""``rigview diff``: what changed between two rigs."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, pictures
from rigview.cli.status import FINDINGS, OK, UsageError

if TYPE_CHECKING:
    from rigview.check.diff import Difference
    from rigview.core.clip import Clip
    from rigview.core.deform import Deformer
    from rigview.core.frame import Frame
    from rigview.core.rig import Rig

HELP = "say what changed between two rigs, and draw where"
EXAMPLE = "rigview diff hero.v1.glb hero.v2.glb -o heat.png --heat deformation"

# What the colours of the picture show, by the renderer's names.
_HEATS = {"weights": "reweighted", "deformation": "displaced"}
_SIZE = (1280, 720)
_PICTURE_FLAGS = ("heat", "clip", "time", "method", "size", "view")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("a", type=Path, metavar="A", help="the first file")
    command.add_argument(
        "b", type=Path, metavar="B", help="the second; 1 is returned if it differs"
    )
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument(
        "-o",
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
    picture.add_argument("--time", type=float, metavar="S", help="seconds")
    picture.add_argument("--method", metavar="METHOD", help="that skins both (default lbs)")
    pictures.add_frame(picture, "1280x720")
    # Time is counted in seconds alone.
    command.set_defaults(fps=None)


def run(options: argparse.Namespace) -> int:
    """Compare joints, binds, weights, clips and the skinned shape; 0 means no difference."""
    from rigview.check.diff import compare
    from rigview.check.diff.words import as_dict, as_text
    from rigview.cli.output import deliver
    from rigview.core import escape
    from rigview.io import load

    draws = options.out is not None and options.out.suffix.lower() == ".png"
    if not draws and any(getattr(options, flag) is not None for flag in _PICTURE_FLAGS):
        raise UsageError(f"--{', --'.join(_PICTURE_FLAGS)} go with -o OUT.png")
    difference = compare(load(options.a).rig, load(options.b).rig)
    names = (str(options.a), str(options.b))
    if draws:
        _draw(options, difference)
    if options.format == "json":
        text = (
            escape.json(json.dumps(as_dict(difference, *names), indent=1, allow_nan=False)) + "\n"
        )
    else:
        text = as_text(difference, *names)
    deliver(text, None if draws else options.out)
    return OK if difference.same else FINDINGS


def _draw(options: argparse.Namespace, difference: "Difference") -> None:
    """Write the picture: the first rig in clay beside the second in colours."""
    import numpy as np

    from rigview.core.stance import front
    from rigview.io.files import save_bytes
    from rigview.render import image, review
    from rigview.render.camera import Camera
    from rigview.render.context import headless
    from rigview.render.framing import visible_points
    from rigview.render.look import Look

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
    first, second = _shown(options, difference)
    size = options.size or _SIZE
    points = np.concatenate(
        [visible_points(deformer, frame) for deformer, frame, _ in (first, second)]
    )
    camera = Camera().looking(options.view or "three-quarter", front(second[0]))
    camera = camera.framed(points, 0.5 * size[0] / size[1])
    look = Look(shading=_HEATS[heat], bones=False, axes=False)  # type: ignore[arg-type]
    with headless():
        wanted = review.Review((method,), camera, look, size)
        pixels = review.compared(first, second, wanted, changes)
    save_bytes(options.out, image.png(pixels, {"Software": "rigview"}))


def _shown(
    options: argparse.Namespace, difference: "Difference"
) -> "list[tuple[Deformer, Frame, str]]":
    """Return each rig with its pose and what is said below it."""
    from rigview.core.deform import Deformer
    from rigview.core.pose import sample

    clips, time = _moment(options, difference)
    rigs, files = (difference.a, difference.b), (options.a, options.b)
    shown = []
    for rig, clip, file in zip(rigs, clips, files, strict=True):
        deformer = Deformer(rig)
        frame = deformer.frame(sample(rig, clip, time))
        name = choices.clip_name(rig, clip)
        words = f"{file.name}    " + ("rest pose" if name is None else f"{name}    {time:.3f} s")
        shown.append((deformer, frame, words))
    return shown


def _moment(
    options: argparse.Namespace, difference: "Difference"
) -> "tuple[tuple[Clip | None, Clip | None], float]":
    """Return each rig's clip and the time to draw: as asked, else where the shapes differ most."""
    worst = max(difference.motion.worst, key=lambda w: w.distance, default=None)
    if options.clip is None and options.time is None and worst is not None:
        clip = None if worst.clip is None else difference.b.clips[worst.clip]
        return _with_first(difference, clip), worst.time or 0.0
    clip = choices.clip(difference.b, options.clip)
    return _with_first(difference, clip), choices.seconds(options, difference.b, clip)


def _with_first(difference: "Difference", clip: "Clip | None") -> "tuple[Clip | None, Clip | None]":
    """Return the first rig's clip that is one of the second's, with that; rest where it has none."""
    rig: Rig = difference.b
    if clip is None:
        return None, None
    own = difference.pairing.clips.first.get(rig.clips.index(clip))
    return (None if own is None else difference.a.clips[own]), clip
