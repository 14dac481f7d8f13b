"""What a report states, as plain values: the same for every format, and fit to cross processes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from rigview.check.applying.dryrun import DryRun
from rigview.check.report.curves import Plot
from rigview.check.rule import MOST_IDS, SEVERITIES, Finding, FixClass, Place, Severity
from rigview.check.run import Report
from rigview.core.measures.joint_measures import Level
from rigview.core.rig import Rig

FAIL_ON = (*SEVERITIES, "never")
# Sixteen hexadecimal digits tell findings of one file apart beyond any doubt.
_FINGERPRINT_DIGITS = 16


@dataclass(frozen=True)
class FactPlace:
    """One of several objects that a finding is about; the fields are those of a `Fact`."""

    object: str
    value: float | None
    vertices: int
    vertex_ids: tuple[int, ...]


@dataclass(frozen=True)
class Outlook:
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


@dataclass(frozen=True)
class Fact:
    """One finding as reports state it.

    Parameters
    ----------
    joint
        The worst one.
    vertices, vertex_ids
        How many, and the numbers of the first ones.
    remedy
        What the fix does, as an undo step reads; with class "none", why there is none.
    max_displacement
        What the fix moves at most, metres; None where it was not tried or cannot be made.
    joints, joint_names
        How many nodes are concerned, and the names of the first ones, the worst first.
    picture
        A PNG that shows it, for formats that have pictures.
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
    message: str
    object: str
    joint: str | None
    clip: str | None
    time: float | None
    vertices: int
    vertex_ids: tuple[int, ...]
    value: float | None
    limit: float | None
    unit: str
    explanation: str
    fix: FixClass
    remedy: str
    max_displacement: float | None
    joints: int = 0
    joint_names: tuple[str, ...] = ()
    picture: bytes | None = None
    places: tuple[FactPlace, ...] = ()
    note: bool = False
    range_of_motion: bool = False
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


@dataclass(frozen=True)
class FileReport:
    """What was found in one file.

    Parameters
    ----------
    asked
        The rules that were to be evaluated.
    not_evaluated
        (rule, reason).
    known
        Findings that a baseline lists; they are not among `findings`.
    accepted
        How many findings are no worse than what the studio accepts; they are not among `findings`.
    settings
        The configuration that the file was held to; empty without any.
    fail_on
        The least severity that fails, or "never".
    left_out
        What of the pictures and plots that were wanted is missing, and why; a sentence each.
    plots
        What the methods cost the shape over the clips, for formats that draw.
    notes
        What the file's reader ignored or assumed; a sentence each.
    out_of_time
        The rules in `not_evaluated` whose time was up.
    read
        The paths of the files that were read: the file itself and those beside it that it names.
    """

    file: str
    profile: str
    asked: tuple[str, ...]
    findings: tuple[Fact, ...]
    not_evaluated: tuple[tuple[str, str], ...]
    known: tuple[Fact, ...] = ()
    accepted: int = 0
    settings: str = ""
    fail_on: str = "error"
    left_out: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()
    out_of_time: tuple[str, ...] = ()
    read: tuple[str, ...] = ()

    @property
    def folded(self) -> tuple[Fact, ...]:
        """The notes: findings that ask for no action, and that reports fold."""
        return tuple(fact for fact in self.findings if fact.note)

    @property
    def told(self) -> tuple[Fact, ...]:
        """The findings but the notes."""
        return tuple(fact for fact in self.findings if not fact.note)

    @property
    def counts(self) -> dict[Severity, int]:
        """How many findings there are of each severity, notes among those for information."""
        found = [fact.severity for fact in self.findings]
        return {severity: found.count(severity) for severity in SEVERITIES}

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


@dataclass(frozen=True)
class Unchecked:
    """A file that could not be checked, and why, in one sentence that names it.

    Parameters
    ----------
    read
        The paths of the files that were read.
    mistake
        Whether a mistake in rigview is the reason, and not the file.
    """

    file: str
    reason: str
    read: tuple[str, ...] = ()
    mistake: bool = False


@dataclass(frozen=True)
class Outcome:
    """All files of one call, in its order.

    Parameters
    ----------
    notes
        Whether notes are told one by one.
    """

    files: tuple[FileReport | Unchecked, ...]
    notes: bool = False

    def told(self, report: FileReport) -> tuple[Fact, ...]:
        """Return the findings of a file that are told one by one."""
        return report.findings if self.notes else report.told

    @property
    def reports(self) -> tuple[FileReport, ...]:
        """The files that were checked."""
        return tuple(file for file in self.files if isinstance(file, FileReport))

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """The files that could not be."""
        return tuple(file for file in self.files if isinstance(file, Unchecked))


def state(
    file: str, report: Report, rig: Rig, measure: Callable[[Finding], DryRun | None] | None = None
) -> FileReport:
    """Return what a run found as plain values, the worst first.

    Parameters
    ----------
    measure
        Returns what a finding's fix would move, or None where it cannot be made; None measures
        nothing.
    """
    facts = tuple(
        _fact(report, rig, finding, measure(finding) if measure is not None else None)
        for finding in report.ranked()
    )
    return FileReport(file, report.profile.name, report.asked, facts, report.not_evaluated)


def _fact(report: Report, rig: Rig, finding: Finding, measured: DryRun | None) -> Fact:
    vertices = finding.vertices
    return Fact(
        rule=finding.rule,
        title=report.rule(finding).title,
        severity=report.severity(finding),
        message=finding.message,
        object=finding.object,
        joint=finding.joint,
        clip=finding.clip,
        time=_stated(finding.time),
        vertices=vertices.count if vertices else 0,
        vertex_ids=vertices.ids[:MOST_IDS] if vertices else (),
        value=_stated(finding.value),
        limit=_stated(finding.limit),
        unit=finding.unit,
        explanation=finding.explanation,
        fix=finding.fix.kind,
        remedy=finding.fix.label or finding.fix.reason,
        max_displacement=None if measured is None else measured.largest,
        joints=len(finding.joints),
        joint_names=tuple(map(rig.nodes.label, finding.joints[:MOST_IDS])),
        places=tuple(map(_place, finding.places)),
        note=report.is_note(finding),
        range_of_motion=finding.motion is not None,
    )


def _place(place: Place) -> FactPlace:
    vertices = place.vertices
    return FactPlace(
        place.object,
        _stated(place.value),
        vertices.count if vertices else 0,
        vertices.ids[:MOST_IDS] if vertices else (),
    )


def _stated(number: float | None) -> float | None:
    """Return a number as every format can state it: what is not finite is told in the message."""
    if number is None or not math.isfinite(number):
        return None
    return number.item() if isinstance(number, np.generic) else number
