"""``rigview completion``: a script by which a shell completes commands, flags and files."""

import argparse
from pathlib import Path

from rigview.cli.status import OK

HELP = "print a completion script for a shell"
EXAMPLE = "rigview completion bash"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from rigview.cli import command_parser

    parser = command_parser()
    _complete_files(parser)
    print(shtab.complete(parser, options.shell))
    return OK


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Let arguments that are paths be completed by the names of files."""
    import shtab

    for action in parser._actions:  # noqa: SLF001 - argparse lists its arguments nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - and names their type so
            for command in action.choices.values():
                _complete_files(command)
        elif action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
