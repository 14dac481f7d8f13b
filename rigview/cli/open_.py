"""``rigview [FILE]``: the window."""

import argparse
from pathlib import Path

from rigview.cli.source import add_overrides, expect_file, has_overrides, overrides
from rigview.cli.status import UsageError

HELP = "open the window (the default)"
EXAMPLE = "rigview hero.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", nargs="?", type=Path, metavar="FILE")
    add_overrides(command)


def run(options: argparse.Namespace) -> int:
    """Open the window, with a file if one is named."""
    from rigview.io.session_files import SUFFIX
    from rigview.ui.app import run as run_window

    expect_file(options)
    if not has_overrides(options):
        return run_window(options.file)
    if options.file.suffix.lower() == SUFFIX:
        raise UsageError(
            f"{options.file}: a session states how its rigs are read: leave --unit, --up and --fps out"
        )
    return run_window(options.file, overrides(options))
