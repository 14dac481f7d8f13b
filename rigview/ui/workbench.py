"""All parts of the window and how they hang together; the window only gives them their places."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from rigview.core.measures.worst_poses import WorstPose
from rigview.io.overrides import Overrides
from rigview.io.session_files import SUFFIX
from rigview.ui.document import Document
from rigview.ui.jobs import Jobs
from rigview.ui.joint_readings import JointMeters, JointReadings
from rigview.ui.lengths import SETTING as LENGTHS
from rigview.ui.lengths import length_unit
from rigview.ui.navigation import known
from rigview.ui.panels.checks import ChecksPanel
from rigview.ui.panels.inspector import Inspector
from rigview.ui.panels.joint_tree import JointTree
from rigview.ui.panels.plots import Plots
from rigview.ui.panels.retarget_panel import RetargetPanel
from rigview.ui.panels.review_notes import NotesPanel
from rigview.ui.panels.start_page import StartPage
from rigview.ui.panels.timeline import Timeline
from rigview.ui.panels.vertex_table import VertexTable
from rigview.ui.panels.worst_strip import WorstStrip
from rigview.ui.panes.canvas import GLCanvas, ImageCanvas
from rigview.ui.panes.legend import ShadingLegend
from rigview.ui.panes.method_controls import MethodControls
from rigview.ui.panes.pane_header import Headers
from rigview.ui.panes.strips import (
    BrushStrip,
    CompareStrip,
    MessageStrip,
    PreviewStrip,
    StatusStrip,
)
from rigview.ui.panes.viewport import Panes
from rigview.ui.panes.weight_strip import WeightStrip
from rigview.ui.sessions.sessions import Sessions
from rigview.ui.settings import Settings
from rigview.ui.shell import Shell
from rigview.ui.stage import Stage
from rigview.ui.tabs.open_rigs import OpenRigs
from rigview.ui.view_state import State
from rigview.ui.workers.body_follow import BodyFollow
from rigview.ui.workers.checking import Checker
from rigview.ui.workers.clip_choice import ClipChoice
from rigview.ui.workers.comparing import Comparer
from rigview.ui.workers.curing import Curer
from rigview.ui.workers.exporting import Exporter
from rigview.ui.workers.masking import Masker
from rigview.ui.workers.motions import Motions
from rigview.ui.workers.noting import Noter
from rigview.ui.workers.opening import Opener
from rigview.ui.workers.previewing import Previewer
from rigview.ui.workers.releasing import Releaser
from rigview.ui.workers.retargeting import Retargeter
from rigview.ui.workers.saving import Saver
from rigview.ui.workers.scanning import Scanner
from rigview.ui.workers.thumbnails import Thumbnails
from rigview.ui.workers.watching import FileWatcher
from rigview.ui.workers.weight_editing import WeightEditor
from rigview.ui.workers.weight_painting import WeightPainting
from rigview.ui.workers.worst_scanning import WorstScanner
from rigview.ui.worst_view import WorstView


class Workbench(QObject):
    """Document, view state and stage; what works on them; and the panels that show them."""

    def __init__(self, settings: Settings, *, opengl: bool, shell: Shell | None = None) -> None:
        super().__init__()
        self.settings, self.shell = settings, shell or Shell(settings)
        self.jobs = Jobs(self)
        self.document, self.state = Document(), State()
        self.stage = Stage(self.document, self.state, self.jobs)
        self.checker = Checker(self.document, self.jobs)
        self.panes = Panes(self.stage, self.state, self.jobs)
        self.panes.preset = known(settings.read("navigation", ""))
        self.canvas = GLCanvas(self.panes) if opengl else ImageCanvas(self.panes)
        self.opener = Opener(self.document, self.stage, self.jobs)
        self.watcher = FileWatcher(self.document)
        self.saver = Saver(self.document, self.checker, self.jobs)
        self.meters = JointMeters()
        self.readings = JointReadings(self.stage, self.state, self.jobs, self.meters)
        self.readings.read.connect(self._show_heat)
        self.exporter = Exporter(
            self.document, self.stage, self.state, self.panes, self.readings, self.jobs
        )
        self.message, self.status = MessageStrip(), StatusStrip()
        self.preview_strip, self.compare_strip = PreviewStrip(), CompareStrip()
        self._add_weights()
        self.previewer = Previewer(
            self.document, self.stage, self.state, self.preview_strip, self.jobs
        )
        self.curer = Curer(self.document, self.state, self.checker, self.previewer, self.jobs)
        self.comparer = Comparer(
            self.document, self.stage, self.state, self.compare_strip, self.jobs
        )
        self.motions = Motions(self.document, self.state, self.jobs)
        self._add_retargeting()
        self.tree = JointTree(self.stage, self.state)
        self.inspector = Inspector(self.stage, self.state)
        self.inspector.show_lengths_in(length_unit(settings.read(LENGTHS, "m")))
        self.checks = ChecksPanel(self.checker, self.curer, self.stage)
        self.scanner = Scanner(self.stage, self.state, self.jobs)
        self.worst_scanner = WorstScanner(self.stage, self.state, self.jobs, self.meters)
        self.clip_choice = ClipChoice(self.stage, self.state, self.jobs)
        self.timeline = Timeline(
            self.stage,
            self.state,
            self.checker,
            self.worst_scanner,
            self.clip_choice,
            self.panes.ink,
        )
        self.plots = Plots(self.stage, self.state, self.checker, self.scanner, self.worst_scanner)
        self.worst_strip = WorstStrip(
            self.stage, self.state, self.worst_scanner, Thumbnails(self.panes, self.jobs)
        )
        self.worst_view = WorstView(
            self.stage, self.state, self.panes, self.worst_scanner, self.meters
        )
        self._connect_worst_poses()
        self._add_panes()
        self.rigs = OpenRigs(self.document, self.state, self.checker, self.opener)
        self.rigs.leaving.connect(self._leave_all)
        self.sessions = Sessions(self.rigs, self.state, self.jobs, settings, self.message)

    def _add_retargeting(self) -> None:
        """Make what plays the motion of another skeleton on the rig."""
        self.retargeter = Retargeter(self.document, self.stage, self.state, self.jobs)
        self.body_follow = BodyFollow(self.retargeter, self.stage, self.state)
        self.releaser = Releaser(self.stage, self.jobs)
        self.retarget_panel = RetargetPanel(self.retargeter, self.stage, self.state)

    def _add_panes(self) -> None:
        """Make what stands around the panes."""
        self.headers = Headers(self.stage, self.state, self.readings)
        self.headers.worst_asked.connect(self.worst_view.show_region)
        self.legend = ShadingLegend(self.stage, self.state)
        self.method_controls = MethodControls(self.stage, self.state, self.panes)
        self.start_page = StartPage(self.settings)
        self._add_notes()

    def _leave_all(self) -> None:
        """Leave what is tried, compared or pointed at: another rig is about to be shown."""
        self.message.hide()
        self.checks.choose(None)
        self.previewer.leave()
        self.retargeter.leave()
        self.stage.end_rehearsal()
        self.state.update(playing=False)

    def _connect_worst_poses(self) -> None:
        self.worst_strip.chosen.connect(self._show_worst)
        self.worst_strip.back_asked.connect(self._go_back)
        self.inspector.trial.keep_asked.connect(self.keep_pose)
        self.document.opened.connect(self.worst_scanner.tried.forget)

    def _add_notes(self) -> None:
        """Make what keeps the notes on the file, and lists them."""
        self.noter = Noter(self.document, self.stage, self.state, self.panes, self.settings)
        self.notes_panel = NotesPanel(self.noter, self.stage, self.state)
        self.document.noted.connect(self._show_notes)

    def _show_notes(self) -> None:
        self.notes_panel.refresh()
        self.notes_panel.show_saved(saved=not self.document.has_unsaved_notes)
        self.timeline.ruler.make_room()

    def before_losing(self, then: Callable[[], object]) -> None:
        """Do something that loses what is not saved: at once if all is, else after asking."""
        host = self.canvas.window()
        self.saver.before_losing(host, partial(self.noter.before_losing, host, then))

    def _add_weights(self) -> None:
        """Make what paints the mask and edits weights by hand."""
        self.brush_strip = BrushStrip()
        self.masker = Masker(
            self.document, self.stage, self.state, self.panes, self.brush_strip, self.jobs
        )
        self.weight_editor = WeightEditor(self.document, self.stage, self.state, self.jobs)
        self.weight_strip = WeightStrip()
        self.weight_painting = WeightPainting(
            self.document,
            self.stage,
            self.state,
            self.panes,
            self.weight_strip,
            self.weight_editor,
        )
        self.vertex_table = VertexTable(self.weight_editor, self.stage, self.state)

    def _show_worst(self, worst: WorstPose) -> None:
        self.worst_view.show_pose(worst, self.worst_strip.place.text())
        self.plots.follow("joint")

    def keep_pose(self) -> None:
        """Add the pose on show to the worst poses."""
        if self.worst_scanner.tried.add():
            self.status.say("Added to the worst poses; not saved in the file.", undoable=False)

    def _go_back(self) -> None:
        self.worst_view.go_back()
        self.worst_strip.forget_choice()

    def _show_heat(self) -> None:
        reading = self.readings.reading
        self.panes.painter.heats = {} if reading is None else reading.heats
        if self.state.value.shading == "heat":
            self.canvas.update()

    @property
    def host(self) -> QWidget:
        """The window that the parts are in."""
        return self.canvas.window()

    def open_path(self, path: Path) -> None:
        """Show a file that is open; open any other, after asking where that would lose changes."""
        self.message.hide()
        if path.suffix.lower() == SUFFIX:
            self.sessions.open(path)
            return
        number = self.rigs.number_of(path)
        if number is not None and number != self.rigs.current:
            self.rigs.show(number)
            return
        if number is None and self.settings.read("open in tabs", False):
            self.open_beside([path])
            return
        self.before_losing(lambda: self._start(Path(path)))

    def open_beside(self, paths: Iterable[Path]) -> None:
        """Open files in tabs of their own."""
        self.message.hide()
        for path in map(Path, paths):
            if path.suffix.lower() == SUFFIX:
                self.sessions.open(path)
            else:
                self.rigs.open_all([path])

    def close_rig(self, number: int) -> None:
        """Close an open rig, after asking where that would lose changes."""
        self.rigs.close(number, self.before_losing)

    def _start(self, path: Path, overrides: Overrides | None = None) -> None:
        self.opener.open(path, overrides=overrides)

    def open_again(self, path: Path, overrides: Overrides) -> None:
        """Read the open file anew, believing something else than it says."""
        self.before_losing(lambda: self._start(path, overrides=overrides))

    def reload(self, path: Path) -> None:
        """Read the open file again, keeping the view."""
        self.opener.open(path, reload=True)

    def cancel_work(self) -> bool:
        """Stop the work that shows progress, or is being opened; tell whether there was any."""
        busy = [job for job in self.jobs.running if not job.quiet]
        for job in busy:
            job.cancel()
        return bool(busy)
