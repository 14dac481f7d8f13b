"""Save a BVH: replace the names, offsets and rows of motion that changed; keep all other text."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.placement import length_factor
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.io.bvh.hierarchy import Joint, end_name, read_hierarchy
from rigview.io.bvh.motion import column_axes, read_motion
from rigview.io.bvh.reader import NAME, decoded, load
from rigview.io.bvh.words import Span, Tokens, without_comments
from rigview.io.files import write_together
from rigview.io.original import own
from rigview.io.reading import Listener, Loaded, SaveError, quoted
from rigview.io.reopened import write_proved

_WORD = re.compile(r"\S+")
# Digits of a number that is written; exporters write six.
_DIGITS = 10
# Angles of one joint that are nearer to a pole than this, as a sine, leave one of them open.
_POLE = 1e-9


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the .bvh file that was opened.

    An unchanged rig is the source byte for byte.

    Raises
    ------
    SaveError
        If it was read from something else, or a BVH cannot hold a change.
    """
    data = own(loaded.source, NAME).read()
    if rig is loaded.rig:
        write_together({out: data})
        return ()
    text, encoding = decoded(data)
    document = _Document(loaded.path, text, loaded.rig, rig)
    changed = document.amended()
    try:
        content = changed.encode(encoding)
    except UnicodeEncodeError:
        raise SaveError("a new name has letters that the file's encoding lacks") from None
    wanted = _with_end_names(rig, document.joints, out.stem)
    write_proved({out: content}, out, wanted, lambda path: load(path, Listener()).rig)
    return ()


def _with_end_names(rig: Rig, joints: list[Joint], clip: str) -> Rig:
    """Return the rig with the names that the text does not state: of end sites, and of the clip."""
    names = [*rig.nodes.names]
    for node, joint in enumerate(joints):
        if joint.name_at is None and joint.parent >= 0:
            names[node] = end_name(names[joint.parent])
    clips = tuple(replace(found, name=clip) for found in rig.clips)
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names)), clips=clips)


class _Document:
    """The text of a file, and where its parts stand."""

    def __init__(self, path: Path, text: str, old: Rig, new: Rig) -> None:
        self._text, self._old, self._new = text, old, new
        notes: list[str] = []
        tokens = Tokens(path, without_comments(text, notes), notes)
        self.joints = read_hierarchy(tokens, int).joints
        read_motion(tokens, self.joints, "")
        self._motion, self._plain = tokens.end, tokens.text
        self._words: dict[Span, str] = {}

    def amended(self) -> str:
        """Return the text with all that is another replaced.

        Raises
        ------
        SaveError
            If a BVH cannot hold a change.
        """
        self._refuse()
        self._names()
        self._offsets()
        self._rows()
        parts, at = [], 0
        for (start, end), word in sorted(self._words.items()):
            parts += [self._text[at:start], word]
            at = end
        return "".join([*parts, self._text[at:]])

    def _refuse(self) -> None:
        """Refuse other joints, parents, axes and scales at rest, and clips."""
        old, new = self._old.nodes, self._new.nodes
        if len(old) != len(new) or old.parents != new.parents:
            raise SaveError(
                "a BVH states joints by their nesting, which is not changed; glTF can hold it"
            )
        if length_factor(self._old, self._new) != 1.0:
            raise SaveError(
                "all lengths would change, and a BVH states no unit: open it with another unit (--unit, "
                "File > Unit and axes) instead, or save a glTF"
            )
        for node in range(len(old)):
            turned = 1.0 - abs(float(old.rotations[node] @ new.rotations[node])) > 1e-12
            if turned or not np.allclose(old.scales[node], new.scales[node]) or new.matrices:
                raise SaveError(
                    f"{new.label(node)} would rest turned or scaled, and joints of a BVH have the axes of "
                    "the world; glTF can hold it"
                )
        if len(self._old.clips) != len(self._new.clips) or any(
            any(mesh is not None for mesh in rig.node_meshes) for rig in (self._old, self._new)
        ):
            raise SaveError("a BVH holds one clip and no mesh; glTF can hold this rig")

    def _names(self) -> None:
        for node, joint in enumerate(self.joints):
            name = self._new.nodes.names[node]
            if name == joint.name or joint.name_at is None:
                continue
            if not name or re.search(r"[\s{}]", name) or name.startswith(("#", "//")):
                raise SaveError(
                    f"a joint of a BVH cannot be called {quoted(name)!r}; glTF can hold it"
                )
            self._words[joint.name_at] = name

    def _offsets(self) -> None:
        old, new = self._old.nodes.translations, self._new.nodes.translations
        for node in np.flatnonzero(np.any(old != new, axis=1)).tolist():
            spans = self.joints[node].offset_at
            if len(spans) != 3:
                raise SaveError(f"{self._new.nodes.label(node)} states no OFFSET; glTF can hold it")
            for axis in np.flatnonzero(old[node] != new[node]).tolist():
                self._words[spans[axis]] = _number(new[node, axis] / self._old.origin.unit_m)

    def _rows(self) -> None:
        """Replace numbers of the motion of each joint that moves otherwise."""
        if not self._old.clips:
            return
        clips = self._old.clips[0], self._new.clips[0]
        if clips[0] is clips[1]:
            return
        spans = [found.span() for found in _WORD.finditer(self._plain, self._motion)]
        width = sum(len(joint.channels) for joint in self.joints)
        start = 0
        for node, joint in enumerate(self.joints):
            columns = start + np.arange(len(joint.channels))
            start += len(columns)
            for kind, path in (("position", "translation"), ("rotation", "rotation")):
                curves = [_curve(clip, node, path) for clip in clips]
                if curves[0] is None and curves[1] is None:
                    continue
                frames = self._changed(node, *curves)
                if not len(frames):
                    continue
                if len(spans) != width * len(clips[0].key_times):
                    raise SaveError(
                        "rows of unequal lengths are not rewritten; glTF can hold the motion"
                    )
                axes = column_axes(joint.channels, kind)
                values = curves[1].values[frames] if curves[1] is not None else np.zeros((0, 3))
                numbers = self._numbers(node, kind, axes, values)
                for row, frame in enumerate(frames.tolist()):
                    for place, (column, _) in enumerate(axes):
                        span = spans[frame * width + int(columns[column])]
                        self._words[span] = _number(numbers[row, place])

    def _changed(self, node: int, old: Sampler | None, new: Sampler | None) -> IntArray:
        """Return the frames at which a curve of a joint is another.

        Raises
        ------
        SaveError
            If it has other keys: the rows of a BVH are those of all joints.
        """
        if old is None or new is None or not np.array_equal(old.times, new.times):
            raise SaveError(
                f"{self._new.nodes.label(node)} would have keys of its own, and all joints of a BVH share "
                "their rows; glTF can hold it"
            )
        unknown = np.isnan(old.values) & np.isnan(new.values)
        alike = np.all((old.values == new.values) | unknown, axis=1)
        if old.values.shape[1] == 4:  # a quaternion and its negative are one
            alike |= np.all(old.values == -new.values, axis=1)
        return np.flatnonzero(~alike)

    def _numbers(
        self, node: int, kind: str, axes: list[tuple[int, int]], values: FloatArray
    ) -> FloatArray:
        """Return ``(n, c)`` the numbers of the columns of a joint's positions or rotations."""
        if kind == "position":
            others = [axis for axis in range(3) if axis not in [a for _, a in axes]]
            rest = self._new.nodes.translations[node]
            if np.any(np.abs(values[:, others] - rest[others]) > 1e-9):
                raise SaveError(
                    f"{self._new.nodes.label(node)} would move along an axis that it has no channel for; "
                    "glTF can hold it"
                )
            return values[:, [axis for _, axis in axes]] / self._old.origin.unit_m
        order = [axis for _, axis in axes]
        if sorted(order) != [0, 1, 2]:
            raise SaveError(
                f"{self._new.nodes.label(node)} does not have three channels of rotation; glTF can hold it"
            )
        return np.degrees(_angles(quat.to_matrix(values), order))


def _curve(clip: Clip, node: int, path: str) -> Sampler | None:
    return next((c.sampler for c in clip.of_node(node) if c.path == path), None)


def _number(value: float) -> str:
    """Return a number in few digits."""
    text = f"{value:.{_DIGITS}g}"
    return "0" if text == "-0" else text


def _angles(turns: FloatArray, order: list[int]) -> FloatArray:
    """Return ``(n, 3)`` radians about three axes that make rotations ``(n, 3, 3)``, in that order.

    With R = A(i, a)·A(j, b)·A(k, c) and s = ±1 for an even or odd order: sin b = s·R_ik,
    tan a = −s·R_jk / R_kk, tan c = −s·R_ij / R_ii. At a pole c is 0 and a takes the whole turn.
    """
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    sine = np.clip(sign * turns[:, i, k], -1.0, 1.0)
    result = np.zeros((len(turns), 3))
    result[:, 1] = np.arcsin(sine)
    free = np.sqrt(np.maximum(0.0, 1.0 - sine**2)) > _POLE
    first = np.arctan2(-sign * turns[:, j, k], turns[:, k, k])
    third = np.arctan2(-sign * turns[:, i, j], turns[:, i, i])
    whole = np.arctan2(sign * turns[:, k, j], turns[:, j, j])
    result[:, 0] = np.where(free, first, whole)
    result[:, 2] = np.where(free, third, 0.0)
    return result
