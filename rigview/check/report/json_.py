"""Reports for programs: one document, as ``resources/report-2.schema.json`` describes it, or lines."""

from typing import Any

from rigview.check.report.records import Outcome, as_dict, dumped, head


def as_json(outcome: Outcome) -> str:
    """Return one document, of one shape whatever the number of files."""
    files = [as_dict(record) for record in outcome.files]
    return dumped({**head(outcome), "files": files, "totals": outcome.totals})


def as_lines(outcome: Outcome) -> str:
    """Return the document as lines: what it says beside its files, then a file each."""
    return "".join(map(as_line, (head(outcome), *map(as_dict, outcome.files))))


def as_line(values: dict[str, Any]) -> str:
    """Return JSON values on one line."""
    return dumped(values, indent=None)
