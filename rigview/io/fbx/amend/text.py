"""Amendments applied to an ASCII file: spans of numbers and names are replaced, all else is kept.

What is written has the line ends of the file, and rows as long as those that it replaces.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.amend.amendments import ARRAY_CODES, Amendments, Record, Typed
from rigview.io.fbx.ascii import AsciiDocument, AsciiNode
from rigview.io.fbx.tree import Node

_TOKEN = re.compile(rb'"[^"]*+"|[^\s,"]++')
_COUNT = re.compile(rb"\*\s*+\d++")
# Rows of a source that shows none: as long as the SDK's.
_ROW = 2048
_TAB = b"\t"


def apply(document: AsciiDocument, amendments: Amendments) -> bytes:
    """Return the amended file."""
    if not amendments:
        return document.data
    return _Writer(document, amendments).file()


class _Writer:
    """The spans to replace."""

    def __init__(self, document: AsciiDocument, amendments: Amendments) -> None:
        self._document, self._amendments = document, amendments
        self._data = document.data
        self._newline = b"\r\n" if b"\r\n" in document.data[:4096] else b"\n"
        self._spans: list[tuple[int, int, bytes]] = []

    def file(self) -> bytes:
        """Return the whole file."""
        wanted = set(self._amendments.places)
        for node, parent, depth in _walk(self._document.root(), None, 0):
            if node.offset in wanted:
                self._amend(node, parent, depth)
        parts, position = [], 0
        for begin, end, text in sorted(self._spans):
            parts += [self._data[position:begin], text]
            position = end
        return b"".join([*parts, self._data[position:]])

    def _amend(self, node: AsciiNode, parent: AsciiNode | None, depth: int) -> None:
        amendments, start = self._amendments, node.offset
        if start in amendments.dropped:
            self._drop(node)
            return
        if start in amendments.arrays:
            self._array(node, parent, amendments.arrays[start])
        tokens = list(self._tokens(node))
        for index, value in amendments.numbers.get(start, {}).items():
            begin, end = tokens[index]
            self._spans.append((begin, end, number(value)))
        for index, raw in amendments.texts.get(start, {}).items():
            begin, end = tokens[index]
            self._spans.append((begin, end, quoted(raw)))
        if start in amendments.added:
            self._add(node, amendments.added[start], depth)

    def _tokens(self, node: AsciiNode) -> Iterator[tuple[int, int]]:
        _, _, begin, end, _, _ = node.extent
        for found in _TOKEN.finditer(self._data, begin, end):
            yield found.span()

    def _end(self, node: AsciiNode) -> int:
        """Return the byte behind a node: behind its closing brace, or its last value."""
        _, _, begin, end, first, last = node.extent
        if first:
            return self._document.marks.places[last] + 1
        return begin + len(self._data[begin:end].rstrip())

    def _drop(self, node: AsciiNode) -> None:
        """Leave a node out with the line that it stands on."""
        start, end = node.offset, self._end(node)
        line = self._data.rfind(b"\n", 0, start) + 1
        if not self._data[line:start].strip():
            start = line
            after = self._data.find(b"\n", end)
            if after >= 0 and not self._data[end:after].strip():
                end = after + 1
        self._spans.append((start, end, b""))

    def _array(self, node: AsciiNode, parent: AsciiNode | None, values: NDArray[Any]) -> None:
        """Replace a row of numbers; those that stay keep their spelling, and rows their length."""
        _, _, begin, end, _, _ = node.extent
        tokens = list(self._tokens(node))
        words = spelled(values)
        if len(tokens) == len(words):
            old = node.array().tolist()
            for (first, last), was, value, word in zip(
                tokens, old, values.tolist(), words, strict=True
            ):
                if was != value:
                    self._spans.append((first, last, word))
            return
        if tokens:
            begin, end = tokens[0][0], tokens[-1][1]
        text = self._data[begin:end]
        rows = text.split(self._newline)
        width = max(map(len, rows)) if len(rows) > 1 else _ROW
        self._spans.append((begin, end, _wrapped(words, width, self._newline)))
        if parent is not None and node.name == "a":
            self._count(parent, len(words))

    def _count(self, parent: AsciiNode, count: int) -> None:
        _, _, begin, end, _, _ = parent.extent
        found = _COUNT.search(self._data, begin, end)
        if found is not None:
            self._spans.append((*found.span(), b"*%d" % count))

    def _add(self, node: AsciiNode, records: list[Record], depth: int) -> None:
        """Put records before the closing brace of a node."""
        _, _, _, _, first, last = node.extent
        if not first:
            place = self._end(node)
            lines = [b" {", *self._lines(records, depth), _TAB * (depth - 1) + b"}"]
            self._spans.append((place, place, self._newline.join(lines)))
            return
        place = self._document.marks.places[last]
        line = self._data.rfind(b"\n", 0, place) + 1
        text = b"".join(row + self._newline for row in self._lines(records, depth))
        if self._data[line:place].strip():
            self._spans.append((place, place, self._newline + text))
        else:
            self._spans.append((line, line, text))

    def _lines(self, records: list[Record] | tuple[Record, ...], depth: int) -> Iterator[bytes]:
        for record in records:
            head = _TAB * depth + record.name.encode() + b": "
            array = next((v for v in record.values if v[0] in ARRAY_CODES), None)
            if array is not None:
                words = spelled(np.asarray(array[1]))
                yield head + b"*%d {" % len(words)
                yield _TAB * (depth + 1) + b"a: " + _wrapped(words, _ROW, self._newline)
                yield _TAB * depth + b"}"
                continue
            # Connections and properties have no blank behind their commas.
            values = (b"," if record.name == "C" else b", ").join(map(_word, record.values))
            if not record.children and not record.is_block:
                yield head + values
                continue
            yield head + values + b" {"
            yield from self._lines(record.children, depth + 1)
            yield _TAB * depth + b"}"


def _walk(
    node: Node, parent: AsciiNode | None, depth: int
) -> Iterator[tuple[AsciiNode, AsciiNode | None, int]]:
    """Yield all nodes inside of one, each with its parent and the depth of what is inside of it."""
    for child in node.children:
        if isinstance(child, AsciiNode):
            yield child, parent, depth + 1
            yield from _walk(child, child, depth + 1)


def _wrapped(words: list[bytes], width: int, newline: bytes) -> bytes:
    """Return a row of numbers, wrapped behind commas at a width."""
    lines: list[bytes] = []
    line: list[bytes] = []
    length = 0
    for place, word in enumerate(words):
        piece = word if place == len(words) - 1 else word + b","
        if length and length + len(piece) > width:
            lines.append(b"".join(line))
            line, length = [], 0
        line.append(piece)
        length += len(piece)
    return newline.join([*lines, b"".join(line)])


def _word(typed: Typed) -> bytes:
    code, value = typed
    if code == "S":
        return quoted(value)
    if code == "C":
        return b"T" if value else b"F"
    return number(value)


def quoted(raw: bytes) -> bytes:
    """Return a text as the encoding spells it; what separates name and class there is another sign."""
    name, mark, kind = raw.partition(b"\x00\x01")
    text = kind + b"::" + name if mark else raw
    return b'"' + text.replace(b'"', b"&quot;") + b'"'


def spelled(values: NDArray[Any]) -> list[bytes]:
    """Return the shortest spellings of an array that read back as the same in its type."""
    if values.dtype == np.float32:
        return [number(float(str(value))) for value in values]
    return list(map(number, values.tolist()))


def number(value: float) -> bytes:
    """Return the shortest spelling of a number that reads back as the same."""
    return repr(value).removesuffix(".0").encode()
