"""What fixes did to the frames and names of joints, carried over to other files of the skeleton."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rigview.check.dryrun import EXACT, dry_run, sample_times
from rigview.check.reframe import UNIFORM, Turn, reframe
from rigview.check.rule import Refused
from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.bones import box_diagonal
from rigview.core.pose import model_from_nodes, rest_pose, sample
from rigview.core.rig import Rig

# Rest frames no further apart than this are one: as a share of the skeleton's size, and in radians.
# Exporters that write few digits stay below.
SAME_REST = 1e-3
# Frames nearer to each other than this were not changed: rounding of products of float64 is below.
_UNCHANGED = 1e-9
# Poses compared in one go, to keep memory flat.
_CHUNK = 128


@dataclass(frozen=True, eq=False)
class Reframing:
    """What happened to the joints of a rig, and to the nodes above them, by number of the node.

    Parameters
    ----------
    before
        The rig as it was.
    turns
        The new frame of each node whose frame changed, as seen from its old one.
    names
        The new name of each node that was renamed.
    rehung
        Nodes that hang under another parent since; that is not carried over.
    """

    before: Rig
    turns: dict[int, Turn]
    names: dict[int, str]
    rehung: tuple[int, ...]

    @property
    def changed(self) -> frozenset[int]:
        """The nodes that a sibling must have."""
        return frozenset(self.turns) | frozenset(self.names)


@dataclass(frozen=True, eq=False)
class Carried:
    """A sibling with the new frames and names.

    Parameters
    ----------
    turned, renamed
        How many of its nodes got a new frame, a new name.
    missing
        Names of joints that only the repaired rig has.
    extra
        Names of joints that only the sibling has: they keep their frames.
    """

    rig: Rig
    turned: int
    renamed: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def reframing(before: Rig, after: Rig) -> Reframing:
    """Find what fixes did to the joints of a rig: ``old_from_new`` of each, and the new names.

    Parameters
    ----------
    after
        The same rig repaired: nodes may have been added behind, none taken away.

    Raises
    ------
    Refused
        If a joint or a node above one was moved or posed: such a change depends on the file's clips.
    """
    old, new = _rest(before), _rest(after)[: len(before.nodes)]
    skeletal = _skeletal(before)
    size = box_diagonal(old[skeletal, :3, 3])
    moved, reset = _moved(old, new, size), _reset(before, after, old, new, size)
    turns = {}
    for node in skeletal:
        if node in moved:
            raise Refused(f"the fixes moved {before.nodes.label(node)} itself")
        turn = _turn(old[node], new[node])
        if turn is None:
            raise Refused(f"the fixes scaled {before.nodes.label(node)} unequally")
        if turn.turns or abs(turn.scale - 1.0) > _UNCHANGED:
            if node in reset:
                raise Refused(f"the fixes posed {before.nodes.label(node)} or bound it anew")
            turns[node] = turn
    names = after.nodes.names
    parents = before.nodes.parents, after.nodes.parents
    return Reframing(
        before,
        turns,
        {n: names[n] for n in skeletal if names[n] != before.nodes.names[n]},
        tuple(n for n in skeletal if parents[0][n] != parents[1][n]),
    )


def carry(change: Reframing, sibling: Rig) -> Carried:
    """Give the joints of another file of the skeleton the new frames and names; nothing of it moves.

    Joints are matched by their old names; of several of one name, by where they rest.

    Raises
    ------
    Refused
        If the sibling lacks a joint that changed, a joint rests differently there, a name is taken,
        or the change would move anything.
    """
    place, missing = _matched(change, sibling)
    turns = {place[n]: turn for n, turn in change.turns.items()}
    names = {place[n]: name for n, name in change.names.items()}
    before = change.before
    joints = [n for n in before.joints if n in place]
    if not joints:
        raise Refused("it has no joint of the same name")
    turned = reframe(sibling, turns) if turns else sibling
    _check_still(sibling, turned)
    known = set(place.values()) | set(names)
    extra = [n for n in sibling.joints if n not in known]
    return Carried(
        _renamed(turned, names),
        len(turns),
        len(names),
        tuple(before.nodes.label(n) for n in missing),
        tuple(sibling.nodes.label(n) for n in extra),
    )


def _rest(rig: Rig) -> FloatArray:
    return model_from_nodes(rig, rest_pose(rig))


def _skeletal(rig: Rig) -> list[int]:
    """Return the joints and all nodes above them, ascending."""
    nodes = set(rig.joints)
    for joint in rig.joints:
        nodes.update(rig.nodes.ancestors(joint))
    return sorted(nodes)


def _moved(old: FloatArray, new: FloatArray, size: float) -> set[int]:
    distances = np.linalg.norm(new[:, :3, 3] - old[:, :3, 3], axis=1)
    return set(map(int, np.flatnonzero(~(distances <= EXACT * size))))


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


def _turn(old: FloatArray, new: FloatArray) -> Turn | None:
    """Return the new frame as seen from the old one; None where that is no rotation and one scale."""
    if np.array_equal(old[:3, :3], new[:3, :3]):
        return Turn(np.array(quat.IDENTITY))
    linear = (affine.inverse(old) @ new)[:3, :3]
    rotation, stretch = affine.polar(linear)
    scale = float(np.trace(stretch)) / 3.0
    if np.linalg.det(linear) <= 0.0 or np.abs(stretch - scale * np.eye(3)).max() > UNIFORM * scale:
        return None
    turn = quat.from_matrix(rotation)
    if float(quat.angle_between(np.array(quat.IDENTITY), turn)) <= _UNCHANGED:
        turn = np.array(quat.IDENTITY)
    return Turn(turn, scale)


def _matched(change: Reframing, sibling: Rig) -> tuple[dict[int, int], list[int]]:
    """Return node → node of the sibling, and the joints that it lacks."""
    before, label = change.before, change.before.nodes.label
    old, rest = _rest(before), _rest(sibling)
    skeletal = _skeletal(before)
    theirs = set(_skeletal(sibling))
    size = box_diagonal(old[skeletal, :3, 3])
    joints = set(before.joints)
    named: dict[str, list[int]] = {}
    for node, name in enumerate(sibling.nodes.names):
        named.setdefault(name, []).append(node)
    place: dict[int, int] = {}
    missing = []
    for node in skeletal:
        namesakes = named.get(before.nodes.names[node], [])
        fitting = [n for n in namesakes if _rests_alike(old[node], rest[n], size)]
        fitting = [n for n in fitting if n in theirs] or fitting
        needed = node in change.changed
        if len(fitting) == 1:
            place[node] = fitting[0]
        elif fitting and needed:
            raise Refused(f"{len(fitting)} of its nodes may be {label(node)}")
        elif namesakes and not fitting and (needed or node in joints):
            raise Refused(f"{label(node)} rests differently there")
        elif needed:
            raise Refused(f"it has no joint {label(node)}")
        elif node in joints and not fitting:
            missing.append(node)
    met = [place[n] for n in change.changed]
    if len(set(met)) < len(met):
        raise Refused("joints of one name are fewer there")
    return place, missing


def _rests_alike(a: FloatArray, b: FloatArray, size: float) -> bool:
    linear = np.linalg.norm(a[:3, :3] - b[:3, :3], 2)
    distance = np.linalg.norm(a[:3, 3] - b[:3, 3])
    return bool(linear <= SAME_REST * np.linalg.norm(a[:3, :3], 2) and distance <= SAME_REST * size)


def _renamed(rig: Rig, names: dict[int, str]) -> Rig:
    if not names:
        return rig
    kept = {name for node, name in enumerate(rig.nodes.names) if node not in names}
    taken = sorted(kept & set(names.values()))
    if taken:
        raise Refused(f"another node of it is already named {taken[0]}")
    renamed = tuple(names.get(node, name) for node, name in enumerate(rig.nodes.names))
    return replace(rig, nodes=replace(rig.nodes, names=renamed))


def _check_still(before: Rig, after: Rig) -> None:
    """Make sure that no node and no vertex moves in any clip, by more than `EXACT` of the size."""
    if after is before:
        return
    size = box_diagonal(_rest(before)[:, :3, 3])
    for a, b in _places(before, after):
        if not np.all(np.linalg.norm(a - b, axis=-1) <= EXACT * size):
            raise Refused("its joints would move")
    if before.parts and not dry_run(before, after).exact:
        raise Refused("its vertices would move")


def _places(before: Rig, after: Rig) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield ``(T, N, 3)`` where the nodes of both rigs are, clip by clip."""
    for clip, changed in zip(before.clips, after.clips, strict=True):
        times = sample_times(clip)
        for start in range(0, len(times), _CHUNK):
            few = times[start : start + _CHUNK]
            models = (
                model_from_nodes(rig, sample(rig, c, few))
                for rig, c in ((before, clip), (after, changed))
            )
            a, b = (model[..., :3, 3] for model in models)
            yield a, b
