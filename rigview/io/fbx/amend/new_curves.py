"""Curves of a property written as a whole: keys, and the objects that hold them where there are none."""

from rigview.io.fbx.amend import curves
from rigview.io.fbx.amend.amendments import Record
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.curves import AXES, Track
from rigview.io.fbx.amend.key_rows import KeyRows
from rigview.io.fbx.amend.properties import property_record
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.layers import Target
from rigview.io.fbx.objects import Element
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

# The version that programs of this decade write.
_KEY_VERSION = 4009
_LETTERS = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}


def write(
    change: FbxChange,
    number: int,
    name: str,
    clip: int,
    keys: KeyRows,
) -> int:
    """Write all keys of a property of a node in a clip; return how many it had.

    Parameters
    ----------
    number
        Of the node in the file's hierarchy.
    clip
        Its number; those that the file does not have come last.

    Raises
    ------
    SaveError
        If the property is keyed in several layers.
    """
    key = change.reading.hierarchy.keys[number]
    tracks = [track for track in change.tracks.get((key, name), ()) if track.stack == clip]
    if len(tracks) > 1:
        label = quoted(change.reading.hierarchy.names[number])
        raise SaveError(f"the {name} of {label} is keyed in several layers of a clip")
    node = tracks[0].node.key if tracks else _add_node(change, (key, name), clip, keys)
    owned = tracks[0].curves if tracks else {}
    ticks = change.reading.hierarchy.settings.ticks
    for number, axis in enumerate(AXES):
        curve = owned.get(axis)
        if curve is None:
            _add_curve(change, (node, axis), keys, number)
        else:
            curves.set_keys(curve, keys, number, ticks, change.amendments)
    return _most_keys(tracks)


def _most_keys(tracks: list[Track]) -> int:
    found = (curve.node.child("KeyTime") for t in tracks for curve in t.curves.values())
    return max((len(place.array()) for place in found if place is not None), default=0)


def _add_node(change: FbxChange, target: Target, clip: int, keys: KeyRows) -> Key:
    """Add a curve node on a property, in the lowest layer of a clip."""
    key, (to, name) = change.free_key(), target
    text = _LETTERS[name].encode() + b"\x00\x01AnimCurveNode"
    rows = (property_record(*row) for row in zip(AXES, keys.values[0].tolist(), strict=True))
    change.add_object(
        Record(
            "AnimationCurveNode",
            (("L", key), ("S", text), ("S", b"")),
            (Record("Properties70", (), tuple(rows)),),
        )
    )
    change.connect(key, _layer_of(change, clip))
    change.connect(key, to, name)
    return key


def _layer_of(change: FbxChange, clip: int) -> Key:
    if clip in change.layers:
        return change.layers[clip]
    objects = change.reading.objects
    stack: Element = objects.of_kind("AnimationStack")[clip]
    layers = objects.source_keys(stack.key, "AnimationLayer")
    if not layers:
        raise SaveError(f"the clip {quoted(stack.name)} has no layer that could hold curves")
    return layers[0]


def _add_curve(change: FbxChange, owner: tuple[Key, str], keys: KeyRows, number: int) -> None:
    """Add a curve on one axis of a curve node."""
    key, reading = change.free_key(), change.reading
    stated = curves.arrays(keys, number, reading.hierarchy.settings.ticks)
    code, bits = stated["KeyAttrDataFloat"]
    is_text = not isinstance(reading.document, BinaryDocument)
    stated["KeyAttrDataFloat"] = code, curves.as_stated(bits, whole=is_text)
    inside = (
        Record("Default", (("D", float(keys.values[0, number])),)),
        Record("KeyVer", (("I", _KEY_VERSION),)),
        *(Record(name, (typed,)) for name, typed in stated.items()),
    )
    values_of = (("L", key), ("S", b"\x00\x01AnimCurve"), ("S", b""))
    change.add_object(Record("AnimationCurve", values_of, inside))
    change.connect(key, owner[0], owner[1])
