"""A picture of every note, seen as its author saw it; drawn without a window."""

from dataclasses import replace as with_fields
from pathlib import Path

from msgspec.structs import replace

from rigview.app.drawing import framed
from rigview.check.report import FileReport
from rigview.check.report.records import NoteFact
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.review_notes import ReviewNote, ReviewNotes, place_in_words
from rigview.core.rig import Rig
from rigview.core.skinning import ASKED
from rigview.core.text import one_line
from rigview.io import LoadError
from rigview.io.review_notes import notes_beside
from rigview.render import image
from rigview.render.camera import Camera
from rigview.render.context import headless
from rigview.render.gl import GLError
from rigview.render.look import Look
from rigview.render.note_view import NumberedNote, camera_of
from rigview.render.passes import Renderer
from rigview.render.review import Review, draw
from rigview.render.scene import Scene

SIZE = (640, 480)
# A report of more pictures than this is too large to mail.
MOST = 60


def with_notes(
    report: FileReport, rig: Rig, path: Path, notes: ReviewNotes | None = None
) -> FileReport:
    """Return a report with the notes on its file, each with its picture where it can be drawn.

    Parameters
    ----------
    notes
        None for those beside the file.
    """
    try:
        notes = notes_beside(path) if notes is None else notes
    except LoadError as error:
        return replace(report, left_out=(*report.left_out, f"Without notes: {error}."))
    if not notes.each:
        return report
    try:
        with headless():
            pictures: list[bytes | None] = _drawn(rig, notes)
    except GLError as error:
        pictures = [None] * len(notes.each)
        report = replace(report, left_out=(*report.left_out, f"Notes without pictures: {error}."))
    facts = tuple(
        NoteFact(number, note.author, place_in_words(note), note.words, picture)
        for number, (note, picture) in enumerate(zip(notes.each, pictures, strict=True), 1)
    )
    return replace(report, review=facts)


def _drawn(rig: Rig, notes: ReviewNotes) -> list[bytes | None]:
    renderer, scene = Renderer(), Scene(Deformer(rig, "normalised"))
    try:
        return [
            _picture(renderer, scene, number, note) if number <= MOST else None
            for number, note in enumerate(notes.each, 1)
        ]
    finally:
        scene.close()
        renderer.close()


def _picture(renderer: Renderer, scene: Scene, number: int, note: ReviewNote) -> bytes | None:
    """Draw a note; None where the rig has not its clip."""
    deformer = scene.deformer
    rig = deformer.rig
    names = [one_line(name) for name in rig.clip_names]
    if note.clip is not None and one_line(note.clip) not in names:
        return None
    clip = None if note.clip is None else rig.clips[names.index(one_line(note.clip))]
    frame = deformer.frame(sample(rig, clip, note.time))
    look = Look(bones=not rig.parts, axes=False, hidden=rig.hidden, theme="light")
    method = note.method if note.method in ASKED else "lbs"
    # What was said stands beside the picture.
    shown = NumberedNote(number, with_fields(note, words=""))
    wanted = Review((method,), Camera(), look, SIZE, legend=False, notes=(shown,))
    camera = framed(deformer, frame, wanted, "three-quarter")
    if note.view is not None:
        camera = camera_of(note.view, camera, wanted.aspect)
    return image.png(draw(renderer, scene, frame, with_fields(wanted, camera=camera)), {})
