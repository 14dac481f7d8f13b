"""The main window: which part hears of what."""

from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QWidget

from rigview.check.rule import count
from rigview.core.text import shortened
from rigview.io import LoadError
from rigview.render.camera import Camera
from rigview.render.session import Session
from rigview.ui.actions.editing import escape
from rigview.ui.actions.files import show_differences
from rigview.ui.actions.rigging import ask_for_motion
from rigview.ui.appearance import Appearance, wanted
from rigview.ui.commands import Commands
from rigview.ui.dialogs.units_dialog import unit_name
from rigview.ui.dock_layout import Arrangement
from rigview.ui.dropping import dropped_files, take_dropped
from rigview.ui.finding_view import FindingView
from rigview.ui.keys.editor import KeysEditor
from rigview.ui.keys.sheet import KeysSheet
from rigview.ui.keys.shortcuts import Shortcuts
from rigview.ui.navigation import PRESETS
from rigview.ui.palette.field import CommandPalette
from rigview.ui.palette.search import entries
from rigview.ui.preferences.dialog import PreferencesDialog
from rigview.ui.preferences.rows import BY_KEY, Desk, first_shading, wanted_methods
from rigview.ui.settings import Settings
from rigview.ui.tabs.open_rigs import OpenRig
from rigview.ui.tabs.tab_bar import TabStrip
from rigview.ui.toolbar import Bar
from rigview.ui.view_state import ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import RETURN
from rigview.ui.widgets.fields import Number
from rigview.ui.widgets.layout import column
from rigview.ui.widgets.words import capital, tr
from rigview.ui.workbench import Workbench
from rigview.ui.workers.camera_follow import Follower
from rigview.ui.workers.opening import OpenedRig
from rigview.ui.workers.progress import ProgressLine
from rigview.ui.workers.restoring import (
    missing_clip,
    panes_at_first,
    view_at_first,
    view_kept,
    view_of,
)

_MINIMUM = (1024, 640)


class Window(QMainWindow):
    """Puts the parts together; every part reads the stage and writes the view state."""

    def __init__(self, settings: Settings, *, opengl: bool) -> None:
        super().__init__()
        # Before any widget is made: each takes its colours from the theme as it is then.
        theme.use(wanted(settings))
        self.bench = Workbench(settings, opengl=opengl)
        self.follower = self._follower()
        self.shortcuts = Shortcuts(settings)
        self.bench.state.update(methods=wanted_methods(settings))
        self.commands = Commands(self.bench, self.shortcuts)
        self.appearance = Appearance(self, self.bench.state, settings)
        self.bar = Bar(self.commands, self.bench, self.appearance)
        self.may_close = False
        # Rigs whose changes may be lost with the window.
        self.given_up: list[OpenRig] = []
        self._settings_fault = ""
        self._camera_before: Camera | None = None
        # The panes that come back with a rig that is skinned.
        self._panes_before: tuple[str, ...] = ()
        self.addActions(list(self.commands.anywhere))
        self.setMinimumSize(*_MINIMUM)
        self.resize(1280, 720)
        self.setAcceptDrops(True)
        self.tabs = TabStrip(self.bench.rigs)
        self.setMenuWidget(column(self.bar, self.tabs, spacing=0))
        self.arrangement = Arrangement(self, self.bench)
        self._finding_view = FindingView(self.bench, self.arrangement)
        self._make_foot()
        self.progress = ProgressLine(self.bench.jobs, self.bench.status)
        self.bar.panels = [dock.toggleViewAction() for dock in self.arrangement.docks.values()]
        self._connect()
        self._order_focus()
        for dock in self.arrangement.docks.values():
            # A dock that comes back would be the last that Tab reaches.
            dock.topLevelChanged.connect(self._order_focus)
        self.arrangement.restore(settings)
        self._refresh()

    def _follower(self) -> Follower:
        """Return what lets the camera go with changes of the rig."""
        bench = self.bench
        result = Follower(bench.stage, bench.state, bench.panes, bench.opener, bench.previewer)
        bench.document.opened.connect(result.forget)
        return result

    def _make_foot(self) -> None:
        foot = QWidget()
        foot.setFixedHeight(24)
        layout = QHBoxLayout(foot)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.bench.status)
        bar = self.statusBar()
        bar.setFixedHeight(24)
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(0, 0, 0, 0)
        own = bar.layout()
        if own is not None:
            # Qt keeps two pixels above, which would push the line out of the middle.
            own.setContentsMargins(0, 0, 0, 0)
        bar.addPermanentWidget(foot, 1)

    def _order_focus(self, _floats: bool = False) -> None:
        """Let Tab go through the window as one reads it, the bar first."""
        order = [self.bar, self.tabs, *self.arrangement.reading_order]
        here = [part for part in order if part.window() is self]
        stops = [stop for part in here for stop in _tab_stops(part)]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        bench = self.bench
        bench.shell.palette_asked.connect(self._find)
        bench.shell.keys_asked.connect(self._edit_keys)
        bench.shell.sheet_asked.connect(self._show_keys)
        bench.shell.panel_asked.connect(self.arrangement.show_panel)
        bench.shell.preferences_asked.connect(self._prefer)
        bench.start_page.opened.connect(bench.open_path)
        bench.start_page.open_asked.connect(partial(self.commands.do, "open_file"))
        self.bar.layout_asked.connect(self.arrangement.reset)
        self.tabs.close_asked.connect(bench.close_rig)
        self.tabs.open_asked.connect(partial(self.commands.do, "open_in_tab"))
        bench.rigs.changed.connect(self._refresh_rigs)
        bench.opener.opened.connect(self._opened)
        bench.opener.refused.connect(self._refused)
        bench.opener.previewed.connect(self._loading)
        bench.sessions.refused.connect(self._refused)
        bench.sessions.named.connect(self._name_session)
        for speaker in (
            bench.sessions,
            bench.saver,
            bench.noter,
            bench.exporter,
            bench.checker,
            bench.curer,
            bench.previewer,
            bench.masker,
            bench.motions,
            bench.retargeter,
            bench.worst_view,
            bench.weight_editor,
            bench.weight_painting,
        ):
            speaker.said.connect(self._say)
        self._connect_panels()

    def _connect_panels(self) -> None:
        bench = self.bench
        for complainer in (
            bench.sessions,
            bench.saver,
            bench.noter,
            bench.exporter,
            bench.checker,
            bench.retargeter,
        ):
            complainer.failed.connect(self._complain)
        bench.saver.saved.connect(bench.settings.add_recent)
        bench.checks.preview_asked.connect(bench.previewer.show)
        bench.checks.finding_chosen.connect(self._finding_view.show)
        bench.checks.joint_asked.connect(self._select_joint)
        bench.checks.method_asked.connect(bench.state.show_method)
        bench.checks.cure_asked.connect(self._finding_view.cure)
        bench.checks.counted.connect(self._count_findings)
        bench.checker.checked.connect(self._badge)
        bench.inspector.frame_asked.connect(bench.panes.frame_selected)
        bench.tree.frame_asked.connect(bench.panes.frame_selected)
        bench.tree.menu_asked.connect(self._offer_joint)
        bench.status.undo_asked.connect(partial(self.commands.do, "undo"))
        bench.status.cancel_asked.connect(partial(escape, bench))
        bench.timeline.worst_asked.connect(partial(self.commands.do, "worst_pose"))
        bench.worst_strip.motion_asked.connect(partial(self.commands.do, "range_of_motion"))
        bench.worst_strip.folded.connect(lambda _: self.commands.refresh())
        bench.vertex_table.folded.connect(lambda _: self.commands.refresh())
        bench.vertex_table.acted.connect(self.commands.do)
        bench.vertex_table.panes_asked.connect(bench.canvas.setFocus)
        bench.compare_strip.asked.connect(partial(show_differences, bench))
        bench.comparer.refused.connect(self._refused)
        bench.motions.refused.connect(self._refused)
        bench.retargeter.refused.connect(self._refused)
        bench.retargeter.shown.connect(bench.panes.frame_all)
        bench.retarget_panel.file_asked.connect(partial(ask_for_motion, bench))
        bench.motions.borrowed.connect(self._list)
        bench.motions.shown.connect(bench.panes.frame_all)
        bench.saver.noted.connect(self._list)
        bench.saver.part_found.connect(partial(bench.saver.ask_part, self))
        bench.watcher.rewritten.connect(self._rewritten)
        bench.panes.failed.connect(self._no_opengl)
        bench.panes.drawn.connect(self._drawn)
        bench.document.saved.connect(self._show_title)
        bench.document.noted.connect(self._show_title)
        bench.stage.rig_changed.connect(self._refresh)
        bench.state.changed.connect(self._state_is_new)

    def _find(self, text: str) -> None:
        """Open the command palette."""
        palette = CommandPalette(
            self, lambda wanted: entries(self.bench, self.commands, wanted), self.shortcuts, text
        )
        palette.keys_asked.connect(self._edit_keys)

    def _edit_keys(self, action: str) -> None:
        KeysEditor(self, self.shortcuts, action).open()

    def _prefer(self) -> None:
        dialog = PreferencesDialog(self, Desk(self.bench, self.appearance, self.shortcuts))
        dialog.keys_asked.connect(partial(self._edit_keys, ""))
        dialog.open()

    def _show_keys(self) -> None:
        KeysSheet(self, PRESETS[self.bench.panes.preset], self.shortcuts).open()

    def _offer_joint(self, at: QPoint) -> None:
        rig, joint = self.bench.stage.rig, self.bench.stage.joint
        if rig is not None and joint is not None:
            self.commands.offer("joint", rig.nodes.label(joint), at)

    def _say(self, words: str, undoable: bool) -> None:
        self.bench.status.say(words, undoable=undoable)

    def _tell(self, title: str, words: str) -> None:
        self.bench.message.show_message("info", title, words)

    def _list(self, title: str, words: str) -> None:
        """Tell of what may be many, so that all of it can be copied."""
        self.bench.message.show_message("info", title, words, f"{title}\n{words}")

    def _complain(self, title: str, reason: str) -> None:
        self.bench.message.show_message("error", title, reason)

    def _opened(self, result: OpenedRig) -> None:
        rig, path = result.deformer.rig, result.loaded.path
        self.bench.settings.add_recent(path)
        state = self.bench.state
        if result.is_reload:
            state.update(**view_kept(state.value, rig, same_nodes=result.same_nodes))
            self.bench.status.say("Reloaded.", undoable=False)
        else:
            self.bench.checks.choose(None)
            methods, self._panes_before = panes_at_first(
                rig, state.value.methods, self._panes_before
            )
            pane = min(state.value.pane, len(methods) - 1)
            state.update(**view_at_first(rig, result.front), methods=methods, pane=pane)
            state.update(**first_shading(self.bench.settings, rig))
            self.bench.panes.frame_points(result.outline, result.reach)
            self.bench.status.say(self._unkept(), undoable=False)
        if result.session is not None:
            self._restore(result, result.session)
        if not rig.parts and not rig.joints:
            self.bench.panes.say("The file has neither mesh nor joints.")
        self.bench.canvas.setFocus()

    def _restore(self, result: OpenedRig, session: Session) -> None:
        """Show what a picture shows, and say what of it is missing."""
        document, remade = self.bench.document, result.remade
        number = None if remade is None else remade.clip
        if result.changed is not None and session.made is not None and number is not None:
            document.recipes[result.changed.rig.clip_names[number]] = session.made
            words = tr("Add a range of motion")
            if session.made.file:
                words = tr("Add the clips of {file}", file=shortened(Path(session.made.file).name))
            document.replace(result.changed, words)
        rig = document.rig or result.deformer.rig
        self.bench.state.update(**view_of(session, rig, number))
        missing = missing_clip(session, rig) if remade is None else remade.missing
        if not missing:
            self.bench.status.say("The view of the picture is restored.", undoable=False)
            return
        shown = "" if number is not None else "; the rest pose is shown"
        self.bench.status.say("The view of the picture is restored in part.", undoable=False)
        self._tell(
            "The view of the picture is restored in part",
            f"{capital(tr(missing))}{tr(shown)}.",
        )

    def _unkept(self) -> str:
        """Return why settings are not kept, the first time that it is so."""
        before, self._settings_fault = self._settings_fault, self.bench.settings.fault()
        return "" if before else self._settings_fault

    def _refused(self, path: Path, error: LoadError) -> None:
        still = self.bench.document.path
        title = tr("{file} could not be opened", file=shortened(path.name))
        if still is not None:
            words = "{file} could not be opened; {other} stays open"
            title = tr(words, file=shortened(path.name), other=shortened(still.name))
        reason = f"{error.where}: {error.reason}" if error.where else error.reason
        self.bench.message.show_message("error", title, f"{capital(tr(reason))}.", str(error))

    def _loading(self, shown: bool) -> None:
        self.bench.panes.say("Skeleton ready, reading meshes" if shown else "")
        state = self.bench.state
        if shown and not self.bench.opener.is_reload:
            self._camera_before = state.value.camera
            self.bench.panes.frame_all()
        elif self._camera_before is not None:
            # What is open stays as it was seen, unless another file takes its place.
            state.update(camera=self._camera_before)
            self._camera_before = None

    def _rewritten(self) -> None:
        path = self.bench.document.path
        if path is None or self.bench.opener.is_busy:
            return
        by_itself = BY_KEY["reload by itself"].value(self.bench.settings)
        if by_itself and not self.bench.document.is_changed:
            self.bench.reload(path)
            return
        words = tr("The window still shows it as it was when it was opened.")
        lost = tr("Repairs that are not saved would be lost.")
        self.bench.message.show_message(
            "info",
            tr("{file} has changed on disk").format(file=shortened(path.name)),
            f"{words} {lost}" if self.bench.document.is_changed else words,
            action=("Reload", partial(self.commands.do, "reload")),
        )

    def _no_opengl(self, reason: str) -> None:
        self.bench.message.show_message("error", "The panes cannot be drawn", reason)

    def _drawn(self) -> None:
        painter = self.bench.panes.painter
        self.bench.status.show_driver(painter.version, painter.driver)
        if self.bench.state.value.playing:
            self.bench.status.pace.count()

    def _refresh(self) -> None:
        rig = self.bench.stage.rig
        opened = rig is not None
        self.bench.start_page.setVisible(not opened)
        # No key leads below the start page.
        self.arrangement.splitter.setEnabled(opened)
        if not opened:
            self.bench.start_page.raise_()
            self.bench.start_page.open_button.setFocus()
        self.arrangement.titles["Joints"].count.setText(
            str(len(rig.joints)) if rig is not None else ""
        )
        self.bench.status.facts.setText(self._facts())
        if opened and rig is self.bench.checker.rig:
            # It comes back from behind another one, and the tree was filled anew.
            self._badge()
        self._show_title()
        self.commands.refresh()
        self.bar.refresh()

    def _name_session(self) -> None:
        path = self.bench.sessions.path
        self.tabs.session.setText("" if path is None else path.name)

    def _refresh_rigs(self) -> None:
        self._show_title()
        self.commands.refresh()

    def _show_title(self) -> None:
        path = self.bench.document.path
        self.setWindowTitle(f"{path.name}[*] — rigview" if path is not None else "rigview")
        document = self.bench.document
        self.setWindowModified(document.is_changed or document.has_unsaved_notes)

    def _facts(self) -> str:
        rig, path = self.bench.document.rig, self.bench.document.path
        if rig is None or path is None:
            return tr("Ready. F1 shows the keys.")
        vertices = sum(len(rig.primitive(part).positions) for part in rig.parts)
        influences = (rig.primitive(part).influences for part in rig.parts)
        most = max((i.most for i in influences if i is not None), default=0)
        origin = rig.origin
        stated = [origin.format, unit_name(origin.unit_m), tr("{axis} up", axis=origin.up)]
        words = [
            shortened(path.name),
            ", ".join(stated),
            tr(count(len(rig.joints), "joint") if rig.joints else "no joints"),
            tr(count(vertices, "vertex") if rig.parts else "no mesh"),
        ]
        if most:
            words.append(tr("up to {influences}", influences=count(most, "influence")))
        return "   ".join(words)

    def _badge(self) -> None:
        checker = self.bench.checker
        self.bench.tree.show_findings(checker.badges, checker.deviations)
        self.bench.inspector.hold_axes_to(checker.axis_limit)

    def _count_findings(self, number: int) -> None:
        self.arrangement.titles["Checks"].count.setText(str(number or ""))

    def _state_is_new(self, old: ViewState, new: ViewState) -> None:
        if old.playing and not new.playing:
            self.bench.status.pace.stop()

    def _select_joint(self, joint: int) -> None:
        self.bench.state.update(joint=joint, vertex=None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.fit(event.size())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = dropped_files(event)
        if paths:
            event.acceptProposedAction()
            take_dropped(self.bench, paths, event.position().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            escape(self.bench)
        elif event.key() in RETURN and isinstance(self.focusWidget(), Number):
            # The number has been taken over: what follows is meant for the panes.
            self.bench.canvas.setFocus()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close and self._ask_for_unsaved():
            event.ignore()
            return
        self.arrangement.save(self.bench.settings)
        self.bench.state.update(playing=False)
        self.bench.jobs.stop()
        self.bench.sessions.end()
        QApplication.processEvents()
        self.bench.canvas.stop()
        event.accept()

    def _ask_for_unsaved(self) -> bool:
        """Ask for the first rig with changes that nobody has been asked for; tell whether there is one."""
        rigs = self.bench.rigs
        asked = next((n for n in rigs.unsaved if rigs.rigs[n] not in self.given_up), None)
        if asked is None:
            return False
        rigs.show(asked)
        self.bench.before_losing(partial(self._give_up, rigs.rigs[asked]))
        return True

    def _give_up(self, rig: OpenRig) -> None:
        self.given_up.append(rig)
        self.close()


def _tab_stops(part: QWidget) -> list[QWidget]:
    """Return what Tab stops at within a part, in the order in which it was built; no menus."""
    inside = [part, *part.findChildren(QWidget)]
    within = [w for w in inside if w.window() is part.window()]
    return [w for w in within if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
