"""Dark and light: chosen in the window, kept, and the same as if the window had opened so."""

import numpy as np
import pytest
from hands import Hands, idle, opened_window, pixels, until
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from rigview.assets import rgb, theme
from rigview.ui.settings import Settings


@pytest.fixture
def settings(monkeypatch):
    monkeypatch.setenv("RIGVIEW_SETTINGS", ":memory:")
    return Settings()


def entry(hands, title):
    """Return what is called so among View > Colours."""
    (view,) = (a.menu() for a in hands.window.bar.menus.actions() if a.text() == "View")
    (colours,) = (a.menu() for a in view.actions() if a.text() == "Colours")
    colours.aboutToShow.emit()
    (found,) = (a for a in colours.actions() if a.text() == title)
    return found


def picture(hands):
    """Return the whole window as it is painted."""
    hands.wait_for_dry_runs()
    hands.rest()
    idle(0.3)
    return pixels(hands.window.grab())


def work_on(window, rig):
    """Open a rig, choose a joint and a finding."""
    hands = Hands(window)
    hands.show(rig)
    hands.click_joint("lowerarm")
    hands.bench.checks.choose(hands.bench.checks.rows[0].finding)
    hands.bench.message.show_message("warning", "Something", "and why")
    return hands


def test_a_window_that_is_switched_looks_as_one_that_opened_so(qapp, samples, settings):
    rig = samples / "faulty_arm.glb"
    with opened_window(settings) as window:
        hands = work_on(window, rig)
        dark = picture(hands)
        entry(hands, "Light").trigger()
        switched = picture(hands)
    with opened_window(settings) as window:
        hands = work_on(window, rig)
        assert entry(hands, "Light").isChecked()
        assert not entry(hands, "Dark").isChecked()
        born = picture(hands)
        entry(hands, "Dark").trigger()
        assert np.abs(picture(hands).astype(int) - dark).max(axis=2).mean() < 0.01
    off = np.abs(switched.astype(int) - born).max(axis=2)
    assert off.mean() < 0.01, np.argwhere(off > 8)[:5]
    ground = 255 * np.array(rgb(theme("light")["background1"]))
    assert (np.abs(switched - ground).max(axis=2) < 1.5).mean() > 0.1


def test_the_desktop_is_followed_where_that_is_chosen(arm, monkeypatch):
    hints = QGuiApplication.styleHints()
    says = Qt.ColorScheme.Light
    monkeypatch.setattr(type(hints), "colorScheme", lambda _hints: says)
    appearance = arm.window.appearance
    assert arm.state.theme == "dark"
    appearance.choose("desktop")
    assert arm.state.theme == "light"
    says = Qt.ColorScheme.Dark
    hints.colorSchemeChanged.emit(says)
    assert arm.state.theme == "dark"
    says = Qt.ColorScheme.Light
    appearance.choose("dark")
    hints.colorSchemeChanged.emit(says)
    assert arm.state.theme == "dark"


def test_a_theme_that_nobody_knows_is_the_first(arm):
    arm.bench.settings.write("theme", "solarised")
    assert arm.window.appearance.choice == "dark"
    until(lambda: arm.state.theme == "dark")
