"""Capsule compensation: our own way to keep a bent limb round.

Dual quaternion skinning turns a vertex by the blended rotation R_b about a centre that wanders off the
bone. Here every influence j says where the vertex would lie if its distance to bone j stayed what it
was at rest, as on a capsule around the bone, and the answers are mixed by static shares.

1. At rest the vertex has the height ξ along the bone's axis e and the radius ρ across it:
   ``v − head = ξ e + ρ``.
2. The blended rotation turns them to ``E = R_b e`` and ``r = R_b ρ``, while the posed bone points along
   D. The smallest rotation E → D turns r back square to the bone: the radius keeps its length.
3. The vertex slides to the height where the line from it along E meets the bone. Where that lies
   beyond an end of the bone, the vertex lies on a sphere around the joint instead, which closes the
   outer side.
4. Towards the inner side of the plane that halves the bend (`PosedBoneFrames.head_gaps`) steps 2 and 3 fade
   out: deep inside a vertex is turned by R_b about its place on the bone.
5. On bends from 90° to 120° all of it fades to plain dual quaternion skinning: flesh that is bent
   further is no round limb any more.
6. Normals turn by the same E → D, and on the sphere by the angle over the joint.

It assumes limbs that are round, and fades to plain dual quaternion skinning where joints that are not
above one another share a vertex. Where joints stretch, everything above happens after the blended
stretch, and the head is where the vertex's image under joint j says it is; so that a vertex of one
joint goes exactly where the joint carries it.

All of it happens in the frame of the posed bone, whose axis D is z. There R_b is the inverse of the
relative rotation (`relative_rotations`), a quaternion b + a·**i** of two complex numbers, of length
|b|² + |a|² = 1 in what follows; vectors across the bone are complex numbers, ρ the one at rest. Then

- ``E = (2i a b̄, |b|² − |a|²)``; with D it spans the plane of the bend, in which everything moves.
- What E → D leaves of R_b is a turn about the bone: r becomes ``σ = ρ b̄ / b``.
- ``r·D = 2 Im(ρ̄ a b)``, how far r leans along the bone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import ComplexArray, FloatArray, IntArray, unit
from rigview.core.methods.bone_frames import NOTHING, PosedBoneFrames
from rigview.core.methods.capsule_shares import BoneShares, ShareBlock, ShareLayout, smooth
from rigview.core.methods.relative_rotations import RelativeRotations

# E and D further apart than 60° make the height where the line meets the bone shoot away.
STEEPEST = 0.5
# The outer side begins this much more sharply than the inner one.
OUTSIDE = 8.0
# On the sphere the height keeps at least this share of its root.
FLOOR = 0.04
# A cap is never squeezed below the root of this share of its radius.
FLATTEST_CAP = 0.1
# On the sphere normals turn by at most the angle of this sine.
STEEPEST_CAP = 0.95
# Below this sine the axis of the bend fades out: it is rounding soon (float32's on the graphics card).
STRAIGHT = 1e-3
# Tangents of half the bends, 90° and 120°, from which the capsule fades and at which nothing is left.
FAR_BENT = (1.0, 1.7)
# Directions nearer to opposite than this (1 + cosine) have no smallest rotation between them.
OPPOSED = 1e-6


@dataclass(frozen=True, eq=False)
class Capsules:
    """The capsules around the bones of a mesh in one pose.

    Parameters
    ----------
    seats
        Block by block.
    rotations
        ``(J, 4)`` skin rotations.
    heads
        ``(3, n)`` the posed heads as the seats see them; None where all see those of `bone_frames`.
    """

    seating: ShareLayout
    seats: Sequence[BoneShares]
    relative: RelativeRotations
    limbs: PosedBoneFrames
    rotations: FloatArray
    heads: FloatArray | None = None

    def positions(self, skinned: FloatArray, strength: float) -> FloatArray:
        """Return ``(V, 3)``: positions that dual quaternions have skinned, made round."""
        kept = self._kept
        if kept is None:
            result = skinned * self.seating.left(strength)
        else:
            result = skinned * (1.0 - strength * self.seating.sum(kept))[:, None]
        table = self._table(self.limbs.heads if self.heads is None else None, strength)
        for block, seats, bend in self._bends():
            result[block.vertices] += block.gather(
                _place(bend, seats, self._share(block, seats)), table
            )
        if self.heads is not None:
            for axis in range(3):
                heads = self.heads[axis] if kept is None else self.heads[axis] * kept
                result[:, axis] += strength * self.seating.sum(heads)
        return result

    def normals(self, skinned: FloatArray, strength: float) -> FloatArray:
        """Return ``(V, 3)``: unit normals that dual quaternions have skinned, turned with the capsules."""
        result = skinned.copy()
        frames = quat.to_matrix(self.limbs.posed_frames)
        table = self._table(None, strength)
        for block, seats, bend in self._bends():
            of_seats = skinned[self.seating.vertices[block.seats]]
            joints = self.seating.joints[block.seats]
            seen = np.einsum("nij,ni->jn", frames[joints], of_seats)
            result[block.vertices] += block.gather(
                _turn(bend, seats, seen) * self._share(block, seats), table
            )
        return unit(result, skinned)

    @cached_property
    def _kept(self) -> FloatArray | None:
        """``(n,)`` 1 to 0: what far bends leave of the capsule; None where no joint bends far."""
        ends = np.linalg.norm([self.limbs.head_gaps, self.limbs.tail_gaps], axis=-1)
        near, far = FAR_BENT
        if not self.seats or not np.any(ends > near):
            return None
        bent = ends[:, self.seating.joints]
        near_tail = np.concatenate([seats.near_tail for seats in self.seats])
        at_bend: FloatArray = bent[0] + near_tail * (bent[1] - bent[0])
        return 1.0 - smooth((at_bend - near) / (far - near))

    def _share(self, block: ShareBlock, seats: BoneShares) -> FloatArray:
        """Return the shares of a block's seats in this pose."""
        return seats.share if self._kept is None else seats.share * self._kept[block.seats]

    def _table(self, heads: FloatArray | None, strength: float) -> FloatArray:
        """Return ``(4, J, 3)``: where x, −y and z of the bones' frames point, and the heads."""
        table = np.zeros((4, len(self.limbs.heads), 3))
        table[:3] = quat.to_matrix(self.limbs.posed_frames).transpose(2, 0, 1)
        table[1] *= -1.0
        if heads is not None:
            table[3] = heads
        return table * strength

    def _bends(self) -> Iterator[tuple[ShareBlock, BoneShares, "_Bend"]]:
        frames = quat.to_matrix(self.limbs.posed_frames)
        gaps = np.concatenate(
            [
                np.einsum("ji,jik->kj", gaps, frames[:, :, :2] * (1.0, -1.0))
                for gaps in (self.limbs.head_gaps, self.limbs.tail_gaps)
            ]
        )
        turns = self.relative.rotations(self.limbs, self.rotations)
        for block, seats, turn in zip(self.seating.blocks, self.seats, turns, strict=True):
            yield block, seats, _bend(turn, seats.across, block.of_seats(gaps))


@dataclass(frozen=True, eq=False)
class _Bend:
    """How the blended rotation stands to the posed bones, one value a seat. `_place` uses it up.

    Parameters
    ----------
    across
        ``(4, n)`` x and −y of σ, then those of E across the posed bone.
    versine, sine_square
        Of the angle between E and D: 1 − cosine, and the sine squared.
    per_both
        1 / (1 + cosine).
    lean
        What r has along the posed bone.
    head_gap, tail_gap
        How far outside the head and inside the tail the planes that halve the bends stand.
    """

    across: FloatArray
    versine: FloatArray
    sine_square: FloatArray
    per_both: FloatArray
    lean: FloatArray
    head_gap: FloatArray
    tail_gap: FloatArray


def _bend(turns: FloatArray, across: ComplexArray, gaps: FloatArray) -> _Bend:
    """Return the bend by relative rotations ``(n, 4)`` and gaps ``(4, n)``, which are used up."""
    twist, tilt = turns.view(np.complex128).T
    tilted, turned = tilt * twist, twist * twist
    turned *= across
    squares = np.square(turns, out=turns)
    about, aside = squares[:, 0] + squares[:, 1], squares[:, 2] + squares[:, 3]
    double = about + aside
    if double.min() == 0.0:
        # Rotations that cancel have no blend: such a vertex goes with each of its joints.
        lost = np.flatnonzero(double == 0.0)
        about[lost] = double[lost] = 1.0
        turned[lost] = across[lost]
    np.divide(2.0, double, out=double)
    about *= double
    aside *= double
    by_axis = turns.reshape(4, -1)
    straight, axis = by_axis[:2], by_axis[2:]
    np.multiply(_halves(tilted), double, out=axis)
    per_both = np.maximum(about, OPPOSED)
    np.divide(1.0, per_both, out=per_both)
    double *= per_both
    np.multiply(_halves(turned), double, out=straight)
    halves = gaps.reshape(2, 2, -1)
    halves *= straight
    gaps[0] += gaps[1]
    gaps[2] += gaps[3]
    lean, other = np.multiply(straight, axis, out=gaps[1::2])
    lean += other
    sine_square = np.multiply(about, aside, out=about)
    return _Bend(
        by_axis,
        aside,
        sine_square,
        per_both,
        lean,
        gaps[0],
        gaps[2],
    )


def _halves(numbers: ComplexArray) -> FloatArray:
    """Return ``(2, n)`` the real and the imaginary parts."""
    return numbers.view(np.float64).reshape(-1, 2).T


def _slide(bend: _Bend, seats: BoneShares) -> FloatArray:
    """Return how far each vertex slides along the bone."""
    steep = np.subtract(1.0, bend.versine)
    np.maximum(steep, STEEPEST, out=steep)
    # On the line until it meets an end of the bone, on the sphere from there.
    line = bend.lean / steep
    slide = np.maximum(line, seats.down)
    np.minimum(slide, seats.up, out=slide)
    ends = np.flatnonzero(slide != line)
    slide[ends] = _on_sphere(slide[ends], steep[ends], bend.lean[ends])
    return slide


def _on_sphere(edge: FloatArray, steep: FloatArray, lean: FloatArray) -> FloatArray:
    """Return the slide of vertices that have met an end of the bone, at `edge` along the line.

    Where they had not, this would be the line's again.
    """
    steep_square = steep * steep
    square = lean * lean
    along = square - (edge * steep) ** 2 * (1.0 - steep_square)
    root = np.sqrt(np.maximum(along, FLOOR * square))
    return edge * (1.0 - steep_square) + np.copysign(root, lean)


def _over(seats: BoneShares, slide: FloatArray) -> FloatArray:
    """Return how far each vertex slides beyond an end of its bone."""
    over = np.maximum(slide, seats.down)
    np.minimum(over, seats.up, out=over)
    return np.subtract(slide, over, out=over)


def _cap(
    bend: _Bend, seats: BoneShares, over: FloatArray, at: IntArray | slice
) -> tuple[FloatArray, FloatArray]:
    """Return the sine of the angle over the bone's end, per sine of the bend, and its cosine.

    The cosine is what is left of the radius there, never less than the root of `FLATTEST_CAP`.

    Parameters
    ----------
    at
        Which seats; `over` is that of all.
    """
    lean, sine_square = bend.lean[at], bend.sine_square[at]
    square = np.maximum(lean * lean, sine_square * seats.astride[at])
    square += NOTHING
    sine = over[at] * lean
    sine /= square
    cosine_square = np.maximum(1.0 - sine * sine * sine_square, FLATTEST_CAP)
    return sine, np.sqrt(cosine_square, out=cosine_square)


def _sides(bend: _Bend, seats: BoneShares) -> tuple[FloatArray, FloatArray]:
    """Return how far what lies beyond an end turns about the joint, and how much the capsule counts."""
    outside, other = bend.head_gap, bend.tail_gap
    outside *= seats.towards_head
    other *= seats.towards_tail
    outside += other
    # The outer side of what lies beyond an end at rest turns about the joint, so that joints that are
    # bent at rest stay round.
    swing = np.multiply(outside, OUTSIDE, out=other)
    swing += 0.5
    np.maximum(swing, 0.0, out=swing)
    np.minimum(swing, 1.0, out=swing)
    swing *= seats.beyond
    # On the inner side nothing is left of the capsule.
    pull = outside
    pull += 0.5
    np.maximum(pull, 0.0, out=pull)
    np.minimum(pull, 1.0, out=pull)
    return swing, pull


def _place(bend: _Bend, seats: BoneShares, share: FloatArray) -> FloatArray:
    """Return ``(4, n)``: the vertices' x, −y and z in the bones' frames, and 1, times the shares."""
    slide = _slide(bend, seats)
    over = _over(seats, slide)
    swing, pull = _sides(bend, seats)
    # Along E across the bone: r is σ plus lean / (1 + cosine).
    untilted = np.multiply(bend.lean, bend.per_both, out=bend.per_both)
    squeeze = untilted * pull
    ends = np.flatnonzero(over != 0.0)
    _, cosine = _cap(bend, seats, over, ends)
    bent = np.maximum(bend.sine_square[ends], STRAIGHT**2)
    squeeze[ends] += (cosine - 1.0) / bent * bend.lean[ends] * pull[ends]
    untilted += swing
    untilted -= squeeze
    # Along the bone.
    slide -= bend.lean
    slide *= pull
    slide += bend.lean
    swing *= bend.versine
    slide -= swing
    slide += seats.height
    straight, axis = bend.across[:2], bend.across[2:]
    axis *= untilted
    straight -= axis
    straight *= share
    bend.across[2], bend.across[3] = slide, share
    bend.across[2] *= share
    return bend.across


def _turn(bend: _Bend, seats: BoneShares, normals: FloatArray) -> FloatArray:
    """Return ``(4, n)``: what is added to ``(3, n)`` normals; x, −y, z in the bones' frames, and 0."""
    sine, _ = _cap(bend, seats, _over(seats, _slide(bend, seats)), slice(None))
    bounded_square = np.maximum(bend.sine_square, STRAIGHT**2)
    square = sine * sine * bend.sine_square
    sine *= STEEPEST_CAP / np.sqrt(np.maximum(square, STEEPEST_CAP**2))
    lost = np.sqrt(1.0 - np.minimum(square, STEEPEST_CAP**2)) - 1.0
    bent = bend.sine_square / bounded_square
    sine *= bent
    lost *= bent
    axis = bend.across[2:]
    # D − E is −E across and the versine along.
    along = normals[2]
    turned = along * bend.versine + axis[0] * normals[0] - axis[1] * normals[1]
    x = along - turned
    y = turned + bend.versine * x
    cap = lost * y / bounded_square - sine * x
    across = (2.0 * x + turned) * bend.per_both + cap
    result = np.zeros((4, len(x)))
    np.multiply(across, axis, out=result[:2])
    result[2] = across * bend.versine - 2.0 * y * bend.per_both
    result[2] += lost * x + sine * y - bend.versine * cap
    return result
