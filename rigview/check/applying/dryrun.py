"""What a fix would move: two rigs compared in every clip under every method, before anything is applied.

A rig whose clips bend nothing would hide what a change of weights does: where the change leaves the
nodes as they are, such a rig goes through its range of motion too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.check.applying.affected import Affected
from rigview.check.applying.rom_trials import RomTrials
from rigview.check.measures.facts import measured
from rigview.check.rule import Progress, count
from rigview.core.arrays import FloatArray
from rigview.core.clip import Clip
from rigview.core.measures.batched_poses import BatchedPoses, Frames, Moment
from rigview.core.measures.scan import scan_times
from rigview.core.methods.posed import Posed
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.motion.subrig import SubRig
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Part, Rig
from rigview.core.sentence import Sentence, joined
from rigview.core.skinning import DEFAULT_PANES, Options

# An exact fix may move nothing by more than this share of the rig's size.
EXACT = 1e-5
# Vertices are compared where palettes differ most, and those are at every time of a scan.
COMPARED_TIMES = 64
# Nodes times poses sampled in one go: enough to be quick, little enough to keep memory flat and to
# cancel soon.
_CHUNK = 40_000
# Multiples of the golden ratio fall evenly into 0…1 however many are taken.
_SPREAD = 0.6180339887498949

# The same vertices before and after.
Crowds = tuple[BatchedPoses, BatchedPoses]


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
    vertex
        The vertex that moves most, and the part that it is of; None where none moves, or the rest pose
        was compared.
    rest
        Whether the rest pose was compared, too.
    """

    displacement: dict[str, float]
    size: float
    clip: str | None
    time: float | None
    poses: int
    clips: int
    bent: bool
    vertex: tuple[Part, int] | None = None
    rest: bool = True

    @property
    def covered(self) -> str:
        """Which poses were compared, in words."""
        parts = [count(self.clips, "clip")] if self.clips else []
        parts += [Sentence("a range of motion")] if self.bent else []
        if not parts:
            return Sentence("the rest pose" if self.rest else "no pose: there is no clip")
        return joined(parts, "{first} and {rest}")

    @property
    def largest(self) -> float:
        """Over all methods, in metres."""
        return max(self.displacement.values(), default=0.0)

    @property
    def exact(self) -> bool:
        """Whether nothing moves: at most `EXACT` of the rig's size."""
        return self.largest <= EXACT * self.size


def dry_run(
    before: Rig,
    after: Rig,
    progress: Progress | None = None,
    rehearsals: RomTrials | None = None,
    *,
    rest: bool = True,
) -> DryRun:
    """Compare two rigs of the same clips and meshes.

    Their weights count as they are stated: what a fix changes of them is not to be hidden by dividing
    them by their sum.

    Parameters
    ----------
    rehearsals
        Of those who compare several rigs that came of each other.
    progress
        Hears what is under way and the share done; may raise to stop.
    rest
        Whether to compare the rest pose, too, which some fixes change on purpose.

    Raises
    ------
    ValueError
        If the two show different parts.
    """
    pairs = _same_parts(before, after)
    tell = progress or (lambda _text, _share: None)
    touched = _bending(before, after, rehearsals or RomTrials())
    crowds: list[Crowds] = []
    for i, j in pairs:
        tell("comparing palettes", 0.0)
        crowds += filter(None, (touched.crowds(i, j, Options()),))
    excerpts = _excerpts(touched, crowds)
    moments = _moments_of_interest(touched, excerpts, tell)[0 if rest else 1 :]
    moved = _moved(crowds, excerpts, moments, tell)
    worst = np.max(list(moved.values()), axis=0)
    clip, time = moments[int(np.argmax(worst))] if moments else (None, 0.0)
    vertex = None
    if not rest and worst.any():
        vertex = _worst_vertex(crowds, excerpts, (clip, time))
    return DryRun(
        {name: float(distances.max(initial=0.0)) for name, distances in moved.items()},
        touched.old.size,
        None if clip is None else touched.old.rig.clips[clip].name,
        None if clip is None else time,
        len(moments),
        clips=len(before.clips),
        bent=len(touched.old.rig.clips) > len(before.clips),
        vertex=vertex,
        rest=rest,
    )


def _bending(before: Rig, after: Rig, rehearsals: RomTrials) -> Affected:
    """Return what differs between two rigs, with a range of motion as another clip if none bends much.

    A clip of one says nothing of the other where their nodes rest differently, so those stay as they are.
    """
    of_both = measured(before).deformer, measured(after, before).deformer
    old, new = (deformer.reading("literal") for deformer in of_both)
    if not before.skins or not before.nodes.rests_like(after.nodes):
        return Affected(old, new)
    bent = rehearsals.bent(before)
    if bent is None:
        return Affected(old, new)
    bent = bent.reading("literal")
    return Affected(bent, new.of_changed(with_clip(after, bent.rig.clips[-1])))


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


def _excerpts(touched: Affected, crowds: list[Crowds]) -> list[SubRig]:
    """Return what of both rigs has to be posed: all that moves otherwise, and what the vertices follow."""
    if touched.moves_alike:
        followed = {node for pair in crowds for crowd in pair for node in crowd.nodes}
        return 2 * [SubRig.of(touched.old.rig, followed.union(touched.alone))]
    result = []
    for side, of in enumerate((touched.old, touched.new)):
        nodes = {node for pair in crowds for node in pair[side].nodes}.union(touched.alone)
        for skin in touched.old.skins:
            joints = of.rig.skins[skin].joints
            nodes.update(joints[row] for row in touched.joints(skin)[side].tolist())
        result.append(SubRig.of(of.rig, nodes))
    return result


def _moments_of_interest(
    touched: Affected, excerpts: Sequence[SubRig], tell: Progress
) -> list[Moment]:
    """Return the rest pose, and the (clip, time) at which palettes differ most."""
    every: list[tuple[FloatArray, FloatArray]] = []
    clips = touched.old.rig.clips
    for number, clip in enumerate(clips):
        tell("comparing palettes", 0.5 * number / max(1, len(clips)))
        times = sample_times(clip)
        apart = np.zeros(len(times))
        if touched.moves_in(number):
            room = max(1, _CHUNK // len(excerpts[0].places))
            for start in range(0, len(times), room):
                few = slice(start, start + room)
                tell("comparing palettes", 0.5 * (number + start / len(times)) / len(clips))
                apart[few] = _palette_difference(touched, excerpts, number, times[few])
        every.append((apart, times))
    differences = np.concatenate([np.zeros(0), *(apart for apart, _ in every)])
    # A fix of weights leaves all palettes equal: what is even is taken from all over the clips.
    spread = np.arange(len(differences)) * _SPREAD % 1.0
    chosen = np.lexsort((spread, -differences))[: COMPARED_TIMES - 1]
    of_clip = np.repeat(np.arange(len(clips)), [len(times) for _, times in every])
    at = np.concatenate([np.zeros(0), *(times for _, times in every)])
    return [(None, 0.0), *zip(of_clip[chosen].tolist(), at[chosen].tolist(), strict=True)]


def sample_times(clip: Clip) -> FloatArray:
    """Return the seconds ``(T,)`` at which a clip is compared, as `scan_times`; none without keys."""
    return scan_times(clip) if len(clip.key_times) else np.zeros(0)


def _palette_difference(
    touched: Affected, excerpts: Sequence[SubRig], clip: int, times: FloatArray
) -> FloatArray:
    """Return ``(T,)`` how far apart the skin matrices are at most, joint by joint of equal node.

    A part without skin counts with its node.
    """
    rigs = [of.rig for of in excerpts]
    models = [model_from_nodes(rig, sample(rig, rig.clips[clip], times)) for rig in rigs]
    alone = [model[:, of.nodes(touched.alone)] for model, of in zip(models, excerpts, strict=True)]
    difference: FloatArray = np.abs(alone[0] - alone[1]).max(axis=(1, 2, 3), initial=0.0)
    for skin in touched.old.skins:
        matrices = []
        for of, model, joints in zip(excerpts, models, touched.joints(skin), strict=True):
            rows = of.rows[skin][joints]
            listed = of.rig.skins[skin]
            matrices.append(model[:, listed.nodes[rows]] @ listed.joint_from_mesh[rows])
        apart = np.abs(matrices[0] - matrices[1])
        difference = np.maximum(difference, apart.max(axis=(1, 2, 3), initial=0.0))
    return difference


def _moved(
    crowds: Sequence[Crowds],
    excerpts: Sequence[SubRig],
    moments: Sequence[Moment],
    tell: Progress,
) -> dict[str, FloatArray]:
    """Return per method ``(T,)`` the largest distance of any vertex from itself."""
    moved = {name: np.zeros(len(moments)) for name in DEFAULT_PANES}
    if not crowds or not moments:
        return moved
    posed = {of: Frames.at(of, moments) for of in set(excerpts)}
    frames = [posed[of] for of in excerpts]
    for number, (old, new) in enumerate(crowds):
        # What a crowd keeps of its copies goes with it.
        first = replace(old)
        pair = first, new.beside(first)
        for few in old.portions(len(moments)):
            for name, distances in _displacements(pair, frames, few):
                largest = np.fmax.reduce(distances, axis=1)
                moved[name][few] = np.fmax(moved[name][few], largest)
            share = (number + few.stop / len(moments)) / len(crowds)
            tell("comparing vertices", 0.5 + 0.5 * share)
    return moved


def _worst_vertex(
    crowds: Sequence[Crowds], excerpts: Sequence[SubRig], moment: Moment
) -> tuple[Part, int] | None:
    """Return the vertex that moves most at a moment, under any method, and the part that it is of."""
    posed = {of: Frames.at(of, [moment]) for of in set(excerpts)}
    frames = [posed[of] for of in excerpts]
    worst, found = 0.0, None
    for pair in crowds:
        for _, distances in _displacements(pair, frames, slice(0, 1)):
            row = int(np.argmax(np.nan_to_num(distances[0])))
            if distances[0, row] > worst:
                worst = float(distances[0, row])
                found = pair[0].part, int(pair[0].vertices[row])
    return found


def _displacements(
    crowds: Crowds, frames: Sequence[Frames], few: slice
) -> Iterator[tuple[str, FloatArray]]:
    """Yield per method, for one part, ``(T, n)`` how far each vertex is from itself, per frame."""
    old, new = (c.posed(f, few, Options()) for c, f in zip(crowds, frames, strict=True))
    if _same(old, new):
        return
    done: dict[str, FloatArray] = {}
    for name in DEFAULT_PANES:
        # A part without skin moves with its node, whatever the method.
        a, b = (c.deformer.method_of(c.number, name) for c in crowds)
        if a.id not in done:
            apart = a.skin(old, Options()).positions - b.skin(new, Options()).positions
            done[a.id] = np.linalg.norm(apart, axis=-1).reshape(-1, len(crowds[0].vertices))
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
