"""Exact fixes of FBX files as Blender's importer sees them: nothing moves there either."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from rigview.check.applying.repair import repair
from rigview.io import load, save

PROGRAM = Path(__file__).with_name("blender_reads.py")
FILES = (
    "bexide+BxUni-Dual-Quaternion-Skinning/Assets/Models/skinned_cube.fbx",
    "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx",
    "guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx",
)
# Of what is written in 32 bits, as a share of the size.
NEAR = 3e-6


@pytest.mark.corpus
@pytest.mark.thorough(keep=1)
@pytest.mark.skipif(find_spec("bpy") is None, reason="bpy is not installed")
@pytest.mark.parametrize("name", FILES)
def test_all_exact_fixes_move_nothing_in_blender(corpus, tmp_path, name):
    source, out, read = corpus / "rigs" / name, tmp_path / "copy.fbx", tmp_path / "read.npz"
    loaded = load(source)
    made = repair(loaded.rig)
    assert "HIE-PARENT" in {one.finding.rule for one in made.applied}
    save(loaded, made.rig, out)
    subprocess.run(
        [sys.executable, PROGRAM, read, source, out], check=True, capture_output=True, timeout=300
    )
    found = dict(np.load(read))
    assert {key[2:] for key in found if key[0] == "0"} == {
        key[2:] for key in found if key[0] == "1"
    }
    for key in (key for key in found if key[0] == "0"):
        before, after = found[key], found[f"1{key[1:]}"]
        np.testing.assert_allclose(after, before, atol=NEAR * np.ptp(before))
