"""The XML of a Collada file: parsed without entities, elements found by id, numbers checked."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml import DefusedXmlException, ElementTree

from rigview.core.arrays import FloatArray, IntArray
from rigview.io.collada.backwards import put_right
from rigview.io.collada.copies import earlier_copies
from rigview.io.collada.elements import child, children, tag, words
from rigview.io.files import read_file
from rigview.io.original import Original
from rigview.io.reading import LARGEST_NUMBER, LoadError, Notes, quoted

# Of its row in the table of formats.
NAME = "Collada"
# Above this not every whole number can be told from its neighbours.
_LARGEST_INTEGER = 2.0**53
# Inputs that only shading reads.
SHADING = ("NORMAL", "TEXCOORD", "COLOR", "TANGENT", "BINORMAL", "TEXTANGENT", "TEXBINORMAL", "UV")
_NUMBER_ARRAYS = ("float_array", "int_array")
_NAME_ARRAYS = ("Name_array", "IDREF_array", "SIDREF_array")


@dataclass(eq=False)
class ColladaDocument:
    """A parsed file.

    Parameters
    ----------
    notes
        What the reader ignored or assumed.
    order
        All elements as they follow each other in the text.
    original
        The file, for a writer that amends it.
    """

    path: Path
    root: Element
    notes: Notes = field(default_factory=Notes)
    order: tuple[Element, ...] = ()
    original: Original | None = None
    _numbers: dict[Element, FloatArray] = field(default_factory=dict)

    @cached_property
    def _with_ids(self) -> dict[str, list[Element]]:
        """The elements of every id that are no `copies`: several where a program does not mind."""
        found: dict[str, list[Element]] = {}
        for element in self.root.iter():
            name = element.get("id")
            if name is not None and element not in self.copies:
                found.setdefault(name, []).append(element)
        return found

    @cached_property
    def _owners(self) -> dict[Element, Element]:
        """What every source belongs to, and all else in there."""
        owners = [e for e in self.root.iter() if tag(e) in ("geometry", "controller", "animation")]
        return {element: owner for owner in owners for element in owner.iter()}

    def find(self, uri: str | None, *kinds: str, near: Element | None = None) -> Element | None:
        """Return the element of a local URI or an id, or None.

        Of several with one id it is one of the kind that is given first, of those one in the same
        geometry, controller or animation as `near`, of those the first.
        """
        named = () if uri is None else self._with_ids.get(uri.removeprefix("#"), ())
        found = [element for element in named if not kinds or tag(element) in kinds]
        if len(found) > 1 and kinds:
            owner = None if near is None else self._owners.get(near)
            found.sort(key=lambda e: (kinds.index(tag(e)), self._owners.get(e) is not owner))
        return found[0] if found else None

    @cached_property
    def copies(self) -> frozenset[Element]:
        """The nodes of the visual scenes that stand in the file once more; the last ones count."""
        scenes = children(child(self.root, "library_visual_scenes"), "visual_scene")
        found = earlier_copies(scenes)
        if found:
            self.notes.append(
                f"{len(found)} nodes are in the file twice with all they hold: the last ones count"
            )
        return frozenset(found)

    @property
    def tool(self) -> str:
        """What wrote the file, by its own account; may be empty."""
        return words(child(self.root, "asset", "contributor", "authoring_tool"))

    def error(self, element: Element, reason: str) -> LoadError:
        """Return the error that names an element."""
        return LoadError(self.path, _where(element), reason)

    def bear(self, element: Element, text: str) -> None:
        """Note what is taken otherwise than an element states it, or left out."""
        self.notes.append(f"{_where(element)}: {text}")

    def need(self, element: Element, *path: str) -> Element:
        """Return a descendant that must be there."""
        found = child(element, *path)
        if found is None:
            raise self.error(element, f"<{'/'.join(path)}> is missing")
        return found

    def target(self, element: Element, attribute: str, *kinds: str) -> Element:
        """Return the element that an attribute refers to by a local URI.

        Raises
        ------
        LoadError
            If there is none, or it is of another kind.
        """
        uri = element.get(attribute)
        if uri is None:
            raise self.error(element, f"{attribute} is missing")
        found = self.find(uri, *kinds, near=element)
        if found is not None:
            return found
        if (found := self.find(uri)) is not None:
            raise self.error(
                element, f"{quoted(uri)} is a <{tag(found)}>, not a <{'> or <'.join(kinds)}>"
            )
        raise self.error(element, f"{attribute} refers to {quoted(uri)}, which does not exist")

    def dangling(self, element: Element, attribute: str = "url") -> str | None:
        """Return the URI by which an element refers to what is not in the file, else None."""
        uri = element.get(attribute)
        return uri if self.find(uri) is None else None

    def parsed(self, text: str) -> FloatArray:
        """Return the numbers in a text.

        Some exporters write the decimal commas of their user's language.

        Raises
        ------
        ValueError
            If it holds something else.
        """
        try:
            return np.array(text.split(), dtype=np.float64)
        except ValueError:
            values = np.array(text.replace(",", ".").split(), dtype=np.float64)
        self.notes.append("decimal commas are read as points")
        return values

    def numbers(self, element: Element, count: int | None = None) -> FloatArray:
        """Return the numbers in an element's text, of the given count if any."""
        if element not in self._numbers:
            try:
                values = self.parsed(words(element))
            except ValueError:
                raise self.error(element, "the text holds something else than numbers") from None
            if not np.all(np.abs(values) <= LARGEST_NUMBER):
                raise self.error(element, "a number is not finite or too large")
            values.flags.writeable = False
            self._numbers[element] = values
        values = self._numbers[element]
        if count is not None and len(values) != count:
            raise self.error(element, f"wanted {count} numbers, found {len(values)}")
        return values

    def integers(self, element: Element) -> IntArray:
        """Return the whole numbers in an element's text."""
        values = self.numbers(element)
        whole = np.trunc(values)
        if not np.array_equal(whole, values) or np.any(np.abs(whole) > _LARGEST_INTEGER):
            raise self.error(element, "the text holds something else than whole numbers")
        return whole.astype(np.int64)

    def count(self, element: Element, attribute: str, default: int) -> int:
        """Return an attribute that is a whole number, 0 or more."""
        text = element.get(attribute)
        if text is None:
            return default
        if not text.strip().isdecimal() or len(text) > 15:
            raise self.error(element, f"{attribute} is {quoted(text)}, not a number of things")
        return int(text)

    def size(self, element: Element, attribute: str, default: int) -> int:
        """Return an attribute like `count`; of one that is no number the default counts."""
        try:
            return self.count(element, attribute, default)
        except LoadError as error:
            self.bear(element, f"{error.reason}: it is taken for {default:,}")
            return default

    def rows(self, source: Element, width: int = 1, count: int | None = None) -> FloatArray:
        """Return ``(n, stride)`` numbers of a <source>.

        Parameters
        ----------
        width, count
            The stride, or n, where the source leaves out its accessor, as it may.

        Raises
        ------
        LoadError
            If it has no array, or one of something else than numbers.
        """
        accessor = child(source, "technique_common", "accessor")
        values = self.numbers(self._array(source, _NUMBER_ARRAYS))
        offset = 0 if accessor is None else self.count(accessor, "offset", 0)
        there = max(0, len(values) - offset)
        width = width if not count else max(1, there // count)
        if accessor is None:
            return values[: there // width * width].reshape(-1, width)
        stride = max(1, self.count(accessor, "stride", 1))
        rows = self.size(accessor, "count", there // stride)
        if accessor.get("stride") is None and rows * width == there != rows:
            self.bear(source, f"it states no stride, which is taken for {width}")
            stride = width
        if rows > there // stride:
            self.bear(source, f"it counts {rows:,} elements, and there are {there // stride:,}")
            rows = there // stride
        return values[offset : offset + rows * stride].reshape(rows, stride)

    def strings(self, source: Element) -> list[str]:
        """Return the names of a <source>: as many as its accessor counts, if it has one."""
        accessor = child(source, "technique_common", "accessor")
        names = words(self.names(source)).split()
        return names if accessor is None else names[: self.size(accessor, "count", len(names))]

    def names(self, source: Element) -> Element:
        """Return the array of a <source> of names, of any of the kinds of names."""
        return self._array(source, _NAME_ARRAYS)

    def _array(self, source: Element, kinds: tuple[str, ...]) -> Element:
        """Return the array that the accessor of a <source> names, else that which is in it."""
        accessor = child(source, "technique_common", "accessor")
        own = next(iter(children(source, *kinds)), None)
        if accessor is None:
            return self.need(source, kinds[0]) if own is None else own
        uri = accessor.get("source")
        if own is None or uri is None or self.find(uri, *kinds) is not None:
            return self.target(accessor, "source", *kinds)
        if self.find(uri) is None:
            self.bear(source, f"{quoted(uri)} does not exist: its own <{tag(own)}> is read")
            return own
        if self.find(uri, "source", near=source) is source:
            # Blender 2.45 writes all its accessors so.
            self.notes.append("accessors name a <source> instead of the array in it, which is read")
            return own
        return self.target(accessor, "source", *kinds)

    def inputs(self, element: Element) -> list["Input"]:
        """Return the <input>s of an element, without those of what only shading reads and is not there."""
        found = []
        for place in children(element, "input"):
            semantic = place.get("semantic", "")
            try:
                source = self.target(place, "source", "source", "vertices")
            except LoadError as error:
                if semantic not in SHADING:
                    raise
                self.bear(element, f"the input {semantic} is left out: {error.reason}")
                continue
            offset, set_ = self.count(place, "offset", 0), self.size(place, "set", 0)
            found.append(Input(semantic, source, offset, set_))
        return found

    def stride(self, element: Element) -> int:
        """Return how many indices the <input>s of an element take together."""
        inputs = children(element, "input")
        return 1 + max((self.count(place, "offset", 0) for place in inputs), default=0)

    def source(self, element: Element, semantic: str) -> Element:
        """Return the <source> of an input that must be there."""
        for found in self.inputs(element):
            if found.semantic == semantic:
                return found.source
        raise self.error(element, f"there is no input {semantic}")


def _where(element: Element) -> str:
    """Return how messages name an element."""
    name = element.get("id") or element.get("sid") or element.get("name")
    return f"<{tag(element)}>" if name is None else f'<{tag(element)} "{quoted(name)}">'


@dataclass(frozen=True, eq=False)
class Input:
    """One <input>: what it means, its source, the offset of its index, its set."""

    semantic: str
    source: Element
    offset: int
    set_: int


def parse(path: Path) -> ColladaDocument:
    """Parse a file.

    Raises
    ------
    LoadError
        If it is no well-formed XML, or defines entities or a document type.
    """
    data = read_file(path)
    try:
        root = ElementTree.fromstring(data, forbid_dtd=True)
    except ParseError as error:
        line, column = error.position
        reason = f"the XML is damaged: {str(error).partition(':')[0]}"
        raise LoadError(path, f"line {line}, column {column + 1}", reason) from None
    except DefusedXmlException:
        reason = "the XML defines a document type or entities, which rigview does not follow"
        raise LoadError(path, "", reason) from None
    except (LookupError, ValueError):
        raise LoadError(path, "", "the XML is in an encoding that Python does not know") from None
    if tag(root) != "COLLADA":
        raise LoadError(path, "", f"the root element is <{quoted(tag(root))}>, not <COLLADA>")
    original = Original.of(NAME, path, data, None)
    document = ColladaDocument(path, root, order=tuple(root.iter()), original=original)
    if swapped := put_right(root, document.tool):
        document.notes.append(
            f"{swapped} nodes state their scale before their translation, and Blender means them the "
            "other way round: so they are read"
        )
    return document
