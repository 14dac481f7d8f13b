"""The curve of one <sampler>: keys with linear, Bézier, Hermite or stepped segments."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.collada.elements import children
from rigview.io.collada.tree import Document
from rigview.io.sampling import just_before

# Halvings of the parameter interval of a Bézier segment: below float64's spacing after these.
_HALVINGS = 48
_KNOWN = ("LINEAR", "STEP", "BEZIER", "HERMITE")
# Autodesk's FBX SDK: its 1-D tangents are slopes a second, 0 for a curve that stays at 1.
_WRITES_SLOPES = "FBX COLLADA"


@dataclass(frozen=True, eq=False)
class Curve:
    """Values over time.

    Parameters
    ----------
    times, values
        ``(n,)`` seconds, ascending; ``(n, c)``.
    kinds
        Per key how the segment after it runs.
    arrives, leaves
        ``(n, c, 2)`` control points (time, value) before and after each key; None without any.
    """

    times: FloatArray
    values: FloatArray
    kinds: tuple[str, ...]
    arrives: FloatArray | None = None
    leaves: FloatArray | None = None

    @property
    def is_linear(self) -> bool:
        """Tell whether every segment is a straight line."""
        return all(kind == "LINEAR" for kind in self.kinds)

    @property
    def is_stepped(self) -> bool:
        """Tell whether every segment holds its first key."""
        return all(kind == "STEP" for kind in self.kinds)

    @property
    def breaks(self) -> FloatArray:
        """``(m,)`` ascending times between which it is smooth: its keys, and the ends of what is held."""
        held = np.array(self.kinds[:-1]) == "STEP"
        held &= np.any(self.values[1:] != self.values[:-1], axis=1)
        return np.unique(np.concatenate([self.times, just_before(self.times[1:][held])]))

    def at(self, times: FloatArray) -> FloatArray:
        """Return ``(t, c)`` values, clamped to the first and the last key."""
        last = len(self.times) - 1
        if not last:
            return np.repeat(self.values, len(times), axis=0)
        t = np.clip(times, self.times[0], self.times[-1])
        left = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, last - 1)
        length = self.times[left + 1] - self.times[left]
        u = ((t - self.times[left]) / length)[:, None]
        result = self.values[left] + u * (self.values[left + 1] - self.values[left])
        kinds = np.array(self.kinds)[left]
        step = kinds == "STEP"
        result[step] = np.where(u < 1.0, self.values[left], self.values[left + 1])[step]
        curved = np.flatnonzero((kinds == "BEZIER") | (kinds == "HERMITE"))
        if len(curved) and self.arrives is not None and self.leaves is not None:
            tangents = self.arrives, self.leaves
            result[curved] = self._curved(left[curved], t[curved], tangents)
        return result

    def _curved(
        self, left: IntArray, t: FloatArray, tangents: tuple[FloatArray, FloatArray]
    ) -> FloatArray:
        """Evaluate Bézier segments: find where each reaches its time, then its value there."""
        arrives, leaves = tangents
        start, end = (
            np.stack(
                [np.broadcast_to(self.times[i][:, None], self.values[i].shape), self.values[i]], -1
            )
            for i in (left, left + 1)
        )
        points = np.stack([start, leaves[left], arrives[left + 1], end], axis=-2)
        # Control points beyond the keys in time would make the curve turn back.
        points[..., 0] = np.clip(points[..., 0], start[..., None, 0], end[..., None, 0])
        low, high = np.zeros(points.shape[:-2]), np.ones(points.shape[:-2])
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            early = _bezier(points[..., 0], middle) < t[:, None]
            low, high = np.where(early, middle, low), np.where(early, high, middle)
        return _bezier(points[..., 1], 0.5 * (low + high))


def _bezier(points: FloatArray, s: FloatArray) -> FloatArray:
    """Evaluate ``(…, 4)`` control values at ``(…)`` parameters."""
    r = 1.0 - s
    return (
        r * r * r * points[..., 0]
        + 3.0 * r * r * s * points[..., 1]
        + 3.0 * r * s * s * points[..., 2]
        + s * s * s * points[..., 3]
    )


def read_curve(document: Document, sampler: Element) -> Curve | None:
    """Read a <sampler>; None of one without keys."""
    # assimp 5.2 writes samplers of sources that it leaves out.
    if any(document.dangling(place, "source") is not None for place in children(sampler, "input")):
        document.notes.append("animation whose keys are not in the file is not played")
        return None
    sources = {i.semantic: i.source for i in document.inputs(sampler)}
    if "INPUT" not in sources or "OUTPUT" not in sources:
        raise document.error(sampler, "there are no inputs INPUT and OUTPUT")
    times = document.rows(sources["INPUT"])[:, 0]
    values = document.rows(sources["OUTPUT"], count=len(times))
    if len(times) != len(values):
        raise document.error(sampler, f"{len(values)} values for {len(times)} keys")
    if not len(times):
        return None
    kinds = ["LINEAR"] * len(times)
    if "INTERPOLATION" in sources:
        kinds = document.strings(sources["INTERPOLATION"])
        if len(kinds) != len(times):
            raise document.error(sampler, f"{len(kinds)} interpolations for {len(times)} keys")
    for kind in sorted(set(kinds) - set(_KNOWN)):
        document.notes.append(f"interpolation {kind[:20]} is played as LINEAR")
    tangents = [
        _tangents(document, sources.get(name), times, values, sign)
        for name, sign in (("IN_TANGENT", -1.0), ("OUT_TANGENT", 1.0))
    ]
    arrives, leaves = tangents
    if arrives is None or leaves is None:
        kinds = ["LINEAR" if kind in ("BEZIER", "HERMITE") else kind for kind in kinds]
    elif "HERMITE" in kinds:
        arrives, leaves = _hermite_as_bezier(times, values, kinds, arrives, leaves)
    # Of keys at one time, or out of order, the later ones do not count.
    keep = np.concatenate([[True], times[1:] > np.maximum.accumulate(times)[:-1]])
    return Curve(
        times[keep],
        values[keep],
        tuple(
            kind if kind in _KNOWN else "LINEAR" for kind, k in zip(kinds, keep, strict=True) if k
        ),
        None if arrives is None else arrives[keep],
        None if leaves is None else leaves[keep],
    )


def _tangents(
    document: Document,
    source: Element | None,
    times: FloatArray,
    values: FloatArray,
    sign: float,
) -> FloatArray | None:
    """Return ``(n, c, 2)`` control points of the three layouts that exporters write."""
    if source is None:
        return None
    rows = document.rows(source, count=len(times))
    n, c = values.shape
    if len(rows) != n:
        raise document.error(source, f"{len(rows)} tangents for {n} keys")
    if rows.shape[1] == 2 * c:
        return rows.reshape(n, c, 2)
    if rows.shape[1] == c + 1:
        return np.stack([np.broadcast_to(rows[:, :1], (n, c)), rows[:, 1:]], axis=-1)
    if rows.shape[1] == c:
        # Values only: the control points lie at a third of the segment (Collada 1.4.1, 1-D tangents).
        reach = sign * _gaps(times, sign)[:, None] / 3.0
        if document.tool.startswith(_WRITES_SLOPES):
            rows = values + reach * rows
        return np.stack([np.broadcast_to(times[:, None] + reach, (n, c)), rows], -1)
    document.notes.append("tangents of an unknown layout are ignored")
    return None


def _gaps(times: FloatArray, sign: float) -> FloatArray:
    """Return ``(n,)`` the length of the segment before (−1) or after (+1) each key."""
    gaps = np.diff(times)
    return np.concatenate([[0.0], gaps]) if sign < 0.0 else np.concatenate([gaps, [0.0]])


def _hermite_as_bezier(
    times: FloatArray,
    values: FloatArray,
    kinds: list[str],
    arrives: FloatArray,
    leaves: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Turn the tangent vectors of Hermite segments into control points a third of them away."""
    keys = np.stack([np.broadcast_to(times[:, None], values.shape), values], axis=-1)
    out = np.array([kind == "HERMITE" for kind in kinds])
    into = np.concatenate([[False], out[:-1]])
    return (
        np.where(into[:, None, None], keys - arrives / 3.0, arrives),
        np.where(out[:, None, None], keys + leaves / 3.0, leaves),
    )
