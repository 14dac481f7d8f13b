"""Hierarchies that a file states as parents and matrices, and what of a motion leaves the rest pose."""

from collections.abc import Sequence

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import FloatArray
from rigview.core.nodes import Nodes
from rigview.core.sampler import Path, Sampler

# A local matrix that its translation, rotation and scale give back to within this share is stored as them.
_SHEAR = 1e-6
# Parts that stay this near to the rest pose get no channel.
_STILL = 1e-6


def children_of(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return per node the numbers of its children, in order.

    Parameters
    ----------
    parents
        Per node its parent, −1 for a root.
    """
    result: list[list[int]] = [[] for _ in parents]
    for number, parent in enumerate(parents):
        if parent >= 0:
            result[parent].append(number)
    return tuple(map(tuple, result))


def nodes_of(names: Sequence[str], parents: Sequence[int], local: FloatArray) -> Nodes:
    """Return a hierarchy with its rest pose ``(N, 4, 4)`` ``parent_from_node`` taken apart.

    What shears stays a matrix.
    """
    trs = affine.decompose(local)
    sheared = np.flatnonzero(affine.residue(local, trs) > _SHEAR).tolist()
    return Nodes(tuple(names), children_of(parents), *trs, {n: local[n] for n in sheared})


def flips(scale: FloatArray) -> bool:
    """Tell whether a scale ``(n, 3)`` reaches zero or changes its sign on its way."""
    return bool(np.any(np.sign(scale) != np.sign(scale[:1])) or np.any(scale == 0.0))


def with_scale(local: FloatArray, unscaled: FloatArray, scale: FloatArray) -> affine.TRS:
    """Take ``(n, 4, 4)`` local matrices apart whose scale ``(n, 3)``, which acts first, is known.

    A matrix does not tell how it turns what it scales to nothing, nor along which axes it mirrors.

    Parameters
    ----------
    unscaled
        The same without that scale; where more than rotation is left, the matrices are all there is.
    """
    rotation, stretch = affine.polar(unscaled[..., :3, :3])
    if not affine.is_rigid(stretch):
        return affine.decompose(local)
    return affine.TRS(local[..., :3, 3].copy(), quat.from_matrix(rotation), scale)


def leaves(nodes: Nodes, node: int, path: Path, sampler: Sampler) -> bool:
    """Tell whether a curve takes a part of a node away from the rest pose.

    What shears there is a matrix, which has no parts to stay with. A curve that bends moves, if only
    between its keys.
    """
    if node in nodes.matrices or sampler.interpolation == "CUBICSPLINE":
        return True
    keys = sampler.keys
    if path == "rotation":
        near = np.abs(keys @ nodes.rotations[node]) > 1.0 - 0.5 * _STILL**2
    else:
        rest = (nodes.translations if path == "translation" else nodes.scales)[node]
        near = np.abs(keys - rest) <= _STILL * max(1.0, float(np.abs(rest).max()))
    return not bool(np.all(near))
