"""What the actions do: a method for each command of the table, and the Qt actions made from it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from rigview import __version__
from rigview.core.skinning import DEFAULT_PANES, METHODS
from rigview.core.stance import front
from rigview.io import suffix_filter
from rigview.render.camera import View
from rigview.render.overlay_legend import absence
from rigview.ui import disabled_reason
from rigview.ui.actions import ACTIONS, Action
from rigview.ui.dialogs.history import HistoryDialog
from rigview.ui.dialogs.keys_sheet import KeysSheet
from rigview.ui.dialogs.question import Question
from rigview.ui.dialogs.text_dialog import TextDialog
from rigview.ui.dialogs.units_dialog import UnitsDialog
from rigview.ui.navigation import PRESETS
from rigview.ui.weight_commands import WeightCommands
from rigview.ui.workbench import Workbench


class Commands(WeightCommands):
    """The window's actions by id; those for anywhere are to be added to the window."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.actions: dict[str, QAction] = {}
        for entry in ACTIONS:
            action = QAction(entry.text, self)
            action.setShortcuts([QKeySequence(key) for key in entry.keys])
            action.setCheckable(entry.kind != "command")
            action.triggered.connect(self._doing(entry))
            self.actions[entry.id] = action
            if entry.where == "time":
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                for widget in (bench.canvas, bench.timeline.ruler, bench.plots.graph):
                    widget.addAction(action)
        in_time = {entry.id for entry in ACTIONS if entry.where == "time"}
        self.anywhere = [a for name, a in self.actions.items() if name not in in_time]
        bench.state.changed.connect(lambda *_: self.refresh())
        bench.checker.began.connect(self.refresh)

    def _doing(self, entry: Action) -> Callable[..., object]:
        """Return what an action does when it is triggered."""
        if entry.kind == "shading":
            return lambda: self._bench.state.update(shading=entry.id)
        if entry.kind == "overlay":
            return lambda: self._switch(entry)
        return lambda: self._do(entry.id)

    def _do(self, action: str) -> None:
        """Do a command, or say why there is nothing to do."""
        why = disabled_reason.reason(action, self._bench)
        if why:
            self._bench.status.say(why, undoable=False)
        else:
            getattr(self, action)()

    def _switch(self, entry: Action) -> None:
        """Switch an overlay; say why where it is on and shows nothing."""
        bench = self._bench
        bench.state.update(**entry.switched(bench.state.value))
        if bench.stage.deformer is not None and entry.is_on(bench.state.value):
            why = absence(entry.id, bench.stage.deformer, bench.stage.look)
            if why:
                bench.status.say(why, undoable=False)

    @property
    def _host(self) -> QWidget:
        """The window that the parts are in."""
        return self._bench.canvas.window()

    def refresh(self) -> None:
        """Enable what can be done now, and name what undo and redo would do."""
        bench, state = self._bench, self._bench.state.value
        opened = bench.document.rig is not None
        for entry in ACTIONS:
            action = self.actions[entry.id]
            action.setEnabled(opened or entry.always)
            if entry.kind == "shading":
                action.setChecked(state.shading == entry.id)
            elif entry.kind == "overlay":
                action.setChecked(entry.is_on(state))
        for name, step in (
            ("undo", bench.document.undo_name),
            ("redo", bench.document.redo_name),
        ):
            self.actions[name].setEnabled(step is not None)
            # Menus take a single one for the mark of a key.
            words = f"{name} {step}".replace("&", "&&") if step else name
            self.actions[name].setText(f"{words[0].upper()}{words[1:]}")
        self.actions["orthographic"].setChecked(state.camera.orthographic)
        self.actions["worst_strip"].setChecked(not bench.worst_strip.is_folded)
        self.actions["rotate"].setChecked(state.rotating)
        self.actions["lasso"].setChecked(state.lasso)
        self.actions["literal_weights"].setChecked(state.weights == "literal")
        self.actions["studio_settings"].setChecked(bench.checker.wish.configured)
        self.actions["vertex_table"].setChecked(not bench.vertex_table.is_away)
        self.actions["lock_joint"].setChecked(bench.stage.joint in state.locked)
        self.actions["toggle_play"].setText("Pause" if state.playing else "Play")

    def open_file(self) -> None:
        """Ask for a file and open it."""
        path = self._ask_for_file("Open a rig", ";;Pictures with a view (*.png)")
        if path is not None:
            self._bench.open_path(path)

    def _ask_for_file(self, title: str, also: str = "") -> Path | None:
        """Ask for a rig, beside the one that is open or was last; `also` are further kinds of file."""
        recent = next(iter(self._bench.settings.recent), Path.cwd() / "x")
        here = self._bench.document.path or recent
        patterns = " ".join(f"*{suffix}" for suffix in suffix_filter())
        name, _ = QFileDialog.getOpenFileName(
            self._host, title, str(here.parent), f"Rigs ({patterns}){also};;All files (*)"
        )
        return Path(name) if name else None

    def units(self) -> QDialog | None:
        """Ask for unit, up axis and frame rate, and read the file again by them."""
        path, rig = self._bench.document.path, self._bench.document.rig
        if path is None or rig is None:
            return None
        dialog = UnitsDialog(self._host, path, rig.origin)
        dialog.chosen.connect(lambda overrides: self._bench.open_again(path, overrides))
        dialog.open()
        return dialog

    def compare(self) -> None:
        """Ask for another file and show it beside this one."""
        path = self._ask_for_file("Compare with")
        if path is not None:
            self._bench.comparer.open(path)

    def show_differences(self) -> QDialog:
        """Show in full what changed between the two files."""
        dialog = TextDialog(self._host, "Differences", self._bench.comparer.text)
        dialog.open()
        return dialog

    def reload(self) -> None:
        """Read the file again, keeping the view."""
        bench = self._bench
        path = bench.document.path
        if path is not None:
            bench.message.hide()
            bench.saver.before_losing(self._host, lambda: bench.reload(path))

    def save_copy(self) -> None:
        """Save a repaired copy."""
        self._bench.saver.ask(self._host)

    def screenshot(self) -> None:
        """Export a picture."""
        self._bench.exporter.ask(self._host)

    def review_page(self) -> None:
        """Export a page for review."""
        exporter, checker = self._bench.exporter, self._bench.checker
        if self._bench.document.path is None:
            return
        name, _ = QFileDialog.getSaveFileName(
            self._host,
            "Export review page",
            str(exporter.proposed("review", ".html")),
            "HTML (*.html)",
        )
        if name:
            current = checker.rig is self._bench.document.rig
            exporter.write_page(Path(name), checker.report if current else None)

    def close(self) -> None:
        """Leave."""
        self._host.close()

    def undo(self) -> None:
        """Take the last change back."""
        name = self._bench.document.undo_name
        self._bench.document.undo()
        if name is not None:
            self._bench.status.say(f"Undone: {name}", undoable=False)

    def redo(self) -> None:
        """Make it again."""
        name = self._bench.document.redo_name
        self._bench.document.redo()
        if name is not None:
            self._bench.status.say(f"Redone: {name}", undoable=True)

    def history(self) -> QDialog:
        """List all changes, and go to the one that is clicked."""
        dialog = HistoryDialog(self._host, self._bench.document)
        dialog.show()
        return dialog

    def search(self) -> None:
        """Go to the search field."""
        self._bench.tree.search.setFocus()
        self._bench.tree.search.selectAll()

    def clear_selection(self) -> None:
        """Select nothing."""
        self._bench.plots.choose_bar(None)
        self._bench.state.update(joint=None, vertex=None, chosen=())

    def escape(self) -> None:
        """Leave what is in the way: work, preview, message, selection; one at a time."""
        bench = self._bench
        if bench.panes.gizmo.cancel() or bench.panes.selecting.cancel():
            bench.canvas.update()
            return
        if bench.panes.weights.cancel() or bench.cancel_work():
            bench.canvas.update()
            return
        if bench.previewer.is_active:
            bench.previewer.leave()
        elif not bench.message.isHidden():
            bench.message.hide()
        elif bench.masker.is_active:
            bench.masker.leave()
        elif bench.weight_painting.is_active:
            bench.weight_painting.leave()
        elif bench.comparer.is_active:
            bench.comparer.leave()
        elif bench.state.value.rotating:
            bench.state.update(rotating=False)
        else:
            self.clear_selection()

    def frame_selected(self) -> None:
        """Bring the selection into view."""
        self._bench.panes.frame_selected()

    def frame_all(self) -> None:
        """Bring everything into view."""
        self._bench.panes.frame_all()

    def worst_pose(self) -> None:
        """Go to the worst pose of all, or to the next worst where it is shown already."""
        strip = self._bench.worst_strip
        if not strip.choose_worst():
            self._bench.status.say(
                strip.said.text() or "No pose goes over a limit.", undoable=False
            )

    def next_worst(self) -> None:
        """Go to the next worst pose."""
        self._bench.worst_strip.step(1)

    def previous_worst(self) -> None:
        """Go to the worst pose before."""
        self._bench.worst_strip.step(-1)

    def view_before(self) -> None:
        """Go back to what was looked at before a worst pose was chosen."""
        self._bench.worst_strip.back_asked.emit()

    def worst_strip(self) -> None:
        """Fold the strip of worst poses, or unfold it."""
        strip = self._bench.worst_strip
        strip.set_folded(folded=not strip.is_folded)

    def _look_from(self, view: View) -> None:
        state, deformer = self._bench.state, self._bench.stage.deformer
        turn = 0.0 if deformer is None else front(deformer)
        state.update(camera=state.value.camera.looking(view, turn))

    def view_front(self) -> None:
        """Look from the front."""
        self._look_from("front")

    def view_back(self) -> None:
        """Look from behind."""
        self._look_from("back")

    def view_right(self) -> None:
        """Look from the character's right."""
        self._look_from("right")

    def view_left(self) -> None:
        """Look from the character's left."""
        self._look_from("left")

    def view_top(self) -> None:
        """Look from above."""
        self._look_from("top")

    def orthographic(self) -> None:
        """Switch perspective off or on."""
        state = self._bench.state
        camera = state.value.camera
        state.update(camera=replace(camera, orthographic=not camera.orthographic))

    def literal_weights(self) -> None:
        """Draw weights as the file states them, or divided by their sum; say where that is the same."""
        state, deformer = self._bench.state, self._bench.stage.deformer
        literal = state.value.weights == "literal"
        state.update(weights="normalised" if literal else "literal")
        if deformer is not None and deformer.sums_to_one:
            words = "The weights of every vertex sum to one: both ways draw the same."
            self._bench.status.say(words, undoable=False)

    def hide(self) -> None:
        """Hide the selection's meshes."""
        state = self._bench.state
        state.update(hidden=state.value.hidden | disabled_reason.meshes_of_selection(self._bench))

    def isolate(self) -> None:
        """Hide all other meshes."""
        rig, chosen = self._bench.stage.rig, disabled_reason.meshes_of_selection(self._bench)
        if rig is not None and chosen:
            others = {part.node for part in rig.parts} - chosen
            self._bench.state.update(hidden=frozenset(others))

    def show_all(self) -> None:
        """Show all meshes."""
        self._bench.state.update(hidden=frozenset())

    def show_panes(self, count: int) -> None:
        """Show that many panes; a new one gets a method that no other shows yet."""
        state = self._bench.state
        methods = list(state.value.methods[:count])
        for name in (*DEFAULT_PANES, *METHODS):
            if len(methods) < count and name not in methods:
                methods.append(name)
        methods += ["lbs"] * (count - len(methods))
        state.update(methods=tuple(methods), pane=min(state.value.pane, count - 1))

    def toggle_play(self) -> None:
        """Play or stop."""
        self._bench.timeline.toggle_play()

    def next_frame(self) -> None:
        """Go one frame on."""
        self._bench.timeline.step(1.0)

    def previous_frame(self) -> None:
        """Go one frame back."""
        self._bench.timeline.step(-1.0)

    def ten_on(self) -> None:
        """Go ten frames on."""
        self._bench.timeline.step(10.0)

    def ten_back(self) -> None:
        """Go ten frames back."""
        self._bench.timeline.step(-10.0)

    def tenth_on(self) -> None:
        """Go a tenth of a frame on."""
        self._bench.timeline.step(0.1)

    def tenth_back(self) -> None:
        """Go a tenth of a frame back."""
        self._bench.timeline.step(-0.1)

    def next_key(self) -> None:
        """Go to the next key."""
        self._bench.timeline.go_to_key(1)

    def previous_key(self) -> None:
        """Go to the key before."""
        self._bench.timeline.go_to_key(-1)

    def first_frame(self) -> None:
        """Go to the clip's start."""
        self._bench.timeline.go_to_start()

    def last_frame(self) -> None:
        """Go to the clip's end."""
        self._bench.timeline.go_to_end()

    def start_here(self) -> None:
        """Play from the present time on."""
        self._bench.timeline.start_here()

    def end_here(self) -> None:
        """Play up to the present time."""
        self._bench.timeline.end_here()

    def play_whole(self) -> None:
        """Play all of the clip again."""
        self._bench.timeline.play_whole()

    def load_clips(self) -> None:
        """Ask for another file and add its clips."""
        path = self._ask_for_file("Load clips from")
        if path is not None:
            self._bench.motions.borrow(path)

    def range_of_motion(self) -> None:
        """Add a clip that takes every joint through its range."""
        self._bench.motions.add_range_of_motion()

    def rotate(self) -> None:
        """Put rings about the selected joint, or take them away."""
        bench = self._bench
        bench.state.update(rotating=not bench.state.value.rotating)
        if bench.state.value.rotating and bench.panes.gizmo.joint is None:
            bench.status.say(
                "Select a joint: rings to turn it stand about it then.", undoable=False
            )

    def paint_mask(self) -> None:
        """Let a drag paint the mask of compensation, or orbit again."""
        self._bench.weight_painting.leave()
        masker = self._bench.masker
        (masker.leave if masker.is_active else masker.start)()

    def calibrate_mask(self) -> None:
        """Fit the mask of compensation to elastic flesh; it takes minutes, and Esc stops it."""
        self._bench.masker.calibrate()

    def check_again(self) -> None:
        """Run all rules, by the studio's settings as they are now."""
        self._bench.checker.check_again()

    def fix_all_exact(self) -> None:
        """Apply all exact fixes."""
        self._bench.checker.fix_all_exact()

    def studio_settings(self) -> None:
        """Let the studio's settings count in this window, or not."""
        checker = self._bench.checker
        checker.set_configured(not checker.wish.configured)

    def reset_trial(self) -> None:
        """Take all trial rotations and weights of morph targets back."""
        self._bench.state.update(trial={}, morphs={})

    def keep_pose(self) -> None:
        """Add the pose on show, with what is tried, to the worst poses."""
        self._bench.keep_pose()

    def show_keys(self) -> QDialog:
        """Show the sheet of keys."""
        sheet = KeysSheet(self._host, PRESETS[self._bench.panes.preset])
        sheet.open()
        return sheet

    def next_region(self) -> None:
        """Move the focus to the next region of the window."""
        bench = self._bench
        # What is a region as a whole, and where one enters it.
        regions: tuple[tuple[QWidget, QWidget], ...] = (
            (bench.tree.search, bench.tree.search),
            (bench.tree.tree, bench.tree.tree),
            (bench.canvas, bench.canvas),
            (bench.vertex_table, bench.vertex_table.view),
            (bench.plots.graph, bench.plots.graph),
            (bench.checks, bench.checks.entrance),
            (bench.timeline, bench.timeline.play),
        )
        focus = self._host.focusWidget()
        held = [i for i, (w, _) in enumerate(regions) if w is focus or w.isAncestorOf(focus)]
        start = held[0] + 1 if held else 0
        for offset in range(len(regions)):
            _, region = regions[(start + offset) % len(regions)]
            if region.isVisible() and region.isEnabled():
                region.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def about(self) -> None:
        """Say what this is."""
        lines = (
            f"rigview {__version__}: see, check and repair skinned rigs.",
            "MIT licence.",
            self._bench.panes.painter.driver,
        )
        Question(self._host, "About rigview", tuple(filter(None, lines)), ("Close",)).open()
