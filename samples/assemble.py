"""Put skeleton, skinned surface and clips into one document."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from document import Document, Primitive
from motion import Motion
from skeleton import Skeleton
from weights import strongest

Array = NDArray[np.float64]

# Linear colour of the samples' clay: a warm grey.
CLAY = (0.58, 0.54, 0.49, 1.0)
# Positions are rounded to a micrometre, so that the last bits of a machine do not show.
DECIMALS = 6


@dataclass(frozen=True)
class Surface:
    """A surface in model space.

    Parameters
    ----------
    positions, normals
        ``(V, 3)`` metres, and unit vectors.
    triangles
        ``(F, 3)``.
    weights
        ``(V, J)`` of every joint.
    uvs
        ``(V, 2)`` from 0 to 1, or None; written where there is a texture.
    """

    positions: Array
    normals: Array
    triangles: NDArray[np.int64]
    weights: Array
    uvs: Array | None = None


def assemble(
    name: str,
    skeleton: Skeleton,
    surface: Surface,
    motions: Sequence[Motion],
    checker: bytes | None = None,
) -> bytes:
    """Return a GLB file: the mesh's node and the skeleton's root stand side by side in the scene.

    Parameters
    ----------
    name
        Of mesh and skin.
    checker
        A PNG image for the surface, or None for plain clay.
    """
    document = Document()
    texture = None if checker is None else document.texture("Checker", checker)
    colour = CLAY if checker is None else (1.0, 1.0, 1.0, 1.0)
    material = document.material("Clay" if checker is None else "Checker", colour, texture)
    mesh = document.mesh(name, _primitive(surface, material, texture is not None))
    document.node(name, mesh=mesh, skin=0)
    nodes: list[int] = []
    for i, joint in enumerate(skeleton.names):
        parent = skeleton.parents[i]
        moved, turned = skeleton.translations[i], skeleton.rotations[i]
        place = {"translation": moved} if np.any(moved) else {}
        place |= {"rotation": turned} if np.any(turned[:3]) else {}
        nodes.append(document.node(joint, None if parent < 0 else nodes[parent], **place))
    document.skin(name, nodes, skeleton.inverse_binds(), skeleton=nodes[0])
    for motion in motions:
        document.clip(motion.name, motion.channels(nodes))
    return document.glb()


def _primitive(surface: Surface, material: int, textured: bool) -> Primitive:
    joints, weights = strongest(surface.weights)
    return Primitive(
        positions=np.round(surface.positions, DECIMALS),
        normals=_normals(surface.normals),
        triangles=surface.triangles,
        uvs=surface.uvs if textured else None,
        joints=joints,
        weights=weights,
        material=material,
    )


def _normals(normals: Array) -> Array:
    rounded = np.round(normals, DECIMALS)
    return rounded / np.sqrt(np.sum(rounded**2, axis=1, keepdims=True))
