"""Opening: the start page, samples, recent files, workers, cancel, bad files, files that change."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hands import (
    click,
    click_action,
    drag_over,
    idle,
    opened_window,
    pixels,
    press_key,
    until,
    wheel,
    when_asked_for_a_file,
)
from PySide6.QtCore import QMimeData, QPoint
from PySide6.QtWidgets import QApplication, QMenu

from rigview.core.clip import Channel, Clip
from rigview.core.sampler import Sampler
from rigview.io import Cancelled, load
from rigview.ui.panels.start_page import SAMPLES_OFFERED, broken_samples
from rigview.ui.widgets.theme import colour
from rigview.ui.workers import opening


@pytest.fixture
def fresh(qapp):
    """Hands at a window in which nothing was opened yet."""
    from hands import Hands

    with opened_window() as window:
        yield Hands(window)


def menu_open():
    menus = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible()]
    return menus[-1]


# --- the start page ------------------------------------------------------------------------------


def test_an_empty_window_offers_samples_and_cannot_do_what_needs_a_rig(fresh):
    page = fresh.bench.start_page
    assert page.isVisible()
    assert len(page.cards) == len(SAMPLES_OFFERED)
    actions = fresh.window.commands.actions
    allowed = {name for name, action in actions.items() if action.isEnabled()}
    assert {"open_file", "show_keys", "close"} <= allowed
    assert not {"save_copy", "screenshot", "toggle_play", "undo", "weights"} & allowed
    assert fresh.window.windowTitle() == "rigview"


def test_a_click_on_a_card_opens_the_sample(fresh):
    card = next(c for c in fresh.bench.start_page.cards if "box" in c.accessibleName().lower())
    click(card)
    until(lambda: fresh.document.rig is not None)
    fresh.rest()
    assert fresh.document.path.name == "box.glb"
    assert not fresh.bench.start_page.isVisible()
    assert fresh.window.windowTitle() == "box.glb[*] — rigview"


def test_a_key_on_a_card_opens_it_and_broken_samples_are_offered_by_rule(fresh):
    card = next(c for c in fresh.bench.start_page.cards if "Broken" in c.accessibleName())
    card.setFocus()
    press_key("Return", card)
    menu = menu_open()
    assert [a.text() for a in menu.actions()] == [p.stem for p in broken_samples()]
    click_action(menu, "WGT-ZERO")
    until(lambda: fresh.document.rig is not None)
    fresh.rest()
    assert fresh.document.path.name == "WGT-ZERO.glb"


def test_keys_stay_on_the_start_page_and_lead_to_all_of_it(fresh):
    page = fresh.bench.start_page
    first = QApplication.focusWidget()
    seen = []
    while QApplication.focusWidget() not in seen:
        seen.append(QApplication.focusWidget())
        press_key("Tab")
    assert QApplication.focusWidget() is first
    assert seen == [page.open_button, page.recent_button, *page.cards]
    page.cards[0].setFocus()
    for _ in page.cards:
        press_key("Right")
    assert page.cards[-1].hasFocus()
    press_key("Left")
    assert page.cards[-2].hasFocus()
    page.recent_button.setFocus()
    press_key("Return")
    assert menu_open().actions()[0].text() == "No file was opened yet"
    menu_open().close()


def test_the_button_that_keys_are_at_is_seen_on_the_start_page(fresh):
    button = fresh.bench.start_page.open_button
    fresh.bench.start_page.recent_button.setFocus()
    without = pixels(button.grab()).astype(int)
    button.setFocus()
    ring = np.abs(pixels(button.grab()) - without).sum(axis=2) > 100
    # Two lines along each edge at the least, but for the corners.
    assert ring.sum() > 2 * (button.width() + button.height() - 20)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_cards_stand_on_the_ground_of_the_theme(fresh, theme):
    fresh.window.appearance.choose(theme)
    card = fresh.bench.start_page.cards[0]
    shown = pixels(card.grab())
    # Beside the figure, above and below it.
    corners = shown[[6, 78]][:, [6, -7]].reshape(4, 3).astype(int)
    top, bottom = (colour(token).red() for token in ("viewport_top", "viewport_bottom"))
    assert np.all(np.abs(corners[:2] - top) < 12)
    assert np.all(np.abs(corners[2:] - bottom) < 12)


def test_recent_files_are_offered_the_newest_first(fresh, samples):
    for name in ("box.glb", "chain.glb"):
        fresh.open(samples / name)
    assert [p.name for p in fresh.bench.settings.recent] == ["chain.glb", "box.glb"]
    fresh.menu("File", "Open recent", "box.glb")
    fresh.rest()
    assert fresh.document.path == samples / "box.glb"
    with opened_window(fresh.bench.settings) as later:
        click(later.bench.start_page.recent_button)
        assert [a.text() for a in menu_open().actions()] == ["box.glb", "chain.glb"]
        menu_open().close()


def test_ctrl_o_asks_for_a_file(fresh, samples):
    when_asked_for_a_file(samples / "chain.glb")
    fresh.key("Ctrl+O")
    until(lambda: fresh.document.rig is not None)
    fresh.rest()
    assert fresh.document.path == samples / "chain.glb"


def test_of_files_dropped_together_the_rig_is_opened_whatever_comes_first(arm, samples, tmp_path):
    picture = tmp_path / "a_texture.png"
    picture.touch()
    assert arm.drop(picture, samples / "box.glb")
    arm.rest()
    assert arm.document.path.name == "box.glb"
    assert arm.bench.message.isHidden()


def test_of_a_dropped_folder_the_rig_in_it_is_opened(arm, samples, tmp_path):
    (tmp_path / "textures").mkdir()
    (tmp_path / "a_texture.png").touch()
    assert arm.drop(tmp_path)
    arm.rest()
    assert arm.bench.message.reason.text() == "This is a folder, not a file."
    (tmp_path / "hero.GLB").write_bytes((samples / "box.glb").read_bytes())
    assert arm.drop(tmp_path)
    arm.rest()
    assert arm.document.path == tmp_path / "hero.GLB"
    assert arm.bench.message.isHidden()


def test_a_dropped_file_is_opened_and_shown_framed_at_its_first_frame(fresh, samples):
    assert fresh.drop(samples / "arm.glb")
    until(lambda: fresh.document.rig is not None)
    fresh.rest()
    assert fresh.state.clip == 0
    assert fresh.state.time == 0.0
    picture = fresh.picture(0)[30:-60]
    background = picture[:, :1]
    drawn = (abs(picture.astype(int) - background).max(axis=-1) > 25).mean()
    assert drawn > 0.02


def test_what_is_no_file_is_not_taken(fresh):
    data = QMimeData()
    data.setText("hello")
    assert not drag_over(fresh.window, QPoint(600, 300), data)


# --- in a worker ---------------------------------------------------------------------------------


@pytest.fixture
def slow(monkeypatch):
    """Reading that goes on after the skeleton only when it is told to."""
    gate, threads = threading.Event(), []

    class Slow(opening.JobListener):
        def skeleton(self, rig):
            threads.append(threading.current_thread())
            super().skeleton(rig)
            end = time.monotonic() + 20.0
            while not gate.is_set():
                assert time.monotonic() < end
                self._progress("reading meshes", 0.4)
                time.sleep(0.01)

    monkeypatch.setattr(opening, "JobListener", Slow)
    yield gate, threads
    gate.set()


def test_the_skeleton_is_shown_before_the_meshes_are_read(arm, slow, samples):
    gate, threads = slow
    before = arm.rig
    arm.bench.open_path(samples / "biped.glb")
    until(lambda: arm.sees_preview)
    assert threads[0] is not threading.main_thread()
    assert arm.rig is before
    shown = arm.bench.stage.rig
    assert len(shown.joints) == 65 or len(shown.nodes) >= 65
    assert shown.parts == ()
    assert arm.bench.panes.message == "Skeleton ready, reading meshes"
    assert arm.picture(0)[30:-60].std() > 3.0
    until(arm.bench.status.cancel.isVisible)
    assert "Opening biped.glb" in arm.bench.status.job.text()
    until(lambda: "%" in arm.bench.status.job.text())
    gate.set()
    arm.rest()
    assert arm.document.path == samples / "biped.glb"
    assert not arm.sees_preview
    assert arm.bench.panes.message == ""
    assert not arm.bench.status.cancel.isVisible()


def test_more_joints_than_are_shown_at_once_are_not_shown_in_advance(
    arm, slow, samples, monkeypatch
):
    monkeypatch.setattr(opening, "MOST_SHOWN", 64)
    before = arm.bench.stage.rig
    arm.bench.open_path(samples / "biped.glb")
    until(lambda: "reading meshes" in arm.bench.status.job.text())
    idle(0.2)
    assert arm.bench.stage.rig is before
    assert not arm.sees_preview
    arm.key("Escape")
    assert not arm.bench.opener.is_busy


def test_a_pose_that_is_rehearsed_ends_when_the_skeleton_of_another_file_is_shown(
    arm, slow, samples
):
    gate, _ = slow
    last = len(arm.rig.nodes) - 1
    turn = Sampler(np.array([0.0]), np.array([[0.0, 0.0, 0.6, 0.8]]))
    arm.bench.stage.rehearse(Clip("Pose", (Channel(last, "rotation", turn),)), 0.0)
    arm.bench.open_path(samples / "box.glb")
    until(lambda: arm.sees_preview)
    stage = arm.bench.stage
    assert len(stage.frame.model_from_node) == len(stage.rig.nodes) <= last
    gate.set()
    arm.rest()


def test_badges_come_back_with_the_rig_whose_place_another_did_not_take(faulty, slow, samples):
    tree = faulty.bench.tree

    def badges():
        return {name: tree.row(faulty.joint(name)).badge for name in ("lowerarm", "hand")}

    gate, _ = slow
    before = badges()
    assert any(before.values())
    faulty.bench.open_path(samples / "biped.glb")
    until(lambda: faulty.sees_preview)
    assert len(tree.nodes) > 60
    assert not any(tree.row(node).badge for node in tree.nodes)
    faulty.key("Escape")
    gate.set()
    faulty.rest()
    assert badges() == before


@pytest.mark.parametrize("how", ["Escape", "Cancel"])
def test_opening_is_cancelled_and_the_rig_before_stays(arm, slow, samples, how):
    before, camera = arm.rig, arm.state.camera
    arm.bench.open_path(samples / "biped.glb")
    until(arm.bench.status.cancel.isVisible)
    until(lambda: arm.state.camera != camera)
    if how == "Escape":
        press_key("Escape", arm.canvas)
    else:
        click(arm.bench.status.cancel)
    assert not arm.bench.opener.is_busy
    assert arm.bench.stage.rig is arm.rig is before
    assert arm.state.camera == camera
    assert not arm.bench.status.cancel.isVisible()
    arm.rest()
    assert arm.rig is before
    assert not arm.bench.message.isVisible()


def test_a_file_that_is_read_again_slowly_keeps_the_view(arm, slow):
    gate, _ = slow
    view = arm.state
    arm.key("Ctrl+R")
    until(lambda: arm.sees_preview)
    assert arm.state.camera == view.camera
    gate.set()
    arm.rest()
    assert arm.state == view


def test_a_second_file_replaces_one_that_is_still_being_read(arm, slow, samples):
    gate, _ = slow
    arm.bench.open_path(samples / "biped.glb")
    until(lambda: arm.sees_preview)
    arm.bench.open_path(samples / "box.glb")
    gate.set()
    arm.rest()
    assert arm.document.path == samples / "box.glb"


def test_a_quick_file_shows_no_progress(arm, samples):
    seen = []
    arm.bench.opener.previewed.connect(lambda shown: seen.append(shown) if shown else None)
    arm.open(samples / "box.glb")
    assert seen == []


def test_a_reader_that_is_cancelled_stops(samples):
    class Impatient:
        def stage(self, *_progress):
            raise Cancelled

        def skeleton(self, rig):
            pass

    with pytest.raises(Cancelled):
        load(samples / "biped.glb", Impatient())


def test_a_file_without_anything_to_show_says_so(hands, samples, tmp_path):
    empty = tmp_path / "empty.gltf"
    empty.write_text('{"asset": {"version": "2.0"}}')
    hands.open(empty)
    assert hands.bench.panes.message == "The file has neither mesh nor joints."
    assert hands.bench.plots.words.text() == "The file has no clips."
    assert "no joints   no mesh" in hands.bench.status.facts.text()
    hands.open(samples / "arm.glb")
    assert hands.bench.panes.message == ""


# --- USD, which a child process reads -----------------------------------------------------------

USD = '#usda 1.0\ndef Xform "Prop"\n{\n}\n'
ENDLESS_USD = (Path(__file__).parents[1] / "data" / "endless_clips.usda").read_text(
    encoding="utf-8"
)


@pytest.fixture
def usd(tmp_path):
    """What writes a text as a USD and returns its path."""
    pytest.importorskip("pxr", reason="needs rigview[usd]")

    def written(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


def test_a_usd_opens(hands, usd):
    hands.open(usd("prop.usda", USD))
    assert hands.rig.nodes.names == ("Prop",)


@pytest.mark.thorough
def test_text_that_ends_openusd_leaves_the_window_alive(arm, usd):
    before = arm.rig
    arm.bench.open_path(usd("nested.usda", "#usda 1.0\n" + 'def "a" {\n' * 20_000 + "}\n" * 20_000))
    until(arm.bench.message.isVisible)
    arm.rest()
    assert "OpenUSD" in arm.bench.message.reason.text()
    assert arm.rig is before
    click(arm.bench.message.dismiss)


def test_opening_what_openusd_never_gets_to_the_end_of_is_cancelled(arm, usd):
    before = arm.rig
    arm.bench.open_path(usd("clips.usda", ENDLESS_USD))
    until(arm.bench.status.cancel.isVisible)
    press_key("Escape", arm.canvas)
    assert not arm.bench.opener.is_busy
    arm.rest()
    assert arm.rig is before
    assert not arm.bench.message.isVisible()


# --- bad files -----------------------------------------------------------------------------------


def test_a_bad_file_is_refused_in_words_and_the_rig_stays_open(arm, samples, tmp_path):
    bad = tmp_path / "hero.glb"
    bad.write_bytes((samples / "arm.glb").read_bytes()[:5000])
    before, view = arm.rig, arm.state
    assert arm.drop(bad)
    until(arm.bench.message.isVisible)
    message = arm.bench.message
    assert message.title.text() == "hero.glb could not be opened; arm.glb stays open"
    assert message.reason.text().endswith(".")
    assert "Traceback" not in message.reason.text()
    assert arm.rig is before
    assert arm.state.camera == view.camera
    click(message.copy)
    words = QApplication.clipboard().text()
    assert str(bad) in words
    assert "\n" not in words
    click(message.dismiss)
    assert not message.isVisible()


@pytest.mark.parametrize("content", [b"", b"hello", b"glTF", b'{"asset": {"version": "2.0"'])
def test_what_is_no_rig_is_refused_in_one_sentence(arm, tmp_path, content):
    file = tmp_path / "what.gltf"
    file.write_bytes(content)
    arm.open(file)
    assert arm.bench.message.isVisible()
    assert arm.document.path.name == "arm.glb"


def test_the_next_file_takes_the_message_away(arm, samples, tmp_path):
    arm.open(tmp_path / "gone.glb")
    assert arm.bench.message.isVisible()
    arm.open(samples / "box.glb")
    assert not arm.bench.message.isVisible()


@pytest.mark.corpus
def test_bad_files_of_the_corpus_leave_the_window_working(arm, corpus):
    files = sorted((corpus / "broken").rglob("*.gl*"))[::6]
    assert len(files) > 5
    for file in files:
        arm.open(file)
        opened = arm.document.path == file
        assert opened or arm.bench.message.isVisible(), file
        arm.picture()


# --- files that change ---------------------------------------------------------------------------


def test_a_file_that_changes_is_offered_to_be_read_again_with_the_view_kept(
    hands, samples, tmp_path
):
    file = tmp_path / "live.glb"
    file.write_bytes((samples / "arm.glb").read_bytes())
    hands.open(file)
    hands.click_joint("hand")
    hands.bench.state.update(time=1.0, shading="weights")
    wheel(hands.canvas, hands.panes[0].center(), 2)
    before, view = hands.rig, hands.state
    file.write_bytes((samples / "faulty_arm.glb").read_bytes())
    until(hands.bench.message.isVisible)
    message = hands.bench.message
    assert message.title.text() == "live.glb has changed on disk"
    assert hands.rig is before
    click(message.action)
    hands.rest()
    assert hands.rig is not before
    assert not message.isVisible()
    assert hands.bench.status.said.text() == "Reloaded."
    assert hands.state == view


@pytest.mark.usefixtures("own_rigs")
def test_ctrl_r_reads_the_file_again(hands, samples, tmp_path):
    file = tmp_path / "live.glb"
    file.write_bytes((samples / "arm.glb").read_bytes())
    hands.open(file)
    hands.click_joint("hand")
    before, view = hands.rig, hands.state
    hands.key("Ctrl+R")
    hands.rest()
    assert hands.rig is not before
    assert hands.state == view


def test_what_the_window_saves_over_its_own_file_is_no_news(broken):
    hands = broken("SCL-INHERIT")
    path = hands.document.path
    click(hands.finding("SCL-INHERIT").button)
    hands.rest()
    hands.bench.saver.write(path)
    hands.rest()
    idle(0.6)
    assert not hands.bench.message.isVisible()
    assert not hands.document.is_changed


# --- the panes ------------------------------------------------------------------------------------

_BVH = """HIERARCHY
ROOT hips
{
OFFSET 0 1 0
CHANNELS 3 Xrotation Yrotation Zrotation
End Site
{
OFFSET 0 1 0
}
}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0
"""


def test_a_skeleton_without_a_skin_has_one_pane_until_a_rig_has_a_skin(arm, samples, tmp_path):
    before = arm.state.methods
    bones = tmp_path / "bones.bvh"
    bones.write_text(_BVH)
    arm.open(bones)
    assert len(before) == 3
    assert len(arm.panes) == 1
    arm.open(samples / "box.glb")
    assert arm.state.methods == before
    arm.open(bones)
    arm.bench.state.update(methods=("dqs", "lbs"))
    arm.open(samples / "box.glb")
    assert arm.state.methods == ("dqs", "lbs")
