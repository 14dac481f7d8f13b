"""Two bodies in their reference poses: which of their joints are counterparts, and how large they are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import FloatArray
from rigview.core.motion.joint_mapping import JointMapping
from rigview.core.motion.reference_body import ReferenceBody

_PLACED = frozenset({"hips", "root"})


@dataclass(frozen=True, eq=False)
class BodyPair:
    """A motion and a character.

    Parameters
    ----------
    mapping
        Joints of the character → their counterparts in the motion.
    """

    motion: ReferenceBody
    character: ReferenceBody
    mapping: JointMapping

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The nodes of the character, parents first."""
        depths = self.character.rig.nodes.depths.tolist()
        return tuple(sorted(range(len(depths)), key=lambda node: depths[node]))

    @cached_property
    def facing(self) -> FloatArray:
        """``(4,)`` the turn from how the motion stands and faces to how the character does."""
        return quat.multiply(self.character.facing, quat.conjugate(self.motion.facing))

    @cached_property
    def placed(self) -> tuple[int, ...]:
        """The joints of the character that are moved: hips and root, else the topmost mapped ones."""
        parts = self.mapping.parts
        return tuple(j for j in self.mapping.matches if parts.get(j) in _PLACED) or self._tops

    @property
    def _tops(self) -> tuple[int, ...]:
        above, mapped = self.character.rig.nodes, set(self.mapping.matches)
        return tuple(j for j in mapped if not mapped & set(above.ancestors(j)))

    @cached_property
    def hips(self) -> int:
        """The mapped joint that carries the body."""
        parts = self.mapping.parts
        hips = [j for j in self.mapping.matches if parts.get(j) == "hips"]
        return hips[0] if hips else self.placed[0]

    @cached_property
    def legs(self) -> tuple[tuple[int, ...], ...]:
        """The mapped joints of each leg up to the hips; without legs, of the longest chain."""
        nodes, matches, parts = self.character.rig.nodes, self.mapping.matches, self.mapping.parts
        feet = [j for j in matches if parts.get(j) == "foot"]
        top = self.hips
        chains = [[j, *(n for n in nodes.ancestors(j) if n in matches)] for j in feet or matches]
        cut = [tuple(chain[: chain.index(top) + 1]) for chain in chains if top in chain]
        if feet:
            return tuple(cut)
        return (max(cut, key=self.character.length, default=(top,)),)

    @cached_property
    def leg_length(self) -> float:
        """How long a leg of the character is."""
        return sum(map(self.character.length, self.legs)) / max(len(self.legs), 1)

    @cached_property
    def scale(self) -> float:
        """Length of the character's legs over that of the motion's; 1 where one has none."""
        matches = self.mapping.matches
        other = sum(self.motion.length([matches[j].source for j in leg]) for leg in self.legs)
        own = self.leg_length * len(self.legs)
        return own / other if own > 0.0 < other else 1.0

    @cached_property
    def ends(self) -> dict[int, tuple[int, int] | None]:
        """Mapped joint → the nearest mapped joint below it, by its main chain, and its counterpart."""
        return {joint: self._end(joint) for joint in self.mapping.matches}

    def _end(self, joint: int) -> tuple[int, int] | None:
        nodes, matches = self.character.rig.nodes, self.mapping.matches
        own = matches[joint]
        found: list[tuple[float, int]] = []
        for below in nodes.subtree(joint):
            match = matches.get(below)
            if below == joint or match is None or match.source == own.source:
                continue
            if not self.motion.rig.nodes.is_ancestor(own.source, match.source):
                continue
            if self.mapped_above(below) == joint:
                found.append((self._aside(joint, below), below))
        if not found:
            return None
        end = min(found)[1]
        return end, matches[end].source

    def mapped_above(self, joint: int) -> int | None:
        """Return the nearest mapped joint above one."""
        above = self.character.rig.nodes.ancestors(joint)
        return next((node for node in above if node in self.mapping.matches), None)

    def _aside(self, joint: int, below: int) -> float:
        """Return how little a joint below continues the bone: fingers beside the middle one come later."""
        above = self.character.rig.nodes.parents[joint]
        heads = self.character.heads
        if above < 0:
            return 0.0
        on, out = heads[joint] - heads[above], heads[below] - heads[joint]
        length = float(np.linalg.norm(on) * np.linalg.norm(out))
        return -float(on @ out) / length if length > 0.0 else 1.0

    def bone(self, joint: int) -> FloatArray | None:
        """Return ``(3,)`` the bone of a joint's counterpart in its reference pose; None without an end."""
        end = self.ends[joint]
        if end is None:
            return None
        return self.motion.heads[end[1]] - self.motion.heads[self.mapping.matches[joint].source]
