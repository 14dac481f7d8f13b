"""``rigview [FILE]``: the window."""

import argparse
from pathlib import Path

HELP = "open the window (the default)"
EXAMPLE = "rigview hero.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", nargs="?", type=Path, metavar="FILE")


def run(options: argparse.Namespace) -> int:
    """Open the window, with a file if one is named."""
    from rigview.ui.app import run as run_window

    return run_window(options.file)
