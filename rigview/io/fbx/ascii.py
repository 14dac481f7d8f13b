"""ASCII FBX into a node tree: ``Name: value, value { children }``, comments from ``;`` on.

When a file is opened only its marks are found and its braces matched, see `marks`. Nodes are made
when they are asked for; until then what their values are stands in the file as text.
"""

import re
import warnings
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from sys import intern
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.fbx.blocks import MANY, blocks, in_one, paced
from rigview.io.fbx.marks import COLON, COMMENT, OPEN, Marks
from rigview.io.fbx.nodes import FbxNodes
from rigview.io.fbx.tree import Identity, Link, Node, NodeNames, Packed, Rows, Value, allowance
from rigview.io.reading import LoadError, Pulse, quoted

# Real files nest nine deep.
_DEEPEST = 64
# Shorter rows become values of their own, so that a property reads like in the binary encoding.
_SHORT_ROW = 8
# Nodes or values that take a few milliseconds, and what a node takes of memory.
_MANY, _BYTES_A_NODE = 1024, 400
# Nodes that take less than a millisecond, though each may have a long text before it.
_FEW = 32
# Characters that are turned into numbers in a few milliseconds, and take little memory on the way.
_AT_ONCE = 1 << 16

# Repeats are possessive: a row of a million numbers leaves no trail to go back on.
_NAME = re.compile(rb'(?:.*\s)?([^\s"{},;]++)\s*+', re.DOTALL)
_VALUE = re.compile(
    rb'(?:"([^"]*+)"|([-+]?+\d++)(?=[\s,]|$)|([-+]?+\.?+\d[-+.\deE]*+)(?=[\s,]|$)'
    rb'|\*\s*+\d++|([^\s,"]++))\s*+(?:,\s*+|$)'
)
_IS_TEXT, _IS_WHOLE, _IS_FLOAT, _IS_WORD = 1, 2, 3, 4
# What a connection and an object nearly always state; a reference to a quotation mark is none of it.
_LINK = re.compile(
    rb'\s*+"O[OP]"\s*+,\s*+(-?\d{1,18})\s*+,\s*+(-?\d{1,18})\s*+(?:,\s*+"([^"&]*+)"\s*+)?'
)
_IDENTITY = re.compile(rb'\s*+(-?\d{1,18})\s*+,\s*+"[^"]*+"\s*+,\s*+"([^"&]*+)"\s*+')
# Embedded files begin with a comma.
_BEGIN = re.compile(rb"\s*+(?:,\s*+)?+")
# What rows of numbers are made of.
_OF_NUMBERS = b"0123456789-+.eE, \t\r\n"
_TEXT = re.compile(rb'\s*+"([^"]*+)"')
_VERSION = re.compile(rb"FBXVersion:\s*(\d{1,9})")
_TITLE = re.compile(rb"\s*;\s*FBX\s+(\d+)\.(\d+)\.(\d+)")
# How the C libraries of the exporters' compilers spell what is no number.
_NOT_FINITE = re.compile(
    rb"[-+]?(?:1\.#)?(?:s?nan|q?nan|ind|inf|infinity)(?:\(\w*\)?)*\)*", re.IGNORECASE
)
_LEAST_WORD = len("nan")
# As a whole number it would lose its sign.
_MINUS_ZERO = re.compile(rb"-0(?![.\deE])")
_JSON = msgspec.json.Decoder(list[float])
_LONGEST_LETTER = 2
_KEYS = msgspec.json.Decoder(list[int | float | str])

# Name, where it starts, where its values begin and end, the first mark inside and that after the last.
Record = tuple[bytes, int, int, int, int, int]


class AsciiDocument:
    """The bytes of an ASCII FBX file."""

    def __init__(self, path: Path, data: bytes, pulse: Pulse) -> None:
        self.path, self.data, self.pulse = path, data, pulse
        self.names = NodeNames()
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
        """Find the marks, match the braces, and return the node that holds the file's top nodes."""
        self.marks = Marks(self.data, self.pulse)
        if not self.marks.is_complete:
            raise self.error(len(self.data), "the file ends within a text")
        self.closing = self._matched().data
        return AsciiNode(self, (b"", 0, 0, 0, 0, len(self.marks.kinds) - 1))

    def _matched(self) -> IntArray:
        """Return ``(m,)`` for every mark that is an opening brace which one closes it."""
        places = self.marks.places
        braces, levels = self.marks.levels()
        # The last brace is none of the file's: it closes all of it.
        (lone,) = (levels[:-1] < 1).nonzero()
        if len(lone):
            place = places[int(braces[lone[0]])]
            raise self.error(place, "a closing brace has no opening one")
        (deep,) = (levels > _DEEPEST).nonzero()
        if len(deep):
            raise self.error(places[int(braces[deep[0]])], "the nodes are nested too deeply")
        if levels[-1]:
            raise self.error(len(self.data), "the file ends within a node")
        # Of one level, opening and closing braces take turns.
        order = np.argsort(levels[:-1].astype(np.int8), kind="stable")
        result = np.zeros(len(places), dtype=np.int64)
        opens, closes = order[::2], order[1::2]
        for rows in blocks(len(opens), self.pulse):
            result[braces[opens[rows]]] = braces[closes[rows]]
        return result


class AsciiNode(Node):
    """A node that reads its values and the nodes inside on first use."""

    __slots__ = ("_nodes", "_values")
    document: AsciiDocument
    extent: Record

    def __init__(self, document: AsciiDocument, record: Record) -> None:
        self.document, self.extent = document, record
        self._values: list[Value] | None = None
        self._nodes: Sequence[Node] | None = None

    @property
    def values(self) -> list[Value]:
        """Numbers, strings and packed rows."""
        if self._values is None:
            self._values = self._read_values()
        return self._values

    @property
    def children(self) -> FbxNodes:
        """The nodes inside."""
        nodes = self._inside()
        return nodes if isinstance(nodes, AsciiNodes) else FbxNodes(nodes)

    def child(self, name: str) -> Node | None:
        """Return the first node inside of a name."""
        raw, nodes = name.encode(), self._inside()
        if isinstance(nodes, AsciiNodes):
            return nodes.first(raw)
        for node in nodes:
            if node.extent[0] == raw:
                return node
        return None

    def all(self, name: str) -> Iterator[Node]:
        """Yield the nodes inside of a name."""
        raw = name.encode()
        nodes = paced(self._inside(), self.document.pulse)
        return (node for node in nodes if node.extent[0] == raw)

    def identity(self) -> Identity | None:
        """Return what the node's values say who it is: nearly always a number and two texts."""
        found = _IDENTITY.fullmatch(self.document.data, *self.extent[2:4])
        if found is None:
            return super().identity()
        return int(found[1]), found[2].decode("utf-8", "replace")

    def link(self) -> Link | None:
        """Return the connection that the values state: nearly always a word and two numbers."""
        found = _LINK.fullmatch(self.document.data, *self.extent[2:4])
        if found is None:
            return super().link()
        return int(found[1]), int(found[2]), (found[3] or b"").decode("utf-8", "replace")

    def by_first_string(self, name: str) -> Rows:
        """Return the nodes of a name inside by their first value, which is a string."""
        data, raw, rows = self.document.data, name.encode(), {}
        for record in self._records():
            if record[0] == raw:
                text = _TEXT.match(data, record[2], record[3])
                rows[b"" if text is None else text[1]] = record
        return _Rows(self.document, rows)

    def _inside(self) -> Sequence[Node]:
        if self._nodes is None:
            records = self._records()
            few = list(islice(records, MANY))
            if len(few) < MANY:
                self._nodes = [AsciiNode(self.document, record) for record in few]
            else:
                self._nodes = AsciiNodes.of(self.document, chain(few, records))
        return self._nodes

    def _records(self) -> Iterator[Record]:
        """Yield the nodes inside, less those inside of them."""
        document, (_, _, _, _, mark, last) = self.document, self.extent
        places, kinds, closing = document.marks.places, document.marks.kinds, document.closing
        head: tuple[bytes, int] | None = None
        count = 0
        while mark < last:
            if kinds[mark] == COMMENT:
                mark += 1
                continue
            name, start = head or self._head(mark)
            head, begin, after = None, places[mark] + 1, mark + 1
            if kinds[after] == OPEN:
                mark = closing[after] + 1
                yield name, start, begin, places[after], after + 1, mark - 1
            else:
                mark = after
                if kinds[mark] == COLON:
                    head = self._head(mark)
                yield name, start, begin, places[mark] if head is None else head[1], 0, 0
            count += 1
            if count % _FEW == 0:
                document.pulse()
                if count % _MANY == 0:
                    document.allowance.spend(self, _MANY * _BYTES_A_NODE)

    def _head(self, mark: int) -> tuple[bytes, int]:
        """Return the name before a colon, the last word of its line, and where it begins."""
        document = self.document
        data, places = document.data, document.marks.places
        first, place = places[mark - 1] + 1 if mark else 0, places[mark]
        line = max(first, data.rfind(b"\n", first, place))
        found = _NAME.fullmatch(data, line, place)
        if found is None or document.marks.kinds[mark] != COLON:
            raise document.error(place, "wanted the name of a node")
        return found[1], found.start(1)

    def _read_values(self) -> list[Value]:
        data, (_, _, begin, end, _, _) = self.document.data, self.extent
        blank = _BEGIN.match(data, begin, end)
        position = begin if blank is None else blank.end()
        if data.count(b",", position, end) >= _SHORT_ROW:
            if self._is_row(position, end):
                return [PackedText(data, position, end)]
            if end - position <= _AT_ONCE and (keys := self._read_keys(position, end)) is not None:
                return keys
        return self._read_one_by_one(position, end)

    def _read_one_by_one(self, position: int, end: int) -> list[Value]:
        result: list[Value] = []
        add = result.append
        for found in _VALUE.finditer(self.document.data, position, end):
            start, after = found.span()
            if start != position:
                break
            position = after
            kind = found.lastindex
            if kind in (_IS_WHOLE, _IS_FLOAT):
                add(self._number(found[kind], float if kind == _IS_FLOAT else int))
            elif kind == _IS_WORD:
                add(self._word(found[kind]))
            elif kind == _IS_TEXT:
                add(found[kind].decode("utf-8", "replace").replace("&quot;", '"'))
            if len(result) % _MANY == 0:
                self.document.pulse()
        if position < end:
            raise self.error("wanted values with commas between them")
        return result

    def _read_keys(self, begin: int, end: int) -> list[Value] | None:
        """Return numbers and letters between two bytes, read as JSON; None where more is there."""
        row = self.document.data[begin:end]
        words = [word.strip() for word in row.split(b",")]
        if not words[-1]:
            del words[-1]
        letters = set(filter(bytes.isalpha, words))
        # Words of JSON, and those for what is no number, are longer.
        if b'"' in row or any(len(letter) > _LONGEST_LETTER for letter in letters):
            return None
        text = {letter: b'"%b"' % letter for letter in letters}
        try:
            found = _KEYS.decode(b"[%b]" % b",".join([text.get(word, word) for word in words]))
        except msgspec.DecodeError:
            return None
        return [intern(word) if isinstance(word, str) else word for word in found]

    def _is_row(self, begin: int, end: int) -> bool:
        """Tell whether nothing but numbers stands between two bytes."""
        data = self.document.data
        for start in range(begin, end, _AT_ONCE):
            self.document.pulse()
            if data[start : min(start + _AT_ONCE, end)].translate(None, _OF_NUMBERS):
                return False
        return True

    def _number(self, word: bytes, form: type[int] | type[float]) -> int | float:
        try:
            return form(word)
        except ValueError:
            raise self.error(f"{quoted(word.decode('latin-1'))} is no number") from None

    def _word(self, word: bytes) -> Value:
        """Return a bare word: a letter of a flag, or a number that is none."""
        if len(word) < _LEAST_WORD or not _NOT_FINITE.fullmatch(word):
            return self.document.names[word]
        if b"inf" in word.lower():
            return -np.inf if word.startswith(b"-") else np.inf
        return np.nan


class AsciiNodes(FbxNodes):
    """Nodes beside one another, made one by one: a million objects take long to let go of.

    Parameters
    ----------
    places
        ``(n, 6)`` how long their names are, and the numbers of a `Record`.
    """

    def __init__(self, document: AsciiDocument, places: IntArray) -> None:
        super().__init__()
        self._document, self._places = document, places

    @classmethod
    def of(cls, document: AsciiDocument, records: Iterable[Record]) -> "AsciiNodes":
        """Return the nodes of records."""
        places = array("q")
        for name, *place in records:
            places.append(len(name))
            places.extend(place)
        return cls(document, np.frombuffer(places, np.int64).reshape(-1, 6))

    def __len__(self) -> int:
        return len(self._places)

    def node(self, number: int) -> AsciiNode:
        """Return one of the nodes."""
        length, *place = self._places[number].tolist()
        name = self._document.data[place[0] : place[0] + length]
        return AsciiNode(self._document, (name, *place))

    def chosen(self, numbers: Sequence[int] | IntArray) -> "AsciiNodes":
        """Return some of the nodes."""
        return AsciiNodes(self._document, self._places[np.asarray(numbers, dtype=np.int64)])

    def first(self, name: bytes) -> AsciiNode | None:
        """Return the first node of a name."""
        number = self._firsts.get(name)
        return None if number is None else self.node(number)

    @cached_property
    def _firsts(self) -> dict[bytes, int]:
        """Name → the number of the first node of it."""
        data, result = self._document.data, dict[bytes, int]()
        for rows in blocks(len(self), self.pulse, MANY):
            for number, (length, start) in enumerate(self._places[rows, :2].tolist(), rows.start):
                result.setdefault(data[start : start + length], number)
        return result


class _Rows(Rows):
    """Nodes by their first value: most are never asked for."""

    def __init__(self, document: AsciiDocument, records: dict[bytes, Record]) -> None:
        self._document, self._records = document, records

    def get(self, name: str) -> Node | None:
        """Return the node of a name."""
        record = self._records.get(name.encode())
        return None if record is None else AsciiNode(self._document, record)


class PackedText(Packed):
    """A row of numbers as it stands in the file, from one byte to another."""

    __slots__ = ("_begin", "_data", "_end")

    def __init__(self, data: bytes, begin: int, end: int) -> None:
        self._data, self._begin, self._end = data, begin, end

    @property
    def raw(self) -> bytes:
        """The text."""
        return self._data[self._begin : self._end]

    def decode(self, node: Node) -> NDArray[Any]:
        """Return the row: whole numbers where all of them are, else floats."""
        data, begin, end = self._data, self._begin, self._end
        whole = all(data.find(mark, begin, end) < 0 for mark in (b".", b"e", b"E"))
        count = data.count(b",", begin, end) + 1
        node.document.allowance.spend(node, 8 * count)
        pieces = []
        while begin < end:
            node.document.pulse()
            comma = data.find(b",", begin + _AT_ONCE, end)
            stop = end if comma < 0 else comma
            pieces.append(_parsed(node, data[begin:stop], np.int64 if whole else np.float64))
            begin = stop + 1
        return in_one(pieces)


def _parsed(node: Node, text: bytes, dtype: type) -> NDArray[Any]:
    text = text.rstrip(b", \t\r\n")
    if dtype is np.float64 and (numbers := _decimals(text)) is not None:
        return numbers
    try:
        with warnings.catch_warnings():
            # numpy warns of text that it cannot parse to the end.
            warnings.simplefilter("error", DeprecationWarning)
            return np.fromstring(text, dtype, sep=",")
    except (DeprecationWarning, ValueError):
        raise node.error("the row holds something that is no number") from None


def _decimals(text: bytes) -> FloatArray | None:
    """Return numbers that all are as JSON spells them, a fifth of numpy's time; else None."""
    try:
        return np.array(_JSON.decode(b"[%b]" % _MINUS_ZERO.sub(b"-0.0", text)))
    except msgspec.DecodeError:
        return None
