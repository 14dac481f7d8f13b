"""Saving: the file read again, what changed found in it, amended, proved and put in its place."""

from pathlib import Path

from rigview.core.rig import Rig
from rigview.io.fbx import NAME
from rigview.io.fbx.amend import binary, clips, names, nodes, points, skins, text, tree, unwritten
from rigview.io.fbx.amend.amendments import Amendments
from rigview.io.fbx.amend.change import Change
from rigview.io.fbx.binary import BinaryDocument
from rigview.io.fbx.reader import Reading, load, parsed, read
from rigview.io.files import write_together
from rigview.io.original import own
from rigview.io.reading import Listener, Loaded, Pulse
from rigview.io.reopened import write_proved


def save(loaded: Loaded, rig: Rig, out: Path) -> tuple[str, ...]:
    """Write a rig as an amended copy of the file that was opened.

    An unchanged rig is the source byte for byte.

    Raises
    ------
    SaveError
        If the rig is no longer the file's, a change cannot be expressed, or the copy would not be it.
    """
    data = own(loaded.source, NAME).read()
    if rig is loaded.rig:
        write_together({out: data})
        return ()
    reading = read(parsed(loaded.path, data, Pulse(Listener())), Listener())
    content = applied(reading, amended(reading, loaded.rig, rig))
    write_proved({out: content}, out, rig, lambda path: load(path, Listener()).rig)
    return ()


def amended(reading: Reading, old: Rig, new: Rig) -> Amendments:
    """Return what is to be changed in a file to bring it from one rig to another."""
    change = Change(reading, old, new)
    unwritten.expect_written(change)
    change.old = clips.amend(change)
    tree.amend(change)
    skins.amend(change)
    points.amend(change)
    nodes.amend(change)
    names.amend(change)
    return change.finish()


def applied(reading: Reading, amendments: Amendments) -> bytes:
    """Return the amended file."""
    if isinstance(reading.document, BinaryDocument):
        return binary.apply(reading.document, amendments)
    return text.apply(reading.document, amendments)
