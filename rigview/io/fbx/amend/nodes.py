"""Frames and rest poses written as FBX states them: pre- and post-rotations, pivots, and Lcl properties.

With the terms of `transform`, ``P · L · Q`` of rotations P, Q and factors p, q is the same product of

* Rpre' = P·Rpre, T' = p P·T, Roff' = p P·(Roff + Rp) − Rp, and what P moves beside that;
* Rpost' = Q⁻¹·Rpost, S' = p q S, Sp' = Q⁻¹·Sp / q, Soff' = p Q⁻¹·(Soff + Sp − Rp) + Rp − Sp',

where S is one number if Q turns. A joint that no curve turns takes Q in its pre-rotation too.
"""

from dataclasses import replace

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.io.fbx.amend import curves, new_clips, new_curves
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.frames import NodeChange, find_frames
from rigview.io.fbx.amend.half_turns import half_turns
from rigview.io.fbx.amend.half_turns import turned as half_turned
from rigview.io.fbx.amend.key_rows import KeyRows, rounded
from rigview.io.fbx.amend.moving import MovingNode
from rigview.io.fbx.amend.terms import Terms, in_file, near, read_terms
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION
from rigview.io.fbx.objects import Element
from rigview.io.fbx.reader import FbxReading
from rigview.io.fbx.transform import to_euler
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

_LCL = {TRANSLATION: "translation", ROTATION: "rotation", SCALE: "scale"}
# Shares of the largest number: less is rounding and left as it is.
_ROUNDING = 1e-9
# A share of the translation: what a frame may be off its joint by.
SHIFT = 1e-6
# Shares of a scale: its components are one number that 32 bits have rounded, as for fixes of frames.
_UNIFORM = 1e-5


def amend(change: FbxChange) -> None:
    """Write the frames and rest poses that differ.

    Raises
    ------
    SaveError
        If FBX cannot hold them.
    """
    reading, old = change.reading, change.old
    frames = find_frames(old, change.new)
    flips = half_turns(old, change.new)
    numbers = {int(node): i for i, node in enumerate(reading.hierarchy.node_of)}
    constrained = _constrained(reading) if frames else frozenset()
    none = NodeChange(np.eye(4), np.eye(4), rests=False)
    written: dict[int, Terms] = {}
    for node in sorted(frames.keys() | flips.keys()):
        frame = frames.get(node, none)
        number = numbers.get(node)
        if number is None or reading.hierarchy.has_helper[number]:
            raise SaveError(
                f"{old.nodes.label(node)} takes over the scale of its parent in a way that shears, and "
                "its frame cannot change"
            )
        key = reading.hierarchy.keys[number]
        if key in constrained and (frame.turns_left or frame.turns_right):
            raise SaveError(
                f"a constraint or a character names {old.nodes.label(node)}, whose frame would change"
            )
        if node in flips and any(
            reading.hierarchy.has_helper[below]
            for below, above in enumerate(reading.hierarchy.parents)
            if above == number
        ):
            raise SaveError(
                f"joints below {old.nodes.label(node)} do not take over its scale, whose signs would change"
            )
        written[number] = _Node(change, number).write(frame, flips.get(node, np.ones(3)))
    new_clips.amend(change, written)


def _constrained(reading: FbxReading) -> frozenset[Key]:
    """Return the nodes that constraints or characters name."""
    objects = reading.objects
    kinds = {element.key for element in objects.of_kind("Constraint")}
    if not kinds:
        return frozenset()
    named = {source for source, to, _ in objects.links_of("Model") if to in kinds}
    return frozenset(named | {to for _, to, _ in objects.links_of("Constraint")})


class _Node:
    """One node being written."""

    def __init__(self, change: FbxChange, number: int) -> None:
        reading, self._change = change.reading, change
        self._old, self._new = change.old, change.new
        self._tracks, self._edits, self._amendments = (
            change.tracks,
            change.edits,
            change.amendments,
        )
        self._hierarchy = reading.hierarchy
        self._number, self._node = number, int(reading.hierarchy.node_of[number])
        self._was_root, self._is_root = (
            rig.nodes.parents[self._node] < 0 for rig in (change.old, change.new)
        )
        self._key = reading.hierarchy.keys[number]
        self._element: Element = reading.objects.element(self._key)
        self._name = reading.hierarchy.names[number]

    def write(self, frame: NodeChange, signs: FloatArray) -> Terms:
        """Write a change; return the terms that the node has then.

        Parameters
        ----------
        signs
            ``(3,)`` of the scale, of which two turn instead of the node (`half_turns`).
        """
        before = after = read_terms(self._hierarchy, self._element, self._number)
        if signs.min() < 0.0:
            after = half_turned(before, signs, keyed=self._moves(ROTATION))
            for track in self._tracks.get((self._key, SCALE), ()):
                curves.flip(track, signs, self._amendments)
        written: set[tuple[str, int]] = set()
        if frame.turns_left or frame.turns_right or self._was_root != self._is_root:
            after = self._framed(after, frame)
            self._move_curves(frame)
        if frame.rests:
            scale = signs * self._scale_of(after)
            rested = self._rested(after, scale)
            if frame.moves:
                written = MovingNode(self._change, self._number, rested, scale).write()
            for name, (a, b) in {
                TRANSLATION: (after.t, rested.t),
                ROTATION: (after.r, rested.r),
                SCALE: (after.s, rested.s),
            }.items():
                self._rest_curves(name, (a, b), {clip for what, clip in written if what == name})
            after = rested
        self._state(before, after)
        return after

    def _in_file(self, matrix: FloatArray, *, left: bool) -> tuple[FloatArray, float, FloatArray]:
        """Return the rotation, the factor and the translation of P or Q in the file's units."""
        turn = affine.compose(np.zeros(3), self._hierarchy.turn, np.ones(3))
        if left and self._was_root:
            matrix = matrix @ turn
        if left and self._is_root:
            matrix = affine.inverse(turn[None])[0] @ matrix
        result = self._hierarchy.settings.back_between_nodes(matrix[None])[0]
        linear = result[:3, :3]
        factor = float(np.cbrt(np.linalg.det(linear)))
        if (
            factor <= 0.0
            or np.abs(linear @ linear.T - factor**2 * np.eye(3)).max() > 1e-7 * factor**2
        ):
            raise SaveError(f"the new frame of {quoted(self._name)} mirrors or stretches it")
        return quat.from_matrix(linear / factor), factor, result[:3, 3]

    def _framed(self, old: Terms, frame: NodeChange) -> Terms:
        turn, p, move = self._in_file(frame.left, left=True)
        right, q, shift = self._in_file(frame.right, left=False)
        if np.abs(shift).max() > SHIFT * max(1.0, float(np.abs(old.t).max())):
            raise SaveError(f"the new frame of {quoted(self._name)} lies elsewhere")
        back = quat.conjugate(right)
        turns = frame.turns_right and quat.angle_between(right, np.array(quat.IDENTITY)) > 1e-9
        if turns and not self._is_uniform(old.s):
            raise SaveError(f"{quoted(self._name)} is scaled unequally, and its axes would turn")
        pre, post = quat.multiply(turn, old.pre), old.post
        if turns and self._moves(ROTATION):
            post = quat.multiply(back, post)
        elif turns:
            inner = quat.multiply(old.turn(), quat.conjugate(old.post))
            pre = quat.multiply(
                pre, quat.multiply(inner, quat.multiply(right, quat.conjugate(inner)))
            )
        t = p * quat.rotate(turn, old.t)
        offset = p * quat.rotate(turn, old.offset + old.pivot) - old.pivot
        if self._moves(TRANSLATION):
            offset = offset + move
        else:
            t = t + move
        scale_pivot = quat.rotate(back, old.scale_pivot) / q
        inside = old.scale_offset + old.scale_pivot - old.pivot
        scale_offset = p * quat.rotate(back, inside) + old.pivot - scale_pivot
        return replace(
            old,
            t=t,
            s=old.s * (p * q),
            offset=offset,
            scale_offset=scale_offset,
            scale_pivot=scale_pivot,
            pre=pre,
            post=post,
        )

    def _is_uniform(self, rest: FloatArray) -> bool:
        """Tell whether the scale is one number at rest and in all keys."""
        rows = [rest]
        for clip in self._old.clips:
            curve = clip.curve(self._node, "scale")
            if curve is not None:
                rows.extend(curve.keys)
        values = np.array(rows)
        spread = values.max(axis=1) - values.min(axis=1)
        return bool(np.all(spread <= _UNIFORM * np.abs(values).max(axis=1)))

    def _moves(self, name: str) -> bool:
        """Tell whether any curve of the file is on a property, be it still."""
        return any(track.curves for track in self._tracks.get((self._key, name), ()))

    def _move_curves(self, frame: NodeChange) -> None:
        turn, p, _ = self._in_file(frame.left, left=True)
        _, q, _ = self._in_file(frame.right, left=False)
        linear = p * quat.to_matrix(turn)
        for track in self._tracks.get((self._key, TRANSLATION), ()):
            if np.abs(linear - np.eye(3)).max() > _ROUNDING:
                curves.mix(track, linear, self._name, self._amendments)
        for track in self._tracks.get((self._key, SCALE), ()):
            if abs(p * q - 1.0) > _ROUNDING:
                curves.scale(track, p * q, self._amendments)

    def _rested(self, terms: Terms, scale: FloatArray) -> Terms:
        """Return the terms whose Lcl values give the new rest pose.

        Parameters
        ----------
        scale
            ``(3,)`` the file's scale for one of the rig's.
        """
        nodes = self._new.nodes
        if self._node in nodes.matrices:
            raise SaveError(f"the rest pose of {quoted(self._name)} shears")
        t, q, s = (
            nodes.translations[self._node],
            nodes.rotations[self._node],
            nodes.scales[self._node],
        )
        t, q = in_file(self._hierarchy, t, q, is_root=self._is_root)
        turned = terms.turns(q)
        r = terms.r
        if np.abs(quat.to_matrix(terms.turn()) - quat.to_matrix(turned)).max() > _ROUNDING:
            r = near(to_euler(turned[None], np.array([terms.order]))[0], terms.r, terms.order)
        own = s * scale
        s = np.where(np.abs(own - terms.s) > _ROUNDING * np.abs(terms.s), own, terms.s)
        place = terms.places(t, q, s)
        size = max(1.0, float(np.abs(place).max()))
        t = np.where(np.abs(place - terms.t) > _ROUNDING * size, place, terms.t)
        return replace(terms, t=t, r=r, s=s)

    def _scale_of(self, terms: Terms) -> FloatArray:
        """Return ``(3,)`` the file's scale for one of the rig's: what a node takes over of its parents."""
        old = self._old.nodes.scales[self._node]
        return terms.s / np.where(old != 0.0, old, 1.0)

    def _rest_curves(
        self, name: str, values: tuple[FloatArray, FloatArray], written: set[int]
    ) -> None:
        """Give curves that keep a property at rest its new value, and clips that keep the old one a key.

        Parameters
        ----------
        values
            ``(3,)`` the old and the new ones.
        written
            The clips whose curves of it are written anew.
        """
        old, new = values
        if np.array_equal(old, new):
            return
        held = self._held(_LCL[name]) - written
        tracks = self._tracks.get((self._key, name), ())
        for stack in held - {track.stack for track in tracks}:
            begin = np.array([self._old.clips[stack].start])
            new_curves.write(
                self._change, self._number, name, stack, KeyRows(begin, rounded(old[None]))
            )
        for track in tracks:
            if track.stack in held or track.stack in written:
                continue
            clip = None if track.stack is None else self._old.clips[track.stack]
            path = _LCL[name]
            plays = clip is not None and any(
                channel == (self._node, path) for channel in clip.properties
            )
            if plays:
                curves.change_defaults(track, old, new, self._amendments)
            else:
                curves.rest(track, old, new, self._amendments)

    def _held(self, path: str) -> set[int]:
        """Return the clips that keep a property where it rested: their curves stay as they are."""
        clips = enumerate(zip(self._old.clips, self._new.clips, strict=True))
        own = (self._node, path)
        return {i for i, (a, b) in clips if own in b.properties and own not in a.properties}

    def _state(self, old: Terms, new: Terms) -> None:
        """Set the properties that differ."""
        pairs = {
            TRANSLATION: (old.t, new.t),
            ROTATION: (old.r, new.r),
            SCALE: (old.s, new.s),
            "RotationOffset": (old.offset, new.offset),
            "ScalingOffset": (old.scale_offset, new.scale_offset),
            "ScalingPivot": (old.scale_pivot, new.scale_pivot),
        }
        for name, (a, b) in pairs.items():
            if np.abs(a - b).max() > _ROUNDING * max(1.0, float(np.abs(b).max())):
                self._edits.set(self._element, name, _clean(b))
        turned = False
        for name, a, b in (
            ("PreRotation", old.pre, new.pre),
            ("PostRotation", old.post, new.post),
        ):
            if quat.angle_between(a, b) > _ROUNDING:
                turned = True
                degrees = to_euler(b[None], np.zeros(1, dtype=np.int64))[0]
                self._edits.set(self._element, name, _clean(degrees))
        if turned:
            self._activate(old)

    def _activate(self, old: Terms) -> None:
        """Have all programs read the rotations: some ignore them where RotationActive is 0."""
        active = self._element.integer("RotationActive", 0)
        still = np.array(quat.IDENTITY)
        unread = old.order or max(quat.angle_between(still, r) for r in (old.pre, old.post)) > 1e-9
        if not active and self._element.states("RotationActive") and unread:
            raise SaveError(
                f"{quoted(self._name)} states rotations and that they are not active, which programs "
                "read in two ways"
            )
        if not active:
            self._edits.set(self._element, "RotationActive", (1.0,))


def _clean(values: FloatArray) -> list[float]:
    """Return numbers without what rounding leaves in the place of 0."""
    return [0.0 if abs(value) < 1e-12 else float(value) for value in values]
