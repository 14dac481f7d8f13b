"""Saving: a layer over the file, or a package with one more layer; opened again before it counts.

OpenUSD composes and writes in a child process, as it reads in one. The copy is made beside its final name,
so that it reaches the file below it by the path that it keeps.
"""

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.child_entry import Parent
from rigview.io.files import led_to, read_file, write_together
from rigview.io.inputs import is_same_file
from rigview.io.original import Original, own
from rigview.io.partial_files import PartialFile
from rigview.io.reading import Listener, Loaded, LoadError, SaveError
from rigview.io.reopened import expect_same, with_clip_names
from rigview.io.unwritten import expect_written
from rigview.io.usd.separate import answer, ask_separately, read_separately, received

_PACKAGE = ".usdz"
# Instead of the name of the file below a copy.
_FLAT = "<flat>"


def save(loaded: Loaded, rig: Rig, out: Path, *, flatten: bool = False) -> None:
    """Write a rig as a changed copy of the USD file that it was read from.

    An unchanged rig is the file, byte for byte. Otherwise the copy is a layer over the file, which stands
    beside it or below it; a package takes that layer in.

    Parameters
    ----------
    flatten
        Whether the copy is to be one layer that refers to no other.

    Raises
    ------
    SaveError
        If USD cannot hold the change, or not by that name; nothing is written then.
    """
    source = own(loaded.source, "USD")
    data = source.read()
    for layer in source.maps:
        layer.read()
    if rig is loaded.rig and _kind(out) == _kind(source.path) and not flatten:
        _copy(loaded, source, data, out)
        return
    expect_written(loaded.rig, rig, "a layer of USD", has_rest_weights=True)
    below = _FLAT if flatten else _below(source, out)
    if flatten and (_kind(out) == _PACKAGE or is_same_file(out, source.path)):
        raise SaveError("a file with all layers in one needs a name of its own in .usda or .usdc")
    with PartialFile() as partial:
        handle, copy = partial.make(out.resolve().parent, out.suffix.lower())
        os.close(handle)
        ask_separately(
            source.path,
            Listener(),
            "rigview.io.usd.saving:write_copy",
            str(copy),
            below,
            sent=_bare(rig),
        )
        expect_same(rig, _reopened(copy, rig))
        content = read_file(copy)
    write_together({out: content})


def _kind(path: Path) -> str:
    return path.suffix.lower()


def _below(source: Original, out: Path) -> str:
    """Return by what name a copy refers to the file below it.

    Raises
    ------
    SaveError
        If it would be itself, or outside of the copy's folder.
    """
    is_package = _kind(source.path) == _PACKAGE
    if is_package and _kind(out) == _PACKAGE:
        return ""
    if _kind(out) == _PACKAGE:
        raise SaveError(
            f"{source.path.name} is no package, so its repaired copy is a layer over it: end the name "
            "with .usda or .usdc"
        )
    if is_same_file(out, source.path):
        raise SaveError(
            "the repaired copy is a layer over the file, which stays as it is: give it another name"
        )
    below = os.path.relpath(source.path.resolve(), out.resolve().parent)
    if below.startswith("..") or Path(below).is_absolute():
        raise SaveError(
            f"the repaired copy is a layer over {source.path.name} and has to be in its folder or in "
            "one above it; --flatten writes one file that stands alone"
        )
    return f"./{Path(below).as_posix()}"


def _copy(loaded: Loaded, source: Original, data: bytes, out: Path) -> None:
    """Copy a file, and what it refers to beside the copy."""
    here, there = source.path.resolve().parent, led_to(out).resolve().parent
    files = {out: data}
    for file in loaded.files:
        origin = file.resolve()
        if here == there or origin == source.path.resolve() or not origin.is_relative_to(here):
            continue
        with contextlib.suppress(OSError):  # missing already in the source: MSH-READ says so
            files[there / origin.relative_to(here)] = read_file(origin)
    for target, content in files.items():
        if target != out and target.exists() and read_file(target) != content:
            raise SaveError(f"{target.name} beside it is another file; choose another folder")
    write_together(files)


def _bare(rig: Rig) -> Rig:
    """Return a rig as it goes to the child: without images, its curves made."""
    clips = tuple(replace(clip, channels=tuple(clip.channels)) for clip in rig.clips)
    return replace(rig, images=(), materials=(), unread=(), clips=clips)


def _reopened(copy: Path, wanted: Rig) -> Rig:
    """Return the rig of a copy; clips that are named by their file keep the names that are wanted.

    Raises
    ------
    SaveError
        If it cannot be opened.
    """
    try:
        found = read_separately(copy, Listener()).rig
    except LoadError as error:
        raise SaveError(f"the copy cannot be opened again: {error.reason}") from None
    return with_clip_names(found, wanted, copy)


def write_copy(parent: Parent, path: str, copy: str, below: str) -> None:
    """Write, in the child, the copy of a file that makes it the rig which the parent sends.

    Parameters
    ----------
    below
        By what name the copy refers to the file; empty for a package, which takes the layer in, `_FLAT`
        for one that refers to none.
    """

    def write(listener: Listener, earn: Callable[[int], object]) -> object:
        from rigview.io.usd.amend.layer_file import write_layer

        rig: Rig = received(parent)
        write_layer(
            Path(path),
            rig,
            Path(copy),
            None if below == _FLAT else below,
            listener,
            earn,
        )
        return None

    answer(parent, path, write)
