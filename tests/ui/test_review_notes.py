"""Notes in the window: written, drawn, gone to, taken in from reviewers, saved and asked for."""

import json
import shutil

import av
import numpy as np
import pytest
from hands import click, drag, idle, pixels, press_key, until, write_text
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication

from rigview.core.review_notes import NoteStroke, ReviewNote, ReviewNotes, Viewpoint
from rigview.io.review_notes import as_json, notes_of, read_notes, save_notes, sidecar
from rigview.ui.document import DocumentState, UndoStep
from rigview.ui.panes.ink_words import InkWords
from rigview.ui.sessions.kept import KEPT
from rigview.ui.widgets.theme import colour


@pytest.fixture
def noted(hands, samples, tmp_path):
    """Hands at a window with a copy of the arm, and a folder for its notes."""
    file = shutil.copyfile(samples / "arm.glb", tmp_path / "arm.glb")
    hands.open(file)
    hands.bench.settings.write("note_author", "Iryna")
    yield hands
    hands.bench.state.update(note_tool=None)
    hands.document.take_notes(ReviewNotes())


def notes(hands):
    return hands.bench.noter.notes.each


def share(hands, u, v, pane=0):
    area = hands.panes[pane]
    return QPointF(area.x() + u * area.width(), area.y() + v * area.height())


def test_a_note_is_written_by_keys_saved_beside_the_rig_and_there_again(noted):
    noted.bench.state.update(time=0.5)
    noted.focus_panes()
    noted.key("Shift+A")
    field = noted.bench.notes_panel.field
    until(field.hasFocus)
    assert "frame 15" in field.placeholderText()
    field.insertPlainText("The elbow folds.")
    press_key("Ctrl+Return", field)
    (note,) = notes(noted)
    assert (note.words, note.author, note.time, note.frame) == (
        "The elbow folds.",
        "Iryna",
        0.5,
        15,
    )
    assert note.clip == noted.rig.clip_names[noted.state.clip]
    assert note.method == noted.state.methods[noted.state.pane]
    assert noted.window.isWindowModified()
    assert not noted.document.is_changed
    click(noted.bench.notes_panel.save)
    assert read_notes(sidecar(noted.document.path)).each == (note,)
    assert not noted.window.isWindowModified()
    noted.open(noted.document.path)
    assert notes(noted) == (note,)
    assert noted.document.undo_name is None


def test_strokes_are_drawn_each_a_step_of_the_one_undo(noted):
    before = pixels(noted.canvas.grab())
    noted.window.commands.do("draw_arrow")
    drag(noted.canvas, share(noted, 0.25, 0.75), share(noted, 0.5, 0.5))
    noted.window.commands.do("draw_box")
    drag(noted.canvas, share(noted, 0.4, 0.4), share(noted, 0.6, 0.6))
    (note,) = notes(noted)
    assert [stroke.kind for stroke in note.strokes] == ["arrow", "box"]
    assert np.abs(np.array(note.strokes[0].points) - [(0.25, 0.75), (0.5, 0.5)]).max() < 0.01
    idle()
    inked = pixels(noted.canvas.grab())
    accent = np.array([colour("accent").red(), colour("accent").green(), colour("accent").blue()])
    is_new = np.abs(inked.astype(int) - before).max(axis=2) > 12
    is_ink = is_new & (np.abs(inked.astype(int) - accent).max(axis=2) < 12)
    assert is_ink.sum() > 200
    # The camera has not moved, and what was drawn lies in the first pane.
    assert not is_ink[:, inked.shape[1] // 2 :].any()
    noted.window.commands.do("undo")
    assert [stroke.kind for stroke in notes(noted)[0].strokes] == ["arrow"]
    noted.window.commands.do("undo")
    assert notes(noted) == ()
    idle()
    assert (np.abs(pixels(noted.canvas.grab()).astype(int) - before) > 2).mean() < 0.001
    noted.window.commands.do("redo")
    noted.window.commands.do("redo")
    assert notes(noted) == (note,)
    assert noted.document.changes == ()
    # From another camera the strokes stand back, and the next one begins a note of its own.
    noted.bench.state.update(camera=noted.state.camera.looking("left"))
    drag(noted.canvas, share(noted, 0.4, 0.4), share(noted, 0.6, 0.6))
    assert len(notes(noted)) == 2


def test_a_click_goes_to_clip_time_camera_and_joint(noted):
    other = noted.rig.clip_names[1]
    view = Viewpoint((0.1, 0.2, 0.3), 1.5, 0.7, 0.2, 0.8)
    note = ReviewNote("a", "Here.", clip=other, time=0.4, method="dqs", joint="hand", view=view)
    elsewhere = ReviewNote("b", "Gone.", clip="No such clip", joint="none")
    noted.document.note(ReviewNotes("arm.glb", (note, elsewhere)), "Test")
    noted.bench.state.update(clip=0, time=0.0, joint=None)
    panel = noted.bench.notes_panel
    noted.window.commands.do("add_note")
    click(panel.rows[0])
    state = noted.state
    assert (state.clip, state.time, state.joint) == (1, 0.4, noted.joint("hand"))
    assert state.methods[state.pane] == "dqs"
    assert (state.camera.yaw, state.camera.pitch, state.camera.target) == (
        0.7,
        0.2,
        (0.1, 0.2, 0.3),
    )
    # A narrower pane steps back, so that as much is seen across.
    back = max(1.0, 0.8 / noted.bench.panes.aspect)
    assert state.camera.distance == pytest.approx(1.5 * back)
    assert panel.field.toPlainText() == "Here."
    click(panel.rows[1])
    assert "no clip No such clip" in noted.bench.status.said.text()
    assert noted.state.clip == 1
    lane = next(lane for lane in noted.bench.timeline.ruler.lanes if lane.name == "Notes")
    assert lane.marks == [(0.4, 1)]


def test_the_playhead_does_not_hide_the_number_of_a_note(noted):
    ruler = noted.bench.timeline.ruler
    clip = noted.rig.clip_names[0]
    noted.document.note(ReviewNotes("arm.glb", (ReviewNote("a", "A", clip=clip, time=0.5),)), "T")
    place = round(ruler.x_of(0.5 * noted.state.fps))
    lanes = [lane.name for lane in ruler.lanes if lane.is_wanted]
    middle = 20 + 2 + 16 * lanes.index("Notes") + 8
    seen = []
    for time in (1.0, 0.5):
        noted.bench.state.update(clip=0, time=time)
        picture = pixels(ruler.grab())
        ratio = picture.shape[1] / ruler.width()
        assert ratio == 1.0
        seen.append(picture[middle - 4 : middle + 4, place - 4 : place + 5])
        # The line itself is there, above the lane.
        above = picture[18, place - 1 : place + 2].astype(int)
        accent = [colour("accent").red(), colour("accent").green(), colour("accent").blue()]
        assert (np.abs(above - accent).max(axis=1).min() < 60) == (time == 0.5)
    assert (seen[0] == seen[1]).all()


def test_words_are_changed_and_notes_deleted_with_undo(noted):
    noted.document.note(
        ReviewNotes("arm.glb", (ReviewNote("a", "Old."), ReviewNote("b", "B"))), "T"
    )
    panel = noted.bench.notes_panel
    noted.window.commands.do("add_note")
    click(panel.rows[0])
    panel.field.setPlainText("New.")
    click(panel.add)
    assert [note.words for note in notes(noted)] == ["New.", "B"]
    assert notes(noted)[0].changed
    old = as_json(ReviewNotes("arm.glb", notes(noted)))
    click(panel.delete)
    assert [note.id for note in notes(noted)] == ["b"]
    # It does not come back with what a reviewer still has.
    review = noted.document.path.with_name("theirs.json")
    review.write_text(old)
    noted.bench.noter.take_in(review)
    assert [note.id for note in notes(noted)] == ["b"]
    assert "or was deleted here" in noted.bench.status.said.text()
    noted.window.commands.do("undo")
    noted.window.commands.do("undo")
    assert [note.words for note in notes(noted)] == ["Old.", "B"]


def test_a_dropped_review_is_merged_and_a_bad_one_said(noted, tmp_path):
    review = tmp_path / "review.json"
    stroke = NoteStroke("arrow", ((0.1, 0.2), (0.3, 0.4)))
    review.write_text(
        as_json(ReviewNotes("arm.glb", (ReviewNote("r", "Theirs.", strokes=(stroke,)),)))
    )
    assert noted.drop(review)
    assert [note.words for note in notes(noted)] == ["Theirs."]
    assert noted.document.path.name == "arm.glb"
    assert noted.drop(review)
    assert len(notes(noted)) == 1
    review.write_text("{}")
    assert noted.drop(review)
    assert "The notes cannot be read" in noted.bench.message.title.text()
    noted.window.commands.do("copy_notes")
    assert notes_of(QGuiApplication.clipboard().text()).each == notes(noted)


def test_unsaved_notes_are_asked_for(noted):
    noted.bench.noter.add("Unsaved.")
    noted.window.close()
    assert noted.window.isVisible()
    assert noted.dialog.windowTitle() == "Unsaved notes"
    noted.dialog.reject()
    # Reading the file again keeps them; opening another file asks.
    noted.bench.reload(noted.document.path)
    noted.rest()
    assert [note.words for note in notes(noted)] == ["Unsaved."]
    assert noted.document.has_unsaved_notes
    noted.bench.open_path(noted.document.path)
    click(noted.dialog.buttons[-1])
    noted.rest()
    assert [note.words for note in read_notes(sidecar(noted.document.path)).each] == ["Unsaved."]
    noted.bench.noter.add("Discarded.")
    noted.bench.open_path(noted.document.path)
    click(noted.dialog.buttons[1])
    until(lambda: not noted.bench.opener.is_busy)
    noted.rest()
    assert [note.words for note in notes(noted)] == ["Unsaved."]


def test_a_damaged_sidecar_is_said_and_left_alone(noted):
    path = sidecar(noted.document.path)
    path.write_text("{")
    noted.open(noted.document.path)
    assert notes(noted) == ()
    assert "The notes cannot be read" in noted.bench.message.title.text()
    noted.bench.noter.add("Another.")
    assert not noted.bench.noter.save()
    assert path.read_text() == "{"


def test_notes_written_elsewhere_meanwhile_are_kept(noted):
    path = sidecar(noted.document.path)
    noted.bench.noter.add("First.")
    noted.bench.noter.add("Deleted.")
    assert noted.bench.noter.save()
    elsewhere = read_notes(path).with_note(ReviewNote("x", "Elsewhere."))
    save_notes(path, elsewhere)
    noted.bench.noter.delete(notes(noted)[1])
    assert noted.bench.noter.save()
    assert [note.words for note in read_notes(path).each] == ["First.", "Elsewhere."]
    assert notes(noted) == read_notes(path).each


def test_a_text_is_typed_where_it_will_stand(noted):
    noted.window.commands.do("draw_text")
    place = share(noted, 0.3, 0.3)
    click(noted.canvas, place)
    field = noted.canvas.findChild(InkWords)
    until(field.hasFocus)
    assert field.geometry().contains(place.toPoint() + QPoint(2, 0))
    assert noted.panes[0].toRect().contains(field.geometry())
    # Letters are typed, though they are keys of the panes.
    shading = noted.state.shading
    write_text(field, "we here")
    press_key("Return", field)
    assert [stroke.words for stroke in notes(noted)[0].strokes] == ["we here"]
    assert notes(noted)[0].strokes[0].points[0] == pytest.approx((0.3, 0.3), abs=0.01)
    assert noted.state.shading == shading
    assert noted.canvas.hasFocus()
    # Esc drops it; a click elsewhere writes it, and begins the next one there.
    for words, ends in (("gone", lambda f: press_key("Esc", f)), ("kept", lambda _: None)):
        click(noted.canvas, share(noted, 0.3, 0.6))
        field = next(f for f in noted.canvas.findChildren(InkWords) if f.isVisible())
        write_text(field, words)
        ends(field)
    click(noted.canvas, share(noted, 0.6, 0.2))
    fields = [f for f in noted.canvas.findChildren(InkWords) if f.isVisible()]
    assert [stroke.words for stroke in notes(noted)[0].strokes] == ["we here", "kept"]
    for field in fields:
        press_key("Esc", field)
    assert [stroke.words for stroke in notes(noted)[0].strokes] == ["we here", "kept"]


def test_a_film_of_the_view_is_exported_and_can_be_cancelled(noted, tmp_path):
    first = noted.rig.clip_names[0]
    noted.document.note(ReviewNotes("arm.glb", (ReviewNote("a", "A", clip=first, time=0.5),)), "T")
    noted.bench.state.update(clip=0, time=0.0, fps=10.0, methods=("lbs",), pane=0)
    out = tmp_path / "film.mp4"
    noted.bench.exporter.write_film(out, turns=False, size=(320, 180))
    noted.rest()
    assert noted.bench.status.said.text() == f"Saved {out}"
    with av.open(str(out)) as film:
        stream = film.streams.video[0]
        assert (stream.codec_context.width, stream.codec_context.height) == (320, 180)
        clip = noted.rig.clips[0]
        own = int((clip.end - clip.start) * noted.state.fps + 1e-6) + 1
        assert stream.frames == own + round(2 * noted.state.fps)
    gone = tmp_path / "gone.webm"
    noted.bench.exporter.write_film(gone, turns=True)
    until(lambda: any("gone" in name for name in noted.jobs))
    noted.key("Escape")
    noted.rest()
    assert not gone.exists()


def test_pictures_show_the_notes_of_their_frame(noted):
    first = noted.rig.clip_names[0]
    noted.bench.state.update(clip=0, time=0.5)
    noted.document.note(ReviewNotes("arm.glb", (ReviewNote("a", "A", clip=first, time=0.5),)), "T")
    assert [one.number for one in noted.bench.exporter.base_review().notes] == [1]
    noted.bench.state.update(time=1.0)
    assert noted.bench.exporter.base_review().notes == ()


def test_unsaved_notes_come_back_with_a_session(noted):
    noted.bench.noter.add("Unsaved.")
    held = noted.document.held
    (row,) = (row for row in KEPT if row.name == "notes")
    told = json.loads(json.dumps(row.told(held)))
    deformer = held.steps[0].deformer
    fresh = DocumentState(
        held.loaded, [UndoStep("Open", deformer), UndoStep("Add note 1", deformer)], at=1
    )
    row.taken(fresh, told)
    assert fresh.notes == held.notes
    assert fresh.has_unsaved_notes
    assert not fresh.is_changed
    with pytest.raises(ValueError, match="no notes"):
        row.taken(fresh, {**told, "now": "x"})
    assert noted.bench.noter.save()
    assert row.told(held) == {}
