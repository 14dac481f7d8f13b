"""The arguments of ``rigview check``."""

import argparse
from pathlib import Path

from rigview.app.facts import SEVERITIES
from rigview.check.deadline import TIMEOUT
from rigview.cli import choices
from rigview.cli.destinations import add_destinations
from rigview.cli.jobs import add_jobs
from rigview.cli.shards import shard
from rigview.cli.source import add_overrides

# MiB: about 50,000 rigs without pictures.
_CACHE_LIMIT = 512


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_argument = command.add_argument
    add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
    add_overrides(command, "every file")
    add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    add_destinations(command)
    add_argument(
        "--resume",
        type=Path,
        metavar="FILE.jsonl",
        help="keep results there as they come, and go on where an interrupted run was: what the file has "
        "of rigs that are the same is not checked again",
    )
    add_argument("--select", type=choices.ids, metavar="IDS", help="only these rules")
    add_argument("--ignore", type=choices.ids, default=(), metavar="IDS", help="not these rules")
    add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="not these files, as in 'wip/*': relative to here, * crosses folders",
    )
    add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        help="the least severity that exits with 1 (default error)",
    )
    add_jobs(command)
    add_argument("--baseline", type=Path, metavar="FILE", help="findings listed there do not count")
    add_argument(
        "--write-baseline", action="store_true", help="list what is found now in the baseline"
    )
    command.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT,
        metavar="SECONDS",
        help="a file may take, and a rule a third of that; what is not evaluated for it is listed, "
        f"and 2 is returned (default {TIMEOUT:g})",
    )
    add_argument(
        "--memory",
        type=int,
        metavar="MIB",
        help="each process that checks files may take so much, on Linux; a file that takes more could not "
        "be checked",
    )
    add_argument(
        "--dry-run", action="store_true", help="try every fix, and state what it would move"
    )
    add_argument(
        "--notes", action="store_true", help="tell findings that ask for no action one by one"
    )
    add_argument(
        "-v", "--verbose", action="store_true", help="say in text why rules were not evaluated"
    )
    add_argument(
        "--seams",
        action="store_true",
        help="tell, too, where vertices of different skins and files in one place have other weights "
        "(WGT-SEAM); joints are matched by name",
    )
    add_argument(
        "--cache",
        nargs="?",
        type=Path,
        const=True,
        metavar="DIR",
        help="keep results there, and take those of files that are the same with all that they refer to, "
        "under the same settings; without DIR, and then after the paths, in the user's folder of caches",
    )
    add_argument(
        "--cache-limit",
        type=int,
        default=_CACHE_LIMIT,
        metavar="MIB",
        help="where the results in --cache take more after the run, those longest of no use are removed "
        "(default %(default)s)",
    )
    add_argument(
        "--changed-since",
        metavar="REF",
        help="only files that git finds changed or new since a commit, or that refer to such files",
    )
    add_argument(
        "--shard",
        type=shard,
        metavar="K/N",
        help="only part K of N of the files; every machine of a farm takes another",
    )
    add_argument(
        "--cluster",
        metavar="ADDRESS|local",
        help="check on the dask cluster of this scheduler, as tcp://host:8786, whose workers see the files "
        "by the same paths; local starts -j workers here (needs rigview[cluster])",
    )
    choices.add_config(command)
    choices.add_template(command)
    choices.add_rules_from(command)
