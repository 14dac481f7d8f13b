"""Names of nodes."""

from rigview.io.fbx.amend.change import FbxChange

_CLASS = b"\x00\x01Model"


def amend(change: FbxChange) -> None:
    """Write the names that differ; what else names a node does so by its number."""
    hierarchy = change.reading.hierarchy
    for number, node in enumerate(hierarchy.node_of.tolist()):
        name = change.new.nodes.names[node]
        if name != change.old.nodes.names[node]:
            element = change.reading.objects.element(hierarchy.keys[number])
            change.amendments.set_text(element.node, 1, name.encode() + _CLASS)
