"""Reading a record, which may come from anywhere: every value is held to the type that its field states."""

import json
import zlib
from math import prod
from typing import Any

import numpy as np

from rigview.core.errors import RigviewError
from rigview.core.rig import Rig
from rigview.io.memory_budget import MOST_READ
from rigview.io.rig_records.fitting import fits, is_joined
from rigview.io.rig_records.places import CLASSES, DTYPES, at
from rigview.io.rig_records.writing import MAGIC

# How deep a rig's values stand in one another, with room to spare.
_DEEPEST = 40


class RecordError(RigviewError):
    """A record that is damaged, or of a file that has changed; one sentence without the final stop."""


def read_record(data: bytes, original: Rig) -> Rig:
    """Return the rig of a record, which shares with `original` what it shared when it was written.

    Raises
    ------
    RecordError
        If the record is damaged, or names what the rig of the file does not have.
    """
    if not data.startswith(MAGIC):
        raise RecordError("it is no record of a changed rig")
    try:
        return _read(data[len(MAGIC) :], original)
    except (ValueError, TypeError, KeyError, LookupError, zlib.error, RecursionError) as error:
        raise RecordError(f"the record of the changed rig is damaged ({error})") from None


def _read(packed: bytes, original: Rig) -> Rig:
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(packed, MOST_READ)
    if not unpacking.eof:
        raise ValueError("it is cut short or too large")
    size = int.from_bytes(plain[:8], "little")
    if size > len(plain) - 8:
        raise ValueError("its head is cut short")
    head = json.loads(plain[8 : 8 + size])
    arrays = _arrays(head["arrays"], memoryview(plain)[8 + size :])
    rig = _Reader(original, arrays).value(head["rig"], 0)
    if not isinstance(rig, Rig):
        raise TypeError("it holds no rig")
    wrong = is_joined(rig)
    if wrong:
        raise ValueError(wrong)
    return rig


def _arrays(heads: list[Any], data: memoryview) -> list[np.ndarray[Any, Any]]:
    result, start = [], 0
    for kind, shape in heads:
        if kind not in DTYPES or not all(isinstance(n, int) and n >= 0 for n in shape):
            raise ValueError("an array is of an unknown kind")
        end = start + prod(shape) * np.dtype(kind).itemsize
        if end > len(data):
            raise ValueError("an array is cut short")
        array = np.frombuffer(data[start:end], kind).reshape(shape).copy()
        array.flags.writeable = False
        result.append(array)
        start = end
    return result


class _Reader:
    def __init__(self, original: Rig, arrays: list[np.ndarray[Any, Any]]) -> None:
        self._original, self._arrays = original, arrays

    def value(self, told: Any, depth: int) -> Any:  # noqa: ANN401 - JSON, and any value of a rig
        """Return what JSON stands for."""
        if depth > _DEEPEST:
            raise ValueError("its values stand too deep in one another")
        if not isinstance(told, dict):
            return told
        if "at" in told:
            return at(self._original, str(told["at"]))
        if "array" in told:
            number = told["array"]
            if not isinstance(number, int) or not 0 <= number < len(self._arrays):
                raise ValueError("an array is missing")
            return self._arrays[number]
        if "tuple" in told:
            return tuple(self.value(part, depth + 1) for part in told["tuple"])
        if "set" in told:
            return frozenset(told["set"])
        if "map" in told:
            return {key: self.value(part, depth + 1) for key, part in told["map"]}
        kind = CLASSES[told["is"]]
        parts = {str(name): self.value(part, depth + 1) for name, part in told["has"].items()}
        fits(kind, parts)
        return kind(**parts)
