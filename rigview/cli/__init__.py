"""The command line: one module per command; Qt, OpenGL and numpy are imported only where used."""

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial
from typing import NoReturn

from rigview import __version__
from rigview.cli import (
    bake,
    bench,
    blender_addon,
    calibrate,
    check,
    completion,
    config,
    conform,
    convert,
    deltas,
    diff,
    fix,
    info,
    library,
    metrics,
    movie,
    notes,
    open_,
    page,
    report,
    retarget,
    review,
    rom,
    rules,
    running,
    sheet,
    shot,
    streams,
    template,
    transfer,
    turntable,
    weights,
)
from rigview.cli.status import add_voice, complain

# One row a command; a new one is a module with `add` and `run`, and a row here.
COMMANDS = {
    "open": open_,
    "info": info,
    "check": check,
    "report": report,
    "config": config,
    "fix": fix,
    "rules": rules,
    "diff": diff,
    "shot": shot,
    "sheet": sheet,
    "turntable": turntable,
    "movie": movie,
    "page": page,
    "notes": notes,
    "review": review,
    "bake": bake,
    "metrics": metrics,
    "deltas": deltas,
    "rom": rom,
    "retarget": retarget,
    "template": template,
    "conform": conform,
    "weights": weights,
    "transfer": transfer,
    "calibrate": calibrate,
    "convert": convert,
    "bench": bench,
    "blender-addon": blender_addon,
    "library": library,
    "completion": completion,
}

_EXAMPLES = """examples:
  rigview hero.glb                                    open the window
  rigview info hero.glb                               what is inside
  rigview check hero.glb --profile dqs                what is wrong with the set-up
  rigview check rigs/ --format json -o report.json    a whole folder
  rigview report a.json b.json --format html -o ab.html   reports merged, as a page
  rigview fix hero.glb -o hero.repaired.glb           repair what can be repaired exactly
  rigview rules --toml > rigview.toml                 begin a studio's settings
  rigview diff hero.v1.glb hero.v2.glb                what changed between two versions
  rigview shot hero.glb -o review.png --clip Walk --frame 12 --panes lbs,dqs,compensated
  rigview turntable hero.glb -o hero.webp --clip Walk --play
  rigview movie hero.glb -o walk.mp4 --clip Walk      a film for review
  rigview page hero.glb -o review.html                a page for review that any browser opens
  rigview review hero.glb -o hero_review              page, report, pictures, movie and notes to send
  rigview notes hero.glb --import review.json         what reviewers wrote on it
  rigview convert hero.fbx -o hero.glb                any format as glTF
  rigview bake hero.glb -o pose.npz --clip Walk --time 0.5 --method dqs
  rigview metrics hero.glb --clip Walk                worst frames and joints of each method
  rigview rom hero.glb -o hero.rom.glb                a clip that moves every joint to its limits
  rigview retarget walk.bvh hero.glb -o hero.walk.glb  motion of another skeleton
  rigview conform hero.fbx --template unreal      how a skeleton differs from another's
  rigview weights hero.glb -o hero.weighted.glb       weights for vertices without any
  rigview transfer body.glb coat.glb -o coat.weighted.glb    weights from another mesh
  rigview bench hero.glb --copies 100                 what each method costs on this machine

Every command but open works without a display. Exit status: 0 fine, 1 findings at or above
--fail-on, 2 bad input or usage, 3 a mistake in rigview (--traceback shows where), 130 stopped.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(complain(f"{message}; see {self.prog} --help"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] not in (*COMMANDS, "-h", "--help", "--version"):
        if given and (nearest := _nearest_command(given[0])):
            return complain(f"there is no command {given[0]}; did you mean {nearest}?")
        given.insert(0, "open")
    options = command_parser().parse_args(given)
    streams.prepare()
    return running.ran(options)


def _nearest_command(word: str) -> str | None:
    """Return the command that a word was meant for; None where it can be the name of a file."""
    if not word.isascii() or not word.replace("-", "").isalpha() or os.path.lexists(word):
        return None
    return next(iter(get_close_matches(word.lower(), COMMANDS, 1)), None)


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = _Parser(
        prog="rigview",
        description="See, check and repair skinned rigs.",
        epilog=_EXAMPLES,
        # Indented by two, the longest command would have no room beside its help.
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, indent_increment=1),
    )
    parser.add_argument("--version", action="version", version=f"rigview {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.HELP,
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=f"example: {module.EXAMPLE}",
        )
        module.add(command)
        command.add_argument(
            "--traceback", action="store_true", help="of a mistake in rigview, show where it is"
        )
        add_voice(command)
        command.set_defaults(run=module.run)
    return parser
