"""Several rigs in one window: each keeps its view and its undo steps, and what is closed is freed."""

import gc
import weakref

import pytest
from hands import QTest, click, idle, press_key, until
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QTabBar

from rigview.core.deform import Deformer


def close_all(hands):
    while hands.bench.rigs.rigs:
        hands.bench.rigs.drop(0)
    hands.rest()


@pytest.fixture
def two(hands, samples):
    """Hands at a window with the arm and the box open, the box shown."""
    close_all(hands)
    hands.bench.open_beside([samples / "arm.glb", samples / "box.glb"])
    until(lambda: len(hands.bench.rigs.rigs) == 2 and not hands.bench.opener.is_busy)
    hands.rest()
    yield hands
    hands.close_dialogs()
    close_all(hands)


def names(hands):
    tabs = hands.window.tabs.tabs
    return [tabs.tabText(i) for i in range(tabs.count())]


def change(hands, name="Nothing much"):
    hands.document.replace(Deformer(hands.rig), name)


def test_one_rig_has_no_tabs(arm):
    assert arm.window.tabs.isHidden()


def test_every_dropped_file_has_its_tab(hands, samples):
    close_all(hands)
    assert hands.drop(samples / "arm.glb", samples / "box.glb", samples / "chain.glb")
    until(lambda: len(names(hands)) == 3)
    hands.rest()
    assert names(hands) == ["arm.glb", "box.glb", "chain.glb"]
    assert hands.document.path.name == "chain.glb"
    close_all(hands)


def test_a_tab_keeps_view_and_undo(two):
    change(two, "Try the box")
    two.bench.state.update(shading="weights", joint=two.rig.joints[1])
    seen, deformer = two.state, two.document.deformer
    two.window.tabs.tabs.setCurrentIndex(0)
    two.rest()
    assert two.document.path.name == "arm.glb"
    assert two.document.undo_name is None
    assert two.state.joint is None
    two.key("Ctrl+Tab")
    two.rest()
    assert two.document.undo_name == "Try the box"
    assert two.document.deformer is deformer
    assert two.state == seen


def test_ctrl_tab_goes_round(two):
    for wanted in ("arm.glb", "box.glb", "arm.glb"):
        two.key("Ctrl+Tab")
        two.rest()
        assert two.document.path.name == wanted


def test_a_file_that_is_open_is_shown_and_not_opened_twice(two, samples):
    two.bench.open_path(samples / "arm.glb")
    two.rest()
    assert names(two) == ["arm.glb", "box.glb"]
    assert two.document.path.name == "arm.glb"


def test_what_is_unsaved_is_marked_and_asked_for(two):
    change(two)
    assert [mark[1] for mark in two.window.tabs.tabs.marks] == [False, True]
    assert "not saved" in two.window.tabs.tabs.accessibleTabName(1)
    two.key("Ctrl+Tab")
    two.rest()
    close = two.window.tabs.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    click(close)
    until(lambda: two.dialog is not None)
    assert two.document.path.name == "box.glb"
    press_key("Escape", two.dialog)
    idle()
    assert names(two) == ["arm.glb", "box.glb"]
    click(close)
    until(lambda: two.dialog is not None)
    two.dialog.answered.emit("Discard")
    two.dialog.close()
    two.rest()
    assert names(two) == ["arm.glb"]
    assert two.document.path.name == "arm.glb"


def test_to_quit_asks_for_every_unsaved_rig(two):
    change(two)
    two.key("Ctrl+Tab")
    two.rest()
    change(two)
    two.window.close()
    until(lambda: two.dialog is not None)
    assert two.document.path.name == "arm.glb"
    two.dialog.answered.emit("Discard")
    until(lambda: two.document.path.name == "box.glb")
    two.close_dialogs()
    assert two.window.isVisible()
    assert names(two) == ["arm.glb", "box.glb"]
    two.window.given_up.clear()


def test_the_last_rig_that_is_closed_leaves_the_start_page(two):
    two.key("Ctrl+W")
    two.rest()
    assert names(two) == ["arm.glb"]
    two.key("Ctrl+W")
    two.rest()
    assert two.document.rig is None
    assert two.bench.start_page.isVisible()
    assert two.window.windowTitle() == "rigview"


@pytest.mark.usefixtures("own_rigs")
def test_a_rig_that_is_closed_is_freed(two):
    rig = weakref.ref(two.rig)
    two.key("Ctrl+W")
    two.rest()
    two.wait_for_dry_runs()
    two.picture()

    def is_freed():
        gc.collect()
        return rig() is None

    until(is_freed)


def test_a_tab_that_is_dragged_keeps_its_rig(two):
    tabs = two.window.tabs.tabs
    tabs.moveTab(1, 0)
    assert names(two) == ["box.glb", "arm.glb"]
    tabs.setCurrentIndex(1)
    two.rest()
    assert two.document.path.name == "arm.glb"


def test_the_middle_button_closes_a_tab(two):
    tabs = two.window.tabs.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.MiddleButton, pos=tabs.tabRect(0).center())
    two.rest()
    assert names(two) == ["box.glb"]


def test_tabs_tell_the_worst_finding(two):
    marks = two.window.tabs.tabs
    until(lambda: marks.marks[1][0])
    two.key("Ctrl+Tab")
    until(lambda: all(severity for severity, _ in marks.marks))
    counts = two.bench.checker.report.counts()
    worst = "error" if counts["error"] else "warning" if counts["warning"] else "ok"
    assert marks.marks[0][0] == worst


def test_keys_of_tabs_are_no_others(two):
    keys = two.window.commands.actions["close_rig"].shortcuts()
    assert keys == [QKeySequence("Ctrl+W")]
    assert not two.window.shortcuts.conflicts
