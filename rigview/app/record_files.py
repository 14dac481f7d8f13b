"""Records in files: reports that are read again, and lines that are written as results come."""

import contextlib
import json
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from rigview.app.known_findings import rejoined
from rigview.app.record_keys import record_key
from rigview.app.spilled_records import SpilledRecords
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


def read_records(path: Path, keep: Callable[[Record], object]) -> RunSettings:
    """Read a report, JSON or JSON lines, and return its settings; an unfinished last line is left out.

    Parameters
    ----------
    keep
        Gets one record after the other.

    Raises
    ------
    RecordsError
        If it cannot be read, or is none; some records may have been given by then.
    """
    place = ""
    try:
        with path.open("rb") as file:
            parts = _parts(path, file)
            _, first = next(parts, ("", None))
            if not isinstance(first, dict) or first.get("version") != VERSION:
                raise RecordsError(
                    f"{path}: this is no report of rigview in JSON, version {VERSION} "
                    "(--format json, jsonl)"
                )
            settings = msgspec.convert(first.get("settings", {}), RunSettings)
            for found, values in parts:
                place = found
                keep(of_dict(values))
    except UnicodeDecodeError:
        raise RecordsError(f"{path}: this is no report of rigview: it is no UTF-8") from None
    except OSError as error:
        raise RecordsError(f"{path}: {system_reason(error)}") from None
    except ValueError as error:
        raise RecordsError(f"{path}: {f'{place}: ' * bool(place)}{error}") from None
    return settings


def _parts(path: Path, file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """Yield what a report says beside its files, then each file with its place; nothing of what is none."""
    line = file.readline()
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and "files" not in first:
        yield "", first
        yield from _lines(path, file)
        return
    yield from _listed(line + file.read())


def _listed(data: bytes) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a document; each file of it is text until it is asked for, where it can be."""
    try:
        document = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        files: Any = msgspec.json.decode(document.pop("files", b"null"), type=list[msgspec.Raw])
        head = {key: json.loads(bytes(value)) for key, value in document.items()}
    except (msgspec.DecodeError, ValueError, RecursionError):
        # Python reads more than msgspec, such as halves of surrogate pairs.
        try:
            head = json.loads(data.decode())
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError):
            return
        files = head.pop("files", None) if isinstance(head, dict) else None
        if not isinstance(files, list):
            return
    yield "", head
    for number, value in enumerate(files):
        is_text = isinstance(value, msgspec.Raw)
        yield f"files[{number}]", json.loads(bytes(value)) if is_text else value


def _lines(path: Path, file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(file, 2):
        if not line.endswith(b"\n"):
            return  # the run was interrupted while it wrote
        try:
            values = json.loads(line.decode())
        except UnicodeDecodeError:
            raise
        except (ValueError, RecursionError):
            raise RecordsError(f"{path}: line {number}: this is no JSON") from None
        yield f"line {number}", values


@contextlib.contextmanager
def still_right(
    path: Path, tasks: "Sequence[Task]"
) -> "Iterator[Iterator[tuple[int, FileReport]]]":
    """Give what a file of records has of tasks, by their numbers: of rigs and settings that are the same.

    Raises
    ------
    RecordsError
        If it is there and is none.
    """
    with SpilledRecords() as kept:
        if path.exists() and path.stat().st_size:
            read_records(path, kept.add)
        places = {record.file: number for number, record in enumerate(kept)}
        yield _still_right(kept, places, tasks)


def _still_right(
    kept: SpilledRecords, places: Mapping[str, int], tasks: "Sequence[Task]"
) -> Iterator[tuple[int, FileReport]]:
    for number, task in enumerate(tasks):
        place = places.get(str(task.path))
        record = None if place is None else kept[place]
        if isinstance(record, FileReport) and record.key == record_key(task, record.read):
            yield number, rejoined(record)


def read_merged(paths: Sequence[Path], records: SpilledRecords) -> RunSettings:
    """Read several reports as one: of a file in several, the record of the last.

    Raises
    ------
    RecordsError
        If one cannot be read, or is none.
    """
    places: dict[str, int] = {}

    def keep(record: Record) -> None:
        if record.file in places:
            records[places[record.file]] = record
        else:
            places[record.file] = len(records)
            records.add(record)

    stated = [read_records(path, keep) for path in paths]
    settings = stated[0] if len(set(stated)) == 1 else RunSettings()
    if any(one.notes for one in stated):
        settings = msgspec.structs.replace(settings, notes=True)
    return settings


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
