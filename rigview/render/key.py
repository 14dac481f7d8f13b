"""What the colours of ghosts and trails mean, in words; and why one that is asked for is not there."""

from collections.abc import Callable

from rigview.core.deform import Deformer
from rigview.render import ghosts
from rigview.render.look import Look
from rigview.render.overlay import Label

# Where the first line is from the upper left, and how far lines are apart, in logical pixels.
_AT, _LINE = (4.0, 6.0), 20.0
# More trails than these are told by their colour alone.
_MOST_TRAILS = 4
Need = tuple[Callable[[Deformer, Look], bool], str]
_JOINTS: Need = (
    lambda deformer, _: len(deformer.skeleton.joints) > 0,
    "The file has no joints: there is nothing of them to show",
)
_MESHES: Need = (
    lambda deformer, _: len(deformer.rig.parts) > 0,
    "The file has no mesh: there is nothing of it to show",
)
# Overlay → what it needs, and what to say where that is not there.
_NEEDS: dict[str, Need] = {
    **dict.fromkeys(("bones", "sticks", "axes", "names"), _JOINTS),
    **dict.fromkeys(("xray", "wires"), _MESHES),
    "bind_ghost": (
        lambda deformer, _: deformer.bind is not None,
        "No skin states where its joints were bound: there is no bind pose to show",
    ),
    "trail": (
        lambda _, look: bool(look.trails),
        "No root joint travels here: there is no trail to show",
    ),
}


def labels(deformer: Deformer, look: Look, top: float = 0.0) -> list[Label]:
    """Return the words, in the upper left of a pane below so many logical pixels that are taken."""
    lines = [(ghost.words, ghost.overlay) for ghost, _ in ghosts.shown(deformer, look)]
    if look.trail:
        names = [deformer.rig.nodes.label(trail.joint) for trail in look.trails]
        lines += [(f"trail of {name}", "trail") for name in names[:_MOST_TRAILS]]
    left, first = _AT
    return [
        Label(words, left, top + first + place * _LINE, token, backed=True)
        for place, (words, token) in enumerate(lines)
    ]


def absence(overlay: str, deformer: Deformer, look: Look) -> str:
    """Return why an overlay that is on shows nothing of a rig; empty where it shows something."""
    is_there, words = _NEEDS.get(overlay, (lambda *_: True, ""))
    return "" if is_there(deformer, look) else words
