"""Documents that are not as glTF wants them, and have one meaning all the same.

Readers are strict: where one refuses a document, what is listed here is amended, and it is read again.
Other programs open such files, and nothing of it leaves a doubt of how a mesh is skinned.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rigview.io.gltf.container import GltfSource
from rigview.io.gltf.cursor import Cursor
from rigview.io.gltf.curves import INTERPOLATIONS
from rigview.io.gltf.edits import DocumentEdits, each
from rigview.io.reading import LoadError, quoted

# What programs keep for themselves, in which null may mean something.
_FOREIGN = {"extras", "extensions"}
# Nothing moves for these: member → the array whose elements it numbers, and what one is called.
_HINTS = {
    "skins/*/skeleton": ("nodes", "node"),
    "meshes/*/primitives/*/material": ("materials", "material"),
}
# What is called by a name, which is for people to read.
_NAMED = ("nodes", "meshes", "skins", "animations", "materials", "images")
# What pads a buffer to a multiple of four bytes; some writers count it, and some forget to write it.
_PADDING = 4


def mended(source: GltfSource) -> Cursor | None:
    """Return a document with all of it amended, or None where there is nothing to amend."""
    source.amendments = amendments = DocumentEdits(source.notes.append)
    document = source.parsed()
    for mend in (_nulls, _hints, _names, _words, _lengths):
        mend(Cursor(source.path, document), source, amendments)
        amendments.write(document)
    return Cursor(source.path, document) if amendments else None


def _nulls(root: Cursor, _: GltfSource, amendments: DocumentEdits) -> None:
    """Leave out members that are null, which writers put that know no absent ones."""
    amendments.leave_out_all(list(_null_members(root)), "it is null")


def _null_members(root: Cursor) -> Iterator[Cursor]:
    waiting = [root]
    while waiting:
        place = waiting.pop()
        value = place.value
        if type(value) is list:
            inner = [place.element(i) for i, v in enumerate(value) if type(v) in (dict, list)]
        else:
            yield from (place.need(key) for key in value if value[key] is None)
            own = (key for key in value if key not in _FOREIGN)
            inner = [place.need(key) for key in own if type(value[key]) in (dict, list)]
        waiting += reversed(inner)


def _hints(root: Cursor, _: GltfSource, amendments: DocumentEdits) -> None:
    """Leave out numbers of nothing that only tell how to show a rig, or are read by nobody."""
    for pattern, (key, what) in _HINTS.items():
        count = len(list(each(root, f"{key}/*")))
        wrong: dict[str, list[Cursor]] = {}
        for place in each(root, pattern):
            try:
                place.index(count, what)
            except LoadError as error:
                wrong.setdefault(error.reason, []).append(place)
        for reason, places in wrong.items():
            amendments.leave_out_all(places, reason)


def _names(root: Cursor, _: GltfSource, amendments: DocumentEdits) -> None:
    """Take numbers for the names that they spell, and leave out names that are none at all."""
    patterns = ("asset/generator", *(f"{key}/*/name" for key in _NAMED))
    places = [place for pattern in patterns for place in each(root, pattern)]
    numbers = [place for place in places if type(place.value) in (int, float)]
    amendments.take_all([(p, str(p.value)) for p in numbers], "a number is taken for its digits")
    others = [place for place in places if type(place.value) in (bool, list, dict)]
    amendments.leave_out_all(others, "it is no string")


def _words(root: Cursor, source: GltfSource, amendments: DocumentEdits) -> None:
    """Take words for what they can only mean."""
    for place in each(root, "asset/version"):
        if place.value == "2" or (type(place.value) in (int, float) and 2 <= place.value < 3):
            version = str(float(place.value))
            amendments.take(place, version, f"taken for glTF {version}, which is a string")
    for place in each(root, "animations/*/samplers/*/interpolation"):
        word = place.value
        if type(word) is str and word not in INTERPOLATIONS and word.upper() in INTERPOLATIONS:
            amendments.take(place, word.upper(), f"{quoted(word)} is taken for {word.upper()}")
    if source.binary is not None:
        first = next(each(root, "buffers/*"), None)
        uri = None if first is None or type(first.value) is not dict else first.get("uri")
        if uri is not None and uri.value == "":
            amendments.leave_out(uri, "it is empty, and the file has a binary chunk")


def _lengths(root: Cursor, source: GltfSource, amendments: DocumentEdits) -> None:
    """State the lengths that buffers and views have, give or take what pads them."""
    views = _plain_views(root)
    for number, place in enumerate(each(root, "buffers/*")):
        try:
            there = len(source.content(place, number))
        except LoadError:
            continue  # the strict reader says so, if anything needs the buffer
        stated = place.member("byteLength")
        own = [view for view in views if view.buffer == number]
        wanted = max((view.end for view in own), default=0)
        length = _length(stated, wanted, there)
        if length != stated.value:
            amendments.take(stated, length, f"taken for {length:,}, as the data have it")
        for view in own:
            beyond = view.end - length
            if 0 < beyond <= min(_PADDING, view.length):
                shorter = view.length - beyond
                amendments.take(
                    view.stated, shorter, f"taken for {shorter:,}: there the buffer ends"
                )


def _length(stated: Cursor, wanted: int, there: int) -> int:
    """Return how many bytes a buffer means to have.

    Parameters
    ----------
    wanted, there
        How many its views reach over, and how many it has.
    """
    try:
        length = stated.integer(low=0)
    except LoadError:
        return there
    if there < length <= there + _PADDING or length < wanted <= there + _PADDING:
        return min(max(length, wanted), there)
    return length


class _View(NamedTuple):
    stated: Cursor
    buffer: int
    length: int
    end: int


def _plain_views(root: Cursor) -> list[_View]:
    """Return the views whose bytes are in a buffer as they are."""
    views = []
    for place in each(root, "bufferViews/*"):
        try:
            stated, buffer = place.need("byteLength"), place.need("buffer").integer(low=0)
            length = stated.integer(low=0)
            if place.get("extensions") is None:
                views.append(_View(stated, buffer, length, place.natural("byteOffset") + length))
        except LoadError:
            continue  # as above: what is wrong with it is no matter of lengths
    return views
