"""What changed between two rigs: joints, binds, weights, clips, and the shape they make."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.check.diff.joints import (
    BindChange,
    JointChange,
    SkinChange,
    bind_changes,
    joint_changes,
    skin_changes,
)
from rigview.check.diff.meshes import PartChange, part_changes
from rigview.check.diff.motion import MotionDiff, motion_of
from rigview.check.diff.pairing import Pairing, pair
from rigview.check.labels import part_label
from rigview.check.rule import Progress
from rigview.core.brief import brief_repr
from rigview.core.deform import Deformer
from rigview.core.rig import Rig
from rigview.core.weight_changes import Changes, PartHeat


@dataclass(frozen=True)
class Difference:
    """All that changed from a first rig to a second.

    Parameters
    ----------
    pairing
        What of the first is what of the second, and what only one of them has.
    size
        H of the first rig, metres.
    """

    __repr__ = brief_repr

    a: Rig
    b: Rig
    size: float
    pairing: Pairing
    joints: tuple[JointChange, ...]
    skins: tuple[SkinChange, ...]
    binds: tuple[BindChange, ...]
    parts: tuple[PartChange, ...]
    motion: MotionDiff

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        paired = (self.pairing.joints, self.pairing.skins, self.pairing.parts, self.pairing.clips)
        return not (
            any(pairs.removed or pairs.added for pairs in paired)
            or self.joints
            or self.skins
            or self.binds
            or self.parts
            or self.motion.clips
            or self.motion.worst
        )

    @cached_property
    def heat(self) -> Changes:
        """What changed, vertex by vertex, of all parts that both rigs have."""
        reweighted = {change.part: change.reweighted for change in self.parts}
        nothing = np.zeros(0)
        parts = []
        for was, part in self.pairing.parts.both:
            pair = (self.a.primitive(self.a.parts[was]), self.b.primitive(self.b.parts[part]))
            vertices = (len(pair[0].positions), len(pair[1].positions))
            same = vertices[0] == vertices[1]
            moved = reweighted.get(part, np.zeros(vertices[1])) if same else nothing
            apart = self.motion.displaced[part] if same else nothing
            name = part_label(self.b, self.b.parts[part])
            parts.append(PartHeat(was, part, name, vertices, moved, apart))
        return Changes(self.size, tuple(parts))


def compare(a: Rig, b: Rig, progress: Progress | None = None) -> Difference:
    """Compare two rigs, usually two versions of one character.

    Joints are the same that bear one name, or that rest in one place under the same joint. Weights
    and shapes are compared vertex by vertex where a part has as many as before.

    Parameters
    ----------
    progress
        Hears what is under way and the share done; may raise to stop.
    """
    tell = progress or (lambda _text, _share: None)
    tell("comparing joints", 0.0)
    size = Deformer(a).size
    pairing = pair(a, b, size)
    return Difference(
        a,
        b,
        size,
        pairing,
        joint_changes(a, b, pairing.joints, size),
        skin_changes(a, b, pairing),
        bind_changes(a, b, pairing, size),
        part_changes(a, b, pairing, size),
        motion_of(a, b, pairing, tell),
    )
