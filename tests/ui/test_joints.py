"""The joint tree: search, badges, selection both ways; and which meshes are shown."""

from dataclasses import replace

import numpy as np
import pytest
from glb import joined, parts
from hands import click, focus, idle, pixels, press_key, shown_labels, write_text
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QApplication, QMenu

from rigview.assets import rgb, theme
from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS
from rigview.ui.panels import joint_tree
from rigview.ui.widgets.controls import Tick
from rigview.ui.widgets.names import elision, fitted_name

JOINTS = {"upperarm", "lowerarm", "hand"}
JOINTS |= {f"{arm}_twist_0{i}" for arm in ("upperarm", "lowerarm") for i in (1, 2)}
JOINTS |= {
    f"{finger}_0{i}" for finger in ("thumb", "index", "middle", "ring", "pinky") for i in (1, 2, 3)
}


def shown(hands):
    """Return the names that the tree lists and does not hide."""
    tree = hands.bench.tree
    names = hands.rig.nodes.names
    return {names[n] for n in range(len(names)) if tree.item(n) and not tree.item(n).isHidden()}


def test_the_tree_lists_every_joint_below_its_parent(arm):
    tree, nodes = arm.bench.tree, arm.rig.nodes
    assert set(nodes.names) - JOINTS == {"Arm"}
    assert shown(arm) == JOINTS
    for node in arm.rig.joints:
        parent, above = nodes.parents[node], tree.item(node).parent()
        assert above is (tree.item(int(parent)) if parent >= 0 else None)


@pytest.mark.parametrize("pattern", ["rig_namespace:{}", "{}_of_an_armature", "{}"])
def test_names_are_cut_where_most_are_alike(arm, pattern):
    names = [pattern.format(name) for name in arm.rig.nodes.names] + ["root"]
    mode, metrics = elision(names), QFontMetrics(QFont())
    if pattern == "{}":
        assert mode is Qt.TextElideMode.ElideMiddle
        return
    width = max(metrics.horizontalAdvance(f"…{name}") for name in arm.rig.nodes.names) + 2
    cut = [metrics.elidedText(name, mode, width) for name in names]
    assert any(text not in names for text in cut)
    assert len(set(cut)) == len(names)
    assert all(own in text for own, text in zip(arm.rig.nodes.names, cut, strict=False))


def test_a_name_without_room_loses_its_namespace_first(qapp):
    metrics, right = QFontMetricsF(QFont()), Qt.TextElideMode.ElideRight
    room = metrics.horizontalAdvance("LeftForeArm") + 1.0
    assert fitted_name("mixamorig:LeftForeArm", room, metrics) == "LeftForeArm"
    assert fitted_name("LeftForeArm", room, metrics) == "LeftForeArm"
    left = fitted_name("lowerarm.l_of_an_armature", room, metrics, right)
    assert left != fitted_name("lowerarm.r_of_an_armature", room, metrics, right)


def test_the_tree_cuts_its_names_where_they_are_alike(arm):
    names = [f"{name}_of_an_armature" for name in arm.rig.nodes.names]
    nodes = replace(arm.rig.nodes, names=tuple(names))
    arm.document.replace(Deformer(replace(arm.rig, nodes=nodes)), "Rename")
    assert arm.bench.tree.tree.textElideMode() is Qt.TextElideMode.ElideRight


def test_ctrl_f_searches_and_keeps_what_is_above_a_match(arm):
    arm.key("Ctrl+F")
    for letter in "index":
        arm.key(letter)
    index = {"index_01", "index_02", "index_03"}
    assert shown(arm) == index | {"upperarm", "lowerarm", "hand"}
    assert arm.bench.tree.search.text() == "index"


def test_the_arrow_down_enters_the_tree_at_the_first_match(arm):
    arm.key("Ctrl+F")
    for letter in "pinky":
        arm.key(letter)
    arm.key("Down")
    assert QApplication.focusWidget() is arm.bench.tree.tree
    assert arm.state.joint == arm.joint("pinky_01")


def test_escape_empties_the_search(arm):
    arm.key("Ctrl+F")
    arm.key("x")
    arm.key("Escape")
    assert arm.bench.tree.search.text() == ""
    assert shown(arm) == JOINTS


def test_a_search_without_match_says_so(arm):
    write_text(arm.bench.tree.search, "tail")
    assert not arm.bench.tree.tree.isVisible()
    assert arm.bench.tree.nothing.isVisible()


def test_a_click_selects_a_joint(arm):
    arm.click_joint("hand")
    assert arm.state.joint == arm.joint("hand")
    arm.key("Down")
    assert arm.state.joint == arm.joint("thumb_01")


def test_what_is_selected_elsewhere_is_selected_and_seen_in_the_tree(arm):
    arm.bench.state.update(joint=arm.joint("pinky_03"))
    tree = arm.bench.tree.tree
    item = tree.currentItem()
    assert item.text(0) == "pinky_03"
    assert tree.viewport().rect().intersects(tree.visualItemRect(item))


def test_selecting_nothing_empties_the_tree_selection(arm):
    arm.click_joint("hand")
    arm.key("Ctrl+D")
    assert arm.state.joint is None
    assert arm.bench.tree.tree.selectedItems() == []


def test_badges_say_how_many_findings_name_a_joint_and_how_bad_they_are(faulty):
    badges = {faulty.rig.nodes.names[n]: b for n, b in faulty.bench.checker.badges.items()}
    named = {
        faulty.rig.nodes.names[j]
        for f in faulty.bench.checker.report.findings
        if not faulty.bench.checker.report.is_note(f)
        for j in f.joints[:1]
    }
    assert named <= set(badges)
    for name, badge in badges.items():
        row = faulty.bench.tree.row(faulty.joint(name))
        assert row.badge == badge
        assert f"{badge.findings} finding" in row.words
        # The elbow that collapses is worse than axes that are off.
        assert badge.severity == ("warning" if name == "lowerarm" else "info")


def test_bones_off_their_axis_say_by_how_much(faulty):
    off = {
        n: faulty.bench.tree.row(n).off
        for n in range(len(faulty.rig.nodes))
        if faulty.bench.tree.item(n) and faulty.bench.tree.row(n).off is not None
    }
    assert len(off) == 2
    assert max(off.values()) == pytest.approx(34.0, abs=0.1)
    assert "34° off its axis" in faulty.bench.tree.row(max(off, key=off.get)).words


def test_only_joints_with_findings_can_be_listed(faulty):
    click(faulty.bench.tree.only_findings)
    names = faulty.rig.nodes.names
    parents = faulty.rig.nodes.parents
    wanted = set()
    for joint in faulty.bench.checker.badges:
        above = joint
        while above >= 0:
            wanted.add(names[above])
            above = int(parents[above])
    assert shown(faulty) == wanted
    assert wanted < set(names)


def test_a_fix_takes_badges_away(faulty):
    click(faulty.bench.checks.fix_all)
    faulty.rest()
    # What the bend does to the elbow has no exact fix.
    elbow = faulty.joint("lowerarm")
    assert set(faulty.bench.checker.badges) == {elbow}
    nodes = range(len(faulty.rig.nodes))
    listed = [n for n in nodes if faulty.bench.tree.item(n) is not None]
    assert [n for n in listed if faulty.bench.tree.row(n).badge is not None] == [elbow]


def test_the_menu_of_a_joint_frames_it_and_copies_its_name(arm):
    tree = arm.bench.tree
    item = tree.item(arm.joint("index_03"))
    tree.tree.scrollToItem(item)
    before = arm.state.camera
    for entry in ("Frame selected", "Copy the joint's name"):
        tree.tree.customContextMenuRequested.emit(tree.tree.visualItemRect(item).center())
        menu = next(m for m in shown_labels(arm.window, QMenu))
        action = next(a for a in menu.actions() if a.text() == entry)
        click(menu, menu.actionGeometry(action).center())
    assert arm.state.joint == arm.joint("index_03")
    assert arm.state.camera.distance < before.distance
    assert QApplication.clipboard().text() == "index_03"


# --- many joints, and deep ones ------------------------------------------------------------------


@pytest.fixture
def many(hands, samples, monkeypatch):
    """Hands at the arm, of whose joints only seven have rows at once."""
    hands.open(samples / "box.glb")
    monkeypatch.setattr(joint_tree, "MOST_ROWS", 7)
    hands.open(samples / "arm.glb")
    yield hands
    monkeypatch.undo()
    hands.open(samples / "box.glb")


def told(hands):
    rest = hands.bench.tree.rest
    return rest.text().replace("\xa0", " ") if rest.isVisible() else ""


def names_below(item):
    return [item.child(i).text(0) for i in range(item.childCount())]


def test_of_many_joints_those_next_to_the_roots_have_rows_at_first(many):
    nodes = many.rig.nodes
    rows = [n for n in many.bench.tree.nodes if many.bench.tree.item(n)]
    left = [n for n in many.bench.tree.nodes if n not in rows]
    assert len(rows) == 7
    assert max(nodes.depths[rows]) <= min(nodes.depths[left])
    assert told(many) == "7 of 22 rows are listed; search finds the others."


def test_a_joint_without_a_row_gets_one_when_it_is_selected(many):
    many.bench.state.update(joint=many.joint("pinky_03"))
    tree = many.bench.tree
    item = tree.tree.currentItem()
    assert item.text(0) == "pinky_03"
    assert tree.tree.viewport().rect().intersects(tree.tree.visualItemRect(item))
    hand = tree.item(many.joint("hand"))
    below = [many.rig.nodes.names[n] for n in many.rig.nodes.children[many.joint("hand")]]
    # Those beside it are listed, too, in the order of the file.
    assert names_below(hand) == below
    assert told(many) == "14 of 22 rows are listed; search finds the others."


def test_a_row_whose_joints_below_have_none_can_be_unfolded(many):
    tree = many.bench.tree
    nodes = range(len(many.rig.nodes))
    rows = [(n, tree.item(n)) for n in nodes if tree.item(n)]
    node, item = next((n, i) for n, i in rows if many.rig.nodes.children[n] and not i.childCount())
    assert not item.isExpanded()
    tree.tree.setFocus()
    many.bench.state.update(joint=node)
    press_key("Right", tree.tree)
    assert item.isExpanded()
    assert names_below(item) == [many.rig.nodes.names[n] for n in many.rig.nodes.children[node]]


def test_a_search_finds_joints_that_have_no_rows_and_the_selection_comes_back(many):
    many.bench.state.update(joint=many.joint("hand"))
    search = many.bench.tree.search
    write_text(search, "pinky_02")
    above = {"pinky_02", "pinky_01", "hand", "lowerarm", "upperarm"}
    assert shown(many) == above
    assert told(many) == ""
    write_text(search, "0")
    assert told(many) == "7 of 22 rows are listed; a longer search finds the others."
    search.clear()
    assert many.bench.tree.tree.currentItem().text(0) == "hand"


def test_names_of_a_deep_hierarchy_stay_within_the_panel(hands, samples, tmp_path):
    document, binary = parts((samples / "box.glb").read_bytes())
    first = len(document["nodes"])
    document["nodes"] += [{"name": f"tail_{i}", "children": [first + i + 1]} for i in range(60)]
    document["nodes"].append({"name": "tail_60"})
    document["skins"][0]["joints"] += range(first, first + 61)
    document["skins"][0].pop("inverseBindMatrices", None)
    document["scenes"][0]["nodes"].append(first)
    file = tmp_path / "deep.glb"
    file.write_bytes(joined(document, binary))
    hands.open(file)
    tree = hands.bench.tree.tree
    item = hands.bench.tree.item(hands.joint("tail_60"))
    tree.scrollToItem(item)
    idle()
    rows = pixels(tree.viewport().grab())
    row = rows[tree.visualItemRect(item).top() + 3 :][: tree.visualItemRect(item).height() - 6]
    assert (row.max(axis=2) > 150).sum() > 40
    hands.open(samples / "arm.glb")
    assert tree.indentation() == 10


# --- meshes --------------------------------------------------------------------------------------


def drawn(hands):
    """Return how many pixels of the first pane a mesh covers: those that differ without it."""

    def picture():
        # The words in a pane that shows no mesh come from a worker, a moment later.
        idle(0.4)
        hands.rest()
        return hands.picture(0)

    hands.bench.state.update(bones=False, axes=False)
    shown_now = picture()
    hidden = hands.state.hidden
    hands.bench.state.update(hidden=frozenset(p.node for p in hands.rig.parts))
    empty = picture()
    hands.bench.state.update(hidden=hidden, bones=True, axes=True)
    return int((shown_now != empty).any(axis=-1).sum())


def test_h_hides_the_mesh_that_the_joint_moves_and_alt_h_shows_it(arm):
    assert drawn(arm) > 1000
    arm.click_joint("hand")
    arm.key("H")
    assert arm.state.hidden == {0}
    assert drawn(arm) == 0
    arm.key("Alt+H")
    assert arm.state.hidden == frozenset()
    assert drawn(arm) > 1000


def test_ticks_hide_meshes_too(arm):
    meshes = arm.bench.tree.meshes
    click(meshes.unfold)
    (tick,) = shown_labels(meshes, Tick)
    assert tick.isChecked()
    click(tick)
    assert arm.state.hidden == {0}
    arm.key("Alt+H")
    assert tick.isChecked()
    click(meshes.unfold)


@pytest.mark.thorough
def test_sixty_meshes_unfold_within_their_panel_and_can_be_scrolled_to(hands, samples, tmp_path):
    document, binary = parts((samples / "box.glb").read_bytes())
    for number in range(60):
        long = f"Prop_with_a_rather_long_name_for_a_narrow_panel_{number}"
        document["nodes"].append({"name": long, "mesh": 0})
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    file = tmp_path / "many.glb"
    file.write_bytes(joined(document, binary))
    hands.open(file)
    meshes, window = hands.bench.tree.meshes, hands.window
    click(meshes.unfold)
    hands.rest()
    assert hands.bench.tree.tree.height() >= 100
    bottom = meshes.mapTo(window, QPoint(0, meshes.height())).y()
    assert bottom <= hands.bench.timeline.mapTo(window, QPoint(0, 0)).y()
    last = meshes.tick(hands.joint(long))
    assert last.width() < hands.bench.tree.width()
    focus(last)
    press_key("Return", last)
    assert hands.state.hidden == {hands.joint(long)}
    click(meshes.unfold)


def test_the_row_that_the_keys_go_to_has_a_ring(arm):
    tree = arm.bench.tree.tree
    arm.click_joint("hand")
    focus(tree)
    idle()
    held = pixels(tree.viewport().grab())
    arm.focus_panes()
    idle()
    ring = 255 * np.array(rgb(theme()["accent"]))
    differs = (held != pixels(tree.viewport().grab())).any(axis=2)
    assert differs.sum() > 100
    assert (np.abs(held[differs] - ring).max(axis=1) < 60).any()


def test_shift_h_hides_all_meshes_but_the_joint_s(hands, samples, tmp_path):
    document, binary = parts((samples / "arm.glb").read_bytes())
    document["nodes"].append({"name": "Prop", "mesh": 0})
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    file = tmp_path / "two.glb"
    file.write_bytes(joined(document, binary))
    hands.open(file)
    assert len(hands.rig.parts) == 2
    hands.click_joint("hand")
    hands.key("Shift+H")
    assert hands.state.hidden == {hands.joint("Prop")}


def test_what_the_file_hides_is_not_ticked_until_asked_for(hands, samples, tmp_path):
    document, binary = parts((samples / "arm.glb").read_bytes())
    hiding = {"KHR_node_visibility": {"visible": False}}
    document["nodes"].append({"name": "Prop", "mesh": 0, "extensions": hiding})
    document["extensionsUsed"] = ["KHR_node_visibility"]
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    file = tmp_path / "two.glb"
    file.write_bytes(joined(document, binary))
    hands.open(file)
    prop = hands.joint("Prop")
    assert hands.state.hidden == {prop}
    assert not hands.bench.tree.meshes.tick(prop).isChecked()
    hands.key("Alt+H")
    assert hands.state.hidden == frozenset()
    hands.open(file)
    assert hands.state.hidden == {prop}


def test_a_hidden_mesh_cannot_be_picked(arm):
    arm.bench.state.update(bones=False)
    frame = arm.bench.stage.frame
    points = arm.bench.stage.deformer.skin_all(frame, METHODS["lbs"], arm.state.options)
    place = arm.place_of(points[0].positions.mean(axis=0))
    click(arm.canvas, place)
    assert arm.state.vertex is not None
    arm.key("H")
    arm.key("Ctrl+D")
    click(arm.canvas, place)
    assert arm.state.vertex is None
