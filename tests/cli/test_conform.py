"""``rigview template`` and ``rigview conform`` as they are typed."""

import pytest

from rigview.check.template_files import read_template
from rigview.io import load


@pytest.fixture
def biped(samples):
    return samples / "biped.glb"


def test_a_rig_conforms_to_the_template_made_of_it(rigview, biped, tmp_path):
    file = tmp_path / "hero.skel.toml"
    done = rigview("template", biped, "-o", file)
    assert done.status == 0, done.err
    assert len(read_template(file).joints) == 65
    assert rigview("template", biped).out == file.read_text()
    done = rigview("conform", biped, "--template", file)
    assert done.status == 0, done.err
    assert "0 errors, 0 warnings, 0 for information" in done.out


def test_a_copy_that_conforms_has_nothing_left(rigview, biped, tmp_path):
    out = tmp_path / "godot.glb"
    done = rigview("conform", biped, "--template", "godot", "--fix", "-o", out)
    assert done.status == 0, done.err
    assert "TPL-NAME root: Rename" in done.out
    assert {"Hips", "LeftUpperArm"} <= set(load(out).rig.nodes.names)
    left = rigview("conform", out, "--template", "godot", "--format", "json")
    assert left.json["files"][0]["findings"] == []


def test_what_is_missing_fails(rigview, biped):
    done = rigview("conform", biped, "--template", "unreal")
    assert done.status == 1
    assert "TPL-MISSING" in done.out
    assert rigview("conform", biped, "--template", "unreal", "--fail-on", "never").status == 0
    every = rigview("check", biped, "--template", "unreal", "--ignore", "DEF-COLLAPSE")
    assert "TPL-MISSING" in every.out
    assert "TPL-" not in rigview("check", biped, "--select", "HIE-ORDER").out


def test_the_shipped_ones_are_listed_with_their_sources(rigview):
    told = rigview("template", "--list").out
    for name in ("unreal", "unreal4", "unity", "vrm", "mixamo", "godot"):
        assert f"{name}: " in told
    assert told.count("  from ") == 6
    assert "not verified: " in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("template",), "name the rig, or ask for --list"),
        (("conform", "BIPED", "--template", "unrael"), "there is no template unrael; did you mean"),
        (("conform", "BIPED", "--template", "godot", "--fix"), "name the copy with -o"),
        (("conform", "BIPED", "--template", "none.toml"), "none.toml: no such file"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(arguments, words, rigview, biped):
    done = rigview(*(biped if word == "BIPED" else word for word in arguments))
    assert done.status == 2
    assert words in done.err
    assert done.err.count("\n") == 1


def test_the_template_is_not_written_over(rigview, biped, tmp_path):
    file = tmp_path / "hero.skel.toml"
    rigview("template", biped, "-o", file)
    before = file.read_bytes()
    done = rigview("conform", biped, "--template", file, "-o", file)
    assert done.status == 2
    assert file.read_bytes() == before
