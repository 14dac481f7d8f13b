"""Objects, their properties, and how they are connected."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import CACHED, batches, blocks, in_one, paced
from rigview.io.fbx.nodes import FbxNodes, StatedRows, inside
from rigview.io.fbx.tree import Key, Link, Node, Rows, bounded, split_name

_NO_ROWS = Rows()
# What some programs write before a subclass.
_PREFIX = "Fbx"
# A name of a property block → name of its rows, number of the first value in a row.
_BLOCKS = {"Properties70": ("P", 4), "Properties60": ("Property", 3)}


class Properties:
    """The properties that a node states, by name; read when the first of them is asked for."""

    __slots__ = ("_first", "_node", "_rows")

    def __init__(self, node: Node | None = None) -> None:
        self._node, self._rows, self._first = node, _NO_ROWS, 0

    def get(self, name: str) -> tuple[Node, int] | None:
        """Return (node, number of the first value) of a property, or None where it is not stated."""
        if self._node is not None:
            self._read(self._node)
        found = self._rows.get(name)
        return None if found is None else (found, self._first)

    def among(self, names: tuple[str, ...]) -> list[tuple[str, Node, int]]:
        """Return (name, node, number of the first value) of those properties that are stated."""
        if self._node is not None:
            self._read(self._node)
        return [(name, node, self._first) for name, node in self._rows.among(names)]

    def _read(self, node: Node) -> None:
        self._node = None
        for name, (row, first) in _BLOCKS.items():
            block = node.child(name)
            if block is not None:
                self._rows, self._first = block.by_first_string(row), first
                return


NO_PROPERTIES = Properties()


class Element:
    """An object of the file.

    Parameters
    ----------
    sort
        Its subclass as the file names it: ``Skin`` of a ``Deformer``.
    defaults
        The properties of the template of its kind.
    """

    __slots__ = ("_properties", "defaults", "key", "node", "sort")

    def __init__(
        self, node: Node, key: Key = "", sort: str = "", defaults: Properties = NO_PROPERTIES
    ) -> None:
        self.node, self.key, self.sort, self.defaults = node, key, sort, defaults
        self._properties: Properties | None = None

    @property
    def name(self) -> str:
        """Its name without the class."""
        return split_name(self.node.label())

    @property
    def properties(self) -> Properties:
        """What the object states itself."""
        if self._properties is None:
            self._properties = Properties(self.node)
        return self._properties

    def _find(self, name: str) -> tuple[Node, int] | None:
        return self.properties.get(name) or self.defaults.get(name)

    def states(self, name: str) -> bool:
        """Tell whether the object or the template of its kind has a property."""
        return self._find(name) is not None

    def number(self, name: str, default: float) -> float:
        """Return a property that is a number."""
        found = self._find(name)
        return default if found is None else found[0].number(found[1], default)

    def integer(self, name: str, default: int) -> int:
        """Return a property that is a whole number."""
        found = self._find(name)
        return default if found is None else found[0].integer(found[1], default)

    def text(self, name: str) -> str:
        """Return a property that is a string; empty where it is absent."""
        found = self._find(name)
        return "" if found is None else found[0].text(found[1])

    def vector(self, name: str, default: float) -> tuple[float, float, float]:
        """Return a property of three numbers."""
        found = self._find(name)
        if found is None:
            return default, default, default
        node, at = found
        return node.three(at, default)


@dataclass(frozen=True, eq=False)
class Kind:
    """The objects of a kind, of which there may be thousands.

    Parameters
    ----------
    defaults
        The properties of the template of the kind.
    """

    keys: Sequence[Key]
    nodes: FbxNodes
    defaults: Properties

    def names(self) -> tuple[str, ...]:
        """Return the names of the objects without the class."""
        return tuple(map(split_name, paced(self.nodes.labels(), self.nodes.pulse)))

    def stated(
        self, vectors: dict[str, float], wholes: dict[str, int], numbers: dict[str, float]
    ) -> tuple[FloatArray, IntArray, FloatArray]:
        """Return properties as the objects or the template of their kind state them.

        Parameters
        ----------
        vectors, wholes, numbers
            Name → default of properties that are three numbers, a whole one, or any one.

        Returns
        -------
        ``(v, n, 3)`` vectors, ``(w, n)`` whole numbers and ``(m, n)`` numbers.
        """
        names, pulse = (*vectors, *wholes, *numbers), self.nodes.pulse
        threes = {name: (default,) * 3 for name, default in vectors.items()}
        ones, others = dict(wholes), dict(numbers)
        for name, node, at in self.defaults.among(names):
            if name in vectors:
                threes[name] = node.three(at, vectors[name])
            elif name in wholes:
                ones[name] = node.integer(at)
            else:
                others[name] = node.number(at)
        count = len(self.keys)
        three = np.zeros((len(vectors), count, 3))
        one = np.zeros((len(wholes), count), dtype=np.int64)
        other = np.zeros((len(numbers), count))
        for some in blocks(count, pulse, CACHED):
            three[:, some] = np.array([*threes.values()])[:, None]
            one[:, some] = np.array([*ones.values()])[:, None]
            other[:, some] = np.array([*others.values()])[:, None]
        found, at = self._stated(names)
        pulse()
        first = 0
        for result in (three, one, other):
            last = first + len(result)
            (chosen,) = ((found.which >= first) & (found.which < last)).nonzero()
            for some in blocks(len(chosen), pulse):
                row = chosen[some]
                rows, which = found.rows.chosen(row), found.which[row] - first
                values: NDArray[Any]
                if result is three:
                    values = rows.threes(at, np.array([*vectors.values()])[which])
                else:
                    values = rows.wholes(at) if result is one else rows.numbers(at)
                result[which, found.owners[row]] = values
                pulse()
            first = last
        return three, one, other

    def _stated(self, names: Sequence[str]) -> tuple[StatedRows, int]:
        """Return what objects state themselves, and the number of the first value in a row."""
        found = ((self.nodes.stated(b, row, names), at) for b, (row, at) in _BLOCKS.items())
        return next((row for row in found if len(row[0].owners)), (StatedRows.none(), 0))


class Objects:
    """All objects of a file.

    A connection joins a source to a destination: a child to its parent, a cluster to its skin, a
    curve to the property that it animates. Most objects are looked at together with others of their
    kind or not at all: each is made an `Element` when it is first asked for.
    """

    def __init__(self, root: Node) -> None:
        self.pulse = pulse = root.document.pulse
        self._defaults = _Defaults(root.child("Definitions"), pulse)
        self._nodes = inside(root.child("Objects"))
        self._kinds = kinds = self._nodes.names()
        keys, self._sorts = self._nodes.identities()
        self._numbers = _first_places(keys, pulse)
        self._by_kind = by_kind = defaultdict[str, list[Key]](list)
        for key, number in paced(list(self._numbers.items()), pulse):
            by_kind[kinds[number]].append(key)
        self._elements: dict[Key, Element] = {}
        self._links = inside(root.child("Connections")).links()
        # Of objects of a kind; of many kinds nobody asks what they are connected to.
        self._links_of = links_of = defaultdict[str, list[int]](list)
        for link, source in enumerate(map(self._numbers.get, paced(self._links.sources, pulse))):
            if source is not None:
                links_of[kinds[source]].append(link)
        self._links_from = _ByKind(links_of, self._links.sources, pulse)
        self._links_to = _ByKind(links_of, self._links.destinations, pulse)

    def of_kind(self, kind: str) -> list[Element]:
        """Return the objects of a kind in the file's order."""
        return [self.element(key) for key in paced(self._by_kind[kind], self.pulse)]

    def sorts(self, kind: str) -> dict[Key, str]:
        """Return object → subclass for the objects of a kind in the file's order."""
        keys, sorts = paced(self._by_kind[kind], self.pulse), self._sorts
        return {key: sorts[self._numbers[key]].removeprefix(_PREFIX) for key in keys}

    def kind(self, kind: str) -> Kind:
        """Return all objects of a kind together."""
        keys = self._by_kind[kind]
        numbers = [self._numbers[key] for key in paced(keys, self.pulse)]
        return Kind(keys, self._nodes.chosen(numbers), self._defaults[kind])

    def sources(self, key: Key, kind: str, sort: str = "") -> list[Element]:
        """Return the objects of a kind that are connected to an object, in the file's order."""
        found = [self.element(source) for source in paced(self.source_keys(key, kind), self.pulse)]
        return [element for element in found if element.sort == sort] if sort else found

    def source_keys(self, key: Key, kind: str) -> list[Key]:
        """Return who the objects of a kind are that are connected to an object."""
        sources = self._links.sources
        return [sources[link] for link in self._links_to[kind].get(key, ())]

    def property_sources(self, key: Key, kind: str) -> dict[str, Key]:
        """Return property → object, for the objects of a kind connected to an object's properties."""
        sources, _, names = self._links
        return {names[link]: sources[link] for link in self._links_to[kind].get(key, ())}

    def element(self, key: Key) -> Element:
        """Return an object that exists."""
        element = self._elements.get(key)
        if element is None:
            number = self._numbers[key]
            defaults = self._defaults[self._kinds[number]]
            sort = self._sorts[number].removeprefix(_PREFIX)
            element = self._elements[key] = Element(self._nodes.node(number), key, sort, defaults)
        return element

    def find(self, key: Key, kind: str) -> Element | None:
        """Return an object, None where there is none of a kind."""
        number = self._numbers.get(key)
        return None if number is None or self._kinds[number] != kind else self.element(key)

    def links_of(self, kind: str) -> Iterator[Link]:
        """Yield what connects the objects of a kind to anything, in the file's order."""
        sources, destinations, names = self._links
        for link in paced(self._links_of[kind], self.pulse):
            yield sources[link], destinations[link], names[link]

    def destinations(self, key: Key, kind: str) -> list[tuple[Key, str]]:
        """Return (object, property) for everything that an object of a kind is connected to."""
        _, destinations, names = self._links
        links = paced(self._links_from[kind].get(key, ()), self.pulse)
        return [(destinations[link], names[link]) for link in links]


class _Defaults(dict[str, Properties]):
    """Kind → the properties of its first template; looked for when the kind is asked for."""

    def __init__(self, definitions: Node | None, pulse: Callable[[], None]) -> None:
        super().__init__()
        self._types = defaultdict[str, list[Node]](list)
        self._pulse = pulse
        types = () if definitions is None else definitions.all("ObjectType")
        for node in paced(list(types), pulse):
            self._types[node.text()].append(node)

    def __missing__(self, kind: str) -> Properties:
        types = paced(self._types[kind], self._pulse)
        templates = (node.child("PropertyTemplate") for node in types)
        first = next((template for template in templates if template is not None), None)
        self[kind] = NO_PROPERTIES if first is None else Properties(first)
        return self[kind]


class _ByKind(dict[str, dict[Key, list[int]]]):
    """Kind of the source → object → links that name it; made for a kind when it is asked for."""

    def __init__(
        self, links: dict[str, list[int]], keys: Sequence[Key], pulse: Callable[[], None]
    ) -> None:
        super().__init__()
        self._links, self._keys, self._pulse = links, keys, pulse

    def __missing__(self, kind: str) -> dict[Key, list[int]]:
        found, keys = defaultdict[Key, list[int]](list), self._keys
        for link in paced(self._links.get(kind, ()), self._pulse):
            found[keys[link]].append(link)
        self[kind] = found
        return found


def _first_places(keys: Sequence[Key | None], pulse: Callable[[], None]) -> dict[Key, int]:
    """Return key → where it stands first, in order; None is no key."""
    places = {key: n for n, key in enumerate(paced(keys, pulse)) if key is not None}
    if len(places) == len(keys):
        return places
    result: dict[Key, int] = {}
    for number, key in enumerate(paced(keys, pulse)):
        if key is not None:
            result.setdefault(key, number)
    return result


def matrices(nodes: Sequence[Node]) -> FloatArray:
    """Return the ``(n, 4, 4)`` matrices of nodes, which act on column vectors.

    The file lists them column by column.
    """
    values = in_one([_sixteens(some) for some in batches(nodes, nodes[0].document.pulse)])
    finite = np.isfinite(values).all(axis=1)
    if not finite.all():
        raise nodes[int(np.argmin(finite))].error("the matrix is not finite")
    result: FloatArray = values.reshape(-1, 4, 4).swapaxes(1, 2).copy()
    result[:, 3] = (0.0, 0.0, 0.0, 1.0)
    return result


def _sixteens(nodes: Sequence[Node]) -> FloatArray:
    """Return ``(n, 16)`` the sixteen numbers that each of n nodes holds."""
    rows = [node.array() for node in nodes]
    for node, row in zip(nodes, rows, strict=True):
        if len(row) != 16:
            raise node.error(f"a matrix has 16 numbers, not {len(row)}")
    return bounded(np.array(rows))
