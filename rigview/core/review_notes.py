"""Notes of reviewers as values: what was said of a moment of a clip, from where, and what was drawn."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

StrokeKind = Literal["arrow", "line", "box", "pen", "text"]
STROKE_KINDS: tuple[StrokeKind, ...] = get_args(StrokeKind)
Point = tuple[float, float]
# What rounds nothing that can be seen: a ten-thousandth of a pane.
_DIGITS = 4
# An arrow's barbs: pixels, and radians to its shaft.
_BARB, _SPREAD = 15.0, 0.5


@dataclass(frozen=True)
class NoteStroke:
    """Something drawn over a pane.

    Parameters
    ----------
    points
        In the picture: (0, 0) is the upper left corner of the pane, (1, 1) its lower right. An arrow and
        a line have their ends, the arrow's tip last; a box two opposite corners; a text where it begins.
    words
        Of a text.
    """

    kind: StrokeKind
    points: tuple[Point, ...]
    words: str = ""

    @property
    def fault(self) -> str | None:
        """Say what is wrong with it, without the final stop; None where nothing is."""
        wanted = {"pen": None, "text": 1}.get(self.kind, 2)
        if wanted is not None and len(self.points) != wanted:
            noun = "point" if wanted == 1 else "points"
            return f"{self.kind} has {wanted} {noun}, not {len(self.points)}"
        if not self.points:
            return f"{self.kind} has no points"
        if self.kind == "text" and not self.words.strip():
            return "text without words"
        return None


@dataclass(frozen=True)
class Viewpoint:
    """From where a pane was seen.

    Parameters
    ----------
    target, distance, yaw, pitch
        As `render.camera.Camera` has them: model space, metres, radians.
    aspect
        Width over height of the pane; strokes are placed by it in panes of another shape.
    """

    target: tuple[float, float, float]
    distance: float
    yaw: float
    pitch: float
    aspect: float
    orthographic: bool = False


@dataclass(frozen=True)
class NotedVertex:
    """A vertex, by the name of its mesh and its number in the file."""

    mesh: str
    number: int


@dataclass(frozen=True)
class ReviewNote:
    """One remark.

    Parameters
    ----------
    id
        Never that of another note, so that it can be told apart wherever it goes.
    changed
        When it was last written, UTC, as 2026-11-28T13:05:00Z.
    clip
        What the clip is called; None for the rest pose.
    time
        In the clip, seconds.
    frame
        The number of the frame, for people.
    method
        Id of the skinning method of the pane.
    joint
        Name of the joint it is about.
    """

    id: str
    words: str
    author: str = ""
    changed: str = ""
    clip: str | None = None
    time: float = 0.0
    frame: float | None = None
    method: str | None = None
    joint: str | None = None
    vertex: NotedVertex | None = None
    view: Viewpoint | None = None
    strokes: tuple[NoteStroke, ...] = ()


@dataclass(frozen=True)
class DeletedNote:
    """What is left of a note that was deleted: its id, and when, as `ReviewNote.changed`."""

    id: str
    when: str


@dataclass(frozen=True)
class ReviewNotes:
    """All notes on a rig, in the order of their numbers: the first is number 1.

    Parameters
    ----------
    file
        The name of the rig's file.
    deleted
        What was deleted, so that it does not come back with notes of someone who still has it.
    """

    file: str = ""
    each: tuple[ReviewNote, ...] = field(default=())
    deleted: tuple[DeletedNote, ...] = ()

    def number(self, wanted: str) -> int | None:
        """Return the number of the note with an id; None where there is none."""
        return next((i for i, note in enumerate(self.each, 1) if note.id == wanted), None)

    def with_note(self, note: ReviewNote) -> "ReviewNotes":
        """Return the notes with one added, or in the place of the one that has its id."""
        if self.number(note.id) is None:
            return replace(self, each=(*self.each, note))
        each = tuple(note if own.id == note.id else own for own in self.each)
        return replace(self, each=each)

    def without(self, wanted: str, when: str) -> "ReviewNotes":
        """Return the notes but the one with an id, which was deleted at a time."""
        each = tuple(note for note in self.each if note.id != wanted)
        return replace(self, each=each, deleted=(*self.deleted, DeletedNote(wanted, when)))


@dataclass(frozen=True)
class Merged:
    """Notes with those of someone else.

    Parameters
    ----------
    added, changed, deleted
        How many are new, how many were newer there than here, and how many were deleted there.
    """

    notes: ReviewNotes
    added: int
    changed: int
    deleted: int


def merged(own: ReviewNotes, other: ReviewNotes) -> Merged:
    """Return notes with those of a reviewer: each by its id, the one written last where both have it.

    What one of the two has deleted is deleted, unless the other wrote it anew afterwards.
    """
    gone: dict[str, str] = {}
    for one in (*own.deleted, *other.deleted):
        gone[one.id] = max(one.when, gone.get(one.id, ""))
    kept = tuple(note for note in own.each if _outlives(note, gone))
    known = {note.id: note for note in kept}
    notes, added, changed = replace(own, each=kept), 0, 0
    for note in other.each:
        if not _outlives(note, gone):
            continue
        if note.id not in known:
            added += 1
        elif note.changed > known[note.id].changed:
            changed += 1
        else:
            continue
        known[note.id] = note
        notes = notes.with_note(note)
    deleted = tuple(DeletedNote(name, when) for name, when in gone.items() if name not in known)
    notes = replace(notes, file=own.file or other.file, deleted=deleted)
    return Merged(notes, added, changed, sum(note.id not in known for note in own.each))


def _outlives(note: ReviewNote, gone: Mapping[str, str]) -> bool:
    """Tell whether a note was not deleted, or was written after that."""
    return note.id not in gone or note.changed > gone[note.id]


def rounded(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return points of a picture as notes keep them, one after another that differ."""
    kept: list[Point] = []
    for x, y in points:
        point = (round(x, _DIGITS), round(y, _DIGITS))
        if not kept or kept[-1] != point:
            kept.append(point)
    return tuple(kept)


def placed(point: Point, view: Viewpoint | None, size: tuple[float, float]) -> Point:
    """Return where in a pane of some width and height, in its pixels, a point of a stroke is.

    The pane the stroke was drawn in lies in the middle of this one, as large as fits: a camera that
    steps back where a pane is narrower shows the character so.
    """
    width, height = size
    aspect = width / height if view is None else view.aspect
    shown = min(height, width / aspect)
    return (
        0.5 * width + (point[0] - 0.5) * aspect * shown,
        0.5 * height + (point[1] - 0.5) * shown,
    )


def arrow_head(start: Point, tip: Point, scale: float = 1.0) -> list[Point]:
    """Return the line of an arrow's head, in pixels: one barb, the tip, the other barb."""
    angle = math.atan2(tip[1] - start[1], tip[0] - start[0])
    long = min(_BARB * scale, math.dist(start, tip))
    first, last = (
        (tip[0] - long * math.cos(angle + turn), tip[1] - long * math.sin(angle + turn))
        for turn in (_SPREAD, -_SPREAD)
    )
    return [first, tip, last]


def place_in_words(note: ReviewNote) -> str:
    """Return where a note is: "Walk, frame 21 (0.700 s), lbs, hand_l"."""
    parts = ["rest pose"] if note.clip is None else [note.clip]
    if note.clip is not None:
        seconds = f"{note.time:.3f} s"
        number = "" if note.frame is None else f"{note.frame:.1f}".removesuffix(".0")
        parts.append(f"frame {number} ({seconds})" if number else seconds)
    parts += [part for part in (note.method, note.joint) if part]
    if note.vertex is not None:
        parts.append(f"vertex {note.vertex.number} of {note.vertex.mesh}")
    return ", ".join(parts)
