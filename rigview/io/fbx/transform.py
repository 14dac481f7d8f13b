"""FBX's local transforms, and how they become the translations, rotations and scales of a rig.

FBX (SDK, "FBX node transformations") states per node a translation T, Euler angles R in any of six
orders, a scale S, and constants around them::

    parent_from_node = T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹

The pivots Rp and Sp and the offsets are translations, so the product is a translation, a rotation
and a scale again, exactly::

    q = Rpre · R · Rpost⁻¹
    t = T + Roff + Rp + q · (Soff + Sp − Rp − S ∘ Sp)

only that t moves where R or S do.

How a child takes over scale is stated per node. A node hands down ``C = K ∘ S``, where K is what it
keeps of the scale above. With C of the parent, and A its frame without it (``model_from_parent = A · C``,
C diagonal):

* RSrs (1): the child lies in ``A · C`` and keeps nothing.
* Rrs (2), Maya's segment scale compensate: the child lies in A at ``C ∘ t``; it keeps what its parent
  keeps, all but the parent's own scale.
* RrSs (0): the child lies in A at ``C ∘ t``; it keeps C.

Under a parent that holds ``A · C``, the last two are ``t · C⁻¹ · q · S'`` with S' = K ∘ S of the child.

* Where C is one number k, C⁻¹ commutes with q: a plain node with the scale S'/k. Exact.
* Where C is not uniform, ``C⁻¹ · q`` shears, which no node can hold: a helper node stands between
  parent and child, with t and the scale C⁻¹; the child keeps q and S'. Exact in every key.

So the hierarchy, the joints and their names stay those of the file, and a helper appears only where
a rig really shears otherwise. Zero scale has no inverse: there C counts as `CRUSHED`.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.euler import ORDERS as EULER_ORDERS
from rigview.core.euler import USUAL, axes_of, to_angles
from rigview.io.fbx.objects import Kind

RRSS, RSRS, RRS = range(3)
# Smaller than any scale that shows anything, large enough to be divided by.
CRUSHED = 1e-9
# Scale components closer than this share are one number: rounding of float32 files.
UNIFORM = 1e-6

# Axes in the order in which they turn: FBX SDK, EFbxRotationOrder. The seventh, "spheric XYZ", is
# evaluated like the first by all programs.
NAMES = (*EULER_ORDERS, USUAL)
ORDERS = tuple(map(axes_of, NAMES))
_GEOMETRIC = ("GeometricTranslation", "GeometricRotation", "GeometricScaling")
_CHANNELS = ("Lcl Translation", "Lcl Rotation", "Lcl Scaling")
# What a node may state → what it has where neither it nor the template of its kind does.
_VECTORS: dict[str, float] = {
    "Lcl Translation": 0.0,
    "Lcl Rotation": 0.0,
    "Lcl Scaling": 1.0,
    "RotationOffset": 0.0,
    "RotationPivot": 0.0,
    "ScalingOffset": 0.0,
    "ScalingPivot": 0.0,
    "PreRotation": 0.0,
    "PostRotation": 0.0,
    "GeometricTranslation": 0.0,
    "GeometricRotation": 0.0,
    "GeometricScaling": 1.0,
}
_FIRST = [*_VECTORS].index(_GEOMETRIC[0])
_GEOMETRY = slice(_FIRST, _FIRST + len(_GEOMETRIC))
_VISIBILITY = {"Visibility": 1.0, "Visibility Inheritance": 1.0}
_CODES: dict[str, int] = {"RotationOrder": 0, "InheritType": RSRS}


@dataclass(frozen=True, eq=False)
class Transforms:
    """The transform of every node as the file states it, file units and degrees.

    Parameters
    ----------
    translation, rotation, scale
        ``(N, 3)`` values at rest.
    before, after
        ``(N, 3)``: ``t = T + before + q · (after − S ∘ scale_pivot)``.
    pre, post
        ``(N, 4)`` quaternions; post is inverted already.
    order, inherit
        ``(N,)``.
    geometry
        ``(3, N, 3)`` translation, angles in degrees and scale of what a node shows.
    visibility
        ``(2, N)`` whether a node is visible, and whether it is hidden with its parent: 0 for no.
    """

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray
    before: FloatArray
    after: FloatArray
    scale_pivot: FloatArray
    pre: FloatArray
    post: FloatArray
    order: IntArray
    inherit: IntArray
    geometry: FloatArray
    visibility: FloatArray

    @cached_property
    def geometric(self) -> FloatArray:
        """``(N, 4, 4)`` ``node_from_geometry``: it moves a node's mesh, not its children."""
        translation, rotation, scale = self.geometry
        result = np.zeros((len(scale), 4, 4))
        result[:] = np.eye(4)
        (turned,) = rotation.any(axis=1).nonzero()
        if len(turned):
            turns = euler(rotation[turned], np.zeros(len(turned), dtype=np.int64))
            result[turned, :3, :3] = quat.to_matrix(turns)
        result[:, :3, :3] *= scale[:, None]
        result[:, :3, 3] = translation
        return result

    def rotations(self, nodes: IntArray, r: FloatArray) -> FloatArray:
        """Return ``(m, n, 4)`` rotations of m nodes from ``(m, n, 3)`` angles."""
        q = euler(r, self.order[nodes])
        pre, post = self.pre[nodes][:, None], self.post[nodes][:, None]
        if (pre[..., 3] != 1.0).any():
            q = quat.multiply(np.broadcast_to(pre, q.shape), q)
        if (post[..., 3] != 1.0).any():
            q = quat.multiply(q, np.broadcast_to(post, q.shape))
        return q

    @cached_property
    def pivoted(self) -> BoolArray:
        """``(N,)`` whether a node's rotation and scale move it."""
        pivoted: BoolArray = np.any(self.after, axis=1) | np.any(self.scale_pivot, axis=1)
        return pivoted

    def translations(self, nodes: IntArray, t: FloatArray) -> FloatArray:
        """Return ``(m, n, 3)`` translations, less what rotation and scale add to them."""
        return t + self.before[nodes][:, None]

    def around_pivots(self, nodes: IntArray, q: FloatArray, s: FloatArray) -> FloatArray:
        """Return ``(m, n, 3)`` what rotation ``(m, n, 4)`` and scale add to the translation."""
        pivot = self.scale_pivot[nodes][:, None]
        return quat.rotate(q, self.after[nodes][:, None] - s * pivot)


def read_transforms(models: Kind) -> Transforms:
    """Read the transforms of nodes; a value that is not finite counts as its default."""
    stated, codes, visibility = models.stated(_VECTORS, _CODES, _VISIBILITY)
    if not np.isfinite(stated).all():
        stated = np.where(
            np.isfinite(stated), stated, np.array([*_VECTORS.values()])[:, None, None]
        )
    models.nodes.pulse()
    vectors = dict(zip(_VECTORS, stated, strict=True))
    order, inherit = codes
    order = np.where((order >= 0) & (order < len(ORDERS)), order, 0)
    inherit = np.where((inherit >= RRSS) & (inherit <= RRS), inherit, RSRS)
    pivot, scale_pivot = vectors["RotationPivot"], vectors["ScalingPivot"]
    pre = _turns(vectors["PreRotation"])
    models.nodes.pulse()
    post = _turns(vectors["PostRotation"])
    models.nodes.pulse()
    before = vectors["RotationOffset"] + pivot
    after = vectors["ScalingOffset"] + scale_pivot - pivot
    models.nodes.pulse()
    return Transforms(
        translation=vectors[_CHANNELS[0]],
        rotation=vectors[_CHANNELS[1]],
        scale=vectors[_CHANNELS[2]],
        before=before,
        after=after,
        scale_pivot=scale_pivot,
        pre=pre,
        post=quat.conjugate(post),
        order=order,
        inherit=inherit,
        geometry=stated[_GEOMETRY],
        visibility=visibility,
    )


def _turns(degrees: FloatArray) -> FloatArray:
    """Return ``(N, 4)`` of pre- or post-rotations: in the order XYZ whatever the node's order is."""
    if not degrees.any():
        result = np.zeros((len(degrees), 4))
        result[:] = quat.IDENTITY
        return result
    return euler(degrees, np.zeros(len(degrees), dtype=np.int64))


def euler(degrees: FloatArray, order: IntArray) -> FloatArray:
    """Return ``(m, …, 4)`` quaternions of ``(m, …, 3)`` angles, m rows of one order each."""
    half = np.radians(degrees) * 0.5
    c, s = np.cos(half), np.sin(half)
    if len(order) and (order == order[0]).all():
        return _turned(c, s, ORDERS[order[0]])
    result = np.zeros((*degrees.shape[:-1], 4))
    for code in np.unique(order):
        rows = order == code
        result[rows] = _turned(c[rows], s[rows], ORDERS[code])
    return result


def _turned(c: FloatArray, s: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    """Multiply three turns about axes out.

    With first, second, third axis i, j, k and e = ±1 the parity of (i, j, k), the product
    ``q_k q_j q_i`` has the components below; e = +1 is the well-known case XYZ.
    """
    i, j, k = axes
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    ci, cj, ck = c[..., i], c[..., j], c[..., k]
    si, sj, sk = s[..., i], s[..., j], s[..., k]
    result = np.zeros((*c.shape[:-1], 4))
    result[..., i] = si * cj * ck - e * ci * sj * sk
    result[..., j] = ci * sj * ck + e * si * cj * sk
    result[..., k] = ci * cj * sk - e * si * sj * ck
    result[..., 3] = ci * cj * ck + e * si * sj * sk
    return result


def to_euler(q: FloatArray, order: IntArray) -> FloatArray:
    """Return ``(m, …, 3)`` degrees whose `euler` is the ``(m, …, 4)`` rotation."""
    result = np.zeros((*q.shape[:-1], 3))
    for code in np.unique(order):
        rows = order == code
        result[rows] = to_angles(q[rows], NAMES[code])
    return np.degrees(result)
