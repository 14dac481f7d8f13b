"""Meshes whose node moves under vertices that no joint moves.

FBX shows vertices without any weight where their mesh's node is. A rig shows them where they are in the
model. A node that moves at rest would take them along: the geometric transform, which moves what a node
shows and nothing that hangs on it, keeps them in their place::

    G' = (node')⁻¹ · node · G

Clusters state joints seen from the node, so their Transform changes by ``G · G'⁻¹`` (`skins`).
"""

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.transform import to_euler
from rigview.io.reading import SaveError, quoted

# Shares of a matrix: what two places of a node differ by, and what no shear is.
_SAME, _SHEAR = 1e-9, 1e-7


def amend(change: FbxChange) -> None:
    """Write the geometric transforms of meshes that stay where they are while their nodes move.

    Raises
    ------
    SaveError
        If one would shear.
    """
    hierarchy = change.reading.hierarchy
    frames: tuple[FloatArray, FloatArray] | None = None
    for number, space in change.reading.meshes.spaces.items():
        node = int(hierarchy.node_of[number])
        own = hierarchy.ours_from_geometry[number]
        stays_in_model = not np.array_equal(space, own)
        if change.old.node_skins[node] is None or not stays_in_model:
            continue
        if frames is None:
            before, after = (model_from_nodes(r, rest_pose(r)) for r in (change.old, change.new))
            frames = before, after
        was, now = frames[0][node], frames[1][node]
        if np.abs(was - now).max() <= _SAME * np.abs(was).max():
            continue
        change.geometric[number] = _write(change, number, was, now)


def _write(change: FbxChange, number: int, was: FloatArray, now: FloatArray) -> FloatArray:
    """Set the geometric transform of one node, and return it in metres: `ours_from_geometry`."""
    hierarchy = change.reading.hierarchy
    label = quoted(hierarchy.names[number])
    if affine.crushed(now[:3, :3]):
        raise SaveError(f"{label} would be scaled to nothing")
    moved = (affine.inverse(now[None])[0] @ was)[None]
    geometric = (
        hierarchy.settings.back_between_nodes(moved)[0] @ hierarchy.transforms.geometric[number]
    )
    translation, rotation, scale = affine.decompose(geometric)
    stated = affine.compose(translation, rotation, scale)
    if np.abs(stated - geometric).max() > _SHEAR * np.abs(geometric).max():
        raise SaveError(
            f"{label} has vertices without weight, which would be sheared where its node rests then"
        )
    degrees = to_euler(rotation[None], np.zeros(1, dtype=np.int64))[0]
    element = change.reading.objects.element(hierarchy.keys[number])
    for name, values in (
        ("GeometricTranslation", translation),
        ("GeometricRotation", degrees),
        ("GeometricScaling", scale),
    ):
        change.edits.set(element, name, values.tolist())
    ours = stated.copy()
    ours[:3] = hierarchy.settings.ours_from_file @ ours[:3]
    return ours
