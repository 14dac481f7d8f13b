"""KHR_node_visibility: which nodes a document hides."""

from collections.abc import Iterable

from rigview.core.rig import Rig
from rigview.io.gltf import pointers
from rigview.io.gltf.cursor import Cursor

EXTENSION = "KHR_node_visibility"
# What stands in a node's extensions.
INVISIBLE = {EXTENSION: {"visible": False}}


def hidden_nodes(root: Cursor, rig: Rig) -> set[int]:
    """Return the nodes that a document hides: those that say so, and all below them.

    One that comes and goes is shown throughout.
    """
    moving = {
        pointers.shown(channel.need("target").member("extensions").value, len(rig.nodes))
        for animation in root.array("animations")
        for channel in animation.array("channels")
    }
    tops = (
        i
        for i, place in enumerate(root.array("nodes"))
        if i not in moving and not _is_visible(place)
    )
    return {node for top in tops for node in rig.nodes.subtree(top)}


def _is_visible(node: Cursor) -> bool:
    stated = node.extension(EXTENSION)
    visible = None if stated is None else stated.get("visible")
    return visible is None or visible.boolean()


def can_be_hidden(rig: Rig, node: int) -> bool:
    """Tell whether a document can hide a node: not without everything below it."""
    below: Iterable[int] = rig.nodes.subtree(node)
    return all(n in rig.hidden for n in below if rig.node_meshes[n] is not None)
