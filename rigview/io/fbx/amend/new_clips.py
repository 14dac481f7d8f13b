"""Clips that the file does not have: a stack with one layer each, and curves of all that moves.

FBX SDK and Blender write for a clip an AnimationStack with its span, an AnimationLayer in it, and a row in
Takes, where some programs look for the names of clips.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rigview.core.clip import Clip
from rigview.io.fbx.amend.amendments import Record
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.moving import MovingNode
from rigview.io.fbx.amend.properties import property_record
from rigview.io.fbx.amend.terms import Terms, read_terms
from rigview.io.reading import SaveError, quoted

_SPAN = ("LocalStart", "LocalStop", "ReferenceStart", "ReferenceStop")


def set_apart(change: FbxChange) -> None:
    """Take the clips that the file does not have off the new rig, and write what holds their curves.

    Raises
    ------
    SaveError
        If clips go, are renamed or stand in another order, or a new one has what is not written.
    """
    old, new = change.old, change.new
    count = len(old.clips)
    names = [clip.name for clip in old.clips]
    if names != [clip.name for clip in new.clips[:count]]:
        raise SaveError("clips of an FBX file cannot be taken out, renamed or put in another order")
    change.added = new.clips[count:]
    change.new = replace(new, clips=new.clips[:count]).made_of(new)
    for number, clip in enumerate(change.added, count):
        _expect_written(clip)
        _add_stack(change, number, clip)


def _expect_written(clip: Clip) -> None:
    if any(path == "weights" for _, path in clip.properties):
        raise SaveError(
            f"the clip {quoted(clip.name)} moves shapes, which further clips of an FBX file are not "
            "written with"
        )
    if clip.markers:
        raise SaveError(
            f"the markers of the clip {quoted(clip.name)} cannot be written into an FBX file"
        )


def _add_stack(change: FbxChange, number: int, clip: Clip) -> None:
    """Add a stack with its layer, and a take of its name where the file lists takes."""
    ticks, name = change.reading.hierarchy.settings.ticks, clip.name.encode()
    times = clip.key_times if len(clip.key_times) else np.zeros(1)
    span = [round(float(time) * ticks) for time in (times[0], times[-1])]
    stack, layer = change.free_key(), change.free_key()
    rows = (property_record(word, span[place % 2]) for place, word in enumerate(_SPAN))
    change.add_object(
        Record(
            "AnimationStack",
            (("L", stack), ("S", name + b"\x00\x01AnimStack"), ("S", b"")),
            (Record("Properties70", (), tuple(rows)),),
        )
    )
    base = (("L", layer), ("S", b"BaseLayer\x00\x01AnimLayer"), ("S", b""))
    change.add_object(Record("AnimationLayer", base))
    change.connect(layer, stack)
    change.layers[number] = layer
    takes = change.reading.root.child("Takes")
    if takes is not None:
        rows_of = (
            Record("FileName", (("S", name + b".tak"),)),
            *(
                Record(word, tuple(("L", x) for x in span))
                for word in ("LocalTime", "ReferenceTime")
            ),
        )
        change.amendments.add(takes, Record("Take", (("S", name),), rows_of))


def amend(change: FbxChange, written: Mapping[int, Terms]) -> None:
    """Write the curves of the clips that the file does not have.

    Parameters
    ----------
    written
        Number in the hierarchy → the terms of nodes that changed otherwise.

    Raises
    ------
    SaveError
        If they move a node that the file does not have, or one that no curve moves as wanted.
    """
    hierarchy, nodes = change.reading.hierarchy, change.new.nodes
    numbers = {int(node): number for number, node in enumerate(hierarchy.node_of)}
    for node in sorted({node for clip in change.added for node, _ in clip.properties}):
        number, label = numbers.get(node), quoted(nodes.label(node))
        if number is None and node in change.node_keys:
            raise SaveError(
                f"{label} is a new node, and further clips that move it are not written"
            )
        if number is None or (hierarchy.has_helper[number] and _is_moved_otherwise(change, node)):
            raise SaveError(
                f"{label} takes over the scale of its parent in a way that shears, and no curve moves "
                "it as a further clip does"
            )
        terms = written.get(number)
        if terms is None:
            element = change.reading.objects.element(hierarchy.keys[number])
            terms = read_terms(hierarchy, element, number)
        scales = nodes.scales[node]
        scale = terms.s / np.where(scales != 0.0, scales, 1.0)
        MovingNode(change, number, terms, scale).write_added()


def _is_moved_otherwise(change: FbxChange, node: int) -> bool:
    """Tell whether a further clip does more to a node than turn it."""
    return any(
        own == node and path != "rotation" for c in change.added for own, path in c.properties
    )
