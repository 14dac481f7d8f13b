"""All lengths at once: the unit that a file states."""

from rigview.core.placement import length_factor, scaled
from rigview.core.rig import Rig
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.objects import Element
from rigview.io.reading import SaveError


def amend(change: FbxChange) -> Rig:
    """Write the unit where all lengths changed by one factor; return the new rig without that change.

    Raises
    ------
    SaveError
        If the file has no settings that could state it.
    """
    factor = length_factor(change.old, change.new)
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
