"""What lies over the meshes, as geometry."""

from dataclasses import replace

import numpy as np
import pytest

from rigview.assets import rgb, theme
from rigview.core.deform import Deformer
from rigview.io import load
from rigview.render import overlay
from rigview.render.camera import Camera
from rigview.render.look import Look
from rigview.render.overlay import grid, skeleton


def rows_of(lines):
    """Return lines as a set, whichever end comes first."""
    return {
        (*sorted((tuple(row[:3]), tuple(row[3:6]))), *row[6:])
        for row in np.round(lines, 9).tolist()
    }


@pytest.mark.parametrize("size", [0.0, 0.03, 0.99, 1.0, 1.8, 5.0, 9.99, 180.0])
@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_grid_lies_square_on_the_ground_under_the_whole_rig(size, name):
    lines = np.concatenate(grid(size, name).lines)
    reach = np.abs(lines[:, :3]).max()
    if size:
        assert size <= reach <= 5 * size
    lines[:, :6] /= reach
    starts, ends = lines[:, :3], lines[:, 3:6]
    assert not lines[:, (1, 4)].any()
    for mirror in ((-1, 1, 1), (1, 1, -1)):
        mirrored = np.hstack([starts * mirror, ends * mirror, lines[:, 6:]])
        assert rows_of(mirrored) == rows_of(lines)
    # Every line goes from edge to edge, and there are as many as there seem to be.
    assert np.linalg.norm(ends - starts, axis=1) == pytest.approx(2.0)
    assert len(rows_of(lines)) == len(lines)
    for axis, along in (("x", 0), ("z", 2)):
        (line,) = np.flatnonzero((lines[:, 6:9] == rgb(theme(name)[axis])).all(axis=1))
        assert starts[line].tolist() == [-v for v in ends[line]]
        assert abs(starts[line][along]) == 1.0


def shapes(drawn):
    """Return how many lines, dots and corners of faces there are."""
    return tuple(sum(map(len, rows)) for rows in (drawn.lines, drawn.dots, drawn.facets))


@pytest.mark.parametrize("orthographic", [False, True])
def test_of_bones_too_small_to_be_told_apart_only_sticks_and_dots_are_drawn(samples, orthographic):
    arm = Deformer(load(samples / "arm.glb").rig)
    count = len(arm.skeleton.joints)
    camera = Camera(orthographic=orthographic, fov=0.5, distance=1.0)
    whole = shapes(skeleton(arm, arm.rest, Look()))
    assert whole == ((12 + 3) * count, count, 8 * 3 * count)
    near = shapes(skeleton(arm, arm.rest, Look(), (camera, 100_000.0)))
    assert near == whole
    far = replace(camera, distance=1000.0)
    assert shapes(skeleton(arm, arm.rest, Look(), (far, 400.0))) == (count, count, 0)
    # What is selected, or what a finding is about, is whole, and axes alone are not covered by dots.
    joint, other = map(int, arm.skeleton.joints[[3, 7]])
    look = Look(joint=joint, involved=(other,))
    lines, dots, facets = shapes(skeleton(arm, arm.rest, look, (far, 400.0)))
    assert (lines, dots, facets) == (count - 2 + 2 * 12 + 3, count + 1, 2 * 8 * 3)
    alone = shapes(skeleton(arm, arm.rest, Look(bones=False), (far, 400.0)))
    assert alone == (3 * count, 0, 0)


def test_so_many_bones_that_none_is_told_apart_are_drawn_as_sticks_alone(samples, monkeypatch):
    arm = Deformer(load(samples / "arm.glb").rig)
    count = len(arm.skeleton.joints)
    monkeypatch.setattr(overlay, "MANY", count - 1)
    near = Camera(fov=0.5, distance=1.0), 100_000.0
    assert shapes(skeleton(arm, arm.rest, Look(), near)) == (count, 0, 0)
    # What is selected is whole, with its axes and its dot.
    look = Look(joint=int(arm.skeleton.joints[3]))
    assert shapes(skeleton(arm, arm.rest, look, near)) == (count - 1 + 12 + 3, 1, 8 * 3)


def test_many_small_bones_step_back_but_not_those_about_the_selected_one(samples, monkeypatch):
    arm = Deformer(load(samples / "arm.glb").rig)
    far = Camera(fov=0.5, distance=1000.0), 500.0

    def dots(look):
        rows = np.concatenate(skeleton(arm, arm.rest, look, far).dots)
        return sorted(rows[:, 7].tolist())

    count = len(arm.skeleton.joints)
    assert dots(Look(axes=False)) == [2.2] * count
    monkeypatch.setattr(overlay, "DENSE", count - 1)
    assert dots(Look(axes=False)) == [1.3] * count
    # One of a branch: what is above and below stays, what hangs beside it steps back.
    monkeypatch.setattr(overlay, "DENSE", 0)
    leaf = int(arm.skeleton.joints[-1])
    kept = arm.rig.nodes.with_ancestors([leaf]) & set(arm.rig.joints)
    found = dots(Look(axes=False, joint=leaf))
    assert found.count(4.0) == 1
    assert found.count(2.2) == len(kept) - 1
    assert found.count(1.3) == count - len(kept)


def test_the_letters_of_the_axes_stay_in_the_pane_from_wherever_it_is_seen():
    height, letter = 400.0, 5.0
    for yaw in np.linspace(-np.pi, np.pi, 25):
        for pitch in np.linspace(-1.5, 1.5, 13):
            camera = replace(Camera(), yaw=float(yaw), pitch=float(pitch))
            _, labels = overlay.gizmo(camera, height, Look())
            assert len(labels) == 3
            for label in labels:
                assert label.x >= letter
                assert letter <= label.y <= height - letter


def test_the_bone_that_is_found_however_deep_it_lies_is_the_selected_one(samples):
    arm = Deformer(load(samples / "arm.glb").rig)
    joint = arm.rig.joint("lowerarm")
    number = arm.skeleton.joints.tolist().index(joint)
    found = overlay.selected_bone(arm, arm.rest, Look(joint=joint))
    assert shapes(found) == (1, 1, 0)
    head, tail = found.lines[0][0, :3], found.lines[0][0, 3:6]
    assert head == pytest.approx(arm.rest_bones.heads[number], abs=1e-6)
    assert tail == pytest.approx(arm.rest_bones.tails[number], abs=1e-6)
    assert shapes(overlay.selected_bone(arm, arm.rest, Look())) == (0, 0, 0)
