"""What a document has by the thousand as typed records: checked while it is parsed, half as large.

An array that is not as it should be is read as dictionaries, by cursors, which say what is wrong.
"""

import contextlib
from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal, get_args

import msgspec
import numpy as np

from rigview.core.arrays import FloatArray
from rigview.core.sampler import Interpolation, Path
from rigview.io.gltf import parsing
from rigview.io.gltf.cursor import LARGEST_INTEGER, Cursor
from rigview.io.gltf.table import ABSENT, Table
from rigview.io.reading import LARGEST_NUMBER

Unsigned = Literal[5121, 5123, 5125]
UNSIGNED = get_args(Unsigned)
Whole = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_INTEGER)]

Number = Annotated[float, msgspec.Meta(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]


class SparseIndices(msgspec.Struct, gc=False):
    """Where the numbers of exchanged elements are."""

    bufferView: Whole  # noqa: N815 - the document's own words
    componentType: Unsigned  # noqa: N815
    byteOffset: Whole = 0  # noqa: N815


class SparseValues(msgspec.Struct, gc=False):
    """Where the exchanged elements are."""

    bufferView: Whole  # noqa: N815
    byteOffset: Whole = 0  # noqa: N815


class Sparse(msgspec.Struct, gc=False):
    """The sparse storage of an accessor."""

    count: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_INTEGER)]
    indices: SparseIndices
    values: SparseValues


class _Accessor(msgspec.Struct, gc=False):
    componentType: Whole  # noqa: N815
    count: Whole
    type: Literal["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"]
    bufferView: Whole = -1  # noqa: N815 - absent
    byteOffset: Whole = 0  # noqa: N815
    normalized: bool = False
    sparse: Sparse = ABSENT


class _BufferView(msgspec.Struct, gc=False):
    buffer: Whole
    byteLength: Whole  # noqa: N815
    byteOffset: Whole = 0  # noqa: N815
    byteStride: Whole = 0  # noqa: N815
    extensions: Any = ABSENT


class _Node(msgspec.Struct, gc=False):
    name: str = ""
    children: list[Whole] = []
    translation: tuple[Number, Number, Number] = (0.0, 0.0, 0.0)
    rotation: tuple[Number, Number, Number, Number] = (0.0, 0.0, 0.0, 1.0)
    scale: tuple[Number, Number, Number] = (1.0, 1.0, 1.0)
    matrix: Annotated[list[Number], msgspec.Meta(min_length=16, max_length=16)] = ABSENT
    mesh: Whole = -1
    skin: Whole = -1
    weights: list[Number] = ABSENT


class _Target(msgspec.Struct, gc=False):
    path: Path | Literal["pointer"]
    node: Whole = ABSENT


class _Channel(msgspec.Struct, gc=False):
    sampler: Whole
    target: _Target


class _Sampler(msgspec.Struct, gc=False):
    input: Whole
    output: Whole
    interpolation: Interpolation = "LINEAR"


class _Animation(msgspec.Struct, gc=False):
    channels: list[_Channel]
    samplers: list[_Sampler]
    name: str = ""
    extras: Any = ABSENT


class _Document(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """All members that glTF gives a document. One with others is read a member at a time."""

    accessors: list[_Accessor] = ABSENT
    bufferViews: list[_BufferView] = ABSENT  # noqa: N815
    animations: list[_Animation] = ABSENT
    nodes: list[_Node] = ABSENT
    asset: Any = ABSENT
    buffers: Any = ABSENT
    cameras: Any = ABSENT
    extensions: Any = ABSENT
    extensionsRequired: Any = ABSENT  # noqa: N815
    extensionsUsed: Any = ABSENT  # noqa: N815
    extras: Any = ABSENT
    images: Any = ABSENT
    materials: Any = ABSENT
    meshes: Any = ABSENT
    samplers: Any = ABSENT
    scene: Any = ABSENT
    scenes: Any = ABSENT
    skins: Any = ABSENT
    textures: Any = ABSENT


_DOCUMENT = msgspec.json.Decoder(_Document)
_PARTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_RECORDS: dict[str, msgspec.json.Decoder[Any]] = {
    "accessors": msgspec.json.Decoder(list[_Accessor]),
    "bufferViews": msgspec.json.Decoder(list[_BufferView]),
    "animations": msgspec.json.Decoder(list[_Animation]),
    "nodes": msgspec.json.Decoder(list[_Node]),
}
_ANYTHING = msgspec.json.Decoder()


def read_quickly(path: FilePath, content: parsing.Content) -> "Root | None":
    """Return the document that a sound JSON text holds, or None where `parsing.parse` must look."""
    content = parsing.unmarked(content)
    try:
        # What nobody reads is not looked into, so that its letters would not be either.
        parsing.check_letters(content)
        return Root.of(path, content)
    except parsing.DAMAGED:
        return None


class Root(Cursor, kw_only=True, eq=False):
    """A document whose largest arrays are records, and dictionaries only once they are asked for."""

    _content: parsing.Content
    _records: dict[str, list[Any]]
    _unread: set[str]

    @classmethod
    def of(cls, file: FilePath, content: parsing.Content) -> "Root":
        """Return the document that a text holds.

        Raises
        ------
        msgspec.DecodeError
            If it is damaged, or holds no object.
        """
        records: dict[str, list[Any]] = {}
        members: dict[str, Any] = {}
        try:
            document = _DOCUMENT.decode(content)
        except msgspec.ValidationError:
            parts = _PARTS.decode(content)
            unread = parts.keys() & _RECORDS.keys()
            for key, part in parts.items():
                if key not in _RECORDS:
                    members[key] = _ANYTHING.decode(part)
                    continue
                # What is wrong with a record, its array tells as dictionaries.
                with contextlib.suppress(msgspec.ValidationError):
                    records[key] = _RECORDS[key].decode(part)
        else:
            for key in _Document.__struct_fields__:
                found = getattr(document, key)
                if found is not ABSENT:
                    (records if key in _RECORDS else members)[key] = found
            unread = set(records)
        return cls(file, members, _content=content, _records=records, _unread=unread)

    def get(self, key: str) -> Cursor | None:
        """Return a member, as dictionaries whatever it is."""
        if key in self._unread:
            self.value[key] = self._parsed(_PARTS.decode(self._content)[key])
            self._unread.remove(key)
        return super().get(key)

    def _parsed(self, text: msgspec.Raw) -> Any:  # noqa: ANN401 - JSON
        try:
            return _ANYTHING.decode(text)
        except parsing.DAMAGED:
            return parsing.parse_any(self.file, bytes(text).decode())

    def table(self, key: str) -> Table:
        """Return the table of an array of the document."""
        records = self._records.get(key)
        if records is None:
            return Table.of(self.get(key))
        return Records(records, lambda row: self.need(key).element(row))


def table(root: Cursor, key: str) -> Table:
    """Return the table of an array of the document, of records if there are any."""
    return root.table(key) if isinstance(root, Root) else Table.of(root.get(key))


class Records(Table):
    """A table of records: what has been checked while it was parsed is not checked again.

    A member that is absent has the default of its record.
    """

    def __init__(self, rows: Sequence[Any], place: Callable[[int], Cursor]) -> None:
        super().__init__((), place)
        self._rows = rows

    def members(self, key: str, default: Any = ABSENT) -> list[Any]:  # noqa: ANN401, ARG002 - JSON
        """Return the values of a member."""
        return list(map(attrgetter(key), self._rows))

    def objects(self, key: str) -> Table:
        """Return the objects at a member."""
        return Records(self.members(key), lambda row: self.place(row).need(key))

    def arrays(self, key: str, row: int) -> Table:
        """Return the table of an array that one object has."""
        rows = getattr(self._rows[row], key)
        return Records(rows, lambda number: self.place(row).need(key).element(number))

    def joined(self, key: str) -> "Records":
        """Return the table of the arrays that all objects have, one behind the other."""
        arrays = self.members(key)

        def place(row: int) -> Cursor:
            for number, array in enumerate(arrays):
                if row < len(array):
                    return self.place(number).need(key).element(row)
                row -= len(array)
            raise IndexError(row)

        return Records(list(chain.from_iterable(arrays)), place)

    def integers(self, key: str, default: int = 0) -> list[int]:  # noqa: ARG002
        """Return whole numbers of 0 or more."""
        return self.members(key)

    def indices(self, key: str, count: int, what: str) -> list[int]:
        """Return numbers of one of `count` things called `what`; −1 where there is none."""
        values = self.members(key)
        if max(values, default=-1) < count:
            return values
        return super().indices(key, count, what)

    def optional_indices(self, key: str, count: int, what: str) -> list[int]:
        """Return numbers of one of `count` things called `what`; −1 where the member is absent."""
        values = self.members(key)
        if max(values, default=-1) < count:
            return values
        return super().optional_indices(key, count, what)

    def strings(self, key: str, default: str = "") -> list[str]:  # noqa: ARG002
        """Return strings."""
        return self.members(key)

    def booleans(self, key: str, *, default: bool) -> list[bool]:  # noqa: ARG002
        """Return truths."""
        return self.members(key)

    def numbers(self, row: int, key: str, count: int | None = None) -> list[float]:  # noqa: ARG002
        """Return the numbers that one object has."""
        values: list[float] = getattr(self._rows[row], key)
        return values

    def vectors(self, key: str, default: Sequence[float]) -> FloatArray:
        """Return ``(n, width)`` numbers, as many an object as the default has."""
        flat = chain.from_iterable(self.members(key))
        shape = len(self._rows), len(default)
        return np.fromiter(flat, np.float64, shape[0] * shape[1]).reshape(shape)

    def index_lists(
        self, key: str, count: int, what: str, *, needed: bool = False
    ) -> tuple[tuple[int, ...], ...]:
        """Return lists of numbers of one of `count` things."""
        values = self.members(key)
        if max(chain.from_iterable(values), default=-1) < count:
            return tuple(map(tuple, values))
        return super().index_lists(key, count, what, needed=needed)
