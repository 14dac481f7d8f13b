"""Repaired copies of Collada whose nodes rest elsewhere or hang on others."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from rigview.check.rig_edits.reparent import reparent
from rigview.io import SaveError, load, save
from rigview.io.reopened import expect_same, with_clip_names

_SCENE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
 <library_nodes><node id="prop" name="prop"><translate>9 9 9</translate></node></library_nodes>
{animations} <library_visual_scenes><visual_scene id="s">
  <node id="root" name="root"><matrix>1 0 0 5 0 0 -1 0 0 1 0 0 0 0 0 1</matrix>
   <node id="arm" name="arm"><translate sid="t">1 2 3</translate><!-- kept -->
    <rotate sid="r">0 0 1 30</rotate><scale>2 2 2</scale>
    <node id="hand" name="hand"><translate>0 4 0</translate></node>
   </node>
  </node>
  <node id="other" name="other"><translate>10 0 0</translate></node>
  <node id="shelf" name="shelf"><translate>0 1 0</translate><instance_node url="#prop"/></node>
 </visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""
_CURVE = """ <library_animations><animation id="a">
  <source id="i"><float_array id="ia" count="2">0 1</float_array><technique_common>
   <accessor source="#ia" count="2"><param type="float"/></accessor></technique_common></source>
  <source id="o"><float_array id="oa" count="2">30 60</float_array><technique_common>
   <accessor source="#oa" count="2"><param type="float"/></accessor></technique_common></source>
  <sampler id="c"><input semantic="INPUT" source="#i"/><input semantic="OUTPUT" source="#o"/></sampler>
  <channel source="#c" target="arm/r.ANGLE"/></animation></library_animations>
"""


@pytest.fixture
def scene(tmp_path):
    """Return what opens the scene, with a curve on the arm if wanted."""

    def opened(animations=""):
        path = tmp_path / "scene.dae"
        path.write_text(_SCENE.format(animations=animations))
        return load(path)

    return opened


def hung(rig, node, parent):
    """Return the rig with a node on another parent, and where it was."""
    names = rig.nodes.names
    return reparent(rig, names.index(node), names.index(parent) if parent else -1)


def rested(rig, node, offset):
    """Return the rig with a node resting elsewhere."""
    translations = rig.nodes.translations.copy()
    translations[rig.nodes.names.index(node)] += offset
    return replace(rig, nodes=replace(rig.nodes, translations=translations))


def tree(path):
    """Return node → its parent, as the XML has them."""
    root = ET.parse(path).getroot()
    found = {}
    for outer in root.iter():
        found |= {e.get("name"): outer.get("name") for e in outer if e.tag.endswith("}node")}
    return found


@pytest.mark.parametrize(
    ("node", "parent"),
    [("arm", "other"), ("arm", None), ("other", "arm"), ("hand", "root"), ("root", "other")],
)
def test_a_node_moves_with_all_in_it_to_its_new_parent(node, parent, scene, tmp_path):
    loaded, out = scene(), tmp_path / "copy.dae"
    wanted = hung(loaded.rig, node, parent)
    save(loaded, wanted, out)
    expect_same(wanted, load(out).rig)
    before, after = tree(loaded.path), tree(out)
    assert after.pop(node) == parent
    before.pop(node)
    assert after == before
    assert b"<!-- kept -->" in out.read_bytes()


def test_two_nodes_can_change_places(scene, tmp_path):
    loaded, out = scene(), tmp_path / "copy.dae"
    wanted = hung(hung(loaded.rig, "hand", "root"), "arm", "hand")
    save(loaded, wanted, out)
    expect_same(wanted, load(out).rig)
    assert tree(out)["arm"] == "hand"
    assert tree(out)["hand"] == "root"


def test_a_stack_of_transforms_becomes_one_matrix_where_its_node_rests_elsewhere(scene, tmp_path):
    loaded, out = scene(), tmp_path / "copy.dae"
    wanted = rested(loaded.rig, "arm", [0.5, 0.0, 0.25])
    save(loaded, wanted, out)
    expect_same(wanted, load(out).rig)
    before, after = loaded.path.read_text(), out.read_text()
    start, end = before.index("<translate sid"), before.index("</scale>") + len("</scale>")
    assert after[:start] == before[:start]
    assert after.endswith(before[end:])
    assert after.count("<matrix>") == 2


def test_a_stack_that_a_curve_drives_is_refused_and_nothing_is_written(scene, tmp_path):
    loaded, out = scene(_CURVE), tmp_path / "copy.dae"
    with pytest.raises(SaveError, match="arm would rest otherwise, and curves drive"):
        save(loaded, rested(loaded.rig, "arm", [0.5, 0.0, 0.0]), out)
    assert not out.exists()
    # Its neighbours are free; the clip, which the file does not name, is called as the copy then.
    wanted = rested(loaded.rig, "hand", [0.5, 0.0, 0.0])
    save(loaded, wanted, out)
    expect_same(with_clip_names(wanted, load(out).rig, loaded.path), load(out).rig)
    assert load(out).rig.clip_names == ("copy",)


def test_a_node_that_the_scene_takes_from_a_library_keeps_its_parent(scene, tmp_path):
    loaded = scene()
    with pytest.raises(SaveError, match="prop is a node of a library"):
        save(loaded, hung(loaded.rig, "prop", "other"), tmp_path / "copy.dae")
