"""What a fix would move: two rigs compared in every clip under every method, before anything is applied.

A rig whose clips bend nothing would hide what a change of weights does: where the change leaves the
nodes as they are, such a rig goes through its range of motion too.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

import numpy as np

from rigview.assets import resource
from rigview.check.rule import count
from rigview.core.arrays import FloatArray, IntArray
from rigview.core.clip import Clip
from rigview.core.crowd import Crowd
from rigview.core.deform import Deformer, Frame
from rigview.core.joint_limits import LimitTable
from rigview.core.pose import model_from_nodes, sample
from rigview.core.range_of_motion import TAME, largest_bend, range_of_motion, with_clip
from rigview.core.rig import Nodes, Part, Rig, Skin
from rigview.core.skinning import DEFAULT_PANES, Options, Posed

# An exact fix may move nothing by more than this share of the rig's size.
EXACT = 1e-5
# Palettes are compared at every key and at this many even times; vertices where palettes differ most.
EVEN_TIMES = 32
COMPARED_TIMES = 64
# Poses sampled in one go: enough to be quick, little enough to keep memory flat and to cancel soon.
_CHUNK = 128
# Multiples of the golden ratio fall evenly into 0…1 however many are taken.
_SPREAD = 0.6180339887498949

_NOBODY = np.zeros(0, dtype=np.int64)

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class DryRun:
    """The largest displacement of any vertex, per method, in metres.

    Parameters
    ----------
    size
        H of the rig in metres.
    clip, time
        Where the largest one is; None in the rest pose.
    poses
        How many poses were compared vertex by vertex.
    clips
        How many clips of the file they are of, besides the rest pose.
    bent
        Whether a range of motion was compared, too, since no clip bends much.
    """

    displacement: dict[str, float]
    size: float
    clip: str | None
    time: float | None
    poses: int
    clips: int
    bent: bool

    @property
    def covered(self) -> str:
        """Which poses were compared, in words."""
        parts = [count(self.clips, "clip")] if self.clips else []
        parts += ["a range of motion"] if self.bent else []
        return " and ".join(parts) or "the rest pose"

    @property
    def largest(self) -> float:
        """Over all methods, in metres."""
        return max(self.displacement.values(), default=0.0)

    @property
    def exact(self) -> bool:
        """Whether nothing moves: at most `EXACT` of the rig's size."""
        return self.largest <= EXACT * self.size


def dry_run(before: Rig, after: Rig, progress: Progress | None = None) -> DryRun:
    """Compare two rigs of the same clips and meshes.

    Parameters
    ----------
    progress
        Hears what is under way and the share done; may raise to stop.

    Raises
    ------
    ValueError
        If the two show different parts.
    """
    pairs = _same_parts(before, after)
    tell = progress or (lambda _text, _share: None)
    clips = len(before.clips)
    before, after = _bending(before, after)
    old, new = _deformer(before), Deformer(after)
    joined = _same_joints(old, new)
    alike = joined and all(a is b for a, b in zip_longest(before.clips, after.clips))
    times = _times_of_interest(old, new, tell, joined)
    moved = {name: np.zeros(len(times)) for name in DEFAULT_PANES}
    changed = [_changed(old, new, *pair) if alike else None for pair in pairs]
    frames: tuple[list[Frame], list[Frame]] = ([], [])
    for number, (i, j) in enumerate(pairs):
        vertices = changed[number]
        if vertices is not None and not len(vertices):
            continue
        frames = frames if frames[0] else (_frames(old, times), _frames(new, times))
        crowds = Crowd(old, i, vertices), Crowd(new, j, vertices)
        room = crowds[0].room
        for start in range(0, len(times), room):
            few = slice(start, min(start + room, len(times)))
            for name, distances in _displacements(crowds, (frames[0][few], frames[1][few])):
                moved[name][few] = np.fmax(moved[name][few], distances)
            share = (number + few.stop / len(times)) / len(pairs)
            tell("comparing vertices", 0.5 + 0.5 * share)
    largest = np.max(list(moved.values()), axis=0)
    clip, time = times[int(np.argmax(largest))]
    place = None if clip is None else before.clips[clip].name
    worst = {name: float(distances.max()) for name, distances in moved.items()}
    bent = len(before.clips) > clips
    return DryRun(
        worst, old.size, place, None if clip is None else time, len(times), clips=clips, bent=bent
    )


def _bending(before: Rig, after: Rig) -> tuple[Rig, Rig]:
    """Return both with a range of motion as another clip, where no clip of theirs bends much.

    A clip of one says nothing of the other where their nodes rest differently, so those stay as they are.
    """
    if not before.skins or not _same_rest(before.nodes, after.nodes):
        return before, after
    bent = _bent(before)
    return (before, after) if bent is None else (bent, with_clip(after, bent.clips[-1]))


# The fixes of one rig are tried one after the other.
@lru_cache(maxsize=1)
def _bent(rig: Rig) -> Rig | None:
    """Return a rig with a range of motion as another clip; None where a clip of it bends much."""
    if any(largest_bend(rig, clip) >= TAME for clip in rig.clips):
        return None
    return with_clip(rig, range_of_motion(rig, LimitTable.of(resource("joint_limits.json"))).clip)


@lru_cache(maxsize=1)
def _deformer(rig: Rig) -> Deformer:
    return Deformer(rig)


def _same_rest(a: Nodes, b: Nodes) -> bool:
    return a is b or (
        a.children == b.children
        and a.matrices.keys() == b.matrices.keys()
        and all(np.array_equal(a.matrices[node], b.matrices[node]) for node in a.matrices)
        and np.array_equal(a.translations, b.translations)
        and np.array_equal(a.rotations, b.rotations)
        and np.array_equal(a.scales, b.scales)
    )


def _same_chains(a: Nodes, b: Nodes, nodes: Iterable[int]) -> bool:
    """Tell whether some nodes hang and rest alike, and all above them."""
    if a is b:
        return True
    chosen = sorted(a.with_ancestors(nodes))
    among = set(chosen)
    stated = [{n: m for n, m in of.matrices.items() if n in among} for of in (a, b)]
    return (
        [a.parents[node] for node in chosen] == [b.parents[node] for node in chosen]
        and stated[0].keys() == stated[1].keys()
        and all(np.array_equal(matrix, stated[1][node]) for node, matrix in stated[0].items())
        and np.array_equal(a.translations[chosen], b.translations[chosen])
        and np.array_equal(a.rotations[chosen], b.rotations[chosen])
        and np.array_equal(a.scales[chosen], b.scales[chosen])
    )


def _same_parts(before: Rig, after: Rig) -> list[tuple[int, int]]:
    """Return where each part stands in both rigs: a node that hangs elsewhere is drawn elsewhere."""
    place = {part: i for i, part in enumerate(after.parts)}
    same = len(place) == len(before.parts) and all(
        part in place
        and len(before.primitive(part).positions) == len(after.primitive(part).positions)
        for part in before.parts
    )
    if not same:
        raise ValueError("the two rigs do not show the same vertices")
    return [(i, place[part]) for i, part in enumerate(before.parts)]


def _times_of_interest(
    old: Deformer, new: Deformer, tell: Progress, same_joints: bool
) -> list[tuple[int | None, float]]:
    """Return the rest pose, and the (clip, time) at which palettes differ most."""
    candidates: list[tuple[float, int, float]] = []
    clips = old.rig.clips
    for number, (before, after) in enumerate(zip_longest(clips, new.rig.clips)):
        tell("comparing palettes", 0.5 * number / max(1, len(clips)))
        times = sample_times(before)
        for start in range(0, len(times), _CHUNK):
            chunk = times[start : start + _CHUNK]
            if same_joints and before is after:
                differences = np.zeros(len(chunk))
            else:
                differences = _palette_difference(old, new, (before, after), chunk)
            candidates += [
                (float(d), number, float(t)) for d, t in zip(differences, chunk, strict=True)
            ]
    # A fix of weights leaves all palettes equal: what is even is taken from all over the clips.
    order = sorted(range(len(candidates)), key=lambda i: (-candidates[i][0], i * _SPREAD % 1.0))
    chosen: list[tuple[int | None, float]] = [(None, 0.0)]
    chosen += [candidates[i][1:] for i in order[: COMPARED_TIMES - 1]]
    return chosen


def _same_joints(old: Deformer, new: Deformer) -> bool:
    """Tell whether one clip moves both rigs' joints alike, and the nodes of parts without skin.

    At rest these are in one place, hang alike, and are bound alike.
    """
    alone = {part.node for part in old.rig.parts if not old.is_skinned(part)}
    moving = alone.union(old.rig.joints, new.rig.joints)
    skins = zip_longest(old.rig.skins, new.rig.skins)
    return (
        max(moving, default=-1) < len(old.rig.nodes)
        and _same_chains(old.rig.nodes, new.rig.nodes, moving)
        and all(a is b or (a is not None and b is not None and _same_binds(a, b)) for a, b in skins)
    )


def _same_binds(a: Skin, b: Skin) -> bool:
    """Tell whether the joints that two skins share are bound alike."""
    pairs = _shared_joints(a, b)
    return np.array_equal(a.joint_from_mesh[pairs[0]], b.joint_from_mesh[pairs[1]])


def _shared_joints(a: Skin, b: Skin) -> tuple[list[int], list[int]]:
    """Return where the joints that two skins share stand in the first and in the second."""
    place = {joint: j for j, joint in enumerate(b.joints)}
    pairs = [(i, place[joint]) for i, joint in enumerate(a.joints) if joint in place]
    return [i for i, _ in pairs], [j for _, j in pairs]


def sample_times(clip: Clip) -> FloatArray:
    """Return every key time of a clip and `EVEN_TIMES` even ones, ascending."""
    if not len(clip.key_times):
        return np.zeros(0)
    return np.unique(
        np.concatenate([clip.key_times, np.linspace(clip.start, clip.end, EVEN_TIMES)])
    )


def _changed(old: Deformer, new: Deformer, i: int, j: int) -> IntArray | None:
    """Return the vertices of a part that can move elsewhere; None where all can.

    Where the same joints move both rigs alike, that are those whose own shape or influences changed.
    """
    part, other = old.rig.parts[i], new.rig.parts[j]
    before, after = old.rig.primitive(part), new.rig.primitive(other)
    if not old.is_skinned(part) and not new.is_skinned(other):
        return _NOBODY if _same_shape(old.rig, new.rig, part) else None
    if part.skin is None or not old.is_skinned(part) or not new.is_skinned(other):
        return None
    if before is after and _same_bones(old, new, part.skin):
        return _NOBODY
    if before.morphs is not after.morphs:
        return None
    slots = [_slots(old, i, part.skin), _slots(new, j, part.skin)]
    width = max(each.shape[1] for each in slots)
    a, b = (np.pad(each, ((0, 0), (0, width - each.shape[1]), (0, 0))) for each in slots)
    apart = (a != b).any(axis=(1, 2)) | (old.bindings[i].side != new.bindings[j].side)
    apart |= (before.positions != after.positions).any(axis=1)
    apart |= old.amplitude(i, Options()) != new.amplitude(j, Options())
    return np.flatnonzero(apart)


def _same_shape(before: Rig, after: Rig, part: Part) -> bool:
    """Tell whether a part is the same in two rigs, and morphed alike."""
    return (
        before.meshes[part.mesh] is after.meshes[part.mesh]
        and before.node_morph_weights is after.node_morph_weights
    )


def _same_bones(old: Deformer, new: Deformer, skin: int) -> bool:
    """Tell whether a skin lists the same joints with the same bones."""
    a, b = old.bind_bones[skin], new.bind_bones[skin]
    return (
        old.rig.skins[skin].joints == new.rig.skins[skin].joints
        and np.array_equal(a.heads, b.heads)
        and np.array_equal(a.directions, b.directions)
        and np.array_equal(a.lengths, b.lengths)
    )


def _slots(deformer: Deformer, number: int, skin: int) -> FloatArray:
    """Return ``(V, K, 5)`` the influences of a part: node, weight and the bone's direction at bind time."""
    of = deformer.bindings[number]
    used = of.weights != 0.0
    nodes = np.array(deformer.rig.skins[skin].joints)[of.joints]
    directions = deformer.bind_directions(skin, Options().axis)[of.joints]
    return np.concatenate(
        [(nodes * used)[..., None], of.weights[..., None], directions * used[..., None]], axis=-1
    )


def _palette_difference(
    old: Deformer, new: Deformer, clips: tuple[Clip, Clip], times: FloatArray
) -> FloatArray:
    """Return ``(T,)`` how far apart the skin matrices are at most, joint by joint of equal node.

    A part without skin counts with its node.
    """
    models = []
    for deformer, clip in zip((old, new), clips, strict=True):
        models.append(model_from_nodes(deformer.rig, sample(deformer.rig, clip, times)))
    alone = sorted({part.node for part in old.rig.parts if not old.is_skinned(part)})
    apart = np.abs(models[0][:, alone] - models[1][:, alone])
    difference: FloatArray = apart.max(axis=(1, 2, 3), initial=0.0)
    for skin in old.skins:
        before, after = old.rig.skins[skin], new.rig.skins[skin]
        first, second = _shared_joints(before, after)
        a = models[0][:, [before.joints[i] for i in first]] @ before.joint_from_mesh[first]
        b = models[1][:, [after.joints[i] for i in second]] @ after.joint_from_mesh[second]
        difference = np.maximum(difference, np.abs(a - b).max(axis=(1, 2, 3), initial=0.0))
    return difference


def _frames(deformer: Deformer, times: list[tuple[int | None, float]]) -> list[Frame]:
    """Return the frame of every (clip, time): the times of one clip are sampled in one go."""
    rig, result = deformer.rig, {}
    for clip in {clip for clip, _ in times}:
        those = [i for i, (of, _) in enumerate(times) if of == clip]
        at = np.array([times[i][1] for i in those])
        frames = deformer.frame(sample(rig, None if clip is None else rig.clips[clip], at))
        result.update({i: frames[n] for n, i in enumerate(those)})
    return [result[i] for i in range(len(times))]


def _displacements(
    crowds: tuple[Crowd, Crowd], frames: tuple[list[Frame], list[Frame]]
) -> Iterator[tuple[str, FloatArray]]:
    """Yield per method, for one part, the largest distance of a vertex from itself, per frame."""
    old, new = (c.posed(f, Options()) for c, f in zip(crowds, frames, strict=True))
    if not len(old.positions) or _same(old, new):
        return
    done: dict[str, FloatArray] = {}
    for name in DEFAULT_PANES:
        # A part without skin moves with its node, whatever the method.
        a, b = (c.deformer.method_of(c.number, name) for c in crowds)
        if a.id not in done:
            apart = a.skin(old, Options()).positions - b.skin(new, Options()).positions
            distances = np.linalg.norm(apart, axis=-1).reshape(len(frames[0]), -1)
            done[a.id] = np.fmax.reduce(distances, axis=1)
        yield name, done[a.id]


def _same(old: Posed, new: Posed) -> bool:
    """Tell whether two meshes are bit for bit the same to every method, so that none moves anything."""
    return all(
        np.array_equal(a, b)
        for a, b in (
            (old.palette.matrices, new.palette.matrices),
            (old.palette.dual_quaternions, new.palette.dual_quaternions),
            (old.palette.stretches, new.palette.stretches),
            (old.bone_directions, new.bone_directions),
            (old.positions, new.positions),
            (old.amplitude, new.amplitude),
            (old.binding.joints, new.binding.joints),
            (old.binding.weights, new.binding.weights),
            (old.binding.side, new.binding.side),
        )
    )
