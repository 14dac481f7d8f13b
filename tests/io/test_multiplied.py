"""Small files of which opening and checking could take a multiple: they end, within a GiB."""

import io
import re
import subprocess
import sys
from pathlib import Path

import multiplied
import numpy as np
import pytest
from PIL import Image
from survival import refusal

from rigview.check.rule import Finding, Fix
from rigview.check.rules.shared.merge_findings import for_alike
from rigview.check.run import run as check
from rigview.io import LoadError, images, load
from rigview.io.images import allowance, picture
from rigview.io.memory_budget import MemoryBudget

MOST_KIB = 1 << 20
# Many times what any of these files takes alone on a slow machine.
SECONDS = 240

PROGRAM = """
import re, sys
from pathlib import Path
from rigview.cli import main
from rigview.io import load
if sys.argv[1] == "pixels":
    for image in load(Path(sys.argv[2])).rig.images:
        image.pixels
    status = 0
else:
    status = main(sys.argv[1:])
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
print(f"status {status} peak {peak}")
"""


def run(command, path):
    """Run a command in a process of its own; return its exit status and the most memory it had, KiB."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, command, path],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return (*map(int, re.search(r"status (\d+) peak (\d+)", done.stdout).groups()), done.stderr)


@pytest.mark.thorough(keep=5)
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="asks Linux for its peak")
@pytest.mark.parametrize(
    ("kind", "size", "command"),
    [
        ("joints", 10_000, "check"),
        ("skins", 500, "check"),
        ("clips", 4_000, "check"),
        ("instances", 4_000, "check"),
        ("bvh", 20_000, "check"),
        ("connections", 40_000, "check"),
        ("channels", 20_000, "check"),
        ("png", 8192, "pixels"),
        ("jpeg", 8192, "pixels"),
        ("picture", 8192, "check"),
        ("picture", 5760, "pixels"),
        ("sparse", 500, "check"),
    ],
)
def test_what_a_file_multiplies_ends_within_a_gib(kind, size, command, tmp_path):
    status, peak, errors = run(command, multiplied.KINDS[kind](tmp_path, size))
    assert status in (0, 1), errors
    assert peak < MOST_KIB


@pytest.mark.thorough
def test_a_large_picture_of_a_kind_that_takes_much_is_left_out_and_said_so(tmp_path):
    rig = load(multiplied.picture(tmp_path, 8192)).rig
    assert any("more pixels than rigview decodes: 8,192 × 8,192" in u.reason for u in rig.unread)


def test_a_large_sparse_buffer_is_refused_before_it_is_read(tmp_path):
    error = refusal(multiplied.sparse(tmp_path, 3072), load)
    assert "sparse.bin cannot be read: it has 3,072 MiB, and 512 MiB may be read" in str(error)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_pixels_are_the_same_in_bands(mode, monkeypatch, tmp_path):
    monkeypatch.setattr(images, "_BAND", 50)
    values = np.random.default_rng(3).integers(256, size=(13, 17, 4), dtype=np.uint8)
    whole = Image.fromarray(values).convert("P" if mode == "P" else "RGBA")
    if mode not in ("P", "RGBA"):
        whole = whole.convert(mode)
    content = io.BytesIO()
    whole.save(content, "PNG", **({"transparency": 3} if mode in ("L", "P") else {}))
    place = images.Spot(tmp_path / "a.png", "")
    pixels = picture(place, content.getvalue(), allowance()).decode()
    with Image.open(io.BytesIO(content.getvalue())) as opened:
        np.testing.assert_array_equal(pixels, np.asarray(opened.convert("RGBA")))


def test_what_was_read_takes_room_of_what_may_be_claimed(tmp_path):
    place = images.Spot(tmp_path / "a.glb", "/accessors/0")
    within = MemoryBudget(100 << 20, 64, most=1000 << 20)
    within.earn(600 << 20)
    within.spend(place, 300 << 20)
    with pytest.raises(LoadError, match="it would take 101 MiB, and 100 MiB are left"):
        within.spend(place, 101 << 20)
    within.spend(place, 100 << 20)


@pytest.mark.parametrize(
    ("kind", "size"), [("joints", 600), ("instances", 600)], ids=["joints", "parts"]
)
def test_no_range_of_motion_is_made_of_more_joints_or_parts_than_are_judged(kind, size, tmp_path):
    rig = load(multiplied.KINDS[kind](tmp_path, size)).rig
    told = dict(check(rig, select=["DEF-COLLAPSE"]).not_evaluated)
    assert "there are too many" in told["DEF-COLLAPSE"]


def test_one_line_tells_of_all_skins_with_too_many_joints(tmp_path):
    rig = load(multiplied.skins(tmp_path, 3)).rig
    (finding,) = check(rig, select=["HIE-LIMIT"]).findings
    assert finding.message.endswith("(also in 2 more skins)")


def test_skins_that_say_the_same_are_looked_at_once(tmp_path):
    rig = load(multiplied.skins(tmp_path, 20, length=5)).rig
    looked_at = []

    def find(skin):
        looked_at.append(skin)
        yield Finding(skin, "off", f"skin {skin}", fix=Fix("none"))

    found = list(for_alike(rig, range(20), find))
    assert looked_at == [0]
    assert [finding.key for finding in found] == [*range(20)]
