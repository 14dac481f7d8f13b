"""``rigview movie``: a clip as a film, with panes, header, frame number and notes burnt in."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, pictures
from rigview.cli.output import expect_place
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say

if TYPE_CHECKING:
    from rigview.render.film import Film
    from rigview.render.motion import RigMotion

HELP = "render a clip as a film for review: MP4 or WebM"
EXAMPLE = "rigview movie hero.glb -o walk.mp4 --clip Walk --panes lbs,compensated"
_DEFAULT_SIZE = (1920, 1080)
_FASTEST = 240.0


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command)
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        required=True,
        help=".mp4 (H.264) or .webm (VP9); needs PyAV: pip install 'rigview[video]'",
    )
    command.add_argument("--turn", action="store_true", help="the camera goes once round meanwhile")
    command.add_argument(
        "--hold",
        type=float,
        default=2.0,
        metavar="S",
        help="seconds that the film holds at each note beside the rig, seen as its author saw it "
        "(default 2)",
    )
    pictures.add_notes(command)
    pictures.add(command, "1920x1080")


def run(options: argparse.Namespace) -> int:
    """Draw the clip and encode it."""
    from rigview.core.stance import front
    from rigview.io.files import save_bytes
    from rigview.render import film, review, video
    from rigview.render.camera import Camera
    from rigview.render.context import headless

    kind = video.BY_SUFFIX.get(options.out.suffix.lower())
    if kind is None:
        endings = " or ".join(video.BY_SUFFIX)
        raise UsageError(
            f"{options.out}: end the name with {endings}; rigview turntable writes animated pictures"
        )
    if options.time is not None or options.frame is not None:
        raise UsageError("a film shows all of a clip: --time and --frame are for pictures")
    if options.transparent:
        raise UsageError("films cannot be transparent; rigview turntable writes pictures that are")
    video.require()
    expect_place(options.out)
    loaded = opened(options)
    clip = choices.clip(loaded.rig, options.clip)
    choices.seconds(options, loaded.rig, clip)
    methods = pictures.methods(options, loaded.rig)
    motion = pictures.motion(options, loaded, choices.deformer(options, loaded.rig), clip)
    plan = _film(options, motion)
    camera = Camera().looking(options.view or "three-quarter", front(motion.deformer))
    look = pictures.look(options, motion)
    size = options.size or _DEFAULT_SIZE
    wanted = review.Review(methods, camera, look, size, caption=motion.caption(plan.times[0]))
    with Line() as line, headless(), review.easel(motion.deformer) as draw:
        shots = film.drawn(motion, plan, wanted, draw, line.tell_share)
        data = video.encode(shots, kind, plan.rate)
    save_bytes(options.out, data)
    say(str(options.out))
    return OK


def _film(options: argparse.Namespace, motion: "RigMotion") -> "Film":
    """Return what is to be shown."""
    from rigview.render.film import MOST_PICTURES, film_of

    if not 0.0 < motion.rate <= _FASTEST:
        raise UsageError(f"--fps must be above 0 and at most {_FASTEST:g}")
    if not 0.0 <= options.hold <= 60.0:
        raise UsageError("--hold must be 0 to 60 seconds")
    plan = film_of(motion, motion.rate, turns=options.turn)
    plan = replace(plan, notes=pictures.notes(options), hold=options.hold)
    many = len(plan.shots(motion.name))
    if many > MOST_PICTURES:
        raise UsageError(
            f"the film would have {many:,} pictures, and {MOST_PICTURES:,} are allowed"
        )
    return plan
