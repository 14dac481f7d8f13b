"""The node tree that both encodings of FBX hold, with accessors that check what they hand out."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import extremes, of_type
from rigview.io.memory_budget import MemoryBudget
from rigview.io.reading import LARGEST_NUMBER, LoadError, Pulse, quoted

# What any file may decode to, and how much more for every byte it has. Arrays of real files grow
# tenfold; a deflated row of zeros grows a thousandfold.
_FLOOR = 192 << 20
_GROWTH = 40
# 64-bit integers hold no more.
_LARGEST = 2.0**63

Value = Any
# From version 7 on objects are numbered; before, a name with its class identifies them.
Key = int | str
# Key, subclass.
Identity = tuple[Key, str]
# What is connected to what, and the property where it is one.
Link = tuple[Key, Key, str]


class NodeNames(dict[bytes, str]):
    """The names of nodes as text; a file has few different ones."""

    def __missing__(self, raw: bytes) -> str:
        text = self[raw] = raw.decode("utf-8", "replace")
        return text


class FbxDocument(Protocol):
    """A file as its parser sees it."""

    path: Path
    version: int
    names: NodeNames
    allowance: MemoryBudget
    pulse: Pulse

    def place(self, offset: int) -> str:
        """Return where a byte stands, in words."""


def allowance(size: int) -> MemoryBudget:
    """Return what a file of `size` bytes may claim."""
    result = MemoryBudget(_FLOOR, _GROWTH)
    result.earn(size)
    return result


class Packed(ABC):
    """An array that is decoded when it is asked for; arrays of equal `raw` are equal."""

    __slots__ = ()
    raw: Any

    @abstractmethod
    def decode(self, node: "Node") -> NDArray[Any]:
        """Return the array; `node` names the place in an error."""


class Rows:
    """Nodes by their first value, a string; of equal ones the last."""

    def __init__(self, nodes: "dict[str, Node] | None" = None) -> None:
        self._nodes = nodes or {}

    def get(self, name: str) -> "Node | None":
        """Return the node of a name."""
        return self._nodes.get(name)

    def among(self, names: tuple[str, ...]) -> "list[tuple[str, Node]]":
        """Return (name, node) of the nodes that have one of some names."""
        return [(name, node) for name in names if (node := self.get(name)) is not None]


class Unpacked(Packed):
    """Numbers that the file states one by one."""

    __slots__ = ("raw",)

    def __init__(self, raw: tuple[float, ...]) -> None:
        self.raw = raw

    def decode(self, node: "Node") -> NDArray[Any]:
        """Return them as an array."""
        return _array(node, self.raw)


class Node(ABC):
    """A named node with values and children.

    Parameters
    ----------
    extent
        Where its parts are: the bytes of its name, where it starts, and what its encoding needs.
    """

    __slots__ = ("document", "extent")
    document: FbxDocument
    extent: Any

    @property
    def name(self) -> str:
        """Its name."""
        name: str = self.document.names[self.extent[0]]
        return name

    @property
    def offset(self) -> int:
        """The number of its first byte in the file."""
        offset: int = self.extent[1]
        return offset

    @property
    @abstractmethod
    def values(self) -> list[Value]:
        """Numbers, strings, bytes and packed arrays."""

    @property
    @abstractmethod
    def children(self) -> "Sequence[Node]":
        """The nodes inside."""

    def identity(self) -> Identity | None:
        """Return what the values say who an object is; None where they do not."""
        values = self.values
        if not values or not isinstance(values[0], int | str):
            return None
        return values[0], self._strings()[1]

    def link(self) -> Link | None:
        """Return the connection that the values state, if they state one."""
        values = self.values
        if len(values) < 3 or values[0] not in ("OO", "OP"):
            return None
        _, source, destination = values[:3]
        if not isinstance(source, int | str) or not isinstance(destination, int | str):
            return None
        name = values[3] if len(values) > 3 and isinstance(values[3], str) else ""
        return source, destination, name

    def label(self) -> str:
        """Return the name of an object with its class."""
        return self._strings()[0]

    def _strings(self) -> tuple[str, str]:
        texts = (value for value in self.values if isinstance(value, str))
        return next(texts, ""), next(texts, "")

    def by_first_string(self, name: str) -> Rows:
        """Return the nodes of a name inside by their first value, which is a string."""
        return Rows({node.text(): node for node in self.all(name)})

    def error(self, reason: str) -> LoadError:
        """Return the error that names this place."""
        where = self.document.place(self.offset)
        name = quoted(self.name)
        return LoadError(self.document.path, f"{name}, {where}" if name else where, reason)

    def child(self, name: str) -> "Node | None":
        """Return the first child of a name."""
        for node in self.children:
            if node.name == name:
                return node
        return None

    def need(self, name: str) -> "Node":
        """Return a child that must be there."""
        found = self.child(name)
        if found is None:
            raise self.error(f"{name} is missing")
        return found

    def all(self, name: str) -> "Iterator[Node]":
        """Yield the children of a name."""
        return (node for node in self.children if node.name == name)

    def value(self, index: int) -> Value | None:
        """Return one value, None where it is absent."""
        values = self.values
        return values[index] if index < len(values) else None

    def text(self, index: int = 0) -> str:
        """Return a value that is a string; empty where it is none or absent."""
        value = self.value(index)
        return value if isinstance(value, str) else ""

    def number(self, index: int = 0, default: float = 0.0) -> float:
        """Return a value that is a number, `default` where it is absent."""
        value = self.value(index)
        if value is None:
            return default
        if not isinstance(value, int | float):
            raise self.error("wanted a number")
        return as_float(value)

    def three(self, index: int, default: float) -> tuple[float, float, float]:
        """Return three values that are numbers."""
        x, y, z = (self.number(index + i, default) for i in range(3))
        return x, y, z

    def integer(self, index: int = 0, default: int = 0) -> int:
        """Return a value that is a whole number, `default` where it is absent."""
        value = self.value(index)
        if value is None:
            return default
        if isinstance(value, int | float) and abs(value) < _LARGEST:
            return int(value)
        raise self.error("wanted a whole number")

    def array(self) -> NDArray[Any]:
        """Return the array that the node holds, as the file types it; empty where it holds none."""
        values = self.values
        if len(values) == 1 and hasattr(values[0], "decode") and not isinstance(values[0], bytes):
            if isinstance(values[0], str):
                raise self.error("wanted an array")
            result: NDArray[Any] = values[0].decode(self)
            return result
        inner = self.child("a")
        if inner is not None:
            return inner.array()
        if any(not isinstance(value, int | float) for value in values):
            raise self.error("wanted numbers")
        return _array(self, values)

    def packed(self, names: Sequence[str]) -> "dict[str, Packed]":
        """Return name → array of the children of some names that hold one."""
        result: dict[str, Packed] = {}
        for child in (child for child in self.children if child.name in names):
            inner = child.child("a")
            values = (child if inner is None else inner).values
            if len(values) == 1 and isinstance(values[0], Packed):
                result[child.name] = values[0]
            elif values and all(isinstance(value, int | float) for value in values):
                result[child.name] = Unpacked(tuple(values))
        return result

    def floats(self) -> FloatArray:
        """Return the array as 64-bit floats; see `bounded`."""
        return bounded(self.array(), self.document.pulse)

    def integers(self) -> IntArray:
        """Return the array as 64-bit integers."""
        return as_integers(self, self.array())


def _array(node: Node, values: Sequence[float]) -> NDArray[Any]:
    result: NDArray[Any] = np.array(values)
    if values and result.dtype.kind not in "if":
        raise node.error("a number is too large")
    return result


def as_float(value: float) -> float:
    """Return a number as `bounded` returns those of an array; an int may have any number of digits."""
    return float(value) if abs(value) <= LARGEST_NUMBER else math.copysign(math.inf, value)


def bounded(array: NDArray[Any], pulse: Callable[[], None] = lambda: None) -> FloatArray:
    """Return an array as 64-bit floats; what no 32-bit float holds becomes infinite.

    All programs that show a rig compute with those; and products of such numbers stay finite.
    """
    result = of_type(array, np.float64, pulse)
    if are_bounded(result, pulse):
        return result
    too_large = np.abs(result) > LARGEST_NUMBER
    return np.where(too_large, np.copysign(np.inf, result), result)


def are_bounded(array: NDArray[Any], pulse: Callable[[], None]) -> bool:
    """Tell whether 32-bit floats can hold all of an array."""
    if not array.size:
        return True
    low, high = extremes(array, pulse)
    return bool(low >= -LARGEST_NUMBER and high <= LARGEST_NUMBER)


def all_finite(values: FloatArray, pulse: Callable[[], None]) -> bool:
    """Tell whether all of an array is finite: the largest and the smallest are."""
    return not values.size or bool(np.isfinite(extremes(values, pulse)).all())


def within(index: IntArray, count: int | IntArray, pulse: Callable[[], None]) -> bool:
    """Tell whether all numbers count from 0 to less than `count`, or each to less than its own."""
    if not isinstance(count, int):
        return bool((index.view(np.uint64) < count.view(np.uint64)).all())
    if not index.size:
        return True
    low, high = extremes(index, pulse)
    return bool(low >= 0 and high < count)


def as_integers(node: Node, array: NDArray[Any]) -> IntArray:
    """Return an array of `node` as 64-bit integers."""
    if array.dtype.kind == "f":
        if not np.all(np.abs(array) < _LARGEST):
            raise node.error("a number is too large for a whole one")
        return array.astype(np.int64)
    return of_type(array, np.int64, node.document.pulse)


def split_name(text: str) -> str:
    """Return the name of an object without its class: ``name␀␁Class``, or ``Class::name``."""
    if "\x00\x01" in text:
        return text.split("\x00\x01", 1)[0]
    return text.split("::", 1)[1] if "::" in text else text
