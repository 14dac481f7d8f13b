"""Reports for programs: one document, as ``resources/report-2.schema.json`` describes it, or lines."""

from collections.abc import Iterator
from typing import Any

from rigview.check.report.records import HOLE, Outcome, as_dict, dumped, dumped_around, head


def as_json(outcome: Outcome) -> Iterator[str]:
    """Yield one document, of one shape whatever the number of files."""
    frame = {**head(outcome), "files": HOLE, "totals": outcome.totals}
    return dumped_around(frame, map(as_dict, outcome.files))


def as_lines(outcome: Outcome) -> Iterator[str]:
    """Yield the document as lines: what it says beside its files, then a file each."""
    yield as_line(head(outcome))
    yield from (as_line(as_dict(record)) for record in outcome.files)


def as_line(values: dict[str, Any]) -> str:
    """Return JSON values on one line."""
    return dumped(values, indent=None)
