"""Plots that count vertices: by the weight of the selected joint, or by how many joints move them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.assets import colour_map
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.text import count, spaced
from rigview.render.look import Chosen, Shading
from rigview.render.scalars import SCALARS, count_top, influence_counts
from rigview.ui.panels.charts import NOT_SKINNED, Bars, PlotInput, PlotKind
from rigview.ui.widgets.words import tr

# Bins between the weights 0 and 1; a weight at the border of two belongs to the lower one.
_BINS = 20
# What sums of weights in float32 are off by: no weight is above 1, or in another bin, for that.
_ROUNDING = 1e-6
# Bars of weights that no weight should have stand this far beside the others.
_ASIDE = 0.5


@dataclass(frozen=True)
class WeightHistogram(PlotKind):
    """Vertices by their weight of the selected joint; without one, by their number of influences."""

    def missing(self, subject: PlotInput) -> str:
        """Ask for a skin, and for a joint that has a share in it."""
        deformer, joint = subject.deformer, subject.joint
        if not deformer.skins:
            return NOT_SKINNED
        if joint is not None and not any(np.any(w) for w in _weights(deformer, joint).values()):
            return tr("{joint} moves no vertex.", joint=deformer.rig.nodes.label(joint))
        return ""

    def chart(self, subject: PlotInput) -> Bars | None:
        """Return the bars."""
        if self.missing(subject):
            return None
        if subject.joint is None:
            return influence_bars(subject.deformer)
        return weight_bars(subject.deformer, subject.joint)


def weight_bars(deformer: Deformer, joint: int) -> Bars:
    """Count the vertices that a joint has weight of; weights below 0 and above 1 have bars of their own."""
    weights = _weights(deformer, joint)
    bins = {number: weight_bin(values) for number, values in weights.items()}
    inside = range(1, _BINS + 1)
    shown = [*_found(bins, (0,)), *inside, *_found(bins, (_BINS + 1,))]
    names = {0: tr("weight below 0"), _BINS + 1: tr("weight above 1")}
    names |= {
        i: tr("weight {least:.2f} to {most:.2f}", least=(i - 1) / _BINS, most=i / _BINS)
        for i in inside
    }
    places = {0: -_ASIDE, _BINS + 1: _BINS + 1.0 + _ASIDE}
    ticks = [(i * _BINS / 4 + 0.5, f"{i / 4:g}") for i in range(5)]
    ticks += [(places[i], {0: "<0"}.get(i, ">1")) for i in shown if i not in inside]
    moved = sum(int(np.count_nonzero(found >= 0)) for found in bins.values())
    name, total = deformer.rig.nodes.label(joint), sum(map(len, bins.values()))
    ramp = _ramp("weights")
    return Bars(
        np.array([places.get(i, float(i)) for i in shown]),
        _counted(bins, shown),
        tuple(names[i] for i in shown),
        tuple(ramp((i - 0.5) / _BINS) for i in shown),
        tuple(ticks),
        tr("weight of {joint}", joint=name),
        tr("{number} of {vertices}", number=spaced(moved), vertices=count(total, "vertex")),
        lambda bar: _chosen(bins, shown[bar]),
    )


def weight_bin(weights: FloatArray) -> IntArray:
    """Return ``(V,)`` which bin each weight is in: 1 to 20 up to 1, 0 below 0, 21 above 1, −1 for none."""
    inside = np.ceil((weights - _ROUNDING) * _BINS).clip(1, _BINS + 1).astype(np.int64)
    return np.where(weights == 0.0, -1, np.where(weights < 0.0, 0, inside))


def influence_bars(deformer: Deformer) -> Bars:
    """Count the skinned vertices by how many joints move them."""
    bins = {i: influence_counts(deformer, i).astype(np.int64) for i in _skinned(deformer)}
    everything = np.concatenate([*bins.values()])
    shown = list(range(min(1, int(everything.min())), int(everything.max()) + 1))
    ramp, top = _ramp("count"), count_top(deformer)
    mean = float(everything.mean())
    return Bars(
        np.array(shown, dtype=np.float64),
        _counted(bins, shown),
        tuple(count(i, "influence") for i in shown),
        tuple(ramp(i / top) if i else "" for i in shown),
        tuple((float(i), str(i)) for i in shown),
        "influences per vertex",
        tr(
            "{vertices}, {mean:.1f} on average",
            vertices=count(len(everything), "vertex"),
            mean=mean,
        ),
        lambda bar: _chosen(bins, shown[bar]),
    )


def _skinned(deformer: Deformer) -> list[int]:
    return [i for i, part in enumerate(deformer.rig.parts) if deformer.is_skinned(part)]


def _weights(deformer: Deformer, joint: int) -> dict[int, FloatArray]:
    """Return part → ``(V,)`` the weights of a joint, of skinned parts."""
    return {i: deformer.joint_weights(i, joint) for i in _skinned(deformer)}


def _found(bins: dict[int, IntArray], wanted: Sequence[int]) -> list[int]:
    """Return which of some bins have any vertex."""
    return [i for i in wanted if any(np.any(found == i) for found in bins.values())]


def _counted(bins: dict[int, IntArray], shown: Sequence[int]) -> IntArray:
    everything = np.concatenate([*bins.values()])
    return np.array([np.count_nonzero(everything == i) for i in shown], dtype=np.int64)


def _chosen(bins: dict[int, IntArray], wanted: int) -> Chosen:
    found = ((part, np.flatnonzero(values == wanted)) for part, values in bins.items())
    return tuple((part, tuple(ids.tolist())) for part, ids in found if len(ids))


def _ramp(shading: Shading) -> Callable[[float], str]:
    """Return what gives the colours, by place 0…1, that a shading of the panes has."""
    colours = colour_map(SCALARS[shading].colour_map)
    return lambda place: colours[round(255 * min(max(place, 0.0), 1.0))]
