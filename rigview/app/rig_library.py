"""Keep what checks of a library find in an SQLite file, run by run, and answer questions about it."""

import contextlib
import datetime as dt
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import pathname2url

from rigview import __version__
from rigview.app.batch import check_in_children
from rigview.app.tasks import Task
from rigview.app.watching import Watcher
from rigview.check.report import FileReport, Record, Unchecked
from rigview.core.errors import RigviewError
from rigview.core.text import unknown_name

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, time TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
  run INTEGER NOT NULL REFERENCES runs, file TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
  joints INTEGER, vertices INTEGER, influences INTEGER, clips INTEGER, PRIMARY KEY (run, file));
CREATE TABLE IF NOT EXISTS findings (
  run INTEGER NOT NULL REFERENCES runs, file TEXT NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL,
  object TEXT NOT NULL, value REAL, sentence TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS findings_of_run ON findings (run, file);
CREATE VIEW IF NOT EXISTS latest AS
  SELECT * FROM files WHERE run = (SELECT max(run) FROM files AS f WHERE f.file = files.file);
"""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class LibraryError(RigviewError):
    """A database that cannot be used, or a question that it cannot answer."""


@dataclass(frozen=True)
class NamedQuestion:
    """A question with a name.

    Parameters
    ----------
    argument
        What may follow the name, with its default; empty where nothing may.
    sql
        The query; ``?1`` is the argument.
    """

    text: str
    sql: str
    argument: str = ""
    default: str = ""


_CHANGED = """
WITH old AS (
    SELECT file, max(run) AS run FROM files JOIN runs ON runs.id = run WHERE time < ?1 GROUP BY file),
  before AS (SELECT DISTINCT old.file, rule, object FROM findings JOIN old USING (run, file)),
  after AS (SELECT DISTINCT l.file, rule, object FROM findings JOIN latest AS l USING (run, file))
SELECT 'new' AS change, * FROM (SELECT * FROM after EXCEPT SELECT * FROM before)
UNION ALL SELECT 'gone', * FROM (SELECT * FROM before EXCEPT SELECT * FROM after)
ORDER BY file, rule, object
"""
QUESTIONS = {
    "influences": NamedQuestion(
        "rigs with more than N influences on a vertex",
        "SELECT file, influences FROM latest WHERE influences > CAST(?1 AS INTEGER) "
        "ORDER BY influences DESC, file",
        "N",
        "4",
    ),
    "changed": NamedQuestion(
        "findings that are new or gone since DATE: 2026-03-30, a time, or a day as in monday",
        _CHANGED,
        "DATE",
        "monday",
    ),
    "failing": NamedQuestion(
        "rigs that failed or could not be checked",
        "SELECT file, status, reason FROM latest WHERE status != 'passed' ORDER BY status, file",
    ),
    "rules": NamedQuestion(
        "how many rigs each rule finds something in",
        "SELECT rule, severity, count(DISTINCT latest.file) AS rigs FROM findings "
        "JOIN latest USING (run, file) GROUP BY rule, severity ORDER BY rigs DESC, rule",
    ),
    "trend": NamedQuestion(
        "every run with its time and how many of its rigs passed, failed or were not checked",
        "SELECT runs.id AS run, time, sum(status = 'passed') AS passed, sum(status = 'failed') AS failed, "
        "sum(status = 'unchecked') AS unchecked FROM runs JOIN files ON run = runs.id GROUP BY runs.id",
    ),
}


def add_run(database: Path, tasks: Sequence[Task], jobs: int, watcher: Watcher) -> dict[str, int]:
    """Check files and add what is found as one run, all of it or nothing; return files by status."""
    counts = {"passed": 0, "failed": 0, "unchecked": 0}
    with _opened(database) as store, store:
        store.executescript(_SCHEMA)
        store.execute("BEGIN")
        now = dt.datetime.now(dt.UTC).isoformat()
        number = store.execute(
            "INSERT INTO runs (time, version) VALUES (?, ?)", (now, __version__)
        ).lastrowid
        left = dict(enumerate(tasks))
        with contextlib.closing(check_in_children(dict(left), jobs)) as checked:
            for i, record in checked:
                del left[i]
                counts[_add(store, number or 0, record)] += 1
                watcher.tell(f"{len(tasks) - len(left)}/{len(tasks)}", at_once=True)
        for task in left.values():
            died = Unchecked(str(task.path), f"{task.path}: the process that checked it died")
            counts[_add(store, number or 0, died)] += 1
    return counts


def _add(store: sqlite3.Connection, run: int, record: Record) -> str:
    """Add a file to a run, and return its status."""
    reason, status, rig = None, "passed", None
    if isinstance(record, Unchecked):
        reason, status = record.reason, "unchecked"
    else:
        status, rig = "failed" if record.failed else "passed", record.rig
    counts = [getattr(rig, name, None) for name in ("joints", "vertices", "influences", "clips")]
    store.execute(
        "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (run, record.file, status, reason, *counts),
    )
    if isinstance(record, FileReport):
        store.executemany(
            "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (run, record.file, f.rule, f.severity, f.object, f.value, f.sentence)
                for f in record.told
            ],
        )
    return status


def ask(
    database: Path, question: str, argument: str = ""
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and rows that answer a question by name, or a query in SQL that only reads.

    Raises
    ------
    LibraryError
        If there is no such question, or SQLite refuses the query.
    """
    sql = question
    arguments: tuple[str, ...] = ()
    if " " not in question.strip():
        if question not in QUESTIONS:
            raise LibraryError(unknown_name("question", question, QUESTIONS))
        asked = QUESTIONS[question]
        sql, given = asked.sql, argument or asked.default
        if asked.argument:
            arguments = (_moment(given) if asked.argument == "DATE" else given,)
    with _opened(database, write=False) as store:
        rows = store.execute(sql, arguments)
        return [column[0] for column in rows.description or ()], rows.fetchall()


def _moment(text: str) -> str:
    """Return a date, a time or the last day of a name as the time of its beginning."""
    if text.lower() in _DAYS:
        today = dt.datetime.now(dt.UTC).date()
        back = (today.weekday() - _DAYS.index(text.lower())) % 7
        return (today - dt.timedelta(days=back)).isoformat()
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        raise LibraryError(f"{text} is no date: wanted one like 2026-03-30, or monday") from None
    return text


@contextlib.contextmanager
def _opened(database: Path, *, write: bool = True) -> Iterator[sqlite3.Connection]:
    mode = "rwc" if write else "ro"
    try:
        store = sqlite3.connect(
            f"file:{pathname2url(str(database.absolute()))}?mode={mode}",
            uri=True,
            isolation_level=None,
        )
        with contextlib.closing(store):
            yield store
    except sqlite3.Error as error:
        raise LibraryError(f"{database}: {error}") from None


def as_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return lines of an aligned table."""
    cells = [list(columns), *([("" if v is None else str(v)) for v in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
