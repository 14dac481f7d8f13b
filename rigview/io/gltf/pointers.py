"""KHR_animation_pointer: what the channels of an animation move, by their place in the document."""

import re
from typing import Any

from rigview.core.sampler import Path
from rigview.io.gltf.curves import PATHS

# Lets channels name anything in the document. Some exporters write all animation by it.
POINTER = "KHR_animation_pointer"
_NODE = r"/nodes/(?P<node>0|[1-9]\d{0,9})/"
_MOVED = re.compile(rf"{_NODE}(?P<path>{'|'.join(PATHS)})")
_SHOWN = re.compile(rf"{_NODE}extensions/KHR_node_visibility/visible")


def moved(extensions: Any, nodes: int) -> tuple[int, Path] | None:  # noqa: ANN401 - JSON
    """Return the node that a target moves and by what, if channels without pointers do so, too."""
    found = _MOVED.fullmatch(_pointer(extensions))
    if found is None or int(found["node"]) >= nodes:
        return None
    return int(found["node"]), PATHS[found["path"]]


def shown(extensions: Any, nodes: int) -> int | None:  # noqa: ANN401 - JSON
    """Return the node that a target lets come and go, or None."""
    found = _SHOWN.fullmatch(_pointer(extensions))
    return None if found is None or int(found["node"]) >= nodes else int(found["node"])


def moves_a_node(extensions: Any) -> bool:  # noqa: ANN401 - JSON
    """Tell whether a target is what moves a node."""
    place = _pointer(extensions)
    return place.startswith("/nodes/") and "/extensions/" not in place


def _pointer(extensions: Any) -> str:  # noqa: ANN401 - JSON
    found = extensions
    for key in (POINTER, "pointer"):
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""
