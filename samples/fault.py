"""What makes a broken sample of a function: the rule that it is about, and what tests may ask of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Build = Callable[..., bytes]


@dataclass(frozen=True)
class Fault:
    """A fault that a rule finds.

    Parameters
    ----------
    build
        Returns the sample, a glTF; called with `within`, a rig whose fault is within the limit.
    within
        Empty where the fault has no size: a sound rig is within the limit then.
    raises
        Other rules that find something in the sample, too, since one cannot be without the other.
    """

    rule: str
    build: Build
    within: Mapping[str, Any] = field(default_factory=dict)
    raises: frozenset[str] = frozenset()

    def __call__(self, **changed: object) -> bytes:
        """Return the sample, made with other arguments than usual."""
        return self.build(**changed)


# Rule → its sample. The modules of faults fill it.
FAULTS: dict[str, Fault] = {}


def fault(
    rule: str, within: Mapping[str, Any] | None = None, raises: tuple[str, ...] = ()
) -> Callable[[Build], Build]:
    """Add the function below to `FAULTS`; the arguments are fields of `Fault`."""

    def added(build: Build) -> Build:
        FAULTS[rule] = Fault(rule, build, within or {}, frozenset(raises))
        return build

    return added
