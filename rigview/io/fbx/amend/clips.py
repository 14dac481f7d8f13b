"""Clips: curves of many keys that one is enough for, and what of clips the file cannot take."""

from dataclasses import replace

import numpy as np

from rigview.core.clip import Channel, Clip
from rigview.core.rig import Rig
from rigview.core.sampler import Path, Sampler
from rigview.io.fbx.amend import curves, new_clips
from rigview.io.fbx.amend.change import FbxChange
from rigview.io.fbx.amend.curves import Track
from rigview.io.fbx.layers import ROTATION, SCALE, TRANSLATION
from rigview.io.fbx.tree import Key
from rigview.io.reading import SaveError, quoted

_PROPERTIES: dict[Path, str] = {
    "translation": TRANSLATION,
    "rotation": ROTATION,
    "scale": SCALE,
}
# Of their size or in metres: keys that differ by less are one value that was rounded.
_STILL = 1e-4


def amend(change: FbxChange) -> Rig:
    """Write curves that go or keep one key of many; return the old rig with those clips as they are then.

    Clips that come are `FbxChange.added` from then on (`new_clips`).

    Raises
    ------
    SaveError
        If clips go or are renamed.
    """
    new_clips.set_apart(change)
    old, new = change.old, change.new
    clips = []
    for number, (before, after) in enumerate(zip(old.clips, new.clips, strict=True)):
        still = {} if before is after else _stilled(before, after)
        gone = set() if before is after else _gone(before, after)
        for node, path in sorted(gone):
            for track in _tracks(change, number, node, path):
                _take_off(change, track, change.key_of(node), _PROPERTIES[path])
        for node, path in still:
            for track in _tracks(change, number, node, path):
                curves.keep_first(track, change.amendments)
        clips.append(_with(before, still, gone))
    return replace(old, clips=tuple(clips)).made_of(old)


def _stilled(before: Clip, after: Clip) -> dict[tuple[int, Path], Sampler]:
    """Return the one key of properties that had several of one value."""
    result: dict[tuple[int, Path], Sampler] = {}
    for node, path in before.properties:
        if path == "weights":
            continue
        was, now = before.curve(node, path), after.curve(node, path)
        if was is None or now is None or len(was.times) < 2 or len(now.times) != 1:
            continue
        keys = was.keys
        spread = float(np.abs(keys - keys[0]).max())
        if spread <= _STILL * max(1.0, float(np.abs(keys[0]).max())):
            result[node, path] = Sampler(was.times[:1], keys[:1])
    return result


def _gone(before: Clip, after: Clip) -> set[tuple[int, Path]]:
    """Return the properties of nodes that a clip moves no more."""
    gone = set(before.properties) - set(after.properties)
    return {(node, path) for node, path in gone if path in _PROPERTIES}


def _take_off(change: FbxChange, track: Track, target: Key, name: str) -> None:
    """Drop the connection of a curve node with a property: what other targets it has stay."""
    for place, source, to, of in change.links:
        if (source, to, of) == (track.node.key, target, name):
            change.amendments.drop(place)


def _tracks(change: FbxChange, clip: int, node: int, path: Path) -> list[Track]:
    """Return the tracks of a property in a clip; an empty list where reading made it of others."""
    key = change.key_of(node)
    found = [
        t for t in change.tracks.get((key, _PROPERTIES[path]), ()) if t.stack == clip and t.curves
    ]
    if not found:
        label = quoted(change.old.nodes.label(node))
        raise SaveError(f"the {path} of {label} follows curves of other nodes, whose keys stay")
    return found


def _with(clip: Clip, still: dict[tuple[int, Path], Sampler], gone: set[tuple[int, Path]]) -> Clip:
    """Return a clip without some channels, and with one key in the place of several."""
    if not still and not gone:
        return clip
    channels: list[Channel] = []
    for channel in clip.channels:
        sampler = None if channel.node is None else still.get((channel.node, channel.path))
        if (channel.node, channel.path) not in gone:
            channels.append(channel if sampler is None else replace(channel, sampler=sampler))
    return replace(clip, channels=tuple(channels))
