"""``rigview conform``: what in a skeleton is otherwise than a template has it, and a copy that conforms."""

import argparse
from pathlib import Path

from rigview.app.facts import SEVERITIES
from rigview.cli import check, fix, output
from rigview.cli.choices import FAIL_ON_HELP, add_template
from rigview.cli.source import add_file, override_words
from rigview.cli.status import UsageError

HELP = "say how a skeleton differs from a template, and mend what is exact"
EXAMPLE = "rigview conform hero.fbx --template unreal --fix -o hero.conformed.fbx"
FAMILY = "TPL-"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_file(command)
    add_template(command, required=True)
    command.add_argument(
        "--fix",
        dest="fixes",
        action="store_true",
        help="rename, re-parent, turn axes and reorder where nothing moves, and write the copy",
    )
    command.add_argument(
        "-o",
        "--output",
        dest="out",
        type=Path,
        metavar="OUT",
        help="the copy, in FILE's own format where that is written; without --fix the report",
    )
    output.add_form(command)
    command.add_argument(
        "--fail-on", choices=(*SEVERITIES, "never"), default="error", help=FAIL_ON_HELP
    )


def run(options: argparse.Namespace) -> int:
    """Ask the rules about the template, or apply their fixes."""
    from rigview.check.catalogue import RULES

    family = [rule for rule in RULES if rule.id.startswith(FAMILY)]
    command = fix if options.fixes else check
    if options.fixes and options.out is None:
        raise UsageError("name the copy with -o")
    given = ["--template", options.template, "--format", options.format, "--config", "none"]
    given += ["--fail-on", options.fail_on]
    given += [] if options.out is None else ["--output", str(options.out)]
    given += override_words(options)
    if options.fixes:
        given += ["--rules", ",".join(rule.id for rule in family if rule.fix == "exact")]
    else:
        given += ["--select", ",".join(rule.id for rule in family)]
    parser = argparse.ArgumentParser()
    command.add(parser)
    parser.set_defaults(traceback=options.traceback)
    passed = parser.parse_args([*given, "--", str(options.file)])
    # Reports call what comes from stdin so, and not by the file that it is kept in.
    passed.stdin = options.stdin
    return command.run(passed)
