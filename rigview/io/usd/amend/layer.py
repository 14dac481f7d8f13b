"""A layer over a USD file that holds only the opinions that a change of its rig needs.

It runs in the child process that reads USD. The file is opened again and gives the rig as it was; what
differs in the wanted rig is set on a stage whose root is the new layer.
"""

from collections.abc import Callable

from pxr import Sdf, Usd, UsdGeom

from rigview.core.placement import length_factor
from rigview.core.rig import Rig
from rigview.io.usd.amend import joints, points, prims, shapes, skins
from rigview.io.usd.amend.change import LayerChange
from rigview.io.usd.reader import OpenedStage

# What a layer lists of itself; all else that its root states counts nowhere but in the root layer.
_OWN = frozenset(
    ("subLayers", "subLayerOffsets", "primChildren", "documentation", "comment", "layerRelocates")
)
_STEPS: tuple[Callable[[LayerChange], None], ...] = (
    joints.names,
    prims.structure,
    joints.rest,
    prims.transforms,
    points.meshes,
    skins.binds,
    skins.influences,
    joints.clips,
    shapes.weights_at_rest,
)


def amended(opened: OpenedStage, wanted: Rig) -> Usd.Stage:
    """Return a stage whose root layer, over a file, makes it the wanted rig.

    Raises
    ------
    SaveError
        If a layer cannot express a part of the change.
    """
    stage = Usd.Stage.Open(_over(opened.stage.GetRootLayer()))
    change = LayerChange(opened, stage, wanted, length_factor(opened.rig, wanted))
    if change.factor != 1.0:
        UsdGeom.SetStageMetersPerUnit(stage, opened.unit * change.factor)
    for step in _STEPS:
        step(change)
    return stage


def _over(source: Sdf.Layer) -> Sdf.Layer:
    """Return a new layer over another, with what only a root layer can state copied from it."""
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.subLayerPaths.append(source.identifier)
    for key in source.pseudoRoot.ListInfoKeys():
        if key not in _OWN:
            layer.pseudoRoot.SetInfo(key, source.pseudoRoot.GetInfo(key))
    return layer
