"""How long anything holds the event loop: a table per rig, GL draws and composition left out.

    python tests/benchmarks/event_loop.py [FILE…] [--rounds N]

Every step of a session is done in a real window while a 1 ms timer beats; the longest gap between
two beats, less what was spent in OpenGL in between, is what the step held. Of several rounds the
shortest counts, since other work on the machine only ever adds to it. Beside it stands the share of the
step's time that gaps above 50 ms take up, by the thread's own work: what a user feels.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

os.environ["RIGVIEW_SETTINGS"] = ":memory:"
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")
REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtTest import QTest

from rigview.ui.app import has_opengl, make_application

APPLICATION = make_application()
from rigview.core.skinning import METHODS
from rigview.ui.panes.painter import Painter
from rigview.ui.panes.viewport import Panes
from rigview.ui.settings import Settings
from rigview.ui.window import Window
from rigview.ui.workers.releasing import leave_out_what_stays

if TYPE_CHECKING:
    from rigview.ui.dialogs.export_kinds import Kind

CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus")) / "rigs"
RIGS = (
    "Mesh2Motion+mesh2motion-app/static/models-variation/human-sintel.glb",
    "KayKit-Game-Assets+KayKit-Character-Pack-Adventures-1.0/addons/"
    "kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
    "godotengine+godot-demo-projects/3d/ragdoll_physics/characters/mannequiny.glb",
)


Clock = Callable[[], float]
# Seconds from which on a window feels slow.
FELT = 0.05


class Watchdog:
    """Beats every millisecond and remembers the longest time without a beat, by two clocks."""

    def __init__(self) -> None:
        self._stopwatches = [Stopwatch(time.perf_counter), Stopwatch(time.thread_time)]
        self._started = time.perf_counter()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        for stopwatch in self._stopwatches:
            stopwatch.beat()

    @property
    def longest(self) -> tuple[float, float]:
        """The longest time held: by the clock on the wall, and by that of the thread's own work."""
        return self._stopwatches[0].longest, self._stopwatches[1].longest

    @property
    def share_above(self) -> float:
        """The share of the time since the start that went by in gaps above `FELT`, of own work."""
        elapsed = time.perf_counter() - self._started
        return self._stopwatches[1].above / max(elapsed, 1e-9)

    def restart(self) -> None:
        """Forget what was before."""
        self._started = time.perf_counter()
        for stopwatch in self._stopwatches:
            stopwatch.restart()

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Leave out what happens in here."""
        self.begin()
        yield
        self.end()

    def begin(self) -> None:
        """Leave out what follows."""
        for stopwatch in self._stopwatches:
            stopwatch.begin()

    def end(self) -> None:
        """Count again."""
        for stopwatch in self._stopwatches:
            stopwatch.end()


class Stopwatch:
    """The longest time between beats, and the sum of those above `FELT`, drawing left out, by one clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.restart()

    def restart(self) -> None:
        """Forget what was before."""
        self.longest, self.above, self._last, self._drawn = 0.0, 0.0, self._clock(), 0.0
        self._began: float | None = None

    def beat(self) -> None:
        """Measure since the last beat."""
        now = self._clock()
        held = now - self._last - self._drawn
        self.longest = max(self.longest, held)
        self.above += held if held > FELT else 0.0
        self._last, self._drawn = now, 0.0

    def begin(self) -> None:
        """Leave out what follows."""
        self._began = self._clock()

    def end(self) -> None:
        """Count again."""
        if self._began is not None:
            self._drawn += self._clock() - self._began
            self._began = None


def watch(dog: Watchdog) -> None:
    """Leave OpenGL out of what the watchdog measures."""
    for owner, name in ((Painter, "draw"), (Panes, "render")):
        setattr(owner, name, left_out(dog, getattr(owner, name)))


def left_out(dog: Watchdog, draw: Callable[..., object]) -> Callable[..., object]:
    """Return a function that draws, and whose time the watchdog leaves out."""

    def timed(*arguments: object) -> object:
        from OpenGL import GL

        with dog.drawing():
            drawn = draw(*arguments)
            GL.glFinish()
        return drawn

    return timed


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Let the window work until something is so."""
    end = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > end:
            raise TimeoutError
        APPLICATION.processEvents()
        time.sleep(0.0005)


def idle(seconds: float) -> None:
    """Let the window work for a while."""
    end = time.perf_counter() + seconds
    until(lambda: time.perf_counter() > end)


class Session:
    """What a rigger does, step by step."""

    def __init__(self, window: Window, file: Path) -> None:
        self.window, self.bench, self.file = window, window.bench, file

    def quiet(self) -> None:
        """Wait until all work has ended."""
        until(lambda: not self.bench.jobs.running and not self.bench.opener.is_busy)
        idle(0.15)

    def open(self) -> None:
        self.bench.open_path(self.file)
        until(lambda: not self.bench.opener.is_busy)
        until(lambda: self.bench.checker.report is not None)

    def first_joints(self) -> None:
        tree = self.bench.tree
        tree.tree.setFocus()
        for _ in range(8):
            QTest.keyClick(tree.tree, Qt.Key.Key_Down)
            idle(0.08)

    def search(self) -> None:
        field = self.bench.tree.search
        for letter in "arm":
            QTest.keyClick(field, letter)
            idle(0.05)
        field.clear()
        idle(0.1)

    def play(self) -> None:
        QTest.keyClick(self.bench.canvas, Qt.Key.Key_Space)
        idle(1.0)
        QTest.keyClick(self.bench.canvas, Qt.Key.Key_Space)

    def scrub(self) -> None:
        ruler = self.bench.timeline.ruler
        QTest.mousePress(ruler, Qt.MouseButton.LeftButton, pos=QPoint(120, 10))
        for x in range(140, 700, 40):
            QTest.mouseMove(ruler, QPoint(x, 10))
            idle(0.03)
        QTest.mouseRelease(ruler, Qt.MouseButton.LeftButton, pos=QPoint(700, 10))

    def orbit(self) -> None:
        canvas = self.bench.canvas
        QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
        for i in range(12):
            QTest.mouseMove(canvas, QPoint(70 + 10 * i, 60 + 3 * i))
            idle(0.03)
        QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(190, 100))

    def weights(self) -> None:
        QTest.keyClick(self.window, Qt.Key.Key_W)
        idle(0.2)
        for item in list(self.bench.tree._items.values())[8:14]:
            self.bench.tree.tree.setCurrentItem(item)
            idle(0.1)

    def pick_vertices(self) -> None:
        QTest.keyClick(self.window, Qt.Key.Key_B)
        areas: list[QRectF] = self.bench.panes.logical_panes()
        for area in areas:
            for share in (0.35, 0.45, 0.55):
                middle = QPointF(area.center().x(), area.height() * share).toPoint()
                QTest.mouseClick(self.bench.canvas, Qt.MouseButton.LeftButton, pos=middle)
                idle(0.1)
        QTest.keyClick(self.window, Qt.Key.Key_B)

    def curves(self) -> None:
        for number in (1, 2, 0):
            area = self.bench.plots.kind.item_rect(number).center().toPoint()
            QTest.mouseClick(self.bench.plots.kind, Qt.MouseButton.LeftButton, pos=area)
            idle(0.1)

    def trial(self) -> None:
        joint = self.bench.document.rig.joints[3]  # type: ignore[union-attr]
        self.bench.state.update(joint=joint)
        idle(0.1)
        for degrees in range(0, 40, 4):
            self.bench.inspector.trial.euler[2].setValue(degrees)
            idle(0.03)
        self.bench.state.update(trial={})

    def frame(self) -> None:
        for key in (Qt.Key.Key_F, Qt.Key.Key_A, Qt.Key.Key_1, Qt.Key.Key_3, Qt.Key.Key_7):
            QTest.keyClick(self.window, key)
            idle(0.08)

    def methods(self) -> None:
        for method in list(METHODS)[::-1]:
            self.bench.state.update(methods=(method, "dqs", "compensated"))
            idle(0.15)
        self.bench.state.update(methods=("lbs", "dqs", "compensated"))

    def hide(self) -> None:
        QTest.keyClick(self.window, Qt.Key.Key_H)
        idle(0.1)
        QTest.keyClick(self.window, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)

    def worst_poses(self) -> None:
        """Let the strip fill from nothing, pictures and all."""
        scanner = self.bench.worst_scanner
        scanner.renew()
        scanner.quiet_timer.start(0)
        until(lambda: scanner.stand in ("done", "failed"), 300.0)
        self.quiet()

    def worst_cards(self) -> None:
        """Go from card to card, each in heat from its own side, and back."""
        strip = self.bench.worst_strip
        for number in range(min(4, len(strip.poses))):
            strip.choose(number)
            idle(0.4)
        self.bench.worst_view.go_back()

    def findings(self) -> None:
        for row in list(self.bench.checks.rows)[:4]:
            self.bench.checks.choose(row.finding)
            idle(0.15)

    def profile(self) -> None:
        for name in ("dqs", "thesis"):
            self.bench.checker.set_profile(name)
            until(lambda: self.bench.checker.report is not None)
            self.quiet()

    def fix_all(self) -> None:
        self.bench.checker.fix_all_exact()
        self.quiet()

    def undo(self) -> None:
        QTest.keyClick(self.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        self.quiet()

    def redo(self) -> None:
        self.window.commands.do("redo")
        self.quiet()
        self.window.commands.do("undo")
        self.bench.checker.set_profile("gltf")

    def export(self) -> None:
        dialog = self.bench.exporter.ask(self.window)
        idle(0.4)
        if dialog is not None:
            dialog.bones.toggle()
            idle(0.3)
            dialog.reject()
        idle(0.2)

    def picture(self) -> None:
        from rigview.ui.dialogs.export_kinds import StillPicture

        self._write(StillPicture(), "picture.png")

    def sheet(self) -> None:
        from rigview.ui.dialogs.export_kinds import Sheet

        self._write(Sheet(6), "sheet.png")

    def turntable(self) -> None:
        from rigview.render.turntable import Turntable

        self._write(Turntable(4, 30.0), "turn.webp")

    def _write(self, kind: "Kind", name: str) -> None:
        from rigview.ui.dialogs.export_dialog import Export

        review = self.bench.exporter.base_review()
        with TemporaryDirectory() as folder:
            if review is not None:
                self.bench.exporter.write(Export(review, kind, Path(folder) / name, True))
            self.quiet()

    def save(self) -> None:
        with TemporaryDirectory() as folder:
            self.bench.saver.write(Path(folder) / "copy.glb")
            self.quiet()


STEPS = (
    "open",
    "first_joints",
    "search",
    "play",
    "scrub",
    "orbit",
    "weights",
    "pick_vertices",
    "curves",
    "trial",
    "frame",
    "methods",
    "hide",
    "worst_poses",
    "worst_cards",
    "findings",
    "profile",
    "fix_all",
    "undo",
    "redo",
    "export",
    "picture",
    "sheet",
    "turntable",
    "save",
)


def measure(file: Path, rounds: int, steps: tuple[str, ...]) -> dict[str, tuple[float, ...]]:
    """Return step → seconds that the loop was held, by both clocks, and `share_above`; the best rounds."""
    held: dict[str, tuple[float, ...]] = {}
    for _ in range(rounds):
        window = Window(Settings(), opengl=has_opengl())
        window.resize(1600, 950)
        window.show()
        window.activateWindow()
        # As the application does.
        leave_out_what_stays()
        dog = DOG
        window.bench.canvas.aboutToCompose.connect(dog.begin)
        window.bench.canvas.frameSwapped.connect(dog.end)
        idle(0.5)
        session = Session(window, file)
        for step in steps:
            session.quiet()
            dog.restart()
            getattr(session, step)()
            session.quiet()
            found = (*dog.longest, dog.share_above)
            best = held.get(step, found)
            held[step] = tuple(min(pair) for pair in zip(best, found, strict=True))
        window.may_close = True
        window.close()
        window.deleteLater()
        idle(0.2)
    return held


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", default=",".join(STEPS))
    options = parser.parse_args()
    files = options.files or [CORPUS / name for name in RIGS]
    steps = tuple(options.steps.split(","))
    columns = [measure(file, options.rounds, steps) for file in files]
    print(f"{'ms: wall (cpu)':16}" + "".join(f"{file.stem[:14]:>20}" for file in files))
    for step in steps:
        held = (column[step] for column in columns)
        cells = "".join(
            f"{f'{1000 * wall:.0f} ({1000 * work:.0f}) {share:.0%}':>20}"
            for wall, work, share in held
        )
        print(f"{step.replace('_', ' '):16}{cells}")


DOG = Watchdog()
watch(DOG)
if __name__ == "__main__":
    main()
