"""Properties of objects: rows that are stated get other numbers, others are added."""

from collections import defaultdict
from collections.abc import Sequence

from rigview.io.fbx.amend.amendments import Amendments, Record
from rigview.io.fbx.objects import Element
from rigview.io.fbx.tree import Key

_BLOCK = "Properties70"
# Name → what the SDK writes between a property's name and its numbers; other vectors are plain.
_TYPES = {
    "Lcl Translation": ("Lcl Translation", "", "A"),
    "Lcl Rotation": ("Lcl Rotation", "", "A"),
    "Lcl Scaling": ("Lcl Scaling", "", "A"),
    "RotationActive": ("bool", "", ""),
    "UnitScaleFactor": ("double", "Number", ""),
    "d|X": ("Number", "", "A"),
    "d|Y": ("Number", "", "A"),
    "d|Z": ("Number", "", "A"),
    "LocalStart": ("KTime", "Time", ""),
    "LocalStop": ("KTime", "Time", ""),
    "ReferenceStart": ("KTime", "Time", ""),
    "ReferenceStop": ("KTime", "Time", ""),
}
_VECTOR = ("Vector3D", "Vector", "")


class PropertyEdits:
    """Properties to be set, gathered per object, since an object may need a block for them first."""

    def __init__(self) -> None:
        self._elements: dict[Key, Element] = {}
        self._values: dict[Key, dict[str, tuple[float, ...]]] = defaultdict(dict)

    def set(self, element: Element, name: str, values: Sequence[float]) -> None:
        """Set a property of an object."""
        self._elements[element.key] = element
        self._values[element.key][name] = tuple(map(float, values))

    def write(self, amendments: Amendments) -> None:
        """Add what is set to a list of amendments."""
        for key, values in self._values.items():
            element = self._elements[key]
            missing = []
            for name, numbers in values.items():
                found = element.properties.get(name)
                if found is None:
                    missing.append(property_record(name, *numbers))
                else:
                    amendments.set_numbers(*found, numbers)
            block = element.node.child(_BLOCK)
            if missing and block is not None:
                for record in missing:
                    amendments.add(block, record)
            elif missing:
                amendments.add(element.node, Record(_BLOCK, (), tuple(missing)))


def property_record(name: str, *numbers: float) -> Record:
    """Return a row that states a property."""
    words = (name, *_TYPES.get(name, _VECTOR))
    code = {"bool": "I", "KTime": "L"}.get(words[1], "D")
    return Record(
        "P", (*(("S", word.encode()) for word in words), *((code, number) for number in numbers))
    )
