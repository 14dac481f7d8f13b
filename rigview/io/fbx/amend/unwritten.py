"""What a rig can change and an FBX file has no place for: refused by name, never left out."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.mesh import Mesh, Primitive
from rigview.io.fbx.amend.change import Change
from rigview.io.reading import SaveError, quoted


def expect_written(change: Change) -> None:
    """Expect that nothing changed which no part of the writer looks at.

    Raises
    ------
    SaveError
        If something did.
    """
    old, new = change.old, change.new
    if len(old.meshes) != len(new.meshes) or len(old.skins) != len(new.skins):
        raise SaveError("meshes and skins cannot be added to an FBX file or taken out of it")
    for before, after in zip(old.meshes, new.meshes, strict=True):
        if before is not after:
            _expect_mesh(before, after)
    was, now = old.node_morph_weights, new.node_morph_weights
    if was.keys() != now.keys() or any(not np.array_equal(w, now[n]) for n, w in was.items()):
        raise SaveError("the weights of shapes at rest cannot change")
    for a, b in zip(old.clips, new.clips, strict=False):
        if a.markers != b.markers:
            raise SaveError(f"the markers of the clip {quoted(a.name)} cannot change")


def _expect_mesh(before: Mesh, after: Mesh) -> None:
    name = quoted(before.name)
    if len(before.primitives) != len(after.primitives):
        raise SaveError(f"the parts of the mesh {name} cannot come or go")
    if not np.array_equal(before.morph_weights, after.morph_weights):
        raise SaveError(f"the weights of the shapes of {name} at rest cannot change")
    for a, b in zip(before.primitives, after.primitives, strict=True):
        for what, first, second in _rest_of(a, b):
            if first is not second and (
                first is None or second is None or not np.array_equal(first, second)
            ):
                raise SaveError(f"{what} of the mesh {name} cannot be written into an FBX file")
        if a.method != b.method or a.material != b.material:
            raise SaveError(f"the method and materials of the mesh {name} cannot change")


def _rest_of(
    a: Primitive, b: Primitive
) -> list[tuple[str, NDArray[Any] | None, NDArray[Any] | None]]:
    return [
        ("the painted mask", a.compensation, b.compensation),
        ("the shares of methods", a.dqs_weights, b.dqs_weights),
        ("other faces", a.triangles, b.triangles),
    ]
