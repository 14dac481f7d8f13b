"""What fixes did to the joints of a rig, found from how the joints rest before and after."""

from dataclasses import dataclass

import numpy as np

from rigview.check.applying.dryrun import EXACT
from rigview.check.rig_edits.reframe import UNIFORM, FrameTurn
from rigview.check.rule import Refused
from rigview.check.rules.units import rescale
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.bones import box_diagonal
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig
from rigview.core.sentence import Sentence

# Frames nearer to each other than this were not changed: rounding of products of float64 is below.
_UNCHANGED = 1e-9


@dataclass(frozen=True, eq=False)
class Placement:
    """Where a whole file went: lengths grew by a factor, then everything was turned about the origin."""

    scale: float = 1.0
    rotation: FloatArray | None = None

    @property
    def changes(self) -> bool:
        """Whether anything moved."""
        return self.scale != 1.0 or self.rotation is not None

    def of(self, frames: FloatArray) -> FloatArray:
        """Return where frames ``(N, 4, 4)`` are afterwards; a new unit alone leaves their axes."""
        turn = np.eye(3) if self.rotation is None else quat.to_matrix(self.rotation)
        placed = frames.copy()
        placed[:, :3, :3] = turn @ frames[:, :3, :3]
        placed[:, :3, 3] = self.scale * frames[:, :3, 3] @ turn.T
        return placed


@dataclass(frozen=True, eq=False)
class Reframing:
    """What happened to the joints of a rig, and to the nodes above them, by number of the node.

    Parameters
    ----------
    before, after
        The rig as it was and as it is.
    placement
        What happened to everything; the others are as seen after that.
    flips
        Nodes of which two negative components of scale became a half turn.
    stretches
        Leaf joints whose own unequal scale became 1, with the factors ``(3,)`` that made it so.
    turns
        The new frame of each node whose frame changed, as seen from its old one.
    names
        The new name of each node that was renamed.
    rehung
        Nodes that hang under another parent since, parents first.
    """

    before: Rig
    after: Rig
    placement: Placement
    flips: tuple[int, ...]
    stretches: dict[int, FloatArray]
    turns: dict[int, FrameTurn]
    names: dict[int, str]
    rehung: tuple[int, ...]

    @property
    def changed(self) -> frozenset[int]:
        """The nodes that a sibling must have."""
        return frozenset((*self.flips, *self.stretches, *self.turns, *self.names, *self.rehung))

    @property
    def homes(self) -> frozenset[int]:
        """The nodes of `before` under which something hangs anew."""
        found = set()
        for node in self.rehung:
            parents = self.after.nodes.parents
            home = parents[node]
            while home >= len(self.before.nodes):
                home = parents[home]
            if home >= 0:
                found.add(home)
        return frozenset(found)


def resting(rig: Rig) -> FloatArray:
    """Return ``(N, 4, 4)`` ``model_from_node`` at rest."""
    return model_from_nodes(rig, rest_pose(rig))


def skeletal(rig: Rig) -> list[int]:
    """Return the joints and all nodes above them, ascending."""
    nodes = set(rig.joints)
    for joint in rig.joints:
        nodes.update(rig.nodes.ancestors(joint))
    return sorted(nodes)


def reframing(before: Rig, after: Rig, *, placed: bool = False) -> Reframing:
    """Find what fixes did to the joints of a rig.

    Parameters
    ----------
    after
        The same rig repaired: nodes may have been added behind, none taken away.
    placed
        Whether a fix may have moved the file as a whole, all its clips with it. How joints rest cannot
        tell that from a new rest pose of theirs.

    Raises
    ------
    Refused
        If a joint or a node above one was moved or posed by itself: what such a change does to a clip
        depends on the clip.
    """
    chosen = skeletal(before)
    old, new = resting(before), resting(after)[: len(before.nodes)]
    size = box_diagonal(old[chosen, :3, 3])
    placement = _placement(old[chosen, :3, 3], new[chosen, :3, 3], size) if placed else Placement()
    old, size = placement.of(old), size * placement.scale
    apart = np.linalg.norm(new[:, :3, 3] - old[:, :3, 3], axis=1)
    grown = rescale(before, placement.scale) if placement.scale != 1.0 else before
    reset = _reset(grown, after, old, new, size)
    turns, stretches = {}, {}
    for node in chosen:
        label = before.nodes.label(node)
        if not apart[node] <= EXACT * size:
            raise Refused(Sentence("the fixes moved {joint} itself", joint=label))
        turn = _turn(old[node], new[node])
        if turn is None:
            stretches[node] = _leaf_stretch(before, after, node)
        elif turn.turns or abs(turn.scale - 1.0) > _UNCHANGED:
            if node in reset:
                raise Refused(Sentence("the fixes posed {joint} or bound it anew", joint=label))
            turns[node] = turn
    names, parents = after.nodes.names, after.nodes.parents
    rehung = [n for n in chosen if parents[n] != before.nodes.parents[n]]
    return Reframing(
        before,
        after,
        placement,
        tuple(n for n in chosen if _is_flipped(before, after, n)),
        stretches,
        turns,
        {n: names[n] for n in chosen if names[n] != before.nodes.names[n]},
        tuple(sorted(rehung, key=lambda n: int(after.nodes.depths[n]))),
    )


def _placement(old: FloatArray, new: FloatArray, size: float) -> Placement:
    """Return the scale and the quarter turns that bring old places ``(N, 3)`` to the new ones.

    The identity where it fits, and where nothing else does or several do.
    """

    def fits(scale: float, turn: FloatArray) -> bool:
        apart = np.linalg.norm(scale * old @ turn.T - new, axis=1)
        return bool(np.all(apart <= EXACT * size * scale))

    lengths = np.linalg.norm(old), np.linalg.norm(new)
    if fits(1.0, np.eye(3)) or not min(lengths) > 0.0:
        return Placement()
    ratio = float(lengths[1] / lengths[0])
    scale = 1.0 if abs(ratio - 1.0) <= EXACT else ratio
    if fits(scale, np.eye(3)):
        return Placement(scale)
    fitting = [turn for turn in affine.quarter_turns() if fits(scale, turn)]
    return Placement(scale, quat.from_matrix(fitting[0])) if len(fitting) == 1 else Placement()


def _reset(before: Rig, after: Rig, old: FloatArray, new: FloatArray, size: float) -> set[int]:
    """Return the joints whose skin matrix at rest changed: a new frame alone leaves it."""
    result = set()
    for a, b in zip(before.skins, after.skins, strict=False):
        place = {joint: i for i, joint in enumerate(b.joints)}
        for i, joint in enumerate(a.joints):
            if joint not in place:
                continue
            was = old[joint] @ a.joint_from_mesh[i]
            now = new[joint] @ b.joint_from_mesh[place[joint]]
            apart = np.abs(now - was)
            largest = max(1.0, float(np.abs(was[:3, :3]).max()))
            if apart[:3, :3].max() > EXACT * largest or apart[:3, 3].max() > EXACT * size:
                result.add(joint)
    return result


def _turn(old: FloatArray, new: FloatArray) -> FrameTurn | None:
    """Return the new frame as seen from the old one; None where that is no rotation and one scale."""
    if np.array_equal(old[:3, :3], new[:3, :3]):
        return FrameTurn(np.array(quat.IDENTITY))
    linear = (affine.inverse(old) @ new)[:3, :3]
    rotation, stretch = affine.polar(linear)
    scale = float(np.trace(stretch)) / 3.0
    if (
        affine.determinant(linear) <= 0.0
        or np.abs(stretch - scale * np.eye(3)).max() > UNIFORM * scale
    ):
        return None
    turn = quat.from_matrix(rotation)
    if float(quat.angle_between(np.array(quat.IDENTITY), turn)) <= _UNCHANGED:
        turn = np.array(quat.IDENTITY)
    return FrameTurn(turn, scale)


def _leaf_stretch(before: Rig, after: Rig, node: int) -> FloatArray:
    """Return by what the scale of a leaf joint was multiplied to make it 1."""
    a, b = before.nodes, after.nodes
    only_scaled = (
        not a.sound_children[node]
        and node not in a.matrices
        and np.array_equal(a.rotations[node], b.rotations[node])
        and np.array_equal(b.scales[node], np.ones(3))
        and np.all(a.scales[node] > 0.0)
    )
    if not only_scaled:
        raise Refused(Sentence("the fixes scaled {joint} unequally", joint=a.label(node)))
    return 1.0 / a.scales[node]


def _is_flipped(before: Rig, after: Rig, node: int) -> bool:
    if node in before.nodes.matrices or node in after.nodes.matrices:
        return False
    signs = np.sign(before.nodes.scales[node]) * np.sign(after.nodes.scales[node])
    return int(np.count_nonzero(signs < 0.0)) == 2
