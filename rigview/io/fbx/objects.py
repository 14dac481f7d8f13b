"""Objects, their properties, and how they are connected."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from rigview.core.arrays import FloatArray
from rigview.io.fbx.tree import Key, Node, Rows, bounded, split_name

ROOTS: tuple[Key, ...] = (0, "Model::Scene", "Scene\x00\x01Model")

_NO_ROWS = Rows()
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
# Kind of object → the properties of its template.
Defaults = dict[str, Properties]


class Element:
    """An object of the file.

    Parameters
    ----------
    kind, sort
        Its class and subclass as the file names them: ``Deformer``, ``Skin``.
    defaults
        The properties of the template of its kind.
    """

    __slots__ = ("_properties", "defaults", "key", "kind", "name", "node", "sort")

    def __init__(self, node: Node, key: Key, name: str, sort: str, defaults: Properties) -> None:
        self.node, self.key, self.name, self.sort = node, key, name, sort
        self.kind = node.name
        self._properties: Properties | None = None
        self.defaults = defaults

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


T = TypeVar("T")


def properties(
    elements: Sequence[Element], defaults: dict[str, T], read: Callable[[Node, int, T], T]
) -> list[list[T]]:
    """Return some properties of many objects, each as it or the template of its kind states it.

    Parameters
    ----------
    defaults
        Name → what an object has where neither states it.
    read
        (node, number of the first value, default) → value.
    """
    names = tuple(defaults)
    place = {name: i for i, name in enumerate(names)}

    def with_stated(stated: Properties, row: list[T]) -> list[T]:
        for name, node, at in stated.among(names):
            row[place[name]] = read(node, at, defaults[name])
        return row

    templates: dict[Properties, list[T]] = {}
    result = []
    for element in elements:
        template = templates.get(element.defaults)
        if template is None:
            template = with_stated(element.defaults, list(defaults.values()))
            templates[element.defaults] = template
        result.append(with_stated(element.properties, template.copy()))
    return result


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
            node.document.pulse()
            identity = node.identity()
            if identity is not None and identity[0] not in self.elements:
                key, name, sort = identity
                templated = defaults.get(node.name, NO_PROPERTIES)
                element = Element(node, key, split_name(name), sort.removeprefix("Fbx"), templated)
                self.elements[key] = element
                self.by_kind.setdefault(node.name, []).append(element)
        self._sources: dict[Key, list[tuple[Key, str]]] = {}
        self._destinations: dict[Key, list[tuple[Key, str]]] = {}
        block = root.child("Connections")
        for _, source, destination, name in () if block is None else block.links():
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


def _defaults(definitions: Node | None) -> Defaults:
    """Return the properties of the first template of every kind."""
    result: Defaults = {}
    for kind in () if definitions is None else definitions.all("ObjectType"):
        template = kind.child("PropertyTemplate")
        if template is not None:
            result.setdefault(kind.text(), Properties(template))
    return result


def matrices(nodes: Sequence[Node]) -> FloatArray:
    """Return the ``(n, 4, 4)`` matrices of nodes, which act on column vectors.

    The file lists them column by column.
    """
    rows = [node.array() for node in nodes]
    for node, row in zip(nodes, rows, strict=True):
        if len(row) != 16:
            raise node.error(f"a matrix has 16 numbers, not {len(row)}")
    values = bounded(np.array(rows))
    finite = np.all(np.isfinite(values), axis=1)
    if not np.all(finite):
        raise nodes[int(np.argmin(finite))].error("the matrix is not finite")
    result: FloatArray = values.reshape(-1, 4, 4).swapaxes(1, 2).copy()
    result[:, 3] = (0.0, 0.0, 0.0, 1.0)
    return result
