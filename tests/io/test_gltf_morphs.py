"""Morph targets of glTF: looked through when a file is opened, made when they are first asked for."""

import numpy as np
import pytest

from rigview.core.numeric.lazy import LazyArray
from rigview.io import LoadError, load, save
from tests.io.documents import Document

RNG = np.random.default_rng(5)
POINTS = RNG.random((6, 3)).astype("f4")
MOVED = RNG.random((6, 3)).astype("f4")
ROWS, CHANGES = np.array([1, 4]), RNG.random((2, 3)).astype("f4")


def sparse(doc, rows=ROWS, changes=CHANGES, **more):
    """Return what exchanges elements of an accessor."""
    return {
        "count": len(rows),
        "indices": {"bufferView": doc.view(np.array(rows, "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": doc.view(np.array(changes, "<f4").tobytes())},
    } | more


def zeros(doc, **more):
    return doc.number({"componentType": 5126, "count": 6, "type": "VEC3"} | more)


def document(make):
    """Return a mesh whose one target has the accessor that `make` adds as its POSITION."""
    doc = Document(scene=0, scenes=[{"nodes": [0]}], nodes=[{"mesh": 0}])
    attributes = {"POSITION": doc.accessor(POINTS, bounds=True)}
    primitive = {"attributes": attributes, "targets": [{"POSITION": make(doc)}, {}]}
    doc.json["meshes"] = [{"primitives": [primitive]}]
    return doc


def changed(base):
    result = np.array(base, dtype=np.float64)
    result[ROWS] = CHANGES
    return result


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda doc: doc.accessor(MOVED), MOVED),
        (lambda doc: doc.accessor(MOVED, sparse=sparse(doc)), changed(MOVED)),
        (lambda doc: zeros(doc, sparse=sparse(doc)), changed(np.zeros((6, 3)))),
        (zeros, np.zeros((6, 3))),
        (
            lambda doc: doc.accessor(
                np.full((6, 3), -128), "i1", normalized=True, sparse=sparse_bytes(doc)
            ),
            [[-1, -1, -1], [1, 0, -1], *[[-1, -1, -1]] * 4],
        ),
    ],
    ids=["plain", "sparse", "sparse over nothing", "nothing", "normalised"],
)
def test_targets_are_made_when_they_are_first_asked_for(make, wanted, tmp_path):
    loaded = load(document(make).save_glb(tmp_path / "morphs.glb"))
    morphs = loaded.rig.meshes[0].primitives[0].morphs
    stated = vars(morphs)["positions"]
    assert isinstance(stated, LazyArray)
    assert morphs.shape == (2, 6, 3)
    assert not stated.is_made
    np.testing.assert_array_equal(morphs.positions, [wanted, np.zeros((6, 3))])
    assert stated.is_made


def sparse_bytes(doc):
    values = {"bufferView": doc.view(np.array([[127, 0, -127]], "i1").tobytes())}
    return sparse(doc, [1], [[0, 0, 0]], values=values)


DAMAGED = {
    "a displacement that is no number": (
        lambda doc: doc.accessor(np.where(np.arange(18).reshape(6, 3) == 4, np.nan, MOVED)),
        "1 vertices are not finite, the first is vertex 1",
    ),
    "an exchanged one that is infinite": (
        lambda doc: zeros(doc, sparse=sparse(doc, changes=[[0, 0, 0], [0, np.inf, 0]])),
        "1 vertices are not finite, the first is vertex 4",
    ),
    "too few": (lambda doc: doc.accessor(MOVED[:5]), "5 values for 6 vertices"),
    "numbers of another kind": (
        lambda doc: doc.accessor(MOVED[:, :2]),
        "accessor 1 is VEC2, not VEC3",
    ),
    "more than the view has": (
        lambda doc: doc.accessor(MOVED, byteOffset=8),
        "it ends 8 bytes after bufferView 1",
    ),
    "an exchanged one that is not there": (
        lambda doc: zeros(doc, sparse=sparse(doc, rows=[1, 6])),
        "element 6 does not exist: there are 6",
    ),
    "exchanged ones beyond the view": (
        lambda doc: zeros(doc, sparse=sparse(doc, changes=CHANGES[:1])),
        "it ends 12 bytes after bufferView",
    ),
    "exchanged ones of a view that is not there": (
        lambda doc: zeros(doc, sparse=sparse(doc, values={"bufferView": 9})),
        "bufferView 9 does not exist",
    ),
    "more exchanged ones than there are": (
        lambda doc: zeros(doc, sparse=sparse(doc, count=7)),
        "wanted 1 to 6, found 7",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_wrong_with_a_target_is_found_when_the_file_is_opened(name, tmp_path):
    make, reason = DAMAGED[name]
    with pytest.raises(LoadError, match=reason):
        load(document(make).save_glb(tmp_path / "damaged.glb"))


def test_huge_displacements_are_finite_all_the_same(tmp_path):
    huge = np.where(np.arange(18).reshape(6, 3) == 4, 3e38, MOVED).astype("f4")
    rig = load(document(lambda doc: doc.accessor(huge)).save_glb(tmp_path / "huge.glb")).rig
    np.testing.assert_array_equal(rig.meshes[0].primitives[0].morphs.positions[0], huge)


def test_a_copy_does_not_make_targets_that_nothing_changed(tmp_path):
    path = document(lambda doc: doc.accessor(MOVED)).save_glb(tmp_path / "morphs.glb")
    loaded = load(path)
    save(loaded, loaded.rig, tmp_path / "copy.glb")
    assert (tmp_path / "copy.glb").read_bytes() == path.read_bytes()
    assert not vars(loaded.rig.meshes[0].primitives[0].morphs)["positions"].is_made
