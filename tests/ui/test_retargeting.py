"""A motion of another skeleton, mapped by hand and played beside the rig before it is added."""

from dataclasses import replace

import numpy as np
import pytest
from glb import joined, parts
from hands import click, focus, press_key, until, when_asked_for_a_file, write_text
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QComboBox

from rigview.app.retargeting import retarget_clips
from rigview.core.clip import Channel, Clip
from rigview.core.motion.retarget import RetargetOptions
from rigview.core.pose import sample
from rigview.core.sampler import Sampler
from rigview.io import load, save
from rigview.ui.panels.retarget_model import BONE, JOINT, SOURCE

pytestmark = pytest.mark.window


@pytest.fixture(scope="module")
def motion(samples, tmp_path_factory):
    """The arm of which the lowerarm rests with other axes."""
    copy = tmp_path_factory.mktemp("motion") / "other.glb"
    copy.write_bytes((samples / "faulty_arm.glb").read_bytes())
    return copy


def tried(hands):
    until(lambda: hands.bench.retargeter.is_tried)
    hands.rest()


@pytest.fixture
def retargeting(arm, motion):
    """Hands at the arm with another one's motion on trial."""
    arm.bench.retargeter.open(motion)
    tried(arm)
    yield arm
    arm.bench.retargeter.leave()


def panel(hands):
    return hands.bench.retarget_panel


def text(hands, name, column):
    table = panel(hands).table
    row = table.row_of(hands.joint(name))
    return str(row.siblingAtColumn(column).data())


def type_counterpart(hands, name, words):
    """Choose what turns a joint as a person does: the row, Return, the name, Return."""
    table = panel(hands).table
    index = table.row_of(hands.joint(name))
    table.scrollTo(index)
    click(table.viewport(), table.visualRect(index).center())
    focus(table)
    press_key("Return", table)
    chooser = table.findChild(QComboBox)
    write_text(chooser.lineEdit(), words)
    press_key("Return", chooser.lineEdit())
    until(lambda: not table.findChildren(QComboBox) or not chooser.isVisible())


def test_a_motion_is_shown_beside_the_rig_and_added_as_one_change(arm, samples):
    before, undo = arm.rig.clip_names, arm.document.undo_name
    # The first dialog of its kind reads the folder for a while, and opens nothing before it has.
    QTimer.singleShot(1500, lambda: when_asked_for_a_file(samples / "arm.glb"))
    arm.menu("Rig", "Retarget motion…")
    tried(arm)
    stage = arm.bench.stage
    assert len(arm.panes) == 2
    assert stage.guest.name == "arm.glb"
    assert arm.document.undo_name == undo
    assert stage.clip.name == f"{before[0]} (2)"
    # A motion on its own skeleton is the same motion: no bone is off, and the two stand alike.
    assert {text(arm, arm.rig.nodes.label(joint), BONE) for joint in arm.rig.joints} <= {"0.0°", ""}
    arm.bench.state.update(time=0.7 * stage.clip.end)
    arm.rest()
    mine, other = stage.side(0), stage.side(1)
    hand = arm.joint("hand")
    own, theirs = (side.frame.model_from_node[hand][:3, 3] for side in (mine, other))
    np.testing.assert_allclose(own, theirs, atol=1e-3)
    for number in (0, 1):
        assert np.ptp(arm.picture(number).reshape(-1, 3), axis=0).min() > 60
    click(panel(arm).apply)
    arm.rest()
    assert arm.rig.clip_names == (*before, *(f"{name} (2)" for name in before))
    assert arm.document.undo_name == "Retarget 3 clips of arm.glb"
    assert not panel(arm).isVisible()
    assert stage.guest is None
    assert len(arm.panes) == 3
    assert stage.clip.name == f"{before[0]} (2)"
    arm.focus_panes()
    arm.key("Ctrl+Z")
    assert arm.rig.clip_names == before


def test_cancel_leaves_all_as_it_was(arm, motion):
    arm.bench.state.update(clip=1, time=0.5)
    before, steps, rig = arm.state, arm.document.step_names, arm.rig
    arm.bench.retargeter.open(motion)
    tried(arm)
    arm.bench.state.update(time=1.0)
    click(panel(arm).cancel)
    arm.rest()
    kept = ("methods", "pane", "clip", "time", "linked_camera", "apart", "joints")
    assert not arm.state.differs(before, kept)
    assert (arm.rig, arm.document.step_names) == (rig, steps)
    assert arm.bench.stage.deformer.rig is rig
    assert arm.bench.stage.guest is None


def test_a_row_selects_both_joints_and_is_selected_with_the_joint(retargeting):
    table, stage = panel(retargeting).table, retargeting.bench.stage
    index = table.row_of(retargeting.joint("lowerarm")).siblingAtColumn(JOINT)
    table.scrollTo(index)
    click(table.viewport(), table.visualRect(index).center())
    assert retargeting.state.joint == retargeting.joint("lowerarm")
    other = stage.side(1)
    assert other.deformer.rig.nodes.label(other.look.joint) == "lowerarm"
    retargeting.bench.state.update(joint=retargeting.joint("hand"))
    assert table.selected == (retargeting.joint("hand"),)


def test_the_map_is_edited_by_typing_and_problems_are_told_at_once(retargeting):
    bench, faults = retargeting.bench, panel(retargeting).faults
    assert text(retargeting, "hand", SOURCE) == "hand"
    type_counterpart(retargeting, "hand", "none")
    tried(retargeting)
    assert text(retargeting, "hand", SOURCE) == "none"
    assert "1 joint of the motion turns nothing here: hand." in faults.text()
    assert text(retargeting, "hand", BONE) == ""
    type_counterpart(retargeting, "hand", "lowerarm")
    tried(retargeting)
    assert "lowerarm turns 2 joints: " in faults.text()
    type_counterpart(retargeting, "hand", "nobody")
    assert bench.status.said.text() == "No joint of the motion is called nobody."
    assert text(retargeting, "hand", SOURCE) == "lowerarm"
    click(panel(retargeting).reset)
    tried(retargeting)
    assert text(retargeting, "hand", SOURCE) == "hand"
    assert not faults.isVisible()


def test_a_click_on_a_heading_sorts_by_what_is_below_it(retargeting):
    retargeting.bench.retargeter.map_joint(retargeting.joint("index_02"), None)
    tried(retargeting)
    table = panel(retargeting).table
    header = table.horizontalHeader()
    middle = header.sectionViewportPosition(BONE) + header.sectionSize(BONE) // 2
    click(header.viewport(), QPoint(middle, header.height() // 2))
    angles = [table.rows.index(row, BONE).data() for row in range(table.rows.rowCount())]
    told = [float(angle[:-1]) for angle in angles if angle]
    assert told[0] != told[-1]
    assert told in (sorted(told), sorted(told, reverse=True))


def test_joints_without_counterpart_come_first(arm, samples, tmp_path):
    document, binary = parts((samples / "arm.glb").read_bytes())
    for node in document["nodes"]:
        if "index" in node.get("name", ""):
            node["name"] = f"tentacle_{node['name'][-1]}"
    file = tmp_path / "less.glb"
    file.write_bytes(joined(document, binary))
    arm.bench.retargeter.open(file)
    tried(arm)
    table = panel(arm).table
    first = [table.rows.index(row, SOURCE).data() for row in range(table.rows.rowCount())]
    assert first[:3] == ["none"] * 3
    assert "none" not in first[3:]
    # The rest is in the order of the tree.
    assert first[3] == "upperarm"
    assert "3 joints of the motion turn nothing here: tentacle_1" in panel(arm).faults.text()


def test_window_and_command_give_the_same_clips(retargeting, motion, samples, tmp_path):
    bench, saved = retargeting.bench, tmp_path / "map.toml"
    panel(retargeting).twist.click()
    tried(retargeting)
    panel(retargeting).scale.setValue(0.5)
    tried(retargeting)
    type_counterpart(retargeting, "hand", "none")
    tried(retargeting)
    bench.retargeter.save_map(saved)
    before = len(retargeting.rig.clips)
    click(panel(retargeting).apply)
    retargeting.rest()
    options = RetargetOptions(0.5, twist=False)
    rig = load(samples / "arm.glb").rig
    done = retarget_clips(load(motion).rig, rig, [], saved, options=options)
    mine, theirs = retargeting.rig.clips[before:], done.made.clips
    assert [clip.name for clip in mine] == [clip.name for clip in theirs]
    assert mine
    for own, other in zip(mine, theirs, strict=True):
        poses = [
            sample(rig, clip, np.linspace(0.0, own.end, 7))
            for clip, rig in ((own, retargeting.rig), (other, done.made.rig))
        ]
        np.testing.assert_array_equal(poses[0].rotations, poses[1].rotations)
        np.testing.assert_array_equal(poses[0].translations, poses[1].translations)
    assert bench.document.undo_name == "Retarget 3 clips of other.glb"


def test_a_motion_is_dropped_where_one_is_asked_for(arm, motion):
    arm.bench.retargeter.start()
    arm.rest()
    assert panel(arm).empty.isVisible()
    assert arm.drop(motion)
    tried(arm)
    assert arm.document.path.name == "arm.glb"
    assert panel(arm).file.text() == "other.glb"
    arm.focus_panes()
    arm.key("Escape")
    assert not panel(arm).isVisible()


def test_work_that_is_stopped_can_be_started_again(retargeting):
    bench = retargeting.bench
    bench.retargeter.map_joint(retargeting.joint("hand"), None)
    assert bench.cancel_work()
    retargeting.rest()
    assert not bench.retargeter.is_tried
    assert not panel(retargeting).apply.isEnabled()
    click(panel(retargeting).again)
    tried(retargeting)
    assert panel(retargeting).apply.isEnabled()


def test_a_picture_knows_how_a_clip_was_made_unless_its_map_was_edited(arm, motion):
    retargeter, document = arm.bench.retargeter, arm.document

    def recipe(edit):
        retargeter.open(motion)
        tried(arm)
        if edit:
            retargeter.map_joint(arm.joint("hand"), None)
            tried(arm)
        click(panel(arm).apply)
        arm.rest()
        return document.recipe_of(len(arm.rig.clips) - 1)

    made = recipe(edit=False)
    assert (made.kind, made.clip) == ("retargeted", load(motion).rig.clip_names[-1])
    name = arm.rig.clip_names[-1]
    arm.focus_panes()
    arm.key("Ctrl+Z")
    # A clip of that name again, which names of joints alone do not give.
    assert recipe(edit=True) is None
    assert arm.rig.clip_names[-1] == name


def travelling(samples, folder):
    """Return a file of the arm in which its first joint goes half a metre."""
    loaded, out = load(samples / "arm.glb"), folder / "going.glb"
    root, times = loaded.rig.joints[0], np.array([0.0, 1.0])
    places = loaded.rig.nodes.translations[root] + np.outer(times, [0.5, 0.0, 0.2])
    bends = [c for c in loaded.rig.clips[0].channels if (c.node, c.path) != (root, "translation")]
    clip = Clip("Go", (*bends, Channel(root, "translation", Sampler(times, places))))
    save(loaded, replace(loaded.rig, clips=(clip,)), out)
    return out


def test_the_camera_goes_where_the_motion_carries_the_body(arm, samples, tmp_path):
    retargeter, state, stage = arm.bench.retargeter, arm.bench.state, arm.bench.stage
    retargeter.open(travelling(samples, tmp_path))
    tried(arm)

    def seen(time):
        state.update(time=time)
        arm.rest()
        body = stage.frame.model_from_node[retargeter.tried.body][:3, 3]
        return np.array(arm.state.linked_camera.target), np.array(body)

    (camera, body), (later, gone) = seen(0.0), seen(1.0)
    assert np.linalg.norm(gone - body) > 0.1
    np.testing.assert_allclose(later - camera, gone - body, atol=1e-9)
    np.testing.assert_allclose(seen(0.0)[0], camera, atol=1e-9)
    retargeter.leave()
    before = arm.state.linked_camera
    state.update(time=0.7)
    arm.rest()
    assert arm.state.linked_camera == before


def test_a_map_that_suits_nothing_is_refused_and_the_rig_shown_as_it_is(retargeting):
    bench = retargeting.bench
    for joint in retargeting.rig.joints:
        bench.retargeter.map_joint(joint, None)
    until(lambda: bench.retargeter.refusal)
    retargeting.rest()
    assert "no joint of the character has a counterpart" in panel(retargeting).faults.text().lower()
    assert not panel(retargeting).apply.isEnabled()
    assert bench.stage.guest is None
    assert not retargeting.sees_preview


def test_a_file_without_clips_is_no_motion(arm, samples, tmp_path):
    loaded, still = load(samples / "arm.glb"), tmp_path / "still.glb"
    save(loaded, replace(loaded.rig, clips=()), still)
    arm.bench.retargeter.open(still)
    until(arm.bench.message.isVisible)
    assert arm.bench.message.title.text() == "still.glb: no motion"
    assert arm.bench.retargeter.draft is None


def test_a_change_of_the_rig_is_retargeted_to(retargeting):
    """A fix that keeps the joints goes on with the map as it was edited."""
    bench = retargeting.bench
    bench.retargeter.map_joint(retargeting.joint("hand"), None)
    tried(retargeting)
    bench.motions.add_range_of_motion()
    until(lambda: len(retargeting.rig.clips) == 4)
    tried(retargeting)
    assert text(retargeting, "hand", SOURCE) == "none"
    assert bench.stage.clip_number >= 4


def test_another_file_that_is_compared_ends_it(retargeting, samples):
    bench = retargeting.bench
    bench.comparer.open(samples / "candy.glb")
    until(lambda: bench.stage.guest is not None and bench.stage.guest.name == "candy.glb")
    retargeting.rest()
    assert not bench.retargeter.is_active
    assert not retargeting.sees_preview
    bench.comparer.leave()
