"""No job of the window runs what lies in the working directory or beside a rig."""

import os
import subprocess
import sys
from pathlib import Path

import planted
import pytest

SESSION = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
sys.path.insert(0, {str(planted.REPOSITORY)!r})
from rigview.ui.app import make_application
make_application()
from hands import Hands, opened_window
with opened_window() as window:
    hands = Hands(window)
    for file in sys.argv[1:]:
        hands.open(Path(file))
        hands.rest()
    hands.picture(0)
print(len(hands.bench.document.rig.joints))
"""


@pytest.mark.thorough
@pytest.mark.gl
def test_the_window_runs_nothing_that_lies_about(samples, tmp_path):
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom, UsdSkel

    folders = [tmp_path / "here", tmp_path / "rigs"]
    for folder in folders:
        folder.mkdir()
    stage = Usd.Stage.CreateNew(str(folders[1] / "mesh.usdc"))
    UsdSkel.Root.Define(stage, "/root")
    mesh = UsdGeom.Mesh.Define(stage, "/root/mesh")
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    mesh.CreateFaceVertexCountsAttr([3])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2])
    stage.Save()
    (folders[1] / "arm.glb").write_bytes((samples / "faulty_arm.glb").read_bytes())
    traps = [planted.Planted(folder) for folder in folders]
    script = tmp_path / "session.py"
    script.write_text(SESSION)
    files = [str(folders[1] / name) for name in ("mesh.usdc", "arm.glb")]
    unseen = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, str(script), *files],
        cwd=folders[0],
        env={**unseen, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert [name for trap in traps for name in trap.ran] == []
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1
