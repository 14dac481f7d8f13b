"""How far joints turn: a table of a body's joints, and finding a joint's row by its name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rigview.core.names import body_parts
from rigview.core.rig import Rig

Direction = Literal["forward", "back", "up", "down", "out"]


@dataclass(frozen=True)
class JointLimits:
    """How far joints of one kind turn from rest, in degrees.

    Parameters
    ----------
    flex, swing
        Towards which direction of the body the bone bends, and (least, most).
    twist
        (least, most) about the bone, positive outwards.
    together
        What all joints of kinds with this name do at once; empty where each moves for itself.
    """

    id: str
    flex: tuple[Direction, float, float]
    swing: tuple[Direction, float, float]
    twist: tuple[float, float]
    together: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "JointLimits":
        """Read one row of the resource `joint_limits.json`."""
        return cls(
            row["id"],
            _bend(row["flex"]),
            _bend(row["swing"]),
            (float(row["twist"][0]), float(row["twist"][1])),
            row.get("together", ""),
        )


def _bend(stated: tuple[str, float, float]) -> tuple[Direction, float, float]:
    direction = next(d for d in get_args(Direction) if d == stated[0])
    return direction, float(stated[1]), float(stated[2])


@dataclass(frozen=True)
class LimitTable:
    """The limits of the parts of a body.

    Parameters
    ----------
    rows
        Part → limits; a part without any is not moved.
    other
        For joints whose names tell no part.
    animal
        Kind of joint → limits, of limbs that an animal stands on (`four_legs.standing_legs`).
    hinge_reach
        Smallest and largest angle in degrees inside an animal's hinge.
    """

    rows: dict[str, JointLimits]
    other: JointLimits
    animal: dict[str, JointLimits]
    hinge_reach: tuple[float, float]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "LimitTable":
        """Read the resource `joint_limits.json`."""
        rows, animal = (
            {row["id"]: JointLimits.of(row) for row in table[name]} for name in ("rows", "animal")
        )
        smallest, largest = table["hinge_reach"]
        return cls(rows, JointLimits.of(table["other"]), animal, (float(smallest), float(largest)))

    def of_rig(self, rig: Rig) -> dict[int, JointLimits]:
        """Return joint → its limits, parents first; joints that are not to be moved are left out."""
        known = body_parts(rig).items()
        return {
            joint: self.other if part is None else self.rows[part]
            for joint, part in known
            if part is None or part in self.rows
        }
