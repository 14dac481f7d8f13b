"""``rigview info``: what is inside a file."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from rigview.cli import output
from rigview.cli.source import add_file, opened
from rigview.cli.status import OK
from rigview.core import escape
from rigview.core.text import one_line

if TYPE_CHECKING:
    from rigview.io import Loaded

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
    command.add_argument(
        "--joints",
        action="store_true",
        help="also tell every joint: its parent, its place at rest and how many vertices it moves",
    )
    command.add_argument(
        "--textconv",
        action="store_true",
        help="for git diff: as text that does not name the file, joints included",
    )
    output.add_form(command)


def run(options: argparse.Namespace) -> int:
    """Print joints, meshes, clips, units and extensions."""
    from rigview.io.describe import (
        as_text,
        bounds,
        bounds_as_text,
        describe,
        joints,
        joints_as_text,
    )

    if options.textconv:
        return _textconv(options)
    loaded = opened(options)
    if options.format == "json":
        more: dict[str, Any] = {"bounds": bounds(loaded.rig)} if options.bounds else {}
        if options.joints:
            more["joints"] = joints(loaded.rig)
        print(escape.json(json.dumps(describe(loaded) | more, indent=1)))
        return OK
    print(as_text(loaded))
    if options.bounds:
        print(bounds_as_text(loaded.rig))
    if options.joints:
        print(joints_as_text(loaded.rig))
    return OK


def _textconv(options: argparse.Namespace) -> int:
    """Print a file for git diff, which names it otherwise on both sides.

    What cannot be opened is said in its place: git gives a file without those that it refers to.
    """
    from rigview.io import LoadError
    from rigview.io.describe import as_text, joints_as_text

    try:
        loaded: Loaded = opened(options)
    except LoadError as error:
        print(one_line(f"cannot be opened: {error.reason}"))
        return OK
    print(as_text(loaded).partition("\n")[2])
    print(joints_as_text(loaded.rig))
    return OK
