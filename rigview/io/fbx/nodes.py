"""Nodes that stand beside one another, and what is asked of all of them at once.

A file has thousands of objects, connections and curves. The binary encoding answers for all of them
together, see `records`; here is what any encoding can do, one node after the other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.fbx.blocks import paced
from rigview.io.fbx.tree import Identity, Key, Link, Node, Packed
from rigview.io.reading import LoadError

# (node, array of it) → the array in the type that is wanted.
Convert = Callable[[Node, NDArray[Any]], NDArray[Any]]


class Links(NamedTuple):
    """Connections, as columns."""

    sources: Sequence[Key] = ()
    destinations: Sequence[Key] = ()
    names: Sequence[str] = ()


class Identities(NamedTuple):
    """Who objects are, as columns: key, None where a node does not say it, and subclass."""

    keys: Sequence[Key | None] = ()
    sorts: Sequence[str] = ()

    @classmethod
    def of(cls, rows: Iterable[Identity | None]) -> "Identities":
        """Return columns of what nodes say one by one."""
        keys: list[Key | None] = []
        sorts: list[str] = []
        for row in rows:
            key, sort = row or (None, "")
            keys.append(key)
            sorts.append(sort)
        return cls(keys, sorts)


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different lengths, one after the other.

    Parameters
    ----------
    values
        ``(n,)``.
    lengths
        ``(k,)`` of the rows, which add up to n.
    """

    values: NDArray[Any]
    lengths: IntArray

    @cached_property
    def starts(self) -> IntArray:
        """``(k,)`` where the rows begin."""
        starts: IntArray = np.cumsum(self.lengths) - self.lengths
        return starts

    def row(self, number: int) -> NDArray[Any]:
        """Return one row."""
        start = self.starts[number]
        return self.values[start : start + self.lengths[number]]

    def places(self, numbers: Sequence[int]) -> IntArray:
        """Return ``(m, c)`` where the values of m rows of one length c are."""
        chosen = np.asarray(numbers, dtype=np.int64)
        places: IntArray = self.starts[chosen, None] + np.arange(self.lengths[chosen[0]])
        return places

    def rows(self, numbers: Sequence[int]) -> NDArray[Any]:
        """Return ``(m, c)`` the values of m rows, all of the length c."""
        return self.values[self.places(numbers)]

    def totals(self) -> IntArray:
        """Return ``(k,)`` the sums of rows of whole numbers, or how many are true."""
        sums = np.zeros(len(self.values) + 1, dtype=np.int64)
        np.cumsum(self.values, out=sums[1:])
        totals: IntArray = sums[self.starts + self.lengths] - sums[self.starts]
        return totals


class ArrayColumn:
    """An array of each of several nodes; some may have none."""

    def __init__(self, nodes: "FbxNodes", arrays: Sequence[Packed | None]) -> None:
        self._nodes, self._arrays = nodes, arrays

    @property
    def stated(self) -> BoolArray:
        """``(k,)`` whether a node has the array."""
        return np.array([array is not None for array in self._arrays], dtype=np.bool_)

    def joined(self, dtype: type, convert: Convert, of: BoolArray | None = None) -> Ragged:
        """Return all arrays, one after the other.

        Parameters
        ----------
        dtype
            What is taken as it is: everything else is converted.
        of
            ``(k,)`` the nodes whose arrays are wanted; the others have empty rows.
        """
        of = self.stated if of is None else self.stated & of
        lengths = np.zeros(len(of), dtype=np.int64)
        rows: list[NDArray[Any]] = [np.zeros(0, dtype)]
        different, which = self.distinct(dtype, convert, of)
        numbers = paced(np.flatnonzero(of).tolist(), self._nodes.pulse)
        for number, row in zip(numbers, which.tolist(), strict=True):
            rows.append(different[row])
            lengths[number] = len(rows[-1])
        return Ragged(np.concatenate(rows), lengths)

    def distinct(
        self, dtype: type, convert: Convert, of: BoolArray | None = None
    ) -> tuple[list[NDArray[Any]], IntArray]:
        """Return the different arrays, and which each of the nodes has."""
        (numbers,) = (self.stated if of is None else self.stated & of).nonzero()
        seen: dict[object, int] = {}
        rows: list[NDArray[Any]] = []
        which = []
        places = paced(numbers.tolist(), self._nodes.pulse)
        for number, raw in zip(places, self._raws(numbers), strict=True):
            row = seen.get(raw)
            if row is None:
                row = seen[raw] = len(rows)
                rows.append(self._decoded(number, dtype, convert))
            which.append(row)
        return rows, np.array(which, dtype=np.int64)

    def _decoded(self, number: int, dtype: type, convert: Convert) -> NDArray[Any]:
        node, array = self._nodes.node(number), self._array(number)
        result = array.decode(node)
        return result if result.dtype == dtype else convert(node, result)

    def _array(self, number: int) -> Packed:
        """Return the array of a node that has one."""
        array = self._arrays[number]
        if array is None:
            raise ValueError(f"node {number} has no such array")
        return array

    def _raws(self, numbers: IntArray) -> Sequence[object]:
        """Return what equal arrays have in common."""
        places = paced(numbers.tolist(), self._nodes.pulse)
        return [self._array(number).raw for number in places]


class FbxNodes(Sequence[Node]):
    """Nodes that stand beside one another."""

    def __init__(self, nodes: Sequence[Node] = ()) -> None:
        self._nodes = nodes

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> "FbxNodes": ...
    def __getitem__(self, index: int | slice) -> "Node | FbxNodes":
        if isinstance(index, slice):
            return self.chosen(range(len(self))[index])
        return self.node(range(len(self))[index])

    def __iter__(self) -> Iterator[Node]:
        return map(self.node, range(len(self)))

    def node(self, number: int) -> Node:
        """Return one of the nodes."""
        return self._nodes[number]

    def chosen(self, numbers: Sequence[int] | IntArray) -> "FbxNodes":
        """Return some of the nodes."""
        rows: list[int] = np.asarray(numbers, dtype=np.int64).tolist()
        return FbxNodes([self.node(number) for number in paced(rows, self.pulse)])

    def pulse(self) -> None:
        """Tell whoever waits for the file that work goes on."""
        if self:
            self.node(0).document.pulse()

    def error(self, reason: str) -> LoadError:
        """Return the error that names the place of the first of them."""
        return self.node(0).error(reason)

    def names(self) -> list[str]:
        """Return the names of all nodes."""
        return [node.name for node in paced(self, self.pulse)]

    def identities(self) -> Identities:
        """Return what their values say who they are."""
        return Identities.of(node.identity() for node in paced(self, self.pulse))

    def labels(self) -> list[str]:
        """Return the names of objects with their classes."""
        return [node.label() for node in paced(self, self.pulse)]

    def links(self) -> Links:
        """Return the connections that they state."""
        return as_links(node.link() for node in paced(self, self.pulse))

    def stated(self, block: str, row: str, names: Sequence[str]) -> "StatedRows":
        """Return the rows of a block inside that begin with one of some names, a string.

        Parameters
        ----------
        block, row
            Names of the block and of its rows.
        """
        place = {name: number for number, name in enumerate(names)}
        found = [
            (number, place[name], node)
            for number in paced(range(len(self)), self.pulse)
            if (stated := self.node(number).child(block)) is not None
            for name, node in stated.by_first_string(row).among(tuple(names))
        ]
        owners, which, nodes = zip(*found, strict=True) if found else ((), (), ())
        return StatedRows(
            np.array(owners, dtype=np.int64), np.array(which, dtype=np.int64), FbxNodes(nodes)
        )

    def threes(self, index: int, defaults: FloatArray) -> FloatArray:
        """Return ``(n, 3)`` three values of each node; ``(n,)`` defaults where they are absent."""
        rows = [node.three(index, d) for node, d in zip(self, defaults.tolist(), strict=True)]
        return np.array(rows, dtype=np.float64).reshape(-1, 3)

    def wholes(self, index: int) -> IntArray:
        """Return ``(n,)`` a value of each node that is a whole number, 0 where it is absent."""
        return np.array([node.integer(index) for node in self], dtype=np.int64)

    def numbers(self, index: int) -> FloatArray:
        """Return ``(n,)`` a value of each node that is a number, 0 where it is absent."""
        return np.array([node.number(index) for node in self], dtype=np.float64)

    def columns(self, names: Sequence[str]) -> dict[str, ArrayColumn]:
        """Return name → the arrays inside of that name."""
        rows = [node.packed(names) for node in paced(self, self.pulse)]
        return {
            name: ArrayColumn(self, [row.get(name) for row in paced(rows, self.pulse)])
            for name in names
        }

    def mention(self, ending: str) -> bool:
        """Tell whether any node may have one inside whose name ends so."""
        nodes = paced(self, self.pulse)
        return any(child.name.endswith(ending) for node in nodes for child in node.children)


@dataclass(frozen=True, eq=False)
class StatedRows:
    """Rows that some of n nodes have inside, in the file's order.

    Parameters
    ----------
    owners
        ``(m,)`` numbers of the nodes.
    which
        ``(m,)`` numbers of the names that the rows begin with.
    rows
        The m rows.
    """

    owners: IntArray
    which: IntArray
    rows: FbxNodes

    @classmethod
    def none(cls) -> "StatedRows":
        """Return no rows."""
        return cls(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), FbxNodes())


def inside(node: Node | None) -> FbxNodes:
    """Return the nodes inside of one; none where it is absent."""
    children = () if node is None else node.children
    return children if isinstance(children, FbxNodes) else FbxNodes(children)


def as_links(rows: Iterable[Link | None]) -> Links:
    """Return connections as columns."""
    sources: list[Key] = []
    destinations: list[Key] = []
    names: list[str] = []
    for row in rows:
        if row is not None:
            source, destination, name = row
            sources.append(source)
            destinations.append(destination)
            names.append(name)
    return Links(sources, destinations, names)
