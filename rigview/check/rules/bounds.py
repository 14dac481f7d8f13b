"""The rule about how far the skin of each character reaches in clips."""

from collections.abc import Iterator

import numpy as np

from rigview.check.labels import clip_label
from rigview.check.limits import Limit
from rigview.check.rule import Finding, Fix, Subject, rule
from rigview.check.rules.posed_skin.exclusions import FAULTS
from rigview.check.rules.posed_skin.skin_reach import SkinReach, skin_reach
from rigview.core.sentence import Sentence

BOUNDS = Limit("MSH-BOUNDS", 1.5, "×", "the reach of the skin against that at rest")


@rule(
    BOUNDS,
    title="Skin leaves its bounds",
    measures="the reach of the skin over all clips against its bounds at rest",
    severity="info",
    needs="clips influences",
    tree=True,
    beside=FAULTS,
    motion=True,
)
def bounds(subject: Subject) -> Iterator[Finding]:
    """The skin leaves the bounds that it has at rest."""
    characters = subject.kept(skin_reach)
    for key, worn in enumerate(characters):
        top = subject.rig.nodes.label(worn.character)
        whose = Sentence(", the character of {top}", top=top) if len(characters) > 1 else ""
        yield from _of_character(subject, worn, key, whose)


def _of_character(subject: Subject, worn: SkinReach, key: int, whose: str) -> Iterator[Finding]:
    rig, limit = subject.rig, subject.limit(BOUNDS)
    rest, posed = worn.rest_bounds, worn.bounds
    radius = 0.5 * np.linalg.norm(rest[:, 1] - rest[:, 0], axis=1)
    corners = np.abs(posed - rest.mean(axis=1, keepdims=True)).max(axis=1)
    values = np.linalg.norm(corners, axis=1) / np.where(radius > 0.0, radius, np.nan)
    known = np.flatnonzero(~np.isnan(values))
    if not len(known):
        return
    pose = int(known[np.argmax(values[known])])
    if values[pose] <= limit:
        return
    clip, time = worn.reached[pose]
    where = clip_label(rig, clip)
    yield Finding(
        key,
        Sentence(
            "the skin reaches {times:.2f} times as far as at rest in {where} at "
            "{time:.2f} s{whose}",
            times=values[pose],
            where=where,
            time=time,
            whose=whose,
        ),
        where,
        clip=rig.clips[clip].name,
        time=time,
        value=float(values[pose]),
        limit=limit,
        unit="×",
        explanation="Engines that cull by the bounds at rest let the character vanish at the edge of the "
        "picture.",
        fix=Fix("none", reason="the bounds of a skinned mesh are set in the engine"),
    )
