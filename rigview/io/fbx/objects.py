"""Objects, their properties, and how they are connected."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.fbx.binary import BinaryNode, Rows
from rigview.io.fbx.tree import Node, Value, split_name

# From version 7 on objects are numbered; before, a name with its class identifies them.
Key = int | str
ROOTS: tuple[Key, ...] = (0, "Model::Scene", "Scene\x00\x01Model")

# A name of a property block → name of its rows, number of the first value in a row.
_BLOCKS = {"Properties70": ("P", 4), "Properties60": ("Property", 3)}


class Properties:
    """The properties that a node states, by name."""

    def __init__(self, node: Node | None = None) -> None:
        self._rows: Rows | dict[str, Node] = {}
        self._first = 0
        for name, (row, first) in _BLOCKS.items():
            block = None if node is None else node.child(name)
            if block is not None:
                self._first = first
                if isinstance(block, BinaryNode):
                    self._rows = block.by_first_string(row.encode())
                else:
                    self._rows = {place.text(): place for place in block.all(row)}

    def get(self, name: str) -> tuple[Node, int] | None:
        """Return (node, number of the first value) of a property, or None where it is not stated."""
        found = self._rows.get(name)
        return None if found is None else (found, self._first)


_NO_PROPERTIES = Properties()
# Kind of object → the properties of its template.
Defaults = dict[str, Properties]


class Element:
    """An object of the file.

    Parameters
    ----------
    kind, sort
        Its class and subclass as the file names them: ``Deformer``, ``Skin``.
    """

    def __init__(self, node: Node, key: Key, name: str, sort: str, defaults: Defaults) -> None:
        self.node, self.key, self.name, self.sort = node, key, name, sort
        self.kind = node.name
        self._defaults = defaults

    @cached_property
    def properties(self) -> Properties:
        """What the object states itself."""
        return Properties(self.node)

    def _find(self, name: str) -> tuple[Node, int] | None:
        found = self.properties.get(name)
        return self._defaults.get(self.kind, _NO_PROPERTIES).get(name) if found is None else found

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


class Objects:
    """All objects of a file.

    A connection joins a source to a destination: a child to its parent, a cluster to its skin, a
    curve to the property that it animates.
    """

    def __init__(self, root: Node) -> None:
        defaults = _defaults(root.child("Definitions"))
        self.elements: dict[Key, Element] = {}
        self.by_kind: dict[str, list[Element]] = {}
        block = root.child("Objects")
        for node in () if block is None else block.children:
            element = _element(node, defaults)
            if element is not None and self.elements.setdefault(element.key, element) is element:
                self.by_kind.setdefault(element.kind, []).append(element)
        self._sources: dict[Key, list[tuple[Key, str]]] = {}
        self._destinations: dict[Key, list[tuple[Key, str]]] = {}
        block = root.child("Connections")
        for values in () if block is None else block.rows():
            self._connect(values)

    def _connect(self, values: list[Value]) -> None:
        if len(values) < 3 or values[0] not in ("OO", "OP"):
            return
        source, destination = values[1], values[2]
        if not isinstance(source, int | str) or not isinstance(destination, int | str):
            return
        name = values[3] if len(values) > 3 and isinstance(values[3], str) else ""
        self._sources.setdefault(destination, []).append((source, name))
        self._destinations.setdefault(source, []).append((destination, name))

    def sources(self, key: Key, kind: str, sort: str = "") -> list[Element]:
        """Return the objects of a kind that are connected to an object, in the file's order."""
        return [
            element
            for source, _ in self._sources.get(key, ())
            if (element := self.elements.get(source)) is not None
            and element.kind == kind
            and (not sort or element.sort == sort)
        ]

    def property_sources(self, key: Key, kind: str) -> Iterator[tuple[str, Element]]:
        """Yield (property, object) for the objects of a kind connected to an object's properties."""
        for source, name in self._sources.get(key, ()):
            element = self.elements.get(source)
            if element is not None and element.kind == kind:
                yield name, element

    def destinations(self, key: Key) -> list[tuple[Key, str]]:
        """Return (object, property) for everything that an object is connected to."""
        return self._destinations.get(key, [])


def _element(node: Node, defaults: Defaults) -> Element | None:
    values = node.values
    if not values:
        return None
    strings = [value for value in values if isinstance(value, str)]
    sort = strings[1] if len(strings) > 1 else ""
    sort = sort.removeprefix("Fbx")
    if isinstance(values[0], int):
        return Element(node, values[0], split_name(strings[0]) if strings else "", sort, defaults)
    if isinstance(values[0], str):
        return Element(node, values[0], split_name(values[0]), sort, defaults)
    return None


def _defaults(definitions: Node | None) -> Defaults:
    """Return the properties of the first template of every kind."""
    result: Defaults = {}
    for kind in () if definitions is None else definitions.all("ObjectType"):
        template = kind.child("PropertyTemplate")
        if template is not None:
            result.setdefault(kind.text(), Properties(template))
    return result


def matrix(node: Node | None) -> FloatArray | None:
    """Return a ``(4, 4)`` matrix that acts on column vectors, or None where there is none.

    The file lists it column by column.
    """
    if node is None:
        return None
    values = node.floats()
    if len(values) != 16:
        raise node.error(f"a matrix has 16 numbers, not {len(values)}")
    if not np.all(np.isfinite(values)):
        raise node.error("the matrix is not finite")
    result: FloatArray = values.reshape(4, 4).T.copy()
    result[3] = (0.0, 0.0, 0.0, 1.0)
    return result
