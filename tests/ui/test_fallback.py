"""Where a window cannot have OpenGL the panes are pictures of a headless context."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hands import Hands, click, opened_window
from PySide6.QtCore import QPointF

from rigview.ui.panes.canvas import GLCanvas, ImageCanvas

REPOSITORY = Path(__file__).parents[2]

SESSION = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from rigview.ui.app import has_opengl, make_application
make_application()
from hands import Hands, opened_window
assert not has_opengl()
with opened_window() as window:
    hands = Hands(window)
    hands.open(Path({file!r}))
    hands.bench.state.update(time=1.5, bones=False)
    picture = hands.picture(0)[30:-60]
    window.grab().save({target!r})
    print(round(float(picture.std()), 2), hands.bench.message.isVisible())
"""


@pytest.mark.gl
def test_offscreen_the_whole_window_draws(samples, tmp_path):
    target = tmp_path / "window.png"
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    code = SESSION.format(
        folder=str(Path(__file__).parent), file=str(samples / "arm.glb"), target=str(target)
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        env={**environment, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    spread, complaint = done.stdout.split()
    assert float(spread) > 5.0
    assert complaint == "False"
    assert target.stat().st_size > 20_000


@pytest.mark.thorough
@pytest.mark.window
def test_pictures_and_the_widget_show_the_same(qapp, samples):
    shown = []
    for opengl in (True, False):
        with opened_window(opengl=opengl) as window:
            hands = Hands(window)
            assert isinstance(hands.canvas, GLCanvas if opengl else ImageCanvas)
            hands.open(samples / "arm.glb")
            hands.bench.state.update(time=1.5)
            hands.rest()
            shown.append(hands.picture()[30:-60])
            painter = hands.bench.panes.painter
        # What is on the card goes with the window, while its context is there.
        assert painter.scenes == []
        assert not painter.has_renderer
    away = np.abs(shown[0].astype(int) - shown[1].astype(int)).max(axis=-1)
    assert shown[0].std() > 5.0
    assert (away > 12).mean() < 1e-3


@pytest.mark.window
def test_pictures_are_picked_in_and_exported_too(qapp, samples, tmp_path):
    with opened_window(opengl=False) as window:
        hands = Hands(window)
        hands.open(samples / "arm.glb")
        hands.picture()
        bones = hands.bench.stage.deformer.posed_bones(hands.bench.stage.frame)
        row = list(hands.bench.stage.deformer.skeleton.joints).index(hands.joint("lowerarm"))
        click(hands.canvas, QPointF(hands.place_of(bones.heads[row])))
        assert hands.state.joint == hands.joint("lowerarm")
        hands.key("F12")
        hands.dialog.path.setText(str(tmp_path / "p.png"))
        click(hands.dialog.save)
        hands.rest()
        assert (tmp_path / "p.png").is_file()
