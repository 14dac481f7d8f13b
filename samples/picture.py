"""Small PNG images, written byte by byte: the same on every machine, whatever its zlib."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

PALETTE = ((0xD8, 0xD3, 0xC8), (0x6E, 0x7F, 0x91), (0xC8, 0x7A, 0x53), (0xEF, 0xEC, 0xE4))


def checker(columns: int, rows: int, pixels: int = 2) -> bytes:
    """Return a PNG of a checkerboard; every fourth column and row has colours of its own.

    Parameters
    ----------
    columns, rows
        How many fields.
    pixels
        Of one field's edge.
    """
    row, column = np.divmod(np.arange(columns * rows), columns)
    dark = (row + column) % 2
    marked = (column % 4 == 0) | (row % 4 == 0)
    colour = np.where(dark, np.where(marked, 2, 1), np.where(marked, 3, 0))
    fields = colour.reshape(rows, columns).astype(np.uint8)
    return indexed_png(fields.repeat(pixels, axis=0).repeat(pixels, axis=1))


def indexed_png(pixels: NDArray[np.uint8]) -> bytes:
    """Return a PNG of ``(H, W)`` numbers of `PALETTE`, two bits each."""
    height, width = pixels.shape
    bits = np.stack([pixels >> 1, pixels & 1], axis=-1).reshape(height, 2 * width)
    lines = np.packbits(bits, axis=1)
    raw = np.concatenate([np.zeros((height, 1), np.uint8), lines], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0)
    palette = bytes(component for colour in PALETTE for component in colour)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _stored(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _stored(raw: bytes) -> bytes:
    """Return a zlib stream of one block that is not compressed."""
    if len(raw) > 0xFFFF:
        raise ValueError(f"raw: wanted at most 65535 bytes, got {len(raw)}")
    block = struct.pack("<BHH", 1, len(raw), len(raw) ^ 0xFFFF)
    return b"\x78\x01" + block + raw + struct.pack(">I", zlib.adler32(raw))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
