"""``rigview blender-addon``: the add-on for Blender 4.2 and newer, as Blender installs it."""

import argparse
from pathlib import Path

from rigview.cli.status import OK, say

HELP = "write the add-on for Blender: check the active armature, select what is at fault, mend it"
EXAMPLE = "rigview blender-addon -o rigview_addon.zip"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("-o", "--output", dest="out", type=Path, metavar="OUT.zip", required=True)


def run(options: argparse.Namespace) -> int:
    """Write the zip, and say how Blender takes it."""
    from rigview.app.blender_addon import packed
    from rigview.io.files import save_bytes

    save_bytes(options.out, packed())
    say(f"wrote {options.out}: in Blender, Edit > Preferences > Add-ons > Install from Disk")
    return OK
