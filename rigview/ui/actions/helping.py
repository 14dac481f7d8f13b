"""The actions of the menu Help."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from rigview.ui.actions.row import Action
from rigview.ui.dialogs.about import AboutDialog
from rigview.ui.workbench import Workbench


def _go_to_next_region(bench: Workbench) -> None:
    """Move the focus to the next region of the window."""
    graph = bench.plots.made_graph
    plotted = () if graph is None else ((graph, graph),)
    # What is a region as a whole, and where one enters it.
    regions: tuple[tuple[QWidget, QWidget], ...] = (
        (bench.tree.search, bench.tree.search),
        (bench.tree.tree, bench.tree.tree),
        (bench.canvas, bench.canvas),
        (bench.vertex_table, bench.vertex_table.view),
        *plotted,
        (bench.checks, bench.checks.entrance),
        (bench.timeline, bench.timeline.play),
    )
    focus = bench.host.focusWidget()
    held = [i for i, (w, _) in enumerate(regions) if w is focus or w.isAncestorOf(focus)]
    start = held[0] + 1 if held else 0
    for offset in range(len(regions)):
        _, region = regions[(start + offset) % len(regions)]
        if region.isVisible() and region.isEnabled():
            region.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _about(bench: Workbench) -> None:
    AboutDialog(bench.host, bench.panes.painter.driver).open()


ROWS: tuple[Action, ...] = (
    Action(
        "palette",
        "Help",
        "Find an action, joint, clip or finding…",
        lambda bench: bench.shell.palette_asked.emit(""),
        ("Ctrl+Shift+P",),
        "magnifying-glass",
        always=True,
    ),
    Action(
        "show_keys",
        "Help",
        "Keys and mouse",
        lambda bench: bench.shell.sheet_asked.emit(),
        ("F1",),
        "keyboard",
        always=True,
    ),
    Action(
        "edit_keys",
        "Help",
        "Change keys…",
        lambda bench: bench.shell.keys_asked.emit(""),
        icon="pencil-simple",
        always=True,
    ),
    Action(
        "next_region",
        "Help",
        "Next region",
        _go_to_next_region,
        ("F6",),
        "squares-four",
        always=True,
    ),
    Action("about", "Help", "About rigview", _about, icon="info", divider=True, always=True),
)
