"""Edits of weights that are tried and measured before anyone takes them; of several the best is kept."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from rigview.core.arrays import IntArray
from rigview.core.measures.deformation_change import (
    DeformationChange,
    MeasureChange,
    Progress,
    Reference,
    Verdict,
    deformation_change,
    severity_of,
)
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.text import count
from rigview.core.weights import filling, flooding
from rigview.core.weights.editable_rig import EditableRig, Points, freedom_of
from rigview.core.weights.edits import Freedom
from rigview.core.weights.flooding import BrushPoints, Edited
from rigview.core.weights.mirroring import Way, mirror_of
from rigview.core.weights.problem import NotMade
from rigview.core.weights.skin_points import SkinPoints

Edit = Callable[[SkinPoints, IntArray, Freedom], Edited]
# How often a region is smoothed: little, as far as a limb is thick, and as far as it is long.
SMOOTHINGS = (2, 8, 32)


@dataclass(frozen=True)
class Candidate:
    """One edit that may help, and what an undo step calls it, given "39 vertices"."""

    words: str
    edit: Edit


@dataclass(frozen=True, eq=False)
class Cured:
    """An edit that was tried.

    Parameters
    ----------
    name
        What an undo step calls it.
    focus
        What was to be mended; None where nothing was in particular.
    """

    after: EditableRig
    name: str
    change: DeformationChange
    focus: MeasureChange | None

    @property
    def verdict(self) -> Verdict:
        """Whether joints deform better."""
        return self.change.verdict(self.focus)


@dataclass(frozen=True)
class Trial:
    """How edits are measured.

    Parameters
    ----------
    focus
        The joint and measure that are to be mended, in the first pose of the reference.
    locked
        Nodes of joints whose weights stay.
    """

    reference: Reference
    focus: tuple[int, str] | None = None
    locked: Collection[int] = ()


def region_points(meter: JointMeter, of: EditableRig, joints: Collection[int]) -> Points:
    """Return the points that joints blend with those above them (`joint_regions`)."""
    skin = meter.skin
    blended = np.zeros(len(skin.first), dtype=np.bool_)
    for region in meter.regions.each:
        if region.joint in joints:
            blended[region.vertices[region.blended]] = True
    chosen: dict[int, IntArray] = {}
    start = 0
    for part in skin.mesh.parts:
        end = start + len(meter.deformer.rig.primitive(meter.deformer.rig.parts[part]).positions)
        own = np.flatnonzero(blended[skin.welded[start:end]])
        if len(own):
            chosen[part] = own
        start = end
    return of.points_of(chosen)


def touched_joints(meter: JointMeter, of: EditableRig, points: Points) -> set[int]:
    """Return the nodes of the joints that move points and of those below them; all where none does."""
    found: set[int] = set()
    for character, some in zip(of.characters, points, strict=True):
        used = character.joints[some][character.weights[some] > 0.0]
        found |= {character.nodes[column] for column in np.unique(used).tolist()}
    each = meter.regions.each
    found |= {region.joint for region in each if region.parent in found}
    return found or {region.joint for region in each}


def smoothings(name: str) -> tuple[Candidate, ...]:
    """Return smoothing of a region by several amounts."""
    return tuple(
        Candidate(f"Smooth {{}} of {name}, {steps} times", _smoothed(steps)) for steps in SMOOTHINGS
    )


def _smoothed(steps: int) -> Edit:
    def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
        start = of
        for _ in range(steps):
            of = flooding.flood(of, points, BrushPoints("smooth"), free).of
        differs = np.abs(start.rows(points) - of.rows(points)).max(axis=1, initial=0.0) > 0.0
        return Edited(of, points[differs])

    return edit


def mirrorings() -> tuple[Candidate, ...]:
    """Return mirroring from either side, of the points and their images."""

    def mirrored(way: Way) -> Edit:
        def edit(of: SkinPoints, points: IntArray, free: Freedom) -> Edited:
            by = mirror_of(of)
            images = by.image[points]
            both = np.union1d(points, images[images >= 0])
            return flooding.mirror(of, by, way, free, both)[0]

        return edit

    return tuple(Candidate(f"Mirror {way} on {{}}", mirrored(way)) for way in get_args(Way))


FILLED = (Candidate("Fill {} by geodesic voxels", filling.fill),)
HAMMERED = (Candidate("Hammer {}", flooding.hammer),)


def cured(
    of: EditableRig,
    points: Points,
    candidates: Sequence[Candidate],
    trial: Trial,
    progress: Progress,
) -> Cured:
    """Try edits of points and return the best: of those that are not worse, the one that mends most.

    Raises
    ------
    NotMade
        If none of the edits changes a weight.
    """
    tried: list[Cured] = []
    for number, candidate in enumerate(candidates):

        def edit(c: SkinPoints, p: IntArray, own: Edit = candidate.edit) -> Edited:
            return own(c, p, freedom_of(c, trial.locked))

        def heard(words: str, share: float, done: int = number) -> None:
            progress(words, (done + share) / len(candidates))

        after, changed = of.edited(points, edit)
        many = sum(map(len, changed))
        if many:
            before = trial.reference.meter
            meter = JointMeter(before.deformer.of_changed(after.rig))
            change = deformation_change(trial.reference, meter, heard)
            focus = change.change(*trial.focus, 0) if trial.focus is not None else None
            name = candidate.words.format(count(many, "vertex"))
            tried.append(Cured(after, name, change, focus))
    if not tried:
        raise NotMade("the weights are so already: nothing would change")
    return min(tried, key=_badness)


def _badness(one: Cured) -> tuple[bool, float]:
    """Return whether an edit is worse, and the severity of what is to be mended, or else of the worst."""
    focus, worst = one.focus, one.change.worst
    return one.verdict == "worse", worst if focus is None else severity_of(focus.after)
