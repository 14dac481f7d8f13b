"""The findings known of files, taken out of what a check found, and listed anew."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from rigview.app.spilled_records import SpilledRecords
from rigview.check import baseline
from rigview.check.baseline import Baseline
from rigview.check.report import FileReport, Outcome, Record, Unchecked
from rigview.check.rule import SEVERITIES
from rigview.io.files import save_bytes


def known(places: Sequence[Path | None]) -> dict[Path, Baseline]:
    """Return the baselines of some files, each read once.

    Raises
    ------
    BaselineError
        If there is none at a place, or no usable one.
    """
    return {place: baseline.read(place) for place in places if place is not None}


def take_known_out(
    records: SpilledRecords, places: Sequence[Path | None], baselines: Mapping[Path, Baseline]
) -> dict[Path, int]:
    """Set records anew without the findings that baselines list.

    Parameters
    ----------
    places
        Per file its baseline, or None.

    Returns
    -------
    Per baseline how many of its findings are gone, those too of files that are.
    """
    gone = {
        place: sum(len(listed.files[name]) for name in listed.lost)
        for place, listed in baselines.items()
    }
    for number, (file, place) in enumerate(zip(records, places, strict=True)):
        if place is not None and isinstance(file, FileReport):
            records[number] = new = baselines[place].split(file)
            gone[place] += baselines[place].gone(new)
    return gone


def split(record: Record, baseline: Baseline | None) -> Record:
    """Return a record whose listed findings are known, as it would be told."""
    if baseline is None or isinstance(record, Unchecked):
        return record
    return baseline.split(record)


def rejoined(record: FileReport) -> FileReport:
    """Return a record whose known findings are among the others, as they were found."""
    if not record.known:
        return record
    order = {rule: number for number, rule in enumerate(record.asked)}
    facts = sorted(
        (*record.findings, *record.known),
        key=lambda f: (SEVERITIES.index(f.severity), f.note, order.get(f.rule, len(order))),
    )
    return replace(record, findings=tuple(facts), known=())


def written(outcome: Outcome, places: Sequence[Path | None]) -> dict[Path, int]:
    """List what was found in the baselines, new or there already; return how many each lists now."""
    reports: dict[Path, list[FileReport]] = {}
    for file, place in zip(outcome.files, places, strict=True):
        if place is not None and isinstance(file, FileReport):
            reports.setdefault(place, []).append(file)
    listed = {}
    for place, found in reports.items():
        old = baseline.read(place) if place.exists() else Baseline(place.parent, {})
        new = old.updated(found)
        save_bytes(place, new.text().encode(errors="backslashreplace"))
        listed[place] = sum(map(len, new.files.values()))
    return listed
