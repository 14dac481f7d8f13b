"""The JSON of a glTF is read as Python's own parser reads it, long data URIs without parsing them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from documents import EMBEDDED, Document, arm

from rigview.core.clip import Deferred
from rigview.io import LoadError, SaveError, load, save
from rigview.io.gltf import embedded, parsing

SOUND = (
    '{"a": [0, -0, -0.0, 1e5, 0.1e-3, 123456789.123456789, 18446744073709551616, 5e-324]}',
    '{"a": 1, "b": 2, "a": 3}',
    '\ufeff{"a": "\\u00e9\\ud83d\\ude00\\n\\/ é€😀"}',
    ' \t\r\n{"a": {"b": [null, true, false, {}, []]}}\n ',
)
# Python reads them, and we always did.
ODD = ('{"a": "\\ud800"}', '{"a": 1e400}')


@pytest.mark.parametrize("text", SOUND)
def test_the_quick_parser_reads_what_pythons_own_does(text):
    quick = parsing.parse_quickly(text.encode())
    assert repr(quick) == repr(json.loads(text.removeprefix("\ufeff")))


@pytest.mark.parametrize("text", [*ODD, "[1]", '{"a": NaN}', '{"a": 1,}', '{"a": 01}', "", '{"a'])
def test_the_quick_parser_leaves_the_rest_to_the_careful_one(text, tmp_path):
    assert parsing.parse_quickly(text.encode()) is None
    if text in ODD:
        assert parsing.parse(tmp_path, text) == json.loads(text)
    else:
        with pytest.raises(LoadError, match="the JSON "):
            parsing.parse(tmp_path, text)


@pytest.fixture
def short(monkeypatch):
    """Take every data URI for a long one."""
    monkeypatch.setattr(embedded, "_LONG", 8)


def test_long_data_is_not_parsed(short, tmp_path):
    path = arm().save(tmp_path / "arm.gltf", indent=1)
    text, held = embedded.shortened(path.read_bytes())
    (word,) = held
    assert json.loads(text)["buffers"][0]["uri"] == EMBEDDED + word
    full = json.loads(path.read_text(encoding="utf-8"))
    assert full["buffers"][0]["uri"] == EMBEDDED + held[word].tobytes().decode()


@pytest.mark.parametrize(
    "text",
    [
        b'{"name": "data:x;base64,AAAAAAAAAAAA"}',
        b'{"uri": "data:x;base64,AAAA\\/AAAAAAAA"}',
        b'{"uri": "data:no comma, but too late"}'.replace(b"no comma", b"x" * 300),
        b'{"uri": "data:x;base64,AAAAAAAAAAAA',
        b'{"uri": "over there, far away"}',
    ],
)
def test_what_is_no_plain_data_uri_stays_in_the_text(text, short):
    assert embedded.shortened(text) == (text, {})


@pytest.mark.parametrize(
    "data", ["AAAA AAA", "AAAAAAAA=", "AAA=AAAAAAAA", "AAAAAAA=AAAAAAAA", "AAAAAAAAAé"]
)
def test_damaged_data_are_told_of_by_their_place(data, short, tmp_path, monkeypatch):
    monkeypatch.setattr(embedded, "_CHUNK", 8)
    doc = arm()
    doc.json["buffers"] = [{"byteLength": len(doc.data), "uri": EMBEDDED + data}]
    with pytest.raises(LoadError, match="/buffers/0/uri: the base64 data is damaged"):
        load(doc.save(tmp_path / "damaged.gltf", ensure_ascii=False))


def test_an_error_behind_long_data_is_told_of_by_its_place_in_the_file(short, tmp_path):
    path = tmp_path / "damaged.gltf"
    data = f'{{"buffers": [{{"uri": "{EMBEDDED}{"A" * 40}"}}], x}}'
    path.write_text(data)
    with pytest.raises(LoadError, match=f"line 1, column {data.index('x') + 1}: the JSON is"):
        load(path)


def test_plain_curves_become_channels_when_they_are_first_asked_for(tmp_path):
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}], meshes=[{"primitives": []}])
    rng = np.random.default_rng(2)
    rows = {"LINEAR": 3, "STEP": 3, "CUBICSPLINE": 9}
    stated = []
    for path, width in (("translation", 3), ("rotation", 4), ("scale", 3), ("weights", 1)):
        for word, count in rows.items():
            times = np.sort(rng.random((3, 1))).astype("f4")
            # Two morph targets have two numbers a key.
            values = rng.random((count * (2 if path == "weights" else 1), width)).astype("f4")
            sampler = {"input": doc.accessor(times), "output": doc.accessor(values)}
            stated.append((path, word, times[:, 0], values, sampler | {"interpolation": word}))
    samplers = [sampler for *_, sampler in stated]
    channels = [
        {"sampler": i, "target": {"node": 0, "path": path}} for i, (path, *_) in enumerate(stated)
    ]
    doc.json["animations"] = [{"samplers": samplers, "channels": channels}]
    (clip,) = load(doc.save_glb(tmp_path / "all.glb")).rig.clips
    assert isinstance(clip.channels, Deferred)
    for channel, (path, word, times, values, _) in zip(clip.channels, stated, strict=True):
        curve = channel.sampler
        assert (channel.node, channel.path, curve.interpolation) == (0, path, word)
        np.testing.assert_array_equal(curve.times, times)
        np.testing.assert_array_equal(curve.values.ravel(), values.ravel())
        assert len(curve.values) == len(times)
        assert not curve.values.flags.writeable
    assert clip.channels[0] is clip.channels[0]


def test_each_of_several_clips_has_its_own_samplers(tmp_path):
    doc = Document(scenes=[{"nodes": [0]}], nodes=[{"name": "only"}, {}])
    values = np.random.default_rng(4).random((5, 2, 3)).astype("f4")
    doc.json["animations"] = [
        {
            "name": str(len(some)),
            "samplers": [
                {"input": doc.accessor([[0.0], [1.0]]), "output": doc.accessor(v)} for v in some
            ],
            "channels": [
                {"sampler": i, "target": {"node": i % 2, "path": "scale"}}
                for i in reversed(range(len(some)))
            ],
        }
        for some in (values[:2], values[:0], values[2:])
    ]
    clips = load(doc.save_glb(tmp_path / "clips.glb")).rig.clips
    assert [clip.name for clip in clips] == ["2", "0", "3"]
    assert not any(clip.is_read for clip in clips)
    got = [[(c.node, c.sampler.values) for c in clip.channels] for clip in clips]
    assert [[node for node, _ in one] for one in got] == [[1, 0], [], [0, 1, 0]]
    np.testing.assert_array_equal([v for one in got for _, v in one], values[[1, 0, 4, 3, 2]])
    # A sampler that only another clip has is none of its own.
    doc.json["animations"][0]["channels"][0]["sampler"] = 2
    with pytest.raises(LoadError, match="/animations/0/channels/0/sampler: sampler 2 does not"):
        load(doc.save_glb(tmp_path / "odd.glb"))


def test_letters_that_nobody_reads_are_utf_8_all_the_same(tmp_path):
    path = tmp_path / "letters.gltf"
    text = arm().text().replace('"count"', '"name": "?", "count"', 1).encode()
    path.write_bytes(text.replace(b"?", "é€😀".encode()))
    assert load(path).rig.meshes
    path.write_bytes(text.replace(b"?", b"\xc3"))
    with pytest.raises(LoadError, match="the text is not UTF-8"):
        load(path)


def test_a_number_that_nobody_reads_and_python_cannot_is_in_the_way_of_a_copy_only(tmp_path):
    path = tmp_path / "digits.gltf"
    path.write_text(arm().text().replace('"count"', f'"extras": {"1" * 5000}, "count"', 1))
    loaded = load(path)
    nodes = replace(loaded.rig.nodes, names=("new", *loaded.rig.nodes.names[1:]))
    with pytest.raises(SaveError, match="a number of too many digits"):
        save(loaded, replace(loaded.rig, nodes=nodes), tmp_path / "copy.gltf")


@pytest.mark.parametrize("extra", [None, -1, 1.5, "x"])
def test_an_array_that_is_odd_anywhere_is_read_as_dictionaries(extra, tmp_path):
    doc = arm()
    wanted = load(doc.save_glb(tmp_path / "arm.glb")).rig
    doc.number({"componentType": 5126, "count": 1, "type": "SCALAR", "byteOffset": extra})
    got = load(doc.save_glb(tmp_path / "odd.glb")).rig
    for mesh, other in zip(wanted.meshes, got.meshes, strict=True):
        np.testing.assert_array_equal(mesh.primitives[0].positions, other.primitives[0].positions)
    for clip, other in zip(wanted.clips, got.clips, strict=True):
        for channel, same in zip(clip.channels, other.channels, strict=True):
            np.testing.assert_array_equal(channel.sampler.values, same.sampler.values)
