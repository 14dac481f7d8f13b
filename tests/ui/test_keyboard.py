"""The window without a mouse: where keys lead, and whether one sees it."""

import numpy as np
from hands import click, focus, pick_segment, pixels, press_key, until, write_text
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from rigview.ui.widgets import theme


def shows_its_focus(widget):
    """Tell whether a widget that has the focus looks otherwise than without it; it keeps the focus."""
    held = pixels(widget.grab())
    reason = Qt.FocusReason.TabFocusReason
    widget.clearFocus()
    without = pixels(widget.grab())
    widget.setFocus(reason)
    return not np.array_equal(held, without)


def test_tab_goes_through_all_parts_and_each_shows_that_it_was_reached(faulty):
    faulty.click_joint("hand")
    faulty.wait_for_dry_runs()
    focus(faulty.bench.tree.search)
    first = QApplication.focusWidget()
    seen, silent = [], []
    while QApplication.focusWidget() not in seen:
        here = QApplication.focusWidget()
        seen.append(here)
        if not shows_its_focus(here):
            silent.append(here.accessibleName() or str(here))
        press_key("Tab", here)
    assert QApplication.focusWidget() is first
    assert not silent
    bench = faulty.bench
    parts = (bench.tree, bench.headers, bench.canvas, bench.plots, bench.inspector, bench.checks)
    reached = [next(i for i, w in enumerate(seen) if w is p or p.isAncestorOf(w)) for p in parts]
    assert reached == sorted(reached)


def test_f6_goes_through_the_regions(arm):
    # The curves are a region while there are any, and joints have some.
    arm.click_joint("hand")
    until(arm.bench.plots.graph.isVisible)
    seen = []
    for _ in range(6):
        arm.key("F6")
        seen.append(QApplication.focusWidget())
        assert shows_its_focus(seen[-1])
    assert len(set(seen)) == 6
    assert arm.canvas in seen
    assert arm.bench.tree.search in seen


def test_the_mouse_leads_into_the_panes_without_a_mark(arm):
    area = arm.panes[0]
    focus(arm.bench.tree.search)
    away = arm.picture()
    click(arm.canvas, area.bottomLeft() + QPointF(3, -3))
    assert arm.canvas.hasFocus()
    assert np.array_equal(arm.picture(), away)


def test_space_plays_wherever_the_focus_is_but_in_a_text(arm):
    arm.click_joint("hand")
    until(arm.bench.plots.graph.isVisible)
    focus(arm.bench.tree.search)
    stops = []
    while QApplication.focusWidget() not in stops:
        here = QApplication.focusWidget()
        stops.append(here)
        before = arm.state.playing
        press_key("Space", here)
        is_text = isinstance(here, QLineEdit | QPlainTextEdit)
        assert (arm.state.playing == before) == is_text, here.accessibleName() or here
        arm.bench.state.update(playing=False)
        press_key("Tab", here)
    assert len(stops) > 20
    assert arm.bench.tree.search.text() == " "


def test_letters_are_keys_in_a_number_and_after_it(arm):
    arm.click_joint("hand")
    pick_segment(arm.bench.inspector.trial.split, 1)
    for field in (arm.bench.inspector.trial.euler[0], arm.bench.timeline.frame):
        for leave in (None, "Return"):
            arm.bench.state.update(shading="clay")
            write_text(field, "12")
            if leave is not None:
                press_key(leave)
                assert arm.canvas.hasFocus()
                assert field.value() == 12.0
            press_key("W")
            assert arm.state.shading == "weights"


def test_a_number_that_cannot_be_changed_has_no_face_of_a_field(arm):
    arm.click_joint("hand")
    pick_segment(arm.bench.inspector.trial.split, 1)
    ground, face = (QColor(theme.hex_of(token)) for token in ("background1", "field"))
    for fields, token in (
        (arm.bench.inspector.fields[0], ground),
        (arm.bench.inspector.trial.euler, face),
    ):
        for field in fields:
            shown = (
                field.window()
                .grab(QRect(field.mapTo(arm.window, QPoint()), field.size()))
                .toImage()
            )
            # Between the strip of its axis and the figures, which stand at the right.
            assert shown.pixelColor(6, 3) == token
