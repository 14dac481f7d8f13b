"""Where no window can be had: one sentence that says what to install or set, never an abort."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rigview.ui import preflight
from rigview.ui.preflight import DisplayError, require_display

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="Qt asks X11 or Wayland"
)
REPOSITORY = Path(__file__).parents[2]


def command(*arguments, **environment):
    """Run rigview with a changed environment; None takes a variable away."""
    given = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    return subprocess.run(
        [sys.executable, "-m", "rigview", *arguments],
        cwd=REPOSITORY,
        env={k: v for k, v in given.items() if v is not None},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"DISPLAY": None, "WAYLAND_DISPLAY": None}, "there is no display"),
        ({"DISPLAY": ":987", "WAYLAND_DISPLAY": None}, "no X server answers at DISPLAY=:987"),
    ],
)
def test_without_display_the_command_ends_in_one_sentence(environment, words, samples):
    done = command("open", str(samples / "box.glb"), QT_QPA_PLATFORM=None, **environment)
    assert done.returncode == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1
    assert words in lines[0]
    assert "DISPLAY" in lines[0]
    assert done.stdout == ""


def test_a_missing_library_is_named_with_its_package(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(
        preflight,
        "_load_error",
        lambda _: "libxcb-cursor.so.0: cannot open shared object file: No such file or directory",
    )
    with pytest.raises(DisplayError, match=r"libxcb-cursor\.so\.0.*libxcb-cursor0"):
        require_display()


def test_a_library_that_nobody_expected_is_told_as_the_loader_tells_it(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(preflight, "_load_error", lambda _: "libodd.so.3: wrong ELF class")
    with pytest.raises(DisplayError, match=r"libodd\.so\.3: wrong ELF class"):
        require_display()


def test_a_qt_that_cannot_be_imported_names_the_library(monkeypatch):
    for name in [n for n in sys.modules if n.startswith("PySide6.QtWidgets")]:
        monkeypatch.delitem(sys.modules, name)

    class Finder:
        def find_spec(self, name, *_where):
            if name.startswith("PySide6.QtWidgets"):
                raise ImportError("libEGL.so.1: cannot open shared object file")

    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(DisplayError, match=r"libEGL\.so\.1.*libegl1"):
        require_display()


def test_every_library_that_the_x11_plugin_asks_for_has_a_package():
    plugin = preflight.plugins() / preflight.X11_PLUGIN
    assert plugin.is_file()
    listed = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=True).stdout
    asked = {line.split()[0] for line in listed.splitlines() if "libxcb-" in line}
    # Those that come with libxcb1 itself need no line of their own.
    own = {
        "libxcb-randr.so.0", "libxcb-render.so.0", "libxcb-shm.so.0", "libxcb-sync.so.1",
        "libxcb-xfixes.so.0", "libxcb-xkb.so.1", "libxcb-glx.so.0", "libxcb-xinput.so.0",
    }  # fmt: skip
    assert asked
    assert asked - own <= set(preflight.PACKAGES)


def test_a_display_that_answers_is_enough(monkeypatch):
    if not os.environ.get("DISPLAY"):
        pytest.skip("no display")
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    require_display()


def test_platforms_without_screen_need_no_display(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    require_display()
