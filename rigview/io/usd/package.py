"""Packages: zips without compression whose files begin where OpenUSD can map them."""

import io
import zipfile

# Where the content of every file of a package begins, in bytes.
_ALIGNED = 64
# The fixed part of a local header, and of a field behind it that only takes room.
_HEADER, _FIELD = 30, 4
_PADDING = b"\x86\x19"  # an identifier that no program gives a meaning


def packed_files(files: list[tuple[str, bytes]]) -> bytes:
    """Return a package of some files, the first of which is its root."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as package:
        for name, content in files:
            info = zipfile.ZipInfo(name)
            at = stream.tell() + _HEADER + len(name.encode()) + _FIELD
            room = -at % _ALIGNED
            info.extra = _PADDING + room.to_bytes(2, "little") + bytes(room)
            package.writestr(info, content)
    return stream.getvalue()
