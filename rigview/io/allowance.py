"""How much memory a file may claim: what its size can account for."""

from typing import Protocol

from rigview.io.reading import LoadError

_MIB = 1 << 20


class Place(Protocol):
    """A place in a document of any format."""

    def error(self, reason: str) -> LoadError:
        """Return the error that names this place."""


class Allowance:
    """An amount of memory that grows with the bytes read and shrinks with what is made of them.

    A few bytes of JSON can state billions of elements, or name one array a thousand times; what a
    file may claim is therefore bound to its size.

    Parameters
    ----------
    floor
        Bytes that any file may claim.
    growth
        How many more it may claim for every byte it has.
    """

    def __init__(self, floor: int, growth: int) -> None:
        self._left, self._growth = floor, growth

    def earn(self, size: int) -> None:
        """Allow more, `size` bytes having been read."""
        self._left += self._growth * size

    def take(self, size: int) -> bool:
        """Claim memory before taking it; return whether the file may."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def spend(self, place: Place, size: int) -> None:
        """Claim memory before taking it.

        Raises
        ------
        LoadError
            If the file is too small to claim so much.
        """
        if not self.take(size):
            raise place.error(
                f"it would take {-(-size // _MIB):,} MiB, more than a file of this size can claim"
            )
