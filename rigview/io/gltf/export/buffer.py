"""The one buffer of a glTF written anew, and the accessors over it."""

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from rigview.io.gltf.written import VERTICES, as_stored, bounds, form


@dataclass(eq=False)
class GltfBuffer:
    """Bytes, views and accessors under construction."""

    binary: bytearray = field(default_factory=bytearray)
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    _known: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def view(self, data: bytes, target: int | None = None) -> int:
        """Append bytes, and return the number of their view."""
        self.binary.extend(b"\0" * (-len(self.binary) % 4))
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        self.binary.extend(data)
        self.views.append(view)
        return len(self.views) - 1

    def accessor(
        self, values: NDArray[Any], *, bounded: bool = False, target: int | None = None
    ) -> int:
        """Return the accessor of ``(n, width)`` values; equal ones are stored once.

        Parameters
        ----------
        bounded
            Whether it states the least and greatest of them.
        target
            What the bytes are for.
        """
        values = as_stored(values)
        data = values.tobytes()
        key = (data, values.dtype.str, values.shape, bounded, target)
        if key in self._known:
            return self._known[key]
        stride = values.dtype.itemsize * values.shape[1]
        if target == VERTICES and stride % 4:
            # Vertex attributes start at multiples of four bytes: glTF 2.0, 3.6.2.4.
            raise ValueError(f"a vertex attribute of {stride} bytes")
        accessor: dict[str, Any] = {"bufferView": self.view(data, target), **form(values)}
        if bounded:
            accessor |= bounds(values)
        self.accessors.append(accessor)
        self._known[key] = len(self.accessors) - 1
        return self._known[key]
