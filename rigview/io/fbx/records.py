"""Records of a binary file that stand beside one another, as columns of where their parts are.

Records follow each other as a chain, so where they begin is found one by one; all else is then read
for all of them together, picked out of the file's bytes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, FloatArray, IntArray
from rigview.io.fbx.blocks import MANY, blocks, in_one
from rigview.io.fbx.container import FEW, Container
from rigview.io.fbx.nodes import (
    ArrayColumn,
    Convert,
    FbxNodes,
    Identities,
    Links,
    Ragged,
    StatedRows,
    as_links,
)
from rigview.io.fbx.packed import ARRAYS, PLAIN, PackedArray
from rigview.io.fbx.tree import Node
from rigview.io.reading import LARGEST_NUMBER

_DOUBLE, _INTEGER, _LONG, _STRING = (ord(code) for code in "DILS")
# An object's number, and the text after it.
_OBJECT = np.dtype([("number", "u1"), ("key", "<i8"), ("text", "u1"), ("length", "<u4")])
_TEXT = np.dtype([("text", "u1"), ("length", "<u4")])
_THREE = np.dtype([("numbers", [("code", "u1"), ("value", "<f8")], 3)])
_NUMBER = np.dtype([("code", "u1"), ("value", "<f8")])
_WHOLE = np.dtype([("code", "u1"), ("value", "<i4")])
# So few are looked through one by one in less time.
_FEW_BLOCKS, _FEW_VALUES = 12, 12
# A word of two letters; a connection's begins with one and goes on with two numbers.
_WORD = np.dtype([("text", "S5"), ("letters", "S2")])
_TWO = b"S\x02\0\0\0"
_LINK = np.dtype(
    [("word", _WORD), ("first", "u1"), ("source", "<i8"), ("second", "u1"), ("to", "<i8")]
)
_T = TypeVar("_T")
# Bytes: of thousands of short arrays every number is copied sooner than every array.
_SHORT = 1 << 16
_CODES = {form: code for code, form in ARRAYS.items() if form != np.uint8}
_IS_ARRAY = np.isin(np.arange(256), list(ARRAYS))
_ARRAY = np.dtype([("code", "u1"), ("count", "<u4"), ("encoding", "<u4"), ("size", "<u4")])


@dataclass(frozen=True, eq=False)
class RecordColumns(FbxNodes):
    """Records beside one another: ``(n,)`` where their parts are.

    Parameters
    ----------
    starts, begins, insides, ends
        Where they start, where their values and the records inside begin, where they end.
    counts
        How many values they have.
    lengths
        How many bytes their names have.
    """

    document: Container
    starts: IntArray
    counts: IntArray
    lengths: IntArray
    begins: IntArray
    insides: IntArray
    ends: IntArray

    @classmethod
    def at(cls, document: Container, starts: IntArray, last: IntArray | int) -> "RecordColumns":
        """Return the records that start at some bytes, which end before `last`.

        Raises
        ------
        LoadError
            If one ends outside.
        """
        heads = document.picked(document.heads, starts)
        # What is beyond 2⁶³ becomes negative here.
        counts, ends = heads["count"].astype(np.int64), heads["end"].astype(np.int64)
        lengths = heads["length"].astype(np.int64)
        begins = starts + document.heads.itemsize + lengths
        insides = begins + heads["size"].astype(np.int64)
        sound = (begins <= insides) & (insides <= ends) & (ends <= last)
        if not sound.all():
            raise document.outside(int(starts[np.argmin(sound)]))
        return cls(document, starts, counts, lengths, begins, insides, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def pulse(self) -> None:
        """Tell whoever waits for the file that work goes on."""
        self.document.pulse()

    def node(self, number: int) -> Node:
        """Return one of the records as a node."""
        return self.document.node_at(int(self.starts[number]), int(self.ends[number]))

    def chosen(self, numbers: Sequence[int] | IntArray) -> "RecordColumns":
        """Return some of the records."""
        rows = np.asarray(numbers, dtype=np.int64)
        columns = (self.starts, self.counts, self.lengths, self.begins, self.insides, self.ends)
        return RecordColumns(self.document, *(column[rows] for column in columns))

    def names(self) -> list[str]:
        """Return the names of all records."""
        return self._texts(self.begins - self.lengths, self.begins)

    def _texts(self, first: IntArray, last: IntArray) -> list[str]:
        data, names = self.document.data, self.document.names
        result = [""] * len(first)
        # Of thousands of curves and connections many have an empty one.
        (filled,) = (first < last).nonzero()
        for some in blocks(len(filled), self.pulse, MANY):
            rows = filled[some]
            places = rows.tolist(), first[rows].tolist(), last[rows].tolist()
            for number, begin, end in zip(*places, strict=True):
                result[number] = names[data[begin:end]]
        return result

    def identities(self) -> Identities:
        """Return who the records are: nearly always a number and two texts say it."""
        texts = self.begins + _OBJECT.itemsize
        rows = np.flatnonzero((self.counts == 3) & (texts <= self.insides))
        first = self.document.picked(_OBJECT, self.begins[rows])
        sorts = texts[rows] + first["length"] + _TEXT.itemsize
        usual = (first["number"] == _LONG) & (first["text"] == _STRING)
        usual &= sorts <= self.insides[rows]
        rows, keys, sorts = rows[usual], first["key"][usual], sorts[usual]
        self.pulse()
        second = self.document.picked(_TEXT, sorts - _TEXT.itemsize)
        usual = second["text"] == _STRING
        usual &= sorts + second["length"] == self.insides[rows]
        rows, keys, sorts = rows[usual], keys[usual], sorts[usual]
        words = self._texts(sorts, self.insides[rows])
        if len(rows) == len(self):
            return Identities(keys.tolist(), words)
        known = zip(keys.tolist(), words, strict=True)
        return Identities.of(_completed(self, rows, known, Node.identity))

    def labels(self) -> list[str]:
        """Return the names of objects with their classes, which are nearly always after a number."""
        texts = self.begins + _OBJECT.itemsize
        rows = np.flatnonzero((self.counts == 3) & (texts <= self.insides))
        found, texts = self.document.picked(_OBJECT, self.begins[rows]), texts[rows]
        ends = texts + found["length"]
        usual = (found["number"] == _LONG) & (found["text"] == _STRING)
        usual &= ends <= self.insides[rows]
        known = self._texts(texts[usual], ends[usual])
        labels = _completed(self, rows[usual], known, Node.label)
        return [label or "" for label in labels]

    def links(self) -> Links:
        """Return the connections that the records state.

        Nearly all are of a word of two letters, two numbers and sometimes the name of a property.
        """
        known = self.chosen(np.flatnonzero(~self._other_links()))
        texts = known.begins + _LINK.itemsize
        plain = (known.counts == 3) & (texts == known.insides)
        named = (known.counts == 4) & (texts + _TEXT.itemsize <= known.insides)
        rows = np.flatnonzero(plain | named)
        plain, begins, texts = plain[rows], known.begins[rows], texts[rows]
        self.pulse()
        found = self.document.picked(_LINK, begins)
        text = self.document.picked(_TEXT, np.where(plain, begins, texts))
        texts += _TEXT.itemsize
        ends = known.insides[rows]
        usual = (found["word"]["text"] == _TWO) & (found["first"] == _LONG)
        usual &= found["second"] == _LONG
        usual &= plain | ((text["text"] == _STRING) & (texts + text["length"] == ends))
        rows, found, ends = rows[usual], found[usual], ends[usual]
        self.pulse()
        names = self._texts(np.where(plain[usual], ends, texts[usual]), ends)
        links = Links(found["source"].tolist(), found["to"].tolist(), names)
        if len(rows) == len(known):
            return links
        return as_links(_completed(known, rows, zip(*links, strict=True), Node.link))

    def _other_links(self) -> BoolArray:
        """Return ``(n,)`` whether a record begins with another word than those of connections."""
        other: BoolArray = self.begins + _WORD.itemsize <= self.insides
        words = self.document.picked(_WORD, self.begins[other])
        letters = words["letters"]
        other[other] = (words["text"] == _TWO) & (letters != b"OO") & (letters != b"OP")
        return other

    def stated(self, block: str, row: str, names: Sequence[str]) -> StatedRows:
        """Return the rows of a block inside that begin with one of some names, a string."""
        if len(self) < _FEW_BLOCKS:
            return super().stated(block, row, names)
        inside, of = self._inside()
        self.pulse()
        named = inside.named(block)
        owners, first = np.unique(of[named], return_index=True)
        self.pulse()
        at, which_block = rows_inside(inside.chosen(named[first]), row.encode())
        chosen, which = self._beginning(at, row.encode(), names)
        owners = owners[which_block[chosen]]
        return StatedRows(
            owners, which, RecordColumns.at(self.document, at[chosen], self.ends[owners])
        )

    def _inside(self) -> tuple["RecordColumns", IntArray]:
        """Return the records inside of all of them, and ``(m,)`` inside of which each is."""
        starts, rows = self.document.chains(self.insides, self.ends)
        return RecordColumns.at(self.document, starts, self.ends[rows]), rows

    def _beginning(
        self, at: IntArray, row: bytes, names: Sequence[str]
    ) -> tuple[IntArray, IntArray]:
        """Return which rows begin with one of some names, and with which.

        Parameters
        ----------
        at
            ``(m,)`` where records start.
        row
            The name of a row itself.
        """
        form = np.dtype(
            [("length", "u1"), ("row", f"S{len(row)}"), ("text", "u1"), ("size", "<u4")]
        )
        document = self.document
        begins = at + (self.document.heads.itemsize - 1)
        heads = document.picked(form, np.minimum(begins, document.end_of(form)))
        right = (heads["length"] == len(row)) & (heads["row"] == row) & (heads["text"] == _STRING)
        sizes = np.where(right, heads["size"], 0)
        which = np.full(len(at), -1)
        for number, name in enumerate(names):
            raw = name.encode()
            text = np.dtype(("S", len(raw)))
            (rows,) = (sizes == len(raw)).nonzero()
            begin = np.minimum(begins[rows] + form.itemsize, document.end_of(text))
            which[rows[document.picked(text, begin) == raw]] = number
        (chosen,) = (which >= 0).nonzero()
        return chosen, which[chosen]

    def threes(self, index: int, defaults: FloatArray) -> FloatArray:
        """Return ``(n, 3)`` three values of each record, nearly always 64-bit floats."""
        if len(self) < _FEW_VALUES:
            return super().threes(index, defaults)
        at = self._values(index, _THREE.itemsize)
        found = self.document.picked(_THREE, at)["numbers"]
        result: FloatArray = np.ascontiguousarray(found["value"])
        usual = (at > 0) & (found["code"] == _DOUBLE).all(axis=1)
        usual &= (np.abs(result) <= LARGEST_NUMBER).all(axis=1)
        for number in (~usual).nonzero()[0].tolist():
            result[number] = self.node(number).three(index, float(defaults[number]))
        return result

    def wholes(self, index: int) -> IntArray:
        """Return ``(n,)`` a value of each record that is a whole number, nearly always of 32 bits."""
        if len(self) < _FEW_VALUES:
            return super().wholes(index)
        at = self._values(index, _WHOLE.itemsize)
        found = self.document.picked(_WHOLE, at)
        result = found["value"].astype(np.int64)
        for number in ((at == 0) | (found["code"] != _INTEGER)).nonzero()[0].tolist():
            result[number] = self.node(number).integer(index)
        return result

    def numbers(self, index: int) -> FloatArray:
        """Return ``(n,)`` a value of each record that is a number, nearly always of 64 or 32 bits."""
        if len(self) < _FEW_VALUES:
            return super().numbers(index)
        result = np.zeros(len(self))
        usual = np.zeros(len(self), dtype=np.bool_)
        for form, code in ((_NUMBER, _DOUBLE), (_WHOLE, _INTEGER)):
            at = self._values(index, form.itemsize)
            found = self.document.picked(form, at)
            (rows,) = ((at > 0) & (found["code"] == code)).nonzero()
            result[rows] = found["value"][rows]
            usual[rows] = np.abs(result[rows]) <= LARGEST_NUMBER
        for number in (~usual).nonzero()[0].tolist():
            result[number] = self.node(number).number(index)
        return result

    def _values(self, index: int, size: int) -> IntArray:
        """Return ``(n,)`` where a value of so many bytes begins, after texts only; else 0."""
        at = self.begins
        for _ in range(index):
            at = np.where(at + _TEXT.itemsize <= self.insides, at, 0)
            head = self.document.picked(_TEXT, at)
            is_text = (at > 0) & (head["text"] == _STRING)
            at = np.where(is_text, at + _TEXT.itemsize + head["length"], 0)
        return np.where((self.counts > index) & (at + size <= self.insides), at, 0)

    def columns(self, names: Sequence[str]) -> dict[str, ArrayColumn]:
        """Return name → the arrays inside of that name."""
        inside, rows = self._inside()
        self.document.pulse()
        begins = inside.begins + _ARRAY.itemsize
        fits = (inside.counts == 1) & (begins <= inside.insides)
        heads = self.document.picked(_ARRAY, np.where(fits, inside.begins, 0))
        fits &= _IS_ARRAY[heads["code"]]
        outside = fits & (begins + heads["size"] > inside.insides)
        if outside.any():
            node = self.node(int(rows[outside.argmax()]))
            raise node.error("an array ends outside of its node")
        heads["code"] *= fits
        result = {}
        for name in names:
            named = inside.named(name)
            result[name] = Arrays(self, rows[named], heads[named], begins[named])
        return dict(result)

    def named(self, name: str) -> IntArray:
        """Return the numbers of the records of a name."""
        raw = name.encode()
        (numbers,) = (self.lengths == len(raw)).nonzero()
        names = self.document.picked(np.dtype(("S", len(raw))), self.begins[numbers] - len(raw))
        return numbers[names == raw]

    def mention(self, ending: str) -> bool:
        """Tell whether the bytes from the first record to the last hold the ending of a name."""
        if not len(self):
            return False
        first, last = int(self.starts[0]), int(self.ends[-1])
        return self.document.data.find(ending.encode(), first, last) >= 0


def _completed(
    records: RecordColumns, rows: IntArray, usual: Iterable[_T], read: Callable[[Node], _T | None]
) -> list[_T | None]:
    """Return what records say, in order: `usual` is what those in `rows` say, the others are read."""
    if len(rows) == len(records):
        return list(usual)
    result: list[_T | None] = [None] * len(records)
    for number, found in zip(rows.tolist(), usual, strict=True):
        result[number] = found
    for number in np.setdiff1d(np.arange(len(records)), rows).tolist():
        result[number] = read(records[number])
    return result


def rows_inside(holders: RecordColumns, row: bytes) -> tuple[IntArray, IntArray]:
    """Return where the records inside of others start, and ``(m,)`` inside of which each is.

    Nearly all are rows of one name that begin with a string: those are found by their bytes, all at
    once. Where every one starts where the one before it ends, they are the chain.
    """
    document = holders.document
    if not len(holders):
        return holders.starts, holders.starts
    starts, of = _alike(holders, row)
    document.pulse()
    stop = document.picked(document.heads, starts)["end"].astype(np.int64)
    begin = holders.insides[of]
    same = of[1:] == of[:-1]
    begin[1:][same] = stop[:-1][same]
    least = document.heads.itemsize
    last = holders.ends[of]
    sound = (begin == starts) & (starts + least <= stop) & (stop <= last)
    document.pulse()
    (final,) = (np.append(~same, True) & (stop + least <= last)).nonzero()
    after = document.picked(document.heads, np.where(sound[final], stop[final], 0))
    sound[final] &= after["end"] == 0
    chained = np.zeros(len(holders), dtype=np.bool_)
    chained[of] = True
    chained[of[~sound]] = False
    (others,) = (~chained).nonzero()
    if not len(others):
        return starts, of
    kept = chained[of]
    more, which = document.chains(holders.insides[others], holders.ends[others])
    starts, of = np.append(starts[kept], more), np.append(of[kept], others[which])
    order = np.lexsort((starts, of))
    return starts[order], of[order]


def _alike(holders: RecordColumns, row: bytes) -> tuple[IntArray, IntArray]:
    """Return where records of a name that begin with a string seem to start in which holder."""
    document = holders.document
    first, last = int(holders.insides[0]), int(holders.ends[-1])
    sought = bytes([len(row)]) + row + bytes([_STRING])
    text = np.dtype(("S", len(sought)))
    region = np.frombuffer(document.data, np.uint8)[first : min(last, document.end_of(text) + 2)]
    here, after = region[:-1], region[1:]
    pairs = [
        np.flatnonzero((here[rows] == sought[0]) & (after[rows] == sought[1])) + rows.start
        for rows in blocks(len(after), document.pulse)
    ]
    found = first + (in_one(pairs) if pairs else np.zeros(0, dtype=np.int64))
    starts = found[document.picked(text, found) == sought] - (document.heads.itemsize - 1)
    of = np.searchsorted(holders.insides, starts, "right") - 1
    inside = (of >= 0) & (starts + document.heads.itemsize <= holders.ends[of])
    return starts[inside], of[inside]


class Arrays(ArrayColumn):
    """Arrays of several records, as they stand in the file."""

    def __init__(
        self, records: RecordColumns, rows: IntArray, heads: NDArray[np.void], starts: IntArray
    ) -> None:
        super().__init__(records, ())
        self._records = records
        self._heads = np.zeros(len(records), _ARRAY)
        self._starts = np.zeros(len(records), dtype=np.int64)
        self._heads[rows], self._starts[rows] = heads, starts

    @property
    def stated(self) -> BoolArray:
        """``(k,)`` whether a record has the array."""
        stated: BoolArray = self._heads["code"] != 0
        return stated

    def joined(self, dtype: type, convert: Convert, of: BoolArray | None = None) -> Ragged:
        """Return all arrays, one after the other; those of the wanted type in one step."""
        of = self.stated if of is None else self.stated & of
        (numbers,) = of.nonzero()
        heads, form = self._heads[numbers], np.dtype(dtype)
        sizes = heads["count"].astype(np.int64) * form.itemsize
        plain = heads["encoding"] == PLAIN
        if (heads["code"] != _CODES[form]).any() or (plain & (sizes != heads["size"])).any():
            return super().joined(dtype, convert, of)
        self._records.document.allowance.spend(self._records, int(sizes.sum()))
        lengths = np.zeros(len(of), dtype=np.int64)
        lengths[numbers] = heads["count"]
        if len(numbers) >= FEW and plain.all() and sizes.sum() <= _SHORT:
            return self._picked(form, lengths)
        raws = self._raws(numbers)
        # Of equal streams one may state another count, which decoding refuses.
        inflated: dict[tuple[bytes, int], bytes] = {}
        for row in (~plain).nonzero()[0].tolist():
            key = raws[row], int(heads["count"][row])
            if key not in inflated:
                inflated[key] = self._decoded(int(numbers[row]), dtype, convert).tobytes()
            raws[row] = inflated[key]
        return Ragged(np.frombuffer(b"".join(raws), form), lengths)

    def _picked(self, form: np.dtype[Any], lengths: IntArray) -> Ragged:
        """Return the plain arrays of so many numbers each, which are picked one by one."""
        before = np.cumsum(lengths) - lengths
        first = np.repeat(self._starts - form.itemsize * before, lengths)
        at = first + form.itemsize * np.arange(len(first))
        return Ragged(self._records.document.picked(form, at), lengths)

    def _array(self, number: int) -> PackedArray:
        code, count, encoding, size = self._heads[number].tolist()
        start = int(self._starts[number])
        raw = self._records.document.data[start : start + size]
        return PackedArray(ARRAYS[code], count, encoding, raw)

    def _raws(self, numbers: IntArray) -> list[bytes]:
        data, starts = self._records.document.data, self._starts[numbers]
        stops = starts + self._heads["size"][numbers]
        return [data[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
