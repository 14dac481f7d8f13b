"""Dark and light: chosen in the window, kept, and the same as if the window had opened so."""

import numpy as np
import pytest
from hands import Hands, idle, opened_window, pixels, press_key, until
from painted import texts
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from rigview.assets import rgb, theme
from rigview.ui.app import make_application
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


@pytest.mark.thorough
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


# WCAG 2, AA. What is disabled has no limit there; UI.md lists the colours.
LEAST_CONTRAST = 4.5
OTHER = {"dark": "light", "light": "dark"}


def pale(widget, name):
    """Return the texts of a widget that cannot be read in a theme, and in which contrast they stand."""
    written = texts(widget)
    assert written
    off = theme(name)["off"]
    return {
        t.words: round(t.contrast, 2)
        for t in written
        if t.contrast < LEAST_CONTRAST and t.colour != off
    }


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("opengl", [None, False], ids=["opengl", "painted panes"])
@pytest.mark.parametrize("name", OTHER)
def test_every_text_can_be_read_in_either_theme(qapp, samples, settings, name, opengl):
    settings.write("theme", name)
    # As a start does it, whatever theme was in use before.
    make_application()
    with opened_window(settings, opengl=opengl) as window:
        assert not pale(window.bench.start_page, name)
        hands = work_on(window, samples / "faulty_arm.glb")
        hands.wait_for_dry_runs()
        assert not pale(window, name)
        # A dialog that was made before the switch is shown again after it.
        for shown in (name, OTHER[name]):
            window.appearance.choose(shown)
            hands.rest()
            assert not pale(window, shown)
            for ask in ("screenshot", "save_copy", "units", "show_keys", "about"):
                window.commands.do(ask)
                until(lambda: hands.dialog is not None)
                hands.rest()
                assert not pale(hands.dialog, shown), ask
                press_key("Escape", hands.dialog)


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
