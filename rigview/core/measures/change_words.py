"""What other weights change about how joints deform, in words: "collapse 86 % → 31 % at frame 15"."""

from collections.abc import Callable

from rigview.core.measures.deformation_change import (
    DeformationChange,
    Extreme,
    MeasureChange,
    severity_of,
)
from rigview.core.measures.joint_measures import MEASURES
from rigview.core.measures.measure_words import limit_said, said
from rigview.core.text import count, length_words

# What is told of a joint: how much width it loses, gains, and how long its skin is pulled.
TOLD = ("collapse", "bulge", "stretch")
# Joints that are told of as worse.
_WORSE = 2


def value_words(measure: str, extreme: Extreme | None) -> str:
    """Return "86 %" for a collapse; "none" where there is nothing to measure."""
    return "none" if extreme is None else said(measure, extreme.value).lstrip("−+")


def step_words(change: MeasureChange) -> str:
    """Return "collapse 86 % → 31 %"."""
    before, after = (value_words(change.measure, end) for end in (change.before, change.after))
    title = MEASURES[change.measure].title.lower()
    return f"{title} {before}, as before" if before == after else f"{title} {before} → {after}"


def change_words(
    change: DeformationChange, label: Callable[[int], str], focus: MeasureChange | None = None
) -> str:
    """Return sentences: what the joint gains or loses, and where others deform worse.

    Parameters
    ----------
    label
        Node → its name.
    focus
        What is to be mended, in the first pose; None tells of the joint that changes most.
    """
    if not change.poses:
        return "Not measured: no clip turns these joints, and no range of motion does."
    poses = count(len(change.poses), "pose")
    if focus is None and not change.changes:
        moved = length_words(change.moved)
        return f"Collapse, bulge and stretch stay as they are in {poses}; vertices move by up to {moved}."
    first = change.changes[0] if focus is None else focus
    at = None if focus is None else 0
    steps = [change.change(first.joint, name, at) for name in dict.fromkeys((first.measure, *TOLD))]
    told = ", ".join(step_words(step) for step in steps if step.before or step.after)
    worst = first.before or first.after
    where = f" at {change.poses[worst.pose].words}" if worst is not None else ""
    sentences = [f"{label(first.joint)}: {told}{where}."]
    worse = [
        c
        for c in change.changes
        if c.after and c.rise > 0.0 and (c.crosses or c.after.severity >= 1.0)
    ]
    others = [c for c in worse if (c.joint, c.measure) != (first.joint, first.measure)]
    sentences += [f"Worse: {_worse(c, change, label)}." for c in others[:_WORSE]]
    if not others:
        sentences.append(f"No other limit is crossed in {poses}.")
    return " ".join(sentences)


def joint_lines(change: DeformationChange, label: Callable[[int], str], most: int) -> list[str]:
    """Return a line per joint that deforms otherwise, the greatest change first, and how many are more.

    A line tells collapse, bulge and stretch, and of other measures what is beyond its limit.
    """
    joints = list(dict.fromkeys(one.joint for one in change.changes))
    lines = []
    for joint in joints[:most]:
        grave = [c.measure for c in change.changes if c.joint == joint and _is_beyond(c)]
        steps = [change.change(joint, name) for name in dict.fromkeys((*TOLD, *grave))]
        told = ", ".join(step_words(step) for step in steps if step.before or step.after)
        lines.append(f"{label(joint)}: {told}")
    if len(joints) > most:
        lines.append(f"and {count(len(joints) - most, 'more joint')}")
    return lines


def _is_beyond(change: MeasureChange) -> bool:
    return max(severity_of(change.before), severity_of(change.after)) >= 1.0


def brief_words(
    change: DeformationChange, label: Callable[[int], str], focus: MeasureChange | None = None
) -> str:
    """Return "collapse 73 % → 71 %, but upperarm.r local volume 51 % → 57 %"."""
    first = focus or next(iter(change.changes), None)
    if first is None:
        return f"no shape changes, moves ≤ {length_words(change.moved)}"
    worst = max(change.changes, key=lambda c: (c.crosses, c.rise), default=None)
    words = step_words(first)
    if change.verdict(focus) != "worse" or worst is None or worst.rise <= 0.0 or worst is first:
        return words
    return f"{words}, but {label(worst.joint)} {step_words(worst)}"


def _worse(one: MeasureChange, change: DeformationChange, label: Callable[[int], str]) -> str:
    limit = (
        f" (limit {limit_said(one.measure, MEASURES[one.measure].limit)})" if one.crosses else ""
    )
    where = change.poses[one.after.pose].words if one.after is not None else ""
    return f"{label(one.joint)} {step_words(one)} at {where}{limit}"
