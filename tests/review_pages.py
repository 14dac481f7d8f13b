"""Review pages that tests look inside, in whichever browser: what they skin, beside what the core does."""

import base64
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rigview.app.review_page import PagePlan, review_page
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import ASKED

# Stands behind the page's script, which exports nothing.
PROBE = """
globalThis.rigview = { state, ready, show, clips: MANIFEST.clips, base64: (values) => {
  const bytes = new Uint8Array(values.buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
} };
"""
# One pane is drawn, since each method that is drawn takes software rendering a second to compile.
ALONE = f"{PROBE}state.alone = true;\n"


class PageBrowser(Protocol):
    """What opens a file and evaluates an expression in it, awaited."""

    def open(self, page: Path) -> None: ...

    def run(self, script: str) -> Any: ...


class Apart(NamedTuple):
    """How far a page is from the core: positions over the character's size, and unit normals."""

    position: float
    normal: float


def open_page(browser: PageBrowser, folder: Path, text: str) -> None:
    """Open a page and wait until it is ready."""
    page = folder / "review.html"
    page.write_text(text, encoding="utf-8")
    browser.open(page)
    browser.run("rigview.ready")


def middle_frames(browser: PageBrowser) -> list[int]:
    """Return two frames of the first clip of a page; one where it has no more."""
    last = browser.run("rigview.clips[0].frames - 1")
    return sorted({min(3, last), last // 2})


def apart(browser: PageBrowser, deformer: Deformer, plan: PagePlan, frame: int) -> dict[str, Apart]:
    """Return by method the largest differences of any vertex, in a frame of the first clip."""
    rate = browser.run("rigview.clips[0].rate")
    posed = deformer.rest
    if plan.clips:
        clip = plan.clips[0]
        time = min(clip.start + frame / rate, clip.end)
        posed = deformer.frame(sample(deformer.rig, clip, time))
    result = {}
    for number, method in enumerate(plan.methods):
        position = normal = 0.0
        for part, wanted in enumerate(deformer.skin_all(posed, ASKED[method], plan.options)):
            found = _read(browser, frame, part, number)
            off = np.abs(found[:, :3] - wanted.positions).max(initial=0.0)
            position = max(position, float(off) / deformer.size)
            normal = max(normal, float(np.abs(found[:, 3:] - wanted.normals).max(initial=0.0)))
        result[method] = Apart(position, normal)
    return result


def _read(browser: PageBrowser, frame: int, part: int, method: int) -> NDArray[np.float32]:
    """Return ``(V, 6)`` positions and normals as the page's transform feedback records them."""
    script = (
        f"(({{ scene }}) => (scene.goTo({frame}), rigview.base64(scene.positions({part}, {method}))))"
        "(rigview.state.view)"
    )
    return np.frombuffer(base64.b64decode(browser.run(script)), dtype="<f4").reshape(-1, 6)


def page_of(deformer: Deformer, plan: PagePlan) -> str:
    """Return the page of a rig with `ALONE` behind its script."""
    return review_page(deformer, plan, extra=ALONE)
