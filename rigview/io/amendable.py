"""What of a rig a repaired copy in the file's own format can hold: one row for each part.

The manual's page of formats shows the table; `tests/io/test_amendable.py` saves a change of every part in
every format.
"""

from collections.abc import Mapping
from dataclasses import dataclass

YES, NO, ABSENT = "yes", "refused", "has none"


@dataclass(frozen=True)
class AmendablePart:
    """One part of a rig.

    Parameters
    ----------
    formats
        Name of a format → `YES`, `NO`, `ABSENT` where its files do not have the part, or in words
        what of it is written; all else of it is refused.
    """

    title: str
    formats: Mapping[str, str]


def _in(fbx: str, usd: str, collada: str, bvh: str) -> Mapping[str, str]:
    return {"glTF": YES, "FBX": fbx, "USD": usd, "Collada": collada, "BVH": bvh}


PARTS: Mapping[str, AmendablePart] = {
    "weights": AmendablePart(
        "weights, and the joints that a vertex follows",
        _in(YES, YES, YES, ABSENT),
    ),
    "binds": AmendablePart("inverse bind matrices", _in(YES, YES, YES, ABSENT)),
    "axes": AmendablePart(
        "axes of joints",
        _in(
            "by pre- and post-rotation, where the joint is scaled equally",
            YES,
            "of joints that no clip moves",
            NO,
        ),
    ),
    "rest": AmendablePart("rest pose", _in(YES, YES, YES, "offsets, no turn or scale")),
    "size": AmendablePart(
        "all lengths by one factor",
        _in("as the unit", "as the unit", "as the unit, where the file states one", NO),
    ),
    "points": AmendablePart("vertices and normals", _in(YES, YES, NO, ABSENT)),
    "faces": AmendablePart("faces", _in(NO, NO, NO, ABSENT)),
    "joints": AmendablePart(
        "the joints that a skin lists",
        _in(YES, YES, NO, ABSENT),
    ),
    "parents": AmendablePart(
        "parents of joints",
        _in(YES, "within their skeleton", "where no clip would change", NO),
    ),
    "new nodes": AmendablePart("new joints", _in(YES, YES, NO, NO)),
    "names": AmendablePart("names of joints", _in(YES, YES, YES, YES)),
    "keys": AmendablePart(
        "values of keys",
        _in("as its frame turns, else with new keys within 1e-5 of the size", YES, NO, YES),
    ),
    "fewer keys": AmendablePart(
        "fewer keys of one curve",
        _in("the first of a constant curve, else new ones within 1e-5", NO, NO, NO),
    ),
    "clips": AmendablePart(
        "further clips",
        _in("of joints that the file has, no shapes or markers", NO, NO, NO),
    ),
    "masks": AmendablePart(
        "the painted mask, the method of a mesh or of its vertices",
        _in(NO, NO, NO, ABSENT),
    ),
}
