"""Transforms that Blender states the wrong way round.

Some versions write the parts of a transform from the scale to the translation, which by the specification
moves first and scales last. Its own positions come out only the other way.
"""

from xml.etree.ElementTree import Element

from rigview.io.collada.elements import tag

_WRITER = "Blender"
_WRITTEN = (
    ("scale", "scale"),
    *(("rotate", f"rotation{axis}") for axis in "ZYX"),
    ("translate", "location"),
)


def put_right(root: Element, tool: str) -> int:
    """Swap scale and translation of the nodes that a version of Blender wrote so; return how many.

    Parameters
    ----------
    tool
        What wrote the file.
    """
    nodes = [e for e in root.iter() if tag(e) == "node"] if tool.startswith(_WRITER) else []
    swapped = 0
    for node in nodes:
        places = [i for i, e in enumerate(node) if e.get("sid") is not None and tag(e) != "node"]
        if tuple((tag(node[i]), node[i].get("sid")) for i in places) == _WRITTEN:
            first, last = places[0], places[-1]
            node[first], node[last] = node[last], node[first]
            swapped += 1
    return swapped
