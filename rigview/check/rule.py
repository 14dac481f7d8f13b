"""What a rule, a finding, a fix and a profile are. The table of rules is in `catalogue`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rigview.core.arrays import IntArray
from rigview.core.deform import Deformer
from rigview.core.rig import Part, Rig

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
FixClass = Literal["exact", "bounded", "shape", "none"]
ProfileName = Literal["gltf", "dqs", "thesis"]

# A report names at most this many vertices of a finding; their count is always whole.
MOST_IDS = 100


@dataclass(frozen=True)
class Profile:
    """A target that a rig is checked for; rules raise or lower their severity by its name.

    Parameters
    ----------
    severities
        Rule → severity that a configuration states; it wins over the rule and the finding.
    """

    name: ProfileName
    title: str
    severities: Mapping[str, Severity] = field(default_factory=dict)


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("gltf", "any viewer or engine that follows glTF 2.0"),
        Profile("dqs", "dual quaternion skinning"),
        Profile("thesis", "the compensation plugin of Rudenko 2020"),
    )
}


@dataclass(frozen=True)
class Fix:
    """What can be done about a finding.

    Parameters
    ----------
    kind
        "exact" moves nothing in any clip; "bounded" and "shape" change the shape; "none" is no fix.
    label
        What it does, as an undo step reads: "Re-orient 4 joints".
    repair
        Rig → Rig. It finds its objects anew, so fixes can follow each other in any order.
    reason
        With "none": why no automatic fix is right.
    """

    kind: FixClass
    label: str = ""
    repair: Callable[[Rig], Rig] | None = None
    reason: str = ""


class Refused(Exception):  # noqa: N818 - a fix that declines is no error
    """A change that would not be exact; the message says why."""


def offer(rig: Rig, kind: FixClass, label: str, repair: Callable[[Rig], Rig]) -> Fix:
    """Return the fix if it can be applied to this rig, else why not."""
    try:
        repair(rig)
    except Refused as refusal:
        return Fix("none", reason=str(refusal))
    return Fix(kind, label, repair)


@dataclass(frozen=True)
class Vertices:
    """Vertices of one part: how many, and the numbers of the first ones."""

    part: Part
    count: int
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Finding:
    """One result of one rule about one object: measured value against limit.

    Parameters
    ----------
    key
        Tells findings of one rule apart: the object's number.
    severity
        None takes the rule's severity under the profile.
    joints
        The nodes concerned, the worst first.
    """

    rule: str
    key: int
    message: str
    object: str
    value: float | None = None
    limit: float | None = None
    unit: str = ""
    joint: str | None = None
    joints: tuple[int, ...] = ()
    clip: str | None = None
    time: float | None = None
    vertices: Vertices | None = None
    severity: Severity | None = None
    explanation: str = ""
    fix: Fix = field(default_factory=lambda: Fix("none"))


@dataclass(frozen=True)
class Subject:
    """What a rule is given: the rig, its deformer, and the profile it is checked for."""

    deformer: Deformer
    profile: Profile

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig


@dataclass(frozen=True)
class Rule:
    """One row of the table.

    Parameters
    ----------
    measures
        What is measured, in a sentence.
    fix
        The class of the fix it may offer.
    find
        Yields the findings.
    needs
        "skins", "influences" or "clips": without any, the rule is listed as not evaluated.
    raised
        Profile → severity other than `severity`.
    """

    id: str
    title: str
    measures: str
    severity: Severity
    fix: FixClass
    find: Callable[[Subject], Iterator[Finding]]
    needs: str = ""
    raised: dict[str, Severity] = field(default_factory=dict)

    def severity_for(self, profile: Profile) -> Severity:
        """Return the severity under a profile."""
        return self.raised.get(profile.name, self.severity)


def vertices_of(part: Part, numbers: IntArray) -> Vertices:
    """Return vertices of one part as a finding holds them."""
    return Vertices(part, len(numbers), tuple(int(n) for n in numbers[:MOST_IDS]))


def part_key(rig: Rig, part: Part) -> int:
    """Return a part's number by node and primitive: it stays when nodes are hung elsewhere."""
    return sorted(rig.parts, key=lambda p: (p.node, p.primitive)).index(part)


def skin_label(rig: Rig, skin: int) -> str:
    """Return a skin's name, or ``skin 2`` where it has none."""
    return rig.skins[skin].name or f"skin {skin}"


def part_label(rig: Rig, part: Part) -> str:
    """Return a primitive's name: its mesh, and its number where the mesh has several."""
    mesh = rig.meshes[part.mesh]
    name = mesh.name or rig.nodes.names[part.node] or f"mesh {part.mesh}"
    return name if len(mesh.primitives) == 1 else f"{name} / primitive {part.primitive}"


# Units that are things to be counted, with their plurals.
COUNTED = {"mesh": "meshes", "joint": "joints", "matrix": "matrices"}


def verb(number: int, singular: str, plural: str) -> str:
    """Return the form of a verb that goes with a number."""
    return singular if number == 1 else plural


def count(number: int, noun: str, plural: str = "") -> str:
    """Return "1 joint", "4 joints"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}".replace(",", " ")
