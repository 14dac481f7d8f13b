"""What a rule is, and the door for those who write one: all that a rule needs can be imported here.

Findings and fixes, profiles, and the subject that a rule is given have modules of their own. The table of
rules is in `catalogue`.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack, get_args

from rigview.check.finding import (
    MOST_IDS,
    Advice,
    Finding,
    Fix,
    FixClass,
    Place,
    Refused,
    Vertices,
    offer,
    vertices_of,
)
from rigview.check.limits import Limit
from rigview.check.profiles import (
    GLTF,
    NOTE,
    PROFILES,
    SEVERITIES,
    Profile,
    ProfileName,
    Severity,
)
from rigview.check.subject import Subject
from rigview.core import text
from rigview.core.brief import brief_repr
from rigview.core.sentence import joined

__all__ = [
    "COUNTED",
    "GLTF",
    "MOST_IDS",
    "NEEDS",
    "NOTE",
    "PROFILES",
    "SEVERITIES",
    "Advice",
    "Finding",
    "Fix",
    "FixClass",
    "Measure",
    "Place",
    "Profile",
    "ProfileName",
    "Progress",
    "Refused",
    "Rule",
    "Severity",
    "Subject",
    "Vertices",
    "as_angle",
    "count",
    "first_beyond",
    "offer",
    "rule",
    "turned_and_moved",
    "verb",
    "vertices_of",
]

# Hears what is under way and the share of it done; may raise to stop.
Progress = Callable[[str, float], None]

# What a rule may need (`run` asks whether it is there), in words.
NEEDS = {
    "skins": "a skin",
    "bones": "a skeleton",
    "influences": "a skinned mesh",
    "clips": "a clip",
    "poses": "a clip, or a joint that can be turned",
    "pairs": "joints named left and right",
    "humanoid": "joints named like a body",
    "template": "a template",
}


# What looks for faults.
Find = Callable[[Subject], Iterator[Finding]]


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule: what it looks for, how grave that is, and what finds it. It can be called as `find` can.

    Parameters
    ----------
    measures
        What is measured, in a sentence.
    fix
        The class of the fix it may offer.
    find
        Yields the findings; they need not say of which rule they are. Its docstring is what people read.
    needs
        Which of `NEEDS` it needs, with spaces between: without one, the rule is listed as not evaluated.
    raised
        Profile → severity other than `severity`.
    note
        Whether its findings ask for no action where their severity is info (`Finding.note`).
    tree
        Whether it would be led astray by a hierarchy with loops.
    beside
        Rules whose faults would show here as others: what they name is left out (`exclusions`).
    limits
        The numbers that decide, which `find` reads through `Subject.limit`.
    motion
        Whether it looks at how clips move the character, not at their keys alone: where a reader left
        out part of that, having found nothing says nothing.
    whole
        Whether part of the character that a reader left out could belie what it finds.
    plot
        The channel's path, the figure (`core.quantities`), or "turn": whose curve over the clip shows it.
    overlays
        What is to be drawn beside the meshes to see it (`render.look.Overlays`).
    """

    __repr__ = brief_repr

    id: str
    title: str
    measures: str
    severity: Severity
    fix: FixClass
    find: Find
    needs: str = ""
    raised: dict[str, Severity] = field(default_factory=dict)
    note: bool = False
    tree: bool = False
    beside: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    motion: bool = False
    whole: bool = False
    plot: str = ""
    overlays: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        strangers = [limit.key for limit in self.limits if limit.rule != self.id]
        if strangers:
            raise ValueError(f"limits: {', '.join(strangers)} in the row of {self.id}")
        stated = (
            ("needs", self.needs.split(), NEEDS),
            ("severity", (self.severity, *self.raised.values()), SEVERITIES),
            ("fix", (self.fix,), get_args(FixClass)),
        )
        for field_, words, known in stated:
            unknown = [word for word in words if word not in known]
            if unknown:
                raise ValueError(f"{field_}: {', '.join(unknown)}; there are {', '.join(known)}")

    def __call__(self, subject: Subject) -> Iterator[Finding]:
        """Yield what the rule finds as it finds it, each with the rule's id and its worst joint named."""
        for finding in self.find(subject):
            named = finding.joint
            if named is None and finding.joints:
                named = subject.rig.nodes.label(finding.joints[0])
            yield replace(finding, rule=self.id, joint=named)

    def severity_for(self, profile: Profile) -> Severity:
        """Return the severity under a profile."""
        return self.raised.get(profile.name, self.severity)


class RuleFacts(TypedDict, total=False):
    """What `rule` can be told of a rule: the fields of `Rule` of these names."""

    needs: str
    raised: dict[str, Severity]
    note: bool
    tree: bool
    beside: tuple[str, ...]
    motion: bool
    whole: bool
    plot: str
    overlays: tuple[str, ...]


def rule(
    first: str | Limit,
    *limits: Limit,
    title: str,
    measures: str,
    severity: Severity,
    fix: FixClass = "none",
    **facts: Unpack[RuleFacts],
) -> Callable[[Find], Rule]:
    """Return what makes a rule of the function below it.

    Parameters
    ----------
    first
        The rule's id; of a rule with limits, its first limit, whose key begins with the id.
    limits
        The other limits.
    title, measures, severity, fix, facts
        The fields of `Rule`.
    """
    own = (first, *limits) if isinstance(first, Limit) else limits
    id_ = first.rule if isinstance(first, Limit) else first

    def made(find: Find) -> Rule:
        return Rule(id_, title, measures, severity, fix, find, limits=own, **facts)

    return made


# How rules put numbers into words.
count, verb = text.count, text.verb


def as_angle(cosine: float) -> float:
    """Return the angle in degrees, 0 to 180, of which a measured cosine is."""
    return math.degrees(math.acos(min(1.0, max(-1.0, cosine))))


# Metres that are not worth a word.
_NEXT_TO_NOTHING = 1e-6


def turned_and_moved(radians: float, metres: float) -> str:
    """Return "10.0° and 0.3 m", without the one of the two that is next to nothing."""
    turned, moved = f"{math.degrees(radians):.1f}°", f"{metres:.3g} m"
    said = [turned] if turned != "0.0°" else []
    if metres >= _NEXT_TO_NOTHING:
        said.append(moved)
    return joined(said or [turned], "{first} and {rest}")


# Units that are things to be counted.
COUNTED = frozenset({"mesh", "joint", "matrix", "vertex", "key", "channel", "triangle"})


# A measured value, what it is held against, and the unit of both.
Measure = tuple[float, float, str]


def first_beyond(*measures: Measure) -> Measure:
    """Return the first of a finding's measures that is beyond its limit, which is the one to tell."""
    return next((m for m in measures if m[0] > m[1]), measures[0])
