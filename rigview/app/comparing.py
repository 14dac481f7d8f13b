"""Compare two rigs."""

from rigview.app.arguments import rig_of
from rigview.check.diff import Difference, compare
from rigview.core.rig import Rig
from rigview.io import Loaded


def diff(a: Rig | Loaded, b: Rig | Loaded) -> Difference:
    """Compare two rigs, usually two versions of one character.

    Parameters
    ----------
    a, b
        The first and the second rig, or opened files.

    Returns
    -------
    What changed in joints, skins, binds, weights, clips and the skinned shape; ``same`` where nothing did.
    """
    return compare(rig_of(a, "a"), rig_of(b, "b"))
