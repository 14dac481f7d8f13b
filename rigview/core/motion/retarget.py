"""Retargeting: the clips of one skeleton played on another, however it rests and whatever its proportions.

Both skeletons are read in a reference pose: where their meshes were bound, else at rest. For a joint t of
the character with counterpart s in the motion, in model space:

1. The turn of s since its reference pose is ``D = R_s(time) · R_s(reference)⁻¹``. The character sees it
   through the turn F between how the two stand and face: ``F · D · F⁻¹``. Twist about the bone is part of
   D, so it is kept; without it a limb goes the shortest way from where the joint above turns its bone.
2. Arms and legs may rest differently (A-pose, T-pose). The shortest arc A turns the bone of t onto that of
   s in their reference poses; a hand is turned as its fingers tell, else as its arm. Trunk, head,
   clavicles and feet stand alike in every neutral pose, and the direction of their bones is proportion,
   not pose: their A is none (`rest_alignment`).
3. ``R_t(time) = F·D·F⁻¹ · A · R_t(reference)``; joints without counterpart keep their place below the next
   joint above.
4. Hips and root are moved as far as in the motion, times the ratio of the lengths of the legs; a skeleton
   whose reference pose does not stand where its clips do is put on their ground first.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.errors import RigviewError
from rigview.core.motion.body_pair import BodyPair
from rigview.core.motion.clips_by_name import free_name
from rigview.core.motion.joint_mapping import JointMapping, Match
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.motion.reference_body import UP, ReferenceBody, rotations
from rigview.core.motion.rest_alignment import aligned_turns
from rigview.core.motion.retarget_errors import ErrorMeter, JointError
from rigview.core.motion.subrig import SubRig
from rigview.core.names import body_parts
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.core.text import count, some_of

Progress = Callable[[float], None]

# The ground of a motion is where its lowest joint is in this percentile of its frames; within this share
# of a leg's length it is that of the reference pose.
_GROUND, _STANDS = 10.0, 0.25
# Frames computed at once.
_BLOCK = 512
# The parts that carry a motion: without fingers and face it is still the same one.
_LARGE = frozenset({"hips", "spine", "upper_arm", "lower_arm", "upper_leg", "lower_leg"})
# Parts whose twist can be left out: the direction of their bones says how they stand.
_LIMBS = frozenset({"upper_arm", "lower_arm", "upper_leg", "lower_leg"})
# A motion that moves more joints than the character has counterparts for does not suit it.
_LEAST_SHARE = 0.5
# Quaternions and metres that change by less than this do not change: float32 keys hold no more.
_STILL = 2e-6


class RetargetError(RigviewError):
    """The motion cannot be played on the character; the message says why."""


@dataclass(frozen=True)
class RetargetOptions:
    """How a motion is played on a character.

    Parameters
    ----------
    scale
        By how much the ways of hips and root are multiplied; None for the ratio of the lengths of the legs.
    twist
        Whether arms and legs take over turns about their own bones.
    align
        Whether arms and legs that rest differently are turned onto those of the motion first.
    """

    scale: float | None = None
    twist: bool = True
    align: bool = True

    @property
    def fault(self) -> str:
        """Why these cannot be used; empty where they can."""
        usable = self.scale is None or 0.0 <= self.scale < math.inf
        return "" if usable else f"a motion cannot be scaled by {self.scale:g}"


PLAIN = RetargetOptions()


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A character with the clips of a motion.

    Parameters
    ----------
    clips
        The new clips, which are also the last of the rig's.
    placements
        Per clip ``(4, 4)`` ``character_from_motion``: where the motion's own skeleton is beside the
        character, as large as it and facing as it does.
    scale
        Length of the character's legs over that of the motion's.
    errors
        Of every mapped joint, in the order of the tree.
    unmapped
        Joints that the motion turns and that turn nothing of the character.
    """

    rig: Rig
    clips: tuple[Clip, ...]
    placements: tuple[FloatArray, ...]
    scale: float
    errors: tuple[JointError, ...]
    unmapped: tuple[int, ...]


def retarget(
    motion: Deformer,
    character: Deformer,
    mapping: JointMapping,
    clips: Sequence[Clip] | None = None,
    progress: Progress | None = None,
    options: RetargetOptions = PLAIN,
) -> Retargeted:
    """Play clips of a motion on a character.

    Parameters
    ----------
    mapping
        Joints of the character → their counterparts (`joint_mapping.propose`).
    clips
        Of the motion; None for all.
    progress
        Is told the share that is done, after some frames at most.

    Raises
    ------
    RetargetError
        If less than half of the joints that the clips turn have a counterpart, or none is mapped.
    """
    chosen = motion.rig.clips if clips is None else clips
    unmapped = _require_counterparts(motion.rig, mapping, chosen)
    pair = BodyPair(ReferenceBody.of(motion), ReferenceBody.of(character), mapping)
    work = _Retargeting(pair, options)
    taken = {clip.name for clip in character.rig.clips}
    made: list[Clip] = []
    placements: list[FloatArray] = []
    for number, clip in enumerate(chosen):

        def tell(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(chosen))

        own, placement = work.clip(clip, tell)
        made.append(replace(own, name=free_name(clip.name, taken)))
        placements.append(placement)
        taken.add(made[-1].name)
    rig = character.rig
    for clip in made:
        rig = with_clip(rig, clip)
    errors = work.meter.errors()
    return Retargeted(rig, tuple(made), tuple(placements), pair.scale, errors, unmapped)


def _require_counterparts(
    motion: Rig, mapping: JointMapping, clips: Sequence[Clip]
) -> tuple[int, ...]:
    turned = {own.node for clip in clips for own in clip.active if own.path == "rotation"}
    if not turned:
        raise RetargetError("the motion turns no joint")
    if not mapping.matches:
        raise RetargetError("no joint of the character has a counterpart in the motion")
    left = sorted(turned - mapping.sources())
    parts = body_parts(motion)
    large = {node for node in turned if parts.get(node) in _LARGE} or turned
    without = [node for node in left if node in large]
    if len(without) > (1.0 - _LEAST_SHARE) * len(large):
        names = some_of([motion.nodes.label(node) for node in without], 8)
        raise RetargetError(
            f"{len(without)} of the {count(len(large), 'joint')} that carry the motion have no "
            f"counterpart in the character: {names}; map them by hand"
        )
    return tuple(left)


class _Retargeting:
    """What is computed once for all clips, and the errors gathered as they are made."""

    def __init__(self, pair: BodyPair, options: RetargetOptions) -> None:
        self._pair, self._options = pair, options
        self._excerpt = SubRig.of(pair.motion.rig, pair.mapping.sources())
        turns = pair.character.turns
        self._references = (
            aligned_turns(pair) if options.align else {j: turns[j] for j in pair.mapping.matches}
        )
        self._locals = self._reference_locals()
        self._scale = pair.scale if options.scale is None else options.scale
        self.meter = ErrorMeter(pair, self._excerpt)

    def _reference_locals(self) -> FloatArray:
        """Return ``(N, 4)`` the rotation of every node below its parent in the reference pose."""
        character = self._pair.character
        parents = np.array(character.rig.nodes.parents, dtype=np.int64)
        turns = character.turns
        above = np.where(parents[:, None] >= 0, turns[parents], quat.IDENTITY)
        return quat.multiply(quat.conjugate(above), turns)

    def clip(self, clip: Clip, progress: Progress) -> tuple[Clip, FloatArray]:
        """Return one clip of the motion for the character, and its placement (`Retargeted`)."""
        pair = self._pair
        numbers = {id(own): number for number, own in enumerate(pair.motion.rig.clips)}
        number = numbers.get(id(clip))
        small = self._excerpt.rig.clips[number] if number is not None else None
        if small is None:
            raise RetargetError(f"{clip.name} is no clip of the motion")
        times = _times(clip, pair.motion.rig.origin.fps or 30.0)
        stands = self._stand(small, times)
        placement = self._placement(stands[pair.hips])
        turns: dict[int, list[FloatArray]] = {
            node: [] for node in pair.order if node in pair.mapping.matches
        }
        moves: dict[int, list[FloatArray]] = {joint: [] for joint in pair.placed}
        for start in range(0, len(times), _BLOCK):
            progress(start / len(times))
            block = times[start : start + _BLOCK]
            posed = model_from_nodes(self._excerpt.rig, sample(self._excerpt.rig, small, block))
            model = self._pose(_Frames(posed, stands), turns, moves)
            self.meter.measure(posed, model, placement)
        channels = [
            *(self._channel(j, "rotation", times, np.concatenate(v)) for j, v in turns.items()),
            *(self._channel(j, "translation", times, np.concatenate(v)) for j, v in moves.items()),
        ]
        return Clip(clip.name, tuple(channels), clip.markers), placement

    def _stand(self, small: Clip, times: FloatArray) -> dict[int, FloatArray]:
        """Return moved joint → ``(3,)`` where its counterpart stands: its reference place on the ground.

        A skeleton of motion capture may state its hips at the origin and stand them up in the clip alone.
        Where the lowest joint of the clip is about as low as in the reference pose, nothing is lifted, nor
        is a joint, such as a root on the ground, that the clip keeps at its height.
        """
        pair = self._pair
        some = times[:: max(1, len(times) // _BLOCK)]
        posed = model_from_nodes(self._excerpt.rig, sample(self._excerpt.rig, small, some))
        sources = sorted(pair.mapping.sources())
        up = quat.rotate(pair.motion.facing, np.array(UP))
        now = posed[:, self._excerpt.nodes(sources)][..., :3, 3] @ up
        rest = pair.motion.heads[sources] @ up
        # Whoever jumps, or sinks in for a moment, does not say where the ground is.
        lift = float(np.percentile(now.min(axis=1), _GROUND) - rest.min())
        if abs(lift) * pair.scale < _STANDS * pair.leg_length:
            lift = 0.0
        result = {}
        for joint in {*pair.placed, pair.hips}:
            source = pair.mapping.matches[joint].source
            at = sources.index(source)
            risen = float(np.median(now[:, at]) - rest[at])
            own = lift if abs(risen - lift) < abs(risen) else 0.0
            result[joint] = pair.motion.heads[source] + own * up
        return result

    def _placement(self, hips: FloatArray) -> FloatArray:
        """Return ``(4, 4)`` ``character_from_motion`` by which the hips of the reference poses agree."""
        pair = self._pair
        result = np.eye(4)
        result[:3, :3] = pair.scale * quat.to_matrix(pair.facing)
        result[:3, 3] = pair.character.heads[pair.hips] - result[:3, :3] @ hips
        return result

    def _channel(self, joint: int, path: str, times: FloatArray, values: FloatArray) -> Channel:
        if path == "rotation":
            values = _continuous(values)
        if np.abs(values - values[0]).max() <= _STILL:
            times, values = times[:1], values[:1]
        return Channel(
            joint, "rotation" if path == "rotation" else "translation", Sampler(times, values)
        )

    def _pose(
        self,
        frames: "_Frames",
        turns: dict[int, list[FloatArray]],
        moves: dict[int, list[FloatArray]],
    ) -> FloatArray:
        """Append the local transforms of some frames; return ``(N, T, 4, 4)`` ``model_from_node``."""
        pair, posed = self._pair, frames.posed
        rig, number = pair.character.rig, len(posed)
        wanted = self._wanted(posed)
        turned = np.zeros((len(rig.nodes), number, 4))
        model = np.zeros((len(rig.nodes), number, 4, 4))
        for node in pair.order:
            parent = rig.nodes.parents[node]
            above = turned[parent] if parent >= 0 else np.broadcast_to(quat.IDENTITY, (number, 4))
            if node in wanted:
                turned[node] = wanted[node]
                local = quat.multiply(quat.conjugate(above), wanted[node])
                turns[node].append(local)
            else:
                local = np.broadcast_to(self._locals[node], (number, 4))
                turned[node] = quat.multiply(above, local)
            frame = affine.compose(
                np.broadcast_to(rig.nodes.translations[node], (number, 3)),
                local,
                np.broadcast_to(rig.nodes.scales[node], (number, 3)),
            )
            if node in moves:
                frame[..., :3, 3] = self._moved(
                    node, frames, model[parent] if parent >= 0 else None
                )
                moves[node].append(frame[..., :3, 3].copy())
            model[node] = frame if parent < 0 else model[parent] @ frame
        return model

    def _wanted(self, posed: FloatArray) -> dict[int, FloatArray]:
        """Return mapped joint → ``(T, 4)`` its rotation in model space, parents first."""
        pair, facing = self._pair, self._pair.facing
        turns: dict[int, FloatArray] = {}
        result: dict[int, FloatArray] = {}
        for joint in pair.order:
            match = pair.mapping.matches.get(joint)
            if match is None:
                continue
            turn = self._matched(match, posed)
            if not self._options.twist and pair.mapping.parts.get(joint) in _LIMBS:
                turn = self._untwisted(joint, turn, turns)
            turns[joint] = turn
            seen = quat.multiply(quat.multiply(facing, turn), quat.conjugate(facing))
            result[joint] = quat.normalise(quat.multiply(seen, self._references[joint]))
        return result

    def _untwisted(self, joint: int, turn: FloatArray, turns: dict[int, FloatArray]) -> FloatArray:
        """Return ``(T, 4)`` the shortest way on from the joint above to where a turn has the bone."""
        bone, above = self._pair.bone(joint), self._pair.mapped_above(joint)
        if bone is None or above is None:
            return turn
        carried = turns[above]
        onto = quat.arc(quat.rotate(carried, bone), quat.rotate(turn, bone))
        return quat.multiply(onto, carried)

    def _matched(self, match: Match, posed: FloatArray) -> FloatArray:
        """Return ``(T, 4)`` how far a counterpart is turned since its reference pose."""
        turn = self._turn(match.source, posed)
        if match.beyond is None:
            return turn
        share = np.full(len(posed), match.share)
        return quat.slerp(turn, self._turn(match.beyond, posed), share)

    def _turn(self, source: int, posed: FloatArray) -> FloatArray:
        """Return ``(T, 4)`` how far a joint of the motion is turned since its reference pose."""
        now = rotations(posed[:, self._excerpt.places[source]])
        return quat.multiply(now, quat.conjugate(self._pair.motion.turns[source]))

    def _moved(self, joint: int, frames: "_Frames", above: FloatArray | None) -> FloatArray:
        """Return ``(T, 3)`` where hips or root are below their parent."""
        pair = self._pair
        source = pair.mapping.matches[joint].source
        away = frames.posed[:, self._excerpt.places[source], :3, 3] - frames.stands[joint]
        place = pair.character.heads[joint] + self._scale * quat.rotate(pair.facing, away)
        if above is None:
            return place
        inverse = affine.inverse(above)
        return np.einsum("tij,tj->ti", inverse[:, :3, :3], place) + inverse[:, :3, 3]


@dataclass(frozen=True, eq=False)
class _Frames:
    """Some frames of a motion: ``(T, M, 4, 4)`` ``model_from_node``, and where it stands (`_stand`)."""

    posed: FloatArray
    stands: dict[int, FloatArray]


def _times(clip: Clip, fps: float) -> FloatArray:
    """Return the times of all keys, with frames between keys that are further apart than a frame."""
    keys = clip.key_times
    if len(keys) < 2:
        return keys if len(keys) else np.zeros(1)
    parts = [
        np.linspace(start, end, max(1, int(np.ceil((end - start) * fps - 1e-3))), endpoint=False)
        for start, end in pairwise(keys)
    ]
    return np.concatenate([*parts, keys[-1:]])


def _continuous(turns: FloatArray) -> FloatArray:
    """Return ``(T, 4)`` with signs such that neighbours are on one hemisphere."""
    same = np.sum(turns[1:] * turns[:-1], axis=1) >= 0.0
    signs = np.concatenate([[1.0], np.cumprod(np.where(same, 1.0, -1.0))])
    return turns * signs[:, None]
