"""Workflow commands of GitHub Actions: a finding becomes an annotation of the file, without any upload.

The form is that of "Workflow commands for GitHub Actions" in GitHub's documentation: ``::error
file=…,title=…::message``. GitHub shows ten annotations of each level a step; the log has all of them.
"""

from collections.abc import Iterator

from rigview.check.report.records import Outcome
from rigview.check.rule import Severity
from rigview.core.text import one_line

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def as_github(outcome: Outcome) -> Iterator[str]:
    """Yield a command a line: files that could not be checked, then the findings of each file."""
    return (f"{line}\n" for line in _lines(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    for unchecked in outcome.unchecked:
        level = "notice" if unchecked.allowed else "error"
        yield _command(level, unchecked.file, "not checked", unchecked.reason)
    for report in outcome.reports:
        for fact in outcome.told(report):
            yield _command(_COMMANDS[fact.severity], report.file, fact.rule, fact.sentence)
        for one in report.late:
            yield _command("error", report.file, one.rule, one.reason)


def _command(level: str, file: str, title: str, message: str) -> str:
    place = f"file={_property(file)},line=1,title={_property(title)}"
    return f"::{level} {place}::{_data(message)}"


def _data(text: str) -> str:
    """Return a text as the message of a command; a line break would end it and begin another."""
    return one_line(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
