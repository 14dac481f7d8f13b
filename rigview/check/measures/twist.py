"""How far a joint is turned about its bone against the joint whose bone it continues."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TypeVar

import numpy as np

from rigview.check.limits import Limit
from rigview.check.measures.bone_ends import bone_ends
from rigview.check.measures.facts import Facts
from rigview.core import quat
from rigview.core.arrays import FloatArray

_Angle = TypeVar("_Angle", float, FloatArray)

ROLL = Limit("ORI-ROLL", 30.0, "°", "the twist of a joint about its bone against the joint above")


def continued(facts: Facts) -> dict[int, int]:
    """Return joint → the joint above, of those that go on where the bone of that one ends."""
    ends = facts.once(bone_ends)
    owners = np.flatnonzero(ends >= 0)
    return dict(zip(ends[owners].tolist(), owners.tolist(), strict=True))


def turned_against(
    facts: Facts, turns: Mapping[int, FloatArray], parent: int, joint: int
) -> FloatArray:
    """Return ``(4,)`` how a joint is turned against another one at rest, once some have been turned."""
    a, b = (
        quat.multiply(facts.turns[node], turns[node]) if node in turns else facts.turns[node]
        for node in (parent, joint)
    )
    return quat.multiply(quat.conjugate(a), b)


def twist_angle(turn: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the angle ``(…)``, −π to π, of the part of rotations ``(…, 4)`` that turns about an axis."""
    _, twist = quat.swing_twist(turn, axis)
    return wrapped(2.0 * np.arctan2(twist[..., :3] @ axis, twist[..., 3]))


def wrapped(angle: _Angle) -> _Angle:
    """Return an angle, or angles, as −π to π."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def rolled(
    facts: Facts, turns: Mapping[int, FloatArray], along: set[int], axis: FloatArray, limit: float
) -> Iterator[tuple[int, FloatArray]]:
    """Yield joint → its turn, about its bone too where it would be twisted against its neighbours else.

    Parameters
    ----------
    turns
        Joint → ``(4,)`` ``old_from_new``, which aims the axis along its bone.
    along
        The joints whose axis points along their bone once all is turned.
    axis
        ``(3,)`` that axis.
    limit
        What is twisted by no more stays, in radians.
    """
    above = {j: p for j, p in continued(facts).items() if {j, p} <= along}
    below = {parent: joint for joint, parent in above.items()}

    def against(parent: int, joint: int) -> float:
        return float(twist_angle(turned_against(facts, turns, parent, joint), axis))

    for first in (joint for joint in turns if above.get(joint) not in turns):
        run = [first]
        while below.get(run[-1]) in turns:
            run.append(below[run[-1]])
        before, after = above.get(first), below.get(run[-1])
        links = [
            (a, b) for a, b in pairwise([before, *run, after]) if a is not None and b is not None
        ]
        steps = [against(a, b) for a, b in links]
        angles = _agreeing(steps, len(run), before is not None, after is not None, limit)
        for joint, angle in zip(run, angles, strict=True):
            yield joint, quat.multiply(turns[joint], quat.from_axis_angle(axis, angle))


def _agreeing(
    steps: list[float], joints: int, above: bool, below: bool, limit: float
) -> list[float]:
    """Return by what angle joints that follow each other are turned so that few steps exceed a limit.

    As few as can be are turned: to agree with what is above, or else below, or else all by like steps.

    Parameters
    ----------
    steps
        The twist of each against the one before, of the first against what is above and of what is
        below against the last, where these are.
    """
    inner = steps[above : above + joints - 1]
    down, up = [0.0] * joints, [0.0] * joints
    for i in range(0 if above else 1, joints):
        step = wrapped(steps[0] if i == 0 else inner[i - 1] - down[i - 1])
        down[i] = -step if abs(step) > limit else 0.0
    for i in reversed(range(joints if below else joints - 1)):
        step = wrapped(steps[-1] if i == joints - 1 else inner[i] + up[i + 1])
        up[i] = step if abs(step) > limit else 0.0
    like = wrapped(sum(steps)) / max(len(steps), 1)
    even = [(i + 1) * like - sum(steps[: i + 1]) for i in range(joints)]
    tried = [[0.0] * joints, down, up, *([even] if above and below else [])]
    return min(tried, key=lambda turned: _exceeding(steps, turned, above, below, limit))


def _exceeding(
    steps: list[float], turned: list[float], above: bool, below: bool, limit: float
) -> int:
    """Return how many steps exceed a limit once joints are turned."""
    ends = [*([0.0] if above else []), *turned, *([0.0] if below else [])]
    left = np.array(steps) + np.diff(ends)
    # What was turned by just the limit has not been turned in vain.
    return int(np.count_nonzero(np.abs(wrapped(left)) > limit + 1e-9))
