"""A place in a JSON document that checks what it hands out and can name itself in an error."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from rigview.io.reading import LARGEST_NUMBER, LoadError

# JSON numbers are exact to here only (RFC 8259, section 6); no count or offset of a file is larger.
LARGEST_INTEGER = 2**53
_SURROGATE = re.compile("[\ud800-\udfff]")


def kind(value: object) -> str:
    """Return JSON's word for a value's type."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    if value is None:
        return "null"
    return names.get(type(value), "a number")


class Cursor(msgspec.Struct, eq=False):
    """A value of a JSON document that knows its place.

    A document has tens of thousands of places and at most one error: a place is told by its holder
    and its key there, and spelled out only for a message.

    Attributes
    ----------
    file, value
        The document's file, and the value. Neither changes.
    """

    file: Path
    value: Any
    _holder: "Cursor | None" = None
    _key: str | int = ""

    @property
    def way(self) -> tuple[str | int, ...]:
        """The keys and numbers that lead to the place from the top of the document."""
        parts: list[str | int] = []
        place = self
        while place._holder is not None:
            parts.append(place._key)
            place = place._holder
        return tuple(reversed(parts))

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer (RFC 6901)."""
        return "".join(f"/{escape(str(part))}" for part in self.way)

    def error(self, reason: str) -> LoadError:
        """Return the error that names this place."""
        return LoadError(self.file, self.pointer or "/", reason)

    def _want(self, type_: type, word: str) -> Any:  # noqa: ANN401 - JSON
        if type(self.value) is not type_:
            raise self.error(f"wanted {word}, found {kind(self.value)}")
        return self.value

    def get(self, key: str) -> "Cursor | None":
        """Return a member of an object, or None where it is absent."""
        members = self.value
        if type(members) is not dict:
            members = self._want(dict, "an object")
        if key not in members:
            return None
        return Cursor(self.file, members[key], self, key)

    def extension(self, name: str) -> "Cursor | None":
        """Return an extension of an object, or None where it has none of that name."""
        extensions = self.get("extensions")
        return None if extensions is None else extensions.get(name)

    def natural(self, key: str) -> int:
        """Return a member that is a whole number of 0 or more; 0 where it is absent."""
        found = self.get(key)
        return 0 if found is None else found.integer(low=0)

    def text(self, key: str) -> str:
        """Return a member that is a string; empty where it is absent."""
        found = self.get(key)
        return "" if found is None else found.string()

    def need(self, key: str) -> "Cursor":
        """Return a member that must be there."""
        found = self.get(key)
        if found is None:
            raise self.error(f"{key} is missing")
        return found

    def member(self, key: str) -> "Cursor":
        """Return the place of a member, null where it is absent."""
        return self.get(key) or Cursor(self.file, None, self, key)

    def keys(self) -> tuple[str, ...]:
        """Return the names of an object's members."""
        return tuple(self._want(dict, "an object"))

    def items(self) -> Iterator["Cursor"]:
        """Yield the elements of an array."""
        for i, value in enumerate(self._want(list, "an array")):
            yield Cursor(self.file, value, self, i)

    def elements(self) -> list[Any]:
        """Return the values of an array's elements."""
        values: list[Any] = self._want(list, "an array")
        return values

    def element(self, number: int) -> "Cursor":
        """Return one element of an array."""
        return Cursor(self.file, self.value[number], self, number)

    def array(self, key: str) -> list["Cursor"]:
        """Return the elements of an array member; none where it is absent."""
        found = self.get(key)
        return [] if found is None else list(found.items())

    def integer(self, low: int | None = None, high: int | None = None) -> int:
        """Return a whole number within bounds; 3.0 counts as 3."""
        value = self.value
        if type(value) is int and low is None and high is None and abs(value) <= LARGEST_INTEGER:
            return value
        if type(value) is float and value.is_integer():
            value = int(value)
        if type(value) is not int:
            found = kind(self.value) if type(self.value) is not float else f"{self.value}"
            raise self.error(f"wanted a whole number, found {found}")
        if abs(value) > LARGEST_INTEGER:
            raise self.error("the number is too large")
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = f"{low} or more" if high is None else f"{low} to {high}"
            raise self.error(f"wanted {bounds}, found {value}")
        return value

    def index(self, count: int, what: str) -> int:
        """Return the number of one of `count` things called `what`."""
        value = self.value
        if type(value) is int and 0 <= value < count:
            return value
        value = self.integer()
        if not 0 <= value < count:
            raise self.error(f"{what} {value} does not exist: there are {count}")
        return value

    def number(self) -> float:
        """Return a number that a 32-bit float can hold."""
        if type(self.value) not in (int, float):
            raise self.error(f"wanted a number, found {kind(self.value)}")
        # An int may have more digits than a float can hold, and 1e999 parses as infinite.
        if not abs(self.value) <= LARGEST_NUMBER:
            raise self.error("the number is too large")
        return float(self.value)

    def numbers(self, count: int | None = None) -> list[float]:
        """Return an array of numbers, of the given length if any."""
        values = [item.number() for item in self.items()]
        if count is not None and len(values) != count:
            raise self.error(f"wanted {count} numbers, found {len(values)}")
        return values

    def string(self) -> str:
        """Return a string; half a surrogate pair, which is no character, becomes U+FFFD."""
        text: str = self._want(str, "a string")
        return text if text.isascii() else _SURROGATE.sub("\ufffd", text)

    def boolean(self) -> bool:
        """Return true or false."""
        truth: bool = self._want(bool, "true or false")
        return truth


def escape(key: str) -> str:
    """Return a key as a JSON pointer writes it."""
    return key.replace("~", "~0").replace("/", "~1")
