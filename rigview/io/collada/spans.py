"""Where elements stand in the bytes of a Collada file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element
from xml.parsers import expat

from rigview.io.reading import SaveError

_TAG = re.compile(rb"<[^\s/>]+(?:\s+[^\s=>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>")
# Encodings in which ASCII is itself.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")


@dataclass(frozen=True)
class Span:
    """The start tag of an element, and the text behind it up to its end tag."""

    start: int
    text: int
    end: int


class Text:
    """The bytes of a file, changed span by span.

    Parameters
    ----------
    order
        All elements in the order of their start tags.
    """

    def __init__(self, data: bytes, order: Sequence[Element]) -> None:
        if data.startswith(_WIDE):
            raise SaveError("the file is in UTF-16, which is not amended; glTF can hold the rig")
        self._data = data
        self._spans = dict(zip(order, _spans(data), strict=True))
        self._changes: dict[tuple[int, int], bytes] = {}

    def text(self, element: Element) -> bytes:
        """Return the text of an element that has no other elements in it.

        Raises
        ------
        SaveError
            If there is a comment in it.
        """
        span = self._spans[element]
        found = self._data[span.text : span.end]
        if b"<" in found:
            raise SaveError(
                "a comment stands among numbers, which are not amended; glTF can hold the rig"
            )
        return found

    def set_text(self, element: Element, text: bytes) -> None:
        """Replace the text of an element."""
        self.text(element)
        span = self._spans[element]
        if span.text == span.end:
            raise SaveError("an element that is empty is not amended; glTF can hold the rig")
        self._changes[span.text, span.end] = text

    def set_attribute(self, element: Element, name: str, value: str) -> None:
        """Replace an attribute, or add one."""
        span = self._spans[element]
        head = self._data[span.start : span.text]
        pattern = re.compile(rb"\s" + name.encode() + rb"\s*=\s*(\"[^\"]*\"|'[^']*')")
        escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        found = pattern.search(head)
        content = f'"{escaped}"'.encode()
        if found is not None:
            at = span.start + found.start(1), span.start + found.end(1)
            self._changes[at] = content
            return
        behind = span.text - (2 if head.endswith(b"/>") else 1)
        self._changes[behind, behind] = f" {name}=".encode() + content

    def changed(self) -> bytes:
        """Return the file with all changes made."""
        parts, at = [], 0
        for (start, end), content in sorted(self._changes.items()):
            parts += [self._data[at:start], content]
            at = end
        return b"".join([*parts, self._data[at:]])


def _spans(data: bytes) -> list[Span]:
    parser = expat.ParserCreate()
    starts: list[int] = []
    ends: dict[int, int] = {}
    open_: list[int] = []

    def start(_name: str, _attributes: dict[str, str]) -> None:
        open_.append(len(starts))
        starts.append(parser.CurrentByteIndex)

    def end(_name: str) -> None:
        ends[open_.pop()] = parser.CurrentByteIndex

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(data, True)
    spans = []
    for number, at in enumerate(starts):
        found = _TAG.match(data, at)
        if found is None:
            raise SaveError("a tag of the XML is written in an unusual way; glTF can hold the rig")
        behind = found.end()
        spans.append(Span(at, behind, max(behind, ends[number])))
    return spans
