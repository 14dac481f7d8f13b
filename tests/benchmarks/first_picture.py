"""From the start of the process to the window, and on to the first picture of a rig.

    python tests/benchmarks/first_picture.py FILE [--rounds N] [--against CHECKOUT]

Processor seconds, and in brackets seconds on the clock, of every step; the least of several rounds, since
other work on the machine only ever adds to it. With another checkout of rigview each round starts both,
one after the other, and the last column says how many times as long the other one takes.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
Moment = tuple[float, float]
WINDOW, PICTURE = "launch to window", "first picture after it"


def now() -> Moment:
    """Return the processor's and the clock's seconds since the start of the process, nearly."""
    return time.process_time(), time.perf_counter() - BEGAN


BEGAN = time.perf_counter()


def one_launch(file: Path) -> dict[str, Moment]:
    """Open a window and a rig in this process, and return what each step took."""
    os.environ["RIGVIEW_SETTINGS"] = ":memory:"
    os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")
    from rigview.ui.app import has_opengl, make_application

    application = make_application()
    moments = {"Qt and what is below the window": now()}
    from rigview.ui.panes.painter import Painter
    from rigview.ui.settings import Settings
    from rigview.ui.window import Window

    moments["the window's modules"] = now()
    window = Window(Settings(), opengl=has_opengl())
    window.resize(1600, 950)
    window.show()
    application.processEvents()
    moments["the window"] = now()
    drawn: list[Moment] = []
    draw = Painter.draw

    def timed(self: Painter, *arguments: object) -> None:
        from OpenGL import GL

        draw(self, *arguments)  # type: ignore[arg-type]
        GL.glFinish()
        drawn.append(now())

    Painter.draw = timed  # type: ignore[assignment,method-assign]
    window.bench.open_path(file)
    while window.bench.document.rig is None or window.bench.opener.is_busy:
        application.processEvents()
    moments["the file"] = now()
    opened = len(drawn)
    while len(drawn) == opened:
        application.processEvents()
    moments["the picture"] = drawn[-1]
    steps = dict[str, Moment]()
    before = (0.0, 0.0)
    for name, moment in moments.items():
        steps[name] = (moment[0] - before[0], moment[1] - before[1])
        before = moment
    steps[WINDOW] = moments["the window"]
    steps[PICTURE] = tuple(  # type: ignore[assignment]
        a - b for a, b in zip(moments["the picture"], moments["the window"], strict=True)
    )
    return steps


def launched(checkout: Path, file: Path) -> dict[str, Moment]:
    """Start a process that opens the window of a checkout."""
    script = [sys.executable, __file__, str(file), "--of", str(checkout)]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    return {name: (cpu, clock) for name, (cpu, clock) in json.loads(done.stdout).items()}


def least(rounds: list[dict[str, Moment]]) -> dict[str, Moment]:
    """Return the least of every step, by each clock."""
    return {
        name: (min(r[name][0] for r in rounds), min(r[name][1] for r in rounds))
        for name in rounds[0]
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--of", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.of is not None:
        sys.path.insert(0, str(options.of))
        print(json.dumps(one_launch(options.file)), flush=True)
        # Nothing that is still under way matters.
        os._exit(0)
    checkouts = [REPOSITORY, *([options.against] if options.against is not None else [])]
    measured: list[list[dict[str, Moment]]] = [[] for _ in checkouts]
    for _ in range(options.rounds):
        for rounds, checkout in zip(measured, checkouts, strict=True):
            rounds.append(launched(checkout.resolve(), options.file.resolve()))
    tables = [least(rounds) for rounds in measured]
    for name in tables[0]:
        cells = [f"{table[name][0]:5.2f} ({table[name][1]:5.2f})" for table in tables]
        share = [f"{tables[1][name][0] / tables[0][name][0]:5.2f}"] if len(tables) > 1 else []
        print(f"{name:34}", *cells, *share, sep="  ")


if __name__ == "__main__":
    main()
