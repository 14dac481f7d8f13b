"""``rigview info``: what is inside a file."""

import argparse
import json
from pathlib import Path

from rigview.cli.status import OK

HELP = "say what is inside a file"
EXAMPLE = "rigview info hero.glb --json"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--json", action="store_true", help="for programs")


def run(options: argparse.Namespace) -> int:
    """Print joints, meshes, clips, units and extensions."""
    from rigview.io import load
    from rigview.io.describe import as_text, describe

    loaded = load(options.file)
    print(json.dumps(describe(loaded), indent=1) if options.json else as_text(loaded))
    return OK
