"""Saving: the file read again, what changed found in it, amended, proved and put in its place."""

from collections.abc import Iterator
from pathlib import Path

from rigview.core.rig import Rig
from rigview.core.text import count
from rigview.io.fbx import NAME
from rigview.io.fbx.amend import (
    binary,
    clips,
    geometric,
    names,
    nodes,
    points,
    skins,
    text,
    tree,
    units,
)
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.reader import FbxReading, load, parsed, read
from rigview.io.files import read_file, write_together
from rigview.io.original import own
from rigview.io.reading import Listener, Loaded, Pulse, SaveError
from rigview.io.reopened import write_proved
from rigview.io.unwritten import expect_written


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the file that was opened.

    An unchanged rig is the source byte for byte.

    Raises
    ------
    SaveError
        If the rig is no longer the file's, a change cannot be expressed, or the copy would not be it.
    """
    data = own(loaded.source, NAME).read()
    beside = _beside(loaded, out)
    if rig is loaded.rig:
        write_together(beside | {out: data})
        return ()
    reading = read(parsed(loaded.path, data, Pulse(Listener())), Listener())
    try:
        change = amended(reading, loaded.rig, rig)
        content = applied(reading, change.finish())
    except SaveError as error:
        raise SaveError(f"{error}; glTF can hold this rig") from None
    write_proved(beside | {out: content}, out, rig, lambda path: load(path, Listener()).rig)
    return (*_added(change), *_notes(change))


def _beside(loaded: Loaded, out: Path) -> dict[Path, bytes]:
    """Return the files that the source names, which a copy in another folder needs: target → content.

    Raises
    ------
    SaveError
        If another file already stands where one would go.
    """
    here, there = loaded.path.resolve().parent, out.resolve().parent
    files: dict[Path, bytes] = {}
    for named in loaded.files[1:] if here != there else ():
        origin = named.resolve()
        if not origin.is_file() or not origin.is_relative_to(here):
            continue  # missing in the source too, or found from anywhere
        target, content = there / origin.relative_to(here), read_file(origin)
        if not target.exists():
            files[target] = content
        elif read_file(target) != content:
            raise SaveError(f"{target.name} beside it is another file; choose another folder")
    return files


def _added(change: FbxChange) -> Iterator[str]:
    """Yield a sentence about each clip that the file did not have."""
    for clip in change.added:
        own = [one for one in change.resampled if one.clip == clip.name]
        keys = f"{sum(one.after for one in own):,} keys"
        off = max((one.off for one in own), default=0.0)
        yield (
            f"the clip {clip.name} is added with {keys} for {sum(one.before for one in own):,}, "
            f"at most {off:.1e} off"
        )


def _notes(change: FbxChange) -> Iterator[str]:
    """Yield a sentence about the curves of each clip that were written with new keys."""
    for clip in (clip.name for clip in change.old.clips):
        own = [one for one in change.resampled if one.clip == clip]
        if not own:
            continue
        nodes = list(dict.fromkeys(one.node for one in own))
        more = f" and {count(len(nodes) - 1, 'more node')}" if len(nodes) > 1 else ""
        keys = [sum(one.before for one in own), sum(one.after for one in own)]
        off = max(one.off for one in own)
        yield (
            f"in the clip {clip} the motion of {nodes[0]}{more} is written with new keys, "
            f"{keys[1]:,} for {keys[0]:,}, at most {off:.1e} off"
        )


def amended(reading: FbxReading, old: Rig, new: Rig) -> FbxChange:
    """Return what is to be changed in a file to bring it from one rig to another."""
    change = FbxChange(reading, old, new)
    expect_written(old, new, "an FBX file")
    change.new = units.amend(change)
    change.old = clips.amend(change)
    tree.amend(change)
    geometric.amend(change)
    skins.amend(change)
    points.amend(change)
    nodes.amend(change)
    names.amend(change)
    return change


def applied(reading: FbxReading, amendments: Amendments) -> bytes:
    """Return the amended file."""
    if isinstance(reading.document, BinaryDocument):
        return binary.apply(reading.document, amendments)
    return text.apply(reading.document, amendments)
