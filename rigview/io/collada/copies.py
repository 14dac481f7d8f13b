"""Nodes that a file has twice.

Blender writes the armature of a mesh that is not its child once beside the mesh, at the top of the
scene, and later once more, with the same ids, where it belongs.
"""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rigview.io.collada.elements import children, tag


def earlier_copies(tops: Sequence[Element]) -> list[Element]:
    """Return the nodes that stand in a file once more, later and with the same id, word for word.

    Parameters
    ----------
    tops
        The elements below which nodes are looked for.
    """
    nodes = [element for top in tops for element in top.iter() if tag(element) == "node"]
    last = {node.get("id"): node for node in nodes}
    found: list[Element] = []
    waiting = list(tops)
    while waiting:
        for node in children(waiting.pop(), "node"):
            twin = node if node.get("id") is None else last[node.get("id")]
            if twin is node:
                waiting.append(node)
            elif _same(twin, node):
                found += (inner for inner in node.iter() if tag(inner) == "node")
    return found


def _same(a: Element, b: Element) -> bool:
    """Tell whether two elements and all in them are alike, white space around texts aside."""
    pairs = [(a, b)]
    while pairs:
        a, b = pairs.pop()
        if a is b:
            continue
        alike = a.tag == b.tag and a.attrib == b.attrib and len(a) == len(b)
        if not alike or (a.text or "").strip() != (b.text or "").strip():
            return False
        pairs += zip(a, b, strict=True)
    return True
