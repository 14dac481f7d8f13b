"""Preferences: one table fills the dialog, what is chosen counts at once and is remembered."""

import os

import pytest
from hands import choose, until, write_text

from rigview.ui.preferences.rows import BY_KEY, PREFERENCES, first_shading, wanted_methods


@pytest.fixture
def preferring(hands):
    hands.window.commands.do("preferences")
    until(lambda: hands.dialog is not None)
    yield hands
    for row in PREFERENCES:
        hands.bench.settings.write(row.key, row.usual)
        row.take(_desk(hands), row.usual)
    hands.close_dialogs()


def _desk(hands):
    from rigview.ui.preferences.rows import Desk

    return Desk(hands.bench, hands.window.appearance, hands.window.shortcuts)


def pick(hands, key, value):
    choose(hands.dialog.choosers[key], BY_KEY[key].choices[value])


def test_every_row_has_its_line_and_is_remembered(preferring):
    settings = preferring.bench.settings
    assert list(preferring.dialog.choosers) == [row.key for row in PREFERENCES]
    for row in PREFERENCES:
        assert row.usual in row.choices
        other = next(value for value in row.choices if value != row.usual)
        row.choose(_desk(preferring), other)
        assert row.value(settings) == other
        settings.write(row.key, "nonsense")
        assert row.value(settings) == row.usual


def test_a_choice_counts_at_once(preferring):
    pick(preferring, "theme", "light")
    assert preferring.state.theme == "light"
    pick(preferring, "keys preset", "blender")
    assert preferring.window.shortcuts.preset == "blender"
    pick(preferring, "pane 1", "none")
    assert preferring.state.methods == ("lbs", "compensated")
    assert wanted_methods(preferring.bench.settings) == ("lbs", "compensated")


def test_notes_are_signed_by_the_author_that_was_typed(preferring):
    noter, field = preferring.bench.noter, preferring.dialog.author
    account = noter.author
    assert field.text() == account
    write_text(field, "Iryna")
    assert noter.author == "Iryna"
    field.clear()
    assert noter.author == account


def test_a_file_that_changes_is_read_again_by_itself(preferring, samples, tmp_path):
    preferring.close_dialogs()
    copy = tmp_path / "copy.glb"
    copy.write_bytes((samples / "arm.glb").read_bytes())
    preferring.open(copy)
    preferring.bench.settings.write("reload by itself", True)
    before = preferring.rig
    copy.write_bytes((samples / "box.glb").read_bytes())
    os.utime(copy, (1, 1))
    until(lambda: preferring.rig is not before and not preferring.bench.opener.is_busy)
    assert len(preferring.rig.joints) == 2
    assert preferring.bench.message.isHidden()


def test_a_rig_is_shown_by_the_shading_that_was_chosen(preferring, samples):
    settings = preferring.bench.settings
    preferring.close_dialogs()
    preferring.open(samples / "arm.glb")
    assert first_shading(settings, preferring.rig) == {"file_look": True}
    settings.write("shading at first", "stay")
    assert first_shading(settings, preferring.rig) == {}
    settings.write("shading at first", "textured")
    assert first_shading(settings, preferring.rig) == {}
    settings.write("shading at first", "clay")
    preferring.bench.state.update(shading="weights")
    preferring.open(samples / "box.glb")
    assert preferring.state.shading == "clay"
    assert not preferring.state.file_look
