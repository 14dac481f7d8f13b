"""Turning joints so that their axes mirror from left to right, and what other rules say of axes holds."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rigview.check.measures.axes import ANGLE, AXES, SLIGHT, each_skeleton
from rigview.check.measures.facts import Facts
from rigview.check.measures.mirrored_axes import MIRROR, POSED, Mirroring, mirrorings
from rigview.check.measures.twist import ROLL, continued, turned_against, twist_angle
from rigview.check.rig_edits.reframe import FrameTurn, may_reframe
from rigview.check.rule import Refused, Subject
from rigview.core import quat
from rigview.core.arrays import FloatArray

# Joint → ``(4,)`` ``old_from_new``.
Turns = Mapping[int, FloatArray]

# Sides that stray from their neighbours alike but for so many radians are even.
_EVEN = float(np.radians(1.0))
_STILL = np.array(quat.IDENTITY)


def unmirrored(subject: Subject) -> dict[tuple[int, int], Mirroring]:
    """Return the pairs (left, right) whose axes mirror in no usual way; for `Subject.kept`."""
    limit, known = _mirrored(subject)
    return {pair: found for pair, found in known.items() if found.angle > limit}


def mirroring_turns(subject: Subject) -> dict[int, FloatArray]:
    """Return the turns of one joint of each pair that does not mirror; for `Subject.kept`.

    That is the right one, unless the left is the one that ORI-PRIMARY and ORI-ROLL would turn, or the one
    further off its bone and its neighbours. What either would turn back afterwards is not turned.
    """
    return _mirrored_again(subject, subject.kept(unmirrored), {})


def with_partners(subject: Subject, turns: Turns) -> dict[int, FloatArray]:
    """Return some turns and, where they would end the mirroring of a pair, one of its partner with it."""
    limit, known = _mirrored(subject)
    off = {}
    for pair, found in known.items():
        if not turns.keys().isdisjoint(pair) and found.angle <= limit:
            left, right = (turns.get(joint, _STILL) for joint in pair)
            after = found.after(left, right)
            if after.angle > limit:
                off[pair] = after
    more = _mirrored_again(subject, off, turns)
    return {**turns, **{j: turn for j, turn in more.items() if j in turns or _can_turn(subject, j)}}


def _mirrored(subject: Subject) -> tuple[float, dict[tuple[int, int], Mirroring]]:
    limit, posed = float(np.radians(subject.limit(MIRROR))), subject.limit(POSED)
    return limit, subject.facts.once(mirrorings, limit, posed)


def _can_turn(subject: Subject, joint: int) -> bool:
    """Tell whether a joint can be turned and nothing moves."""
    try:
        may_reframe(subject.rig, {joint: FrameTurn(np.array([1.0, 0.0, 0.0, 0.0]))})
    except Refused:
        return False
    return True


@dataclass(frozen=True, eq=False)
class _Chains:
    """What ORI-PRIMARY and ORI-ROLL say of joints that are turned.

    Parameters
    ----------
    bones
        Joint → the axis ``(3,)`` that its rig follows, the direction of its bone in its frame, and the
        angle between them in radians.
    above, below
        Joint → the joint whose bone it continues, and joint → those that continue its own.
    slight, angle, roll
        Limits of the two, in radians.
    start
        What is turned whatever they say.
    turns
        What is turned beside, in place of that.
    """

    facts: Facts
    bones: Mapping[int, tuple[FloatArray, FloatArray, float]]
    above: Mapping[int, int]
    below: Mapping[int, Sequence[int]]
    slight: float
    angle: float
    roll: float
    start: Turns
    turns: dict[int, FloatArray] = field(default_factory=dict)

    @classmethod
    def of(cls, subject: Subject, start: Turns) -> "_Chains":
        """Return those of a rig."""
        facts = subject.facts
        bones = {
            joint: (AXES[axes.axis], direction, off)
            for _, axes in each_skeleton(facts)
            for joint, direction, off in zip(
                axes.joints.tolist(), axes.directions, axes.deviations.tolist(), strict=True
            )
        }
        slight, angle, roll = (
            float(np.radians(subject.limit(one))) for one in (SLIGHT, ANGLE, ROLL)
        )
        above = continued(facts)
        below: dict[int, list[int]] = {}
        for joint, parent in above.items():
            below.setdefault(parent, []).append(joint)
        return cls(facts, bones, above, below, slight, angle, roll, start)

    def faults(self, joint: int) -> int:
        """Return how much the two say of a joint at the start."""
        return self._grade(joint, self.start) + int(self._is_twisted(joint, self.start))

    def strays(self, joint: int) -> float:
        """Return how far a joint is off its bone, and twisted against its neighbours, at the start."""
        off = 0.0 if joint not in self.bones else self._off_bone(joint, self.start)
        links = [
            (joint, self.above.get(joint, -1)),
            *((b, joint) for b in self.below.get(joint, [])),
        ]
        return off + sum(self._twist(*link, self.start) for link in links if self._is_chain(*link))

    def may_turn(self, joint: int, turn: FloatArray, settled: Sequence[int]) -> bool:
        """Tell whether neither says more of a joint once it is turned, nor of what is settled below."""
        tried = {**self.start, **self.turns, joint: turn}
        before, after = self._grade(joint, self.start), self._grade(joint, tried)
        votes_otherwise = self._vote(joint, tried) != self._vote(joint, self.start)
        # A joint that comes to follow another axis than the rig's could have the others follow that.
        if after > before or (after == before and votes_otherwise):
            return False
        return not any(self._comes_twisted(each, tried) for each in (joint, *settled))

    def without_new_twists(self) -> dict[int, FloatArray]:
        """Return the turns but those that would leave a joint twisted which is not at the start."""
        left = dict(self.turns)
        while twisted := [
            joint
            for joint, parent in self.above.items()
            if not left.keys().isdisjoint((joint, parent))
            and self._comes_twisted(joint, {**self.start, **left})
        ]:
            for joint in twisted:
                left.pop(joint, None)
                left.pop(self.above[joint], None)
        return left

    def _grade(self, joint: int, turns: Turns) -> int:
        """Return how far a joint is off its bone: 0 for within both limits."""
        if joint not in self.bones:
            return 0
        off = self._off_bone(joint, turns)
        return int(off > self.slight) + int(off > self.angle)

    def _off_bone(self, joint: int, turns: Turns) -> float:
        axis, bone, off = self.bones[joint]
        if joint in turns:
            off = math.acos(min(1.0, max(-1.0, float(quat.rotate(turns[joint], axis) @ bone))))
        return off

    def _vote(self, joint: int, turns: Turns) -> int:
        """Return the axis for which a joint votes; −1 for none."""
        if joint not in self.bones:
            return -1
        along = quat.rotate(turns.get(joint, _STILL), AXES) @ self.bones[joint][1]
        return int(np.argmax(along))

    def _is_twisted(self, joint: int, turns: Turns) -> bool:
        """Tell whether a joint is twisted against the one above, where both follow the rig's axis."""
        parent = self.above.get(joint, -1)
        if not self._is_chain(joint, parent):
            return False
        if max(self._grade(joint, turns), self._grade(parent, turns)) > 1:
            return False
        return self._twist(joint, parent, turns) > self.roll

    def _is_chain(self, joint: int, parent: int) -> bool:
        return self.bones.keys() >= {joint, parent}

    def _twist(self, joint: int, parent: int, turns: Turns) -> float:
        between = turned_against(self.facts, turns, parent, joint)
        return abs(float(twist_angle(between, self.bones[joint][0])))

    def _comes_twisted(self, joint: int, turns: Turns) -> bool:
        return self._is_twisted(joint, turns) and not self._is_twisted(joint, self.start)


def _mirrored_again(
    subject: Subject, off: Mapping[tuple[int, int], Mirroring], start: Turns
) -> dict[int, FloatArray]:
    """Return what more is turned, or turned otherwise, so that pairs mirror.

    Parameters
    ----------
    off
        The pairs, as they are at the start.
    start
        What is turned already.
    """
    if not off:
        return {}
    anatomy, chains = subject.anatomy, _Chains.of(subject, start)
    faults, strays = Counter[tuple[int, int]](), defaultdict[tuple[int, int], float](float)
    for left, right in off:
        limb = anatomy.limb_of[left, right]
        faults[limb] += chains.faults(left) - chains.faults(right)
        strays[limb] += chains.strays(left) - chains.strays(right)
    waiting = {joint for pair in off for joint in pair}
    depths = subject.rig.nodes.depths.tolist()
    for pair in sorted(off, key=lambda pair: depths[pair[0]]):
        waiting.difference_update(pair)
        limb = anatomy.limb_of[pair]
        left_first = faults[limb] > 0 or (faults[limb] == 0 and strays[limb] > _EVEN)
        for joint, turn in _options(pair, off[pair], left_first):
            settled = [child for child in chains.below.get(joint, []) if child not in waiting]
            whole = quat.multiply(start.get(joint, _STILL), turn)
            if chains.may_turn(joint, whole, settled):
                chains.turns[joint] = whole
                break
    return chains.without_new_twists()


def _options(
    pair: tuple[int, int], mirroring: Mirroring, left_first: bool
) -> Iterator[tuple[int, FloatArray]]:
    """Yield (joint, turn) that would mirror a pair: of one side the least turn first, then the other."""
    sides = [(pair[1], mirroring.right), (pair[0], mirroring.left)]
    for joint, turns in reversed(sides) if left_first else sides:
        for way in np.argsort(mirroring.angles, kind="stable").tolist():
            yield joint, turns[way]
