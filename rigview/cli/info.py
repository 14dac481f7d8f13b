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
    command.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    """Print joints, meshes, clips, units and extensions."""
    from rigview.io.describe import as_text, describe

    loaded = opened(options)
    print(escape.json(json.dumps(describe(loaded), indent=1)) if options.json else as_text(loaded))
    return OK
