"""The table of what a copy in a file's own format holds: a change of every part, saved in every format."""

import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import collada_documents as collada
import fbx_arm
import numpy as np
import pytest
import small_files
from rigs import with_influences, with_nodes

from rigview import io
from rigview.check.rig_edits.joint_list import relisted, reorder_joints
from rigview.check.rig_edits.reframe import reframe, rotations, with_node
from rigview.check.rig_edits.reparent import hang
from rigview.core import quat
from rigview.core.placement import scaled
from rigview.io import FORMATS, Listener, SaveError
from rigview.io.amendable import ABSENT, NO, PARTS, YES
from rigview.io.reading import Notes
from rigview.io.reopened import expect_same, with_clip_names
from rigview.io.unwritten import expect_written

SAMPLES = Path(__file__).parents[2] / "samples"
SUFFIX = {"glTF": ".glb", "FBX": ".fbx", "USD": ".usda", "Collada": ".dae", "BVH": ".bvh"}
TURN = quat.from_axis_angle([0.0, 1.0, 0.0], 0.7)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return format → a small file of it with a moving skeleton, and a mesh if it can have one."""
    folder = tmp_path_factory.mktemp("amendable")
    paths = {name: folder / f"arm{suffix}" for name, suffix in SUFFIX.items()}
    shutil.copy(SAMPLES / "arm.glb", paths["glTF"])
    paths["FBX"].write_bytes(fbx_arm.text())
    paths["USD"].write_text(small_files.USD_ARM)
    curve = collada.sampler("k", [0, 1], [0, 90]), '<channel source="#k" target="a/r.ANGLE"/>'
    paths["Collada"].write_text(collada.animated(*curve))
    paths["BVH"].write_bytes(small_files.BVH.encode())
    return paths


def primitive(rig):
    return rig.meshes[0].primitives[0]


def with_primitive(rig, **changes):
    return rig.with_primitive(0, 0, replace(primitive(rig), **changes))


def joints(rig):
    return rig.joints or tuple(range(len(rig.nodes)))


def moved_joints(rig):
    return {channel.node for clip in rig.clips for channel in clip.channels}


def other_joint(rig):
    """Let a vertex of one joint follow the next one."""
    influences = primitive(rig).influences
    vertex = int(np.flatnonzero((influences.weights > 0.0).sum(axis=1) == 1)[0])
    slots, used = influences.joints.copy(), int(np.argmax(influences.weights[vertex]))
    slots[vertex, used] = (slots[vertex, used] + 1) % len(rig.skins[0].joints)
    return with_influences(rig, slots)


def bound_elsewhere(rig):
    binds = rig.skins[0].joint_from_mesh.copy()
    binds[1, :3, 3] += [0.1, 0.0, 0.2]
    return rig.with_skin(0, replace(rig.skins[0], inverse_binds=binds))


def turned(rig, *, still):
    found = [j for j in joints(rig) if (j in moved_joints(rig)) != still]
    return reframe(rig, rotations({found[-1]: TURN}))


def turned_still(rig):
    return turned(rig, still=True)


def turned_moving(rig):
    return turned(rig, still=False)


def rested(rig):
    translations = rig.nodes.translations.copy()
    translations[joints(rig)[-1]] += [0.01, 0.02, 0.0]
    return with_nodes(rig, translations=translations)


def rest_turned(rig):
    turns = rig.nodes.rotations.copy()
    turns[joints(rig)[-1]] = quat.multiply(turns[joints(rig)[-1]], TURN)
    return with_nodes(rig, rotations=turns)


def enlarged(rig):
    return scaled(rig, 100.0)


def moved_points(rig):
    return with_primitive(rig, positions=primitive(rig).positions + 0.001)


def turned_faces(rig):
    return with_primitive(rig, triangles=primitive(rig).triangles[:, ::-1].copy())


def reordered(rig):
    return reorder_joints(rig, 0, [*range(len(rig.skins[0].joints))][::-1])


def unlisted(rig):
    """Take the last joint off the skin."""
    last = len(rig.skins[0].joints) - 1
    slots = primitive(rig).influences.joints
    return relisted(with_influences(rig, np.where(slots == last, 0, slots)), 0, [*range(last)])


def hung(rig):
    """Hang the last joint, as it is, on the first one."""
    return hang(rig, joints(rig)[-1], joints(rig)[0])


def root_hung(rig):
    """Hang a joint that moves on a node that is not above it."""
    held = with_node(rig, "other", -1, np.eye(4))[0] if len(rig.roots) < 2 else rig
    return hang(held, min(moved_joints(rig)), held.roots[-1])


def extended(rig):
    return with_node(rig, "extra", joints(rig)[0], np.eye(4))[0]


def renamed(rig):
    names = [*rig.nodes.names]
    names[joints(rig)[0]] = "Pelvis"
    return with_nodes(rig, names=tuple(names))


def resampled(rig, change):
    clip = rig.clips[0]
    channels = list(clip.channels)
    channels[0] = replace(channels[0], sampler=change(channels[0].sampler))
    return replace(rig, clips=(replace(clip, channels=tuple(channels)), *rig.clips[1:]))


def other_keys(rig):
    def change(sampler):
        values = sampler.values.copy()
        values[-1] = (values[-1] + values[0]) / 2.0
        if values.shape[-1] == 4:
            values[-1] /= np.linalg.norm(values[-1])
        return replace(sampler, values=values)

    return resampled(rig, change)


def fewer_keys(rig):
    return resampled(rig, lambda s: replace(s, times=s.times[::2], values=s.values[::2]))


def further_clip(rig):
    return replace(rig, clips=(*rig.clips, replace(rig.clips[0], name="More")))


def masked(rig):
    return with_primitive(rig, compensation=np.linspace(0.0, 1.0, len(primitive(rig).positions)))


def shared(rig):
    return with_primitive(rig, dqs_weights=np.linspace(0.0, 1.0, len(primitive(rig).positions)))


def by_dqs(rig):
    return with_primitive(rig, method="dqs")


def save_usd(loaded, rig, out):
    """Save as `io.save` does, in this process: a child for each of the many cases takes seconds."""
    from rigview.io.usd.amend.layer import amended
    from rigview.io.usd.reader import open_rig

    expect_written(loaded.rig, rig, "a layer of USD")
    stage = amended(open_rig(loaded.path, Listener(), Notes()), rig)
    layer = stage.GetRootLayer()
    layer.subLayerPaths[0] = f"./{loaded.path.name}"
    layer.Export(str(out))


def load_usd(path):
    from rigview.io.usd.reader import open_rig

    return open_rig(path, Listener(), Notes())


IN_PROCESS = save_usd, load_usd
# Part → changes of it.
CHANGES = {
    "weights": [other_joint],
    "binds": [bound_elsewhere],
    "axes": [turned_still, turned_moving],
    "rest": [rested, rest_turned],
    "size": [enlarged],
    "points": [moved_points],
    "faces": [turned_faces],
    "joints": [reordered, unlisted],
    "parents": [hung, root_hung],
    "new nodes": [extended],
    "names": [renamed],
    "keys": [other_keys],
    "fewer keys": [fewer_keys],
    "clips": [further_clip],
    "masks": [masked, shared, by_dqs],
}
# Where the table says in words what of a part is written: the changes that are.
WRITTEN = {
    ("axes", "FBX"): {turned_moving},
    ("axes", "Collada"): {turned_still},
    ("rest", "BVH"): {rested},
    ("size", "FBX"): {enlarged},
    ("size", "USD"): {enlarged},
    ("size", "Collada"): {enlarged},
    ("parents", "USD"): {hung},
    ("parents", "Collada"): {hung},
    ("keys", "FBX"): {other_keys},
    ("fewer keys", "FBX"): {fewer_keys},
    ("clips", "FBX"): {further_clip},
}
# What a small file has none of: joints that rest in a clip, curves as rigview reads them.
WITHOUT = {(turned_still, "FBX")}


def test_every_format_of_the_table_is_one():
    for part in PARTS.values():
        assert set(part.formats) == {row.name for row in FORMATS}


@pytest.mark.parametrize("name", SUFFIX)
@pytest.mark.parametrize(
    ("part", "change"), [(part, change) for part, all_ in CHANGES.items() for change in all_]
)
def test_a_copy_holds_what_the_table_says(part, change, name, files, tmp_path):
    stated = PARTS[part].formats[name]
    if (change, name) in WITHOUT:
        pytest.skip("the small file has no such joint")
    if name == "USD" and find_spec("pxr") is None:
        pytest.skip("needs rigview[usd]")
    loaded = io.load(files[name])
    if stated == ABSENT:
        assert not loaded.rig.meshes
        return
    wanted, out = change(loaded.rig), tmp_path / f"copy{SUFFIX[name]}"
    save, load = io.save, io.load
    if name == "USD":
        (save, load), out = IN_PROCESS, files[name].with_name(f"{change.__name__}.usda")
    if stated == YES or change in WRITTEN.get((part, name), ()):
        save(loaded, wanted, out)
        copy = load(out).rig
        expect_same(wanted, with_clip_names(copy, wanted, out))
        return
    assert stated == NO or (part, name) in WRITTEN
    with pytest.raises(SaveError):
        save(loaded, wanted, out)
    assert not out.exists()
