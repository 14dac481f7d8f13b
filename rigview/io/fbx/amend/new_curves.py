"""Curves of a property written as a whole: keys, and the objects that hold them where there are none."""

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.amend import curves
from rigview.io.fbx.amend.amendments import Record
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.curves import AXES, Track
from rigview.io.fbx.objects import Element
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

# FBX SDK, FbxAnimCurveDef: interpolation; the version that programs of this decade write.
_LINEAR, _CONSTANT = 0x4, 0x2
_KEY_VERSION = 4009
_LETTERS = {"Lcl Translation": "T", "Lcl Rotation": "R", "Lcl Scaling": "S"}


def write(
    change: FbxChange,
    number: int,
    name: str,
    clip: int,
    keys: tuple[FloatArray, FloatArray],
    *,
    steps: bool,
) -> int:
    """Write all keys of a property of a node in a clip; return how many it had.

    Parameters
    ----------
    number
        Of the node in the file's hierarchy.
    keys
        ``(n,)`` seconds and ``(n, 3)`` values.
    steps
        Whether values stay until the next key.

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
    node = tracks[0].node.key if tracks else _add_node(change, key, name, clip)
    owned = tracks[0].curves if tracks else {}
    times = np.round(keys[0] * change.reading.hierarchy.settings.ticks).astype(np.int64)
    flags = np.array([_CONSTANT if steps else _LINEAR])
    for axis, values in zip(AXES, keys[1].T, strict=True):
        curve = owned.get(axis)
        if curve is None:
            _add_curve(change, (node, axis), times, values, flags)
        else:
            curves.set_keys(curve, times, values, flags, change.amendments)
    return _most_keys(tracks)


def _most_keys(tracks: list[Track]) -> int:
    found = (curve.node.child("KeyTime") for t in tracks for curve in t.curves.values())
    return max((len(place.array()) for place in found if place is not None), default=0)


def _add_node(change: FbxChange, target: Key, name: str, clip: int) -> Key:
    """Add a curve node on a property, in the lowest layer of a clip."""
    objects = change.reading.objects
    stack: Element = objects.of_kind("AnimationStack")[clip]
    layers = objects.source_keys(stack.key, "AnimationLayer")
    if not layers:
        raise SaveError(f"the clip {quoted(stack.name)} has no layer that could hold curves")
    key = change.free_key()
    text = _LETTERS[name].encode() + b"\x00\x01AnimCurveNode"
    change.add_object(Record("AnimationCurveNode", (("L", key), ("S", text), ("S", b""))))
    change.connect(key, layers[0])
    change.connect(key, target, name)
    return key


def _add_curve(
    change: FbxChange,
    owner: tuple[Key, str],
    times: IntArray,
    values: FloatArray,
    flags: IntArray,
) -> None:
    """Add a curve on one axis of a curve node."""
    key = change.free_key()
    inside = (
        Record("Default", (("D", float(values[0])),)),
        Record("KeyVer", (("I", _KEY_VERSION),)),
        Record("KeyTime", (("l", times),)),
        Record("KeyValueFloat", (("f", values.astype(np.float32)),)),
        Record("KeyAttrFlags", (("i", flags),)),
        Record("KeyAttrDataFloat", (("f", np.zeros(4, dtype=np.float32)),)),
        Record("KeyAttrRefCount", (("i", np.array([len(times)])),)),
    )
    values_of = (("L", key), ("S", b"\x00\x01AnimCurve"), ("S", b""))
    change.add_object(Record("AnimationCurve", values_of, inside))
    change.connect(key, owner[0], owner[1])
