"""``rigview turntable``: once round the character, as an animated picture or numbered ones."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import choices, pictures
from rigview.cli.output import expect_place
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say, tell

if TYPE_CHECKING:
    from rigview.core.clip import Clip
    from rigview.render.turntable import Turntable

HELP = "render a turntable: once round the character"
EXAMPLE = "rigview turntable hero.glb -o turn/hero.####.png --frames 48 --panes dqs --transparent"
_DEFAULT_SIZE = (1280, 720)
# So much quicker or slower nobody sees a clip play.
_UNNOTICED = 0.05


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
        help=".webp (small), .png or .apng (animated, lossless), .gif (256 colours); a name like "
        "turn.####.png makes single PNGs, each with its session",
    )
    length = command.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, metavar="S", help="one turn takes (default 4)")
    length.add_argument(
        "--frames",
        type=int,
        metavar="N",
        help="pictures in one turn, --fps a second (default: the file's rate, 30 at most)",
    )
    command.add_argument(
        "--play",
        action="store_true",
        help="the clip plays meanwhile, a whole number of times so that the turn can loop; "
        "else the pose at --time is held",
    )
    pictures.add(command, "1280x720")
    pictures.add_session(command)


def run(options: argparse.Namespace) -> int:
    """Draw the turn and write it as the name of the output says."""
    from rigview.app import movie_files
    from rigview.core.stance import front
    from rigview.render import review, turntable
    from rigview.render.camera import Camera
    from rigview.render.context import headless
    from rigview.render.movie import Reel

    saved = pictures.taken_over(options)
    loaded = pictures.with_made_clip(options, saved, opened(options))
    rig = loaded.rig
    clip = choices.clip(rig, options.clip)
    time = choices.seconds(options, rig, clip)
    methods = pictures.methods(options, rig, None if saved is None else saved.methods)
    size = options.size or _DEFAULT_SIZE
    motion = pictures.motion(options, loaded, choices.deformer(options, rig), clip)
    look = pictures.look(options, motion, None if saved is None else saved.look)
    table = _table(options, clip, motion.rate)
    reason = movie_files.refusal(options.out, size, table.rate)
    if reason is not None:
        raise UsageError(reason)
    if not movie_files.is_numbered(options.out):
        expect_place(options.out)
    camera = Camera().looking(options.view or "three-quarter", front(motion.deformer))
    if saved is not None and options.view is None:
        camera = saved.camera
    wanted = review.Review(methods, camera, look, size, caption=motion.caption(time))
    session = pictures.session(options, loaded, motion, wanted, time)
    times = table.times(clip, time)
    text = session.text()
    reel = Reel(table.pictures, table.rate, size, look.transparent, text)
    with Line() as line, headless(), review.easel(motion.deformer) as draw:
        shots = turntable.drawn(motion, times, wanted, draw, line.tell_share)
        movie_files.save_turn(
            options.out,
            shots,
            reel,
            lambda seen, at: replace(session, camera=seen, time=at).text(),
        )
    say(str(options.out))
    return OK


def _table(options: argparse.Namespace, clip: "Clip | None", rate: float) -> "Turntable":
    """Return the turn that is asked for, and tell where a clip does not play at its own speed."""
    from rigview.render.turntable import (
        MOST_PICTURES,
        USUAL_RATE,
        USUAL_SECONDS,
        Turntable,
        fitting,
    )

    if options.play and clip is None:
        raise UsageError(f"{options.file}: there is no clip to play")
    rate = options.fps or min(rate, USUAL_RATE)
    seconds = USUAL_SECONDS if options.seconds is None else options.seconds
    if not 0.0 < seconds < float("inf"):
        raise UsageError("--seconds must be above 0")
    if options.frames is None and options.seconds is None:
        table = fitting(seconds, rate, clip if options.play else None)
    else:
        count = options.frames if options.frames is not None else max(1, round(seconds * rate))
        table = Turntable(count, rate, plays=options.play)
    if not 1 <= table.pictures <= MOST_PICTURES:
        raise UsageError(f"a turn has 1 to {MOST_PICTURES} pictures, not {table.pictures}")
    speed = table.speed(clip)
    if speed and abs(speed - 1.0) > _UNNOTICED:
        tell(f"the clip plays at {speed:.2f} times its speed, {table.rounds(clip)} × in one turn")
    return table
