"""Which values a record can hold, and where a value stands in a rig: ``meshes/0/primitives/1``."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from rigview.core.clip import Channel, Clip, Deferred, Marker
from rigview.core.materials import (
    Image,
    Material,
    ScalarMap,
    Surface,
    Texture,
    Unread,
)
from rigview.core.mesh import Influences, Mesh, MorphTargets, Primitive
from rigview.core.nodes import Nodes
from rigview.core.numeric.lazy import LazyArray, LazyArrays
from rigview.core.rig import Origin, Rig, Skin, Unsupported
from rigview.core.sampler import Sampler

# The classes of a rig's values by name; a new one is a word here.
CLASSES: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        Rig,
        Nodes,
        Mesh,
        Primitive,
        Influences,
        MorphTargets,
        Skin,
        Origin,
        Unsupported,
        Clip,
        Channel,
        Sampler,
        Marker,
        Material,
        Texture,
        ScalarMap,
        Surface,
        Image,
        Unread,
    )
}
# What arrays of a rig are made of.
DTYPES = ("<f8", "<i8", "|b1", "|u1")


def stated(holder: object, name: str) -> Any:  # noqa: ANN401 - a field of any class above
    """Return a field as it was given: an array that is made later is not made."""
    own = vars(holder)
    return own[name] if name in own else getattr(holder, name)


def inside(value: object) -> Iterator[tuple[str, object]]:
    """Give the parts of a value, each with its word of a place; no parts of what is not made yet."""
    if isinstance(value, Deferred):
        if value.is_made:
            yield from ((str(i), part) for i, part in enumerate(value.value))
    elif isinstance(value, tuple):
        yield from ((str(i), part) for i, part in enumerate(value))
    elif isinstance(value, LazyArrays):
        yield from ((str(key), part) for key, part in value.stated.items())
    elif isinstance(value, Mapping):
        yield from ((str(key), part) for key, part in value.items())
    elif is_dataclass(value) and type(value).__name__ in CLASSES:
        yield from ((field.name, stated(value, field.name)) for field in fields(value))


def places(rig: Rig) -> dict[int, str]:
    """Return the place of every value of a rig that another rig may share, by the value's `id`."""
    found: dict[int, str] = {}

    def walk(value: object, place: str) -> None:
        if not isinstance(value, np.ndarray | tuple | LazyArray | LazyArrays | Mapping | Deferred):
            if not is_dataclass(value):
                return
        elif isinstance(value, tuple | Mapping) and not len(value):
            return
        if id(value) in found:
            return
        found[id(value)] = place
        for word, part in inside(value):
            walk(part, f"{place}/{word}" if place else word)

    walk(rig, "")
    return found


def at(rig: Rig, place: str) -> object:
    """Return what stands at a place of a rig.

    Raises
    ------
    LookupError
        If nothing does.
    """
    value: object = rig
    for word in place.split("/") if place else ():
        value = _part(value, word)
    return value


def _part(value: object, word: str) -> object:
    if isinstance(value, tuple | Deferred) and word.isdecimal():
        return value[int(word)]
    for name, part in inside(value):
        if name == word:
            return part
    raise LookupError(f"nothing stands at {word}")
