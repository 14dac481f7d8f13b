"""How much memory opening a file may take: what its size can account for, within fixed bounds."""

from typing import Protocol

from rigview.io.reading import LoadError

_MIB = 1 << 20
# Opening a file takes at most 1 GiB, of which the program itself has about 100 MiB.
MOST_MEMORY = 896 * _MIB
# A file, and all buffers beside it together; the largest rig of the corpus has 4 MB.
MOST_READ = 512 * _MIB
# The pixels of one image: 8192², which is 256 MiB of RGBA.
MOST_PIXELS = 1 << 26
# Pillow's decoder of WebP takes 16 bytes a pixel, that of 8192² 1.1 GB.
MOST_PIXELS_OF = {"WEBP": 1 << 25}


class DocumentPlace(Protocol):
    """A place in a document of any format."""

    def error(self, reason: str) -> LoadError:
        """Return the error that names this place."""


class MemoryBudget:
    """An amount of memory that grows with the bytes read and shrinks with what is made of them.

    A few bytes of JSON can state billions of elements, or name one array a thousand times; what a
    file may claim is therefore bound to its size.

    Parameters
    ----------
    floor
        Bytes that any file may claim.
    growth
        How many more it may claim for every byte it has.
    most
        The bytes that it may claim and have together, whatever its size.
    """

    def __init__(self, floor: int, growth: int, most: int = MOST_MEMORY) -> None:
        self._left, self._growth, self._room = floor, growth, most

    def earn(self, size: int) -> None:
        """Allow more, `size` bytes having been read, which take room themselves."""
        self._left += self._growth * size
        self._room -= size

    def take(self, size: int) -> bool:
        """Claim memory before taking it; return whether the file may."""
        if size > min(self._left, self._room):
            return False
        self._left -= size
        self._room -= size
        return True

    def spend(self, place: DocumentPlace, size: int) -> None:
        """Claim memory before taking it.

        Raises
        ------
        LoadError
            If the file is too small to claim so much, or no file may.
        """
        if self.take(size):
            return
        wanted = f"it would take {-(-size // _MIB):,} MiB"
        if size > self._left:
            raise place.error(f"{wanted}, more than a file of this size can claim")
        left = max(self._room, 0) // _MIB
        raise place.error(f"{wanted}, and {left:,} MiB are left of those that a file may take")
