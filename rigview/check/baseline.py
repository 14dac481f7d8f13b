"""The findings that a studio knows of: a file that lists them, so that only new ones fail.

Files that cannot be read are listed with the reason, and are known while it is the same.

A finding is known while the same rule names the same object and clip, at most as severe as
listed; its measured value and the vertices concerned may change. Files are named relative to the
baseline, so that it holds wherever the repository is checked out.
"""

import contextlib
import json
import ntpath
import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from msgspec.structs import replace as with_fields

from rigview.check.report.records import FileReport, Record, Unchecked
from rigview.check.rule import SEVERITIES, Severity
from rigview.check.untrusted_files import read_text
from rigview.core.errors import RigviewError
from rigview.core.text import system_reason

_VERSION = 1
# About 70,000 findings. Values of JSON take up to 24 times the memory of their text.
_MOST_BYTES = 16 << 20
_ENTRY = ("rule", "severity", "object", "clip", "fingerprint")


class BaselineError(RigviewError):
    """A baseline that cannot be read: which file and why, in one sentence."""


@dataclass(frozen=True)
class Known:
    """One listed finding; all but fingerprint and severity are for people who read the file."""

    rule: str
    severity: Severity
    object: str
    clip: str | None
    fingerprint: str


@dataclass(frozen=True)
class Baseline:
    """The listed findings of each file, by its name relative to the baseline's folder.

    Parameters
    ----------
    unreadable
        The files that could not be checked, and why.
    """

    folder: Path
    files: Mapping[str, tuple[Known, ...]]
    unreadable: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, file: str) -> str:
        """Return how the baseline names a file: by which way one comes to its folder does not matter.

        A file that is a link itself keeps its own name: what stores large files apart links to them.
        """
        path = Path(file)
        place = Path(os.path.realpath(path.parent)) / path.name
        return relative_name(place, Path(os.path.realpath(self.folder)))

    def told(self, record: Record) -> Record:
        """Return a record as it is told beside the baseline: what it lists does not fail."""
        if isinstance(record, FileReport):
            return self.split(record)
        return with_fields(record, allowed=True) if self.excuses(record) else record

    def excuses(self, unchecked: Unchecked) -> bool:
        """Return whether a file is listed as one that cannot be read, for the same reason."""
        listed = self.unreadable.get(self.name_of(unchecked.file))
        return can_be_listed(unchecked) and listed == _reason(unchecked)

    def split(self, report: FileReport) -> FileReport:
        """Return a report with the listed findings taken out of `findings` into `known`."""
        facts = report.findings
        listed = self.knows(report.file, [(fact.fingerprints, fact.severity) for fact in facts])
        new = tuple(fact for fact, is_known in zip(facts, listed, strict=True) if not is_known)
        known = tuple(fact for fact, is_known in zip(facts, listed, strict=True) if is_known)
        return with_fields(report, findings=new, known=known)

    def knows(self, file: str, found: Sequence[tuple[Sequence[str], Severity]]) -> list[bool]:
        """Return which findings of a file, by the fingerprints of their objects and severity, are listed.

        Each entry answers for one object of one finding: a second one like it is new, and so is a
        finding that concerns one more object.
        """
        listed = list(self.files.get(self.name_of(file), ()))
        result = []
        for marks, severity in found:
            left, is_known = list(listed), True
            for mark in marks:
                match = next((known for known in left if _covers(known, mark, severity)), None)
                is_known = is_known and match is not None
                if match is not None:
                    left.remove(match)
            listed = left if is_known else listed
            result.append(is_known)
        return result

    def gone(self, record: Record) -> int:
        """Return how much of what is listed of a file, as it is told (`told`), is so no longer.

        What a finding about more objects than are listed still has is not gone.
        """
        name = self.name_of(record.file)
        if isinstance(record, Unchecked):
            return int(name in self.unreadable and not self.excuses(record))
        return self._findings_gone(record) + (name in self.unreadable)

    def _findings_gone(self, report: FileReport) -> int:
        listed = Counter(
            known.fingerprint for known in self.files.get(self.name_of(report.file), ())
        )
        several = (fact for fact in report.findings if fact.places)
        found = (mark for fact in (*report.known, *several) for mark in fact.fingerprints)
        return (listed - Counter(found)).total()

    @property
    def lost(self) -> frozenset[str]:
        """The files listed that are there no more; a link that leads nowhere is still there."""
        names = {*self.files, *self.unreadable}
        return frozenset(name for name in names if not os.path.lexists(self.folder / name))

    @property
    def entries_lost(self) -> int:
        """How many findings and unreadable files are listed of files that are there no more."""
        return sum(len(self.files.get(name, ())) + (name in self.unreadable) for name in self.lost)

    def updated(self, records: Iterable[Record]) -> "Baseline":
        """Return the baseline with all that was found listed; other files that exist stay.

        What no list can excuse (`can_be_listed`) is not listed.
        """
        lost = self.lost
        files = {name: known for name, known in self.files.items() if name not in lost}
        unreadable = {name: why for name, why in self.unreadable.items() if name not in lost}
        for report in records:
            name = self.name_of(report.file)
            unreadable.pop(name, None)
            if isinstance(report, Unchecked):
                files.pop(name, None)
                if can_be_listed(report):
                    unreadable[name] = _reason(report)
                continue
            facts = (*report.findings, *report.known)
            files[name] = tuple(
                Known(fact.rule, fact.severity, of, fact.clip, mark)
                for fact in facts
                for of, mark in zip(fact.objects, fact.fingerprints, strict=True)
            )
        found = {name: known for name, known in files.items() if known}
        return replace(self, files=found, unreadable=unreadable)

    def text(self) -> str:
        """Return the content of the file, in an order that makes small differences."""
        files = {
            name: sorted(
                ({key: getattr(known, key) for key in _ENTRY} for known in self.files[name]),
                key=lambda entry: [str(entry[key]) for key in _ENTRY],
            )
            for name in sorted(self.files)
        }
        unreadable = {name: self.unreadable[name] for name in sorted(self.unreadable)}
        more = {"unreadable": unreadable} if unreadable else {}
        return json.dumps({"version": _VERSION, "files": files} | more, indent=1) + "\n"


def relative_name(place: PurePath, folder: PurePath) -> str:
    """Return how a place is named from a folder, with slashes; in full where no way leads there.

    On Windows none leads from one drive to another.
    """
    paths = ntpath if isinstance(place, PureWindowsPath) else posixpath
    with contextlib.suppress(ValueError):
        place = type(place)(paths.relpath(place, folder))
    return place.as_posix()


def can_be_listed(unchecked: Unchecked) -> bool:
    """Return whether a baseline may list an unreadable file: one that is there, and is at fault itself."""
    file = unchecked.file
    return not unchecked.mistake and os.path.lexists(file) and not os.path.isdir(file)  # noqa: PTH112


def _reason(unchecked: Unchecked) -> str:
    """Return why a file could not be checked, without its path: that depends on who asks from where."""
    name = Path(unchecked.file).name
    return unchecked.reason.removeprefix(f"{unchecked.file}: ").replace(unchecked.file, name)


def _covers(known: Known, mark: str, severity: Severity) -> bool:
    worse = SEVERITIES.index(severity) < SEVERITIES.index(known.severity)
    return known.fingerprint == mark and not worse


def read(path: Path) -> Baseline:
    """Return a baseline out of its file.

    Raises
    ------
    BaselineError
        If it cannot be read, or is none.
    """
    try:
        document = json.loads(read_text(path, _MOST_BYTES))
    except FileNotFoundError:
        reason = "there is no such baseline; rigview check --write-baseline makes one"
        raise BaselineError(f"{path}: {reason}") from None
    except OSError as error:
        raise BaselineError(f"{path}: {system_reason(error)}") from None
    except (ValueError, RecursionError):
        raise BaselineError(f"{path}: this is no baseline of rigview: it is no JSON") from None
    try:
        if document["version"] != _VERSION:
            raise BaselineError(f"{path}: a baseline of version {_VERSION} is wanted")
        files = {
            name: tuple(_known(entry) for entry in entries)
            for name, entries in document["files"].items()
        }
        unreadable = {name: str(why) for name, why in document.get("unreadable", {}).items()}
    except (KeyError, TypeError, AttributeError):
        raise BaselineError(f"{path}: this is no baseline of rigview") from None
    return Baseline(path.parent, files, unreadable)


def _known(entry: dict[str, Any]) -> Known:
    known = Known(**{key: entry[key] for key in _ENTRY})
    if known.severity not in SEVERITIES:
        raise KeyError(known.severity)
    return known
