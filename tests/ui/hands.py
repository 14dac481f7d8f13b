"""Hands at the window: keys and mouse as a person uses them, and eyes on what comes of it."""

import time
from contextlib import contextmanager
from dataclasses import fields

import numpy as np
from PySide6 import __version_info__
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QImage,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QWidget,
)

from rigview.ui.app import has_opengl
from rigview.ui.settings import Settings
from rigview.ui.view_state import ViewState
from rigview.ui.window import Window
from rigview.ui.workers.restoring import view_at_first

LEFT, MIDDLE, RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)
NONE, SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
SIZE = (1280, 900)
SCAN_LATER_MS = 3_600_000


@contextmanager
def opened_window(settings=None, *, opengl=None, size=SIZE):
    """Show a window and close it at the end, whatever is changed in it."""
    window = Window(settings or Settings(), opengl=has_opengl() if opengl is None else opengl)
    # Scans of clips would take the processor from what is tested; who tests them says so.
    window.bench.scanner.quiet_timer.setInterval(SCAN_LATER_MS)
    window.bench.worst_scanner.quiet_timer.setInterval(SCAN_LATER_MS)
    # Pictures are compared: none becomes smooth in between.
    window.bench.panes.stillness.set_interval(SCAN_LATER_MS)
    window.resize(*size)
    window.show()
    window.activateWindow()
    # Its own 5 s are short on a machine that is busy with other things.
    assert QTest.qWaitForWindowActive(window, 30_000)
    try:
        yield window
    finally:
        Hands(window).leave()


def until(condition, seconds=20.0):
    """Let the window work until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to be so"
        QApplication.processEvents()
        time.sleep(0.002)


def idle(seconds=0.05):
    """Let the window work for a while."""
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end)


def pixels(picture):
    """Return ``(H, W, 3)`` colours of a QImage or QPixmap."""
    picture = picture if isinstance(picture, QImage) else picture.toImage()
    picture = picture.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), -1)
    return rows[:, : 4 * picture.width()].reshape(picture.height(), -1, 4)[..., :3].copy()


def press_key(keys, widget=None):
    """Press "Ctrl+Shift+Z" where the focus is, or in a widget."""
    combination = QKeySequence(keys)[0]
    target = widget or QApplication.activePopupWidget() or QApplication.focusWidget()
    target = target or QApplication.activeWindow()
    QTest.keyClick(target, combination.key(), combination.keyboardModifiers())


def click(widget, at=None, button=LEFT, held=NONE):
    """Click a widget in its middle, or somewhere in it."""
    place = widget.rect().center() if at is None else QPointF(at).toPoint()
    QTest.mouseClick(widget, button, held, place)


def drag(widget, start, end, button=LEFT, held=NONE, *, release=True):
    """Drag over a widget in a few moves."""
    start, end = QPointF(start), QPointF(end)
    QTest.mousePress(widget, button, held, start.toPoint())
    for share in (0.25, 0.5, 0.75, 1.0):
        at = QPointF((start + share * (end - start)).toPoint())
        moved = QMouseEvent(
            QEvent.Type.MouseMove, at, widget.mapToGlobal(at), Qt.MouseButton.NoButton, button, held
        )
        QApplication.sendEvent(widget, moved)
        QApplication.processEvents()
    if release:
        QTest.mouseRelease(widget, button, held, end.toPoint())


def wheel(widget, at, notches, held=NONE):
    """Turn the wheel over a place; positive is away from oneself."""
    place = QPointF(at)
    event = QWheelEvent(
        place,
        widget.mapToGlobal(place),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def drag_over(widget, at, data):
    """Drag what is in the data over a point of a widget; tell whether it would be taken."""
    # Which of the two it wants is another from Qt 6.12 on.
    point = QPointF(at) if __version_info__ >= (6, 12) else at
    entered = QDragEnterEvent(point, Qt.DropAction.CopyAction, data, LEFT, NONE)
    QApplication.sendEvent(widget, entered)
    return entered.isAccepted()


def write_text(field, text):
    """Replace what a field holds by typing."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def choose(chooser, text):
    """Take an entry of a drop-down list with the keyboard."""
    wanted = chooser.findText(text)
    assert wanted >= 0, f"{text} is not offered"
    assert QTest.qWaitForWindowActive(chooser.window())
    while chooser.currentIndex() != wanted:
        before = chooser.currentIndex()
        focus(chooser)
        press_key("Down" if wanted > before else "Up", chooser)
        assert chooser.currentIndex() != before, f"the key went to {QApplication.focusWidget()}"


def focus(widget):
    """Give a widget the keyboard; until it has it, arrow keys still step through the clip."""

    def has_it():
        if not widget.hasFocus():
            widget.window().activateWindow()
            widget.setFocus()
        return widget.hasFocus()

    until(has_it)


def when_asked_for_a_file(path):
    """Type a path into the file dialog that is about to open, and press Return."""

    def type_it(tries=100):
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog) and tries:
            # On a busy machine it takes its time; what asks for the file may be a dialog, too.
            QTimer.singleShot(100, lambda: type_it(tries - 1))
            return
        try:
            assert isinstance(dialog, QFileDialog)
            write_text(dialog.findChild(QLineEdit), str(path))
            press_key("Return", dialog)
        finally:
            # It must not stay open, whatever went wrong.
            if dialog is not None and dialog.isVisible():
                dialog.close()

    QTimer.singleShot(300, type_it)


def pick_segment(segments, number):
    """Click an item of a row of choices."""
    click(segments, segments.item_rect(number).center())


def click_action(menu, text):
    """Click an entry of an open menu."""
    entries = {action.text(): action for action in menu.actions()}
    click(menu, menu.actionGeometry(entries[text]).center())


class Hands:
    """A person at a window; what is asked of the window afterwards is what that person sees."""

    def __init__(self, window):
        self.window, self.bench = window, window.bench

    # --- short ways to what is asked most -----------------------------------------------------

    @property
    def document(self):
        return self.bench.document

    @property
    def rig(self):
        return self.bench.document.rig

    @property
    def state(self):
        return self.bench.state.value

    @property
    def canvas(self):
        return self.bench.canvas

    @property
    def panes(self):
        return self.bench.panes.logical_panes()

    def joint(self, name):
        return self.rig.nodes.names.index(name)

    def finding(self, rule):
        """Return the row of a rule's finding; where it is a note, the notes are listed first."""
        panel = self.bench.checks
        rows = [row for row in panel.rows if row.finding.rule == rule]
        if not rows and rule in {finding.rule for finding in self.bench.checker.report.notes}:
            panel.notes.click()
            rows = [row for row in panel.rows if row.finding.rule == rule]
        return rows[0]

    @property
    def sees_preview(self):
        return self.bench.stage.deformer is not self.bench.document.deformer

    @property
    def dialog(self):
        """The dialog that is open."""
        shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog)]
        return next((w for w in shown if w.isVisible()), None)

    # --- keys and mouse -----------------------------------------------------------------------

    def key(self, keys):
        """Press keys where the focus is: in the dialog that is open, else in the window."""
        self.come_to_the_front()
        press_key(keys)

    def come_to_the_front(self):
        """Wait until the dialog that is open, else the window, has the keyboard."""
        front = self.dialog or self.window
        if QApplication.activeWindow() is not front and QApplication.activePopupWidget() is None:
            # Without a window manager nobody brings a window to the front but the window itself.
            front.activateWindow()
            until(lambda: QApplication.activeWindow() is front)

    def focus_panes(self):
        self.canvas.setFocus()

    def click_joint(self, name):
        """Click a joint in the tree."""
        tree = self.bench.tree
        item = tree.item(self.joint(name))
        tree.tree.scrollToItem(item)
        click(tree.tree.viewport(), tree.tree.visualItemRect(item).center())

    def place_of(self, point, pane=0):
        """Return where a point of model space is on the canvas."""
        area = self.panes[pane]
        x, y, _ = self.state.camera.project(np.asarray(point), area.width(), area.height())
        return QPointF(area.x() + float(x), area.y() + float(y))

    def drop(self, *paths):
        """Drop files on the middle of the window; tell whether they were taken."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        middle = self.window.rect().center()
        target = self.window.childAt(middle) or self.window
        at = target.mapFrom(self.window, middle)
        if not drag_over(target, at, data):
            return False
        dropped = QDropEvent(QPointF(middle), Qt.DropAction.CopyAction, data, LEFT, NONE)
        QApplication.sendEvent(self.window, dropped)
        return dropped.isAccepted()

    def menu(self, *names):
        """Open menus one in the other and click the last entry."""
        bar = self.window.bar.menus
        title = next(a for a in bar.actions() if a.text() == names[0])
        click(bar, bar.actionGeometry(title).center())
        menu = title.menu()
        for name in names[1:-1]:
            click_action(menu, name)
            menu = next(a.menu() for a in menu.actions() if a.text() == name)
            until(menu.isVisible)
        click_action(menu, names[-1])

    # --- waiting ------------------------------------------------------------------------------

    def rest(self):
        """Wait until all work has ended but what nobody waits for, and what came of it is drawn."""
        until(lambda: not self.jobs - {"measuring fixes", "scanning"}, 60.0)
        until(lambda: self.bench.checks.is_filled)
        idle(0.02)

    def wait_for_dry_runs(self):
        """Wait until it is known what every fix moves."""
        until(lambda: "measuring fixes" not in self.jobs, 60.0)
        idle(0.02)

    @property
    def jobs(self):
        """The names of the work under way."""
        return {job.name for job in self.bench.jobs.running}

    def open(self, path):
        """Open a file; asking a dialog for it is a test of its own."""
        self.bench.open_path(path)
        until(lambda: not self.bench.opener.is_busy)
        self.rest()

    def show(self, path):
        """Have a file open, as if it was just opened."""
        if self.document.path == path and not self.document.changes:
            self.bench.panes.frame_all()
            self.canvas.setFocus()
            self.rest()
        else:
            self.open(path)

    # --- pictures -----------------------------------------------------------------------------

    def picture(self, pane=None):
        """Return ``(h, w, 3)`` what a pane shows now, or all of them."""
        QApplication.processEvents()
        canvas = self.canvas
        grabbed = canvas.grabFramebuffer() if hasattr(canvas, "grabFramebuffer") else canvas.grab()
        shown = pixels(grabbed)
        if pane is None:
            return shown
        area = self.panes[pane].toRect()
        return shown[area.top() : area.bottom() + 1, area.left() : area.right() + 1]

    # --- between tests ------------------------------------------------------------------------

    def close_dialogs(self):
        for widget in QApplication.topLevelWidgets():
            closable = isinstance(widget, QDialog | QMenu)
            if (closable or widget.windowType() == Qt.WindowType.Popup) and widget.isVisible():
                widget.close()

    def tidy(self):
        """Leave nothing over from the test before, but the rig that is open."""
        self.close_dialogs()
        self.bench.cancel_work()
        while self.document.undo_name is not None:
            self.document.undo()
        if self.document.is_changed:
            # A later state was saved; nobody shall be asked about that.
            self.document.mark_saved()
        self.bench.previewer.leave()
        self.bench.retargeter.leave()
        self.bench.message.hide()
        self.bench.checks.choose(None)
        self.bench.checker.show_excused(False)
        self.bench.checker.set_configured(True)
        self.bench.checker.set_profile(self.bench.checker.studio_profile or "gltf")
        self.bench.tree.search.clear()
        self.bench.tree.only_findings.setChecked(False)
        self.bench.plots.kind.choose(0)
        self.bench.inspector.space.choose(0)
        self.bench.panes.preset = "maya"
        self.bench.state.update(**self._first_view())
        if (self.window.width(), self.window.height()) != SIZE:
            self.window.resize(*SIZE)
            self.window.arrangement.reset()
        self.window.activateWindow()
        self.rest()

    def _first_view(self):
        fresh = ViewState()
        view = {f.name: getattr(fresh, f.name) for f in fields(fresh)}
        return view if self.rig is None else view | view_at_first(self.rig)

    def leave(self):
        """Close the window without saving anything."""
        self.close_dialogs()
        # While a clip plays there is always something to measure.
        self.bench.state.update(playing=False)
        self.rest()
        while self.document.undo_name is not None:
            self.document.undo()
        self.rest()
        self.window.may_close = True
        self.window.close()
        self.window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        idle(0.02)


def shown_labels(widget: QWidget, kind):
    """Return the widgets of a kind in another that can be seen."""
    return [w for w in widget.findChildren(kind) if w.isVisible()]
