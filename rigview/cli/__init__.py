"""The command line: one module per command; Qt, OpenGL and numpy are imported only where used."""

import argparse
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from rigview import __version__
from rigview.cli import (
    bake,
    bench,
    blender_addon,
    calibrate,
    check,
    convert,
    deltas,
    diff,
    fix,
    info,
    metrics,
    open_,
    page,
    retarget,
    rom,
    rules,
    sheet,
    shot,
    streams,
    transfer,
    turntable,
    weights,
)
from rigview.cli.status import (
    INTERRUPTED,
    MISTAKE,
    OK,
    complain,
    tell,
)
from rigview.core.errors import RigviewError
from rigview.core.text import system_reason

# One row a command; a new one is a module with `add` and `run`, and a row here.
COMMANDS = {
    "open": open_,
    "info": info,
    "check": check,
    "fix": fix,
    "rules": rules,
    "diff": diff,
    "shot": shot,
    "sheet": sheet,
    "turntable": turntable,
    "page": page,
    "bake": bake,
    "metrics": metrics,
    "deltas": deltas,
    "rom": rom,
    "retarget": retarget,
    "weights": weights,
    "transfer": transfer,
    "calibrate": calibrate,
    "convert": convert,
    "bench": bench,
    "blender-addon": blender_addon,
}

_EXAMPLES = """examples:
  rigview hero.glb                                    open the window
  rigview info hero.glb                               what is inside
  rigview check hero.glb --profile dqs                what is wrong with the set-up
  rigview check rigs/ --format json -o report.json    a whole folder
  rigview fix hero.glb -o hero.repaired.glb           repair what can be repaired exactly
  rigview rules --toml > rigview.toml                 begin a studio's settings
  rigview diff hero.v1.glb hero.v2.glb                what changed between two versions
  rigview shot hero.glb -o review.png --clip Walk --frame 12 --panes lbs,dqs,compensated
  rigview turntable hero.glb -o hero.webp --clip Walk --play
  rigview page hero.glb -o review.html                a page for review that any browser opens
  rigview convert hero.fbx -o hero.glb                any format as glTF
  rigview bake hero.glb -o pose.npz --clip Walk --time 0.5 --method dqs
  rigview metrics hero.glb --clip Walk                worst frames and joints of each method
  rigview rom hero.glb -o hero.rom.glb                a clip that moves every joint to its limits
  rigview retarget walk.bvh hero.glb -o hero.walk.glb  motion of another skeleton
  rigview weights hero.glb -o hero.weighted.glb       weights for vertices without any
  rigview transfer body.glb coat.glb -o coat.weighted.glb    weights from another mesh
  rigview bench hero.glb --copies 100                 what each method costs on this machine

Every command but open works without a display. Exit status: 0 fine, 1 findings at or above
--fail-on, 2 bad input or usage, 3 a mistake in rigview (--traceback shows where), 130 stopped.
"""


# Why a disk or device takes no more of our output.
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(complain(f"{message}; see {self.prog} --help"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] not in (*COMMANDS, "-h", "--help", "--version"):
        given.insert(0, "open")
    options = _parser().parse_args(given)
    streams.prepare()
    try:
        return _guarded(options)
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say it to.
        streams.drop_output()
        return OK
    except OSError as error:
        return _failed(error, options)
    except KeyboardInterrupt:
        complain("stopped; no file is left half-written")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the edge of the command: 1 would say that there are findings
        return _mistake(error, options)


def _failed(error: OSError, options: argparse.Namespace) -> int:
    """Say what the system refused, and return the status."""
    if error.filename is not None:
        return complain(f"{os.fsdecode(error.filename)}: {system_reason(error)}")
    if error.errno in _FULL:
        streams.drop_output()
        return complain(f"the output cannot be written: {system_reason(error)}")
    if _is_nowhere():
        return complain("the working directory is gone: change to one that is there")
    return _mistake(error, options)


def _is_nowhere() -> bool:
    """Tell whether the working directory was removed."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _mistake(error: Exception, options: argparse.Namespace) -> int:
    """Tell of an error that nobody expected, and return its status."""
    if options.traceback:
        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        tell("there is not enough memory")
        return MISTAKE
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if options.traceback else "; --traceback shows where"
    tell(f"a mistake in rigview stopped the command, please report it: {words}{hint}")
    return MISTAKE


def _parser() -> argparse.ArgumentParser:
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
        command.set_defaults(run=module.run)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Run a command, which can write over no file that it reads."""
    out, flags = getattr(options, "out", None), ("write_baseline", "in_place")
    if options.run is open_.run:
        return open_.run(options)

    def run(options: argparse.Namespace) -> int:
        folder = getattr(options, "rules_from", None)
        if folder is None:
            return _status(options)
        from rigview.app.checking import with_rules_from

        with with_rules_from(folder):
            return _status(options)

    if out is None and not any(getattr(options, flag, False) for flag in flags):
        with streams.expecting_output():
            return run(options)
    from rigview.cli.output import expect_name, named_inputs, refuse_place
    from rigview.io.inputs import protected

    with protected(named_inputs(options)):
        if out is not None:
            expect_name(out)
            refuse_place(out, options)
        return run(options)


def _status(options: argparse.Namespace) -> int:
    """Run a command and return its status."""
    status: int = options.run(options)
    return status


def _guarded(options: argparse.Namespace) -> int:
    """Run a command; what is wrong with its input becomes one sentence and status 2."""
    try:
        status = _run(options)
        if sys.stdout:
            sys.stdout.flush()
    except RigviewError as error:
        return complain(str(error))
    return status
