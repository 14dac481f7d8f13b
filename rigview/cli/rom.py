"""``rigview rom``: a copy with a clip that takes every joint through its range."""

import argparse
from pathlib import Path

from rigview.cli.status import OK, UsageError, say

HELP = "add a clip that takes every joint through its range of motion"
EXAMPLE = "rigview rom hero.glb -o hero.rom.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", type=Path, metavar="FILE")
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
    from rigview.core.motion.range_of_motion import with_clip
    from rigview.core.text import some_of
    from rigview.io import load, save, writer

    loaded = load(options.file)
    if options.out is not None:
        writer(options.out)
    motion = rom_of(loaded.rig)
    if not motion.steps:
        raise UsageError(f"{options.file}: no joint below another moves anything")
    for step in motion.steps:
        names = [loaded.rig.nodes.label(joint) for joint in step.joints]
        say(f"{step.time:8.3f} s  {some_of(names, 4)}: {step.label}")
    if options.out is not None:
        save(loaded, with_clip(loaded.rig, motion.clip), options.out)
        say(f"wrote {options.out}")
    return OK
