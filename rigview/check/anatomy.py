"""What the names of joints say: which side they are on, who is whose partner, and which part of a body.

Names are what exporters and riggers agree on least, so only words are read that stand alone in a name:
``Arm.L``, ``mixamorig:LeftArm``, ``J_Bip_L_UpperArm``, ``upperarm_l``.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rigview.core.rig import Rig

Side = Literal["left", "right"]

# A name falls into words at what is neither letter nor digit, and where a small letter or a digit meets
# a capital.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIDES: dict[str, Side] = {"l": "left", "left": "left", "r": "right", "right": "right"}
# Words that name the same part of a body in the skeletons of Blender, Maya, 3ds Max, Mixamo, VRM, Unreal.
_HIPS = ("hips", "hip", "pelvis")
_UPPER_ARM = ({"upper", "arm"}, {"upperarm"}, {"arm"}, {"shoulder"})
_UPPER_LEG = ({"upper", "leg"}, {"up", "leg"}, {"upperleg"}, {"thigh"}, {"leg"})
# … and words that say that the joint is another one, or that of an animal.
_NO_UPPER_LIMB = {"fore", "lower", "hand", "foot", "front", "back", "hind", "rear", "ik", "pole"}


def words(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, its namespace left out."""
    return tuple(w.lower() for w in _WORD.findall(name.rsplit(":", 1)[-1]))


def side_of(name: str) -> Side | None:
    """Return the side that a name states; None where it states none or both."""
    sides = {_SIDES[word] for word in words(name) if word in _SIDES}
    return sides.pop() if len(sides) == 1 else None


def mirrored_words(name: str) -> tuple[str, ...]:
    """Return the words of a name with its side exchanged for the other."""
    swap = {"l": "r", "r": "l", "left": "right", "right": "left"}
    return tuple(swap.get(word, word) for word in words(name))


@dataclass(frozen=True)
class Humanoid:
    """The joints of a body that tell how it stands; arms and legs as (left, right)."""

    hips: int
    head: int
    arms: tuple[int, int]
    legs: tuple[int, int]


@dataclass(frozen=True)
class Anatomy:
    """What the names of a rig's joints say."""

    rig: Rig

    @cached_property
    def sides(self) -> dict[int, Side]:
        """Joint → the side that its name states."""
        named = ((joint, side_of(self.rig.nodes.names[joint])) for joint in self.rig.joints)
        return {joint: side for joint, side in named if side is not None}

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(left, right) joints whose names differ by their side only."""
        by_words: dict[tuple[str, ...], list[int]] = {}
        for joint in self.sides:
            by_words.setdefault(words(self.rig.nodes.names[joint]), []).append(joint)
        result = []
        for joint, side in self.sides.items():
            partners = by_words.get(mirrored_words(self.rig.nodes.names[joint]), [])
            alone = len(by_words[words(self.rig.nodes.names[joint])]) == 1
            if side == "left" and len(partners) == 1 and alone:
                result.append((joint, partners[0]))
        return tuple(result)

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """Joints whose name states a side, and that no joint of the other side answers."""
        known = {words(self.rig.nodes.names[joint]) for joint in self.sides}
        return tuple(
            joint
            for joint in self.sides
            if mirrored_words(self.rig.nodes.names[joint]) not in known
        )

    @cached_property
    def humanoid(self) -> Humanoid | None:
        """The body, if the joints have names of one: hips, a head, two arms and two legs."""
        names = self.rig.nodes.names
        order = sorted(self.rig.joints, key=lambda j: int(self.rig.nodes.depths[j]))
        hips = next((j for j in order if set(words(names[j])) & set(_HIPS)), None)
        heads = [j for j in order if "head" in words(names[j])]
        arms = self._first_pair(_UPPER_ARM)
        legs = self._first_pair(_UPPER_LEG)
        if hips is None or not heads or arms is None or legs is None:
            return None
        return Humanoid(hips, heads[0], arms, legs)

    def _first_pair(self, choices: tuple[set[str], ...]) -> tuple[int, int] | None:
        """Return the topmost pair whose names hold all words of the first choice that any has."""
        for wanted in choices:
            for pair in sorted(self.pairs, key=lambda p: int(self.rig.nodes.depths[p[0]])):
                found = set(words(self.rig.nodes.names[pair[0]]))
                if wanted <= found and not found & _NO_UPPER_LIMB:
                    return pair
        return None

    @cached_property
    def partner(self) -> dict[int, int]:
        """Joint → its partner on the other side, both ways."""
        return {a: b for pair in self.pairs for a, b in (pair, pair[::-1])}
