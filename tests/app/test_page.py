"""The review page in a real browser: what a reviewer does in it, and that it asks for nothing."""

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rigview.app.checking import check
from rigview.app.loading import load
from rigview.app.review_page import PagePlan, review_page
from rigview.assets import SAMPLES
from rigview.core.deform import Deformer
from rigview.core.review_notes import NoteStroke, ReviewNote, ReviewNotes, Viewpoint, merged
from rigview.io.review_notes import notes_of
from rigview.render.page.blocks import block
from tests.chromium import Browser, chromium
from tests.review_pages import PROBE, open_page

HOSTILE = "</script><script>globalThis.hacked = 1</script>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("Chromium is not installed")
    with Browser() as browser:
        yield browser


def opened(browser: Browser, tmp_path: Path, text: str) -> None:
    browser.events.clear()
    open_page(browser, tmp_path, text)


def test_a_reviewer_goes_from_a_finding_to_its_frame(browser: Browser, tmp_path: Path) -> None:
    loaded = load(SAMPLES / "candy.glb")
    nodes = loaded.rig.nodes
    names = (HOSTILE, *(f"{name}_of_the_character" for name in nodes.names[1:]))
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
    # Every shading draws, and a phone needs no scrolling sideways.
    for key in "wdc":
        browser.press(key)
        browser.run("rigview.state.view.draw()")
    browser.resize(390, 844, touch=True)
    browser.press("n")
    browser.until("rigview.state.shading === 'heat'")
    assert browser.run("document.documentElement.scrollWidth") == 390
    # A long name gives way to the figure beside it, and the legend is whole.
    wider = "[...document.querySelectorAll('.region span:last-child, #legend')].filter("
    wider += "(one) => one.scrollWidth > one.clientWidth + 1).length"
    assert browser.run(wider) == 0
    right = "getBoundingClientRect().right"
    beyond = "[...document.querySelectorAll('.region span:last-child')].filter("
    beyond += f"(one) => one.{right} > one.parentElement.{right}).length"
    assert browser.run(beyond) == 0
    assert browser.run("document.querySelectorAll('.region span:last-child').length") == 3
    browser.resize(1400, 900)
    assert browser.messages == []


def canvas_at(browser: Browser, share: tuple[float, float]) -> tuple[float, float]:
    """Return where in the page a place of the first pane is."""
    x, y, width, height = browser.run(
        "(({x, y}, {width, height}) => [x, y, width, height])"
        "(document.getElementById('gl').getBoundingClientRect(), rigview.state.view.boxes()[0])"
    )
    return x + share[0] * width, y + share[1] * height


def draw_with_the_mouse(browser: Browser) -> None:
    """Draw an arrow, a line that is taken back, and a text, and add the note."""
    browser.run("rigview.show({frame: 21, note: null})")
    field = "document.getElementById('note')"
    browser.run(f"{field}.value = 'folds to a thread'; {field}.dispatchEvent(new Event('input'))")
    for tool, start, end in (("arrow", (0.25, 0.75), (0.5, 0.5)), ("line", (0.1, 0.1), (0.2, 0.2))):
        browser.run(f"document.querySelector('[data-tool={tool}]').click()")
        browser.drag(canvas_at(browser, start), canvas_at(browser, end))
    browser.until("rigview.state.drawing?.strokes.length === 2")
    browser.run("document.getElementById('undo').click()")
    # A text, in a field over the picture.
    browser.run("document.querySelector('[data-tool=text]').click()")
    browser.click(*canvas_at(browser, (0.3, 0.3)))
    browser.until("document.activeElement.className === 'words'")
    browser.run("document.activeElement.value = 'here'")
    browser.press("Enter")
    browser.until("rigview.state.drawing?.strokes.length === 2")
    browser.run("document.getElementById('add').click()")


def draw_with_a_finger(browser: Browser) -> None:
    """Draw freely at phone width, and add the note."""
    browser.resize(390, 844, touch=True)
    browser.run("rigview.show({pane: 0, frame: 3, note: null})")
    browser.run("document.querySelector('[data-tool=pen]').click()")
    for kind, places in (
        ("touchStart", [(0.3, 0.4)]),
        ("touchMove", [(0.4, 0.5)]),
        ("touchMove", [(0.5, 0.45)]),
        ("touchEnd", []),
    ):
        points = [dict(zip("xy", canvas_at(browser, place), strict=True)) for place in places]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    browser.until("rigview.state.drawing?.strokes[0]?.points.length >= 3")
    browser.run("document.getElementById('add').click()")
    assert browser.run("document.documentElement.scrollWidth") == 390


def test_a_reviewer_draws_on_the_picture_and_the_note_leaves_as_json_and_as_text(
    browser: Browser, tmp_path: Path
) -> None:
    rig = load(SAMPLES / "candy.glb").rig
    view = Viewpoint((0.0, 1.0, 0.0), 2.0, 0.5, 0.1, 0.8)
    box = NoteStroke("box", ((0.2, 0.2), (0.4, 0.4)))
    given = ReviewNote(
        "own", f"{HOSTILE}\nSecond line", "Iryna", "2026-01-01T00:00:00Z", rig.clip_names[0], 0.5,
        method="dqs", view=view, strokes=(box,),
    )  # fmt: skip
    review = ReviewNotes("candy.glb", (given,))
    plan = PagePlan("candy.glb", rig.clips, 30.0, review=review, worst=False)
    opened(browser, tmp_path, review_page(Deformer(rig, "normalised"), plan, extra=PROBE))
    # The note of the sidecar is listed; a click goes to its clip, time, pane and camera.
    browser.run("document.querySelector('[data-note]').click()")
    browser.until("rigview.state.frame === 15 && rigview.state.pane === 1")
    seen = browser.run("(({yaw, pitch, target}) => [yaw, pitch, target])(rigview.state.camera)")
    assert seen == [0.5, 0.1, [0.0, 1.0, 0.0]]
    assert HOSTILE in browser.run("document.querySelector('[data-note]').textContent")
    draw_with_the_mouse(browser)
    draw_with_a_finger(browser)
    browser.resize(1400, 900)
    text, mail = (browser.run(f"rigview.state.notes.{form}()") for form in ("json", "mail"))
    notes = notes_of(text)
    assert notes == notes_of(mail)
    assert "folds to a thread" in mail
    assert notes.each[0] == given
    drawn, free = notes.each[1:]
    assert (drawn.words, drawn.clip, drawn.time) == ("folds to a thread", rig.clip_names[0], 0.7)
    assert drawn.view is not None
    assert drawn.view.target == (0.0, 1.0, 0.0)
    assert [stroke.kind for stroke in drawn.strokes] == ["arrow", "text"]
    arrow = np.array(drawn.strokes[0].points)
    assert np.abs(arrow - [(0.25, 0.75), (0.5, 0.5)]).max() < 0.01
    assert drawn.strokes[1].words == "here"
    assert free.strokes[0].kind == "pen"
    assert merged(review, notes).added == 2
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


@pytest.mark.thorough
def test_the_page_of_the_biped_with_all_clips_has_at_most_700_kilobytes() -> None:
    loaded = load(SAMPLES / "biped.glb")
    plan = PagePlan("biped.glb", loaded.rig.clips, 30.0, report=check(loaded.rig))
    assert len(review_page(Deformer(loaded.rig, "normalised"), plan).encode()) <= 700_000


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
