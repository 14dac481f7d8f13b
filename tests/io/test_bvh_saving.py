"""Repaired copies of BVH: words of names, offsets and motion replaced, all else as it was."""

from dataclasses import replace

import numpy as np
import pytest
from small_files import BVH

from rigview.check.rig_edits.reframe import reframe, rotations
from rigview.core import quat
from rigview.io import SaveError, load, save


@pytest.fixture
def hero(tmp_path):
    path = tmp_path / "hero.bvh"
    path.write_bytes(BVH.encode())
    return load(path)


def renamed(rig):
    return replace(rig, nodes=replace(rig.nodes, names=("Pelvis", *rig.nodes.names[1:])))


def longer(rig):
    translations = rig.nodes.translations.copy()
    translations[2, 1] = 1.205
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


def with_clip(rig, node, path, change):
    clip = rig.clips[0]
    channels = [
        replace(c, sampler=replace(c.sampler, values=change(c.sampler.values)))
        if (c.node, c.path) == (node, path)
        else c
        for c in clip.channels
    ]
    return replace(rig, clips=(replace(clip, channels=tuple(channels)),))


def raised(values):
    values = values.copy()
    values[1, 1] += 0.02
    return values


def turned(values):
    more = quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(20.0))
    return np.stack([values[0], -quat.multiply(values[1], more)])


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (renamed, "ROOT Hips", "ROOT Pelvis"),
        (longer, "0 110 0", "0 120.5 0"),
        (lambda rig: with_clip(rig, 0, "translation", raised), "90.50", "92.5"),
        (lambda rig: with_clip(rig, 1, "rotation", turned), "0 30 10\r\n", "0 30 30\r\n"),
    ],
    ids=["name", "offset", "position", "rotation"],
)
def test_only_the_words_of_what_was_changed_are_others(change, old, new, hero, tmp_path):
    assert BVH.count(old) == 1
    out = tmp_path / "copy.bvh"
    save(hero, change(hero.rig), out)
    wanted = BVH.replace(old, new)
    found = out.read_bytes().decode()
    if found != wanted:  # a rotation may have other angles that are the same but for rounding
        a, b = (np.array([float(w) for w in text.split()[-9:]]) for text in (found, wanted))
        np.testing.assert_allclose(a, b, atol=1e-5)
        assert found.split()[:-9] == wanted.split()[:-9]


def test_a_copy_of_what_is_unchanged_is_the_file(hero, tmp_path):
    save(hero, hero.rig, tmp_path / "copy.bvh")
    assert (tmp_path / "copy.bvh").read_bytes() == BVH.encode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda rig: reframe(rig, rotations({1: quat.from_axis_angle([1.0, 0.0, 0.0], 0.5)})),
            "Upper Arm.L would rest turned or scaled",
        ),
        (
            lambda rig: replace(rig, nodes=replace(rig.nodes, names=("a b", *rig.nodes.names[1:]))),
            "cannot be called 'a b'",
        ),
    ],
    ids=["axes", "name"],
)
def test_what_a_bvh_cannot_hold_is_refused_and_nothing_written(change, words, hero, tmp_path):
    with pytest.raises(SaveError, match=words):
        save(hero, change(hero.rig), tmp_path / "copy.bvh")
    assert not (tmp_path / "copy.bvh").exists()


@pytest.mark.corpus
def test_real_files_are_renamed_and_nothing_else(corpus, tmp_path):
    folder = corpus / "rigs/VictorS-67+pybvh/bvh_data"
    for name in ("standard_skeleton.bvh", "bvh_test2.bvh"):
        loaded = load(folder / name)
        out = tmp_path / name
        names = ("Pelvis_1", *loaded.rig.nodes.names[1:])
        save(loaded, replace(loaded.rig, nodes=replace(loaded.rig.nodes, names=names)), out)
        before = (folder / name).read_bytes()
        root = loaded.rig.nodes.names[0].encode()
        assert out.read_bytes() == before.replace(b"ROOT " + root, b"ROOT Pelvis_1", 1)
