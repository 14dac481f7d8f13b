"""Reports of findings: plain values, and one function per form that turns them into text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rigview.check.report.facts import state
from rigview.check.report.github import as_github
from rigview.check.report.gitlab import as_gitlab
from rigview.check.report.html import as_html
from rigview.check.report.json_ import as_json, as_lines
from rigview.check.report.junit import as_junit
from rigview.check.report.markdown import as_markdown
from rigview.check.report.records import (
    FAIL_ON,
    Fact,
    FileReport,
    Outcome,
    Record,
    RunSettings,
    Unchecked,
    as_dict,
    of_dict,
)
from rigview.check.report.sarif import as_sarif
from rigview.check.report.text import as_text, painted

__all__ = [
    "FAIL_ON",
    "FORMATS",
    "Fact",
    "FileReport",
    "Outcome",
    "Record",
    "ReportFormat",
    "RunSettings",
    "Unchecked",
    "as_dict",
    "of_dict",
    "painted",
    "state",
]


@dataclass(frozen=True)
class ReportFormat:
    """One form of report.

    Parameters
    ----------
    parts
        Turns what was found into text, a part after the other: files are asked for one by one.
    pictures
        Whether it shows a picture per finding and curves, so that they have to be drawn.
    """

    parts: Callable[[Outcome], Iterator[str]]
    pictures: bool = False

    def write(self, outcome: Outcome) -> str:
        """Return the whole text."""
        return "".join(self.parts(outcome))


# A new format is a module beside and a row here.
FORMATS: dict[str, ReportFormat] = {
    "text": ReportFormat(as_text),
    "json": ReportFormat(as_json),
    "jsonl": ReportFormat(as_lines),
    "sarif": ReportFormat(as_sarif),
    "junit": ReportFormat(as_junit),
    "markdown": ReportFormat(as_markdown),
    "html": ReportFormat(as_html, pictures=True),
    "github": ReportFormat(as_github),
    "gitlab": ReportFormat(as_gitlab),
}
