"""The nodes of the rig: FBX's nodes, and helpers where scale is taken over in a way that shears.

`transform` explains the arithmetic; here it meets units, axes, and motions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rigview.core import quat
from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.core.pose import model_from_nodes, rest_pose
from rigview.core.rig import Nodes, Rig
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION, Property, Stack, breaks
from rigview.io.fbx.objects import Element, Key, Objects
from rigview.io.fbx.settings import Settings
from rigview.io.fbx.transform import CRUSHED, RRSS, RSRS, UNIFORM, Transforms, read_transforms

_PROPERTIES = (TRANSLATION, ROTATION, SCALE)
_FLIP = np.array([-1.0, 1.0, 1.0])
_FLIP_TURN = np.array([1.0, -1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Local:
    """Local transforms of m nodes at n times, and of the helpers above those that have one.

    Parameters
    ----------
    translation
        ``(m, n, 3)`` metres, of the helper where there is one.
    rotation, scale
        ``(m, n, 4)``, ``(m, n, 3)`` of the node itself.
    helper_scale
        ``(m, n, 3)``.
    """

    translation: FloatArray
    rotation: FloatArray
    scale: FloatArray
    helper_scale: FloatArray


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """FBX's nodes in the file's order.

    Parameters
    ----------
    parents
        Number of the parent, −1 for a root.
    children
        As the file connects them, also a second time or in a loop.
    has_helper
        ``(N,)``.
    """

    models: tuple[Element, ...]
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    transforms: Transforms
    settings: Settings
    stacks: tuple[Stack, ...]

    @cached_property
    def numbers(self) -> dict[Key, int]:
        """Object → its number here."""
        return {model.key: i for i, model in enumerate(self.models)}

    @cached_property
    def rest(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """``(N, 3)`` each: the three properties without animation."""
        t = self.transforms
        return t.translation, t.rotation, t.scale

    @cached_property
    def has_helper(self) -> BoolArray:
        """``(N,)`` whether a helper stands above a node."""
        return np.array(
            [
                self.transforms.inherit[i] != RSRS
                and self.parents[i] >= 0
                and not self._hands_down_one_number[self.parents[i]]
                for i in range(len(self.models))
            ],
            dtype=np.bool_,
        )

    @cached_property
    def node_of(self) -> IntArray:
        """``(N,)`` number of each node in the rig; its helper, if any, is the one before."""
        return np.cumsum(1 + self.has_helper.astype(np.int64)) - 1

    @cached_property
    def _hands_down_one_number(self) -> dict[int, bool]:
        """Parent → whether the scale it hands down is uniform at rest and at all times."""
        result: dict[int, bool] = {-1: True}
        wanted = {
            p for i, p in enumerate(self.parents) if p >= 0 and self.transforms.inherit[i] != RSRS
        }
        for start in wanted:
            chain = [start]
            while chain[-1] not in result and self._takes_over(chain[-1]):
                chain.append(self.parents[chain[-1]])
            for node in reversed(chain):
                above = result[self.parents[node]] if self._takes_over(node) else True
                result.setdefault(node, above and self._scales_uniformly(node))
        return result

    def _takes_over(self, node: int) -> bool:
        """Tell whether what a node hands down depends on its parent."""
        return bool(self.transforms.inherit[node] == RRSS and self.parents[node] >= 0)

    def _scales_uniformly(self, node: int) -> bool:
        if not _uniform(self.transforms.scale[node]):
            return False
        key = self.models[node].key
        for stack in self.stacks:
            if stack.moves(key, SCALE):
                times = breaks(stack.curves(key, SCALE), stack.start, stack.stop)
                times = times if len(times) else np.zeros(1)
                times = np.concatenate([times, 0.5 * (times[1:] + times[:-1])])
                if not _uniform(self._property(stack, np.array([node]), SCALE).at(times)):
                    return False
        return True

    def scale_chain(self, node: int) -> list[int]:
        """Return the nodes whose scale a node takes over without lying in it, the parent first."""
        result: list[int] = []
        if self.transforms.inherit[node] == RSRS or self.parents[node] < 0:
            return result
        if self.transforms.inherit[node] == RRSS and not self.has_helper[node]:
            return result
        result.append(self.parents[node])
        while self._takes_over(result[-1]):
            result.append(self.parents[result[-1]])
        return result

    def _property(self, stack: Stack, nodes: IntArray, name: str) -> Property:
        keys = [self.models[node].key for node in nodes]
        rest = self.rest[_PROPERTIES.index(name)][nodes]
        return Property.of(stack, keys, name, rest, self.transforms.order[nodes])

    @cached_property
    def at_rest(self) -> Local:
        """All local transforms without animation, at one time."""
        nodes = np.arange(len(self.models))
        t, r, s = (values[:, None] for values in self.rest)
        carried = {node: self.transforms.scale[node][None] for node in range(len(nodes))}
        return self._local(nodes, t, r, s, carried)

    def motion(self, stack: Stack, nodes: IntArray) -> "Motion":
        """Return the motion of several nodes in a stack."""
        properties = tuple(self._property(stack, nodes, name) for name in _PROPERTIES)
        chain = sorted({above for node in nodes for above in self.scale_chain(int(node))})
        above = self._property(stack, np.array(chain, dtype=np.int64), SCALE)
        return Motion(self, nodes, properties, tuple(chain), above)

    def _local(
        self,
        nodes: IntArray,
        t: FloatArray,
        r: FloatArray,
        s: FloatArray,
        scales: dict[int, FloatArray],
    ) -> Local:
        """Return local transforms from the properties ``(m, n, 3)``.

        Parameters
        ----------
        scales
            Node → ``(n, 3)`` own scale, for all nodes of the scale chains.
        """
        translation, rotation = self.transforms.local(nodes, t, r, s)
        translation = translation * self.settings.unit_m
        if self.settings.mirrored:
            translation, rotation = translation * _FLIP, rotation * _FLIP_TURN
        roots = np.array([self.parents[node] < 0 for node in nodes], dtype=np.bool_)
        turn = self.turn
        if np.any(roots) and turn[3] != 1.0:
            translation[roots] = quat.rotate(turn, translation[roots])
            above = np.broadcast_to(turn, rotation[roots].shape)
            rotation[roots] = quat.multiply(above, rotation[roots])
        scale, helper = s.copy(), np.ones_like(s)
        for row, node in enumerate(map(int, nodes)):
            chain = self.scale_chain(node)
            if not chain:
                continue
            carried = np.prod([scales[above] for above in chain], axis=0)
            carried = np.where(np.abs(carried) < CRUSHED, CRUSHED, carried)
            componentwise = self.transforms.inherit[node] == RRSS
            if self.has_helper[node]:
                helper[row] = 1.0 / carried
                scale[row] = s[row] * carried if componentwise else s[row]
            elif not componentwise:
                scale[row] = s[row] / carried
        return Local(translation, rotation, scale, helper)

    @cached_property
    def turn(self) -> FloatArray:
        """``(4,)`` rotation of the roots from the file's axes to ours."""
        axes = self.settings.axes
        proper = axes * _FLIP if self.settings.mirrored else axes
        return quat.from_matrix(proper)

    @cached_property
    def rig_nodes(self) -> Nodes:
        """The rig's nodes in the rest pose."""
        local = self.at_rest
        count = len(self.models) + int(np.count_nonzero(self.has_helper))
        names = [""] * count
        children: list[tuple[int, ...]] = [()] * count
        translations, scales = np.zeros((count, 3)), np.ones((count, 3))
        rotations = np.tile(np.array(quat.IDENTITY), (count, 1))
        for i, node in enumerate(map(int, self.node_of)):
            names[node] = self.models[i].name
            children[node] = tuple(self.top_of(child) for child in self.children[i])
            rotations[node], scales[node] = local.rotation[i, 0], local.scale[i, 0]
            top = self.top_of(i)
            translations[top] = local.translation[i, 0]
            if top != node:
                names[top] = f"{self.models[i].name} (scale of its parent taken off)"
                children[top] = (node,)
                scales[top] = local.helper_scale[i, 0]
        return Nodes(tuple(names), tuple(children), translations, rotations, scales)

    @cached_property
    def rest_frames(self) -> FloatArray:
        """``(N, 4, 4)`` ``model_from_node`` in the rest pose."""
        nodes = self.rig_nodes
        nothing = (None,) * len(nodes)
        rig = Rig(nodes, nothing, nothing, ())
        frames: FloatArray = model_from_nodes(rig, rest_pose(rig))[self.node_of]
        return frames

    def top_of(self, number: int) -> int:
        """Return the rig's node that hangs on the parent: the helper, else the node."""
        return int(self.node_of[number]) - int(self.has_helper[number])


@dataclass(frozen=True, eq=False)
class Motion:
    """The local transforms of several nodes over time."""

    hierarchy: Hierarchy
    nodes: IntArray
    properties: tuple[Property, ...]
    chain: tuple[int, ...]
    chain_scale: Property

    def at(self, times: FloatArray) -> Local:
        """Return the transforms at ``(n,)`` times."""
        t, r, s = (one.at(times) for one in self.properties)
        scales = dict(zip(self.chain, self.chain_scale.at(times), strict=True))
        return self.hierarchy._local(self.nodes, t, r, s, scales)  # noqa: SLF001 - its other half


def _uniform(scale: FloatArray) -> bool:
    spread = np.max(scale, axis=-1) - np.min(scale, axis=-1)
    return bool(np.all(spread <= UNIFORM * np.max(np.abs(scale), axis=-1)))


def read_hierarchy(objects: Objects, settings: Settings, stacks: Sequence[Stack]) -> Hierarchy:
    """Read all nodes of a file."""
    models = tuple(objects.by_kind.get("Model", []))
    numbers = {model.key: i for i, model in enumerate(models)}
    parents = [-1] * len(models)
    children: list[list[int]] = [[] for _ in models]
    for i, model in enumerate(models):
        for key, name in objects.destinations(model.key):
            parent = numbers.get(key)
            if parent is not None and not name:
                children[parent].append(i)
                parents[i] = parent if parents[i] < 0 else parents[i]
    for i in _looped(parents):
        parents[i] = -1
    return Hierarchy(
        models,
        tuple(parents),
        tuple(map(tuple, children)),
        read_transforms(list(models)),
        settings,
        tuple(stacks),
    )


def _looped(parents: list[int]) -> list[int]:
    """Return where to cut loops: the lowest-numbered node of each, as `Nodes` cuts them."""
    state = [0] * len(parents)
    cut = []
    for start in range(len(parents)):
        path, node = [], start
        while node >= 0 and state[node] == 0:
            state[node] = 1
            path.append(node)
            node = parents[node]
        if node >= 0 and state[node] == 1:
            cut.append(min(path[path.index(node) :]))
        for visited in path:
            state[visited] = 2
    return cut
