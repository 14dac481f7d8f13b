"""A window that is open for days: what is closed is gone, and nothing grows."""

import gc
import os
import platform
import sys
import weakref
from pathlib import Path

import pytest
from hands import idle, pick_segment, press_key, until
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QDialog
from shiboken6 import ownedByPython

from rigview.ui.workers.releasing import give_back

ASKS = ("screenshot", "save_copy", "units", "show_keys", "about")
# One dialog that stays is 13 objects or more, so that a hundred openings show it.
ROUNDS = 20


def open_and_close(hands, ask):
    """Open a dialog, wait until it has done its work, and close it with Esc."""
    hands.window.commands.do(ask)
    until(lambda: hands.dialog is not None)
    until(lambda: not hands.jobs)
    press_key("Escape", hands.dialog)
    idle(0.01)
    # What is to be deleted is so by the loop that a test does not run.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("wait", [0.0, 0.4])
def test_a_dialog_that_is_closed_is_gone(arm, wait):
    for ask in ASKS:
        arm.window.commands.do(ask)
        until(lambda: arm.dialog is not None)
        idle(wait)
        press_key("Escape", arm.dialog)
        arm.rest()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not arm.window.findChildren(QDialog)


def test_no_widget_is_left_to_the_garbage_collection(arm):
    gc.collect()
    before = {id(w) for w in QApplication.topLevelWidgets()}
    for ask in ASKS:
        arm.window.commands.do(ask)
        until(lambda: arm.dialog is not None)
        arm.rest()
        gc.disable()
        new = [w for w in QApplication.topLevelWidgets() if id(w) not in before]
        loose = [w for w in new if w.parent() is None and ownedByPython(w)]
        gc.enable()
        assert not loose, ask
        press_key("Escape", arm.dialog)


def test_to_go_back_to_a_picture_opens_no_other_window(arm):
    arm.window.commands.do("screenshot")
    until(lambda: arm.dialog is not None)
    before = {w for w in QApplication.topLevelWidgets() if w.isVisible()}
    pick_segment(arm.dialog.kind, 1)
    pick_segment(arm.dialog.kind, 0)
    arm.rest()
    assert {w for w in QApplication.topLevelWidgets() if w.isVisible()} == before


def resident():
    """Return how many bytes of this process are in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(
    sys.platform != "linux" or platform.libc_ver()[0] != "glibc", reason="glibc alone keeps it"
)
def test_memory_that_is_freed_between_what_stays_goes_back_to_the_system():
    size, count = 65_536, 1_000
    kept = [bytearray(size) for _ in range(count)]
    last = bytearray(size)
    before = resident()
    kept.clear()
    give_back()
    assert resident() < before - 0.8 * size * count
    assert len(last) == size


@pytest.mark.usefixtures("own_rigs")
def test_a_rig_that_another_has_replaced_is_freed_once_the_work_on_that_has_ended(hands, samples):
    hands.show(samples / "faulty_arm.glb")
    replaced = weakref.ref(hands.document.deformer)
    hands.show(samples / "arm.glb")
    # What is known of the rig before the present one is kept for the checks.
    hands.show(samples / "biped.glb")
    gc.disable()
    try:
        until(lambda: replaced() is None, 60.0)
    finally:
        gc.enable()


def resident_pages():
    """Return how much memory the process has, in pages."""
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.thorough
def test_a_hundred_dialogs_leave_nothing_behind(arm):
    arm.wait_for_dry_runs()

    def figures():
        gc.collect()
        objects = len(arm.window.findChildren(QObject)), len(QApplication.allWidgets())
        return (*objects, len(gc.get_objects()), resident_pages())

    for _ in range(4):
        for ask in ASKS:
            open_and_close(arm, ask)
    children, widgets, python, pages = figures()
    for _ in range(ROUNDS):
        for ask in ASKS:
            open_and_close(arm, ask)
    after = figures()
    assert after[0] <= children + 5
    assert after[1] <= widgets + 5
    assert after[2] <= 1.005 * python
    assert after[3] <= 1.1 * pages
