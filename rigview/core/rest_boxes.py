"""Boxes around the parts of a rig at rest that a change of the rig leaves bit for bit as they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rigview.core.arrays import BoolArray, FloatArray
from rigview.core.mesh import Influences
from rigview.core.rig import Part, Rig


@dataclass(frozen=True, eq=False)
class RestingRig:
    """A rig at rest.

    Parameters
    ----------
    nodes
        ``(N, 4, 4)`` ``model_from_node``.
    matrices
        Per skin the skin matrices ``(J, 4, 4)`` of its joints.
    bound_by
        Part → its skin and influences; None where its node moves it.
    """

    rig: Rig
    nodes: FloatArray
    matrices: Sequence[FloatArray]
    bound_by: Callable[[Part], tuple[int, Influences] | None]

    def parts_left(self, new: "RestingRig") -> set[Part]:
        """Return the parts of which every vertex rests in the new rig where it rests here."""
        matrices = zip(self.matrices, new.matrices, strict=False)
        alike = [_alike(a, b) for a, b in matrices]
        shared = set(self.rig.parts) & set(new.rig.parts)
        return {part for part in shared if self._rests_alike(part, new, alike)}

    def _rests_alike(self, part: Part, new: "RestingRig", alike: Sequence[BoolArray]) -> bool:
        """Return whether a part rests in the new rig as here.

        Parameters
        ----------
        alike
            Per skin ``(J,)`` whether each of its matrices is the same in both.
        """
        a, b = self.rig, new.rig
        if not (
            a.primitive(part) is b.primitive(part)
            and a.node_morph_weights.get(part.node) is b.node_morph_weights.get(part.node)
            and a.meshes[part.mesh].morph_weights is b.meshes[part.mesh].morph_weights
        ):
            return False
        bound, bound_there = self.bound_by(part), new.bound_by(part)
        if bound is None or bound_there is None:
            at_rest = np.array_equal(self.nodes[part.node], new.nodes[part.node])
            return bound is bound_there and at_rest
        skin, influences = bound
        changed = ~alike[skin]
        if influences.weight_span[0] >= 0.0:
            changed &= influences.moves(len(changed))
        return not changed.any()


def _alike(a: FloatArray, b: FloatArray) -> BoolArray:
    """Return ``(n,)`` whether each of ``(n, 4, 4)`` matrices is the same in both lists.

    None is where the lists differ in length.
    """
    if a.shape != b.shape:
        return np.zeros(len(a), dtype=np.bool_)
    return np.asarray(np.equal(a, b).all(axis=(1, 2)))
