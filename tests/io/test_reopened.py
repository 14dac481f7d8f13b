"""The comparison of a copy, opened again, with the rig that it was to hold."""

from dataclasses import replace

import numpy as np
import pytest
from rigs import Recipe, make, with_influences, with_nodes, with_row

from rigview.core import quat
from rigview.core.mesh import Influences
from rigview.core.nodes import Nodes
from rigview.core.rig import Skin
from rigview.io import LoadError, SaveError
from rigview.io.original import Original, own
from rigview.io.reopened import expect_same, write_proved


@pytest.fixture(scope="module")
def rig():
    return make(Recipe(3, joints=6, clips=2, mesh_transform=True))


def shuffled(rig):
    """Return the rig with its nodes, the joints of its skin and the influences in another order."""
    rng = np.random.default_rng(7)
    nodes = rig.nodes
    order = rng.permutation(len(nodes))
    to = np.argsort(order)
    new = Nodes(
        tuple(nodes.names[n] for n in order),
        tuple(tuple(int(to[c]) for c in nodes.children[n]) for n in order),
        nodes.translations[order],
        -nodes.rotations[order],
        nodes.scales[order],
    )
    skin = rig.skins[0]
    slots = rng.permutation(len(skin.joints))
    skin = Skin(
        skin.name, tuple(int(to[skin.joints[s]]) for s in slots), skin.joint_from_mesh[slots]
    )
    clips = tuple(
        replace(clip, channels=tuple(replace(c, node=int(to[c.node])) for c in clip.channels))
        for clip in rig.clips
    )
    result = replace(
        rig,
        nodes=new,
        node_meshes=tuple(rig.node_meshes[n] for n in order),
        node_skins=tuple(rig.node_skins[n] for n in order),
        roots=tuple(int(to[n]) for n in rig.roots),
        skins=(skin,),
        clips=clips,
    )
    primitive = rig.meshes[0].primitives[0]
    joints = np.argsort(slots)[primitive.influences.joints[:, ::-1]]
    influences = Influences(joints, primitive.influences.weights[:, ::-1])
    return result.with_primitive(0, 0, replace(primitive, influences=influences))


def renamed(rig):
    return with_nodes(rig, names=("other", *rig.nodes.names[1:]))


def moved(rig):
    return with_nodes(rig, translations=rig.nodes.translations + 1e-4)


def half_turned(rig):
    """Return the rig with a joint whose rotation and scale are written otherwise, its matrix the same."""
    rotations, scales = rig.nodes.rotations.copy(), rig.nodes.scales.copy()
    joint = rig.joints[1]
    rotations[joint] = quat.multiply(rotations[joint], np.array([0.0, 0.0, 1.0, 0.0]))
    scales[joint] *= [-1.0, -1.0, 1.0]
    return with_nodes(rig, rotations=rotations, scales=scales)


def rehung(rig):
    parent, child = rig.joints[0], rig.joints[-1]
    children = [tuple(c for c in row if c != child) for row in rig.nodes.children]
    children[parent] = (*children[parent], child)
    return with_nodes(rig, children=tuple(children))


def bound_elsewhere(rig):
    skin = rig.skins[0]
    binds = skin.joint_from_mesh.copy()
    binds[-1, 0, 3] += 1e-3
    return rig.with_skin(0, replace(skin, inverse_binds=binds))


def weighted(rig):
    weights = rig.meshes[0].primitives[0].influences.weights
    return with_influences(rig, weights=with_row(weights, 0, weights[0] * 0.99))


def unkeyed(rig):
    return replace(rig, clips=(rig.clips[0], replace(rig.clips[1], channels=())))


def faster(rig):
    clip = rig.clips[0]
    channels = tuple(
        replace(c, sampler=replace(c.sampler, times=c.sampler.times * 0.9)) for c in clip.channels
    )
    return replace(rig, clips=(replace(clip, channels=channels), *rig.clips[1:]))


def reshaped(rig):
    primitive = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(primitive, positions=primitive.positions * 1.001))


def relit(rig):
    primitive = rig.meshes[0].primitives[0]
    return rig.with_primitive(0, 0, replace(primitive, normals=-primitive.shading_normals))


def test_orders_of_nodes_joints_and_influences_are_no_difference(rig):
    expect_same(rig, rig)
    expect_same(rig, shuffled(rig))
    expect_same(shuffled(rig), rig)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (renamed, "is named"),
        (moved, "rests off by"),
        (rehung, "another parent"),
        (bound_elsewhere, "is bound off by"),
        (weighted, "a weight is off by"),
        (unkeyed, "in the clip Clip 1"),
        (faster, "in the clip Clip 0"),
        (reshaped, "a vertex is off by"),
        (relit, "normal"),
        (lambda rig: replace(rig, clips=rig.clips[:1]), "its clips are"),
        (lambda rig: replace(rig, node_skins=(None,) * len(rig.nodes)), "the skin of"),
    ],
)
def test_a_difference_is_named_from_both_sides(rig, change, words):
    for pair in ((rig, change(rig)), (change(rig), rig)):
        with pytest.raises(SaveError, match=words):
            expect_same(*pair)


def test_a_negative_scale_that_a_fix_took_away_must_be_gone(rig):
    with pytest.raises(SaveError, match="keeps its negative scale"):
        expect_same(rig, half_turned(rig))
    expect_same(half_turned(rig), rig)


def test_a_quaternion_and_its_negative_are_one(rig):
    turned = with_nodes(rig, rotations=quat.multiply(rig.nodes.rotations, -np.array(quat.IDENTITY)))
    expect_same(rig, turned)


def test_a_copy_that_is_another_rig_replaces_nothing(rig, tmp_path):
    out = tmp_path / "copy.any"
    out.write_bytes(b"old")

    def unread(path):
        raise LoadError(path, "byte 3", "it is damaged")

    for load, words in ((lambda _: moved(rig), "rests off"), (unread, "byte 3: it is damaged")):
        with pytest.raises(SaveError, match=words):
            write_proved({out: b"new"}, out, rig, load)
    assert out.read_bytes() == b"old"
    write_proved({out: b"new"}, out, rig, lambda path: rig if path.read_bytes() == b"new" else None)
    assert out.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [out]


def test_an_original_that_changed_since_is_refused(tmp_path):
    path = tmp_path / "hero.any"
    path.write_bytes(b"one")
    original = Original.of("Any", path, b"one", None)
    assert own(original, "Any").read() == b"one"
    path.write_bytes(b"two")
    with pytest.raises(SaveError, match="has changed since it was opened"):
        original.read()
    path.unlink()
    with pytest.raises(SaveError, match="cannot be read again"):
        original.read()
    for source, name in ((original, "Other"), (None, "Any")):
        with pytest.raises(SaveError, match="only written as an amended copy"):
            own(source, name)
