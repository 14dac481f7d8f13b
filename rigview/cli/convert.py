"""``rigview convert``: any rig that rigview reads, as glTF."""

import argparse
import sys
from pathlib import Path

from rigview.cli import choices
from rigview.cli.source import add_file, opened
from rigview.cli.status import OK, UsageError

HELP = "write any readable rig as glTF"
EXAMPLE = "rigview convert hero.fbx -o hero.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    command.add_argument("-o", dest="out", type=Path, metavar="OUT.glb|.gltf", required=True)


def run(options: argparse.Namespace) -> int:
    """Open the file and write its rig; say on stderr what the copy does not carry."""
    from rigview.io import save

    if options.out.suffix.lower() not in (".glb", ".gltf"):
        raise UsageError(f"{options.out}: end the name with .glb or .gltf")
    loaded = opened(options)
    if choices.same_file(options.out, options.file):
        raise UsageError(f"{options.out} is the file itself")
    for note in save(loaded, loaded.rig, options.out):
        print(f"rigview: {note}", file=sys.stderr)
    print(options.out)
    return OK
