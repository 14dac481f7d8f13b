"""One pose of a rig, ready for any method."""

from dataclasses import dataclass

from rigview.core.arrays import FloatArray
from rigview.core.brief import brief_repr
from rigview.core.methods.palette import Palette
from rigview.core.pose import Pose


@dataclass(frozen=True, eq=False)
class Frame:
    """One pose of a rig, ready for any method: nodes and palettes in model space.

    Parameters
    ----------
    model_from_node
        ``(N, 4, 4)``.
    palettes
        Skin number → palette; parts without skin read their node's matrix instead.
    """

    __repr__ = brief_repr

    pose: Pose
    model_from_node: FloatArray
    palettes: dict[int, Palette]

    def __getitem__(self, index: int) -> "Frame":
        """Return one pose of a stack."""
        palettes = {skin: of[index] for skin, of in self.palettes.items()}
        return Frame(self.pose[index], self.model_from_node[index], palettes)
