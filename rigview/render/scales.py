"""What the legend says of each shading whose colours have a meaning: one table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.assets import hex_of
from rigview.core import escape
from rigview.core.arrays import FloatArray
from rigview.core.deform import Deformer
from rigview.core.mask import mask_of
from rigview.core.measures.joint_measures import MEASURES, Measure
from rigview.core.measures.measure_words import limit_said
from rigview.core.sentence import Sentence, joined
from rigview.core.skinning import ASKED
from rigview.core.text import count, length_words, shortened, spaced
from rigview.core.weight_changes import DISPLACED, REWEIGHTED, Changes, tally
from rigview.render.heat import TOP
from rigview.render.look import COMPARING, Look, Shading
from rigview.render.scalars import DIFFERENCE_RANGE, SCALARS, count_top, influence_counts
from rigview.render.tints import joint_colours

# Of the room for swatches and words, what swatches have however long the words are.
SHARE_OF_SWATCHES = 0.7


# Letters of a name that stands in a row of others.
_BESIDE_OTHERS = 20


@dataclass(frozen=True)
class Swatch:
    """One colour that a legend names: ``#rrggbb``, what has it, and how much of it there is."""

    colour: str
    name: str
    share: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", escape.label(self.name))

    @property
    def short(self) -> str:
        """The name as it stands beside others."""
        return shortened(self.name, _BESIDE_OTHERS)


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
    has_none
        Whether 0 is "none", which has a colour of its own.
    swatches
        Colours that are no numbers, the most telling first: they stand in the map's stead.
    """

    title: str
    name: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    words: str = ""
    marker: float | None = None
    colour_map: str = "viridis"
    has_none: bool = True
    swatches: tuple[Swatch, ...] = ()

    def __post_init__(self) -> None:
        for name in ("title", "name", "words"):
            text = getattr(self, name)
            # Of a sentence the names in it are made fit: it is to stay one.
            if not isinstance(text, Sentence):
                object.__setattr__(self, name, escape.label(text))


@dataclass(frozen=True)
class Shown:
    """What a scale is asked of: rig, look, the panes' methods, and changes since another rig."""

    deformer: Deformer
    look: Look
    methods: tuple[str, ...]
    changes: Changes | None = None


def in_a_row(
    swatches: Sequence[Swatch], wide: Callable[[Swatch], float], room: float, more: float
) -> list[tuple[float, Swatch]]:
    """Return where swatches begin that stand side by side, as many as there is room for.

    Parameters
    ----------
    wide
        How much room one takes, with the gap behind it.
    more
        What has to be left to say how many there are beside these.
    """
    result, end = [], 0.0
    for number, swatch in enumerate(swatches, 1):
        kept = more if number < len(swatches) else 0.0
        if end + wide(swatch) + kept > room:
            break
        result.append((end, swatch))
        end += wide(swatch)
    return result


def has_scale(look: Look) -> bool:
    """Tell whether a picture of one rig has colours to be explained: weights are some joint's."""
    alone = look.shading in _SCALES and look.shading not in COMPARING
    return alone and (look.shading != "weights" or look.joint is not None)


def scale_of(shown: Shown) -> Scale | None:
    """Explain the colours of a picture; None where they tell nothing of the rig."""
    explain, scalar = _SCALES.get(shown.look.shading), SCALARS.get(shown.look.shading)
    if explain is None or scalar is None:
        return None if explain is None else explain(shown)
    return replace(explain(shown), colour_map=scalar.colour_map)


def _weights(shown: Shown) -> Scale:
    """Explain the weights of the selected joint."""
    deformer, joint, vertex = shown.deformer, shown.look.joint, shown.look.vertex
    if joint is None:
        return Scale(Sentence("Select a joint to see its weights."))
    shares = [deformer.joint_weights(i, joint) for i in range(len(deformer.rig.parts))]
    total = sum(len(s) for s in shares)
    moved = sum(int((s != 0.0).sum()) for s in shares)
    marker = float(shares[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1"))
    vertices = count(total, "vertex")
    words = Sentence(
        "{number} of {vertices} · lines every 0.25", number=spaced(moved), vertices=vertices
    )
    name = deformer.rig.nodes.label(joint)
    return Scale(Sentence("Weight of"), name, ticks, words, marker)


def _joints(shown: Shown) -> Scale:
    """Explain the colours of joints: those at the selected vertex, around the selected joint, or of all."""
    deformer, joint, vertex = shown.deformer, shown.look.joint, shown.look.vertex
    parts = [i for i, part in enumerate(deformer.rig.parts) if part.node not in shown.look.hidden]
    if vertex is not None:
        only = np.zeros(len(deformer.bindings[vertex[0]].weights))
        only[vertex[1]] = 1.0
        found = _swatches(shown, [_pull(deformer, vertex[0], only)], lambda weight: f"{weight:.3g}")
        return Scale(
            Sentence("Weights of"), Sentence("vertex {number}", number=vertex[1]), swatches=found
        )
    if joint not in deformer.skeleton.places:
        pulls = [_pull(deformer, i, np.ones(len(deformer.bindings[i].weights))) for i in parts]
        words = count(len(deformer.skeleton.joints), "joint")
        return Scale(
            Sentence("Weights of"),
            Sentence("all joints"),
            words=words,
            swatches=_swatches(shown, pulls),
        )
    weights = {i: deformer.joint_weights(i, joint) for i in parts}
    pulls = [_pull(deformer, i, held) for i, held in weights.items()]
    moved = sum(int((held != 0.0).sum()) for held in weights.values())
    name, words = deformer.rig.nodes.label(joint), count(moved, "vertex")
    return Scale(Sentence("Weights around"), name, words=words, swatches=_swatches(shown, pulls))


def _pull(deformer: Deformer, number: int, counted: FloatArray) -> FloatArray:
    """Return ``(J,)`` the sum of each joint's weights in a part, each vertex counted ``(V,)`` times."""
    skin, binding = deformer.skin_of(deformer.rig.parts[number]), deformer.bindings[number]
    result = np.zeros(len(deformer.skeleton.joints))
    if skin is None:
        return result
    joints = deformer.rig.skins[skin].joints
    places = np.array([deformer.skeleton.places[node] for node in joints])
    pull = binding.weights * counted[:, None]
    np.add.at(result, places, np.bincount(binding.joints.ravel(), pull.ravel(), len(joints)))
    return result


def _percent(share: float) -> str:
    """Return a share of all in whole per cent, what is less than one told from nothing."""
    return f"{100.0 * share:.0f} %" if share >= 0.005 else "<1 %"


def _swatches(
    shown: Shown, pulls: Sequence[FloatArray], say: Callable[[float], str] | None = None
) -> tuple[Swatch, ...]:
    """Return the colours of joints that pull, the strongest first.

    Parameters
    ----------
    pulls
        Per part what each joint has of the weights, ``(J,)``.
    say
        Writes what a joint has; its share of all in per cent where None.
    """
    deformer = shown.deformer
    pull = np.sum([np.zeros(len(deformer.skeleton.joints)), *pulls], axis=0)
    order = [int(i) for i in np.argsort(-pull, kind="stable") if pull[i] > 0.0]
    colours, total = joint_colours(deformer, shown.look), float(pull[order].sum())
    return tuple(
        Swatch(
            hex_of(tuple(colours[i])),
            deformer.rig.nodes.label(int(deformer.skeleton.joints[i])),
            _percent(pull[i] / total) if say is None else say(float(pull[i])),
        )
        for i in order
    )


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
    vertices = count(len(everything), "vertex")
    words = Sentence(
        "{number} of {vertices} have more than 4", number=spaced(four), vertices=vertices
    )
    return Scale(Sentence("Influences"), Sentence("per vertex"), ticks, words, marker)


def _mask(shown: Shown) -> Scale:
    """Explain the painted mask."""
    rig, vertex = shown.deformer.rig, shown.look.vertex
    masks = [mask_of(rig, part) for part in rig.parts]
    everything = np.concatenate([np.zeros(0), *masks])
    less = int((everything < 1.0).sum())
    marker = float(masks[vertex[0]][vertex[1]]) if vertex is not None else None
    ticks = ((0.0, ">0"), (0.5, "0.5"), (1.0, "1"))
    vertices = count(len(everything), "vertex")
    words = Sentence("{number} of {vertices} below 1", number=spaced(less), vertices=vertices)
    return Scale(Sentence("Compensation"), Sentence("mask"), ticks, words, marker)


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
    words = Sentence("mm outward · ends at {share} of size", share=share)
    return Scale(Sentence("Distance to"), first, ends, words)


def _heat(shown: Shown) -> Scale:
    """Explain how far the measure has gone to its limit."""
    row = MEASURES[shown.look.measure]

    def place(value: float) -> float:
        return float(row.severity(np.array(value))) / TOP

    ticks = [
        (0.0, _unchanged(row)),
        (place(row.limit), Sentence("{value} limit", value=limit_said(row.id, row.limit))),
    ]
    if row.error is not None and place(row.error) < 1.0:
        ticks.append(
            (place(row.error), Sentence("{value} error", value=limit_said(row.id, row.error)))
        )
    end = row.unchanged + TOP * (row.limit - row.unchanged)
    ticks.append((1.0, f"≥{limit_said(row.id, end)}"))
    words = Sentence("one scale in all panes · line at the limit")
    return Scale(Sentence("Heat"), Sentence(row.title), tuple(ticks), words, has_none=False)


def _unchanged(row: Measure) -> str:
    return limit_said(row.id, row.unchanged) if row.unit != "×" or row.id == "volume" else "1×"


def _comparing(shown: Shown) -> Scale:
    """Explain what changed since another rig."""
    if shown.changes is None:
        return Scale(Sentence("Compare with another file to see what changed."))
    return changes_scale(shown.look.shading, shown.changes)


def changes_scale(shading: Shading, changes: Changes) -> Scale:
    """Explain the colours of what changed since another rig."""
    apart = [heat.label for heat in changes.incomparable]
    said = []
    if apart:
        names = escape.label(apart[0]) if len(apart) == 1 else count(len(apart), "mesh")
        said = [Sentence("{meshes} cannot be compared", meshes=names)]
    if shading == "reweighted":
        end, name = 100.0 * changes.weight_end, Sentence("% of weight")
        many = sum(tally(h.reweighted, REWEIGHTED).changed for h in changes.parts)
        said.append(
            Sentence(
                "{vertices} changed, at most {share:.3g} %",
                vertices=count(many, "vertex"),
                share=100.0 * changes.most_reweighted,
            )
        )
    else:
        end, name = 100.0 * changes.displacement_end, Sentence("% of size")
        many = sum(tally(h.displaced, DISPLACED * changes.size).changed for h in changes.parts)
        said.append(
            Sentence(
                "{vertices} moved, at most {length}",
                vertices=count(many, "vertex"),
                length=length_words(changes.most_displaced),
            )
        )
    ticks = tuple((i / 4, f"{end * i / 4:.3g}") for i in range(1, 5))
    words, colours = joined(said, "{first} · {rest}"), SCALARS[shading].colour_map
    return Scale(Sentence("Changed"), name, ((0.0, ">0"), *ticks), words, colour_map=colours)


# A shading by numbers is a row here and in `scalars`, one by colours here and in `tints`.
_SCALES: dict[Shading, Callable[[Shown], Scale]] = {
    "weights": _weights,
    "joints": _joints,
    "count": _count,
    "mask": _mask,
    "difference": _difference,
    "heat": _heat,
    **dict.fromkeys(COMPARING, _comparing),
}
