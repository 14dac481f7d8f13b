"""``rigview library``: keep the checks of a library in a database, and ask it."""

import argparse
import csv
import json
import sys
from pathlib import Path

from rigview.cli import choices, output
from rigview.cli.jobs import add_jobs, expect_jobs
from rigview.cli.progress import Line
from rigview.cli.source import add_overrides, overrides
from rigview.cli.status import BAD_INPUT, FINDINGS, OK, UsageError, say
from rigview.cli.wildcards import expanded

HELP = "keep checks of a library in an SQLite file, and ask it questions"
EXAMPLE = "rigview library query influences 4 --db lib.sqlite"
_QUERY = "query"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument(
        "words",
        nargs="+",
        metavar="PATH|query",
        help="files and folders, which are checked and kept as one run; or query and influences [N], "
        "changed [DATE], failing, rules, trend, or a SELECT in SQL, which only reads",
    )
    command.add_argument("--db", type=Path, required=True, metavar="FILE", help="the database")
    command.add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    output.add_form(command, "csv")
    add_jobs(command)
    choices.add_config(command)
    add_overrides(command, "every file that is added")


def run(options: argparse.Namespace) -> int:
    """Add a run, or answer a question."""
    if options.words[0] == _QUERY:
        return _answer(options)
    return _add(options)


def _add(options: argparse.Namespace) -> int:
    from rigview.app.batch import cores, rig_files
    from rigview.app.rig_library import add_run
    from rigview.app.tasks import Task
    from rigview.check.policy import Configs, Policy

    choices.known_profile(options.profile)
    expect_jobs(options)
    configs = Configs(options.config)
    tasks, believed = [], overrides(options)
    for path in rig_files(expanded([Path(word) for word in options.words])):
        config = configs.of(path)
        policy = Policy.of(path, config, options.profile)
        tasks.append(Task(path, policy, config.fail_on or "error", overrides=believed))
    with Line() as line:
        counts = add_run(options.db, tasks, options.jobs or cores(), line)
    if options.format == "json":
        print(json.dumps(counts))
    else:
        say(", ".join(f"{number} {status}" for status, number in counts.items()))
    if counts["unchecked"]:
        return BAD_INPUT
    return FINDINGS if counts["failed"] else OK


def _answer(options: argparse.Namespace) -> int:
    from rigview.app.rig_library import QUESTIONS, as_table, ask
    from rigview.core import escape

    if len(options.words) not in (2, 3):
        raise UsageError(f"ask one of {', '.join(QUESTIONS)}, or a SELECT in quotes")
    columns, rows = ask(options.db, options.words[1], *options.words[2:])
    if options.format == "json":
        answer = [dict(zip(columns, row, strict=True)) for row in rows]
        print(escape.json(json.dumps({"rows": answer}, indent=1)))
    elif options.format == "csv":
        table = csv.writer(sys.stdout, lineterminator="\n")
        table.writerow(columns)
        table.writerows([escape.cell(v) if isinstance(v, str) else v for v in row] for row in rows)
    else:
        for text in as_table(columns, rows):
            say(text)
    return OK
