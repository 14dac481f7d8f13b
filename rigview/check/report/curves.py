"""What the methods cost the shape over each clip, and its curves as SVG."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core import escape
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.measures.quantities import QUANTITIES
from rigview.core.measures.scan import Comparison, scan
from rigview.core.measures.shape_metrics import ShapeMeter
from rigview.core.rig import Rig
from rigview.core.skinning import DEFAULT_PANES, METHODS

# A report of more clips than this is no longer read; the rest is told in words.
MOST_CLIPS = 6
# Even times looked at: as many as a curve of this width can show.
TIMES = 41
# What is drawn: the quantity, and which of its figures.
_DRAWN = (("volume", "volume"), ("bulge", "bulge_99"))
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 480.0, 150.0, 44.0, 22.0, 20.0
# Dashes tell the methods apart where colours do not.
_DASHES = ("none", "6 3", "2 2")


@dataclass(frozen=True)
class Plot:
    """One quantity over one clip.

    Parameters
    ----------
    unit
        What one is: "×" or "share".
    times
        Seconds, ascending.
    series
        (method's label, one value per time); None where it cannot be said.
    marks
        Times of findings in the clip.
    """

    title: str
    unit: str
    times: tuple[float, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]
    marks: tuple[float, ...] = ()


def plots(rig: Rig, marks: Sequence[tuple[str, float]] = ()) -> tuple[Plot, ...]:
    """Measure volume and bulge over the first clips under the methods that panes show.

    Parameters
    ----------
    marks
        (clip's name, time) of findings.
    """
    deformer = Deformer(rig, "normalised")
    if not deformer.skins:
        return ()
    meter = ShapeMeter(deformer)
    return tuple(
        plot
        for clip in rig.clips[:MOST_CLIPS]
        for plot in _of_clip(meter, clip, tuple(t for name, t in marks if name == clip.name))
    )


def _of_clip(meter: ShapeMeter, clip: Clip, marks: tuple[float, ...]) -> Iterator[Plot]:
    if not clip.end > clip.start:
        return
    times = np.linspace(clip.start, clip.end, TIMES)
    scanned = scan(meter, clip, Comparison(tuple(DEFAULT_PANES)), times=times)
    for quantity, column in _DRAWN:
        row = QUANTITIES[quantity]
        series = tuple(
            (METHODS[method].label, _said(curves.figures[column]))
            for method, curves in scanned.curves.items()
        )
        if any(value is not None for _, values in series for value in values):
            title = f"{row.label}, {clip.name or 'unnamed clip'}"
            yield Plot(title, row.unit, tuple(map(float, times)), series, marks)


def _said(values: FloatArray) -> tuple[float | None, ...]:
    return tuple(float(v) if np.isfinite(v) else None for v in values)


def as_svg(plot: Plot) -> str:
    """Return a plot as an SVG element; colours are the page's variables ``--line0`` and on."""
    values = [v for _, row in plot.series for v in row if v is not None]
    low, high = min(values), max(values)
    # A flat curve is drawn in the middle, and noise is not blown up to a mountain range.
    room = max(high - low, 0.02)
    low, high = 0.5 * (low + high - 1.1 * room), 0.5 * (low + high + 1.1 * room)
    start, end = plot.times[0], plot.times[-1]

    def x(time: float) -> float:
        return _LEFT + (_WIDTH - _LEFT) * (time - start) / (end - start)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    parts = [
        f'<svg viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img">',
        f"<title>{escape.html(plot.title)}</title>",
        f'<text x="0" y="12">{escape.html(plot.title)}</text>',
    ]
    for value in (low, 0.5 * (low + high), high):
        parts.append(f'<path class="grid" d="M{_LEFT:g} {y(value):.1f}H{_WIDTH:g}"/>')
        parts.append(f'<text x="0" y="{y(value) + 4.0:.1f}">{_figure(value, plot.unit)}</text>')
    parts += [
        f'<text x="{_LEFT:g}" y="{_HEIGHT - 4:g}">{start:.2f} s</text>',
        f'<text x="{_WIDTH:g}" y="{_HEIGHT - 4:g}" text-anchor="end">{end:.2f} s</text>',
    ]
    for time in plot.marks:
        mark = x(min(max(time, start), end))
        parts.append(f'<path class="mark" d="M{mark:.1f} {_TOP:g}V{_HEIGHT - _BOTTOM:g}"/>')
    for i, (label, row) in enumerate(plot.series):
        style = f'stroke="var(--line{i})" stroke-dasharray="{_DASHES[i % len(_DASHES)]}"'
        parts.append(f'<path class="curve" {style} d="{_path(plot.times, row, x, y)}"/>')
        at = 2.0 * _LEFT + 110.0 * i
        parts.append(f'<path class="curve" {style} d="M{at:g} {_HEIGHT - 8:g}h18"/>')
        parts.append(f'<text x="{at + 22.0:g}" y="{_HEIGHT - 4:g}">{escape.html(label)}</text>')
    return "".join((*parts, "</svg>"))


def _path(
    times: Sequence[float],
    row: Sequence[float | None],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> str:
    """Return the path of a curve, broken where a value is missing."""
    commands, pen = [], "M"
    for time, value in zip(times, row, strict=True):
        if value is None:
            pen = "M"
            continue
        commands.append(f"{pen}{x(time):.1f} {y(value):.1f}")
        pen = "L"
    return "".join(commands)


def _figure(value: float, unit: str) -> str:
    return f"{100.0 * value:.1f} %" if unit == "share" else f"{value:.3f} {unit}"
