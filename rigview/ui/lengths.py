"""The units in which the window can show lengths; rigs are in metres."""

from dataclasses import dataclass

SETTING = "lengths"


@dataclass(frozen=True)
class LengthUnit:
    """A unit of length.

    Parameters
    ----------
    sign
        As it stands after numbers.
    per_metre
        How many are a metre.
    decimals
        So many that a tenth of a millimetre is seen.
    """

    sign: str
    title: str
    per_metre: float
    decimals: int


LENGTH_UNITS = {
    "m": LengthUnit("m", "Metres", 1.0, 4),
    "cm": LengthUnit("cm", "Centimetres", 100.0, 2),
    "in": LengthUnit("in", "Inches", 1.0 / 0.0254, 3),
}
METRES = LENGTH_UNITS["m"]


def length_unit(name: str) -> LengthUnit:
    """Return a unit by its name in the settings; metres where there is no such unit."""
    return LENGTH_UNITS.get(name, METRES)
