"""What is written on panes: how weights are drawn, and what the colours of ghosts and trails mean.

And why an overlay that is asked for is not there.
"""

from collections.abc import Callable

from rigview.core.deform import Deformer
from rigview.core.mesh import Weights
from rigview.core.motion.culling import Culled, culled
from rigview.render import ghosts
from rigview.render.look import Look
from rigview.render.overlay import BIND_BOX, POSED_BOX, Label

# Where the first line is from the upper left, and how far lines are apart, in logical pixels.
_AT, _LINE = (4.0, 6.0), 20.0
# More trails than these are told by their colour alone.
_MOST_TRAILS = 4
# Of more clips that leave the bind box only these are named.
_MOST_CLIPS = 3
_BADGES: dict[Weights, str] = {
    "normalised": "weights normalised",
    "literal": "weights as in the file",
}
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
    **dict.fromkeys(("xray", "wires", "bounds"), _MESHES),
    "bind_ghost": (
        lambda deformer, _: deformer.bind is not None,
        "No skin states where its joints were bound: there is no bind pose to show",
    ),
    "trail": (
        lambda _, look: bool(look.trails),
        "No root joint travels here: there is no trail to show",
    ),
}


def badge(deformer: Deformer) -> str:
    """Return how weights that do not sum to one are drawn; empty where all do."""
    return "" if deformer.sums_to_one else _BADGES[deformer.weights]


def labels(
    deformer: Deformer, look: Look, top: float = 0.0, *, colours: bool = True
) -> list[Label]:
    """Return the words, in the upper left of a pane below so many logical pixels that are taken.

    Parameters
    ----------
    colours
        Whether what the colours mean is said, and not only how weights are drawn (`badge`).
    """
    said = badge(deformer)
    lines = [(said, "warning")] if said else []
    if colours:
        lines += _coloured(deformer, look)
    left, first = _AT
    return [
        Label(words, left, top + first + place * _LINE, token, backed=True)
        for place, (words, token) in enumerate(lines)
    ]


def _coloured(deformer: Deformer, look: Look) -> list[tuple[str, str]]:
    """Return what ghosts, trails and boxes are called, each with its colour."""
    lines = [(ghost.words, ghost.overlay) for ghost, _ in ghosts.shown(deformer, look)]
    if look.trail:
        names = [deformer.rig.nodes.label(trail.joint) for trail in look.trails]
        lines += [(f"trail of {name}", "trail") for name in names[:_MOST_TRAILS]]
    if look.bounds and deformer.rig.parts:
        lines += [("box of the bind pose", BIND_BOX), ("box of this pose", POSED_BOX)]
        lines += [(_culled(deformer, of), "warning") for of in culled(deformer)[:_MOST_CLIPS]]
    return lines


def _culled(deformer: Deformer, of: Culled) -> str:
    name = deformer.rig.clips[of.clip].name
    return f"{name} vanishes where engines cull by the bind box: {of.apart:.3g} m off at {of.time:.2f} s"


def absence(overlay: str, deformer: Deformer, look: Look) -> str:
    """Return why an overlay that is on shows nothing of a rig; empty where it shows something."""
    is_there, words = _NEEDS.get(overlay, (lambda *_: True, ""))
    return "" if is_there(deformer, look) else words
