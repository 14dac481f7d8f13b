"""Where elements stand in the bytes of a Collada file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element
from xml.parsers import expat

from rigview.io.reading import SaveError

_TAG = re.compile(rb"<[^\s/>]+(?:\s+[^\s=>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>")
_DIGITS = 12
# Encodings in which ASCII is itself.
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")


@dataclass(frozen=True)
class Span:
    """The start tag of an element, the text behind it up to its end tag, and the end of that."""

    start: int
    text: int
    end: int
    whole: int


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
        # Byte of an end tag → the elements that are put before it.
        self._added: dict[int, list[Span]] = {}

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

    def replace(self, element: Element, content: bytes) -> None:
        """Replace an element with its tags."""
        span = self._spans[element]
        self._changes[span.start, span.whole] = content

    def put_first(self, element: Element, content: bytes) -> None:
        """Put something in front of all that is in an element."""
        span = self._spans[element]
        self._expect_open(span)
        self._changes[span.text, span.text] = content

    def move(self, element: Element, holder: Element) -> None:
        """Move an element, with the changes in it, to the end of another one."""
        span, to = self._spans[element], self._spans[holder]
        self._expect_open(to)
        self._changes[span.start, span.whole] = b""
        self._added.setdefault(to.end, []).append(span)

    def _expect_open(self, span: Span) -> None:
        if span.end == span.whole:
            raise SaveError("an element that is empty is not amended; glTF can hold the rig")

    def changed(self) -> bytes:
        """Return the file with all changes made."""
        return self._between(0, len(self._data))

    def _between(self, start: int, stop: int) -> bytes:
        """Return a part of the file with the changes in it, less what moved out and with what moved in."""
        changes = {**self._changes}
        for at in self._added:
            changes.setdefault((at, at), b"")
        parts, at = [], start
        for (first, last), content in sorted(changes.items()):
            if not start <= first <= last <= stop or first < at or (first, last) == (start, stop):
                continue
            parts += [self._data[at:first], content]
            if first == last:
                spans = self._added.get(first, ())
                parts += [self._between(span.start, span.whole) + b"\n" for span in spans]
            at = last
        return b"".join([*parts, self._data[at:stop]])


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
        last = max(behind, ends[number])
        whole = last if ends[number] < behind else data.index(b">", last) + 1
        spans.append(Span(at, behind, last, whole))
    return spans


def number_text(value: float) -> bytes:
    """Return the shortest text of few digits; of a weight as near as 32 bits are."""
    return f"{value:.{_DIGITS}g}".encode()
