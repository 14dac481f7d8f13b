"""What a document says beside the rig follows a change of the hierarchy, and nothing else of it does."""

from dataclasses import replace

import pytest
from documents import arm, contents

from rigview.check.rules.tree import add_root
from rigview.io import load, save


def two_trees(**members):
    """Return a document whose foot hangs at the top, beside the hip."""
    doc = arm()
    doc.json["nodes"][1].pop("children")
    doc.json["scenes"] = [{"nodes": [0, 2, 3]}]
    doc.json |= members
    return doc


def saved(doc, tmp_path, change):
    """Return the document of a changed copy."""
    loaded = load(doc.save(tmp_path / "arm.gltf"))
    save(loaded, change(loaded.rig), tmp_path / "copy.gltf")
    return contents(tmp_path / "copy.gltf")[0]


@pytest.mark.parametrize(("stated", "left"), [(0, None), (3, 3)])
def test_a_skeleton_node_that_stops_to_be_above_all_joints_is_left_out(stated, left, tmp_path):
    doc = arm()
    doc.json["skins"][0]["skeleton"] = stated

    def cut(rig):
        children = ((1,), (), *rig.nodes.children[2:])
        return replace(rig, nodes=replace(rig.nodes, children=children), roots=(*rig.roots, 2))

    assert saved(doc, tmp_path, cut)["skins"][0].get("skeleton") == left


def test_another_scene_shows_the_new_root_of_what_it_showed(tmp_path):
    scenes = [{"nodes": [0, 2, 3]}, {"nodes": [2, 0], "name": "b"}, {"nodes": [1, "?"]}, None, {}]
    doc = two_trees(scenes=scenes)
    copy = saved(doc, tmp_path, lambda rig: add_root(rig, 0))
    assert copy["scenes"] == [
        {"nodes": [4]}, {"nodes": [4], "name": "b"}, {"nodes": [1, "?"]}, None, {},
    ]  # fmt: skip
    assert copy["nodes"][4]["children"] == [0, 2, 3]


def test_scenes_stay_as_they_are_where_nothing_is_hung_elsewhere(tmp_path):
    scenes = [{"nodes": [0, 2, 3]}, {"nodes": [2, 2]}]

    def renamed(rig):
        return replace(rig, nodes=replace(rig.nodes, names=("A", *rig.nodes.names[1:])))

    assert saved(two_trees(scenes=scenes), tmp_path, renamed)["scenes"] == scenes
