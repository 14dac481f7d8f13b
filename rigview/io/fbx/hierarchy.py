"""The nodes of the rig: FBX's nodes, and helpers where scale is taken over in a way that shears.

`transform` explains the arithmetic; here it meets units, axes, and motions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np

from rigview.core import affine, quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.euler import USUAL
from rigview.core.nodes import ADDED, Nodes, loop_cuts
from rigview.core.pose import under_parents
from rigview.io.fbx.blocks import CACHED, blocks, paced
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION, Property, Stack, breaks
from rigview.io.fbx.objects import Objects
from rigview.io.fbx.settings import GlobalSettings
from rigview.io.fbx.transform import (
    CRUSHED,
    NAMES,
    RRS,
    RRSS,
    RSRS,
    UNIFORM,
    Transforms,
    read_transforms,
)
from rigview.io.fbx.tree import Key

_PROPERTIES = (TRANSLATION, ROTATION, SCALE)
_FLIP = np.array([-1.0, 1.0, 1.0])
_FLIP_TURN = np.array([1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class FbxHierarchy:
    """FBX's nodes in the file's order.

    Parameters
    ----------
    numbers
        Object → its number here.
    parents
        Number of the parent, −1 for a root.
    children
        As the file connects them, also a second time or in a loop.
    has_helper
        ``(N,)``.
    """

    numbers: dict[Key, int]
    names: tuple[str, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    transforms: Transforms
    settings: GlobalSettings
    stacks: tuple[Stack, ...]

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Which object each node is."""
        return tuple(self.numbers)

    @cached_property
    def rest(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """``(N, 3)`` each: the three properties without animation."""
        t = self.transforms
        return t.translation, t.rotation, t.scale

    @cached_property
    def has_helper(self) -> BoolArray:
        """``(N,)`` whether a helper stands above a node."""
        result = np.zeros(len(self.keys), dtype=np.bool_)
        if not self._taking:
            return result
        hands_down = self._hands_down_one_number
        for i in self._taking:
            result[i] = not hands_down[self.parents[i]]
        return result

    @cached_property
    def _taking(self) -> list[int]:
        """The nodes that take over their parent's scale without lying in it."""
        (taking,) = (~self._is_root & (self.transforms.inherit != RSRS)).nonzero()
        found: list[int] = taking.tolist()
        return found

    @cached_property
    def node_of(self) -> IntArray:
        """``(N,)`` number of each node in the rig; its helper, if any, is the one before."""
        return np.cumsum(1 + self.has_helper.astype(np.int64)) - 1

    @cached_property
    def _hands_down_one_number(self) -> dict[int, bool]:
        """Parent → whether the scale it hands down is uniform at rest and at all times."""
        result: dict[int, bool] = {-1: True}
        for start in {self.parents[i] for i in self._taking}:
            chain = [start]
            while chain[-1] not in result and self._kept_from[chain[-1]] >= 0:
                chain.append(self._kept_from[chain[-1]])
            for node in reversed(chain):
                above = result[self._kept_from[node]]
                result.setdefault(node, above and self._scales_uniformly(node))
        return result

    @cached_property
    def _kept_from(self) -> list[int]:
        """``(N,)`` the next node above whose scale a node keeps; −1 without any."""
        inherit = self.transforms.inherit.tolist()
        result: dict[int, int] = {}
        for start in range(len(self.keys)):
            path = [start]
            while (
                path[-1] not in result and inherit[path[-1]] == RRS and self.parents[path[-1]] >= 0
            ):
                path.append(self.parents[path[-1]])
            top = path[-1]
            found = self.parents[top] if inherit[top] == RRSS else -1
            result.update(dict.fromkeys(path, result.get(top, found)))
        return [result[node] for node in range(len(self.keys))]

    def _scales_uniformly(self, node: int) -> bool:
        if not self._uniform_at_rest[node]:
            return False
        return all(self._stays_uniform(stack, node) for stack in self.stacks)

    @cached_property
    def _uniform_at_rest(self) -> list[bool]:
        uniform: list[bool] = _uniform(self.transforms.scale).tolist()
        return uniform

    def _stays_uniform(self, stack: Stack, node: int) -> bool:
        """Tell whether a stack keeps a node's scale uniform; curves are evaluated only in doubt."""
        key = self.keys[node]
        if not stack.moves(key, SCALE):
            return True
        layer = stack.only_layer(key, SCALE)
        if layer is not None:
            constants = layer.constants(key, SCALE)
            if constants is not None:
                return max(constants) - min(constants) <= UNIFORM * max(map(abs, constants))
            keyed = layer.at_keys(key, SCALE)
            if keyed is not None and not _uniform(keyed.T).all():
                return False
        times = breaks(stack.curves(key, SCALE), stack.start, stack.stop)
        times = times if len(times) else np.zeros(1)
        times = np.concatenate([times, 0.5 * (times[1:] + times[:-1])])
        return bool(_uniform(self.animated(stack, np.array([node]), SCALE).at(times)).all())

    def animated(self, stack: Stack, nodes: IntArray, name: str) -> Property:
        """Return a property of several nodes in a stack."""
        keys = [self.keys[node] for node in nodes]
        rest = self.rest[_PROPERTIES.index(name)][nodes]
        return Property.of(stack, keys, name, rest, self.transforms.order[nodes])

    def scale_chain(self, node: int) -> list[int]:
        """Return the nodes whose scale a node takes over without lying in it, the parent first."""
        result: list[int] = []
        if self.transforms.inherit[node] == RSRS or self.parents[node] < 0:
            return result
        if self.transforms.inherit[node] == RRSS and not self.has_helper[node]:
            return result
        result.append(self.parents[node])
        while self._kept_from[result[-1]] >= 0:
            result.append(self._kept_from[result[-1]])
        return result

    def translations(
        self, nodes: IntArray, t: FloatArray, r: FloatArray, s: FloatArray
    ) -> FloatArray:
        """Return ``(m, n, 3)`` metres, of a node's helper where it has one.

        Parameters
        ----------
        t, r, s
            ``(m, n, 3)`` values of the three animated properties; the last two are looked at only
            for nodes with pivots.
        """
        result = self.transforms.translations(nodes, t)
        pivoted = self.transforms.pivoted[nodes]
        if pivoted.any():
            of = nodes[pivoted]
            q = self.transforms.rotations(of, r[pivoted])
            result[pivoted] += self.transforms.around_pivots(of, q, s[pivoted])
        result = result * (self.settings.unit_m * (_FLIP if self.settings.mirrored else 1.0))
        roots = self._is_root[nodes]
        if self.turn[3] != 1.0 and roots.any():
            result[roots] = quat.rotate(self.turn, result[roots])
        return result

    def rotations(self, nodes: IntArray, r: FloatArray) -> FloatArray:
        """Return ``(m, n, 4)`` of the nodes themselves."""
        result = self.transforms.rotations(nodes, r)
        if self.settings.mirrored:
            result = result * _FLIP_TURN
        roots = self._is_root[nodes]
        if self.turn[3] != 1.0 and roots.any():
            above = np.broadcast_to(self.turn, result[roots].shape)
            result[roots] = quat.multiply(above, result[roots])
        return result

    def scales(self, nodes: IntArray, s: FloatArray, above: dict[int, FloatArray]) -> FloatArray:
        """Return ``(m, n, 3)`` of the nodes themselves.

        Parameters
        ----------
        s
            ``(m, n, 3)`` their stated scales.
        above
            ``(n, 3)`` of every node of their chains; nothing where there is none, or all are 1.
        """
        if not above:
            return s
        result = s.copy()
        for row, node in enumerate(nodes.tolist()):
            chain = self.scale_chain(node)
            # Segment scale compensate keeps all but the parent's own.
            for number in chain[1:] if self.transforms.inherit[node] == RRS else chain:
                result[row] *= above[number]
        alone = ~self.has_helper[nodes]
        result[alone] /= self.carried(nodes, above, s.shape[1])[alone]
        return result

    def carried(self, nodes: IntArray, above: dict[int, FloatArray], count: int) -> FloatArray:
        """Return ``(m, n, 3)`` the scale that parents hand down and nodes do not lie in."""
        result = np.ones((len(nodes), count, 3))
        if not above:
            return result
        for row, node in enumerate(nodes.tolist()):
            for number in self.scale_chain(node):
                result[row] *= above[number]
        return np.where(np.abs(result) < CRUSHED, CRUSHED, result)

    @cached_property
    def _is_root(self) -> BoolArray:
        return np.array(self.parents, dtype=np.int64) < 0

    @cached_property
    def at_rest(self) -> dict[str, FloatArray]:
        """Path → ``(N, c)`` of all nodes without animation."""
        count = len(self.keys)
        widths = {"translation": 3, "rotation": 4, "scale": 3}
        result = {path: np.zeros((count, width)) for path, width in widths.items()}
        for rows in blocks(count, lambda: None, CACHED):
            nodes = np.arange(rows.start, rows.stop)
            t, r, s = (values[rows, None] for values in self.rest)
            result["translation"][rows] = self.translations(nodes, t, r, s)[:, 0]
            result["rotation"][rows] = self.rotations(nodes, r)[:, 0]
            result["scale"][rows] = self.scales(nodes, s, self._above_at_rest)[:, 0]
        return result

    @cached_property
    def helpers_at_rest(self) -> FloatArray:
        """``(N, 3)`` scales of the helpers without animation."""
        nodes = np.arange(len(self.keys))
        return 1.0 / self.carried(nodes, self._above_at_rest, 1)[:, 0]

    @cached_property
    def _above_at_rest(self) -> dict[int, FloatArray]:
        """Node → ``(1, 3)`` the scale that it hands down at rest; none where all are 1."""
        nodes = [node for node in self._hands_down_one_number if node >= 0]
        scale = self.transforms.scale[nodes]
        return {} if (scale == 1.0).all() else dict(zip(nodes, scale[:, None], strict=True))

    @cached_property
    def ours_from_geometry(self) -> FloatArray:
        """``(N, 4, 4)`` from what a node shows to the node, in metres: `GlobalSettings.ours_from_file`."""
        result = self.transforms.geometric.copy()
        result[:, :3] = self.settings.ours_from_file @ result[:, :3]
        return result

    @cached_property
    def turn(self) -> FloatArray:
        """``(4,)`` rotation of the roots from the file's axes to ours."""
        axes = self.settings.axes
        proper = axes * _FLIP if self.settings.mirrored else axes
        return _turn(tuple(proper.ravel().tolist()))

    @cached_property
    def rig_nodes(self) -> Nodes:
        """The rig's nodes in the rest pose."""
        rest, of, helped = self.at_rest, self.node_of, self.has_helper
        if not self._taking:
            return Nodes(
                self.names, self.children, rest["translation"], rest["rotation"], rest["scale"]
            )
        tops = of - helped
        count = len(self.keys) + int(np.count_nonzero(helped))
        translations, scales = np.zeros((count, 3)), np.ones((count, 3))
        rotations = np.zeros((count, 4))
        rotations[:] = quat.IDENTITY
        rotations[of], scales[of] = rest["rotation"], rest["scale"]
        translations[tops], scales[tops[helped]] = rest["translation"], self.helpers_at_rest[helped]
        names = [""] * count
        children: list[tuple[int, ...]] = [()] * count
        top_of = tops.tolist()
        for i, (node, top) in enumerate(zip(of.tolist(), top_of, strict=True)):
            names[node] = self.names[i]
            children[node] = tuple(top_of[child] for child in self.children[i])
            if top != node:
                names[top] = f"{self.names[i]}{ADDED}"
                children[top] = (node,)
        return Nodes(tuple(names), tuple(children), translations, rotations, scales)

    @cached_property
    def rotation_orders(self) -> tuple[tuple[str, str], ...]:
        """Names and orders of the nodes whose Euler angles are not in the order XYZ."""
        orders = map(NAMES.__getitem__, self.transforms.order.tolist())
        return tuple((n, o) for n, o in zip(self.names, orders, strict=True) if o != USUAL)

    @cached_property
    def rest_frames(self) -> FloatArray:
        """``(N, 4, 4)`` ``model_from_node`` in the rest pose."""
        nodes = self.rig_nodes
        frames: FloatArray = under_parents(nodes, nodes.local_matrices())[self.node_of]
        return frames

    def model_from_file(self, matrices: FloatArray) -> FloatArray:
        """Return ``(…, 4, 4)`` `rest_frames` of what the file says in its own space of the world."""
        turn = affine.compose(np.zeros(3), self.turn, np.ones(3))
        frames: FloatArray = turn @ self.settings.between_nodes(matrices)
        return frames

    def top_of(self, number: int) -> int:
        """Return the rig's node that hangs on the parent: the helper, else the node."""
        return int(self.node_of[number]) - int(self.has_helper[number])


@cache
def _turn(axes: tuple[float, ...]) -> FloatArray:
    """Return the rotation of nine numbers; all files have a few."""
    return quat.from_matrix(np.array(axes).reshape(3, 3))


def _uniform(scale: FloatArray) -> BoolArray:
    """Tell of each of ``(…, 3)`` scales whether its components are one number."""
    spread = np.max(scale, axis=-1) - np.min(scale, axis=-1)
    uniform: BoolArray = spread <= UNIFORM * np.max(np.abs(scale), axis=-1)
    return uniform


def _forest(
    objects: Objects, numbers: dict[Key, int]
) -> tuple[list[int], tuple[tuple[int, ...], ...]]:
    """Return per node its first parent, −1 without any, and its children in the nodes' order."""
    linked = [
        (numbers[key], above)
        for key, to, name in objects.links_of("Model")
        if not name and (above := numbers.get(to)) is not None
    ]
    child, parent = np.array(linked, dtype=np.int64).reshape(-1, 2).T
    objects.pulse()
    parents = np.full(len(numbers), -1)
    # Of several parents of a node the one that is written last stays: the first.
    parents[child[::-1]] = parent[::-1]
    order = np.lexsort((child, parent))
    objects.pulse()
    below = tuple(child[order].tolist())
    ends = np.searchsorted(parent[order], np.arange(len(numbers) + 1)).tolist()
    objects.pulse()
    children = tuple(below[a:b] for a, b in paced(list(pairwise(ends)), objects.pulse))
    return parents.tolist(), children


def read_hierarchy(
    objects: Objects, settings: GlobalSettings, stacks: Sequence[Stack]
) -> FbxHierarchy:
    """Read all nodes of a file."""
    models = objects.kind("Model")
    numbers = {key: i for i, key in enumerate(paced(models.keys, objects.pulse))}
    parents, children = _forest(objects, numbers)
    for i in loop_cuts(parents, paced(range(len(parents)), objects.pulse)):
        parents[i] = -1
    transforms = read_transforms(models)
    objects.pulse()
    return FbxHierarchy(
        numbers,
        models.names(),
        tuple(parents),
        children,
        transforms,
        settings,
        tuple(stacks),
    )
