"""``rigview config``: what holds for a file, and where each value is from."""

import argparse
from pathlib import Path

from rigview.cli import choices, output
from rigview.cli.status import OK, say

HELP = "print the settings that hold for a file, and where each is from"
EXAMPLE = "rigview config rigs/hero.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("file", type=Path, metavar="FILE", help="a rig; it need not be there")
    command.add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    choices.add_config(command)
    output.add_form(command)


def run(options: argparse.Namespace) -> int:
    """Print a line a setting."""
    from dataclasses import asdict

    from rigview.app.held_settings import held_settings
    from rigview.check.report.records import dumped

    choices.known_profile(options.profile)
    found = held_settings(options.file, options.config, options.profile)
    if options.format == "json":
        print(
            dumped({"file": str(options.file), "settings": [asdict(one) for one in found]}), end=""
        )
    else:
        for one in found:
            say(one.line)
    return OK
