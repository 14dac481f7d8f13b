"""Measures of joint regions in words: −91 % for a collapse, 2.4× for a stretch, 60° for a normal."""

import math

from rigview.core.measures.joint_measures import MEASURES
from rigview.core.sentence import Sentence

# Measures of what is lost, and of what is gained: their values are shares with a sign.
_LOST, _GAINED = ("collapse",), ("bulge",)

# Edges that keep less than one part of so many are points.
_TO_NOTHING = 1000


def said(measure: str, value: float) -> str:
    """Return a value as people read it: losses have a minus, gains a plus, ratios a ×."""
    if math.isnan(value):
        return "unknown"
    row = MEASURES[measure]
    if row.unit == "rad":
        return f"{math.degrees(value):.0f}°"
    if measure == "volume":
        return _percent(value - 1.0, signed=True)
    if measure == "compression":
        return (
            f"1/{value:.0f}"
            if value < _TO_NOTHING
            else Sentence("less than 1/{number}", number=_TO_NOTHING)
        )
    if row.unit == "×":
        return f"{value:.1f}×"
    if measure in _LOST:
        return _percent(-value, signed=True)
    return _percent(value, signed=measure in _GAINED)


def limit_said(measure: str, limit: float) -> str:
    """Return a limit as people read it, without sign."""
    row = MEASURES[measure]
    if row.unit == "rad":
        return f"{math.degrees(limit):.0f}°"
    if measure == "volume":
        return f"{100.0 * abs(limit - 1.0):.0f} %"
    if measure == "compression":
        return f"1/{limit:.0f}"
    return f"{limit:.1f}×" if row.unit == "×" else f"{_digits(100.0 * limit)} %"


def _percent(share: float, *, signed: bool) -> str:
    """Return a share in whole per cent, below 10 % in tenths; nothing has no sign."""
    words = _digits(abs(100.0 * share))
    sign = ("−" if share < 0.0 else "+") if signed and float(words) != 0.0 else ""
    return f"{sign}{words} %"


def _digits(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}".removesuffix(".0")
