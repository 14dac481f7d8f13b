"""Joint regions: the vertices that a joint and the joint above it blend, per character and shell.

1. The branch weight s of a joint at a vertex is the sum of the weights of the joint and all below it.
2. The vertices with .02 < s < .98 are blended, and so are the ends of edges between vertices that follow
   joints far from each other; they and all their neighbours are the joint's region. An edge that leaps from
   a joint to its parent is how rigid parts are bound. What is not connected is a region of its own: a
   sleeve and the arm in it, or a patch of the belly that follows a hand.
3. The parent is the nearest joint above that carries weight; where none does, the heaviest other joint
   of the region.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray, IntArray, unit
from rigview.core.bones import Segments
from rigview.core.measures.welded_skin import WeldedSkin
from rigview.core.numeric.blending import csr

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

# Branch weights between these are blended; those beyond follow one side to within 2 %.
BLENDED = (0.02, 0.98)
# So many steps from one joint to another, over their common ancestor, are far.
_FAR = 3
# Stands for no branch weight where sparse arrays keep no zeros.
_NOT_AT_ALL = 1e-12
# Fewer blended vertices have no cross-section.
FEWEST = 8
# A shell goes round a bone that it surrounds in this many of eight sectors.
SECTORS, SURROUNDED = 8, 3
# The share of the branch weight's variance that a direction must explain to be that of the limb.
_TOLD = 0.3
# Bones that meet at a smaller angle than this have their bisector as axis, others the joint's own bone.
STRAIGHT = np.cos(np.radians(60.0))
# Regions that share this much of the smaller one's blended vertices may be one joint's doing.
_SHARED = 0.3
# A region nearer to its bones than this share of the rig's size has no size of its own.
_THIN = 1e-4


@dataclass(frozen=True, eq=False)
class JointRegion:
    """One region.

    Parameters
    ----------
    joint, parent
        Node numbers.
    character
        The number of the character (`core.characters`).
    vertices
        ``(n,)`` numbers of welded vertices (`WeldedSkin`), ascending.
    branch
        ``(n,)`` their branch weights s.
    blended
        ``(n,)`` whether s is between 2 and 98 %, or leaps there; the others are neighbours of such.
    edges, faces
        ``(e, 2)`` and ``(f, 3)`` welded vertices, all of them in the region and one at least blended.
    origin, axis
        ``(3,)`` the joint, and the unit direction that cross-sections are square to, in the reference pose.
    limb
        ``(3,)`` the unit direction about which the joint twists; one for all regions of a joint.
    size
        ρ: the median distance of the blended vertices from the bones of joint and parent, metres.
    goes_round
        Whether it has cross-sections: 8 blended vertices at least, in three of eight sectors.
    """

    joint: int
    parent: int
    character: int
    vertices: IntArray
    branch: FloatArray
    blended: BoolArray
    edges: IntArray
    faces: IntArray
    origin: FloatArray
    axis: FloatArray
    limb: FloatArray
    size: float
    goes_round: bool


class RegionRows(NamedTuple):
    """Rows of all regions one below the other: row i of region r is at ``starts[r] + i``."""

    values: IntArray
    starts: IntArray

    @classmethod
    def of(cls, arrays: Sequence[IntArray], width: int | None = None) -> "RegionRows":
        """Join ``(n,)`` or ``(n, width)`` arrays."""
        shape = (0,) if width is None else (0, width)
        starts = np.cumsum([0, *map(len, arrays)])
        return cls(np.concatenate([np.zeros(shape, dtype=np.int64), *arrays]), starts)

    @property
    def counts(self) -> IntArray:
        """``(R,)`` how many rows each region has."""
        return np.diff(self.starts)

    def chosen(self, regions: IntArray) -> tuple[IntArray, IntArray]:
        """Return the numbers of the rows of some regions, and where each of those regions starts."""
        counts = self.counts[regions]
        starts = np.concatenate([[0], np.cumsum(counts)])
        rows = np.arange(starts[-1]) + np.repeat(self.starts[regions] - starts[:-1], counts)
        return rows, starts


@dataclass(frozen=True)
class Regions:
    """All regions of a rig, ordered by joint."""

    skin: WeldedSkin

    @cached_property
    def each(self) -> tuple[JointRegion, ...]:
        """The regions."""
        joints, branches = branch_weights(self.skin)
        result: list[JointRegion] = []
        for place, column in zip(joints.tolist(), range(branches.shape[1]), strict=True):
            some = slice(branches.indptr[column], branches.indptr[column + 1])
            result += _regions_of(self.skin, place, branches.indices[some], branches.data[some])
        return tuple(result)

    def __len__(self) -> int:
        return len(self.each)

    @cached_property
    def joints(self) -> IntArray:
        """``(R,)`` places of the joints in `Skeleton.joints`."""
        return self._places([region.joint for region in self.each])

    @cached_property
    def parents(self) -> IntArray:
        """``(R,)`` places of the parents in `Skeleton.joints`."""
        return self._places([region.parent for region in self.each])

    def _places(self, nodes: Sequence[int]) -> IntArray:
        places = self.skin.deformer.skeleton.places
        return np.array([places[node] for node in nodes], dtype=np.int64)

    @cached_property
    def sizes(self) -> FloatArray:
        """``(R,)`` ρ of each, metres."""
        return np.array([region.size for region in self.each], dtype=np.float64)

    @cached_property
    def axes(self) -> FloatArray:
        """``(R, 3)`` unit directions of the limbs in the reference pose; one for all regions of a joint."""
        return np.array([region.limb for region in self.each]).reshape(-1, 3)

    @cached_property
    def vertices(self) -> RegionRows:
        """All vertices of all regions."""
        return RegionRows.of([region.vertices for region in self.each])

    @cached_property
    def edges(self) -> RegionRows:
        """All edges, ``(n, 2)``."""
        return RegionRows.of([region.edges for region in self.each], 2)

    @cached_property
    def faces(self) -> RegionRows:
        """All faces, ``(n, 3)``."""
        return RegionRows.of([region.faces for region in self.each], 3)

    @cached_property
    def links(self) -> Segments:
        """Per region the segment from its parent to its joint in the reference pose."""
        heads = self.skin.bones.heads
        return link_segments(heads[self.parents], heads[self.joints], self.axes)

    @cached_property
    def overlaps(self) -> BoolArray:
        """``(R, R)`` which share so many blended vertices that one joint may deform both."""
        blended = RegionRows.of([region.vertices[region.blended] for region in self.each])
        ones = np.ones(len(blended.values))
        member = csr(ones, blended.values, blended.starts, len(self.skin.first))
        shared = (member @ member.T).toarray()
        counts = blended.counts
        return np.asarray(shared >= _SHARED * np.minimum(counts[:, None], counts[None, :]))


def link_segments(parents: FloatArray, joints: FloatArray, fallback: FloatArray) -> Segments:
    """Return the segments from ``(R, 3)`` parents to their joints."""
    return Segments.between(parents, joints, fallback)


def regions(skin: WeldedSkin) -> tuple[JointRegion, ...]:
    """Return the regions of all joints of all characters of a rig."""
    return Regions(skin).each


def branch_weights(skin: WeldedSkin) -> tuple[IntArray, "csc_array"]:
    """Return the joints that carry weight and ``(W, n)`` their branch weights where these are blended.

    The joints are places in `Skeleton.joints`. No array has an entry per joint and vertex: the sums of a
    few thousand vertices at a time are kept only where they are blended.
    """
    from scipy.sparse import vstack

    weights, parents = skin.weights, skin.deformer.skeleton.parents
    count = weights.shape[1]
    carrying = np.flatnonzero(skin.carries)
    column = np.full(count, -1)
    column[carrying] = np.arange(len(carrying))
    rows: list[IntArray] = []
    for joint in range(count):
        above, chain = joint, []
        while above >= 0:
            chain.append(above)
            above = int(parents[above])
        columns = column[chain]
        rows.append(columns[columns >= 0])
    listed = RegionRows.of(rows)
    above_or_same = csr(np.ones(len(listed.values)), listed.values, listed.starts, len(carrying))
    blocks, whole = [], []
    for first in range(0, max(weights.shape[0], 1), 8192):
        sums = (weights[first : first + 8192] @ above_or_same).tocsr()
        follows = sums >= BLENDED[1]
        whole.append(follows.tocsr())
        sums.data[(sums.data <= BLENDED[0]) | (sums.data >= BLENDED[1])] = 0.0
        sums.eliminate_zeros()
        blocks.append(sums)
    blended = vstack(blocks).tocsr()
    return carrying, (blended + _torn(skin.edges, vstack(whole).tocsr(), blended)).tocsc()


def _torn(edges: IntArray, follows: "csr_array", blended: "csr_array") -> "csr_array":
    """Return ``(W, n)`` branch weights at the ends of edges that join joints far from each other.

    They are 1 at the one end, and next to nothing at the other, which does not follow it at all.

    Parameters
    ----------
    edges
        ``(e, 2)``.
    follows, blended
        ``(W, n)`` whether vertices follow a joint alone, and branch weights where they are blended.
    """
    from scipy.sparse import coo_array, csr_array

    rows: list[IntArray] = []
    columns: list[IntArray] = []
    values: list[FloatArray] = []
    one, mixed = follows.astype(np.int8), blended.astype(np.bool_).astype(np.int8)
    for first in range(0, len(edges), 8192):
        some = edges[first : first + 8192]
        steps = abs(one[some[:, 0]] - one[some[:, 1]]).sum(axis=1)
        some = some[np.asarray(steps).reshape(-1) >= _FAR]
        for here, there in (some.T, some[:, ::-1].T):
            alone = (one[here] - one[there] - mixed[there]).tocoo()
            found = alone.data == 1
            edge, joint = alone.row[found], alone.col[found]
            rows += [here[edge], there[edge]]
            columns += [joint, joint]
            values += [np.ones(len(edge)), np.full(len(edge), _NOT_AT_ALL)]
    if not rows:
        return csr_array(blended.shape)
    at = np.concatenate(rows).astype(np.int64) * blended.shape[1] + np.concatenate(columns)
    _, kept = np.unique(at, return_index=True)
    row, column = np.divmod(at[kept], blended.shape[1])
    return coo_array((np.concatenate(values)[kept], (row, column)), blended.shape).tocsr()


def _regions_of(
    skin: WeldedSkin, joint: int, blended: IntArray, branch: FloatArray
) -> Iterator[JointRegion]:
    """Yield the regions of one joint, by its place in `Skeleton.joints`."""
    count = len(skin.first)
    if not len(blended):
        return
    core = np.zeros(count, dtype=np.bool_)
    core[blended] = True
    near = core[skin.edges].any(axis=1)
    inside = core.copy()
    inside[skin.edges[near]] = True
    vertices = np.flatnonzero(inside)
    edges = skin.edges[near]
    faces = skin.triangles[core[skin.triangles].any(axis=1)]
    shares = np.zeros(count)
    shares[blended] = branch
    # Neighbours follow one side or the other.
    outer = np.flatnonzero(inside & ~core)
    shares[outer] = _branch_share(skin, joint, outer)
    label = np.full(count, -1)
    label[vertices] = _components(vertices, edges, count)
    sizes = np.bincount(label[blended])
    axes = None
    # The largest piece first: it tells the direction of the limb for all.
    for number in np.argsort(-sizes, kind="stable").tolist():
        own = vertices[label[vertices] == number]
        parent = _parent(skin, joint, own[core[own]])
        if parent is None:
            continue
        if axes is None:
            axes = _axes(skin, (joint, parent), own[core[own]], shares[own[core[own]]])
        yield _region(
            skin,
            (joint, parent, axes),
            (own, shares[own], core[own]),
            edges[label[edges[:, 0]] == number],
            faces[label[faces[:, 0]] == number],
        )


def _branch_share(skin: WeldedSkin, joint: int, vertices: IntArray) -> FloatArray:
    """Return ``(n,)`` the branch weight of a joint at vertices where it is next to 0 or 1."""
    below = skin.deformer.skeleton.below(joint)
    return np.asarray(skin.weights[vertices] @ below.astype(np.float64))


def _components(vertices: IntArray, edges: IntArray, count: int) -> IntArray:
    """Return ``(n,)`` which connected component each of some vertices is in."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    place = np.zeros(count, dtype=np.int64)
    place[vertices] = np.arange(len(vertices))
    a, b = place[edges].T
    n = len(vertices)
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(n, n)).tocsr()
    _, labels = connected_components(graph, directed=False)
    return np.asarray(labels, dtype=np.int64)


def _axes(
    skin: WeldedSkin, joints: tuple[int, int], vertices: IntArray, branch: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the unit directions of the weights and of the limb at a joint, in the reference pose.

    1. The weights' direction is the one in which the branch weight grows, by least squares over the
       blended vertices. Where they tell none, or one far from both bones, it is the limb's.
    2. The limb's is the bisector of the bones where they meet nearly straight, at a joint of one child.
    3. Elsewhere bones may leave the limb, as at a hand whose first child is the thumb, or turn off, as
       at a foot: there it is the weights', but the joint's own bone where that is the limb: along the
       weights' direction, or where the parent branches, as hips do, and so leads along no limb.
    """
    joint, parent = joints
    bones, parents = skin.bones, skin.deformer.skeleton.parents
    head, direction = bones.heads[joint], bones.directions[joint]
    link = unit(head - bones.heads[parent], direction)
    straight = float(link @ direction) > STRAIGHT
    along = unit(link + direction, direction) if straight else direction
    grows = _growth(skin, vertices, branch)
    if grows is None or max(float(grows @ link), float(grows @ direction)) < STRAIGHT:
        return along, along
    alone, limb = (int(np.count_nonzero(parents == place)) == 1 for place in joints)
    if alone and (straight or not limb or grows @ direction >= grows @ link):
        return grows, along
    return grows, grows


def _growth(skin: WeldedSkin, vertices: IntArray, branch: FloatArray) -> FloatArray | None:
    """Return the unit direction in which a branch weight grows; None where no direction explains it."""
    if len(vertices) < FEWEST:
        return None
    points = skin.positions[:, vertices].T
    points, rise = points - points.mean(axis=0), branch - branch.mean()
    gradient = np.linalg.lstsq(points, rise, rcond=1e-3)[0]
    left, total = np.square(rise - points @ gradient).sum(), np.square(rise).sum()
    if not gradient.any() or total - left < _TOLD * total:
        return None
    return unit(gradient)


def _region(
    skin: WeldedSkin,
    limb: tuple[int, int, tuple[FloatArray, FloatArray]],
    members: tuple[IntArray, FloatArray, BoolArray],
    edges: IntArray,
    faces: IntArray,
) -> JointRegion:
    """Return one connected region of a joint, its parent and the directions of weights and limb there."""
    joint, parent, (axis, bone) = limb
    vertices, branch, blended = members
    bones, nodes = skin.bones, skin.deformer.skeleton.joints
    head = bones.heads[joint]
    points = skin.positions[:, vertices[blended]].T
    size = float(np.median(_distances(bones, joint, parent, points)))
    return JointRegion(
        int(nodes[joint]),
        int(nodes[parent]),
        int(skin.characters[joint]),
        vertices,
        branch,
        blended,
        edges,
        faces,
        head.copy(),
        axis,
        bone,
        max(size, _THIN * skin.deformer.size),
        len(points) >= FEWEST and len(np.unique(sectors(points - head, axis))) >= SURROUNDED,
    )


def _parent(skin: WeldedSkin, joint: int, vertices: IntArray) -> int | None:
    """Return the joint against which a region's joint turns, by its place in `Skeleton.joints`."""
    parents = skin.deformer.skeleton.parents
    above = int(parents[joint])
    while above >= 0:
        if skin.carries[above]:
            return above
        above = int(parents[above])
    total = np.asarray(skin.weights[vertices].sum(axis=0)).ravel()
    for other in np.argsort(-total, kind="stable").tolist():
        if total[other] <= 0.0:
            return None
        place = other
        while place >= 0 and place != joint:
            place = int(parents[place])
        if place < 0:
            return int(other)
    return None


def _distances(bones: Segments, joint: int, parent: int, points: FloatArray) -> FloatArray:
    """Return ``(n,)`` the distances of points to the nearer of the joint's bone and the parent's."""
    place = np.array([joint])
    link = link_segments(bones.heads[[parent]], bones.heads[place], bones.directions[place])
    ones = np.zeros(len(points), dtype=np.int64)
    return np.minimum(link.distance(ones, points), bones.of(place).distance(ones, points))


def sectors(offsets: FloatArray, axis: FloatArray) -> IntArray:
    """Return ``(n,)`` in which of eight sectors about an axis ``(n, 3)`` offsets from it lie."""
    across = across_axis(axis)
    angle = np.arctan2(offsets @ across[1], offsets @ across[0])
    turned = (angle + np.pi) * (SECTORS / (2.0 * np.pi))
    return np.minimum(turned.astype(np.int64), SECTORS - 1)


def across_axis(axis: FloatArray) -> FloatArray:
    """Return ``(2, 3)`` unit vectors square to a unit vector and to each other."""
    first = unit(np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))]))
    return np.stack([first, np.cross(axis, first)])
