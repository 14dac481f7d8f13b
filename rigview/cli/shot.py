"""``rigview shot``: a picture for review."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from rigview.cli import choices, many, output, pictures, vertex_stages
from rigview.cli.source import opened
from rigview.cli.status import OK, UsageError, say
from rigview.core import escape

if TYPE_CHECKING:
    from rigview.core.deform import Deformer
    from rigview.core.frame import Frame
    from rigview.core.review_notes import ReviewNote
    from rigview.render.review import Review
    from rigview.render.session import Session

HELP = "render a picture for review"
EXAMPLE = (
    "rigview shot hero.glb -o review.png --clip Walk --frame 12 --shade weights --joint hand_l"
)
_DEFAULT_SIZE = (1280, 720)


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    choices.add_pose(command, several=True)
    output.add_out(command, "OUT.png", "a folder for several files", ".png", required=True)
    output.add_form(command)
    pictures.add(command, "1280x720")
    vertex_stages.add(command)
    pictures.add_session(command)
    command.add_argument(
        "--note",
        type=int,
        metavar="N",
        help="a note that stands beside the rig: its clip and time, seen as its author saw it",
    )
    pictures.add_notes(command)


def run(options: argparse.Namespace) -> int:
    """Draw every file."""
    return many.each(options, many.Each(draw, lambda _options, _file: ".png"))


def draw(options: argparse.Namespace) -> int:
    """Render one pose, a pane per method, and write the PNG with its session."""
    from rigview.io.files import save_bytes
    from rigview.render import image, note_view, review
    from rigview.render.camera import Camera
    from rigview.render.context import headless

    pictures.must_be_png(options)
    stage = vertex_stages.chosen(options)
    saved = pictures.taken_over(options)
    noted = _noted(options)
    loaded = pictures.with_made_clip(options, saved, opened(options))
    rig = loaded.rig
    clip = choices.clip(rig, options.clip)
    time = choices.seconds(options, rig, clip)
    methods = pictures.methods(options, rig, None if saved is None else saved.methods)
    size = options.size or _DEFAULT_SIZE
    motion = pictures.motion(options, loaded, choices.deformer(options, rig), clip)
    frame = motion.frame(time)
    look = pictures.look(options, motion, saved.look if saved is not None else None)
    wanted = review.Review(methods, Camera(), look, size, caption=motion.caption(time))
    wanted = _seen(options, motion.deformer, frame, saved, wanted)
    if noted is not None and noted.view is not None:
        camera = note_view.camera_of(noted.view, wanted.camera, wanted.aspect)
        wanted = replace(wanted, camera=camera, cameras={})
    shown = note_view.notes_at(pictures.notes(options), motion.name, time, motion.rate)
    wanted = replace(wanted, notes=shown)
    with headless():
        pixels = review.render(motion.deformer, frame, wanted, stage)
    session = pictures.session(options, loaded, motion, wanted, time)
    save_bytes(options.out, image.png(pixels, session.text()))
    if options.format == "json":
        facts = {"out": str(options.out), "clip": motion.name, "time_s": time, "panes": [*methods]}
        print(escape.json(json.dumps(facts)))
    else:
        say(str(options.out))
    return OK


def _noted(options: argparse.Namespace) -> "ReviewNote | None":
    """Return the note that is asked for, and ask for its clip and time."""
    from rigview.core.text import count

    if options.note is None:
        return None
    if options.clip is not None or options.time is not None or options.frame is not None:
        raise UsageError("--note has its own clip and time: leave out --clip, --time and --frame")
    each = pictures.notes(options).each
    if not 1 <= options.note <= len(each):
        has = count(len(each), "note") if each else "no notes"
        raise UsageError(f"{options.file}: there are {has}, and none is number {options.note}")
    note = each[options.note - 1]
    options.clip, options.time = note.clip or "none", note.time
    return note


def _seen(
    options: argparse.Namespace,
    deformer: "Deformer",
    frame: "Frame",
    saved: "Session | None",
    wanted: "Review",
) -> "Review":
    """Return the picture with the cameras of a session, else with one that frames the pose."""
    from rigview.app.drawing import framed

    if saved is not None and options.view is None:
        # Other panes than the session's have no cameras of their own.
        same = wanted.methods == saved.methods
        return replace(wanted, camera=saved.camera, cameras=saved.cameras if same else {})
    camera = framed(deformer, frame, wanted, options.view or "three-quarter")
    return replace(wanted, camera=camera)
