"""Seams between skins, of one file or of several: vertices in one place that follow different joints."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rigview.check.labels import part_label
from rigview.check.rule import Finding, Fix, count, verb, vertices_of
from rigview.check.rules.seams import SEAM
from rigview.core import names
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.measures.welded_skin import WeldedSkin
from rigview.core.numeric.blending import csr
from rigview.core.rig import Part, Rig

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Vertices of two files are in one place if they are this near, as a share of the size of all: float32
# and another unit leave less between copies.
NEAR = 2e-6


@dataclass(frozen=True)
class NamedRig:
    """A rig and the name of its file."""

    name: str
    rig: Rig

    @cached_property
    def skin(self) -> WeldedSkin:
        """All its skinned vertices as bound, in model space."""
        return WeldedSkin(Deformer(self.rig))


def seams_between(files: Sequence[NamedRig], limits: Sequence[float]) -> list[list[Finding]]:
    """Return per file what tears from other skins: of that file, or of the others.

    Joints are one where their names are, without namespace and case; where no other file has the name,
    where its words are. Vertices count at the border of a skin: solids that only touch have no hole once
    they part.

    Parameters
    ----------
    limits
        Per file the difference of weights, over all joints, from which on it is told (WGT-SEAM).
    """
    cloud = _Cloud(tuple(files))
    pairs = cloud.pairs
    result: list[list[Finding]] = [[] for _ in files]
    apart = cloud.differences(pairs)
    for own, other in ((0, 1), (1, 0)):
        here, there = pairs[:, own], pairs[:, other]
        for file, limit in enumerate(limits):
            torn = (cloud.files[here] == file) & (apart > limit)
            result[file] += _findings(cloud, here[torn], there[torn], apart[torn], limit)
    return [_numbered(findings) for findings in result]


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -(finding.value or 0.0))


@dataclass(frozen=True)
class _Cloud:
    """The skinned vertices of all files as one list, in model space as bound."""

    named: tuple[NamedRig, ...]

    @cached_property
    def _counts(self) -> list[int]:
        return [len(one.skin.every_position) for one in self.named]

    @cached_property
    def files(self) -> IntArray:
        """``(V,)`` the file of every vertex."""
        return np.repeat(np.arange(len(self.named)), self._counts)

    @cached_property
    def places(self) -> list[tuple[int, int, Part]]:
        """Every skinned part: its file, its first vertex, and itself."""
        result, start = [], 0
        for file, one in enumerate(self.named):
            mesh = one.skin.mesh
            result += [
                (file, start + first, one.rig.parts[part])
                for part, first in zip(mesh.parts, mesh.starts, strict=False)
            ]
            start += self._counts[file]
        return result

    @cached_property
    def parts(self) -> IntArray:
        """``(V,)`` the number in `places` of every vertex's part."""
        starts = np.array([first for _, first, _ in self.places], dtype=np.int64)
        return np.searchsorted(starts, np.arange(len(self.files)), side="right") - 1

    @cached_property
    def skins(self) -> IntArray:
        """``(V,)`` the skin of every vertex, counted over all files; parts that bind alike share one."""
        keys: dict[tuple[int, int], int] = {}
        numbers = [
            keys.setdefault((file, self.named[file].rig.alike[part.skin or 0]), len(keys))
            for file, _, part in self.places
        ]
        return np.array(numbers, dtype=np.int64)[self.parts]

    @cached_property
    def pairs(self) -> IntArray:
        """``(n, 2)`` vertices of different skins in one place, one of them at least at a border."""
        from scipy.spatial import cKDTree

        points = np.concatenate([np.zeros((0, 3)), *(o.skin.every_position for o in self.named)])
        finite = np.flatnonzero(np.isfinite(points).all(axis=1))
        if not len(finite):
            return np.zeros((0, 2), dtype=np.int64)
        reach = NEAR * box_diagonal(points[finite])
        # Copies within a skin are most of all pairs: each skin's own vertices are left out.
        found = [np.zeros((0, 2), dtype=np.int64)]
        trees = {
            skin: (own, cKDTree(points[own]))
            for skin in np.unique(self.skins[finite]).tolist()
            for own in (finite[self.skins[finite] == skin],)
        }
        for first, (own, tree) in trees.items():
            for second, (others, theirs) in trees.items():
                if first < second:
                    met = tree.sparse_distance_matrix(theirs, reach, output_type="ndarray")
                    found.append(np.column_stack([own[met["i"]], others[met["j"]]]))
        pairs = np.concatenate(found)
        return pairs[self._is_border[pairs].any(axis=1)]

    @cached_property
    def _is_border(self) -> BoolArray:
        """``(V,)`` which vertices lie at an edge of their skin that one triangle alone has, or at none."""
        result = np.zeros(len(self.files), dtype=np.bool_)
        start = 0
        for one, vertices in zip(self.named, self._counts, strict=True):
            skin = one.skin
            welded, own = skin.welded, self.skins[start : start + vertices]
            for number in np.unique(own).tolist():
                corners = skin.mesh.triangles
                corners = welded[corners[own[corners[:, 0]] == number]]
                sides = np.concatenate([corners[:, (0, 1)], corners[:, (1, 2)], corners[:, (2, 0)]])
                edges, times = np.unique(np.sort(sides, axis=1), axis=0, return_counts=True)
                border = np.union1d(edges[times == 1], np.setdiff1d(welded, corners))
                result[start : start + vertices] |= (own == number) & np.isin(welded, border)
            start += vertices
        return result

    @cached_property
    def joint_names(self) -> list[str]:
        """The joints of all files, each once."""
        return list(dict.fromkeys(key for keys in self._keys for key in keys))

    @cached_property
    def _keys(self) -> list[list[str]]:
        """Per file what each joint of its skeleton is known by, in the order of `Skeleton.joints`."""
        labels = [
            [one.rig.nodes.label(node) for node in one.skin.deformer.skeleton.joints.tolist()]
            for one in self.named
        ]
        plain = [[label.rsplit(":", 1)[-1].casefold() for label in own] for own in labels]
        shared = Counter(key for own in plain for key in set(own))
        return [
            [
                key if shared[key] > 1 or len(self.named) == 1 else " ".join(names.words(label))
                for key, label in zip(keys, own, strict=True)
            ]
            for keys, own in zip(plain, labels, strict=True)
        ]

    @cached_property
    def weights(self) -> "csr_array":
        """``(V, n)`` the weights of every vertex on `joint_names`."""
        from scipy.sparse import vstack

        place = {key: number for number, key in enumerate(self.joint_names)}
        rows = []
        for one, keys in zip(self.named, self._keys, strict=True):
            column = np.array([place[key] for key in keys], dtype=np.int64)
            mesh = one.skin.mesh
            used = mesh.weights > 0.0
            starts = np.concatenate([[0], np.cumsum(np.count_nonzero(used, axis=1))])
            joints = column[mesh.entry_joints[mesh.entries[used]]] if used.any() else column[:0]
            rows.append(csr(mesh.weights[used], joints, starts, len(place)))
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
        file, start, part = cloud.places[own]
        for vertex, value in zip((here[some] - start).tolist(), apart[some].tolist(), strict=True):
            worst[vertex] = max(value, worst.get(vertex, 0.0))
        vertices = sorted(worst, key=lambda vertex: -worst[vertex])
        value = worst[vertices[0]]
        met, _, theirs = cloud.places[other]
        label = part_label(cloud.named[met].rig, theirs)
        of = label if met == file else f"{label} of {cloud.named[met].name}"
        number = len(vertices)
        yield Finding(
            own,
            f"{count(number, 'vertex')} {verb(number, 'shares', 'share')} a place with {of}, and "
            f"{verb(number, 'has', 'have')} other weights, by up to {value:.2g}",
            part_label(cloud.named[file].rig, part),
            value=value,
            limit=limit,
            vertices=vertices_of(part, np.array(vertices, dtype=np.int64)),
            explanation="Where two skins meet and follow different joints, a gap opens.",
            fix=Fix(
                "none", reason="which of the two is right is not known; rigview transfer copies one"
            ),
            rule=SEAM.rule,
        )
