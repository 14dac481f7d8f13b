"""``rigview check``: what is wrong with the set-up."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.app.facts import REPORTS, SEVERITIES
from rigview.check.deadline import TIMEOUT
from rigview.cli import choices
from rigview.cli.progress import Line
from rigview.cli.shards import shard
from rigview.cli.status import (
    BAD_INPUT,
    FINDINGS,
    MISTAKE,
    OK,
    UsageError,
    complain,
    say,
    tell,
)
from rigview.cli.wildcards import expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rigview.app.batch import Task
    from rigview.check.config import Config
    from rigview.check.report import Format, Outcome, Record

HELP = "say what is wrong with the set-up"
EXAMPLE = "rigview check rigs/ -j 0 --profile dqs --format junit -o report.xml"

# Eleven days: timers of systems take numbers of this size.
_LONGEST = 1e6
# Rules that a message names.
_MOST_NAMED = 5


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_argument = command.add_argument
    add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
    add_argument("--profile", metavar="P", help=choices.PROFILE_HELP)
    add_argument("--format", choices=REPORTS, default="text")
    add_argument("-o", "--output", dest="out", type=Path, metavar="OUT", help="instead of stdout")
    add_argument("--select", type=choices.ids, metavar="IDS", help="only these rules")
    add_argument("--ignore", type=choices.ids, default=(), metavar="IDS", help="not these rules")
    add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        help="the least severity that exits with 1 (default error)",
    )
    add_argument(
        "-j",
        "--jobs",
        dest="jobs",
        type=int,
        default=1,
        metavar="N",
        help="files at once; 0: all cores",
    )
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
        "--dry-run", action="store_true", help="try every fix, and state what it would move"
    )
    add_argument(
        "--notes", action="store_true", help="tell findings that ask for no action one by one"
    )
    add_argument(
        "--seams",
        action="store_true",
        help="tell, too, where vertices of different skins and files in one place have other weights "
        "(WGT-SEAM); joints are matched by name",
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


def run(options: argparse.Namespace) -> int:
    """Check every file; a file that cannot be opened never stops the others."""
    if options.jobs < 0:
        raise UsageError("-j takes a number of processes, or 0 for all cores")
    if not 0.0 < options.timeout < _LONGEST:
        raise UsageError(f"--timeout must be above 0 and below {_LONGEST:g} seconds")
    choices.known_rules((*(options.select or ()), *options.ignore))
    choices.known_profile(options.profile)
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    from rigview.app import batch, known_findings
    from rigview.check.policy import Configs
    from rigview.check.report import FORMATS as TABLE
    from rigview.check.report import Outcome, RunSettings
    from rigview.io.inputs import protect

    form, template = TABLE[options.format], choices.template(options)
    paths = _files(options)
    configs = Configs(options.config)
    decided = [configs.of(path) for path in paths]
    baselines = [options.baseline or config.baseline for config in decided]
    if options.write_baseline and None in baselines:
        raise UsageError(
            "--write-baseline needs --baseline FILE, or a baseline in the configuration"
        )
    protect(paths)
    protect(config.file for config in decided if config.file is not None)
    if not options.write_baseline:
        protect(place for place in baselines if place is not None)
    # What would make the result worthless is said before the work, not after it.
    _expect_places(options, baselines)
    known = {} if options.write_baseline else known_findings.known(baselines)
    if template is not None:
        decided = [replace(config, template=template) for config in decided]
    tasks = [_task(p, c, options, form) for p, c in zip(paths, decided, strict=True)]
    with Line() as line:
        checked = _checked(tasks, options, line)
        if options.seams:
            checked = batch.with_seams(tasks, checked)
    # Rules that are asked for by name are told whole.
    settings = RunSettings(
        options.profile,
        options.select or (),
        options.ignore,
        options.fail_on,
        notes=options.notes or bool(options.select),
    )
    outcome = Outcome(tuple(checked), settings)
    for unchecked in outcome.unchecked:
        complain(unchecked.reason)
    # What worker processes have read is known here only by their answers.
    protect(Path(path) for file in outcome.files for path in file.read)
    late = _tell_late(outcome)
    if options.write_baseline:
        return _write_baselines(outcome, baselines, late=late)
    outcome, gone = known_findings.known_taken_out(outcome, baselines, known)
    for place, number in gone.items():
        if number:
            gone_words = "finding is" if number == 1 else "findings are"
            hint = "--write-baseline drops what is gone"
            tell(f"{place}: {number} listed {gone_words} gone; {hint}")
    _deliver(outcome, form, options)
    if outcome.unchecked or late:
        return _unchecked(outcome)
    return FINDINGS if any(report.failed for report in outcome.reports) else OK


def _expect_places(options: argparse.Namespace, baselines: "Sequence[Path | None]") -> None:
    """Refuse places where no result can be written."""
    from rigview.cli.output import expect_place, refuse_place

    for out in {options.out, *(baselines if options.write_baseline else ())} - {None}:
        if not (out == options.out and _is_library(options)):
            expect_place(out)
        refuse_place(out, options)


def _deliver(outcome: "Outcome", form: "Format", options: argparse.Namespace) -> None:
    """Write the report, or the pages of a library."""
    from rigview.cli.output import deliver

    if not _is_library(options):
        deliver(form.write(outcome), options.out)
        return
    from rigview.app.library_page import write_library

    say(str(write_library(outcome, options.out)))


def _is_library(options: argparse.Namespace) -> bool:
    """Return whether a folder of pages is asked for: HTML into a folder that is there."""
    return options.format == "html" and options.out is not None and options.out.is_dir()


def _checked(tasks: "Sequence[Task]", options: argparse.Namespace, line: Line) -> "list[Record]":
    """Check files here, or on the cluster that --cluster names."""
    from rigview.app import batch

    if options.cluster is None:
        return batch.check_all(tasks, options.jobs or batch.cores(), line)
    from rigview.app.cluster import check_on, connected

    with connected(options.cluster, options.jobs) as client:
        tell(f"the cluster is shown at {client.dashboard_link}")
        return check_on(client, tasks, line)


def _files(options: argparse.Namespace) -> list[Path]:
    """Return the files to check: all, or the part that --shard asks for."""
    from rigview.app import batch

    paths = batch.rig_files(expanded(options.paths))
    if options.shard is None:
        return paths
    if options.write_baseline:
        raise UsageError("--write-baseline lists all findings: --shard knows a part of them")
    part: list[Path] = options.shard.part_of(paths)
    return part


def _tell_late(outcome: "Outcome") -> bool:
    """Tell which rules had no time, and return whether any had none."""
    from rigview.core.text import some_of

    late = [report for report in outcome.reports if report.late]
    for report in late:
        rules = some_of([one.rule for one in report.late], _MOST_NAMED)
        complain(f"{report.file}: not evaluated within the time (--timeout): {rules}")
    return bool(late)


def _write_baselines(outcome: "Outcome", baselines: "Sequence[Path | None]", *, late: bool) -> int:
    """List what was found in the baselines, and return the exit status."""
    from rigview.app import known_findings
    from rigview.check.rule import count

    if late:
        # Known findings of rules that were not evaluated would be taken for gone.
        raise UsageError("no baseline is written, since rules were not evaluated")
    for place, number in known_findings.written(outcome, baselines).items():
        say(str(place))
        tell(f"{place} lists {count(number, 'finding')}")
    return _unchecked(outcome) if outcome.unchecked else OK


def _unchecked(outcome: "Outcome") -> int:
    """Return the exit status where not all was checked."""
    return MISTAKE if any(file.mistake for file in outcome.unchecked) else BAD_INPUT


def _task(path: Path, config: "Config", options: argparse.Namespace, form: "Format") -> "Task":
    """Return what is wanted of a file: the command's word goes before its configuration's."""
    from rigview.app.batch import Task
    from rigview.check.policy import Policy

    standard = Policy.of(path, config, options.profile)
    standard = replace(
        standard,
        select=standard.select if options.select is None else options.select,
        ignore=(*options.ignore, *standard.ignore),
    )
    fail_on = options.fail_on or config.fail_on or "error"
    return Task(
        path,
        standard,
        fail_on,
        options.dry_run,
        form.pictures,
        options.timeout,
        options.traceback,
        options.rules_from,
    )
