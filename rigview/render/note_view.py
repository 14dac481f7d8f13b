"""From where a note was seen, and which notes a picture shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rigview.core.review_notes import ReviewNote, ReviewNotes, Viewpoint
from rigview.core.text import one_line
from rigview.render.camera import Camera

# Cameras that differ by less show the same: of radians, and as a share of the distance.
_SAME = 1e-4


@dataclass(frozen=True)
class NumberedNote:
    """A note and its number in the list."""

    number: int
    note: ReviewNote


def viewpoint(camera: Camera, aspect: float) -> Viewpoint:
    """Return what a note keeps of a camera, in a pane of width / height `aspect`."""
    x, y, z = (round(float(value), 6) for value in camera.target)
    return Viewpoint(
        (x, y, z),
        round(camera.distance, 6),
        round(camera.yaw, 6),
        round(camera.pitch, 6),
        round(aspect, 6),
        camera.orthographic,
    )


def camera_of(view: Viewpoint, camera: Camera, aspect: float) -> Camera:
    """Return the camera that shows what a note was made of, in a pane of width / height `aspect`.

    Where that pane is narrower, it steps back until as much across is seen.

    Parameters
    ----------
    camera
        Gives what a note does not keep.
    """
    back = max(1.0, view.aspect / aspect)
    return replace(
        camera,
        target=view.target,
        distance=view.distance * back,
        yaw=view.yaw,
        pitch=view.pitch,
        orthographic=view.orthographic,
    )


def sees_as(camera: Camera, view: Viewpoint, aspect: float) -> bool:
    """Tell whether a pane shows what a note was made of, so that strokes lie where they were drawn."""
    wanted = camera_of(view, camera, aspect)
    angles = np.array([camera.yaw - wanted.yaw, camera.pitch - wanted.pitch])
    turned = np.abs((angles + np.pi) % (2 * np.pi) - np.pi).max()
    moved = np.abs(np.subtract(camera.target, wanted.target)).max()
    apart = max(moved, abs(camera.distance - wanted.distance)) / wanted.distance
    same_kind = camera.orthographic == wanted.orthographic
    return bool(same_kind and turned < _SAME and apart < _SAME)


def notes_at(
    notes: ReviewNotes, clip: str | None, time: float, rate: float
) -> tuple[NumberedNote, ...]:
    """Return the notes on one frame of a clip.

    Parameters
    ----------
    rate
        Frames a second.
    """
    name = None if clip is None else one_line(clip)
    return tuple(
        NumberedNote(number, note)
        for number, note in enumerate(notes.each, 1)
        if (None if note.clip is None else one_line(note.clip)) == name
        and (name is None or abs(note.time - time) * rate < 0.5)
    )


def pane_of(note: ReviewNote, methods: Sequence[str]) -> int:
    """Return the pane that a note is shown in: that of its method, else the first."""
    return methods.index(note.method) if note.method in methods else 0
