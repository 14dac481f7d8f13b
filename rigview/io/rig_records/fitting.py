"""Whether values are of the types that a class states, and whether a rig's numbers lead anywhere."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import numpy as np

from rigview.core.numeric.lazy import ArrayField, LazyArray
from rigview.core.rig import Rig


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def fits(kind: type, parts: dict[str, object]) -> None:
    """Hold the values of a class's fields to what it states of them.

    Raises
    ------
    ValueError
        If one is of another type, or no field of the class.
    """
    hints = _hints(kind)
    for name, value in parts.items():
        if name not in hints or not _is(value, hints[name]):
            raise ValueError(f"{kind.__name__}.{name} cannot be {type(value).__name__}")


def _is(value: object, hint: Any) -> bool:  # noqa: ANN401 - a type hint
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_is(value, one) for one in inner)
    if origin is ArrayField:
        return isinstance(value, LazyArray) or _is(value, inner[0])
    if origin is np.ndarray:
        wanted = get_args(inner[1])[0]
        return isinstance(value, np.ndarray) and value.dtype == np.dtype(wanted)
    if origin is None:
        return _is_plain(value, hint)
    return _is_group(value, origin, inner)


def _is_group(value: object, origin: Any, inner: tuple[Any, ...]) -> bool:  # noqa: ANN401
    if origin is Literal:
        return value in inner
    if origin is tuple:
        return isinstance(value, tuple) and _are(value, inner)
    if origin is frozenset:
        return isinstance(value, frozenset) and all(_is(v, inner[0]) for v in value)
    if origin is Sequence:
        return not isinstance(value, str) and isinstance(value, Sequence)
    return isinstance(value, Mapping) and _is_map(value, inner)


def _are(values: tuple[object, ...], hints: tuple[Any, ...]) -> bool:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(_is(value, hints[0]) for value in values)
    return len(values) == len(hints) and all(map(_is, values, hints))


def _is_map(value: Mapping[Any, Any], inner: tuple[Any, ...]) -> bool:
    # What is made later is an array, of whatever is asked for here.
    return all(_is(key, inner[0]) for key in value) and all(
        isinstance(part, LazyArray) or _is(part, inner[1])
        for part in getattr(value, "stated", value).values()
    )


def _is_plain(value: object, hint: Any) -> bool:  # noqa: ANN401 - a class
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is type(None) or hint is None:
        return value is None
    if isinstance(hint, type) and issubclass(hint, Protocol):
        # What decodes an image is never written: it stands in the rig of the file.
        return hasattr(value, "decode") and not isinstance(value, str | bytes)
    return isinstance(value, hint)


def is_joined(rig: Rig) -> str:
    """Return which numbers of a rig name something that is not there; empty where none do."""
    nodes = range(len(rig.nodes))
    named: dict[str, tuple[Iterable[int | None], range]] = {
        "children": ((c for below in rig.nodes.children for c in below), nodes),
        "meshes of nodes": (rig.node_meshes, range(len(rig.meshes))),
        "skins of nodes": (rig.node_skins, range(len(rig.skins))),
        "roots": (rig.roots, nodes),
        "joints": ((j for skin in rig.skins for j in skin.joints), nodes),
        "bones": ((*rig.bones, *rig.hidden, *rig.humanoid, *rig.node_morph_weights), nodes),
        "materials": (
            (p.material for mesh in rig.meshes for p in mesh.primitives),
            range(len(rig.materials)),
        ),
        "images": (
            (texture.image for material in rig.materials for texture in material.textures),
            range(len(rig.images)),
        ),
    }
    for what, (numbers, there) in named.items():
        if any(number is not None and number not in there for number in numbers):
            return f"{what} name what is not there"
    return ""
