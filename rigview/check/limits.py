"""The numbers that decide what a rule finds and how grave it is; targets and studios set others."""

from dataclasses import dataclass
from math import acos, degrees, inf, isfinite
from typing import Literal

Sense = Literal["most", "least"]


@dataclass(frozen=True)
class Limit:
    """One number of one rule, declared in the rule's row of the table.

    Parameters
    ----------
    key
        What a configuration calls it: the rule's id, ``WGT-COUNT``; where a rule has several, with a
        name behind it, ``SCL-UNIT.lowest``.
    default
        Its value where neither target nor studio says otherwise.
    unit
        What it counts: ``°``, ``m``, ``joint``; ``share`` is a part of one, ``×`` a ratio.
    meaning
        What is held against it.
    sense
        Whether what is found lies above it ("most") or below it ("least").
    whole
        Whether it counts things.
    lowest, highest
        What it cannot be set below, and above.
    tells
        With which severity what lies beyond it is told, where another limit decides whether it is told.
    was_cosine
        Whether it is an angle in degrees that older configurations state as a cosine.
    was
        What is wanted in place of the numbers out of range that older configurations state.

    Raises
    ------
    ValueError
        If the default is one that no configuration could set.
    """

    key: str
    default: float
    unit: str
    meaning: str
    sense: Sense = "most"
    whole: bool = False
    lowest: float = 0.0
    highest: float = inf
    tells: Literal["error", "warning"] | None = None
    was_cosine: bool = False
    was: str = ""

    def __post_init__(self) -> None:
        fault = self.fault(self.default)
        if fault:
            raise ValueError(f"limit {self.key}: {fault}, got {self.default!r}")

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.key.partition(".")[0]

    def key_of(self, name: str) -> str:
        """Return the key of another limit of the same rule."""
        return f"{self.rule}.{name}"

    def fault(self, value: object) -> str:
        """Return why a value cannot be this limit; empty if it can."""
        most = f" and {self.highest:g} or less" if self.highest < inf else ""
        wanted = f"a {'whole ' * self.whole}number of {self.lowest:g} or more{most} is wanted"
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return wanted
        if not isfinite(value) or not self.lowest <= value <= self.highest:
            return f"{wanted}: {self.was}" if self.was else wanted
        return self.outdated(value)

    def outdated(self, value: float) -> str:
        """Return why a value is one that older configurations state; empty if it is none."""
        if not self.was_cosine or not 0.0 < value <= 1.0:
            return ""
        angle = degrees(acos(value))
        return f"degrees are wanted, no longer a cosine: {angle:.3g} in place of {value:g}"
