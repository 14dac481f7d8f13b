"""``rigview shot``: a picture for review."""

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from rigview.cli import choices, many, output, pictures, vertex_stages
from rigview.cli.source import opened
from rigview.cli.status import OK, say
from rigview.core import escape

if TYPE_CHECKING:
    from rigview.core.deform import Deformer
    from rigview.core.frame import Frame
    from rigview.render.camera import Camera
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


def run(options: argparse.Namespace) -> int:
    """Draw every file."""
    return many.each(options, many.Each(draw, lambda _options, _file: ".png"))


def draw(options: argparse.Namespace) -> int:
    """Render one pose, a pane per method, and write the PNG with its session."""
    from rigview.io.files import save_bytes
    from rigview.render import image, review
    from rigview.render.camera import Camera
    from rigview.render.context import headless

    pictures.must_be_png(options)
    stage = vertex_stages.chosen(options)
    saved = pictures.taken_over(options)
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
    camera = _camera(options, motion.deformer, frame, saved, wanted)
    wanted = replace(wanted, camera=camera)
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


def _camera(
    options: argparse.Namespace,
    deformer: "Deformer",
    frame: "Frame",
    saved: "Session | None",
    wanted: "Review",
) -> "Camera":
    from rigview.app.drawing import framed

    if saved is not None and options.view is None:
        return saved.camera
    return framed(deformer, frame, wanted, options.view or "three-quarter")
