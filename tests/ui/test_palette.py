"""Whatever has a name is found by typing a part of it, and keys are what the user makes them."""

import pytest
from hands import idle, press_key, until, write_text
from PySide6.QtTest import QTest

from rigview.ui.actions import ACTIONS, BY_ID
from rigview.ui.keys.editor import KeysEditor
from rigview.ui.keys.shortcuts import PRESETS, Shortcuts
from rigview.ui.palette.field import CommandPalette
from rigview.ui.palette.search import places_of
from rigview.ui.settings import Settings


def palette_of(hands):
    return next((p for p in hands.window.findChildren(CommandPalette) if p.isVisible()), None)


def find(hands, text):
    """Open the palette by its key and type; return it."""
    hands.focus_panes()
    hands.key("Ctrl+Shift+P")
    palette = palette_of(hands)
    until(palette.field.hasFocus)
    QTest.keyClicks(palette.field, text)
    return palette


def test_the_palette_does_what_is_typed_and_gives_the_keyboard_back(faulty):
    palette = find(faulty, "weights as")
    assert palette.current.action == "literal_weights"
    press_key("Return", palette.field)
    assert faulty.state.weights == "literal"
    assert palette_of(faulty) is None
    assert faulty.canvas.hasFocus()
    press_key("Return", find(faulty, "@lower").field)
    assert faulty.state.joint == faulty.joint("lowerarm")
    press_key("Return", find(faulty, "#7").field)
    assert faulty.state.time * faulty.state.fps == pytest.approx(7.0)
    rows = faulty.bench.checks.rows
    press_key("Return", find(faulty, "!" + rows[0].finding.rule).field)
    assert rows[0].is_selected
    palette = find(faulty, "undo")
    assert palette.current.why_not == "There is no change to take back."
    assert palette.current.why_not in palette.foot.text()
    press_key("Escape", palette.field)
    assert palette_of(faulty) is None
    palette = find(faulty, "worx")
    assert palette.current is None
    assert "worx" in palette.foot.text()
    faulty.focus_panes()
    idle()
    assert palette_of(faulty) is None


def test_words_are_found_where_words_begin_and_all_of_them_must_be_there():
    assert places_of("pos wor", "Next worst pose") == ((5, 8), (11, 14))
    assert places_of("ose", "Next worst pose") == ((12, 15),)
    assert places_of("worst q", "Next worst pose") is None


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_gives_a_key_to_two_actions(preset):
    shortcuts = Shortcuts(Settings())
    shortcuts.choose(preset)
    assert shortcuts.conflicts == {}
    assert set(PRESETS[preset][1]) <= set(BY_ID)


def test_every_action_has_an_icon_and_words_of_its_own():
    assert all(row.icon or row.kind == "overlay" for row in ACTIONS)
    assert len(BY_ID) == len(ACTIONS) == len({row.text for row in ACTIONS})


def test_keys_are_changed_taken_from_others_and_remembered(arm):
    palette = find(arm, "frame all")
    press_key("Ctrl+Return", palette.field)
    editor = arm.dialog
    assert isinstance(editor, KeysEditor)
    assert editor.chosen == "frame_all"
    until(editor.field.hasFocus)
    press_key("F", editor.field)
    assert "Frame selected" in editor.said.text()
    editor.set_button.click()
    shortcuts = arm.window.shortcuts
    assert shortcuts.keys("frame_all") == ("F",)
    assert shortcuts.keys("frame_selected") == ()
    assert Shortcuts(arm.bench.settings).keys("frame_all") == ("F",)
    write_text(editor.search, "no such action")
    press_key("Escape", editor.search)
    editor.close()
    arm.bench.state.update(joint=arm.joint("hand"))
    arm.bench.panes.frame_selected()
    near = arm.state.camera.distance
    arm.focus_panes()
    arm.key("F")
    assert arm.state.camera.distance > near
    arm.window.shortcuts.choose("blender")
    arm.key("F3")
    press_key("Escape", palette_of(arm).field)
    shortcuts.choose("rigview")
    shortcuts.restore()
    assert shortcuts.keys("frame_selected") == ("F",)
