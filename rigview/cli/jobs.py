"""How many files are worked on at once."""

import argparse

from rigview.cli.status import UsageError


def add_jobs(command: argparse.ArgumentParser) -> None:
    """Declare -j."""
    command.add_argument(
        "-j",
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="files at once, each in a process of its own; 0: all cores",
    )


def expect_jobs(options: argparse.Namespace) -> None:
    """Refuse a number of processes that cannot be."""
    if options.jobs < 0:
        raise UsageError("-j takes a number of processes, or 0 for all cores")
