"""Arrays that are made when they are first asked for."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from rigview.core.mesh import MorphTargets, Primitive
from rigview.core.numeric.lazy import LazyArray, LazyArrays


def counted(shape, made):
    def make():
        made.append(shape)
        return np.arange(np.prod(shape), dtype=np.float64).reshape(shape)

    return LazyArray(shape, make)


def primitive(morphs=None, **more):
    none = np.zeros(0, dtype=np.int64)
    shapes = none.reshape(0, 3), none.reshape(0, 2), none
    return Primitive(np.zeros((4, 3)), *shapes, morphs=morphs, **more)


def test_an_array_is_made_once_whoever_asks_first_and_nobody_writes_to_it():
    made = []
    morphs = MorphTargets(counted((2, 4, 3), made))
    with ThreadPoolExecutor(4) as pool:
        arrays = list(pool.map(lambda _: morphs.positions, range(4)))
    assert made == [(2, 4, 3)]
    assert all(array is arrays[0] for array in arrays)
    assert not arrays[0].flags.writeable
    assert arrays[0][1, 0].tolist() == [12.0, 13.0, 14.0]


def test_shapes_are_known_and_checked_before_anything_is_made():
    made = []
    morphs = MorphTargets(counted((2, 4, 3), made), counted((2, 4, 3), made), names=("a", "b"))
    assert (morphs.shape, morphs.count) == ((2, 4, 3), 2)
    assert primitive(morphs).morphs is morphs
    with pytest.raises(ValueError, match=r"morphs: wanted 4, got 5 vertices"):
        primitive(MorphTargets(counted((2, 5, 3), made)))
    with pytest.raises(ValueError, match=r"normals: wanted shape \(2, 4, 3\), got \(1, 4, 3\)"):
        replace(morphs, normals=counted((1, 4, 3), made))
    with pytest.raises(ValueError, match=r"positions: wanted shape \(any, any, 3\), got \(4, 3\)"):
        MorphTargets(counted((4, 3), made))
    # `replace` read the positions.
    assert made == [(2, 4, 3)]


def test_what_is_prepared_is_made_already():
    made = []
    morphs = MorphTargets(counted((2, 4, 3), made), tangents=counted((2, 4, 3), made))
    morphs.prepare()
    assert len(made) == 2
    assert morphs.normals is None
    assert morphs.tangents.shape == (2, 4, 3)
    assert len(made) == 2


def test_what_is_not_given_is_none_and_positions_must_be():
    morphs = MorphTargets(np.zeros((1, 4, 3)))
    assert (morphs.normals, morphs.tangents, morphs.names) == (None, None, ())
    with pytest.raises(TypeError, match="positions"):
        MorphTargets()
    with pytest.raises(AttributeError):
        morphs.positions = np.ones((1, 4, 3))


def test_what_is_not_made_yet_is_sent_to_another_process_as_it_will_be():
    morphs = MorphTargets(LazyArray((1, 4, 3), partial(np.ones, (1, 4, 3))))
    there = pickle.loads(pickle.dumps(morphs))
    np.testing.assert_array_equal(there.positions, morphs.positions)


def test_what_shading_reads_is_made_one_at_a_time_and_its_shapes_are_checked_before():
    made = []
    first, second = counted((4, 2), made), np.ones((4, 2))
    uvs = LazyArrays({0: first, 3: second})
    shaded = primitive(normals=counted((4, 3), made), uvs=uvs)
    assert (list(shaded.uvs), len(shaded.uvs), shaded.uvs.get(1)) == ([0, 3], 2, None)
    assert not shaded.uvs[3].flags.writeable
    assert made == []
    assert shaded.uvs[0] is shaded.uvs[0]
    assert made == [(4, 2)]
    assert replace(shaded, material=1).uvs[0] is shaded.uvs[0]
    with pytest.raises(ValueError, match=r"uvs\[0\]: wanted shape \(4, 2\), got \(5, 2\)"):
        primitive(uvs=LazyArrays({0: counted((5, 2), made)}))
    with pytest.raises(ValueError, match=r"normals: wanted shape \(4, 3\), got \(3, 3\)"):
        primitive(normals=counted((3, 3), made))
