"""``rigview info``: what is inside a file."""

import argparse
import json

from rigview.cli.source import add_file, opened
from rigview.cli.status import OK
from rigview.core import escape

HELP = "say what is inside a file"
EXAMPLE = "rigview info hero.glb --json"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument(
        "--bounds",
        action="store_true",
        help="also tell the boxes by which engines cull, and which clips leave that of the bind pose",
    )
    command.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    """Print joints, meshes, clips, units and extensions."""
    from rigview.io.describe import as_text, bounds, bounds_as_text, describe

    loaded = opened(options)
    if options.json:
        more = {"bounds": bounds(loaded.rig)} if options.bounds else {}
        print(escape.json(json.dumps(describe(loaded) | more, indent=1)))
        return OK
    print(as_text(loaded))
    if options.bounds:
        print(bounds_as_text(loaded.rig))
    return OK
