"""A window on a screen of another scale: ``QT_SCALE_FACTOR=2 python scaled_window.py FILE JOINT``.

It prints as JSON what of it is as large in pixels as the screen, and what is not.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).parent))

import numpy as np
from hands import Hands, idle, opened_window, pixels

from rigview.ui.app import make_application
from rigview.ui.dialogs.export_kinds import StillPicture
from rigview.ui.widgets.theme import colour


def playhead_width(graph):
    """Return how many pixels of a row the line at the present frame takes."""
    row = pixels(graph.grab())[graph.height() // 2].astype(int)
    return int((np.abs(row - colour("accent").getRgb()[:3]).max(axis=-1) < 60).sum())


make_application()
with opened_window() as window:
    hands = Hands(window)
    hands.open(Path(sys.argv[1]))
    hands.click_joint(sys.argv[2])
    hands.bench.state.update(time=0.7)
    hands.rest()
    idle(0.2)
    wanted = replace(hands.bench.exporter.base_review(), size=(320, 201))
    picture = hands.bench.exporter.drawing(wanted, StillPicture())(lambda *_: None)
    found = {
        "ratio": window.devicePixelRatioF(),
        "panes": [hands.canvas.width(), hands.canvas.height()],
        "pixels": list(hands.picture().shape[1::-1]),
        "exported": list(picture.shape[1::-1]),
        "playhead": playhead_width(hands.bench.plots.graph),
    }
    sys.stdout.write(json.dumps(found))
