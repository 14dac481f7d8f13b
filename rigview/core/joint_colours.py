"""A colour for every joint: by its name, and told from those around it.

1. A name ranks all colours of the palette in an order of its own. Namespaces and the ways to write a name
   make no difference (`names.words`), nor does where a file lists the joint.
2. From the roots down, and by name among siblings, each joint takes the first colour of its order that is
   told well from those that joints near it have taken: its parent, its like on the other side, its
   siblings, and its parent's parent and siblings.

So a joint has one colour in all files that have its skeleton, whatever is skinned to it, and mostly also
where joints are added or left out.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b

import numpy as np

from rigview.core import colour, names
from rigview.core.arrays import FloatArray, IntArray

# Hues of each of the palette's lightnesses (OKLab), turned against each other; neither end is lost on a
# dark or a light ground, nor in the shade of the lamps.
_HUES, _LIGHTNESSES, _CHROMA = 8, (0.56, 0.71, 0.86), 0.17
# Colours this far apart in OKLab are told without looking twice: twice what lies between two hues.
_ENOUGH = 0.2
# How much it counts that joints near each other differ. Those of one chain share vertices.
_PARENT, _OTHER_SIDE, _SIBLINGS, _GRANDPARENT, _UNCLES = 14.0, 8.0, 7.0, 2.0, 1.0
# … and at most for all of a crowd, where there are more joints side by side than colours.
_CROWD = 7.0
# What a colour may be worse than the best of all to be taken because the name ranks it before that.
_WELL = 0.5


@cache
def palette() -> FloatArray:
    """Return ``(P, 3)`` the colours that joints have, sRGB."""
    rows = []
    for i, lightness in enumerate(_LIGHTNESSES):
        hues = 2.0 * np.pi * (np.arange(_HUES) + 0.5 * (i % 2)) / _HUES
        rows.append(colour.vivid(lightness, hues, _CHROMA))
    result = np.concatenate(rows)
    result.flags.writeable = False
    return result


@cache
def _likeness() -> FloatArray:
    """Return ``(P, P)`` how easily two colours are taken for each other: 1 the same, 0 not at all."""
    return np.maximum(1.0 - colour.apart(palette()) / _ENOUGH, 0.0) ** 2


def choose(labels: Sequence[str], parents: Sequence[int]) -> IntArray:
    """Return ``(J,)`` numbers in the palette.

    Parameters
    ----------
    labels
        One per joint.
    parents
        Per joint the place of its parent in that list, −1 for none.
    """
    likeness, size = _likeness(), len(palette())
    spoken = [names.words(label) or (label,) for label in labels]
    orders = _rankings(spoken, size)
    result = np.full(len(labels), -1, dtype=np.int64)
    taken: dict[tuple[str, ...], int] = {}
    # How often each colour is taken below a joint; the last row is that of no joint.
    below = np.zeros((len(labels) + 1, size))
    for joint in _from_the_top(spoken, parents):
        parent = parents[joint]
        above = parents[parent] if parent >= 0 else -1
        crowd = _SIBLINGS * below[parent] + _UNCLES * below[above]
        likened = likeness @ crowd
        likened *= min(1.0, _CROWD / max(float(likened.max()), _CROWD))
        for weight, kin in ((_PARENT, parent), (_GRANDPARENT, above)):
            if kin >= 0:
                likened += weight * likeness[result[kin]]
        other_side = taken.get(names.mirrored(labels[joint]))
        if other_side is not None:
            likened += _OTHER_SIDE * likeness[other_side]
        order = orders[joint]
        chosen = int(order[np.argmax(likened[order] <= likened.min() + _WELL)])
        result[joint] = taken[spoken[joint]] = chosen
        below[parent, chosen] += 1.0
    return result


def _from_the_top(spoken: Sequence[tuple[str, ...]], parents: Sequence[int]) -> list[int]:
    """Return the joints level by level, each by name and not as the file lists them."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order, level = [], [-1]
    while level:
        level = [c for j in level for c in sorted(children.get(j, ()), key=lambda c: spoken[c])]
        order += level
    return order


def _rankings(spoken: Sequence[tuple[str, ...]], size: int) -> IntArray:
    """Return ``(J, P)`` per name the order in which it would have the colours."""
    # Two bytes a colour; Python's own hash differs from run to run.
    texts = (" ".join(words).encode() for words in spoken)
    digests = b"".join(blake2b(text, digest_size=2 * size).digest() for text in texts)
    return np.argsort(np.frombuffer(digests, dtype="<u2").reshape(-1, size), axis=1, kind="stable")
