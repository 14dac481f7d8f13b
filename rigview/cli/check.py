"""``rigview check``: what is wrong with the set-up."""

import argparse
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli import check_arguments, choices
from rigview.cli.destinations import LINES, deliver_all, destinations, expect_places
from rigview.cli.jobs import expect_jobs
from rigview.cli.progress import Line
from rigview.cli.source import overrides
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
    from collections.abc import Mapping, Sequence

    from rigview.app.batch import Answers
    from rigview.app.spilled_records import SpilledRecords
    from rigview.app.tasks import Task
    from rigview.check.baseline import Baseline
    from rigview.check.config import Config
    from rigview.check.report import Outcome, Record, RunSettings
    from rigview.cli.destinations import Destination
    from rigview.cli.record_streams import Streams

HELP = "say what is wrong with the set-up"
EXAMPLE = "rigview check rigs/ -j 0 --profile dqs --format junit -o report.xml"
add = check_arguments.add

# Eleven days: timers of systems take numbers of this size.
_LONGEST = 1e6
# MiB: the libraries alone take a quarter of the first, and no machine has the second.
_LEAST_MEMORY, _MOST_MEMORY = 512, 1 << 24
# What is read from stdin is called so.
_STDIN = "stdin"
# Rules that a message names.
_MOST_NAMED = 5


def run(options: argparse.Namespace) -> int:
    """Check every file; a file that cannot be opened never stops the others."""
    expect_jobs(options)
    if not 0.0 < options.timeout < _LONGEST:
        raise UsageError(f"--timeout must be above 0 and below {_LONGEST:g} seconds")
    if options.memory is not None and not _LEAST_MEMORY <= options.memory < _MOST_MEMORY:
        raise UsageError(f"--memory takes {_LEAST_MEMORY} to {_MOST_MEMORY - 1} MiB")
    if options.select is not None:
        options.select = choices.known_rules(options.select)
    options.ignore = choices.known_rules(options.ignore)
    choices.known_profile(options.profile)
    if options.cache_limit < 0:
        raise UsageError("--cache-limit takes a number of MiB, 0 or more")
    return _run(options)


@dataclass(frozen=True)
class _Plan:
    """What is done for all files, in their order.

    Parameters
    ----------
    baselines
        Per file its baseline, or None.
    known
        What these list.
    """

    tasks: "list[Task]"
    baselines: "list[Path | None]"
    known: "dict[Path, Baseline]"
    settings: "RunSettings"

    def listed(self, number: int) -> "Baseline | None":
        """Return the baseline of a file, where there is one to be read."""
        place = self.baselines[number]
        return None if place is None else self.known.get(place)


def _run(options: argparse.Namespace) -> int:
    from rigview.app import batch
    from rigview.app.spilled_records import SpilledRecords
    from rigview.cli.record_streams import streaming

    places = destinations(options)
    plan = _plan(options, places)
    with SpilledRecords(len(plan.tasks)) as records:
        with Line() as line, streaming(options, places, plan.settings) as streams:
            _check(plan, options, line, streams, records)
            if options.seams:
                for number, record in batch.seams_added(plan.tasks, records):
                    records[number] = record
        status = _told(plan, options, places, records)
    _trim(options)
    return status


def _trim(options: argparse.Namespace) -> None:
    """Remove old results where the folder that keeps them is too large, and say how many."""
    folder = _cache(options)
    if folder is None:
        return
    from rigview.app.cache import trim
    from rigview.core.text import count

    removed = trim(folder, options.cache_limit << 20)
    if removed:
        tell(f"{folder}: {count(removed, 'old result')} removed, beyond {options.cache_limit} MiB")


def _told(
    plan: _Plan,
    options: argparse.Namespace,
    places: "Sequence[Destination]",
    records: "SpilledRecords",
) -> int:
    """Write what was found where it is wanted, and return the exit status."""
    from rigview.app import known_findings
    from rigview.check.report import Outcome
    from rigview.io.inputs import protect

    outcome, gone = Outcome(records, plan.settings), {}
    if not options.write_baseline:
        gone = known_findings.take_known_out(records, plan.baselines, plan.known)
    for unchecked in outcome.unchecked:
        (tell if unchecked.allowed else complain)(unchecked.reason)
    # What worker processes have read is known here only by their answers.
    protect(Path(path) for file in outcome.files for path in file.read)
    late = _tell_late(outcome)
    if options.write_baseline:
        return _write_baselines(records, plan.baselines, late=late)
    _tell_gone(gone)
    deliver_all(outcome, [place for place in places if place.form != LINES])
    if outcome.refused or late:
        return _unchecked(outcome)
    return FINDINGS if any(report.failed for report in outcome.reports) else OK


def _plan(options: argparse.Namespace, places: "Sequence[Destination]") -> _Plan:
    """Return what is to be done; what would make the result worthless is said before the work."""
    from rigview.app import known_findings
    from rigview.check.policy import Configs
    from rigview.check.report import RunSettings
    from rigview.io.inputs import protect

    template = choices.template(options)
    paths = _files(options)
    configs = Configs(options.config)
    decided = [configs.of(path) for path in paths]
    baselines = [options.baseline or config.baseline for config in decided]
    if options.write_baseline and None in baselines:
        raise UsageError(
            "--write-baseline needs --baseline FILE, or a baseline in the configuration"
        )
    if options.seams and any(place.form == LINES for place in places):
        raise UsageError(
            "--seams compares all files: lines that are written as results come miss it"
        )
    protect(paths)
    protect(config.file for config in decided if config.file is not None)
    if not options.write_baseline:
        protect(place for place in baselines if place is not None)
    expect_places(options, places)
    if options.write_baseline:
        _expect_baselines(options, baselines)
    known = {} if options.write_baseline else known_findings.known(baselines)
    if template is not None:
        decided = [replace(config, template=template) for config in decided]
    tasks = [_task(p, c, options, places) for p, c in zip(paths, decided, strict=True)]
    settings = RunSettings(
        options.profile,
        options.select or (),
        options.ignore,
        options.fail_on,
        # Rules that are asked for by name are told whole.
        notes=options.notes or bool(options.select),
        verbose=options.verbose,
        rules_url=options.rules_url,
    )
    return _Plan(tasks, baselines, known, settings)


def _expect_baselines(options: argparse.Namespace, baselines: "Sequence[Path | None]") -> None:
    """Refuse places where no baseline can be written."""
    from rigview.cli.output import expect_place, refuse_place

    for place in {place for place in baselines if place is not None}:
        expect_place(place)
        refuse_place(place, options)


def _tell_gone(gone: "Mapping[Path, int]") -> None:
    for place, number in gone.items():
        if number:
            gone_words = "entry is" if number == 1 else "entries are"
            hint = "--write-baseline drops what is gone"
            tell(f"{place}: {number} {gone_words} gone; {hint}")


def _check(
    plan: _Plan,
    options: argparse.Namespace,
    line: Line,
    streams: "Streams",
    records: "SpilledRecords",
) -> None:
    """Check files but those that an interrupted run has checked, here or on the cluster."""
    tasks = plan.tasks
    done = _done(plan, options, streams, records)
    left = [number for number in range(len(tasks)) if number not in done]
    if done:
        tell(f"{options.resume} has {len(done)} of {len(tasks)} files")
    for place, answer in _answers([tasks[number] for number in left], options, line):
        record = _as_named(answer, options)
        records[left[place]] = record
        streams.keep(record)
        streams.tell(record, plan.listed(left[place]))


def _as_named(record: "Record", options: argparse.Namespace) -> "Record":
    """Return what is told of stdin without the name of the file that it is kept in, which ends with us."""
    place = str(options.stdin)
    if record.file != place:
        return record
    from msgspec.structs import replace as changed

    from rigview.check.report import Unchecked

    if isinstance(record, Unchecked):
        return changed(record, file=_STDIN, reason=record.reason.replace(place, _STDIN), read=())
    return changed(record, file=_STDIN, read=())


def _done(
    plan: _Plan, options: argparse.Namespace, streams: "Streams", records: "SpilledRecords"
) -> set[int]:
    """Take over what an interrupted run has checked, and return the numbers of these files."""
    from rigview.app.record_files import still_right

    done: set[int] = set()
    if options.resume is not None:
        with still_right(options.resume, plan.tasks) as kept:
            for number, record in kept:
                records[number] = record
                streams.tell(record, plan.listed(number))
                done.add(number)
    return done


def _answers(tasks: "list[Task]", options: argparse.Namespace, line: Line) -> "Answers":
    from rigview.app import batch

    if options.cluster is None or not tasks:
        yield from batch.check_all(tasks, options.jobs or batch.cores(), line)
        return
    from rigview.app.cluster import check_on, connected

    with connected(options.cluster, options.jobs) as client:
        tell(f"the cluster is shown at {client.dashboard_link}")
        yield from check_on(client, tasks, line)


def _files(options: argparse.Namespace) -> list[Path]:
    """Return the files to check: all, or the part that --shard asks for."""
    from rigview.app import batch

    paths = _without_excluded(batch.rig_files(expanded(options.paths)), options)
    if options.changed_since is not None:
        from rigview.app.git_changes import changed_since

        if options.write_baseline:
            raise UsageError(
                "--write-baseline lists all findings: --changed-since leaves files out"
            )
        every = len(paths)
        paths = changed_since(paths, options.changed_since, options.jobs or batch.cores())
        tell(f"{len(paths)} of {every} files changed since {options.changed_since}")
    if options.shard is None:
        return paths
    if options.write_baseline:
        raise UsageError("--write-baseline lists all findings: --shard knows a part of them")
    part: list[Path] = options.shard.part_of(paths)
    return part


def _without_excluded(paths: list[Path], options: argparse.Namespace) -> list[Path]:
    """Return the files that neither --exclude nor their configuration leaves out, and tell how many are."""
    from rigview.check.config import Config
    from rigview.check.policy import Configs

    configs, here = Configs(options.config), Config(exclude=tuple(options.exclude))
    kept = [path for path in paths if not (here.excludes(path) or configs.of(path).excludes(path))]
    if len(kept) < len(paths):
        tell(f"{len(paths) - len(kept)} of {len(paths)} files are excluded")
    return kept


def _tell_late(outcome: "Outcome") -> bool:
    """Tell which rules had no time, and return whether any had none."""
    from rigview.core.text import some_of

    late = [report for report in outcome.reports if report.late]
    for report in late:
        rules = some_of([one.rule for one in report.late], _MOST_NAMED)
        complain(f"{report.file}: not evaluated within the time (--timeout): {rules}")
    return bool(late)


def _write_baselines(
    records: "SpilledRecords", baselines: "Sequence[Path | None]", *, late: bool
) -> int:
    """List what was found in the baselines, and return the exit status."""
    from rigview.app import known_findings
    from rigview.check.baseline import can_be_listed
    from rigview.check.report import Outcome
    from rigview.check.rule import count

    if late:
        # Known findings of rules that were not evaluated would be taken for gone.
        raise UsageError("no baseline is written, since rules were not evaluated")
    for place, listed in known_findings.written(records, baselines).items():
        say(str(place))
        findings = count(sum(map(len, listed.files.values())), "finding")
        more = f" and {count(len(listed.unreadable), 'unreadable file')}" * bool(listed.unreadable)
        tell(f"{place} lists {findings}{more}")
    outcome = Outcome(records)
    left = [file for file in outcome.refused if not can_be_listed(file)]
    return _unchecked(outcome) if left else OK


def _unchecked(outcome: "Outcome") -> int:
    """Return the exit status where not all was checked."""
    return MISTAKE if any(file.mistake for file in outcome.unchecked) else BAD_INPUT


def _task(
    path: Path, config: "Config", options: argparse.Namespace, places: "Sequence[Destination]"
) -> "Task":
    """Return what is wanted of a file: the command's word goes before its configuration's."""
    from rigview.app.tasks import Task
    from rigview.check.policy import Policy
    from rigview.check.report import FORMATS

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
        any(FORMATS[place.form].pictures for place in places),
        options.timeout,
        options.traceback,
        options.rules_from,
        _cache(options),
        None if options.memory is None else options.memory << 20,
        overrides(options),
    )


def _cache(options: argparse.Namespace) -> Path | None:
    """Return the folder of results that are kept, made where it is not there."""
    if options.cache is None:
        return None
    from rigview.app.cache import usual_folder

    folder: Path = usual_folder() if options.cache is True else options.cache
    if os.path.lexists(folder) and not folder.is_dir():
        raise UsageError(
            f"{folder}: a folder is wanted; --cache without one stands after the paths"
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder
