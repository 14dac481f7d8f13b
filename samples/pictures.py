"""Draw the pictures of the start page and of README: ``python samples/pictures.py``.

The screenshot needs a display; it is one of the real window.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rigview.app.worst_panels import panel_of, review_of
from rigview.check.run import run
from rigview.core.deform import Deformer
from rigview.core.measures.joint_meter import JointMeter
from rigview.core.measures.joint_scan import JointPlan, scan_joints
from rigview.core.measures.worst_poses import worst_poses
from rigview.core.pose import sample
from rigview.io import load
from rigview.render import image, review
from rigview.render.camera import Camera, View
from rigview.render.context import headless
from rigview.render.framing import visible_points
from rigview.render.look import Look

if TYPE_CHECKING:
    from rigview.ui.window import Window

# This process draws without a window first: both then speak to OpenGL through EGL.
os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")

SAMPLES = Path(__file__).parent
RESOURCES = SAMPLES.parent / "resources"
# Twice the size at which the cards are shown.
CARD = (292, 168)
# When the tube is bent by 90° and twisted by 135°.
TUBE_SECONDS = {"Bend": 1.0, "Twist": 1.5}


def card(  # noqa: PLR0913 - what is on it
    name: str,
    file: str,
    clip: int,
    seconds: float,
    view: View,
    *,
    look: Look,
    joint: str = "",
    nearer: float = 1.0,
) -> None:
    """Draw one card of the start page."""
    deformer = Deformer(load(SAMPLES / file).rig)
    rig = deformer.rig
    frame = deformer.frame(sample(rig, rig.clips[clip], seconds))
    points = visible_points(deformer, frame)
    if joint:
        look = replace(look, joint=rig.nodes.names.index(joint))
    camera = Camera().looking(view).framed(points, CARD[0] / CARD[1])
    camera = replace(camera, distance=camera.distance / nearer)
    wanted = review.Review(("dqs",), camera, look, CARD, numbers=False, legend=False)
    pixels = review.render(deformer, frame, wanted)
    target = RESOURCES / "cards" / f"{name}.png"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(image.png(pixels, {"Software": "rigview"}))
    print(target.name)


def cards() -> None:
    """Draw all cards."""
    # Transparent: what is behind them is the theme's.
    plain = Look(bones=False, axes=False, grid=False, marks=False, transparent=True)
    with headless():
        card("biped", "biped.glb", 0, 0.2, "three-quarter", look=plain)
        card("arm", "arm.glb", 0, 1.0, "three-quarter", look=plain)
        card("box", "box.glb", 0, 2.0, "three-quarter", look=replace(plain, shading="textured"))
        weights = replace(plain, shading="weights")
        card("broken", "arm.glb", 0, 0.7, "three-quarter", look=weights, joint="lowerarm")


def tubes() -> None:
    """Draw a tube bent by 90° and one twisted by 135° under every method, beside one another."""
    methods = ("lbs", "dqs", "compensated", "capsule", "bulging-free", "centres")
    shown = [
        ("cylinder_wide.glb", clip, TUBE_SECONDS[clip], view)
        for clip, view in (("Bend", "front"), ("Twist", "three-quarter"))
    ]
    compare("tubes.png", methods, shown)


def faults() -> None:
    """Draw what methods for comparison are known to do wrong: collapse, bulge, candy wrapper and tears."""
    methods = ("lbs", "dqs", "flesh", "swing-twist", "log-matrix", "spherical", "delta-mush")
    shown = [
        ("cylinder_wide.glb", "Bend", 1.34, "front"),
        ("cylinder_wide.glb", "Twist", TUBE_SECONDS["Twist"], "three-quarter"),
        ("chain.glb", "Curl", 2.0, "front"),
    ]
    compare("method_faults.png", methods, shown)


def compare(
    name: str, methods: tuple[str, ...], shown: Sequence[tuple[str, str, float, View]]
) -> None:
    """Draw a row for each file, clip, seconds and view: its pose under methods beside one another."""
    look = Look(bones=False, axes=False, grid=False, marks=False)
    rows = []
    with headless():
        for file, clip, seconds, view in shown:
            deformer = Deformer(load(SAMPLES / file).rig)
            chosen = next(c for c in deformer.rig.clips if c.name == clip)
            frame = deformer.frame(sample(deformer.rig, chosen, seconds))
            points = visible_points(deformer, frame)
            wanted = review.Review(methods, Camera(), look, (1280, 280))
            camera = Camera().looking(view).framed(points, wanted.aspect)
            rows.append(review.render(deformer, frame, replace(wanted, camera=camera)))
    picture = np.concatenate(rows)
    (RESOURCES / name).write_bytes(image.png(picture, {"Software": "rigview"}))
    print(name, *picture.shape[1::-1])


def cure() -> None:
    """Draw the wrist of candy.glb in its worst pose, as it is and with its twist joints put to use."""
    rig = load(SAMPLES / "candy.glb").rig
    (finding,) = run(rig, select=["DEF-COLLAPSE"]).findings
    assert finding.fix.repair is not None
    meter = JointMeter(Deformer(rig))
    (worst,) = worst_poses(scan_joints(meter, plan=JointPlan(("lbs",))))
    panel = panel_of(meter, rig.clips[worst.clip], worst)
    frame = meter.deformer.frame(sample(rig, rig.clips[worst.clip], worst.time))
    look = Look(bones=False, axes=False, grid=False)
    wanted = review_of(meter, frame, panel, look, (640, 480), ("lbs",))
    drawn = []
    with headless():
        for title, shown in (("as it is", rig), ("cured", finding.fix.repair(rig))):
            deformer = Deformer(shown)
            posed = deformer.frame(sample(shown, shown.clips[worst.clip], worst.time))
            drawn.append(review.render(deformer, posed, replace(wanted, caption=title)))
    picture = np.concatenate(drawn, axis=1)
    (RESOURCES / "cure.png").write_bytes(image.png(picture, {"Software": "rigview"}))
    print("cure.png", *picture.shape[1::-1])


def until(done: Callable[[], bool]) -> None:
    """Let the window work until something is so."""
    from rigview.ui.app import make_application

    application = make_application()
    end = time.monotonic() + 120.0
    while not done():
        application.processEvents()
        if time.monotonic() > end:
            sys.exit("the window did not get ready")


def opened(name: str) -> "Window":
    """Return a window that shows a sample."""
    os.environ["RIGVIEW_SETTINGS"] = ":memory:"
    from rigview.ui.app import has_opengl, make_application
    from rigview.ui.settings import Settings
    from rigview.ui.window import Window

    make_application()
    window = Window(Settings(), opengl=has_opengl())
    window.show()
    window.arrangement.reset()
    window.bench.open_path(SAMPLES / name)
    until(lambda: window.bench.document.rig is not None and not window.bench.opener.is_busy)
    return window


def photograph(window: "Window", name: str) -> None:
    """Write what the screen shows of a window into resources, and close it."""
    settled = time.monotonic() + 3.0
    until(lambda: time.monotonic() > settled)
    picture = window.screen().grabWindow(window.winId())
    picture.save(str(RESOURCES / name))
    print(name, picture.width(), picture.height())
    window.close()


def screenshot() -> None:
    """Photograph the window as someone sees it who looks at an elbow."""
    window = opened("faulty_arm.glb")
    bench, rig = window.bench, window.bench.document.rig
    assert rig is not None
    bench.state.update(joint=rig.nodes.names.index("lowerarm"), time=1.0)
    bench.panes.frame_all()
    camera = bench.state.value.camera
    bench.state.update(camera=replace(camera, distance=1.1 * camera.distance).panned(0, -24, 354))
    bench.checker.set_profile("dqs")
    until(lambda: bench.checker.report is not None and bench.checker.is_current)
    report = bench.checker.report
    assert report is not None
    fixable = [f for f in report.findings if f.fix.repair is not None]
    until(lambda: all(bench.checker.dry_run(f) is not None for f in fixable))
    until(lambda: bench.scanner.scan is not None)
    photograph(window, "screenshot.png")


def strip_of_worst_poses() -> None:
    """Photograph the window as someone sees it who asks where a rig breaks."""
    window = opened("candy.glb")
    until(lambda: window.bench.worst_scanner.stand == "done")
    window.commands.do("worst_pose")
    photograph(window, "worst_poses.png")


if __name__ == "__main__":
    cards()
    tubes()
    faults()
    cure()
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        screenshot()
        strip_of_worst_poses()
    else:
        print("no display: the screenshot stays as it is")
