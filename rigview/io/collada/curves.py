"""The curve of one <sampler>: keys with linear, Bézier, Hermite or stepped segments."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.collada.elements import children
from rigview.io.collada.tree import ColladaDocument
from rigview.io.curves import HELD, THIRD, CurveGroup, cubics

# Of a segment: an inner point so near to a third of it is there.
_ROUNDED = 1e-12
_KNOWN = ("LINEAR", "STEP", "BEZIER", "HERMITE")
# Autodesk's FBX SDK: its 1-D tangents are slopes a second, 0 for a curve that stays at 1.
_WRITES_SLOPES = "FBX COLLADA"


@dataclass(frozen=True, eq=False)
class ColladaCurve:
    """Values over time.

    Parameters
    ----------
    group
        A curve for each number.
    kinds
        Per key how the segment after it runs.
    """

    group: CurveGroup
    kinds: tuple[str, ...]

    @property
    def times(self) -> FloatArray:
        """``(n,)`` seconds of its keys, ascending."""
        return self.group.times

    @property
    def width(self) -> int:
        """How many numbers a key has."""
        return len(self.group.values)

    @property
    def is_linear(self) -> bool:
        """Whether every segment is a straight line."""
        return all(kind == "LINEAR" for kind in self.kinds)

    @property
    def is_stepped(self) -> bool:
        """Whether every segment holds its first key."""
        return all(kind == "STEP" for kind in self.kinds)

    @property
    def breaks(self) -> FloatArray:
        """``(m,)`` ascending times between which it is smooth: its keys, and the ends of what is held."""
        first, last = self.times[[0, -1]]
        return self.group.breaks(self._rows, float(first), float(last))

    def at(self, times: FloatArray) -> FloatArray:
        """Return ``(t, c)`` values, clamped to the first and the last key."""
        return self.group.at(self._rows, times).T

    @property
    def _rows(self) -> IntArray:
        return np.arange(self.width)


def _curve(
    times: FloatArray,
    values: FloatArray,
    kinds: tuple[str, ...],
    arrives: FloatArray | None,
    leaves: FloatArray | None,
) -> ColladaCurve:
    """Return a curve of ``(n,)`` times and ``(n, c)`` values.

    Parameters
    ----------
    arrives, leaves
        ``(n, c, 2)`` control points (time, value) before and after each key.
    """
    rows, length = values.T, np.diff(times)
    of = np.array(kinds[:-1], dtype=np.str_)
    curved = np.broadcast_to((of == "BEZIER") | (of == "HERMITE"), rows[:, 1:].shape)
    held = (of == "STEP") & np.ones(rows[:, 1:].shape, dtype=np.bool_)
    out, back, weights = np.zeros(held.shape), np.zeros(held.shape), None
    if arrives is not None and leaves is not None and curved.any():
        out, back = leaves[:-1, :, 1].T - rows[:, :-1], rows[:, 1:] - arrives[1:, :, 1].T
        reach = np.stack([leaves[:-1, :, 0].T - times[:-1], times[1:] - arrives[1:, :, 0].T], -1)
        # Control points beyond the keys in time would make the curve turn back.
        shares = np.clip(reach / length[:, None], 0.0, 1.0)
        thirds = np.isclose(shares, THIRD, rtol=0.0, atol=_ROUNDED) | ~curved[..., None]
        weights = np.where(thirds, THIRD, shares)
    pieces = cubics(rows, curved, held, out, back)
    # What is held until a key of the same value does not jump there.
    jumps = np.stack([np.zeros_like(held), held & (rows[:, 1:] != rows[:, :-1])], axis=-1)
    slopes = np.zeros((len(rows), 2))
    return ColladaCurve(CurveGroup(times, rows, pieces, weights, jumps, slopes, HELD, HELD), kinds)


def read_curve(document: ColladaDocument, sampler: Element) -> ColladaCurve | None:
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
    return _curve(
        times[keep],
        values[keep],
        tuple(
            kind if kind in _KNOWN else "LINEAR" for kind, k in zip(kinds, keep, strict=True) if k
        ),
        None if arrives is None else arrives[keep],
        None if leaves is None else leaves[keep],
    )


def _tangents(
    document: ColladaDocument,
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
