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

E and D, an angle of cosine c and sine s apart, span the plane of the bend, in which everything moves.
r leans by ``l = r·D`` along the bone; E → D makes ``r − l / (1 + c) (E + D)`` of it, which has ``l / s``
along ``(cD − E) / s``, the direction in that plane square to the bone.
"""

from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray, unit
from rigview.core.methods.bone_frames import NOTHING, PosedBoneFrames, SkinnedByDualQuaternions
from rigview.core.methods.capsule_shares import BoneShare, smooth
from rigview.core.numeric.axis_major import cross, dot

# E and D further apart than 60° make the height where the line meets the bone shoot away.
STEEPEST = 0.5
# Around the plane that halves the bend the capsule fades in over a quarter of the radius to either side.
RAMP = 2.0
# The outer side begins this much more sharply than the inner one.
OUTSIDE = 8.0
# On the sphere the height keeps at least this share of its root.
FLOOR = 0.04
# Nearer to the bend's axis than this share of its distance from the bone's head, a vertex has no side
# (what is left is rounding, also float32's): it does not turn over the cap.
ASTRIDE = 1e-3
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
    shares
        Joint → its share, by vertex.
    turned
        What dual quaternions make of the vertices.
    """

    shares: dict[int, BoneShare]
    bones: PosedBoneFrames
    turned: SkinnedByDualQuaternions

    def positions(self, strength: float) -> FloatArray:
        """Return ``(V, 3)`` positions made round: ``p + strength · Σ share (P − p)``."""
        skinned = self.turned.positions
        result = skinned.copy()
        for joint, of in self.shares.items():
            arms, heads = self.turned.seen_from(self.bones, of.vertices, joint)
            bend = self._bend(joint, of.vertices, arms)
            moved = _place(bend) + (heads - skinned[of.vertices]).T
            result[of.vertices] += (strength * of.shares * bend.left * moved).T
        return result

    def normals(self, skinned: FloatArray, strength: float) -> FloatArray:
        """Return ``(V, 3)``: unit normals that dual quaternions have skinned, turned with the capsules."""
        result = skinned.copy()
        for joint, of in self.shares.items():
            arms, _ = self.turned.seen_from(self.bones, of.vertices, joint)
            bend = self._bend(joint, of.vertices, arms)
            added = _turn(bend, skinned[of.vertices].T)
            result[of.vertices] += (strength * of.shares * bend.left * added).T
        return unit(result, skinned)

    def _bend(self, joint: int, vertices: IntArray, arms: FloatArray) -> "_Bend":
        """Return how ``(n,)`` vertices stand to the bone of a joint; arms are ``(n, 3)``, from its head."""
        bones, rotations = self.bones, self.turned.rotations[vertices].T.copy()
        axis, bone = bones.axes[joint, :, None], bones.directions[joint, :, None]
        height = bones.axes[joint] @ arms.T
        blended = _rotated(rotations, axis)
        radial = _rotated(rotations, arms.T.copy() - height * axis)
        lean, radius = dot(radial, bone), np.sqrt(dot(radial, radial))
        # 1 − c, without the cancellation where E is nearly D.
        apart = bone - blended
        versine = 0.5 * dot(apart, apart)
        sine_square = versine * (2.0 - versine)
        per_sum = 1.0 / np.maximum(2.0 - versine, OPPOSED)

        # Which of the bends at the bone's ends counts for the vertex: 0 the head's, 1 the tail's.
        slope, start = bones.nearness[joint]
        near_tail = smooth(slope * height + start)
        # How far what E → D makes of r is from the planes, which are square to the bone.
        planes = np.stack([bones.head_gaps[joint], bones.tail_gaps[joint]])
        gap = _mix(planes @ radial - lean * per_sum * (planes @ blended), near_tail)
        bent = _mix(bones.bends[joint], near_tail)
        near, far = FAR_BENT

        head, tail = bones.ends[joint]
        return _Bend(
            bone,
            blended,
            radial,
            height,
            lean,
            cosine=1.0 - versine,
            sine_square=sine_square,
            per_sum=per_sum,
            per_square=1.0 / np.maximum(sine_square, STRAIGHT**2),
            astride=ASTRIDE**2 * (height**2 + radius**2) * sine_square,
            down=-np.maximum(height - head, 0.0),
            up=np.maximum(tail - height, 0.0),
            beyond=np.minimum(height - head, 0.0) + np.maximum(height - tail, 0.0),
            outside=RAMP * gap / np.maximum(radius, NOTHING),
            left=1.0 - smooth((bent - near) / (far - near)),
        )


@dataclass(frozen=True, eq=False)
class _Bend:
    """How n vertices, turned by the blended rotation, stand to one posed bone; in model space.

    Parameters
    ----------
    bone, blended, radial
        ``(3, 1)`` D, ``(3, n)`` E and r.
    height, lean
        ``(n,)`` ξ and l.
    cosine, sine_square
        ``(n,)`` c and s².
    per_sum, per_square
        ``(n,)`` 1 / (1 + c) and 1 / s².
    astride
        ``(n,)`` the square of the lean below which a vertex is too near to the bend's axis to have a side.
    down, up
        ``(n,)`` how far along the bone the vertex comes until it lies above the end; ≤ 0 and ≥ 0, and
        `bone_frames.UNLIMITED` away where the bone meets no other.
    beyond
        ``(n,)`` how far the vertex lies beyond the bone's ends at rest; negative at the head.
    outside
        ``(n,)`` how far outside the plane that halves the bend the vertex lies, in half radii.
    left
        ``(n,)`` 1 to 0: what a far bend leaves of the capsule.
    """

    bone: FloatArray
    blended: FloatArray
    radial: FloatArray
    height: FloatArray
    lean: FloatArray
    cosine: FloatArray
    sine_square: FloatArray
    per_sum: FloatArray
    per_square: FloatArray
    astride: FloatArray
    down: FloatArray
    up: FloatArray
    beyond: FloatArray
    outside: FloatArray
    left: FloatArray


def _slide(bend: _Bend) -> FloatArray:
    """Return ``(n,)`` how far each vertex slides along the bone.

    On the line along E until that meets an end of the bone, on the sphere from there. Where it meets none
    the sphere's formula gives the line's.
    """
    steep = np.maximum(bend.cosine, STEEPEST)
    edge = np.clip(bend.lean / steep, bend.down, bend.up)
    flat, square = 1.0 - steep**2, bend.lean**2
    root = np.sqrt(np.maximum(square - (edge * steep) ** 2 * flat, FLOOR * square))
    return edge * flat + np.copysign(root, bend.lean)


def _cap_sine(bend: _Bend, slide: FloatArray) -> FloatArray:
    """Return ``(n,)``, per s, the sine of the angle that vertices lie over the ends of their bones.

    They lie `over` beyond the end and ``l / s`` off the axis of the bend.
    """
    over = slide - np.clip(slide, bend.down, bend.up)
    return over * bend.lean / (np.maximum(bend.lean**2, bend.astride) + NOTHING)


def _place(bend: _Bend) -> FloatArray:
    """Return ``(3, n)``: where the bone wants the vertices, seen from its head."""
    slide = _slide(bend)
    # How far over the joint the vertex is, and what is lost of its radius there.
    cap = _cap_sine(bend, slide) ** 2 * bend.sine_square
    lost = (1.0 - np.sqrt(np.maximum(1.0 - cap, FLATTEST_CAP))) * bend.lean * bend.per_square
    # On the inner side nothing is left of the capsule.
    pull = np.clip(0.5 + bend.outside, 0.0, 1.0)
    # The outer side of what lies beyond an end at rest turns about the joint, so that joints that are
    # bent at rest stay round.
    swing = bend.beyond * np.clip(0.5 + OUTSIDE * bend.outside, 0.0, 1.0)
    # ξ D + r
    #      + pull (slide D − l / (1 + c) (E + D) − lost (cD − E))
    #      + swing (E − D)
    tilt = bend.lean * bend.per_sum
    along = bend.height + pull * (slide - tilt - lost * bend.cosine) - swing
    aside = pull * (lost - tilt) + swing
    return bend.radial + along * bend.bone + aside * bend.blended


def _turn(bend: _Bend, normals: FloatArray) -> FloatArray:
    """Return ``(3, n)``: what the capsule adds to normals that dual quaternions have turned."""
    on_blended, on_bone = dot(normals, bend.blended), dot(normals, bend.bone)
    # E → D turns n to n − (n·(E + D)) / (1 + c) (E + D) + 2 (n·E) D.
    both = (on_blended + on_bone) * bend.per_sum
    along, aside = 2.0 * on_blended - both, -both
    # After it n has x along the bone and y / s along (cD − E) / s, and turns by the angle over the joint.
    x, y = on_blended, on_bone - bend.cosine * on_blended
    sine = _cap_sine(bend, _slide(bend))
    cap = sine**2 * bend.sine_square
    is_bent = bend.sine_square * bend.per_square
    sine = is_bent * sine * STEEPEST_CAP / np.sqrt(np.maximum(cap, STEEPEST_CAP**2))
    lost = is_bent * (1.0 - np.sqrt(1.0 - np.minimum(cap, STEEPEST_CAP**2)))
    inwards = -lost * y * bend.per_square - sine * x
    along += sine * y - lost * x + inwards * bend.cosine
    aside -= inwards
    return along * bend.bone + aside * bend.blended


def _rotated(rotations: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return ``(3, n)`` vectors turned by ``(4, n)`` unit quaternions, as `quat.rotate` does."""
    twice = 2.0 * cross(rotations[:3], vectors)
    return vectors + rotations[3] * twice + cross(rotations[:3], twice)


def _mix(ends: FloatArray, share: FloatArray) -> FloatArray:
    """Return what lies by a share of the way from the first of two numbers to the second."""
    return ends[0] + share * (ends[1] - ends[0])
