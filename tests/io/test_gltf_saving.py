"""Saving: unchanged rigs byte for byte, any container into any other, and all files or none."""

import base64
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from documents import arm, chunk, contents, faults, glb
from values import assert_same_rig, bound, moved, snapshot

from rigview.io import LoadError, SaveError, load, save
from rigview.io.gltf import embedded

REPOSITORY = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("RIGVIEW_CORPUS", REPOSITORY.parent / "shared" / "corpus"))


MAGNUM = "mosra+magnum-plugins/src/MagnumPlugins/GltfImporter/Test/"
# Invalid, see test_gltf_against_spec.py.
REFUSED = {
    MAGNUM + "escaped-strings.gltf",
    MAGNUM + "texcoord-flip-unnormalized-morph-target.gltf",
}


def corpus_files():
    """The glTFs of the corpus that open; one skip without corpus."""
    manifest = CORPUS / "rigs" / "manifest.json"
    if not manifest.is_file():
        skip = pytest.mark.skip(reason=f"no corpus at {CORPUS}: set RIGVIEW_CORPUS")
        return [pytest.param("", marks=skip, id="no-corpus")]
    return [
        entry["path"]
        for entry in json.loads(manifest.read_text(encoding="utf-8"))
        if entry["format"] in {"gltf", "glb", "vrm"} and entry["path"] not in REFUSED
    ]


def opened(name):
    return load(CORPUS / "rigs" / name)


def files_of(path):
    document, _, _ = contents(path)
    uris = [
        e["uri"] for kind in ("buffers", "images") for e in document.get(kind, []) if "uri" in e
    ]
    return sorted(uri for uri in uris if not uri.startswith("data:"))


@pytest.mark.parametrize("name", corpus_files())
def test_an_unchanged_rig_is_saved_byte_for_byte(name, tmp_path):
    loaded = opened(name)
    source, out = loaded.path, tmp_path / f"copy{loaded.path.suffix}"
    save(loaded, loaded.rig, out)
    assert out.read_bytes() == source.read_bytes()
    written = {p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file()}
    beside = {p for p in written if p != Path(out.name)}
    assert all((tmp_path / p).read_bytes() == (source.parent / p).read_bytes() for p in beside)
    assert_same_rig(load(out).rig, loaded.rig)


@pytest.mark.parametrize("name", corpus_files())
def test_a_rig_of_equal_values_is_saved_byte_for_byte(name, tmp_path):
    loaded = opened(name)
    copied = replace(loaded.rig, nodes=replace(loaded.rig.nodes), meshes=tuple(loaded.rig.meshes))
    out = tmp_path / f"copy{loaded.path.suffix}"
    save(loaded, copied, out)
    assert out.read_bytes() == loaded.path.read_bytes()


@pytest.mark.parametrize("name", corpus_files())
def test_another_container_holds_the_same_rig(name, tmp_path):
    loaded = opened(name)
    old = "" if list(faults_or_skip(loaded.path)) else "sound"
    suffixes = [".glb", ".gltf"] if loaded.path.suffix == ".gltf" else [".gltf", ".glb"]
    for i, suffix in enumerate(suffixes):
        out = tmp_path / str(i) / f"other{suffix}"
        out.parent.mkdir()
        save(loaded, loaded.rig, out)
        loaded = load(out)
        assert_same_rig(loaded.rig, opened(name).rig)
        assert not old or not list(faults(out))


def faults_or_skip(path):
    try:
        yield from faults(path)
    except (KeyError, IndexError, FileNotFoundError, TypeError):
        yield "unsound"


def test_a_changed_gltf_gets_its_own_bin_and_copies_of_its_images(textured, tmp_path):
    loaded = load(textured)
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "repaired.gltf"
    save(loaded, moved(loaded.rig), out)
    written = {str(p.relative_to(out.parent)) for p in out.parent.rglob("*") if p.is_file()}
    assert written == {"repaired.gltf", "repaired.bin", "textures/one pixel.png", "x.ktx2"}
    assert contents(out)[0]["buffers"][0]["uri"] == "repaired.bin"
    assert (out.parent / "repaired.bin").read_bytes() == textured.with_suffix(".bin").read_bytes()
    assert_same_rig(load(out).rig, moved(loaded.rig))


def test_a_gltf_becomes_one_glb_with_its_images_inside(textured, tmp_path):
    loaded = load(textured)
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "arm.glb"
    save(loaded, loaded.rig, out)
    images = contents(out)[0]["images"]
    assert images[0]["mimeType"] == "image/png"
    assert images[1:] == [{"uri": "gone.png"}, {"uri": "x.ktx2"}]
    # What a GLB cannot take in lies beside it.
    assert {p.name for p in out.parent.iterdir()} == {"arm.glb", "x.ktx2"}
    assert not list(faults(out))
    assert_same_rig(load(out).rig, loaded.rig)


def test_images_of_one_file_are_taken_in_once(textured, tmp_path):
    document = json.loads(textured.read_text())
    document["images"] *= 2
    textured.write_text(json.dumps(document))
    loaded = load(textured)
    save(loaded, loaded.rig, tmp_path / "arm.glb")
    images = contents(tmp_path / "arm.glb")[0]["images"]
    assert images[0]["bufferView"] == images[3]["bufferView"]


@pytest.mark.parametrize("long", [8, 1 << 20])
def test_images_in_the_text_of_a_gltf_go_into_the_glb(long, pixel, monkeypatch, tmp_path):
    monkeypatch.setattr(embedded, "_LONG", long)
    uri = f"data:image/png;base64,{base64.b64encode(pixel).decode()}"
    doc = arm()
    doc.json["images"] = [{"uri": uri}, {"uri": uri}, {"uri": "data:image/ktx2;base64,AAAA"}]
    loaded = load(doc.save(tmp_path / "arm.gltf"))
    save(loaded, loaded.rig, tmp_path / "arm.glb")
    first, second, other = contents(tmp_path / "arm.glb")[0]["images"]
    assert first == second == {"bufferView": first["bufferView"], "mimeType": "image/png"}
    assert other == {"uri": "data:image/ktx2;base64,AAAA"}
    assert pixel in (tmp_path / "arm.glb").read_bytes()
    assert_same_rig(load(tmp_path / "arm.glb").rig, loaded.rig)


@pytest.mark.parametrize("out", ["other.gltf", "arm.glb", "arm.gltf.gltf", "arm.bin.gltf"])
def test_the_source_and_its_files_are_never_written_to(out, textured):
    before = snapshot(textured.parent)
    loaded = load(textured)
    save(loaded, moved(loaded.rig), textured.parent / out)
    after = snapshot(textured.parent)
    assert {path: after[path] for path in before} == before
    assert_same_rig(load(textured.parent / out).rig, moved(loaded.rig))


def test_folders_may_be_parted_as_on_windows(textured, tmp_path):
    below = textured.parent / "parts"
    below.mkdir()
    textured.with_suffix(".bin").rename(below / "arm.bin")
    document = json.loads(textured.read_text())
    document["buffers"][0]["uri"] = r"parts\arm.bin"
    document["images"][0]["uri"] = r"textures\one%20pixel.png"
    textured.write_text(json.dumps(document))
    loaded = load(textured)
    assert loaded.rig.images[0] is not None
    save(loaded, moved(loaded.rig), tmp_path / "copy.glb")
    assert_same_rig(load(tmp_path / "copy.glb").rig, moved(loaded.rig))
    document["buffers"][0]["uri"] = r"..\arm.bin"
    textured.write_text(json.dumps(document))
    with pytest.raises(LoadError, match="the path leaves the folder of the file"):
        load(textured)


def test_a_buffer_of_the_name_that_out_would_take_is_left_alone(textured):
    """OUT's buffer would be other.bin, which is the source's."""
    source = textured.parent / "source.gltf"
    text = textured.read_text().replace("arm.bin", "other.bin")
    source.write_text(text)
    textured.with_suffix(".bin").rename(textured.parent / "other.bin")
    before = snapshot(textured.parent)
    loaded = load(source)
    out = textured.parent / "other.gltf"
    changed = bound(loaded.rig, 1.0)
    save(loaded, changed, out)
    assert {path: path.read_bytes() if path.is_file() else None for path in before} == before
    assert files_of(out)[-1:] != ["other.bin"]
    assert_same_rig(load(out).rig, changed)


def test_a_bin_of_something_else_is_left_alone(textured, tmp_path):
    other = tmp_path / "out.bin"
    other.write_bytes(b"somebody's")
    loaded = load(textured)
    save(loaded, moved(loaded.rig), tmp_path / "out.gltf")
    assert other.read_bytes() == b"somebody's"
    assert_same_rig(load(tmp_path / "out.gltf").rig, moved(loaded.rig))


def test_saving_again_replaces_what_was_saved_before(textured, tmp_path):
    loaded = load(textured)
    out = tmp_path / "out.gltf"
    for height in (1.0, 2.0):
        changed = bound(loaded.rig, height)
        save(loaded, changed, out)
        assert_same_rig(load(out).rig, changed)
    assert {p.name for p in tmp_path.iterdir()} == {
        "source",
        "out.gltf",
        "out.bin",
        "textures",
        "x.ktx2",
    }


def test_the_source_can_be_replaced_by_its_repair(textured):
    loaded = load(textured)
    before = snapshot(textured.parent)
    save(loaded, moved(loaded.rig), textured)
    changed = {
        path for path, content in snapshot(textured.parent).items() if before.get(path) != content
    }
    assert changed == {textured}
    assert_same_rig(load(textured).rig, moved(loaded.rig))


def test_another_image_of_the_same_name_is_not_overwritten(textured, tmp_path):
    (tmp_path / "out" / "textures").mkdir(parents=True)
    (tmp_path / "out" / "textures" / "one pixel.png").write_bytes(b"another")
    before = snapshot(tmp_path / "out")
    loaded = load(textured)
    with pytest.raises(SaveError, match=r"out.gltf: one pixel.png beside it is another file"):
        save(loaded, moved(loaded.rig), tmp_path / "out" / "out.gltf")
    assert snapshot(tmp_path / "out") == before


@pytest.mark.parametrize("name", ["arm", "arm.bvh2", "arm.gltf.txt", ".glb"])
def test_an_unknown_suffix_is_refused(name, textured, tmp_path):
    loaded = load(textured)
    with pytest.raises(SaveError, match=r"rigview writes \.gltf, \.glb, \.vrm, .* not "):
        save(loaded, loaded.rig, tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("suffix", [".GLB", ".vrm", ".Gltf"])
def test_suffixes_count_whatever_their_case(suffix, textured, tmp_path):
    loaded = load(textured)
    save(loaded, loaded.rig, tmp_path / f"arm{suffix}")
    is_glb = (tmp_path / f"arm{suffix}").read_bytes().startswith(b"glTF")
    assert is_glb == (suffix.lower() != ".gltf")


def test_unknown_chunks_and_what_follows_a_glb_survive_a_change(tmp_path):
    extra = chunk(b"WHAT", b"\x01\x02\x03\x04") + chunk(b"BIN\0", b"second")
    path = arm().save_glb(tmp_path / "arm.glb", extra=extra)
    path.write_bytes(path.read_bytes() + b"behind the end")
    loaded = load(path)
    out = tmp_path / "out.glb"
    save(loaded, moved(loaded.rig), out)
    assert out.read_bytes().endswith(extra + b"behind the end")
    assert_same_rig(load(out).rig, moved(loaded.rig))


def test_files_that_a_glb_needs_are_copied_with_it(pixel, tmp_path):
    doc = arm()
    doc.json["buffers"] = [{"byteLength": len(doc.data), "uri": "far.bin"}]
    doc.json["images"] = [{"uri": "pixel.png"}]
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "far.bin").write_bytes(doc.data)
    (folder / "pixel.png").write_bytes(pixel)
    (folder / "arm.glb").write_bytes(glb(json.dumps(doc.json).encode()))
    loaded = load(folder / "arm.glb")
    for i, rig in enumerate((loaded.rig, moved(loaded.rig))):
        out = tmp_path / str(i) / "out.glb"
        out.parent.mkdir()
        save(loaded, rig, out)
        assert_same_rig(load(out).rig, rig)


def test_a_buffer_that_is_missing_and_unused_stops_no_saving(tmp_path):
    doc = arm()
    doc.json["buffers"] = [
        {"byteLength": 10, "uri": "gone.bin"},
        {"byteLength": len(doc.data), "uri": "here.bin"},
    ]
    doc.list("bufferViews").append({"buffer": 0, "byteLength": 10, "byteOffset": 0})
    for view in doc.list("bufferViews")[:-1]:
        view["buffer"] = 1
    (tmp_path / "here.bin").write_bytes(doc.data)
    path = tmp_path / "arm.gltf"
    path.write_text(json.dumps(doc.json))
    loaded = load(path)
    changed = bound(loaded.rig, 2.0)
    for name in ("out.gltf", "out.glb"):
        save(loaded, changed, tmp_path / name)
        assert_same_rig(load(tmp_path / name).rig, changed)
    document, _, _ = contents_without(tmp_path / "out.glb", "gone.bin")
    assert document["buffers"][1]["uri"] == "gone.bin"
    assert document["bufferViews"][-1]["buffer"] == 1


def contents_without(path, name):
    (path.parent / name).write_bytes(bytes(10))
    try:
        return contents(path)
    finally:
        (path.parent / name).unlink()


def test_malformed_parts_that_nobody_reads_stop_no_saving(tmp_path):
    doc = arm()
    doc.json["accessors"] += [{}, {"bufferView": 99}, {"bufferView": "x", "type": 3}]
    doc.json["bufferViews"] += [{}, {"buffer": "x"}, {"buffer": 77, "byteLength": 1}]
    doc.json["images"] = [5, {"uri": 5}, {"bufferView": 99}]
    doc.json["animations"][0]["samplers"].append({})
    doc.json["meshes"].append({"primitives": [{"attributes": {}, "indices": [], "targets": 5}]})
    loaded = load(doc.save(tmp_path / "arm.gltf"))
    values = loaded.rig.meshes[0].primitives[0]
    changed = loaded.rig.with_primitive(0, 0, replace(values, positions=2 * values.positions))
    for name in ("out.gltf", "out.glb"):
        save(loaded, changed, tmp_path / name)
        assert_same_rig(load(tmp_path / name).rig, changed)


def test_a_byte_order_mark_survives_a_change(tmp_path):
    path = tmp_path / "arm.gltf"
    path.write_bytes(b"\xef\xbb\xbf" + arm().text(indent=1).encode())
    loaded = load(path)
    save(loaded, moved(loaded.rig), tmp_path / "out.gltf")
    assert (tmp_path / "out.gltf").read_bytes().startswith(b"\xef\xbb\xbf{\n")
    assert_same_rig(load(tmp_path / "out.gltf").rig, moved(loaded.rig))


def test_a_link_to_the_source_is_the_source(textured):
    """A .gltf behind a link finds its buffer where it really lies, and is not written through."""
    link = textured.parent.parent / "link.gltf"
    link.symlink_to(textured)
    loaded = load(link)
    before = snapshot(textured.parent)
    out = textured.parent.parent / "out.gltf"
    save(loaded, moved(loaded.rig), out)
    assert snapshot(textured.parent) == before
    shutil.rmtree(textured.parent)
    assert_same_rig(load(out).rig, moved(loaded.rig))
