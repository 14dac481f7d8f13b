"""Retargeting: the clips of one skeleton played on another, however it rests and whatever its proportions.

Both skeletons are read in a reference pose: where their meshes were bound, else at rest. For a joint t of
the character with counterpart s in the motion, in model space:

1. The turn of s since its reference pose is ``D = R_s(time) · R_s(reference)⁻¹``. The character sees it
   through the turn F between how the two stand and face: ``F · D · F⁻¹``. Twist about the bone is part of
   D, so it is kept.
2. Arms and legs may rest differently (A-pose, T-pose). The shortest arc A turns the bone of t onto that of
   s in their reference poses; a hand is turned as its fingers tell, else as its arm. Trunk, head,
   clavicles and feet stand alike in every neutral pose, and the direction of their bones is proportion,
   not pose: their A is none.
3. ``R_t(time) = F·D·F⁻¹ · A · R_t(reference)``; joints without counterpart keep their place below the next
   joint above.
4. Hips and root are moved as far as in the motion, times the ratio of the lengths of the legs; a skeleton
   whose reference pose does not stand where its clips do is put on their ground first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray, unit
from rigview.core.clip import Channel, Clip
from rigview.core.deform import Deformer
from rigview.core.errors import RigviewError
from rigview.core.motion.clips_by_name import free_name
from rigview.core.motion.joint_mapping import JointMapping, Match
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.motion.reference_body import UP, ReferenceBody, rotations
from rigview.core.motion.subrig import SubRig
from rigview.core.names import body_parts
from rigview.core.pose import model_from_nodes, sample
from rigview.core.rig import Rig
from rigview.core.sampler import Sampler
from rigview.core.text import count, some_of

Progress = Callable[[float], None]

# Parts whose bones point in the same direction when two bodies stand in the same pose.
ALIGNED = frozenset({"upper_arm", "lower_arm", "hand", "finger", "thumb", "upper_leg", "lower_leg"})
# … of which these end where nothing tells a direction: they keep the arc of the joint above.
_FOLLOW = frozenset({"hand", "finger", "thumb"})
_PLACED = frozenset({"hips", "root"})
# The ground of a motion is where its lowest joint is in this percentile of its frames; within this share
# of a leg's length it is that of the reference pose.
_GROUND, _STANDS = 10.0, 0.25
# So many fingers tell how a hand is rolled.
_PALM = 2
# Frames computed at once.
_BLOCK = 512
# The parts that carry a motion: without fingers and face it is still the same one.
_LARGE = frozenset({"hips", "spine", "upper_arm", "lower_arm", "upper_leg", "lower_leg"})
# A motion that moves more joints than the character has counterparts for does not suit it.
_LEAST_SHARE = 0.5
# Quaternions and metres that change by less than this do not change: float32 keys hold no more.
_STILL = 2e-6


class RetargetError(RigviewError):
    """The motion cannot be played on the character; the message says why."""


@dataclass(frozen=True)
class JointError:
    """How far a joint is from its counterpart, over all retargeted clips.

    Parameters
    ----------
    joint, source
        Of the character, and of the motion.
    degrees
        The largest angle between their bones; NaN where a bone's end has no counterpart.
    distance
        The largest distance between their places, as a share of the length of a leg, once the motion is
        scaled to the character.
    """

    joint: int
    source: int
    degrees: float
    distance: float


@dataclass(frozen=True, eq=False)
class Retargeted:
    """A character with the clips of a motion.

    Parameters
    ----------
    clips
        The new clips, which are also the last of the rig's.
    scale
        Length of the character's legs over that of the motion's.
    errors
        Of every mapped joint, in the order of the tree.
    unmapped
        Joints that the motion turns and that turn nothing of the character.
    """

    rig: Rig
    clips: tuple[Clip, ...]
    scale: float
    errors: tuple[JointError, ...]
    unmapped: tuple[int, ...]


def retarget(
    motion: Deformer,
    character: Deformer,
    mapping: JointMapping,
    clips: Sequence[Clip] | None = None,
    progress: Progress | None = None,
) -> Retargeted:
    """Play clips of a motion on a character.

    Parameters
    ----------
    mapping
        Joints of the character → their counterparts (`joint_mapping.propose`).
    clips
        Of the motion; None for all.

    Raises
    ------
    RetargetError
        If less than half of the joints that the clips turn have a counterpart, or none is mapped.
    """
    chosen = motion.rig.clips if clips is None else clips
    unmapped = _require_counterparts(motion.rig, mapping, chosen)
    work = _Retargeting(ReferenceBody.of(motion), ReferenceBody.of(character), mapping)
    taken = {clip.name for clip in character.rig.clips}
    made: list[Clip] = []
    for number, clip in enumerate(chosen):
        if progress is not None:
            progress(number / len(chosen))
        made.append(replace(work.clip(clip), name=free_name(clip.name, taken)))
        taken.add(made[-1].name)
    rig = character.rig
    for clip in made:
        rig = with_clip(rig, clip)
    return Retargeted(rig, tuple(made), work.scale, work.errors(), unmapped)


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

    def __init__(
        self, motion: ReferenceBody, character: ReferenceBody, mapping: JointMapping
    ) -> None:
        self.motion, self.character, self.mapping = motion, character, mapping
        rig = character.rig
        self._order = sorted(range(len(rig.nodes)), key=lambda node: int(rig.nodes.depths[node]))
        self._facing = quat.multiply(character.facing, quat.conjugate(motion.facing))
        self._excerpt = SubRig.of(motion.rig, mapping.sources())
        self._ends = {joint: self._end(joint) for joint in mapping.matches}
        self._references = self._aligned()
        self._locals = self._reference_locals()
        placed = [j for j in mapping.matches if mapping.parts.get(j) in _PLACED]
        self._placed = tuple(placed or self._tops())
        legs = self._legs()
        self.leg_length = sum(map(character.length, legs)) / max(len(legs), 1)
        self.scale = self._ratio()
        self._lifted = np.zeros(3)
        self._worst: dict[int, tuple[float, float]] = {}

    def _tops(self) -> list[int]:
        """Return the mapped joints above all others: without names of a body these are moved."""
        above = self.character.rig.nodes
        mapped = set(self.mapping.matches)
        return [j for j in mapped if not mapped & set(above.ancestors(j))]

    def _hips(self) -> int:
        parts = self.mapping.parts
        hips = [j for j in self.mapping.matches if parts.get(j) == "hips"]
        return hips[0] if hips else self._placed[0]

    def _legs(self) -> list[list[int]]:
        """Return the mapped joints of each leg from the hips on; without legs, of the longest chain."""
        nodes, matches, parts = self.character.rig.nodes, self.mapping.matches, self.mapping.parts
        ends = [j for j in matches if parts.get(j) == "foot"] or list(matches)
        top = self._hips()
        chains = [[j, *(n for n in nodes.ancestors(j) if n in matches)] for j in ends]
        cut = [chain[: chain.index(top) + 1] for chain in chains if top in chain]
        return (
            cut if ends != list(matches) else [max(cut, key=self.character.length, default=[top])]
        )

    def _ratio(self) -> float:
        legs, matches = self._legs(), self.mapping.matches
        other = sum(self.motion.length([matches[joint].source for joint in leg]) for leg in legs)
        own = self.leg_length * len(legs)
        return own / other if own > 0.0 < other else 1.0

    def _end(self, joint: int) -> tuple[int, int] | None:
        """Return the nearest mapped joint below one, by its main chain, and its counterpart."""
        nodes, matches = self.character.rig.nodes, self.mapping.matches
        own = matches[joint]
        found: list[tuple[float, int]] = []
        for below in nodes.subtree(joint):
            match = matches.get(below)
            if below == joint or match is None or match.source == own.source:
                continue
            if not self.motion.rig.nodes.is_ancestor(own.source, match.source):
                continue
            between = [n for n in nodes.ancestors(below) if n in matches]
            if between and between[0] == joint:
                found.append((self._aside(joint, below), below))
        if not found:
            return None
        end = min(found)[1]
        return end, matches[end].source

    def _aside(self, joint: int, below: int) -> float:
        """Return how little a joint below continues the bone: fingers beside the middle one come later."""
        above = self.character.rig.nodes.parents[joint]
        heads = self.character.heads
        if above < 0:
            return 0.0
        on, out = heads[joint] - heads[above], heads[below] - heads[joint]
        length = float(np.linalg.norm(on) * np.linalg.norm(out))
        return -float(on @ out) / length if length > 0.0 else 1.0

    def _aligned(self) -> dict[int, FloatArray]:
        """Return joint → ``(4,)`` its reference rotation with the arc onto its counterpart's bone."""
        arcs: dict[int, FloatArray] = {}
        result = {}
        for joint in self._order:
            if joint not in self.mapping.matches:
                continue
            arcs[joint] = self._arc(joint, arcs)
            result[joint] = quat.multiply(arcs[joint], self.character.turns[joint])
        return result

    def _arc(self, joint: int, arcs: dict[int, FloatArray]) -> FloatArray:
        part = self.mapping.parts.get(joint)
        identity = np.array(quat.IDENTITY)
        if part is not None and part not in ALIGNED:
            return identity
        if part is None and self.mapping.matches[joint].how == "part":
            return identity
        end = self._ends[joint]
        if part == "hand":
            palm = self._palm(joint)
            return self._nearest_arc(joint, arcs) if palm is None else palm
        if end is None:
            return self._nearest_arc(joint, arcs) if part in _FOLLOW or part is None else identity
        own = self.character.heads[end[0]] - self.character.heads[joint]
        source = self.mapping.matches[joint].source
        other = self.motion.heads[end[1]] - self.motion.heads[source]
        return quat.arc(own, quat.rotate(self._facing, other))

    def _palm(self, hand: int) -> FloatArray | None:
        """Return the rotation that best turns the ways to a hand's fingers onto those of its counterpart.

        None for less than two fingers. Rotation of least squares: Kabsch 1976.
        """
        nodes, matches = self.character.rig.nodes, self.mapping.matches
        fingers: dict[int, int] = {}
        for joint in nodes.subtree(hand):
            above = next((n for n in nodes.ancestors(joint) if n in matches), -1)
            if joint in matches and above == hand and self.mapping.parts.get(joint) == "finger":
                fingers.setdefault(matches[joint].source, joint)
        if len(fingers) < _PALM:
            return None
        own = self.character.heads[[*fingers.values()]] - self.character.heads[hand]
        source = self.motion.heads[[*fingers]] - self.motion.heads[matches[hand].source]
        other = quat.rotate(self._facing, source)
        u, _, vt = np.linalg.svd(unit(other).T @ unit(own))
        u[:, 2] *= np.sign(np.linalg.det(u @ vt))
        return quat.from_matrix(u @ vt)

    def _nearest_arc(self, joint: int, arcs: dict[int, FloatArray]) -> FloatArray:
        for above in self.character.rig.nodes.ancestors(joint):
            if above in arcs:
                return arcs[above]
        return np.array(quat.IDENTITY)

    def _reference_locals(self) -> FloatArray:
        """Return ``(N, 4)`` the rotation of every node below its parent in the reference pose."""
        parents = np.array(self.character.rig.nodes.parents, dtype=np.int64)
        turns = self.character.turns
        above = np.where(parents[:, None] >= 0, turns[parents], quat.IDENTITY)
        return quat.multiply(quat.conjugate(above), turns)

    def clip(self, clip: Clip) -> Clip:
        """Return one clip of the motion for the character."""
        numbers = {id(own): number for number, own in enumerate(self.motion.rig.clips)}
        number = numbers.get(id(clip))
        small = self._excerpt.rig.clips[number] if number is not None else None
        if small is None:
            raise RetargetError(f"{clip.name} is no clip of the motion")
        times = _times(clip, self.motion.rig.origin.fps or 30.0)
        self._lifted = self._lift(small, times)
        turns: dict[int, list[FloatArray]] = {
            node: [] for node in self._order if node in self.mapping.matches
        }
        moves: dict[int, list[FloatArray]] = {joint: [] for joint in self._placed}
        for start in range(0, len(times), _BLOCK):
            block = times[start : start + _BLOCK]
            posed = model_from_nodes(self._excerpt.rig, sample(self._excerpt.rig, small, block))
            self._pose(posed, turns, moves)
        channels = [
            *(self._channel(j, "rotation", times, np.concatenate(v)) for j, v in turns.items()),
            *(self._channel(j, "translation", times, np.concatenate(v)) for j, v in moves.items()),
        ]
        return Clip(clip.name, tuple(channels), clip.markers)

    def _lift(self, small: Clip, times: FloatArray) -> FloatArray:
        """Return ``(3,)`` how far above the ground of its reference pose the motion has its own ground.

        A skeleton of motion capture may state its hips at the origin and stand them up in the clip alone.
        Nothing where the lowest joint of the clip is about as low as that of the reference pose.
        """
        some = times[:: max(1, len(times) // _BLOCK)]
        posed = model_from_nodes(self._excerpt.rig, sample(self._excerpt.rig, small, some))
        sources = sorted(self.mapping.sources())
        up = quat.rotate(self.motion.facing, np.array(UP))
        now = posed[:, self._excerpt.nodes(sources)][..., :3, 3] @ up
        rest = self.motion.heads[sources] @ up
        # Whoever jumps, or sinks in for a moment, does not say where the ground is.
        lift = float(np.percentile(now.min(axis=1), _GROUND) - rest.min())
        standing = abs(lift) * self.scale < _STANDS * self.leg_length
        return np.zeros(3) if standing else lift * up

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
        posed: FloatArray,
        turns: dict[int, list[FloatArray]],
        moves: dict[int, list[FloatArray]],
    ) -> None:
        """Append the local transforms of one block of frames ``(T, M, 4, 4)``."""
        rig, frames = self.character.rig, len(posed)
        wanted = {
            joint: self._wanted(joint, match, posed)
            for joint, match in self.mapping.matches.items()
        }
        turned = np.zeros((len(rig.nodes), frames, 4))
        model = np.zeros((len(rig.nodes), frames, 4, 4))
        for node in self._order:
            parent = rig.nodes.parents[node]
            above = turned[parent] if parent >= 0 else np.broadcast_to(quat.IDENTITY, (frames, 4))
            if node in wanted:
                turned[node] = wanted[node]
                local = quat.multiply(quat.conjugate(above), wanted[node])
                turns[node].append(local)
            else:
                local = np.broadcast_to(self._locals[node], (frames, 4))
                turned[node] = quat.multiply(above, local)
            frame = affine.compose(
                np.broadcast_to(rig.nodes.translations[node], (frames, 3)),
                local,
                np.broadcast_to(rig.nodes.scales[node], (frames, 3)),
            )
            if node in self._placed:
                frame[..., :3, 3] = self._moved(node, posed, model[parent] if parent >= 0 else None)
                moves[node].append(frame[..., :3, 3].copy())
            model[node] = frame if parent < 0 else model[parent] @ frame
        self._measure(posed, model)

    def _wanted(self, joint: int, match: Match, posed: FloatArray) -> FloatArray:
        """Return ``(T, 4)`` the rotation of a joint in model space."""
        turn = self._turn(match.source, posed)
        if match.beyond is not None:
            share = np.full(len(posed), match.share)
            turn = quat.slerp(turn, self._turn(match.beyond, posed), share)
        facing = np.broadcast_to(self._facing, turn.shape)
        seen = quat.multiply(quat.multiply(facing, turn), quat.conjugate(facing))
        return quat.normalise(quat.multiply(seen, self._references[joint]))

    def _turn(self, source: int, posed: FloatArray) -> FloatArray:
        """Return ``(T, 4)`` how far a joint of the motion is turned since its reference pose."""
        now = rotations(posed[:, self._excerpt.places[source]])
        return quat.multiply(now, quat.conjugate(self.motion.turns[source]))

    def _moved(self, joint: int, posed: FloatArray, above: FloatArray | None) -> FloatArray:
        """Return ``(T, 3)`` where hips or root are below their parent."""
        source = self.mapping.matches[joint].source
        rest = self.motion.heads[source] + self._lifted
        away = posed[:, self._excerpt.places[source], :3, 3] - rest
        place = self.character.heads[joint] + self.scale * quat.rotate(self._facing, away)
        if above is None:
            return place
        inverse = affine.inverse(above)
        return np.einsum("tij,tj->ti", inverse[:, :3, :3], place) + inverse[:, :3, 3]

    def _measure(self, posed: FloatArray, model: FloatArray) -> None:
        """Keep the worst angle and distance of every mapped joint."""
        hips = self._hips()
        base, other = (
            self.character.heads[hips],
            self.motion.heads[self.mapping.matches[hips].source],
        )
        for joint, match in self.mapping.matches.items():
            place = posed[:, self._excerpt.places[match.source], :3, 3]
            wanted = base + self.scale * quat.rotate(self._facing, place - other)
            distance = np.linalg.norm(model[joint][:, :3, 3] - wanted, axis=1).max()
            degrees, end = np.nan, self._ends[joint]
            if end is not None:
                tip = posed[:, self._excerpt.places[end[1]], :3, 3] - place
                bone = model[end[0]][:, :3, 3] - model[joint][:, :3, 3]
                off = quat.angle_between(
                    np.array(quat.IDENTITY), quat.arc(quat.rotate(self._facing, tip), bone)
                )
                degrees = float(np.degrees(off.max()))
            distance /= self.leg_length or 1.0
            worst = self._worst.get(joint, (np.nan, 0.0))
            self._worst[joint] = (float(np.fmax(worst[0], degrees)), max(worst[1], float(distance)))

    def errors(self) -> tuple[JointError, ...]:
        """Return the worst of every mapped joint, in the order of the tree."""
        return tuple(
            JointError(joint, self.mapping.matches[joint].source, *self._worst[joint])
            for joint in self._order
            if joint in self._worst
        )


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
