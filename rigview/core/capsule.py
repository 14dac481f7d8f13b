"""Capsule compensation: our own way to keep a bent limb round.

Dual quaternion skinning turns a vertex by the blended rotation R_b about a centre that wanders off the
bone. Here every influence j says where the vertex would lie if its distance to bone j stayed what it
was at rest, as on a capsule around the bone, and the answers are mixed by static shares.

1. At rest the vertex has the height ξ along the bone's axis e and the radius ρ across it:
   ``v − head = ξ e + ρ``.
2. The blended rotation turns them to ``E = R_b e`` and ``r = R_b ρ``, while the posed bone points along
   D. The smallest rotation E → D turns r back square to the bone: the radius keeps its length.
3. The height is where the line from the vertex along E meets the bone. Where that lies beyond an end
   of the bone, the vertex lies on a sphere around the joint instead, which closes the outer side.
4. On the inner side nothing may pass the plane that halves the bend (`PosedLimbs.head_planes`): there
   the skin folds into a crease. ``crease`` mixes this (1) with the plain bent tube (0).
5. Normals turn by the same E → D, and on the sphere by the angle over the joint.

It assumes limbs that are round, and fades to plain dual quaternion skinning where joints that are not
above one another share a vertex. Where joints stretch, everything above happens after the blended
stretch, and the head is where the vertex's image under joint j says it is; so that a vertex of one
joint goes exactly where the joint carries it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.binding import Binding
from rigview.core.limbs import Limbs, PosedLimbs, Turned

# Shares fall with this power of the weight …
POWER = 4
# … and where the vertex lies beyond the bone's ends by more than this share of its radius; what is
# left out there keeps the sum of shares from vanishing.
REACH = 0.15
REMAINDER = 1e-3
# A joint that lies off the bone's line by less than .25 of the vertex's radius bends the limb itself;
# by more than .75 it leads to another limb.
ASIDE = (0.25, 0.75)
# A share below this moves nothing that could be seen: what it states differs from the others by a
# fraction of the limb's radius.
SMALLEST_SHARE = 5e-5
# E and D further apart than 60° make the height where the line meets the bone shoot away.
STEEPEST = 0.5
# On the sphere the height keeps at least this share of its root.
FLOOR = 0.04
# Of the height at rest this share remains between vertices pressed into the crease.
PRESSED = 0.15
# The crease acts on vertices that the heaviest joint leaves at least this much weight.
LEFT_TO_OTHERS = 0.1
# From the middle of the limb inwards the crease fades in over a quarter of the radius to either side.
RAMP = 2.0
# A cap is never squeezed below the root of this share of its radius.
FLATTEST_CAP = 0.1
# On the sphere normals turn by at most the angle of this sine.
STEEPEST_CAP = 0.95
# Nearer to the bend's axis than this share of its distance from the bone's head, a vertex has no side
# (what is left is rounding, also float32's): its normal does not turn over the cap.
ASTRIDE = 1e-3
# Below this sine the axis of the bend fades out: it is rounding soon (float32's on the graphics card).
STRAIGHT = 1e-3
# Directions nearer to opposite than this (1 + cosine) have no smallest rotation between them.
OPPOSED = 1e-6
# Lengths, and squared lengths, in metres.
NOTHING = 1e-30
# Pairs of vertex and influence handled at once: what they need stays in the processor's cache.
_BLOCK = 8192


def smooth(t: FloatArray) -> FloatArray:
    """Return the cubic step: 0 below 0, 1 above 1, level at both."""
    t = np.clip(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def shares(binding: Binding, limbs: Limbs, points: FloatArray) -> FloatArray:
    """Return ``(V, K)``: how much of the corrected position each influence states; rows sum to ≤ 1.

    An influence counts by its weight to the fourth power, less where the vertex lies beyond the ends
    of its bone. All of it fades where the joints that share the vertex with it are on other limbs. A
    vertex of one joint has no share: it is where it belongs.

    Parameters
    ----------
    points
        ``(V, 3)`` mesh-space rest positions.
    """
    tiny = np.finfo(np.float64).tiny
    weights = np.maximum(binding.weights, 0.0)
    strong, kin = np.zeros_like(weights), np.ones_like(weights)
    for k in range(weights.shape[1]):
        joint = binding.joints[:, k]
        axis = limbs.bones.directions[joint]
        arm = points - limbs.bones.heads[joint]
        height = np.einsum("vi,vi->v", arm, axis)
        radius = np.linalg.norm(arm - height[:, None] * axis, axis=-1)
        beyond = np.where(limbs.parents[joint] >= 0, np.maximum(-height, 0.0), 0.0)
        over = np.maximum(height - limbs.bones.lengths[joint], 0.0)
        beyond = beyond + np.where(limbs.primary[joint] >= 0, over, 0.0)
        # Beyond the end by many radii the ratio means nothing but "far".
        ratio = np.minimum(beyond / np.maximum(REACH * radius, tiny), 1e6)
        strong[:, k] = weights[:, k] ** POWER * (1.0 / (1.0 + ratio**2) + REMAINDER)
        others = np.delete(np.arange(weights.shape[1]), k)
        near, far = ASIDE
        aside = limbs.offsets[joint[:, None], binding.joints[:, others]]
        aside = np.minimum(aside / np.maximum(radius, tiny)[:, None], 1e6)
        related = 1.0 - smooth((aside - near) / (far - near))
        rest = weights[:, others].sum(axis=1)
        shared = rest > 0.0
        relatives = np.einsum("vk,vk->v", weights[:, others], related)
        kin[:, k] = np.where(shared, relatives / np.where(shared, rest, 1.0), 1.0)
    total = strong.sum(axis=1, keepdims=True)
    result = np.where(total > 0.0, strong / np.where(total > 0.0, total, 1.0), 0.0) * kin
    alone = np.count_nonzero(binding.weights, axis=1) < 2
    return np.where((result < SMALLEST_SHARE) | alone[:, None], 0.0, result)


def crease_onset(binding: Binding) -> FloatArray:
    """Return ``(V,)`` 0 to 1: how much of the crease a vertex may show; 0 for one of a single joint."""
    weights = np.maximum(binding.weights, 0.0)
    total = weights.sum(axis=1)
    heaviest = np.where(total > 0.0, weights.max(axis=1) / np.where(total > 0.0, total, 1.0), 1.0)
    return smooth((1.0 - heaviest) / LEFT_TO_OTHERS)


def displacement(
    turned: Turned,
    limbs: PosedLimbs,
    binding: Binding,
    share: FloatArray,
    onset: FloatArray,
    crease: float,
) -> FloatArray:
    """Return ``(V, 3)``: how far each vertex is moved at full strength.

    Parameters
    ----------
    share
        ``(V, K)`` of `shares`.
    onset
        ``(V,)`` of `crease_onset`.
    crease
        0 leaves the inner side as plain rotation makes it, 1 folds it along the halving plane.
    """
    result = np.zeros_like(turned.positions)
    for vertices, joints, part in _pairs(binding, share):
        rounded = _round(turned, limbs, vertices, joints, onset[vertices])
        moved = rounded.place(crease) - _columns(turned.positions, vertices)
        _gather(result, vertices, part * moved)
    return result


def turning(
    turned: Turned,
    limbs: PosedLimbs,
    binding: Binding,
    share: FloatArray,
    onset: FloatArray,
    normals: FloatArray,
) -> FloatArray:
    """Return ``(V, 3)``: what full strength adds to the skinned unit `normals`; the sum is not unit."""
    result = np.zeros_like(normals)
    for vertices, joints, part in _pairs(binding, share):
        rounded = _round(turned, limbs, vertices, joints, onset[vertices])
        normal = _columns(normals, vertices)
        _gather(result, vertices, part * (rounded.turn(normal) - normal))
    return result


def _pairs(binding: Binding, share: FloatArray) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
    """Yield blocks of vertices, joints and shares, vertices ascending."""
    vertices, slots = np.nonzero(share)
    for start in range(0, len(vertices), _BLOCK):
        block = slice(start, start + _BLOCK)
        at = vertices[block], slots[block]
        yield at[0], binding.joints[at], share[at]


def _columns(rows: FloatArray, chosen: IntArray) -> FloatArray:
    """Return the chosen rows of ``(n, c)`` as columns, each component in one piece of memory."""
    return np.ascontiguousarray(rows[chosen].T)


def _gather(result: FloatArray, vertices: IntArray, moved: FloatArray) -> None:
    """Add ``(3, n)`` contributions to the rows of ``(V, 3)``; `vertices` ascend."""
    first, last = int(vertices[0]), int(vertices[-1]) + 1
    for axis in range(3):
        sums = np.bincount(vertices - first, weights=moved[axis], minlength=last - first)
        result[first:last, axis] += sums


@dataclass(frozen=True, eq=False)
class _Rounded:
    """Pairs of vertex and bone on the capsule; vectors are ``(3, n)``, numbers ``(n,)``.

    Parameters
    ----------
    rotated, straight
        The vector from the bone's line to the vertex, turned by the blended rotation; the same,
        turned on until it stands square to the posed bone.
    rest_height, height
        Along the bone from its head: at rest, and where the capsule puts it.
    across
        The part of `straight` in the plane of the bend, and its length squared in `across_square`.
    over
        How far `height` lies beyond the bone's ends; negative at the head.
    blended_bone, bone
        E and D.
    outwards
        What a vertex beyond the ends at rest is moved by.
    inner
        0 on the outer side of the bend, ½ at the middle, 1 on the inner side.
    """

    head: FloatArray
    rotated: FloatArray
    straight: FloatArray
    rest_height: FloatArray
    height: FloatArray
    across: FloatArray
    across_square: FloatArray
    over: FloatArray
    blended_bone: FloatArray
    bone: FloatArray
    outwards: FloatArray
    inner: FloatArray

    def place(self, crease: float) -> FloatArray:
        """Return the positions."""
        ratio = self.over * self.over / np.maximum(self.across_square, NOTHING)
        squeeze = np.sqrt(np.maximum(FLATTEST_CAP, 1.0 - ratio)) - 1.0
        plain = self.head + self.rest_height * self.bone + self.rotated + self.outwards
        rise = (self.height - self.rest_height) * self.bone
        pulled = rise + self.straight - self.rotated + squeeze * self.across
        return plain + (1.0 - self.inner * (1.0 - crease)) * pulled

    def turn(self, normals: FloatArray) -> FloatArray:
        """Return normals turned by E → D, and over the caps; about unit length."""
        normals = _tilt(self.blended_bone, self.bone, normals)
        length = np.sqrt(np.maximum(self.across_square, NOTHING))
        side = self.across / length
        arm = _dot(self.rotated, self.rotated) + self.rest_height * self.rest_height
        arm = np.sqrt(np.maximum(arm, NOTHING))
        aside = np.clip(2.0 / ASTRIDE * length / arm - 1.0, 0.0, 1.0)
        sine = aside * np.clip(self.over / length, -STEEPEST_CAP, STEEPEST_CAP)
        less = np.sqrt(1.0 - sine * sine) - 1.0
        y, x = _dot(normals, side), _dot(normals, self.bone)
        return normals + (less * y - sine * x) * side + (less * x + sine * y) * self.bone


def _round(
    turned: Turned, limbs: PosedLimbs, vertices: IntArray, joints: IntArray, onset: FloatArray
) -> _Rounded:
    arms, heads = turned.seen_from(limbs, vertices, joints)
    rotation = _columns(turned.rotations, vertices)
    axis, bone = _columns(limbs.axes, joints), _columns(limbs.directions, joints)
    length = limbs.lengths[joints]
    rest = _dot(arms, axis)
    blended = _rotate(rotation, axis)
    rotated = _rotate(rotation, arms) - rest * blended
    straight = _tilt(blended, bone, rotated)
    bend = _cross(blended, bone)
    sine = np.sqrt(_dot(bend, bend))
    cosine = np.clip(_dot(blended, bone), -1.0, 1.0)
    axle = bend / np.maximum(sine, STRAIGHT)
    across = straight - _dot(straight, axle) * axle
    head_plane, tail_plane = (
        _columns(planes, joints) for planes in (limbs.head_planes, limbs.tail_planes)
    )
    has_head, has_tail = head_plane[3] > 0.0, tail_plane[3] > 0.0
    # Beyond its own end at rest a vertex may stay: measured from there.
    low = np.where(has_head, np.minimum(rest, 0.0), 0.0)
    high = np.where(has_tail, np.maximum(rest - length, 0.0), 0.0)
    lean = _dot(rotated, bone)
    height = rest + lean / np.maximum(cosine, STEEPEST)
    below, above = has_head & (height < low), has_tail & (height > length + high)
    inwards = np.maximum(np.where(below, rest, length - rest), 0.0)
    over_joint = _on_sphere(inwards, lean, cosine, sine)
    height = np.where(above, length + high - over_joint, height)
    height = np.where(below, low + over_joint, height)
    # The crease.
    to_head, to_tail = _dot(straight, head_plane[:3]), _dot(straight, tail_plane[:3])
    least = _pressed(rest) - head_plane[3] * to_head
    most = length - _pressed(length - rest) + tail_plane[3] * to_tail
    least, most = np.where(has_head, least, -np.inf), np.where(has_tail, most, np.inf)
    crossed = least > most
    middle = 0.5 * (np.where(crossed, least, 0.0) + np.where(crossed, most, 0.0))
    least, most = np.where(crossed, middle, least), np.where(crossed, middle, most)
    height = height + onset * (np.clip(height, least, most) - height)
    over = np.where(has_head, np.minimum(height - low, 0.0), 0.0)
    over = over + np.where(has_tail, np.maximum(height - length - high, 0.0), 0.0)
    radius = np.sqrt(np.maximum(_dot(rotated, rotated), NOTHING))
    # The outer side of what lies beyond an end at rest turns about the joint, so that joints that are
    # bent at rest stay round.
    outer = -lean / (np.maximum(sine, STRAIGHT) * radius)
    swing = low * smooth(2.0 * outer + 0.5) + high * smooth(0.5 - 2.0 * outer)
    towards_tail = smooth(2.0 * (rest / np.maximum(length, NOTHING) - 0.25))
    towards_tail = np.where(has_head, np.where(has_tail, towards_tail, 0.0), has_tail)
    depth = (to_head * (1.0 - towards_tail) + to_tail * towards_tail) / radius
    return _Rounded(
        heads,
        rotated,
        straight,
        rest,
        height,
        across,
        _dot(across, across),
        over,
        blended,
        bone,
        swing * (blended - bone),
        np.clip(0.5 - RAMP * depth, 0.0, 1.0),
    )


def _on_sphere(
    rest: FloatArray, lean: FloatArray, cosine: FloatArray, sine: FloatArray
) -> FloatArray:
    """Return the height over a joint at which the vertex keeps its distance from it.

    Parameters
    ----------
    rest
        Height over the joint at rest, into the bone.
    lean
        What the rotated radius has along the posed bone.
    """
    along = rest * cosine
    square = lean * lean
    root = np.maximum(FLOOR * square, square - (along * sine) ** 2)
    return along * cosine - np.sqrt(root)


def _pressed(height: FloatArray) -> FloatArray:
    return np.where(height > 0.0, PRESSED * height, height)


def _tilt(start: FloatArray, end: FloatArray, vectors: FloatArray) -> FloatArray:
    """Turn ``(3, n)`` vectors by the smallest rotation that leads from `start` to `end`."""
    axis, cosine = _cross(start, end), _dot(start, end)
    along = _dot(axis, vectors) / np.maximum(1.0 + cosine, OPPOSED)
    return vectors * cosine + _cross(axis, vectors) + axis * along


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = np.einsum("in,in->n", a, b)
    return product


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    result = np.zeros_like(a)
    for axis in range(3):
        after, last = (axis + 1) % 3, (axis + 2) % 3
        np.multiply(a[after], b[last], out=result[axis])
        result[axis] -= a[last] * b[after]
    return result


def _rotate(q: FloatArray, vectors: FloatArray) -> FloatArray:
    twice = _cross(q[:3], vectors)
    twice *= 2.0
    result = _cross(q[:3], twice)
    twice *= q[3]
    result += twice
    result += vectors
    return result
