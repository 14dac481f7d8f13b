"""What of a document is to be changed: values of records, records to add, records to drop.

Both encodings apply the same list. A record is known by where it starts in the source.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.io.fbx.tree import Node
from rigview.io.reading import SaveError

# Letter of a type in the binary encoding, value: of "S" text, of the array types an array.
Typed = tuple[str, Any]
# Of all letters, those of arrays and of whole numbers.
ARRAY_CODES = "fdlibc"
WHOLE_CODES = "YCBILlibc"


@dataclass(frozen=True, eq=False)
class Record:
    """A record that the source does not have.

    Parameters
    ----------
    is_block
        Whether it has braces, or the zeros that close it, though nothing may be inside.
    """

    name: str
    values: tuple[Typed, ...] = ()
    children: tuple["Record", ...] = ()
    is_block: bool = False


@dataclass(eq=False)
class Amendments:
    """Changes of a document; places are offsets of records in the source.

    Parameters
    ----------
    arrays
        Record → the array that it holds from now on.
    numbers, texts
        Record → number of a value → the value.
    added
        Record → records that are put behind those inside of it.
    dropped
        Records that are left out with all inside.
    """

    arrays: dict[int, NDArray[Any]] = field(default_factory=dict)
    numbers: dict[int, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    texts: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    added: dict[int, list[Record]] = field(default_factory=lambda: defaultdict(list))
    dropped: set[int] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.arrays or self.numbers or self.texts or self.added or self.dropped)

    def set_array(self, node: Node, values: NDArray[Any]) -> None:
        """Give a record another array; equal ones are no change.

        Raises
        ------
        SaveError
            If something else that shares the record needs another one.
        """
        place = array_holder(node).offset
        known = self.arrays.get(place)
        if known is not None and not np.array_equal(known, values):
            raise SaveError(f"{node.name} is shared by objects that would need different values")
        if not np.array_equal(node.array(), values):
            self.arrays[place] = values

    def set_numbers(self, node: Node, first: int, values: Sequence[float]) -> None:
        """Give a record other numbers from one of its values on; equal ones are no change."""
        for index, value in enumerate(values, first):
            if node.value(index) != value:
                self.numbers[node.offset][index] = value

    def set_text(self, node: Node, index: int, raw: bytes) -> None:
        """Give a record another text, as its encoding spells it."""
        self.texts[node.offset][index] = raw

    def add(self, parent: Node, record: Record) -> None:
        """Put a record behind those inside of another."""
        self.added[parent.offset].append(record)

    def drop(self, node: Node) -> None:
        """Leave a record out with all inside of it."""
        self.dropped.add(node.offset)

    @property
    def places(self) -> list[int]:
        """Where the changed records start, ascending."""
        return sorted({*self.arrays, *self.numbers, *self.texts, *self.added, *self.dropped})


def array_holder(node: Node) -> Node:
    """Return the record that states an array itself: in ASCII files the one inside, named a."""
    inner = node.child("a")
    return node if inner is None else inner
