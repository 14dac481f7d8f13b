"""H of each character of a file: what limits that are shares of a size are shares of."""

from collections.abc import Mapping

import numpy as np

from rigview.core.arrays import FloatArray, IntArray
from rigview.core.bones import box_diagonal
from rigview.core.deform import Deformer
from rigview.core.rig import Rig

_NOBODY, _SEVERAL = -1, -2
# Joints this near to each other, in sizes of the file, are at one place; fewer of them say nothing.
_UPON, _SHARED = 1e-3, 3


def sizes(deformer: Deformer, characters: Mapping[int, int]) -> FloatArray:
    """Return ``(N,)`` H of the character that each node belongs to, in metres.

    That is the diagonal of the box around its skins and what its joints carry, or without any around its
    joints. What belongs to no character, or to several, has that of the whole file.

    Parameters
    ----------
    characters
        Joint → the number of its character (`Anatomy.characters`).
    """
    rig, numbers = deformer.rig, sorted(set(characters.values()))
    result = np.full(len(rig.nodes), deformer.size)
    if len(numbers) < 2:
        return result
    owners, worn = _owners(rig, characters), wearers(rig, characters)
    heads = deformer.rest_nodes[:, :3, 3]
    for number in numbers:
        boxes = [
            corners
            for wearer, part, corners in zip(worn, rig.parts, deformer.rest_corners, strict=True)
            if wearer == number and part.node not in rig.hidden and len(corners)
        ]
        joints = [joint for joint, of in characters.items() if of == number]
        result[owners == number] = box_diagonal(*(boxes or [heads[joints]]))
    return result


def dressed(deformer: Deformer, characters: Mapping[int, int]) -> dict[int, int]:
    """Return joint → the number of its character, one for all whose skeletons lie upon each other.

    Modular characters come with a copy of the skeleton for every piece of clothing.
    """
    if len(set(characters.values())) < 2:
        return dict(characters)
    cells = np.rint(deformer.rest_nodes[:, :3, 3] / (_UPON * deformer.size)).tolist()
    places: dict[int, set[tuple[float, ...]]] = {}
    for joint, number in characters.items():
        places.setdefault(number, set()).add(tuple(cells[joint]))
    first: dict[int, int] = {}
    for number, own in places.items():
        like = (
            first[other]
            for other in first
            if len(own & places[other]) >= max(_SHARED, 0.5 * min(len(own), len(places[other])))
        )
        first[number] = next(like, number)
    return {joint: first[number] for joint, number in characters.items()}


def wearers(rig: Rig, characters: Mapping[int, int]) -> list[int]:
    """Return per part the number of the character that it belongs to; below 0 for none."""
    owners = _owners(rig, characters)
    joints = [None if part.skin is None else rig.skins[part.skin].joints for part in rig.parts]
    first = [of[0] if of else part.node for of, part in zip(joints, rig.parts, strict=True)]
    found: list[int] = owners[first].tolist() if first else []
    return found


def _owners(rig: Rig, characters: Mapping[int, int]) -> IntArray:
    """Return ``(N,)`` to which character nodes belong: joints, what hangs on them, what they hang on."""
    owners = np.full(len(rig.nodes), _NOBODY)
    owners[list(characters)] = list(characters.values())
    parents = np.array(rig.nodes.parents)
    for level in rig.nodes.levels:
        below = level[(owners[level] == _NOBODY) & (parents[level] >= 0)]
        owners[below] = owners[parents[below]]
    for level in reversed(rig.nodes.levels):
        for node in level[owners[level] == _NOBODY].tolist():
            met = {int(owners[child]) for child in rig.nodes.sound_children[node]} - {_NOBODY}
            owners[node] = met.pop() if len(met) == 1 else _SEVERAL if met else _NOBODY
    return owners
