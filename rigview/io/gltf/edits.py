"""What of a document has to be changed so that it means something: noted, and written so in copies."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.table import ABSENT
from rigview.io.reading import and_more

_Way = tuple[str | int, ...]


class DocumentEdits:
    """Members of a document that are left out of it, or have another value.

    Elements of arrays stay, so that numbers keep their meaning.

    Parameters
    ----------
    note
        Hears what a reader does otherwise than the file says.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._members: dict[_Way, Any] = {}

    def __bool__(self) -> bool:
        return bool(self._members)

    def leave_out(self, place: Cursor, reason: str = "") -> None:
        """Leave a member out; a finding tells of what has no reason here."""
        self._members[place.way] = ABSENT
        if reason:
            self._note(f"{place.pointer} is left out: {reason}")

    def leave_out_all(self, places: Sequence[Cursor], reason: str) -> None:
        """Leave members out that are alike, and tell of them together."""
        if places:
            for place in places:
                self.leave_out(place)
            verb = "are" if len(places) > 1 else "is"
            self._note(f"{places[0].pointer}{and_more(len(places) - 1)} {verb} left out: {reason}")

    def take(self, place: Cursor, value: Any, reason: str) -> None:  # noqa: ANN401 - JSON
        """Take another value for a member."""
        self._members[place.way] = value
        self._note(f"{place.pointer}: {reason}")

    def take_all(self, values: Sequence[tuple[Cursor, Any]], reason: str) -> None:
        """Take other values for members that are alike, and tell of them together."""
        if values:
            self._members |= {place.way: value for place, value in values}
            self._note(f"{values[0][0].pointer}{and_more(len(values) - 1)}: {reason}")

    def write(self, document: dict[str, Any]) -> None:
        """Change a document, which may have been changed already, as this says."""
        for way, value in self._members.items():
            holder = _holder(document, way)
            if holder is not None and value is ABSENT:
                holder.pop(str(way[-1]), None)
            elif holder is not None:
                holder[str(way[-1])] = value


def _holder(document: dict[str, Any], way: _Way) -> dict[str, Any] | None:
    """Return the object that a way ends in, unless it is left out itself."""
    found: Any = document
    for step in way[:-1]:
        found = found.get(step) if isinstance(found, dict) else found[step]
        if found is None:
            return None
    return found if isinstance(found, dict) else None


def each(place: Cursor, pattern: str) -> Iterator[Cursor]:
    """Yield the members that a pattern names, as far as there are any.

    Parameters
    ----------
    pattern
        Keys with slashes between them; ``*`` is every element of an array.
    """
    places = [place]
    for step in pattern.split("/"):
        if step == "*":
            places = [item for p in places if type(p.value) is list for item in p.items()]
        else:
            found = (p.get(step) for p in places if type(p.value) is dict)
            places = [p for p in found if p is not None]
    yield from places
