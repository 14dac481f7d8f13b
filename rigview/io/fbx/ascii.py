"""ASCII FBX into a node tree: ``Name: value, value { children }``, comments from ``;`` on.

Rows of numbers, which are most of a file, are matched as one token and decoded by numpy.
"""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.tree import Node, Value, allowance
from rigview.io.reading import LoadError, Pulse, quoted

# Real files nest nine deep.
_DEEPEST = 64
# Shorter rows become values of their own, so that a property reads like in the binary encoding.
_SHORT_ROW = 8

_SPACE = re.compile(rb"(?:\s+|;[^\n]*)*")
_KEY = re.compile(rb'([^\s:"{},;]+)\s*:')
_BLANK = re.compile(rb"[ \t\r]*")
_STRING = re.compile(rb'"([^"]*)"')
_COUNT = re.compile(rb"\*\s*\d+")
_NUMBER = rb"[-+]?(?:\d|\.\d)[-+.\deE]*"
_NUMBERS = re.compile(_NUMBER + rb"(?:\s*,\s*" + _NUMBER + rb")*(?![-+.\w#])")
_WORD = re.compile(rb'[^\s,{}":;]+')
_COMMA = re.compile(rb"\s*,\s*")
_NEXT_LINE = re.compile(rb"[ \t\r]*\n\s*(?=[-+.\d])")
_OPEN = re.compile(rb"[ \t\r]*\{")
_VERSION = re.compile(rb"FBXVersion:\s*(\d{1,9})")
_TITLE = re.compile(rb"\s*;\s*FBX\s+(\d+)\.(\d+)\.(\d+)")
# How the C libraries of the exporters' compilers spell what is no number.
_NOT_FINITE = re.compile(
    rb"[-+]?(?:1\.#)?(?:s?nan|q?nan|ind|inf|infinity)(?:\(\w*\)?)*\)*", re.IGNORECASE
)


class AsciiDocument:
    """The bytes of an ASCII FBX file."""

    def __init__(self, path: Path, data: bytes, pulse: Pulse) -> None:
        self.path, self.data, self.pulse = path, data, pulse
        self.allowance = allowance(len(data))
        stated = _VERSION.search(data)
        title = _TITLE.match(data)
        self.version = int(stated[1]) if stated else 0
        if not self.version and title:
            self.version = int(title[1]) * 1000 + int(title[2]) * 100 + int(title[3])

    def place(self, offset: int) -> str:
        """Return where a byte stands, in words."""
        line = self.data.count(b"\n", 0, offset) + 1
        return f"line {line}"

    def error(self, offset: int, reason: str) -> LoadError:
        """Return the error that names a line."""
        return LoadError(self.path, self.place(offset), reason)

    def root(self) -> "AsciiNode":
        """Parse the file and return the node that holds its top nodes."""
        data = self.data
        root = AsciiNode(self, "", 0)
        open_nodes = [root]
        position = _after(_SPACE, data, 0)
        while position < len(data):
            if data[position : position + 1] == b"}":
                if len(open_nodes) == 1:
                    raise self.error(position, "a closing brace has no opening one")
                open_nodes.pop()
                position = _after(_SPACE, data, position + 1)
                continue
            key = _KEY.match(data, position)
            if key is None:
                raise self.error(position, "wanted the name of a node")
            self.pulse()
            node = AsciiNode(self, key[1].decode("utf-8", "replace"), position)
            open_nodes[-1].add(node)
            position = self._read_values(node, key.end())
            block = _OPEN.match(data, position)
            if block is not None:
                if len(open_nodes) > _DEEPEST:
                    raise self.error(position, "the nodes are nested too deeply")
                open_nodes.append(node)
                position = block.end()
            position = _after(_SPACE, data, position)
        if len(open_nodes) > 1:
            raise self.error(len(data), f"the file ends within {quoted(open_nodes[-1].name)}")
        return root

    def _read_values(self, node: "AsciiNode", position: int) -> int:
        """Read the values of a node; return where they end."""
        data = self.data
        position = _after(_BLANK, data, position)
        following = _NEXT_LINE.match(data, position)
        if following is not None:  # Blender's 6.1: the values on lines of their own
            position = following.end()
        comma = _COMMA.match(data, position)
        if comma is not None:  # embedded files: `Content: , "…"`
            position = comma.end()
        while True:
            numbers = _NUMBERS.match(data, position)
            if numbers is not None:
                node.values.extend(_numbers(node, numbers[0]))
                position = numbers.end()
            elif (string := _STRING.match(data, position)) is not None:
                text = string[1].decode("utf-8", "replace").replace("&quot;", '"')
                node.values.append(text)
                position = string.end()
            elif (count := _COUNT.match(data, position)) is not None:
                position = count.end()
            elif (word := _WORD.match(data, position)) is not None:
                node.values.append(_word(word[0]))
                position = word.end()
            else:
                return position
            comma = _COMMA.match(data, position)
            if comma is None:
                return position
            position = comma.end()


def _after(pattern: re.Pattern[bytes], data: bytes, position: int) -> int:
    match = pattern.match(data, position)
    return position if match is None else match.end()


def _word(word: bytes) -> Value:
    """Return a bare word: a letter of a flag, or a number that is none."""
    if _NOT_FINITE.fullmatch(word):
        return _not_finite(word)
    return word.decode("utf-8", "replace")


def _not_finite(word: bytes) -> float:
    if b"inf" in word.lower():
        return -np.inf if word.startswith(b"-") else np.inf
    return np.nan


def _numbers(node: Node, text: bytes) -> list[Value]:
    if text.count(b",") >= _SHORT_ROW:
        return [PackedText(text)]
    result: list[Value] = []
    for item in text.split(b","):
        try:
            result.append(int(item))
        except ValueError:
            try:
                result.append(float(item))
            except ValueError:
                raise node.error(f"{quoted(item.decode('latin-1'))} is no number") from None
    return result


class PackedText:
    """A row of numbers as it stands in the file."""

    __slots__ = ("raw",)

    def __init__(self, text: bytes) -> None:
        self.raw = text

    def decode(self, node: Node) -> NDArray[Any]:
        """Return the row: whole numbers where all of them are, else floats."""
        node.document.pulse()
        node.document.allowance.spend(node, 8 * (self.raw.count(b",") + 1))
        if b"." not in self.raw and b"e" not in self.raw and b"E" not in self.raw:
            return _parsed(node, self.raw, np.int64)
        return _parsed(node, self.raw, np.float64)


def _parsed(node: Node, text: bytes, dtype: type) -> NDArray[Any]:
    with warnings.catch_warnings():
        # numpy warns of text that it cannot parse to the end.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, dtype, sep=",")
        except (DeprecationWarning, ValueError):
            raise node.error("the row holds something that is no number") from None


class AsciiNode(Node):
    """A parsed node."""

    __slots__ = ("_children", "_values")

    def __init__(self, document: AsciiDocument, name: str, offset: int) -> None:
        super().__init__(document, name, offset)
        self._values: list[Value] = []
        self._children: list[Node] = []

    @property
    def values(self) -> list[Value]:
        """Numbers, strings and packed rows."""
        return self._values

    @property
    def children(self) -> Sequence[Node]:
        """The nodes inside."""
        return self._children

    def add(self, child: "AsciiNode") -> None:
        """Put a node inside."""
        self._children.append(child)

    def array(self) -> NDArray[Any]:
        """Return all numbers of the node; rows broken by words that are no number join up."""
        if self.child("a") is not None or len(self._values) == 1:
            return super().array()
        pieces = [v for v in self._values if isinstance(v, PackedText)]
        if not pieces:
            return super().array()
        rows = []
        for value in self._values:
            if isinstance(value, PackedText):
                rows.append(value.decode(self))
            elif isinstance(value, int | float):
                rows.append(np.array([value]))
            else:
                raise self.error("wanted numbers")
        return np.concatenate(rows)
