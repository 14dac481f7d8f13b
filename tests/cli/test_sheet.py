"""``rigview sheet``: one cell per time and method, all seen by one camera."""

import numpy as np
import pytest
from PIL import Image

from rigview.cli import main
from rigview.render import legend

pytestmark = pytest.mark.gl


def cells(path, columns, rows):
    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    width, height = (pixels.shape[1] + 2) // columns, (pixels.shape[0] + 2) // rows
    return [
        [
            pixels[r * height : (r + 1) * height - 2, c * width : (c + 1) * width - 2]
            for c in range(columns)
        ]
        for r in range(rows)
    ]


def test_cells_show_the_times_across_and_the_methods_down(samples, tmp_path, capsys):
    out = tmp_path / "sheet.png"
    arguments = [str(samples / "cylinder_narrow.glb"), "-o", str(out), "--frames", "3"]
    arguments += ["--panes", "lbs,dqs", "--size", "478x398", "--clip", "Twist"]
    assert main(["sheet", *arguments]) == 0
    assert capsys.readouterr().out.strip() == str(out)
    grid = cells(out, 3, 2)
    body = slice(44, 170)
    for row in grid:
        assert np.abs(row[0][body] - row[1][body]).max() > 15
    # At rest both methods agree; twisted, linear blending wrings the cylinder.
    assert np.abs(grid[0][0][body] - grid[1][0][body]).max() <= 2
    assert np.abs(grid[0][1][body] - grid[1][1][body]).max() > 30


def test_a_sheet_of_weights_has_one_legend_below_all_cells(samples, tmp_path):
    out = tmp_path / "sheet.png"
    arguments = [str(samples / "arm.glb"), "-o", str(out), "--frames", "2", "--panes", "lbs"]
    assert main(["sheet", *arguments, "--size", "700x300", "--shade", "weights"]) == 0
    bare = np.asarray(Image.open(out).convert("RGB"), dtype=int)
    arguments += ["--joint", "upperarm"]
    assert main(["sheet", *arguments, "--size", "700x300", "--shade", "weights"]) == 0
    explained = np.asarray(Image.open(out).convert("RGB"), dtype=int)
    yellow = (explained[..., 0] > 220) & (explained[..., 1] > 200) & (explained[..., 2] < 60)
    foot = slice(-legend.HEIGHT, None)
    assert yellow[foot].any()
    # One ramp: what is yellow there lies together.
    columns = np.flatnonzero(yellow[foot].any(axis=0))
    assert np.ptp(columns) < 60
    assert bare.shape == explained.shape
    assert (bare[foot] != explained[foot]).any()


@pytest.mark.parametrize("arguments", [["--frames", "0"], ["--frames", "65"], ["-o", "a.jpg"]])
def test_bad_usage_is_said_in_one_line(arguments, samples, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["sheet", str(samples / "box.glb"), "-o", "a.png", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("times", ["keys", "findings", "worst"])
def test_a_sheet_shows_other_times_than_even_ones(rigview, samples, tmp_path, times):
    asked = ("sheet", samples / "candy.glb", "--size", "600x300", "--frames", "3")
    got = rigview(*asked, "--times", times, "-o", tmp_path / "chosen.png")
    even = rigview(*asked, "-o", tmp_path / "even.png")
    assert (got.status, even.status) == (0, 0)
    # The clip has keys at every fifth frame: three of them are its start, middle and end.
    chosen, evenly = (
        np.asarray(Image.open(tmp_path / f"{name}.png")) for name in ("chosen", "even")
    )
    assert chosen.shape == evenly.shape
    assert np.ptp(chosen) > 100
    assert (times == "keys") == np.array_equal(chosen, evenly)


def test_a_sheet_of_findings_says_that_there_are_none(rigview, samples, tmp_path):
    asked = ("sheet", samples / "chain.glb", "--times", "findings", "-o", tmp_path / "a.png")
    got = rigview(*asked)
    assert got.status == 2
    assert "no rule finds anything" in got.err
