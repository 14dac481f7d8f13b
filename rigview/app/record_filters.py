"""Parts of records: findings of some rules, of some severity, files that failed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from rigview.check.report import Fact, FileReport, Record
from rigview.check.rule import SEVERITIES


@dataclass(frozen=True)
class Filter:
    """Which part of records is wanted.

    Parameters
    ----------
    select
        Ids of rules; empty for all.
    severity
        The least one; None for all.
    only
        "passed", "failed" or "unchecked", as files came out of the check; None for all.
    """

    select: Sequence[str] = ()
    severity: str | None = None
    only: str | None = None

    def kept(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records that are wanted, with the findings that are."""
        for record in records:
            if self.only in (None, status(record)):
                yield self._part(record) if isinstance(record, FileReport) else record

    def _part(self, record: FileReport) -> FileReport:
        return replace(
            record,
            findings=self._facts(record.findings),
            known=self._facts(record.known),
            asked=tuple(rule for rule in record.asked if self._names(rule)),
            not_evaluated=tuple(one for one in record.not_evaluated if self._names(one.rule)),
        )

    def _facts(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        last = len(SEVERITIES) if self.severity is None else SEVERITIES.index(self.severity) + 1
        return tuple(f for f in facts if self._names(f.rule) and f.severity in SEVERITIES[:last])

    def _names(self, rule: str) -> bool:
        return not self.select or rule in self.select


def status(record: Record) -> str:
    """Return what a file came to: "passed", "failed" or "unchecked"."""
    if not isinstance(record, FileReport):
        return "unchecked"
    return "failed" if record.failed else "passed"
