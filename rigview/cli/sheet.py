"""``rigview sheet``: a contact sheet, times across and methods down."""

import argparse
from pathlib import Path

from rigview.cli import choices, pictures
from rigview.cli.progress import Line
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say

HELP = "render a contact sheet: times across, methods down"
EXAMPLE = "rigview sheet hero.glb -o walk.png --clip Walk --frames 6 --panes dqs,compensated"
_DEFAULT_SIZE = (1920, 1080)
_MOST_FRAMES = 64


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command)
    command.add_argument("-o", dest="out", type=Path, metavar="OUT.png", required=True)
    command.add_argument(
        "--frames", type=int, metavar="N", default=6, help="times, evenly over the clip (default 6)"
    )
    pictures.add(command, "1920x1080")


def run(options: argparse.Namespace) -> int:
    """Render the clip at even times under every method."""
    from rigview.core.stance import front
    from rigview.io.files import save_bytes
    from rigview.render import image, review
    from rigview.render.camera import Camera
    from rigview.render.context import headless

    pictures.must_be_png(options)
    if not 1 <= options.frames <= _MOST_FRAMES:
        raise UsageError(f"--frames must be 1 to {_MOST_FRAMES}")
    loaded = opened(options)
    rig = loaded.rig
    clip = choices.clip(rig, options.clip)
    methods = pictures.methods(options, rig)
    size = options.size or _DEFAULT_SIZE
    start = choices.seconds(options, rig, clip)
    motion = pictures.motion(options, loaded, choices.deformer(options, rig), clip)
    look = pictures.look(options, motion)
    times = motion.even_times(options.frames, start)
    frames = [motion.frame(time) for time in times]
    camera = Camera().looking(options.view or "three-quarter", front(motion.deformer))
    wanted = review.Review(methods, camera, look, size)
    wanted = review.framing_all(motion.deformer, frames, wanted)
    captions = map(motion.caption, times)
    cells = list(zip(frames, captions, strict=True))
    with Line() as line, headless():
        pixels = review.sheet(motion.deformer, cells, wanted, line.tell_share)
    save_bytes(options.out, image.png(pixels, {"Software": "rigview"}))
    say(str(options.out))
    return OK
