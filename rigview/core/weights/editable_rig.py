"""All characters of a rig as hands edit them: what is chosen may lie on several."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, IntArray
from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.core.rig import Rig
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import Edited
from rigview.core.weights.skin_points import SkinPoints, editable

# Per character the points that are chosen.
Points = tuple[IntArray, ...]
Edit = Callable[[SkinPoints, IntArray], Edited]


@dataclass(frozen=True, eq=False)
class EditableRig:
    """A rig and the points of its characters."""

    rig: Rig
    characters: tuple[SkinPoints, ...]

    @classmethod
    def of(cls, deformer: Deformer) -> "EditableRig":
        """Return a rig's characters.

        Raises
        ------
        NotMade
            If none is skinned, or one is nowhere.
        """
        characters = tuple(editable(deformer))
        return cls(characters[0].rig, characters)

    def points_of(self, chosen: Mapping[int, Iterable[int]]) -> Points:
        """Return the points of vertices that are given by part."""
        return tuple(of.points_of(chosen) for of in self.characters)

    def vertices_of(self, points: Points) -> dict[int, IntArray]:
        """Return part → vertices of points, their copies at seams among them."""
        result: dict[int, IntArray] = {}
        for of, some in zip(self.characters, points, strict=True):
            for part, vertices in of.vertices_of(some).items():
                before = result.get(part, np.zeros(0, dtype=np.int64))
                result[part] = np.union1d(before, vertices)
        return dict(sorted(result.items()))

    def edited(self, points: Points, edit: Edit) -> tuple["EditableRig", Points]:
        """Return the rig after an edit of points, and those that have other weights now.

        Raises
        ------
        NotMade
            If locks leave nothing to change on some character that has chosen points.
        """
        rig, characters, changed = self.rig, list(self.characters), list(self.nothing)
        for number, (of, some) in enumerate(zip(self.characters, points, strict=True)):
            if len(some):
                done = edit(of.within(rig), some)
                rig, characters[number], changed[number] = done.rig, done.of, done.points
        return EditableRig(rig, tuple(of.within(rig) for of in characters)), tuple(changed)

    def with_character(self, edited: SkinPoints) -> "EditableRig":
        """Return the rig with one character edited."""
        characters = (edited if of.number == edited.number else of for of in self.characters)
        return EditableRig(edited.rig, tuple(of.within(edited.rig) for of in characters))

    @property
    def all_points(self) -> Points:
        """All points of all characters."""
        return tuple(np.arange(of.count) for of in self.characters)

    @property
    def nothing(self) -> Points:
        """No point of any character."""
        return tuple(np.zeros(0, dtype=np.int64) for _ in self.characters)


def freedom_of(of: SkinPoints, locked: Collection[int]) -> Freedom:
    """Return which joints of a character's skin may change, given the nodes that are locked."""
    return Freedom(of.parents, np.array([node in locked for node in of.nodes], dtype=np.bool_))


def changed_vertices(old: Rig, new: Rig) -> int:
    """Return how many vertices of two rigs with the same meshes have other weights."""
    total = 0
    for mesh, (before, after) in enumerate(zip(old.meshes, new.meshes, strict=False)):
        if before is after:
            continue
        for number in range(min(len(before.primitives), len(after.primitives))):
            a, b = (r.meshes[mesh].primitives[number].influences for r in (old, new))
            if a is not b and a is not None and b is not None and len(a.joints) == len(b.joints):
                total += int(_differing(a, b).sum())
    return total


def _differing(a: Influences, b: Influences) -> BoolArray:
    """Return ``(V,)`` which vertices of a mesh have other weights."""
    width = max(a.joints.shape[1], b.joints.shape[1])
    rows = []
    for own in (a, b):
        pad = ((0, 0), (0, width - own.joints.shape[1]))
        weights = np.pad(own.weights, pad)
        joints = np.where(weights > 0.0, np.pad(own.joints, pad), 0)
        order = np.lexsort((joints, -weights))
        rows.append([np.take_along_axis(x, order, axis=1) for x in (joints, weights)])
    return np.asarray(((rows[0][0] != rows[1][0]) | (rows[0][1] != rows[1][1])).any(axis=1))
