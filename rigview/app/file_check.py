"""Check an opened rig as its file's studio and the user want it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rigview.check.measures.axes import ANGLE, deviations
from rigview.check.measures.facts import measured
from rigview.check.policy import CheckResult, FilePolicy, held, judge
from rigview.core.deform import Deformer
from rigview.core.templates.template import Template

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class CheckSettings:
    """What the user wants a rig held to.

    Parameters
    ----------
    profile
        Goes before the studio's; None takes that, else gltf.
    configured
        Whether the studio's settings count.
    template
        The skeleton to conform to; goes before the studio's.
    """

    profile: str | None = None
    configured: bool = True
    template: Template | None = None


@dataclass(frozen=True, eq=False)
class Checked:
    """What came of a check: of which rig, under which wish, held to what."""

    deformer: Deformer
    wish: CheckSettings
    held: FilePolicy
    judged: CheckResult
    deviations: dict[int, float]


def checked(deformer: Deformer, path: Path, wish: CheckSettings, progress: Progress) -> Checked:
    """Check a rig as its file's studio and the user want it; in a worker, since it reads files."""
    known = held(path, wish.profile, configured=wish.configured, template=wish.template)
    known = replace(known, standard=known.standard.for_rig(deformer.rig))
    judged = judge(deformer.rig, known.standard, known.baseline, progress)
    if ANGLE.rule not in judged.report.asked:
        return Checked(deformer, wish, known, judged, {})
    limit = known.standard.profile.limit(ANGLE)
    angles = {
        joint: float(np.degrees(angle))
        for joint, angle in deviations(measured(deformer.rig)).items()
    }
    off = {joint: angle for joint, angle in angles.items() if angle > limit}
    return Checked(deformer, wish, known, judged, off)
