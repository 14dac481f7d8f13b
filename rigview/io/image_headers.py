"""How large an image says it is: the first bytes of PNG and JPEG, which are nearly all that rigs have."""

import struct

_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_PNG_SIZE = struct.Struct(">II")
_JPEG = b"\xff\xd8\xff"
_SEGMENT = struct.Struct(">BBH")
# Precision, then height and width.
_JPEG_SIZE = struct.Struct(">xHH")
# What begins a frame, all but the tables of Huffman (C4) and arithmetic codes (CC) and a reserved one.
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN = 0xDA


def stated_size(data: bytes | memoryview) -> tuple[str, int, int] | None:
    """Return kind, width and height of a PNG or JPEG; None of anything else and of odd ones."""
    if data[: len(_PNG)] == _PNG and len(data) >= len(_PNG) + _PNG_SIZE.size:
        return ("PNG", *_PNG_SIZE.unpack_from(data, len(_PNG)))
    if data[: len(_JPEG)] == _JPEG:
        return _of_jpeg(data)
    return None


def _of_jpeg(data: bytes | memoryview) -> tuple[str, int, int] | None:
    at = 2
    while at + _SEGMENT.size + _JPEG_SIZE.size <= len(data):
        lead, marker, length = _SEGMENT.unpack_from(data, at)
        if lead != 0xFF or marker == _SCAN:
            return None
        if marker in _FRAMES:
            height, width = _JPEG_SIZE.unpack_from(data, at + _SEGMENT.size)
            return "JPEG", width, height
        at += 2 + length
    return None
