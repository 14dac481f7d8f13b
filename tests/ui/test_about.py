"""About rigview: what it tells can be copied, names nobody, and the desktop finds its files."""

import configparser
import getpass
import re
from pathlib import Path

from defusedxml.ElementTree import parse
from hands import click, until
from PySide6.QtGui import QGuiApplication, QIcon

from rigview import __version__
from rigview.assets import RESOURCES
from rigview.io import suffix_filter
from rigview.ui.dialogs.about import diagnostics

DESKTOP = RESOURCES / "desktop"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def test_diagnostics_are_copied_and_name_nobody(hands):
    hands.window.commands.do("about")
    until(lambda: hands.dialog is not None)
    click(hands.dialog.copy)
    text = QGuiApplication.clipboard().text()
    assert text.startswith(f"rigview {__version__}\nPython 3")
    assert re.search(r"Screen: \d+ × \d+, scale 1", text)
    assert re.search(r"numpy \d", text)
    assert str(Path.home()) not in text
    assert getpass.getuser() not in re.findall(r"\w+", text)


def test_a_package_that_is_missing_is_said_to_be(monkeypatch, qapp):
    monkeypatch.setattr("rigview.ui.dialogs.about._PACKAGES", ("there-is-no-such",))
    assert "there-is-no-such: not installed" in diagnostics("")


def test_the_icon_is_drawn(qapp):
    picture = QIcon(str(DESKTOP / "rigview.svg")).pixmap(64, 64).toImage()
    assert len({picture.pixel(x, y) for x in range(0, 64, 8) for y in range(0, 64, 8)}) > 3


def test_the_desktop_opens_every_format_by_its_type():
    entry = configparser.ConfigParser(interpolation=None, strict=True)
    entry.optionxform = str
    entry.read(DESKTOP / "rigview.desktop", encoding="utf-8")
    told = entry["Desktop Entry"]
    assert told["Exec"].split() == ["rigview", "%F"]
    types = set(filter(None, told["MimeType"].split(";")))
    patterns = {}
    for kind in parse(DESKTOP / "rigview.xml").getroot():
        for glob in kind.iter(f"{MIME}glob"):
            patterns[glob.get("pattern")] = kind.get("type")
    assert set(patterns.values()) == types
    assert {f"*{suffix}" for suffix in suffix_filter()} <= set(patterns)
    assert patterns["*.rigview"] == "application/x-rigview-session"
