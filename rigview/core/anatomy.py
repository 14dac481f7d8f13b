"""What the names of a rig's joints say of it: who is whose partner, and how the body is built."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.arrays import BoolArray
from rigview.core.characters import characters
from rigview.core.names import Side, body_parts, last_side, mirrored, side, words
from rigview.core.rig import Rig

# What the joint is called that only holds vertices where they are (`weights.bind_to_neutral`).
NEUTRAL = "neutral_bone"
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

    @cached_property
    def _said(self) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Joint of a side → what tells its name, and that of its partner on the other side."""
        names = self.rig.nodes.names
        last = {
            joint: ((*said, one), (*said, "right" if one == "left" else "left"))
            for joint, (said, one) in self._by_last.items()
        }
        return {j: last.get(j) or (words(names[j]), mirrored(names[j])) for j in self.sides}

    @cached_property
    def neutral(self) -> frozenset[int]:
        """The joints that only hold vertices where they are: where they stand themselves says nothing."""
        return frozenset(j for j in self.rig.joints if self.rig.nodes.names[j] == NEUTRAL)

    @cached_property
    def characters(self) -> dict[int, int]:
        """Joint → a number that all joints of its character have: those above, and those of its skins."""
        return characters(self.rig)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(left, right) joints of one character whose names differ by their side only.

        A character without any, such as a hand alone, has its partners in others like it.
        """
        within = self._paired(self.sides, self.characters)
        whole = {self.characters.get(left) for left, _ in within}
        loose = [joint for joint in self.sides if self.characters.get(joint) not in whole]
        return (*within, *self._paired(loose, {})) if loose else within

    def _paired(
        self, joints: Iterable[int], characters: Mapping[int, int]
    ) -> tuple[tuple[int, int], ...]:
        said: dict[tuple[int, tuple[str, ...]], list[int]] = {}
        for joint in joints:
            said.setdefault((characters.get(joint, -1), self._said[joint][0]), []).append(joint)
        result = []
        for (character, _), found in said.items():
            partners = said.get((character, self._said[found[0]][1]), [])
            if self.sides[found[0]] == "left" and len(found) == len(partners) == 1:
                result.append((found[0], partners[0]))
        return tuple(result)

    @cached_property
    def pairs_of(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Character → its pairs; those of two characters are the left one's."""
        result: dict[int, list[tuple[int, int]]] = {}
        for pair in self.pairs:
            result.setdefault(self.characters.get(pair[0], -1), []).append(pair)
        return {character: tuple(pairs) for character, pairs in result.items()}

    @cached_property
    def limb_of(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Pair → the pair that its limb begins with, which hangs on no pair."""
        above = self.rig.joint_parents
        start: dict[tuple[int, int], tuple[int, int]] = {}
        depths = self.rig.nodes.depths.tolist()
        for pair in sorted(self.pairs, key=lambda p: depths[p[0]]):
            parents = above[pair[0]], above[pair[1]]
            # Where names are exchanged, the limb goes on all the same.
            start[pair] = start.get(parents) or start.get(parents[::-1], pair)
        return start

    def starts(self, pairs: Sequence[tuple[int, int]]) -> BoolArray:
        """Return ``(P,)`` which pairs limbs begin with."""
        return np.array([self.limb_of[pair] == pair for pair in pairs], dtype=np.bool_)

    @cached_property
    def unpaired(self) -> tuple[int, ...]:
        """Joints whose name states a side, and that no joint of the other side answers."""
        sides = ((self.characters.get(a), self.characters.get(b)) for a, b in self.pairs)
        whole = {one for one, other in sides if one == other}
        known = {
            (one if (one := self.characters.get(joint)) in whole else None, self._said[joint][0])
            for joint in self.sides
        }
        return tuple(
            joint
            for joint in self.sides
            if not known
            & {(one, self._said[joint][1]) for one in (self.characters.get(joint), None)}
        )

    @cached_property
    def humanoids(self) -> tuple[Humanoid, ...]:
        """The bodies whose joints have names of one: hips, a head, two arms and two legs."""
        known = body_parts(self.rig)
        by_character: dict[int, dict[int, str | None]] = {}
        for joint, part in known.items():
            by_character.setdefault(self.characters.get(joint, -1), {})[joint] = part
        found = [body for some in by_character.values() if (body := self._body(some)) is not None]
        # Some files give the limbs of one body skeletons of their own.
        whole = None if found else self._body(known)
        return tuple(found) if whole is None else (whole,)

    def _body(self, known: dict[int, str | None]) -> Humanoid | None:
        # Those of one side carry that side's hip only (Rigify's pelvis.L).
        hips = [j for j, part in known.items() if part == "hips" and j not in self.sides]
        heads = [joint for joint, part in known.items() if part == "head"]
        arms, legs = (self._first_pair(known, part) for part in ("upper_arm", "upper_leg"))
        if not hips or not heads or arms is None or legs is None:
            return None
        return Humanoid(hips[0], self._nearest(heads, arms[0]), arms, legs)

    def _nearest(self, heads: Sequence[int], arm: int) -> int:
        """Return the head that hangs nearest to an arm: a control that a head looks at hangs further up."""
        above, depths = self.rig.nodes.with_ancestors((arm,)), self.rig.nodes.depths
        shared = [
            max(
                (int(depths[node]) for node in self.rig.nodes.ancestors(head) if node in above),
                default=-1,
            )
            for head in heads
        ]
        return heads[shared.index(max(shared))]

    def _first_pair(self, known: dict[int, str | None], part: str) -> tuple[int, int] | None:
        """Return the topmost pair that is a part of a body."""
        depths = self.rig.nodes.depths.tolist()
        for pair in sorted(self.pairs, key=lambda p: depths[p[0]]):
            animal = _OF_ANIMALS & set(words(self.rig.nodes.names[pair[0]]))
            if not animal and all(known.get(joint) == part for joint in pair):
                return pair
        return None

    @cached_property
    def partner(self) -> dict[int, int]:
        """Joint → its partner on the other side, both ways."""
        return {a: b for pair in self.pairs for a, b in (pair, pair[::-1])}
