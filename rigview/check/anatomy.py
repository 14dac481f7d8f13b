"""What the names of a rig's joints say of it: who is whose partner, and how the body is built."""

from dataclasses import dataclass
from functools import cached_property

from rigview.core.names import Side, mirrored, parts, side, words
from rigview.core.rig import Rig

# Words of limbs that are no arms and legs of someone upright.
_OF_ANIMALS = {"front", "back", "hind", "rear"}


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
        named = ((joint, side(self.rig.nodes.names[joint])) for joint in self.rig.joints)
        return {joint: stated for joint, stated in named if stated is not None}

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(left, right) joints whose names differ by their side only."""
        by_words: dict[tuple[str, ...], list[int]] = {}
        for joint in self.sides:
            by_words.setdefault(words(self.rig.nodes.names[joint]), []).append(joint)
        result = []
        for joint, stated in self.sides.items():
            partners = by_words.get(mirrored(self.rig.nodes.names[joint]), [])
            alone = len(by_words[words(self.rig.nodes.names[joint])]) == 1
            if stated == "left" and len(partners) == 1 and alone:
                result.append((joint, partners[0]))
        return tuple(result)

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """Joints whose name states a side, and that no joint of the other side answers."""
        known = {words(self.rig.nodes.names[joint]) for joint in self.sides}
        return tuple(
            joint for joint in self.sides if mirrored(self.rig.nodes.names[joint]) not in known
        )

    @cached_property
    def humanoid(self) -> Humanoid | None:
        """The body, if the joints have names of one: hips, a head, two arms and two legs."""
        known = parts(self.rig)
        # Those of one side carry that side's hip only (Rigify's pelvis.L).
        hips = [j for j, part in known.items() if part == "hips" and j not in self.sides]
        heads = [joint for joint, part in known.items() if part == "head"]
        arms, legs = (self._first_pair(known, part) for part in ("upper_arm", "upper_leg"))
        if not hips or not heads or arms is None or legs is None:
            return None
        return Humanoid(hips[0], heads[0], arms, legs)

    def _first_pair(self, known: dict[int, str | None], part: str) -> tuple[int, int] | None:
        """Return the topmost pair that is a part of a body."""
        for pair in sorted(self.pairs, key=lambda p: int(self.rig.nodes.depths[p[0]])):
            animal = _OF_ANIMALS & set(words(self.rig.nodes.names[pair[0]]))
            if not animal and all(known.get(joint) == part for joint in pair):
                return pair
        return None

    @cached_property
    def partner(self) -> dict[int, int]:
        """Joint → its partner on the other side, both ways."""
        return {a: b for pair in self.pairs for a, b in (pair, pair[::-1])}
