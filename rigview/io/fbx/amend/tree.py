"""Who hangs under whom: connections of nodes that move, and nodes that the file does not have yet."""

import numpy as np

from rigview.core import quat
from rigview.core.rig import Rig
from rigview.io.fbx.amend.amendments import Record, Typed
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.properties import property_record
from rigview.io.fbx.transform import to_euler
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

# The node that all others hang under; it is no object.
_SCENE = 0
_MODEL_VERSION = 232


def amend(change: FbxChange) -> None:
    """Write new nodes and new parents.

    Raises
    ------
    SaveError
        If a node is one that reading added, or hangs under several.
    """
    old, new = change.old, change.new
    for node in range(len(old.nodes), len(new.nodes)):
        change.node_keys[node] = _add_node(change, node)
    for node in range(len(new.nodes)):
        above = new.nodes.parents[node]
        if node < len(old.nodes):
            if above == old.nodes.parents[node]:
                continue
            _take_off(change, node)
        key, parent = change.key_of(node), _SCENE if above < 0 else change.key_of(above)
        change.connect(key, parent)


def _take_off(change: FbxChange, node: int) -> None:
    """Drop the connection of a node with its parent."""
    key = change.key_of(node)
    above = change.old.nodes.parents[node]
    parents = {change.key_of(above) if above >= 0 else _SCENE}
    numbers = change.reading.hierarchy.numbers
    for place, source, to, name in change.links:
        if source == key and not name and (to in numbers or to == _SCENE):
            if to not in parents:
                raise SaveError(f"{quoted(change.old.nodes.label(node))} hangs under several nodes")
            change.amendments.drop(place)


def _add_node(change: FbxChange, node: int) -> Key:
    """Add a node with its transform; a joint gets what makes it one in other programs."""
    rig = change.new
    name, key = rig.nodes.names[node], change.free_key()
    is_joint = any(node in skin.joints for skin in rig.skins)
    kind = "LimbNode" if is_joint else "Null"
    rows = (
        Record("P", (*_texts("InheritType", "enum", "", ""), ("I", 1))),
        *(property_record(name, *values) for name, values in _transform(change, rig, node)),
    )
    change.add_object(
        Record(
            "Model",
            (("L", key), ("S", _named(name, "Model")), ("S", kind.encode())),
            (Record("Version", (("I", _MODEL_VERSION),)), Record("Properties70", (), rows)),
        )
    )
    attribute = change.free_key()
    flags = b"Skeleton" if is_joint else b"Null"
    change.add_object(
        Record(
            "NodeAttribute",
            (("L", attribute), ("S", _named(name, "NodeAttribute")), ("S", kind.encode())),
            (Record("TypeFlags", (("S", flags),)),),
        )
    )
    change.connect(attribute, key)
    return key


def _transform(change: FbxChange, rig: Rig, node: int) -> list[tuple[str, list[float]]]:
    """Return the Lcl properties of a new node, in the file's units."""
    settings = change.reading.hierarchy.settings
    t, q = rig.nodes.translations[node], rig.nodes.rotations[node]
    if node in rig.nodes.matrices:
        raise SaveError(f"the rest pose of {quoted(rig.nodes.label(node))} shears")
    if rig.nodes.parents[node] < 0:
        back = quat.conjugate(change.reading.hierarchy.turn)
        t, q = quat.rotate(back, t), quat.multiply(back, q)
    if settings.mirrored:
        q = q * np.array([1.0, -1.0, -1.0, 1.0])
    t = t / np.diag(settings.ours_from_file)
    degrees = to_euler(q[None], np.zeros(1, dtype=np.int64))[0]
    return [
        ("Lcl Translation", t.tolist()),
        ("Lcl Rotation", degrees.tolist()),
        ("Lcl Scaling", rig.nodes.scales[node].tolist()),
    ]


def _texts(*words: str) -> tuple[Typed, ...]:
    return tuple(("S", word.encode()) for word in words)


def _named(name: str, kind: str) -> bytes:
    return name.encode() + b"\x00\x01" + kind.encode()
