"""Exports: what is in the pictures, what their text holds, and how they bring the view back."""

import io
import json
import math
from dataclasses import replace
from itertools import pairwise

import av
import numpy as np
import pytest
from hands import choose, click, pick_segment, press_key, until, write_text
from PIL import Image
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from rigview.core.deform import Deformer
from rigview.core.review_notes import ReviewNotes
from rigview.core.skinning import METHODS
from rigview.io import load
from rigview.render.image import png_text
from rigview.render.look import OVERLAYS
from rigview.render.session import from_text
from rigview.ui.dialogs.export_kinds import Sheet, StillPicture


@pytest.fixture
def export(arm):
    """The dialog of an arm that is bent, seen from above, its hand selected."""
    arm.click_joint("hand")
    arm.focus_panes()
    arm.bench.state.update(time=1.5)
    arm.key("7")
    arm.key("F12")
    assert arm.dialog is not None
    return arm


def saved(hands, target):
    """Save the picture and return it."""
    write_text(hands.dialog.path, str(target))
    click(hands.dialog.save)
    hands.rest()
    assert hands.bench.status.said.text() == f"Saved {target}"
    return np.asarray(Image.open(target).convert("RGBA"))


def set_size(hands, width, height):
    hands.come_to_the_front()
    for field, value in ((hands.dialog.width_field, width), (hands.dialog.height_field, height)):
        write_text(field.lineEdit(), str(value))
        press_key("Tab", field.lineEdit())


def test_the_dialog_proposes_a_name_that_says_what_is_shown(export):
    assert export.dialog.path.text().endswith("arm_Bend_f045.png")


def test_all_panes_are_exported_at_a_size(export, tmp_path):
    set_size(export, 640, 300)
    picture = saved(export, tmp_path / "all.png")
    assert picture.shape == (300, 640, 4)
    assert (picture[..., 3] == 255).all()
    thirds = [picture[60:-60, i * 214 + 4 : i * 214 + 204, :3] for i in range(3)]
    assert all(part.std() > 4.0 for part in thirds)
    assert (thirds[0] != thirds[1]).any()
    assert (thirds[1] != thirds[2]).any()


def test_panes_with_cameras_of_their_own_keep_them_in_pictures_sheets_and_notes(arm, tmp_path):
    state = arm.bench.state
    state.update(methods=("lbs", "lbs"), pane=0, linked_camera=state.value.camera.looking("front"))
    together = arm.bench.exporter.base_review()
    aside = state.value.camera.looking("right")
    state.update(apart={1: aside})
    apart = arm.bench.exporter.base_review()

    def halves(wanted, kind):
        wanted = replace(wanted, size=(640, 480), legend=False, caption="", look=together.look)
        picture = arm.bench.exporter.drawing(wanted, kind)(lambda *_: None)
        # Panes stand side by side, the rows of a sheet below one another.
        return np.array_split(picture, 2, axis=0 if isinstance(kind, Sheet) else 1)

    for kind in (StillPicture(), Sheet(2)):
        from_front = halves(together, kind)
        from_right = halves(replace(together, camera=aside), kind)
        shown = halves(apart, kind)
        # Bones that are too small to be told apart are those of the picture's camera.
        assert (shown[0] != from_front[0]).any(axis=2).mean() < 1e-3
        assert (shown[1] != from_right[1]).any(axis=2).mean() < 1e-3
        assert (from_front[1] != from_right[1]).any(axis=2).mean() > 0.01
    # The current pane's camera is that of a turn and of one pane alone.
    state.update(pane=1)
    assert arm.bench.exporter.base_review().camera == aside
    # A note keeps the camera of the pane that it is drawn in, whichever is the current one.
    arm.bench.noter.add("Here.", pane=0)
    arm.bench.noter.add("There.", pane=1)
    views = [note.view for note in arm.bench.noter.notes.each]
    assert [view.yaw for view in views] == pytest.approx(
        [state.value.linked_camera.yaw, aside.yaw], abs=1e-5
    )
    arm.document.take_notes(ReviewNotes())
    state.update(apart={})


def test_one_pane_is_exported_alone_and_larger(export, tmp_path):
    export.dialog.reject()
    click(export.canvas, export.panes[1].topLeft() + QPointF(4, 4))
    export.click_joint("hand")
    export.focus_panes()
    export.key("F12")
    pick_segment(export.dialog.panes, 0)
    set_size(export, 400, 300)
    assert export.dialog.review.methods == ("dqs",)
    picture = saved(export, tmp_path / "one.png")
    assert picture.shape == (300, 400, 4)
    assert picture[60:-60, :, :3].std() > 4.0


def test_a_listed_size_fills_the_fields_in_and_another_one_is_custom(export):
    choose(export.dialog.size_chooser, "1280 × 720")
    export.dialog.size_chooser.activated.emit(export.dialog.size_chooser.currentIndex())
    assert export.dialog.review.size == (1280, 720)
    set_size(export, 1000, 500)
    assert export.dialog.size_chooser.currentText() == "Custom"
    assert export.dialog.review.size == (1000, 500)


def test_a_transparent_picture_has_nothing_behind_the_mesh(export, tmp_path):
    choose(export.dialog.background, "Transparent")
    set_size(export, 300, 200)
    pick_segment(export.dialog.panes, 0)
    for tick in (export.dialog.numbers, export.dialog.caption):
        click(tick)
    alpha = saved(export, tmp_path / "clear.png")[..., 3]
    assert (alpha == 0).mean() > 0.2
    assert (alpha == 255).mean() > 0.015


def test_bones_and_words_can_be_left_out(export, tmp_path):
    set_size(export, 400, 240)
    full = saved(export, tmp_path / "full.png")
    for names in (("bones",), ("numbers",), ("caption",)):
        export.key("F12")
        set_size(export, 400, 240)
        for name in names:
            click(getattr(export.dialog, name))
        bare = saved(export, tmp_path / f"{names[0]}.png")
        assert (bare != full).any(), names


def test_the_text_of_the_png_holds_file_clip_time_camera_and_methods(export, tmp_path):
    set_size(export, 320, 180)
    target = tmp_path / "text.png"
    saved(export, target)
    text = png_text(target.read_bytes())
    assert text["Software"] == "rigview"
    assert text["file"] == str(export.document.path)
    assert text["clip"] == "Bend"
    assert text["time"] == "1.500000 s"
    assert text["methods"] == "lbs,dqs,compensated"
    assert json.loads(text["camera"])["pitch"] == pytest.approx(export.state.camera.pitch)
    # Pillow, which others read PNG with, finds the same.
    assert Image.open(target).text["clip"] == "Bend"


def test_opening_the_png_restores_the_view(export, samples, tmp_path):
    export.bench.state.update(methods=("dqs", "lbs"), shading="weights", names=True)
    export.dialog.reject()
    export.key("F12")
    set_size(export, 320, 180)
    target = tmp_path / "session.png"
    saved(export, target)
    before, picture = export.state, export.picture(0)
    export.open(samples / "box.glb")
    export.bench.state.update(shading="clay", methods=("lbs",), names=False)
    assert export.drop(target)
    export.rest()
    after = export.state
    assert export.document.path == samples / "arm.glb"
    for name in (
        "clip",
        "time",
        "joint",
        "methods",
        "camera",
        "shading",
        "names",
        *OVERLAYS,
        "options",
    ):
        assert getattr(after, name) == getattr(before, name), name
    assert (export.picture(0) == picture).all()
    assert "restored" in export.bench.status.said.text()


def test_opening_the_png_restores_the_camera_of_each_pane(arm, tmp_path):
    front = arm.state.camera.looking("front")
    aside = front.looking("right")
    arm.bench.state.update(methods=("lbs", "dqs", "lbs"), pane=1, linked_camera=front)
    arm.bench.state.update(apart={1: aside})
    for number, seen in enumerate(([aside] * 3, [front, aside, front])):
        arm.key("F12")
        # One pane is the current one.
        pick_segment(arm.dialog.panes, number)
        set_size(arm, 320, 180)
        saved(arm, tmp_path / f"{number}.png")
        arm.bench.state.update(apart={}, linked_camera=front.looking("top"))
        assert arm.drop(tmp_path / f"{number}.png")
        arm.rest()
        assert [arm.state.camera_of(pane) for pane in range(3)] == seen
        arm.bench.state.update(pane=1, linked_camera=front, apart={1: aside})
    arm.bench.state.update(pane=0, apart={})


def test_a_picture_without_session_is_refused_with_a_reason(arm, tmp_path):
    file = tmp_path / "holiday.png"
    Image.new("RGB", (8, 8)).save(file)
    arm.drop(file)
    arm.rest()
    assert arm.bench.message.isVisible()
    assert "holds no session" in arm.bench.message.reason.text()
    assert arm.document.path.name == "arm.glb"


def test_return_saves(export, tmp_path):
    set_size(export, 320, 180)
    target = tmp_path / "return.png"
    write_text(export.dialog.path, str(target))
    export.key("Return")
    export.rest()
    assert target.is_file()


def test_the_session_can_be_left_out(export, tmp_path):
    set_size(export, 320, 180)
    click(export.dialog.session)
    target = tmp_path / "plain.png"
    saved(export, target)
    assert from_text(png_text(target.read_bytes())) is None


def test_a_picture_can_be_copied(export):
    set_size(export, 320, 180)
    copied = []
    export.dialog.copied.connect(lambda: copied.append(True))
    click(export.dialog.copy)
    until(lambda: copied)
    image = QApplication.clipboard().image()
    assert (image.width(), image.height()) == (320, 180)


def test_what_cannot_be_written_is_said(export, tmp_path):
    (tmp_path / "gone").mkdir()
    set_size(export, 320, 180)
    write_text(export.dialog.path, str(tmp_path / "gone" / "a.png"))
    (tmp_path / "gone").rmdir()
    click(export.dialog.save)
    export.rest()
    assert export.bench.message.title.text() == "a.png could not be written"
    # What is exported next is not proposed to be there.
    assert export.bench.exporter.proposed().parent.is_dir()


def test_what_stands_in_the_way_of_a_name_is_said_before(export, tmp_path):
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "a.png").write_bytes(b"")
    for name in ("/", tmp_path / "folder.png", tmp_path / "no" / "a.png", ""):
        write_text(export.dialog.path, str(name))
        if not name:
            press_key("Backspace", export.dialog.path)
        assert not export.dialog.save.isEnabled()
        assert "folder" in export.dialog.facts.text()
    write_text(export.dialog.path, str(tmp_path / "a"))
    assert export.dialog.facts.text() == "This replaces a.png."
    assert export.dialog.save.isEnabled()


def test_the_numbers_of_the_picture_name_every_method(export):
    assert export.dialog.review.methods == export.state.methods
    assert set(export.state.methods) <= set(METHODS)


def test_a_picture_of_a_rig_that_was_exchanged_meanwhile_points_at_nothing(
    export, samples, tmp_path
):
    box = Deformer(load(samples / "box.glb").rig)
    assert len(box.rig.nodes) <= export.state.joint
    export.document.replace(box, "Exchange everything")
    set_size(export, 640, 300)
    assert saved(export, tmp_path / "box.png").shape == (300, 640, 4)


def export_as(hands, kind, name, size=(160, 90)):
    """Choose a kind of export, its size and its name."""
    pick_segment(hands.dialog.kind, ("picture", "sheet", "turn").index(kind))
    set_size(hands, *size)
    write_text(hands.dialog.path, str(name))


def set_number(hands, field, value):
    # Only where the keyboard is does a field hear that it is left.
    hands.come_to_the_front()
    write_text(field.lineEdit(), str(value))
    press_key("Tab", field.lineEdit())


def movie(path):
    return Image.open(io.BytesIO(path.read_bytes()))


@pytest.mark.thorough
def test_a_turntable_has_the_pictures_and_the_length_that_were_asked_for(export, tmp_path):
    export_as(export, "turn", tmp_path / "a.webp")
    set_number(export, export.dialog.turn.seconds, 0.5)
    set_number(export, export.dialog.turn.rate, 10)
    assert export.dialog.facts.text().split("   ")[1] == "5 pictures"
    click(export.dialog.save)
    export.rest()
    made = movie(tmp_path / "a.webp")
    assert (made.n_frames, made.size) == (5, (160, 90))
    made.seek(2)
    made.load()
    assert made.info["duration"] == pytest.approx(100)


def test_numbered_pictures_each_restore_their_own_view(export, tmp_path):
    before = export.state
    export_as(export, "turn", tmp_path / "t.##.png")
    set_number(export, export.dialog.turn.seconds, 0.4)
    set_number(export, export.dialog.turn.rate, 10)
    pick_segment(export.dialog.panes, 0)
    click(export.dialog.save)
    export.rest()
    names = ["t.01.png", "t.02.png", "t.03.png", "t.04.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    saved = [from_text(png_text((tmp_path / name).read_bytes())) for name in names]
    yaws = [session.camera.yaw - before.camera.yaw for session in saved]
    assert np.mod(yaws, math.tau) == pytest.approx(math.tau * np.arange(4) / 4)
    assert {(s.time, s.clip, s.joint) for s in saved} == {(1.5, "Bend", "hand")}
    assert export.drop(tmp_path / "t.03.png")
    export.rest()
    assert export.state.camera == saved[2].camera


def test_a_turntable_that_is_cancelled_leaves_nothing(export, tmp_path):
    export_as(export, "turn", tmp_path / "turn" / "t.###.png", (320, 180))
    set_number(export, export.dialog.turn.seconds, 20)
    click(export.dialog.save)
    told = []
    until(lambda: export.bench.jobs.running)
    (job,) = (job for job in export.bench.jobs.running if not job.quiet)
    job.progressed.connect(lambda text, _: told.append(text))
    until(lambda: any(text.startswith("picture 3") for text in told))
    assert list(tmp_path.rglob("*")), "it is being written"
    export.key("Esc")
    export.rest()
    assert not list(tmp_path.rglob("*"))


def test_a_contact_sheet_shows_times_across_and_methods_down(export, tmp_path):
    export_as(export, "sheet", tmp_path / "sheet.png", (398, 298))
    set_number(export, export.dialog.sheet.columns, 4)
    picture = saved(export, tmp_path / "sheet.png")[..., :3].astype(int)
    cells = [[picture[r : r + 98, c : c + 98] for c in range(0, 400, 100)] for r in (0, 100, 200)]
    for row in cells:
        assert all(np.abs(a - b)[30:70].max() > 15 for a, b in pairwise(row))
    assert np.abs(cells[0][2] - cells[2][2])[30:70].max() > 15


def test_a_turn_takes_as_long_as_the_clip_and_its_name_says_what_it_is(export, tmp_path):
    dialog = export.dialog
    pick_segment(dialog.kind, 2)
    assert dialog.path.text().endswith("arm_Bend_turn.webp")
    assert dialog.save.text() == "Save WebP"
    assert not dialog.session.isEnabled()
    choose(dialog.turn.form, "PNGs, numbered")
    dialog.turn.form.activated.emit(dialog.turn.form.currentIndex())
    assert dialog.path.text().endswith("arm_Bend_turn.####.png")
    assert dialog.session.isEnabled()
    write_text(dialog.path, str(tmp_path / "mine.gif"))
    assert dialog.turn.chosen_form.name == "GIF"
    set_number(export, dialog.turn.rate, 60)
    assert "50 pictures a second" in dialog.facts.text()
    assert not dialog.save.isEnabled()
    pick_segment(dialog.kind, 0)
    assert dialog.path.text() == str(tmp_path / "mine.png")
    assert dialog.save.isEnabled()
    pick_segment(dialog.kind, 2)
    set_number(export, dialog.turn.seconds, 7)
    set_number(export, dialog.turn.rate, 20)
    assert not dialog.turn.value.plays
    click(dialog.turn.plays)
    clip = export.bench.stage.clip
    assert dialog.turn.value.seconds == pytest.approx(2 * (clip.end - clip.start), abs=0.05)
    assert "clip 2 × at 100% of its speed" in dialog.facts.text()


def test_no_picture_is_written_over_the_file_that_is_open(arm, tmp_path):
    source = arm.document.path
    before = source.read_bytes()
    link = tmp_path / "link.png"
    link.symlink_to(source)
    arm.key("F12")
    write_text(arm.dialog.path, str(link))
    click(arm.dialog.save)
    arm.rest()
    assert source.read_bytes() == before
    assert link.samefile(source)


def test_a_film_shows_what_a_picture_shows_each_pane_by_its_own_camera(arm, tmp_path):
    """The film is narrower than the window: both step back until all that the panes show is in it."""
    state, exporter = arm.bench.state, arm.bench.exporter
    front = state.value.camera.looking("front")
    aside = front.looking("right")
    state.update(methods=("lbs", "lbs"), pane=0, clip=0, time=0.0, fps=2.0, linked_camera=front)
    state.update(apart={1: aside})
    out = tmp_path / "film.mp4"
    exporter.write_film(out, turns=False, size=(360, 400))
    arm.rest()
    with av.open(str(out)) as film:
        pictures = [shot.to_ndarray(format="rgb24") for shot in film.decode(video=0)]
    assert len(pictures) == 7

    def halves(camera):
        """Return both panes of the picture that the dialog offers, seen by one camera."""
        state.update(apart={}, linked_camera=camera)
        dialog = exporter.ask(arm.window)
        set_size(arm, 360, 400)
        picture = exporter.drawing(dialog.review, StillPicture())(lambda *_: None)
        arm.close_dialogs()
        return np.array_split(picture, 2, axis=1)

    def apart(a, b):
        return np.abs(a[60:-40, :, :3].astype(int) - b[60:-40, :, :3]).mean()

    by_front, by_aside = halves(front), halves(aside)
    shown = np.array_split(pictures[0], 2, axis=1)
    assert apart(shown[0], by_front[0]) < 1.5 < apart(shown[1], by_front[1])
    assert apart(shown[1], by_aside[1]) < 1.5 < apart(shown[0], by_aside[0])
