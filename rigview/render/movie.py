"""Animated pictures: each is encoded alone and joined to the others, so that none has to wait for all.

WebP: https://developers.google.com/speed/webp/docs/riff_container. APNG: PNG, third edition.
GIF: GIF89a with Netscape's extension for loops. All of them play for ever.
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from PIL import Image as Pillow

from rigview.core.arrays import ByteArray
from rigview.render.image import png


@dataclass(frozen=True)
class Reel:
    """What is the same for all pictures of a movie.

    Parameters
    ----------
    size
        Width and height.
    clear
        Whether they may be transparent.
    text
        What the movie shall carry, where its kind can.
    """

    count: int
    rate: float
    size: tuple[int, int]
    clear: bool = False
    text: Mapping[str, str] = field(default_factory=dict)

    def ticks(self, second: int) -> list[int]:
        """Return how long each picture stands in parts of a second; no error adds up."""
        ends = [round((i + 1) * second / self.rate) for i in range(self.count)]
        return [end - start for start, end in zip([0, *ends], ends, strict=False)]


_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
Encoder = Callable[[Iterable[ByteArray], Reel], Iterator[bytes]]


@dataclass(frozen=True)
class Movie:
    """A kind of animated picture.

    Parameters
    ----------
    says
        What it is good for.
    largest
        Side in pixels.
    fastest
        Pictures a second that programs play.
    """

    name: str
    says: str
    suffixes: tuple[str, ...]
    largest: int
    fastest: float
    encode: Encoder


def _pillow(pixels: ByteArray, reel: Reel) -> Pillow.Image:
    return Pillow.fromarray(pixels if reel.clear else np.ascontiguousarray(pixels[..., :3]))


def _webp(pictures: Iterable[ByteArray], reel: Reel) -> Iterator[bytes]:
    """Yield the file in one piece: it begins by saying how long it is."""
    width, height = reel.size
    flags = 0x02 | (0x10 if reel.clear else 0)
    canvas = _three(width - 1) + _three(height - 1)
    body = [
        b"WEBP",
        _riff(b"VP8X", struct.pack("<I", flags) + canvas),
        # The background, which nobody heeds, and no end of loops.
        _riff(b"ANIM", struct.pack("<IH", 0, 0)),
    ]
    for pixels, milliseconds in zip(pictures, reel.ticks(1000), strict=True):
        stream = io.BytesIO()
        # At 90 our pictures are at 43 dB and a third of what they are without loss.
        _pillow(pixels, reel).save(stream, "WEBP", quality=90, method=4, exact=False)
        # Replaces what was there before: 0x02 is "do not blend".
        place = _three(0) + _three(0) + canvas + _three(milliseconds) + b"\x02"
        body.append(_riff(b"ANMF", place + _bitstream(stream.getvalue())))
    yield _riff(b"RIFF", b"".join(body))


def _bitstream(still: bytes) -> bytes:
    """Return what of a WebP file is the picture itself: all chunks but those about the file."""
    chunks, at = [], 12
    while at < len(still):
        name, length = struct.unpack_from("<4sI", still, at)
        end = at + 8 + length + length % 2
        if name in (b"ALPH", b"VP8 ", b"VP8L"):
            chunks.append(still[at:end])
        at = end
    return b"".join(chunks)


def _riff(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _apng(pictures: Iterable[ByteArray], reel: Reel) -> Iterator[bytes]:
    """Yield one PNG after the other, put together; where nothing moves, the first one shows."""
    # What says how a picture is shown and what is in it are numbered through.
    number = 0
    for i, pixels in enumerate(pictures):
        chunks = _png_chunks(png(pixels, reel.text if i == 0 else {}, clear=reel.clear))
        data = b"".join(content for name, content in chunks if name == b"IDAT")
        if i == 0:
            yield _PNG_SIGNATURE
            for name, content in chunks:
                if name not in (b"IDAT", b"IEND"):
                    yield _chunk(name, content)
            yield _chunk(b"acTL", struct.pack(">II", reel.count, 0))
        delay = 100, round(100.0 * reel.rate)
        yield _chunk(b"fcTL", struct.pack(">5I2H2B", number, *reel.size, 0, 0, *delay, 0, 0))
        if i == 0:
            yield _chunk(b"IDAT", data)
        else:
            number += 1
            yield _chunk(b"fdAT", struct.pack(">I", number) + data)
        number += 1
    yield _chunk(b"IEND", b"")


def _png_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    chunks, at = [], len(_PNG_SIGNATURE)
    while at < len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        chunks.append((name, data[at + 8 : at + 8 + length]))
        at += 12 + length
    return chunks


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _gif(pictures: Iterable[ByteArray], reel: Reel) -> Iterator[bytes]:
    """Yield a file whose pictures have 256 colours each, their own."""
    # The size, and a file without colours of its own.
    yield b"GIF89a" + struct.pack("<2H3B", *reel.size, 0, 0, 0)
    yield b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    for pixels, hundredths in zip(pictures, reel.ticks(100), strict=True):
        picture = _pillow(pixels, reel).convert("RGB").quantize(255 if reel.clear else 256)
        if reel.clear:
            # The last colour is none: half covered and more counts as covered.
            indices = np.where(pixels[..., 3] < 128, 255, np.asarray(picture)).astype(np.uint8)
            palette = picture.getpalette() or []
            picture = Pillow.fromarray(indices)
            picture.putpalette(palette[: 3 * 255])
        stream = io.BytesIO()
        picture.save(stream, "GIF", optimize=False, interlace=False)
        # 2 clears the place for the next picture.
        how = (2 << 2 | 1) if reel.clear else 0
        yield b"\x21\xf9\x04" + struct.pack("<BHBB", how, hundredths, 255, 0)
        yield _gif_picture(stream.getvalue())
    yield b"\x3b"


def _gif_picture(still: bytes) -> bytes:
    """Return the picture in a GIF of one, with its colours beside it instead of the file's."""
    bits = still[10] & 0x07
    at = 13 + 3 * 2 ** (bits + 1)
    colours = still[13:at]
    while still[at] == 0x21:
        # An extension: its kind, then blocks that say how long they are, the last one empty.
        at += 2
        while still[at]:
            at += 1 + still[at]
        at += 1
    return still[at : at + 9] + bytes([0x80 | bits]) + colours + still[at + 10 : -1]


# The first is the default: the smallest, and browsers and review tools show it.
MOVIES: tuple[Movie, ...] = (
    Movie("WebP", "small", (".webp",), 16383, 240.0, _webp),
    Movie("APNG", "lossless", (".png", ".apng"), 65535, 240.0, _apng),
    # Programs take what is quicker for a mistake, and play it at ten pictures a second.
    Movie("GIF", "256 colours", (".gif",), 65535, 50.0, _gif),
)
BY_SUFFIX: dict[str, Movie] = {suffix: movie for movie in MOVIES for suffix in movie.suffixes}
