"""``rigview diff``: what changed between two rigs."""

import argparse
from pathlib import Path

from rigview.cli.status import FINDINGS, OK

HELP = "say what changed between two rigs"
EXAMPLE = "rigview diff hero.v1.glb hero.v2.glb"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("a", type=Path, metavar="A", help="the first file")
    command.add_argument(
        "b", type=Path, metavar="B", help="the second; 1 is returned if it differs"
    )
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("-o", dest="out", type=Path, metavar="OUT", help="instead of stdout")


def run(options: argparse.Namespace) -> int:
    """Compare joints, binds, weights, clips and the skinned shape; 0 means no difference."""
    import json

    from rigview.check.diff import compare
    from rigview.check.diff.words import as_dict, as_text
    from rigview.cli.output import deliver
    from rigview.io import load

    difference = compare(load(options.a).rig, load(options.b).rig)
    names = (str(options.a), str(options.b))
    if options.format == "json":
        text = json.dumps(as_dict(difference, *names), indent=1, allow_nan=False) + "\n"
    else:
        text = as_text(difference, *names)
    deliver(text, options.out)
    return OK if difference.same else FINDINGS
