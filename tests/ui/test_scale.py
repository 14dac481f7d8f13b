"""At scale 2, panes and plots have twice the pixels, and exported pictures those asked for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCALED = Path(__file__).with_name("scaled_window.py")


@pytest.mark.window
@pytest.mark.usefixtures("qapp")
def test_at_scale_2_the_window_is_drawn_in_pixels_of_the_screen(samples):
    done = subprocess.run(
        [sys.executable, str(SCALED), str(samples / "arm.glb"), "hand"],
        env={**os.environ, "QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["ratio"] == 2.0
    assert found["pixels"] == [2 * side for side in found["panes"]]
    assert found["exported"] == [320, 201]
    # Its pen is 1.5 wide.
    assert found["playhead"] == 3
