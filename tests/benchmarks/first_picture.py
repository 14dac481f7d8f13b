"""From the start of the process to the first picture: seconds of every step, as one line of JSON.

python tests/benchmarks/first_picture.py FILE
"""

import json
import os
import sys
import time
from pathlib import Path

BEGAN = time.perf_counter()
os.environ["RIGVIEW_SETTINGS"] = ":memory:"
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")
sys.path.insert(0, str(Path(__file__).parents[2]))

from rigview.ui.app import has_opengl, make_application

APPLICATION = make_application()
APPLICATION_MADE = time.perf_counter()
from rigview.ui.panes.painter import Painter
from rigview.ui.settings import Settings
from rigview.ui.window import Window

IMPORTED = time.perf_counter()
drawn: list[float] = []
draw = Painter.draw


def timed(self: Painter, *arguments: object) -> None:
    """Note when the first picture is done."""
    from OpenGL import GL

    draw(self, *arguments)  # type: ignore[arg-type]
    GL.glFinish()
    drawn.append(time.perf_counter())


Painter.draw = timed  # type: ignore[assignment,method-assign]
window = Window(Settings(), opengl=has_opengl())
window.resize(1600, 950)
window.show()
APPLICATION.processEvents()
SHOWN = time.perf_counter()
drawn.clear()
window.bench.open_path(Path(sys.argv[1]))
while window.bench.document.rig is None or window.bench.opener.is_busy:
    APPLICATION.processEvents()
OPENED = time.perf_counter()
while not drawn or drawn[-1] < OPENED:
    APPLICATION.processEvents()
steps = {
    "Qt and the application": APPLICATION_MADE - BEGAN,
    "our modules": IMPORTED - APPLICATION_MADE,
    "the window": SHOWN - IMPORTED,
    "the file": OPENED - SHOWN,
    "the picture": drawn[-1] - OPENED,
}
print(json.dumps(steps), flush=True)
# Nothing that is still under way matters.
os._exit(0)
