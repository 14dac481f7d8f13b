"""Base64 in data URIs: taken out of the text before it is parsed, and decoded a piece at a time."""

import binascii
import io
import os
import re
from collections.abc import Callable
from typing import NamedTuple

# Decoded in some ten milliseconds; four letters are three bytes.
_CHUNK = 4 << 20
# What is shorter is parsed in a moment.
_LONG = 1 << 20
# Where the media type ends, at the latest.
_MOST_HEAD = 256
_URI = re.compile(rb'"uri"[ \t\r\n]*:[ \t\r\n]*"data:')


class Shortened(NamedTuple):
    """A JSON text with a word in place of what each long data URI holds.

    Parameters
    ----------
    held
        Word → the base64 that it stands for.
    """

    text: bytes
    held: dict[str, memoryview]


def shortened(text: bytes, tell: Callable[[], object] | None = None) -> Shortened:
    """Take the data out of long data URIs, which take longer to parse than all the rest.

    Only what stands under the key ``uri`` is taken, and only what a parser would read as it stands.

    Parameters
    ----------
    tell
        Called meanwhile; what it raises ends the reading.
    """
    held: dict[str, memoryview] = {}
    if len(text) < _LONG:
        return Shortened(text, held)
    # Nobody can have written into the file what is not known before it is read.
    name = os.urandom(16).hex()
    pieces: list[bytes] = []
    done = at = 0
    while (found := _URI.search(text, at)) is not None:
        start = 1 + text.find(b",", found.end(), found.end() + _MOST_HEAD)
        at = end = text.find(b'"', found.end())
        if end < 0:
            break
        if start and end - start >= _LONG and text.find(b"\\", start, end) < 0:
            word = f"{name}{len(held)}"
            pieces += (text[done:start], word.encode())
            held[word], done = memoryview(text)[start:end], end
        if tell is not None:
            tell()
    return Shortened(b"".join((*pieces, text[done:])), held) if held else Shortened(text, held)


def decoded(letters: bytes | memoryview, tell: Callable[[], object] | None = None) -> bytes:
    """Return what base64 stands for; `tell` is called meanwhile.

    Raises
    ------
    binascii.Error
        If it is damaged.
    """
    result = io.BytesIO()
    for at in range(0, len(letters), _CHUNK):
        piece = bytes(letters[at : at + _CHUNK])
        if piece.endswith(b"=") and at + _CHUNK < len(letters):
            raise binascii.Error("padding before the end")
        result.write(binascii.a2b_base64(piece, strict_mode=True))
        if tell is not None:
            tell()
    return result.getvalue()
