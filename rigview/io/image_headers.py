"""How large PNG and JPEG, which are nearly all images of rigs, say they are; whether a PNG is whole."""

import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
_PNG_SIZE = struct.Struct(">II")
_JPEG = b"\xff\xd8\xff"
_SEGMENT = struct.Struct(">BBH")
# Precision, then height and width.
_JPEG_SIZE = struct.Struct(">xHH")
# What begins a frame, all but the tables of Huffman (C4) and arithmetic codes (CC) and a reserved one.
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN = 0xDA


# Bits a sample and kind of colour that programs write: grey, grey or colours with alpha, a palette.
_COMMON = {(8, 0), (8, 2), (8, 3), (8, 4), (8, 6)}
_PALETTE = 3
_CHUNK = struct.Struct(">I4s")
_SUM = struct.Struct(">I")
# What is packed in chunks for people and programs; of much of it decoders make a fault.
_PACKED, _MUCH = {b"zTXt", b"iTXt", b"iCCP"}, 1 << 16


def is_whole_png(data: bytes | memoryview) -> bool:
    """Tell whether this is a PNG of a common kind, and as its writer left it.

    Every chunk has a checksum: nothing was lost or changed where all of them are right and none is missing.
    """
    if data[: len(_PNG)] != _PNG:
        return False
    at, kinds = 8, []
    while at + _CHUNK.size + _SUM.size <= len(data):
        length, kind = _CHUNK.unpack_from(data, at)
        end = at + _CHUNK.size + length
        if end + _SUM.size > len(data) or (kind in _PACKED and length > _MUCH):
            return False
        if zlib.crc32(data[at + 4 : end]) != _SUM.unpack_from(data, end)[0]:
            return False
        kinds.append(kind)
        if kind == b"IEND":
            break
        at = end + _SUM.size
    if not {b"IDAT", b"IEND"} <= set(kinds):
        return False
    colour = (data[24], data[25])
    return colour in _COMMON and (colour[1] != _PALETTE or b"PLTE" in kinds)


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
