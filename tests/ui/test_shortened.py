"""What there is no room for is shortened, and can be read whole all the same."""

from pathlib import Path

import pytest
from glb import joined, parts
from hands import until
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from rigview.ui.settings import told_apart
from rigview.ui.widgets.controls import Chooser
from rigview.ui.widgets.layout import Elided, label, unbroken

LONG = "Armature|mixamo.com|Layer0|Run_Forward_Start_InPlace_v012"


def tip_of(widget):
    """Return what hovering over a widget shows."""
    QToolTip.hideText()
    middle = widget.rect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, middle, widget.mapToGlobal(QPoint(middle)))
    QApplication.sendEvent(widget, event)
    return QToolTip.text()


@pytest.fixture
def shown(qtbot):
    def show(widget, width):
        qtbot.addWidget(widget)
        widget.setFixedWidth(width)
        widget.show()
        return widget

    yield show
    QToolTip.hideText()


def test_a_shortened_label_says_all_where_the_mouse_rests(shown):
    wide, narrow, told = (shown(Elided(), width) for width in (900, 90, 90))
    for words in (wide, narrow, told):
        words.setText(LONG)
    told.setToolTip("another")
    assert (wide.shown, tip_of(wide)) == (LONG, "")
    assert narrow.shown.endswith("…")
    assert tip_of(narrow) == LONG
    assert tip_of(told) == "another"


def test_a_chooser_says_the_long_name_that_is_chosen(shown):
    clips = shown(Chooser([LONG, "Idle"], "Clip"), 120)
    assert clips.shown != LONG
    assert tip_of(clips) == f"Clip: {LONG}"
    clips.setCurrentIndex(1)
    assert tip_of(clips) == "Clip"


def test_the_list_of_a_chooser_is_no_wider_than_it_may_be_and_its_tips_say_all(shown):
    clips = shown(Chooser([8 * LONG, "Idle"], "Clip"), 120)
    clips.showPopup()
    until(clips.view().isVisible)
    assert clips.view().window().width() <= 480
    tips = [clips.itemData(i, Qt.ItemDataRole.ToolTipRole) for i in range(2)]
    assert tips == [8 * LONG, None]
    clips.hidePopup()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("30 of 56 with 2 070 keys in Walk", ["30", "of", "56", "with", "2 070", "keys", "in"]),
        ("by up to 486 % in Death_A", ["by", "up", "to", "486 %", "in", "Death_A"]),
        ("0.347 m away", ["0.347 m", "away"]),
    ],
)
def test_no_line_ends_within_a_number_or_before_its_unit(qapp, text, parts):
    words = unbroken(text).split(" ")
    assert words[: len(parts)] == [part.replace(" ", "\u00a0") for part in parts]
    assert label(text, wrap=True).text() == unbroken(text)
    assert label(text).text() == text


@pytest.mark.parametrize(
    "name",
    [
        "character_Hero_v012_rig_GEO_left_forearm_twist_helper_joint_1",
        "mixamorigLeftForeArmTwistHelperJointOfTheLowerBody",
        "x" * 180,
        "مفصل_الساعد_الأيسر_المساعد_للالتواء_الطويل_جدا_جدا_جدا",
        LONG,
    ],
)
def test_a_long_name_in_a_text_is_no_wider_than_the_narrowest_panel(qapp, name):
    shown = label(f"in {name}: vertices 9, 10, 11", wrap=True)
    assert shown.minimumSizeHint().width() < 200
    assert shown.text().replace("\u200b", "").startswith(f"in {name}: ")


def test_a_sentence_is_read_from_left_to_right_whatever_name_it_begins_with(qapp):
    words = "شخصية.glb is read again."
    assert label(words, wrap=True).text() == f"\u200e{words}"
    for plain in ("hero.glb and شخصية.glb", "1 of 2"):
        assert not unbroken(plain).startswith("\u200e")


def test_long_tool_tips_are_folded_into_lines(shown):
    words = ", ".join(f"joint_{i}" for i in range(60))
    narrow = shown(Elided(), 90)
    narrow.setText(words)
    lines = tip_of(narrow).split("\n")
    assert max(map(len, lines)) <= 90
    assert " ".join(lines) == words


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", ["hero_of_the_long_name_" * 9, "主角" * 30, "x" * 205])
def test_what_is_said_of_a_file_of_a_long_name_fits_and_its_copies_can_be_written(
    arm, samples, tmp_path, name
):
    file = tmp_path / f"{name}.glb"
    document, binary = parts((samples / "arm.glb").read_bytes())
    document["animations"][0]["name"] = name
    file.write_bytes(joined(document, binary))
    arm.open(file)
    commands = arm.window.commands
    assert "22 joints" in arm.bench.status.facts.shown
    for ask in ("units", "save_copy", "screenshot"):
        commands.do(ask)
        until(lambda: arm.dialog is not None)
        assert arm.dialog.width() < 900
        assert arm.dialog.height() < arm.window.height()
        if ask != "units":
            assert arm.dialog.save.isEnabled()
            proposed = arm.dialog.path.text()
            Path(proposed).touch()
            # A name that no system takes is told, and the other is offered again.
            arm.dialog.path.setText(proposed.replace(".", "x" * 200 + "."))
            assert not arm.dialog.save.isEnabled()
            arm.dialog.path.setText(proposed)
            assert arm.dialog.save.isEnabled()
        arm.close_dialogs()
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    arm.open(tmp_path / "broken.glb")
    assert "could not be opened" in arm.bench.message.title.shown
    assert "stays open" in arm.bench.message.title.shown


def test_a_long_message_leaves_room_for_undo_and_keeps_the_name_at_its_end(arm):
    status, said = arm.bench.status, f"Saved /{'folder/' * 60}hero.repaired.glb"
    status.say(said, undoable=True)
    arm.rest()
    for after in (status.undo, status.driver):
        assert after.mapTo(arm.window, after.rect().topRight()).x() < arm.window.width()
    assert status.said.shown.endswith("hero.repaired.glb")
    assert "".join(tip_of(status.said).split()) == "".join(said.split())
    status.say("Saved hero.glb", undoable=False)
    arm.rest()
    assert status.said.shown == "Saved hero.glb"


def test_recent_files_of_one_name_are_told_apart_by_their_folders():
    paths = [
        Path(p)
        for p in ("/show/v1/hero.glb", "/show/v2/hero.glb", "/old/v2/hero.glb", "/a/b & c.glb")
    ]
    assert [name for name, _ in told_apart(paths)] == [
        "hero.glb — show/v1",
        "hero.glb — show/v2",
        "hero.glb — old/v2",
        "b && c.glb",
    ]
    assert [path for _, path in told_apart(paths)] == paths


def test_recent_files_of_long_names_leave_the_menu_narrow():
    ((name, path),) = told_apart([Path(f"/show/{'hero_' * 40}v12.glb")])
    assert len(name) < 60
    assert name.endswith("_v12.glb")
    assert len(path.name) > 200
