"""What the names of a rig's joints say of it: who is whose partner, and how the body is built."""

from dataclasses import dataclass
from functools import cached_property

from rigview.core.names import Side, last_side, mirrored, parts, side, words
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
        last = {joint: one for joint, (_, one) in self._by_last.items()}
        told = ((joint, last.get(joint, stated)) for joint, stated in named)
        return {joint: one for joint, one in told if one is not None}

    @cached_property
    def _by_last(self) -> dict[int, tuple[tuple[str, ...], Side]]:
        """Joints of several words of sides with like ones of the other last side → `last_side`."""
        named = ((joint, last_side(self.rig.nodes.names[joint])) for joint in self.rig.joints)
        found = {joint: last for joint, last in named if last is not None}
        told = set(found.values())
        return {
            joint: (said, one)
            for joint, (said, one) in found.items()
            if {(said, "left"), (said, "right")} <= told
        }

    def _said(self, joint: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what tells the names of a joint, and of its partner on the other side."""
        if joint in self._by_last:
            said, one = self._by_last[joint]
            return (*said, one), (*said, "right" if one == "left" else "left")
        name = self.rig.nodes.names[joint]
        return words(name), mirrored(name)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(left, right) joints whose names differ by their side only."""
        by_words: dict[tuple[str, ...], list[int]] = {}
        for joint in self.sides:
            by_words.setdefault(self._said(joint)[0], []).append(joint)
        result = []
        for joint, stated in self.sides.items():
            own, other = self._said(joint)
            partners, alone = by_words.get(other, []), len(by_words[own]) == 1
            if stated == "left" and len(partners) == 1 and alone:
                result.append((joint, partners[0]))
        return tuple(result)

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """Joints whose name states a side, and that no joint of the other side answers."""
        known = {self._said(joint)[0] for joint in self.sides}
        return tuple(joint for joint in self.sides if self._said(joint)[1] not in known)

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
