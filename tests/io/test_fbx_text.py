"""ASCII FBX: what its text means, however it is laid out and however it is cut for reading."""

import gc
import math

import fbx_documents as fbx
import numpy as np
import pytest
from survival import refusal

from rigview.io import Cancelled, Listener, LoadError, load, reading
from rigview.io.fbx import ascii as encoding
from rigview.io.fbx import marks
from rigview.io.fbx.reader import document

HEADER = b"; FBX 7.5.0 project file\n"
# Every layout that a writer was seen to use, and marks of structure where they are none.
ODD = b"""; a comment with { and "one quote
A: 1, -2.5e1,"{ ; : }" ,"two
lines" ; { and the end of a comment
B:   ; nothing
C: {
  D: 1 ; "
  ;E: 2
  F: 3  G: "four" {
    H: }
  }
I:
   5,6,
   7
   ,8
J: , "content"
K: *3 {a: 1,2,3}
L : 1.#INF,nan,-1.#IND,-inf,Y,T
"""
MEANT = [
    ("A", [1, -25.0, "{ ; : }", "two\nlines"], []),
    ("B", [], []),
    ("C", [], [("D", [1], []), ("F", [3], []), ("G", ["four"], [("H", [], [])])]),
    ("I", [5, 6, 7, 8], []),
    ("J", ["content"], []),
    ("K", [], [("a", [1, 2, 3], [])]),
    ("L", [math.inf, math.nan, math.nan, -math.inf, "Y", "T"], []),
]


def opened(folder, content):
    path = folder / "file.fbx"
    path.write_bytes(HEADER + content)
    return document(path).root()


def tree(node):
    return [(child.name, child.values, tree(child)) for child in node.children]


@pytest.mark.parametrize("size", [1 << 20, 1, 2, 7])
def test_a_text_means_the_same_however_it_is_cut(tmp_path, monkeypatch, size):
    monkeypatch.setattr(marks, "_AT_ONCE", size)
    # As text, for NaN is not itself.
    assert str(tree(opened(tmp_path, ODD))) == str(MEANT)


def test_nodes_of_which_only_the_places_are_kept_mean_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "MANY", 1)
    root = opened(tmp_path, ODD + b"A: 3\n")
    assert str(tree(root)) == str([*MEANT, ("A", [3], [])])
    chosen = root.children.chosen([2, 7])
    assert [node.name for node in chosen] == chosen.names() == ["C", "A"]
    assert [node.value(0) for node in (root.child("A"), *root.all("A"))] == [1, 1, 3]
    assert root.need("C").need("G").child("H").offset == (HEADER + ODD).index(b"H:")
    assert root.child("Z") is None


def test_very_many_nodes_leave_few_objects_to_let_go_of(tmp_path):
    root = opened(tmp_path, b"Objects: {\n" + b"a:{}\n" * 50_000 + b"}\n")
    before = len(gc.get_objects())
    nodes = root.need("Objects").children
    assert len(nodes) == 50_000
    assert len(gc.get_objects()) - before < 1_000


def test_lines_may_end_in_two_characters(tmp_path):
    found = tree(opened(tmp_path, ODD.replace(b"\n", b"\r\n")))
    assert str(found).replace("\\r", "") == str(MEANT)


@pytest.mark.parametrize("size", [1 << 18, 1, 5])
@pytest.mark.parametrize(
    ("form", "row"),
    [
        ("i", "0,1,-2,3,4,5,6,7,8,9"),
        ("i", " 0, 1 ,-2\n ,3,4,\n5,6,7,8,9, \n"),
        ("f", "0,1.5,-2e-3,3E+2,4,.5,6,7,8,9"),
        ("f", f"{0.1 + 0.2!r},{math.pi!r},{1 / 3!r},5e-324,1.7976931348623157e308,1,2,3,4"),
        ("f", "-0,1.5,-0.0,-0e1, -0 ,-10,0,-0.5,2e-0,-0\n,-0"),
        ("f", "-0,1.5,-0.0,2e1, -0 ,-10,0,-0.5,-5,-0\n,-0"),
    ],
)
def test_long_rows_are_read_to_the_last_bit(tmp_path, monkeypatch, size, form, row):
    monkeypatch.setattr(encoding, "_AT_ONCE", size)
    found = opened(tmp_path, b"A: {\n a: " + row.encode() + b"}\n").child("A").array()
    assert found.dtype.kind == form
    wanted = [float(word) for word in row.split(",") if word.strip()]
    np.testing.assert_array_equal(found, wanted)
    if form == "f":
        np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


@pytest.mark.parametrize(
    "row", ["1,2,3,4,5,6,7,8,,9", "1,2,3,4,5,6,7,8,9 1", "1,2,3,4,5,6,7,8,9-1"]
)
def test_long_rows_with_something_that_is_no_number_are_refused(tmp_path, row):
    node = opened(tmp_path, b"A: " + row.encode())
    with pytest.raises(LoadError, match=r"A, line 2: .*no number"):
        node.child("A").array()


@pytest.mark.parametrize(
    "row",
    [
        '0,1.5,L,2,-3,U,s,1e3,-0,n,"L"',
        '0,1.5,L,2,-3,U,s,1e3,"a,b",n,"a\\nb&quot;"',
        "0,1.5,L, 2 ,-3,\nU,s,1e3,-0,n,",
        "0,1.5,L,2,-3,U,s,+1,.5,1.,007,n,123456789012345678901234",
        "0,1.5,true,null,nan,-inf,L,1.#QNAN,2,3,1e400,-1e-400",
    ],
)
def test_a_row_of_keys_means_the_same_as_one_by_one(tmp_path, monkeypatch, row):
    content = b"A: " + row.encode() + b"\n"
    found = tree(opened(tmp_path, content))
    monkeypatch.setattr(encoding, "_SHORT_ROW", 100)
    # As text, for NaN is not itself, and a whole number is not a float.
    assert str(found) == str(tree(opened(tmp_path, content)))
    assert len(found[0][1]) > 9


def test_a_long_row_may_hold_words_for_what_is_no_number(tmp_path):
    node = opened(tmp_path, b"A: 1,2,3,4,5,6,7,8,nan,-1.#INF\n").child("A")
    np.testing.assert_array_equal(node.array(), [1, 2, 3, 4, 5, 6, 7, 8, np.nan, -np.inf])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'A: "text\n}', "the file ends within a text"),
        (b"A: {\nB: 1\n", "the file ends within a node"),
        (b"A: 1\n}\n", "line 3: a closing brace has no opening one"),
        (b"A: 1\n{\n}\nB: 2\n{}{}\n", "line 6: wanted the name of a node"),
        (b"A: 1\n : 2\n", "line 3: wanted the name of a node"),
        (b"A: 1 12:30\n:", "line 3: wanted the name of a node"),
        (b'A: "a" "b"\n', "line 2: wanted values with commas between them"),
        (b"A: 1,,2\n", "line 2: wanted values with commas between them"),
        (b"A: 1-2\n", "line 2: 1-2 is no number"),
    ],
)
def test_damaged_text_is_refused_with_its_line(tmp_path, content, reason):
    with pytest.raises(LoadError) as refused:
        tree(opened(tmp_path, content))
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("values", "link", "identity"),
    [
        (b'"OO", 12,-3', (12, -3, ""), ("OO", "")),
        (b' "OP" ,1,2 , "d|X" ', (1, 2, "d|X"), ("OP", "d|X")),
        (b'"OP",1,2,"a&quot;b"', (1, 2, 'a"b'), ("OP", 'a"b')),
        (b'"OO","Model::a","Model::b"', ("Model::a", "Model::b", ""), ("OO", "Model::a")),
        (b'"PO",1,2', None, ("PO", "")),
        (b'12,"Model::a","Limb"', None, (12, "Limb")),
        (b'12,"Model::a","a&quot;b"', None, (12, 'a"b')),
        (b'12,"Model::a"', None, (12, "")),
        (b"", None, None),
    ],
)
def test_connections_and_objects_state_the_same_however_they_are_written(
    tmp_path, values, link, identity
):
    node = opened(tmp_path, b"C: " + values + b"\n").need("C")
    assert (node.link(), node.identity()) == (link, identity)


@pytest.mark.parametrize("filler", [b"a:\n", b"a:{}\n", b'"",', b"1,n,", b"12,ab,"])
def test_long_files_of_nothing_can_be_stopped_at_any_time(tmp_path, monkeypatch, filler):
    monkeypatch.setattr(reading, "PULSE_S", 0.0)
    monkeypatch.setattr(encoding, "_MANY", 30)
    monkeypatch.setattr(encoding, "_AT_ONCE", 30)
    path = tmp_path / "file.fbx"
    path.write_bytes(HEADER + b"FBXVersion: 7500\nObjects: {\nA: " + filler * 3_000 + b"}\n")
    told = []

    class Told(Listener):
        def stage(self, _, fraction):
            told.append(fraction)

    load(path, Told())
    assert len(told) > 100

    class Stopped(Listener):
        def stage(self, _, fraction):
            assert fraction == told.pop(0)
            if len(told) < 10:
                raise Cancelled

    with pytest.raises(Cancelled):
        load(path, Stopped())


def test_what_a_tree_takes_is_bound_to_the_size_of_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "_BYTES_A_NODE", 40_000)
    path = tmp_path / "file.fbx"
    path.write_bytes(HEADER + b"Objects: {\n" + b"a:\n" * 8_000 + b"}\n")
    assert "more than a file of this size can claim" in str(refusal(path))


@pytest.mark.parametrize("mixed", [False, True])
def test_keys_of_old_takes_are_read_together_as_one_by_one(tmp_path, mixed):
    rng = np.random.default_rng(3)
    times, values = rng.permutation(12) * fbx.TICKS, rng.normal(size=12)
    keys = [f"{t},{v},U,s,{v / 3},{v / 2},n" for t, v in zip(times, values, strict=True)]
    if mixed:
        keys[5] = f"{times[5]},{values[5]},L"
    channel = f'Channel: "X" {{\nDefault: 0\nKey: {",".join(keys)}\n}}\n'
    content = (
        "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\nFBXVersion: 6100\n}\n"
        'Objects:  {\nModel: "Model::a", "LimbNode" {\n}\n}\n'
        'Connections:  {\nConnect: "OO", "Model::a", "Model::Scene"\n}\n'
        'Takes:  {\nTake: "t" {\nModel: "Model::a" {\nChannel: "Transform" {\n'
        f'Channel: "T" {{\n{channel}}}\n}}\n}}\n}}\n}}\n'
    )
    path = tmp_path / "file.fbx"
    path.write_text(content)
    (clip,) = load(path).rig.clips
    (channel,) = clip.channels
    order = np.argsort(times)
    at = channel.sampler.at(times[order] / fbx.TICKS)
    np.testing.assert_allclose(at[:, 0], values[order] / 100, rtol=0, atol=1e-12)


def old_curve(path, words, header=""):
    """Write a 6.1 file with one node whose x is keyed as the words say; return its only sampler."""
    channel = f'Channel: "X" {{\nDefault: 0\nKey: {words}\n}}\n'
    path.write_text(
        f"; FBX 6.1.0 project file\nFBXHeaderExtension:  {{\nFBXVersion: 6100\n{header}}}\n"
        'Objects:  {\nModel: "Model::a", "LimbNode" {\n}\n}\n'
        'Connections:  {\nConnect: "OO", "Model::a", "Model::Scene"\n}\n'
        'Takes:  {\nTake: "t" {\nModel: "Model::a" {\nChannel: "Transform" {\n'
        f'Channel: "T" {{\n{channel}}}\n}}\n}}\n}}\n}}\n'
    )
    (clip,) = load(path).rig.clips
    (channel,) = clip.channels
    return channel.sampler


@pytest.mark.parametrize(
    ("values", "slope"),
    [
        # Three times the slope of the flatter line at most: (90 − 80) / 1.5 · 3.
        ((0.0, 80.0, 90.0), 20.0),
        # The slope between the neighbours: (30 − 0) / 2.5.
        ((0.0, 10.0, 30.0), 12.0),
        # A peak.
        ((0.0, 50.0, 20.0), 0.0),
    ],
)
def test_automatic_tangents_of_old_takes_are_flat_at_the_ends_and_do_not_overshoot(
    values, slope, tmp_path
):
    """So does 3ds Max evaluate ``U,a,n``: its exported mesh is met to 1.3e-6 of its size."""
    times = np.array([0.0, 1.0, 2.5])
    slopes = 0.0, slope, 0.0
    words = ",".join(f"{t * fbx.TICKS:.0f},{v},U,a,n" for t, v in zip(times, values, strict=True))
    sampler = old_curve(tmp_path / "auto.fbx", words)
    for i, length in enumerate(np.diff(times)):
        u = np.linspace(0.0, 1.0, 11)
        wanted = (
            (2 * u**3 - 3 * u**2 + 1) * values[i]
            + (u**3 - 2 * u**2 + u) * length * slopes[i]
            + (3 * u**2 - 2 * u**3) * values[i + 1]
            + (u**3 - u**2) * length * slopes[i + 1]
        )
        got = sampler.at(times[i] + u * length)[:, 0] * 100.0
        np.testing.assert_allclose(got, wanted, atol=1e-4)


@pytest.mark.parametrize(
    ("header", "definition", "seconds"),
    [
        (1003, 0, 1.0),
        (1004, 127, 1.0),
        (1004, 0, fbx.TICKS / 141120000),
        (None, 0, 1.0),
        (1004, None, 1.0),
    ],
)
def test_a_time_definition_counts_from_header_1004_on(header, definition, seconds, tmp_path):
    stated = "" if header is None else f"FBXHeaderVersion: {header}\n"
    if definition is not None:
        stated += f"OtherFlags:  {{\nTCDefinition: {definition}\n}}\n"
    words = f"0,0,L,{fbx.TICKS},5,L"
    sampler = old_curve(tmp_path / "time.fbx", words, stated)
    np.testing.assert_allclose(sampler.times[-1], seconds)
