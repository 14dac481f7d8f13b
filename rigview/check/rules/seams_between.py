"""Seams between skins, of one file or of several: vertices in one place that follow different joints."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rigview.check.labels import part_label
from rigview.check.rule import Finding, Fix, count, verb, vertices_of
from rigview.check.rules.seams import SEAM
from rigview.core import names
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.measures.welded_skin import WeldedSkin
from rigview.core.numeric import row_ops
from rigview.core.numeric.blending import csr
from rigview.core.rig import Part, Rig
from rigview.core.sentence import Sentence

if TYPE_CHECKING:
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree

# Vertices of two files are in one place if they are this near, as a share of the size of all: float32
# and another unit leave less between copies.
NEAR = 2e-6


@dataclass(frozen=True)
class RigFile:
    """A file that is compared with others.

    Parameters
    ----------
    load
        Reads its rig. It is called twice, and no two rigs are held at once.
    limit
        Tells of that rig the difference of weights, over all joints, from which on it is told (WGT-SEAM).
    """

    name: str
    load: Callable[[], Rig]
    limit: Callable[[Rig], float]


def seams_between(files: Sequence[RigFile]) -> list[list[Finding]]:
    """Return per file what tears from other skins: of that file, or of the others.

    Joints are one where their names are, without namespace and case; where no other file has the name,
    where its words are. Vertices count at the border of a skin: solids that only touch have no hole once
    they part. Held of all files are the vertices at borders, and those in their places.
    """
    extents = [_extent(file) for file in files]
    reach = NEAR * box_diagonal(*(extent.corners for extent in extents))
    borders = _tree(np.concatenate([np.zeros((0, 3)), *(extent.borders for extent in extents)]))
    cloud = _Cloud(tuple(_met(file, borders, reach) for file in files), reach)
    pairs = cloud.pairs
    result: list[list[Finding]] = [[] for _ in files]
    apart = cloud.differences(pairs)
    for own, other in ((0, 1), (1, 0)):
        here, there = pairs[:, own], pairs[:, other]
        for file, limit in enumerate(extent.limit for extent in extents):
            torn = (cloud.files[here] == file) & (apart > limit)
            result[file] += _findings(cloud, here[torn], there[torn], apart[torn], limit)
    return [_numbered(findings) for findings in result]


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -(finding.value or 0.0))


def _tree(points: FloatArray) -> "cKDTree":
    from scipy.spatial import cKDTree

    return cKDTree(points)


@dataclass(frozen=True)
class _Skins:
    """The skinned vertices of a rig, in model space as bound."""

    rig: Rig

    @cached_property
    def whole(self) -> WeldedSkin:
        """All of them."""
        return WeldedSkin(Deformer(self.rig))

    @cached_property
    def parts(self) -> list[Part]:
        """The parts that joints move."""
        return [self.rig.parts[part] for part in self.whole.mesh.parts]

    @cached_property
    def of_part(self) -> IntArray:
        """``(V,)`` the number in `parts` of every vertex's part."""
        return np.repeat(np.arange(len(self.parts)), np.diff(self.whole.mesh.starts))

    @cached_property
    def of_skin(self) -> IntArray:
        """``(V,)`` the skin of every vertex; parts that bind alike share one."""
        skins = [self.rig.alike[part.skin or 0] for part in self.parts]
        return np.array(skins, dtype=np.int64)[self.of_part]

    @cached_property
    def is_finite(self) -> BoolArray:
        """``(V,)`` which vertices are anywhere."""
        return np.asarray(np.isfinite(self.whole.every_position).all(axis=1))

    @cached_property
    def is_border(self) -> BoolArray:
        """``(V,)`` which vertices lie at an edge of their skin that one triangle alone has, or at none."""
        welded, triangles, skins = self.whole.welded, self.whole.mesh.triangles, self.of_skin
        result = np.zeros(len(welded), dtype=np.bool_)
        for number in np.unique(skins).tolist():
            corners = welded[triangles[skins[triangles[:, 0]] == number]]
            sides = np.concatenate([corners[:, (0, 1)], corners[:, (1, 2)], corners[:, (2, 0)]])
            edges, times = np.unique(np.sort(sides, axis=1), axis=0, return_counts=True)
            border = np.union1d(edges[times == 1], np.setdiff1d(welded, corners))
            result |= (skins == number) & np.isin(welded, border)
        return result


class _Extent(NamedTuple):
    """Where a file's vertices are: what decides which are kept of it and of others.

    Parameters
    ----------
    borders
        ``(n, 3)`` those at the borders of skins.
    corners
        ``(2, 3)`` of the box around all; ``(0, 3)`` without any.
    """

    limit: float
    borders: FloatArray
    corners: FloatArray


def _extent(file: RigFile) -> _Extent:
    skins = _Skins(file.load())
    points, is_finite = skins.whole.every_position, skins.is_finite
    corners = row_ops.corners(points[is_finite])
    return _Extent(file.limit(skins.rig), points[skins.is_border & is_finite], corners)


@dataclass(frozen=True, eq=False)
class _Met:
    """The vertices of a file that lie at borders, its own or those of others.

    Parameters
    ----------
    places
        Every skinned part and its label.
    joints
        The labels of the joints.
    parts, vertices, skins, is_border
        ``(n,)`` the number in `places` of each vertex's part, its number there, its skin, and whether it
        lies at the border of that.
    points
        ``(n, 3)`` model space, as bound.
    weights
        ``(n, J)``.
    """

    name: str
    places: tuple[tuple[Part, str], ...]
    joints: tuple[str, ...]
    parts: IntArray
    vertices: IntArray
    skins: IntArray
    is_border: BoolArray
    points: FloatArray
    weights: "csr_array"


def _met(file: RigFile, borders: "cKDTree", reach: float) -> _Met:
    skins = _Skins(file.load())
    whole, mesh, labels = skins.whole, skins.whole.mesh, skins.rig.nodes.label
    near = np.flatnonzero(skins.is_finite)
    # Twice as far, so that rounding leaves none out.
    away, _ = borders.query(whole.every_position[near], distance_upper_bound=2.0 * reach)
    kept = near[np.isfinite(away)]
    of_part, weights = skins.of_part[kept], mesh.weights[kept]
    used = weights > 0.0
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
    joints = mesh.entry_joints[mesh.entries[kept][used]] if used.any() else kept[:0]
    nodes = whole.deformer.skeleton.joints.tolist()
    return _Met(
        file.name,
        tuple((part, part_label(skins.rig, part)) for part in skins.parts),
        tuple(map(labels, nodes)),
        of_part,
        kept - np.array(mesh.starts, dtype=np.int64)[of_part],
        skins.of_skin[kept],
        skins.is_border[kept],
        whole.every_position[kept],
        csr(weights[used], joints, starts, len(nodes)),
    )


@dataclass(frozen=True)
class _Cloud:
    """The vertices at borders of all files as one list."""

    met: tuple[_Met, ...]
    reach: float

    @cached_property
    def files(self) -> IntArray:
        """``(V,)`` the file of every vertex."""
        return np.repeat(np.arange(len(self.met)), [len(one.points) for one in self.met])

    @cached_property
    def vertices(self) -> IntArray:
        """``(V,)`` the number of every vertex in its part."""
        return np.concatenate([np.zeros(0, np.int64), *(one.vertices for one in self.met)])

    @cached_property
    def places(self) -> list[tuple[int, Part, str]]:
        """Every skinned part of all files: its file, itself, and its label."""
        return [(file, *place) for file, one in enumerate(self.met) for place in one.places]

    @cached_property
    def parts(self) -> IntArray:
        """``(V,)`` the number in `places` of every vertex's part."""
        return self._counted_on([one.parts for one in self.met], [len(m.places) for m in self.met])

    @cached_property
    def skins(self) -> IntArray:
        """``(V,)`` the skin of every vertex, counted over all files."""
        ends = [int(one.skins.max(initial=-1)) + 1 for one in self.met]
        return self._counted_on([one.skins for one in self.met], ends)

    def _counted_on(self, numbers: Sequence[IntArray], ends: Sequence[int]) -> IntArray:
        """Return the numbers of each file, counted on from those of the files before."""
        starts = np.cumsum([0, *ends])
        rows = (own + start for own, start in zip(numbers, starts[:-1], strict=True))
        return np.concatenate([np.zeros(0, np.int64), *rows])

    @cached_property
    def pairs(self) -> IntArray:
        """``(n, 2)`` vertices of different skins in one place, one of them at least at a border."""
        points = np.concatenate([np.zeros((0, 3)), *(one.points for one in self.met)])
        is_border = np.concatenate([np.zeros(0, np.bool_), *(one.is_border for one in self.met)])
        # Copies within a skin are most of all pairs: each skin's own vertices are left out.
        order = np.argsort(self.skins, kind="stable")
        each = np.split(order, np.flatnonzero(np.diff(self.skins[order])) + 1)
        each = [own for own in each if len(own)]
        trees = [_tree(points[own]) for own in each]
        boxes = np.array([row_ops.corners(points[own]) for own in each]).reshape(-1, 2, 3)
        found = [np.zeros((0, 2), dtype=np.int64)]
        for first, own in enumerate(each):
            later = boxes[first + 1 :]
            apart = np.maximum(later[:, 0] - boxes[first, 1], boxes[first, 0] - later[:, 1])
            near = np.flatnonzero((apart <= self.reach).all(axis=1)) + first + 1
            for second in near.tolist():
                met = trees[first].sparse_distance_matrix(
                    trees[second], self.reach, output_type="ndarray"
                )
                found.append(np.column_stack([own[met["i"]], each[second][met["j"]]]))
        pairs = np.concatenate(found)
        return pairs[is_border[pairs].any(axis=1)]

    @cached_property
    def _keys(self) -> list[list[str]]:
        """Per file what each joint of its skeleton is known by, in the order of `Skeleton.joints`."""
        plain = [[label.rsplit(":", 1)[-1].casefold() for label in one.joints] for one in self.met]
        shared = Counter(key for own in plain for key in set(own))
        return [
            [
                key if shared[key] > 1 or len(self.met) == 1 else " ".join(names.words(label))
                for key, label in zip(keys, one.joints, strict=True)
            ]
            for keys, one in zip(plain, self.met, strict=True)
        ]

    @cached_property
    def weights(self) -> "csr_array":
        """``(V, n)`` the weights of every vertex on the joints of all files, each once."""
        from scipy.sparse import vstack

        place: dict[str, int] = {}
        columns = [
            np.array([place.setdefault(key, len(place)) for key in keys], dtype=np.int64)
            for keys in self._keys
        ]
        rows = [
            csr(one.weights.data, column[one.weights.indices], one.weights.indptr, len(place))
            for one, column in zip(self.met, columns, strict=True)
        ]
        return vstack(rows).tocsr()

    def differences(self, pairs: IntArray) -> FloatArray:
        """Return ``(n,)`` the difference of weights over all joints; 0 where one has no weight at all."""
        if not len(pairs):
            return np.zeros(0)
        a, b = self.weights[pairs[:, 0]], self.weights[pairs[:, 1]]
        bound = (np.asarray(a.sum(axis=1)) > 0.0) & (np.asarray(b.sum(axis=1)) > 0.0)
        return np.where(bound.reshape(-1), np.asarray(abs(a - b).sum(axis=1)).reshape(-1), 0.0)


def _findings(
    cloud: _Cloud, here: IntArray, there: IntArray, apart: FloatArray, limit: float
) -> Iterator[Finding]:
    """Yield one finding per part and part that it tears from."""
    keys = np.column_stack([cloud.parts[here], cloud.parts[there]])
    for own, other in np.unique(keys, axis=0).tolist():
        some = (keys == (own, other)).all(axis=1)
        worst: dict[int, float] = {}
        file, part, label = cloud.places[own]
        numbers = cloud.vertices[here[some]].tolist()
        for vertex, value in zip(numbers, apart[some].tolist(), strict=True):
            worst[vertex] = max(value, worst.get(vertex, 0.0))
        vertices = sorted(worst, key=lambda vertex: -worst[vertex])
        value = worst[vertices[0]]
        met, _, theirs = cloud.places[other]
        of = (
            theirs
            if met == file
            else Sentence("{vertices} of {file}", vertices=theirs, file=cloud.met[met].name)
        )
        number = len(vertices)
        yield Finding(
            own,
            Sentence(
                "{vertices} {verb} a place with {others}, and {verb2} other weights, by up to "
                "{value:.2g}",
                vertices=count(number, "vertex"),
                verb=verb(number, "shares", "share"),
                others=of,
                verb2=verb(number, "has", "have"),
                value=value,
            ),
            label,
            value=value,
            limit=limit,
            vertices=vertices_of(part, np.array(vertices, dtype=np.int64)),
            explanation="Where two skins meet and follow different joints, a gap opens.",
            fix=Fix(
                "none", reason="which of the two is right is not known; rigview transfer copies one"
            ),
            rule=SEAM.rule,
        )
