"""Draw what changed between two rigs."""

from dataclasses import dataclass

import numpy as np

from rigview.check.diff import Difference
from rigview.core.arrays import ByteArray
from rigview.core.clip import Clip
from rigview.core.deform import Deformer
from rigview.core.frame import Frame
from rigview.core.pose import sample
from rigview.core.stance import front
from rigview.render.camera import Camera, View
from rigview.render.context import headless
from rigview.render.framing import visible_points
from rigview.render.look import Comparing, Look
from rigview.render.review import Review, compared


@dataclass(frozen=True)
class PictureOfChanges:
    """What a picture of a difference shows.

    Parameters
    ----------
    files
        What the two rigs are called.
    clip
        Of the second rig; None for the rest pose.
    heat
        What the colours are: how much of each vertex's weight changed, or how far it stands from where it
        stood.
    """

    files: tuple[str, str]
    clip: Clip | None
    time: float
    method: str
    heat: Comparing
    size: tuple[int, int]
    view: View


def worst_moment(difference: Difference) -> tuple[Clip | None, float] | None:
    """Return where the shapes differ most: the clip of the second rig, and the time; None where nowhere."""
    worst = max(difference.motion.worst, key=lambda w: w.distance, default=None)
    if worst is None:
        return None
    return None if worst.clip is None else difference.b.clips[worst.clip], worst.time or 0.0


def picture(difference: Difference, wanted: PictureOfChanges) -> ByteArray:
    """Return a picture ``(H, W, 4)``: the first rig in clay beside the second in colours."""
    first, second = _shown(difference, wanted)
    points = np.concatenate(
        [visible_points(deformer, frame) for deformer, frame, _ in (first, second)]
    )
    camera = Camera().looking(wanted.view, front(second[0]))
    camera = camera.framed(points, 0.5 * wanted.size[0] / wanted.size[1])
    look = Look(shading=wanted.heat, bones=False, axes=False)
    with headless():
        review = Review((wanted.method,), camera, look, wanted.size)
        return compared(first, second, review, difference.heat)


def _shown(difference: Difference, wanted: PictureOfChanges) -> list[tuple[Deformer, Frame, str]]:
    """Return each rig with its pose and what is said below it."""
    clips = _first_of(difference, wanted.clip), wanted.clip
    shown = []
    rigs = (difference.a, difference.b)
    for rig, clip, file in zip(rigs, clips, wanted.files, strict=True):
        deformer = Deformer(rig)
        frame = deformer.frame(sample(rig, clip, wanted.time))
        name = None if clip is None else rig.clip_names[rig.clips.index(clip)]
        words = "rest pose" if name is None else f"{name}    {wanted.time:.3f} s"
        shown.append((deformer, frame, f"{file}    {words}"))
    return shown


def _first_of(difference: Difference, clip: Clip | None) -> Clip | None:
    """Return the first rig's clip that is one of the second's; None where it has none."""
    if clip is None:
        return None
    own = difference.pairing.clips.first.get(difference.b.clips.index(clip))
    return None if own is None else difference.a.clips[own]
