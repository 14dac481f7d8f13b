"""The hierarchy of a rig: nodes in the file's order, and a sound forest of them whatever it lists."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rigview.core import affine
from rigview.core.arrays import FloatArray, IntArray, frozen
from rigview.core.brief import brief_repr

# The names of nodes that a reader adds, which the file does not have, end like this.
ADDED = " (scale of its parent taken off)"


# What depends on no more than who hangs under whom.
OF_THE_TREE = ("_tree", "sound_children", "levels", "depths", "tops", "depth_first")


@dataclass(frozen=True, eq=False)
class Nodes:
    """The hierarchy in the file's order, with the local rest transform of every node.

    Parameters
    ----------
    names
        One name per node; empty where the file gives none.
    children
        Per node the numbers of its children, as the file lists them. A node may be listed twice
        or below itself: `parents` then takes the first listing, and `faults` the others.
    translations, rotations, scales
        ``(N, 3)``, ``(N, 4)`` xyzw, ``(N, 3)``: ``parent_from_node = T·R·S``.
    matrices
        Node → ``(4, 4)`` for nodes whose file states a matrix; it is used instead of the TRS,
        which then holds the matrix taken apart.
    """

    __repr__ = brief_repr

    names: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray
    matrices: dict[int, FloatArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.names)
        if len(self.children) != n:
            raise ValueError(f"children: wanted {n} entries, got {len(self.children)}")
        for name, width in (("translations", 3), ("rotations", 4), ("scales", 3)):
            object.__setattr__(self, name, frozen(name, getattr(self, name), (n, width)))
        matrices = {i: frozen(f"matrices[{i}]", m, (4, 4)) for i, m in self.matrices.items()}
        object.__setattr__(self, "matrices", matrices)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _tree(self) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """Parents, and the (parent, child) listings that would give a second parent or a loop."""
        parents = [-1] * len(self)
        faults: list[tuple[int, int]] = []
        for parent, children in enumerate(self.children):
            for child in children:
                if parents[child] >= 0 or child == parent:
                    faults.append((parent, child))
                else:
                    parents[child] = parent
        # Every node of a loop has a parent, so no walk from a root reaches it.
        for cut in loop_cuts(parents, range(len(self))):
            faults.append((parents[cut], cut))
            parents[cut] = -1
        return tuple(parents), tuple(faults)

    @property
    def parents(self) -> tuple[int, ...]:
        """Per node its parent, −1 for a root; always a sound forest."""
        return self._tree[0]

    @property
    def roots(self) -> tuple[int, ...]:
        """The nodes without a parent, in the file's order."""
        return tuple(n for n, parent in enumerate(self.parents) if parent < 0)

    @property
    def faults(self) -> tuple[tuple[int, int], ...]:
        """(parent, child) listings that the forest leaves out: a second parent, or a loop."""
        return self._tree[1]

    @cached_property
    def sound_children(self) -> tuple[tuple[int, ...], ...]:
        """Children per node as `parents` sees them, in the file's order."""
        if not self.faults:
            return self.children
        return tuple(
            tuple(c for c in dict.fromkeys(children) if self.parents[c] == parent)
            for parent, children in enumerate(self.children)
        )

    @cached_property
    def levels(self) -> tuple[IntArray, ...]:
        """The evaluation order: node numbers by depth, the roots first."""
        result = []
        level = [n for n in range(len(self)) if self.parents[n] < 0]
        while level:
            result.append(np.array(level))
            level = [c for n in level for c in self.sound_children[n]]
        return tuple(result)

    @cached_property
    def depths(self) -> IntArray:
        """``(N,)`` number of ancestors of every node."""
        depths = np.zeros(len(self), dtype=np.int64)
        for depth, level in enumerate(self.levels):
            depths[level] = depth
        return depths

    @cached_property
    def depth_first(self) -> tuple[int, ...]:
        """All nodes, each followed by what is below it, in the file's order."""
        children, stack, result = self.sound_children, list(self.roots[::-1]), []
        while stack:
            node = stack.pop()
            result.append(node)
            stack += children[node][::-1]
        return tuple(result)

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the parent, its parent, and so on up to the root."""
        parents = self.parents
        node = parents[node]
        while node >= 0:
            yield node
            node = parents[node]

    def with_ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return some nodes and all above them."""
        parents, found = self.parents, {-1}
        for start in nodes:
            node = start
            while node not in found:
                found.add(node)
                node = parents[node]
        return found - {-1}

    def with_descendants(self, nodes: Iterable[int]) -> set[int]:
        """Return some nodes and all below them."""
        found: set[int] = set()
        stack = list(nodes)
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                stack += self.sound_children[node]
        return found

    @cached_property
    def tops(self) -> tuple[int, ...]:
        """Per node the root above it; a root's is itself."""
        result = list(range(len(self)))
        for level in self.levels[1:]:
            for node in level.tolist():
                result[node] = result[self.parents[node]]
        return tuple(result)

    def is_ancestor(self, upper: int, lower: int) -> bool:
        """Tell whether `upper` lies above `lower`."""
        return any(node == upper for node in self.ancestors(lower))

    def subtree(self, root: int) -> Iterator[int]:
        """Yield `root` and everything below it, depth first, in the file's order."""
        children, stack = self.sound_children, [root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(children[node]))

    def rests_like(self, other: "Nodes") -> bool:
        """Tell whether the same nodes hang alike and rest alike; their names may differ."""
        return self is other or (
            self.children == other.children
            and self.matrices.keys() == other.matrices.keys()
            and all(np.array_equal(m, other.matrices[node]) for node, m in self.matrices.items())
            and np.array_equal(self.translations, other.translations)
            and np.array_equal(self.rotations, other.rotations)
            and np.array_equal(self.scales, other.scales)
        )

    def label(self, node: int) -> str:
        """Return the node's name, or ``node 7`` where it has none."""
        return self.names[node] or f"node {node}"

    def local_matrices(self) -> FloatArray:
        """Return ``(N, 4, 4)`` ``parent_from_node`` of the rest pose."""
        result = affine.compose(self.translations, self.rotations, self.scales)
        for node, matrix in self.matrices.items():
            result[node] = matrix
        return result


def loop_cuts(parents: Sequence[int], starts: Iterable[int]) -> list[int]:
    """Return where to cut the loops of a hierarchy: the lowest-numbered node of each.

    Parameters
    ----------
    parents
        Per node its parent, −1 for none.
    starts
        All nodes, in the order in which loops are looked for.
    """
    state = [0] * len(parents)
    cuts = []
    for start in starts:
        above = parents[start]
        if above < 0 or state[above] == 2:
            state[start] = 2
            continue
        path, node = [], start
        while node >= 0 and state[node] == 0:
            state[node] = 1
            path.append(node)
            node = parents[node]
        if node >= 0 and state[node] == 1:
            cuts.append(min(path[path.index(node) :]))
        for visited in path:
            state[visited] = 2
    return cuts
