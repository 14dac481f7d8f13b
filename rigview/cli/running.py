"""Run a command: what is wrong with its input becomes one sentence and a status, whatever it is."""

import argparse
import errno
import os
import sys
import traceback
from pathlib import Path

from rigview.cli import open_, streams
from rigview.cli.status import INTERRUPTED, MISTAKE, OK, complain, set_voice
from rigview.core.errors import RigviewError
from rigview.core.text import system_reason

_STDOUT = Path("-")
# Why a disk or device takes no more of our output.
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


def ran(options: argparse.Namespace) -> int:
    """Run a command and return its exit status; no error leaves this function."""
    set_voice(options)
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
        complain("there is not enough memory")
        return MISTAKE
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = "" if options.traceback else "; --traceback shows where"
    complain(f"a mistake in rigview stopped the command, please report it: {words}{hint}")
    return MISTAKE


def _guarded(options: argparse.Namespace) -> int:
    try:
        status = _run(options)
        if sys.stdout:
            sys.stdout.flush()
    except RigviewError as error:
        return complain(str(error))
    return status


def _run(options: argparse.Namespace) -> int:
    """Run a command, which can write over no file that it reads."""
    if options.run is open_.run:
        return open_.run(options)
    with streams.standard_input(options), streams.standard_output(options):
        return _protected(options)


def _protected(options: argparse.Namespace) -> int:
    flags = ("write_baseline", "in_place", "resume")
    named = (getattr(options, "out", None), *(getattr(options, "outs", None) or ()))
    outs = [out for out in named if out is not None and out != _STDOUT]
    if not outs and not any(getattr(options, flag, False) for flag in flags):
        with streams.expecting_output():
            return _with_rules(options)
    from rigview.cli.output import expect_name, named_inputs, refuse_place
    from rigview.io.inputs import protected

    with protected(named_inputs(options)):
        for out in outs:
            expect_name(out)
            refuse_place(out, options)
        return _with_rules(options)


def _with_rules(options: argparse.Namespace) -> int:
    """Run a command that asks a studio's own rules as well, where they are named."""
    folder = getattr(options, "rules_from", None)
    if folder is None:
        return _status(options)
    from rigview.app.checking import with_rules_from

    with with_rules_from(folder):
        return _status(options)


def _status(options: argparse.Namespace) -> int:
    status: int = options.run(options)
    return status
