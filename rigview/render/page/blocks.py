"""Arrays as text that a page carries: filtered so that they deflate well, deflated, in base64."""

import base64
import zlib
from collections.abc import Mapping
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

Filter = Literal["planes", "frames"]
_TYPES = {"float32": "f4", "uint32": "u4", "uint16": "u2", "uint8": "u1"}


class Row(TypedDict):
    """Where an array lies in its block, in bytes, and how it is read."""

    name: str
    type: str
    shape: list[int]
    start: int
    filter: Filter


def block(
    arrays: Mapping[str, NDArray[np.generic]], over_time: frozenset[str]
) -> tuple[str, list[Row]]:
    """Return arrays as one text, and its table; the values are kept bit by bit.

    Parameters
    ----------
    over_time
        Names of float32 arrays whose rows are frames: each is stored as its words minus the words of the
        frame before.
    """
    table: list[Row] = []
    pieces, start = [], 0
    for name, array in arrays.items():
        little = np.ascontiguousarray(array, dtype=np.dtype(f"<{_TYPES[array.dtype.name]}"))
        frames: Filter = "frames" if name in over_time else "planes"
        if frames == "frames":
            words = little.view("<u4").reshape(len(little), -1)
            little = np.concatenate([words[:1], words[1:] - words[:-1]])
        planes = little.reshape(-1).view(np.uint8).reshape(-1, little.itemsize).T
        pieces.append(planes.tobytes())
        table.append(
            {
                "name": name,
                "type": array.dtype.name,
                "shape": list(array.shape),
                "start": start,
                "filter": frames,
            }
        )
        start += planes.size
    return packed(b"".join(pieces)), table


def packed(content: bytes) -> str:
    """Return bytes deflated, in base64."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(content) + packer.flush()).decode("ascii")
