"""From launch to window: what nobody waits for comes later, and is there when the first rig comes."""

import subprocess
import sys

import pytest
from hands import Hands, opened_window, until

from rigview.render.gl import GLError
from rigview.ui.panes.canvas import GLCanvas
from rigview.ui.warming import warm_up

SCRIPT = """
import sys
from rigview.ui.app import has_opengl, make_application
application = make_application()
from rigview.ui.settings import Settings
from rigview.ui.window import Window
window = Window(Settings(), opengl=has_opengl())
window.show()
application.processEvents()
window.close()
print(*sys.modules)
"""


@pytest.fixture
def cold(qapp):
    """Hands at a window of its own in which nothing has been opened."""
    with opened_window() as window:
        yield Hands(window)


@pytest.fixture(scope="module")
def modules():
    """The modules behind an empty window, in the order in which their imports began."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.split()


@pytest.mark.window
def test_an_empty_window_does_without_pyqtgraph_and_pyopengl(modules):
    assert "rigview.ui.window" in modules
    assert "pyqtgraph" not in modules
    assert "OpenGL.GL" not in modules


@pytest.mark.window
def test_what_is_below_the_window_is_imported_before_qt(modules):
    """PySide reads the source of each module that comes after it."""
    below = [m for m in modules if m.startswith("rigview.") and not m.startswith("rigview.ui")]
    late = [m for m in below if modules.index(m) > modules.index("PySide6")]
    assert len(late) < 0.1 * len(below), late


@pytest.mark.window
def test_the_first_rig_finds_everything_there(cold, samples):
    bench = cold.bench
    assert bench.plots.made_graph is None
    warm_up(bench)
    until(lambda: not bench.jobs.running and bench.plots.made_graph is not None)
    graph = bench.plots.made_graph
    if isinstance(bench.canvas, GLCanvas):
        assert bench.panes.painter.has_renderer
        assert cold.window.bench.panes.painter.driver
    assert not graph.isVisible(), "there is nothing to plot yet"
    cold.show(samples / "arm.glb")
    cold.bench.state.update(joint=cold.joint("lowerarm"))
    assert bench.plots.graph is graph
    assert graph.isVisible()


@pytest.mark.window
def test_a_rig_that_is_opened_at_once_waits_for_nothing(cold, samples):
    warm_up(cold.bench)
    cold.show(samples / "arm.glb")
    until(lambda: not cold.bench.jobs.running)
    cold.bench.state.update(joint=cold.joint("lowerarm"))
    assert cold.bench.plots.graph.isVisible()
    assert cold.bench.panes.painter.has_renderer
    assert len(cold.bench.panes.painter.scenes) == 1


@pytest.mark.window
def test_a_driver_that_is_too_old_is_told_before_a_rig_is_opened(cold, monkeypatch):
    bench = cold.bench
    if not isinstance(bench.canvas, GLCanvas):
        pytest.skip("no OpenGL widget here: pictures make their own context")

    def refuse():
        raise GLError("rigview needs OpenGL 3.3; the driver gives 2.1")

    monkeypatch.setattr(bench.panes.painter, "start", refuse)
    warm_up(bench)
    until(bench.message.isVisible)
    assert not bench.panes.painter.has_renderer
