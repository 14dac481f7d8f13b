"""The painted mask of the compensation lives in the custom vertex attribute _COMPENSATION."""

from dataclasses import replace

import numpy as np
import pytest
from documents import arm, contents, faults, stored

from rigview.io import LoadError, load, save

KEY = "_COMPENSATION"
PAINTED = np.linspace(0.0, 1.0, 8).astype(np.float32).astype(np.float64)


def attributes(path, primitive=0):
    document, _, _ = contents(path)
    return document["meshes"][0]["primitives"][primitive]["attributes"]


def painted(rig, mask, primitive=0):
    old = rig.meshes[0].primitives[primitive]
    return rig.with_primitive(0, primitive, replace(old, compensation=mask))


@pytest.fixture
def arm_file(tmp_path):
    """Write an arm of two primitives, with an attribute of its first, and return its path."""

    def write(**attribute):
        doc = arm()
        found = doc.json["meshes"][0]["primitives"][0]["attributes"]
        for name, number in attribute.items():
            found[name] = number(doc)
        path = tmp_path / "arm.gltf"
        doc.save(path)
        return path

    return write


def test_a_file_without_the_attribute_has_no_mask(arm_file):
    assert load(arm_file()).rig.meshes[0].primitives[0].compensation is None


@pytest.mark.parametrize(
    ("values", "dtype", "more", "wanted"),
    [
        (PAINTED, "f4", {}, PAINTED),
        (np.arange(8) * 36, "u1", {"normalized": True}, np.arange(8) * 36 / 255),
        (np.arange(8) * 9000, "u2", {"normalized": True}, np.arange(8) * 9000 / 65535),
    ],
)
def test_the_mask_is_read_in_any_type(arm_file, values, dtype, more, wanted):
    path = arm_file(**{KEY: lambda doc: doc.accessor(np.asarray(values)[:, None], dtype, **more)})
    got = load(path).rig.meshes[0].primitives[0].compensation
    assert np.abs(got - wanted).max() <= 1e-12


@pytest.mark.parametrize("suffix", [".gltf", ".glb"])
def test_a_painted_mask_is_saved_with_the_rig_and_read_back(arm_file, tmp_path, suffix):
    loaded = load(arm_file())
    out = tmp_path / f"painted{suffix}"
    save(loaded, painted(loaded.rig, PAINTED), out)
    assert list(faults(out)) == []
    again = load(out).rig.meshes[0].primitives
    assert np.array_equal(again[0].compensation, PAINTED)
    assert again[1].compensation is None
    assert np.array_equal(stored(out, attributes(out)[KEY]).ravel(), PAINTED)
    assert attributes(out, 1) == attributes(arm_file(), 1)


def test_a_mask_is_painted_over_and_taken_away(arm_file, tmp_path):
    path = arm_file(**{KEY: lambda doc: doc.accessor(PAINTED[:, None])})
    loaded = load(path)
    over, gone = tmp_path / "over.gltf", tmp_path / "gone.gltf"
    save(loaded, painted(loaded.rig, PAINTED[::-1]), over)
    assert np.array_equal(load(over).rig.meshes[0].primitives[0].compensation, PAINTED[::-1])
    save(loaded, painted(loaded.rig, None), gone)
    assert KEY not in attributes(gone)
    assert load(gone).rig.meshes[0].primitives[0].compensation is None


def test_an_unchanged_mask_is_saved_byte_for_byte(arm_file, tmp_path):
    path = arm_file(**{KEY: lambda doc: doc.accessor(PAINTED[:, None])})
    loaded = load(path)
    out = tmp_path / "copy.gltf"
    save(loaded, painted(loaded.rig, PAINTED.copy()), out)
    assert out.read_bytes() == path.read_bytes()


def test_another_programs_attribute_of_that_name_is_left_alone_and_said(arm_file):
    loaded = load(arm_file(**{KEY: lambda doc: doc.accessor(np.ones((8, 3)))}))
    assert loaded.rig.meshes[0].primitives[0].compensation is None
    assert any(KEY in note and "VEC3" in note for note in loaded.notes)


def test_a_mask_of_another_length_is_refused(arm_file):
    with pytest.raises(LoadError, match="5 values for 8 vertices"):
        load(arm_file(**{KEY: lambda doc: doc.accessor(np.ones((5, 1)))}))


def test_a_mask_that_is_no_number_counts_as_nothing(arm_file):
    values = np.where(np.arange(8) == 3, np.nan, 1.0)
    loaded = load(arm_file(**{KEY: lambda doc: doc.accessor(values[:, None])}))
    mask = loaded.rig.meshes[0].primitives[0].compensation
    assert np.array_equal(mask, np.where(np.arange(8) == 3, 0.0, 1.0))
    assert any(KEY in note for note in loaded.notes)
