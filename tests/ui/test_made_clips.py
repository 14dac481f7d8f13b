"""A picture of a clip that the file does not have brings the clip back, or says why it cannot."""

import json

import numpy as np
import pytest
from hands import until
from PIL import Image
from PySide6.QtWidgets import QFileDialog

from rigview.core.skinning import METHODS, Options
from rigview.io import load
from rigview.render.image import png, png_text
from rigview.render.session import from_text
from rigview.ui.dialogs.export_dialog import Export
from rigview.ui.dialogs.export_kinds import StillPicture

pytestmark = pytest.mark.window


def export(hands, target):
    """Write what is on show as a picture."""
    wanted = hands.bench.exporter.base_review()
    hands.bench.exporter.write(Export(wanted, StillPicture(), target, with_session=True))
    hands.rest()
    assert target.is_file()
    return from_text(png_text(target.read_bytes()))


def posed(hands):
    """Return where the mesh is on show."""
    deformer, frame = hands.bench.stage.deformer, hands.bench.stage.frame
    return deformer.skin_all(frame, METHODS["lbs"], Options())[0].positions


def reopened(hands, samples, target):
    """Take the changes back, which would be asked about, and open another file, then the picture."""
    while hands.document.undo_name:
        hands.document.undo()
    hands.open(samples / "box.glb")
    hands.open(target)
    hands.rest()


def test_a_range_of_motion_is_made_again(arm, samples, tmp_path):
    arm.menu("Rig", "Add a range of motion")
    until(lambda: arm.document.undo_name == "Add a range of motion")
    arm.bench.state.update(time=2.5)
    arm.rest()
    before, seen = posed(arm), arm.state
    session = export(arm, tmp_path / "rom.png")
    assert session.made.kind == "range of motion"
    reopened(arm, samples, tmp_path / "rom.png")
    assert arm.document.path.name == "arm.glb"
    assert (arm.state.clip, arm.state.time) == (seen.clip, seen.time)
    np.testing.assert_array_equal(posed(arm), before)
    assert arm.bench.status.said.text() == "The view of the picture is restored."
    # It can be exported again, and taken back.
    assert export(arm, tmp_path / "again.png").made == session.made
    arm.document.undo()


@pytest.fixture
def borrowed(arm, samples, tmp_path):
    """Hands at an arm that plays a clip of another file, and that file."""
    file = tmp_path / "lender.glb"
    file.write_bytes((samples / "arm.glb").read_bytes())
    arm.bench.motions.borrow(file)
    until(lambda: len(arm.rig.clips) > 1)
    arm.bench.state.update(time=0.7)
    arm.rest()
    return arm, file


def test_a_clip_of_another_file_is_taken_from_it_again(borrowed, samples, tmp_path):
    hands, file = borrowed
    before, seen = posed(hands), hands.state
    made = export(hands, tmp_path / "walk.png").made
    assert (made.kind, made.file, made.clip) == (
        "borrowed",
        str(file),
        load(file).rig.clip_names[0],
    )
    reopened(hands, samples, tmp_path / "walk.png")
    assert (hands.state.clip, hands.state.time) == (seen.clip, seen.time)
    np.testing.assert_array_equal(posed(hands), before)
    assert hands.bench.status.said.text() == "The view of the picture is restored."
    hands.document.undo()


@pytest.mark.thorough
def test_a_retargeted_clip_is_retargeted_again(arm, samples, tmp_path):
    arm.bench.motions.borrow(samples / "faulty_arm.glb")
    until(lambda: len(arm.rig.clips) > 1)
    arm.bench.state.update(time=0.7)
    arm.rest()
    before = posed(arm)
    assert export(arm, tmp_path / "fitted.png").made.kind == "retargeted"
    reopened(arm, samples, tmp_path / "fitted.png")
    np.testing.assert_array_equal(posed(arm), before)
    arm.bench.message.hide()
    arm.document.undo()


@pytest.mark.thorough
def test_the_message_says_what_is_missing_and_no_other_clip_is_shown(borrowed, samples, tmp_path):
    hands, file = borrowed
    export(hands, tmp_path / "walk.png")
    file.unlink()
    reopened(hands, samples, tmp_path / "walk.png")
    assert hands.state.clip is None
    said = hands.bench.message.reason.text()
    assert "Lender.glb, which its clip is of, is neither there nor beside it" in said
    assert "the rest pose is shown" in said
    assert "in part" in hands.bench.status.said.text()
    hands.bench.message.hide()


def test_a_clip_that_the_file_has_no_more_is_not_taken_for_the_first(arm, samples, tmp_path):
    target = tmp_path / "gone.png"
    export(arm, target)
    session = json.loads(png_text(target.read_bytes())["rigview"])
    changed = {**session, "clip": "Somersault"}
    pixels = np.asarray(Image.open(target).convert("RGBA"))
    target.write_bytes(png(pixels, {"rigview": json.dumps(changed)}))
    reopened(arm, samples, target)
    assert arm.state.clip is None
    assert "no clip Somersault" in arm.bench.message.reason.text()
    arm.bench.message.hide()


@pytest.mark.thorough
def test_who_lent_a_clip_and_has_changed_since_is_named(borrowed, samples, tmp_path):
    hands, file = borrowed
    export(hands, tmp_path / "walk.png")
    file.write_bytes((samples / "faulty_arm.glb").read_bytes())
    reopened(hands, samples, tmp_path / "walk.png")
    assert hands.bench.stage.clip is not None
    assert "has changed since" in hands.bench.message.reason.text()
    hands.bench.message.hide()
    hands.document.undo()


def test_the_window_writes_a_review_page(hands, samples, tmp_path):
    hands.open(samples / "candy.glb")
    target = tmp_path / "review.html"
    hands.bench.exporter.write_page(target, hands.bench.checker.report)
    hands.rest()
    assert "candy.glb" in target.read_text(encoding="utf-8")


def test_the_window_writes_a_review_folder_and_says_what_is_missing(
    hands, samples, tmp_path, monkeypatch
):
    hands.open(samples / "box.glb")
    hands.bench.state.update(clip=None, methods=("lbs",))
    target = tmp_path / "review"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    action = hands.window.commands.actions["review_folder"]
    action.trigger()
    hands.rest()
    assert {"index.html", "review.html", "report.html", "sheet.png"} <= {
        path.name for path in target.iterdir()
    }
    assert "No movie: no clip was chosen." in hands.bench.status.said.text()
    before = (target / "index.html").read_bytes()
    action.trigger()
    hands.rest()
    assert hands.bench.message.title.text() == "review could not be written"
    assert "There is a review already" in hands.bench.message.reason.text()
    assert (target / "index.html").read_bytes() == before
    hands.bench.message.hide()
