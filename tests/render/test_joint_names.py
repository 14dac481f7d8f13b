"""Names on the picture: none over another, the nearest first, all of them from close by."""

from dataclasses import replace

import numpy as np
import pytest
import rigs
from tidy import HAND, HEAD

from rigview.core.deform import Deformer
from rigview.core.pose import rest_pose
from rigview.render import joint_labels, pane_text
from rigview.render.camera import Camera
from rigview.render.look import Look

DEFORMER = Deformer(rigs.tidy())
JOINTS = DEFORMER.skeleton.joints
NAMED = Look(names=True, marks=True)
POINTS = DEFORMER.frame(rest_pose(DEFORMER.rig)).model_from_node[list(JOINTS)][:, :3, 3]


def labels(camera, size=(600, 600), look=NAMED, deformer=DEFORMER):
    return joint_labels.joint_labels(deformer, deformer.rest, look, camera, size)


def seen_from(share):
    """Return a camera that has the whole rig in a share of the picture."""
    camera = Camera().framed(POINTS, 1.0)
    return replace(camera, distance=camera.distance / share)


def box(label):
    """Return what a small label covers, as the font says."""
    width = pane_text.font(10, bold=True).getlength(label.text)
    left = label.x - width if label.ends else label.x
    return left, label.y - 5.0, left + width, label.y + 5.0


@pytest.mark.parametrize("share", [1.0, 0.3, 0.1])
def test_no_name_lies_over_another(share):
    boxes = np.array([box(label) for label in labels(seen_from(share))])
    assert len(boxes) >= 2
    first, second = boxes[:, None], boxes[None]
    apart = (first[..., :2] >= second[..., 2:]) | (second[..., :2] >= first[..., 2:])
    np.fill_diagonal(apart[..., 0], True)
    assert apart.any(axis=-1).all()


def test_no_name_lies_over_what_is_written_already():
    camera = seen_from(1.0)
    first, *others = labels(camera)
    left, top, right, bottom = box(first)
    shown = joint_labels.joint_labels(
        DEFORMER, DEFORMER.rest, NAMED, camera, (600, 600), [(left - 5.0, top, right, bottom)]
    )
    assert first.text not in {label.text for label in shown}
    assert {label.text for label in others} == {label.text for label in shown}


def test_coming_closer_shows_the_names_that_had_no_room():
    far, near = ({label.text for label in labels(seen_from(s))} for s in (0.1, 1.0))
    assert len(far) < len(near)


def test_what_is_chosen_or_found_keeps_its_name():
    camera = seen_from(0.05)
    hidden = {DEFORMER.rig.nodes.label(j) for j in JOINTS} - {x.text for x in labels(camera)}
    assert hidden
    joint = next(j for j in JOINTS if DEFORMER.rig.nodes.label(j) in hidden)
    name = DEFORMER.rig.nodes.label(joint)
    for look in (replace(NAMED, joint=joint), replace(NAMED, involved=(joint,))):
        assert name in {label.text for label in labels(camera, look=look)}


def placed(joint, at):
    """Return the rest frame with one joint somewhere else."""
    model = DEFORMER.rest.model_from_node.copy()
    model[joint, :3, 3] = at
    return replace(DEFORMER.rest, model_from_node=model)


def test_of_two_at_one_place_the_nearer_is_named():
    camera = replace(seen_from(1.0), yaw=0.0, pitch=0.0)
    frame = placed(HEAD, DEFORMER.rest.model_from_node[HAND, :3, 3] + 0.1 * camera.axes[2])
    for view, named, hidden in ((0.0, "head", "hand"), (np.pi, "hand", "head")):
        camera = replace(camera, yaw=view)
        shown = joint_labels.joint_labels(DEFORMER, frame, NAMED, camera, (600, 600))
        texts = {label.text for label in shown}
        assert named in texts
        assert hidden not in texts


def test_a_name_at_the_right_edge_stands_to_the_left_of_its_joint():
    camera = replace(seen_from(1.0), orthographic=True)
    half = camera.distance * np.tan(0.5 * camera.fov)
    frame = placed(HEAD, camera.target + 0.97 * half * camera.axes[0])
    shown = joint_labels.joint_labels(DEFORMER, frame, NAMED, camera, (600, 600))
    head = next(label for label in shown if label.text == "head")
    assert box(head)[2] <= 600 * 0.985


def test_long_names_are_shortened_so_that_their_ends_can_be_read_within_the_pane():
    long = "hero_" * 40
    rig = DEFORMER.rig
    nodes = replace(rig.nodes, names=tuple(f"{long}{name}" for name in rig.nodes.names))
    deformer = Deformer(replace(rig, nodes=nodes))
    look = replace(NAMED, joint=HAND)
    shown = joint_labels.joint_labels(deformer, deformer.rest, look, seen_from(1.0), (240, 600))
    assert shown[-1].text.endswith("_hand")
    for label in shown:
        assert label.text.startswith("hero_")
        left, _, right, _ = box(label)
        assert right - left < 240
        if label is not shown[-1]:
            assert 0 < left < right < 240
