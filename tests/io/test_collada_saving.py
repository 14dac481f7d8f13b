"""Repaired copies of Collada: spans of the XML replaced, all else as it was."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from rigs import with_influences

from rigview.io import SaveError, load, save

pytestmark = pytest.mark.corpus
CTS = "rigs/KhronosGroup+COLLADA-CTS/StandardDataSets/collada/library_controllers/controller/skin"


@pytest.fixture(scope="module")
def hero(corpus):
    return load(corpus / CTS / "skin_2_influence/skin_2_influence.dae")


def differing(before, after):
    """Return the names of elements whose text or attributes differ, all others being the same."""
    a, b = ET.fromstring(before), ET.fromstring(after)
    pairs = [*zip(a.iter(), b.iter(), strict=True)]
    assert all(x.tag == y.tag for x, y in pairs)
    return {x.tag.rpartition("}")[2] for x, y in pairs if (x.text, x.attrib) != (y.text, y.attrib)}


def reweighted(rig):
    """Return the rig in which each point of the first joint gives a third of it to the second."""
    old = rig.meshes[0].primitives[0].influences
    weights = np.concatenate([old.weights * 2.0 / 3.0, old.weights.sum(1, keepdims=True) / 3.0], 1)
    joints = np.concatenate([old.joints, np.ones((len(weights), 1), dtype=np.int64)], axis=1)
    chosen = old.joints[:, 0] == old.joints[0, 0]
    whole = np.pad(old.weights, ((0, 0), (0, 1)))
    slots = np.pad(old.joints, ((0, 0), (0, 1)))
    return with_influences(
        rig,
        np.where(chosen[:, None], joints, slots),
        np.where(chosen[:, None], weights, whole),
    )


def rebound(rig):
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[1, :3, 3] += [0.1, 0.0, 0.2]
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))


def renamed(rig):
    names = [*rig.nodes.names]
    names[rig.joints[0]] = "Pelvis & <hip>"
    return replace(rig, nodes=replace(rig.nodes, names=tuple(names)))


@pytest.mark.parametrize(
    ("change", "elements"),
    [
        (reweighted, {"vcount", "v", "float_array", "accessor"}),
        (rebound, {"float_array"}),
        (renamed, {"node"}),
    ],
    ids=["weights", "binds", "names"],
)
def test_only_the_elements_of_what_was_changed_are_others(change, elements, hero, tmp_path):
    out = tmp_path / "copy.dae"
    save(hero, change(hero.rig), out)
    before, after = hero.path.read_bytes(), out.read_bytes()
    assert differing(before, after) == elements
    assert before[:200] == after[:200]
    assert re.sub(rb"<[^>]*>|[^<]", b"", before) == re.sub(rb"<[^>]*>|[^<]", b"", after)


def test_a_copy_of_what_is_unchanged_is_the_file(hero, tmp_path):
    save(hero, hero.rig, tmp_path / "copy.dae")
    assert (tmp_path / "copy.dae").read_bytes() == hero.path.read_bytes()


def moved(rig):
    """Return the rig with a joint that a curve moves resting elsewhere."""
    translations = rig.nodes.translations + 0.1
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


def test_a_node_that_one_matrix_places_is_put_elsewhere(corpus, tmp_path):
    source = corpus / "rigs/mosra+magnum-plugins/src/MagnumPlugins/AssimpImporter/Test/skin.dae"
    loaded = load(source)
    nodes = loaded.rig.nodes
    translations = nodes.translations.copy()
    translations[nodes.names.index("Armature_1")] += [1.0, 0.5, 0.25]
    rig = replace(loaded.rig, nodes=replace(nodes, translations=translations))
    save(loaded, rig, tmp_path / "copy.dae")
    assert differing(source.read_bytes(), (tmp_path / "copy.dae").read_bytes()) == {"matrix"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (moved, "another rig: in the clip walk LeftFoot is off"),
        (lambda rig: replace(rig, clips=()), "other curves are not written"),
    ],
    ids=["rest", "clips"],
)
def test_what_is_not_amended_is_refused_and_nothing_written(change, words, corpus, tmp_path):
    loaded = load(corpus / "rigs/guillaumeblanc+ozz-animation/media/collada/pab/walk.dae")
    with pytest.raises(SaveError, match=words):
        save(loaded, change(loaded.rig), tmp_path / "copy.dae")
    assert not (tmp_path / "copy.dae").exists()
