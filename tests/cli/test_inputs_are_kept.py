"""No command writes over a file that it reads, whatever that is called where it writes."""

import argparse
import json
import shutil
from pathlib import Path

import pytest

from rigview.cli import COMMANDS
from rigview.io import load

SAMPLES = Path(__file__).parents[2] / "samples"
# Command → its arguments, with the inputs A and B, and OUT where it writes.
WRITING = {
    "check": ("A", "B", "-o", "OUT"),
    "report": ("A", "B", "-o", "OUT"),
    "fix": ("A", "--also", "B", "-o", "OUT"),
    "diff": ("A", "B", "-o", "OUT"),
    "shot": ("A", "--clips-from", "B", "-o", "OUT"),
    "sheet": ("A", "--clips-from", "B", "-o", "OUT"),
    "turntable": ("A", "--clips-from", "B", "-o", "OUT"),
    "movie": ("A", "--clips-from", "B", "-o", "OUT"),
    "bake": ("A", "--clips-from", "B", "-o", "OUT"),
    "rom": ("A", "-o", "OUT"),
    "retarget": ("A", "B", "-o", "OUT"),
    "template": ("A", "-o", "OUT"),
    "conform": ("A", "--template", "vrm", "--fix", "-o", "OUT"),
    "weights": ("A", "-o", "OUT", "--vertices", "all"),
    "transfer": ("A", "B", "-o", "OUT", "--vertices", "all"),
    "calibrate": ("A", "-o", "OUT"),
    "convert": ("A", "-o", "OUT"),
    "metrics": ("A", "--panes", "lbs", "-o", "OUT"),
    "page": ("A", "-o", "OUT"),
    "blender-addon": ("-o", "OUT"),
}
SUFFIX = {
    "fix": ".glb",
    "bake": ".npz",
    "rom": ".glb",
    "retarget": ".glb",
    "template": ".toml",
    "conform": ".glb",
    "weights": ".glb",
    "transfer": ".glb",
    "calibrate": ".glb",
    "convert": ".glb",
    "metrics": ".json",
    "check": ".html",
    "page": ".html",
    "movie": ".mp4",
}


def direct(path, _suffix):
    return path


def by_another_path(path, _suffix):
    return path.parent / ".." / path.parent.name / path.name


def by_symlink(path, suffix):
    link = path.with_name(f"link{suffix}")
    link.symlink_to(path)
    return link


def by_chained_symlinks(path, suffix):
    (path.parent / "first").symlink_to(path.name)
    link = path.with_name(f"second{suffix}")
    link.symlink_to("first")
    return link


def by_hard_link(path, suffix):
    link = path.with_name(f"hard{suffix}")
    link.hardlink_to(path)
    return link


NAMES = (direct, by_another_path, by_symlink, by_chained_symlinks, by_hard_link)


def read_only_output(command):
    """Return the options of a command that name a file to write."""
    parser = argparse.ArgumentParser()
    COMMANDS[command].add(parser)
    return [a.dest for a in parser._actions if a.metavar and a.metavar.startswith("OUT")]


def test_every_command_that_writes_is_asked():
    writing = {name for name in COMMANDS if read_only_output(name)}
    assert writing == set(WRITING)


@pytest.fixture
def pair(tmp_path):
    """Two rigs in a folder, and what they hold."""
    folder = tmp_path / "rigs"
    folder.mkdir()
    files = [folder / "a.glb", folder / "b.glb"]
    for file in files:
        shutil.copyfile(SAMPLES / "broken" / "ORI-PRIMARY.glb", file)
    return files


@pytest.mark.parametrize("named", NAMES)
@pytest.mark.parametrize("which", ["A", "B"])
@pytest.mark.parametrize("command", WRITING)
def test_an_output_that_is_an_input_is_refused(command, which, named, pair, rigview):
    if which not in WRITING[command]:
        pytest.skip("it reads one file")
    target = pair["AB".index(which)]
    before = target.read_bytes()
    out = named(target, SUFFIX.get(command, ".png"))
    words = {"A": pair[0], "B": pair[1], "OUT": out}
    told = rigview(command, *(words.get(word, word) for word in WRITING[command]))
    assert told.status == 2
    assert told.err.startswith(f"rigview: {out}: ")
    assert told.err.count("\n") == 1
    assert target.read_bytes() == before
    assert out.samefile(target)


@pytest.mark.parametrize("named", NAMES)
@pytest.mark.parametrize("form", ["junit", "jsonl", "html"])
def test_every_output_of_several_is_asked(form, named, pair, rigview, tmp_path):
    first, target = tmp_path / "a.sarif", pair[0]
    before = target.read_bytes()
    out = named(target, ".html")
    pairs = ("--format", "sarif", "-o", first, "--format", form, "-o", out)
    told = rigview("check", *pair, *pairs)
    assert (told.status, target.read_bytes(), first.exists()) == (2, before, False)
    assert told.err.startswith(f"rigview: {out}: ")


@pytest.mark.parametrize("form", ["jsonl", "resume"])
@pytest.mark.parametrize("part", ["rig.bin", "used.png"])
def test_results_that_are_written_as_they_come_go_over_nothing_else(form, part, parted, rigview):
    target = parted.with_name(part)
    before = target.read_bytes()
    out = by_symlink(target, ".jsonl")
    more = ("--resume", out) if form == "resume" else ("--format", form, "-o", out)
    told = rigview("check", parted, *more)
    assert (told.status, target.read_bytes()) == (2, before)
    assert "there is a file that is no JSON lines of rigview" in told.err


@pytest.mark.parametrize("command", ["shot", "turntable"])
def test_the_picture_whose_view_is_taken_is_kept(command, pair, rigview, tmp_path):
    picture = tmp_path / "seen.png"
    assert rigview("shot", pair[0], "-o", picture, "--size", "64x64").status == 0
    before = picture.read_bytes()
    told = rigview(command, pair[0], "--session", picture, "-o", picture)
    assert told.status == 2
    assert picture.read_bytes() == before


@pytest.mark.parametrize("named", NAMES)
def test_settings_and_baselines_are_kept(named, pair, rigview):
    config, baseline = (pair[0].with_name(name) for name in ("rigview.toml", "known.json"))
    config.write_text('baseline = "known.json"\n')
    assert rigview("check", pair[0], "--write-baseline").status == 0
    for file in (config, baseline):
        before = file.read_bytes()
        told = rigview("check", pair[0], "-o", named(file, ".txt"))
        assert (told.status, file.read_bytes()) == (2, before)
        for link in file.parent.glob("*[!bnl]"):
            if link.name not in ("rigview.toml", "known.json"):
                link.unlink()
    # The baseline itself is written where that is asked for, and no rig in its place.
    assert rigview("check", pair[0], "--write-baseline").status == 0
    before = pair[0].read_bytes()
    told = rigview("check", pair[1], pair[0], "--write-baseline", "--baseline", pair[0])
    assert (told.status, pair[0].read_bytes()) == (2, before)


@pytest.fixture
def parted(tmp_path):
    """A glTF with its buffer and two images beside it, one of which nothing uses."""
    folder = tmp_path / "rig"
    folder.mkdir()
    path = folder / "rig.gltf"
    from rigview.io import save

    loaded = load(SAMPLES / "broken" / "ORI-PRIMARY.glb")
    save(loaded, loaded.rig, path)
    document = json.loads(path.read_text())
    document["images"] = [{"uri": "used.png"}, {"uri": "spare.png"}]
    document["textures"] = [{"source": 0}]
    document["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    from PIL import Image

    for name in ("used.png", "spare.png"):
        Image.new("RGB", (4, 4), "red").save(folder / name)
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    "command", ["check", "check -j 2", "fix", "diff", "bake", "convert", "rom"]
)
@pytest.mark.parametrize("part", ["rig.bin", "used.png", "spare.png"])
def test_the_files_beside_an_input_are_kept(command, part, parted, rigview):
    command, *more = command.split()
    target = parted.with_name(part)
    before = target.read_bytes()
    out = by_symlink(target, SUFFIX.get(command, ".txt"))
    words = {"A": parted, "B": parted, "OUT": out}
    arguments = [w for w in WRITING[command] if w not in ("--also", "--clips-from")]
    if command in ("fix", "bake"):
        arguments.remove("B")
    told = rigview(command, *(words.get(word, word) for word in arguments), *more)
    assert told.status == 2, told
    assert str(out) in told.err
    assert target.read_bytes() == before


def test_the_layers_of_a_usd_are_kept(tmp_path, rigview):
    pytest.importorskip("pxr")
    inner, outer = tmp_path / "inner.usda", tmp_path / "outer.usda"
    inner.write_text('#usda 1.0\n(\n  defaultPrim = "a"\n)\ndef Xform "a"\n{\n}\n')
    outer.write_text('#usda 1.0\ndef "a" (\n  references = @./inner.usda@\n)\n{\n}\n')
    assert {path.name for path in load(outer).files} == {"inner.usda", "outer.usda"}


def test_fix_writes_over_its_source_where_it_is_asked_to(pair, rigview):
    before = pair[0].read_bytes()
    told = rigview("fix", pair[0], "--in-place")
    assert told.status == 0, told.err
    assert pair[0].read_bytes() != before
    again = rigview("fix", pair[0], "-o", pair[0], "--in-place")
    assert again.status == 0, again.err
    elsewhere = rigview("fix", pair[0], "-o", pair[1], "--in-place")
    assert elsewhere.status == 2


def test_fix_in_place_keeps_the_buffer_of_another_input(parted, rigview):
    other = parted.with_name("other.gltf")
    shutil.copyfile(parted, other)
    buffer = parted.with_name("rig.bin")
    before = buffer.read_bytes(), other.read_bytes()
    told = rigview("fix", parted, "--in-place", "--also", other)
    assert (buffer.read_bytes(), other.read_bytes()) == before, told
    assert told.status == 2
