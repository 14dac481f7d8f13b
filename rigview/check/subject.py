"""What a rule is given: the rig, what is known of it, and the profile it is checked for."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from rigview.check.deadline import TimeUp
from rigview.check.finding import Finding
from rigview.check.limits import Limit
from rigview.check.measures.facts import Facts, measured
from rigview.check.measures.soundness import SUM, ZERO, faulty
from rigview.check.profiles import GLTF, Profile, Severity, named_profile
from rigview.core.anatomy import Anatomy
from rigview.core.arrays import BoolArray
from rigview.core.brief import brief_repr
from rigview.core.deform import Deformer
from rigview.core.memo import Remembers
from rigview.core.rig import Part, Rig

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Subject(Remembers):
    """What a rule is given: the rig, what is known of it, and the profile it is checked for.

    What several ask for is computed once. Kept for later runs and fixes is what is computed of the facts
    (`Facts.once`, `Facts.of_rig`, `Facts.of_skin`); kept as long as this run is what is computed of the
    subject (`kept`), what rules find (`found`), and what is as large as a mesh (`brief`).
    """

    __repr__ = brief_repr

    facts: Facts
    profile: Profile

    @classmethod
    def of(cls, rig: Rig, profile: str | Profile = "gltf") -> "Subject":
        """Return a rig as rules, and the fixes that ask what rules do, see it under a profile."""
        return cls(measured(rig), named_profile(profile) if isinstance(profile, str) else profile)

    @cached_property
    def brief(self) -> Facts:
        """Facts as large as a mesh: they are kept as long as this run, where `facts` outlive it."""
        return Facts(self.deformer)

    @property
    def deformer(self) -> Deformer:
        """What skins the rig."""
        return self.facts.deformer

    @property
    def rig(self) -> Rig:
        """The rig."""
        return self.deformer.rig

    @property
    def anatomy(self) -> Anatomy:
        """What the names of the joints say: sides, pairs, and the parts of a body."""
        return self.facts.anatomy

    def limit(self, limit: Limit) -> float:
        """Return the value of a limit: what the studio or else the target says, else its default."""
        return self.profile.limit(limit)

    def of_rig(self, compute: Callable[..., _Result], *given: Hashable) -> _Result:
        """Return ``compute(rig, *given)``, computed once, and kept with the facts."""
        return self.facts.of_rig(compute, *given)

    def faulty(self, part: Part) -> dict[str, BoolArray]:
        """Return rule → ``(V,)`` the vertices of a part whose own influences it names."""
        return self.brief.of_rig(faulty, part, self.limit(SUM), self.limit(ZERO))

    def kept(self, compute: "Callable[[Subject], _Result]") -> _Result:
        """Return ``compute(subject)``, computed for the first that asks, and kept as long as this run.

        Raises
        ------
        TimeUp
            If the time of a rule was up while this was computed, then or before: it is not begun again.
        """
        result = self.once(_unless_time_is_up, compute)
        if isinstance(result, TimeUp):
            raise TimeUp
        return result

    def found(self, rule: "Callable[[Subject], Iterator[Finding]]") -> tuple[Finding, ...]:
        """Return what a rule finds, whether it was asked or not."""
        return self.once(_findings, rule)

    @property
    def unless_gltf(self) -> Severity | None:
        """The severity of what only the way in which glTF states things makes a fault.

        In files of other formats it is information: what will be said of a glTF made of them. The
        profile of the thesis is about a plugin of Maya, and keeps its own.
        """
        at_home = self.rig.origin.format in GLTF or self.profile.name == "thesis"
        return None if at_home else "info"

    @property
    def is_note_elsewhere(self) -> bool:
        """Whether what is information by `unless_gltf` asks for no action: the file is no glTF."""
        return self.unless_gltf is not None


def _unless_time_is_up(subject: Subject, compute: Callable[[Subject], _Result]) -> _Result | TimeUp:
    try:
        return compute(subject)
    except TimeUp as up:
        return up


def _findings(
    subject: Subject, rule: Callable[[Subject], Iterator[Finding]]
) -> tuple[Finding, ...]:
    return tuple(rule(subject))
