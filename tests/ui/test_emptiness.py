"""What a pane says where it shows no mesh."""

from dataclasses import replace

import numpy as np
from hands import idle, until

from rigview.core.deform import Deformer
from rigview.core.skinning import METHODS
from rigview.ui.panes.emptiness import BACKS, HIDDEN, NO_MESH, OUTSIDE


def says(hands, words):
    """Wait until every pane says something, or nothing, and tell that it is seen there."""
    until(lambda: set(hands.bench.panes.emptiness.reasons) == {words}, 5.0)
    idle()
    return True


def test_a_pane_says_that_all_is_hidden(arm):
    assert says(arm, "")
    arm.bench.state.update(bones=False, grid=False)
    arm.bench.state.update(hidden=frozenset(part.node for part in arm.rig.parts))
    assert says(arm, HIDDEN)
    for pane in range(len(arm.panes)):
        middle = arm.picture(pane)[40:-60]
        # The words are light on the dark ground, in the middle.
        assert middle.max() > 200
    arm.key("Alt+H")
    assert says(arm, "")


def test_a_pane_says_that_all_is_outside_the_view(arm):
    camera = arm.state.camera
    arm.bench.state.update(camera=replace(camera, target=(50.0, 0.0, 0.0)))
    assert says(arm, OUTSIDE)
    arm.focus_panes()
    arm.key("A")
    assert says(arm, "")
    near = replace(arm.state.camera, distance=0.25 * arm.state.camera.distance)
    arm.bench.state.update(camera=near)
    assert says(arm, "")


def test_a_pane_says_that_only_backs_are_in_view(arm):
    rig = arm.rig
    # A plane seen from behind: every face that looks at the camera is taken away.
    first = rig.parts[0]
    primitive = rig.primitive(first)
    corners = arm.document.deformer.skin(
        0, arm.bench.stage.frame, METHODS["lbs"], arm.state.options
    ).positions[primitive.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    eye = arm.state.camera.axes[2]
    behind = np.ascontiguousarray(primitive.triangles[normals @ eye < 0.0][:50])
    mesh = rig.meshes[first.mesh]
    number = next(i for i, p in enumerate(mesh.primitives) if p is primitive)
    primitives = list(mesh.primitives)
    primitives[number] = replace(primitive, triangles=behind)
    meshes = list(rig.meshes)
    meshes[first.mesh] = replace(mesh, primitives=tuple(primitives))
    materials = tuple(replace(m, double_sided=False) for m in rig.materials)
    arm.document.replace(Deformer(replace(rig, meshes=tuple(meshes), materials=materials)), "Backs")
    arm.bench.state.update(camera=replace(arm.state.camera, orthographic=True), shading="textured")
    assert says(arm, BACKS)
    arm.bench.state.update(shading="clay")
    assert says(arm, "")


def test_a_pane_says_that_there_is_no_mesh(arm):
    rig = arm.rig
    bare = replace(rig, meshes=(), node_meshes=(None,) * len(rig.nodes), skins=rig.skins)
    arm.document.replace(Deformer(bare), "No mesh")
    assert says(arm, "")
    arm.bench.state.update(bones=False)
    assert says(arm, NO_MESH)
