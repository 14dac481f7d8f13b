"""What of one rig is what of another: joints, skins, parts and clips, by name and by place."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.check.diff.clips import Shared, same_motions
from rigview.check.labels import part_label
from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Rig

# A joint of another name is the same one if it rests this near, as a share of the rig's size.
SAME_PLACE = 1e-2


@dataclass(frozen=True)
class Pairs:
    """Numbers in the first rig beside those in the second, in the first one's order.

    Parameters
    ----------
    removed, added
        What only the first has, and only the second.
    """

    both: tuple[tuple[int, int], ...]
    removed: tuple[int, ...] = ()
    added: tuple[int, ...] = ()

    @cached_property
    def second(self) -> dict[int, int]:
        """First → second."""
        return dict(self.both)

    @cached_property
    def first(self) -> dict[int, int]:
        """Second → first."""
        return {b: a for a, b in self.both}


@dataclass(frozen=True)
class Pairing:
    """Two rigs laid beside each other.

    Parameters
    ----------
    joints
        Nodes.
    skins, clips
        Numbers in the file.
    parts
        Numbers in `Rig.parts`.
    """

    __repr__ = brief_repr

    joints: Pairs
    skins: Pairs
    parts: Pairs
    clips: Pairs


def pair(a: Rig, b: Rig, size: float) -> Pairing:
    """Pair what two rigs hold.

    Parameters
    ----------
    size
        H of the first rig, metres.
    """
    joints, parts = _joints(a, b, size), _parts(a, b)
    morphed = {
        (a.parts[i].node, b.parts[j].node): None
        for i, j in parts.both
        if a.primitive(a.parts[i]).morphs is not None
    }
    return Pairing(
        joints,
        _by_key([s.name for s in a.skins], [s.name for s in b.skins], lambda _i, _j: True),
        parts,
        _clips(a, b, Shared(joints.both, tuple(morphed), size)),
    )


def _clips(a: Rig, b: Rig, shared: Shared) -> Pairs:
    """Pair clips of one name, then those of other names that move alike."""
    names = [[clip.name for clip in rig.clips] for rig in (a, b)]
    named = _by_key(names[0], names[1], lambda i, j: one_name(names[0][i], names[1][j]))
    alike = same_motions(a, b, (named.removed, named.added), shared)
    return Pairs(
        tuple(sorted((*named.both, *alike.items()))),
        tuple(i for i in named.removed if i not in alike),
        tuple(j for j in named.added if j not in alike.values()),
    )


def one_name(a: str, b: str) -> bool:
    """Tell whether two names are one, which a file may call by its object besides: ``Rig|Walk``."""
    return f"|{a}".endswith(f"|{b}") or b.endswith(f"|{a}")


def _parts(a: Rig, b: Rig) -> Pairs:
    """Pair parts of equal names, then those of other names that have as many vertices."""
    labels = [[part_label(rig, part) for part in rig.parts] for rig in (a, b)]
    counts = [[len(rig.primitive(part).positions) for part in rig.parts] for rig in (a, b)]
    return _by_key(labels[0], labels[1], lambda i, j: counts[0][i] == counts[1][j])


def _by_key(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    alike: Callable[[int, int], bool] = lambda _i, _j: False,
) -> Pairs:
    """Pair equal keys; of those that come more than once the first with the first, and so on.

    Parameters
    ----------
    alike
        Whether two that are left may be one of another key; each takes the first that may.
    """
    places = dict(_numbered(b))
    both = {i: places.pop(key) for key, i in _numbered(a) if key in places}
    left_b = sorted(places.values())
    for i in range(len(a)):
        found = None if i in both else next((j for j in left_b if alike(i, j)), None)
        if found is not None:
            both[i] = found
            left_b.remove(found)
    left_a = tuple(i for i in range(len(a)) if i not in both)
    return Pairs(tuple(sorted(both.items())), left_a, tuple(left_b))


def _numbered(keys: Sequence[Hashable]) -> Iterator[tuple[tuple[Hashable, int], int]]:
    """Yield ((key, how often it came before), place)."""
    seen: dict[Hashable, int] = {}
    for place, key in enumerate(keys):
        seen[key] = seen.get(key, -1) + 1
        yield (key, seen[key]), place


def _joints(a: Rig, b: Rig, size: float) -> Pairs:
    """Pair joints of equal names, then those of other names that rest in one place of the hierarchy."""
    named = [[n for n in rig.joints if rig.nodes.names[n]] for rig in (a, b)]
    names = [[rig.nodes.names[n] for n in nodes] for rig, nodes in zip((a, b), named, strict=True)]
    both = {named[0][i]: named[1][j] for i, j in _by_key(names[0], names[1]).both}
    taken = set(both.values())
    heads = [model_from_nodes(rig, rest_pose(rig))[:, :3, 3] for rig in (a, b)]
    below = [_below(rig) for rig in (a, b)]
    # From the top down, so that a renamed joint pairs its children.
    waiting: list[tuple[int, int]] = [(-1, -1)]
    while waiting:
        parent_a, parent_b = waiting.pop()
        free_a = [n for n in below[0].get(parent_a, ()) if n not in both]
        free_b = [n for n in below[1].get(parent_b, ()) if n not in taken]
        for i, j in _nearest(heads[0][free_a], heads[1][free_b], SAME_PLACE * size):
            both[free_a[i]] = free_b[j]
            taken.add(free_b[j])
        waiting += [(n, both[n]) for n in below[0].get(parent_a, ()) if n in both]
    return Pairs(
        tuple((n, both[n]) for n in a.joints if n in both),
        tuple(n for n in a.joints if n not in both),
        tuple(n for n in b.joints if n not in taken),
    )


def _below(rig: Rig) -> dict[int, list[int]]:
    """Return joint → its child joints; −1 → the root joints."""
    result: dict[int, list[int]] = {}
    for joint, parent in rig.joint_parents.items():
        result.setdefault(parent, []).append(joint)
    return result


def _nearest(a: FloatArray, b: FloatArray, limit: float) -> Iterator[tuple[int, int]]:
    """Yield pairs of points no further apart than a limit, the nearest first, each point once."""
    if not len(a) or not len(b):
        return
    apart = np.linalg.norm(a[:, None] - b[None], axis=-1)
    order = np.argsort(apart, axis=None, kind="stable")
    used_a: set[int] = set()
    used_b: set[int] = set()
    for flat in order:
        i, j = divmod(int(flat), len(b))
        if not apart[i, j] <= limit or len(used_a) == len(a):
            return
        if i not in used_a and j not in used_b:
            used_a.add(i)
            used_b.add(j)
            yield i, j
