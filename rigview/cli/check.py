"""``rigview check``: what is wrong with the set-up."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rigview.cli.choices import ids, known_profile, known_rules
from rigview.cli.status import FINDINGS, OK, UsageError, complain

if TYPE_CHECKING:
    from rigview.check.report import FileReport

HELP = "say what is wrong with the set-up"
EXAMPLE = "rigview check hero.glb --profile dqs --format json"


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders")
    command.add_argument("--profile", default="gltf", help="gltf, dqs or thesis (default gltf)")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("-o", dest="out", type=Path, metavar="OUT", help="instead of stdout")
    command.add_argument("--select", type=ids, default=(), metavar="IDS", help="only these rules")
    command.add_argument("--ignore", type=ids, default=(), metavar="IDS", help="not these rules")
    command.add_argument(
        "--fail-on", choices=("error", "warning", "info", "never"), default="error"
    )


def run(options: argparse.Namespace) -> int:
    """Check every file; a file that cannot be opened never stops the others."""
    from rigview.check.report import as_json, as_text
    from rigview.io import LoadError

    known_profile(options.profile)
    known_rules((*options.select, *options.ignore))
    entries: list[FileReport] = []
    status = OK
    for path in _rig_files(options.paths):
        try:
            entry = _checked(path, options)
        except LoadError as error:
            status = complain(str(error))
            continue
        entries.append(entry)
        if status == OK and _fails(entry, options.fail_on):
            status = FINDINGS
    if entries:
        text = as_json(entries) if options.format == "json" else as_text(entries)
        _deliver(text + "\n", options.out)
    return status


def _checked(path: Path, options: argparse.Namespace) -> "FileReport":
    from rigview.check.dryrun import DryRun
    from rigview.check.repair import try_fix
    from rigview.check.report import FileReport
    from rigview.check.rule import Finding, Refused
    from rigview.check.run import run as run_rules
    from rigview.io import load

    rig = load(path).rig

    def measure(finding: Finding) -> DryRun | None:
        try:
            return try_fix(rig, finding)[1]
        except Refused:
            return None

    report = run_rules(rig, options.profile, options.select, options.ignore)
    return FileReport(str(path), report, measure)


def _fails(entry: "FileReport", limit: str) -> bool:
    from rigview.check.rule import SEVERITIES

    counts = entry.report.counts()
    failing = [s for i, s in enumerate(SEVERITIES) if limit in SEVERITIES[i:]]
    return any(counts[severity] for severity in failing)


def _rig_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files named, and all rigs in the folders named, by suffix and in order of name."""
    from rigview.io import suffix_filter

    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        found = sorted(p for p in path.rglob("*") if p.suffix.lower() in suffix_filter())
        if not found:
            raise UsageError(f"{path}: the folder holds no {', '.join(suffix_filter())} file")
        files.extend(found)
    return files


def _deliver(text: str, out: Path | None) -> None:
    from rigview.io import SaveError
    from rigview.io.files import write_atomically

    if out is None:
        sys.stdout.write(text)
        return
    try:
        write_atomically(out, text.encode())
    except OSError as error:
        raise SaveError(f"{out}: {(error.strerror or str(error)).lower()}") from None
