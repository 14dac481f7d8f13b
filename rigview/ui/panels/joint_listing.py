"""Which nodes of a rig the joint tree lists, and which of them have rows at once."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core.nodes import Nodes
from rigview.core.rig import Rig


@dataclass(frozen=True, eq=False)
class Listing:
    """The nodes that a joint tree lists: joints and all above them, every node of a rig without joints.

    Parameters
    ----------
    nodes
        Depth first, in the file's order.
    of
        The hierarchy that they are of.
    joints
        Those that are joints.
    """

    nodes: tuple[int, ...]
    of: Nodes
    joints: frozenset[int]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the nodes are called, one name each."""
        return tuple(map(self.of.label, self.nodes))

    @cached_property
    def _plain_names(self) -> tuple[str, ...]:
        return tuple(map(str.casefold, self.names))

    @cached_property
    def depth(self) -> int:
        """How many nodes the deepest hangs below."""
        return int(self.of.depths[list(self.nodes)].max(initial=0))

    @cached_property
    def _members(self) -> frozenset[int]:
        return frozenset(self.nodes)

    def __contains__(self, node: int | None) -> bool:
        return node in self._members

    def shows_same(self, other: "Listing") -> bool:
        """Tell whether another lists the same nodes below the same ones, by the same names."""
        if self.joints != other.joints:
            return False
        return self.of is other.of or (
            self.nodes == other.nodes
            and self.of.parents == other.of.parents
            and self.names == other.names
        )

    def beside(self, node: int) -> tuple[int, ...]:
        """Return what hangs where a node hangs, itself too."""
        parent = self.of.parents[node]
        return self.below(parent) if parent >= 0 else self._tops

    @property
    def _tops(self) -> tuple[int, ...]:
        return tuple(node for node in self.of.roots if node in self)

    def below(self, node: int) -> tuple[int, ...]:
        """Return the children that are listed."""
        return tuple(child for child in self.of.sound_children[node] if child in self)

    def found(self, text: str, among: Collection[int] | None = None) -> list[int]:
        """Return the nodes whose names hold a text, of some or all of them."""
        text = text.casefold()
        named = zip(self.nodes, self._plain_names, strict=True)
        return [n for n, name in named if text in name and (among is None or n in among)]

    def first(self, most: int) -> list[int]:
        """Return so many nodes at most, those next to the roots first: all below one of them or none."""
        if len(self.nodes) <= most:
            return list(self.nodes)
        waiting = deque(self._tops[:most])
        result: list[int] = []
        while waiting:
            result.append(waiting.popleft())
            below = self.below(result[-1])
            if len(result) + len(waiting) + len(below) <= most:
                waiting.extend(below)
        return result


NOTHING = Listing(
    (), Nodes((), (), np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3))), frozenset()
)


def listing(rig: Rig | None) -> Listing:
    """Return what is listed of a rig; nothing where none is open."""
    if rig is None:
        return NOTHING
    nodes, joints = rig.nodes, frozenset(rig.joints)
    listed = nodes.depth_first
    if joints and len(joints) < len(nodes):
        wanted = nodes.with_ancestors(joints)
        listed = tuple(node for node in listed if node in wanted)
    return Listing(listed, nodes, joints)
