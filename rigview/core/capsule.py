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
4. On the inner side nothing may pass the plane that halves the bend (`PosedLimbs.head_gaps`): there
   the skin folds into a crease, as far as the vertex takes part in the bend. ``crease`` mixes this (1)
   with the plain bent tube (0).
5. Normals turn by the same E → D, and on the sphere by the angle over the joint.

It assumes limbs that are round, and fades to plain dual quaternion skinning where joints that are not
above one another share a vertex. Where joints stretch, everything above happens after the blended
stretch, and the head is where the vertex's image under joint j says it is; so that a vertex of one
joint goes exactly where the joint carries it.

All of it happens in the frame of the posed bone, whose axis D is z. There R_b is the inverse of the
relative rotation (`relative`), a quaternion b + a·**i** of two complex numbers, of length |b|² + |a|² = 1
in what follows; vectors across the bone are complex numbers, ρ the one at rest. Then

- ``E = (2i a b̄, |b|² − |a|²)``; with D it spans the plane of the bend, in which everything moves.
- What E → D leaves of R_b is a turn about the bone: r becomes ``σ = ρ b̄ / b``.
- ``r·D = 2 Im(ρ̄ a b)``, how far r leans along the bone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core import quat
from rigview.core.arrays import ComplexArray, FloatArray, unit
from rigview.core.limbs import NOTHING, PosedLimbs
from rigview.core.relative import Relative
from rigview.core.seats import Block, Seating, Seats

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
        ``(3, n)`` the posed heads as the seats see them; None where all see those of `limbs`.
    """

    seating: Seating
    seats: Sequence[Seats]
    relative: Relative
    limbs: PosedLimbs
    rotations: FloatArray
    heads: FloatArray | None = None

    def positions(self, skinned: FloatArray, strength: float, crease: float) -> FloatArray:
        """Return ``(V, 3)``: positions that dual quaternions have skinned, made round.

        Parameters
        ----------
        crease
            0 leaves the inner side as plain rotation makes it, 1 folds it along the halving plane.
        """
        result = skinned * (1.0 - strength * self.seating.total)
        table = self._table(self.limbs.heads if self.heads is None else None, strength)
        room = np.zeros((max((len(seats.share) for seats in self.seats), default=0), 4))
        for block, seats, bend in self._bends():
            result[block.vertices] += block.gather(_place(bend, seats, crease, room), table)
        if self.heads is not None:
            for axis in range(3):
                result[:, axis] += strength * self.seating.sum(self.heads[axis])
        return result

    def normals(self, skinned: FloatArray, strength: float) -> FloatArray:
        """Return ``(V, 3)``: unit normals that dual quaternions have skinned, turned with the capsules."""
        result = skinned.copy()
        frames = quat.to_matrix(self.limbs.posed_frames)
        table = self._table(None, strength)
        for block, seats, bend in self._bends():
            of_seats = skinned[self.seating.vertices[block.seats]]
            seen = np.einsum("nij,ni->nj", frames[seats.joint], of_seats)
            result[block.vertices] += block.gather(_turn(bend, seats, seen), table)
        return unit(result, skinned)

    def _table(self, heads: FloatArray | None, strength: float) -> FloatArray:
        """Return ``(J, 4, 3)``: where x, −y and z of the bones' frames point, and the heads."""
        table = np.zeros((len(self.limbs.heads), 4, 3))
        table[:, :3] = np.swapaxes(quat.to_matrix(self.limbs.posed_frames), 1, 2)
        table[:, 1] *= -1.0
        if heads is not None:
            table[:, 3] = heads
        return table * strength

    def _bends(self) -> Iterator[tuple[Block, Seats, "_Bend"]]:
        frames = quat.to_matrix(self.limbs.posed_frames)
        head_gaps, tail_gaps = (
            np.einsum("ji,jik->jk", gaps, frames[:, :, :2]).copy().view(np.complex128)[:, 0]
            for gaps in (self.limbs.head_gaps, self.limbs.tail_gaps)
        )
        turns = self.relative.rotations(self.limbs, self.rotations)
        for block, seats, turn in zip(self.seating.blocks, self.seats, turns, strict=True):
            gaps = head_gaps[seats.joint], tail_gaps[seats.joint]
            yield block, seats, _bend(turn, seats.across, *gaps)


@dataclass(frozen=True, eq=False)
class _Bend:
    """How the blended rotation stands to the posed bones, one value a seat.

    Parameters
    ----------
    twist, tilt
        b and a, of any length.
    double
        Twice the inverse of their squared length.
    turned, scale
        ρ̄ b, and what makes σ̄ of it times b.
    versine, sine_square
        Of the angle between E and D: 1 − cosine, and the sine squared.
    per_both, per_square
        1 / (1 + cosine), and 1 / sine², which fades out at 0.
    lean
        What r has along the posed bone.
    head_gap, tail_gap
        How far outside the head and inside the tail the planes that halve the bends stand.
    """

    twist: ComplexArray
    tilt: ComplexArray
    double: FloatArray
    turned: ComplexArray
    scale: FloatArray
    versine: FloatArray
    sine_square: FloatArray
    per_both: FloatArray
    per_square: FloatArray
    lean: FloatArray
    head_gap: FloatArray
    tail_gap: FloatArray


def _bend(
    turns: FloatArray, across: ComplexArray, head_gaps: ComplexArray, tail_gaps: ComplexArray
) -> _Bend:
    numbers = turns.view(np.complex128)
    twist, tilt = numbers[:, 0], numbers[:, 1]
    squares = turns * turns
    about, aside = squares[:, 0] + squares[:, 1], squares[:, 2] + squares[:, 3]
    length = about + aside
    if not np.all(length):
        # Rotations that cancel have no blend: such a vertex goes with each of its joints.
        lost = np.flatnonzero(length == 0.0)
        turns[lost, 0] = about[lost] = length[lost] = 1.0
    double = 2.0 / length
    about *= double
    aside *= double
    sine_square = about * aside
    per_both = 1.0 / np.maximum(about, OPPOSED)
    turned = across * twist
    straight = turned * twist
    scale = per_both * double
    return _Bend(
        twist,
        tilt,
        double,
        turned,
        scale,
        aside,
        sine_square,
        per_both,
        1.0 / np.maximum(sine_square, STRAIGHT**2),
        (tilt * turned).imag * double,
        (head_gaps * straight).real * scale,
        (tail_gaps * straight).real * scale,
    )


def _slide(bend: _Bend, seats: Seats) -> FloatArray:
    """Return how far each vertex slides along the bone."""
    lean = bend.lean
    steep = np.maximum(1.0 - bend.versine, STEEPEST)
    # On the line until it meets an end of the bone, on the sphere from there. Where it never meets
    # one, the formula for the sphere gives the line's again.
    edge = lean / steep
    np.maximum(edge, seats.down, out=edge)
    np.minimum(edge, seats.up, out=edge)
    along = edge * steep
    along *= along
    steep *= steep
    np.subtract(1.0, steep, out=steep)
    along *= steep
    square = lean * lean
    np.subtract(square, along, out=along)
    square *= FLOOR
    np.maximum(along, square, out=along)
    np.sqrt(along, out=along)
    np.copysign(along, lean, out=along)
    slide = edge
    slide *= steep
    slide += along
    # The crease: where the two planes cross, their middle.
    least = seats.pressed_down - bend.head_gap
    most = seats.pressed_up + bend.tail_gap
    middle = least + most
    middle *= 0.5
    np.minimum(least, middle, out=least)
    np.maximum(most, middle, out=most)
    np.maximum(least, slide, out=least)
    np.minimum(least, most, out=least)
    least -= slide
    least *= seats.onset
    furthest = np.sqrt(bend.sine_square)
    furthest *= seats.furthest
    np.minimum(least, furthest, out=least)
    np.negative(furthest, out=furthest)
    np.maximum(least, furthest, out=least)
    slide += least
    return slide


def _cap(bend: _Bend, seats: Seats, slide: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sine of the angle over the bone's end, per sine of the bend, and its cosine.

    The cosine is what is left of the radius there, never less than the root of `FLATTEST_CAP`.
    """
    over = np.maximum(slide, seats.down)
    np.minimum(over, seats.up, out=over)
    np.subtract(slide, over, out=over)
    over *= bend.lean
    square = bend.lean * bend.lean
    np.maximum(square, bend.sine_square * seats.astride, out=square)
    square += NOTHING
    over /= square
    np.multiply(over, over, out=square)
    square *= bend.sine_square
    np.subtract(1.0, square, out=square)
    np.maximum(square, FLATTEST_CAP, out=square)
    return over, np.sqrt(square, out=square)


def _sides(bend: _Bend, seats: Seats, crease: float) -> tuple[FloatArray, FloatArray]:
    """Return how far what lies beyond an end turns about the joint, and how much the capsule counts."""
    outside = bend.head_gap * seats.towards_head
    outside += bend.tail_gap * seats.towards_tail
    # The outer side of what lies beyond an end at rest turns about the joint, so that joints that are
    # bent at rest stay round.
    swing = OUTSIDE * outside
    swing += 0.5
    np.maximum(swing, 0.0, out=swing)
    np.minimum(swing, 1.0, out=swing)
    swing *= seats.beyond
    # On the inner side the crease decides how much is left of the capsule.
    pull = outside
    np.subtract(0.5, pull, out=pull)
    np.maximum(pull, 0.0, out=pull)
    np.minimum(pull, 1.0, out=pull)
    pull *= crease - 1.0
    pull += 1.0
    return swing, pull


def _place(bend: _Bend, seats: Seats, crease: float, room: FloatArray) -> FloatArray:
    """Return ``(n, 4)``: the vertices' x, −y and z in the bones' frames, and 1, times the shares.

    It lies in ``(m, 4)`` `room`, which the next block's may overwrite.
    """
    slide = _slide(bend, seats)
    _, squeeze = _cap(bend, seats, slide)
    swing, pull = _sides(bend, seats, crease)
    # Along E across the bone: r is σ plus lean / (1 + cosine).
    untilted = bend.lean * bend.per_both
    squeeze -= 1.0
    squeeze *= bend.per_square
    squeeze *= bend.lean
    squeeze += untilted
    squeeze *= pull
    untilted += swing
    untilted -= squeeze
    untilted *= bend.double
    untilted *= seats.share
    # Along the bone.
    slide -= bend.lean
    slide *= pull
    slide += bend.lean
    swing *= bend.versine
    slide -= swing
    slide += seats.height
    slide *= seats.share
    across, scale = bend.turned, bend.scale
    scale *= seats.share
    across.real *= scale
    across.imag *= scale
    across.real -= untilted * bend.tilt.imag
    across.imag -= untilted * bend.tilt.real
    result = room[: len(slide)]
    np.multiply(across, bend.twist, out=result.view(np.complex128)[:, 0])
    result[:, 2], result[:, 3] = slide, seats.share
    return result


def _turn(bend: _Bend, seats: Seats, normals: FloatArray) -> FloatArray:
    """Return ``(n, 4)``: what is added to ``(n, 3)`` normals; x, −y, z in the bones' frames, and 0."""
    sine, _ = _cap(bend, seats, _slide(bend, seats))
    square = sine * sine * bend.sine_square
    sine *= STEEPEST_CAP / np.sqrt(np.maximum(square, STEEPEST_CAP**2))
    lost = np.sqrt(1.0 - np.minimum(square, STEEPEST_CAP**2)) - 1.0
    bent = bend.sine_square * bend.per_square
    sine *= bent
    lost *= bent
    # E across the bone, conjugated; D − E is −E across and the versine along.
    blended = -1j * bend.double * (np.conjugate(bend.tilt) * bend.twist)
    along = normals[:, 2]
    turned = along * bend.versine - (blended.real * normals[:, 0] - blended.imag * normals[:, 1])
    x = along - turned
    y = turned + bend.versine * x
    cap = lost * y * bend.per_square - sine * x
    result = np.zeros((len(x), 4))
    result.view(np.complex128)[:, 0] = -((2.0 * x + turned) * bend.per_both + cap) * blended
    from_turn = ((2.0 * x + turned) * bend.per_both + cap) * bend.versine
    result[:, 2] = from_turn - 2.0 * y * bend.per_both - bend.versine * cap + lost * x + sine * y
    return result * seats.share[:, None]
