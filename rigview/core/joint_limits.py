"""How far joints turn: a table of a body's joints, and finding a joint's row by its name.

Names are read word by word: ``mixamorig:LeftForeArm``, ``J_Bip_L_LowerArm``, ``forearm.L``,
``DEF-forearm.L.001`` and ``lowerarm_l`` all say the same.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rigview.core.rig import Rig

Direction = Literal["forward", "back", "up", "down", "out"]

# Words end at what is neither letter nor digit, between letters and digits, and before a capital that
# follows a small letter or begins a word of its own ("IKHand").
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIDES = {"l": 1, "left": 1, "r": -1, "right": -1}


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, without its namespace."""
    return tuple(word.lower() for word in _WORD.findall(name.rsplit(":", 1)[-1]))


def side(name: str) -> int:
    """Return +1 for a name that says left, −1 for right, 0 for one that says neither or both."""
    sides = {_SIDES[word] for word in words(name) if word in _SIDES}
    return sides.pop() if len(sides) == 1 else 0


def without_side(name: str) -> tuple[str, ...]:
    """Return the words of a name but for its side: the same for both joints of a pair."""
    return tuple(word for word in words(name) if word not in _SIDES)


@dataclass(frozen=True)
class Limits:
    """How far joints of one kind turn from rest, in degrees.

    Parameters
    ----------
    flex, swing
        Towards which direction of the body the bone bends, and (least, most).
    twist
        (least, most) about the bone, positive outwards.
    names, joined
        Words of which one names the kind, and names that do so with all their words together.
    together
        What all joints of kinds with this name do at once; empty where each moves for itself.
    """

    id: str
    flex: tuple[Direction, float, float]
    swing: tuple[Direction, float, float]
    twist: tuple[float, float]
    names: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    together: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Limits":
        """Read one row of the resource `joint_limits.json`."""
        return cls(
            row["id"],
            _bend(row["flex"]),
            _bend(row["swing"]),
            (float(row["twist"][0]), float(row["twist"][1])),
            frozenset(row["words"]),
            frozenset(row.get("joined", ())) | frozenset(row["words"]),
            row.get("together", ""),
        )


def _bend(stated: tuple[str, float, float]) -> tuple[Direction, float, float]:
    direction = next(d for d in get_args(Direction) if d == stated[0])
    return direction, float(stated[1]), float(stated[2])


@dataclass(frozen=True)
class LimitTable:
    """All rows, in the order in which they are tried.

    Parameters
    ----------
    other
        For joints that no row names.
    noise, still
        Words that say nothing of a joint, and words of joints that are not moved.
    chains
        A word that names a whole limb → the rows of its joints from the body outwards.
    """

    rows: dict[str, Limits]
    other: Limits
    noise: frozenset[str]
    still: frozenset[str]
    chains: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "LimitTable":
        """Read the resource `joint_limits.json`."""
        return cls(
            {row["id"]: Limits.of(row) for row in table["rows"]},
            Limits.of(table["other"]),
            frozenset(table["noise"]),
            frozenset(table["still"]),
            {word: tuple(rows) for word, rows in table["chains"].items()},
        )

    def of_rig(self, rig: Rig) -> dict[int, Limits]:
        """Return joint → its limits, parents first; joints that are not to be moved are left out."""
        found: dict[int, Limits] = {}
        for joint in sorted(rig.joints, key=lambda j: (int(rig.nodes.depths[j]), j)):
            given = without_side(rig.body_name(joint))
            if self.still & set(given):
                continue
            above = [found[n].id for n in rig.nodes.ancestors(joint) if n in found]
            found[joint] = self.row(given, above)
        return found

    def row(self, given: tuple[str, ...], above: list[str]) -> Limits:
        """Return the limits of a joint with these words, below joints of the rows `above`."""
        telling = [word for word in given if word not in self.noise and not word.isdecimal()]
        joined = "".join(telling)
        for row in self.rows.values():
            if joined in row.joined or row.names & set(telling):
                return row
        for word, limb in self.chains.items():
            if word in telling:
                place = sum(1 for row_id in above if row_id in limb)
                return self.rows[limb[min(place, len(limb) - 1)]]
        return self.other
