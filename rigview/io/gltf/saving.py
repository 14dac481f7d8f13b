"""Saving: the patched document in the container that the new name asks for."""

import base64
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from rigview.core.rig import Rig
from rigview.io.files import read_file, write_together
from rigview.io.gltf import container
from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.jsontext import rewrite
from rigview.io.gltf.patch import Patch
from rigview.io.reading import Loaded, LoadError, SaveError

_MIME = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp"}


def save(loaded: Loaded, rig: Rig, out: Path) -> None:
    """Write a rig as a changed copy of the file it came from.

    An unchanged rig in the same kind of container is the source byte for byte, unless what opened is an
    amended document: that is what is written. A .gltf gets its
    binary data in OUT.bin and its images copied; data that were embedded stay embedded. A .gltf
    that becomes a GLB takes all of them in.

    Raises
    ------
    SaveError
        If a file would be overwritten that belongs to something else.
    """
    source: GltfSource = loaded.source
    as_glb = out.suffix.lower() != ".gltf"
    is_copy = rig is loaded.rig and not source.amendments
    patch = None if is_copy else Patch(source, loaded.rig, rig)
    if as_glb == source.is_glb and (patch is None or patch.is_empty):
        files, main = _copies(source, out, ("buffers", "images")), source.data
    else:
        patch = patch or Patch(source, rig, rig)
        if as_glb and not source.is_glb:
            files, main = _join(source, patch, out)
        else:
            files, main = _lay_beside(source, patch, out, as_glb=as_glb)
    write_together(files | {out: main})


def _external(source: GltfSource, *kinds: str) -> Iterator[tuple[int, Path]]:
    """Yield number and path of every buffer or image that is another file."""
    for kind in kinds:
        for number, place in enumerate(source.root.array(kind)):
            try:
                uri = place.get("uri")
                if uri is not None and not uri.string().startswith("data:"):
                    yield number, source.resolve_uri(uri)
            except LoadError:
                continue  # of no use in the source either: MSH-READ says so


def _copies(source: GltfSource, out: Path, kinds: tuple[str, ...]) -> dict[Path, bytes]:
    """Return the external files to copy beside `out`: target → content.

    Raises
    ------
    SaveError
        If another file already stands where one would go.
    """
    files: dict[Path, bytes] = {}
    here, there = source.path.resolve().parent, out.resolve().parent
    for _, origin in _external(source, *kinds):
        target = there / origin.relative_to(here)
        if target != origin and target not in files:
            _copy(origin, target, files)
    return files


def _copy(origin: Path, target: Path, files: dict[Path, bytes]) -> None:
    try:
        content = read_file(origin)
    except OSError:
        return  # missing already in the source: MSH-READ says so
    if target.exists():
        if read_file(target) != content:
            raise SaveError(f"{target.name} beside it is another file; choose another folder")
        return
    files[target] = content


def _lay_beside(
    source: GltfSource, patch: Patch, out: Path, *, as_glb: bool
) -> tuple[dict[Path, bytes], bytes]:
    """Keep the document's structure: buffers in the GLB, embedded, or in files named after `out`."""
    files = _copies(source, out, ("images",))
    binary = bytes(source.binary) if as_glb and source.binary is not None else None
    in_place = out.resolve() == source.path.resolve()
    taken = set() if in_place else _files_of(source)
    for number, data in enumerate(patch.store.buffers):
        if data is None or (in_place and not patch.store.is_changed(number)):
            continue
        stored = patch.document["buffers"][number]
        stored["byteLength"] = len(data)
        uri = stored.get("uri")
        if uri is None and as_glb:
            binary = bytes(data)
        elif uri is not None and uri.startswith("data:"):
            if patch.store.is_changed(number):
                stored["uri"] = f"{uri.partition(',')[0]},{base64.b64encode(data).decode()}"
        else:
            target = _free_name(out, number, bytes(data), taken)
            files[target] = bytes(data)
            if uri is None or unquote(uri) != target.name:
                stored["uri"] = quote(target.name)
    text = rewrite(source.text, source.document, patch.document)
    return files, container.glb(text, binary, source) if as_glb else text.encode()


def _files_of(source: GltfSource) -> set[Path]:
    return {source.path.resolve(), *(path for _, path in _external(source, "buffers", "images"))}


def _free_name(out: Path, number: int, data: bytes, taken: set[Path]) -> Path:
    """Return OUT.bin, OUT.1.bin …, never a file that the source or something else needs."""
    name = out.resolve().with_suffix(".bin" if number == 0 else f".{number}.bin")
    own: set[Path] = set()
    if name.exists() and out.exists():
        with contextlib.suppress(LoadError, OSError):
            own = {path for _, path in _external(container.read(out), "buffers")}
    while name in taken or (name.exists() and name not in own and read_file(name) != data):
        name = name.with_name(f"{name.stem}_copy.bin")
    taken.add(name)
    return name


def _join(source: GltfSource, patch: Patch, out: Path) -> tuple[dict[Path, bytes], bytes]:
    """Take buffers and images into the binary chunk of a GLB."""
    document = patch.document
    binary = bytearray()
    starts = {
        number: _add(binary, data)
        for number, data in enumerate(patch.store.buffers)
        if data is not None
    }
    files, views = _take_images(source, document, binary, out)
    if binary:
        stored = document.get("buffers", [])
        left = [number for number in range(len(stored)) if number not in starts]
        _move_views(document, starts, {number: 1 + i for i, number in enumerate(left)})
        first = dict(stored[min(starts)]) if starts else {}
        first.pop("uri", None)
        first["byteLength"] = len(binary)
        document["buffers"] = [first, *(stored[number] for number in left)]
    if views:
        document.setdefault("bufferViews", []).extend(views)
    text = rewrite(source.text, source.document, document)
    return files, container.glb(text, bytes(binary) if binary else None, source)


def _add(binary: bytearray, data: bytes | bytearray) -> int:
    """Append data where a buffer may start, and return where that is."""
    binary.extend(b"\0" * (-len(binary) % 4))
    start = len(binary)
    binary.extend(data)
    return start


def _move_views(
    document: dict[str, Any], starts: dict[int, int], renumbered: dict[int, int]
) -> None:
    """Point views, and extensions of views, to where their buffers went."""
    for view in document.get("bufferViews", []):
        extensions = view.get("extensions") if isinstance(view, dict) else None
        inner = extensions.values() if isinstance(extensions, dict) else ()
        for holder in (view, *inner):
            number = holder.get("buffer") if isinstance(holder, dict) else None
            if type(number) is not int:
                continue
            holder["buffer"] = renumbered.get(number, 0 if number in starts else number)
            start, offset = starts.get(number, 0), holder.get("byteOffset", 0)
            if start and type(offset) is int:
                holder["byteOffset"] = offset + start


def _take_images(
    source: GltfSource, document: dict[str, Any], binary: bytearray, out: Path
) -> tuple[dict[Path, bytes], list[dict[str, Any]]]:
    """Take images in that lie beside the text or stand in it, and return their new views.

    And first what has to lie beside `out` all the same.
    """
    here, there = source.path.resolve().parent, out.resolve().parent
    count = len(document.get("bufferViews", []))
    files: dict[Path, bytes] = {}
    views: dict[Path | str, dict[str, Any]] = {}
    for number, place in enumerate(source.root.array("images")):
        try:
            uri = place.get("uri")
            if uri is None:
                continue
            stated = uri.string()
            path = None if stated.startswith("data:") else source.resolve_uri(uri)
            content = source.read_uri(uri)
        except LoadError:
            continue  # of no use in the source either: MSH-READ says so
        image = document["images"][number]
        mime = next((m for magic, m in _MIME.items() if content.startswith(magic)), None)
        if mime is None:
            if path is not None and (target := there / path.relative_to(here)) != path:
                _copy(path, target, files)
            continue
        key = path or stated
        if key not in views:
            start = _add(binary, content)
            views[key] = {"buffer": 0, "byteOffset": start, "byteLength": len(content)}
        del image["uri"]
        image["bufferView"] = count + list(views).index(key)
        image.setdefault("mimeType", mime)
    return files, list(views.values())
