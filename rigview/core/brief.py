"""Short texts for values: a rig has millions of numbers, and a debugger or a notebook prints them all."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

# A field is cut after so many letters, and the text of a value after so many.
_MOST_OF_FIELD, _MOST = 60, 300


def brief_repr(value: Any) -> str:  # noqa: ANN401 - it becomes the __repr__ of dataclasses
    """Return the text of a dataclass in one line: arrays by shape, collections by their number of items.

    Fields that have their default are left out, and so are fields whose array is not made yet.
    """
    shown = []
    for field in fields(value):
        stated = vars(value).get(field.name, _ABSENT)
        if not field.repr or stated is _ABSENT or _is_plain_default(stated, field.default):
            continue
        shown.append(f"{field.name}={_of_field(stated)}")
    text = f"{type(value).__name__}({', '.join(shown)})"
    return text if len(text) <= _MOST else f"{text[: _MOST - 2]}…)"


_ABSENT = object()


def _is_plain_default(stated: object, default: object) -> bool:
    plain = (str, int, float, bool, tuple, frozenset, type(None))
    return isinstance(stated, plain) and isinstance(default, plain) and stated == default


def _of_field(stated: object) -> str:
    match stated:
        case np.ndarray():
            return f"{stated.dtype} array {stated.shape}"
        case str() if len(stated) > _MOST_OF_FIELD:
            return f"{stated[:_MOST_OF_FIELD]!r}…"
        case bytes():
            return f"{len(stated):,} bytes"
        case tuple() | list() | set() | frozenset() | Mapping():
            return _of_items(stated)
        case type():
            return stated.__name__
    if is_dataclass(stated):
        return type(stated).__name__
    if callable(stated):
        return getattr(stated, "__name__", type(stated).__name__)
    text = repr(stated)
    return text if len(text) <= _MOST_OF_FIELD else type(stated).__name__


def _of_items(items: Any) -> str:  # noqa: ANN401 - any collection
    plain = all(isinstance(item, str | int | float | bool | None) for item in items)
    text = repr(items) if plain and len(items) <= _MOST_OF_FIELD else ""
    if text and len(text) <= _MOST_OF_FIELD:
        return text
    return f"{len(items):,} item" if len(items) == 1 else f"{len(items):,} items"
