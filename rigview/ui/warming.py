"""What the first rig needs and the empty window does not, fetched once the window is on the screen.

The window is there sooner so (``tests/benchmarks/first_picture.py``), and who opens a rig a moment later
finds everything there. A rig that is opened at once waits for it.
"""

from collections.abc import Callable, Iterable
from importlib import import_module

from PySide6.QtCore import QTimer

from rigview.render import gl
from rigview.ui.jobs import Progress
from rigview.ui.workbench import Workbench
from rigview.ui.workers.releasing import leave_out_what_stays

# The modules that take long to import, pyqtgraph among them.
_SLOW = ("rigview.ui.panels.graph",)


def warm_up(bench: Workbench) -> None:
    """Import in a worker what takes long, then make what stands on it, one thing at a time."""
    api = bench.canvas.api()

    def fetch(_progress: Progress) -> None:
        if api is not None:
            gl.load(api)
        for name in _SLOW:
            import_module(name)

    def make(_result: object) -> None:
        _one_by_one(
            iter((bench.canvas.prepare, lambda: _make_graph(bench), lambda: _settle(bench)))
        )

    bench.jobs.run("what the first rig needs", fetch, make, quiet=True)


def _one_by_one(steps: Iterable[Callable[[], object]]) -> None:
    """Call functions, each in a turn of the event loop of its own."""
    step = next(iter(steps), None)
    if step is not None:
        step()
        QTimer.singleShot(0, lambda: _one_by_one(steps))


def _make_graph(bench: Workbench) -> object:
    return bench.plots.graph


def _settle(bench: Workbench) -> None:
    if bench.document.rig is None:
        leave_out_what_stays()
