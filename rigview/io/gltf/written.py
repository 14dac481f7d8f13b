"""How arrays and transforms are written into a document, be it a changed copy or a new one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rigview.core.arrays import FloatArray
from rigview.io.gltf.accessors import COMPONENTS, WIDTHS

# What the bytes of a view are for.
VERTICES, INDICES = 34962, 34963
# What a node has that states nothing.
IDENTITY = {
    "translation": (0.0, 0.0, 0.0),
    "rotation": (0.0, 0.0, 0.0, 1.0),
    "scale": (1.0, 1.0, 1.0),
}
_TYPES = {width: name for name, width in WIDTHS.items()}
_CODES = {dtype: code for code, dtype in COMPONENTS.items()}


def as_stored(values: NDArray[Any]) -> NDArray[Any]:
    """Return values in the type an accessor can hold: real numbers have 32 bits there."""
    if values.dtype.kind == "f":
        with np.errstate(over="ignore"):
            values = values.astype("<f4")
    return np.ascontiguousarray(values)


def form(values: NDArray[Any]) -> dict[str, Any]:
    """Return what an accessor states of ``(n, width)`` stored values besides where they are."""
    return {
        "componentType": _CODES[values.dtype],
        "count": len(values),
        "type": _TYPES[values.shape[1]],
    }


def bounds(values: NDArray[Any]) -> dict[str, list[float]]:
    """Return the least and the greatest value of each component; nothing where one is not finite."""
    if not len(values) or not np.all(np.isfinite(values)):
        return {}
    return {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}


def column(values: FloatArray | None) -> FloatArray | None:
    """Return ``(n, 1)`` of ``(n,)`` values."""
    return None if values is None else values[:, None]


def as_json(values: NDArray[Any]) -> list[float]:
    """Return numbers as JSON has them."""
    return [float(v) for v in values]
