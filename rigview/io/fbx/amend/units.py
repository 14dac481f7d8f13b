"""All lengths at once: the unit that a file states."""

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.placement import scaled
from rigview.core.rig import Rig
from rigview.io.fbx.amend.change import Change
from rigview.io.fbx.objects import Element
from rigview.io.reading import SaveError

# What factors of lengths differ by and are one.
_SAME = 1e-9


def amend(change: Change) -> Rig:
    """Write the unit where all lengths changed by one factor; return the new rig without that change.

    Raises
    ------
    SaveError
        If the file has no settings that could state it.
    """
    factor = _factor(change)
    if factor == 1.0:
        return change.new
    place = change.reading.root.child("GlobalSettings")
    if place is None:
        raise SaveError("the file has no GlobalSettings, where its unit would stand")
    settings = Element(place)
    change.edits.set(
        settings, "UnitScaleFactor", (settings.number("UnitScaleFactor", 1.0) * factor,)
    )
    return scaled(change.new, 1.0 / factor)


def _factor(change: Change) -> float:
    """Return what all translations and all points are multiplied by; 1 where that is no one number."""
    old, new = change.old, change.new
    rows: list[tuple[FloatArray, FloatArray]] = [
        (old.nodes.translations, new.nodes.translations[: len(old.nodes)])
    ]
    for a, b in zip(old.meshes, new.meshes, strict=True):
        rows += [
            (p.positions, q.positions) for p, q in zip(a.primitives, b.primitives, strict=True)
        ]
    if any(was.shape != now.shape or was is now for was, now in rows):
        return 1.0
    sizes = [tuple(float(np.abs(row).max(initial=0.0)) for row in pair) for pair in rows]
    factors = [now / was for was, now in sizes if was > 0.0]
    if not factors or factors[0] <= 0.0 or abs(factors[0] - 1.0) <= _SAME:
        return 1.0
    factor = factors[0]
    for (was, now), (_, size) in zip(rows, sizes, strict=True):
        if np.abs(was * factor - now).max(initial=0.0) > _SAME * max(size, 1e-9):
            return 1.0
    return factor
