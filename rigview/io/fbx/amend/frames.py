"""How the local motion of every node changed: in which frames, and at rest or in its clips.

With L the local transform of a node at any time and L' the wanted one, ``L' = P · L · Q``. Q is the new
frame of the node itself, P undoes that of its parent; both are the same at all times, so no key of a
rotation changes. Where the rest pose changed otherwise, L' at rest is written beside that.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig
from rigview.core.sampler import Path

# As shares of a matrix: what two local transforms differ by and move alike, and what rounding does.
SAME, _ROUNDING = 5e-6, 1e-10
# Of joints and frames: what skins stay by where joints far down a chain round, and what is no stretch.
_STAYS, _NEAR = 1e-5, 1e-4
_PATHS: tuple[Path, ...] = ("translation", "rotation", "scale")
# Times of a clip that tell how a node moves.
_MOST_TIMES = 48


@dataclass(frozen=True, eq=False)
class NodeChange:
    """The change of one node.

    Parameters
    ----------
    left, right
        ``(4, 4)`` P and Q, the identity where nothing of the kind changed.
    rests
        Whether the rest pose changed beside that.
    moves
        Whether its motion in some clip is another than P and Q make of it.
    """

    left: FloatArray
    right: FloatArray
    rests: bool
    moves: bool = False

    @property
    def turns_left(self) -> bool:
        """Whether there is a P."""
        return not _is_identity(self.left)

    @property
    def turns_right(self) -> bool:
        """Whether there is a Q."""
        return not _is_identity(self.right)


def _is_identity(matrix: FloatArray) -> bool:
    return bool(np.abs(matrix - np.eye(4)).max() <= SAME)


def find_frames(old: Rig, new: Rig) -> dict[int, NodeChange]:
    """Return the changes of all nodes of the old rig whose local transforms changed, or become roots."""
    return dict(_Search(old, new).found())


class _Search:
    """Two rigs, and their local transforms at rest and at many times of all clips."""

    def __init__(self, old: Rig, new: Rig) -> None:
        self._old, self._new = old, new
        self._count = len(old.nodes)
        self._was, self._now = self._sampled()
        # Node → its new frame Q.
        self._frames: dict[int, FloatArray] = {-1: np.eye(4)}

    def found(self) -> Iterator[tuple[int, NodeChange]]:
        """Yield (node, change), parents first."""
        for level in self._old.nodes.levels:
            for node in level.tolist():
                still = node in self._unmoved and _is_identity(self._above(node))
                if still and not self._rerooted(node):
                    continue
                frame = self._frame(node)
                self._frames[node] = frame.right
                changes = frame.turns_left or frame.turns_right or frame.rests or frame.moves
                if changes or self._rerooted(node):
                    yield node, frame

    @cached_property
    def _unmoved(self) -> frozenset[int]:
        """The nodes whose local transforms are all the same."""
        same = np.abs(self._was - self._now).max(axis=(0, 2, 3)) == 0.0
        return frozenset(np.flatnonzero(same).tolist())

    def _sampled(self) -> tuple[FloatArray, FloatArray]:
        """Return ``(S, N, 4, 4)`` local transforms of both rigs, the rest pose first."""
        was = [self._old.nodes.local_matrices()[None]]
        now = [self._new.nodes.local_matrices()[None, : self._count]]
        for a, b in zip(self._old.clips, self._new.clips, strict=False):
            if a is b and self._old.nodes is self._new.nodes:
                continue
            times = _times(a, b)
            was.append(sample(self._old, a, times).local_matrices())
            now.append(sample(self._new, b, times).local_matrices()[:, : self._count])
        return np.concatenate(was), np.concatenate(now)

    def _rerooted(self, node: int) -> bool:
        """Tell whether a node becomes a root, or one becomes none: only roots are in the file's axes."""
        was, now = (rig.nodes.parents[node] < 0 for rig in (self._old, self._new))
        return was != now

    def _above(self, node: int) -> FloatArray:
        """Return the new frame of a node's parent, where it keeps the parent."""
        parent = self._old.nodes.parents[node]
        kept = parent == self._new.nodes.parents[node]
        return self._frames.get(parent, np.eye(4)) if kept else np.eye(4)

    def _frame(self, node: int) -> NodeChange:
        above = self._above(node)
        left = affine.inverse(above[None])[0]
        was, now = self._was[:, node], above @ self._now[:, node]
        off = _off(was, now)
        if not (off > SAME).any():
            small = _is_identity(left) and off[0] > _ROUNDING
            return NodeChange(left, np.eye(4), rests=bool(small))
        right = _similar(affine.inverse(was[:1])[0] @ now[0])
        if self._is_reframed(node, right) and not (_off(was @ right, now) > SAME).any():
            return NodeChange(left, right, rests=False)
        if self._keeps_keys(node, was, now):
            return NodeChange(left, np.eye(4), rests=True)
        first = now[0] @ affine.inverse(was[:1])[0]
        if not (_off(first @ was, now) > SAME).any():
            return NodeChange(left @ first, np.eye(4), rests=False)
        if not (_off(was @ right, now) > SAME).any():
            return NodeChange(left, right, rests=False)
        return NodeChange(np.eye(4), np.eye(4), rests=True, moves=True)

    def _is_reframed(self, node: int, right: FloatArray) -> bool:
        """Tell whether all that follows a node stays where it is under its new frame.

        Skins tell, its own or those of joints below; where there is none, children do.
        """
        if np.abs(right[:3, 3]).max() > SAME * max(float(np.abs(self._was[0, node]).max()), 1.0):
            return False
        below = self._old.nodes.with_descendants((node,))
        own = [bound for bound in self._bound if bound[0] == node]
        bound = own or [bound for bound in self._bound if bound[0] in below]
        if bound:
            was, now = (frames[node : node + 1] for frames in self._rest_frames)
            stands = _off(was @ right, now)[0] <= _STAYS
            return bool(stands) and all(stays for _, stays in bound)
        back = affine.inverse(right[None])[0]
        children = [c for c in self._old.nodes.sound_children[node] if c not in self._unmoved]
        return any(
            _off((back @ self._was[:1, child]), self._now[:1, child])[0] <= SAME
            for child in children
        )

    @cached_property
    def _rest_frames(self) -> tuple[FloatArray, FloatArray]:
        """``(N, 4, 4)`` ``model_from_node`` of both rigs at rest."""
        old, new = (model_from_nodes(rig, rest_pose(rig)) for rig in (self._old, self._new))
        return old, new

    @cached_property
    def _bound(self) -> list[tuple[int, bool]]:
        """(joint, whether its skin stays where it is at rest) of all skins."""
        frames = self._rest_frames
        result = []
        for was, now in zip(self._old.skins, self._new.skins, strict=True):
            slots = {joint: slot for slot, joint in enumerate(now.joints)}
            for joint, bind in zip(was.joints, was.joint_from_mesh, strict=True):
                if joint in slots:
                    a, b = (
                        frames[0][joint] @ bind,
                        frames[1][joint] @ now.joint_from_mesh[slots[joint]],
                    )
                    result.append((joint, bool(_off(a[None], b[None])[0] <= _STAYS)))
        return result

    def _keeps_keys(self, node: int, was: FloatArray, now: FloatArray) -> bool:
        """Tell whether what the clips key of a node moves as before, only the rest is another."""
        if not (_off(was[1:], now[1:]) > SAME).any():
            return True
        for a, b in zip(self._old.clips, self._new.clips, strict=False):
            for path in _PATHS:
                before, after = (clip.curve(node, path) for clip in (a, b))
                if (before is None) != (after is None):
                    return False
                if before is None or after is None or before is after:
                    continue
                same = before.values.shape == after.values.shape
                same = same and np.array_equal(before.times, after.times)
                if not same or not np.allclose(before.values, after.values, 0.0, SAME):
                    return False
        return True


def _similar(matrix: FloatArray) -> FloatArray:
    """Return the rotation and factor that a matrix is but for rounding; what is none stays as it is."""
    turn, stretch = affine.polar(matrix[:3, :3])
    factor = float(np.trace(stretch)) / 3.0
    result = np.eye(4)
    result[:3, :3] = turn * (1.0 if abs(factor - 1.0) < SAME else factor)
    near = _off(result[None], matrix[None])[0] <= _NEAR
    return result if near else matrix


def _times(a: Clip, b: Clip) -> FloatArray:
    keys = np.unique(np.concatenate([a.key_times, b.key_times, np.zeros(1)]))
    if len(keys) > _MOST_TIMES:
        keys = keys[np.linspace(0, len(keys) - 1, _MOST_TIMES).astype(np.int64)]
    return np.sort(np.concatenate([keys, 0.5 * (keys[1:] + keys[:-1])]))


def _off(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return ``(…)`` how far matrices differ, as a share of the largest number of each part."""
    linear = np.abs(a - b)[..., :3, :3].max(axis=(-1, -2))
    size = np.maximum(np.abs(a)[..., :3, :3].max(axis=(-1, -2)), 1e-9)
    moved = np.abs(a - b)[..., :3, 3].max(axis=-1)
    reach = np.maximum(np.abs(a)[..., :3, 3].max(axis=-1), 1e-3)
    result: FloatArray = np.maximum(linear / size, moved / reach)
    return result
