"""What the legend says of each shading that shows a number per vertex: one table."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rigview.core.changes import DISPLACED, REWEIGHTED, Changes, tally
from rigview.core.deform import Deformer
from rigview.core.mask import mask_of
from rigview.core.skinning import ASKED
from rigview.core.text import count, spaced
from rigview.render.look import COMPARING, Look, Shading
from rigview.render.scalars import DIFFERENCE_RANGE, SCALARS, count_top, influence_counts

_VERTEX = ("vertex", "vertices")


@dataclass(frozen=True)
class Scale:
    """What a legend says.

    Parameters
    ----------
    title, name
        "Weight of", "lowerarm"; without name the title is a sentence that stands alone.
    ticks
        (place 0…1 on the map, text).
    words
        What is said at the right end.
    marker
        Place of the selected vertex on the map.
    colour_map
        That of the shading.
    """

    title: str
    name: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    words: str = ""
    marker: float | None = None
    colour_map: str = "viridis"


@dataclass(frozen=True)
class Shown:
    """What a scale is asked of: rig, look, the panes' methods, and changes since another rig."""

    deformer: Deformer
    look: Look
    methods: tuple[str, ...]
    changes: Changes | None = None


def has_scale(look: Look) -> bool:
    """Tell whether a picture of one rig has colours to be explained: weights are some joint's."""
    alone = look.shading in _SCALES and look.shading not in COMPARING
    return alone and (look.shading != "weights" or look.joint is not None)


def scale_of(shown: Shown) -> Scale | None:
    """Explain the colours of a picture; None where they are no numbers."""
    explain = _SCALES.get(shown.look.shading)
    if explain is None:
        return None
    return replace(explain(shown), colour_map=SCALARS[shown.look.shading].colour_map)


def _weights(shown: Shown) -> Scale:
    """Explain the weights of the selected joint."""
    deformer, joint, vertex = shown.deformer, shown.look.joint, shown.look.vertex
    if joint is None:
        return Scale("Select a joint to see its weights.")
    shares = [deformer.joint_weights(i, joint) for i in range(len(deformer.rig.parts))]
    total = sum(len(s) for s in shares)
    moved = sum(int((s != 0.0).sum()) for s in shares)
    marker = float(shares[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))
    words = f"{spaced(moved)} of {count(total, *_VERTEX)} · lines every 0.25"
    name = deformer.rig.nodes.label(joint)
    return Scale("Weight of", name, ticks, words, marker)


def _count(shown: Shown) -> Scale:
    """Explain the numbers of influences."""
    deformer, vertex = shown.deformer, shown.look.vertex
    counts = [influence_counts(deformer, i) for i in range(len(deformer.rig.parts))]
    top = count_top(deformer)
    step = max(1, -(-top // 6))
    ticks = tuple((n / top, str(n)) for n in range(step, top + 1, step))
    marker = float(counts[vertex[0]][vertex[1]]) / top if vertex is not None else None
    everything = np.concatenate([np.zeros(0), *counts])
    four = int((everything > 4).sum())
    words = f"{spaced(four)} of {count(len(everything), *_VERTEX)} have more than 4"
    return Scale("Influences", "per vertex", ticks, words, marker)


def _mask(shown: Shown) -> Scale:
    """Explain the painted mask."""
    rig, vertex = shown.deformer.rig, shown.look.vertex
    masks = [mask_of(rig, part) for part in rig.parts]
    everything = np.concatenate([np.zeros(0), *masks])
    less = int((everything < 1.0).sum())
    marker = float(masks[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.5, "0.5"), (1.0, "1"))
    words = f"{spaced(less)} of {count(len(everything), *_VERTEX)} below 1"
    return Scale("Compensation", "mask", ticks, words, marker)


def _difference(shown: Shown) -> Scale:
    """Explain how far the panes stand from the first one."""
    reach = 1000.0 * DIFFERENCE_RANGE * shown.deformer.size
    share = f"{100.0 * DIFFERENCE_RANGE:g} %"
    ends = (
        (0.0, f"≤−{reach:.2g}"),
        (0.25, f"−{reach / 2:.2g}"),
        (0.5, "0"),
        (0.75, f"{reach / 2:.2g}"),
        (1.0, f"≥{reach:.2g}"),
    )
    methods = shown.methods
    first = ASKED[methods[0]].label if len(methods) > 1 else ASKED["lbs"].label
    words = f"mm outward · ends at {share} of size"
    return Scale("Distance to", first, ends, words)


def _comparing(shown: Shown) -> Scale:
    """Explain what changed since another rig."""
    if shown.changes is None:
        return Scale("Compare with another file to see what changed.")
    return changes_scale(shown.look.shading, shown.changes)


def changes_scale(shading: Shading, changes: Changes) -> Scale:
    """Explain the colours of what changed since another rig."""
    apart = [heat.label for heat in changes.incomparable]
    said = []
    if apart:
        names = apart[0] if len(apart) == 1 else f"{len(apart)} meshes"
        said = [f"{names} cannot be compared"]
    if shading == "reweighted":
        end, name = 100.0 * changes.weight_end, "% of weight"
        many = sum(tally(h.reweighted, REWEIGHTED).changed for h in changes.parts)
        said.append(
            f"{count(many, *_VERTEX)} changed, at most {100.0 * changes.most_reweighted:.3g} %"
        )
    else:
        end, name = 100.0 * changes.displacement_end, "% of size"
        many = sum(tally(h.displaced, DISPLACED * changes.size).changed for h in changes.parts)
        said.append(
            f"{count(many, *_VERTEX)} moved, at most {1000.0 * changes.most_displaced:.3g} mm"
        )
    ticks = tuple((i / 4, f"{end * i / 4:.3g}") for i in range(1, 5))
    words, colours = " · ".join(said), SCALARS[shading].colour_map
    return Scale("Changed", name, ((0.0, ">0"), *ticks), words, colour_map=colours)


# A new scalar shading is a row here and in `scalars`.
_SCALES: dict[Shading, Callable[[Shown], Scale]] = {
    "weights": _weights,
    "count": _count,
    "mask": _mask,
    "difference": _difference,
    **dict.fromkeys(COMPARING, _comparing),
}
