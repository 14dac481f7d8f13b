"""Elements of XML whatever their namespace: their names, children and texts."""

from xml.etree.ElementTree import Element


def tag(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def children(element: Element | None, *names: str) -> list[Element]:
    """Return the children of the given names, in order; none of no element."""
    return [] if element is None else [child for child in element if tag(child) in names]


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first child of a name, its first child of the next name, and so on, or None."""
    for name in path:
        element = next(iter(children(element, name)), None)
    return element


def words(element: Element | None) -> str:
    """Return an element's text without the white space around it; empty of no element."""
    return "" if element is None or element.text is None else element.text.strip()


def title(element: Element) -> str:
    """Return what people call an element: its name, else its id; empty without either."""
    return element.get("name") or element.get("id") or ""
