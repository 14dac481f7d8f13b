"""Writing a record: a JSON head that says how the rig is put together, and its own arrays behind it."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from rigview.core.clip import Deferred
from rigview.core.materials import Image
from rigview.core.numeric.lazy import LazyArray, LazyArrays
from rigview.core.rig import Rig
from rigview.io.rig_records.places import CLASSES, DTYPES, places, stated

MAGIC = b"rigview record 1\n"
# Weights are mostly zeros and repeats: the fastest level already takes most of them away.
_LEVEL = 1


def record_of(rig: Rig, original: Rig) -> bytes:
    """Return a rig as bytes, by what it shares with the rig that the same file gives when it is read.

    Raises
    ------
    ValueError
        If a value is of a class that no record holds: a programmer's mistake.
    """
    here = {id(clip.channels) for clip in original.clips}
    for clip in rig.clips:
        if id(clip.channels) not in here:
            # What changed channels are made of is made with them, and can then be named.
            len(clip.channels)
    writer = _Writer(places(original))
    head = json.dumps({"rig": writer.told(rig), "arrays": writer.heads}).encode()
    data = len(head).to_bytes(8, "little") + head + b"".join(writer.bytes)
    return MAGIC + zlib.compress(data, _LEVEL)


class _Writer:
    def __init__(self, known: dict[int, str]) -> None:
        self._known = known
        self.heads: list[tuple[str, tuple[int, ...]]] = []
        self.bytes: list[bytes] = []
        self._numbers: dict[int, int] = {}
        # What has a number must not be freed, or another array could get its `id`.
        self._kept: list[object] = []

    def told(self, value: object) -> Any:  # noqa: ANN401 - JSON
        """Return JSON that stands for a value."""
        if value is None or isinstance(value, bool | int | float | str):
            return value
        place = self._known.get(id(value))
        if place is not None:
            return {"at": place}
        if isinstance(value, LazyArray):
            value = value.value
        if isinstance(value, np.ndarray):
            return {"array": self._number(value)}
        return self._composed(value)

    def _composed(self, value: object) -> Any:  # noqa: ANN401 - JSON
        kind = type(value).__name__
        if isinstance(value, Image):
            return {"is": kind, "has": {"name": value.name, "content": self.told(value.pixels)}}
        if is_dataclass(value) and kind in CLASSES:
            told = {f.name: self.told(stated(value, f.name)) for f in fields(value)}
            return {"is": kind, "has": told}
        if isinstance(value, tuple) and hasattr(value, "_fields") and kind in CLASSES:
            return {"is": kind, "has": {n: self.told(getattr(value, n)) for n in value._fields}}
        if isinstance(value, tuple | list | Deferred):
            return {"tuple": [self.told(part) for part in value]}
        if isinstance(value, frozenset):
            return {"set": sorted(value)}
        if isinstance(value, LazyArrays | Mapping):
            pairs = value.stated if isinstance(value, LazyArrays) else value
            return {"map": [[key, self.told(part)] for key, part in pairs.items()]}
        raise ValueError(f"a record holds no {kind}")

    def _number(self, array: np.ndarray[Any, Any]) -> int:
        if id(array) not in self._numbers:
            if array.dtype.str not in DTYPES:
                raise ValueError(f"a record holds no arrays of {array.dtype}")
            self._numbers[id(array)] = len(self.heads)
            self._kept.append(array)
            self.heads.append((array.dtype.str, array.shape))
            self.bytes.append(array.tobytes())
        return self._numbers[id(array)]
