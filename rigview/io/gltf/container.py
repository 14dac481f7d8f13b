"""The file itself: a JSON text, alone (.gltf) or in the chunks of a GLB, and the buffers beside it."""

import re
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from rigview.core.brief import brief_repr
from rigview.core.text import system_reason
from rigview.io.files import LARGEST_FILE, read_file, read_head
from rigview.io.gltf import embedded, parsing, records
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.edits import DocumentEdits
from rigview.io.gltf.jsontext import BYTE_ORDER_MARK
from rigview.io.inputs import note
from rigview.io.memory_budget import MOST_READ
from rigview.io.reading import LoadError, Notes, SaveError, quoted

_MAGIC = b"glTF"
_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<II")
_JSON_CHUNK = 0x4E4F534A
_BIN_CHUNK = 0x004E4942
_ALIGNMENT = 4
# Names that mean themselves in a URI and on every system.
_NAME = re.compile(r"[A-Za-z0-9_.-]+")


def recognises(head: bytes) -> bool:
    """Tell a GLB by its magic and a .gltf by its opening brace."""
    return head.startswith(_MAGIC) or head.removeprefix(BYTE_ORDER_MARK.encode()).lstrip(
        b" \t\r\n"
    ).startswith(b"{")


@dataclass
class GltfSource:
    """The raw document: what saving starts from.

    Parameters
    ----------
    json
        The JSON exactly as the file has it.
    binary
        The GLB's BIN chunk, or None.
    rest
        What follows in a GLB: chunks that glTF does not know. They are written back.
    trailing
        What follows the end that a GLB's header states, written back as well.

    Attributes
    ----------
    amendments
        How the document differs from the one that is read.
    """

    __repr__ = brief_repr

    path: Path
    data: bytes
    is_glb: bool
    json: bytes | memoryview
    binary: memoryview | None = None
    rest: bytes = b""
    trailing: bytes = b""
    notes: Notes = field(default_factory=Notes)
    _contents: dict[int, memoryview] = field(default_factory=dict)
    _held: dict[str, memoryview] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.amendments = DocumentEdits(self.notes.append)
        # Bytes of the files beside it that were read.
        self._beside = 0

    @property
    def text(self) -> str:
        """The JSON as text, with a byte order mark if there is one.

        Raises
        ------
        LoadError
            If it is not UTF-8.
        """
        try:
            return str(self.json, "utf-8")
        except UnicodeDecodeError as error:
            chunk = "GLB chunk 0, " if self.is_glb else ""
            where = f"{chunk}byte {error.start}"
            raise LoadError(self.path, where, "the text is not UTF-8") from None

    @cached_property
    def document(self) -> dict[str, Any]:
        """The JSON parsed, and kept: saving asks for it again and again."""
        parsing.check_depth(self.path, self.json)
        return parsing.parse_quickly(self.json) or parsing.parse(self.path, self.text)

    def parsed(self, parse_float: Callable[[str], float] | None = None) -> dict[str, Any]:
        """Return a copy of the JSON parsed, amended.

        Parameters
        ----------
        parse_float
            What makes a number of one that has a point or an exponent.
        """
        document = parsing.parse(self.path, self.text, parse_float)
        self.amendments.write(document)
        return document

    @cached_property
    def root(self) -> Cursor:
        """The document as it was read, amended, as a checked place; for saving."""
        return Cursor(self.path, self.parsed() if self.amendments else self.document)

    def read(self, tell: Callable[[], object] | None = None) -> Cursor:
        """Return the document for reading it once; it takes several times the memory of its text.

        Long data URIs are not in it: `read_uri` knows what stands in their place.

        Parameters
        ----------
        tell
            Called meanwhile; what it raises ends the reading.

        Raises
        ------
        LoadError
            If it is damaged, or nested too deeply.
        """
        content = self.json
        if isinstance(content, bytes):
            content, self._held = embedded.shortened(content, tell)
        parsing.check_depth(self.path, content, tell)
        root = records.read_quickly(self.path, content)
        return Cursor(self.path, parsing.parse(self.path, self.text)) if root is None else root

    def buffer(
        self, place: Cursor, number: int, tell: Callable[[], object] | None = None
    ) -> memoryview:
        """Return the bytes of a buffer, read on first use; `tell` is called meanwhile.

        Raises
        ------
        LoadError
            If they cannot be read or are fewer than the buffer states.
        """
        length = place.need("byteLength").integer(low=0)
        content = self.content(place, number, tell)
        if len(content) < length:
            raise place.error(f"the data ends {length - len(content):,} bytes too early")
        return content[:length]

    def content(
        self, place: Cursor, number: int, tell: Callable[[], object] | None = None
    ) -> memoryview:
        """Return all the bytes that there are for a buffer, which may be more than it states.

        Raises
        ------
        LoadError
            If they cannot be read.
        """
        found = self._contents.get(number)
        if found is None:
            uri = place.get("uri")
            if uri is not None:
                found = memoryview(self.read_uri(uri, tell=tell))
            elif number == 0 and self.binary is not None:
                found = self.binary
            else:
                raise place.error("the buffer has no uri, and the file has no binary chunk")
            self._contents[number] = found
        return found

    def read_uri(
        self, place: Cursor, most: int | None = None, tell: Callable[[], object] | None = None
    ) -> bytes:
        """Return what a URI refers to: embedded data, or a file in the rig's folder or below it.

        Parameters
        ----------
        most
            How many bytes of a file to read, if not all.
        tell
            Called while much is read; what it raises ends the reading.

        Raises
        ------
        LoadError
            If it is remote, outside the folder, missing or damaged.
        """
        uri = place.string()
        if uri.startswith("data:"):
            return self._embedded(place, uri, tell)
        target = self.resolve_uri(place)
        try:
            if most is not None:
                return read_head(target, most)
            content = read_file(target, tell, MOST_READ - self._beside)
        except OSError as error:
            name = quoted(target.name)
            raise place.error(f"{name} cannot be read: {system_reason(error)}") from None
        self._beside += len(content)
        return content

    def note_files(self, root: Cursor) -> None:
        """Note the buffers and images beside the file, also those that nothing in it uses."""
        for place in (*root.array("buffers"), *root.array("images")):
            with suppress(LoadError):
                uri = place.get("uri")
                if uri is not None and not uri.string().startswith("data:"):
                    self.resolve_uri(uri)

    def resolve_uri(self, place: Cursor) -> Path:
        """Return the path of an external file.

        Raises
        ------
        LoadError
            If it is remote, absolute or outside the rig's folder.
        """
        target = self._resolved(place)
        note(target)
        return target

    def _resolved(self, place: Cursor) -> Path:
        uri = place.string()
        if _NAME.fullmatch(uri) and _is_plain(beside := self._folder / uri):
            return beside
        try:
            parts = urlsplit(uri)
        except ValueError:
            raise place.error("the uri is malformed") from None
        if parts.scheme or parts.netloc:
            raise place.error(f"the uri is not a relative path: {quoted(uri)}")
        try:
            relative = self._stated(unquote(uri))
            target = self._followed(relative)
        except (OSError, RuntimeError, ValueError):
            raise place.error("the uri is no usable path") from None
        if relative.is_absolute() or not target.is_relative_to(self._folder):
            raise place.error(f"the path leaves the folder of the file: {quoted(uri)}")
        return target

    def _stated(self, name: str) -> Path:
        """Return the path that a URI states; programs of Windows part folders by backslashes.

        Raises
        ------
        ValueError
            If no file can have this name.
        """
        path = Path(name)
        if "\\" in name and not (self._folder / path).exists():
            return Path(name.replace("\\", "/"))
        return path

    def _followed(self, relative: Path) -> Path:
        """Return where a path leads; the links above the file itself are followed once a folder.

        Raises
        ------
        OSError, RuntimeError, ValueError
            If it is no usable path.
        """
        above = self._folders.get(relative.parent)
        if above is None:
            above = self._folders[relative.parent] = (self._folder / relative.parent).resolve()
        target = above / relative.name
        return target if _is_plain(target) else target.resolve()

    @cached_property
    def _folder(self) -> Path:
        return self.path.resolve().parent

    @cached_property
    def _folders(self) -> dict[Path, Path]:
        """Folder as a URI names it → where it leads."""
        return {Path(): self._folder}

    def _embedded(self, place: Cursor, uri: str, tell: Callable[[], object] | None) -> bytes:
        head, comma, data = uri.partition(",")
        if not (comma and head.endswith(";base64")):
            raise place.error("the data URI is not base64")
        try:
            return embedded.decoded(self._held.get(data) or data.encode("ascii"), tell)
        except ValueError:
            raise place.error("the base64 data is damaged") from None


def _is_plain(path: Path) -> bool:
    """Tell whether a file is at a path, and no link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read(path: Path, tell: Callable[[], object] | None = None) -> GltfSource:
    """Read a .gltf, .glb or .vrm file, told apart by content; `tell` is called meanwhile.

    Raises
    ------
    LoadError
        If the container is damaged.
    """
    data = read_file(path, tell)
    if not data.startswith(_MAGIC):
        return GltfSource(path, data, False, data)
    notes = Notes()
    there = len(data)
    data = _padded(data, notes)
    parts = _split(path, data)
    binary = parts.binary
    if binary is not None and not parts.rest:
        # What was put there pads the chunk, and is no data of a buffer.
        binary = binary[: len(binary) - (len(data) - there)]
    if parts.trailing:
        notes.append(
            f"{len(parts.trailing):,} bytes after the end that the GLB header states are ignored"
        )
    return GltfSource(path, data, True, parts.json, binary, parts.rest, parts.trailing, notes)


def _padded(data: bytes, notes: Notes) -> bytes:
    """Return a GLB whose chunks are padded as they should be, where only that is amiss.

    Some writers forget to write what pads the last chunk, and some pad the JSON with zeros.
    """
    if len(data) < _HEADER.size + _CHUNK.size:
        return data
    _, _, length = _HEADER.unpack_from(data)
    size, type_ = _CHUNK.unpack_from(data, _HEADER.size)
    missing = length - len(data)
    if 0 < missing < _ALIGNMENT:
        notes.append(f"the file ends {missing} bytes before its stated length: zeros are put there")
        data += b"\0" * missing
    start = _HEADER.size + _CHUNK.size
    end = start + size
    if type_ == _JSON_CHUNK and start < end <= len(data) and data[end - 1] == 0:
        text = data[start:end].rstrip(b"\0")
        notes.append("the JSON is padded with zeros, which are taken for spaces")
        data = b"".join((data[:start], text.ljust(size), data[end:]))
    return data


class _Parts(NamedTuple):
    json: memoryview
    binary: memoryview | None
    rest: bytes
    trailing: bytes


def _split(path: Path, data: bytes) -> _Parts:
    """Take a GLB apart."""
    if len(data) < _HEADER.size:
        raise LoadError(path, "GLB header", f"the file ends after {len(data)} of 12 bytes")
    _, version, length = _HEADER.unpack_from(data)
    if version == 1:
        raise LoadError(path, "GLB header", "this is glTF 1.0, and rigview reads 2.0")
    if version != 2:
        raise LoadError(path, "GLB header", f"version {version} is not 2")
    if length > len(data):
        missing = length - len(data)
        raise LoadError(
            path, "GLB header", f"the file ends {missing:,} bytes before its stated length"
        )
    view = memoryview(data)[:length]
    type_, content, end = _chunk(path, view, _HEADER.size, 0)
    if type_ != _JSON_CHUNK:
        raise LoadError(path, "GLB chunk 0", "the first chunk is not JSON")
    binary = None
    if end < length:
        type_, second, second_end = _chunk(path, view, end, 1)
        if type_ == _BIN_CHUNK:
            binary, end = second, second_end
    return _Parts(content, binary, bytes(view[end:]), data[length:])


def _chunk(path: Path, view: memoryview, offset: int, number: int) -> tuple[int, memoryview, int]:
    """Return type, content and end of the chunk that starts at `offset`."""
    where = f"GLB chunk {number}"
    if offset + _CHUNK.size > len(view):
        raise LoadError(path, where, "the chunk's header is cut off")
    size, type_ = _CHUNK.unpack_from(view, offset)
    offset += _CHUNK.size
    if offset + size > len(view):
        missing = offset + size - len(view)
        raise LoadError(path, where, f"the chunk ends {missing:,} bytes after the file")
    return type_, view[offset : offset + size], offset + size


def glb(text: str, binary: bytes | None, source: GltfSource) -> bytes:
    """Return the bytes of a GLB with a new JSON text and binary data."""
    # Spaces at the end pad the chunk and are no part of the text.
    json_ = text.rstrip(" ").encode()
    body = _CHUNK.pack(len(json_) + -len(json_) % 4, _JSON_CHUNK) + json_ + b" " * (-len(json_) % 4)
    if binary is not None:
        padding = b"\0" * (-len(binary) % 4)
        body += _CHUNK.pack(len(binary) + len(padding), _BIN_CHUNK) + binary + padding
    body += source.rest
    if _HEADER.size + len(body) > LARGEST_FILE:
        raise SaveError("a GLB cannot be larger than 4 GiB: save as .gltf")
    return _HEADER.pack(_MAGIC, 2, _HEADER.size + len(body)) + body + source.trailing
