"""Pictures for reports in JSON, which have none: drawn anew where a rig is still what was checked."""

import dataclasses
from pathlib import Path

from msgspec.structs import replace

from rigview.app.batch import check_file
from rigview.app.record_keys import content_key
from rigview.app.tasks import Task
from rigview.app.watching import Watcher
from rigview.check.policy import Configs, Policy
from rigview.check.report import Fact, FileReport, Record
from rigview.core.text import count


def redrawn(record: Record, watcher: Watcher) -> Record:
    """Return a record with pictures of its findings and curves, or with the reason why it has none.

    The file is checked again as its folder's settings want it now; findings that come out otherwise get no
    picture.
    """
    if not isinstance(record, FileReport) or not record.told or _has_pictures(record):
        return record
    path = Path(record.file)
    if not record.content:
        return _without(record, "the report does not say what content was checked")
    if not path.is_file():
        return _without(record, f"{path} is not there")
    if content_key(path, record.read) != record.content:
        return _without(
            record, f"{path} is not what was checked, or was read by --unit, --up or --fps"
        )
    policy = Policy.of(path, Configs().of(path), record.profile)
    rules = tuple(dict.fromkeys(fact.rule for fact in record.findings))
    watcher.begin(path.name)
    answer = check_file(
        Task(path, dataclasses.replace(policy, select=rules), pictures=True), watcher
    )
    if not isinstance(answer, FileReport):
        return _without(record, answer.reason)
    return _with_pictures(record, answer)


def _has_pictures(record: FileReport) -> bool:
    return any(fact.picture is not None or fact.outlooks for fact in record.findings)


def _without(record: FileReport, reason: str) -> FileReport:
    return replace(record, left_out=(f"Without pictures and curves: {reason}.",))


def _with_pictures(record: FileReport, drawn: FileReport) -> FileReport:
    by_fact = {_mark(fact): fact for fact in drawn.findings}
    facts = []
    for fact in record.findings:
        same = by_fact.get(_mark(fact), fact)
        facts.append(replace(fact, picture=same.picture, outlooks=same.outlooks))
    others = sum(_mark(fact) not in by_fact for fact in record.told)
    left_out = drawn.left_out
    if others:
        left_out += (
            f"Without pictures: {count(others, 'finding')} that the settings of now bring out otherwise.",
        )
    return replace(
        record, findings=tuple(facts), plots=drawn.plots, review=drawn.review, left_out=left_out
    )


def _mark(fact: Fact) -> tuple[str, ...]:
    return (fact.message, *fact.fingerprints)
