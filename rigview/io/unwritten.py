"""What a rig can change and the files of most formats have no place for: refused by name, never left out.

glTF can hold all of it. FBX, USD and Collada ask here before they amend a file.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.mesh import Mesh, Primitive
from rigview.core.rig import Rig
from rigview.io.reading import SaveError, quoted


def expect_written(old: Rig, new: Rig, file: str, *, has_rest_weights: bool = False) -> None:
    """Expect that nothing changed which no part of an amending writer looks at.

    Parameters
    ----------
    old
        The rig as it was opened.
    file
        What is written, with its article: ``"an FBX file"``.
    has_rest_weights
        Whether the writer looks at the morph weights at rest.

    Raises
    ------
    SaveError
        If meshes, skins, morph weights at rest, markers, faces, materials, the skinning method or a
        painted map changed.
    """
    if len(old.meshes) != len(new.meshes) or len(old.skins) != len(new.skins):
        raise SaveError(f"meshes and skins cannot be added to {file} or taken out of it")
    for before, after in zip(old.meshes, new.meshes, strict=True):
        if before is not after:
            _expect_mesh(before, after, file)
    if not has_rest_weights:
        _expect_rest_weights(old, new, file)
    for a, b in zip(old.clips, new.clips, strict=False):
        if a.markers != b.markers:
            raise SaveError(f"the markers of the clip {quoted(a.name)} cannot be changed in {file}")


def _expect_rest_weights(old: Rig, new: Rig, file: str) -> None:
    for before, after in zip(old.meshes, new.meshes, strict=True):
        if not np.array_equal(before.morph_weights, after.morph_weights):
            name = quoted(before.name)
            raise SaveError(
                f"the weights of the shapes of {name} at rest cannot be changed in {file}"
            )
    was, now = old.node_morph_weights, new.node_morph_weights
    if was.keys() != now.keys() or any(not np.array_equal(w, now[n]) for n, w in was.items()):
        raise SaveError(f"the weights of shapes at rest cannot be changed in {file}")


def _expect_mesh(before: Mesh, after: Mesh, file: str) -> None:
    name = quoted(before.name)
    if len(before.primitives) != len(after.primitives):
        raise SaveError(f"the parts of the mesh {name} cannot come or go in {file}")
    for a, b in zip(before.primitives, after.primitives, strict=True):
        for what, first, second in _rest_of(a, b):
            if first is not second and (
                first is None or second is None or not np.array_equal(first, second)
            ):
                raise SaveError(f"{what} of the mesh {name} cannot be written into {file}")
        if a.method != b.method or a.material != b.material:
            raise SaveError(
                f"the method and materials of the mesh {name} cannot be changed in {file}"
            )


def _rest_of(
    a: Primitive, b: Primitive
) -> list[tuple[str, NDArray[Any] | None, NDArray[Any] | None]]:
    return [
        ("the painted mask", a.compensation, b.compensation),
        ("the shares of methods", a.dqs_weights, b.dqs_weights),
        ("other faces", a.triangles, b.triangles),
    ]
