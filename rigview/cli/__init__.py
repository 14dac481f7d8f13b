"""The command line: one module per command; Qt, OpenGL and numpy are imported only where used."""

import argparse
import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from rigview import __version__
from rigview.cli import (
    bake,
    bench,
    check,
    convert,
    deltas,
    diff,
    fix,
    info,
    metrics,
    open_,
    rom,
    rules,
    sheet,
    shot,
    turntable,
)
from rigview.cli.status import INTERRUPTED, OK, UsageError, complain

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
    "bake": bake,
    "metrics": metrics,
    "deltas": deltas,
    "rom": rom,
    "convert": convert,
    "bench": bench,
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
  rigview convert hero.fbx -o hero.glb                any format as glTF
  rigview bake hero.glb -o pose.npz --clip Walk --time 0.5 --method dqs
  rigview metrics hero.glb --clip Walk                worst frames and joints of each method
  rigview rom hero.glb -o hero.rom.glb                a clip that moves every joint to its limits
  rigview bench hero.glb --copies 100                 what each method costs on this machine

Every command but open works without a display. Exit status: 0 fine, 1 findings at or above
--fail-on, 2 bad input or usage.
"""


# Errors of other modules whose text is one sentence for people.
_SENTENCES = (
    "LoadError",
    "SaveError",
    "ConfigError",
    "BaselineError",
    "GLError",
    "DisplayError",
)


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
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names of files and joints may hold what a terminal cannot show: that is no reason to stop.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _guarded(options)
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say it to.
        _drop_output()
        return OK
    except OSError as error:
        number = error.errno
        if number is None or number not in _FULL or error.filename is not None:
            raise
        _drop_output()
        return complain(f"the output cannot be written: {os.strerror(number).lower()}")
    except KeyboardInterrupt:
        complain("stopped; no file is left half-written")
        return INTERRUPTED


def _drop_output() -> None:
    """Let what is still to be written go nowhere: Python would try again when it ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
        command.set_defaults(run=module.run)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Run a command, which can write over no file that it reads."""
    out, flags = getattr(options, "out", None), ("write_baseline", "in_place")
    run: Callable[[argparse.Namespace], int] = options.run
    if out is None and not any(getattr(options, flag, False) for flag in flags):
        return run(options)
    from rigview.cli.output import named_inputs, refuse_place
    from rigview.io.inputs import protected

    with protected(named_inputs(options)):
        if out is not None:
            refuse_place(out, options)
        return run(options)


def _guarded(options: argparse.Namespace) -> int:
    """Run a command; what is wrong with its input becomes one sentence and status 2."""
    try:
        status = _run(options)
        if sys.stdout:
            sys.stdout.flush()
    except UsageError as error:
        return complain(str(error))
    except Exception as error:
        # The errors' own modules are not imported just to be named here.
        if type(error).__name__ in _SENTENCES:
            return complain(str(error))
        raise
    return status
