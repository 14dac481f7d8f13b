"""``rigview rom``: a copy with a clip that takes every joint through its range."""

import argparse
from dataclasses import replace
from pathlib import Path

from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError, say, tell

HELP = "add a clip that takes every joint through its range of motion"
EXAMPLE = "rigview rom hero.glb -o hero.rom.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        help="the copy; without, only say what moves",
    )


def run(options: argparse.Namespace) -> int:
    """Make the clip, say what moves when, and write the copy."""
    from rigview.app.arguments import rom_of
    from rigview.cli.convert import USD
    from rigview.core.motion.range_of_motion import with_clip
    from rigview.core.text import some_of
    from rigview.io import is_amended, save, writer

    loaded = opened(options)
    if options.out is not None:
        writer(options.out)
    motion = rom_of(loaded.rig)
    if not motion.steps:
        raise UsageError(f"{options.file}: no joint below another moves anything")
    for step in motion.steps:
        names = [loaded.rig.nodes.label(joint) for joint in step.joints]
        say(f"{step.time:8.3f} s  {some_of(names, 4)}: {step.label}")
    if options.out is not None:
        if is_amended(loaded, options.out) and options.out.suffix.lower() in USD:
            # A layer over a USD file holds no clip more: the copy is a file of its own.
            loaded = replace(loaded, source=None)
        for note in save(loaded, with_clip(loaded.rig, motion.clip), options.out):
            tell(note)
        say(f"wrote {options.out}")
    return OK
