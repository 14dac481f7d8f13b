"""Markers of clips in the extras of glTF animations.

They read ``{"markers": [{"time": 0.5, "name": "hand: flex"}]}``.
"""

from typing import Any

from rigview.core.clip import Clip, Marker
from rigview.io.reading import LARGEST_NUMBER

_MEMBER = "markers"


def read(extras: object) -> tuple[Marker, ...]:
    """Return the markers that an animation's extras name, ascending; extras may be anything."""
    stated = extras.get(_MEMBER) if isinstance(extras, dict) else None
    if not isinstance(stated, list):
        return ()
    return tuple(sorted(Marker(float(row["time"]), row["name"]) for row in filter(_sound, stated)))


def extras(clip: Clip, *, delay: float = 0.0) -> dict[str, Any]:
    """Return an animation's members that state the markers of a clip; empty without any.

    Parameters
    ----------
    delay
        Seconds by which the animation starts later than the clip.
    """
    rows = [{"time": marker.time + delay, "name": marker.name} for marker in clip.markers]
    return {"extras": {_MEMBER: rows}} if rows else {}


def _sound(row: object) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("name"), str)
        and type(row.get("time")) in (int, float)
        and abs(row["time"]) <= LARGEST_NUMBER
    )
