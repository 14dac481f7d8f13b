"""Nothing is clipped and nothing overlaps at the sizes people have; what was arranged stays."""

from dataclasses import replace
from itertools import combinations

import pytest
from hands import Hands, click, drag, idle, opened_window, press_key
from PySide6.QtCore import QPointF, QRect
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDockWidget, QLabel, QWidget

from rigview.ui.actions import ACTIONS, MENUS, MOUSE, WITHIN
from rigview.ui.keys.shortcuts import shown
from rigview.ui.settings import Settings
from rigview.ui.widgets.controls import SegmentedControl
from rigview.ui.widgets.layout import Elided

SIZES = [(1024, 640), (1280, 720), (1500, 940)]

# The keys of the design's section on the window.
KEYS = (
    "Space", "Right", "Left", "Shift+Right", "Shift+Left", "Alt+Right", "Alt+Left", "Up", "Down",
    "Home", "End", "F", "A", "1", "3", "7", "5", "H", "Shift+H", "Alt+H", "X", "L", "W", "F12",
    "Ctrl+R", "Ctrl+F", "F1",
)  # fmt: skip


def within(widget, window):
    return QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())


def texts(window):
    """Return all widgets that can be seen and write a text that must not be cut."""
    kinds = (QLabel, QAbstractButton, QComboBox, SegmentedControl)
    widgets = [w for kind in kinds for w in window.findChildren(kind)]
    return [w for w in widgets if w.isVisible() and not w.visibleRegion().isEmpty()]


def clipped(window):
    """Return what has less room than its text needs, unless it shortens or wraps its text."""
    result = []
    for widget in texts(window):
        if isinstance(widget, Elided) or (isinstance(widget, QLabel) and widget.wordWrap()):
            continue
        if isinstance(widget, QLabel) and not widget.text():
            continue
        if isinstance(widget, QAbstractButton) and not widget.text():
            continue
        if widget.width() < widget.sizeHint().width() - 1:
            name = widget.text() if hasattr(widget, "text") else widget.accessibleName()
            result.append((type(widget).__name__, name, widget.width(), widget.sizeHint().width()))
    return result


def overlapping(window):
    """Return pairs of siblings that write over one another."""
    by_parent = {}
    for widget in texts(window):
        by_parent.setdefault(widget.parentWidget(), []).append(widget)
    return [
        (first.accessibleName(), second.accessibleName())
        for siblings in by_parent.values()
        for first, second in combinations(siblings, 2)
        if first.geometry().intersects(second.geometry())
    ]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_no_text_is_clipped_or_written_over_another(faulty, size):
    faulty.window.resize(*size)
    faulty.window.arrangement.reset()
    faulty.rest()
    for joint in ("lowerarm", "lowerarm_twist_02"):
        faulty.bench.state.update(joint=faulty.joint(joint), vertex=None)
        idle()
        assert clipped(faulty.window) == []
        assert overlapping(faulty.window) == []
    assert (faulty.window.width(), faulty.window.height()) == size


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_docks_and_panes_do_not_overlap_and_stay_inside(faulty, size):
    faulty.window.resize(*size)
    faulty.window.arrangement.reset()
    faulty.rest()
    window = faulty.window
    shown = [d for d in window.findChildren(QDockWidget) if d.isVisible()]
    # What is a tab behind another one is nowhere.
    parts = [d for d in shown if not d.visibleRegion().isEmpty()]
    areas = [within(w, window) for w in (*parts, window.centralWidget(), window.bar)]
    for i, area in enumerate(areas):
        assert window.rect().contains(area)
        assert not any(area.intersects(other) for other in areas[i + 1 :])
    assert all(area.width() >= 150 for area in faulty.panes)
    assert all(area.height() >= 160 for area in faulty.panes)


def test_the_inspector_is_as_wide_as_its_panel_at_the_least(arm):
    arm.window.resize(1024, 700)
    arm.bench.state.update(joint=arm.joint("hand"), vertex=(0, 0))
    arm.rest()
    area = arm.bench.inspector
    assert area.widget().width() <= area.viewport().width()
    field = arm.bench.inspector.fields[1][2]
    assert field.lineEdit().width() >= field.fontMetrics().horizontalAdvance("-179.99°")


def test_what_has_no_room_folds_and_comes_back(arm):
    arm.window.resize(1024, 640)
    idle()
    docks = arm.window.arrangement.docks
    assert docks["Joints"].isHidden()
    assert arm.bench.plots.is_folded
    click(arm.window.arrangement.edge_tab)
    assert docks["Joints"].isVisible()
    assert arm.bench.worst_strip.is_folded
    arm.window.resize(1280, 720)
    idle()
    assert docks["Joints"].isVisible()
    # Where there is room for one of the two, where a character breaks is asked first.
    assert arm.bench.plots.is_folded
    assert not arm.bench.worst_strip.is_folded
    arm.window.resize(1280, 900)
    idle()
    assert not arm.bench.plots.is_folded


def test_plots_fold_where_they_would_be_empty_and_all_folds_while_weights_are_painted(arm):
    bench, heights = arm.bench, []

    def height():
        idle()
        heights.append(min(area.height() for area in arm.panes))
        return bench.plots.is_folded, bench.worst_strip.is_folded

    bench.state.update(joint=arm.joint("hand"), shading="weights")
    assert height() == (False, False)
    arm.key("P")
    assert height() == (True, True)
    arm.key("P")
    assert height() == (False, False)
    assert heights[1] > heights[0] == heights[2]
    without = arm.document.deformer.of_changed(replace(arm.rig, clips=()))
    arm.document.replace(without, "Take the clips away")
    assert height() == (True, False)
    arm.document.undo()
    assert height() == (False, False)


def test_the_sheet_of_f1_shows_every_key_of_the_design(arm):
    arm.key("F1")
    texts = {w.text() for w in arm.dialog.findChildren(QLabel)}
    words = texts | {part for text in texts for part in text.split(", ")}
    assert {shown(key) for key in KEYS} <= words
    assert {shown(key) for row in ACTIONS for key in row.keys} <= words
    assert {text for _, text in MOUSE} <= words
    assert clipped(arm.dialog) == []
    press_key("Escape", arm.dialog)
    assert arm.dialog is None


def menus_of(parent):
    """Return all menus of a menu or menu bar, those within others too."""
    own = [entry.menu() for entry in parent.actions() if entry.menu() is not None]
    return [*own, *(below for menu in own for below in menus_of(menu))]


def test_every_action_that_has_a_key_is_in_a_menu_with_it(arm):
    listed = {entry for menu in menus_of(arm.window.bar.menus) for entry in menu.actions()}
    assert listed >= set(arm.window.commands.actions.values())


def test_menus_fit_below_their_titles_on_the_smallest_screen(arm):
    bar = arm.window.bar
    # Recent files and samples are as many as there are; Qt stands long lists in columns.
    high = {m.title(): m.sizeHint().height() for m in menus_of(bar.menus)}
    assert max(high[name] for name in (*MENUS, *WITHIN)) <= 720 - bar.height(), high


def test_buttons_without_words_say_what_they_do(arm):
    for button in arm.window.findChildren(QAbstractButton):
        ours = type(button).__module__.startswith("rigview")
        if ours and button.isVisible() and not button.text():
            assert button.accessibleName(), button
            assert button.toolTip(), button


def test_size_and_docks_are_remembered(qapp):
    with opened_window(size=(1380, 800)) as first:
        hands = Hands(first)
        first.arrangement.docks["Inspector"].hide()
        idle()
        settings = hands.bench.settings
        first.close()
    with opened_window(settings, size=(1380, 800)) as second:
        assert second.arrangement.docks["Inspector"].isHidden()
        assert second.arrangement.docks["Checks"].isVisible()
        assert (second.width(), second.height()) == (1380, 800)


def test_settings_that_cannot_be_kept_are_told_once(qapp, samples, tmp_path, monkeypatch):
    (tmp_path / "full").touch()
    monkeypatch.setenv("RIGVIEW_SETTINGS", str(tmp_path / "full" / "rigview.ini"))
    with opened_window(Settings()) as window:
        hands = Hands(window)
        hands.open(samples / "box.glb")
        said = window.bench.status.said
        assert said.text() == (
            f"Layout and recent files are not kept: {tmp_path}/full/rigview.ini cannot be written."
        )
        hands.open(samples / "arm.glb")
        assert said.text() == ""


def test_settings_that_can_be_kept_are_not_spoken_of(qapp, samples, tmp_path, monkeypatch):
    monkeypatch.setenv("RIGVIEW_SETTINGS", str(tmp_path / "rigview.ini"))
    with opened_window(Settings()) as window:
        Hands(window).open(samples / "box.glb")
        assert window.bench.status.said.text() == ""
    assert Settings().recent == [samples / "box.glb"]


def test_the_original_layout_comes_back(arm):
    docks = arm.window.arrangement.docks
    docks["Inspector"].hide()
    arm.window.bar.layout_asked.emit()
    idle()
    assert docks["Inspector"].isVisible()


def test_a_dock_that_floats_keeps_the_panes_drawing(arm):
    arm.window.arrangement.reset()
    idle(0.1)
    before = arm.picture(0)
    dock = arm.window.arrangement.docks["Joints"]
    dock.setFloating(True)
    idle(0.1)
    dock.setFloating(False)
    arm.window.arrangement.reset()
    idle(0.1)
    assert arm.picture(0).shape == before.shape
    assert arm.picture(0)[30:-60].std() > 5.0


def test_the_order_of_tab_goes_from_the_bar_to_the_timeline(arm):
    stops, widget = [], arm.window.bar
    while widget not in stops:
        stops.append(widget)
        widget = widget.nextInFocusChain()
    order = [arm.window.bar.shading, arm.bench.tree.search, arm.canvas, arm.bench.checks.profile]
    order.append(arm.bench.timeline.play)
    places = [stops.index(w) for w in order]
    assert places == sorted(places)


def test_a_splitter_moves_room_between_panes_and_plots(arm):
    splitter = arm.window.arrangement.splitter
    handle = splitter.handle(1)
    before = arm.canvas.height()
    middle = QPointF(handle.rect().center())
    drag(handle, middle, middle - QPointF(0, 60))
    idle()
    assert arm.canvas.height() < before
    assert isinstance(handle, QWidget)


def test_in_the_smallest_window_the_profile_is_read_from_its_beginning(arm):
    arm.window.resize(1024, 640)
    arm.rest()
    profile = arm.bench.checks.profile
    assert profile.currentText().startswith(profile.shown.rstrip("…"))
    assert profile.shown.startswith("gltf")
