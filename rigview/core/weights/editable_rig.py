"""All characters of a rig as hands edit them: what is chosen may lie on several."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import IntArray
from rigview.core.deform import Deformer
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
