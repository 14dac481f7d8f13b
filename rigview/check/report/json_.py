"""Reports for programs: one document, as ``resources/report-2.schema.json`` describes it."""

from rigview.check.report.records import Outcome, as_dict, dumped, head


def as_json(outcome: Outcome) -> str:
    """Return one document, of one shape whatever the number of files."""
    files = [as_dict(record) for record in outcome.files]
    return dumped({**head(outcome), "files": files, "totals": outcome.totals})
