"""A Biovision hierarchy into a `Rig`: a skeleton and one clip, no mesh.

The format has no standard beyond its examples. A channel of position stands instead of the same
component of OFFSET, as MotionBuilder writes and Blender reads it; rotations apply in the order of
their channels, which may differ from joint to joint. Neither unit nor up axis is stated: the unit is
guessed from the height of the first pose, and +Y is taken for up.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from rigview.core import quat
from rigview.core.euler import ORDERS, USUAL
from rigview.core.nodes import Nodes
from rigview.core.placement import scaled
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Origin, Rig
from rigview.io.bvh.hierarchy import Joint, read_hierarchy
from rigview.io.bvh.motion import column_axes, read_motion
from rigview.io.bvh.words import Tokens, without_comments
from rigview.io.files import read_file
from rigview.io.original import Original
from rigview.io.reading import Listener, Loaded, Pulse
from rigview.io.rest import children_of

# Units in the order in which they are believed if a skeleton has a person's height in them; the
# last but one is that of the CMU motion capture database, 1/0.45 inches.
_UNITS = (
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("inches", 0.0254),
    ("units of 1/0.45 inches", 0.0254 / 0.45),
    ("millimetres", 0.001),
)
_PERSON = (1.0, 2.5)
_MIDDLE = 1.7
# Of its row in the table of formats.
NAME = "BVH"


def load(path: Path, listener: Listener) -> Loaded:
    """Read a .bvh file.

    Raises
    ------
    LoadError
        If it is damaged.
    """
    pulse = Pulse(listener)
    pulse.stage("reading the file", 0.0)
    data = read_file(path, pulse)
    text = decoded(data)[0]
    notes: list[str] = []
    tokens = Tokens(path, without_comments(text, notes), notes)
    hierarchy = read_hierarchy(tokens, pulse)
    if hierarchy.end_sites:
        notes.append(f"{hierarchy.end_sites} end sites are read as joints")
    pulse.stage("reading the motion", 0.2)
    rest = _rest(hierarchy.joints)
    clip, fps = read_motion(tokens, hierarchy.joints, path.stem)
    rig = Rig(rest, (None,) * len(rest), (None,) * len(rest), rest.roots, clips=clip)
    name, unit = _unit(rig)
    notes.append(f"the unit is not stated; by the height of the skeleton it is taken for {name}")
    notes.append("the up axis is not stated and taken for +Y")
    listener.stage("done", 1.0)
    orders = _rotation_orders(hierarchy.joints)
    origin = Origin("BVH", unit_m=unit, fps=fps, rotation_orders=orders)
    rig = replace(scaled(rig, unit), origin=origin)
    return Loaded(path, rig, Original.of(NAME, path, data, None), tuple(notes))


def decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file, and its encoding."""
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def _rest(joints: list[Joint]) -> Nodes:
    n = len(joints)
    return Nodes(
        tuple(joint.name for joint in joints),
        children_of([joint.parent for joint in joints]),
        np.array([joint.offset for joint in joints]),
        np.tile(np.array(quat.IDENTITY), (n, 1)),
        np.ones((n, 3)),
    )


def _rotation_orders(joints: list[Joint]) -> tuple[tuple[str, str], ...]:
    """Return names and orders of the joints whose angles are not in the order XYZ.

    The last column turns first: "Zrotation Xrotation Yrotation" is Rz·Rx·Ry.
    """
    stated = (
        (joint.name, "".join("XYZ"[axis] for _, axis in column_axes(joint.channels, "rotation")))
        for joint in joints
    )
    turned = ((name, order[::-1]) for name, order in stated)
    return tuple((n, order) for n, order in turned if order in ORDERS and order != USUAL)


def _unit(rig: Rig) -> tuple[str, float]:
    """Guess the unit: name, and metres."""
    clip = rig.clips[0] if rig.clips else None
    model = model_from_nodes(rig, sample(rig, clip, 0.0))
    with np.errstate(invalid="ignore", over="ignore"):
        extent = float(np.ptp(model[:, :3, 3], axis=0).max())
    if not 0.0 < extent < np.inf:
        return _UNITS[1]
    low, high = _PERSON
    for name, unit in _UNITS:
        if low <= extent * unit <= high:
            return name, unit
    return min(_UNITS, key=lambda row: abs(np.log(extent * row[1] / _MIDDLE)))
