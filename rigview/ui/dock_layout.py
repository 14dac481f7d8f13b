"""Where the parts of the window are: docks, the centre, and what folds where there is little room."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QTabBar,
    QWidget,
)

from rigview.core.sentence import Sentence
from rigview.ui.panels.plots import Plots
from rigview.ui.panels.vertex_table import OPEN
from rigview.ui.panels.worst_strip import WorstStrip
from rigview.ui.settings import Settings
from rigview.ui.view_state import ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.headings import Title
from rigview.ui.widgets.layout import column, row
from rigview.ui.widgets.theme import colour, font
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench

# Stored layouts of another version are of another window.
_VERSION = 3
# Below these sizes of the window joints fold to an edge tab, plots to their header, and then the strip of
# worst poses too: where a character breaks is asked before its curves are.
_NARROW, _LOW, _LOWEST, _WIDE = 1100, 800, 680, 1500
# From this height on there is room for vertices, worst poses and plots at once.
_TALL = 1050
# What the Inspector keeps when a finding needs room.
_INSPECTOR_REST = 130
_LEFT, _RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
_BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


Foldable = Plots | WorstStrip


@dataclass(frozen=True)
class DockPanel:
    """One dock.

    Parameters
    ----------
    content
        Which part of the workbench is in it.
    area
        The edge of the window that it stands at.
    least
        The width and height in pixels below which it is not made smaller.
    titled
        Whether it has a title, by which it is also taken off the window.
    """

    content: Callable[[Workbench], QWidget]
    area: Qt.DockWidgetArea
    least: tuple[int, int]
    titled: bool = True


# By title, in the order in which they stand at one edge; the menu of panels lists them so, too.
PANELS: dict[str, DockPanel] = {
    "Joints": DockPanel(lambda bench: bench.tree, _LEFT, (180, 0)),
    "Inspector": DockPanel(lambda bench: bench.inspector, _RIGHT, (280, 0)),
    "Checks": DockPanel(lambda bench: bench.checks, _RIGHT, (280, 0)),
    "Notes": DockPanel(lambda bench: bench.notes_panel, _RIGHT, (280, 0)),
    "Timeline": DockPanel(lambda bench: bench.timeline, _BOTTOM, (0, 104), titled=False),
}


class EdgeTab(QPushButton):
    """A dock that is folded away, as a tab at the edge of the window; a click brings it back."""

    def __init__(self, name: str) -> None:
        super().__init__(tr(name))
        words = tr("Show {name}", name=Sentence(name.lower()))
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(26, 80)

    minimumSizeHint = sizeHint

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour("background4" if self.underMouse() else "background2"))
        picture = theme.pixmap("caret-right", "text2", 14, self.devicePixelRatioF())
        painter.drawPixmap(QPointF(6, 8), picture)
        if self.hasFocus():
            painter.setPen(colour("accent"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.setFont(font(weight=theme.SEMIBOLD))
        painter.setPen(colour("text"))
        painter.rotate(90.0)
        area = QRectF(30.0, -self.width(), self.height() - 30.0, self.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), self.text())


class Arrangement(QObject):
    """Lays the parts out in a window, and remembers how the user changed that."""

    def __init__(self, window: QMainWindow, bench: Workbench) -> None:
        super().__init__(window)
        self._window, self._bench = window, bench
        # What is folded for want of room comes back with it; what the user folds stays so.
        self._narrow = self._joints_folded = False
        # Panel → whether there was room for it, and those that are folded for want of it.
        self._had_room: dict[Foldable, bool] = {}
        self._folded: set[Foldable] = set()
        # Whether a whole scan of the rig has found no pose that is worth a card.
        self._none_found = False
        self.titles = {name: Title(name) for name, panel in PANELS.items() if panel.titled}
        self.edge_tab = EdgeTab("Joints")
        window.setCentralWidget(self._centre())
        window.setCorner(Qt.Corner.BottomLeftCorner, _BOTTOM)
        window.setCorner(Qt.Corner.BottomRightCorner, _BOTTOM)
        self.docks = {name: self._dock(name, panel) for name, panel in PANELS.items()}
        joints = self.docks["Joints"]
        self.edge_tab.clicked.connect(joints.show)
        joints.visibilityChanged.connect(lambda _: self.edge_tab.setVisible(joints.isHidden()))
        self.edge_tab.hide()
        bench.document.noted.connect(self._count_notes)
        bench.document.opened.connect(self._await_poses)
        bench.worst_strip.listed.connect(self._follow_scan)
        self.docks["Notes"].visibilityChanged.connect(bench.notes_panel.set_in_front)

    def _tab_bars(self) -> list[QTabBar]:
        return self._window.findChildren(QTabBar, options=_DIRECT)

    def _count_notes(self) -> None:
        self.titles["Notes"].count.setText(str(len(self._bench.noter.notes.each) or ""))

    def _centre(self) -> QWidget:
        bench = self._bench
        panes = column(bench.headers, (bench.canvas, 1), bench.legend, bench.worst_strip, spacing=0)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(4)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(panes)
        self.splitter.addWidget(bench.vertex_table)
        self.splitter.addWidget(bench.plots)
        self.splitter.setStretchFactor(0, 1)
        bench.plots.folded.connect(self._share_height)
        bench.vertex_table.folded.connect(self._make_room)
        bench.document.changed.connect(self._make_room_anew)
        bench.state.changed.connect(self._make_room_to_paint)
        # The canvas stays below the start page, so that its context is made before it is needed.
        stack = QWidget()
        stacked = QStackedLayout(stack)
        stacked.setStackingMode(QStackedLayout.StackingMode.StackAll)
        stacked.addWidget(self.splitter)
        stacked.addWidget(bench.start_page)
        brushes = bench.brush_strip, bench.weight_strip
        strips = bench.message, bench.preview_strip, bench.compare_strip, *brushes
        bench.retargeter.changed.connect(self._make_room_aside)
        shown = column(*strips, (stack, 1), spacing=0)
        return row(self.edge_tab, (shown, 1), bench.retarget_panel, spacing=4)

    def _dock(self, name: str, panel: DockPanel) -> QDockWidget:
        content = panel.content(self._bench)
        content.setMinimumSize(*panel.least)
        dock = QDockWidget(tr(name))
        dock.setObjectName(name)
        feature = QDockWidget.DockWidgetFeature
        features = feature.DockWidgetMovable | feature.DockWidgetClosable
        if panel.titled:
            features |= feature.DockWidgetFloatable
        dock.setFeatures(features)
        dock.setTitleBarWidget(self.titles.get(name) or QWidget())
        dock.setWidget(content)
        self._window.addDockWidget(panel.area, dock)
        return dock

    @property
    def reading_order(self) -> list[QWidget]:
        """The parts as one reads the window: left, middle, right, bottom."""
        bench = self._bench

        def at(area: Qt.DockWidgetArea) -> list[QWidget]:
            return [panel.content(bench) for panel in PANELS.values() if panel.area == area]

        panes = bench.start_page, bench.headers, bench.canvas
        middle = *panes, bench.worst_strip, bench.vertex_table, bench.plots, bench.retarget_panel
        return [*at(_LEFT), *middle, *at(_RIGHT), *at(_BOTTOM)]

    def restore(self, settings: Settings) -> None:
        """Bring back size and docks of the last session, or the design's own."""
        geometry, docks = settings.layout("geometry"), settings.layout("docks")
        restored = (
            geometry is not None
            and docks is not None
            and self._window.restoreGeometry(geometry)
            and self._window.restoreState(docks, _VERSION)
        )
        if not restored:
            self.reset()
            return
        plots = settings.layout("plots")
        if plots is not None:
            self.splitter.restoreState(plots)

    def save(self, settings: Settings) -> None:
        """Remember size and docks, as they are where there is room."""
        if self._joints_folded:
            self.docks["Joints"].show()
        settings.write("geometry", self._window.saveGeometry())
        settings.write("docks", self._window.saveState(_VERSION))
        settings.write("plots", self.splitter.saveState())

    def reset(self) -> None:
        """Lay the docks out as designed, for the present size of the window."""
        window = self._window
        wide = window.width() >= _WIDE
        for dock in self.docks.values():
            dock.setFloating(False)
            dock.show()
        # Behind the checks until it is wanted: three panels below each other are too low.
        window.tabifyDockWidget(self.docks["Checks"], self.docks["Notes"])
        self.docks["Checks"].raise_()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        joints, inspector = self.docks["Joints"], self.docks["Inspector"]
        window.resizeDocks([joints, inspector], [290, 370] if wide else [240, 308], across)
        window.resizeDocks([self.docks["Timeline"]], [140 if wide else 116], down)
        rest = window.height() - 38 - 24 - (140 if wide else 116)
        shares = [round(0.53 * rest), round(0.47 * rest)]
        window.resizeDocks([inspector, self.docks["Checks"]], shares, down)
        self._narrow = False
        self._had_room, self._folded = {}, set()
        self._bench.plots.set_folded(folded=False)
        self._bench.worst_strip.set_folded(folded=False)
        self.fit(window.size())

    def fit(self, size: QSize) -> None:
        """Fold what the window has no room for, and unfold it when there is room again."""
        # Tab goes through the panels themselves.
        for tabs in self._tab_bars():
            tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        narrow = size.width() < (_WIDE if self._bench.retargeter.is_active else _NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            joints = self.docks["Joints"]
            if narrow and not joints.isHidden() and not joints.isFloating():
                self._joints_folded = True
                joints.hide()
            elif not narrow and self._joints_folded:
                self._joints_folded = False
                joints.show()
        self._fold_for_room(size.height())

    def _fold_for_room(self, height: int) -> None:
        """Fold plots and worst poses while the panes need their room, and what would be empty.

        The panes need it beside the table of vertices, and while weights are painted or a motion is tried.
        """
        bench = self._bench
        tall = height >= _TALL and not bench.retargeter.is_active
        alone = bench.vertex_table.is_away and bench.state.value.weight_brush is None
        alone = alone and not bench.retargeter.is_active
        rig = bench.document.rig
        is_plotted = rig is None or bool(rig.clips)
        self._fold(bench.plots, has_room=is_plotted and (tall or (alone and height >= _LOW)))
        has_room = tall or (alone and height >= _LOWEST)
        self._fold(bench.worst_strip, has_room=has_room and not self._none_found)

    def _fold(self, panel: Foldable, *, has_room: bool) -> None:
        """Fold a panel when it loses its room, and unfold it when it has it again."""
        if has_room == self._had_room.get(panel, True):
            return
        self._had_room[panel] = has_room
        if not has_room and not panel.is_folded:
            self._folded.add(panel)
            panel.set_folded(folded=True)
        elif has_room and panel in self._folded:
            self._folded.discard(panel)
            panel.set_folded(folded=False)

    def _share_height(self, _folded: bool = False) -> None:
        """Let the panes have what plots and vertices do not need; a splitter alone would leave it empty."""
        plots, vertices = self._bench.plots, self._bench.vertex_table
        below = theme.TITLE if plots.is_folded else 230 if self._window.width() >= _WIDE else 150
        table = 0 if vertices.isHidden() else theme.TITLE if vertices.is_folded else OPEN
        rest = self.splitter.height() - below - table
        self.splitter.setSizes([max(rest, 1), table, below])

    def _make_room(self, _folded: bool = False) -> None:
        self._fold_for_room(self._window.height())
        self._share_height()

    def _make_room_anew(self) -> None:
        # Only what is folded or unfolded shares the height anew: splitters that the user moved stay.
        self._fold_for_room(self._window.height())

    def _await_poses(self) -> None:
        self._none_found = False
        self._make_room_anew()

    def _follow_scan(self) -> None:
        """Fold the strip of worst poses where there are none, until a scan finds one."""
        has_poses, was = self._bench.worst_strip.has_poses, self._none_found
        if has_poses or self._bench.worst_scanner.stand == "done":
            self._none_found = not has_poses
        if self._none_found != was:
            self._make_room_anew()

    def _make_room_aside(self) -> None:
        """Fold the joints for the map of a motion, which lists them too."""
        self.fit(self._window.size())

    def _make_room_to_paint(self, old: ViewState, new: ViewState) -> None:
        if (old.weight_brush is None) != (new.weight_brush is None):
            self._make_room()

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front."""
        self.docks[name].show()
        self.docks[name].raise_()

    def make_room_for_finding(self) -> None:
        """Let the Checks dock grow into the Inspector as far as the selected finding needs it."""
        checks, inspector = self.docks["Checks"], self.docks["Inspector"]
        checks.raise_()
        wanted = self._bench.checks.wanted_height + self.titles["Checks"].height()
        together = checks.height() + inspector.height()
        if checks.isFloating() or inspector.isHidden() or checks.height() >= wanted:
            return
        share = min(wanted, together - _INSPECTOR_REST)
        if share > checks.height():
            down = Qt.Orientation.Vertical
            # The tabs of the panels that share its place take from it.
            share += max(
                (tabs.height() for tabs in self._tab_bars() if tabs.isVisible()), default=0
            )
            self._window.resizeDocks([inspector, checks], [together - share, share], down)
