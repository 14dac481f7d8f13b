"""``rigview report``: convert, merge and filter reports in JSON."""

import argparse
from pathlib import Path

from rigview.app.facts import SEVERITIES
from rigview.cli import choices
from rigview.cli.destinations import add_destinations, deliver_all, destinations, expect_places
from rigview.cli.progress import Line
from rigview.cli.status import BAD_INPUT, FINDINGS, OK

HELP = "write reports in JSON in another form, merged and filtered"
EXAMPLE = "rigview report part1.json part2.json --only failed --format html -o failed.html"
STATUSES = ("passed", "failed", "unchecked")


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="IN",
        help="of --format json or jsonl; of a file that several name, the last tells",
    )
    add_destinations(command)
    command.add_argument(
        "--select", type=choices.ids, default=(), metavar="IDS", help="only findings of these rules"
    )
    command.add_argument(
        "--severity", choices=SEVERITIES, help="only findings at least as severe as this"
    )
    command.add_argument("--only", choices=STATUSES, help="only files that came to this")
    command.add_argument(
        "--notes", action="store_true", help="tell findings that ask for no action one by one"
    )
    command.add_argument(
        "-v", "--verbose", action="store_true", help="say in text why rules were not evaluated"
    )


def run(options: argparse.Namespace) -> int:
    """Write the reports, and return the status that a check of the same would."""
    from msgspec.structs import replace

    from rigview.app.record_files import read_merged
    from rigview.app.record_filters import Filter
    from rigview.app.redrawing import redrawn
    from rigview.app.spilled_records import SpilledRecords
    from rigview.check.report import FORMATS, Outcome

    places = destinations(options)
    expect_places(options, places)
    wanted = Filter(choices.known_rules(options.select), options.severity, options.only)
    with SpilledRecords() as whole, SpilledRecords() as part, Line() as line:
        settings = read_merged(options.paths, whole)
        drawn = any(FORMATS[place.form].pictures for place in places)
        for record in wanted.kept(whole):
            part.add(redrawn(record, line) if drawn else record)
        settings = replace(
            settings,
            notes=options.notes or settings.notes,
            verbose=options.verbose or settings.verbose,
            rules_url=options.rules_url or settings.rules_url,
        )
        outcome = Outcome(part, settings)
        deliver_all(outcome, places)
        if outcome.refused or any(report.late for report in outcome.reports):
            return BAD_INPUT
        return FINDINGS if any(report.failed for report in outcome.reports) else OK
