"""Primitives that KHR_draco_mesh_compression packs, decoded by DracoPy (`rigview[draco]`)."""

import importlib
from types import ModuleType
from typing import Any

from rigview.io.gltf.accessors import Accessors
from rigview.io.gltf.cursor import Cursor
from rigview.io.reading import missing_extra

EXTENSION = "KHR_draco_mesh_compression"
# What a decoded element takes in DracoPy, which keeps every attribute once more as points, normals
# and the like.
_BYTES_AN_ELEMENT = 16


def unpack(primitive: Cursor, accessors: Accessors) -> None:
    """Give the accessors of a primitive the values that are compressed with Draco, if any are.

    Parameters
    ----------
    primitive
        The mesh primitive's object.

    Raises
    ------
    LoadError
        If the data are damaged, or exist only in this form and DracoPy is not installed.
    """
    place = primitive.extension(EXTENSION)
    if place is None:
        return
    attributes, indices = primitive.need("attributes"), primitive.get("indices")
    packed = place.need("attributes")
    targets = [attributes.need(name) for name in packed.keys()]  # noqa: SIM118 - a cursor
    wanted = [t for t in (*targets, indices) if t is not None]
    if all(accessors.is_given(accessors.number(t)) for t in wanted):
        return
    library = _library()
    if library is None:
        if all(accessors.is_stored(accessors.number(t)) for t in wanted):
            return  # the same values without compression
        raise place.error(f"the geometry is compressed with Draco; {missing_extra('draco')}")
    data = accessors.view(place.need("bufferView"))
    accessors.allowance.spend(place, _claimed(targets, accessors))
    mesh = _decoded(place, library, bytes(data))
    by_id = {attribute["unique_id"]: attribute["data"] for attribute in mesh.attributes}
    for target in targets:
        name = target.pointer.rpartition("/")[2]
        number = packed.need(name).integer(low=0)
        if number not in by_id:
            raise packed.need(name).error(f"the compressed data have no attribute {number}")
        accessors.give(target, by_id[number])
    if indices is not None:
        faces = getattr(mesh, "faces", None)
        if faces is None:
            raise place.error("the compressed data hold points, not triangles")
        accessors.give(indices, faces.reshape(-1, 1))


def _claimed(targets: list[Cursor], accessors: Accessors) -> int:
    """Return how many bytes the accessors say that the decoded attributes will take."""
    elements = (accessors.count(t) * accessors.width(t) for t in targets)
    return _BYTES_AN_ELEMENT * sum(elements)


def _library() -> ModuleType | None:
    try:
        return importlib.import_module("DracoPy")
    except ImportError:
        return None


def _decoded(place: Cursor, library: ModuleType, data: bytes) -> Any:  # noqa: ANN401 - untyped
    try:
        return library.decode(data)
    except library.FileTypeException:
        raise place.error("the Draco data are damaged") from None
