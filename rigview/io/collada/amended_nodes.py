"""Saving: where nodes rest and what they hang on, in the bytes of the XML.

A node that rests elsewhere gets new numbers where one matrix places it. Another stack of transforms becomes
one matrix, unless a channel of the file drives one of them. A node with another parent moves with all that
is in it.
"""

from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.rig import Rig
from rigview.io.collada.elements import tag
from rigview.io.collada.reader import ColladaReading
from rigview.io.collada.scene import shown_scene
from rigview.io.collada.spans import Text, number_text
from rigview.io.collada.transforms import operations
from rigview.io.reading import SaveError


def amend_nodes(reading: ColladaReading, rigs: tuple[Rig, Rig], in_file: Rig, text: Text) -> None:
    """Write new parents and new rest transforms of nodes.

    Parameters
    ----------
    rigs
        The rig that was read, and the wanted one.
    in_file
        The wanted one in the file's unit and axes.

    Raises
    ------
    SaveError
        If a node has no element of its own, or a channel drives a part of its stack.
    """
    old, new = rigs
    moved = [
        node
        for node, (a, b) in enumerate(zip(old.nodes.parents, new.nodes.parents, strict=True))
        if a != b
    ]
    if moved:
        _move(reading, rigs, moved, text)
    was, now = (rig.nodes.local_matrices() for rig in rigs)
    rests = np.flatnonzero(np.any(was != now, axis=(1, 2))).tolist()
    local = in_file.nodes.local_matrices()
    driven = _driven(reading)
    for node in sorted({*moved, *rests}):
        _rest(_element(reading, new, node), new.nodes.label(node), local[node], driven, text)


def _element(reading: ColladaReading, rig: Rig, node: int) -> Element:
    """Return the element that a node alone was made of."""
    element, label = reading.scene.elements[node], rig.nodes.label(node)
    if element is None:
        raise SaveError(
            f"{label} has no element of its own: it holds a further mesh of its parent; glTF can hold it"
        )
    if len(reading.scene.numbers(element)) > 1:
        raise SaveError(f"{label} is shown at several places, of which one cannot move alone")
    return element


def _move(reading: ColladaReading, rigs: tuple[Rig, Rig], moved: list[int], text: Text) -> None:
    """Move the elements of nodes to the ends of those of their new parents."""
    old, new = rigs
    holder_of = {inner: outer for outer in reading.document.root.iter() for inner in outer}
    top = shown_scene(reading.document)
    for node in moved:
        element = _element(reading, new, node)
        was, now = old.nodes.parents[node], new.nodes.parents[node]
        # Where the scene shows a node of a library, that node hangs on nothing.
        shown = top if was < 0 else reading.scene.elements[was]
        if holder_of.get(element) is not shown:
            raise SaveError(
                f"{new.nodes.label(node)} is a node of a library, which others may show too; glTF can "
                "hold another parent of it"
            )
        holder = top if now < 0 else _element(reading, new, now)
        if holder is None:
            raise SaveError("the file shows no scene that a node could be put into")
        text.move(element, holder)


def _rest(
    element: Element, label: str, local: FloatArray, driven: frozenset[str], text: Text
) -> None:
    """Let a node rest at ``(4, 4)`` a local matrix, in the file's unit and axes."""
    stack = operations(element)
    words = b" ".join(map(number_text, local.reshape(-1).tolist()))
    if [*map(tag, stack)] == ["matrix"]:
        text.set_text(stack[0], words)
        return
    if element.get("id") in driven:
        raise SaveError(
            f"{label} would rest otherwise, and curves drive a part of its transforms, which is not "
            "amended in Collada; glTF can hold it"
        )
    if not stack:
        if not np.array_equal(local, np.eye(4)):
            text.put_first(element, b"<matrix>" + words + b"</matrix>")
        return
    text.replace(stack[0], b"<matrix>" + words + b"</matrix>")
    for more in stack[1:]:
        text.replace(more, b"")


def _driven(reading: ColladaReading) -> frozenset[str]:
    """Return the ids of nodes whose transforms a channel drives, played or not."""
    channels = (place for place in reading.document.root.iter() if tag(place) == "channel")
    targets = (place.get("target", "") for place in channels)
    return frozenset(target.partition("/")[0] for target in targets)
