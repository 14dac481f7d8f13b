"""Time from opening a review page to its first picture, in Chromium that draws in software.

``python tests/benchmarks/page_picture.py biped.glb …`` prints for each rig the median of five openings, in
milliseconds since the page was asked for: when the script began, when values and shaders were unpacked,
when a pixel of the first picture of all panes could be read, and when the browser had shown it. Other work
on the machine counts in full: the load is printed beside.
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from chromium import Browser, chromium

from rigview.app.loading import load
from rigview.app.review_page import PagePlan, review_page
from rigview.core.deform import Deformer

# Behind the page's own script, before it has drawn anything.
PROBE = """
const times = globalThis.times = { script: performance.now() };
const drawn = View.prototype.draw;
View.prototype.draw = function () {
  times.unpacked ??= performance.now();
  drawn.call(this);
  if (times.picture !== undefined || !this.scene.bones) return;
  const gl = this.scene.gl;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  times.picture = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => { times.shown = performance.now(); }));
};
"""
STEPS = ("script", "unpacked", "picture", "shown")


def measured(text: str, openings: int) -> dict[str, float]:
    """Return the median time of each step, in milliseconds; each opening is in a browser of its own."""
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "review.html"
        page.write_text(text, encoding="utf-8")
        for _ in range(openings):
            with Browser() as browser:
                browser.open(page)
                browser.until("times.shown")
                found.append(browser.run("times"))
    return {step: statistics.median(times[step] for times in found) for step in STEPS}


def main() -> None:
    """Measure the pages of the files named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--openings", type=int, default=5)
    arguments = parser.parse_args()
    if chromium() is None:
        sys.exit("Chromium is not installed")
    print(f"{'':24}{'MB':>6}" + "".join(f"{step:>10}" for step in STEPS) + f"{'load':>8}")
    for path in arguments.files:
        rig = load(path).rig
        plan = PagePlan(path.name, rig.clips, 30.0)
        text = review_page(Deformer(rig, "normalised"), plan, extra=PROBE)
        times = measured(text, arguments.openings)
        numbers = "".join(f"{times[step]:10.0f}" for step in STEPS)
        print(f"{path.name:24}{len(text) / 1e6:6.2f}{numbers}{os.getloadavg()[0]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
