"""The visual scene: nodes with their local transforms, and what is instanced on each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

import numpy as np

from rigview.core.materials import Unread
from rigview.core.nodes import Nodes
from rigview.io.collada.elements import child, children, tag, title, words
from rigview.io.collada.transforms import operations, parent_from_node
from rigview.io.collada.tree import ColladaDocument
from rigview.io.reading import quoted
from rigview.io.rest import nodes_of

# What <instance_node> multiplies a few lines to; no rig has more nodes.
_MOST_NODES = 1 << 17
INSTANCES = ("instance_geometry", "instance_controller")


@dataclass(eq=False)
class ColladaScene:
    """Nodes in the order of the file, depth first.

    Parameters
    ----------
    elements
        Per node its <node>; None of a node that was made to hold a further instance.
    instances
        Per node its <instance_geometry> or <instance_controller>, if any.
    unread
        The instanced nodes that the file does not have.
    """

    elements: list[Element | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    instances: list[Element | None] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    _made: dict[Element, list[int]] = field(default_factory=dict)

    def add(self, element: Element | None, name: str, parent: int) -> int:
        """Add a node; return its number."""
        self.elements.append(element)
        self.names.append(name)
        self.parents.append(parent)
        self.instances.append(None)
        if element is not None:
            self._made.setdefault(element, []).append(len(self.names) - 1)
        return len(self.names) - 1

    def below(self, document: ColladaDocument, element: Element) -> list[Element]:
        """Return the nodes in and instanced in a node; what the file lacks is left out."""
        found = []
        for inner in children(element, "node", "instance_node"):
            url = document.dangling(inner)
            if inner in document.copies:
                continue
            if tag(inner) == "node":
                found.append(inner)
            elif url is None:
                found.append(document.target(inner, "url", "node"))
            else:
                self.unread.append(Unread("<instance_node>", f"{quoted(url)} is not in the file"))
        return found

    def numbers(self, element: Element) -> list[int]:
        """Return the nodes that were made of an element."""
        return self._made.get(element, [])


def read_scene(document: ColladaDocument) -> ColladaScene:
    """Lay out the scene that the file shows, else its first one; none of a file without any."""
    scene = ColladaScene()
    stack = [(element, -1, 0) for element in reversed(_top(document))]
    while stack:
        element, parent, depth = stack.pop()
        if len(scene.names) >= _MOST_NODES or depth > _MOST_NODES:
            raise document.error(element, f"the scene has more than {_MOST_NODES:,} nodes")
        number = scene.add(element, title(element), parent)
        for i, instance in enumerate(children(element, *INSTANCES)):
            holder = number if i == 0 else scene.add(None, f"{scene.names[number]}_{i}", number)
            scene.instances[holder] = instance
        below = scene.below(document, element)
        stack += [(e, number, depth + 1) for e in reversed(below)]
    return scene


def invisible(scene: ColladaScene) -> Iterator[int]:
    """Yield the nodes that Autodesk's FBX SDK states to be invisible; Collada has no word for it."""
    for number, element in enumerate(scene.elements):
        for technique in children(child(element, "extra"), "technique"):
            stated = words(child(technique, "visibility"))
            if technique.get("profile") == "FCOLLADA" and stated.strip("0.") == "" != stated:
                yield number


def shown_scene(document: ColladaDocument) -> Element | None:
    """Return the scene that the file shows, else its first one."""
    shown = child(document.root, "scene", "instance_visual_scene")
    found = None if shown is None else document.find(shown.get("url"), "visual_scene")
    return child(document.root, "library_visual_scenes", "visual_scene") if found is None else found


def _top(document: ColladaDocument) -> list[Element]:
    top = children(shown_scene(document), "node")
    return [element for element in top if element not in document.copies]


def read_nodes(document: ColladaDocument, scene: ColladaScene) -> Nodes:
    """Return the nodes' hierarchy and rest transforms, in the file's unit and axes."""
    local = np.tile(np.eye(4), (len(scene.names), 1, 1))
    for number, element in enumerate(scene.elements):
        if element is not None and operations(element):
            local[number] = parent_from_node(document, element, {})
    return nodes_of(scene.names, scene.parents, local)
