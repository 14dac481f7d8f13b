"""Records in files: reports that are read again, and lines that are written as results come."""

import json
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from rigview.app.known_findings import rejoined
from rigview.app.record_keys import record_key
from rigview.check.report import FileReport, Outcome, Record, RunSettings, as_dict, of_dict
from rigview.check.report.json_ import as_line
from rigview.check.report.records import VERSION, head
from rigview.core.errors import RigviewError
from rigview.core.text import system_reason
from rigview.io.inputs import refuse_inputs

if TYPE_CHECKING:
    from rigview.app.tasks import Task


class RecordsError(RigviewError):
    """A file that is no report of rigview: which, where in it, and why, in one sentence."""


def read_outcome(path: Path) -> Outcome:
    """Return what a report says, JSON or JSON lines; an unfinished last line is left out.

    Raises
    ------
    RecordsError
        If it cannot be read, or is none.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise RecordsError(f"{path}: {system_reason(error)}") from None
    except ValueError:
        raise RecordsError(f"{path}: this is no report of rigview: it is no UTF-8") from None
    parts = [*_parts(path, text)]
    place, first = parts[0] if parts else ("", None)
    if (
        not isinstance(first, dict)
        or first.get("version") != VERSION
        or not isinstance(first.get("files", []), list)
    ):
        raise RecordsError(
            f"{path}: this is no report of rigview in JSON, version {VERSION} (--format json, jsonl)"
        )
    listed = first.get("files", [])
    files = [(f"{place}files[{i}]", file) for i, file in enumerate(listed)]
    try:
        settings = msgspec.convert(first.get("settings", {}), RunSettings)
        records = []
        for found, values in (*files, *parts[1:]):
            place = found
            records.append(of_dict(values))
    except ValueError as error:
        raise RecordsError(f"{path}: {place.rstrip(': ')}: {error}") from None
    return Outcome(tuple(records), settings)


def _parts(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the documents of a file, each with its place: one, or one a line."""
    try:
        yield "", json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        return
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            return  # the run was interrupted while it wrote
        try:
            yield f"line {number}: ", json.loads(line)
        except (ValueError, RecursionError):
            raise RecordsError(f"{path}: line {number}: this is no JSON") from None


def still_right(path: Path, tasks: "Sequence[Task]") -> dict[int, FileReport]:
    """Return what a file of records has of tasks, by their numbers: of rigs and settings that are the same.

    Raises
    ------
    RecordsError
        If it is there and is none.
    """
    if not path.exists() or not path.stat().st_size:
        return {}
    kept = {record.file: record for record in read_outcome(path).reports}
    found = {}
    for number, task in enumerate(tasks):
        record = kept.get(str(task.path))
        if record is not None and record.key == record_key(task, record.read):
            found[number] = rejoined(record)
    return found


def merged(outcomes: Sequence[Outcome]) -> Outcome:
    """Return several outcomes as one: of a file in several, the record of the last."""
    records = {record.file: record for outcome in outcomes for record in outcome.files}
    settings = outcomes[0].settings if len({o.settings for o in outcomes}) == 1 else RunSettings()
    if any(outcome.settings.notes for outcome in outcomes):
        settings = msgspec.structs.replace(settings, notes=True)
    return Outcome(tuple(records.values()), settings)


class Lines:
    """Writes records as JSON lines, each as it comes.

    Parameters
    ----------
    file
        Where they go; the caller closes it.
    settings
        Stated in the first line; None where there is one already.
    whole
        With pictures and curves.
    """

    def __init__(self, file: IO[str], settings: RunSettings | None, *, whole: bool = False) -> None:
        self._file, self._whole = file, whole
        if settings is not None:
            self._write(as_line(head(Outcome((), settings))))

    def add(self, record: Record) -> None:
        """Write a record, so that it is there if the run ends now."""
        self._write(as_line(as_dict(record, whole=self._whole)))

    def _write(self, line: str) -> None:
        self._file.write(line)
        self._file.flush()


def expect_records(path: Path) -> None:
    """See whether lines can be written to a place: a new file, a pipe, or such lines.

    A stream replaces its file before all inputs are known, so that none may be another's.

    Raises
    ------
    RecordsError
        If something else is there.
    """
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode) or not facts.st_size:
            return
        with path.open("rb") as file:
            first = file.readline(1 << 16)
        known = json.loads(first)
    except FileNotFoundError:
        return
    except OSError as error:
        raise RecordsError(f"{path}: {system_reason(error)}") from None
    except ValueError:
        known = None
    if not isinstance(known, dict) or "files" in known or known.get("version") != VERSION:
        raise RecordsError(
            f"{path}: there is a file that is no JSON lines of rigview: choose another name"
        )


def opened(path: Path, settings: RunSettings, *, append: bool = False) -> "tuple[IO[str], Lines]":
    """Open a file for records; one that is gone on with is cut after its last whole line.

    Raises
    ------
    OSError
        If it cannot be written, or is read here.
    """
    refuse_inputs(path)
    is_new = not append or not path.exists() or not path.stat().st_size
    if not is_new:
        _drop_unfinished(path)
    file = path.open("a" if append else "w", encoding="utf-8", newline="\n")
    return file, Lines(file, settings if is_new else None, whole=append)


def _drop_unfinished(path: Path) -> None:
    with path.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
