"""One plain record per checked file, from which every form of report is written.

Their JSON is what ``resources/report-2.schema.json`` describes. They cross processes and are
kept in caches; what was written is read again as it was, but for pictures and curves.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from typing import Any, Literal

import msgspec

from rigview import __version__
from rigview.check.report.curves import Plot
from rigview.check.rule import SEVERITIES, Finding, FixClass, Severity
from rigview.core import escape
from rigview.core.measures.joint_measures import Level
from rigview.core.sentence import in_english

FAIL_ON = (*SEVERITIES, "never")
# The version of the schema.
VERSION = 2
# Stands in a document for a list whose values are written one by one; nothing else in it says this alone.
HOLE = "rigview: the values come here"
# Sixteen hexadecimal digits tell findings of one file apart beyond any doubt.
_FINGERPRINT_DIGITS = 16


class ReportedVertices(msgspec.Struct, frozen=True):
    """How many vertices, and the numbers of the first ones."""

    count: int = 0
    ids: tuple[int, ...] = ()


class Joints(msgspec.Struct, frozen=True):
    """How many nodes, and the names of the first ones, the worst first."""

    count: int
    names: tuple[str, ...]


class FactPlace(msgspec.Struct, frozen=True):
    """One of several objects that a finding is about; the fields are those of a `Fact`."""

    object: str
    value: int | float | None
    vertices: ReportedVertices = ReportedVertices()


class FixOffer(msgspec.Struct, frozen=True, omit_defaults=True, rename={"kind": "class"}):
    """What can be done about a finding.

    Parameters
    ----------
    label
        What it does, as an undo step reads; with class "none", why there is none.
    max_displacement_m
        What it moves at most, metres; None where it was not tried or cannot be made.
    """

    kind: FixClass
    label: str = ""
    max_displacement_m: float | None = None


class Outlook(msgspec.Struct, frozen=True):
    """A joint in the pose of a finding, as it is now or as it is advised to be.

    Parameters
    ----------
    title, value
        "As advised: use DQS", and "−24 %".
    level
        How bad the value is.
    picture
        A PNG.
    """

    title: str
    value: str
    level: Level
    picture: bytes


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding as reports state it.

    Parameters
    ----------
    joint
        The worst one.
    joints
        All nodes concerned, where they are several.
    picture
        A PNG that shows it, for forms that have pictures.
    places
        All objects of a finding about several, in the order of the rig; empty for one.
    note
        Whether it is information that asks for no action.
    range_of_motion
        Whether the pose is of a range of motion, which the file does not have.
    outlooks
        The pose now and as is advised, in place of a picture.
    """

    rule: str
    title: str
    severity: Severity
    note: bool = False
    message: str
    object: str
    joint: str | None
    clip: str | None
    time: int | float | None
    range_of_motion: bool = False
    joints: Joints | None = None
    vertices: ReportedVertices
    places: tuple[FactPlace, ...] = ()
    value: int | float | None
    limit: int | float | None
    unit: str
    fix: FixOffer
    explanation: str = ""
    picture: bytes | None = None
    outlooks: tuple[Outlook, ...] = ()

    @property
    def fingerprint(self) -> str:
        """What stays the same while the fault does: of several objects the first one's."""
        return self.fingerprints[0]

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """What stays the same while the fault does, of every object concerned."""
        return fingerprints(self)

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of all objects concerned, in the order of the rig."""
        return tuple(place.object for place in self.places) or (self.object,)

    @property
    def sentence(self) -> str:
        """The message, beginning with the object."""
        named = self.message.startswith(self.object)
        return self.message if named else f"{self.object}: {self.message}"


def fingerprints(found: Fact | Finding) -> tuple[str, ...]:
    """Return what stays the same while a fault does, of every object: rule, object and clip, no value."""
    texts = ("\0".join((found.rule, name, found.clip or "")) for name in found.objects)
    # A name may hold half of a surrogate pair, which JSON can state and UTF-8 cannot.
    marks = (sha256(text.encode(errors="surrogatepass")).hexdigest() for text in texts)
    return tuple(mark[:_FINGERPRINT_DIGITS] for mark in marks)


class NotEvaluated(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that had nothing to look at, or no time, and why."""

    rule: str
    reason: str
    out_of_time: bool = False


class RigFacts(msgspec.Struct, frozen=True):
    """What is in a file.

    Parameters
    ----------
    vertices
        Of all meshes.
    influences
        The most that any vertex has.
    """

    format: str
    joints: int
    vertices: int
    influences: int
    clips: int


class NoteFact(msgspec.Struct, frozen=True):
    """What a reviewer wrote on a file.

    Parameters
    ----------
    place
        Clip, frame, method and joint, in words.
    picture
        A PNG; None where there is none.
    """

    number: int
    author: str
    place: str
    words: str
    picture: bytes | None = None


class FileReport(
    msgspec.Struct, frozen=True, omit_defaults=True, tag="checked", tag_field="status"
):
    """What was found in one file.

    Parameters
    ----------
    asked
        The rules that were to be evaluated.
    rig
        What is in the file.
    seconds
        How long reading and checking it took.
    key
        What changes with the content of all that was read, the version and what the file was held to.
    content
        What changes with the content of all that was read alone.
    known
        Findings that a baseline lists; they are not among `findings`.
    accepted
        How many findings are no worse than what the studio accepts; they are not among `findings`.
    settings
        The configuration that the file was held to; empty without any.
    fail_on
        The least severity that fails, or "never".
    notes
        What the file's reader ignored or assumed; a sentence each.
    read
        The paths of the files that were read: the file itself and those beside it that it names.
    left_out
        What of the pictures and plots that were wanted is missing, and why; a sentence each.
    plots
        What the methods cost the shape over the clips, for forms that draw.
    review
        What reviewers wrote on the file, for forms that draw.
    """

    file: str
    profile: str
    asked: tuple[str, ...]
    findings: tuple[Fact, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    rig: RigFacts | None = None
    seconds: float = 0.0
    key: str = ""
    content: str = ""
    known: tuple[Fact, ...] = ()
    accepted: int = 0
    settings: str = ""
    fail_on: str = "error"
    notes: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    review: tuple[NoteFact, ...] = ()

    @property
    def folded(self) -> tuple[Fact, ...]:
        """The notes: findings that ask for no action, and that reports fold."""
        return tuple(fact for fact in self.findings if fact.note)

    @property
    def told(self) -> tuple[Fact, ...]:
        """The findings but the notes."""
        return tuple(fact for fact in self.findings if not fact.note)

    @property
    def late(self) -> tuple[NotEvaluated, ...]:
        """The rules whose time was up."""
        return tuple(one for one in self.not_evaluated if one.out_of_time)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, notes among those for information."""
        found = [fact.severity for fact in self.findings]
        return {severity: found.count(severity) for severity in SEVERITIES}

    @property
    def summary(self) -> dict[str, int]:
        """The counts, and how many are notes, known or accepted where any are."""
        more = {"notes": len(self.folded), "known": len(self.known), "accepted": self.accepted}
        counts = {str(severity): number for severity, number in self.counts.items()}
        return counts | {name: number for name, number in more.items() if number}

    def fails(self, fact: Fact) -> bool:
        """Tell whether a finding is as severe as what fails, or more; notes never fail."""
        limit = FAIL_ON.index(self.fail_on)
        return (
            self.fail_on != "never" and not fact.note and SEVERITIES.index(fact.severity) <= limit
        )

    @property
    def failed(self) -> bool:
        """Whether any finding fails."""
        return any(self.fails(fact) for fact in self.findings)


class Unchecked(
    msgspec.Struct, frozen=True, omit_defaults=True, tag="unchecked", tag_field="status"
):
    """A file that could not be checked, and why, in one sentence that names it.

    Parameters
    ----------
    read
        The paths of the files that were read.
    mistake
        Whether a mistake in rigview is the reason, and not the file.
    allowed
        Whether the studio lets it be unreadable, or its baseline lists it with this reason.
    """

    file: str
    reason: str
    read: tuple[str, ...] = ()
    mistake: bool = False
    allowed: bool = False


Record = FileReport | Unchecked


class RunSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the command line decided for all files.

    Parameters
    ----------
    notes
        Whether notes are told one by one.
    verbose
        Whether text says why rules were not evaluated.
    rules_url
        Where the page of rules (`resources/rules.md`, or of the manual) is, for links to it.
    """

    profile: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Literal["error", "warning", "info", "never"] | None = None
    notes: bool = False
    verbose: bool = False
    rules_url: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """All files of one call, in its order.

    Parameters
    ----------
    files
        A tuple, or what reads them one by one from where they are kept.
    """

    files: Collection[Record]
    settings: RunSettings = RunSettings()

    def told(self, report: FileReport) -> tuple[Fact, ...]:
        """Return the findings of a file that are told one by one."""
        return report.findings if self.settings.notes else report.told

    @property
    def reports(self) -> Iterator[FileReport]:
        """The files that were checked, one by one."""
        return (file for file in self.files if isinstance(file, FileReport))

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """The files that could not be."""
        return tuple(file for file in self.files if isinstance(file, Unchecked))

    @property
    def refused(self) -> tuple[Unchecked, ...]:
        """The files that could not be checked and should have been."""
        return tuple(file for file in self.unchecked if not file.allowed)

    @property
    def totals(self) -> dict[str, int]:
        """How many files there are, failed, and could not be checked, and how many findings."""
        found: Counter[str] = Counter(dict.fromkeys(SEVERITIES, 0))
        files = {"files": len(self.files), "failed": 0, "unchecked": 0}
        for file in self.files:
            if isinstance(file, FileReport):
                found.update(file.summary)
                files["failed"] += file.failed
            else:
                files["unchecked"] += 1
        return {**files, **found}


def as_dict(record: Record, *, whole: bool = False) -> dict[str, Any]:
    """Return a record as JSON values.

    Parameters
    ----------
    whole
        With pictures and curves, which reports in JSON leave out.
    """
    if isinstance(record, Unchecked):
        told: dict[str, Any] = _listed(msgspec.to_builtins(record, enc_hook=in_english))
        return told
    if not whole:
        findings, known = (tuple(map(_bare, facts)) for facts in (record.findings, record.known))
        record = msgspec.structs.replace(
            record, findings=findings, known=known, plots=(), review=(), left_out=()
        )
    values: dict[str, Any] = _listed(msgspec.to_builtins(record, enc_hook=in_english))
    # What has its default is left out; this is told of each file, always in the same place.
    values.pop("fail_on", None)
    last = {"fail_on": record.fail_on, "summary": record.summary, "failed": record.failed}
    return {**values, **last}


def _listed(values: Any) -> Any:  # noqa: ANN401 - JSON values
    """Return JSON values in which tuples are lists, as they are read again."""
    if isinstance(values, dict):
        return {key: _listed(value) for key, value in values.items()}
    return [*map(_listed, values)] if isinstance(values, tuple) else values


def _bare(fact: Fact) -> Fact:
    if fact.picture is None and not fact.outlooks:
        return fact
    return msgspec.structs.replace(fact, picture=None, outlooks=())


def of_dict(values: object) -> Record:
    """Return the record that JSON values state.

    Raises
    ------
    ValueError
        If they state none; the message says where.
    """
    return msgspec.convert(values, Record)


def dumped(document: object, *, indent: int | None = 1) -> str:
    """Return strict JSON with a line break at its end."""
    return escape.json(json.dumps(document, indent=indent, allow_nan=False)) + "\n"


def dumped_around(frame: object, inner: Iterable[object]) -> Iterator[str]:
    """Yield, in parts, the text of `dumped` for a document whose one `HOLE` is the list of some values.

    The values are made and written one by one.
    """
    before, after = dumped(frame).split(json.dumps(HOLE))
    depth = len(before.rpartition("\n")[2]) - len(before.rpartition("\n")[2].lstrip())
    yield f"{before}["
    between = ""
    for value in inner:
        lines = dumped(value).splitlines()
        yield between + "".join(f"\n{' ' * (depth + 1)}{line}" for line in lines)
        between = ","
    yield f"\n{' ' * depth}]{after}" if between else f"]{after}"


def head(outcome: Outcome) -> dict[str, Any]:
    """Return what a report states beside its files: versions and settings."""
    return {
        "version": VERSION,
        "tool": {"name": "rigview", "version": __version__},
        "settings": _listed(msgspec.to_builtins(outcome.settings)),
    }
