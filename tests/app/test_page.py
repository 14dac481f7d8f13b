"""The review page in a real browser: it skins as the core does, and asks for nothing."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.app.checking import check
from rigview.app.loading import load
from rigview.app.pages import PagePlan, review_page
from rigview.assets import SAMPLES
from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import ASKED, DEFAULT_PANES, METHODS, Options
from rigview.render.page.blocks import block
from tests.chromium import Browser, chromium

HOSTILE = "</script><script>globalThis.hacked = 1</script>"
# Logarithms of matrices take arc tangents, which SwiftShader computes to some 1e-4 only.
LEAST = {"log-matrix": 3e-4}
PROBE = """
globalThis.rigview = { state, ready, show, base64: (values) => {
  const bytes = new Uint8Array(values.buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
} };
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("Chromium is not installed")
    with Browser() as browser:
        yield browser


def opened(browser: Browser, tmp_path: Path, text: str) -> None:
    """Open a page and wait until it is ready."""
    page = tmp_path / "review.html"
    page.write_text(text, encoding="utf-8")
    browser.events.clear()
    browser.open(page)
    browser.run("rigview.ready")


def differences(
    browser: Browser, deformer: Deformer, plan: PagePlan, frame: int
) -> dict[str, float]:
    """Return by method the largest distance of a vertex in the page from the core's, over size."""
    browser.run(f"rigview.show({{frame: {frame}}})")
    clip = plan.clips[0]
    posed = deformer.frame(sample(deformer.rig, clip, clip.start + frame / plan.rate))
    result = {}
    for number, method in enumerate(plan.methods):
        browser.run("rigview.state.view.draw()")
        wanted = deformer.skin_all(posed, ASKED[method], plan.options)
        worst = 0.0
        for part, skinned in enumerate(wanted):
            script = f"rigview.base64(rigview.state.view.scene.positions({part}, {number}))"
            values = np.frombuffer(base64.b64decode(browser.run(script)), dtype="<f4")
            found = values.reshape(-1, 6)[:, :3]
            worst = max(worst, float(np.abs(found - skinned.positions).max(initial=0.0)))
        result[method] = worst / deformer.size
    return result


@pytest.mark.parametrize("name", ["biped", "candy", "arm"])
def test_the_page_skins_as_the_core_does(browser: Browser, tmp_path: Path, name: str) -> None:
    rig = load(SAMPLES / f"{name}.glb").rig
    deformer = Deformer(rig, "normalised")
    # One rig is asked for every method: compiling them all takes software rendering half a minute.
    some = {"biped": (*DEFAULT_PANES, "capsule"), "candy": ("lbs", "swing-twist", "log-matrix")}
    methods = some.get(name, tuple(METHODS))
    plan = PagePlan(f"{name}.glb", rig.clips[:1], 30.0, methods, Options(), worst=False)
    opened(browser, tmp_path, review_page(deformer, plan, extra=PROBE))
    for frame in (3, 15):
        for method, apart in differences(browser, deformer, plan, frame).items():
            assert apart <= LEAST.get(method, 1e-6), method
    assert browser.messages == []


def test_a_reviewer_goes_from_a_finding_to_its_frame_and_leaves_a_note(
    browser: Browser, tmp_path: Path
) -> None:
    loaded = load(SAMPLES / "candy.glb")
    nodes = loaded.rig.nodes
    names = (HOSTILE, *nodes.names[1:])
    rig = replace(loaded.rig, nodes=replace(nodes, names=names))
    plan = PagePlan(f"{HOSTILE}.glb", rig.clips, 30.0, report=check(rig))
    opened(browser, tmp_path, review_page(Deformer(rig, "normalised"), plan, extra=PROBE))
    # Names stay text, and nothing but the file was asked for.
    assert browser.run("typeof globalThis.hacked") == "undefined"
    assert HOSTILE in browser.run("document.getElementById('file').textContent")
    assert len(browser.requests) == 1
    # The worst pose: its clip, frame, joint and heat.
    browser.press("n")
    browser.until("rigview.state.worst === 0 && rigview.state.heat !== null")
    worst = browser.run(
        "(({clip, frame, joint, shading}) => ({clip, frame, joint, shading}))(rigview.state)"
    )
    assert worst["shading"] == "heat"
    assert browser.run("document.querySelector('#legend b').textContent") == "Collapse"
    # Frames by key and by finding.
    browser.press("Home")
    browser.until("rigview.state.frame === 0")
    browser.press("ArrowRight")
    browser.until("rigview.state.frame === 1")
    browser.run("document.getElementById('tab-findings').click()")
    finding = "document.querySelector('[data-finding]')"
    browser.run(f"{finding} && {finding}.click()")
    # A note with a stroke, exported as JSON.
    browser.run("document.getElementById('tab-notes').click()")
    browser.run("document.getElementById('draw').click()")
    browser.drag((120, 200), (180, 240))
    browser.run("document.getElementById('note').value = 'folds to a thread'")
    browser.run("document.getElementById('add').click()")
    notes = json.loads(browser.run("rigview.state.notes.json()"))
    assert notes["notes"][-1]["text"] == "folds to a thread"
    assert len(notes["notes"][-1]["strokes"][0]) == 2
    # Every shading draws, and a phone needs no scrolling sideways.
    for key in "wdc":
        browser.press(key)
        browser.run("rigview.state.view.draw()")
    browser.resize(390, 844, touch=True)
    browser.run("rigview.show({})")
    assert browser.run("document.documentElement.scrollWidth") == 390
    browser.resize(1400, 900)
    assert browser.messages == []


def test_the_policy_lets_nothing_else_run(browser: Browser, tmp_path: Path) -> None:
    rig = load(SAMPLES / "box.glb").rig
    plan = PagePlan("box.glb", rig.clips, 30.0)
    opened(browser, tmp_path, review_page(Deformer(rig, "normalised"), plan, extra=PROBE))
    refused = "fetch('data:text/plain,1').then(() => 'got', () => 'refused')"
    assert browser.run(refused) == "refused"
    markup = "document.body.innerHTML = '<b>x</b>'"
    html = f"(() => {{ try {{ {markup}; return 'set'; }} catch {{ return 'refused'; }} }})()"
    assert browser.run(html) == "refused"


def test_the_same_rig_gives_the_same_page_without_any_address() -> None:
    rig = load(SAMPLES / "candy.glb").rig
    plan = PagePlan("candy.glb", rig.clips, 30.0)
    page = review_page(Deformer(rig, "normalised"), plan)
    assert page == review_page(Deformer(rig, "normalised"), plan)
    assert re.findall(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", page) == []


def test_blocks_keep_every_bit() -> None:
    values = np.random.default_rng(1).normal(size=(5, 3, 4)).astype(np.float32)
    joints = np.arange(12, dtype=np.uint16).reshape(3, 4)
    text, table = block({"a": values, "b": joints}, frozenset({"a"}))
    data = np.frombuffer(zlib.decompress(base64.b64decode(text), -15), dtype=np.uint8)
    words = data[: values.nbytes].reshape(4, -1).T.copy().view("<u4").reshape(5, 12)
    restored = np.cumsum(words, axis=0, dtype=np.uint32).view("<f4").reshape(values.shape)
    assert restored.tobytes() == values.tobytes()
    assert table[1]["start"] == values.nbytes
    planes = data[values.nbytes :].reshape(2, -1).T.copy().view("<u2").reshape(joints.shape)
    assert np.array_equal(planes, joints)
