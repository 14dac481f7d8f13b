"""The findings known of files, taken out of what a check found, and listed anew."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from rigview.app.spilled_records import SpilledRecords
from rigview.check import baseline
from rigview.check.baseline import Baseline
from rigview.check.report import FileReport, Record
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
    Per baseline how many of its entries are gone, those too of files that are.
    """
    gone = {place: listed.entries_lost for place, listed in baselines.items()}
    for number, (file, place) in enumerate(zip(records, places, strict=True)):
        if place is not None:
            new = baselines[place].told(file)
            if new is not file:
                records[number] = new
            gone[place] += baselines[place].gone(new)
    return gone


def split(record: Record, baseline: Baseline | None) -> Record:
    """Return a record whose listed findings are known, as it would be told."""
    return record if baseline is None else baseline.told(record)


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


def written(records: SpilledRecords, places: Sequence[Path | None]) -> dict[Path, Baseline]:
    """List what was found in the baselines, new or there already; return each as it is now.

    Records are read one by one: memory holds what the baselines list, not what reports tell.
    """
    numbers: dict[Path, list[int]] = {}
    for number, place in enumerate(places):
        if place is not None:
            numbers.setdefault(place, []).append(number)
    listed: dict[Path, Baseline] = {}
    for place, own in numbers.items():
        old = baseline.read(place) if place.exists() else Baseline(place.parent, {})
        listed[place] = new = old.updated(records[number] for number in own)
        save_bytes(place, new.text().encode(errors="backslashreplace"))
    return listed
