"""Motion of a node that no curve of the file can be turned into: keys written anew.

Keys stand at those of the rig and, where neither lines nor cubics between them hold the rig's motion
within a limit, at as many more as do (`key_rows`). What the copy then holds is said with the number of
keys and the largest error.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.sampler import Path, Sampler
from rigview.io.fbx.amend import new_curves
from rigview.io.fbx.amend.change import FbxChange, Resampled
from rigview.io.fbx.amend.key_rows import KeyRows, fitted, rounded
from rigview.io.fbx.amend.terms import Terms, continuous_angles, in_file
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION
from rigview.io.reading import SaveError, quoted

_PATHS: dict[str, Path] = {TRANSLATION: "translation", ROTATION: "rotation", SCALE: "scale"}
_ALL: tuple[Path, ...] = ("translation", "rotation", "scale")
# Of the size, of a radian, of a scale: errors of joints add up along a chain, and a copy may be off by 1e-5
# in all (`posed_alike`).
_LIMIT = 2e-6


@dataclass(frozen=True, eq=False)
class MovingNode:
    """One node whose motion is written anew.

    Parameters
    ----------
    number
        In the file's hierarchy.
    terms
        Of the copy.
    scale
        ``(3,)`` the file's scale for one of the rig's.
    """

    change: FbxChange
    number: int
    terms: Terms
    scale: FloatArray

    def write(self) -> set[tuple[str, int]]:
        """Write its curves in all clips that differ; return (property, clip) of those."""
        written = set()
        clips = zip(self.change.old.clips, self.change.new.clips, strict=True)
        for number, (was, now) in enumerate(clips):
            for name in self._differing(was, now):
                self._curve(name, number, now)
                written.add((name, number))
        return written

    def write_added(self) -> None:
        """Write its curves in all clips that the file does not have."""
        first = len(self.change.old.clips)
        for number, clip in enumerate(self.change.added, first):
            for name, path in _PATHS.items():
                turns_about = name == TRANSLATION and self.terms.is_pivoted
                paths = _ALL if turns_about else (path,)
                if any(clip.curve(self._node, own) is not None for own in paths):
                    self._curve(name, number, clip)

    @property
    def _node(self) -> int:
        return int(self.change.reading.hierarchy.node_of[self.number])

    @property
    def _name(self) -> str:
        return quoted(self.change.reading.hierarchy.names[self.number])

    def _differing(self, was: Clip, now: Clip) -> list[str]:
        """Return the properties whose curve in a clip is another."""
        result: list[str] = []
        for name in (ROTATION, SCALE, TRANSLATION):
            before, after = (clip.curve(self._node, _PATHS[name]) for clip in (was, now))
            turned = name == TRANSLATION and self.terms.is_pivoted and bool(result)
            if (after is not None or turned) and not _are_same(before, after):
                result.append(name)
        return result

    def _local(self, clip: Clip, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the file's translations, rotations and scales of the whole product at some times."""
        nodes, node = self.change.new.nodes, self._node
        rest = (nodes.translations[node], nodes.rotations[node], nodes.scales[node])
        rows = []
        for path, value in zip(_ALL, rest, strict=True):
            curve = clip.curve(node, path)
            if curve is None:
                rows.append(np.broadcast_to(value, (len(times), len(value))))
            else:
                rows.append(curve.at(times, rotation=path == "rotation"))
        is_root = nodes.parents[node] < 0
        t, q = in_file(self.change.reading.hierarchy, rows[0], rows[1], is_root=is_root)
        return t, q, rows[2] * self.scale

    def _curve(self, name: str, number: int, clip: Clip) -> None:
        steps, times = self._times(name, clip)
        values_at, off_at = self._stated(name, clip)
        try:
            if steps:
                keys = KeyRows(times, rounded(values_at(times)), steps=True)
            else:
                keys = fitted(values_at, off_at, times, _LIMIT)
        except SaveError as error:
            raise SaveError(f"the {_PATHS[name]} of {self._name} in {clip.name}: {error}") from None
        before = new_curves.write(self.change, self.number, name, number, keys)
        if number >= len(self.change.old.clips):
            before = len(times)
        self.change.resampled.append(
            Resampled(clip.name, self._name, _PATHS[name], before, len(keys.times), keys.off)
        )

    def _times(self, name: str, clip: Clip) -> tuple[bool, FloatArray]:
        """Return whether a curve jumps from key to key, and the times of its first keys."""
        pivoted = name == TRANSLATION and self.terms.is_pivoted
        paths = _ALL if pivoted else (_PATHS[name],)
        curves = [c for path in paths if (c := clip.curve(self._node, path)) is not None]
        steps = {curve.interpolation == "STEP" for curve in curves}
        if len(steps) > 1:
            raise SaveError(
                f"the {_PATHS[name]} of {self._name} in {clip.name} jumps while its pivots turn"
            )
        ticks = self.change.reading.hierarchy.settings.ticks
        times = np.unique(np.concatenate([curve.times for curve in curves]))
        return steps == {True}, np.unique(np.round(times * ticks)) / ticks

    def _stated(
        self, name: str, clip: Clip
    ) -> tuple[Callable[[FloatArray], FloatArray], Callable[[FloatArray, FloatArray], FloatArray]]:
        """Return what gives a property at times, and how far off values are."""
        terms = self.terms
        if name == ROTATION:

            def angles(times: FloatArray) -> FloatArray:
                turned = terms.turns(self._local(clip, times)[1])
                return continuous_angles(turned, terms.r, terms.order)

            def turned_off(times: FloatArray, values: FloatArray) -> FloatArray:
                found = terms.of_angles(values)
                wanted = terms.turns(self._local(clip, times)[1])
                return quat.angle_between(found, wanted)

            return angles, turned_off

        def rows(times: FloatArray) -> FloatArray:
            t, q, s = self._local(clip, times)
            return s if name == SCALE else terms.places(t, q, s)

        def off(times: FloatArray, values: FloatArray) -> FloatArray:
            wanted = rows(times)
            far: FloatArray = np.abs(values - wanted).max(axis=1)
            if name == SCALE:
                return far / np.abs(wanted).max()
            return far * self._lengths

        return rows, off

    @property
    def _lengths(self) -> float:
        """Shares of the rig's size that a unit of the node's translation is."""
        change, parent = self.change, self.change.new.nodes.parents[self._node]
        above = np.eye(3) if parent < 0 else change.rest_frames[parent][:3, :3]
        largest = float(np.linalg.norm(above, 2))
        return change.reading.hierarchy.settings.unit_m * largest / change.size


def _are_same(before: Sampler | None, after: Sampler | None) -> bool:
    if before is None or after is None or before is after:
        return before is after and before is not None
    return (
        before.interpolation == after.interpolation
        and np.array_equal(before.times, after.times)
        and np.array_equal(before.values, after.values)
    )
