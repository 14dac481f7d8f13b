"""``rigview info``: what is inside a file, for people and for programs."""

import shutil

import numpy as np

from rigview.core.deform import Deformer
from rigview.core.pose import sample
from rigview.core.skinning import METHODS, Options
from rigview.io import load

KEYS = {
    "file", "format", "generator", "unit_m", "up", "fps", "extensions", "nodes", "skins", "meshes",
    "clips", "notes",
}  # fmt: skip


def test_json_has_the_keys_and_numbers_of_the_file(rigview, box):
    done = rigview("info", box, "--json")
    assert (done.status, done.err) == (0, "")
    facts, rig = done.json, load(box).rig
    assert set(facts) >= KEYS
    assert facts["file"] == str(box)
    assert (facts["format"], facts["unit_m"], facts["up"], facts["fps"]) == ("glTF", 1.0, "Y", 30.0)
    assert facts["nodes"] == len(rig.nodes)
    primitive = rig.meshes[0].primitives[0]
    assert facts["skins"] == [
        {"name": "Box", "joints": 2, "max_influences": 2, "vertices": len(primitive.positions)}
    ]
    assert facts["meshes"] == [
        {
            "name": "Box",
            "vertices": len(primitive.positions),
            "triangles": len(primitive.triangles),
            "morphs": 0,
        }
    ]
    clip = facts["clips"][0]
    assert set(clip) == {"name", "start_s", "end_s", "channels", "interpolations"}
    assert (clip["name"], clip["interpolations"]) == ("Twist", ["LINEAR"])
    assert (clip["start_s"], clip["end_s"]) == (rig.clips[0].start, rig.clips[0].end)


def test_bounds_hold_the_character_in_every_pose_of_a_clip(rigview, samples):
    path = samples / "biped.glb"
    done = rigview("info", path, "--bounds", "--json")
    assert (done.status, done.err) == (0, "")
    rig = load(path).rig
    boxes = done.json["bounds"]
    assert [clip["name"] for clip in boxes["clips"]] == list(rig.clip_names)
    deformer = Deformer(rig)
    for stated, clip in zip(boxes["clips"], rig.clips, strict=True):
        low, high = np.array(stated["box"])
        for time in np.linspace(clip.start, clip.end, 7):
            shapes = deformer.skin_all(
                deformer.frame(sample(rig, clip, time)), METHODS["lbs"], Options()
            )
            for shape in shapes:
                # Between two of the poses that are looked at it may go a little further.
                assert (shape.positions >= low - 0.05).all()
                assert (shape.positions <= high + 0.05).all()
        assert stated["apart_m"] == 0.0
    text = rigview("info", path, "--bounds").out
    assert "box of the bind pose: x " in text
    assert "outside that of the bind pose" not in text


def test_text_says_the_same_to_people(rigview, box):
    done = rigview("info", box)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == str(box)
    for words in ("2 joints", "870 vertices", "clip Twist", "up to 2 influences"):
        assert words in done.out


def test_a_rig_without_mesh_is_described(rigview, skeleton):
    facts = rigview("info", skeleton, "--json").json
    assert facts["meshes"] == []
    assert facts["skins"] == [{"name": "", "joints": 2, "max_influences": 0, "vertices": 0}]


def test_a_clip_ends_with_what_it_has(rigview, tmp_path, box):
    assert rigview("info", box).out.endswith(" s, 1 channel, linear\n")
    still = tmp_path / "still.gltf"
    still.write_text(
        '{"asset": {"version": "2.0"}, "animations": [{"channels": [], "samplers": []}]}'
    )
    clip = next(
        line for line in rigview("info", still).out.splitlines() if line.startswith("  clip")
    )
    assert clip.endswith(" s, 0 channels")


def test_a_name_with_a_line_break_stays_on_its_line(rigview, box, tmp_path):
    odd = tmp_path / "two\nlines.glb"
    shutil.copy(box, odd)
    text = rigview("info", odd).out
    assert "two\\nlines.glb" in text.splitlines()[0]
    assert rigview("info", odd, "--json").json["file"] == str(odd)
