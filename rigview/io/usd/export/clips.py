"""Clips as samples at common times: USD interpolates in lines and along short arcs, nothing else."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Active, Clip
from rigview.core.pose import sample
from rigview.core.rig import Rig
from rigview.io.usd.export.names import PrimNames
from rigview.io.usd.export.plan import ClipPlan

# How far a bent curve may be from the lines that take its place: of its size, of 1 for rotations.
_OFF = 1e-6
# Into how many lines an interval between two keys is cut at most.
_MOST_PARTS = 64
# How long before a key the value jumps that is held until there, in seconds and as a share of the time.
_JUMP, _JUMP_SHARE = 1e-5, 1e-6
# Scales are stated in 16 bits.
_HALF_OFF = 1e-5


class ClipPlanner:
    """The clips of a rig.

    Parameters
    ----------
    tokens
        Node → path of its joint.
    shapes
        Node with a mesh, number of a target → name of the blend shape.
    """

    def __init__(
        self, rig: Rig, tokens: dict[int, str], shapes: dict[tuple[int, int], str]
    ) -> None:
        self._rig, self._tokens, self._shapes = rig, tokens, shapes
        self._names = PrimNames()
        self.notes: list[str] = []

    def made(self) -> Iterator[ClipPlan]:
        """Yield a clip for each of the rig's; where there is none, what has the weights at rest."""
        for number, clip in enumerate(self._rig.clips):
            yield self._clip(clip, self._names.unique(clip.name or f"clip_{number}"))
        if self._rig.clips or not np.any(self._at_rest):
            return
        none = np.zeros((0, 0, 3))
        yield ClipPlan(
            self._names.unique("at_rest"),
            np.zeros(0),
            (),
            none,
            np.zeros((0, 0, 4)),
            none,
            tuple(self._shapes.values()),
            np.zeros((0, len(self._shapes))),
            self._at_rest,
        )

    @cached_property
    def _at_rest(self) -> FloatArray:
        """``(S,)`` the weights of all shapes at rest."""
        posed = sample(self._rig, None, np.zeros(1)).morph_weights
        columns = [self._weights(posed, *key, 1) for key in self._shapes]
        return np.concatenate(columns) if columns else np.zeros(0)

    def _clip(self, clip: Clip, name: str) -> ClipPlan:
        nodes = [n for n in self._tokens if n in clip.moves]
        lost = clip.moves - set(nodes)
        if lost:
            label = self._rig.nodes.label(min(lost))
            self.notes.append(
                f"clip {clip.name}: the motion of {label}, which carries nothing, is lost"
            )
        times = self._times(clip)
        pose = sample(self._rig, clip, times)
        rotations = pose.rotations[:, nodes]
        scales = pose.scales[:, nodes]
        self._note_scales(clip, scales)
        shapes = [*dict.fromkeys(self._shapes.values())]
        columns = [self._weights(pose.morph_weights, *key, len(times)) for key in self._shapes]
        weights = np.stack(columns, axis=1) if columns else np.zeros((len(times), 0))
        return ClipPlan(
            name,
            times,
            tuple(self._tokens[n] for n in nodes),
            pose.translations[:, nodes],
            _continuous(rotations),
            scales,
            tuple(shapes),
            weights,
            self._at_rest,
        )

    def _weights(
        self, posed: dict[int, FloatArray], node: int, target: int, count: int
    ) -> FloatArray:
        found = posed.get(node)
        if found is None:
            mesh = self._rig.node_meshes[node]
            found = np.zeros(0) if mesh is None else self._rig.meshes[mesh].morph_weights
        found = np.broadcast_to(found, (count, found.shape[-1]))
        return found[:, target] if target < found.shape[1] else np.zeros(count)

    def _note_scales(self, clip: Clip, scales: FloatArray) -> None:
        off = np.abs(scales.astype(np.float16).astype(np.float64) - scales)
        share = float((off / np.maximum(np.abs(scales), 1e-9)).max(initial=0.0))
        if share > _HALF_OFF:
            self.notes.append(
                f"clip {clip.name}: USD states animated scales in 16 bits, which is off by up to "
                f"{share:.1g} of them"
            )

    def _times(self, clip: Clip) -> FloatArray:
        """Return the times of all keys, and of more where a curve bends or jumps."""
        found = [clip.key_times]
        bent = False
        for own in clip.active:
            if own.curve.interpolation == "CUBICSPLINE":
                found.append(_bends(own))
                bent = True
            elif own.curve.interpolation == "STEP" and len(own.curve.times) > 1:
                found.append(
                    own.curve.times[1:] - _JUMP - _JUMP_SHARE * np.abs(own.curve.times[1:])
                )
                bent = True
        times = np.unique(np.concatenate(found))
        if not len(times):
            return np.zeros(1)
        if bent:
            self.notes.append(
                f"clip {clip.name} has curves that bend or jump, and USD has lines: {len(times):,} samples "
                f"stand for {len(clip.key_times):,} keys"
            )
        return times


def _bends(own: Active) -> FloatArray:
    """Return times within the intervals of a spline between which it is straight enough."""
    curve, rotation = own.curve, own.path == "rotation"
    keys = curve.times
    size = 1.0 if rotation else max(1e-9, float(np.abs(curve.keys).max()))
    parts = 2
    while parts < _MOST_PARTS:
        grid = np.unique(np.concatenate([np.linspace(a, b, parts + 1) for a, b in _pairs(keys)]))
        middle = 0.5 * (grid[1:] + grid[:-1])
        values, between = curve.at(grid, rotation=rotation), curve.at(middle, rotation=rotation)
        if rotation:
            line = quat.slerp(values[:-1], values[1:], np.full(len(middle), 0.5))
            off = 1.0 - np.abs(np.einsum("nc,nc->n", line, between))
            worst = float(np.sqrt(2.0 * np.maximum(off, 0.0)).max(initial=0.0))
        else:
            worst = float(np.abs(0.5 * (values[:-1] + values[1:]) - between).max(initial=0.0))
        if worst <= _OFF * size:
            return grid
        parts *= 2
    return np.unique(np.concatenate([np.linspace(a, b, parts + 1) for a, b in _pairs(keys)]))


def _pairs(keys: FloatArray) -> list[tuple[float, float]]:
    return [*zip(keys[:-1].tolist(), keys[1:].tolist(), strict=True)] or [(float(keys[0]),) * 2]


def _continuous(turns: FloatArray) -> FloatArray:
    """Return ``(n, J, 4)`` quaternions, each of the sign that is nearer to the one before."""
    result = turns.copy()
    signs = np.where(np.einsum("njc,njc->nj", turns[1:], turns[:-1]) < 0.0, -1.0, 1.0)
    result[1:] *= np.cumprod(signs, axis=0)[..., None]
    return result
