"""The table of formats, and readers that other packages add."""

import sys

import pytest

from rigview.io import FORMATS, LoadError, formats, load, recognise, suffix_filter
from rigview.io.formats import READERS, third_party

PLUGIN = """
import numpy as np
from rigview.core.nodes import Nodes
from rigview.core.rig import Origin, Rig
from rigview.io import Format, Loaded, LoadError


def load(path, listener):
    if b"broken" in path.read_bytes():
        raise LoadError(path, "line 1", "it says that it is broken")
    if b"wrong" in path.read_bytes():
        return {}["a"]
    nodes = Nodes(("only",), ((),), np.zeros((1, 3)), np.array([[0, 0, 0, 1.0]]), np.ones((1, 3)))
    rig = Rig(nodes, (None,), (None,), (0,), origin=Origin("Stick"))
    return Loaded(path, rig, None, ("it is odd", "it is odd"))


def recognises(head):
    return head[0] == ord("S") and head[1] == ord("T")


STICK = Format(
    "Stick", (".stick",), recognises, load, None, frozenset(["names"])
)
"""


@pytest.fixture
def plugins(tmp_path, monkeypatch):
    """Install packages that add readers, some of them badly."""
    (tmp_path / "stick_reader.py").write_text(PLUGIN, encoding="utf-8")
    facts = tmp_path / "stick_reader-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: stick-reader\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        f"[{READERS}]\nstick = stick_reader:STICK\ngone = nowhere_at_all:ROW\n"
        "odd = stick_reader:PLUGIN_NAME\nwrong = stick_reader:load\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    third_party.cache_clear()
    yield tmp_path
    third_party.cache_clear()
    sys.modules.pop("stick_reader", None)


def test_another_packages_reader_opens_its_files(plugins):
    path = plugins / "walk.stick"
    path.write_bytes(b"STICK figure")
    assert recognise(path).name == "Stick"
    loaded = load(str(path))
    assert (loaded.rig.nodes.names, loaded.notes) == (("only",), ("it is odd",))
    assert ".stick" in suffix_filter()
    assert len(formats()) == len(FORMATS) + 1
    path.write_bytes(b"STICK broken")
    with pytest.raises(LoadError, match="line 1: it says that it is broken"):
        load(path)


@pytest.mark.parametrize("content", [b"STICK wrong", b"S"], ids=["load", "recognises"])
def test_a_mistake_in_another_packages_reader_is_an_error_of_the_file(content, plugins):
    path = plugins / "walk.stick"
    path.write_bytes(content)
    with pytest.raises(LoadError, match=r"the reader Stick made a mistake: \w+Error: "):
        load(path)


def test_readers_that_cannot_be_used_are_named_where_no_format_fits(plugins):
    path = plugins / "other.xyz"
    path.write_bytes(b"something else")
    with pytest.raises(LoadError) as error:
        load(path)
    message = str(error.value)
    assert "the reader gone cannot be loaded: No module named 'nowhere_at_all'" in message
    assert "the reader odd cannot be loaded" in message
    assert "the reader wrong is no Format" in message


def test_formats_are_told_apart_by_content_and_names_are_their_own():
    names = [row.name for row in FORMATS]
    suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    heads = {
        "glTF": b'  {"asset": {}}',
        "BVH": b"\xef\xbb\xbf hierarchy\r\nROOT a",
        "Collada": b'<?xml version="1.0"?><COLLADA xmlns="x">',
        "USD": b"#usda 1.0\n",
    }
    for name, head in heads.items():
        assert [row.name for row in FORMATS if row.recognises(head)] == [name]


def test_what_a_format_carries_is_stated():
    carried = {row.name: row.carries for row in FORMATS}
    assert carried["BVH"] == {"clips", "names"}
    assert carried["glTF"] == {"skins", "morphs", "clips", "units", "names"}
    assert {row.name for row in FORMATS if row.extra} == {"USD"}
