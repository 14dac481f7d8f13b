"""The bar at the top: menus, shading and overlays, undo and redo, screenshot."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QWidget

from rigview.assets import SAMPLES
from rigview.ui.actions import ACTIONS, MENUS, WITHIN
from rigview.ui.actions.looking import show_panes
from rigview.ui.appearance import CHOICES, Appearance
from rigview.ui.commands import Commands
from rigview.ui.keys.shortcuts import shown
from rigview.ui.navigation import PRESETS
from rigview.ui.panels.start_page import SAMPLES_OFFERED, broken_samples
from rigview.ui.settings import told_apart
from rigview.ui.view_state import MOST_PANES, ViewState
from rigview.ui.widgets import theme
from rigview.ui.widgets.controls import Button, SegmentedControl, toggle
from rigview.ui.widgets.layout import across, fill, line
from rigview.ui.widgets.tips import plain
from rigview.ui.widgets.words import tr
from rigview.ui.workbench import Workbench

_SHADINGS = [entry.id for entry in ACTIONS if entry.kind == "shading" and entry.button]
_SHADING_WORDS = [entry.button for entry in ACTIONS if entry.id in _SHADINGS]
_OVERLAYS = [entry for entry in ACTIONS if entry.kind == "overlay" and entry.button]
_SCREENSHOT = "Screenshot"
_MARGINS, _SPACING = (4, 0, 8, 0), 4


def _needed(widget: QWidget) -> int:
    """Return how much of the bar a widget takes, the space beside it included."""
    return max(widget.sizeHint().width(), widget.minimumWidth()) + _SPACING


def _tick(menu: QMenu, chosen: object) -> None:
    for action in menu.actions():
        action.setChecked(action.data() == chosen)


class Bar(QWidget):
    """Everything here triggers an action of `Commands`; `layout_asked` wants the original layout.

    Attributes
    ----------
    panels
        The actions that show and hide docks.
    """

    layout_asked = Signal()

    def __init__(self, commands: Commands, bench: Workbench, appearance: Appearance) -> None:
        super().__init__()
        self._commands, self._bench, self._state = commands, bench, bench.state
        self._appearance = appearance
        self.panels: list[QAction] = []
        fill(self, "background1")
        self.setFixedHeight(38)
        self.menus = self._menu_bar()
        self.shading = SegmentedControl(_SHADING_WORDS, 1, "Shading")
        self.shading.chosen.connect(lambda i: commands.actions[_SHADINGS[i]].trigger())
        self.overlays = {}
        for entry in _OVERLAYS:
            button = toggle(entry.button, self._tip(entry.id, tr(entry.text)))
            button.clicked.connect(commands.actions[entry.id].trigger)
            self.overlays[entry.id] = button
        self.undo = Button("", "arrow-u-up-left", "ghost", "Undo", theme.BUTTON)
        self.redo = Button("", "arrow-u-up-right", "ghost", "Redo", theme.BUTTON)
        self.undo.clicked.connect(commands.actions["undo"].trigger)
        self.redo.clicked.connect(commands.actions["redo"].trigger)
        self.screenshot = Button(
            _SCREENSHOT, "camera", "plain", self._tip("screenshot", tr(_SCREENSHOT)), theme.BUTTON
        )
        self.screenshot.clicked.connect(commands.actions["screenshot"].trigger)
        divider = line()
        self._fixed = self.menus, self.shading, divider, self.undo, self.redo, self.screenshot
        middle = self.shading, divider, *self.overlays.values()
        right = self.undo, self.redo, self.screenshot
        across(self, self.menus, None, *middle, None, *right, margins=_MARGINS, spacing=_SPACING)
        bench.state.changed.connect(self._follow)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many overlays as there is room for beside everything else; the menus have them all."""
        room, margins = 0, _MARGINS[0] + _MARGINS[2]
        wanted = sum(map(_needed, self.overlays.values()))
        # The word beside the camera goes first: its tool tip says it too.
        for word in (tr(_SCREENSHOT), ""):
            self.screenshot.setText(word)
            self.screenshot.updateGeometry()
            room = self.width() - margins - sum(map(_needed, self._fixed))
            if room >= wanted:
                break
        for button in self.overlays.values():
            room -= _needed(button)
            button.setVisible(room >= 0)
        super().resizeEvent(event)

    def _menu_bar(self) -> QMenuBar:
        bar = QMenuBar()
        bar.setNativeMenuBar(False)
        bar.setAccessibleName(tr("Menus"))
        bar.setFont(theme.font())
        bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        menus: dict[str, QMenu] = {name: bar.addMenu(tr(name)) for name in MENUS}
        for entry in ACTIONS:
            above = menus[WITHIN.get(entry.menu, entry.menu)]
            if entry.divider:
                above.addSeparator()
            if entry.menu not in menus:
                menus[entry.menu] = above.addMenu(tr(entry.menu))
            menus[entry.menu].addAction(self._commands.actions[entry.id])
            if entry.id == "open_file":
                self._open_menus(above)
        self._view_menus(menus["View"])
        return bar

    def _open_menus(self, menu: QMenu) -> None:
        recent = menu.addMenu(tr("Open recent"))
        recent.setToolTipsVisible(True)
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        samples = menu.addMenu(tr("Open sample"))
        for sample in SAMPLES_OFFERED:
            path = SAMPLES / sample.file
            if path.is_file():
                samples.addAction(tr(sample.title), partial(self._bench.open_path, path))
        broken = broken_samples()
        if broken:
            below = samples.addMenu(tr("Broken, one per rule"))
            for path in broken:
                below.addAction(path.stem, partial(self._bench.open_path, path))

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for name, path in told_apart(self._bench.settings.recent):
            action = menu.addAction(name, partial(self._bench.open_path, path))
            action.setToolTip(plain(str(path)))
        if menu.isEmpty():
            menu.addAction(tr("No file was opened yet")).setEnabled(False)

    def _view_menus(self, menu: QMenu) -> None:
        menu.addSeparator()
        panes = menu.addMenu(tr("Panes"))
        for count in range(1, MOST_PANES + 1):
            text = tr("One") if count == 1 else tr("{number} side by side", number=count)
            action = panes.addAction(text, partial(self._show_panes, count))
            action.setCheckable(True)
            action.setData(count)
        panes.aboutToShow.connect(lambda: _tick(panes, len(self._state.value.methods)))
        navigation = menu.addMenu(tr("Mouse as in"))
        for preset in PRESETS.values():
            action = navigation.addAction(preset.title, partial(self._navigate, preset.name))
            action.setCheckable(True)
            action.setData(preset.name)
        navigation.aboutToShow.connect(lambda: _tick(navigation, self._bench.panes.preset))
        colours = menu.addMenu(tr("Colours"))
        for choice, title in CHOICES.items():
            action = colours.addAction(tr(title), partial(self._appearance.choose, choice))
            action.setCheckable(True)
            action.setData(choice)
        colours.aboutToShow.connect(lambda: _tick(colours, self._appearance.choice))
        panels = menu.addMenu(tr("Panels"))
        panels.aboutToShow.connect(lambda: self._fill_panels(panels))

    def _show_panes(self, count: int) -> None:
        show_panes(self._bench, count)

    def _tip(self, name: str, text: str) -> str:
        keys = self._commands.shortcuts.keys(name)
        return f"{text}  {shown(keys[0])}" if keys else text

    def _navigate(self, name: str) -> None:
        self._bench.panes.preset = name
        self._bench.settings.write("navigation", name)

    def _fill_panels(self, menu: QMenu) -> None:
        menu.clear()
        for action in self.panels:
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(tr("Original layout"), self.layout_asked.emit)

    def _follow(self, _old: ViewState, _new: ViewState) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Show what is on, and what can be done."""
        actions, state = self._commands.actions, self._state.value
        opened = actions["clay"].isEnabled()
        self.shading.setEnabled(opened)
        chosen = state.shading in _SHADINGS
        self.shading.select(_SHADINGS.index(state.shading) if chosen else -1)
        for entry in _OVERLAYS:
            self.overlays[entry.id].setEnabled(opened)
            self.overlays[entry.id].setChecked(self._commands.actions[entry.id].isChecked())
        for name, button in (("undo", self.undo), ("redo", self.redo)):
            button.setEnabled(actions[name].isEnabled())
            button.setToolTip(self._tip(name, actions[name].text()))
        self.screenshot.setEnabled(opened)
