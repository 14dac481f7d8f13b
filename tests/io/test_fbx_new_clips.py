"""Clips that an amended FBX file gets: their stacks, their curves, and what is refused."""

from dataclasses import replace
from importlib.util import find_spec

import fbx_arm
import numpy as np
import pytest

from rigview.check.rig_edits.reframe import reframe, rotations, with_node
from rigview.core import quat
from rigview.core.clip import Channel, Clip, Marker
from rigview.core.motion.range_of_motion import with_clip
from rigview.core.placement import scaled
from rigview.core.pose import model_from_nodes, sample
from rigview.core.sampler import Sampler
from rigview.io import SaveError, load, save
from rigview.io.fbx.reader import document

ENCODINGS = {
    "ascii": fbx_arm.text,
    "binary": fbx_arm.binary,
    "wide": lambda: fbx_arm.binary(7500, "blender"),
}
TAKES = b'Takes:  {\n\tCurrent: "Take"\n\tTake: "Take" {\n\t\tFileName: "Take.tak"\n\t}\n}\n'
COUNTS = b'Definitions:  {\n\tCount: 1\n\tObjectType: "AnimationStack" {\n\t\tCount: 1\n\t}\n}\n'


@pytest.fixture(params=ENCODINGS)
def arm(request, tmp_path):
    path = tmp_path / "arm.fbx"
    path.write_bytes(ENCODINGS[request.param]())
    return load(path)


def wave(rig, name="wave"):
    """Return a clip that turns three joints about changing axes and moves one, 30 times a second."""
    times = np.arange(16) / 30.0 + 0.5
    channels = []
    for joint in ("shoulder", "elbow", "tip"):
        axes = np.stack([np.cos(times), 2.0 + 0.0 * times, np.sin(5.0 * times)], axis=1)
        turns = [quat.from_axis_angle(a, t) for a, t in zip(axes, times, strict=True)]
        channels.append(Channel(rig.nodes.names.index(joint), "rotation", Sampler(times, turns)))
    places = rig.nodes.translations[channels[0].node] + np.outer(times, [0.1, 0.0, -0.2])
    channels.append(Channel(channels[0].node, "translation", Sampler(times, places)))
    return Clip(name, tuple(channels))


def waving(rig):
    return with_clip(rig, wave(rig))


def furthest(a, b, number):
    """Return how far nodes of two rigs are from each other at most, at many times of a clip."""
    times = np.linspace(0.0, 1.2, 211)
    frames = (model_from_nodes(rig, sample(rig, rig.clips[number], times)) for rig in (a, b))
    first, second = frames
    return np.abs(first - second).max()


def objects(path):
    return list(document(path).root().child("Objects").children)


def test_a_further_clip_is_read_as_it_was_and_the_others_stay(arm, tmp_path):
    wanted, out = waving(arm.rig), tmp_path / "out.fbx"
    (note,) = save(arm, wanted, out)
    assert note.startswith("the clip wave is added with 64 keys for 64, at most ")
    copy = load(out).rig
    assert copy.clip_names == ("Take", "wave")
    assert furthest(wanted, copy, 0) < 1e-6
    assert furthest(wanted, copy, 1) < 1e-5
    names = [node.name for node in objects(out)]
    assert names[: len(objects(arm.path))] == [node.name for node in objects(arm.path)]
    added = names[len(objects(arm.path)) :]
    kinds = {
        "AnimationStack": 1,
        "AnimationLayer": 1,
        "AnimationCurveNode": 4,
        "AnimationCurve": 12,
    }
    assert {name: added.count(name) for name in added} == kinds
    loaded, again = load(out), tmp_path / "again.fbx"
    assert save(loaded, loaded.rig, again) == ()
    assert again.read_bytes() == out.read_bytes()


def test_the_new_stack_states_its_span_and_stands_among_the_takes(tmp_path):
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    path.write_bytes(fbx_arm.text().replace(b"Objects:", COUNTS + b"Objects:", 1) + TAKES)
    loaded = load(path)
    save(loaded, waving(loaded.rig), out)
    root = document(out).root()
    stack = [node for node in objects(out) if node.name == "AnimationStack"][-1]
    rows = {row.text(): row.value(4) for row in stack.child("Properties70").all("P")}
    ticks = 46186158000
    assert rows["LocalStart"] == rows["ReferenceStart"] == ticks // 2
    assert rows["LocalStop"] == rows["ReferenceStop"] == ticks
    assert [take.text() for take in root.child("Takes").all("Take")] == ["Take", "wave"]
    found = root.child("Definitions")
    stated = {node.text(): node.child("Count").integer() for node in found.all("ObjectType")}
    kinds = {
        "AnimationStack": 2,
        "AnimationLayer": 1,
        "AnimationCurveNode": 4,
        "AnimationCurve": 12,
    }
    assert stated == kinds
    assert found.child("Count").integer() == 19


def test_a_file_without_clips_gets_its_first(tmp_path):
    path, out = tmp_path / "arm.fbx", tmp_path / "out.fbx"
    path.write_bytes(fbx_arm.text().partition(b"AnimationStack")[0] + b"}\n" + _links())
    loaded = load(path)
    assert not loaded.rig.clips
    wanted = waving(loaded.rig)
    save(loaded, wanted, out)
    assert furthest(wanted, load(out).rig, 0) < 1e-5


def _links():
    """Return the connections of the arm without those of its curves."""
    body = fbx_arm.text().partition(b"Connections:")[2]
    lines = [b"Connections:" + line if not n else line for n, line in enumerate(body.splitlines())]
    kept = [line for line in lines if not any(b"%d," % key in line for key in range(500, 560))]
    return b"\n".join(kept)


@pytest.mark.parametrize(
    "change",
    [
        lambda rig: reframe(
            rig, rotations({rig.nodes.names.index("elbow"): quat.from_axis_angle([1, 2, 3], 0.9)})
        ),
        lambda rig: scaled(rig, 2.5),
    ],
)
def test_fixes_of_frames_and_size_are_saved_with_a_further_clip(arm, tmp_path, change):
    wanted, out = waving(change(arm.rig)), tmp_path / "out.fbx"
    save(arm, wanted, out)
    copy = load(out).rig
    assert furthest(wanted, copy, 0) < 1e-5
    assert furthest(wanted, copy, 1) < 1e-5


def moved_shapes(rig):
    node = rig.nodes.names.index("sleeve")
    own = Channel(node, "weights", Sampler(np.array([0.0]), np.zeros((1, 1))))
    return with_clip(rig, Clip("shapes", (own,)))


def marked(rig):
    return with_clip(rig, replace(wave(rig), markers=(Marker(0.5, "hit"),)))


def without_clips(rig):
    return replace(rig, clips=())


def clip_first(rig):
    return replace(rig, clips=(wave(rig), *rig.clips))


def on_a_new_node(rig):
    rig, node = with_node(rig, "extra", rig.nodes.names.index("tip"), np.eye(4))
    own = Channel(node, "rotation", Sampler(np.array([0.0]), np.array([[0.0, 0.0, 0.6, 0.8]])))
    return with_clip(rig, Clip("extra", (own,)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (moved_shapes, "the clip shapes moves shapes"),
        (marked, "the markers of the clip wave cannot be written"),
        (without_clips, "cannot be taken out"),
        (clip_first, "put in another order"),
        (on_a_new_node, "extra is a new node"),
    ],
)
def test_what_a_further_clip_cannot_have_is_refused_by_name(arm, tmp_path, change, words):
    out = tmp_path / "out.fbx"
    with pytest.raises(SaveError, match=words):
        save(arm, change(arm.rig), out)
    assert not out.exists()


# Shares of a clip at which `ufbx_reads` asks for the nodes.
SHARES = np.array([0.0, 0.13, 0.5, 0.77, 1.0])


def seen_by_ufbx(path, names, folder):
    """Return ``(S, n, 3)`` places of nodes in the last clip as ufbx has them: axes and unit of the file."""
    from ufbx_skins import reads

    found = reads(path, folder)
    rows = [found["names"].tolist().index(name) for name in names]
    return found["nodes"][-len(SHARES) :, rows, :, 3]


@pytest.mark.skipif(find_spec("ufbx") is None, reason="ufbx is not installed")
def test_ufbx_reads_the_same_motion(arm, tmp_path):
    wanted, out = waving(arm.rig), tmp_path / "out.fbx"
    save(arm, wanted, out)
    ours = model_from_nodes(wanted, sample(wanted, wanted.clips[-1], 0.5 + 0.5 * SHARES))
    names = ("shoulder", "elbow", "hand", "tip")
    theirs = seen_by_ufbx(out, names, tmp_path)
    # The file has Z up, in centimetres.
    file_from_ours = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) * 100.0
    joints = [wanted.nodes.names.index(name) for name in names]
    np.testing.assert_allclose(theirs, ours[:, joints, :3, 3] @ file_from_ours.T, atol=2e-3)


def turning(rig, most=40):
    """Return a clip that turns joints, each about other axes."""
    times = np.arange(12) / 30.0 + 0.5
    channels = []
    for joint in rig.joints[:most]:
        axes = np.stack([np.cos(times + joint), 2.0 + 0.0 * times, np.sin(5.0 * times)], axis=1)
        turns = [quat.from_axis_angle(a, 0.8 * t) for a, t in zip(axes, times, strict=True)]
        rest = np.broadcast_to(rig.nodes.rotations[joint], (len(times), 4))
        channels.append(
            Channel(joint, "rotation", Sampler(times, quat.multiply(rest, np.array(turns))))
        )
    return with_clip(rig, Clip("turning", tuple(channels)))


# Binary and ASCII; 7.4, 7.5 and 7.7; three clips, one and none; of Maya, Blender and 3ds Max.
RIGS = (
    "ufbx+ufbx/data/maya_game_sausage_7500_ascii_combined.fbx",
    "ufbx+ufbx/data/blender_293_barbarian_7400_binary.fbx",
    "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx",
    "guillaumeblanc+ozz-animation/media/fbx/pab/arnaud.fbx",
    "VAST-AI-Research+UniRig/examples/skeleton/bird.fbx",
    "assimp+assimp/test/models/FBX/huesitos.fbx",
)


@pytest.mark.corpus
@pytest.mark.thorough(keep=2)
@pytest.mark.skipif(find_spec("ufbx") is None, reason="ufbx is not installed")
@pytest.mark.parametrize("name", RIGS)
def test_ufbx_reads_a_further_clip_of_a_real_rig(corpus, tmp_path, name):
    loaded, out = load(corpus / "rigs" / name), tmp_path / "out.fbx"
    wanted = turning(loaded.rig)
    save(loaded, wanted, out)
    all_names = wanted.nodes.names
    joints = [j for j in wanted.joints if all_names.count(all_names[j]) == 1]
    theirs = seen_by_ufbx(out, [all_names[j] for j in joints], tmp_path)
    times = 0.5 + 11.0 / 30.0 * SHARES
    ours = model_from_nodes(wanted, sample(wanted, wanted.clips[-1], times))[:, joints, :3, 3]
    # Distances between joints are the same in all axes.
    far, their_far = (
        np.linalg.norm(places[:, :, None] - places[:, None], axis=-1) for places in (ours, theirs)
    )
    unit = far.sum() / their_far.sum()
    assert np.abs(far - unit * their_far).max() < 1e-6 * far.max()
