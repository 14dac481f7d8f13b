"""A screen reader finds the window on the AT-SPI bus, names for all that can be done, and presses it."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("jeepney", reason="reads the AT-SPI bus by jeepney")
from screen_reader import LAUNCHER, ScreenReader, heard_in_time, session_bus

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(
        shutil.which("dbus-daemon") is None or not LAUNCHER.exists(),
        reason="no AT-SPI here: needs the packages dbus-daemon and at-spi2-core",
    ),
]
SHOWN = Path(__file__).with_name("heard_window.py")
# What can be pressed, chosen or written into, though the keyboard may not reach it.
CONTROLS = {
    "push button",
    "check box",
    "radio button",
    "combo box",
    "text",
    "slider",
    "spin box",
    "list",
    "tree",
    "tree item",
    "list item",
    "table",
    "page tab list",
    "page tab",
    "menu bar",
    "menu item",
    "link",
    "dialog",
}


@pytest.fixture(scope="module")
def heard(qapp, samples, tmp_path_factory):
    """Return a function that reads what shows of a real window with a faulty arm, and its reader."""
    folder = tmp_path_factory.mktemp("atspi")
    with session_bus(folder) as environment:
        reader = ScreenReader(environment["DBUS_SESSION_BUS_ADDRESS"])
        window = subprocess.Popen(
            [sys.executable, str(SHOWN), str(samples / "faulty_arm.glb")],
            env=environment | {"RIGVIEW_STATE": str(folder / "state"), "LANGUAGE": "en"},
        )
        try:
            place = heard_in_time(lambda: reader.programs().get("rigview"))

            def read():
                return reader.read(place)

            # Nearly free for a window that is still busy; reading all of it is not.
            heard_in_time(lambda: reader.windows(place)[0].startswith("faulty_arm.glb"))
            heard_in_time(lambda: named(read(), "error:"))
            yield reader, read
        finally:
            window.kill()
            window.wait()
            reader.bus.close()


def named(everything, beginning):
    return [one for one in everything if one.name.startswith(beginning)]


def nameless(everything):
    """Return what can be focused or pressed and says nothing, each with where it is."""
    return [
        "/".join(o.name or o.role for o in (*one.above, one))
        for one in everything
        if (one.can_be_focused or one.role in CONTROLS) and not one.name
    ]


def test_all_that_can_be_focused_or_pressed_has_a_name(heard):
    reader, read = heard
    everything = read()
    assert len([one for one in everything if one.can_be_focused]) > 60
    assert not nameless(everything)
    tree = next(one for one in everything if one.role == "tree")
    assert nameless([replace(tree, name="")])
    # Qt gives lists the name of what is chosen: what it is chosen for is in the description.
    assert all(reader.description(one) for one in everything if one.role == "combo box")


def test_joints_findings_and_the_timeline_are_reached(heard):
    reader, read = heard
    everything = read()
    joints = [one.name for one in everything if one.is_in("tree", "Joints")]
    # As many as there is room for.
    assert len(joints) > 15
    assert "lowerarm, 34° off its axis, 2 findings, warning" in joints
    findings = [one for one in everything if one.is_in("panel", "Checks")]
    assert named(findings, "error: Vertices without weights. 12 vertices")
    assert named(findings, "Errors: 1")
    timeline = [one for one in everything if one.is_in("panel", "Timeline")]
    assert {"Clip", "Speed", "Frame"} <= {reader.description(one) for one in timeline}
    assert named(timeline, "Play")
    assert named(timeline, "Time ruler")
    assert [reader.description(one) for one in named(everything, "Shading")] == ["Clay, 2 of 7"]


def test_a_button_pressed_over_the_bus_does_what_a_click_does(heard):
    reader, read = heard
    (fix,) = named(read(), "Bind 12 vertices")
    (undo,) = (one for one in named(read(), "Undo") if one.role == "push button")
    assert not undo.is_enabled
    reader.press(fix)
    heard_in_time(lambda: not named(read(), "error: Vertices without weights"))
    undo = heard_in_time(
        lambda: [o for o in named(read(), "Undo") if o.role == "push button" and o.is_enabled]
    )
    reader.press(undo[0])
    heard_in_time(lambda: named(read(), "error: Vertices without weights"))


def test_frames_are_stepped_over_the_bus(heard):
    reader, read = heard

    def frame():
        (field,) = (one for one in named(read(), "Frame") if one.role == "spin box")
        return reader.value(field)

    before = frame()
    reader.press(named(read(), "Next frame")[0])
    heard_in_time(lambda: frame() == before + 1)
    reader.press(named(read(), "Previous frame")[0])
    heard_in_time(lambda: frame() == before)


def test_a_dialog_opened_from_the_menu_is_read_too(heard):
    reader, read = heard
    menus = reader.read(named(read(), "Edit")[0].place, hidden=True)
    reader.press(named(menus, "Preferences")[0])
    (dialog,) = heard_in_time(lambda: [o for o in read() if o.role == "dialog"])
    inside = [one for one in read() if one.is_in("dialog", dialog.name)]
    assert len([one for one in inside if one.role == "combo box"]) > 2
    assert not nameless([dialog, *inside])
    reader.press(next(o for o in inside if o.role == "push button" and o.name == "Close"))
    heard_in_time(lambda: not [o for o in read() if o.role == "dialog"])
