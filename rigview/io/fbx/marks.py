"""Where nodes begin and end in an ASCII file: its colons, braces and comments.

Most of a file is numbers, so the marks are found for all of it with numpy; those in texts and
comments are none.
"""

import re
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import BoolArray, IntArray
from rigview.io.fbx.blocks import blocks, joined

QUOTE, COMMENT, COLON, OPEN, CLOSE = b'";:{}'
# What is looked through at once, in bytes: a few milliseconds.
_AT_ONCE = 1 << 20
_IS_MARK = bytes(int(byte in b'";:{}') for byte in range(256))
# Comments on lines that follow each other.
_COMMENTS = re.compile(rb"(?:;[^\n]*+\s*+)++")


class Marks:
    """The marks of a file, in order, and one after its end that closes all of it.

    Parameters
    ----------
    pulse
        Called every few milliseconds.
    """

    def __init__(self, data: bytes, pulse: Callable[[], None]) -> None:
        self._data, self._pulse = data, pulse
        # Whether what follows is within a text, and where the last comment ends.
        self._in_text, self._resume = False, 0
        found = [self._within(start) for start in range(0, len(data), _AT_ONCE)]
        places = joined([*(at for at, _ in found), np.array([len(data)])], pulse)
        self.kinds = b"".join([*(kinds.tobytes() for _, kinds in found), bytes([CLOSE])])
        self.places = places.data
        self.is_complete = not self._in_text

    def _within(self, start: int) -> tuple[IntArray, NDArray[np.uint8]]:
        """Return the marks of one block of the file, and what they are."""
        self._pulse()
        block = self._data[start : start + _AT_ONCE]
        (at,) = np.frombuffer(block.translate(_IS_MARK), np.bool_).nonzero()
        kinds = np.frombuffer(block, np.uint8)[at]
        at += start
        is_quote = kinds == QUOTE
        live = self._outside_comments(at, kinds == COMMENT, is_quote)
        in_text = (np.cumsum(is_quote & live) & 1).astype(np.bool_) ^ self._in_text
        if len(at):
            self._in_text = bool(in_text[-1])
        kept = live & ~is_quote & ~in_text
        return at[kept], kinds[kept]

    def _outside_comments(self, at: IntArray, begins: BoolArray, is_quote: BoolArray) -> BoolArray:
        """Return ``(n,)`` whether marks are in no comment, the one that begins it left out."""
        result = at >= self._resume
        quotes = np.cumsum(is_quote)
        passed_over = int(np.count_nonzero(is_quote & ~result))
        numbers = (begins & result).nonzero()[0].tolist()
        places, counts = at.data, quotes.data
        after = 0
        for number in numbers:
            is_odd = (counts[number] - passed_over) % 2 == 1
            if number < after or is_odd != self._in_text:
                continue
            found = _COMMENTS.match(self._data, places[number])
            self._resume = len(self._data) if found is None else found.end()
            after = bisect_left(places, self._resume, number)
            result[number + 1 : after] = False
            passed_over += counts[after - 1] - counts[number]
            self._pulse()
        return result

    def levels(self) -> tuple[IntArray, IntArray]:
        """Return the numbers of all braces, and in how many pairs each is, its own among them."""
        kinds = np.frombuffer(self.kinds, np.uint8)
        braces, levels = [], []
        level = 0
        for rows in blocks(len(kinds), self._pulse):
            block = kinds[rows]
            (at,) = ((block == OPEN) | (block == CLOSE)).nonzero()
            closes = block[at] == CLOSE
            after = np.cumsum(np.where(closes, -1, 1)) + level
            braces.append(at + rows.start)
            levels.append(after + closes)
            level = int(after[-1]) if len(after) else level
        return joined(braces, self._pulse), joined(levels, self._pulse)
