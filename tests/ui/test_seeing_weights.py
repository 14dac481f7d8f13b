"""The weights of all joints by colour in the window: bar, key, tree, legend, undo, and a second file."""

from dataclasses import replace

import numpy as np
import pytest
from hands import until

from rigview.core.deform import Deformer
from rigview.core.mesh import Influences
from rigview.render.tints import joint_colours

pytestmark = pytest.mark.window


@pytest.fixture
def coloured(arm):
    arm.focus_panes()
    arm.key("Shift+W")
    assert arm.state.shading == "joints"
    return arm


def hues(picture):
    """Return how many colours are told apart in a picture."""
    vivid = picture[np.ptp(picture.astype(int), axis=2) > 60]
    return len(np.unique(vivid // 48, axis=0))


def bound_to_one(deformer):
    """Return the rig with all vertices on one joint."""
    part = deformer.rig.parts[0]
    primitive = deformer.rig.primitive(part)
    weights = np.zeros_like(primitive.influences.weights)
    weights[:, 0] = 1.0
    influences = Influences(np.zeros_like(primitive.influences.joints), weights)
    changed = replace(primitive, influences=influences)
    return deformer.of_changed(deformer.rig.with_primitive(part.mesh, part.primitive, changed))


def test_the_key_shows_many_colours_and_the_bar_and_the_tree_say_so(coloured):
    assert hues(coloured.picture(0)) > 12
    segments = coloured.window.bar.shading
    assert segments._items[segments.current] == "Joints"
    stage, tree = coloured.bench.stage, coloured.bench.tree
    wanted = (255 * joint_colours(stage.deformer, stage.look)).round().astype(int)
    for joint, colour in zip(stage.deformer.skeleton.joints, wanted, strict=True):
        shown = tree.row(int(joint)).colour
        assert [int(shown[i : i + 2], 16) for i in (1, 3, 5)] == colour.tolist()
    coloured.key("C")
    assert {tree.row(joint).colour for joint in coloured.rig.joints} == {""}


def test_the_legend_follows_the_selection(coloured):
    legend = coloured.bench.legend
    assert "all joints" in legend.accessibleName()
    coloured.click_joint("lowerarm")
    assert legend.scale.name == "lowerarm"
    assert legend.scale.swatches[0].name == "lowerarm"
    first = legend.grab().toImage()
    coloured.bench.state.update(vertex=(0, 0))
    assert legend.scale.name == "vertex 0"
    assert legend.grab().toImage() != first


def test_colours_follow_other_weights_and_their_undo(coloured):
    before = coloured.picture(0)
    coloured.document.replace(bound_to_one(coloured.document.deformer), "Bind to one joint")
    coloured.rest()
    assert hues(coloured.picture(0)) < hues(before) / 2
    assert len(coloured.bench.legend.scale.swatches) == 1
    coloured.key("Ctrl+Z")
    coloured.rest()
    np.testing.assert_array_equal(coloured.picture(0), before)
    assert len(coloured.bench.legend.scale.swatches) > 3


def test_one_joint_has_one_colour_in_both_files(coloured, samples):
    stage = coloured.bench.stage
    renamed = coloured.rig.nodes.names.index("lowerarm")
    names = list(coloured.rig.nodes.names)
    names[renamed] = "unterarm"
    nodes = replace(coloured.rig.nodes, names=tuple(names))
    coloured.document.replace(Deformer(replace(coloured.rig, nodes=nodes)), "Rename")
    coloured.bench.comparer.open(samples / "arm.glb")
    until(lambda: stage.guest is not None)
    mine, other = stage.side(0), stage.side(1)
    plain = joint_colours(other.deformer, replace(other.look, lent=()))
    assert (joint_colours(mine.deformer, mine.look) != plain).any()
    np.testing.assert_array_equal(
        joint_colours(mine.deformer, mine.look), joint_colours(other.deformer, other.look)
    )
    coloured.bench.comparer.leave()
